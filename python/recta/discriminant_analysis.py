"""Discriminant analysis with scikit-learn's names and meanings, and a proof of every moment."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._linear_discriminant import LinearDiscriminantAnalysis
from ._quadratic_discriminant import QuadraticDiscriminantAnalysis

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]
