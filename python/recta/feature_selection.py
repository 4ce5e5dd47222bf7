"""Columns left out so that those that stay can be told apart."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._select.features import VarianceInflationThreshold

__all__ = ["VarianceInflationThreshold"]
