"""What all naive Bayes classes share: fits count in the library and are proved by counting again; ``partial_fit`` merges counts, without proof."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

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


def listed(values):
    return "/".join(repr(float(value)) for value in values)


def given_priors(estimator):
    """The priors of the caller, checked; None: they are learned."""
    if estimator.priors is None:
        return None
    priors = np.asarray(estimator.priors, dtype=np.float64)
    if len(priors) != len(estimator.classes_):
        raise ValueError("Number of priors must match number of classes.")
    if not np.isclose(priors.sum(), 1.0):
        raise ValueError("The sum of the priors should be 1.")
    if (priors < 0).any():
        raise ValueError("Priors must be non-negative.")
    return priors


def prior_words(priors, otherwise="learned"):
    """What the library is told of the priors."""
    return otherwise if priors is None else listed(priors / priors.sum())


@declared
class NaiveBayes(ReadsCategories, Explains, ClassifierMixin, BaseEstimator):
    """What all have in common: checks, the fit in the library, its proof, and probabilities."""

    n_jobs: int | None = READING_THREADS

    _checks = {"accept_sparse": "csr", "dtype": (np.float64, np.float32)}
    _word = "naive-bayes"

    n_features_in_: int = learned()
    feature_names_in_: np.ndarray = learned()
    classes_: np.ndarray = learned()
    class_count_: np.ndarray = learned()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = "accept_sparse" in self._checks
        return tags

    # fit

    def _checked(self, X, reset=True, library_reads=False):
        """``library_reads``: the library reads all rows next, and finds what is not finite by itself."""
        checks = self._checks
        numbers = self._as_numbers(X, reset, **checks)
        if numbers is not None:
            return numbers
        if library_reads and is_plain(X):
            checks = {"ensure_all_finite": False, **checks}
        return validate_data(self, X, reset=reset, **checks)

    def _labelled(self, X, y, sample_weight):
        """Rows of positive weight, places of their labels among ``classes_``, weights."""
        X, y, sample_weight = rows_present(self, X, y, sample_weight)
        self.classes_, places = class_places(y)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs rows of at least 2 classes, and the data contain {len(self.classes_)} class"
            )
        return X, places, sample_weight

    def _options(self):
        return {}

    def _params(self, X):
        raise NotImplementedError

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Counts the rows, and proves the counts by counting them again.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Columns of categories become columns of 0 and 1, one per level; in CategoricalNB and MixedNB they are categories.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent.

        Returns
        -------
        self
        """
        X, places, sample_weight = self._labelled(X, y, sample_weight)
        options = _core.FitOptions()
        options.params = self._params(X)
        options.threads = 0 if self.n_jobs is None or self.n_jobs < 0 else int(self.n_jobs)
        for name, value in self._options().items():
            setattr(options, name, value)
        try:
            self._model = self._counted(X, places, sample_weight, options)
        except DataError as error:
            raise reworded(error, self) from None
        self._model.name_classes([str(label) for label in self.classes_], "category")
        self._learned(tensors(self._model))
        return self

    def _counted(self, X, places, sample_weight, options):
        return _core.fit(self._word, array_or_parts(X), places, sample_weight, [], options).model

    @property
    def certificate_(self) -> Certificate:
        """The proof of the counts. After ``partial_fit`` there is none, as earlier rows are gone."""
        check_is_fitted(self)
        if self._model is None:
            raise AttributeError(
                f"{type(self).__name__!r} object has no proof after partial_fit: the rows of earlier calls are gone"
            )
        return Certificate(self._model.certificate, self._model, TrainingRows(self.classes_, self._frame))

    def _learned(self, found):
        raise NotImplementedError

    # predictions

    def _joint(self, X):
        """log P(class, row)."""
        check_is_fitted(self)
        X = self._checked(X, reset=False, library_reads=self._model is not None)
        if self._model is None:
            return self._joint_of_counts(X)
        try:
            return self._decisions(X)
        except DataError as error:
            raise reworded(error, self) from None

    def _decisions(self, X):
        return self._model.predict(array_or_parts(X), answer=_core.Answer.decision)

    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """log P(class) + log P(row | class), one column per class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        return self._joint(X)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each row, the first of several.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        joint = self._joint(X)
        return self.classes_[joint.argmax(axis=1)]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities, finite where a probability is below the smallest number.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        joint = self._joint(X)
        above = joint - joint.max(axis=1, keepdims=True)
        return above - np.log(np.exp(above).sum(axis=1, keepdims=True))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes. They are naive: not calibrated.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        return np.exp(self.predict_log_proba(X))


class MergingNaiveBayes(NaiveBayes):
    """Counts that more rows can be added to."""

    def _one_hot(self, y, classes, X):
        """Begins with ``classes`` at the first call; places of labels, as one column per class."""
        if not hasattr(self, "classes_"):
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            self.classes_ = np.unique(classes)
            self._begin(X.shape[1])
        elif classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        unknown = np.setdiff1d(np.unique(y), self.classes_)
        if len(unknown):
            raise ValueError(f"The target label(s) {unknown} in y do not exist in the initial classes {self.classes_}")
        return (y[:, None] == self.classes_).astype(np.float64)

    def partial_fit(
        self, X: Any, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Adds the counts of more rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes that will ever come; needed at the first call.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        first = not hasattr(self, "classes_")
        X = self._checked(X, reset=first)
        y = column_or_1d(y, warn=True)
        weights = (
            np.ones(X.shape[0]) if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        )
        one_hot = self._one_hot(y, classes, X) * weights[:, None]
        self._model = None
        self._add(X, one_hot)
        return self

    def _begin(self, columns):
        raise NotImplementedError

    def _add(self, X, one_hot):
        raise NotImplementedError
