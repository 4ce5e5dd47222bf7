"""Kernels at the cost of linear models, with scikit-learn's names: Nystrom's landmarks and random Fourier features."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.kernel.features import Nystroem, RBFSampler

__all__ = ["Nystroem", "RBFSampler"]
