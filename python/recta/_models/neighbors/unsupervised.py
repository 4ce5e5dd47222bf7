"""Nearest rows without a model."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import validate_data

from recta import _core
from recta._base.declared import estimator, parameter
from recta._base.scikit_learn import BaseEstimator
from recta._data.full_rows import blocks, full_rows
from recta._estimator import parameters
from recta._estimator.shared import THREADS

from .distance_graph import check_square, checked_graph, every_distance, is_graph, lists
from .search import NeighborLists, count, function_of, joined, pairwise_tags, search_params


@estimator("recta.neighbors")
class NearestNeighbors(NeighborLists, BaseEstimator):
    """Nearest rows without a model, as ``sklearn.neighbors.NearestNeighbors``: exact, also far from the origin.

    Euclidean searches multiply matrices in single precision, rule out by a proven bound on the rounding, and compare what is left by
    differences in double precision. So the neighbours are the true ones, and equal distances are in the order of the rows.

    Examples
    --------
    >>> from recta.neighbors import NearestNeighbors
    >>> search = NearestNeighbors(n_neighbors=2).fit([[1e8, 1e8], [1e8 + 3, 1e8 + 4], [1e8 + 100, 1e8 + 97]])
    >>> search.kneighbors([[1e8, 1e8]])[0].tolist()
    [[0.0, 5.0]]
    """

    n_neighbors: int = parameter(default=5)
    radius: float = parameter(default=1.0)
    algorithm: str = parameter(
        default="auto",
        type="{'auto', 'ball_tree', 'kd_tree', 'brute', 'hnsw'}",
        doc="How neighbours are found; all find the same, except 'hnsw', a graph that finds most of them, faster "
        "among many rows of many columns.",
    )
    leaf_size: int = parameter(default=30, doc="Without effect.")
    metric: Any = parameter(
        default="minkowski",
        type="str",
        doc="'euclidean', 'sqeuclidean', 'manhattan', 'chebyshev', 'minkowski', 'cosine', 'hamming', 'jaccard', "
        "'canberra', 'braycurtis', 'haversine', 'mahalanobis' (in units of the covariance of the training "
        "rows), 'gower' or 'precomputed' (X holds distances), or a function of two rows; 'gower' takes "
        "missing values (NaN).",
    )
    p: float = parameter(default=2, low=1.0, doc="Power of 'minkowski', from 1 up.")
    metric_params: Any = parameter(
        default=None,
        type="dict",
        doc="``{'w': weights}``: of the features, in the distance. Of 'mahalanobis' ``{'V': covariance}`` or its "
        "inverse ``{'VI': inverse}``. For a function: its further arguments.",
    )
    n_jobs: int | None = THREADS
    index_params: dict[str, int] | None = parameter(
        default=None,
        type="dict",
        doc="For ``algorithm='hnsw'``: ``links`` (16) of a row per layer, ``ef_construction`` (200) and "
        "``ef_search`` (64), the rows kept while the graph is built and while a query walks, and the ``seed`` "
        "(0).",
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Builds the index over the rows of X.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
            Sparse rows are kept as full rows, of at most 4 GiB. With ``metric='precomputed'`` a sparse matrix is a graph: what it stores are
            distances, and rows that it does not store are not neighbours.
        y
            Ignored.

        Returns
        -------
        self
        """
        count(self, "n_neighbors", self.n_neighbors)
        params = self._params()
        rows = self._checked(X, reset=True)
        self.__dict__.pop("_memory", None)
        if is_graph(self, rows):
            check_square(rows)
        else:
            self._memory = self._remember(full_rows(rows, type(self).__name__), params)
        self._fit_X = rows
        self.n_samples_fit_ = rows.shape[0]
        self.effective_metric_ = self.metric if callable(self.metric) else params["metric"]
        return self

    def _checked(self, X, reset):
        if is_graph(self, X):
            X = checked_graph(X)
        return validate_data(
            self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=reset, ensure_all_finite=self._finite()
        )

    def _remember(self, rows, params):
        seed = int((self.index_params or {}).get("seed", 0))
        return _core.remember(rows, params, seed, parameters.threads(self.n_jobs), function_of(self))

    def _params(self):
        return search_params(self) if function_of(self) is None else {}

    def _finite(self):
        return "allow-nan" if self.metric == "gower" else True

    def __sklearn_tags__(self):
        tags = pairwise_tags(self, super().__sklearn_tags__())
        tags.input_tags.allow_nan = self.metric == "gower"
        tags.input_tags.sparse = True
        return tags

    def _lists(self, X, k, radius):
        rows = self._fit_X if X is None else self._checked(X, reset=False)
        if is_graph(self, self._fit_X):
            return lists(every_distance(rows), k, radius, X is None)
        if is_graph(self, rows):
            return lists(rows, k, radius)
        if "_memory" not in self.__dict__:  # read from a pickle
            self._memory = self._remember(full_rows(self._fit_X, type(self).__name__), self._params())
        threads = parameters.threads(self.n_jobs)
        if X is None:
            return self._memory.nearest(full_rows(rows, type(self).__name__), k, radius, True, threads)
        return joined(self._memory.nearest(part, k, radius, False, threads) for part in blocks(rows))

    def __getstate__(self):
        return {key: value for key, value in super().__getstate__().items() if key != "_memory"}
