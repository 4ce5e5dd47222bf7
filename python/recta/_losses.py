"""Regression with other losses than squares: Huber's, quantiles, and the deviances of counts and positive numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from . import _parameters
from ._docstrings import documented
from ._regressor import CertifiedRegressor

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from numpy.typing import ArrayLike

    from ._core import Step
    from ._feature_map import FeatureMap


class OneTarget(CertifiedRegressor):
    """What these estimators share: y is one column."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.target_tags.single_output = True
        return tags

    def _are_plain(self, y, sample_weight, rows):
        return getattr(y, "ndim", 0) == 1 and super()._are_plain(y, sample_weight, rows)

    def _targets(self, X, y, sample_weight):
        return super()._targets(X, column_or_1d(y, warn=True), sample_weight)


@documented
class HuberRegressor(OneTarget):
    """Regression that outliers do not bend, as ``sklearn.linear_model.HuberRegressor``, with a proof.

    Rows within ``epsilon`` scales of the surface count by their squares, those beyond by their distance. The scale is
    fitted with the coefficients; the objective is convex in both, and the answer is its minimum.

    It minimises over w, b and the scale s, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (s + s H((y_i - z_i) / s)) + alpha sum_j w_j^2,    z_i = <w, x_i> + b
        H(u) = u^2 up to |u| = epsilon, 2 epsilon |u| - epsilon^2 beyond

    Parameters
    ----------
    epsilon : float, default=1.35
        Where squares end, in units of the scale; 1 or more.
    max_iter, tol, warm_start
        Without effect: Newton's method ends when the answer is proved to ``tolerance``.
    alpha : float, default=0.0001
        The penalty on squares beside the summed loss, as in scikit-learn; the intercept is not penalised.
    fit_intercept : bool, default=True
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    scale_ : float
        What residuals are measured by.
    outliers_ : ndarray of shape (n_samples,)
        True for rows beyond ``epsilon * scale_``.

    Examples
    --------
    >>> import numpy as np
    >>> from recta.linear_model import HuberRegressor
    >>> X = np.arange(20.0).reshape(-1, 1)
    >>> y = 2 * X[:, 0] + np.tile([0.0, 0.1, -0.1, 0.05], 5)
    >>> y[7] = 500.0
    >>> model = HuberRegressor().fit(X, y)
    >>> model.coef_.round(2).tolist(), bool(model.outliers_[7]), model.certificate_.verdict
    ([2.0], True, 'proved')
    """

    _word = "huber"
    _keeps_float32 = False

    scale_: float
    outliers_: np.ndarray

    def __init__(self, *, epsilon: float = 1.35, max_iter: int = 100, alpha: float = 0.0001, warm_start: bool = False,
                 fit_intercept: bool = True, tol: float = 1e-05, n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision", feature_map: FeatureMap | None = None, unseen: str = "refuse") -> None:
        self.epsilon = epsilon
        self.max_iter = max_iter
        self.alpha = alpha
        self.warm_start = warm_start
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.feature_map = feature_map
        self.unseen = unseen

    def _params(self):
        return {"epsilon": _parameters._number(self, "epsilon", 1.0), "tau": _parameters._number(self, "alpha", 0.0)}

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None) -> Self:
        """Fits the model and proves the answer; as for every estimator here."""
        super().fit(X, y, sample_weight, offset)
        away = np.abs(np.asarray(y, dtype=np.float64).reshape(-1) - self.predict(X, offset))
        self.outliers_ = away > self.epsilon * self.scale_
        return self

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.__dict__.pop("outliers_", None)  # those of other rows
        self.scale_ = np.float64(model.quality()["scale"])

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"epsilon": model.params["epsilon"], "alpha": model.lambda2 * model.weight_sum}


@documented
class QuantileRegressor(OneTarget):
    """The surface below which a share of the rows lies, as ``sklearn.linear_model.QuantileRegressor``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i max(quantile r_i, (quantile - 1) r_i) + alpha sum_j |w_j|,    r_i = y_i - <w, x_i> - b

    Parameters
    ----------
    quantile : float, default=0.5
        The share, between 0 and 1; 0.5 is the median, the least absolute error.
    alpha : float, default=1.0
        The penalty on absolute values beside the mean loss, as in scikit-learn; the intercept is not penalised.
    fit_intercept : bool, default=True
    solver, solver_options
        Without effect: an interior point method ends in the vertex itself, and the answer is proved.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s
    Examples
    --------
    >>> from recta.linear_model import QuantileRegressor
    >>> model = QuantileRegressor(alpha=0.0).fit([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]], [1.0, 2.0, 50.0, 4.0, 7.0, 8.0])
    >>> model.predict([[0.0], [1.0]]).tolist(), model.certificate_.verdict
    ([2.0, 7.0], 'proved')
    """

    _word = "quantile"
    _keeps_float32 = False

    def __init__(self, *, quantile: float = 0.5, alpha: float = 1.0, fit_intercept: bool = True, solver: str = "highs",
                 solver_options: dict[str, Any] | None = None, n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision", feature_map: FeatureMap | None = None, unseen: str = "refuse") -> None:
        self.quantile = quantile
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.solver_options = solver_options
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.feature_map = feature_map
        self.unseen = unseen

    def _params(self):
        return {"quantile": _parameters._number(self, "quantile", 1e-6, 1 - 1e-6), "lambda1": _parameters._number(self, "alpha", 0.0)}

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"quantile": model.params["quantile"], "alpha": model.lambda1}


class LogLink(OneTarget):
    """Regressions whose mean is the exponential of the linear part."""

    _least: float

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags

    def __init__(self, *, alpha: float = 1.0, fit_intercept: bool = True, solver: str = "lbfgs", max_iter: int = 100,
                 tol: float = 1e-4, warm_start: bool = False, verbose: int | Callable[[Step], object] = 0,
                 n_jobs: int | None = None, tolerance: float = 1e-10, time_limit: float | None = None, confidence: float = 0.95,
                 weights_are: str = "precision", feature_map: FeatureMap | None = None, unseen: str = "refuse") -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are
        self.feature_map = feature_map
        self.unseen = unseen

    def _params(self):
        if self.solver not in ("lbfgs", "newton-cholesky"):
            raise ValueError(f"The 'solver' parameter of {type(self).__name__} must be a str among {{'lbfgs', 'newton-cholesky'}}. "
                             f"Got {self.solver!r} instead.")
        return {"lambda": _parameters._number(self, "alpha", 0.0)}

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"alpha": model.lambda2}

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None) -> float:
        """D squared: the share of the deviance of the mean of y that is explained, as in scikit-learn.

        1 is the best; a constant that predicts the mean has 0.
        """
        y = column_or_1d(np.asarray(y, dtype=np.float64), warn=False)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, y, dtype=np.float64)
        mean = self.predict(X, offset)
        bad = np.flatnonzero(~(y >= 0) if self._least == 0 else ~(y > 0))
        if len(bad):
            raise ValueError(f"{type(self).__name__} has no deviance for row {bad[0] + 1}: y is {y[bad[0]]}.")
        null = np.average(self._deviance(y, np.full(len(y), np.average(y, weights=weights))), weights=weights)
        return float(1 - np.average(self._deviance(y, mean), weights=weights) / null)


@documented
class PoissonRegressor(LogLink):
    """Counts whose mean is exp(X w + b), as ``sklearn.linear_model.PoissonRegressor``, with a proof.

    It minimises, up to a constant, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i (exp(z_i) - y_i z_i) + alpha / 2 sum_j w_j^2,    z_i = <w, x_i> + b

    Parameters
    ----------
    alpha : float, default=1.0
        The penalty on squares beside half the mean deviance, as in scikit-learn; the intercept is not penalised.
    fit_intercept : bool, default=True
    solver : {'lbfgs', 'newton-cholesky'}, default='lbfgs'
        Either word gives Recta's own Newton method.
    max_iter, tol, warm_start
        Without effect: it ends when the answer is proved to ``tolerance``.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s
    Examples
    --------
    >>> from recta.linear_model import PoissonRegressor
    >>> model = PoissonRegressor(alpha=0.0).fit([[0.0], [0.0], [1.0], [1.0]], [1.0, 3.0, 4.0, 10.0])
    >>> model.predict([[0.0], [1.0]]).round(9).tolist(), model.certificate_.verdict
    ([2.0, 7.0], 'proved')
    """

    _word = "poisson"
    _least = 0

    @staticmethod
    def _deviance(y, mean):
        with np.errstate(divide="ignore", invalid="ignore"):
            return 2 * (np.where(y > 0, y * np.log(y / mean), 0.0) - y + mean)


@documented
class GammaRegressor(LogLink):
    """Positive numbers whose mean is exp(X w + b), as ``sklearn.linear_model.GammaRegressor``, with a proof.

    It minimises, up to a constant, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i (y_i exp(-z_i) + z_i) + alpha / 2 sum_j w_j^2,    z_i = <w, x_i> + b

    Parameters
    ----------
    alpha : float, default=1.0
        The penalty on squares beside half the mean deviance, as in scikit-learn; the intercept is not penalised.
    fit_intercept : bool, default=True
    solver : {'lbfgs', 'newton-cholesky'}, default='lbfgs'
        Either word gives Recta's own Newton method.
    max_iter, tol, warm_start
        Without effect: it ends when the answer is proved to ``tolerance``.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s
    Examples
    --------
    >>> from recta.linear_model import GammaRegressor
    >>> model = GammaRegressor(alpha=0.0).fit([[0.0], [0.0], [1.0], [1.0]], [1.0, 3.0, 4.0, 10.0])
    >>> model.predict([[0.0], [1.0]]).round(9).tolist(), model.certificate_.verdict
    ([2.0, 7.0], 'proved')
    """

    _word = "gamma"
    _least = 1

    @staticmethod
    def _deviance(y, mean):
        return 2 * (np.log(mean / y) + y / mean - 1)
