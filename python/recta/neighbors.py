"""Nearest neighbours with scikit-learn's names and meanings: the true neighbours, in a stated order."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._k_neighbors import KNeighborsClassifier, KNeighborsRegressor
from ._nearest_centroid import NearestCentroid
from ._nearest_neighbors import NearestNeighbors
from ._radius_neighbors import RadiusNeighborsClassifier, RadiusNeighborsRegressor
from ._thinning import NeighborThinning

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor", "NearestCentroid", "NearestNeighbors", "NeighborThinning", "RadiusNeighborsClassifier", "RadiusNeighborsRegressor"]
