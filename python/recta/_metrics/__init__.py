"""Measures of predictions."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
