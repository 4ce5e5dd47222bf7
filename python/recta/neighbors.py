"""Nearest neighbours with scikit-learn's names and meanings: the true neighbours, in a stated order."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._nearest_centroid import NearestCentroid
from ._neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
)

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor", "NearestCentroid", "NearestNeighbors", "RadiusNeighborsClassifier", "RadiusNeighborsRegressor"]
