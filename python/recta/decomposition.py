"""Kernel principal components with scikit-learn's names and meanings, and a proof."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.kernel.pca import KernelPCA

__all__ = ["KernelPCA"]
