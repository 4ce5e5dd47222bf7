"""Columns of categories as frames hold them: a code per row, and the levels the codes stand for."""

from typing import NamedTuple

import numpy as np

from recta import _core

from .input import is_category, is_foreign_table


class Coded(NamedTuple):
    """Codes lead into levels, which are unique but in no order; some may be used by no row."""

    codes: np.ndarray
    levels: np.ndarray

    def used(self):
        """The levels that rows have."""
        return self.levels[np.bincount(self.codes, minlength=len(self.levels)) > 0]

    def decoded(self):
        return self.levels[self.codes]


def _coded(codes, levels, missing):
    """A code of -1 is a missing value, which is a level of its own here."""
    codes = np.asarray(codes)
    if len(codes) and codes.min() < 0:
        kind = np.float64 if levels.dtype.kind in "iuf" and missing is not None else object
        levels = np.concatenate([levels.astype(kind), np.array([missing], dtype=kind)])
        codes = np.where(codes < 0, len(levels) - 1, codes)
    return Coded(codes, levels)


def _objects(levels):
    return np.array([*levels, None], dtype=object)[:-1]  # the None keeps NumPy from making strings of one width


def _pandas_column(column):
    if type(column.dtype).__name__ == "CategoricalDtype":
        return _coded(column.cat.codes, column.cat.categories.to_numpy(), np.nan)
    if type(column.dtype).__name__ == "StringDtype":
        codes, levels = column.factorize()
        return _coded(codes, _objects(levels), np.nan)
    return column


def _arrow_columns(table, names, kinds):
    """Of polars and pyarrow: categories by the Arrow protocol, all else as its own library gives it to NumPy."""
    categories = [name for name, kind in zip(names, kinds) if is_category(kind)]
    coded = _core.from_arrow(table.select(categories)) if categories else None
    for name in names:
        if name in categories:
            codes, levels = coded.codes(name)
            yield _coded(codes, _objects(levels), None)
        else:
            yield (table.get_column(name) if hasattr(table, "get_column") else table.column(name)).to_numpy()


def _protocol_columns(stream):
    table = _core.from_arrow(stream)
    for name, kind in zip(table.names, table.types):
        if kind == "category":
            codes, levels = table.codes(name)
            yield _coded(codes, _objects(levels), None)
        else:
            yield _objects(table.texts(name)) if kind == "text" else table.numbers(name)


def frame_of(X):
    """The columns of a frame, each :class:`Coded` where it is a category and an array or series otherwise; None where X is
    not a frame."""
    if hasattr(X, "iloc") and getattr(X, "ndim", 0) == 2:
        return [_pandas_column(X.iloc[:, j]) for j in range(X.shape[1])]
    if hasattr(X, "schema") and hasattr(X, "select") and hasattr(X, "__arrow_c_stream__"):
        if hasattr(X, "column_names"):
            return list(_arrow_columns(X, X.column_names, X.schema.types))
        return list(_arrow_columns(X, X.columns, X.schema.values()))
    return list(_protocol_columns(X)) if is_foreign_table(X) else None
