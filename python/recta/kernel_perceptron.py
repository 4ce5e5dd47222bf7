"""The perceptron in the space of a kernel, with a proof that it separates."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._kernel_perceptron import KernelPerceptron

__all__ = ["KernelPerceptron"]
