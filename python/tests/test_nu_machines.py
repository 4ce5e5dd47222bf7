"""Machines of nu and borders of one class beside scikit-learn's: the same answers, never a worse objective."""

import numpy as np
import pytest
import sklearn.svm as peer
from scipy.optimize import linprog

import recta
from machine_problems import CLASSES, NUMBERS, SEVERAL, kernel_matrix, product_plus_gaussian
from recta.svm import SVC, NuSVC, NuSVR, OneClassSVM


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


@pytest.mark.parametrize(
    "name, settings, nu",
    [
        ("moons", {}, 0.3),
        ("moons", {}, 0.7),
        ("made", {"kernel": "linear"}, 0.7),
        ("wide", {"kernel": "linear"}, 0.3),
        ("made", {"kernel": "poly", "degree": 2, "coef0": 1.0}, 0.3),
        ("cancer", {"gamma": 0.05}, 0.1),
    ],
)
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


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize(
    "name, nu, factors",
    [
        ("moons", 0.5, {0: 10.0, 1: 1.0}),
        ("moons", 0.4, {0: 0.5, 1: 50.0}),
        ("cancer", 0.3, "balanced"),
        ("cancer", 0.7, {0: 1.0, 1: 5.0}),
    ],
)
def test_weights_of_classes_multiply_the_losses_at_the_cost_of_nu(name, nu, factors, kernel):
    """The C of a machine without them is what its multipliers that lie between nothing and C leave."""
    X, y = CLASSES[name]
    settings = {"kernel": kernel, "tolerance": 1e-9}
    ours, plain = NuSVC(nu=nu, class_weight=factors, **settings).fit(X, y), NuSVC(nu=nu, **settings).fit(X, y)
    assert ours.certificate_.verdict == plain.certificate_.verdict == "proved", ours.certificate_.sentence
    assert f"C is that of nu = {nu} without the weights of the classes" in ours.certificate_.sentence
    same = SVC(C=np.abs(plain.dual_coef_).max(), class_weight=factors, **settings).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), same.decision_function(X), rtol=1e-4, atol=1e-4)
    assert ours.certificate_.verify(X, y).verdict == "proved"


def test_a_pair_of_several_classes_has_the_largest_nu_that_its_own_allow():
    """Each pair alone is refused above that nu, and is the machine of the pair at it."""
    X, y = SEVERAL["wine"]
    rows = np.concatenate([np.flatnonzero(y == k)[:count] for k, count in enumerate((40, 8, 20))])
    X, y = X[rows], y[rows]
    ours = NuSVC(nu=0.5, gamma=0.05).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    assert "nu is less than 0.5 in 1 of them" in ours.certificate_.sentence
    won = np.zeros((len(y), 3))
    for i, j in [(0, 1), (0, 2), (1, 2)]:
        pair = (y == i) | (y == j)
        count = np.bincount(y[pair], minlength=3)[[i, j]]
        largest = 2 * count.min() / count.sum()
        if largest < 0.5:
            with pytest.raises(ValueError, match="is not feasible"):
                NuSVC(nu=0.5, gamma=0.05).fit(X[pair], y[pair])
        scores = NuSVC(nu=min(0.5, largest), gamma=0.05).fit(X[pair], y[pair]).decision_function(X)
        won[:, i] += scores < 0
        won[:, j] += scores > 0
    np.testing.assert_array_equal(np.round(ours.decision_function(X)), won)


def test_several_classes_of_nu_are_laid_out_as_the_peers():
    X, y = SEVERAL["wine"]
    ours, theirs = NuSVC(nu=0.4).fit(X, y), peer.NuSVC(nu=0.4, tol=1e-10).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)


@pytest.mark.parametrize(
    "name, settings, nu",
    [
        ("diabetes", {}, 0.1),
        ("diabetes", {"kernel": "linear"}, 0.5),
        ("diabetes", {"gamma": 0.05}, 0.9),
        ("made", {}, 0.5),
        ("made", {"kernel": "poly", "degree": 2, "coef0": 1.0}, 0.3),
    ],
)
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
    three, four = (
        NuSVR(nu=0.4).fit(X, X[:, 0] * X[:, 1], weights),
        NuSVR(nu=0.4).fit(X[rows], (X[:, 0] * X[:, 1])[rows]),
    )
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


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"gamma": 0.05, "nu": 0.1},
        {"kernel": "poly", "degree": 2, "coef0": 1.0, "nu": 0.333},
        {"kernel": "laplacian", "nu": 0.9},
    ],
    ids=str,
)
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
    np.testing.assert_allclose(
        ours.score_samples(X) - ours.offset_, ours.decision_function(X), atol=1e-9 * ours.offset_
    )
    nu = settings.get("nu", 0.5)
    assert np.mean(ours.decision_function(X) < -1e-7 * ours.offset_) <= nu <= len(ours.support_) / len(X) + 1e-12
    np.testing.assert_array_equal(ours.predict(X), np.where(ours.decision_function(X) >= 0, 1, -1))


def test_a_border_of_weights_of_a_function_and_of_a_file(tmp_path):
    X, _ = CLASSES["moons"]
    weights = np.arange(len(X)) % 3
    rows = np.repeat(np.arange(len(X)), weights)
    one, two = OneClassSVM(nu=0.3).fit(X, sample_weight=weights), OneClassSVM(nu=0.3).fit(X[rows])
    np.testing.assert_allclose(one.decision_function(X), two.decision_function(X), atol=1e-6)
    own, given = (
        OneClassSVM(kernel=product_plus_gaussian).fit(X),
        OneClassSVM(kernel="precomputed").fit(product_plus_gaussian(X, X)),
    )
    np.testing.assert_array_equal(
        own.decision_function(X[:9]), given.decision_function(product_plus_gaussian(X[:9], X))
    )
    one.save(tmp_path / "m.recta")
    np.testing.assert_array_equal(recta.load(tmp_path / "m.recta").predict(X)[:, 1], one.decision_function(X))
    with pytest.raises(ValueError, match="w = 0 is optimal"):
        OneClassSVM(kernel="linear", nu=0.1).fit(X - X.mean(axis=0))


def test_the_range_of_nu_is_said_the_same_at_both_ends():
    for machine in (NuSVC, NuSVR, OneClassSVM):
        for nu in (0.0, -1.0, 1.5, float("nan")):
            with pytest.raises(ValueError, match=r"'nu' parameter of .* in the range \(0.0, 1.0\]"):
                machine(nu=nu).fit([[0.0], [1.0]], [0, 1])


def test_a_nu_that_tells_nothing_is_refused_however_it_is_found():
    """If the reduced hulls of the classes meet, w = 0 is optimal; a linear programme tells whether they do."""
    random = np.random.default_rng(5)
    X = random.integers(-20, 21, (400, 3)) / 10
    y = np.where(X @ [1, 1, -1] + random.normal(size=400) > 0, 1, -1)
    refused = []
    for nu in np.arange(0.2, 0.5, 0.02):
        sides = [*(X.T * y), y > 0, y < 0]
        meet = linprog(np.zeros(400), A_eq=sides, b_eq=[0, 0, 0, nu / 2, nu / 2], bounds=(0, 1 / 400)).status == 0
        refused.append(meet)
        if meet:
            with pytest.raises(ValueError, match="w = 0 is optimal"):
                NuSVC(nu=nu, kernel="linear").fit(X, y)
        else:
            assert NuSVC(nu=nu, kernel="linear").fit(X, y).certificate_.verdict == "proved"
    assert 3 < sum(refused) < 12
