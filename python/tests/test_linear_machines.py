"""Linear machines beside liblinear: its objective with a penalised intercept, and conditions of optimality without."""

import numpy as np
import pytest
import scipy.sparse
import sklearn.svm as peer
from machine_problems import CLASSES

from recta.svm import LinearSVC


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
