"""Estimators made of others: their parts' proofs, and the command line's answer."""

import numpy as np
import pytest

import recta
from recta import _core
from recta.linear_model import LogisticRegression, Perceptron
from recta.multiclass import OneVsOneClassifier, OneVsRestClassifier


def test_a_part_without_a_proof_is_counted():
    X = np.arange(12.0).reshape(6, 2)
    Y = np.column_stack([[0, 1, 0, 1, 0, 1], np.ones(6)]).astype(int)
    with pytest.warns(UserWarning, match="present in all training"):
        model = OneVsRestClassifier(LogisticRegression()).fit(X, Y)
    assert model.proved_ == "1 of 2 parts proved; 1 without a proof"
    assert model.certificates_[1] is None


@pytest.mark.parametrize("scheme, combined", [("ova", OneVsRestClassifier), ("ovo", OneVsOneClassifier)])
def test_the_library_and_scikit_learn_combine_alike(scheme, combined):
    X, y = recta.datasets.load("iris", return_X_y=True)
    labels, places = np.unique(y, return_inverse=True)
    weights = np.random.default_rng(4).uniform(0.5, 2, len(y))
    options = _core.FitOptions()
    options.multiclass = scheme
    options.params = {"tau": 1.0}
    native = _core.fit(
        "logistic", np.ascontiguousarray(X, dtype=float), places.astype(float), weights, [], options
    ).model
    assert native.certificate.verdict == "proved" and not native.is_linear
    assert native.report["figures"]["parts"] == 3
    if scheme == "ova":
        each = [LogisticRegression().fit(X, places == k, sample_weight=weights) for k in range(3)]
        scores = np.column_stack([model.decision_function(X) for model in each])
        np.testing.assert_allclose(
            native.predict(np.ascontiguousarray(X, dtype=float), 1, _core.Answer.decision), scores, rtol=1e-9, atol=1e-9
        )
    unweighted = _core.fit(
        "logistic", np.ascontiguousarray(X, dtype=float), places.astype(float), None, [], options
    ).model
    said = unweighted.predict(np.ascontiguousarray(X, dtype=float)).ravel().astype(int)
    assert (labels[said] == combined(LogisticRegression()).fit(X, y).predict(X)).all()


def test_perceptrons_of_all_pairs_have_no_probabilities():
    X, y = recta.datasets.load("iris", return_X_y=True)
    model = OneVsOneClassifier(Perceptron(random_state=1)).fit(X, y)
    assert len(model.certificates_) == 3
    assert not hasattr(model, "predict_proba")
