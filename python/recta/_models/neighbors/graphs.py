"""Rows as sparse rows of distances to their neighbours, and missing values filled in from neighbours."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.impute import MissingIndicator
from sklearn.utils.validation import check_is_fitted, validate_data

from recta import _core
from recta._base.declared import estimator, learned, left_out, parameter
from recta._base.scikit_learn import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from recta._estimator import parameters
from recta._estimator.shared import THREADS

from .search import count
from .unsupervised import NearestNeighbors


@estimator("recta.neighbors")
class KNeighborsTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, NearestNeighbors):
    """Rows as a sparse matrix of their k nearest training rows, as ``sklearn.neighbors.KNeighborsTransformer``.

    Examples
    --------
    >>> from recta.neighbors import KNeighborsTransformer
    >>> KNeighborsTransformer(n_neighbors=1).fit_transform([[0.0], [1.0], [3.0]]).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
    """

    mode: str = parameter(
        default="distance",
        type="{'distance', 'connectivity'}",
        doc="Distances of one neighbour more than ``n_neighbors``, as a training row is its own; or ones.",
    )
    radius: Any = left_out()

    def fit(self, X: Any, y: Any = None) -> KNeighborsTransformer:
        parameters.choice(self, "mode", {"distance": 0, "connectivity": 0})
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


@estimator("recta.neighbors")
class KNNImputer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Missing numbers as the mean of the nearest rows that have them, as ``sklearn.impute.KNNImputer``.

    Rows are compared by the Euclidean distance over the columns that both have, scaled up to all columns; equal distances are in the
    order of the rows. Where no row has both a common column and the number, it is the column's mean.

    Examples
    --------
    >>> from recta.neighbors import KNNImputer
    >>> X = [[1, 2, float("nan")], [3, 4, 3], [float("nan"), 6, 5], [8, 8, 7]]
    >>> KNNImputer(n_neighbors=2).fit_transform(X).tolist()
    [[1.0, 2.0, 4.0], [3.0, 4.0, 3.0], [5.5, 6.0, 5.0], [8.0, 8.0, 7.0]]
    """

    missing_values: float = parameter(
        default=np.nan,
        type="int or float",
        doc="The mark of what is missing; where it is another than NaN, NaN is refused.",
    )
    n_neighbors: int = parameter(default=5)
    weights: str = parameter(
        default="uniform",
        type="{'uniform', 'distance'}",
        doc="All donors count alike, or by 1 / distance; at distance 0 those rows alone.",
    )
    metric: str = parameter(default="nan_euclidean", type="{'nan_euclidean'}")
    copy: bool = parameter(default=True, doc="Without effect: X is never written to.")
    add_indicator: bool = parameter(
        default=False,
        doc="A column of 0 and 1 follows for each column with missing values in training: where a number was missing.",
    )
    keep_empty_features: bool = parameter(
        default=False, doc="Columns without any number in training are zeros; otherwise they are left out."
    )
    n_jobs: int | None = THREADS

    _fit_X: Any = learned()
    _valid: Any = learned()
    indicator_: Any = learned()

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
        if self.weights is not None:
            parameters.choice(self, "weights", {"uniform": 0, "distance": 0})
        parameters.choice(self, "metric", {"nan_euclidean": 0})
        if isinstance(self.missing_values, bool) or not isinstance(self.missing_values, Real):
            raise ValueError(
                f"The 'missing_values' parameter of KNNImputer must be a number or NaN. Got {self.missing_values!r} instead."
            )
        self._fit_X = self._numbers(X, reset=True)
        self._valid = ~np.isnan(self._fit_X).all(axis=0) | bool(self.keep_empty_features)
        self.indicator_ = MissingIndicator(error_on_new=False).fit(self._fit_X) if self.add_indicator else None
        self._n_features_out = int(self._valid.sum()) + (len(self.indicator_.features_) if self.add_indicator else 0)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The rows with every number that was missing filled in."""
        check_is_fitted(self)
        rows = self._numbers(X, reset=False)
        filled = _core.impute(
            self._fit_X, rows, self.n_neighbors, self.weights == "distance", parameters.threads(self.n_jobs)
        )[:, self._valid]
        return filled if self.indicator_ is None else np.hstack([filled, self.indicator_.transform(rows)])

    def _numbers(self, X, reset):
        """The rows, NaN where a number is missing."""
        marks = not np.isnan(self.missing_values)
        rows = validate_data(
            self, X, dtype=np.float64, order="C", ensure_all_finite=True if marks else "allow-nan", reset=reset
        )
        return np.where(rows == self.missing_values, np.nan, rows) if marks else rows

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the columns that are left."""
        from sklearn.utils.validation import _check_feature_names_in

        names = _check_feature_names_in(self, input_features)
        more = [] if self.indicator_ is None else [self.indicator_.get_feature_names_out(names)]
        return np.concatenate([names[self._valid], *more])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = bool(np.isnan(self.missing_values))
        return tags
