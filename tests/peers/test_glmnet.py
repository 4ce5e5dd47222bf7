"""Lasso, elastic net and their kin beside glmnet at its finest: to nine digits, whichever solver works.

The answers are facts in glmnet.json; glmnet.R, which made them, says what glmnet minimises. R is not needed here.
"""

import json
import statistics
from pathlib import Path

import pytest

FACTS = json.loads((Path(__file__).parent / "glmnet.json").read_text())
EXACTLY = ["--tolerance", "1e-18"]


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def column(run, name, which):
    header, *rows = run("data", name).stdout.splitlines()
    return [float(row.split(",")[header.split(",").index(which)]) for row in rows]


def intercept_of(fit, target):
    return fit["intercept"][target]["value"] if fit["intercept"] else 0


def expect(fit, target, theirs):
    """Nine digits of each coefficient, and the same zeros."""
    assert intercept_of(fit, target) == pytest.approx(theirs["intercept"], rel=1e-9)
    expect_slopes(fit["coefficients"][target], theirs)


def expect_slopes(coefficients, theirs):
    found = {c["feature"]: c["value"] for c in coefficients}
    assert found.keys() == theirs.keys() - {"intercept"}
    for name, value in found.items():
        assert value == pytest.approx(theirs[name], rel=1e-9, abs=0), name
        assert (value == 0) == (theirs[name] == 0), name


LASSO = {
    "lasso": ["--lambda", "0.5"],
    "lasso, standardised": ["--lambda", "0.5", "--standardise"],
    "lasso without intercept": ["--lambda", "0.5", "--no-intercept"],
    "penalty factors": ["--lambda", "0.5", "--penalty-factors", "crim=0,chas=2,b=0.5,lstat=1.5"],
    "limits": ["--lambda", "0.1", "--lower", "lstat=-0.4", "--upper", "crim=0,rm=2"],
    "non-negative": ["--lambda", "0.1", "--non-negative"],
    "weights": ["--lambda", "0.5", "--weights", "age"],
    "weights, standardised": ["--lambda", "0.5", "--weights", "age", "--standardise"],
}


@pytest.mark.parametrize("solver", ["gram", "columns"])
@pytest.mark.parametrize("case", LASSO)
def test_a_lasso_of_housing(run, case, solver):
    fit = document(run, "fit", "lasso", "housing", *LASSO[case], "--solver", solver, *EXACTLY)
    expect(fit, "price", FACTS[case])


@pytest.mark.parametrize("solver", ["gram", "columns"])
def test_a_lasso_of_collinear_columns(run, solver):
    fit = document(run, "fit", "lasso", "longley", "--lambda", "20", "--solver", solver, *EXACTLY)
    expect(fit, "y", FACTS["longley"])


@pytest.mark.parametrize("solver", ["gram", "columns"])
@pytest.mark.parametrize(
    "case, share, flags",
    [
        ("elastic net", 0.5, []),
        ("elastic net, standardised", 0.5, ["--standardise"]),
        ("ridge", 0, []),
    ],
    ids=str,
)
def test_an_elastic_net_whose_squares_glmnet_weighs_by_the_target(run, case, share, flags, solver):
    lambda2 = 0.5 * (1 - share) / statistics.pstdev(column(run, "housing", "price"))
    fit = document(
        run,
        "fit",
        "elastic-net",
        "housing",
        "--lambda1",
        0.5 * share,
        "--lambda2",
        repr(lambda2),
        *flags,
        "--solver",
        solver,
        *EXACTLY,
    )
    expect(fit, "price", FACTS[case])


def test_a_path_of_lassos(run):
    lambdas = ["5", "1", "0.2", "0.04", "0.008"]
    path = document(run, "path", "lasso", "housing", "--lambdas", ",".join(lambdas), *EXACTLY)
    assert len(path["points"]) == len(FACTS["path"])
    for point, theirs in zip(path["points"], FACTS["path"]):
        assert point["intercept"] == pytest.approx(theirs["intercept"], rel=1e-9)
        expect_slopes([{"feature": f, "value": v} for f, v in zip(path["features"], point["coefficients"])], theirs)


@pytest.mark.parametrize("case", ["sparse", "sparse elastic net"])
def test_sparse_rows(run, case):
    assert run("convert", "digits", "d.libsvm", "--target", "digit").returncode == 0
    share = 1 if case == "sparse" else 0.5
    theirs = {name.removeprefix("x"): value for name, value in FACTS[case].items()}
    lambda2 = 0.1 * (1 - share) / statistics.pstdev(column(run, "digits", "digit"))
    fit = document(
        run, "fit", "elastic-net", "d.libsvm", "--lambda1", 0.1 * share, "--lambda2", repr(lambda2), *EXACTLY
    )
    expect(fit, "label", theirs)


def test_a_multi_task_lasso(run):
    fit = document(run, "fit", "multi-task-lasso", "housing", "--target", "price,lstat", "--lambda", "0.5", *EXACTLY)
    for target in ("price", "lstat"):
        expect(fit, target, FACTS["multi-task"][target])


def test_a_poisson_regression(run):
    features = {"crim", "nox", "rm", "dis", "rad"}
    ignored = [name for name in run("data", "housing").stdout.splitlines()[0].split(",") if name not in features]
    fit = document(
        run, "fit", "poisson", "housing", "--target", "rad", "--lambda", "0.1", "--ignore", ",".join(ignored), *EXACTLY
    )
    expect(fit, "rad", FACTS["poisson"])


@pytest.mark.parametrize(
    "case, flags",
    [
        ("logistic ridge", ["--lambda2", "0.05"]),
        ("logistic lasso", ["--lambda1", "0.02"]),
        ("logistic elastic net", ["--lambda1", "0.01", "--lambda2", "0.01"]),
    ],
    ids=str,
)
def test_a_logistic_regression(run, case, flags):
    fit = document(run, "fit", "logistic", "iris", "--positive", "Iris-versicolor", *flags, "--tolerance", "1e-14")
    expect(fit, "species", FACTS[case])


@pytest.mark.parametrize(
    "case, flags",
    [
        ("softmax lasso", ["--lambda1", "0.02"]),
        ("softmax elastic net", ["--lambda1", "0.01", "--lambda2", "0.01"]),
    ],
    ids=str,
)
def test_a_softmax_regression(run, case, flags):
    fit = document(run, "fit", "softmax", "iris", *flags, *EXACTLY)
    shift = intercept_of(fit, "Iris-setosa") - FACTS[case]["Iris-setosa"]["intercept"]  # the same for all classes
    for label, theirs in FACTS[case].items():
        expect_slopes(fit["coefficients"][label], theirs)
        assert intercept_of(fit, label) - shift == pytest.approx(theirs["intercept"], rel=1e-9)
