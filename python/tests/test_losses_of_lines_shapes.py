"""Losses of straight lines on dense rows of every shape: proved, and no higher than what peers find."""

import time
import warnings

import numpy as np
import pytest
import scipy.optimize
import sklearn.svm
from sklearn.exceptions import ConvergenceWarning

import recta
from recta.linear_model import QuantileRegressor
from recta.svm import SVR, LinearSVR

TALL, SQUARE, WIDE = (400, 60), (150, 150), (120, 200)
SHAPES = pytest.mark.parametrize("shape", [TALL, SQUARE, WIDE], ids=["tall", "square", "wide"])


def drawn(shape, weighted=False, density=1.0):
    random = np.random.default_rng(shape[1])
    X = random.standard_normal(shape) * (random.random(shape) < density)
    y = X @ random.standard_normal(shape[1]) / np.sqrt(shape[1]) + 0.5 * random.standard_normal(shape[0]) + 3
    return X, y, random.integers(0, 4, shape[0]).astype(float) if weighted else None


def tube(model, X, y, weight, epsilon, C):
    w, b = np.ravel(model.coef_), np.ravel(model.intercept_)[0]
    v = np.ones(len(y)) if weight is None else weight
    return C * (v * np.maximum(0, np.abs(y - X @ w - b) - epsilon)).sum() + w @ w / 2


@SHAPES
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("epsilon", [0.0, 0.1])
@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
def test_tubes_are_proved_and_between_the_bounds_of_scikit_learn(C, epsilon, intercept, weighted, shape):
    X, y, weight = drawn(shape, weighted)
    model = LinearSVR(epsilon=epsilon, C=C, fit_intercept=intercept).fit(X, y, weight)
    assert model.certificate_.verdict == "proved", model.certificate_.sentence
    assert model.certificate_.verify(X, y, weight).verdict == "proved"
    if not intercept:  # scikit-learn's machine always has one
        return
    ours = tube(model, X, y, weight, epsilon, C)
    machine = SVR(kernel="linear", epsilon=epsilon, C=C, tolerance=1e-10).fit(X, y, weight)
    assert machine.certificate_.verdict == "proved", machine.certificate_.sentence
    without = (
        C * np.abs(y - np.median(y)).sum() * (3 if weighted else 1)
    )  # the tolerance is a share of what no model costs
    assert tube(machine, X, y, weight, epsilon, C) == pytest.approx(ours, abs=2e-10 * without)
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):  # libsvm stalls at some of these
        peer = sklearn.svm.SVR(kernel="linear", epsilon=epsilon, C=C, tol=1e-5, max_iter=20000).fit(X, y, weight)
    beta = peer.dual_coef_.ravel()
    dual = beta @ y[peer.support_] - epsilon * np.abs(beta).sum() - ((beta @ X[peer.support_]) ** 2).sum() / 2
    assert dual * (1 - 1e-8) <= ours <= tube(peer, X, y, weight, epsilon, C) * (1 + 1e-8)


@SHAPES
@pytest.mark.parametrize("alpha", [0.0, 0.02])
@pytest.mark.parametrize("quantile", [0.2, 0.5, 0.9])
def test_quantiles_are_proved_and_those_of_a_linear_program(quantile, alpha, shape):
    X, y, weight = drawn(shape, weighted=True)
    if alpha == 0 and shape != TALL:
        X, y, weight = X[:, : shape[0] // 2], y, weight  # all rows could be met otherwise
    model = QuantileRegressor(quantile=quantile, alpha=alpha).fit(X, y, weight)
    assert model.certificate_.verdict == "proved", model.certificate_.sentence
    n, p = X.shape
    share = weight / weight.sum()
    # b+, b-, w+, w-, r+, r-: X (w+ - w-) + b+ - b- + r+ - r- = y
    cost = np.concatenate([[0, 0], np.full(2 * p, alpha), quantile * share, (1 - quantile) * share])
    equal = np.hstack([np.ones((n, 1)), -np.ones((n, 1)), X, -X, np.eye(n), -np.eye(n)])
    program = scipy.optimize.linprog(cost, A_eq=equal, b_eq=y, method="highs")
    r = y - model.predict(X)
    ours = (share * np.maximum(quantile * r, (quantile - 1) * r)).sum() + alpha * np.abs(model.coef_).sum()
    assert ours == pytest.approx(program.fun, rel=1e-8)


@pytest.mark.parametrize("shape", [(300, 350), (350, 300)])
@pytest.mark.parametrize("epsilon", [0.0, 0.05])
def test_rows_with_about_as_many_columns_are_proved(epsilon, shape):
    X, y, _ = drawn(shape, density=0.05)
    model = LinearSVR(epsilon=epsilon, time_limit=60).fit(X, y)
    assert model.certificate_.verdict == "proved", model.certificate_.sentence


@pytest.mark.parametrize("epsilon, C", [(0.0, 1.0), (0.1, 1.0), (0.1, 30.0)])
@pytest.mark.parametrize("shape", [(500, 400), (400, 400)])
def test_machines_over_about_as_many_columns_are_proved(shape, epsilon, C):
    X, y, _ = drawn(shape)
    machine = SVR(kernel="linear", epsilon=epsilon, C=C, tolerance=1e-10, time_limit=60).fit(X, y)
    assert machine.certificate_.verdict == "proved", machine.certificate_.sentence
    assert machine.certificate_.verify(X, y).verdict == "proved"
    model = LinearSVR(epsilon=epsilon, C=C).fit(X, y)
    without = C * np.abs(y - np.median(y)).sum()
    assert tube(machine, X, y, None, epsilon, C) == pytest.approx(
        tube(model, X, y, None, epsilon, C), abs=2e-10 * without
    )


def test_columns_by_the_eight_that_outnumber_the_rows_are_fitted_without_a_penalty():
    X, y, _ = drawn((100, 408))
    model = QuantileRegressor(quantile=0.3, alpha=0.0).fit(X, y)
    assert model.certificate_.verdict == "proved", model.certificate_.sentence
    assert np.abs(model.predict(X) - y).max() < 1e-9


@pytest.mark.parametrize("limit", [0.01, 0.1, 0.4])
@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_a_time_limit_ends_the_proof_as_well(epsilon, limit):
    X, y, _ = drawn((900, 1000), density=0.02)
    begun = time.perf_counter()
    try:
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            model = LinearSVR(epsilon=epsilon, time_limit=limit).fit(X, y)
    except recta.Stopped:  # before there was an answer
        model = None
    assert time.perf_counter() - begun < 20  # not minutes, even if others use the machine
    if model is not None and model.certificate_.verdict != "proved":
        assert model.certificate_.verdict == "stopped_early"
        assert "time limit" in model.certificate_.sentence
