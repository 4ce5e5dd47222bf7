"""Sparse rows where the library reads full ones: written out at once within a bound of memory, or a block at a time."""

from __future__ import annotations

import numpy as np

from recta._base.errors import DataError

from .input import is_sparse

MOST_BYTES = 1 << 32  # of rows that are kept
_BLOCK_BYTES = 1 << 26  # of rows that are asked about, one block after the other


def full_rows(X, who):
    """X as a full array of doubles. More than ``MOST_BYTES`` are refused before memory is asked for."""
    if not is_sparse(X):
        return X
    check_size(X, who)
    return np.ascontiguousarray(X.toarray(), dtype=np.float64)


def check_size(X, who):
    """Refuses sparse rows that would take more than ``MOST_BYTES``."""
    if not is_sparse(X):
        return
    rows, columns = X.shape
    if 8 * rows * columns > MOST_BYTES:
        raise DataError(
            f"{who}, X of {rows} x {columns}",
            f"its rows are kept as full rows, which would take {8 * rows * columns / 2**30:.3g} GiB",
            f"at most {MOST_BYTES >> 30} GiB are taken: give fewer rows, or fewer columns by sklearn.decomposition.TruncatedSVD",
        )


def blocks(X, written=None):
    """Full rows, a part after the other where X is sparse; ``written`` writes out a part, by itself with zeros."""
    if not is_sparse(X):
        yield X
        return
    step = max(1, _BLOCK_BYTES // (8 * max(1, X.shape[1])))
    for first in range(0, max(1, X.shape[0]), step):
        part = X[first : first + step]
        yield np.ascontiguousarray(part.toarray(), dtype=np.float64) if written is None else written(part)
