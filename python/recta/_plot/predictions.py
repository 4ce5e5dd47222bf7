"""Residuals, and the fitted curve of one feature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .drawing import COLOURS, new_axes, vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:  # nothing is drawn yet
    Axes = Any


class PredictionErrorDisplay:
    """Residuals, or the targets themselves, against predictions, as ``sklearn.metrics.PredictionErrorDisplay``.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)

    Attributes
    ----------
    ax_, figure_
        What was drawn on.
    scatter_ : matplotlib PathCollection
    line_ : matplotlib Line2D
        Where there is no error.

    Examples
    --------
    >>> from recta.plot import PredictionErrorDisplay
    >>> display = PredictionErrorDisplay.from_predictions([1.0, 2.0], [1.5, 1.5])
    >>> display.scatter_.get_offsets().tolist()
    [[1.5, -0.5], [1.5, 0.5]]
    """

    __module__ = "recta.plot"

    def __init__(self, *, y_true: ArrayLike, y_pred: ArrayLike):
        self.y_true, self.y_pred = vector(y_true, "y_true"), vector(y_pred, "y_pred")
        if self.y_true.shape != self.y_pred.shape:
            raise ValueError(f"y_true has {self.y_true.size} values and y_pred has {self.y_pred.size}")

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: ArrayLike, **options: Any) -> PredictionErrorDisplay:
        """Predicts X and draws; options are those of ``plot``."""
        return cls.from_predictions(y, estimator.predict(X), **options)

    @classmethod
    def from_predictions(cls, y_true: ArrayLike, y_pred: ArrayLike, **options: Any) -> PredictionErrorDisplay:
        """Draws predictions that were made before; options are those of ``plot``."""
        return cls(y_true=y_true, y_pred=y_pred).plot(**options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str = "residual_vs_predicted",
        scatter_kwargs: dict | None = None,
        line_kwargs: dict | None = None,
    ) -> PredictionErrorDisplay:
        """Draws on ``ax``, or on a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
        kind : {'residual_vs_predicted', 'actual_vs_predicted'}, default='residual_vs_predicted'
        scatter_kwargs, line_kwargs : dict, default=None
            For ``Axes.scatter`` and ``Axes.plot``.
        """
        if kind not in ("residual_vs_predicted", "actual_vs_predicted"):
            raise ValueError(f"kind={kind!r} is not one of 'residual_vs_predicted', 'actual_vs_predicted'")
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        residual = kind == "residual_vs_predicted"
        up = self.y_true - self.y_pred if residual else self.y_true
        self.scatter_ = self.ax_.scatter(
            self.y_pred, up, **{"color": COLOURS[0], "alpha": 0.6, "s": 18, **(scatter_kwargs or {})}
        )
        ends = np.array([np.nanmin(self.y_pred), np.nanmax(self.y_pred)])
        style = {"color": "0.5", "linewidth": 1.2, **(line_kwargs or {})}
        (self.line_,) = self.ax_.plot(ends, np.zeros(2) if residual else ends, **style)
        self.ax_.set(xlabel="predicted value", ylabel="residual (actual - predicted)" if residual else "actual value")
        return self


class FittedCurveDisplay:
    """Rows, the fitted curve and its bands, for a model of one feature.

    The inner band holds the mean with the estimator's ``confidence`` at each x, the outer one a new row of weight 1. A
    penalised fit has no standard errors and so no bands; nor has a pipeline, whose curve alone is drawn.

    Parameters
    ----------
    x, y : array-like of shape (n_samples,)
    curve_x, curve_y : array-like of shape (n_points,)
    mean_width, row_width : array-like of shape (n_points,), default=None
        Half the width of the bands.

    Attributes
    ----------
    ax_, figure_
    scatter_ : matplotlib PathCollection
    line_ : matplotlib Line2D
    bands_ : list
        The outer and the inner one, or none.

    Examples
    --------
    >>> from recta.linear_model import LinearRegression
    >>> from recta.plot import FittedCurveDisplay
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 2.0, 1.0, 3.0]
    >>> display = FittedCurveDisplay.from_estimator(LinearRegression().fit(X, y), X, y)
    >>> round(float(display.mean_width[0]), 6)  # 4.302653 sqrt(0.9 (1/4 + 1.5^2 / 5))
    3.415125
    """

    __module__ = "recta.plot"

    def __init__(self, *, x, y, curve_x, curve_y, mean_width=None, row_width=None):
        self.x, self.y = vector(x, "X"), vector(y, "y")
        self.curve_x, self.curve_y = vector(curve_x, "curve_x"), vector(curve_y, "curve_y")
        self.mean_width, self.row_width = mean_width, row_width

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        points: int = 201,
        **options: Any,
    ) -> FittedCurveDisplay:
        """The curve over the range of X, which are the rows of training; other options are those of ``plot``."""
        column = np.asarray(X, dtype=float)
        if column.ndim != 2 or column.shape[1] != 1:
            raise ValueError(
                f"X has shape {column.shape}; a curve is that of one feature: PredictionErrorDisplay draws any number"
            )
        x = vector(column, "X")
        curve_x = np.linspace(np.nanmin(x), np.nanmax(x), points)
        grid = curve_x[:, None]
        if hasattr(X, "columns"):
            grid = type(X)({X.columns[0]: curve_x})
        mean, row = cls._widths(estimator, x, curve_x, sample_weight)
        display = cls(x=x, y=y, curve_x=curve_x, curve_y=estimator.predict(grid), mean_width=mean, row_width=row)
        return display.plot(**options)

    @staticmethod
    def _widths(estimator, x, at, sample_weight):
        model = getattr(estimator, "_model", None)
        if model is None or len(model.targets) != 1:
            return None, None
        *_, (_, value, error, _, _, _, upper) = estimator.summary().rows()
        sigma = model.quality(0)["sigma"]
        if len(model.feature_names) != 1 or not (np.isfinite(error) and error > 0):
            return None, None
        centre = np.average(x, weights=sample_weight) if model.has_intercept else 0.0
        variance = error**2 * (at - centre) ** 2 + (sigma**2 / model.weight_sum if model.has_intercept else 0.0)
        quantile = (upper - value) / error
        return quantile * np.sqrt(variance), quantile * np.sqrt(variance + sigma**2)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        scatter_kwargs: dict | None = None,
        line_kwargs: dict | None = None,
        band_kwargs: dict | None = None,
    ) -> FittedCurveDisplay:
        """Draws on ``ax``, or on a new figure; the dicts are for ``scatter``, ``plot`` and ``fill_between``."""
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        self.bands_ = []
        for width, colour in ((self.row_width, "0.5"), (self.mean_width, COLOURS[1])):
            if width is not None:
                style = {"color": colour, "alpha": 0.16, "linewidth": 0, **(band_kwargs or {})}
                self.bands_.append(
                    self.ax_.fill_between(self.curve_x, self.curve_y - width, self.curve_y + width, **style)
                )
        self.scatter_ = self.ax_.scatter(
            self.x, self.y, **{"color": COLOURS[0], "alpha": 0.6, "s": 18, **(scatter_kwargs or {})}
        )
        (self.line_,) = self.ax_.plot(self.curve_x, self.curve_y, **{"color": COLOURS[1], **(line_kwargs or {})})
        self.ax_.set(xlabel="x", ylabel="y")
        return self
