"""Kernel principal components with scikit-learn's names and meanings, and a proof."""

from . import _sklearn  # noqa: F401 - first: it says so where scikit-learn is missing
from ._kernel_pca import KernelPCA

__all__ = ["KernelPCA"]
