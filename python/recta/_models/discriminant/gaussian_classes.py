"""What classifiers by Gaussian classes have in common: checks, the fit in the library, its proof."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, validate_data

from recta import _core
from recta._base.checks import is_plain, reworded
from recta._base.declared import declared, learned
from recta._base.errors import DataError
from recta._base.scikit_learn import BaseEstimator, ClassifierMixin
from recta._data.category_columns import ReadsCategories, TrainingRows
from recta._data.class_places import class_places, rows_present
from recta._data.input import array_or_parts
from recta._estimator.shared import READING_THREADS
from recta._fitted.certificate import Certificate
from recta._fitted.explain import Explains
from recta._fitted.tensors import tensors


@declared
class GaussianClasses(ReadsCategories, Explains, ClassifierMixin, BaseEstimator):
    """Moments of the classes, learned in the library and proved by a fresh pass."""

    n_jobs: int | None = READING_THREADS

    _checks: dict = {"dtype": (np.float64, np.float32)}
    _word = ""
    _least_rows = 1

    n_features_in_: int = learned()
    feature_names_in_: np.ndarray = learned()
    classes_: np.ndarray = learned()

    def _checked(self, X, reset=True, library_reads=False):
        """``library_reads``: the library reads all rows next, and finds what is not finite by itself."""
        checks, least = self._checks, self._least_rows if reset else 1
        numbers = self._as_numbers(X, reset, ensure_min_samples=least, **checks)
        if numbers is not None:
            return numbers
        if library_reads and is_plain(X):
            checks = {"ensure_all_finite": False, **checks}
        return validate_data(self, X, reset=reset, ensure_min_samples=least, **checks)

    def _labelled(self, X, y, sample_weight):
        """Rows of positive weight, places of their labels among ``classes_``, weights."""
        X, y, sample_weight = rows_present(self, X, y, sample_weight)
        self.classes_, places = class_places(y)
        if len(self.classes_) < 2:
            raise ValueError(f"The number of classes has to be greater than one; got {len(self.classes_)} class")
        return X, places, sample_weight

    def _fitted(self, X, places, sample_weight, params):
        """Fits in the library; the arrays of the model."""
        options = _core.FitOptions()
        options.params = params
        options.threads = 0 if self.n_jobs is None or self.n_jobs < 0 else int(self.n_jobs)
        options.weights_are = "frequency"
        names = (
            [str(name) for name in getattr(self, "feature_names_in_", [])]
            if self._frame is None
            else self._frame.names()
        )
        try:
            self._model = _core.fit(self._word, array_or_parts(X), places, sample_weight, names, options).model
        except DataError as error:
            raise reworded(error, self) from None
        self._model.name_classes([str(label) for label in self.classes_], "category")
        return tensors(self._model)

    def _given_priors(self, priors):
        """As the library reads them."""
        if len(priors) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        return "/".join(repr(float(prior)) for prior in priors)

    @property
    def certificate_(self) -> Certificate:
        """The proof, made in a fresh pass over the rows."""
        check_is_fitted(self)
        return Certificate(self._model.certificate, self._model, TrainingRows(self.classes_, self._frame))

    def _scores(self, X):
        """One column per class."""
        check_is_fitted(self)
        X = self._checked(X, reset=False, library_reads=True)
        try:
            return self._model.predict(array_or_parts(X), answer=_core.Answer.decision)
        except DataError as error:
            raise reworded(error, self) from None

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes: log P(class, row), up to a number that all classes share.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) for two classes, (n_samples, n_classes) for more
            For two classes the score of the second less that of the first.
        """
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each row, the first of several.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        scores = self._scores(X)
        return self.classes_[scores.argmax(axis=1)]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        scores = self._scores(X)
        above = scores - scores.max(axis=1, keepdims=True)
        return above - np.log(np.exp(above).sum(axis=1, keepdims=True))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes: softmax of their scores.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        return np.exp(self.predict_log_proba(X))


def shrinkage_text(shrinkage: Any) -> str:
    """scikit-learn's parameter in the words of the library."""
    if shrinkage is None:
        return "none"
    if isinstance(shrinkage, str):
        if shrinkage in ("auto", "oas"):
            return shrinkage
        raise ValueError(f"shrinkage must be None, 'auto', 'oas' or a number from 0 to 1; got {shrinkage!r}")
    if not 0 <= shrinkage <= 1:
        raise ValueError(f"shrinkage must be None, 'auto', 'oas' or a number from 0 to 1; got {shrinkage!r}")
    return repr(float(shrinkage))


def check_priors(priors: ArrayLike) -> np.ndarray:
    priors = np.asarray(priors, dtype=np.float64)
    if (priors < 0).any():
        raise ValueError("priors must be non-negative")
    return priors
