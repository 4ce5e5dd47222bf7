"""Ridge regression by a kernel with scikit-learn's names and meanings, and a proof of every answer."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._kernel_ridge import KernelRidge

__all__ = ["KernelRidge"]
