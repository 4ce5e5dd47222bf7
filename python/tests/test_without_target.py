"""Models without a target beside scikit-learn's: kernel principal components and clusters."""

import pickle

import numpy as np
import pytest
import scipy.sparse
import sklearn.cluster
import sklearn.decomposition
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.utils.estimator_checks import parametrize_with_checks

from recta.cluster import KernelKMeans
from recta.decomposition import KernelPCA

RNG = np.random.default_rng(7)
X = RNG.normal(size=(80, 4)) @ RNG.normal(size=(4, 4))
NEW = RNG.normal(size=(9, 4))
KERNELS = [
    ("linear", {}),
    ("rbf", {"gamma": 0.2}),
    ("poly", {"degree": 2, "coef0": 1.0, "gamma": 0.5}),
    ("laplacian", {"gamma": 0.3}),
]


@parametrize_with_checks([KernelPCA(2, kernel="rbf"), KernelKMeans(2), KernelKMeans(3, kernel="rbf", random_state=1)])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_fewer_different_rows_than_clusters_are_clusters_of_their_own():
    rows = np.repeat([[0.0], [1.0], [5.0]], 3, axis=0)
    with pytest.warns(
        ConvergenceWarning, match=r"Number of distinct clusters \(3\) found smaller than n_clusters \(8\)"
    ):
        model = KernelKMeans().fit(rows)
    assert len(set(model.labels_.tolist())) == 3 and model.inertia_ == 0
    assert model.transform(rows).shape == (9, 3) == (9, len(model.get_feature_names_out()))


@pytest.mark.parametrize("kernel, settings", KERNELS)
def test_components_are_scikit_learns_up_to_sign(kernel, settings):
    ours = KernelPCA(3, kernel=kernel, **settings).fit(X)
    matrix = pairwise_kernels(X, metric=kernel, filter_params=True, **settings)
    theirs = sklearn.decomposition.KernelPCA(3, kernel="precomputed", eigen_solver="dense").fit(matrix)
    assert ours.certificate_.verdict == "proved"
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10)
    expected = theirs.transform(pairwise_kernels(NEW, X, metric=kernel, filter_params=True, **settings))
    found = ours.transform(NEW)
    signs = np.sign((found * expected).sum(0))
    np.testing.assert_allclose(found * signs, expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())
    np.testing.assert_allclose(
        pairwise_kernels(NEW, X, metric=kernel, filter_params=True, **settings) @ ours.dual_coef_ + ours.intercept_,
        found,
        rtol=1e-9,
        atol=1e-9 * np.abs(expected).max(),
    )
    scores = ours.transform(X)
    np.testing.assert_allclose(scores.mean(0), 0, atol=1e-9 * np.abs(scores).max())
    np.testing.assert_allclose((scores**2).mean(0), ours.explained_variance_, rtol=1e-9)


def test_a_few_components_of_many_rows_are_those_of_the_whole_matrix():
    many = np.random.default_rng(0).normal(size=(1200, 3))
    few = KernelPCA(4, kernel="rbf", gamma=0.3).fit(many)
    K = rbf_kernel(many, gamma=0.3)
    Q = np.eye(len(many)) - 1 / len(many)
    np.testing.assert_allclose(few.eigenvalues_, np.linalg.eigvalsh(Q @ K @ Q)[::-1][:4], rtol=1e-11)
    assert few.certificate_.verdict == "proved"
    assert "no direction beside them has more variance" in few.certificate_.sentence
    np.testing.assert_array_equal(KernelPCA(4, kernel="rbf", gamma=0.3, n_jobs=1).fit(many).dual_coef_, few.dual_coef_)


def test_linear_components_are_those_of_pca_and_shares_choose_their_number():
    plain = sklearn.decomposition.PCA().fit(X)
    ours = KernelPCA().fit(X)
    assert ours.n_components_ == 4
    np.testing.assert_allclose(ours.explained_variance_ratio_, plain.explained_variance_ratio_, rtol=1e-9)
    half = KernelPCA(0.8).fit(X)
    ratios = plain.explained_variance_ratio_.cumsum()
    assert half.n_components_ == int(np.searchsorted(ratios, 0.8)) + 1


def test_a_row_of_weight_two_is_the_row_twice_and_sparse_rows_are_the_same():
    weight = RNG.integers(0, 3, len(X)).astype(float)
    twice = np.repeat(X, weight.astype(int), axis=0)
    for make in (KernelPCA(2, kernel="rbf", gamma=0.2),):
        np.testing.assert_allclose(
            make.fit(X, sample_weight=weight).transform(NEW),
            make.__class__(**make.get_params()).fit(twice).transform(NEW),
            atol=1e-9,
        )
    thin = np.where(np.abs(X) > 1, X, 0.0)
    np.testing.assert_allclose(
        KernelPCA(2, kernel="rbf", gamma=0.2)
        .fit(scipy.sparse.csr_matrix(thin))
        .transform(scipy.sparse.csr_matrix(thin)),
        KernelPCA(2, kernel="rbf", gamma=0.2).fit(thin).transform(thin),
        atol=1e-9,
    )


def test_linear_clusters_are_those_of_plain_k_means():
    blobs = np.vstack([RNG.normal(c, 0.3, size=(30, 2)) for c in ((0, 0), (4, 0), (0, 5))])
    ours = KernelKMeans(3, random_state=0).fit(blobs)
    theirs = sklearn.cluster.KMeans(3, n_init=10, random_state=0).fit(blobs)
    assert ours.certificate_.verdict == "proved" and "other clusters may cost less" in ours.certificate_.sentence
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-10)
    places = dict(zip(theirs.labels_, ours.labels_, strict=True))
    assert [places[label] for label in theirs.labels_] == ours.labels_.tolist()
    fresh = RNG.normal(2, 2, size=(40, 2))
    order = [ours.labels_[theirs.labels_ == label][0] for label in range(3)]
    np.testing.assert_allclose(ours.transform(fresh)[:, order], theirs.transform(fresh), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(fresh), ours.transform(fresh).argmin(1))
    np.testing.assert_array_equal(ours.predict(blobs), ours.labels_)


def test_a_kernel_separates_rings_that_means_cannot():
    angle = RNG.uniform(0, 2 * np.pi, 200)
    radius = np.repeat([1.0, 4.0], 100)
    rings = np.c_[radius * np.cos(angle), radius * np.sin(angle)] + RNG.normal(0, 0.1, (200, 2))
    lifted = KernelKMeans(2, kernel="poly", degree=2, gamma=1.0, coef0=0.0, n_init=20, random_state=0).fit(rings)
    inside = lifted.labels_[:100]
    assert max((inside == 0).mean(), (inside == 1).mean()) == 1.0
    assert len(set(lifted.labels_[100:])) >= 1
    matrix = rbf_kernel(rings, gamma=0.5)
    given = KernelKMeans(2, kernel="precomputed", n_init=50, random_state=3).fit(matrix)
    assert given.inertia_ == pytest.approx(
        KernelKMeans(2, kernel="rbf", gamma=0.5, n_init=50, random_state=3).fit(rings).inertia_, rel=1e-9
    )


def test_files_and_pickles_answer_alike(tmp_path):
    for made in (KernelPCA(2, kernel="rbf").fit(X), KernelKMeans(3, random_state=1).fit(X)):
        made.save(tmp_path / "m.recta")
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(made)).transform(NEW), made.transform(NEW))
        assert (tmp_path / "m.recta").stat().st_size > 1000


def test_what_cannot_be_found_is_said():
    with pytest.raises(ValueError, match="do not vary"):
        KernelPCA(2).fit(np.ones((5, 2)))
    with pytest.raises(ValueError, match="'n_components' parameter"):
        KernelPCA(1.5).fit(X)
    with pytest.raises(ValueError, match="n_jobs must be None, a positive integer"):
        KernelPCA(2, n_jobs=0).fit(X)
    assert "3 directions, and 9 components" in KernelPCA(9).fit(X[:, :3]).certificate_.sentence
