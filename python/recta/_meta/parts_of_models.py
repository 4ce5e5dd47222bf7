"""scikit-learn's estimators of several columns of labels, fitted by the library's model of label sets where it can: a Recta classifier, an
array of numbers, dense or sparse, and columns of 0 and 1. The parts of that model become the estimators that scikit-learn's class holds; all
else is fitted as scikit-learn does it."""

from __future__ import annotations

import os

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from recta._base.checks import FLOAT64, is_plain
from recta._data.input import is_sparse
from recta._data.labels import ClassLabels
from recta._estimator.certified import CertifiedEstimator

from .label_sets import LabelSetClassifier, runs_in_the_library


def _are_numbers(X):
    """An array, or a sparse one by row, that the library reads as it is."""
    plain = is_plain(X) or (is_sparse(X) and getattr(X, "format", None) == "csr")
    return plain and X.dtype == FLOAT64 and X.ndim == 2


def _is_library_work(estimator, X, Y):
    if not (runs_in_the_library(estimator) and type(estimator).fit is CertifiedEstimator.fit and _are_numbers(X)):
        return False
    return (
        isinstance(Y, np.ndarray)
        and Y.dtype.kind in "biu"
        and Y.ndim == 2
        and len(Y) == X.shape[0] > 0
        and Y.shape[1] > 0
        and bool(np.isin(Y, (0, 1)).all())
    )


def _part_estimator(estimator, part, dtype):
    """A fitted estimator around the model of one label."""
    out = clone(estimator)
    out.n_features_in_ = len(part.columns)
    out._labels = ClassLabels(np.array([0, 1], dtype=dtype))
    out._learned(part, (part.rows,))
    out.trace_ = []
    return out


class LibraryParts:
    """The model of label sets that the parts come from, if the library fitted them."""

    def _constant_part(self, X, column, k):
        """The part of a label that all rows have, or none; None where scikit-learn's class makes no part of such a label."""
        return None

    def _fit_in_the_library(self, X, Y, sample_weight, order=None):
        """Whether it did."""
        self.__dict__.pop("_sets", None)
        if not _is_library_work(self.estimator, X, Y) or (order is not None and is_sparse(X)):
            return False  # of sparse rows the library puts the labels of a chain before the columns, scikit-learn after them
        there = Y if sample_weight is None else Y[np.asarray(sample_weight) > 0]
        varies = there.any(axis=0) & ~there.all(axis=0)
        if not varies.any():
            return False
        constant = {k: self._constant_part(X, Y[:, k], k) for k in np.flatnonzero(~varies)}
        if None in constant.values():
            return False
        sets = LabelSetClassifier(self.estimator, order=None if order is None else list(order)).fit(X, Y, sample_weight)
        parts = iter(sets._model.part_models)
        self.estimators_ = [
            constant[k] if k in constant else _part_estimator(self.estimator, next(parts), Y.dtype)
            for k in range(Y.shape[1])
        ]
        self.classes_ = [part.classes_ for k, part in enumerate(self.estimators_) if k not in constant]
        self.n_features_in_, self._sets = X.shape[1], sets
        self.__dict__.pop("feature_names_in_", None)
        return True

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all parts as one .recta file, which the command line and :func:`recta.load` read."""
        if "_sets" not in self.__dict__:
            raise ValueError(
                f"{path} was not written: a .recta file holds sets of labels, fitted from an array of numbers and columns of 0 and 1"
            )
        self._sets.save(path)


def drawn_order(chain, labels):
    """The order of a chain as scikit-learn draws it; None if the library does not take it."""
    if chain.order is None:
        return np.arange(labels)
    if isinstance(chain.order, str):
        return check_random_state(chain.random_state).permutation(labels) if chain.order == "random" else None
    order = np.asarray(chain.order)
    return order if sorted(order.tolist()) == list(range(labels)) else None
