"""Lasso and elastic net on the command line: fit, what is printed, and everything after."""

import json
from fractions import Fraction

import numpy as np
import pytest
import sklearn.linear_model


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def housing(run, tmp_path):
    assert run("data", "housing", "-o", "h.csv", "-q").returncode == 0
    lines = [list(map(float, line.split(","))) for line in (tmp_path / "h.csv").read_text().splitlines()[1:]]
    return [line[:-1] for line in lines], [line[-1] for line in lines]


@pytest.mark.parametrize(
    "flags, peer",
    [
        (["lasso", "--lambda", "0.5"], sklearn.linear_model.Lasso(alpha=0.5, tol=1e-12, max_iter=10**6)),
        (
            ["elastic-net", "--lambda", "0.5", "--l1-share", "0.3"],
            sklearn.linear_model.ElasticNet(alpha=0.5, l1_ratio=0.3, tol=1e-12, max_iter=10**6),
        ),
        (
            ["lasso", "--lambda", "0.1", "--non-negative"],
            sklearn.linear_model.Lasso(alpha=0.1, positive=True, tol=1e-12, max_iter=10**6),
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("solver", ["gram", "columns"])
def test_the_answer_is_that_of_scikit_learn(run, tmp_path, flags, peer, solver):
    X, y = housing(run, tmp_path)
    fit = document(run, "fit", *flags, "--solver", solver, "h.csv", "--target", "price")
    peer.fit(X, y)
    for ours, theirs in zip(fit["coefficients"]["price"], peer.coef_):
        assert ours["value"] == pytest.approx(theirs, rel=1e-5, abs=1e-6)
        assert ours["standard_error"] is None
    assert fit["certificate"]["verdict"] == "proved" and fit["certificate"]["claim"] == "duality_gap"
    assert fit["metrics"]["price"]["nonzero"] == sum(peer.coef_ != 0)


def test_a_model_is_printed_saved_inspected_verified_evaluated_and_used(run, tmp_path):
    done = run("fit", "lasso", "housing", "--lambda", "1", "-o", "m.recta")
    assert done.returncode == 0, done.stderr
    assert "+ lambda sum_j |w_j|" in done.stdout and "penalty    lambda1 = 1;" in done.stdout
    assert "of 13 coefficients are not zero" in done.stdout and "std. error" not in done.stdout
    assert done.stdout.splitlines()[-1].startswith("Proved: ") and "by its duality gap" in done.stdout
    inspected = run("inspect", "m.recta").stdout
    assert "penalty    lambda1 = 1;" in inspected
    assert run("verify", "m.recta", "housing").stdout.startswith("Proved: ")
    assert document(run, "eval", "m.recta", "housing")["metrics"]["price"]["r2"] > 0.6
    assert len(run("predict", "m.recta", "housing").stdout.splitlines()) == 507
    other = run("verify", "m.recta", "iris")
    assert other.returncode == 3


def test_without_a_strength_a_tenth_of_the_largest_is_taken_and_said(run):
    done = run("fit", "lasso", "housing")
    assert done.returncode == 0
    assert "no strength was given: lambda1 is a tenth of lambda_max" in done.stdout
    strong = document(run, "fit", "lasso", "housing", "--lambda", "1e4")
    assert strong["metrics"]["price"]["nonzero"] == 0
    assert any("all penalised coefficients are zero" in c for c in strong["conditions"])
    assert strong["certificate"]["gap"] < 1e-25


def test_the_bound_psi_and_its_multiplier(run):
    fit = document(run, "fit", "lasso", "housing", "--psi", "3")
    assert sum(abs(c["value"]) for c in fit["coefficients"]["price"]) == pytest.approx(3, rel=1e-12)
    lam = fit["metrics"]["price"]["lambda1"]
    penalised = document(run, "fit", "lasso", "housing", "--lambda", repr(lam))
    for a, b in zip(fit["coefficients"]["price"], penalised["coefficients"]["price"]):
        assert a["value"] == pytest.approx(b["value"], rel=1e-6, abs=1e-9)
    assert fit["design"]["psi"] == 3 and "over sum_j |w_j| <= psi" in fit["objective"]


def test_streamed_and_piped_rows_give_the_same_answer(run, tmp_path):
    housing(run, tmp_path)
    whole = document(run, "fit", "lasso", "h.csv", "--target", "price", "--lambda", "1")
    streamed = document(run, "fit", "lasso", "h.csv", "--target", "price", "--lambda", "1", "--stream")
    piped = run(
        "fit", "lasso", "-", "--target", "price", "--lambda", "1", "--json", stdin=(tmp_path / "h.csv").read_text()
    )
    piped = json.loads(piped.stdout)
    for other in (streamed, piped):
        for a, b in zip(whole["coefficients"]["price"], other["coefficients"]["price"]):
            assert a["value"] == pytest.approx(b["value"], rel=1e-10, abs=1e-12)
    assert streamed["certificate"]["verdict"] == "proved"
    assert piped["certificate"]["verdict"] == "within_tolerance" and piped["certificate"]["from_merged_statistics"]


@pytest.mark.parametrize(
    "word, flags, what",
    [
        ("lasso", ["--lambda", "-1"], "outside its range"),
        ("lasso", ["--lambda", "nan"], "not a number"),
        ("lasso", ["--lambda", "1", "--psi", "1"], "both a bound psi and a penalty"),
        ("lasso", ["--tau", "1"], "no such parameter"),
        ("lasso", ["--penalty-factors", "crm=0"], 'did you mean "crim"?'),
        ("lasso", ["--lower", "crim=1"], "zero or below"),
        ("elastic-net", ["--l1-share", "1.5"], "outside its range"),
        ("elastic-net", ["--lambda", "1", "--lambda1", "1"], "in two ways"),
        ("elastic-net", ["--l1-share", "0"], "give lambda"),
    ],
)
def test_what_makes_no_sense_is_refused(run, word, flags, what):
    done = run("fit", word, "housing", *flags)
    assert done.returncode == 2 and what in done.stderr and done.stdout == ""


def test_wide_streams_are_refused_with_the_cure(run, tmp_path):
    (tmp_path / "w.csv").write_text(",".join(f"x{j}" for j in range(8200)) + ",y\n" + ",".join(["1"] * 8201) + "\n")
    done = run("fit", "lasso", "w.csv", "--target", "y", "--stream")
    assert done.returncode == 2 and "leave out --stream" in done.stderr


@pytest.mark.parametrize(
    "strength, x",
    [(["lasso", "--lambda", "2.12499"], 8e-6), (["elastic-net", "--lambda1", ".1", "--lambda2", "1e11"], 2.025e-11)],
)
def test_just_below_lambda_max_a_coefficient_is_in_use(run, tmp_path, strength, x):
    """By hand: x about its mean is -1.5, -.5, .5, 1.5, its gradient 2.125 and its square 1.25; w = (2.125 - lambda1) / (1.25 + lambda2)."""
    path = tmp_path / "four.csv"
    path.write_text("x,z,y\n1,5,1\n2,7,3\n3,1,2\n4,2,7\n")
    done = run("fit", *strength, path, "--target", "y", "--json")
    document = json.loads(done.stdout)
    assert document["certificate"]["verdict"] == "proved"
    assert not any("lambda_max" in c for c in document["certificate"]["conditions"])
    first = document["coefficients"]["y"][0]
    assert first["value"] == pytest.approx(x, rel=1e-6)
    at = run("fit", "lasso", "--lambda", "2.125", path, "--target", "y", "--json")
    assert any("at least lambda_max" in c for c in json.loads(at.stdout)["certificate"]["conditions"])


def exact_under_psi(x, y, psi, signs):
    """The least F of the columns in use when sum s_j w_j = psi, in whole numbers: normal equations and one multiplier."""
    n = len(y)
    x, y = [[Fraction(float(v)) for v in row] for row in x], [Fraction(float(v)) for v in y]
    mean = [sum(row[j] for row in x) / n for j in range(len(x[0]))]
    x, y = [[v - m for v, m in zip(row, mean, strict=True)] for row in x], [v - sum(y) / n for v in y]
    used = [j for j, s in enumerate(signs) if s]
    a = [[sum(r[i] * r[j] for r in x) / n for j in used] + [Fraction(signs[i])] for i in used]
    a.append([Fraction(signs[j]) for j in used] + [Fraction(0)])
    b = [sum(r[j] * v for r, v in zip(x, y, strict=True)) / n for j in used] + [Fraction(psi)]
    for c in range(len(b)):  # Gauss and Jordan
        pivot = next(r for r in range(c, len(b)) if a[r][c] != 0)
        a[c], a[pivot], b[c], b[pivot] = a[pivot], a[c], b[pivot], b[c]
        for r in range(len(b)):
            if r != c and a[r][c] != 0:
                f = a[r][c] / a[c][c]
                a[r] = [u - f * v for u, v in zip(a[r], a[c], strict=True)]
                b[r] -= f * b[c]
    w = dict(zip(used, [b[c] / a[c][c] for c in range(len(b) - 1)], strict=True))
    return float(sum((v - sum(w[j] * r[j] for j in used)) ** 2 for r, v in zip(x, y, strict=True)) / n / 2)


@pytest.mark.parametrize("psi", [1e-13, 1e-6, 1.0, 1e5, 1e11])
@pytest.mark.parametrize("solver", ["gram", "columns"])
def test_a_bound_on_columns_from_1e_minus_12_to_1e12_is_met_and_proved(run, tmp_path, psi, solver):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((60, 4)) * 10.0 ** np.array([-12, -4, 5, 12])
    y = x @ (np.array([1, -2, 0, 0.5]) / 10.0 ** np.array([-12, -4, 5, 12])) + rng.standard_normal(60) + 3
    np.savetxt(tmp_path / "d.csv", np.column_stack([x, y]), delimiter=",", header="a,b,c,d,y", comments="", fmt="%.17g")
    done = run("fit", "lasso", "d.csv", "--target", "y", "--psi", psi, "--solver", solver, "--json")
    assert done.returncode == 0, done.stdout
    model = json.loads(done.stdout)
    assert model["certificate"]["verdict"] == "proved"
    w = [row["value"] for row in model["coefficients"]["y"]]
    assert sum(map(abs, w)) <= psi * (1 + 1e-12)
    exact = exact_under_psi(x, y, psi, [int(np.sign(v)) for v in w])
    assert model["certificate"]["objective"] == pytest.approx(exact, rel=1e-10)


def test_a_model_without_features_explains_nothing(run):
    for word, flags in (("lasso", ["--lambda", "1e6"]), ("elastic-net", ["--lambda", "1e6"])):
        done = run("fit", word, "housing", *flags, "-o", "m.recta", "--json")
        fitted = json.loads(done.stdout)["metrics"]["price"]
        scored = json.loads(run("eval", "m.recta", "housing", "--json").stdout)["metrics"]["price"]
        assert fitted["nonzero"] == 0 and fitted["r2"] == 0 and scored["r2"] == 0


def test_conditions_are_printed_once(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n1,2,3\n2,4,5\n3,6,8\n4,8,9\n")
    done = run("fit", "linear", "t.csv", "--target", "y", "-o", "m.recta")
    for text in (done.stdout, run("inspect", "m.recta").stdout):
        assert text.count("the answer of least norm among many") == 1
        assert text.count("optimal over 1 independent column of 2") == 1
