"""Penalties chosen along a path, against scikit-learn's own choice on the same folds."""

import numpy as np
import pytest
import sklearn.linear_model as peers
from scipy import sparse
from sklearn.model_selection import KFold, ShuffleSplit

import recta
from recta.linear_model import ElasticNetCV, LassoCV, Ridge, RidgeCV, enet_path, lasso_path, ridge_path

FINE = {"tol": 1e-9, "max_iter": 100_000}


@pytest.fixture(scope="module")
def housing():
    X, y = recta.datasets.load("housing", return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.mark.parametrize("cv", [5, KFold(4, shuffle=True, random_state=0), ShuffleSplit(3, random_state=0)], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_lasso_chooses_what_scikit_learn_chooses(housing, cv, weighted):
    X, y = housing
    weights = 1.0 + np.arange(len(y)) % 3 if weighted else None
    ours = LassoCV(cv=cv, alphas=30).fit(X, y, weights)
    theirs = peers.LassoCV(cv=cv, alphas=30, **FINE).fit(X, y, weights)
    assert ours.alphas_ == pytest.approx(theirs.alphas_, rel=1e-12)
    assert ours.mse_path_ == pytest.approx(theirs.mse_path_, rel=1e-5)
    assert ours.alpha_ == pytest.approx(theirs.alpha_, rel=1e-12)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-6)
    assert ours.certificate_.verdict == "proved"
    assert ours.certificate_.verify(X, y, weights).verdict == "proved"


def test_elastic_net_chooses_among_shares_too(housing):
    X, y = housing
    ours = ElasticNetCV(l1_ratio=[0.3, 0.9], cv=4, alphas=20).fit(X, y)
    theirs = peers.ElasticNetCV(l1_ratio=[0.3, 0.9], cv=4, alphas=20, **FINE).fit(X, y)
    assert (ours.l1_ratio_, ours.alpha_) == pytest.approx((theirs.l1_ratio_, theirs.alpha_), rel=1e-12)
    assert ours.mse_path_ == pytest.approx(theirs.mse_path_, rel=1e-5)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-6)


@pytest.mark.parametrize("cv", [None, 5])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_ridge_chooses_what_scikit_learn_chooses(housing, cv, fit_intercept):
    X, y = housing
    alphas = np.logspace(-3, 3, 13)
    ours = RidgeCV(alphas, cv=cv, fit_intercept=fit_intercept).fit(X, y)
    theirs = peers.RidgeCV(alphas, cv=cv, fit_intercept=fit_intercept).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-10)
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-8)


def test_several_targets_share_the_penalty_of_ridge(housing):
    X, y = housing
    Y = np.column_stack([y, X[:, 0] + y])
    ours, theirs = RidgeCV().fit(X, Y), peers.RidgeCV().fit(X, Y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.coef_ == pytest.approx(Ridge(alpha=ours.alpha_).fit(X, Y).coef_)


@pytest.mark.parametrize("share", [1.0, 0.4])
def test_paths_are_those_of_scikit_learn(housing, share):
    X, y = housing
    y = y - y.mean()
    ours = lasso_path(X, y, alphas=15) if share == 1 else enet_path(X, y, l1_ratio=share, alphas=15)
    theirs = peers.enet_path(X, y, l1_ratio=share, alphas=15, **FINE)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-12)
    assert ours[1] == pytest.approx(theirs[1], abs=1e-6)
    assert ours[2].max() < 1e-8


@pytest.mark.parametrize(
    "estimator",
    [
        LassoCV(alphas=0),
        LassoCV(alphas=[-1.0]),
        ElasticNetCV(l1_ratio=0.0),
        RidgeCV(alphas=["a"]),
        RidgeCV(scoring="r2"),
        LassoCV(cv=[([0, 1], [1, 2])]),
    ],
    ids=repr,
)
def test_what_has_no_meaning_is_refused(housing, estimator):
    with pytest.raises(ValueError):
        estimator.fit(*housing)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_a_path_of_ridge_is_ridge_at_its_penalties(housing, form):
    X, y = housing
    weights = np.arange(len(y)) % 4 * 0.5
    alphas, coefs, gaps = ridge_path(form(X), y, alphas=[1.0, 100.0, 0.0], sample_weight=weights)
    assert alphas.tolist() == [100.0, 1.0, 0.0] and coefs.shape == (13, 3) and gaps.max() < 1e-25
    for alpha, w in zip(alphas, coefs.T):
        assert w == pytest.approx(Ridge(alpha, fit_intercept=False).fit(X, y, weights).coef_, rel=1e-8)
    many, coefs, _ = ridge_path(form(X), y, alphas=7)
    assert many[0] == pytest.approx(10 * np.linalg.norm(X, 2) ** 2, rel=1e-9) and many[-1] == pytest.approx(
        1e-10 * many[0], rel=1e-9
    )
    assert coefs[:, 3] == pytest.approx(Ridge(many[3], fit_intercept=False).fit(X, y).coef_, rel=1e-8)


def test_paths_refuse_alike(housing):
    X, y = housing
    with pytest.raises(ValueError, match="this path is of one target at a time"):
        ridge_path(X, np.column_stack([y, y]))
    for path in (lasso_path, enet_path, ridge_path):
        with pytest.raises(ValueError, match="'alphas' parameter"):
            path(X, y, alphas=[-1.0])
