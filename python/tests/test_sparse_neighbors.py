"""Neighbours and kernel features of sparse rows, and of graphs of given distances, beside scikit-learn's."""

import pickle

import numpy as np
import pytest
import scipy.sparse
import sklearn.neighbors as theirs
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

import recta
from recta import neighbors as ours
from recta._data import full_rows
from recta.kernel_approximation import Nystroem, RBFSampler

X, Y = load_iris(return_X_y=True)
X = X + np.random.default_rng(1).normal(scale=1e-3, size=X.shape)  # no two distances are equal
TRAIN, TEST = np.arange(150) % 3 != 0, np.arange(150) % 3 == 0
FORMS = [scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_array]


def graphs(k=12):
    """Distances to the k nearest rows of training, each row's own 0 among them, of training and of other rows."""
    search = theirs.NearestNeighbors(n_neighbors=k).fit(X[TRAIN])
    return search.kneighbors_graph(X[TRAIN], mode="distance"), search.kneighbors_graph(X[TEST], mode="distance")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_classes_by_a_graph_of_distances_are_those_by_the_rows(form, weights):
    fitted, asked = graphs()
    by_graph = ours.KNeighborsClassifier(metric="precomputed", weights=weights).fit(form(fitted), Y[TRAIN])
    peer = theirs.KNeighborsClassifier(metric="precomputed", weights=weights).fit(fitted, Y[TRAIN])
    by_rows = ours.KNeighborsClassifier(weights=weights).fit(X[TRAIN], Y[TRAIN])
    np.testing.assert_allclose(by_graph.predict_proba(form(asked)), peer.predict_proba(asked), rtol=1e-12, atol=1e-12)
    assert by_graph.predict(form(asked)).tolist() == by_rows.predict(X[TEST]).tolist() == peer.predict(asked).tolist()
    assert by_graph.score(form(asked), Y[TEST]) > 0.9 and by_graph.certificate_.verdict == "proved"
    assert by_graph.kneighbors(asked)[1].tolist() == peer.kneighbors(asked)[1].tolist()
    assert by_graph.kneighbors()[1].tolist() == peer.kneighbors()[1].tolist() == by_rows.kneighbors()[1].tolist()
    assert pickle.loads(pickle.dumps(by_graph)).kneighbors(asked)[0].tolist() == by_graph.kneighbors(asked)[0].tolist()


@pytest.mark.filterwarnings("ignore:One or more samples have no neighbors")
def test_means_and_radii_by_a_graph():
    fitted, asked = graphs(40)
    y = X[TRAIN] @ [1.0, -1.0, 0.5, 2.0]
    for kind, how in [("KNeighborsRegressor", {"n_neighbors": 7}), ("RadiusNeighborsRegressor", {"radius": 0.6})]:
        mine, peer = (getattr(module, kind)(metric="precomputed", **how).fit(fitted, y) for module in (ours, theirs))
        np.testing.assert_allclose(mine.predict(asked), peer.predict(asked), rtol=1e-12)
    mine, peer = (
        module.RadiusNeighborsClassifier(0.9, metric="precomputed").fit(fitted, Y[TRAIN]) for module in (ours, theirs)
    )
    np.testing.assert_allclose(mine.predict_proba(asked), peer.predict_proba(asked), rtol=1e-12)
    for one, other in zip(mine.radius_neighbors(asked)[1], peer.radius_neighbors(asked)[1], strict=True):
        assert sorted(one) == sorted(other)


@pytest.mark.parametrize(
    "estimator", [ours.KNeighborsClassifier(5, metric="precomputed"), ours.LocalOutlierFactor(5, metric="precomputed")]
)
def test_the_graph_of_the_transformer_stands_before_an_estimator(estimator):
    piped = make_pipeline(ours.KNeighborsTransformer(n_neighbors=9, mode="distance"), estimator)
    alone = type(estimator)(5)
    if hasattr(estimator, "fit_predict"):
        assert piped.fit_predict(X).tolist() == alone.fit_predict(X).tolist()
        return
    assert (
        piped.fit(X[TRAIN], Y[TRAIN]).predict(X[TEST]).tolist()
        == alone.fit(X[TRAIN], Y[TRAIN]).predict(X[TEST]).tolist()
    )


def test_searches_of_a_graph():
    fitted, asked = graphs()
    mine, peer = (
        module.NearestNeighbors(n_neighbors=4, radius=0.4, metric="precomputed").fit(fitted)
        for module in (ours, theirs)
    )
    for rows in (asked, None):
        for one, other in zip(mine.kneighbors(rows), peer.kneighbors(rows), strict=True):
            np.testing.assert_array_equal(one, other)
        near, far = mine.radius_neighbors(rows), peer.radius_neighbors(rows)
        assert [sorted(row) for row in near[1]] == [sorted(row) for row in far[1]]
        assert (
            abs(mine.kneighbors_graph(rows, mode="distance") - peer.kneighbors_graph(rows, mode="distance")).max() == 0
        )
    assert mine.kneighbors(asked.toarray() + 1)[0].min() == 1  # full rows of distances are all of them
    full = ours.NearestNeighbors(n_neighbors=4, metric="precomputed").fit(
        theirs.NearestNeighbors().fit(X[TRAIN]).kneighbors_graph(X[TRAIN], TRAIN.sum(), mode="distance").toarray()
    )
    assert full.kneighbors(asked)[1].tolist() == mine.kneighbors(asked)[1].tolist()


@pytest.mark.parametrize("novelty", [False, True])
def test_outliers_of_a_graph(novelty):
    fitted, asked = graphs(12)
    by_graph = ours.LocalOutlierFactor(8, metric="precomputed", novelty=novelty).fit(fitted)
    by_rows = theirs.LocalOutlierFactor(8, novelty=novelty).fit(X[TRAIN])
    np.testing.assert_allclose(by_graph.negative_outlier_factor_, by_rows.negative_outlier_factor_, rtol=1e-9)
    if novelty:
        np.testing.assert_allclose(by_graph.score_samples(asked), by_rows.score_samples(X[TEST]), rtol=1e-9)


def test_what_a_graph_does_not_store_is_no_neighbour():
    fitted, asked = graphs(4)
    model = ours.KNeighborsClassifier(5, metric="precomputed").fit(fitted, Y[TRAIN])
    with pytest.raises(ValueError, match="5 neighbors per samples are required, but some samples have only 4"):
        model.predict(asked)
    with pytest.raises(ValueError, match="4 neighbors per samples are required, but some samples have only 3"):
        ours.LocalOutlierFactor(4, metric="precomputed").fit(fitted)
    with pytest.raises(ValueError, match="6 neighbors per samples are required"):
        ours.KNeighborsClassifier(metric="precomputed", choose_k=6).fit(fitted, Y[TRAIN])
    with pytest.raises(ValueError, match="must be square"):
        ours.NearestNeighbors(metric="precomputed").fit(asked)
    with pytest.raises(ValueError, match="Negative values in data passed to precomputed distance matrix"):
        ours.NearestNeighbors(metric="precomputed").fit(-fitted)
    with pytest.raises(TypeError, match="'dok' format"):
        ours.NearestNeighbors(metric="precomputed").fit(fitted.todok())


def test_equal_distances_of_a_graph_are_in_the_order_of_the_labels():
    graph = scipy.sparse.csr_array(np.ones((4, 4)))
    model = ours.KNeighborsClassifier(2, metric="precomputed").fit(graph, [1, 1, 0, 0])
    assert model.kneighbors(graph[:1])[1].tolist() == [[2, 3]] and model.predict(graph).tolist() == [0, 0, 0, 0]


SPARSE = scipy.sparse.random_array((120, 30), density=0.2, rng=np.random.default_rng(2), format="csr")
LABELS = np.arange(120) % 2
READERS = [
    (ours.NearestNeighbors(n_neighbors=4), "kneighbors"),
    (ours.NearestNeighbors(n_neighbors=4, algorithm="ball_tree", metric="manhattan"), "kneighbors"),
    (ours.KNeighborsClassifier(), "predict_proba"),
    (ours.KNeighborsRegressor(), "predict"),
    (ours.KNeighborsRegressor(), "kneighbors"),
    (ours.KNeighborsTransformer(), "transform"),
    (ours.LocalOutlierFactor(novelty=True), "score_samples"),
    (ours.LocalOutlierFactor(), "kneighbors"),
    (Nystroem(n_components=9, random_state=0), "transform"),
    (RBFSampler(n_components=9, random_state=0), "transform"),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("estimator", "method"), READERS, ids=lambda one: one if isinstance(one, str) else type(one).__name__
)
def test_sparse_rows_have_the_answers_of_full_rows(estimator, method, form, monkeypatch):
    monkeypatch.setattr(full_rows, "_BLOCK_BYTES", 8 * 30 * 7)  # seven rows at a time
    full = getattr(estimator.fit(SPARSE.toarray(), LABELS), method)(SPARSE.toarray()[:50])
    found = getattr(estimator.fit(form(SPARSE), LABELS), method)(form(form(SPARSE).tocsr()[:50]))
    full, found = ([one] if not isinstance(one, tuple) else one for one in (full, found))
    for one, other in zip(full, found, strict=True):
        one, other = (half.toarray() if scipy.sparse.issparse(half) else half for half in (one, other))
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("estimator", "method"), READERS, ids=lambda one: one if isinstance(one, str) else type(one).__name__
)
def test_more_sparse_rows_than_fit_in_memory_are_refused(estimator, method, monkeypatch):
    monkeypatch.setattr(full_rows, "MOST_BYTES", 8 * 120 * 30 - 1)
    with pytest.raises(
        recta.DataError, match=f"{type(estimator).__name__}, X of 120 x 30: its rows are kept as full rows"
    ):
        estimator.fit(SPARSE, LABELS)
