"""Discriminants beside scikit-learn's: the same numbers to rounding, the same attributes, and its own checks."""

import inspect
import pickle

import numpy as np
import pytest
import sklearn.discriminant_analysis as peers
import sklearn.neighbors
from sklearn.utils.estimator_checks import parametrize_with_checks

import recta.discriminant_analysis as ours
from recta.linear_model import LogisticRegression, Ridge
from recta.naive_bayes import GaussianNB
from recta.neighbors import KNeighborsClassifier, NearestCentroid

RANDOM = np.random.default_rng(11)
N, P = 400, 6
PLACE = RANDOM.integers(0, 3, N)
Y = np.array(["a", "b", "c"])[PLACE]
SHAPES = RANDOM.normal(size=(3, P, P)) * 0.4 + np.eye(P)
X = np.einsum("ij,ijk->ik", RANDOM.normal(size=(N, P)), SHAPES[PLACE]) * np.arange(1, P + 1) + PLACE[
    :, None
] * RANDOM.normal(size=P)
TWO = PLACE < 2
PRIORS = [0.2, 0.3, 0.5]

LINEAR = [
    {},
    {"priors": PRIORS},
    {"store_covariance": True},
    {"n_components": 1},
    {"solver": "lsqr"},
    {"solver": "lsqr", "shrinkage": 0.3},
    {"solver": "lsqr", "shrinkage": "auto"},
    {"solver": "lsqr", "shrinkage": "auto", "priors": PRIORS},
    {"solver": "lsqr", "priors": PRIORS},
    {"solver": "eigen"},
]
QUADRATIC = [
    {},
    {"priors": PRIORS},
    {"reg_param": 0.2, "store_covariance": True},
    {"solver": "eigen", "shrinkage": 0.3},
    {"solver": "eigen", "shrinkage": "auto"},
]
CENTROID = [
    {},
    {"metric": "manhattan"},
    {"shrink_threshold": 0.7},
    {"priors": "empirical"},
    {"priors": PRIORS},
    {"metric": "manhattan", "shrink_threshold": 0.5},
]


def centred(scores):
    return scores if scores.ndim == 1 else scores - scores.mean(axis=1, keepdims=True)


def assert_same_answers(mine, peer, rows):
    np.testing.assert_array_equal(mine.predict(rows), peer.predict(rows))
    if hasattr(peer, "decision_function"):
        np.testing.assert_allclose(
            centred(mine.decision_function(rows)), centred(peer.decision_function(rows)), rtol=1e-8, atol=1e-8
        )
        np.testing.assert_allclose(mine.predict_proba(rows), peer.predict_proba(rows), rtol=1e-7, atol=1e-12)
    assert mine.certificate_.verdict == "proved"


@pytest.mark.parametrize("two", [False, True], ids=["three", "two"])
@pytest.mark.parametrize("params", LINEAR, ids=str)
def test_linear_agrees_with_its_peer(params, two):
    if two:
        params = {**params, "priors": PRIORS[1:] / np.sum(PRIORS[1:])} if "priors" in params else params
    rows, labels = (X[TWO], Y[TWO]) if two else (X, Y)
    mine = ours.LinearDiscriminantAnalysis(**params).fit(rows, labels)
    peer = peers.LinearDiscriminantAnalysis(**params).fit(rows, labels)
    assert_same_answers(mine, peer, rows)
    for name in ("means_", "priors_", "xbar_", "covariance_"):
        if name == "covariance_" and peer.solver == "svd" and peer.priors is not None:
            continue
        assert hasattr(mine, name) >= hasattr(peer, name), name
        if hasattr(peer, name):
            np.testing.assert_allclose(getattr(mine, name), getattr(peer, name), rtol=1e-9, atol=1e-9, err_msg=name)
    if two or peer.solver == "svd":
        np.testing.assert_allclose(mine.coef_, peer.coef_, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(mine.intercept_, peer.intercept_, rtol=1e-8, atol=1e-9)
    if peer.solver != "lsqr":
        mapped, other = mine.transform(rows), peer.transform(rows)
        assert mapped.shape == other.shape
        np.testing.assert_allclose(np.abs(mapped), np.abs(other), rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(mine.explained_variance_ratio_, peer.explained_variance_ratio_, rtol=1e-9)


@pytest.mark.parametrize("params", QUADRATIC, ids=str)
def test_quadratic_agrees_with_its_peer(params):
    mine = ours.QuadraticDiscriminantAnalysis(**params).fit(X, Y)
    peer = peers.QuadraticDiscriminantAnalysis(**params).fit(X, Y)
    assert_same_answers(mine, peer, X)
    if params.get("store_covariance"):
        expected = [(1 - 0.2) * np.cov(X[k == Y].T, bias=True) + 0.2 * np.eye(P) for k in "abc"]
        np.testing.assert_allclose(mine.covariance_, expected, rtol=1e-9)
    for one, other in zip(mine.scalings_, peer.scalings_, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-8)


@pytest.mark.parametrize("params", CENTROID, ids=str)
def test_nearest_centroid_agrees_with_its_peer(params):
    mine = NearestCentroid(**params).fit(X, Y)
    peer = sklearn.neighbors.NearestCentroid(**params).fit(X, Y)
    assert_same_answers(mine, peer, X)
    for name in ("centroids_", "class_prior_", "within_class_std_dev_", "deviations_"):
        np.testing.assert_allclose(getattr(mine, name), getattr(peer, name), rtol=1e-9, atol=1e-10, err_msg=name)


@pytest.mark.parametrize(
    "estimator",
    [
        ours.LinearDiscriminantAnalysis(),
        ours.LinearDiscriminantAnalysis("lsqr", "auto"),
        ours.QuadraticDiscriminantAnalysis(),
        NearestCentroid(),
        NearestCentroid("manhattan"),
    ],
    ids=str,
)
def test_weights_are_repeated_rows(estimator):
    weights = RANDOM.integers(0, 4, N)
    whole = estimator.fit(np.repeat(X, weights, axis=0), np.repeat(Y, weights))._scores(X)
    np.testing.assert_allclose(estimator.fit(X, Y, weights)._scores(X), whole, rtol=1e-9, atol=1e-9)


def test_an_offset_of_a_million_changes_nothing():
    plain = ours.QuadraticDiscriminantAnalysis().fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(
        ours.QuadraticDiscriminantAnalysis().fit(X + 1e6, Y).predict_proba(X + 1e6), plain, rtol=0, atol=1e-7
    )
    plain = ours.LinearDiscriminantAnalysis().fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(
        ours.LinearDiscriminantAnalysis().fit(X + 1e6, Y).predict_proba(X + 1e6), plain, rtol=0, atol=1e-7
    )


def test_more_columns_than_rows():
    wide = RANDOM.normal(size=(30, 80)) + PLACE[:30, None] * RANDOM.normal(size=80)
    mine = ours.LinearDiscriminantAnalysis().fit(wide, Y[:30])
    peer = peers.LinearDiscriminantAnalysis().fit(wide, Y[:30])
    np.testing.assert_allclose(mine.coef_, peer.coef_, rtol=1e-6, atol=1e-8)
    assert_same_answers(
        ours.LinearDiscriminantAnalysis("lsqr", "auto").fit(wide, Y[:30]),
        peers.LinearDiscriminantAnalysis("lsqr", "auto").fit(wide, Y[:30]),
        wide,
    )
    with pytest.warns(UserWarning, match="not full rank"):
        assert ours.QuadraticDiscriminantAnalysis().fit(wide, Y[:30]).score(wide, Y[:30]) == 1
    assert (
        ours.QuadraticDiscriminantAnalysis(towards_pooled=0.5, reg_param=0.1).fit(wide, Y[:30]).certificate_.verdict
        == "proved"
    )


def test_a_copied_column_has_no_part_in_qda():
    doubled = np.column_stack([X, X[:, 0] * 2 + 1])
    np.testing.assert_allclose(
        ours.QuadraticDiscriminantAnalysis().fit(doubled, Y).predict_proba(doubled),
        ours.QuadraticDiscriminantAnalysis().fit(X, Y).predict_proba(X),
        rtol=1e-9,
        atol=1e-12,
    )


@pytest.mark.parametrize(
    ("mine", "peer"),
    [
        (ours.LinearDiscriminantAnalysis, peers.LinearDiscriminantAnalysis),
        (ours.QuadraticDiscriminantAnalysis, peers.QuadraticDiscriminantAnalysis),
        (NearestCentroid, sklearn.neighbors.NearestCentroid),
    ],
)
def test_parameters_are_those_of_its_peer_and_then_its_own(mine, peer):
    own, other = inspect.signature(mine).parameters, inspect.signature(peer).parameters
    assert list(own)[: len(other)] == list(other)
    assert {name: p.default for name, p in own.items() if name in other} == {
        name: p.default for name, p in other.items()
    }


def test_models_travel_as_pickles():
    model = ours.LinearDiscriminantAnalysis().fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(again.transform(X), model.transform(X))


def test_explains_rows_by_terms_that_add_up_to_scores():
    for model in (ours.LinearDiscriminantAnalysis(), NearestCentroid()):
        found = model.fit(X, Y).explain(X, 5)
        assert found.columns == ["feature", "value", "a", "b", "c"]
        scores = model._scores(X[5:6])[0]
        np.testing.assert_allclose(found.rows[-1][2:], scores - scores.mean(), rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(
            np.sum([row[2:] for row in found.rows[:-1]], axis=0), found.rows[-1][2:], rtol=1e-10, atol=1e-10
        )
        assert f"Row 6 is predicted as {model.predict(X[5:6])[0]}." in repr(found)
    with pytest.raises(ValueError, match="explain lda"):
        ours.QuadraticDiscriminantAnalysis().fit(X, Y).explain(X, 0)


def test_every_linear_model_naive_bayes_and_neighbours_explain():
    ridge = Ridge().fit(X, X[:, 0])
    assert np.isclose(ridge.explain(X, 3).rows[-1][2], ridge.predict(X)[3])
    logistic = LogisticRegression().fit(X[TWO], Y[TWO])
    found = logistic.explain(X, 3)
    assert found.columns[2] == "score of b"
    assert np.isclose(found.rows[-1][2], logistic.decision_function(X[3:4])[0])
    bayes = GaussianNB().fit(X, Y)
    joint = bayes.predict_joint_log_proba(X[3:4])[0]
    np.testing.assert_allclose(bayes.explain(X, 3).rows[-1][2:], joint - joint.mean(), rtol=1e-10)
    voters = KNeighborsClassifier(4).fit(X, Y).explain(X, 3)
    assert [row[3] for row in voters.rows] == list(Y[[int(row[0]) - 1 for row in voters.rows]])
    assert voters.rows[0][0] == 4 and len(voters.rows) == 4


def test_priors_of_zero_and_of_the_wrong_length_are_refused():
    with pytest.raises(ValueError, match="prior of class"):
        ours.LinearDiscriminantAnalysis(priors=[0.0, 0.5, 0.5]).fit(X, Y)
    with pytest.raises(ValueError, match="match number of classes"):
        ours.QuadraticDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, Y)


@parametrize_with_checks(
    [
        ours.LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
        ours.QuadraticDiscriminantAnalysis(reg_param=0.1),
        NearestCentroid(metric="manhattan"),
    ]
)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)
