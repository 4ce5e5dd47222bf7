"""Naive Bayes beside scikit-learn's: the same numbers to rounding, the same attributes, and its own checks."""

import inspect

import numpy as np
import pytest
import scipy.sparse
import sklearn.naive_bayes as peers
from sklearn.utils.estimator_checks import parametrize_with_checks

from recta import naive_bayes

RANDOM = np.random.default_rng(5)
N, P = 600, 9
Y = np.array(["a", "b", "c"])[RANDOM.integers(0, 3, N)]
PLACE = np.searchsorted(["a", "b", "c"], Y)
NUMBERS = RANDOM.normal(size=(N, P)) * np.arange(1, P + 1) + PLACE[:, None]
COUNTS = RANDOM.poisson(1 + 0.5 * PLACE[:, None] * (np.arange(P) % 2), (N, P)).astype(float)
CODES = (COUNTS % 4).astype(float)
WEIGHTS = RANDOM.integers(0, 4, N).astype(float)

CASES = [
    ("GaussianNB", {}, NUMBERS),
    ("GaussianNB", {"priors": [0.2, 0.3, 0.5], "var_smoothing": 1e-3}, NUMBERS),
    ("MultinomialNB", {}, COUNTS),
    ("MultinomialNB", {"alpha": 0.25, "fit_prior": False}, COUNTS),
    ("MultinomialNB", {"alpha": np.linspace(0.1, 1, P), "class_prior": [0.2, 0.3, 0.5]}, COUNTS),
    ("BernoulliNB", {}, COUNTS),
    ("BernoulliNB", {"binarize": 1.0, "alpha": 0.5}, COUNTS),
    ("ComplementNB", {}, COUNTS),
    ("ComplementNB", {"norm": True, "alpha": 0.3}, COUNTS),
    ("CategoricalNB", {}, CODES),
    ("CategoricalNB", {"alpha": 0.4, "min_categories": 7}, CODES),
]
NAMES = sorted({case[0] for case in CASES})


def learned(estimator):
    return sorted(name for name in vars(estimator) if name.endswith("_") and not name.startswith("_"))


def assert_same(ours, theirs, X):
    for name in learned(theirs):
        mine, peer = getattr(ours, name), getattr(theirs, name)
        if isinstance(peer, list):
            for one, other in zip(mine, peer, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, err_msg=name)
        elif np.asarray(peer).dtype.kind in "fi":
            np.testing.assert_allclose(mine, peer, rtol=1e-9, atol=1e-12, err_msg=name)
        else:
            np.testing.assert_array_equal(mine, peer, err_msg=name)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-8, atol=1e-14)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize(("name", "params", "X"), CASES)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_agrees_with_its_peer(name, params, X, weights):
    ours = getattr(naive_bayes, name)(**params).fit(X, Y, weights)
    theirs = getattr(peers, name)(**params).fit(X, Y, weights)
    if name == "GaussianNB" and weights is not None:  # the peer's epsilon_ does not know of the weights
        theirs = getattr(peers, name)(**params).fit(np.repeat(X, WEIGHTS.astype(int), axis=0), np.repeat(Y, WEIGHTS.astype(int)))
    assert ours.certificate_.verdict == "proved"
    assert_same(ours, theirs, X)


@pytest.mark.parametrize(("name", "params", "X"), CASES)
def test_parts_add_up_to_the_whole(name, params, X):
    ours, theirs = getattr(naive_bayes, name)(**params), getattr(peers, name)(**params)
    if name == "CategoricalNB":
        params["min_categories"] = 7
        ours.set_params(min_categories=7), theirs.set_params(min_categories=7)
    for part in (slice(0, 100), slice(100, 101), slice(101, N)):
        ours.partial_fit(X[part], Y[part], classes=["c", "a", "b"])
        theirs.partial_fit(X[part], Y[part], classes=["c", "a", "b"])
    whole = getattr(naive_bayes, name)(**params).fit(X, Y)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), whole.predict_joint_log_proba(X), rtol=1e-9, atol=1e-9)
    if name != "GaussianNB":  # the peer's epsilon_ is that of the last part
        assert_same(ours, theirs, X)
    with pytest.raises(AttributeError, match="partial_fit"):
        _ = ours.certificate_


@pytest.mark.parametrize("name", ["MultinomialNB", "BernoulliNB", "ComplementNB"])
@pytest.mark.parametrize("form", [scipy.sparse.csr_array, scipy.sparse.csc_array, scipy.sparse.csr_matrix])
def test_sparse_rows_are_dense_ones(name, form):
    wide = RANDOM.poisson(0.02, (300, 7000)).astype(float)
    y = RANDOM.integers(0, 4, 300)
    dense = getattr(naive_bayes, name)().fit(wide, y)
    thin = getattr(naive_bayes, name)().fit(form(wide), y)
    np.testing.assert_array_equal(dense.feature_count_, thin.feature_count_)
    np.testing.assert_allclose(dense.predict_joint_log_proba(wide), thin.predict_joint_log_proba(form(wide)), rtol=1e-11)
    assert_same(thin, getattr(peers, name)().fit(form(wide), y), form(wide))


@pytest.mark.parametrize("name", NAMES)
def test_has_the_parameters_of_its_peer(name):
    mine = inspect.signature(getattr(naive_bayes, name)).parameters
    for word, peer in inspect.signature(getattr(peers, name)).parameters.items():
        assert mine[word].default == peer.default, word


def test_no_smoothing_gives_no_nan():
    model = naive_bayes.MultinomialNB(alpha=0).fit([[1, 0, 0], [0, 1, 0]], [0, 1])
    np.testing.assert_allclose(model.predict_proba([[1, 0, 0], [1, 1, 0], [0, 0, 0]]), [[1, 0], [0.5, 0.5], [0.5, 0.5]])


def test_mixed_is_the_product_of_its_parts():
    X = np.hstack([NUMBERS[:, :3], CODES[:, :2]])
    mixed = naive_bayes.MixedNB(["gaussian"] * 3 + ["categorical:4"] * 2, var_smoothing=0.0).fit(X, Y)
    gaussian = peers.GaussianNB(var_smoothing=0.0).fit(NUMBERS[:, :3], Y)
    categorical = peers.CategoricalNB(min_categories=4).fit(CODES[:, :2], Y)
    expected = (gaussian.predict_joint_log_proba(NUMBERS[:, :3]) + categorical.predict_joint_log_proba(CODES[:, :2])
                - np.log(mixed.class_prior_))
    np.testing.assert_allclose(mixed.predict_joint_log_proba(X), expected, rtol=1e-10)
    assert mixed.certificate_.verdict == "proved"
    by_place = naive_bayes.MixedNB({3: "categorical:4", 4: "categorical:4"}, var_smoothing=0.0).fit(X, Y)
    np.testing.assert_array_equal(by_place.predict_joint_log_proba(X), mixed.predict_joint_log_proba(X))


def test_mixed_skips_missing_values():
    X = NUMBERS[:, :2].copy()
    X[::3, 1] = np.nan
    mixed = naive_bayes.MixedNB("gaussian", var_smoothing=0.0).fit(X, Y)
    for k, label in enumerate(mixed.classes_):
        own = X[label == Y]
        first = -0.5 * np.log(2 * np.pi * own[:, 0].var()) - 0.5 * (X[0, 0] - own[:, 0].mean()) ** 2 / own[:, 0].var()
        np.testing.assert_allclose(mixed.predict_joint_log_proba(X[:1])[0, k], np.log(mixed.class_prior_[k]) + first, rtol=1e-10)


@parametrize_with_checks([naive_bayes.GaussianNB(), naive_bayes.MultinomialNB(), naive_bayes.BernoulliNB(), naive_bayes.ComplementNB(),
                          naive_bayes.CategoricalNB(), naive_bayes.MixedNB("gaussian")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
