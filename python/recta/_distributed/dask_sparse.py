"""Dask arrays of sparse rows: their blocks become tables of one column of sparse vectors, and stay where they are."""

from __future__ import annotations

import dask
import numpy as np
import pyarrow as pa

from recta._base.errors import DataError, UsageError

from .parts_of_tables import VECTOR, Columns, dataset_of, predicted_as

_ROWS, _LABEL = "x", "y"  # names of the columns


def has_sparse_rows(data):
    """Whether data is a Dask array whose blocks are sparse, of SciPy."""
    return _is_sparse(getattr(data, "_meta", None))


def label_columns(labels):
    """The names of the columns of an array of 0 and 1, one per label."""
    return [f"{_LABEL}{k + 1}" for k in range(labels.shape[1])]


def _is_sparse(block):
    return hasattr(block, "tocsr")


def _csr(block):
    """A block in compressed rows, every row in the order of its columns and without doubles."""
    import scipy.sparse

    rows = block.tocsr() if _is_sparse(block) else scipy.sparse.csr_array(block)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    if rows.nnz > np.iinfo(np.int32).max:
        raise DataError(
            "a block of the array",
            f"it stores {rows.nnz} numbers",
            "cut the array into smaller blocks of rows: rechunk",
        )
    return rows


def _vectors(block):
    """Sparse rows as Spark writes vectors."""
    rows = _csr(block)
    start = pa.array(rows.indptr.astype(np.int32, copy=False))
    lists = [
        pa.ListArray.from_arrays(start, pa.array(values))
        for values in (rows.indices.astype(np.int32, copy=False), rows.data.astype(np.float64, copy=False))
    ]
    count, width = rows.shape
    plain = [pa.array(np.zeros(count, np.int8)), pa.array(np.full(count, width, np.int32))]
    return pa.StructArray.from_arrays([*plain, *lists], fields=list(VECTOR))


def _table(block, labels, columns):
    """A block of rows and one of labels as a part of a table."""
    arrays = {_ROWS: _vectors(block)}
    if labels is not None:
        if len(labels) != block.shape[0]:
            raise DataError(
                "label",
                f"a block of it has {len(labels)} labels, and that of the rows has {block.shape[0]}",
                "cut both arrays alike: rechunk",
            )
        of_sets = labels.ndim == 2
        for name, values in zip(columns.others, labels.T if of_sets else [labels]):
            arrays[name] = pa.array(np.ascontiguousarray(values), columns.schema.field(name).type)
    return pa.table(arrays, schema=columns.schema)


class SparseRows:
    """A Dask array of sparse rows, and one of labels."""

    def __init__(self, data, label=None):
        if label is not None and not hasattr(label, "to_delayed"):
            raise UsageError(
                "label", f"{label!r} is not a Dask array", "give one of labels, a number or a word per row"
            )
        self._data = data.rechunk({1: -1}) if data.numblocks[1] > 1 else data
        self._labels = label
        if label is not None and label.ndim == 2 and label.numblocks[1] > 1:
            self._labels = label = label.rechunk({1: -1})
        if (
            label is not None
            and label.chunks[0] != data.chunks[0]
            and not np.isnan([*label.chunks[0], *data.chunks[0]]).any()
        ):
            self._labels = label.rechunk({0: data.chunks[0]})

    @property
    def label(self):
        """The name of the column of labels; of those of a set, one for each."""
        if self._labels is None:
            return None
        return _LABEL if self._labels.ndim == 1 else tuple(label_columns(self._labels))

    def columns(self):
        fields = [pa.field(_ROWS, VECTOR)]
        if self._labels is not None:
            kind = self._labels.dtype
            names = [self.label] if isinstance(self.label, str) else self.label
            fields += [
                pa.field(name, pa.from_numpy_dtype(kind) if kind.kind in "biuf" else pa.string()) for name in names
            ]
        columns = Columns(
            pa.schema(fields), [_ROWS], [field.name for field in fields[1:]], {_ROWS: self._data.shape[1]}, [_ROWS]
        )
        columns.named = False
        return columns

    def parts(self):
        """The parts of the table that the blocks are, each to be made where its block is."""
        blocks = self._data.to_delayed().ravel()
        labels = [None] * len(blocks) if self._labels is None else self._labels.to_delayed().ravel()
        if len(labels) != len(blocks):
            raise DataError(
                "label",
                f"it has {len(labels)} blocks, and the rows have {len(blocks)}",
                "cut both arrays alike: rechunk",
            )
        make, columns = dask.delayed(_table), dask.delayed(self.columns())
        return [make(block, some, columns) for block, some in zip(blocks, labels)]

    def predictions(self, core, kind):
        """One per row, as a Dask array."""
        if core.sparse_columns != self._data.shape[1]:
            raise DataError(
                "data",
                f"its rows have {self._data.shape[1]} numbers",
                f"those of the model have {core.sparse_columns} sparse columns",
            )
        columns = SparseRows(self._data).columns()

        def predict(block):
            if not block.shape[0]:
                return np.zeros(0, dtype=kind)
            return predicted_as(core, dataset_of(_table(block, None, columns), columns, "a block"), kind)

        return self._data.map_blocks(predict, dtype=kind, drop_axis=1, meta=np.zeros(0, dtype=kind))
