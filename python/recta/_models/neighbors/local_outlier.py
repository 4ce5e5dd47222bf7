"""The local outlier factor."""

from __future__ import annotations

import os
import warnings
from typing import Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from recta import _core
from recta._base.declared import estimator, parameter
from recta._base.scikit_learn import BaseEstimator, OutlierMixin
from recta._data.full_rows import blocks, full_rows
from recta._data.input import plain_names
from recta._estimator import parameters
from recta._estimator.shared import THREADS

from .distance_graph import check_neighbors, check_square, checked_graph, is_graph, kept_in_full, lists, written_out
from .search import NeighborLists, count, joined, pairwise_tags, search_params


def _of_new_rows(estimator):
    if not estimator.novelty:
        raise AttributeError(
            f"novelty=False: {type(estimator).__name__} answers for the training rows alone, by fit_predict and "
            "negative_outlier_factor_; novelty=True answers for new rows."
        )
    return True


def _of_training_rows(estimator):
    if estimator.novelty:
        raise AttributeError(
            "novelty=True: fit_predict is not available; predict answers for new rows, fit for the training rows."
        )
    return True


@estimator("recta.neighbors")
class LocalOutlierFactor(NeighborLists, OutlierMixin, BaseEstimator):
    """How much sparser the surroundings of a row are than those of its neighbours, as ``sklearn.neighbors.LocalOutlierFactor``.

    Attributes
    ----------
    negative_outlier_factor_ : ndarray of shape (n_samples,)
        Of the training rows, each without itself; near -1 where nothing is unusual.
    n_neighbors_ : int
    offset_ : float
        Rows whose negative factor is below are outliers.
    certificate_ : certificate with ``verdict``, ``conditions`` and ``sentence``

    Examples
    --------
    >>> from recta.neighbors import LocalOutlierFactor
    >>> model = LocalOutlierFactor(n_neighbors=2)
    >>> model.fit_predict([[-1.1], [0.2], [101.1], [0.3]]).tolist(), model.certificate_.verdict
    ([1, 1, -1, 1], 'proved')
    """

    n_neighbors: int = parameter(
        default=20,
        kw_only=False,
        doc="At most one less than there are rows; more are taken as that many, with a warning.",
    )
    algorithm: str = parameter(
        default="auto",
        type="{'auto', 'ball_tree', 'kd_tree', 'brute', 'hnsw'}",
        doc="How neighbours are found; all find the same, except 'hnsw'.",
    )
    leaf_size: int = parameter(default=30, doc="Without effect.")
    metric: str = parameter(default="minkowski", doc="As in NearestNeighbors, except functions.")
    p: float = parameter(default=2, low=1.0, doc="Power of 'minkowski'.")
    metric_params: Any = parameter(default=None, type="dict", doc="``{'w': weights}``: of the features.")
    contamination: Any = parameter(
        default="auto",
        type="'auto' or float",
        doc="The share of the training rows that are called outliers; 'auto': those whose factor is above 1.5.",
    )
    novelty: bool = parameter(
        default=False,
        doc="Whether it answers for new rows, by ``predict``, ``decision_function`` and ``score_samples``.",
    )
    n_jobs: int | None = THREADS
    index_params: dict[str, int] | None = parameter(
        default=None, type="dict", doc="For ``algorithm='hnsw'``, as in NearestNeighbors."
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Measures the density around every row.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
            Sparse rows, and graphs of distances, as in NearestNeighbors.
        y
            Ignored.

        Returns
        -------
        self
        """
        wanted = count(self, "n_neighbors", self.n_neighbors)
        share = self.contamination
        if share != "auto" and not (isinstance(share, (float, int)) and 0 < share <= 0.5):
            raise ValueError(
                f"The 'contamination' parameter of LocalOutlierFactor must be 'auto' or a float in (0, 0.5]. Got {share!r} instead."
            )
        rows = self._checked(X, reset=True)
        self.n_samples_fit_ = rows.shape[0]
        self.n_neighbors_ = max(1, min(wanted, self.n_samples_fit_ - 1))
        if wanted > self.n_samples_fit_:
            warnings.warn(
                f"n_neighbors ({wanted}) is greater than the total number of samples ({self.n_samples_fit_}). n_neighbors will be set to "
                "(n_samples - 1) for estimation.",
                stacklevel=2,
            )
        options = _core.FitOptions()
        options.threads = parameters.threads(self.n_jobs)
        options.seed = int((self.index_params or {}).get("seed", 0))
        options.params = search_params(self) | {"k": float(self.n_neighbors_)}
        full = self._full(rows, self.n_neighbors_, own_rows=True)
        self._model = _core.fit("lof", full, None, None, plain_names(full, full.shape[1]), options).model
        self._fit_X = rows
        self.effective_metric_ = self._model.params["metric"]
        self.negative_outlier_factor_ = -np.array(self._model.report["outlier_factors"])
        self.offset_ = -1.5 if share == "auto" else float(np.percentile(self.negative_outlier_factor_, 100.0 * share))
        return self

    def _checked(self, X, reset):
        if is_graph(self, X):
            X = checked_graph(X)
        rows = validate_data(
            self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=reset, ensure_min_samples=2 if reset else 1
        )
        if reset and is_graph(self, rows):
            check_square(rows)
        return rows

    def _full(self, rows, k, own_rows=False):
        if not is_graph(self, rows):
            return full_rows(rows, type(self).__name__)
        check_neighbors(rows, k, own_rows)
        return kept_in_full(rows, type(self).__name__) if own_rows else written_out(rows)

    @available_if(_of_training_rows)
    def fit_predict(self, X: Any, y: Any = None) -> np.ndarray:
        """-1 for outliers among the training rows, 1 for the others."""
        return self.fit(X)._called(self.negative_outlier_factor_)

    @available_if(_of_new_rows)
    def predict(self, X: Any = None) -> np.ndarray:
        """-1 for outliers among new rows, 1 for the others; None: among the training rows, each without itself."""
        return self._called(self.negative_outlier_factor_ if X is None else self.score_samples(X))

    @available_if(_of_new_rows)
    def decision_function(self, X: Any) -> np.ndarray:
        """Negative factor less ``offset_``: below zero for outliers."""
        return self.score_samples(X) - self.offset_

    @available_if(_of_new_rows)
    def score_samples(self, X: Any) -> np.ndarray:
        """Negative outlier factors of new rows; a training row is compared with itself, too."""
        check_is_fitted(self)
        rows, threads = self._checked(X, reset=False), parameters.threads(self.n_jobs)
        parts = blocks(rows, lambda part: self._full(part, self.n_neighbors_))
        return -np.concatenate([self._model.predict(part, threads=threads).reshape(-1) for part in parts])

    @property
    def certificate_(self) -> Any:
        """What the model claims, and whether it was found true."""
        check_is_fitted(self)
        return self._model.certificate

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a .recta file, which the command line reads."""
        check_is_fitted(self)
        self._model.save(os.fspath(path))

    def _called(self, scores):
        return np.where(scores < self.offset_, -1, 1)

    def _lists(self, X, k, radius):
        rows, threads = self._fit_X if X is None else self._checked(X, reset=False), parameters.threads(self.n_jobs)
        if is_graph(self, rows):
            return lists(rows, k, radius, X is None)
        if X is None:
            return _core.nearest_rows(self._model, full_rows(rows, type(self).__name__), k, radius, True, threads)
        return joined(_core.nearest_rows(self._model, part, k, radius, False, threads) for part in blocks(rows))

    def __sklearn_tags__(self):
        tags = pairwise_tags(self, super().__sklearn_tags__())
        tags.input_tags.sparse = True
        return tags
