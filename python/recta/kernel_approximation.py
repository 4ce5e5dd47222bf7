"""Kernels at the cost of linear models, with scikit-learn's names: Nystrom's landmarks and random Fourier features."""

from . import _sklearn  # noqa: F401 - first: it says so where scikit-learn is missing
from ._kernel_features import Nystroem, RBFSampler

__all__ = ["Nystroem", "RBFSampler"]
