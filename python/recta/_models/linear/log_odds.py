"""The functions of the log-odds model."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


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
