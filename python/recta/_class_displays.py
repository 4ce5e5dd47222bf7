"""Pictures of classifiers. Regions of two features are scikit-learn's ``DecisionBoundaryDisplay``, which takes any estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._drawing import COLOURS, new_axes, vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike


class ProbabilityCurveDisplay:
    """The probability of the second of two classes over one feature, beside the line of least squares on 0 and 1.

    Parameters
    ----------
    x, y : array-like of shape (n_samples,)
        y is 1 for the second class and 0 for the first.
    curve_x, probability, line : array-like of shape (n_points,)
        The line of least squares leaves the interval from 0 to 1, the probability never does.
    label : str, default="1"
        The second class.

    Attributes
    ----------
    ax_, figure_
    scatter_ : matplotlib PathCollection
    curve_, line_, half_ : matplotlib Line2D

    Examples
    --------
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.plot import ProbabilityCurveDisplay
    >>> X, y = [[0.0]] * 4 + [[1.0]] * 4, [0, 0, 0, 1, 0, 1, 1, 1]
    >>> display = ProbabilityCurveDisplay.from_estimator(LogisticRegression(C=float("inf")).fit(X, y), X, y)
    >>> display.probability[[0, -1]].round(6).tolist(), display.line[[0, -1]].round(6).tolist()
    ([0.25, 0.75], [0.25, 0.75])
    """

    def __init__(self, *, x, y, curve_x, probability, line, label="1"):
        self.x, self.y = vector(x, "X"), vector(y, "y")
        self.curve_x, self.label = vector(curve_x, "curve_x"), label
        self.probability, self.line = vector(probability, "probability"), vector(line, "line")

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: ArrayLike, *, sample_weight: ArrayLike | None = None, points: int = 201,
                       **options: Any) -> ProbabilityCurveDisplay:
        """The curve over the range of X; other options are those of ``plot``."""
        column = np.asarray(X, dtype=float)
        if column.ndim != 2 or column.shape[1] != 1:
            raise ValueError(f"X has shape {column.shape}; the curve is over one feature: "
                             "sklearn.inspection.DecisionBoundaryDisplay draws the regions of two")
        if len(estimator.classes_) != 2:
            raise ValueError(f"the estimator has {len(estimator.classes_)} classes, and the curve is that of two")
        x, second = column[:, 0], (np.asarray(y) == estimator.classes_[1]).astype(float)
        curve_x = np.linspace(np.nanmin(x), np.nanmax(x), points)
        grid = type(X)({X.columns[0]: curve_x}) if hasattr(X, "columns") else curve_x[:, None]
        x_mean, y_mean = np.average(x, weights=sample_weight), np.average(second, weights=sample_weight)
        spread = np.average((x - x_mean) ** 2, weights=sample_weight)
        slope = np.average((x - x_mean) * second, weights=sample_weight) / spread if spread > 0 else 0.0
        display = cls(x=x, y=second, curve_x=curve_x, probability=estimator.predict_proba(grid)[:, 1],
                      line=y_mean + slope * (curve_x - x_mean), label=str(estimator.classes_[1]))
        return display.plot(**options)

    def plot(self, ax: Axes | None = None, *, scatter_kwargs: dict | None = None,
             curve_kwargs: dict | None = None) -> ProbabilityCurveDisplay:
        """Draws on ``ax``, or on a new figure; the dicts are for ``scatter`` and ``plot``."""
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        self.half_ = self.ax_.axhline(0.5, color="0.6", linestyle="--", linewidth=1)
        self.scatter_ = self.ax_.scatter(self.x, self.y, **{"color": COLOURS[0], "alpha": 0.6, "s": 18, **(scatter_kwargs or {})})
        (self.line_,) = self.ax_.plot(self.curve_x, self.line, color=COLOURS[2], linestyle="--", label="least squares on 0 and 1")
        (self.curve_,) = self.ax_.plot(self.curve_x, self.probability,
                                       **{"color": COLOURS[1], "label": "probability", **(curve_kwargs or {})})
        self.ax_.set(xlabel="x", ylabel=f"probability of {self.label}")
        self.ax_.legend()
        return self
