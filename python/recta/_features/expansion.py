"""Functions of columns with scikit-learn's names and meanings: monomials rounded once, B-splines."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import sklearn.preprocessing
from sklearn.utils.validation import check_is_fitted, validate_data

from recta._data.input import is_sparse


def _halves(a):
    """Veltkamp's split: two parts of at most 26 bits each, whose products are exact."""
    big = 134217729.0 * a
    high = big - (big - a)
    return high, a - high


def _times(pair, x):
    """(high + low) x as a sum of two doubles; where a part overflows the plain product."""
    high, low = pair
    with np.errstate(over="ignore", invalid="ignore"):
        product = high * x
        (a, b), (c, d) = _halves(high), _halves(x)
        rest = ((a * c - product) + a * d + b * c) + b * d + low * x
        rest[~np.isfinite(rest)] = 0.0
        total = product + rest
        return total, np.where(np.isfinite(total), rest - (total - product), 0.0)


class PolynomialFeatures(sklearn.preprocessing.PolynomialFeatures):
    """All monomials of the columns, as ``sklearn.preprocessing.PolynomialFeatures``, from which it differs only in the digits.

    From the third degree on monomials of dense columns are formed in twice the digits of a double and rounded once, so
    that a power is the double nearest to it, where repeated products lose a digit or so.

    Parameters
    ----------
    degree : int or tuple (min_degree, max_degree), default=2
    interaction_only : bool, default=False
        Only products of different columns.
    include_bias : bool, default=True
        A column of ones, the monomial of degree 0.
    order : {'C', 'F'}, default='C'
        Of a dense answer in memory.

    Attributes
    ----------
    powers_ : ndarray of shape (n_output_features_, n_features_in_)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
    n_output_features_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from recta.preprocessing import PolynomialFeatures
    >>> expansion = PolynomialFeatures(3, include_bias=False)
    >>> expansion.fit_transform(np.array([[1.3], [3.0]])).tolist()
    [[1.3, 1.6900000000000002, 2.197], [3.0, 9.0, 27.0]]
    >>> expansion.get_feature_names_out(["x"]).tolist()
    ['x', 'x^2', 'x^3']
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.array_api_support = False
        return tags

    def transform(self, X: Any) -> Any:
        """The monomials of these rows.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)

        Returns
        -------
        ndarray or sparse array of shape (n_samples, n_output_features_)
        """
        check_is_fitted(self)
        if is_sparse(X) or self._max_degree < 3:
            return super().transform(X)
        X = validate_data(self, X, order="F", dtype=(np.float64, np.float32), reset=False)
        out = np.empty((len(X), self.n_output_features_), dtype=X.dtype, order=self.order)
        columns = [np.array(column, dtype=np.float64) for column in X.T]
        at = int(self.include_bias)
        out[:, :at] = 1
        choose = combinations if self.interaction_only else combinations_with_replacement
        before: dict[tuple[int, ...], Any] = {(): None}
        for degree in range(1, self._max_degree + 1):
            now = {}
            for factors in choose(range(len(columns)), degree):
                x = columns[factors[-1]]
                now[factors] = (x, np.zeros_like(x)) if degree == 1 else _times(before[factors[:-1]], x)
                if degree >= self._min_degree:
                    out[:, at] = now[factors][0]
                    at += 1
            before = now
        return out


def _quantiles(x, counts, n):
    """Evenly spaced quantiles of values that occur so often, as ``numpy.percentile`` has them of the values written out."""
    there = (counts > 0) & ~np.isnan(x)
    order = np.argsort(x[there], kind="stable")
    values, ends = x[there][order], np.cumsum(counts[there][order])
    if len(values) == 0:
        return np.full(n, np.nan)
    place = np.linspace(0.0, 1.0, n) * (ends[-1] - 1)
    below = np.floor(place)
    low, high = (values[np.searchsorted(ends, at, side="right").clip(max=len(values) - 1)] for at in (below, below + 1))
    return low + (place - below) * (high - low)


class SplineTransformer(sklearn.preprocessing.SplineTransformer):
    """B-splines of each column, as ``sklearn.preprocessing.SplineTransformer``, from which it differs only in what it says of
    a value outside the knots (the row, the column and the value) and in quantiles: a weight of 2 means the row twice.
    The command line's ``spline(x, 5)`` makes the same numbers.

    Parameters
    ----------
    n_knots : int, default=5
    degree : int, default=3
    knots : {'uniform', 'quantile'} or array-like of shape (n_knots, n_features), default='uniform'
    extrapolation : {'error', 'constant', 'linear', 'continue', 'periodic'}, default='constant'
        What holds outside the knots.
    include_bias : bool, default=True
        False: without the last spline of each column, since all of them sum to one.
    order : {'C', 'F'}, default='C'
    handle_missing : {'error', 'zeros'}, default='error'
    sparse_output : bool, default=False

    Attributes
    ----------
    bsplines_ : list of scipy.interpolate.BSpline
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
    n_features_out_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from recta.preprocessing import SplineTransformer
    >>> SplineTransformer(3, degree=1).fit_transform(np.array([[0.0], [1.0], [4.0]])).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    """

    @staticmethod
    def _get_base_knot_positions(X, n_knots=10, knots="uniform", sample_weight=None):
        if knots == "quantile" and sample_weight is not None and (sample_weight == np.floor(sample_weight)).all():
            return np.column_stack([_quantiles(x, sample_weight, n_knots) for x in X.T])
        return super(SplineTransformer, SplineTransformer)._get_base_knot_positions(X, n_knots, knots, sample_weight)

    def transform(self, X: Any) -> Any:
        """The splines of these rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray or sparse array of shape (n_samples, n_features_out_)
        """
        try:
            return super().transform(X)
        except ValueError as error:
            where = self._outside(X) if "limits of the knots" in str(error) or "out of bounds" in str(error) else None
            if where is None:
                raise
            raise ValueError(f"{error}\n{where}") from None

    def _outside(self, X):
        values = np.asarray(X, dtype=np.float64)
        for j, spline in enumerate(self.bsplines_):
            low, high = spline.t[spline.k], spline.t[-spline.k - 1]
            beyond = np.flatnonzero((values[:, j] < low) | (values[:, j] > high))
            if len(beyond):
                name = self.feature_names_in_[j] if hasattr(self, "feature_names_in_") else j + 1
                return (
                    f"row {beyond[0] + 1}, column {name}: {float(values[beyond[0], j])!r} is outside {float(low)!r} to "
                    f"{float(high)!r}; extrapolation='constant' takes it"
                )
        return None
