"""Nearest neighbours with scikit-learn's names and meanings: the true neighbours, in a stated order."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.discriminant.nearest_centroid import NearestCentroid
from recta._models.neighbors.density import KernelDensity
from recta._models.neighbors.graphs import KNeighborsTransformer, KNNImputer
from recta._models.neighbors.k_nearest import KNeighborsClassifier, KNeighborsRegressor
from recta._models.neighbors.local_outlier import LocalOutlierFactor
from recta._models.neighbors.radius import RadiusNeighborsClassifier, RadiusNeighborsRegressor
from recta._models.neighbors.thinning import NeighborThinning
from recta._models.neighbors.unsupervised import NearestNeighbors

__all__ = [
    "KNNImputer",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KNeighborsTransformer",
    "KernelDensity",
    "LocalOutlierFactor",
    "NearestCentroid",
    "NearestNeighbors",
    "NeighborThinning",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
]
