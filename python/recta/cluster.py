"""Clusters by a kernel, with what can be proved of them."""

from . import _sklearn  # noqa: F401 - first: it says so where scikit-learn is missing
from ._kernel_kmeans import KernelKMeans

__all__ = ["KernelKMeans"]
