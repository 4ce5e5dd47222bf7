"""Classifiers: classes become targets of -1 and 1, the library fits them, and scores become classes again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from ._estimator import CertifiedEstimator
from ._labels import Labels, checked_labels

if TYPE_CHECKING:
    from collections.abc import Callable


class CertifiedClassifier(ClassifierMixin, CertifiedEstimator):
    """Base of all classifiers whose score is linear in the features."""

    _one_column_is_flat = True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @property
    def classes_(self) -> np.ndarray:
        """The classes, sorted: numbers by value and text by code point."""
        if self._labels is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'classes_' before it is fitted")
        return self._labels.classes

    def _are_plain(self, y, sample_weight, rows):
        return False  # classes are looked at first

    def _targets(self, X, y, sample_weight):
        y = checked_labels(y, self)
        check_consistent_length(X, y)
        labels = Labels.learned(y, sample_weight, self.class_weight, type(self).__name__)
        signs, weights = labels.rows(y, sample_weight)
        self._labels = labels
        return signs.reshape(len(y), -1), None if weights is None else np.ascontiguousarray(weights), labels.names()

    def _read(self, targets, path):
        self._labels = Labels.named(targets)
        if self._labels is None:
            raise ValueError(f"{path} holds no classes: its target is {', '.join(targets)}; a regressor reads it")

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores: above 0 is the second class of two; one column a class where there are more.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return self._values(X)

    def predict(self, X: Any) -> np.ndarray:
        """Predicts the class of each row: that of the largest score, the first of several; the second of two from 0 up.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,), or of 0 and 1 with one column a class where rows may have several
        """
        scores = self._values(X)
        return self._labels.predicted(scores)

    def fast_predictor(self) -> Callable[[np.ndarray], float | np.ndarray]:
        """A callable for serving, checked once, that gives what ``decision_function`` gives: a row in, its score or
        scores out. ``classes_[int(score >= 0)]`` is the class of two, ``classes_[scores.argmax()]`` of more.
        """
        check_is_fitted(self)
        return self._model.fast_predictor()
