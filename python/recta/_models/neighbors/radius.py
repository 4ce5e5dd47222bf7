"""Classes and means of all rows within a radius."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from recta._base.declared import estimator, parameter

from .answers import Means, Votes
from .models import ByRadius


@estimator("recta.neighbors")
class RadiusNeighborsClassifier(ByRadius, Votes):
    """Classes by all training rows within a radius, as ``sklearn.neighbors.RadiusNeighborsClassifier``.

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

    radius: float = parameter(default=1.0, low=0.0, kw_only=False, word="radius")
    outlier_label: Any = parameter(
        default=None,
        word="outside",
        type="{None, 'most_frequent'} or label",
        doc="What a row without neighbours gets: an error, the shares of all training rows and the class of most "
        "weight, or this label; if it is not a class, its shares are 0. A label takes rows of equal weight "
        "and cannot be saved as a file.",
    )
    class_weight: Any = parameter(
        default=None, word="weights", type="dict or 'balanced'", doc="Multiplies the weights of a class's rows."
    )

    _word = "knn"

    def _outside(self):
        if self.outlier_label is None:
            return "refuse"
        return "prior" if isinstance(self.outlier_label, str) and self.outlier_label == "most_frequent" else "refuse"

    def _counts_lists(self, X):
        return super()._counts_lists(X) or (self.outlier_label is not None and self._outside() == "refuse")

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        super().fit(X, y, sample_weight)
        self.outlier_label_ = self._label_of_outliers()
        return self

    fit.__doc__ = ByRadius.fit.__doc__

    def _label_of_outliers(self):
        """In a list, as scikit-learn has it."""
        if self.outlier_label is None:
            return None
        if self._outside() == "prior":
            return None if self._remembered_y is None else [self.classes_[np.bincount(self._remembered_y).argmax()]]
        labels = (
            list(self.outlier_label)
            if isinstance(self.outlier_label, (list, tuple, np.ndarray))
            else [self.outlier_label]
        )
        if len(labels) != 1:
            raise ValueError(
                f"The length of outlier_label: {self.outlier_label} is inconsistent with the output length: 1"
            )
        if isinstance(labels[0], (list, tuple, np.ndarray)):
            raise TypeError(
                f"The outlier_label of classes {self.classes_} is supposed to be a scalar, got {labels[0]}."
            )
        if np.append(self.classes_, labels[0]).dtype != self.classes_.dtype:
            raise TypeError(
                f"The dtype of outlier_label {labels[0]} is inconsistent with classes {self.classes_} in y."
            )
        return labels

    @classmethod
    def _reach_of(cls, model):
        return super()._reach_of(model) | {
            "outlier_label": "most_frequent" if model.params["outside"] == "prior" else None
        }


@estimator("recta.neighbors")
class RadiusNeighborsRegressor(ByRadius, Means):
    """The mean target of all training rows within a radius, as ``sklearn.neighbors.RadiusNeighborsRegressor``; NaN where there is none.

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

    radius: float = parameter(default=1.0, low=0.0, kw_only=False, word="radius")

    _word = "knn-regression"

    def _outside(self):
        return "missing"

    def predict(self, X: Any) -> np.ndarray:
        found = super().predict(X)
        if np.isnan(found).any():
            warnings.warn(
                "One or more samples have no neighbors within specified radius; predicting NaN.", stacklevel=2
            )
        return found

    predict.__doc__ = Means.predict.__doc__
