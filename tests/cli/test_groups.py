"""Group lasso and multi-task lasso on the command line: fit, what is printed, and everything after."""

import json

import numpy as np
import pytest
import sklearn.linear_model


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def coefficients(fit, target):
    return np.array([c["value"] for c in fit["coefficients"][target]])


@pytest.mark.parametrize("solver", ["gram", "columns"])
@pytest.mark.parametrize(
    "flags, peer",
    [
        (
            ["multi-task-lasso", "--lambda", "0.5"],
            sklearn.linear_model.MultiTaskLasso(alpha=0.5, tol=1e-14, max_iter=10**5),
        ),
        (
            ["multi-task-elastic-net", "--lambda", "0.5", "--l1-share", "0.3"],
            sklearn.linear_model.MultiTaskElasticNet(alpha=0.5, l1_ratio=0.3, tol=1e-14, max_iter=10**5),
        ),
        (
            ["multi-task-lasso", "--lambda", "0.5", "--no-intercept"],
            sklearn.linear_model.MultiTaskLasso(alpha=0.5, fit_intercept=False, tol=1e-14, max_iter=10**5),
        ),
    ],
    ids=str,
)
def test_the_answer_is_that_of_scikit_learn(run, tmp_path, flags, peer, solver):
    assert run("data", "housing", "-o", "h.csv", "-q").returncode == 0
    names = (tmp_path / "h.csv").read_text().splitlines()[0].split(",")
    table = np.loadtxt(tmp_path / "h.csv", delimiter=",", skiprows=1)
    targets = ["price", "lstat"]
    others = [j for j, name in enumerate(names) if name not in targets]
    peer.fit(table[:, others], table[:, [names.index(t) for t in targets]])
    fit = document(run, "fit", *flags, "--solver", solver, "h.csv", "--target", ",".join(targets))
    for k, target in enumerate(targets):
        assert coefficients(fit, target) == pytest.approx(peer.coef_[k], rel=1e-5, abs=1e-6)
        assert fit["metrics"][target]["nonzero"] == sum(peer.coef_[k] != 0)
    assert fit["certificate"]["verdict"] == "proved" and fit["certificate"]["claim"] == "duality_gap"


def test_groups_of_one_column_are_the_lasso(run):
    grouped = document(run, "fit", "group-lasso", "housing", "--lambda", "0.5", "--standardise")
    lasso = document(run, "fit", "lasso", "housing", "--lambda", "0.5", "--standardise")
    assert coefficients(grouped, "price") == pytest.approx(coefficients(lasso, "price"), rel=1e-6, abs=1e-9)


def test_a_model_is_printed_saved_inspected_verified_evaluated_and_used(run):
    done = run(
        "fit",
        "group-lasso",
        "housing",
        "--lambda",
        "1",
        "--standardise",
        "--groups",
        "crim,zn,indus;rm,lstat",
        "-o",
        "m.recta",
    )
    assert done.returncode == 0, done.stderr
    assert "+ lambda sum_g f_g |w_g|" in done.stdout and "f_g = sqrt(size of g)" in done.stdout
    assert "groups = crim,zn,indus;rm,lstat" in done.stdout and "penalty    lambda1 = 1;" in done.stdout
    assert "AIC" not in done.stdout and "std. error" not in done.stdout
    assert done.stdout.splitlines()[-1].startswith("Proved: ") and "by its duality gap" in done.stdout
    assert "penalty    lambda1 = 1;" in run("inspect", "m.recta").stdout
    assert run("verify", "m.recta", "housing").stdout.startswith("Proved: ")
    assert document(run, "eval", "m.recta", "housing")["metrics"]["price"]["r2"] > 0.5
    assert len(run("predict", "m.recta", "housing").stdout.splitlines()) == 507
    assert run("verify", "m.recta", "iris").returncode == 3


def test_whole_groups_are_zero_or_not(run):
    fit = document(
        run,
        "fit",
        "group-lasso",
        "housing",
        "--lambda",
        "1",
        "--standardise",
        "--groups",
        "crim,zn,indus;rm,lstat;tax,rad",
    )
    used = {c["feature"]: c["value"] != 0 for c in fit["coefficients"]["price"]}
    assert len({used[name] for name in ("crim", "zn", "indus")}) == 1
    assert len({used[name] for name in ("tax", "rad")}) == 1
    assert used["rm"] and used["lstat"] and not all(used.values())


def test_levels_of_a_category_and_terms_of_a_map_are_groups_by_themselves(run, tmp_path):
    rng = np.random.default_rng(3)
    lines = ["colour,a,b,y"]
    for _ in range(60):
        a, b = rng.normal(size=2)
        lines.append(f"{rng.choice(['red', 'green', 'blue'])},{a},{b},{np.sin(2 * a) + 0.1 * rng.normal()}")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    fit = document(run, "fit", "group-lasso", "t.csv", "--target", "y", "--lambda", "0.05", "--basis", "spline(a, 4)")
    used = {c["feature"]: c["value"] != 0 for c in fit["coefficients"]["y"]}
    spline = [name for name in used if name not in ("b",) and not name.startswith("colour=")]
    assert len(spline) > 2 and all(used[name] for name in spline)
    assert not any(used[name] for name in used if name.startswith("colour="))
    named = run("fit", "group-lasso", "t.csv", "--target", "y", "--lambda", "0.05", "--groups", "colour,b")
    assert named.returncode == 0 and named.stdout.splitlines()[-1].startswith("Proved: ")


def test_terms_of_a_polynomial_in_the_same_columns_are_a_group(run, tmp_path):
    rng = np.random.default_rng(4)
    x = rng.normal(size=(80, 2))
    y = x[:, 0] + 2 * x[:, 0] ** 2 + 0.1 * rng.normal(size=80)
    lines = ["a,b,y"] + [f"{a},{b},{v}" for (a, b), v in zip(x.tolist(), y.tolist())]
    (tmp_path / "p.csv").write_text("\n".join(lines) + "\n")
    fit = document(run, "fit", "group-lasso", "p.csv", "--target", "y", "--lambda", "0.3", "--poly", "3")
    used = {c["feature"] for c in fit["coefficients"]["y"] if c["value"] != 0}
    assert used == {"a", "a^2", "a^3"}


def test_from_lambda_max_on_all_are_zero(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y,z\n1,2,3,1\n2,1,5,2\n3,4,4,0\n4,3,9,1\n5,9,7,3\n")
    first = document(run, "fit", "multi-task-lasso", "t.csv", "--target", "y,z", "--lambda", "0.1")
    most = first["metrics"]["y"]["lambda1_max"]
    for strength in (most, 2 * most):
        fit = document(run, "fit", "multi-task-lasso", "t.csv", "--target", "y,z", "--lambda", repr(strength))
        assert all(fit["metrics"][t]["nonzero"] == 0 for t in "yz")
        assert fit["certificate"]["gap"] < 1e-25 and fit["certificate"]["verdict"] == "proved"


def test_rows_that_stream_past_give_the_same_answer(run):
    assert run("data", "housing", "-o", "h.csv", "-q").returncode == 0
    flags = ["group-lasso", "h.csv", "--target", "price", "--lambda", "0.7", "--groups", "crim,zn;age,dis"]
    kept, streamed = document(run, "fit", *flags), document(run, "fit", *flags, "--stream")
    assert coefficients(kept, "price") == pytest.approx(coefficients(streamed, "price"), rel=1e-9, abs=1e-12)
    assert streamed["certificate"]["verdict"] == "proved"


@pytest.mark.parametrize(
    "flags, words",
    [
        (["group-lasso", "--lambda", "-1"], "-1 is outside its range"),
        (["group-lasso", "--lambda", "nan"], "lambda"),
        (["group-lasso", "--groups", "crim,indsu"], 'there is no feature "indsu"\n  did you mean "indus"?'),
        (["group-lasso", "--groups", "crim,zn;zn"], '"zn" is in groups 1 and 2\n  a feature belongs to one group'),
        (["group-lasso", "--groups", "crim", "--group-factors", "-2"], "a factor must be above zero"),
        (["multi-task-lasso", "--lambda", "1", "--lambda1", "1"], "given more than once"),
        (["multi-task-elastic-net", "--lambda", "1", "--lambda2", "1"], "given in two ways"),
        (["multi-task-lasso", "--groups", "crim,zn"], "groups"),
    ],
    ids=str,
)
def test_refusals_name_what_is_wrong_and_the_cure(run, flags, words):
    word, *rest = flags
    done = run("fit", word, "housing", *rest)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert words in done.stderr


def test_a_path_of_them_is_refused(run):
    done = run("path", "group-lasso", "housing")
    assert done.returncode == 2 and "lasso, elastic-net, ridge, logistic and softmax have one" in done.stderr
