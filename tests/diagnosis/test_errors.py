"""Standard errors, intervals, comparisons and cures of `recta fit`, `predict` and `compare`, against statsmodels."""

import json

import numpy as np
import pytest

sm = pytest.importorskip("statsmodels.api")


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(11)
    x = rng.normal(size=(80, 3)) + [0, 5, -100]
    group = np.repeat(np.arange(16), 5)
    y = x @ [1.0, -0.5, 2.0] + rng.normal(size=80) * (0.5 + np.abs(x[:, 0])) + rng.normal(size=16)[group]
    weight = 0.5 + rng.random(80)
    return x, y, group, weight


@pytest.fixture
def table(tmp_path, rows):
    lines = ["a,b,c,firm,v,y"]
    for x, y, g, v in zip(*rows):
        lines.append(",".join([*(repr(float(u)) for u in x), f"firm{g}", repr(float(v)), repr(float(y))]))
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "t.csv"


def fitted(run, *flags):
    done = run("fit", "linear", "t.csv", "--target", "y", "--json", *flags)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def errors_of(document):
    return np.array(
        [document["intercept"]["y"]["standard_error"], *(c["standard_error"] for c in document["coefficients"]["y"])]
    )


@pytest.mark.parametrize("kind", ["hc0", "hc1", "hc2", "hc3"])
@pytest.mark.parametrize("weighted", [False, True])
def test_errors_by_row_are_as_statsmodels_has_them(run, table, rows, kind, weighted):
    x, y, _, v = rows
    design = sm.add_constant(x)
    peer = (sm.WLS(y, design, weights=v) if weighted else sm.OLS(y, design)).fit(cov_type=kind.upper(), use_t=True)
    flags = ["--weights", "v", "--ignore", "firm"] if weighted else ["--ignore", "firm,v"]
    mine = fitted(run, *flags, "--errors", kind)
    np.testing.assert_allclose(errors_of(mine), peer.bse, rtol=1e-10)
    p = [mine["intercept"]["y"]["p_value"], *(c["p_value"] for c in mine["coefficients"]["y"])]
    np.testing.assert_allclose(p, peer.pvalues, rtol=1e-8)
    assert mine["metrics"]["y"]["f"] == pytest.approx(float(peer.fvalue), rel=1e-9)
    assert mine["design"]["errors"] == kind


def test_errors_by_cluster_are_as_statsmodels_has_them(run, table, rows):
    x, y, group, _ = rows
    peer = sm.OLS(y, sm.add_constant(x)).fit(cov_type="cluster", cov_kwds={"groups": group}, use_t=True)
    mine = fitted(run, "--ignore", "v", "--cluster", "firm")
    np.testing.assert_allclose(errors_of(mine), peer.bse, rtol=1e-10)
    p = [c["p_value"] for c in mine["coefficients"]["y"]]
    np.testing.assert_allclose(p, peer.pvalues[1:], rtol=1e-8)
    assert mine["design"]["errors"] == "cluster" and mine["design"]["clusters"] == 16
    assert mine["metrics"]["y"]["f"] == pytest.approx(float(peer.fvalue), rel=1e-9)


@pytest.mark.parametrize("flags", [["--errors", "hc3", "--ignore", "firm,v"], ["--cluster", "firm", "--ignore", "v"]])
def test_a_stream_gives_the_same_bits(run, table, flags):
    whole = fitted(run, *flags)
    streamed = fitted(run, *flags, "--stream", "--threads", "1")
    assert errors_of(whole).tolist() == errors_of(streamed).tolist()


def test_the_file_keeps_which_errors_they_are(run, table):
    fitted(run, "--ignore", "firm,v", "--errors", "hc2", "-o", "m.recta")
    shown = json.loads(run("inspect", "m.recta", "--json").stdout)
    assert shown["design"]["errors"] == "hc2"
    assert "hc2" in run("inspect", "m.recta").stdout
    assert run("verify", "m.recta", "t.csv").returncode == 0


@pytest.mark.parametrize(
    "flags, said",
    [
        (["--errors", "hc9"], "hc9"),
        (["--cluster", "firm", "--errors", "hc1"], "exclude"),
        (["--cluster", "nobody"], "nobody"),
        (["--cluster", "y"], "two parts"),
    ],
)
def test_what_makes_no_sense_is_refused(run, table, flags, said):
    done = run("fit", "linear", "t.csv", "--target", "y", "--ignore", "v", *flags)
    assert done.returncode in (2, 3) and said in done.stderr


def test_ridge_has_no_standard_errors(run, table):
    done = run("fit", "ridge", "t.csv", "--target", "y", "--ignore", "firm,v", "--errors", "hc3")
    assert done.returncode == 2 and "no standard errors" in done.stderr


def test_rows_that_come_once_cannot_be_read_again(run, table):
    done = run("fit", "linear", "-", "--target", "y", "--ignore", "firm,v", "--errors", "hc3", stdin=table.read_text())
    assert done.returncode == 2 and "file" in done.stderr


def test_criteria_are_as_statsmodels_has_them(run, table, rows):
    x, y, _, _ = rows
    peer = sm.OLS(y, sm.add_constant(x)).fit()
    mine = fitted(run, "--ignore", "firm,v")["metrics"]["y"]
    assert mine["aic"] == pytest.approx(peer.aic, rel=1e-12)
    assert mine["bic"] == pytest.approx(peer.bic, rel=1e-12)


@pytest.mark.parametrize(
    "of, names", [("observation", ("obs_ci_lower", "obs_ci_upper")), ("mean", ("mean_ci_lower", "mean_ci_upper"))]
)
def test_intervals_are_as_statsmodels_has_them(run, table, rows, tmp_path, of, names):
    x, y, _, _ = rows
    new = np.array([[0.0, 0.0, 0.0], [1.0, 4.0, -99.0]])
    peer = sm.OLS(y, sm.add_constant(x)).fit().get_prediction(sm.add_constant(new, has_constant="add"))
    frame = peer.summary_frame(alpha=0.1)
    fitted(run, "--ignore", "firm,v", "-o", "m.recta")
    (tmp_path / "new.csv").write_text("a,b,c\n" + "\n".join(",".join(map(str, row)) for row in new) + "\n")
    done = run("predict", "m.recta", "new.csv", "--interval", "0.9", "--interval-of", of)
    lines = [line.split(",") for line in done.stdout.split()]
    assert lines[0] == ["prediction", "lower", "upper"]
    found = np.array(lines[1:], dtype=float)
    np.testing.assert_allclose(found, np.column_stack([frame["mean"], frame[names[0]], frame[names[1]]]), rtol=1e-10)
    assert (
        run("predict", "m.recta", "new.csv", "--interval", "0.9", "--interval-of", of, "--stream").stdout == done.stdout
    )
    document = json.loads(
        run("predict", "m.recta", "new.csv", "--interval", "0.9", "--interval-of", of, "--json").stdout
    )
    assert document["lower"]["y"] == found[:, 1].tolist()


@pytest.mark.parametrize("flag", [["--errors", "hc1"], ["--cluster", "firm"], ["--intervals"]])
def test_errors_of_least_squares_are_refused_elsewhere_without_denying_those_a_model_has(run, flag):
    """Logistic regression has standard errors: the refusal must not say that none are known."""
    run("data", "iris", "-o", "i.csv")
    done = run("fit", "logistic", "i.csv", "--target", "species", "--positive", "versicolor", *flag)
    assert done.returncode == 2 and "are for the model linear" in done.stderr
    assert "known" not in done.stderr and "the standard errors that its model has" in done.stderr


def test_the_table_says_which_scale_a_weighted_likelihood_is_of(run, table):
    say = "likelihood of the variances 1/weight that the weights state"
    fit = ["fit", "linear", "t.csv", "--target", "y", "--ignore", "firm", "--weights", "v"]
    assert say in run(*fit).stdout
    assert say not in run(*fit, "--weights-are", "frequency").stdout
    assert say not in run("fit", "linear", "t.csv", "--target", "y", "--ignore", "firm").stdout


def test_ridge_has_no_intervals(run, table):
    run("fit", "ridge", "t.csv", "--target", "y", "--ignore", "firm,v", "-o", "r.recta", "-q")
    done = run("predict", "r.recta", "t.csv", "--interval", "0.9")
    assert done.returncode == 2 and "no interval with a known level" in done.stderr


def test_nested_models_are_compared_as_statsmodels_does(run, table, rows):
    x, y, _, _ = rows
    large = sm.OLS(y, sm.add_constant(x)).fit()
    small = sm.OLS(y, sm.add_constant(x[:, :1])).fit()
    fitted(run, "--ignore", "firm,v", "-o", "large.recta")
    fitted(run, "--ignore", "firm,v,b,c", "-o", "small.recta")
    mine = json.loads(run("compare", "small.recta", "large.recta", "t.csv", "--json").stdout)
    f, p, added = large.compare_f_test(small)
    ratio, q, _ = large.compare_lr_test(small)
    target = mine["targets"]["y"]
    assert mine["features"] == ["b", "c"] and mine["added"] == added
    assert target["f"] == pytest.approx(f, rel=1e-10) and target["f_p_value"] == pytest.approx(p, rel=1e-8)
    assert target["likelihood_ratio"] == pytest.approx(ratio, rel=1e-10)
    assert target["likelihood_ratio_p_value"] == pytest.approx(q, rel=1e-8)
    assert target["mallows_cp"] == pytest.approx(small.ssr / large.mse_resid - 80 + 4, rel=1e-10)
    assert "improve the fit" in run("compare", "small.recta", "large.recta").stdout
    done = run("compare", "large.recta", "small.recta")
    assert done.returncode == 2 and "smaller one first" in done.stderr


def test_columns_are_left_out_until_no_inflation_is_above(run):
    document = json.loads(run("fit", "linear", "longley", "--max-vif", "10", "--json", "-o", "m.recta").stdout)
    kept = [c["feature"] for c in document["coefficients"]["y"]]
    assert 0 < len(kept) < 6
    assert any("variance inflation above 10" in line for line in document["conditions"])
    found = json.loads(run("diagnose", "m.recta", "longley", "--json").stdout)
    assert max(found["variance_inflation"]) <= 10
    streamed_out = run("data", "longley", "-o", "l.csv", "-q")
    assert streamed_out.returncode == 0
    streamed = json.loads(
        run("fit", "linear", "l.csv", "--target", "y", "--max-vif", "10", "--stream", "--json").stdout
    )
    assert [c["feature"] for c in streamed["coefficients"]["y"]] == kept


@pytest.mark.parametrize("standardise", [[], ["--standardise"]])
def test_the_penalty_brings_the_condition_number_into_the_range(run, standardise):
    document = json.loads(
        run("fit", "ridge", "longley", "--condition", "10:1000", *standardise, "--json", "-o", "r.recta").stdout
    )
    shown = json.loads(run("inspect", "r.recta", "--json").stdout)
    squares = np.array([s["singular_value"] for s in shown["singular"]]) ** 2
    tau = document["design"]["lambda2"] * document["design"]["weight_sum"]
    condition = (squares.max() + tau) / (squares.min() + tau)
    assert 10 <= condition <= 1000
    assert condition == pytest.approx(1000, rel=1e-6)  # the least penalty that does
    assert any("condition number" in line for line in document["conditions"])


@pytest.mark.parametrize(
    "flags, said",
    [
        (["--condition", "5"], "LOW:HIGH"),
        (["--condition", "100:10"], "LOW:HIGH"),
        (["--condition", "10:100", "--lambda", "1"], "too"),
    ],
)
def test_a_range_that_is_none_is_refused(run, flags, said):
    done = run("fit", "ridge", "longley", *flags)
    assert done.returncode == 2 and said in done.stderr


@pytest.mark.parametrize("word", ["linear", "adaline", "lasso", "elastic-net"])
def test_a_range_chooses_the_penalty_of_ridge_alone(run, word):
    done = run("fit", word, "longley", "--condition", "10:1000")
    assert done.returncode == 2 and "the penalty only of ridge" in done.stderr and "fit ridge" in done.stderr


def test_columns_in_order_need_no_penalty(run, table):
    document = json.loads(
        run("fit", "ridge", "t.csv", "--target", "y", "--ignore", "firm,v", "--condition", "10:1e6", "--json").stdout
    )
    assert document["design"]["lambda2"] == 0
