"""Nearest neighbours with scikit-learn's names and meanings: the true neighbours, in a stated order."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._k_neighbors import KNeighborsClassifier, KNeighborsRegressor
from ._kernel_density import KernelDensity
from ._local_outlier import LocalOutlierFactor
from ._nearest_centroid import NearestCentroid
from ._nearest_neighbors import NearestNeighbors
from ._neighbor_graphs import KNeighborsTransformer, KNNImputer
from ._radius_neighbors import RadiusNeighborsClassifier, RadiusNeighborsRegressor
from ._thinning import NeighborThinning

__all__ = ["KNNImputer", "KNeighborsClassifier", "KNeighborsRegressor", "KNeighborsTransformer", "KernelDensity", "LocalOutlierFactor", "NearestCentroid", "NearestNeighbors",
           "NeighborThinning", "RadiusNeighborsClassifier", "RadiusNeighborsRegressor"]
