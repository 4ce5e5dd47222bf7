"""Kernels of strings and graphs, and whether a matrix is that of a kernel."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._kernels import kernel_matrix, mercer_check
from ._text_kernels import GraphKernel, StringKernel, graph_text

__all__ = ["GraphKernel", "StringKernel", "graph_text", "kernel_matrix", "mercer_check"]
