"""Descents as solvers of LinearRegression and Ridge: the exact answer where they arrive, the distance to it where they do not, and the
bits of the command line."""

import subprocess

import numpy as np
import pytest

import recta
from recta.linear_model import LinearRegression, Ridge, RidgeClassifier

DESCENTS = ["accelerated", "svrg", "saga", "gradient-descent", "sgd"]


@pytest.fixture
def table(problem, tmp_path):
    X, y, w = problem
    lines = [
        ",".join([*(f"x{j + 1}" for j in range(5)), "y", "w"]),
        *(",".join(map(repr, map(float, row))) for row in np.column_stack([X, y, w])),
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    return X, y, w, tmp_path / "t.csv"


@pytest.mark.parametrize("solver", DESCENTS)
@pytest.mark.parametrize(
    "word, estimator, flags", [("linear", LinearRegression(), []), ("ridge", Ridge(alpha=3.0), ["--tau", "3"])]
)
def test_a_descent_is_the_command_lines_and_says_how_far_it_is(program, table, solver, word, estimator, flags):
    X, y, w, path = table
    exact = type(estimator)(**estimator.get_params()).fit(X, y, w)
    model = (
        type(estimator)(**estimator.get_params())
        .set_params(solver=solver, solver_options={"passes": 5000})
        .fit(X, y, w)
    )
    subprocess.run(
        [
            program,
            "fit",
            word,
            path,
            "--target",
            "y",
            "--weights",
            "w",
            "--solver",
            solver,
            "--passes",
            "5000",
            *flags,
            "-o",
            path.with_suffix(".recta"),
        ],
        check=True,
        capture_output=True,
    )
    theirs = recta.load(path.with_suffix(".recta"))
    assert (theirs.coef == model.coef_).all() and theirs.intercept == model.intercept_
    assert theirs.certificate.sentence == model.certificate_.sentence
    certificate = model.certificate_
    above = certificate.primal - exact.certificate_.primal
    assert -1e-14 <= above <= certificate.gap * (1 + 1e-9) + 1e-14
    assert certificate.verdict in ("proved", "stopped_early")
    if solver in ("accelerated", "svrg", "saga"):
        assert certificate.verdict == "proved"
        np.testing.assert_allclose(model.coef_, exact.coef_, atol=1e-3)
    assert certificate.verify(X, y, w).verdict == certificate.verdict


def test_passes_seeds_and_settings_reach_the_descent(problem):
    X, y, _ = problem
    short, longer = (Ridge(solver="saga", max_iter=passes).fit(X, y) for passes in (1, 200))
    assert short.certificate_.verdict == "stopped_early" and short.certificate_.gap > longer.certificate_.gap
    one, two, again = (
        LinearRegression(solver="svrg", solver_options={"passes": 2}, random_state=seed).fit(X, y).coef_
        for seed in (1, 2, 1)
    )
    assert (one == again).all() and (one != two).any()
    # one step of all rows from a given start is eta times the gradient there
    step = LinearRegression(
        solver="gradient-descent", fit_intercept=False, solver_options={"steps": 1, "rate": 0.01, "start": [1.0] * 5}
    ).fit(X, y)
    np.testing.assert_allclose(step.coef_, 1 - 0.01 * X.T @ (X.sum(axis=1) - y) / len(y), rtol=1e-12)


@pytest.mark.parametrize(
    "estimator, says",
    [
        (
            LinearRegression(solver_options={"rate": 0.1}),
            "has no solver_options; gradient-descent, sgd, accelerated, svrg, saga have",
        ),
        (
            LinearRegression(solver="saga", solver_options={"speed": 1}),
            'it has no parameter "speed"; its parameters are solver, rate',
        ),
        (
            LinearRegression(solver="saga", solver_options=[1]),
            "'solver_options' parameter of LinearRegression must be a dict",
        ),
        (LinearRegression(solver="svrg", solver_options={"schedule": "1/t"}), "svrg needs a constant rate"),
        (LinearRegression(solver="sag"), "solver='saga' is the same without its bias"),
        (Ridge(solver="saga", max_iter=0), "'max_iter' parameter of Ridge must be an int in the range"),
        (RidgeClassifier(solver="saga"), "choose one of auto, svd, cholesky"),
    ],
    ids=repr,
)
def test_what_has_no_meaning_is_refused(estimator, says, problem):
    with pytest.raises(ValueError, match=says):
        estimator.fit(problem[0], problem[1] > 0)
