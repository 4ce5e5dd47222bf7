"""Measures of predicted numbers, with scikit-learn's names, signatures and conventions."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from recta import _core

from .input import same_length, table, weights_of


class _Outputs:
    """The columns of truth and prediction, and how to average what is measured of them."""

    def __init__(self, y_true, y_pred, sample_weight, multioutput, words=("raw_values", "uniform_average")):
        y_true, y_pred = table(y_true), table(y_pred)
        same_length(y_true, y_pred)
        self.truth, self.predicted = (y.reshape(len(y), -1) for y in (y_true, y_pred))
        outputs = self.truth.shape[1]
        if outputs != self.predicted.shape[1]:
            raise ValueError(
                f"y_true and y_pred have different number of output ({outputs}!={self.predicted.shape[1]})"
            )
        if isinstance(multioutput, str) and multioutput not in words:
            raise ValueError(
                f"Allowed 'multioutput' string values are {words}. You provided multioutput={multioutput!r}"
            )
        if not isinstance(multioutput, str) and multioutput is not None:
            multioutput = np.asarray(multioutput, dtype=np.float64)
            if outputs == 1:
                raise ValueError("Custom weights are useful only in multi-output cases.")
            if outputs != len(multioutput):
                raise ValueError(
                    f"There must be equally many custom weights ({len(multioutput)}) as outputs ({outputs})."
                )
        self.rows, self.multioutput, self.weights = len(y_true), multioutput, weights_of(sample_weight, len(y_true))

    def columns(self):
        for k in range(self.truth.shape[1]):
            yield np.ascontiguousarray(self.truth[:, k]), np.ascontiguousarray(self.predicted[:, k])

    def errors(self):
        return [_core.number_errors(y, z, self.weights) for y, z in self.columns()]

    def averaged(self, values, spreads=None):
        values = np.asarray(values, dtype=np.float64)
        if isinstance(self.multioutput, str):
            if self.multioutput == "raw_values":
                return values
            by_spread = self.multioutput == "variance_weighted" and spreads is not None and np.any(spreads)
            return float(np.average(values, weights=spreads if by_spread else None))
        return float(np.average(values, weights=self.multioutput))

    def explained(self, unexplained, spreads, force_finite=True):
        unexplained, spreads = np.asarray(unexplained), np.asarray(spreads)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = 1 - unexplained / spreads
        if force_finite:
            shares[spreads == 0] = 0.0
            shares[unexplained == 0] = 1.0
        return self.averaged(shares, spreads)


def _too_few(rows, measure):
    if rows >= 2:
        return False
    warnings.warn(
        f"{measure} score is not well-defined with less than two samples.", UndefinedMetricWarning, stacklevel=3
    )
    return True


def mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """The mean of the squared errors.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_outputs)
    sample_weight : array-like of shape (n_samples,), default=None
    multioutput : {'raw_values', 'uniform_average'} or array-like of shape (n_outputs,), default='uniform_average'

    Examples
    --------
    >>> from recta.metrics import mean_squared_error
    >>> mean_squared_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.375
    """
    outputs = _Outputs(y_true, y_pred, sample_weight, multioutput)
    return outputs.averaged([e["mse"] for e in outputs.errors()])


def root_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """The root of :func:`mean_squared_error`, output by output.

    >>> from recta.metrics import root_mean_squared_error
    >>> root_mean_squared_error([1, 2, 3], [1, 2, 6])
    1.7320508075688772
    """
    outputs = _Outputs(y_true, y_pred, sample_weight, multioutput)
    return outputs.averaged([e["mse"] ** 0.5 for e in outputs.errors()])


def _logarithms(y_true, y_pred):
    y_true, y_pred = table(y_true), table(y_pred)
    if (y_true <= -1).any() or (y_pred <= -1).any():
        raise ValueError(
            "Mean Squared Logarithmic Error cannot be used when targets contain values less than or equal to -1."
        )
    return np.log1p(y_true), np.log1p(y_pred)


def mean_squared_log_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """:func:`mean_squared_error` of log(1 + y).

    >>> from recta.metrics import mean_squared_log_error
    >>> round(mean_squared_log_error([3, 5, 2.5, 7], [2.5, 5, 4, 8]), 5)
    0.03973
    """
    return mean_squared_error(*_logarithms(y_true, y_pred), sample_weight=sample_weight, multioutput=multioutput)


def root_mean_squared_log_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """:func:`root_mean_squared_error` of log(1 + y).

    >>> from recta.metrics import root_mean_squared_log_error
    >>> round(root_mean_squared_log_error([3, 5, 2.5, 7], [2.5, 5, 4, 8]), 5)
    0.19932
    """
    return root_mean_squared_error(*_logarithms(y_true, y_pred), sample_weight=sample_weight, multioutput=multioutput)


def mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """The mean of the absolute errors; parameters are those of :func:`mean_squared_error`.

    >>> from recta.metrics import mean_absolute_error
    >>> mean_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.5
    """
    outputs = _Outputs(y_true, y_pred, sample_weight, multioutput)
    return outputs.averaged([e["mae"] for e in outputs.errors()])


def mean_absolute_percentage_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """The mean of |error / truth|; 1 is 100 %, and a truth of zero counts as 2.2e-16.

    >>> from recta.metrics import mean_absolute_percentage_error
    >>> mean_absolute_percentage_error([2, 4, 8], [1, 4, 10])
    0.25
    """
    outputs = _Outputs(y_true, y_pred, sample_weight, multioutput)
    return outputs.averaged([e["mape"] for e in outputs.errors()])


def median_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: str | ArrayLike = "uniform_average",
    sample_weight: ArrayLike | None = None,
) -> float | np.ndarray:
    """The median of the absolute errors; parameters are those of :func:`mean_squared_error`.

    >>> from recta.metrics import median_absolute_error
    >>> median_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.5
    """
    outputs = _Outputs(y_true, y_pred, sample_weight, multioutput)
    return outputs.averaged([_core.median_error(y, z, outputs.weights) for y, z in outputs.columns()])


def max_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """The largest absolute error.

    >>> from recta.metrics import max_error
    >>> max_error([3, 2, 7, 1], [4, 2, 7, 1])
    1.0
    """
    outputs = _Outputs(y_true, y_pred, None, None)
    if outputs.truth.shape[1] > 1:
        raise ValueError("Multioutput not supported in max_error")
    return outputs.errors()[0]["largest"]


def mean_pinball_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    alpha: float = 0.5,
    multioutput: str | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """The loss of quantiles: ``alpha`` times errors above the prediction, 1 - ``alpha`` times those below.

    >>> from recta.metrics import mean_pinball_loss
    >>> round(mean_pinball_loss([1, 2, 3], [0, 2, 3], alpha=0.9), 12)
    0.3
    """
    outputs = _Outputs(y_true, y_pred, sample_weight, multioutput)
    return outputs.averaged([_core.pinball(y, z, outputs.weights, alpha) for y, z in outputs.columns()])


def r2_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    force_finite: bool = True,
) -> float | np.ndarray:
    """R^2: the share of the variance of the truth that the predictions explain.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_outputs)
    sample_weight : array-like of shape (n_samples,), default=None
    multioutput : {'raw_values', 'uniform_average', 'variance_weighted'}, array-like or None, default='uniform_average'
    force_finite : bool, default=True
        A constant truth gives 1 if predicted exactly, otherwise 0, instead of NaN and -inf.

    Examples
    --------
    >>> from recta.metrics import r2_score
    >>> r2_score([1, 2, 3], [1, 2, 4])
    0.5
    """
    outputs = _Outputs(
        y_true, y_pred, sample_weight, multioutput, ("raw_values", "uniform_average", "variance_weighted")
    )
    if _too_few(outputs.rows, "R^2"):
        return float("nan")
    errors = outputs.errors()
    return outputs.explained([e["mse"] for e in errors], [e["spread"] for e in errors], force_finite)


def explained_variance_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    force_finite: bool = True,
) -> float | np.ndarray:
    """R^2 after the mean error is taken away; parameters are those of :func:`r2_score`.

    >>> from recta.metrics import explained_variance_score
    >>> explained_variance_score([1, 2, 3], [2, 3, 4])
    1.0
    """
    outputs = _Outputs(
        y_true, y_pred, sample_weight, multioutput, ("raw_values", "uniform_average", "variance_weighted")
    )
    errors = outputs.errors()
    return outputs.explained([e["error_spread"] for e in errors], [e["spread"] for e in errors], force_finite)


def d2_pinball_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    alpha: float = 0.5,
    multioutput: str | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """The share of the pinball loss of the best constant quantile that the predictions explain.

    >>> from recta.metrics import d2_pinball_score
    >>> d2_pinball_score([1, 2, 3], [1, 3, 3])
    0.5
    """
    outputs = _Outputs(y_true, y_pred, sample_weight, multioutput)
    if _too_few(outputs.rows, "D^2"):
        return float("nan")
    losses, spreads = [], []
    for y, z in outputs.columns():
        losses.append(_core.pinball(y, z, outputs.weights, alpha))
        middle = _core.weighted_quantile(y, outputs.weights, alpha)
        spreads.append(_core.pinball(y, np.full(len(y), middle), outputs.weights, alpha))
    return outputs.explained(losses, spreads)


def d2_absolute_error_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """The share of the absolute error of the median that the predictions explain.

    >>> from recta.metrics import d2_absolute_error_score
    >>> d2_absolute_error_score([1, 2, 3], [1, 3, 3])
    0.5
    """
    return d2_pinball_score(y_true, y_pred, sample_weight=sample_weight, alpha=0.5, multioutput=multioutput)
