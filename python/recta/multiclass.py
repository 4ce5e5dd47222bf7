"""More than two classes by models of two, with scikit-learn's names and meanings, and the proofs of all parts."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from . import _sklearn  # first: it says so where scikit-learn is missing
from sklearn import multiclass as _multiclass
from sklearn.preprocessing import LabelBinarizer

from ._library_parts import LibraryParts
from ._parts import Parts

if TYPE_CHECKING:
    from typing import Self

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier", "OutputCodeClassifier"]


class OneVsRestClassifier(LibraryParts, Parts, _multiclass.OneVsRestClassifier):
    """One class against all others, a part for every class; also for rows with several labels, which the library fits as one model.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.multiclass import OneVsRestClassifier
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> OneVsRestClassifier(LogisticRegression()).fit(X, y).proved_
    '3 of 3 parts proved'
    """

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """As scikit-learn's."""
        members = y.toarray() if hasattr(y, "toarray") else y
        several = getattr(members, "ndim", 1) == 2 and members.shape[1] > 1
        if fit_params or self.verbose or not several or not self._fit_in_the_library(X, members, None):
            self.__dict__.pop("_sets", None)
            return super().fit(X, y, **fit_params)
        self.label_binarizer_ = LabelBinarizer(sparse_output=True).fit(y)
        self.classes_ = self.label_binarizer_.classes_
        return self

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
