"""Estimators with losses of their own beside scikit-learn's."""

import pickle

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model
import sklearn.svm

from recta.linear_model import GammaRegressor, HuberRegressor, PoissonRegressor, QuantileRegressor
from recta.svm import LinearSVR


@pytest.fixture
def rows():
    rng = np.random.default_rng(11)
    X = rng.standard_normal((200, 4)) + 0.5
    z = X @ [0.4, -0.3, 0.0, 0.2] + 0.1
    return X, rng.poisson(np.exp(z)).astype(float), rng.gamma(2, np.exp(z) / 2), rng.integers(0, 4, 200).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
@pytest.mark.parametrize("name", ["PoissonRegressor", "GammaRegressor"])
def test_answers_are_those_of_scikit_learn(name, alpha, intercept, weighted, rows):
    X, counts, sizes, v = rows
    y, weights = counts if name == "PoissonRegressor" else sizes, v if weighted else None
    ours = {"PoissonRegressor": PoissonRegressor, "GammaRegressor": GammaRegressor}[name](
        alpha=alpha, fit_intercept=intercept
    )
    theirs = getattr(sklearn.linear_model, name)(
        alpha=alpha, fit_intercept=intercept, solver="newton-cholesky", tol=1e-12
    )
    ours.fit(X, y, weights), theirs.fit(X, y, weights)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-10)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, rel=1e-9, abs=1e-10)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
    assert ours.score(X, y, weights) == pytest.approx(theirs.score(X, y, weights), rel=1e-9)
    assert ours.certificate_.verdict == "proved" and ours.certificate_.claim == "duality_gap"
    assert ours.certificate_.verify(X, y, weights).verdict == "proved"


@pytest.mark.parametrize("alpha", [0.0001, 10.0])
def test_huber_finds_what_scikit_learn_nears(alpha, rows):
    X = rows[0]
    rng = np.random.default_rng(5)
    y = X @ [1.0, -2.0, 0.5, 0.0] + rng.standard_t(1.5, 200)
    ours = HuberRegressor(alpha=alpha).fit(X, y)
    theirs = sklearn.linear_model.HuberRegressor(alpha=alpha, tol=1e-10, max_iter=10**5).fit(X, y)

    def objective(w, b, s):
        t = np.abs(y - X @ w - b) / s
        return (s + s * np.where(t < 1.35, t * t, 2.7 * t - 1.35**2)).sum() + alpha * w @ w

    assert objective(ours.coef_, ours.intercept_, ours.scale_) <= objective(
        theirs.coef_, theirs.intercept_, theirs.scale_
    )
    # L-BFGS stops short of the optimum, so that its digits are no oracle: the gradient is.
    t = (y - X @ ours.coef_ - ours.intercept_) / ours.scale_
    slope = np.clip(t, -1.35, 1.35)
    assert np.abs(alpha * ours.coef_ - X.T @ slope).max() < 1e-8
    assert abs(slope.sum()) < 1e-8 and abs(len(y) - slope @ slope) < 1e-8
    np.testing.assert_array_equal(ours.outliers_, np.abs(y - X @ ours.coef_ - ours.intercept_) > 1.35 * ours.scale_)
    assert ours.certificate_.verdict == "proved"
    assert ours.certificate_.objective * 2 * len(y) == pytest.approx(
        objective(ours.coef_, ours.intercept_, ours.scale_), rel=1e-12
    )


@pytest.mark.parametrize(
    "estimator", [HuberRegressor(), PoissonRegressor(alpha=0.1), GammaRegressor(alpha=0.1)], ids=repr
)
def test_sparse_rows_files_and_pickles(estimator, rows, tmp_path):
    X, _, y, v = rows
    X = np.where(np.abs(X) > 0.6, X, 0.0)
    dense = estimator.fit(X, y, v)
    coefficients, predicted = dense.coef_.copy(), dense.predict(X)
    dense.save(tmp_path / "m.recta")
    back = type(estimator).load(tmp_path / "m.recta")
    assert back.predict(X).tolist() == predicted.tolist() == pickle.loads(pickle.dumps(dense)).predict(X).tolist()
    assert back.get_params()["alpha"] == pytest.approx(estimator.alpha)
    assert float(dense.fast_predictor()(X[3])) == predicted[3]
    for form in (scipy.sparse.csr_array, scipy.sparse.csc_array):
        sparse = estimator.fit(form(X), y, v)
        np.testing.assert_allclose(sparse.coef_, coefficients, rtol=1e-10, atol=1e-12)
        assert sparse.certificate_.verdict == "proved"


def test_targets_without_a_loss_are_named():
    X, y = np.arange(6.0).reshape(-1, 1), np.array([1.0, 2.0, 0.0, 4.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="row 3.*0 found"):
        GammaRegressor().fit(X, y)
    with pytest.raises(ValueError, match="row 4.*-4 found"):
        PoissonRegressor().fit(X, -y)
    with pytest.raises(ValueError, match="epsilon"):
        HuberRegressor(epsilon=0.5).fit(X, y)
    with pytest.raises(ValueError, match="alpha"):
        PoissonRegressor(alpha=-1).fit(X, y)
    with pytest.raises(ValueError, match="solver"):
        PoissonRegressor(solver="sag").fit(X, y)
    with pytest.raises(ValueError, match="1d"):
        HuberRegressor().fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="row 3"):
        GammaRegressor().fit(X, y + 1).score(X, y)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.05])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_quantiles_are_those_of_scikit_learn(share, alpha, weighted, rows):
    X, _, y, v = rows
    weights = v if weighted else None
    ours = QuantileRegressor(quantile=share, alpha=alpha).fit(X, y, weights)
    theirs = sklearn.linear_model.QuantileRegressor(quantile=share, alpha=alpha).fit(X, y, weights)

    def objective(model):
        r = y - model.predict(X)
        return np.average(np.maximum(share * r, (share - 1) * r), weights=weights) + alpha * np.abs(model.coef_).sum()

    assert objective(ours) == pytest.approx(objective(theirs), rel=1e-12)
    assert ours.certificate_.verdict == "proved"
    assert ours.certificate_.verify(X, y, weights).verdict == "proved"


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("epsilon, C", [(0.0, 1.0), (0.2, 0.003), (0.5, 100.0)])
def test_tubes_are_those_of_libsvm(epsilon, C, weighted, rows):
    X, _, y, v = rows
    weights = np.maximum(v, 0.5) if weighted else np.ones(len(y))
    ours = LinearSVR(epsilon=epsilon, C=C).fit(X, y, weights if weighted else None)
    theirs = sklearn.svm.SVR(kernel="linear", epsilon=epsilon, C=C, tol=1e-9).fit(X, y, weights)

    def objective(w, b):
        return w @ w / 2 + C * (weights * np.maximum(0, np.abs(y - X @ w - b) - epsilon)).sum()

    # Half the squares make it as convex as they are: what lies d away from the optimum costs d^2 / 2 more.
    best, other = objective(ours.coef_, ours.intercept_), objective(theirs.coef_[0], theirs.intercept_[0])
    assert np.sum((ours.coef_ - theirs.coef_[0]) ** 2) / 2 <= other - best + 1e-12 * best
    assert other - best < 1e-5 * best  # libsvm stops about 1e-6 above
    assert ours.certificate_.objective * C * weights.sum() == pytest.approx(
        objective(ours.coef_, ours.intercept_), rel=1e-12
    )
    assert (
        ours.certificate_.verdict == "proved"
        and ours.certificate_.verify(X, y, weights if weighted else None).verdict == "proved"
    )


def test_a_tube_says_what_it_does_not_take(rows, tmp_path):
    X, _, y, _ = rows
    with pytest.raises(ValueError, match="'epsilon_insensitive' or 'squared_epsilon_insensitive'"):
        LinearSVR(loss="huber").fit(X, y)
    with pytest.raises(ValueError, match="C"):
        LinearSVR(C=0).fit(X, y)
    model = LinearSVR(epsilon=0.25, C=4.0).fit(X, y)
    model.save(tmp_path / "m.recta")
    back = LinearSVR.load(tmp_path / "m.recta")
    assert back.get_params()["epsilon"] == 0.25 and back.get_params()["C"] == pytest.approx(4.0, rel=1e-14)
