"""More than two classes by models of two, with scikit-learn's names and meanings, and the proofs of all parts."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from sklearn import multiclass as _multiclass

from ._parts import Parts

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier", "OutputCodeClassifier"]


class OneVsRestClassifier(Parts, _multiclass.OneVsRestClassifier):
    """One class against all others, a part for every class; also for rows with several labels.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.multiclass import OneVsRestClassifier
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> OneVsRestClassifier(LogisticRegression()).fit(X, y).proved_
    '3 of 3 parts proved'
    """


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
