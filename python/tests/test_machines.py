"""Machines beside scikit-learn's: the same objective, never a worse one, and the same layout of what was learned."""

import numpy as np
import pytest
import scipy.sparse
import sklearn.svm as peer
from sklearn.exceptions import ConvergenceWarning

import recta
import recta.svm
from machine_problems import CLASSES, NUMBERS, SEVERAL, kernel_matrix
from recta.svm import SVC, SVR

KERNELS = [
    {"kernel": "rbf"},
    {"kernel": "linear"},
    {"kernel": "poly", "degree": 2, "coef0": 1.0},
    {"kernel": "rbf", "gamma": 0.05, "C": 20.0},
]


def objective(model, X, y, K, losses):
    """C sum loss + |w|^2 / 2 from the coefficients alone."""
    beta = np.zeros(len(X))
    beta[model.support_] = model.dual_coef_[0]
    return model.C * losses(K @ beta + model.intercept_[0]).sum() + beta @ K @ beta / 2


@pytest.mark.parametrize("settings", KERNELS, ids=str)
@pytest.mark.parametrize("name", CLASSES)
def test_two_classes_have_no_worse_an_objective_than_the_peer(name, settings):
    X, y = CLASSES[name]
    ours, theirs = SVC(**settings).fit(X, y), peer.SVC(**settings, tol=1e-12).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    exact = SVC(**settings, tolerance=1e-12).fit(X, y)
    sign, K = 2.0 * y - 1, kernel_matrix(ours, X)

    def hinge(f):
        return np.maximum(0, 1 - sign * f)

    mine, best, other = (objective(model, X, y, K, hinge) for model in (ours, exact, theirs))
    assert mine <= other * (1 + 1e-8)
    assert best <= other * (1 + 1e-12)
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
    ours, theirs = SVR(**settings, epsilon=0.2).fit(X, y), peer.SVR(**settings, epsilon=0.2, tol=1e-12).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    exact = SVR(**settings, epsilon=0.2, tolerance=1e-12).fit(X, y)
    K = kernel_matrix(ours, X)

    def tube(f):
        return np.maximum(0, np.abs(y - f) - 0.2)

    mine, best, other = (objective(model, X, y, K, tube) for model in (ours, exact, theirs))
    assert mine <= other * (1 + 1e-8)
    assert best <= other * (1 + 1e-12)
    assert mine == pytest.approx(other, rel=1e-4)  # which the peer is from its own optimum


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
            np.testing.assert_array_equal(score(X[i : i + 1])[0], together[i])


def test_sparse_rows_have_the_same_answer():
    import scipy.sparse

    X, y = CLASSES["made"]
    X = X * (np.abs(X) > 1)
    for settings in KERNELS:
        dense, sparse = SVC(**settings).fit(X, y), SVC(**settings).fit(scipy.sparse.csr_array(X), y)
        np.testing.assert_allclose(
            dense.decision_function(X), sparse.decision_function(scipy.sparse.csr_array(X)), atol=1e-4
        )


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_matrix, scipy.sparse.csc_array])
@pytest.mark.parametrize("name", ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"])
def test_what_was_learned_is_stored_as_the_peers(name, form):
    X, y = SEVERAL["iris"]
    for kernel in ("linear", "rbf"):
        ours, theirs = (
            getattr(module, name)(kernel=kernel, nu=0.3).fit(form(X), y)
            if "Nu" in name or name == "OneClassSVM"
            else getattr(module, name)(kernel=kernel).fit(form(X), y)
            for module in (recta.svm, peer)
        )
        assert np.shape(ours.n_iter_) == np.shape(theirs.n_iter_)
        for what in (
            ("dual_coef_", "support_vectors_", "coef_") if kernel == "linear" else ("dual_coef_", "support_vectors_")
        ):
            mine, other = getattr(ours, what), getattr(theirs, what)
            assert scipy.sparse.issparse(mine) == scipy.sparse.issparse(other) == (form is not np.asarray), what
            assert not scipy.sparse.issparse(mine) or mine.format == other.format, what
            assert what == "support_vectors_" or mine.shape[0] == other.shape[0], what
        assert ours.certificate_.verify(form(X), y).verdict == "proved"


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
    for bad, what in [
        ({"kernel": "no"}, "kernel"),
        ({"C": 0}, "C"),
        ({"gamma": -1.0}, "gamma"),
        ({"gamma": "no"}, "gamma"),
        ({"degree": 1.5}, "degree"),
        ({"probability": True}, "probability"),
        ({"decision_function_shape": "ovo"}, "decision_function_shape"),
    ]:
        with pytest.raises(ValueError, match=what):
            SVC(**bad).fit(X, y)
    with pytest.raises(ValueError, match="class"):
        SVC().fit(X, np.zeros(len(X)))
    with pytest.raises(AttributeError):
        SVC().fit(X, y).coef_


def test_an_infinite_cost_is_a_hard_margin(tmp_path):
    X = np.array([[1, 0], [-1, 0], [0, 1], [0, -1], [2, 0], [-2, 0], [0, 2], [0, -2]], dtype=float)
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    model = SVC(C=float("inf"), kernel="poly", degree=2, gamma=1.0).fit(X, y)
    assert model.certificate_.verdict == "proved"
    np.testing.assert_allclose(model.decision_function(X), 2 / 3 * (X**2).sum(axis=1) - 5 / 3, rtol=0, atol=1e-14)
    model.save(tmp_path / "m.recta")
    back = SVC.load(tmp_path / "m.recta")
    assert back.get_params()["C"] == float("inf") and back.certificate_.verify(X, y).verdict == "proved"
    with pytest.raises(ValueError, match="no hyperplane in the space of the kernel separates the classes"):
        SVC(C=float("inf"), gamma=1.0).fit(np.vstack([X, X[:1]]), [*y, 1])


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


def test_the_dual_is_traced_as_it_is_taught():
    X, y = [[-3.0], [-1.0], [1.0], [2.0], [5.0], [9.0]], [-1, -1, 1, 1, 1, 1]
    taught = recta.trace("svm", X, y, hard=True, steps=2000, every=500)
    np.testing.assert_allclose(taught.coef[-1], [1, 0, 0.5, 0.5, 0, 0, 0], atol=1e-6)
    course = recta.trace("svm", X, y, hard=True, solver="course", steps=5000, every=500)
    assert course.diverged and "nothing is claimed" in course.stop


@pytest.mark.parametrize("seed", range(12))
def test_rows_that_repeat_and_weigh_differently_are_proved_at_a_small_cost(seed):
    """Hardly any weight is needed, and most coefficients may be anything that adds up: the proof is the oracle."""
    random = np.random.default_rng(seed)
    X = np.round(random.standard_normal((400, 1))) / 100
    score = X[:, 0] + 0.01 * random.standard_normal(400)
    y, weights = np.where(score > np.quantile(score, 0.67), 1, -1), random.choice([0.1, 1.0, 3.0, 7.5], 400)
    for C in (2.4e-3, 0.1):
        model = SVC(kernel="linear", C=C).fit(X, y, weights)
        assert model.certificate_.verdict == "proved", model.certificate_.sentence


def test_a_fit_that_was_stopped_is_no_refuted_one():
    random = np.random.default_rng(0)
    X = random.standard_normal((6000, 4))
    y = X.sum(axis=1) + 2 * random.standard_normal(6000) > 0
    for after in (2, 3, 4):  # the intercepts that are best for unfinished scores may be an interval
        steps = []

        def enough(step, steps=steps, after=after):
            steps.append(step)
            return len(steps) < after

        with pytest.warns(ConvergenceWarning, match="interrupted"):
            model = SVC(verbose=enough, n_jobs=1).fit(X, y)
        assert model.certificate_.verdict == "stopped_early", model.certificate_.sentence
        assert model.certificate_.gap > 0


def test_rows_too_large_for_a_kernel_are_named_and_those_far_away_have_nothing_in_common():
    X, y = CLASSES["moons"]
    with pytest.raises(ValueError, match="row 2: its score is not a number"):
        SVC(kernel="poly").fit(X, y).predict([[0.0, 0.0], [1e150, -1e150]])
    model = SVC(kernel="rbf").fit(X, y)
    far = model.decision_function([[1e100, 1e100]])
    for size in (1e160, 1e307, -1e307):
        assert model.decision_function([[size, size]]) == far == model.intercept_


def test_a_kernel_of_complex_numbers_is_refused_and_one_symmetric_to_rounding_is_not():
    X, y = CLASSES["moons"]
    with pytest.raises(ValueError, match="complex numbers"):
        SVC(kernel=lambda A, B: (A @ B.T) * 1j).fit(X, y)

    def nearly(A, B):
        K = np.exp(-((A[:, None] - B[None]) ** 2).sum(axis=2) * 40)
        return K + 1e-17 * np.tri(*K.shape)

    plain = SVC(kernel="rbf", gamma=40.0).fit(X, y)
    np.testing.assert_allclose(SVC(kernel=nearly).fit(X, y).decision_function(X), plain.decision_function(X), atol=1e-6)
