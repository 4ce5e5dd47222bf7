"""Preprocessing with scikit-learn's names and meanings."""

from __future__ import annotations

import warnings
from itertools import repeat
from typing import Any, Self

import numpy as np
import sklearn.preprocessing
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_sample_weight, check_array, validate_data

from recta import _core
from recta._base.callbacks import as_task
from recta._data.coded import Coded, frame_of
from recta._data.input import array_or_parts, is_sparse


def _is_nan(value):
    return isinstance(value, float) and value != value


class OneHotEncoder(sklearn.preprocessing.OneHotEncoder):
    """A 0/1 column per category, as ``sklearn.preprocessing.OneHotEncoder``, from which it differs only in how it reads columns.

    Categories of pandas, polars and Arrow are read by their codes, in a tenth of the time, and anything with
    ``__arrow_c_stream__`` is taken. A category that training did not see is named with its row.

    Parameters
    ----------
    categories : 'auto' or list of array-like, default='auto'
        'auto': what each column holds, sorted.
    drop : {'first', 'if_binary'}, array-like of shape (n_features,) or None, default=None
        One category per column that gets no column of its own.
    sparse_output : bool, default=True
        A CSR matrix, else an array.
    dtype : number type, default=numpy.float64
    handle_unknown : {'error', 'ignore', 'infrequent_if_exist', 'warn'}, default='error'
        What becomes of categories that training did not see.
    min_frequency : int or float, default=None
    max_categories : int, default=None
        Rarer categories, and those beyond this number, become one.
    feature_name_combiner : 'concat' or callable, default='concat'

    Attributes
    ----------
    categories_ : list of ndarray
    drop_idx_ : ndarray of shape (n_features,) or None
    infrequent_categories_ : list of ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)

    Examples
    --------
    >>> import pandas
    >>> from recta.preprocessing import OneHotEncoder
    >>> X = pandas.DataFrame({"colour": pandas.Categorical(["red", "blue", "red"])})
    >>> encoder = OneHotEncoder(sparse_output=False).fit(X)
    >>> encoder.transform(X).tolist()
    [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
    >>> encoder.get_feature_names_out().tolist()
    ['colour_blue', 'colour_red']
    """

    __module__ = "recta.preprocessing"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64"] if np.dtype(self.dtype) == np.float64 else []
        return tags

    def _columns(self, X, ensure_all_finite):
        """A list of :class:`Coded` and arrays, the number of rows, the number of columns."""
        columns = frame_of(X)
        if columns is None:
            return super()._check_X(X, ensure_all_finite)
        columns = [
            column
            if isinstance(column, Coded)
            else check_array(column, ensure_2d=False, dtype=None, ensure_all_finite=ensure_all_finite)
            for column in columns
        ]
        rows = len(columns[0][0] if isinstance(columns[0], Coded) else columns[0]) if columns else 0
        if rows == 0:
            super()._check_X(X, ensure_all_finite)  # says so
        return columns, rows, len(columns)

    # scikit-learn learns from the columns that this gives: each level once will do, where levels are not counted.
    def _check_X(self, X, ensure_all_finite=True):
        columns, rows, width = self._columns(X, ensure_all_finite)
        counted = self.min_frequency is not None or self.max_categories is not None
        plain = [
            (column.decoded() if counted else column.used()) if isinstance(column, Coded) else column
            for column in columns
        ]
        return plain, rows, width

    def _transform(
        self, X, handle_unknown="error", ensure_all_finite=True, warn_on_unknown=False, ignore_category_indices=None
    ):
        columns, rows, width = self._columns(X, ensure_all_finite)
        validate_data(self, X=X, reset=False, skip_check_array=True)
        place, known, strangers = np.zeros((rows, width), dtype=int), np.ones((rows, width), dtype=bool), []
        for j, column in enumerate(columns):
            found = self._found(j, column)
            if found.min(initial=0) < 0:
                if handle_unknown == "error":
                    raise self._unknown(j, column, found)
                known[:, j] = found >= 0
                strangers.append(j)
                np.maximum(found, 0, out=found)
            place[:, j] = found
        if strangers and warn_on_unknown:
            become = "the infrequent category." if handle_unknown == "infrequent_if_exist" else "all zeros"
            warnings.warn(
                f"Found unknown categories in columns {strangers} during transform. These unknown categories will be "
                f"encoded as {become}",
                UserWarning,
                stacklevel=3,
            )
        self._map_infrequent_categories(place, known, ignore_category_indices)
        return place, known

    def _found(self, j, column):
        """Where the values of a column are among its categories; -1: nowhere."""
        if isinstance(column, Coded):
            return self._found(j, column.levels)[column.codes]
        categories = self.categories_[j]
        if categories.dtype.kind not in "OUS" and column.dtype.kind not in "OUS":
            last = categories[:-1] if np.isnan(categories[-1]) else categories  # NaN stands at the end
            at = np.searchsorted(last, column).clip(max=max(len(last) - 1, 0))
            good = last[at] == column if len(last) else np.zeros(len(column), dtype=bool)
            return np.where(good, at, np.where(np.isnan(column), len(last) if len(last) < len(categories) else -1, -1))
        where = {value: k for k, value in enumerate(categories.tolist())}
        values = column.tolist()
        found = np.fromiter(map(where.get, values, repeat(-1)), int, len(values))
        nan = next((k for value, k in where.items() if _is_nan(value)), -1)
        if nan >= 0:  # equal to nothing, itself included
            nowhere = np.flatnonzero(found < 0)
            found[nowhere] = [nan if _is_nan(values[i]) else -1 for i in nowhere]
        return found

    def _unknown(self, j, column, found):
        row = int(np.argmin(found))
        values = column.levels[np.unique(column.codes[found < 0])] if isinstance(column, Coded) else column[found < 0]
        unknown = list(dict.fromkeys(values.tolist()))
        name = self.feature_names_in_[j] if hasattr(self, "feature_names_in_") else j + 1
        return ValueError(
            f"Found unknown categories {unknown[:100]} in column {j} during transform\nrow {row + 1}, column {name} is "
            f"the first; handle_unknown='ignore' gives such rows no category"
        )


def _is_constant(variance, mean, rows):
    """Whether a column varies by no more than the rounding of its numbers: scikit-learn's bound for so many rows, whatever they weigh,
    since other units of the weights must not change the answer."""
    rounding = np.finfo(np.float64).eps
    return variance <= rows * rounding * variance + (rows * mean * rounding) ** 2


class StandardScaler(sklearn.preprocessing.StandardScaler):
    """Columns with mean 0 and deviation 1, as ``sklearn.preprocessing.StandardScaler``, from which it differs only in what it learns.

    Means and variances are summed in twice the digits of a double and rounded once: a constant column has variance 0
    however far from zero it is and whatever its rows weigh, and the bits are the same with any number of threads. X is
    not copied to learn them. A column that varies by no more than rounding has scale 1, as in scikit-learn.

    Parameters
    ----------
    copy, with_mean, with_std : bool, default=True

    Attributes
    ----------
    mean_, var_, scale_ : ndarray of shape (n_features,) or None
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
    n_samples_seen_ : int or ndarray of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> from recta.preprocessing import StandardScaler
    >>> StandardScaler().fit_transform(np.array([[0.0, 7.1], [2.0, 7.1]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """

    __module__ = "recta.preprocessing"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.array_api_support = False
        return tags

    @as_task
    def partial_fit(self, X: Any, y: None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learns from these rows too.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        self._validate_params()
        first = not hasattr(self, "n_samples_seen_")
        X = validate_data(
            self, X, accept_sparse=("csr", "csc"), dtype=(np.float64, np.float32), ensure_all_finite=False, reset=first
        )
        if is_sparse(X) and self.with_mean:
            raise ValueError("Cannot center sparse matrices: pass `with_mean=False` instead.")
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        new = _core.column_moments(array_or_parts(X), sample_weight)
        if new["infinite"].any():
            column = int(np.argmax(new["infinite"] > 0))
            raise ValueError(
                f"Input X contains infinity or a value too large for dtype('float64').\ncolumn {column + 1} has "
                f"{int(new['infinite'][column])} such value(s)."
            )
        self._join(new, first, whole=sample_weight is None)
        return self

    def _join(self, new, first, whole):
        """Chan's rule for the moments of two sets of rows."""
        weight, mean, variance = new["weight"], new["mean"], new["variance"]
        if not first:
            before = np.broadcast_to(np.asarray(self.n_samples_seen_, dtype=np.float64), weight.shape)
            total = before + weight
            share = np.divide(weight, total, out=np.zeros_like(total), where=total > 0)
            if self.mean_ is not None:
                step = mean - self.mean_
                mean = self.mean_ + step * share
                if self.var_ is not None:
                    variance = (1 - share) * self.var_ + share * variance + share * (1 - share) * step**2
            weight = total
        self._rows_seen = new["count"] if first else self._rows_seen + new["count"]
        seen = weight.astype(np.int64) if whole and (weight == np.floor(weight)).all() else weight
        self.n_samples_seen_ = seen[0] if np.ptp(seen) == 0 else seen
        used = self.with_mean or self.with_std
        there = weight > 0
        self.mean_ = np.where(there, mean, np.nan) if used else None
        self.var_ = np.where(there, variance, np.nan) if self.with_std else None
        self.scale_ = (
            np.where(_is_constant(self.var_, mean, self._rows_seen), 1.0, np.sqrt(self.var_)) if self.with_std else None
        )
