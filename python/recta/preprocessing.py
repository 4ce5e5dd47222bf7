"""Preprocessing with scikit-learn's names and meanings: scaling learned by exact sums, categories read by their codes, powers
rounded once, the feature maps of the command line."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._features.expansion import PolynomialFeatures, SplineTransformer
from recta._features.feature_map import FeatureMap
from recta._features.preprocessing import OneHotEncoder, StandardScaler

__all__ = ["FeatureMap", "OneHotEncoder", "PolynomialFeatures", "SplineTransformer", "StandardScaler"]
