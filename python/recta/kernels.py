"""Kernels of strings and graphs, and whether a matrix is that of a kernel."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.kernel.matrices import kernel_matrix, mercer_check
from recta._models.kernel.text_kernels import GraphKernel, StringKernel, graph_text

__all__ = ["GraphKernel", "StringKernel", "graph_text", "kernel_matrix", "mercer_check"]
