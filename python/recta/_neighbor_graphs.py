"""Rows as sparse rows of distances to their neighbours, and missing values filled in from neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core, _parameters
from ._docstrings import placed
from ._nearest_neighbors import NearestNeighbors
from ._neighbor_search import choice, count


@placed
class KNeighborsTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, NearestNeighbors):
    """Rows as a sparse matrix of their k nearest training rows, as ``sklearn.neighbors.KNeighborsTransformer``.

    Parameters
    ----------
    mode : {'distance', 'connectivity'}, default='distance'
        Distances of one neighbour more than ``n_neighbors``, as a training row is its own; or ones.
    n_neighbors : int, default=5
    algorithm, leaf_size, metric, p, metric_params, n_jobs, index_params
        As in NearestNeighbors.

    Examples
    --------
    >>> from recta.neighbors import KNeighborsTransformer
    >>> KNeighborsTransformer(n_neighbors=1).fit_transform([[0.0], [1.0], [3.0]]).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
    """

    _module = "recta.neighbors"

    def __init__(self, *, mode: str = "distance", n_neighbors: int = 5, algorithm: str = "auto", leaf_size: int = 30, metric: str = "minkowski",
                 p: float = 2, metric_params: Any = None, n_jobs: int | None = None, index_params: dict[str, int] | None = None) -> None:
        super().__init__(n_neighbors=n_neighbors, algorithm=algorithm, leaf_size=leaf_size, metric=metric, p=p, metric_params=metric_params,
                         n_jobs=n_jobs, index_params=index_params)
        del self.radius
        self.mode = mode

    def fit(self, X: Any, y: Any = None) -> KNeighborsTransformer:
        choice(self, "mode", {"distance": 0, "connectivity": 0})
        super().fit(X)
        self._n_features_out = self.n_samples_fit_
        return self

    fit.__doc__ = NearestNeighbors.fit.__doc__

    def transform(self, X: Any) -> csr_matrix:
        """The neighbours of each row as a sparse matrix of shape (n_queries, n_samples_fit)."""
        check_is_fitted(self)
        return self.kneighbors_graph(X, self.n_neighbors + (self.mode == "distance"), mode=self.mode)

    def fit_transform(self, X: Any, y: Any = None) -> csr_matrix:
        """Fits, and transforms the same rows."""
        return self.fit(X).transform(X)


@placed
class KNNImputer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Missing numbers as the mean of the nearest rows that have them, as ``sklearn.impute.KNNImputer``.

    Rows are compared by the Euclidean distance over the columns that both have, scaled up to all columns; equal distances are in the
    order of the rows. Where no row has both a common column and the number, it is the column's mean.

    Parameters
    ----------
    missing_values : nan
        What is missing.
    n_neighbors : int, default=5
    weights : {'uniform', 'distance'}, default='uniform'
        All donors count alike, or by 1 / distance; at distance 0 those rows alone.
    metric : {'nan_euclidean'}, default='nan_euclidean'
    keep_empty_features : bool, default=False
        Columns without any number in training are zeros; otherwise they are left out.
    n_jobs : int, default=None
        None: all cores.

    Examples
    --------
    >>> from recta.neighbors import KNNImputer
    >>> X = [[1, 2, float("nan")], [3, 4, 3], [float("nan"), 6, 5], [8, 8, 7]]
    >>> KNNImputer(n_neighbors=2).fit_transform(X).tolist()
    [[1.0, 2.0, 4.0], [3.0, 4.0, 3.0], [5.5, 6.0, 5.0], [8.0, 8.0, 7.0]]
    """

    _module = "recta.neighbors"

    def __init__(self, *, missing_values: float = np.nan, n_neighbors: int = 5, weights: str = "uniform", metric: str = "nan_euclidean",
                 keep_empty_features: bool = False, n_jobs: int | None = None) -> None:
        self.missing_values = missing_values
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.keep_empty_features = keep_empty_features
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> KNNImputer:
        """Remembers the rows.

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
        choice(self, "weights", {"uniform": 0, "distance": 0})
        choice(self, "metric", {"nan_euclidean": 0})
        if not (isinstance(self.missing_values, float) and np.isnan(self.missing_values)):
            raise ValueError(f"KNNImputer(missing_values={self.missing_values!r}): NaN alone is missing; replace other marks by it first.")
        self._fit_X = validate_data(self, X, dtype=np.float64, order="C", ensure_all_finite="allow-nan")
        there = ~np.isnan(self._fit_X)
        self._valid = there.any(axis=0) | bool(self.keep_empty_features)
        self._means = np.where(there, self._fit_X, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        self._n_features_out = int(self._valid.sum())
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The rows with every number that was missing filled in."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, order="C", ensure_all_finite="allow-nan", reset=False)
        filled = rows.copy()
        for j in np.flatnonzero(np.isnan(rows).any(axis=0)):
            asking, donors = np.flatnonzero(np.isnan(rows[:, j])), np.flatnonzero(~np.isnan(self._fit_X[:, j]))
            filled[asking, j] = self._filled(rows[asking], donors, j) if len(donors) else 0.0
        return filled[:, self._valid]

    def _filled(self, asking, donors, j):
        threads = _parameters.threads(self.n_jobs)
        memory = _core.remember(self._fit_X[donors], {"metric": "nan-euclidean"}, 0, threads)
        k = min(self.n_neighbors, len(donors))
        _, near, distance = memory.nearest(asking, float(k), np.inf, False, threads)
        values, distance = self._fit_X[donors][near, j].reshape(-1, k), distance.reshape(-1, k)
        weight = np.isfinite(distance).astype(float)  # rows without a common column say nothing
        if self.weights == "distance":
            exact = (distance == 0).any(axis=1, keepdims=True)
            with np.errstate(divide="ignore"):
                weight = np.where(exact, distance == 0, weight / distance)
        total = weight.sum(axis=1)
        means = (weight * values).sum(axis=1) / np.where(total > 0, total, 1.0)
        return np.where(total > 0, means, self._means[j])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the columns that are left."""
        from sklearn.utils.validation import _check_feature_names_in

        return _check_feature_names_in(self, input_features)[self._valid]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
