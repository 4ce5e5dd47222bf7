"""Clusters by a kernel, with what can be proved of them."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.kernel.kmeans import KernelKMeans

__all__ = ["KernelKMeans"]
