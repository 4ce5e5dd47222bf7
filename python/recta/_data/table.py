"""Tables read from files, and the data doctor."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from recta import _core
from recta._base.page import Page
from recta._base.progress import reporter
from recta._base.words import in_python

from .input import frame_columns, is_sparse, plain_array, table_of

if TYPE_CHECKING:
    from pandas import DataFrame
    from scipy.sparse import csr_array
else:  # not imported before it is needed
    DataFrame = csr_array = Any


class Table:
    """Typed columns with names, as a reader found them. Columns of numbers are views: nothing is copied.

    >>> import recta
    >>> table = recta.read("iris")
    >>> table.shape, table.names[0]
    ((150, 5), 'sepal_length')
    >>> table["sepal_length"][:3].tolist()
    [5.1, 4.9, 4.7]
    >>> X, y = table.split("petal_width")
    """

    def __init__(self, dataset):
        self.dataset = dataset

    @property
    def names(self) -> list[str]:
        """Of the columns."""
        return self.dataset.names

    @property
    def types(self) -> dict[str, str]:
        """Of the columns by name: real, integer, category or text."""
        return dict(zip(self.dataset.names, self.dataset.types))

    @property
    def notes(self) -> list[str]:
        """What the reader detected."""
        return [in_python(note) for note in self.dataset.notes]

    @property
    def source(self) -> str:
        """The file, or the built-in set."""
        return self.dataset.source

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, sparse ones included."""
        sparse = self.dataset.sparse()
        return self.dataset.rows, len(self.names) + (sparse[3][1] if sparse else 0)

    def __len__(self):
        return self.dataset.rows

    def __getitem__(self, name: str) -> np.ndarray:
        """Numbers as an array (NaN: missing); categories and text as an array of objects (None: missing)."""
        kind = self.types.get(name)
        if kind == "category":
            codes, levels = self.dataset.codes(name)
            return np.array([*levels, None], dtype=object)[codes]
        if kind == "text":
            return np.array(self.dataset.texts(name), dtype=object)
        return self.dataset.numbers(name)

    @property
    def sparse(self) -> csr_array | None:
        """The sparse part of a LIBSVM file as a scipy CSR array, or None."""
        parts = self.dataset.sparse()
        if parts is None:
            return None
        from scipy.sparse import csr_array

        indptr, indices, data, shape = parts
        return csr_array((data, indices, indptr), shape=shape)

    def split(self, target: str) -> tuple[Any, np.ndarray]:
        """Features and target. Features are an array in Fortran order, a sparse array for a sparse file, or a pandas
        frame where there are categories."""
        y = self[target]
        features = [name for name in self.names if name != target]
        if self.sparse is not None and not features:
            return self.sparse, y
        if all(self.types[name] in ("real", "integer") for name in features):
            return self.dataset.matrix(features), y
        return self.to_pandas()[features], y

    def to_pandas(self) -> DataFrame:
        """A pandas frame; categories become its categories."""
        import pandas

        columns = {}
        for name, kind in self.types.items():
            if kind == "category":
                codes, levels = self.dataset.codes(name)
                columns[name] = pandas.Categorical.from_codes(codes, levels)
            else:
                columns[name] = self[name]
        return pandas.DataFrame(columns)

    def __repr__(self):
        return f"<recta.Table {self.source}: {self.shape[0]} rows, {self.shape[1]} columns>"


def read(
    path: str | os.PathLike[str],
    *,
    format: str = "",
    separator: str = "",
    decimal: str = "",
    thousands: str = "",
    header: bool | None = None,
    missing: list[str] | None = None,
    types: dict[str, str] | None = None,
    index_base: int | None = None,
    max_columns: int = 10_000_000,
    max_memory: int = 0,
    max_expansion: float = 1000.0,
    threads: int = 0,
    verbose: int | Callable[[_core.Step], object] = 0,
) -> Table:
    """Reads a table: CSV, TSV, LIBSVM, ARFF, NPY, NPZ, each also ``.gz`` and ``.zst``, or a built-in set by its name.

    What is not given is detected; ``table.notes`` says what was found, and a column that may hold something else than
    it was read as (dates, money, digits in groups) is warned of. ``thousands`` parts groups of three digits: ``","`` reads
    1,234,567; where every comma of a file stands before three digits, it or ``decimal`` must say what they mean. ``missing`` lists the tokens that mean a missing
    value; ``types`` maps a column's name to ``"real"``, ``"integer"``, ``"category"`` or ``"text"``; ``index_base`` is
    the first index of a LIBSVM file, 0 or 1. A file of more than ``max_columns``, one that needs more than ``max_memory``
    bytes (0: what there is) or one that grows more than ``max_expansion`` times when decompressed is refused.
    ``verbose=1`` shows a bar; a function is called with each step, and stops the reading (``recta.Stopped``) when it
    returns False. Ctrl-C stops it too.

    >>> import recta
    >>> recta.read("housing")
    <recta.Table housing: 506 rows, 14 columns>
    """
    report = reporter(verbose)
    try:
        options = (format, separator, decimal, thousands, header, missing, dict(types or {}), threads)
        table = Table(_core.read(os.fspath(path), *options, report, index_base, max_columns, max_memory, max_expansion))
        for note in table.notes:
            if note.startswith("look at column "):
                warnings.warn(note, UserWarning, stacklevel=2)
        return table
    finally:
        if hasattr(report, "close"):
            report.close()


class Checkup(Page):
    """What :func:`check` found: ``advice`` in words, ``targets``, ``columns``, ``dependencies``, ``rank``,
    ``condition``.

    >>> import numpy, recta
    >>> found = recta.check(numpy.array([[1.0, 2.0, 7.0], [2.0, 4.0, 7.0], [3.0, 6.0, 7.0], [5.0, 10.0, 7.0]]))
    >>> found.rows, found.rank, found.columns[2].constant
    (4, 1, True)
    >>> found.advice[0]
    'x3 never changes and tells nothing: leave it out'
    """

    def __init__(self, core):
        self._core = core

    @property
    def advice(self) -> list[str]:
        """What was found and what to do about it, a sentence each."""
        return [in_python(text) for text in self._core.advice]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._core, name)

    def __dir__(self):
        return [name for name in dir(self._core) if not name.startswith("_")]

    def _document(self):
        return _core.document_of_checkup(self._core)


def check(X: Any, y: ArrayLike | None = None, *, target: str | None = None) -> Checkup:
    """The data doctor: what is missing, constant, double or nearly dependent, and what to do about it.

    ``X`` is an array, a frame, or a table of :func:`read`; ``target`` names the target among the columns of a table.

    >>> import recta
    >>> recta.check(recta.read("housing"), target="price").rank
    13
    """
    options = _core.FitOptions()
    if isinstance(X, Table):
        data, names = X.dataset, [target] if target else []
    else:
        frame = hasattr(X, "columns") or (hasattr(X, "__arrow_c_stream__") and not isinstance(X, np.ndarray))
        if frame:
            columns = frame_columns(X)
        else:
            x = plain_array(X)
            x = np.asarray(x.todense()) if is_sparse(x) else x
            columns = [(f"x{j + 1}", np.ascontiguousarray(x[:, j], dtype=np.float64)) for j in range(x.shape[1])]
        data, names, _ = table_of(columns, None if y is None else np.asarray(y, dtype=np.float64))
        names = names or ([target] if target else [])
    options.target = names
    return Checkup(_core.check(data, options))
