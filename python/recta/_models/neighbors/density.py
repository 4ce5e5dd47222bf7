"""The density of rows as a sum of kernels."""

from __future__ import annotations

import os
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainc
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from recta import _core
from recta._base.declared import estimator, parameter
from recta._base.scikit_learn import BaseEstimator
from recta._data.input import plain_names
from recta._estimator import parameters
from recta._estimator.shared import THREADS

KERNELS = ("gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine")


@estimator("recta.neighbors")
class KernelDensity(BaseEstimator):
    """The density of rows as a sum of kernels, one on every training row, as ``sklearn.neighbors.KernelDensity``, without an error.

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

    bandwidth: float | str = parameter(default=1.0, low=0.0, above=True, type="float or {'scott', 'silverman'}")
    algorithm: str = parameter(
        default="auto",
        type="{'auto', 'kd_tree', 'ball_tree'}",
        doc="Without effect, as are ``atol``, ``rtol``, ``breadth_first`` and ``leaf_size``: every training row "
        "is summed, without an error.",
    )
    kernel: str = parameter(
        default="gaussian", type="{'gaussian', 'tophat', 'epanechnikov', 'exponential', 'linear', 'cosine'}"
    )
    metric: str = parameter(default="euclidean", type="{'euclidean'}")
    atol: float = parameter(default=0)
    rtol: float = parameter(default=0)
    breadth_first: bool = parameter(default=True)
    leaf_size: int = parameter(default=40)
    metric_params: dict[str, Any] | None = parameter(
        default=None, type="dict", doc="None or {}: the Euclidean distance has none."
    )
    n_jobs: int | None = THREADS

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
        parameters.choice(self, "kernel", dict.fromkeys(KERNELS, 0))
        parameters.choice(self, "metric", {"euclidean": 0})
        parameters.choice(self, "algorithm", dict.fromkeys(("auto", "kd_tree", "ball_tree"), 0))
        if self.metric_params:
            raise ValueError(
                f"KernelDensity(metric_params={self.metric_params!r}): the Euclidean distance has no parameters; scale the columns before."
            )
        width = self.bandwidth if isinstance(self.bandwidth, str) else repr(parameters.number(self, "bandwidth"))
        if isinstance(self.bandwidth, str):
            parameters.choice(self, "bandwidth", {"scott": 0, "silverman": 0})
        rows = validate_data(self, X, dtype=np.float64, order="C")
        weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
        if weights is not None and (weights.shape != (len(rows),) or not (weights >= 0).all()):
            raise ValueError("sample_weight: one number from zero up per row")
        options = _core.FitOptions()
        options.threads = parameters.threads(self.n_jobs)
        options.params = {"kernel": self.kernel, "bandwidth": width}
        self._model = _core.fit("kernel-density", rows, None, weights, plain_names(rows, rows.shape[1]), options).model
        self._fit_X, self._weights = rows, weights
        self.bandwidth_ = self._model.report["figures"]["bandwidth"]
        return self

    def score_samples(self, X: Any) -> np.ndarray:
        """Logarithms of the density at rows."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return self._model.predict(rows, threads=parameters.threads(self.n_jobs)).reshape(-1)

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
            squares = (away**2).sum(axis=1)
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
