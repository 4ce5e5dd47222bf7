"""Kernels of machines: precomputed ones, functions, sums and products, and landmarks in place of all rows."""

import numpy as np
import pytest
import sklearn.svm as peer
from sklearn.datasets import load_iris, load_wine

import recta
from machine_problems import CLASSES, product_plus_gaussian, scaled
from recta.svm import SVC, SVR, NuSVC, NuSVR, kernel_matrix, mercer_check


@pytest.mark.parametrize("kernel", ["laplacian", "chi2"])
@pytest.mark.parametrize("gamma", [0.05, 0.7])
def test_kernels_that_scikit_learn_precomputes(kernel, gamma):
    from sklearn.metrics import pairwise

    X, y = load_wine(return_X_y=True)
    X = X / X.max(axis=0)
    K = {"laplacian": pairwise.laplacian_kernel, "chi2": pairwise.chi2_kernel}[kernel](X, gamma=gamma)
    np.testing.assert_allclose(recta.svm.kernel_matrix(X, kernel, gamma=gamma), K, rtol=0, atol=1e-14)
    ours = SVC(kernel=kernel, gamma=gamma).fit(X, y)
    theirs = peer.SVC(kernel="precomputed", tol=1e-8).fit(K, y)
    assert ours.certificate_.verdict == "proved"
    assert (ours.predict(X) == theirs.predict(K)).all()
    numbers = SVR(kernel=kernel, gamma=gamma, C=2.0, epsilon=0.05).fit(X, X[:, 0] + X[:, 5])
    beside = peer.SVR(kernel="precomputed", C=2.0, epsilon=0.05, tol=1e-8).fit(K, X[:, 0] + X[:, 5])
    np.testing.assert_allclose(numbers.predict(X), beside.predict(K), atol=1e-5)


def test_a_number_below_zero_is_named_for_the_kernel_of_counts():
    with pytest.raises(ValueError, match="row 2, column .*: -1 is below zero"):
        SVC(kernel="chi2").fit([[1.0, 2.0], [3.0, -1.0]], [0, 1])
    model = SVC(kernel="chi2").fit([[1.0, 2.0], [3.0, 1.0]], [0, 1])
    with pytest.raises(ValueError, match="-2 is below zero"):
        model.predict([[1.0, -2.0]])


def test_mercers_condition_has_a_witness_that_numpy_confirms():
    X, _ = load_iris(return_X_y=True)
    found = recta.svm.mercer_check(X, "sigmoid", gamma=0.1, coef0=-1.0)
    K = np.tanh(0.1 * X @ X.T - 1)
    assert not found.positive_semidefinite
    assert found.witness @ K @ found.witness == pytest.approx(found.quadratic_form, rel=1e-12)
    values = np.linalg.eigvalsh(K)
    assert found.least_eigenvalue == pytest.approx(values[0], rel=1e-12)
    assert found.negative_eigenvalues == (values < -found.rounding).sum()
    assert recta.svm.mercer_check(X, "rbf", gamma=0.3).positive_semidefinite
    assert recta.svm.mercer_check(X @ X.T, "precomputed").positive_semidefinite
    with pytest.raises(ValueError, match="row 1, column 2"):
        recta.svm.mercer_check([[1.0, 2.0], [3.0, 1.0]], "precomputed")


def test_a_precomputed_kernel_is_the_kernel():
    X, y = load_wine(return_X_y=True)
    X = scaled(X)
    K = np.exp(-0.05 * ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))
    train, test = np.arange(0, len(X), 2), np.arange(1, len(X), 2)
    ours = SVC(kernel="precomputed", C=2.0).fit(K[np.ix_(train, train)], y[train])
    rows = SVC(kernel="rbf", gamma=0.05, C=2.0).fit(X[train], y[train])
    assert ours.certificate_.verdict == "proved"
    assert ours.certificate_.objective == pytest.approx(rows.certificate_.objective, rel=1e-9)
    assert (ours.predict(K[np.ix_(test, train)]) == rows.predict(X[test])).all()
    numbers = SVR(kernel="precomputed").fit(K[np.ix_(train, train)], X[train, 0])
    np.testing.assert_allclose(
        numbers.predict(K[np.ix_(test, train)]), SVR(gamma=0.05).fit(X[train], X[train, 0]).predict(X[test]), atol=1e-6
    )


def test_a_precomputed_matrix_that_is_none_of_a_kernel_is_said_to_be_so():
    K = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.5], [0.0, 0.5, 1.0]])
    model = SVC(kernel="precomputed").fit(K, [0, 1, 0])
    assert (
        model.certificate_.claim == "stationary"
        and "not known to be positive semidefinite" in model.certificate_.sentence
    )
    with pytest.raises(ValueError, match="the matrix of a kernel is symmetric"):
        SVC(kernel="precomputed").fit([[1.0, 2.0], [3.0, 1.0]], [0, 1])
    with pytest.raises(ValueError, match="not the matrix of a kernel"):
        SVC(kernel="precomputed").fit([[1.0, 2.0, 3.0], [3.0, 1.0, 1.0]], [0, 1])


@pytest.mark.parametrize(
    "estimator", [SVC(C=2.0), NuSVC(nu=0.4), SVR(C=2.0), NuSVR()], ids=lambda model: type(model).__name__
)
def test_a_kernel_of_your_own_is_that_of_its_matrix(estimator):
    import pickle

    from sklearn.base import clone

    X, y = CLASSES["moons"]
    X, others, y = X[::2], X[1::2], y[::2]
    own = clone(estimator).set_params(kernel=product_plus_gaussian).fit(X, y)
    given = clone(estimator).set_params(kernel="precomputed").fit(product_plus_gaussian(X, X), y)
    assert own.certificate_.verdict == "proved", own.certificate_.sentence
    np.testing.assert_array_equal(own.predict(others), given.predict(product_plus_gaussian(others, X)))
    np.testing.assert_array_equal(own.support_vectors_, X[own.support_])
    assert own.n_features_in_ == 2 and own.kernel is product_plus_gaussian
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(own)).predict(others), own.predict(others))
    assert recta.svm.mercer_check(X, product_plus_gaussian).positive_semidefinite
    with pytest.raises(ValueError, match="features"):
        own.predict(others[:, :1])


def test_a_kernel_of_your_own_that_fails_is_told():
    X, y = np.arange(8.0).reshape(4, 2), [0, 1, 0, 1]

    def throws(X, Z):
        raise KeyError("what")

    def gives_nan(X, Z):
        K = X @ Z.T
        K[1, 2] = np.nan
        return K

    def lopsided(X, Z):
        K = X @ Z.T
        K[2, 0] += 1
        return K

    def nothing(X, Z):
        return None

    for kernel, told in [
        (throws, "the kernel throws fails on 4 rows with 4: KeyError: 'what'"),
        (gives_nan, "gives nan for row 2 with row 3"),
        (lopsided, "not symmetric: .* for row 1 with row 3, and .* for row 3 with row 1"),
        (nothing, "gives NoneType|shape|nan"),
        (lambda X, Z: X, r"gives values of shape \(4, 2\) for 4 rows with 4"),
    ]:
        with pytest.raises(ValueError, match=told):
            SVC(kernel=kernel).fit(X, y)
    indefinite = SVC(kernel=lambda X, Z: np.tanh(X @ Z.T - 3)).fit(X, y)
    assert indefinite.certificate_.claim in ("stationary", "duality_gap")


def test_sums_and_products_of_kernels_are_those_of_their_matrices(tmp_path):
    X, y = CLASSES["moons"]
    R, P, L = (recta.svm.kernel_matrix(X, word, gamma=0.7, coef0=1.0, degree=2) for word in ("rbf", "poly", "linear"))
    for kernel, K in (("rbf+linear", R + L), ("rbf*poly + linear", R * P + L)):
        others = {"degree": 2, "coef0": 1.0} if "poly" in kernel else {}
        ours, given = SVC(kernel=kernel, gamma=0.7, **others).fit(X, y), SVC(kernel="precomputed").fit(K, y)
        assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
        assert ours.certificate_.objective == pytest.approx(given.certificate_.objective, rel=1e-9)
        np.testing.assert_allclose(ours.decision_function(X), given.decision_function(K), atol=1e-5)
        ours.save(tmp_path / "m.recta")
        back = SVC.load(tmp_path / "m.recta")
        assert back.kernel == kernel
        np.testing.assert_array_equal(back.decision_function(X), ours.decision_function(X))
    for bad in ("rbf+", "rbf+no", "laplacian+rbf"):
        with pytest.raises(ValueError, match="kernel"):
            SVC(kernel=bad).fit(X, y)


def test_landmarks_stand_for_the_kernel_and_are_kept_in_the_file(tmp_path):
    X, y = CLASSES["moons"]
    exact = SVC(gamma=2.0, C=3.0).fit(X, y)
    all_rows = SVC(gamma=2.0, C=3.0, approximate=len(X)).fit(X, y)
    np.testing.assert_allclose(all_rows.decision_function(X), exact.decision_function(X), atol=1e-4)
    model = SVC(gamma=2.0, C=3.0, approximate=40).fit(X, y)
    assert model.certificate_.verdict == "proved"
    assert "40 landmarks" in model.certificate_.sentence
    assert (model.predict(X) == exact.predict(X)).mean() > 0.97
    model.save(tmp_path / "m.recta")
    again = SVC.load(tmp_path / "m.recta")
    assert (again.approximate, again.kernel, again.gamma, again.C) == (40, "rbf", 2.0, 3.0)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    numbers = SVR(kernel="poly", degree=2, coef0=1.0, approximate=30).fit(X, X[:, 0] ** 2)
    assert numbers.score(X, X[:, 0] ** 2) > 0.95
    for wrong in (SVC(approximate=0), SVC(approximate=5, kernel="linear")):
        with pytest.raises(ValueError, match="approximate"):
            wrong.fit(X, y)


@pytest.mark.parametrize("kernel, gamma", [("rbf", 8.0), ("rbf", 0.1), ("laplacian", 8.0)])
def test_rows_far_apart_have_nothing_in_common(kernel, gamma):
    """Columns that are not scaled: most exponents are far below -700."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 200, (150, 2)).astype(float)
    y = (X.sum(axis=1) > 200).astype(int)
    K = (
        np.exp(-gamma * ((X[:, None] - X) ** 2).sum(axis=2))
        if kernel == "rbf"
        else np.exp(-gamma * np.abs(X[:, None] - X).sum(axis=2))
    )
    theirs = peer.SVC(C=10, kernel="precomputed", tol=1e-10).fit(K, y)
    ours = SVC(C=10, kernel=kernel, gamma=gamma).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(K), atol=1e-6)
    np.testing.assert_allclose(recta.svm.kernel_matrix(X, kernel, gamma=gamma), K, rtol=1e-9, atol=1e-300)


def test_sums_and_products_are_kernels_of_matrices_too_and_polynomial_has_both_of_its_names():
    X = np.random.default_rng(2).standard_normal((12, 3))
    K = {word: kernel_matrix(X, word, gamma=0.5, coef0=1.0, degree=2) for word in ("rbf", "linear", "poly")}
    np.testing.assert_allclose(
        kernel_matrix(X, "rbf*poly + linear", gamma=0.5, coef0=1.0, degree=2),
        K["rbf"] * K["poly"] + K["linear"],
        rtol=1e-14,
    )
    assert mercer_check(X, "rbf+linear", gamma=0.5).positive_semidefinite
    with pytest.raises(ValueError, match="'rbf\\+no'"):
        kernel_matrix(X, "rbf+no")
    y = X[:, 0] * X[:, 1] > 0
    for names in (("poly", "polynomial"), ("rbf*poly", "rbf*polynomial")):
        one, other = (SVC(kernel=name, degree=2, coef0=1.0).fit(X, y) for name in names)
        assert np.array_equal(one.decision_function(X), other.decision_function(X))
