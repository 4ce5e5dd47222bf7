"""Proofs for models of scikit-learn: the gap of their own answer, beside the gap that a plain computation of the dual gives."""

import pickle

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model as linear
import sklearn.svm as machines
from sklearn.metrics.pairwise import rbf_kernel

import recta
import recta.svm

RNG = np.random.default_rng(11)
X = RNG.standard_normal((80, 5))
NUMBER = X @ [1.0, -2.0, 0.0, 0.5, 0.0] + RNG.standard_normal(80)
LABEL = np.where(NUMBER > 0.2, "yes", "no")
WEIGHTS = RNG.uniform(0.5, 2.0, 80)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    "estimator",
    [
        linear.Ridge(2.0),
        linear.Ridge(0.1, fit_intercept=False),
        linear.Lasso(0.1, tol=1e-10),
        linear.LogisticRegression(C=0.5, tol=1e-10, max_iter=10000),
        linear.LogisticRegression(C=0.5, l1_ratio=1.0, solver="saga", tol=1e-10, max_iter=100000),
        machines.SVC(C=2.0, tol=1e-9),
        machines.SVC(C=0.7, kernel="poly", degree=2, coef0=1.0, tol=1e-9),
        machines.LinearSVC(C=0.3, tol=1e-10, max_iter=200000),
        machines.LinearSVC(C=0.3, loss="hinge", tol=1e-9, max_iter=1000000, intercept_scaling=3.0),
    ],
    ids=repr,
)
def test_what_converged_is_near_the_optimum(estimator, weights):
    y = LABEL if hasattr(estimator, "decision_function") else NUMBER
    proof = recta.verify(estimator.fit(X, y, weights), X, y, weights)
    assert proof.optimum_proved and 0 <= proof.relative_gap < 1e-5, proof.sentence
    assert proof.optimum_lower <= proof.optimum_upper * (
        1 + 1e-12
    ) and proof.objective >= proof.optimum_lower - 1e-9 * abs(proof.optimum_lower)


def test_the_gap_is_what_a_plain_computation_gives():
    """Of a machine that stopped early: primal less dual by its own coefficients is more than the distance to the optimum, which is above zero."""
    sign = np.where(LABEL == "yes", 1.0, -1.0)
    model = machines.SVC(C=5.0, gamma=0.3, tol=0.8).fit(X, LABEL)
    beta = np.zeros(80)
    beta[model.support_] = model.dual_coef_[0]
    K = rbf_kernel(X, gamma=0.3)
    f = K @ beta
    primal = 5.0 * np.maximum(0, 1 - sign * (f + model.intercept_[0])).sum() + beta @ f / 2
    dual = np.abs(beta).sum() - beta @ f / 2
    proof = recta.verify(model, X, LABEL)
    assert proof.objective == pytest.approx(primal, rel=1e-9)
    assert dual - 1e-9 <= proof.optimum_upper and 0 < proof.gap <= primal - dual + 1e-6
    assert (
        proof.relative_gap > recta.verify(machines.SVC(C=5.0, gamma=0.3, tol=1e-8).fit(X, LABEL), X, LABEL).relative_gap
    )


def test_class_weights_and_refusals():
    proof = recta.verify(machines.SVC(class_weight="balanced", tol=1e-9).fit(X, LABEL), X, LABEL)
    assert proof.relative_gap < 1e-5, proof.sentence
    with pytest.raises(TypeError, match="not one of the estimators"):
        recta.verify(linear.LinearRegression().fit(X, NUMBER), X, NUMBER)
    with pytest.raises(ValueError, match="two classes"):
        recta.verify(machines.SVC().fit(X, np.digitize(NUMBER, [-1, 1])), X, np.digitize(NUMBER, [-1, 1]))


def test_files_of_libsvm_and_liblinear(tmp_path):
    """A file is verified by its path or as it was loaded; a model of Recta written as theirs is proved by the same rows."""
    y = np.where(LABEL == "yes", 1, -1)
    path, linear_path = tmp_path / "their.model", tmp_path / "linear.model"
    ours = recta.svm.SVC(C=2.0, gamma=0.3).fit(X, y)
    recta.save_as(ours, path)
    recta.save_as(recta.svm.LinearSVC(loss="hinge", fit_intercept=False).fit(X, y), linear_path, "liblinear")
    proof, loaded = recta.verify(path, X, y), recta.load(path)
    assert proof.proved and proof.sentence.startswith("Proved: c_svc of libsvm") and proof == recta.verify(loaded, X, y)
    assert any("C = 2" in condition for condition in proof.conditions)
    assert (loaded.predict(X) == ours.predict(X)).all() and (
        pickle.loads(pickle.dumps(loaded)).predict(X) == ours.predict(X)
    ).all()
    assert loaded.certificate.verdict == "stopped_early" and "not proved" in loaded.certificate.sentence
    assert recta.verify(str(path), scipy.sparse.csr_array(X), y, C=2.0).objective == pytest.approx(
        proof.objective, rel=1e-12
    )
    assert not recta.verify(path, X, y, C=3.0).proved
    assert (
        recta.verify(linear_path, X, y, C=1.0).objective > 0
    )  # the bias of weight 0 is one more column there, and free to be better
    with pytest.raises(recta.UsageError, match="y"):
        recta.verify(path, X)
    with pytest.raises(TypeError, match="Recta's own"):
        ours.save(tmp_path / "m.recta")
        recta.verify(recta.load(tmp_path / "m.recta"), X, y)
    with pytest.raises(ValueError, match="belong to model files"):
        recta.verify(machines.SVC().fit(X, y), X, y, C=1.0)
    path.write_text(path.read_text()[:-40])
    with pytest.raises(recta.ModelFileError, match="their.model:"):
        recta.load(path)
