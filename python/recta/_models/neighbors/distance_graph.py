"""Sparse matrices of given distances, as graphs of neighbours have them: what is stored is a distance, 0 too; what is not stored is not a neighbour."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from recta._data.full_rows import check_size

FAR = np.finfo(np.float64).max  # of a row that is not a neighbour, where the library reads full rows


def is_graph(estimator, X):
    """Whether X holds given distances, of some rows only."""
    return isinstance(estimator.metric, str) and estimator.metric == "precomputed" and hasattr(X, "tocsr")


def checked_graph(X):
    """In canonical form, with stored zeros as they are."""
    if X.format not in ("csr", "csc", "coo", "lil"):
        raise TypeError(f"Sparse matrix in {X.format!r} format is not supported due to its handling of explicit zeros")
    graph = csr_array(X, dtype=np.float64, copy=True)
    graph.sum_duplicates()
    if graph.nnz and graph.data.min() < 0:
        raise ValueError("Negative values in data passed to precomputed distance matrix.")
    return graph


def check_square(graph):
    """Of the rows of training: a column per row."""
    if graph.shape[0] != graph.shape[1]:
        raise ValueError(f"Precomputed matrix must be square. Input is a {graph.shape[0]}x{graph.shape[1]} matrix.")


def check_neighbors(graph, k, own_rows=False):
    """Every row has k neighbours, itself aside among its own rows."""
    have = np.diff(graph.indptr)
    if own_rows:
        have = have - np.bincount(_rows(graph)[_rows(graph) == graph.indices], minlength=graph.shape[0])
    if len(have) and have.min() < k:
        raise ValueError(
            f"{int(k)} neighbors per samples are required, but some samples have only {int(have.min())} neighbors in precomputed graph "
            "matrix. Decrease number of neighbors used or recompute the graph with more neighbors."
        )


def _rows(graph):
    return np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))


def written_out(graph):
    """Full rows, in which rows that are not neighbours are as far as can be."""
    full = np.full(graph.shape, FAR)
    full[_rows(graph), graph.indices] = graph.data
    return full


def kept_in_full(graph, who):
    """The same of the rows of training, within the bound of memory."""
    check_size(graph, who)
    return written_out(graph)


def every_distance(X):
    """Full rows of distances as a graph of all of them."""
    if hasattr(X, "tocsr"):
        return X
    rows, columns = X.shape
    return csr_array(
        (X.ravel(), np.tile(np.arange(columns), rows), np.arange(0, rows * columns + 1, columns)), shape=X.shape
    )


def lists(graph, k, radius, own_rows=False, ties=None):
    """Starts, rows and distances of the k nearest (0: of all) within the radius, nearest first; equal distances in the order of ``ties``, a
    number per row of training, then of the rows."""
    if k:
        check_neighbors(graph, k, own_rows)
    query, row, distance = _rows(graph), graph.indices.astype(np.int64), graph.data
    kept = distance <= radius
    if own_rows:
        kept &= query != row
    query, row, distance = query[kept], row[kept], distance[kept]
    order = np.lexsort((row, distance, query) if ties is None else (row, ties[row], distance, query))
    query, row, distance = query[order], row[order], distance[order]
    start = np.concatenate([[0], np.cumsum(np.bincount(query, minlength=graph.shape[0]))])
    if k:
        nearest = np.arange(len(query)) - start[query] < k
        row, distance = row[nearest], distance[nearest]
        start = np.minimum(np.diff(start), int(k)).cumsum()
        start = np.concatenate([[0], start])
    return start, row, distance
