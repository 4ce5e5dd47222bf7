"""Baselines with scikit-learn's names and meanings, and a proof of every answer."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.dummy import DummyClassifier, DummyRegressor

__all__ = ["DummyClassifier", "DummyRegressor"]
