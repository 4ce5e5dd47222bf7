"""The local outlier factor."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core, _parameters
from ._docstrings import placed
from ._input import plain_names
from ._neighbor_search import NeighborLists, count, pairwise_tags, search_params

if TYPE_CHECKING:
    from typing import Self


def _of_new_rows(estimator):
    if not estimator.novelty:
        raise AttributeError(f"novelty=False: {type(estimator).__name__} answers for the training rows alone, by fit_predict and "
                             "negative_outlier_factor_; novelty=True answers for new rows.")
    return True


def _of_training_rows(estimator):
    if estimator.novelty:
        raise AttributeError("novelty=True: fit_predict is not available; predict answers for new rows, fit for the training rows.")
    return True


@placed
class LocalOutlierFactor(NeighborLists, OutlierMixin, BaseEstimator):
    """How much sparser the surroundings of a row are than those of its neighbours, as ``sklearn.neighbors.LocalOutlierFactor``.

    Parameters
    ----------
    n_neighbors : int, default=20
        At most one less than there are rows; more are taken as that many, with a warning.
    algorithm : {'auto', 'ball_tree', 'kd_tree', 'brute', 'hnsw'}, default='auto'
        How neighbours are found; all find the same, except 'hnsw'.
    leaf_size : int, default=30
        Without effect.
    metric : str, default='minkowski'
        As in NearestNeighbors, except functions.
    p : float, default=2
        Power of 'minkowski'.
    metric_params : dict, default=None
        ``{'w': weights}``: of the features.
    contamination : 'auto' or float, default='auto'
        The share of the training rows that are called outliers; 'auto': those whose factor is above 1.5.
    novelty : bool, default=False
        Whether it answers for new rows, by ``predict``, ``decision_function`` and ``score_samples``.
    n_jobs : int, default=None
        None: all cores.
    index_params : dict, default=None
        For ``algorithm='hnsw'``, as in NearestNeighbors.

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

    _module = "recta.neighbors"

    def __init__(self, n_neighbors: int = 20, *, algorithm: str = "auto", leaf_size: int = 30, metric: str = "minkowski", p: float = 2,
                 metric_params: Any = None, contamination: Any = "auto", novelty: bool = False, n_jobs: int | None = None,
                 index_params: dict[str, int] | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.contamination = contamination
        self.novelty = novelty
        self.n_jobs = n_jobs
        self.index_params = index_params

    def fit(self, X: Any, y: Any = None) -> Self:
        """Measures the density around every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y
            Ignored.

        Returns
        -------
        self
        """
        wanted = count(self, "n_neighbors", self.n_neighbors)
        share = self.contamination
        if share != "auto" and not (isinstance(share, (float, int)) and 0 < share <= 0.5):
            raise ValueError(f"The 'contamination' parameter of LocalOutlierFactor must be 'auto' or a float in (0, 0.5]. Got {share!r} instead.")
        rows = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        self.n_samples_fit_ = len(rows)
        self.n_neighbors_ = max(1, min(wanted, self.n_samples_fit_ - 1))
        options = _core.FitOptions()
        options.threads = _parameters.threads(self.n_jobs)
        options.seed = int((self.index_params or {}).get("seed", 0))
        options.params = search_params(self) | {"k": float(self.n_neighbors_)}
        self._model = _core.fit("lof", rows, None, None, plain_names(rows, rows.shape[1]), options).model
        self._fit_X = rows
        self.effective_metric_ = self._model.params["metric"]
        self.negative_outlier_factor_ = -np.array(self._model.report["fields"]["outlier_factors"])
        self.offset_ = -1.5 if share == "auto" else float(np.percentile(self.negative_outlier_factor_, 100.0 * share))
        return self

    @available_if(_of_training_rows)
    def fit_predict(self, X: Any, y: Any = None) -> np.ndarray:
        """-1 for outliers among the training rows, 1 for the others."""
        return self.fit(X)._called(self.negative_outlier_factor_)

    @available_if(_of_new_rows)
    def predict(self, X: Any) -> np.ndarray:
        """-1 for outliers among new rows, 1 for the others."""
        return self._called(self.score_samples(X))

    @available_if(_of_new_rows)
    def decision_function(self, X: Any) -> np.ndarray:
        """Negative factor less ``offset_``: below zero for outliers."""
        return self.score_samples(X) - self.offset_

    @available_if(_of_new_rows)
    def score_samples(self, X: Any) -> np.ndarray:
        """Negative outlier factors of new rows; a training row is compared with itself, too."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return -self._model.predict(rows, threads=_parameters.threads(self.n_jobs)).reshape(-1)

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
        rows = self._fit_X if X is None else validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return _core.nearest_rows(self._model, rows, k, radius, X is None, _parameters.threads(self.n_jobs))

    def __sklearn_tags__(self):
        return pairwise_tags(self, super().__sklearn_tags__())
