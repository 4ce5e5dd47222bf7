"""Support vector machines with scikit-learn's names and meanings, and a proof of every answer."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._kernels import kernel_matrix, mercer_check
from ._losses import LinearSVR
from ._machines import SVC, SVR, LinearSVC, NuSVC, NuSVR
from ._one_class import OneClassSVM

__all__ = ["SVC", "SVR", "LinearSVC", "LinearSVR", "NuSVC", "NuSVR", "OneClassSVM", "kernel_matrix", "mercer_check"]
