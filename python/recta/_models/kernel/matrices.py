"""Kernel matrices, and whether one is that of an inner product."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from recta import _core

KERNELS = {
    "linear": "linear",
    "poly": "polynomial",
    "polynomial": "polynomial",
    "rbf": "rbf",
    "sigmoid": "sigmoid",
    "laplacian": "laplacian",
    "chi2": "chi2",
}


class MercerCheck(NamedTuple):
    """Whether a matrix is positive semidefinite: ``v' K v >= 0`` for every vector v.

    If it is not, ``witness`` is a vector of length one with ``quadratic_form = v' K v < 0``, which anyone can compute again.

    Examples
    --------
    >>> from recta.svm import mercer_check
    >>> mercer_check([[0.0], [1.0], [3.0]], "rbf").positive_semidefinite
    True
    """

    positive_semidefinite: bool
    least_eigenvalue: float
    largest_eigenvalue: float
    rounding: float
    negative_eigenvalues: int
    witness: np.ndarray | None
    quadratic_form: float
    sentence: str


def _rows(values):
    return np.ascontiguousarray(np.asarray(values, dtype=np.float64))


def function_matrix(
    kernel: Callable[[np.ndarray, np.ndarray], Any], X: np.ndarray, Z: np.ndarray | None = None
) -> np.ndarray:
    """The values of a user's kernel for the rows of X with those of Z, or with one another, each looked at."""
    name = getattr(kernel, "__name__", type(kernel).__name__)
    Y = X if Z is None else Z
    try:
        values = kernel(X, Y)
    except Exception as error:
        raise ValueError(
            f"the kernel {name} fails on {len(X)} rows with {len(Y)}: {type(error).__name__}: {error}"
        ) from error
    if np.iscomplexobj(values):
        raise ValueError(f"the kernel {name} gives complex numbers: a kernel is a real number for any two rows")
    try:
        K = np.array(values.toarray() if hasattr(values, "toarray") else values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"the kernel {name} gives {type(values).__name__}, which is not a matrix of numbers"
        ) from error
    if K.shape != (len(X), len(Y)):
        raise ValueError(
            f"the kernel {name} gives values of shape {K.shape} for {len(X)} rows with {len(Y)}: one number per pair is needed, shape {(len(X), len(Y))}"
        )
    if not np.isfinite(K).all():
        i, j = np.argwhere(~np.isfinite(K))[0]
        raise ValueError(
            f"the kernel {name} gives {K[i, j]} for row {i + 1} with row {j + 1}{' of training' if Z is not None else ''}: a kernel is a number for any two rows"
        )
    if Z is None:
        lengths = np.sqrt(
            np.abs(np.diagonal(K))
        )  # sums that cancel are off by a rounding of their terms, which |x| |z| bounds
        apart = np.abs(K - K.T) > 1e-10 * (np.abs(K) + np.abs(K.T)) + 1e-13 * np.outer(lengths, lengths)
        if apart.any():
            i, j = np.argwhere(apart)[0]
            raise ValueError(
                f"the kernel {name} is not symmetric: {K[i, j]} for row {i + 1} with row {j + 1}, and {K[j, i]} for row {j + 1} with row {i + 1}"
            )
    return K


def _word(kernel):
    pieces = [piece.strip() for piece in re.split(r"([+*])", kernel)] if isinstance(kernel, str) else [kernel]
    if not all(part in KERNELS for part in pieces[::2]):
        raise ValueError(
            f"kernel must be one of {', '.join(map(repr, KERNELS))}, or a sum or product of them such as 'rbf+linear'. Got {kernel!r} instead."
        )
    return "".join(KERNELS.get(piece, piece) for piece in pieces)


def kernel_matrix(
    X: ArrayLike,
    kernel: str = "rbf",
    *,
    gamma: float | None = None,
    coef0: float = 0.0,
    degree: int = 3,
    n_jobs: int = 0,
) -> np.ndarray:
    """The kernel of every row with every row.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    kernel : {'linear', 'poly', 'rbf', 'sigmoid', 'laplacian', 'chi2'}, or a sum or product such as 'rbf+linear', default='rbf'
    gamma : float, default=None
        None: 1 / (n_features X.var()).
    coef0, degree
        Of the kernels that have them.
    n_jobs : int, default=0
        Threads; 0: all cores. The answer has the same bits with any number.

    Examples
    --------
    >>> from recta.svm import kernel_matrix
    >>> kernel_matrix([[0.0, 1.0], [3.0, 5.0]], "poly", gamma=1.0, coef0=2.0, degree=2).tolist()
    [[9.0, 49.0], [49.0, 1296.0]]
    """
    return _core.kernel_matrix(_rows(X), _word(kernel), gamma, float(coef0), int(degree), int(n_jobs))  # type: ignore[return-value]


def mercer_check(
    X: ArrayLike,
    kernel: str | Callable[[np.ndarray, np.ndarray], Any] = "rbf",
    *,
    gamma: float | None = None,
    coef0: float = 0.0,
    degree: int = 3,
    n_jobs: int = 0,
) -> MercerCheck:
    """Mercer's condition for the kernel on these rows, or for the matrix itself with ``kernel="precomputed"``.

    A function of your own takes two arrays of rows and gives the values of all pairs.

    Examples
    --------
    >>> from recta.svm import mercer_check
    >>> found = mercer_check([[1.0, 2.0], [2.0, 1.0]], kernel="precomputed")
    >>> found.positive_semidefinite, round(found.quadratic_form, 12)
    (False, -1.0)
    """
    if callable(kernel):
        X, kernel = function_matrix(kernel, _rows(X)), "precomputed"
    word: Any = None if kernel == "precomputed" else _word(kernel)
    return MercerCheck(**_core.mercer_check(_rows(X), word, gamma, float(coef0), int(degree), int(n_jobs)))
