"""Nystroem and RBFSampler beside the kernel matrix itself, computed by scikit-learn."""

import pickle

import numpy as np
import pytest
import sklearn.kernel_approximation
from sklearn.base import clone
from sklearn.metrics.pairwise import chi2_kernel, laplacian_kernel, polynomial_kernel, rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from recta.kernel_approximation import Nystroem, RBFSampler
from recta.linear_model import LogisticRegression
from recta.preprocessing import FeatureMap

X = np.random.default_rng(3).normal(size=(150, 3))
KERNELS = {
    "rbf": lambda x, z: rbf_kernel(x, z, gamma=0.4),
    "laplacian": lambda x, z: laplacian_kernel(x, z, gamma=0.4),
    "polynomial": lambda x, z: polynomial_kernel(x, z, gamma=0.4, degree=2, coef0=0.5),
    "chi2": lambda x, z: chi2_kernel(x, z, gamma=0.4),
}


@parametrize_with_checks(
    [
        Nystroem(n_components=5, random_state=1),
        Nystroem(kernel="poly", degree=2, n_components=3),
        RBFSampler(n_components=7),
        RBFSampler(gamma="scale", random_state=3),
    ]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kernel", KERNELS)
def test_features_are_the_kernel_projected_onto_landmarks(kernel):
    rows = np.abs(X) if kernel == "chi2" else X
    made = Nystroem(kernel, gamma=0.4, degree=2, coef0=0.5, n_components=30, random_state=1).fit(rows)
    exact = KERNELS[kernel]
    Z = made.transform(rows)
    np.testing.assert_allclose(Z, exact(rows, made.components_) @ made.normalization_.T, rtol=1e-7, atol=1e-9)
    landmarks = made.transform(made.components_)
    np.testing.assert_allclose(
        landmarks @ landmarks.T, exact(made.components_, made.components_), rtol=1e-8, atol=1e-10
    )
    whole = np.trace(exact(rows, rows))
    assert made.trace_error_ == pytest.approx(1 - (Z**2).sum() / whole, abs=1e-9)
    left = np.linalg.eigvalsh(exact(rows, rows) - Z @ Z.T)
    assert left.min() > -1e-8 * whole  # a projection takes nothing away that is not there
    assert all((row == made.components_).all(1).any() for row in made.components_)
    assert all((landmark == rows).all(1).any() for landmark in made.components_)


def test_as_many_landmarks_as_rows_are_the_kernel_itself():
    made = Nystroem(gamma=0.5, n_components=len(X), random_state=0).fit(X)
    Z = made.transform(X)
    np.testing.assert_allclose(Z @ Z.T, rbf_kernel(X, gamma=0.5), atol=1e-9)
    assert 0 <= made.trace_error_ < 1e-9
    with pytest.warns(UserWarning, match="at most 150 landmarks"):
        assert Nystroem(kernel="linear", n_components=200).fit(X).n_components_ == 3  # columns


def test_pivots_beat_landmarks_drawn_evenly():
    rng = np.random.default_rng(0)
    rows = np.vstack([rng.normal(0, 0.05, (980, 2)), rng.normal(3, 2, (20, 2))])
    errors = [Nystroem(gamma=1.0, n_components=20, random_state=seed).fit(rows).trace_error_ for seed in range(5)]
    even = []
    for seed in range(5):
        some = rows[np.random.default_rng(seed).choice(len(rows), 20, replace=False)]
        K, R = rbf_kernel(some, gamma=1.0), rbf_kernel(rows, some, gamma=1.0)
        even.append(1 - np.trace(R @ np.linalg.pinv(K, 1e-12) @ R.T) / len(rows))
    assert np.mean(errors) < np.mean(even)


def test_fourier_features_are_the_kernel_on_average():
    made = RBFSampler(gamma=0.4, n_components=20000, random_state=5).fit(X)
    Z = made.transform(X)
    formula = np.sqrt(2 / 20000) * np.cos(X @ made.random_weights_ + made.random_offset_)
    np.testing.assert_allclose(Z, formula, atol=1e-14)
    assert np.abs(Z @ Z.T - rbf_kernel(X, gamma=0.4)).max() < 0.05
    scaled = RBFSampler(gamma="scale", n_components=50000, random_state=1).fit(X)
    assert scaled.random_weights_.var() / 2 == pytest.approx(1 / (3 * X.var()), rel=0.02)


@pytest.mark.parametrize(
    "maker", [Nystroem(n_components=20, random_state=2), RBFSampler(n_components=20, random_state=2)]
)
def test_a_row_has_the_same_bits_alone_and_among_others_and_after_pickling(maker):
    made = maker.fit(X)
    Z = made.transform(X)
    np.testing.assert_array_equal(np.vstack([made.transform(X[i : i + 1]) for i in range(len(X))]), Z)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(made)).transform(X), Z)
    np.testing.assert_array_equal(maker.__class__(**maker.get_params()).fit(X).transform(X), Z)


def test_a_model_with_the_map_inside_answers_as_the_pipeline_does():
    y = (X**2).sum(1) > 2.5
    inside = LogisticRegression(feature_map=FeatureMap(basis="nystrom(40, gamma=0.5, seed=4)")).fit(X, y)
    assert inside.score(X, y) > 0.95 and inside.certificate_.verdict == "proved"
    assert "40 landmarks stand for the kernel" in inside.certificate_.sentence
    made = FeatureMap(basis="nystrom(40, gamma=0.5, seed=4)")
    np.testing.assert_allclose(
        make_pipeline(made, LogisticRegression()).fit(X, y).predict_proba(X), inside.predict_proba(X), atol=1e-8
    )


def test_bad_requests_are_refused_with_the_cure():
    with pytest.raises(ValueError, match="below zero"):
        Nystroem("chi2", n_components=5).fit(X)
    with pytest.raises(ValueError, match="'kernel' parameter of Nystroem"):
        Nystroem("sigmoid").fit(X)
    with pytest.raises(ValueError, match="'n_components' parameter"):
        RBFSampler(n_components=0).fit(X)


@pytest.mark.parametrize(
    "maker", [Nystroem(gamma=0.5, n_components=12, random_state=3), RBFSampler(n_components=12, random_state=3)]
)
def test_learned_and_made_at_once_has_the_bits_of_one_after_the_other(maker):
    apart, at_once = clone(maker).fit(X), clone(maker)
    np.testing.assert_array_equal(at_once.fit_transform(X), apart.transform(X))
    assert getattr(at_once, "trace_error_", None) == getattr(apart, "trace_error_", None)


@pytest.mark.parametrize("kernel", KERNELS)
def test_default_gammas_are_scikit_learns(kernel):
    rows = np.abs(X[:20])
    ours = Nystroem(kernel, n_components=20, random_state=0).fit(rows).transform(rows)
    theirs = sklearn.kernel_approximation.Nystroem(
        kernel="polynomial" if kernel == "polynomial" else kernel, n_components=20, random_state=0
    ).fit_transform(rows)
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, rtol=1e-7, atol=1e-7)
