"""The functions of the log-odds model: P = sigma(z), z = <w, x> + b, so that exp(w_j) is the factor by which the odds grow with x_j.

>>> from recta.special import log_odds, odds, sigmoid, sigmoid_derivative
>>> sigmoid([0.0, -800.0, 800.0]).tolist(), odds(0.75).item()
([0.5, 0.0, 1.0], 3.0)
>>> log_odds(sigmoid(0.25)).round(15).item(), sigmoid_derivative(0.0).item()
(0.25, 0.25)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["log_odds", "odds", "sigmoid", "sigmoid_derivative"]


def sigmoid(z: ArrayLike) -> np.ndarray:
    """1 / (1 + exp(-z)), exact to the last digits at both ends."""
    z = np.asarray(z, dtype=np.float64)
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, 1.0, e) / (1 + e)


def sigmoid_derivative(z: ArrayLike) -> np.ndarray:
    """sigma(z) (1 - sigma(z))."""
    e = np.exp(-np.abs(np.asarray(z, dtype=np.float64)))
    return e / (1 + e) ** 2


def odds(p: ArrayLike) -> np.ndarray:
    """p / (1 - p); infinite at 1."""
    p = np.asarray(p, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return p / (1 - p)


def log_odds(p: ArrayLike) -> np.ndarray:
    """The inverse of sigma, minus infinity at 0 and infinity at 1; next to 1/2 without a difference of logarithms."""
    p = np.asarray(p, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((p > 0.25) & (p < 0.75), np.log1p((2 * p - 1) / (1 - p)), np.log(p) - np.log1p(-p))
