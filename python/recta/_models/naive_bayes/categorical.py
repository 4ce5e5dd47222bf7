"""Naive Bayes of columns of categories."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from recta import _core
from recta._base.checks import is_plain
from recta._base.declared import estimator, parameter
from recta._data.frame_features import FrameCodes

from .discrete import DiscreteNB, refuse_negative, smoothed_logs


def largest_codes(X):
    """One more than the largest code of each column."""
    return X.max(axis=0).astype(np.int64) + 1 if len(X) else np.zeros(X.shape[1], dtype=np.int64)


@estimator("recta.naive_bayes")
class CategoricalNB(DiscreteNB):
    """Columns of categories coded 0, 1, 2, ..., as ``sklearn.naive_bayes.CategoricalNB``, with a proof.

    Attributes
    ----------
    category_count_, class_count_, class_log_prior_, classes_, feature_log_prob_, n_categories_
        As in scikit-learn.

    Examples
    --------
    >>> from recta.naive_bayes import CategoricalNB
    >>> model = CategoricalNB().fit([[0, 1], [0, 2], [1, 0]], [0, 0, 1])
    >>> model.predict([[1, 0]]).tolist(), model.n_categories_.tolist()
    ([1], [2, 3])
    """

    alpha: float = parameter(default=1.0, doc="Added to the count of every category.")
    min_categories: int | ArrayLike | None = parameter(
        default=None, type="int or array-like of shape (n_features,)", doc="Least number of categories of each column."
    )

    _checks = {"dtype": (np.float64, np.float32)}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True
        return tags

    def _coded(self, X, reset):
        """Rows of codes, and how many codes each column has by its largest."""
        rows = super()._checked(X, reset, library_reads=True)
        counts = _core.code_counts(rows) if is_plain(rows) else None
        if counts is not None:
            return rows, np.array(counts, dtype=np.int64)
        rows = np.trunc(
            rows if self._frame is not None else super()._checked(X, reset)
        )  # as scikit-learn, which casts to whole numbers
        refuse_negative(rows, self)
        return rows, largest_codes(rows)

    def _read(self, X):
        return FrameCodes(X)

    def _checked(self, X, reset=True, library_reads=False):
        rows, counts = self._coded(X, reset)
        if reset and library_reads:
            self._code_counts = counts  # the fit asks for them next
        return rows

    def _categories(self, X):
        found = self.__dict__.pop("_code_counts", None)
        if found is None:
            found = largest_codes(X)
        if self._frame is not None:  # a level that no row has is known
            found = np.maximum(found, self._frame.levels())
        least = self.min_categories
        if least is None:
            return found
        least = np.asarray(least)
        if not np.issubdtype(least.dtype, np.signedinteger):
            raise ValueError(f"'min_categories' should have integral type. Got {least.dtype} instead.")
        if least.ndim > 0 and least.shape != found.shape:
            raise ValueError(
                f"'min_categories' should have shape ({len(found)},) when an array-like is provided. Got {least.shape} instead."
            )
        return np.maximum(found, least)

    def _params(self, X):
        self.n_categories_ = self._categories(X)
        self._kind = "/".join(f"categorical:{count}" for count in self.n_categories_)
        return super()._params(X)

    def _took(self, found):
        ends = np.cumsum(self.n_categories_)[:-1]
        self.category_count_ = np.split(found["naive_bayes.counts"], ends, axis=1)

    def _begin(self, columns):
        self.class_count_ = np.zeros(len(self.classes_))
        self.category_count_ = [np.zeros((len(self.classes_), 0)) for _ in range(columns)]
        self.n_categories_ = np.zeros(columns, dtype=np.int64)

    def _add(self, X, one_hot):
        self.class_count_ += one_hot.sum(axis=0)
        self.n_categories_ = np.maximum(self.n_categories_, self._categories(X))
        for j, size in enumerate(self.n_categories_):
            grown = np.zeros((len(self.classes_), size))
            grown[:, : self.category_count_[j].shape[1]] = self.category_count_[j]
            for k, weights in enumerate(one_hot.T):
                grown[k] += np.bincount(X[:, j].astype(np.int64), weights, size)
            self.category_count_[j] = grown
        self._estimated()

    def _estimate(self, alpha):
        self.feature_log_prob_ = [smoothed_logs(count, alpha) for count in self.category_count_]

    def _joint(self, X):
        check_is_fitted(self)
        X, counts = self._coded(X, reset=False)
        if (counts > self.n_categories_).any():
            j = int(np.argmax(counts > self.n_categories_))
            raise IndexError(
                f"column {j} of X has the category {int(X[:, j].max())}, and the fit knew 0 to {self.n_categories_[j] - 1}; "
                "min_categories= makes room for more"
            )
        return self._joint_of_counts(X) if self._model is None else self._model.predict(X, answer=_core.Answer.decision)

    def _joint_of_counts(self, X):
        joint = np.tile(self.class_log_prior_, (X.shape[0], 1))
        for j, table in enumerate(self.feature_log_prob_):
            joint += table[:, X[:, j].astype(np.int64)].T
        return joint
