"""More than two classes by models of two, with scikit-learn's names and meanings, and the proofs of all parts."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from sklearn import multiclass as _multiclass
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils.multiclass import type_of_target

from .parts import Parts
from .parts_of_models import LibraryParts

LARGEST = 2**25  # columns of 0 and 1 that stand beside X, in numbers


class OneVsRestClassifier(LibraryParts, Parts, _multiclass.OneVsRestClassifier):
    """One class against all others, a part for every class; also for rows with several labels. The library fits all parts in one call.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.multiclass import OneVsRestClassifier
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> OneVsRestClassifier(LogisticRegression()).fit(X, y).proved_
    '3 of 3 parts proved'
    """

    __module__ = "recta.multiclass"

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fits as scikit-learn's class of this name does."""
        self.__dict__.pop("_sets", None)
        members = None if fit_params or self.verbose else self._members(y)
        if members is None or not self._fit_in_the_library(X, members, None):
            return super().fit(X, y, **fit_params)
        self.label_binarizer_ = LabelBinarizer(sparse_output=True).fit(y)
        self.classes_ = self.label_binarizer_.classes_
        if not self.multilabel_:
            del self._sets  # its parts are those of the classes, its answers are sets
        return self

    def _members(self, y):
        """A column of 0 and 1 per label or class; None where there are two classes, or so many that the columns would be large."""
        members = y.toarray() if hasattr(y, "toarray") else y
        if getattr(members, "ndim", 0) == 2:
            return members if members.shape[1] > 1 else None
        if not isinstance(y, np.ndarray) or y.ndim != 1 or type_of_target(y) != "multiclass":
            return None
        classes, places = np.unique(y, return_inverse=True)
        return (places[:, None] == np.arange(len(classes))).astype(int) if len(y) * len(classes) <= LARGEST else None

    def _constant_part(self, X, column, k):
        warnings.warn(f"Label {'' if column[0] else 'not '}{k} is present in all training examples.", stacklevel=4)
        return _multiclass._ConstantPredictor().fit(X, column[:1])


class OneVsOneClassifier(Parts, _multiclass.OneVsOneClassifier):
    """All classes against all, a part for every pair; each part votes, and margins decide between equal numbers of votes.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.multiclass import OneVsOneClassifier
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> OneVsOneClassifier(LogisticRegression()).fit(X, y).proved_
    '3 of 3 parts proved'
    """

    __module__ = "recta.multiclass"


class OutputCodeClassifier(Parts, _multiclass.OutputCodeClassifier):
    """Error-correcting output codes: a part for every column of a random code, and the class of the nearest row of it.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.multiclass import OutputCodeClassifier
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> OutputCodeClassifier(LogisticRegression(), code_size=2, random_state=1).fit(X, y).proved_
    '6 of 6 parts proved'
    """

    __module__ = "recta.multiclass"
