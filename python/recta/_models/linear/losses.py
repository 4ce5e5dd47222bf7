"""Regression with other losses than squares: Huber's, quantiles, and the deviances of counts and positive numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from recta._base.declared import declared, estimator, learned, parameter
from recta._estimator import parameters
from recta._estimator.regressor import OneTarget
from recta._estimator.shared import NEWTON_ENDS, TOL, WARM_START


@estimator("recta.linear_model")
class HuberRegressor(OneTarget):
    """Regression that outliers do not bend, as ``sklearn.linear_model.HuberRegressor``, with a proof.

    Rows within ``epsilon`` scales of the surface count by their squares, those beyond by their distance. The scale is
    fitted with the coefficients; the objective is convex in both, and the answer is its minimum.

    It minimises over w, b and the scale s, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (s + s H((y_i - z_i) / s)) + alpha sum_j w_j^2,    z_i = <w, x_i> + b
        H(u) = u^2 up to |u| = epsilon, 2 epsilon |u| - epsilon^2 beyond

    Attributes
    ----------
    scale_ : float
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

    epsilon: float = parameter(
        default=1.35, low=1.0, word="epsilon", doc="Where squares end, in units of the scale; 1 or more."
    )
    max_iter: int = NEWTON_ENDS
    alpha: float = parameter(
        default=0.0001,
        low=0.0,
        word="tau",
        doc="The penalty on squares beside the summed loss, as in scikit-learn; the intercept is not penalised.",
    )
    warm_start: bool = WARM_START
    fit_intercept: bool = parameter(default=True, word="intercept")
    tol: float = parameter(default=1e-05, free="the answer is proved to tolerance=, which is finer")

    _word = "huber"
    _keeps_float32 = False

    scale_: float = learned()
    outliers_: np.ndarray = learned()

    def _params(self):
        return {"epsilon": parameters.number(self, "epsilon"), "tau": parameters.number(self, "alpha")}

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
        return super()._params_of(model) | {
            "epsilon": model.params["epsilon"],
            "alpha": model.lambda2 * model.weight_sum,
        }


@estimator("recta.linear_model")
class QuantileRegressor(OneTarget):
    """The surface below which a share of the rows lies, as ``sklearn.linear_model.QuantileRegressor``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i max(quantile r_i, (quantile - 1) r_i) + alpha sum_j |w_j|,    r_i = y_i - <w, x_i> - b

    Examples
    --------
    >>> from recta.linear_model import QuantileRegressor
    >>> model = QuantileRegressor(alpha=0.0).fit([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]], [1.0, 2.0, 50.0, 4.0, 7.0, 8.0])
    >>> model.predict([[0.0], [1.0]]).tolist(), model.certificate_.verdict
    ([2.0, 7.0], 'proved')
    """

    quantile: float = parameter(
        default=0.5,
        low=1e-06,
        high=1 - 1e-06,
        word="quantile",
        doc="The share, between 0 and 1; 0.5 is the median, the least absolute error.",
    )
    alpha: float = parameter(
        default=1.0,
        low=0.0,
        word="lambda1",
        doc="The penalty on absolute values beside the mean loss, as in scikit-learn; the intercept is not penalised.",
    )
    fit_intercept: bool = parameter(default=True, word="intercept")
    solver: str = parameter(
        default="highs",
        free="an interior point method, then the vertex itself",
        words=("highs-ds", "highs-ipm", "highs", "interior-point", "revised simplex"),
    )
    solver_options: dict[str, Any] | None = parameter(
        default=None, free="an interior point method, then the vertex itself"
    )

    _word = "quantile"
    _keeps_float32 = False

    def _params(self):
        return {"quantile": parameters.number(self, "quantile"), "lambda1": parameters.number(self, "alpha")}

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"quantile": model.params["quantile"], "alpha": model.lambda1}


@declared
class LogLink(OneTarget):
    """Regressions whose mean is the exponential of the linear part."""

    alpha: float = parameter(
        default=1.0,
        low=0.0,
        word="lambda2",
        doc="The penalty on squares beside half the mean deviance, as in scikit-learn; the intercept is not penalised.",
    )
    fit_intercept: bool = parameter(default=True, word="intercept")
    solver: str = parameter(
        default="lbfgs",
        free="either word gives Newton's method",
        words=("lbfgs", "newton-cholesky"),
        type="{'lbfgs', 'newton-cholesky'}",
        doc="Either word gives Recta's own Newton method.",
    )
    max_iter: int = NEWTON_ENDS
    tol: float = TOL
    warm_start: bool = WARM_START

    _least: float = learned()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags

    def _params(self):
        if self.solver not in ("lbfgs", "newton-cholesky"):
            raise ValueError(
                f"The 'solver' parameter of {type(self).__name__} must be a str among {{'lbfgs', 'newton-cholesky'}}. "
                f"Got {self.solver!r} instead."
            )
        return {"lambda": parameters.number(self, "alpha")}

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"alpha": model.lambda2}

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None
    ) -> float:
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


@estimator("recta.linear_model")
class PoissonRegressor(LogLink):
    """Counts whose mean is exp(X w + b), as ``sklearn.linear_model.PoissonRegressor``, with a proof.

    It minimises, up to a constant, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i (exp(z_i) - y_i z_i) + alpha / 2 sum_j w_j^2,    z_i = <w, x_i> + b

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


@estimator("recta.linear_model")
class GammaRegressor(LogLink):
    """Positive numbers whose mean is exp(X w + b), as ``sklearn.linear_model.GammaRegressor``, with a proof.

    It minimises, up to a constant, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i (y_i exp(-z_i) + z_i) + alpha / 2 sum_j w_j^2,    z_i = <w, x_i> + b

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
