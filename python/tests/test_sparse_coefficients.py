"""sparsify and densify: coef_ as a sparse matrix and back, with the same predictions."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from recta.linear_model import LogisticRegression, LogisticRegressionCV, Perceptron, SGDClassifier, SGDRegressor
from recta.svm import LinearSVC

MODELS = [
    LogisticRegression(l1_ratio=1.0, C=0.1),
    LogisticRegressionCV(Cs=2, cv=2),
    Perceptron(max_iter=5),
    SGDClassifier(tol=None, max_iter=5),
    SGDRegressor(tol=None, max_iter=5),
    LinearSVC(penalty="l1", C=0.1),
]


@pytest.fixture
def rows():
    random = np.random.default_rng(5)
    X = random.standard_normal((90, 6))
    return X, np.digitize(X[:, 0] + 0.3 * random.standard_normal(90), [-0.5, 0.5])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_predictions_stay_the_same(model, rows):
    X, y = rows
    model.fit(X, y)
    coefficients, predictions = model.coef_.copy(), model.predict(X)
    assert model.sparsify() is model and sparse.issparse(model.coef_)
    assert (model.coef_.toarray() == coefficients).all()
    for kept in (model, pickle.loads(pickle.dumps(model))):
        assert (kept.predict(X) == predictions).all()
        assert (kept.predict(sparse.csr_array(X)) == predictions).all()
    assert model.densify() is model and model.densify().coef_.shape == coefficients.shape
    assert type(model.coef_) is np.ndarray and (model.coef_ == coefficients).all()
    assert (model.predict(X) == predictions).all()


def test_what_partial_fit_learned_stays_the_same(rows):
    X, y = rows
    for model in (Perceptron(), SGDClassifier()):
        scores = model.partial_fit(X, y, classes=[0, 1, 2]).decision_function(X)
        assert (model.sparsify().decision_function(X) == scores).all()


def test_an_estimator_that_is_not_fitted_has_nothing_to_turn():
    for name in ("sparsify", "densify"):
        with pytest.raises(NotFittedError, match="must be fitted before"):
            getattr(LogisticRegression(), name)()
