"""Support vector machines with scikit-learn's names and meanings, and a proof of every answer."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.kernel.matrices import kernel_matrix, mercer_check
from recta._models.svm.kernel_machines import SVC, SVR
from recta._models.svm.linear_machines import LinearSVC, LinearSVR
from recta._models.svm.nu_machines import NuSVC, NuSVR
from recta._models.svm.one_class import OneClassSVM

__all__ = ["SVC", "SVR", "LinearSVC", "LinearSVR", "NuSVC", "NuSVR", "OneClassSVM", "kernel_matrix", "mercer_check"]
