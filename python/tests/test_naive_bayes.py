"""Naive Bayes beside scikit-learn's: the same numbers to rounding, the same attributes, and its own checks."""

import inspect

import numpy as np
import pytest
import scipy.sparse
import sklearn.naive_bayes as peers
from sklearn.utils.estimator_checks import parametrize_with_checks

from recta import _core, naive_bayes

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
        theirs = getattr(peers, name)(**params).fit(
            np.repeat(X, WEIGHTS.astype(int), axis=0), np.repeat(Y, WEIGHTS.astype(int))
        )
    assert ours.certificate_.verdict == "proved"
    assert_same(ours, theirs, X)


@pytest.mark.parametrize(("name", "params", "X"), CASES)
def test_weighted_parts_are_the_weighted_whole(name, params, X):
    ours, theirs = getattr(naive_bayes, name)(**params), getattr(peers, name)(**params)
    for part in (slice(0, 250), slice(250, None)):
        ours.partial_fit(X[part], Y[part], classes=["a", "b", "c"], sample_weight=WEIGHTS[part] + 0.25)
        theirs.partial_fit(X[part], Y[part], classes=["a", "b", "c"], sample_weight=WEIGHTS[part] + 0.25)
    whole = getattr(naive_bayes, name)(**params).fit(X, Y, WEIGHTS + 0.25)
    if name != "GaussianNB":  # scikit-learn's takes no notice of weights in epsilon_
        assert_same(ours, theirs, X)
    assert_same(whole, ours, X)
    with pytest.raises(ValueError, match="sample_weight"):
        ours.partial_fit(X, Y, sample_weight=WEIGHTS[:-1])


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
    np.testing.assert_allclose(
        dense.predict_joint_log_proba(wide), thin.predict_joint_log_proba(form(wide)), rtol=1e-11
    )
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
    expected = (
        gaussian.predict_joint_log_proba(NUMBERS[:, :3])
        + categorical.predict_joint_log_proba(CODES[:, :2])
        - np.log(mixed.class_prior_)
    )
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
        np.testing.assert_allclose(
            mixed.predict_joint_log_proba(X[:1])[0, k], np.log(mixed.class_prior_[k]) + first, rtol=1e-10
        )


@parametrize_with_checks([naive_bayes.MixedNB("gaussian")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", ["GaussianNB", "CategoricalNB", "MultinomialNB"])
@pytest.mark.parametrize(("bad", "said"), [(np.nan, "Input X contains NaN"), (np.inf, "Input X contains infinity")])
def test_numbers_that_are_not_finite_are_refused_in_fits_and_predictions(kind, bad, said):
    X = CODES.copy()
    X[500, 3] = bad
    with pytest.raises(ValueError, match=said):
        getattr(naive_bayes, kind)().fit(X, Y)
    model = getattr(naive_bayes, kind)().fit(CODES, Y)
    with pytest.raises(ValueError, match=said):
        model.predict(X)
    model = getattr(naive_bayes, kind)().partial_fit(CODES, Y, classes=np.unique(Y))
    with pytest.raises(ValueError, match=said):
        model.predict(X)


def test_the_place_of_a_number_that_is_not_finite_is_named():
    X = NUMBERS.copy()
    X[500, 3] = np.nan
    with pytest.raises(ValueError, match="row 501, column x4"):
        naive_bayes.GaussianNB().fit(X, Y)


@pytest.mark.parametrize(
    "labels",
    [PLACE.astype(kind) for kind in ("f8", "f4", "i8", "i4", "u1", "u4")]
    + [PLACE - 7, PLACE * 1000.0, PLACE * 10**6, Y, PLACE[::-1], PLACE == 1, PLACE.tolist()],
)
def test_classes_are_those_of_scikit_learn_whatever_their_type(labels):
    ours, theirs = (kind().fit(NUMBERS, labels) for kind in (naive_bayes.GaussianNB, peers.GaussianNB))
    assert ours.classes_.dtype == theirs.classes_.dtype
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    np.testing.assert_array_equal(ours.class_count_, theirs.class_count_)
    np.testing.assert_array_equal(ours.predict(NUMBERS), theirs.predict(NUMBERS))


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (PLACE + 0.5, "Unknown label type: continuous"),
        (np.where(PLACE == 1, np.nan, PLACE), "contains NaN"),
        (np.where(PLACE == 1, np.inf, PLACE), "contains infinity"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_labels_that_are_no_classes_are_refused(labels, said):
    with pytest.raises(ValueError, match=said):
        naive_bayes.GaussianNB().fit(NUMBERS, labels)


@pytest.mark.parametrize(
    "arrange",
    [
        np.asfortranarray,
        lambda x: x.astype(np.float32),
        lambda x: x.astype(np.int64),
        lambda x: x + 0.25,
        lambda x: np.hstack([x, x])[:, :P],
        lambda x: np.vstack([x] * 60)[::60],
        lambda x: x.tolist(),
    ],
)
def test_codes_are_read_from_any_array(arrange):
    X = arrange(CODES)
    ours, theirs = naive_bayes.CategoricalNB().fit(X, Y), peers.CategoricalNB().fit(X, Y)
    np.testing.assert_array_equal(ours.n_categories_, theirs.n_categories_)
    for a, b in zip(ours.category_count_, theirs.category_count_, strict=True):
        np.testing.assert_array_equal(a, b)
    assert not [name for name in vars(ours) if name == "_code_counts"]


@pytest.mark.parametrize("rows", [1, 3, 4, 5, 40_000])
def test_codes_are_counted_by_their_largest(rows):
    X = np.random.default_rng(rows).integers(0, [1, 2, 9, 300, 5, 6, 7, 8, 2, 70], (rows, 10)).astype(float)
    assert _core.code_counts(X) == (X.max(axis=0) + 1).astype(int).tolist()
    for bad in (-1.0, 0.5, np.nan, np.inf, -np.inf, 2.0**31, 1e300):
        for row in {0, rows // 2, rows - 1}:
            wrong = X.copy()
            wrong[row, 9] = bad
            assert _core.code_counts(wrong) is None


@pytest.mark.parametrize("labels", [[0, 1, 2], [0, 2, 5], [1, 2, 3], [-1, 0, 1], [0, 1]])
@pytest.mark.parametrize("rows", [60, 10_000])
def test_numbers_as_labels_give_the_model_of_words(labels, rows):
    random = np.random.default_rng(len(labels))
    places = np.arange(rows) % len(labels)
    X = random.standard_normal((rows, 3)) + places[:, None]
    by_words = naive_bayes.GaussianNB().fit(X, np.array(["a", "b", "c"])[places])
    for y in (
        np.array(labels, float)[places],
        np.repeat(np.array(labels, float)[places], 2)[::2],
        np.array(labels)[places],
    ):
        model = naive_bayes.GaussianNB().fit(X, y)
        np.testing.assert_array_equal(model.classes_, np.unique(y))
        np.testing.assert_array_equal(model.theta_, by_words.theta_)
        np.testing.assert_array_equal(model.var_, by_words.var_)
        np.testing.assert_array_equal(
            model.predict(X[:50]), np.array(labels)[np.searchsorted(by_words.classes_, by_words.predict(X[:50]))]
        )


def test_a_label_that_is_missing_is_refused_wherever_it_stands():
    X = np.arange(10_000.0)[:, None]
    for place in (0, 5_000, 9_999):
        y = np.arange(10_000.0) % 3
        y[place] = np.nan
        with pytest.raises(ValueError, match="NaN"):
            naive_bayes.GaussianNB().fit(X, y)
