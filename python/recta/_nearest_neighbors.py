"""Nearest rows without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from . import _core, _parameters
from ._docstrings import placed
from ._neighbor_search import GRAPH_DOC, INDEXES, NeighborLists, choice, count, pairwise_tags, search_params

if TYPE_CHECKING:
    from typing import Self


@placed
class NearestNeighbors(NeighborLists, BaseEstimator):
    """Nearest rows without a model, as ``sklearn.neighbors.NearestNeighbors``: exact, also far from the origin.

    Euclidean searches multiply matrices in single precision, rule out by a proven bound on the rounding, and compare what is left by
    differences in double precision. So the neighbours are the true ones, and equal distances are in the order of the rows.

    Parameters
    ----------
    n_neighbors : int, default=5
    radius : float, default=1.0
    algorithm : {'auto', 'ball_tree', 'kd_tree', 'brute', 'hnsw'}, default='auto'
        How neighbours are found; all find the same, except 'hnsw', a graph that finds most of them, faster among many rows of many columns.
    leaf_size : int, default=30
        Without effect.
    metric : str, default='minkowski'
        'euclidean', 'sqeuclidean', 'manhattan', 'chebyshev', 'minkowski', 'cosine', 'hamming', 'jaccard', 'canberra', 'braycurtis',
        'haversine', 'mahalanobis' (in units of the covariance of the training rows), 'gower' or 'precomputed' (X holds distances),
        or a function of two rows; 'gower' takes missing values (NaN).
    p : float, default=2
        Power of 'minkowski', from 1 up.
    metric_params : dict, default=None
        ``{'w': weights}``: of the features, in the distance.
    n_jobs : int, default=None
        None: all cores.
    %s

    Examples
    --------
    >>> from recta.neighbors import NearestNeighbors
    >>> search = NearestNeighbors(n_neighbors=2).fit([[1e8, 1e8], [1e8 + 3, 1e8 + 4], [1e8 + 100, 1e8 + 97]])
    >>> search.kneighbors([[1e8, 1e8]])[0].tolist()
    [[0.0, 5.0]]
    """

    _module = "recta.neighbors"

    def __init__(self, *, n_neighbors: int = 5, radius: float = 1.0, algorithm: str = "auto", leaf_size: int = 30, metric: str = "minkowski",
                 p: float = 2, metric_params: Any = None, n_jobs: int | None = None, index_params: dict[str, int] | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.index_params = index_params

    def fit(self, X: Any, y: Any = None) -> Self:
        """Builds the index over the rows of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y
            Ignored.

        Returns
        -------
        self
        """
        count(self, "n_neighbors", self.n_neighbors)
        params = self._params()
        rows = validate_data(self, X, dtype=np.float64, order="C", ensure_all_finite=self._finite())
        self._memory = self._remember(rows, params)
        self._fit_X = rows
        self.n_samples_fit_ = len(rows)
        self.effective_metric_ = self.metric if callable(self.metric) else params["metric"]
        return self

    def _remember(self, rows, params):
        seed = int((self.index_params or {}).get("seed", 0))
        return _core.remember(rows, params, seed, _parameters.threads(self.n_jobs), self.metric if callable(self.metric) else None)

    def _params(self):
        if not callable(self.metric):
            return search_params(self)
        if choice(self, "algorithm", INDEXES) not in ("auto", "brute") or self.metric_params is not None or self.index_params is not None:
            raise ValueError("NearestNeighbors(metric=function): nothing is known of it, so all rows are compared; algorithm='brute' or 'auto', without "
                             "metric_params and index_params.")
        return {}

    def _finite(self):
        return "allow-nan" if self.metric == "gower" else True

    def __sklearn_tags__(self):
        tags = pairwise_tags(self, super().__sklearn_tags__())
        tags.input_tags.allow_nan = self.metric == "gower"
        return tags

    def _lists(self, X, k, radius):
        if "_memory" not in self.__dict__:  # read from a pickle
            self._memory = self._remember(self._fit_X, self._params())
        rows = self._fit_X if X is None else validate_data(self, X, dtype=np.float64, order="C", reset=False, ensure_all_finite=self._finite())
        return self._memory.nearest(rows, k, radius, X is None, _parameters.threads(self.n_jobs))

    def __getstate__(self):
        return {key: value for key, value in super().__getstate__().items() if key != "_memory"}


NearestNeighbors.__doc__ = NearestNeighbors.__doc__ % GRAPH_DOC
