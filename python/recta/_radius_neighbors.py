"""Classes and means of all rows within a radius."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._neighbor_models import ByRadius, Means, Votes, documented


@documented
class RadiusNeighborsClassifier(ByRadius, Votes):
    """Classes by all training rows within a radius, as ``sklearn.neighbors.RadiusNeighborsClassifier``.

    Parameters
    ----------
    radius : float, default=1.0
    %s
    outlier_label : {None, 'most_frequent'}, default=None
        What a row without neighbours gets: an error, or the shares of all training rows and the class of most weight. Other labels are
        refused.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.
    effective_metric_ : str
    n_samples_fit_ : int
        Rows of positive weight.
    certificate_ : recta.Certificate

    Examples
    --------
    >>> from recta.neighbors import RadiusNeighborsClassifier
    >>> RadiusNeighborsClassifier(radius=1.0).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[2.5]]).tolist()
    [1]
    """

    _word = "knn"

    def __init__(self, radius: float = 1.0, *, weights: str = "uniform", algorithm: str = "auto", leaf_size: int = 30, p: float = 2,
                 metric: str = "minkowski", outlier_label: Any = None, metric_params: Any = None, n_jobs: int | None = None,
                 class_weight: Any = None, unseen: str = "refuse") -> None:
        self.radius = radius
        self._set_shared(weights, algorithm, leaf_size, p, metric, metric_params, n_jobs, unseen)
        self.outlier_label = outlier_label
        self.class_weight = class_weight

    def _outside(self):
        if self.outlier_label is None:
            return "refuse"
        if isinstance(self.outlier_label, str) and self.outlier_label == "most_frequent":
            return "prior"
        raise ValueError(f"RadiusNeighborsClassifier(outlier_label={self.outlier_label!r}): a label of its own for rows without neighbours is "
                         "not given here; None refuses them, 'most_frequent' takes the heaviest class.")

    @classmethod
    def _reach_of(cls, model):
        return super()._reach_of(model) | {"outlier_label": "most_frequent" if model.params["outside"] == "prior" else None}


@documented
class RadiusNeighborsRegressor(ByRadius, Means):
    """The mean target of all training rows within a radius, as ``sklearn.neighbors.RadiusNeighborsRegressor``; NaN where there is none.

    Parameters
    ----------
    radius : float, default=1.0
    %s

    Attributes
    ----------
    effective_metric_ : str
    n_samples_fit_ : int
        Rows of positive weight.
    certificate_ : recta.Certificate

    Examples
    --------
    >>> from recta.neighbors import RadiusNeighborsRegressor
    >>> RadiusNeighborsRegressor(radius=1.0).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[1.5]]).tolist()
    [0.5]
    """

    _word = "knn-regression"

    def __init__(self, radius: float = 1.0, *, weights: str = "uniform", algorithm: str = "auto", leaf_size: int = 30, p: float = 2,
                 metric: str = "minkowski", metric_params: Any = None, n_jobs: int | None = None, unseen: str = "refuse") -> None:
        self.radius = radius
        self._set_shared(weights, algorithm, leaf_size, p, metric, metric_params, n_jobs, unseen)

    def _outside(self):
        return "missing"

    def predict(self, X: Any) -> np.ndarray:
        found = super().predict(X)
        if np.isnan(found).any():
            warnings.warn("One or more samples have no neighbors within specified radius; predicting NaN.", stacklevel=2)
        return found

    predict.__doc__ = Means.predict.__doc__
