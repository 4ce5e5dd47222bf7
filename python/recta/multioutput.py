"""Several targets by a model for each, with scikit-learn's names and meanings, and the proofs of all parts."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from sklearn import multioutput as _multioutput

from ._label_sets import LabelSetClassifier
from ._parts import Parts

__all__ = ["ClassifierChain", "LabelSetClassifier", "MultiOutputClassifier", "MultiOutputRegressor", "RegressorChain"]


class MultiOutputClassifier(Parts, _multioutput.MultiOutputClassifier):
    """A classifier for every column of labels: binary relevance where the columns are 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> import recta
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.multioutput import MultiOutputClassifier
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> Y = np.column_stack([y == "Iris-setosa", X[:, 0] > 6])
    >>> MultiOutputClassifier(LogisticRegression()).fit(X, Y).proved_
    '2 of 2 parts proved'
    """


class MultiOutputRegressor(Parts, _multioutput.MultiOutputRegressor):
    """A regressor for every column of numbers.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import HuberRegressor
    >>> from recta.multioutput import MultiOutputRegressor
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> MultiOutputRegressor(HuberRegressor()).fit(X[:, :2], X[:, 2:]).proved_
    '2 of 2 parts proved'
    """


class ClassifierChain(Parts, _multioutput.ClassifierChain):
    """A classifier for every column of labels, each of which also reads the labels before it.

    Examples
    --------
    >>> import numpy as np
    >>> import recta
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.multioutput import ClassifierChain
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> Y = np.column_stack([y == "Iris-setosa", X[:, 0] > 6]).astype(int)
    >>> ClassifierChain(LogisticRegression()).fit(X, Y).proved_
    '2 of 2 parts proved'
    """


class RegressorChain(Parts, _multioutput.RegressorChain):
    """A regressor for every column of numbers, each of which also reads the columns before it.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import Ridge
    >>> from recta.multioutput import RegressorChain
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> RegressorChain(Ridge()).fit(X[:, :2], X[:, 2:]).proved_
    '2 of 2 parts proved'
    """
