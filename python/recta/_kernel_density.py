"""The density of rows as a sum of kernels."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import gammainc
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core, _parameters
from ._docstrings import placed
from ._input import plain_names
from ._neighbor_search import choice

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike

KERNELS = ("gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine")


@placed
class KernelDensity(BaseEstimator):
    """The density of rows as a sum of kernels, one on every training row, as ``sklearn.neighbors.KernelDensity``, without an error.

    Parameters
    ----------
    bandwidth : float or {'scott', 'silverman'}, default=1.0
    kernel : {'gaussian', 'tophat', 'epanechnikov', 'exponential', 'linear', 'cosine'}, default='gaussian'
    metric : {'euclidean'}, default='euclidean'
    n_jobs : int, default=None
        None: all cores.

    Attributes
    ----------
    bandwidth_ : float
    certificate_ : certificate with ``verdict``, ``conditions`` and ``sentence``

    Examples
    --------
    >>> from recta.neighbors import KernelDensity
    >>> KernelDensity(bandwidth=2.0).fit([[3.0]]).score_samples([[3.0]]).round(4).tolist()
    [-1.6121]
    """

    _module = "recta.neighbors"

    def __init__(self, *, bandwidth: float | str = 1.0, kernel: str = "gaussian", metric: str = "euclidean", n_jobs: int | None = None) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.metric = metric
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Remembers the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y
            Ignored.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        choice(self, "kernel", dict.fromkeys(KERNELS, 0))
        choice(self, "metric", {"euclidean": 0})
        width = self.bandwidth if isinstance(self.bandwidth, str) else repr(_parameters._number(self, "bandwidth", 0.0, above=True))
        if isinstance(self.bandwidth, str):
            choice(self, "bandwidth", {"scott": 0, "silverman": 0})
        rows = validate_data(self, X, dtype=np.float64, order="C")
        weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
        if weights is not None and (weights.shape != (len(rows),) or not (weights >= 0).all()):
            raise ValueError("sample_weight: one number from zero up per row")
        options = _core.FitOptions()
        options.threads = _parameters.threads(self.n_jobs)
        options.params = {"kernel": self.kernel, "bandwidth": width}
        self._model = _core.fit("kernel-density", rows, None, weights, plain_names(rows, rows.shape[1]), options).model
        self._fit_X, self._weights = rows, weights
        self.bandwidth_ = self._model.report["figures"]["bandwidth"]
        return self

    def score_samples(self, X: Any) -> np.ndarray:
        """Logarithms of the density at rows."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return self._model.predict(rows, threads=_parameters.threads(self.n_jobs)).reshape(-1)

    def score(self, X: Any, y: Any = None) -> float:
        """The sum of the logarithms of the density at rows."""
        return float(np.sum(self.score_samples(X)))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> np.ndarray:
        """Rows drawn from the density, of the kernels 'gaussian' and 'tophat'.

        Parameters
        ----------
        n_samples : int, default=1
        random_state : int, RandomState instance or None, default=None

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        if self.kernel not in ("gaussian", "tophat"):
            raise NotImplementedError(f"rows are drawn from 'gaussian' and 'tophat', not from {self.kernel!r}")
        rng = check_random_state(random_state)
        share = None if self._weights is None else self._weights / self._weights.sum()
        centre = self._fit_X[rng.choice(len(self._fit_X), size=n_samples, p=share)]
        away = rng.normal(size=(n_samples, self._fit_X.shape[1]))
        if self.kernel == "tophat":  # to the unit ball: the radius has the law u^(1/p)
            squares = (away ** 2).sum(axis=1)
            away *= (gammainc(0.5 * away.shape[1], 0.5 * squares) ** (1.0 / away.shape[1]) / np.sqrt(squares))[:, None]
        return centre + self.bandwidth_ * away

    @property
    def certificate_(self) -> Any:
        """What the model claims, and whether it was found true."""
        check_is_fitted(self)
        return self._model.certificate

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a .recta file, which the command line reads."""
        check_is_fitted(self)
        self._model.save(os.fspath(path))
