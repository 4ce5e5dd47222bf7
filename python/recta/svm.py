"""Support vector machines with scikit-learn's names and meanings, and a proof of every answer."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._kernels import kernel_matrix, mercer_check
from ._kernel_machines import SVC, SVR
from ._linear_machines import LinearSVC, LinearSVR
from ._nu_machines import NuSVC, NuSVR
from ._one_class import OneClassSVM

__all__ = ["SVC", "SVR", "LinearSVC", "LinearSVR", "NuSVC", "NuSVR", "OneClassSVM", "kernel_matrix", "mercer_check"]
