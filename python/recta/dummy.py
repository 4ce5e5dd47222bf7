"""Baselines with scikit-learn's names and meanings, and a proof of every answer."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._dummy import DummyClassifier, DummyRegressor

__all__ = ["DummyClassifier", "DummyRegressor"]
