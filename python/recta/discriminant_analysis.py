"""Discriminant analysis with scikit-learn's names and meanings, and a proof of every moment."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.discriminant.linear import LinearDiscriminantAnalysis
from recta._models.discriminant.quadratic import QuadraticDiscriminantAnalysis

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]
