"""Nearest neighbours beside scikit-learn, and where scikit-learn's are not the true ones."""

import contextlib
import json
import pickle

import numpy as np
import pytest
from sklearn import neighbors as peers
from sklearn.base import clone
from sklearn.impute import KNNImputer as PeerImputer
from sklearn.utils.estimator_checks import parametrize_with_checks

import recta
from recta.neighbors import (
    KernelDensity,
    KNeighborsClassifier,
    KNeighborsRegressor,
    KNeighborsTransformer,
    KNNImputer,
    LocalOutlierFactor,
    NearestNeighbors,
    NeighborThinning,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
)

METRICS = [
    "euclidean",
    "sqeuclidean",
    "manhattan",
    "chebyshev",
    "minkowski",
    "cosine",
    "hamming",
    "canberra",
    "braycurtis",
]


def rows(n=200, p=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, p))


def test_a_large_model_answers_from_its_file_and_refuses_what_is_damaged(tmp_path):
    X = rows(70_000, 2)
    model = KNeighborsRegressor(n_neighbors=3, algorithm="kd_tree").fit(X, X[:, 0])
    path = tmp_path / "m.recta"
    model.save(path)
    np.testing.assert_array_equal(recta.load(path).predict(X[:50]), model.predict(X[:50]))
    data = bytearray(path.read_bytes())
    begin = 8 + int.from_bytes(data[:8], "little")
    first, last = json.loads(data[8:begin])["neighbours.tree.points"]["data_offsets"]
    data[begin + first : begin + last] = bytes(last - first)
    path.write_bytes(data)
    damaged = recta.load(path)
    assert damaged.word == "knn-regression"
    with pytest.raises(
        recta.ModelFileError, match='damaged model file: the bytes of its tensor "neighbours.tree.points"'
    ):
        damaged.predict(X[:1])
    with pytest.raises(recta.ModelFileError, match="damaged model file"):
        damaged.certificate.verify(X, X[:, 0])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("algorithm", ["auto", "brute"])
def test_neighbours_are_those_of_scikit_learn(metric, algorithm):
    X, Q = rows(), rows(30, seed=1)
    if metric == "hamming":
        X, Q = X.round(), Q.round()
    if metric == "braycurtis":  # of numbers below zero scikit-learn divides by |a| + |b|, SciPy and Recta by |a + b|
        X, Q = abs(X), abs(Q)
    p = 3 if metric == "minkowski" else 2
    ours = NearestNeighbors(n_neighbors=7, metric=metric, p=p, algorithm=algorithm).fit(X)
    theirs = peers.NearestNeighbors(n_neighbors=7, metric=metric, p=p, algorithm="brute").fit(X)
    distances, found = ours.kneighbors(Q)
    expected, places = theirs.kneighbors(Q)
    np.testing.assert_allclose(distances, expected, rtol=1e-10, atol=1e-12)
    if metric != "hamming":  # ties
        np.testing.assert_array_equal(found, places)
    np.testing.assert_allclose(ours.kneighbors()[0], theirs.kneighbors()[0], rtol=1e-10, atol=1e-12)


def test_all_algorithms_find_the_same():
    X, Q = rows(3000, 3), rows(100, 3, seed=1)
    for metric in ("euclidean", "manhattan", "chebyshev", "cosine"):
        found = [
            NearestNeighbors(metric=metric, algorithm=algorithm, n_jobs=jobs).fit(X).kneighbors(Q)
            for algorithm, jobs in (("brute", 1), ("kd_tree", 2), ("ball_tree", 2))
        ]
        for other in found[1:]:
            np.testing.assert_array_equal(found[0][0], other[0])
            np.testing.assert_array_equal(found[0][1], other[1])


def test_neighbours_are_the_true_ones_far_from_the_origin():
    whole = np.random.default_rng(2).integers(0, 30, size=(2000, 20)).astype(float)
    near, shift = NearestNeighbors(n_neighbors=10).fit(whole), 1e9
    far = NearestNeighbors(n_neighbors=10).fit(whole + shift)
    np.testing.assert_array_equal(near.kneighbors(whole[:50])[1], far.kneighbors(whole[:50] + shift)[1])
    np.testing.assert_array_equal(near.kneighbors(whole[:50])[0], far.kneighbors(whole[:50] + shift)[0])


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_classes_and_probabilities_are_those_of_scikit_learn(weights):
    X, Q = rows(), rows(50, seed=1)
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.3 * X[:, 1], [-0.5, 0.5])]
    ours = KNeighborsClassifier(n_neighbors=7, weights=weights).fit(X, y)
    theirs = peers.KNeighborsClassifier(n_neighbors=7, weights=weights).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(Q), theirs.predict_proba(Q), rtol=1e-12, atol=1e-15)
    shares = np.sort(theirs.predict_proba(Q), axis=1)
    clear = shares[:, -1] > shares[:, -2] + 1e-9  # scikit-learn gives a tie to the first class
    np.testing.assert_array_equal(ours.predict(Q)[clear], theirs.predict(Q)[clear])
    np.testing.assert_array_equal(ours.classes_[ours.decision_function(Q).argmax(axis=1)], ours.predict(Q))
    assert ours.certificate_.verdict == "proved"


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_means_are_those_of_scikit_learn(weights):
    X, Q = rows(), rows(50, seed=1)
    y = np.column_stack([X[:, 0] ** 2, X.sum(axis=1)])
    for given in (y[:, 0], y):
        ours = KNeighborsRegressor(n_neighbors=6, weights=weights).fit(X, given).predict(Q)
        np.testing.assert_allclose(
            ours, peers.KNeighborsRegressor(n_neighbors=6, weights=weights).fit(X, given).predict(Q), rtol=1e-11
        )
    within = RadiusNeighborsRegressor(radius=1.5, weights=weights).fit(X, y)
    theirs = peers.RadiusNeighborsRegressor(radius=1.5, weights=weights).fit(X, y)
    far = np.vstack([Q, [[100.0] * 4]])
    with pytest.warns(UserWarning, match="no neighbors within"):
        found = within.predict(far)
    with pytest.warns(UserWarning):
        np.testing.assert_allclose(found, theirs.predict(far), rtol=1e-11)


def test_rows_within_a_radius_are_those_of_scikit_learn():
    X, Q = rows(), rows(20, seed=1)
    ours, theirs = NearestNeighbors(radius=1.2).fit(X), peers.NearestNeighbors(radius=1.2).fit(X)
    for one, other in zip(ours.radius_neighbors(Q)[1], theirs.radius_neighbors(Q, sort_results=True)[1], strict=True):
        np.testing.assert_array_equal(one, other)
    for mode in ("connectivity", "distance"):
        difference = ours.radius_neighbors_graph(Q, mode=mode) - theirs.radius_neighbors_graph(Q, mode=mode)
        assert abs(difference).max() < 1e-12
        assert abs(ours.kneighbors_graph(Q, mode=mode) - theirs.kneighbors_graph(Q, mode=mode)).max() < 1e-12


def test_a_row_of_weight_two_is_the_row_twice():
    X, Q = rows(60), rows(40, seed=1)
    y, weight = (X[:, 0] > 0).astype(int), np.arange(60) % 3
    twice = np.repeat(np.arange(60), weight)
    weighed = KNeighborsClassifier(n_neighbors=5).fit(X, y, sample_weight=weight)
    repeated = KNeighborsClassifier(n_neighbors=5).fit(X[twice], y[twice])
    np.testing.assert_array_equal(weighed.predict_proba(Q), repeated.predict_proba(Q))
    np.testing.assert_array_equal(weighed.predict(Q), repeated.predict(Q))


def test_tied_votes_go_to_the_smaller_sum_of_distances_whatever_the_order_of_rows():
    X, y = np.array([[2.0], [-1.0]]), np.array(["far", "near"])
    for order in ([0, 1], [1, 0]):
        assert KNeighborsClassifier(n_neighbors=2).fit(X[order], y[order]).predict([[0.0]]) == ["near"]


def test_files_and_pickles_hold_the_rows(tmp_path):
    X = rows()
    y = (X[:, 0] > 0).astype(int)
    model = KNeighborsClassifier(n_neighbors=3, metric="manhattan").fit(X, y)
    model.save(tmp_path / "m.recta")
    for again in (KNeighborsClassifier.load(tmp_path / "m.recta"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        assert (again.n_neighbors, again.metric) == (3, "manhattan")
    search = NearestNeighbors().fit(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(search)).kneighbors(X)[1], search.kneighbors(X)[1])
    assert clone(model).get_params() == model.get_params()


def test_a_row_without_neighbours_is_refused_or_gets_the_heaviest_class():
    X, y = np.array([[0.0], [1.0], [2.0]]), [1, 1, 2]
    with pytest.raises(ValueError, match="no training row lies within the radius"):
        RadiusNeighborsClassifier(radius=1.0).fit(X, y).predict([[9.0]])
    assert RadiusNeighborsClassifier(radius=1.0, outlier_label="most_frequent").fit(X, y).predict([[9.0]]).tolist() == [
        1
    ]
    for label, words in ((["a"], "dtype of outlier_label a is inconsistent"), ([[3]], "supposed to be a scalar")):
        with pytest.raises(TypeError, match=words):
            RadiusNeighborsClassifier(outlier_label=label).fit(X, y)
    with pytest.raises(ValueError, match="inconsistent with the output length: 1"):
        RadiusNeighborsClassifier(outlier_label=[1, 2]).fit(X, y)


def test_what_cannot_be_asked_is_refused():
    X, y = rows(10), np.arange(10) % 2
    for wrong in (
        {"metric": "nonsense"},
        {"weights": "cube"},
        {"metric_params": {"V": 1}},
        {"metric": "jaccard", "metric_params": {"w": [1, 1, 1, 1]}},
        {"p": 0.5},
        {"n_neighbors": 11},
        {"algorithm": "kd_tree", "metric": "hamming"},
        {"algorithm": "ball_tree", "metric": "braycurtis"},
        {"index_params": {"links": 4}},
        {"algorithm": "hnsw", "index_params": {"width": 4}},
    ):
        with pytest.raises(ValueError):
            KNeighborsClassifier(**wrong).fit(X, y)
    with pytest.raises(ValueError, match="n_neighbors <= n_samples_fit"):
        NearestNeighbors(n_neighbors=11).fit(X).kneighbors(X)


def test_k_is_chosen_by_leaving_out_each_row():
    X = rows(80, 2)
    y = (X[:, 0] + 0.5 * np.random.default_rng(3).normal(size=80) > 0).astype(int)
    model = KNeighborsClassifier(choose_k=9).fit(X, y)
    for k in range(1, 10, 2):  # odd: scikit-learn gives ties to the first class
        wrong = [
            peers.KNeighborsClassifier(k).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[i : i + 1])[0] != y[i]
            for i in range(80)
        ]
        assert model.errors_by_k_["left_out"][k - 1] == np.mean(wrong)
    assert model.n_neighbors_ == model.errors_by_k_["left_out"].argmin() + 1
    numbers = KNeighborsRegressor(choose_k=6).fit(X, X[:, 0] ** 2)
    for k in range(1, 7):
        squares = [
            (
                peers.KNeighborsRegressor(k)
                .fit(np.delete(X, i, 0), np.delete(X[:, 0] ** 2, i))
                .predict(X[i : i + 1])[0]
                - X[i, 0] ** 2
            )
            ** 2
            for i in range(80)
        ]
        assert numbers.errors_by_k_["left_out"][k - 1] == pytest.approx(np.mean(squares), rel=1e-12)
    assert KNeighborsClassifier(n_neighbors=3).fit(X, y).errors_by_k_ is None


def test_an_approximate_search_states_its_recall_and_proves_nothing():
    X, Q = rows(1000, 8), rows(50, 8, seed=1)
    y = X[:, 0] > 0
    model = KNeighborsClassifier(n_neighbors=5, algorithm="hnsw", index_params={"links": 8, "seed": 3}).fit(X, y)
    assert model.certificate_.verdict == "within_tolerance" and model.certificate_.claim == "recall"
    assert "with confidence 0.95" in model.certificate_.sentence and "proved" in model.certificate_.sentence
    assert model.certificate_.verify(X, y).sentence == model.certificate_.sentence
    exact = NearestNeighbors(n_neighbors=5).fit(X).kneighbors(Q)
    search = NearestNeighbors(n_neighbors=5, algorithm="hnsw", index_params={"ef_search": 200}).fit(X)
    distances, found = search.kneighbors(Q)
    assert np.mean(found == exact[1]) > 0.95
    same = found == exact[1]
    np.testing.assert_array_equal(distances[same], exact[0][same])  # distances are the true ones
    np.testing.assert_array_equal(found, pickle.loads(pickle.dumps(search)).kneighbors(Q)[1])
    with pytest.raises(ValueError, match="not all within a radius"):
        search.radius_neighbors(Q)


def test_few_rows_answer_as_all_do():
    X = rows(300, 2)
    y = np.where(X[:, 0] + X[:, 1] ** 2 > 0.5, "in", "out")
    for method in ("condensed", "reduced"):
        thinning = NeighborThinning(method)
        few, labels = thinning.fit_resample(X, y)
        assert len(few) < 100 and thinning.training_error_ == 0 and thinning.certificate_.verdict == "proved"
        np.testing.assert_array_equal(few, X[thinning.sample_indices_])
        np.testing.assert_array_equal(peers.KNeighborsClassifier(1).fit(few, labels).predict(X), y)
    noisy = np.where(np.arange(300) % 10 == 0, np.where(y == "in", "out", "in"), y)
    edited = NeighborThinning("edited", n_neighbors=5)
    edited.fit_resample(X, noisy)
    others = [
        peers.KNeighborsClassifier(5).fit(np.delete(X, i, 0), np.delete(noisy, i)).predict(X[i : i + 1])[0]
        for i in range(300)
    ]
    np.testing.assert_array_equal(edited.sample_indices_, np.flatnonzero(np.array(others) == noisy))
    with pytest.raises(ValueError, match="the nearest of them"):
        NeighborThinning("condensed", n_neighbors=2).fit_resample(X, y)


def test_mahalanobis_is_in_units_of_the_covariance():
    X, Q = rows() @ np.random.default_rng(5).normal(size=(4, 4)), rows(20, seed=1)
    ours = NearestNeighbors(n_neighbors=5, metric="mahalanobis").fit(X)
    theirs = peers.NearestNeighbors(n_neighbors=5, metric="mahalanobis", metric_params={"V": np.cov(X.T)}).fit(X)
    np.testing.assert_allclose(ours.kneighbors(Q)[0], theirs.kneighbors(Q)[0], rtol=1e-9)
    np.testing.assert_array_equal(ours.kneighbors(Q)[1], theirs.kneighbors(Q)[1])


def test_features_are_weighed_as_in_scikit_learn():
    X, Q, w = rows(), rows(20, seed=1), np.array([2.0, 0.0, 1.0, 0.5])
    for p in (1, 2, 3):
        ours = NearestNeighbors(n_neighbors=5, p=p, metric_params={"w": w}).fit(X).kneighbors(Q)
        theirs = peers.NearestNeighbors(n_neighbors=5, p=p, metric_params={"w": w}).fit(X).kneighbors(Q)
        np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-10)
        np.testing.assert_array_equal(ours[1], theirs[1])


def test_a_function_of_the_user_is_called_and_its_faults_are_told():
    X, Q = rows(60), rows(5, seed=1)
    found = NearestNeighbors(n_neighbors=3, metric=lambda a, b: float(abs(a - b).sum())).fit(X).kneighbors(Q)
    exact = NearestNeighbors(n_neighbors=3, metric="manhattan").fit(X).kneighbors(Q)
    np.testing.assert_array_equal(found[1], exact[1])
    np.testing.assert_allclose(found[0], exact[0], rtol=1e-12)
    for wrong, text in (
        (lambda a, b: float("nan"), "not a number from zero up"),
        (lambda a, b: "far", "not a number"),
        (lambda a, b: 1 / 0, "division by zero"),
    ):
        with pytest.raises(ValueError, match=text):
            NearestNeighbors(metric=wrong).fit(X).kneighbors(Q)
    with pytest.raises(ValueError, match="nothing is known of it"):
        NearestNeighbors(metric=lambda a, b: 0.0, algorithm="ball_tree").fit(X)


def test_given_distances_are_looked_up():
    X, Q = rows(80), rows(10, seed=1)
    y = X[:, 0] > 0
    to_all = lambda A: np.sqrt(((A[:, None] - X[None]) ** 2).sum(axis=2))
    given = KNeighborsClassifier(n_neighbors=4, metric="precomputed").fit(to_all(X), y)
    plain = KNeighborsClassifier(n_neighbors=4).fit(X, y)
    np.testing.assert_array_equal(given.predict_proba(to_all(Q)), plain.predict_proba(Q))
    np.testing.assert_array_equal(
        NearestNeighbors(metric="precomputed").fit(to_all(X)).kneighbors(to_all(Q))[1],
        NearestNeighbors().fit(X).kneighbors(Q)[1],
    )


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_missing_numbers_are_those_of_scikit_learn(weights):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 5))
    X[rng.random(X.shape) < 0.2] = np.nan
    Q = X[:20] + 0.1
    ours, theirs = KNNImputer(n_neighbors=3, weights=weights).fit(X), PeerImputer(n_neighbors=3, weights=weights).fit(X)
    np.testing.assert_allclose(ours.transform(Q), theirs.transform(Q), rtol=1e-9)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-9)


def test_outlier_factors_are_those_of_scikit_learn():
    X = np.vstack([rows(100, 2), [[6.0, 6.0], [-5.0, 7.0]]])
    for novelty in (False, True):
        ours, theirs = (
            kind(n_neighbors=10, novelty=novelty).fit(X) for kind in (LocalOutlierFactor, peers.LocalOutlierFactor)
        )
        np.testing.assert_allclose(ours.negative_outlier_factor_, theirs.negative_outlier_factor_, rtol=1e-8)
    np.testing.assert_allclose(
        ours.score_samples(rows(30, 2, seed=1)), theirs.score_samples(rows(30, 2, seed=1)), rtol=1e-8
    )
    assert ours.certificate_.verdict == "proved"
    assert (LocalOutlierFactor(n_neighbors=10).fit_predict(X)[-2:] == -1).all()
    equal = LocalOutlierFactor(n_neighbors=3).fit(np.zeros((10, 2)))
    assert (equal.negative_outlier_factor_ == -1).all()


@pytest.mark.parametrize("kernel", ["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"])
@pytest.mark.parametrize("bandwidth", [0.7, "scott", "silverman"])
def test_densities_are_those_of_scikit_learn(kernel, bandwidth):
    X, Q, w = rows(80, 3), rows(20, 3, seed=1) / 2, np.arange(80) % 3
    ours = KernelDensity(bandwidth=bandwidth, kernel=kernel).fit(X)
    theirs = peers.KernelDensity(bandwidth=bandwidth, kernel=kernel, rtol=1e-12).fit(X)
    np.testing.assert_allclose(ours.score_samples(Q), theirs.score_samples(Q), rtol=1e-9)
    assert ours.certificate_.verdict == "proved"
    weighed = peers.KernelDensity(bandwidth=0.9, kernel=kernel, rtol=1e-12).fit(X, sample_weight=w + 1)
    np.testing.assert_allclose(
        KernelDensity(bandwidth=0.9, kernel=kernel).fit(X, sample_weight=w + 1).score_samples(Q),
        weighed.score_samples(Q),
        rtol=1e-9,
    )


def test_rows_are_drawn_from_a_density():
    model = KernelDensity(bandwidth=0.1, kernel="tophat").fit([[0.0, 0.0], [5.0, 5.0]])
    drawn = model.sample(200, random_state=0)
    assert np.isfinite(model.score_samples(drawn)).all() and 60 < (drawn[:, 0] > 2).sum() < 140


def test_no_parameters_of_the_metric_may_be_an_empty_dict():
    X = rows(40, 3)
    for metric in ("euclidean", "manhattan", "chebyshev"):
        ours, theirs = (
            kind(metric=metric, metric_params={}).fit(X).kneighbors(X[:5])
            for kind in (NearestNeighbors, peers.NearestNeighbors)
        )
        np.testing.assert_array_equal(ours[1], theirs[1])


@pytest.mark.parametrize(
    "kind", [KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier, RadiusNeighborsRegressor]
)
def test_no_weights_of_votes_are_uniform_ones(kind):
    X, y = rows(40, 3), np.arange(40) % 2
    np.testing.assert_array_equal(kind(weights=None).fit(X, y).predict(X), kind().fit(X, y).predict(X))


def test_more_neighbours_than_rows_are_said_to_be_fewer():
    with pytest.warns(UserWarning, match="n_neighbors will be set to"):
        assert LocalOutlierFactor(n_neighbors=500).fit(rows(30, 2)).n_neighbors_ == 29


@parametrize_with_checks([LocalOutlierFactor(novelty=True), KNeighborsTransformer(mode="connectivity")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_a_function_is_a_metric_of_models():
    X, Q = rows(60, 3), rows(20, 3, seed=1)
    y, z = (X[:, 0] > 0).astype(int), X[:, 1] ** 2
    manhattan = lambda a, b, scale=1.0: scale * float(abs(a - b).sum())
    for kind, target in (
        (KNeighborsClassifier, y),
        (KNeighborsRegressor, z),
        (RadiusNeighborsClassifier, y),
        (RadiusNeighborsRegressor, z),
    ):
        reach = {"radius": 6.0} if "Radius" in kind.__name__ else {"n_neighbors": 4}
        theirs = kind(metric="manhattan", **reach).fit(X, target)
        scaled = {key: 2 * value if key == "radius" else value for key, value in reach.items()}
        ours = kind(metric=manhattan, metric_params={"scale": 2.0}, **scaled).fit(X, target)
        np.testing.assert_allclose(ours.predict(Q), theirs.predict(Q), rtol=1e-12)
        assert (
            ours.n_features_in_ == 3 and ours.effective_metric_ is manhattan and ours.certificate_.verdict == "proved"
        )
        np.testing.assert_allclose(ours.kneighbors(Q, 3)[0], 2 * theirs.kneighbors(Q, 3)[0], rtol=1e-12)
        np.testing.assert_array_equal(ours.kneighbors(n_neighbors=3)[1], theirs.kneighbors(n_neighbors=3)[1])
    assert KNeighborsClassifier(metric=manhattan).fit(X, y, sample_weight=np.arange(60) % 2).n_samples_fit_ == 30
    with pytest.raises(ValueError, match="row 0 and training row 0: the metric says -1.0"):
        KNeighborsClassifier(metric=lambda a, b: -1.0).fit(X, y)
    with pytest.raises(ValueError, match="nothing is known of it"):
        KNeighborsClassifier(metric=manhattan, algorithm="ball_tree").fit(X, y)


def test_mahalanobis_takes_a_covariance_or_its_inverse():
    X, Q = rows(80, 3) @ np.array([[2, 1, 0], [0, 1, 0.5], [0, 0, 3.0]]), rows(10, 3, seed=1)
    V = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.2], [0.1, 0.2, 3.0]])
    for given in ({"V": V}, {"VI": np.linalg.inv(V)}):
        ours = KNeighborsRegressor(n_neighbors=3, metric="mahalanobis", metric_params=given).fit(X, X[:, 0])
        theirs = peers.KNeighborsRegressor(
            n_neighbors=3, metric="mahalanobis", algorithm="brute", metric_params={"VI": np.linalg.inv(V)}
        ).fit(X, X[:, 0])
        np.testing.assert_allclose(ours.kneighbors(Q)[0], theirs.kneighbors(Q)[0], rtol=1e-9)
        np.testing.assert_allclose(ours.predict(Q), theirs.predict(Q), rtol=1e-9)
        np.testing.assert_allclose(
            NearestNeighbors(metric="mahalanobis", metric_params=given).fit(X).kneighbors(Q, 3)[0],
            theirs.kneighbors(Q)[0],
            rtol=1e-9,
        )
    with pytest.raises(ValueError, match="symmetric"):
        KNeighborsRegressor(metric="mahalanobis", metric_params={"V": [[1, 2, 3]]}).fit(X, X[:, 0])


def _squared(distances):
    return (1 / (distances + 0.1)) ** 2


NEAR = np.random.default_rng(11)
NEAR_X, NEAR_Q = NEAR.normal(size=(50, 2)), np.vstack([NEAR.normal(size=(9, 2)), [[0.0, 0.0]]])
NEAR_Y, NEAR_T = NEAR.integers(0, 3, 50), NEAR.normal(size=(50, 2))
NEAR_X[7] = NEAR_Q[-1]  # at distance 0


@pytest.mark.parametrize(
    "name, settings", [("KNeighborsClassifier", {"n_neighbors": 4}), ("RadiusNeighborsClassifier", {"radius": 2.5})]
)
@pytest.mark.parametrize("weights", [_squared, "distance", "uniform"])
def test_votes_by_a_function_and_among_the_training_rows_are_scikit_learns(name, settings, weights):
    ours, theirs = (
        getattr(module, name)(weights=weights, **settings).fit(NEAR_X, NEAR_Y) for module in (recta.neighbors, peers)
    )
    np.testing.assert_allclose(ours.predict_proba(NEAR_Q), theirs.predict_proba(NEAR_Q), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(None), theirs.predict_proba(None), rtol=1e-9, atol=1e-12)
    if weights != "uniform":  # ties have an order of their own
        np.testing.assert_array_equal(ours.predict(NEAR_Q), theirs.predict(NEAR_Q))
        np.testing.assert_array_equal(ours.predict(None), theirs.predict(None))
        assert ours.score(None, NEAR_Y) == theirs.score(None, NEAR_Y)


@pytest.mark.parametrize(
    "name, settings", [("KNeighborsRegressor", {"n_neighbors": 4}), ("RadiusNeighborsRegressor", {"radius": 2.5})]
)
@pytest.mark.parametrize("weights", [_squared, "distance", "uniform"])
@pytest.mark.parametrize("y", [NEAR_T, NEAR_T[:, 0]], ids=["two", "one"])
def test_means_by_a_function_and_among_the_training_rows_are_scikit_learns(name, settings, weights, y):
    ours, theirs = (
        getattr(module, name)(weights=weights, **settings).fit(NEAR_X, y) for module in (recta.neighbors, peers)
    )
    np.testing.assert_allclose(ours.predict(NEAR_Q), theirs.predict(NEAR_Q), rtol=1e-9)
    np.testing.assert_allclose(ours.predict(None), theirs.predict(None), rtol=1e-9)


def test_infinite_weights_count_alone():
    model = recta.neighbors.KNeighborsClassifier(3, weights=lambda distances: np.where(distances > 0, 1.0, np.inf)).fit(
        NEAR_X, NEAR_Y
    )
    assert model.predict_proba(NEAR_Q[-1:])[0, NEAR_Y[7]] == 1


def test_tied_votes_of_lists_are_settled_as_all_are():
    rows, labels = [[0.0], [1.0], [2.0], [4.0]], ["b", "a", "b", "a"]
    model = recta.neighbors.KNeighborsClassifier(n_neighbors=2, weights=np.ones_like).fit(rows, labels)
    plain = recta.neighbors.KNeighborsClassifier(n_neighbors=2).fit(rows, labels)
    for query in ([[0.4]], [[0.6]], [[2.9]], [[3.1]]):
        assert model.predict(query).tolist() == plain.predict(query).tolist()


def test_outliers_have_a_label_of_their_own(tmp_path):
    far = [[100.0, 0.0]]
    for label in (1, -7):
        ours, theirs = (
            module.RadiusNeighborsClassifier(radius=2.5, outlier_label=label).fit(NEAR_X, NEAR_Y)
            for module in (recta.neighbors, peers)
        )
        assert ours.outlier_label_ == theirs.outlier_label_
        for model in (ours, theirs):
            with (
                pytest.warns(UserWarning, match="is not in training classes") if label < 0 else contextlib.nullcontext()
            ):
                assert model.predict(far).tolist() == [label] and model.predict_proba(far).tolist() == [
                    [0.0, float(label == 1), 0.0]
                ]
        np.testing.assert_allclose(ours.predict_proba(NEAR_Q), theirs.predict_proba(NEAR_Q), rtol=1e-9)
        with pytest.raises(ValueError, match="no label of outliers; pickle the estimator"):
            ours.save(tmp_path / "m.recta")
        assert pickle.loads(pickle.dumps(ours)).predict(NEAR_Q).tolist() == ours.predict(NEAR_Q).tolist()


def test_what_lists_cannot_count_is_refused():
    weighed = recta.neighbors.KNeighborsClassifier(weights=_squared).fit(NEAR_X, NEAR_Y, np.ones(50))
    with pytest.raises(ValueError, match="only rows of equal weight"):
        weighed.predict(NEAR_Q)
    for wrong in (lambda distances: distances[:2], lambda distances: -distances):
        with pytest.raises(ValueError, match="a number from zero up for every distance"):
            recta.neighbors.KNeighborsRegressor(weights=wrong).fit(NEAR_X, NEAR_T).predict(NEAR_Q)
    with pytest.raises(ValueError, match="All neighbors of some sample is getting zero weights"):
        recta.neighbors.KNeighborsClassifier(weights=np.zeros_like).fit(NEAR_X, NEAR_Y).predict(NEAR_Q)
    with pytest.raises(ValueError, match="recta.multioutput.MultiOutputClassifier fits a model for each column"):
        recta.neighbors.KNeighborsClassifier().fit(NEAR_X, np.c_[NEAR_Y, NEAR_Y])
