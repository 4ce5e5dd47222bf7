"""Kernel matrices, and whether one is that of an inner product."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

KERNELS = {"linear": "linear", "poly": "polynomial", "polynomial": "polynomial", "rbf": "rbf", "sigmoid": "sigmoid",
           "laplacian": "laplacian", "chi2": "chi2"}


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


def _word(kernel):
    if kernel not in KERNELS:
        raise ValueError(f"kernel must be one of {', '.join(map(repr, KERNELS))}. Got {kernel!r} instead.")
    return KERNELS[kernel]


def kernel_matrix(X: ArrayLike, kernel: str = "rbf", *, gamma: float | None = None, coef0: float = 0.0, degree: int = 3,
                  n_jobs: int = 0) -> np.ndarray:
    """The kernel of every row with every row.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    kernel : {'linear', 'poly', 'rbf', 'sigmoid', 'laplacian', 'chi2'}, default='rbf'
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
    return _core.kernel_matrix(_rows(X), _word(kernel), gamma, float(coef0), int(degree), int(n_jobs))


def mercer_check(X: ArrayLike, kernel: str = "rbf", *, gamma: float | None = None, coef0: float = 0.0, degree: int = 3,
                 n_jobs: int = 0) -> MercerCheck:
    """Mercer's condition for the kernel on these rows, or for the matrix itself with ``kernel="precomputed"``.

    Examples
    --------
    >>> from recta.svm import mercer_check
    >>> found = mercer_check([[1.0, 2.0], [2.0, 1.0]], kernel="precomputed")
    >>> found.positive_semidefinite, round(found.quadratic_form, 12)
    (False, -1.0)
    """
    word: Any = None if kernel == "precomputed" else _word(kernel)
    return MercerCheck(**_core.mercer_check(_rows(X), word, gamma, float(coef0), int(degree), int(n_jobs)))
