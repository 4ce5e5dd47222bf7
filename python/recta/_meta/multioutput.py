"""Several targets by a model for each, with scikit-learn's names and meanings, and the proofs of all parts."""

from __future__ import annotations

from typing import Any, Self

from numpy.typing import ArrayLike
from sklearn import multioutput as _multioutput

from .parts import Parts
from .parts_of_models import LibraryParts, drawn_order


class MultiOutputClassifier(LibraryParts, Parts, _multioutput.MultiOutputClassifier):
    """A classifier for every column of labels: binary relevance where the columns are 0 and 1, which the library fits as one model.

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

    __module__ = "recta.multioutput"

    def fit(self, X: Any, Y: Any, sample_weight: ArrayLike | None = None, **fit_params: Any) -> Self:
        """Fits as scikit-learn's class of this name does."""
        if fit_params or not self._fit_in_the_library(X, Y, sample_weight):
            super().fit(X, Y, sample_weight=sample_weight, **fit_params)
        return self


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

    __module__ = "recta.multioutput"


class ClassifierChain(LibraryParts, Parts, _multioutput.ClassifierChain):
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

    __module__ = "recta.multioutput"

    def fit(self, X: Any, Y: Any, **fit_params: Any) -> Self:
        """Fits as scikit-learn's class of this name does."""
        plain = not fit_params and self.cv is None and self.chain_method == "predict" and not self.verbose
        order = drawn_order(self, Y.shape[1]) if plain and getattr(Y, "ndim", 1) == 2 else None
        if order is None or not self._fit_in_the_library(X, Y, None, order):
            return super().fit(X, Y, **fit_params)
        self.order_, self.chain_method_ = order, "predict"
        return self


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

    __module__ = "recta.multioutput"
