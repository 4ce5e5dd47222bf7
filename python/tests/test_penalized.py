"""Any loss with any penalty: answers beside those of solvers that are made for one of them."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from sklearn.linear_model import Lasso, LogisticRegression

from recta.linear_model import PenalizedClassifier, PenalizedRegressor


def test_a_box_is_scipys_least_squares_between_bounds(problem):
    X, y, _ = problem
    lower, upper = [-1.0, -1.0, 0.0, 0.0, 0.0], [0.5, 0.0, 9.0, 0.25, 2.0]
    model = PenalizedRegressor(penalty="box", parameters={"lower": lower, "upper": upper}).fit(X, y)
    peer = lsq_linear(X - X.mean(axis=0), y - y.mean(), (lower, upper), tol=1e-14)
    assert model.certificate_.verdict == "proved"
    np.testing.assert_allclose(model.coef_, peer.x, atol=1e-5)
    assert ((model.coef_ >= lower) & (model.coef_ <= upper)).all()


def test_absolute_values_are_scikit_learns(problem):
    X, y, weights = problem
    model = PenalizedRegressor(alpha=0.3).fit(X, y, weights)
    peer = Lasso(alpha=0.3, tol=1e-14, max_iter=100_000).fit(X, y, weights)
    np.testing.assert_allclose(model.coef_, peer.coef_, atol=1e-5)
    assert (model.coef_ == 0).tolist() == (peer.coef_ == 0).tolist()
    labels = np.where(y > np.median(y), "high", "low")
    two = PenalizedClassifier(penalty="l2", alpha=0.1).fit(X, labels)
    other = LogisticRegression(C=1 / (0.1 * len(y)), tol=1e-12, max_iter=10_000).fit(X, labels)
    np.testing.assert_allclose(two.predict_proba(X), other.predict_proba(X), atol=1e-5)


def test_what_is_saved_comes_back(problem, tmp_path):
    X, y, _ = problem
    model = PenalizedRegressor("huber", "elastic-net", alpha=0.2, parameters={"delta": 0.5, "l1_share": 0.7}).fit(X, y)
    model.save(tmp_path / "m.recta")
    again = PenalizedRegressor.load(tmp_path / "m.recta")
    assert (again.predict(X) == model.predict(X)).all()
    assert (again.loss, again.penalty, again.alpha, again.parameters) == (
        "huber",
        "elastic-net",
        0.2,
        {"delta": 0.5, "l1-share": 0.7},
    )
    assert again.certificate_.verify(X, y).verdict == "proved"


def test_words_and_numbers_that_do_not_exist_are_refused(problem):
    X, y, _ = problem
    for wrong, what in (
        (PenalizedRegressor(penalty="l7"), "penalty"),
        (PenalizedRegressor(loss="logistic"), "loss"),
        (PenalizedRegressor(parameters={"lower": 1}), "neither the loss"),
        (PenalizedRegressor(parameters={"x": 1}), "x"),
        (PenalizedRegressor(penalty="group", parameters={"groups": [1, 2]}), "5 are expected"),
        (PenalizedRegressor(alpha=-1), "alpha"),
    ):
        with pytest.raises(ValueError, match=what):
            wrong.fit(X, y)
