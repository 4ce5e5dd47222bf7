"""Linear machines beside liblinear: its objective with a penalised intercept, and conditions of optimality without."""

import warnings

import numpy as np
import pytest
import scipy.sparse
import sklearn.svm as peer
from sklearn.exceptions import ConvergenceWarning

import recta
from machine_problems import CLASSES
from recta.svm import SVR, LinearSVC, LinearSVR


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("name", CLASSES)
def test_a_linear_machine_is_at_least_as_good_as_the_peer_with_a_large_intercept_scaling(name, loss):
    X, y = CLASSES[name]
    ours = LinearSVC(loss=loss, C=0.5).fit(X, y)
    theirs = peer.LinearSVC(
        loss=loss, C=0.5, intercept_scaling=100.0, max_iter=200000, tol=1e-8, dual=True, random_state=0
    ).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    sign = 2.0 * y - 1

    def total(model):
        lack = np.maximum(0, 1 - sign * (X @ model.coef_[0] + model.intercept_[0]))
        return 0.5 * (lack if loss == "hinge" else lack**2).sum() + (model.coef_**2).sum() / 2

    assert total(ours) <= total(theirs) * (1 + 1e-9)
    assert total(ours) == pytest.approx(total(theirs), rel=2e-2)


def liblinear_objective(X, y, w, b, C, penalty, loss, scaling):
    lack = np.maximum(0, 1 - y * (X @ w + b))
    inside = abs(b) / scaling if penalty == "l1" else (b / scaling) ** 2 / 2
    return (
        (np.abs(w).sum() if penalty == "l1" else w @ w / 2)
        + inside
        + C * (lack**2 if loss == "squared_hinge" else lack).sum()
    )


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
    theirs = peer.LinearSVC(
        penalty=penalty,
        loss=loss,
        C=C,
        intercept_scaling=scaling,
        dual=penalty == "l2",
        tol=1e-10,
        max_iter=1000000,
        random_state=0,
    ).fit(X, y)
    assert ours.certificate_.verdict == "proved"
    mine, other = (
        liblinear_objective(X, y, model.coef_[0], model.intercept_[0], C, penalty, loss, scaling)
        for model in (ours, theirs)
    )
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


def tube_objective(X, y, weight, model, loss, inside):
    """scikit-learn's: C sum of losses + half the squares, b / intercept_scaling among them if it is penalised."""
    w, b = np.ravel(model.coef_), float(np.ravel(model.intercept_)[0])
    beyond = np.maximum(0, np.abs(y - X @ w - b) - model.epsilon)
    losses = beyond if loss == "epsilon_insensitive" else beyond**2
    return model.C * (weight * losses).sum() + w @ w / 2 + ((b / model.intercept_scaling) ** 2 / 2 if inside else 0)


@pytest.fixture(scope="module")
def tube_rows():
    rng = np.random.default_rng(5)
    X = rng.normal(1.0, 1.0, (150, 8)) * (rng.random((150, 8)) < 0.6)
    return X, X[:, 0] - 2 * X[:, 1] + 3 + rng.normal(0, 0.5, 150), rng.uniform(0.5, 2.0, 150)


@pytest.mark.parametrize("C", [0.01, 1.0])
@pytest.mark.parametrize("scaling", [1.0, 4.0])
@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_tube_with_a_penalised_intercept_has_the_objective_of_scikit_learn(loss, scaling, C, sparse, tube_rows):
    X, y, weight = tube_rows
    settings = {"loss": loss, "C": C, "intercept_scaling": scaling, "epsilon": 0.3}
    ours = LinearSVR(**settings, penalised_intercept=True).fit(scipy.sparse.csr_matrix(X) if sparse else X, y, weight)
    theirs = peer.LinearSVR(**settings, dual=True, tol=1e-10, max_iter=1000000, random_state=0).fit(X, y, weight)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    mine, other = (tube_objective(X, y, weight, model, loss, True) for model in (ours, theirs))
    assert mine <= other * (1 + 1e-12)
    assert other <= mine * (1 + 1e-4)
    half = 2 if loss == "squared_epsilon_insensitive" else 1
    assert np.isclose(ours.certificate_.objective, mine / (C * weight.sum() * half), rtol=1e-9)
    assert ours.certificate_.verify(scipy.sparse.csr_matrix(X) if sparse else X, y, weight).verdict == "proved"


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_a_squared_tube_meets_its_conditions_with_a_free_intercept(fit_intercept, tube_rows):
    X, y, weight = tube_rows
    model = LinearSVR(loss="squared_epsilon_insensitive", C=0.7, epsilon=0.3, fit_intercept=fit_intercept).fit(
        X, y, weight
    )
    r = y - model.predict(X)
    beta = 2 * 0.7 * weight * np.sign(r) * np.maximum(0, np.abs(r) - 0.3)
    np.testing.assert_allclose(X.T @ beta, model.coef_, rtol=1e-8)
    assert not fit_intercept or abs(beta.sum()) < 1e-8 * np.abs(beta).sum()
    assert model.coef_.shape == (8,) and np.shape(model.intercept_) == ((1,) if fit_intercept else ())
    assert model.certificate_.verdict == "proved"
    assert model.score(X, y) == pytest.approx(1 - (r**2).sum() / ((y - y.mean()) ** 2).sum(), rel=1e-12)


def test_linear_tubes_keep_their_loss_in_their_file(tmp_path, tube_rows):
    X, y, _ = tube_rows
    for settings in (
        {"loss": "squared_epsilon_insensitive", "fit_intercept": False},
        {"penalised_intercept": True, "intercept_scaling": 3.0},
        {},
    ):
        model = LinearSVR(C=2.0, epsilon=0.2, **settings).fit(X, y)
        model.save(tmp_path / "m.recta")
        again = LinearSVR.load(tmp_path / "m.recta")
        assert all(again.get_params()[name] == value for name, value in settings.items())
        assert again.epsilon == 0.2 and pytest.approx(2.0, rel=1e-14) == again.C
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        assert (
            again.set_params(loss="epsilon_insensitive", penalised_intercept=False).fit(X, y).certificate_.verdict
            == "proved"
        )
    LinearSVC(fit_intercept=False).fit(X, y > 2).save(tmp_path / "m.recta")
    assert not LinearSVC.load(tmp_path / "m.recta").fit_intercept
    SVR(kernel="rbf").fit(X, y).save(tmp_path / "m.recta")
    with pytest.raises(ValueError, match=r"SVR\.load"):
        LinearSVR.load(tmp_path / "m.recta")


def test_notebooks_show_the_objective_and_the_proof_of_machines(tube_rows):
    X, y, _ = tube_rows
    for model in (LinearSVR(loss="squared_epsilon_insensitive").fit(X, y), SVR().fit(X, y), LinearSVC().fit(X, y > 2)):
        shown = model._repr_html_()
        assert model.certificate_.verdict in shown and "duality gap" in shown
        assert model.objective_.count("lambda = ") == 1


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("large", [1e3, 1e6, 1e9, 1e12, 1e15, 1e17])
@pytest.mark.parametrize(
    ("rows", "columns", "sparse"), [(1000, 400, True), (600, 600, True), (200, 1000, True), (300, 400, False)]
)
def test_a_column_of_large_numbers_beside_ordinary_ones_does_not_keep_a_machine_from_its_proof(
    rows, columns, sparse, large, loss
):
    for seed in range(3):
        random = np.random.default_rng(seed)
        X = scipy.sparse.random(rows, columns, density=15 / columns, random_state=seed, format="csr").toarray()
        if not sparse:
            X = random.standard_normal((rows, columns))
        X[:, 0] = large * random.standard_normal(rows)
        y = (X[:, 1:50].sum(axis=1) + 0.3 * random.standard_normal(rows) > 0.8).astype(int)
        model = LinearSVC(loss=loss).fit(scipy.sparse.csr_array(X) if sparse else X, y)
        assert model.certificate_.verdict == "proved", model.certificate_.sentence
        lack = np.maximum(0, 1 - (2.0 * y - 1) * (X @ model.coef_[0] + model.intercept_[0]))
        without = 2.0 * min(y.sum(), len(y) - y.sum())  # w = 0, and b = -1 or 1
        if loss == "hinge":
            assert lack.sum() + (model.coef_**2).sum() / 2 <= without


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_tubes_of_many_sparse_columns_are_those_of_the_linear_kernel(epsilon, tmp_path):
    random = np.random.default_rng(0)
    X = scipy.sparse.random(600, 700, density=0.02, random_state=0, format="csr")
    y = X @ random.standard_normal(700) + 0.5 * random.standard_normal(600)
    model, machine = LinearSVR(epsilon=epsilon).fit(X, y), SVR(kernel="linear", epsilon=epsilon).fit(X.toarray(), y)

    def total(model):
        w, b = np.ravel(model.coef_), np.ravel(model.intercept_)[0]
        return np.maximum(0, np.abs(y - X @ w - b) - epsilon).sum() + (w**2).sum() / 2

    assert model.certificate_.verdict == "proved"
    assert total(model) == pytest.approx(total(machine), rel=1e-8)
    model.save(tmp_path / "tube.recta")
    np.testing.assert_array_equal(LinearSVR.load(tmp_path / "tube.recta").predict(X), model.predict(X))
    few = X[:, :5].toarray()
    assert (
        model.fit(few, y).predict(few).tolist() == LinearSVR(epsilon=epsilon).fit(few, y).predict(few).tolist()
    )  # dense rows after sparse ones


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_a_machine_that_was_stopped_is_no_worse_off_than_without_weights(loss):
    random = np.random.default_rng(1)
    X = scipy.sparse.random(3000, 2500, density=0.006, random_state=1, format="csr")
    X.data *= 1e3
    y = (X[:, :50].toarray().sum(axis=1) + 300 * random.standard_normal(3000) > 200).astype(int)
    share = y.mean()
    without = {"hinge": 2 * min(share, 1 - share), "squared_hinge": 4 * share * (1 - share)}[loss] * len(
        y
    )  # w = 0, and the best b
    for limit in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2):
        try:
            with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
                model = LinearSVC(loss=loss, time_limit=limit).fit(X, y)
        except recta.Stopped:  # before the rows were read
            continue
        lack = np.maximum(0, 1 - (2.0 * y - 1) * (X @ model.coef_[0] + model.intercept_[0]))
        assert (lack**2 if loss == "squared_hinge" else lack).sum() + (model.coef_**2).sum() / 2 <= without * (
            1 + 1e-12
        )


@pytest.mark.parametrize("seed", [0, 10, 11, 20, 30])
def test_a_tube_over_about_as_many_columns_in_units_of_six_decades_is_proved(seed):
    random = np.random.default_rng(seed)
    X = random.standard_normal((300, 280)) * 10.0 ** random.uniform(-3, 3, 280)
    y = random.standard_normal(300)
    ours = LinearSVR(epsilon=0.1, C=1.0).fit(X, y)
    assert ours.certificate_.verdict == "proved", ours.certificate_.sentence
    other = SVR(kernel="linear", epsilon=0.1, C=1.0, tolerance=1e-9).fit(X, y)  # by another search and another proof

    def total(model):
        w = np.ravel(model.coef_)
        return (w**2).sum() / 2 + np.maximum(0, np.abs(y - X @ w - np.ravel(model.intercept_)[0]) - 0.1).sum()

    assert other.certificate_.verdict == "proved", other.certificate_.sentence
    assert total(ours) == pytest.approx(total(other), rel=1e-8)
