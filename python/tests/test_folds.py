"""Estimators that choose by folds: what their splitters are given, and weights in their choice."""

import numpy as np
import pandas
import pytest
import scipy.sparse
import sklearn
import sklearn.linear_model as peers
from scipy.special import expit, softmax
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

from recta.linear_model import (
    ElasticNetCV,
    LassoCV,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskElasticNet,
    RidgeCV,
    enet_path,
    lasso_path,
)

RNG = np.random.default_rng(7)
X = RNG.normal(size=(60, 4))
Y = X @ [1.0, 2.0, 0.0, 0.0] + RNG.normal(size=60)
GROUPS = np.repeat(np.arange(12), 5)[RNG.permutation(60)]
FINE = {"tol": 1e-9, "max_iter": 100_000}


class Telling:
    """Two halves of the rows by the order of a column, and what was given to make them."""

    def __init__(self):
        self.given = []

    def split(self, X, y=None, groups=None):
        self.given.append((X, y, groups))
        values = (
            X[:, 0].toarray().ravel()
            if scipy.sparse.issparse(X)
            else X.iloc[:, 0].to_numpy()
            if hasattr(X, "iloc")
            else X[:, 0]
        )
        order = np.argsort(values, kind="stable")
        half = len(order) // 2
        yield order[:half], order[half:]
        yield order[half:], order[:half]

    def get_n_splits(self, *args, **kwargs):
        return 2


CHOOSERS = [LassoCV(), ElasticNetCV(l1_ratio=[0.5, 0.9]), RidgeCV(), LogisticRegressionCV(Cs=3)]


def target(model):
    return (Y > 0).astype(int) if isinstance(model, LogisticRegressionCV) else Y


@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, scipy.sparse.csr_array, pandas.DataFrame])
@pytest.mark.parametrize("model", CHOOSERS, ids=repr)
def test_a_splitter_is_given_the_rows_and_their_targets(model, form):
    cv, y = Telling(), target(model)
    fitted = clone(model).set_params(cv=cv).fit(form(X), y)
    for seen, labels, groups in cv.given:
        values = seen.toarray() if scipy.sparse.issparse(seen) else np.asarray(seen)
        np.testing.assert_array_equal(values, X)
        np.testing.assert_array_equal(labels, y)
        assert groups is None
    splits = list(Telling().split(X))
    same = clone(model).set_params(cv=splits).fit(form(X), y)
    np.testing.assert_array_equal(fitted.coef_, same.coef_)
    assert cv.given


@pytest.mark.parametrize(
    "ours, theirs",
    [(LassoCV(), peers.LassoCV(**FINE)), (RidgeCV(), peers.RidgeCV()), (ElasticNetCV(), peers.ElasticNetCV(**FINE))],
    ids=repr,
)
def test_folds_by_a_column_choose_what_they_do_in_scikit_learn(ours, theirs):
    ours, theirs = ours.set_params(cv=Telling()).fit(X, Y), theirs.set_params(cv=Telling()).fit(X, Y)
    assert ours.alpha_ == pytest.approx(theirs.alpha_, rel=1e-10)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)


def test_strata_are_seen_where_the_target_is_of_classes():
    y = np.repeat([0.0, 1.0], 30)
    model = LassoCV(cv=StratifiedKFold(3)).fit(X, y)
    np.testing.assert_array_equal(model.mse_path_, LassoCV(cv=list(StratifiedKFold(3).split(X, y))).fit(X, y).mse_path_)


@pytest.mark.parametrize("model", CHOOSERS, ids=repr)
def test_groups_come_by_metadata_routing_as_in_scikit_learn(model):
    y, model = target(model), clone(model).set_params(cv=GroupKFold(3))
    with pytest.raises(ValueError, match="is only supported if enable_metadata_routing=True"):
        clone(model).fit(X, y, groups=GROUPS)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = clone(model).fit(X, y, groups=GROUPS)
        with pytest.raises(TypeError, match="unexpected argument"):
            clone(model).fit(X, y, group=GROUPS)
        with pytest.raises(TypeError, match="unexpected argument"):
            clone(model).set_params(cv=3).fit(X, y, groups=GROUPS)
    by_hand = clone(model).set_params(cv=list(GroupKFold(3).split(X, y, GROUPS))).fit(X, y)
    np.testing.assert_array_equal(routed.coef_, by_hand.coef_)


def test_a_scorer_is_given_the_weights_it_asks_for():
    from sklearn.metrics import get_scorer

    y, weights = target(CHOOSERS[3]), RNG.integers(1, 20, size=60).astype(float)
    plain = LogisticRegressionCV(Cs=3, cv=3, scoring="accuracy").fit(X, y, sample_weight=weights)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = LogisticRegressionCV(Cs=3, cv=3, scoring=get_scorer("accuracy").set_score_request(sample_weight=True))
        silent = LogisticRegressionCV(Cs=3, cv=3, scoring=get_scorer("accuracy").set_score_request(sample_weight=False))
        np.testing.assert_array_equal(asking.fit(X, y, sample_weight=weights).scores_, plain.scores_)
        assert not np.allclose(silent.fit(X, y, sample_weight=weights).scores_, plain.scores_)
        assert asking.score(X, y, sample_weight=weights) == pytest.approx(
            np.average(asking.predict(X) == y, weights=weights)
        )
    with pytest.raises(ValueError, match="is only supported if enable_metadata_routing=True"):
        plain.score(X, y, extra=1.0)


def test_weights_of_one_choose_what_no_weights_choose():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(7, 40))
        x = rng.normal(size=(n, 5))
        y = x @ rng.normal(size=5) + 3 * rng.normal(size=n)
        for model in (LassoCV(cv=3), ElasticNetCV(cv=KFold(4), alphas=20), RidgeCV([0.1, 1.0, 10.0, 100.0], cv=3)):
            alone, ones = clone(model).fit(x, y), clone(model).fit(x, y, sample_weight=np.ones(n))
            assert alone.alpha_ == pytest.approx(ones.alpha_, rel=1e-12)
            assert clone(model).fit(x, y, sample_weight=1.0).alpha_ == ones.alpha_


@pytest.mark.parametrize(
    "model",
    [
        LassoCV(cv=3),
        ElasticNetCV(cv=3),
        LassoCV(cv=[(np.arange(40), np.arange(40, 60)), (np.arange(20, 60), np.arange(30, 20, -1) - 11)]),
    ],
    ids=["lasso", "net", "overlapping"],
)
def test_a_number_is_the_weight_of_every_row(model):
    alone, weighed = clone(model).fit(X, Y), clone(model).fit(X, Y, sample_weight=123.0)
    assert weighed.alpha_ == pytest.approx(alone.alpha_, rel=1e-12)
    np.testing.assert_allclose(weighed.coef_, alone.coef_, rtol=1e-9)
    y = (Y > 0).astype(int)
    twice = LogisticRegressionCV(Cs=[0.1, 1.0], cv=3).fit(X, y, sample_weight=2.0)
    np.testing.assert_allclose(
        twice.scores_, LogisticRegressionCV(Cs=[0.1, 1.0], cv=3).fit(X, y, sample_weight=np.full(60, 2.0)).scores_
    )


@pytest.mark.parametrize("model", [LassoCV(), RidgeCV([0.1, 1.0, 10.0, 100.0])], ids=repr)
def test_whole_weights_are_repetitions_in_the_choice_too(model):
    weights = RNG.integers(0, 4, size=60)
    weights[:20] = 0  # the first fold is absent
    rows = np.repeat(np.arange(60), weights)
    fold = np.arange(60) // 20
    weighed = (
        clone(model)
        .set_params(cv=[(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(3)])
        .fit(X, Y, sample_weight=weights)
    )
    repeated = (
        clone(model)
        .set_params(cv=[(np.flatnonzero(fold[rows] != k), np.flatnonzero(fold[rows] == k)) for k in (1, 2)])
        .fit(X[rows], Y[rows])
    )
    assert weighed.alpha_ == pytest.approx(repeated.alpha_, rel=1e-10)
    np.testing.assert_allclose(weighed.coef_, repeated.coef_, rtol=1e-8)


def test_a_fold_whose_rows_weigh_nothing_is_absent_for_classes_too():
    y, weights = (Y > 0).astype(int), np.repeat([0.0, 1.0, 2.0], 20)
    rows = np.repeat(np.arange(60), weights.astype(int))
    weighed = LogisticRegressionCV(Cs=[0.1, 1.0], cv=KFold(3)).fit(X, y, sample_weight=weights)
    repeated = LogisticRegressionCV(
        Cs=[0.1, 1.0], cv=[(np.arange(20, 60), np.arange(20)), (np.arange(20), np.arange(20, 60))]
    ).fit(X[rows], y[rows])
    np.testing.assert_allclose(weighed.scores_, repeated.scores_, rtol=1e-6)


def test_penalties_that_were_given_are_those_of_every_share():
    given = ElasticNetCV(alphas=[0.01, 0.1, 0.05], l1_ratio=[0.5, 0.7], cv=3).fit(X, Y)
    assert given.alphas_.tolist() == [0.1, 0.05, 0.01] and given.mse_path_.shape == (2, 3, 3)
    counted = ElasticNetCV(alphas=3, l1_ratio=[0.5, 0.7], cv=3).fit(X, Y)
    assert counted.alphas_.shape == (2, 3)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("weights", [None, np.arange(60.0) % 3])
def test_a_path_of_one_point_is_at_the_largest_penalty(positive, weights):
    model = ElasticNetCV(alphas=1, eps=1, cv=2, positive=positive).fit(X, Y, sample_weight=weights)
    assert not model.coef_.any()
    peer = peers.ElasticNetCV(alphas=1, eps=1, cv=2, positive=positive, **FINE).fit(X, Y, sample_weight=weights)
    assert model.alpha_ == pytest.approx(peer.alpha_, rel=1e-12)


@pytest.mark.parametrize("share", [1.0, 0.4])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_paths_of_several_targets_are_those_of_scikit_learn(share, form):
    targets = np.column_stack([Y, X[:, 2] - Y, X[:, 1]])
    for alphas in (6, [0.3, 0.01, 0.1]):
        ours = (
            enet_path(form(X), targets, l1_ratio=share, alphas=alphas)
            if share < 1
            else lasso_path(form(X), targets, alphas=alphas)
        )
        theirs = peers.enet_path(X, targets, l1_ratio=share, alphas=alphas, **FINE)
        np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12)
        np.testing.assert_allclose(ours[1], theirs[1], atol=1e-6)
        assert ours[1].shape == (3, 4, len(ours[0])) and ours[2].shape == ours[0].shape and ours[2].max() < 1e-8
    weights = np.arange(60.0) % 3
    weighed = enet_path(form(X), targets, l1_ratio=share, alphas=[0.1], sample_weight=weights)
    single = MultiTaskElasticNet(0.1, l1_ratio=share, fit_intercept=False).fit(X, targets, weights)
    np.testing.assert_allclose(weighed[1][..., 0], single.coef_, atol=1e-8)
    with pytest.raises(ValueError, match="positive=True is not allowed"):
        enet_path(form(X), targets, positive=True)


@pytest.mark.parametrize("precompute", ["auto", True, False])
def test_what_a_path_does_not_need_is_accepted(precompute):
    plain = enet_path(X, Y, alphas=3)
    given = enet_path(
        np.asfortranarray(X),
        Y,
        alphas=3,
        check_input=False,
        precompute=precompute,
        Xy=X.T @ Y,
        copy_X=False,
        coef_init=np.ones(4),
        verbose=1,
        max_iter=5,
        tol=1e-3,
    )
    np.testing.assert_array_equal(plain[1], given[1])
    with pytest.raises(ValueError, match="return_n_iter"):
        enet_path(X, Y, return_n_iter=True)


# Folds without a row of some class.


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("scoring", ["neg_brier_score", "accuracy", "neg_log_loss"])
def test_a_class_that_a_fold_lacks_has_probability_zero_there(classes, scoring):
    y = np.repeat(np.array(["a", "b", "c"])[:classes], 4)
    x = np.arange(4.0 * classes)[:, None]
    cv, Cs = KFold(classes), [1e-6, 1.0, 1e3]
    if scoring == "neg_log_loss":  # minus infinity, whatever C
        with pytest.raises(ValueError, match="fold 0 trains on have no row of the class 'a'"):
            LogisticRegressionCV(Cs=Cs, cv=cv, scoring=scoring).fit(x, y)
        return
    model = LogisticRegressionCV(Cs=Cs, cv=cv, scoring=scoring).fit(x, y)
    assert model.C_ == 1e-6  # the least certain is the least wrong
    for k, (train, test) in enumerate(cv.split(x, y)):
        absent = np.flatnonzero(~np.isin(model.classes_, y[train]))
        for c in range(len(Cs)):
            point = model.coefs_paths_[k, 0, c]
            z = x[test] @ point[:, :-1].T + point[:, -1]
            share = np.column_stack([expit(-z), expit(z)]) if classes == 2 else softmax(z, axis=1)
            assert not share[:, absent].any()
            own = (model.classes_ == y[test][:, None]).astype(float)
            factor = 0.5 if classes == 2 else 1.0
            brier = factor * ((share - own) ** 2).sum(axis=1).mean()
            assert model.scores_[k, 0, c] == pytest.approx(-brier if scoring == "neg_brier_score" else 0.0)


def test_classes_that_are_left_are_penalised_as_several_are():
    """The fit to rows of two of three classes, as that of all with a third whose rows weigh next to nothing."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(90, 2)), np.repeat(["a", "b", "c"], 30)
    x[:30] += 1
    train = np.arange(60)
    model = LogisticRegressionCV(Cs=[0.5], l1_ratios=[0.3], cv=[(train, np.arange(60, 90))], scoring="accuracy").fit(
        x, y
    )
    weights = np.where(np.arange(90) < 60, 1.0, 1e-9)
    nearly = LogisticRegression(C=0.5, l1_ratio=0.3).fit(x, y, sample_weight=weights)
    np.testing.assert_allclose(model.coefs_paths_[0, 0, 0, :2, :2], nearly.coef_[:2], atol=1e-4)
    assert not model.coefs_paths_[0, 0, 0, 2, :2].any() and np.isneginf(model.coefs_paths_[0, 0, 0, 2, 2])
