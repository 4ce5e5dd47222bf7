"""Machines beside scikit-learn's: the same objective, never a worse one, and the same layout of what was learned."""

import numpy as np
import pytest
import scipy.sparse
import sklearn.svm as peer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_classification, make_moons, make_regression
from sklearn.preprocessing import StandardScaler

import recta
from recta.svm import SVC, SVR, LinearSVC, NuSVC, NuSVR, OneClassSVM


def scaled(X):
    return StandardScaler().fit_transform(X)


CLASSES = {
    "moons": make_moons(200, noise=0.3, random_state=0),
    "made": make_classification(300, 12, n_informative=5, random_state=1),
    "wide": make_classification(60, 200, n_informative=10, random_state=2),
    "cancer": (scaled(load_breast_cancer().data), load_breast_cancer().target),
}
SEVERAL = {"iris": load_iris(return_X_y=True), "wine": (scaled(load_wine().data), load_wine().target)}
NUMBERS = {
    "diabetes": (load_diabetes().data * 20, load_diabetes().target / 50),
    "made": make_regression(150, 6, noise=5.0, random_state=3),
}
KERNELS = [{"kernel": "rbf"}, {"kernel": "linear"}, {"kernel": "poly", "degree": 2, "coef0": 1.0}, {"kernel": "rbf", "gamma": 0.05, "C": 20.0}]


def objective(model, X, y, K, losses):
    """C sum loss + |w|^2 / 2 from the coefficients alone."""
    beta = np.zeros(len(X))
    beta[model.support_] = model.dual_coef_[0]
    return model.C * losses(K @ beta + model.intercept_[0]).sum() + beta @ K @ beta / 2


def kernel_matrix(model, X):
    gamma = 1 / (X.shape[1] * X.var()) if model.gamma == "scale" else model.gamma
    if model.kernel == "linear":
        return X @ X.T
    if model.kernel == "poly":
        return (gamma * X @ X.T + model.coef0) ** model.degree
    return np.exp(-gamma * ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))


@pytest.mark.parametrize("settings", KERNELS, ids=str)
@pytest.mark.parametrize("name", CLASSES)
def test_two_classes_have_no_worse_an_objective_than_the_peer(name, settings):
    X, y = CLASSES[name]
    ours, theirs = SVC(**settings).fit(X, y), peer.SVC(**settings, tol=1e-10).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    sign, K = 2.0 * y - 1, kernel_matrix(ours, X)

    def hinge(f):
        return np.maximum(0, 1 - sign * f)

    mine, other = (objective(model, X, y, K, hinge) for model in (ours, theirs))
    assert mine <= other * (1 + 1e-8)
    assert mine == pytest.approx(other, rel=1e-4)  # which the peer is from its own optimum
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=2e-3)


@pytest.mark.parametrize("name", SEVERAL)
def test_several_classes_are_laid_out_as_the_peers(name):
    X, y = SEVERAL[name]
    ours, theirs = SVC(C=2.0).fit(X, y), peer.SVC(C=2.0, tol=1e-10).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    np.testing.assert_array_equal(ours.n_support_, theirs.n_support_)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-5)
    np.testing.assert_allclose(ours.support_vectors_, theirs.support_vectors_)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.predict(X), ours.classes_[ours.decision_function(X).argmax(axis=1)])


@pytest.mark.parametrize("settings", KERNELS, ids=str)
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_have_no_worse_an_objective_than_the_peer(name, settings):
    X, y = NUMBERS[name]
    ours, theirs = SVR(**settings, epsilon=0.2).fit(X, y), peer.SVR(**settings, epsilon=0.2, tol=1e-10).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    K = kernel_matrix(ours, X)

    def tube(f):
        return np.maximum(0, np.abs(y - f) - 0.2)

    mine, other = (objective(model, X, y, K, tube) for model in (ours, theirs))
    assert mine <= other * (1 + 1e-8)
    assert mine == pytest.approx(other, rel=1e-4)  # which the peer is from its own optimum


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("name", CLASSES)
def test_a_linear_machine_is_at_least_as_good_as_the_peer_with_a_large_intercept_scaling(name, loss):
    X, y = CLASSES[name]
    ours = LinearSVC(loss=loss, C=0.5).fit(X, y)
    theirs = peer.LinearSVC(loss=loss, C=0.5, intercept_scaling=100.0, max_iter=200000, tol=1e-8, dual=True, random_state=0).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    sign = 2.0 * y - 1

    def total(model):
        lack = np.maximum(0, 1 - sign * (X @ model.coef_[0] + model.intercept_[0]))
        return 0.5 * (lack if loss == "hinge" else lack**2).sum() + (model.coef_**2).sum() / 2

    assert total(ours) <= total(theirs) * (1 + 1e-9)
    assert total(ours) == pytest.approx(total(theirs), rel=2e-2)


def test_weights_are_repetitions():
    X, y = CLASSES["moons"]
    weights = np.arange(len(y)) % 3
    rows = np.repeat(np.arange(len(y)), weights)
    one, two = SVC(C=3.0).fit(X, y, weights), SVC(C=3.0).fit(X[rows], y[rows])
    np.testing.assert_allclose(one.decision_function(X), two.decision_function(X), atol=1e-7)


def test_a_row_alone_scores_as_among_all():
    X, y = SEVERAL["wine"]
    for model in (SVC().fit(X, y), SVC(kernel="linear").fit(X, y), SVR(kernel="poly").fit(X, y)):
        score = model.predict if isinstance(model, SVR) else model.decision_function
        together = score(X)
        for i in (0, 7, len(X) - 1):
            np.testing.assert_array_equal(score(X[i:i + 1])[0], together[i])


def test_sparse_rows_have_the_same_answer():
    import scipy.sparse

    X, y = CLASSES["made"]
    X = X * (np.abs(X) > 1)
    for settings in KERNELS:
        dense, sparse = SVC(**settings).fit(X, y), SVC(**settings).fit(scipy.sparse.csr_array(X), y)
        np.testing.assert_allclose(dense.decision_function(X), sparse.decision_function(scipy.sparse.csr_array(X)), atol=1e-4)


def test_files_keep_the_machine_and_its_proof(tmp_path):
    X, y = SEVERAL["iris"]
    model = SVC(gamma=0.5, C=2.0).fit(X, y)
    model.save(tmp_path / "m.recta")
    back = SVC.load(tmp_path / "m.recta")
    assert back.get_params()["C"] == 2.0 and back.get_params()["gamma"] == 0.5
    np.testing.assert_array_equal(back.decision_function(X), model.decision_function(X))
    assert back.certificate_.verify(X, y).verdict == "proved"
    assert recta.load(tmp_path / "m.recta").predict(X).shape[0] == len(X)


def test_what_is_asked_in_vain_is_refused():
    X, y = SEVERAL["iris"]
    for bad, what in [({"kernel": "no"}, "kernel"), ({"C": 0}, "C"), ({"gamma": -1.0}, "gamma"), ({"gamma": "no"}, "gamma"), ({"degree": 1.5}, "degree"),
                      ({"probability": True}, "probability"), ({"decision_function_shape": "ovo"}, "decision_function_shape")]:
        with pytest.raises(ValueError, match=what):
            SVC(**bad).fit(X, y)
    with pytest.raises(ValueError, match="class"):
        SVC().fit(X, np.zeros(len(X)))
    with pytest.raises(AttributeError):
        SVC().fit(X, y).coef_


@pytest.mark.parametrize("hard", [{"C": 1e12}, {"C": 1e-12}, {"gamma": 1e12}, {"gamma": 1e-12}])
def test_extreme_settings_end_with_a_verdict(hard):
    X, y = CLASSES["moons"]
    model = SVC(**hard).fit(X, y)
    assert model.certificate_.verdict in ("proved", "within_tolerance", "stopped_early")
    assert np.isfinite(model.decision_function(X)).all()


def test_equal_rows_of_both_classes_and_unscaled_columns_are_proved():
    X = np.array([[1e6, 1e-3], [1e6, 1e-3], [2e6, 2e-3], [2e6, 3e-3], [1e6, 5e-3], [3e6, 1e-3]])
    y = np.array([0, 1, 0, 1, 1, 0])
    assert SVC(kernel="linear", C=1.0).fit(X, y).certificate_.verdict in ("proved", "within_tolerance")
    assert SVC().fit(X, y).certificate_.verdict == "proved"


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
    np.testing.assert_allclose(numbers.predict(K[np.ix_(test, train)]), SVR(gamma=0.05).fit(X[train], X[train, 0]).predict(X[test]), atol=1e-6)


def test_a_precomputed_matrix_that_is_none_of_a_kernel_is_said_to_be_so():
    K = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.5], [0.0, 0.5, 1.0]])
    model = SVC(kernel="precomputed").fit(K, [0, 1, 0])
    assert model.certificate_.claim == "stationary" and "not known to be positive semidefinite" in model.certificate_.sentence
    with pytest.raises(ValueError, match="the matrix of a kernel is symmetric"):
        SVC(kernel="precomputed").fit([[1.0, 2.0], [3.0, 1.0]], [0, 1])
    with pytest.raises(ValueError, match="not the matrix of a kernel"):
        SVC(kernel="precomputed").fit([[1.0, 2.0, 3.0], [3.0, 1.0, 1.0]], [0, 1])


def nu_objective(model, X, y, nu):
    """1/2 |w|^2 - nu rho + mean (rho - y g)_+ at the best b and rho, from the directions of the coefficients alone."""
    K, sign = kernel_matrix(model, X), 2.0 * y - 1
    beta = np.zeros(len(X))
    beta[model.support_] = model.dual_coef_[0]
    a = beta * nu / np.abs(beta).sum()  # sum a = nu
    g = K @ a
    r = [np.sort((s * g)[sign == s])[int(np.ceil(nu / 2 * len(X) - 1e-9)) - 1] for s in (1, -1)]
    rho, b = (r[0] + r[1]) / 2, (r[1] - r[0]) / 2
    return a @ K @ a / 2 - nu * rho + np.maximum(0, rho - sign * (g + b)).mean()


@pytest.mark.parametrize("name, settings, nu", [("moons", {}, 0.3), ("moons", {}, 0.7), ("made", {"kernel": "linear"}, 0.7), ("wide", {"kernel": "linear"}, 0.3),
                                                ("made", {"kernel": "poly", "degree": 2, "coef0": 1.0}, 0.3), ("cancer", {"gamma": 0.05}, 0.1)])
def test_a_machine_of_nu_is_that_of_the_peer_and_no_worse(name, settings, nu):
    X, y = CLASSES[name]
    ours, theirs = NuSVC(nu=nu, **settings).fit(X, y), peer.NuSVC(nu=nu, **settings, tol=1e-9).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    assert nu_objective(ours, X, y, nu) <= nu_objective(theirs, X, y, nu) + 1e-9 * abs(nu_objective(theirs, X, y, nu))
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    sign, scores = 2 * y - 1, ours.decision_function(X)
    assert np.mean(sign * scores < 1 - 1e-6) <= nu <= ours.n_support_.sum() / len(y) + 1e-12
    same = SVC(C=np.abs(ours.dual_coef_).sum() / (nu * len(y)), **settings).fit(X, y)  # its C
    np.testing.assert_allclose(same.decision_function(X), scores, atol=1e-4)


def test_several_classes_of_nu_are_laid_out_as_the_peers():
    X, y = SEVERAL["wine"]
    ours, theirs = NuSVC(nu=0.4).fit(X, y), peer.NuSVC(nu=0.4, tol=1e-10).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)


@pytest.mark.parametrize("name, settings, nu", [("diabetes", {}, 0.1), ("diabetes", {"kernel": "linear"}, 0.5), ("diabetes", {"gamma": 0.05}, 0.9),
                                                ("made", {}, 0.5), ("made", {"kernel": "poly", "degree": 2, "coef0": 1.0}, 0.3)])
def test_a_tube_of_nu_is_that_of_the_peer_and_no_worse(name, settings, nu):
    X, y = NUMBERS[name]
    ours, theirs = NuSVR(nu=nu, C=2.0, **settings).fit(X, y), peer.NuSVR(nu=nu, C=2.0, **settings, tol=1e-9).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-4 * np.ptp(y))
    K = kernel_matrix(ours, X)

    def total(model):
        beta = np.zeros(len(X))
        beta[model.support_] = model.dual_coef_[0]
        errors = np.sort(np.abs(y - K @ beta - model.intercept_[0]))
        epsilon = errors[len(y) - 1 - int(nu * len(y))] if nu < 1 else 0.0  # the best for these scores
        return beta @ K @ beta / 2 + 2.0 * (nu * epsilon * len(y) + np.maximum(0, errors - epsilon).sum())

    assert total(ours) <= total(theirs) * (1 + 1e-7)
    errors = np.abs(y - ours.predict(X))
    assert np.mean(errors > ours.epsilon_ * (1 + 1e-7) + 1e-9) <= nu <= ours.n_support_[0] / len(y) + 1e-12


def test_weights_of_nu_are_repetitions():
    X, y = CLASSES["moons"]
    weights = np.arange(len(y)) % 3
    rows = np.repeat(np.arange(len(y)), weights)
    one, two = NuSVC(nu=0.4).fit(X, y, weights), NuSVC(nu=0.4).fit(X[rows], y[rows])
    np.testing.assert_allclose(one.decision_function(X), two.decision_function(X), atol=1e-5)
    three, four = NuSVR(nu=0.4).fit(X, X[:, 0] * X[:, 1], weights), NuSVR(nu=0.4).fit(X[rows], (X[:, 0] * X[:, 1])[rows])
    np.testing.assert_allclose(three.predict(X), four.predict(X), atol=1e-5)


def test_a_nu_that_the_classes_do_not_allow_is_refused_with_the_largest():
    X, y = CLASSES["cancer"]
    with pytest.raises(ValueError, match="nu = 0.8 is not feasible.*give nu = 0.745") as refused:
        NuSVC(nu=0.8).fit(X, y)
    largest = float(str(refused.value).split("give nu = ")[1].split(" ")[0])
    assert largest == 2 * min(np.mean(y), 1 - np.mean(y))
    assert NuSVC(nu=largest).fit(X, y).certificate_.verdict == "proved"
    X, y = CLASSES["moons"]
    with pytest.raises(ValueError, match="w = 0 is optimal"):
        NuSVC(nu=0.1, kernel="linear").fit(X, y)
    for bad in (0.0, -1.0, 1.5):
        with pytest.raises(ValueError, match="nu"):
            NuSVC(nu=bad).fit(X, y)


def test_files_keep_machines_of_nu(tmp_path):
    X, y = CLASSES["moons"]
    for model, target in ((NuSVC(nu=0.4), y), (NuSVR(nu=0.3, C=2.0), X[:, 0] * X[:, 1])):
        model.fit(X, target).save(tmp_path / "m.recta")
        back = type(model).load(tmp_path / "m.recta")
        assert back.get_params()["nu"] == model.nu
        np.testing.assert_array_equal(back.predict(X), model.predict(X))
        assert back.certificate_.verify(X, target).verdict == "proved"


def test_the_dual_is_traced_as_it_is_taught():
    X, y = [[-3.0], [-1.0], [1.0], [2.0], [5.0], [9.0]], [-1, -1, 1, 1, 1, 1]
    taught = recta.trace("svm", X, y, hard=True, steps=2000, every=500)
    np.testing.assert_allclose(taught.coef[-1], [1, 0, 0.5, 0.5, 0, 0, 0], atol=1e-6)
    course = recta.trace("svm", X, y, hard=True, solver="course", steps=5000, every=500)
    assert course.diverged and "nothing is claimed" in course.stop


def product_plus_gaussian(X, Z):
    return X @ Z.T + np.exp(-0.3 * ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2))


@pytest.mark.parametrize("estimator", [SVC(C=2.0), NuSVC(nu=0.4), SVR(C=2.0), NuSVR()], ids=lambda model: type(model).__name__)
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

    for kernel, told in [(throws, "the kernel throws fails on 4 rows with 4: KeyError: 'what'"), (gives_nan, "gives nan for row 2 with row 3"),
                         (lopsided, "not symmetric: .* for row 1 with row 3, and .* for row 3 with row 1"), (nothing, "gives NoneType|shape|nan"),
                         (lambda X, Z: X, r"gives values of shape \(4, 2\) for 4 rows with 4")]:
        with pytest.raises(ValueError, match=told):
            SVC(kernel=kernel).fit(X, y)
    indefinite = SVC(kernel=lambda X, Z: np.tanh(X @ Z.T - 3)).fit(X, y)
    assert indefinite.certificate_.claim in ("stationary", "duality_gap")


@pytest.mark.parametrize("settings", [{}, {"gamma": 0.05, "nu": 0.1}, {"kernel": "poly", "degree": 2, "coef0": 1.0, "nu": 0.333}, {"kernel": "laplacian", "nu": 0.9}],
                         ids=str)
@pytest.mark.parametrize("name", ["moons", "made"])
def test_a_border_of_one_class_is_that_of_the_peer(name, settings):
    X, _ = CLASSES[name]
    ours = OneClassSVM(**settings).fit(X)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    if settings.get("kernel") == "laplacian":
        K = recta.svm.kernel_matrix(X, "laplacian")
        theirs = peer.OneClassSVM(kernel="precomputed", nu=settings["nu"], tol=1e-9).fit(K)
        scores = theirs.decision_function(K)
    else:
        theirs = peer.OneClassSVM(**settings, tol=1e-9).fit(X)
        scores = theirs.decision_function(X)
    np.testing.assert_allclose(ours.decision_function(X), scores, atol=1e-6 * np.abs(scores).max())
    assert ours.offset_ == pytest.approx(theirs.offset_, rel=1e-6)
    np.testing.assert_allclose(ours.score_samples(X) - ours.offset_, ours.decision_function(X), atol=1e-9 * ours.offset_)
    nu = settings.get("nu", 0.5)
    assert np.mean(ours.decision_function(X) < -1e-7 * ours.offset_) <= nu <= len(ours.support_) / len(X) + 1e-12
    np.testing.assert_array_equal(ours.predict(X), np.where(ours.decision_function(X) >= 0, 1, -1))


def test_a_border_of_weights_of_a_function_and_of_a_file(tmp_path):
    X, _ = CLASSES["moons"]
    weights = np.arange(len(X)) % 3
    rows = np.repeat(np.arange(len(X)), weights)
    one, two = OneClassSVM(nu=0.3).fit(X, sample_weight=weights), OneClassSVM(nu=0.3).fit(X[rows])
    np.testing.assert_allclose(one.decision_function(X), two.decision_function(X), atol=1e-6)
    own, given = OneClassSVM(kernel=product_plus_gaussian).fit(X), OneClassSVM(kernel="precomputed").fit(product_plus_gaussian(X, X))
    np.testing.assert_array_equal(own.decision_function(X[:9]), given.decision_function(product_plus_gaussian(X[:9], X)))
    one.save(tmp_path / "m.recta")
    np.testing.assert_array_equal(recta.load(tmp_path / "m.recta").predict(X)[:, 1], one.decision_function(X))
    with pytest.raises(ValueError, match="w = 0 is optimal"):
        OneClassSVM(kernel="linear", nu=0.1).fit(X - X.mean(axis=0))


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


def liblinear_objective(X, y, w, b, C, penalty, loss, scaling):
    lack = np.maximum(0, 1 - y * (X @ w + b))
    inside = abs(b) / scaling if penalty == "l1" else (b / scaling) ** 2 / 2
    return (np.abs(w).sum() if penalty == "l1" else w @ w / 2) + inside + C * (lack**2 if loss == "squared_hinge" else lack).sum()


@pytest.mark.parametrize("C", [0.01, 1.0])
@pytest.mark.parametrize("scaling", [1.0, 4.0])
@pytest.mark.parametrize(("penalty", "loss"), [("l2", "hinge"), ("l2", "squared_hinge"), ("l1", "squared_hinge")])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_penalised_intercept_is_the_objective_of_liblinear(penalty, loss, scaling, C, sparse):
    rng = np.random.default_rng(3)
    X = rng.normal(1.0, 1.0, (120, 12)) * (rng.random((120, 12)) < 0.5)
    y = np.where(X[:, 0] - X[:, 1] + rng.normal(0, 0.5, 120) > 0.3, 1, -1)
    rows = scipy.sparse.csr_matrix(X) if sparse else X
    ours = LinearSVC(penalty=penalty, loss=loss, C=C, intercept_scaling=scaling, penalised_intercept=True).fit(rows, y)
    theirs = peer.LinearSVC(penalty=penalty, loss=loss, C=C, intercept_scaling=scaling, dual=penalty == "l2", tol=1e-10, max_iter=1000000,
                            random_state=0).fit(X, y)
    assert ours.certificate_.verdict == "proved"
    mine, other = (liblinear_objective(X, y, model.coef_[0], model.intercept_[0], C, penalty, loss, scaling) for model in (ours, theirs))
    assert mine <= other * (1 + 1e-12)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    assert penalty == "l2" or ((ours.coef_ == 0) == (theirs.coef_ == 0)).all()
    assert np.isclose(ours.certificate_.objective, mine / (C * 120 * (2 if loss == "squared_hinge" else 1)), rtol=1e-9)


def test_absolute_values_meet_their_conditions_with_a_free_intercept():
    rng = np.random.default_rng(4)
    X = rng.normal(5.0, 1.0, (150, 20))
    y = np.where(X[:, 0] - X[:, 1] + rng.normal(0, 0.5, 150) > 0, 1, -1)
    weight = rng.uniform(0.5, 2.0, 150)
    model = LinearSVC(penalty="l1", C=0.05, dual=False).fit(X, y, weight)
    assert model.certificate_.verdict == "proved"
    w, b = model.coef_[0], model.intercept_[0]
    beta = 2 * 0.05 * weight * np.maximum(0, 1 - y * (X @ w + b)) * y
    g = X.T @ beta
    assert abs(beta.sum()) < 1e-10
    np.testing.assert_allclose(g[w != 0], np.sign(w[w != 0]), atol=1e-9)
    assert (np.abs(g[w == 0]) <= 1).all()
    assert 0 < (w != 0).sum() < 20


def test_linear_machines_keep_their_penalty_in_their_file(tmp_path):
    X, y = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0], [2.5, 3.0]], [0, 0, 1, 1, 2]
    model = LinearSVC(penalty="l1", C=2.0, penalised_intercept=True, intercept_scaling=3.0).fit(X, y)
    model.save(tmp_path / "m.recta")
    again = LinearSVC.load(tmp_path / "m.recta")
    assert (again.penalty, again.penalised_intercept, again.intercept_scaling) == ("l1", True, 3.0)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    with pytest.raises(ValueError, match="loss='squared_hinge'"):
        LinearSVC(penalty="l1", loss="hinge").fit(X, y)
    with pytest.raises(ValueError, match="'penalty'"):
        LinearSVC(penalty="l3").fit(X, y)


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
    K = np.exp(-gamma * ((X[:, None] - X) ** 2).sum(axis=2)) if kernel == "rbf" else np.exp(-gamma * np.abs(X[:, None] - X).sum(axis=2))
    theirs = peer.SVC(C=10, kernel="precomputed", tol=1e-10).fit(K, y)
    ours = SVC(C=10, kernel=kernel, gamma=gamma).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(K), atol=1e-6)
    np.testing.assert_allclose(recta.svm.kernel_matrix(X, kernel, gamma=gamma), K, rtol=1e-9, atol=1e-300)
