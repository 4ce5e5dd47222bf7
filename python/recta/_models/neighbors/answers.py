"""What neighbours answer: votes for a class, or the mean of their targets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import accuracy_score, r2_score

from recta import _core
from recta._data.labels import ClassLabels
from recta._estimator.classifier import ProbabilityClassifier
from recta._estimator.regressor import CertifiedRegressor


class Votes(ProbabilityClassifier):
    """A classifier whose probabilities are shares of votes."""

    def predict(self, X: Any) -> np.ndarray:
        """The class of most votes; of tied ones that of the smaller summed distance, then of the nearest neighbour, then the first.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            None: the training rows, each answered by all others.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return (
            self._listed_classes(X)[1]
            if self._counts_lists(X)
            else self._labelled(self._answers(X, _core.Answer.prediction))
        )

    def predict_proba(self, X: Any) -> np.ndarray:
        """Shares of the votes, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            None: the training rows, each answered by all others.

        Returns
        -------
        shares : ndarray of shape (n_samples, n_classes)
        """
        return self._listed_classes(X)[0] if self._counts_lists(X) else super().predict_proba(X)

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the shares, minus infinity for a class without votes."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            logs = np.log(shares)
        # The winner of a tie is ahead by the last digit of its share, which a logarithm may round away.
        rows, taken = np.arange(len(shares)), shares.argmax(axis=1)
        ahead = logs[rows, taken]
        logs[rows, taken] = -np.inf
        other = logs.max(axis=1)
        logs[rows, taken] = np.where(ahead <= other, np.nextafter(other, 1.0), ahead)
        return logs

    def decision_function(self, X: Any) -> np.ndarray:
        """Votes, with less than half a vote added that settles ties: those of the second class less those of the first; one column per class
        where there are more. Where weights are a function, shares of the votes."""
        if not self._counts_lists(X):
            return self._values(X)
        shares = self.predict_proba(X)
        return shares[:, 1] - shares[:, 0] if shares.shape[1] == 2 else shares

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """The share of the rows whose class is predicted; X may be None, as for ``predict``."""
        return accuracy_score(y, self.predict(X), sample_weight=sample_weight)

    @property
    def signed_distance(self):
        """None: the border of the classes is not a hyperplane."""
        raise AttributeError("the border of classes by neighbours is not a hyperplane")

    def _targets_of(self, y):
        return self._labels.rows(y)[0].astype(np.intp)

    def _take_classes(self, model):
        if self._labels is None:
            self._labels = ClassLabels.of_model(model)
        else:
            model.name_classes(*self._labels.words())


class Means(CertifiedRegressor):
    """A regressor by means of neighbours."""

    def _targets_of(self, y):
        return np.asarray(y, dtype=np.float64)

    def _values(self, X, *others):
        return self._listed_means(X) if self._counts_lists(X) else super()._values(X, *others)

    def _take_classes(self, model):
        """There are none."""

    def predict(self, X: Any) -> np.ndarray:
        """The mean target of the neighbours, one number per row, or one column per target.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            None: the training rows, each answered by all others.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        return self._values(X)

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """R squared, as in scikit-learn."""
        return r2_score(y, self.predict(X), sample_weight=sample_weight)
