"""Displays of costs: step by step, and over two weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from recta._data.rows import core_of
from recta._fitted.trace import Trace

from .drawing import COLOURS, new_axes, vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:  # nothing is drawn yet
    Axes = Any

SQUARES = ("linear", "ridge", "lasso", "elastic-net")


class TraceDisplay:
    """The cost of a descent, step by step.

    Parameters
    ----------
    cost : array-like of shape (n_steps,)
    step : array-like of shape (n_steps,), default=None
        None: 0, 1, 2, ...
    optimum : float, default=None
        Drawn as a dashed line.

    Attributes
    ----------
    ax_, figure_
    line_ : matplotlib Line2D

    Examples
    --------
    >>> import recta
    >>> from recta.plot import TraceDisplay
    >>> found = recta.trace("linear", [[1.0], [2.0]], [1.0, 2.0], rate=0.1, steps=5)
    >>> TraceDisplay.from_trace(found, optimum=0.0).line_.get_xdata().tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    """

    def __init__(self, cost: ArrayLike, *, step: ArrayLike | None = None, optimum: float | None = None):
        self.cost = vector(cost, "cost")
        self.step = np.arange(self.cost.size, dtype=float) if step is None else vector(step, "step")
        if self.step.size != self.cost.size:
            raise ValueError(f"{self.step.size} steps were given for {self.cost.size} costs")
        self.optimum = optimum

    @classmethod
    def from_trace(cls, trace: Trace, *, optimum: float | None = None, **options: Any) -> TraceDisplay:
        """Of what ``recta.trace`` gives; other options are those of ``plot``."""
        return cls(trace.cost, step=trace.step, optimum=optimum).plot(**options)

    def plot(self, ax: Axes | None = None, **line_kwargs: Any) -> TraceDisplay:
        """Draws on ``ax``, or on a new figure; logarithmic where the cost falls by more than two decades."""
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        marker = "." if self.cost.size <= 60 else None
        (self.line_,) = self.ax_.plot(self.step, self.cost, **{"color": COLOURS[0], "marker": marker, **line_kwargs})
        if self.optimum is not None:
            self.ax_.axhline(self.optimum, color="0.5", linewidth=1, linestyle="--", zorder=0)
        finite = self.cost[np.isfinite(self.cost)]
        if finite.size and finite.min() > 0 and finite[0] > 100 * finite.min():
            self.ax_.set_yscale("log")
        self.ax_.set(xlabel="step", ylabel="cost")
        return self


class CostDisplay:
    """Lines of equal cost over two weights, or over the intercept and one weight, the ball that a penalty amounts to, and the path of
    a descent.

    The cost is least + (w - centre)' H (w - centre) / 2, or ``cost``.

    Parameters
    ----------
    hessian : array-like of shape (2, 2), default=None
    centre : array-like of shape (2,)
    least : float, default=0.0
    cost : callable, default=None
        In place of ``hessian``: cost(w1, w2), of arrays.
    ball : {None, 'disc', 'diamond'}, default=None
        Squares, or absolute values, of the weights sum to no more than that of ``radius``.
    radius : float, default=0.0
    path : array-like of shape (n_steps, 2) or dict of them by name, default=None
    feature_names : sequence of str, default=("w1", "w2")
    with_intercept : bool, default=False
        The first axis is the intercept, the second the weight of the first of the names.

    Attributes
    ----------
    ax_, figure_
    contours_ : matplotlib QuadContourSet
    ball_ : matplotlib Polygon or None
    path_ : matplotlib Line2D or None
    paths_ : list of matplotlib Line2D

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import Lasso
    >>> from recta.plot import CostDisplay
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> display = CostDisplay.from_estimator(Lasso(alpha=1.0).fit(X[:, [5, 12]], y), X[:, [5, 12]], y)
    >>> display.ball, [round(float(w), 4) for w in display.centre]
    ('diamond', [5.0948, -0.6424])

    The paths of two solvers over the cost of logistic regression:

    >>> from recta.linear_model import LogisticRegression
    >>> X, y = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 2.0], [2.0, 1.0], [3.0, 0.0]], [0, 1, 0, 1, 0, 1]
    >>> paths = {solver: recta.trace("logistic", X, y, solver=solver, steps=30).coef for solver in ("gradient-descent", "sgd")}
    >>> model = LogisticRegression(C=float("inf")).fit(X, y)
    >>> [line.get_label() for line in CostDisplay.from_estimator(model, X, y, path=paths).paths_]
    ['gradient-descent', 'sgd']
    """

    def __init__(
        self,
        *,
        hessian=None,
        centre,
        least=0.0,
        cost=None,
        ball=None,
        radius=0.0,
        path=None,
        feature_names=("w1", "w2"),
        with_intercept=False,
    ):
        self.hessian = np.eye(2) if hessian is None else np.asarray(hessian, dtype=float)
        self.centre, self.cost = np.asarray(centre, dtype=float), cost
        if self.hessian.shape != (2, 2) or self.centre.shape != (2,):
            raise ValueError(
                f"a plane shows two weights: hessian has shape {self.hessian.shape}, centre {self.centre.shape}"
            )
        if (hessian is None) == (cost is None):
            raise ValueError("pass hessian or cost, one of them")
        if ball not in (None, "disc", "diamond"):
            raise ValueError(f"ball must be None, 'disc' or 'diamond', and is {ball!r}")
        self.least, self.ball, self.radius = float(least), ball, float(radius)
        paths = {} if path is None else path if isinstance(path, dict) else {"descent": path}
        self.path = {str(name): np.asarray(way, dtype=float).reshape(-1, 2) for name, way in paths.items()}
        self.feature_names, self.with_intercept = [str(name) for name in feature_names], bool(with_intercept)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        path: ArrayLike | None = None,
        **options: Any,
    ) -> CostDisplay:
        """The mean squared error halved around a LinearRegression, Ridge, Lasso or ElasticNet of two features, fitted to X and
        y, with the intercept at its best; of a LogisticRegression of two classes its own objective, penalty included. With one feature
        the plane is that of the intercept and its weight, in this order along ``path`` too, and squares have no penalty in it. Other
        options are those of ``plot``.
        """
        values, model = np.asarray(X, dtype=float), core_of(estimator)
        one = values.ndim == 2 and values.shape[1] == 1 and model.has_intercept
        if values.ndim != 2 or (values.shape[1] != 2 and not one):
            raise ValueError(
                f"X has shape {values.shape}; a plane shows the cost of two weights, or of one and the intercept: pass two "
                "columns, or one with fit_intercept=True"
            )
        weights = np.ones(len(values)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        weights = weights / weights.sum()
        shown = {"path": path, "feature_names": getattr(X, "columns", ("w1", "w2")), "with_intercept": one}
        if model.word == "logistic":
            sign = np.where(np.asarray(y) == estimator.classes_[1], 1.0, -1.0)
            centre = [*estimator.intercept_, *estimator.coef_[0]] if one else estimator.coef_[0]
            cost = _line_cost if one else _logistic_cost
            return cls(
                centre=centre,
                least=estimator.certificate_.objective,
                cost=cost(estimator, values, sign, weights),
                **shown,
            ).plot(**options)
        if model.word not in SQUARES:
            raise ValueError(
                f"the cost of {type(estimator).__name__} is not made of squares: this display is of LinearRegression, "
                "Ridge, Lasso, ElasticNet and LogisticRegression"
            )
        target = vector(y, "y")
        if one:
            values = np.column_stack([np.ones(len(values)), values])
        elif model.has_intercept:
            values, target = values - weights @ values, target - weights @ target
        hessian, right = values.T @ (weights[:, None] * values), values.T @ (weights * target)
        ball, radius = (None, 0.0) if one else _ball(model, np.ravel(estimator.coef_))
        if ball == "diamond":
            hessian = hessian + model.lambda2 * np.eye(2)
        centre = np.linalg.solve(hessian, right)
        least = (weights @ target**2 - centre @ right) / 2
        return cls(hessian=hessian, centre=centre, least=least, ball=ball, radius=radius, **shown).plot(**options)

    def _corners(self):
        if self.ball == "diamond":
            return self.radius * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], dtype=float)
        angle = np.linspace(0, 2 * np.pi, 240, endpoint=False)
        return self.radius * np.column_stack([np.cos(angle), np.sin(angle)])

    def plot(self, ax: Axes | None = None, *, levels: int = 12, **contour_kwargs: Any) -> CostDisplay:
        """Draws on ``ax``, or on a new figure."""
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        seen = [self.centre[None]] + ([self._corners()] if self.ball else []) + list(self.path.values())
        points = np.concatenate(seen)
        points = points[np.isfinite(points).all(axis=1)]
        low, high = points.min(axis=0), points.max(axis=0)
        air = np.maximum(0.25 * (high - low), 0.2 * max((high - low).max(), 0.5 * np.abs(self.centre).max(), 1e-12))
        x, y = (np.linspace(low[k] - air[k], high[k] + air[k], 201 if self.cost is None else 61) for k in (0, 1))
        first, second = np.meshgrid(x, y)
        away = np.stack([first, second], axis=-1) - self.centre
        cost = (
            self.least + np.einsum("...i,ij,...j", away, self.hessian, away) / 2
            if self.cost is None
            else self.cost(first, second)
        )
        rise = (cost.max() - self.least) * (np.arange(1, levels + 1) / levels) ** 2
        style = {"colors": [COLOURS[0]], "linewidths": 1, **contour_kwargs}
        self.contours_ = self.ax_.contour(x, y, cost, levels=self.least + rise, **style)
        self.ball_ = None
        if self.ball:
            (self.ball_,) = self.ax_.fill(*self._corners().T, facecolor=COLOURS[1], edgecolor=COLOURS[1], alpha=0.3)
            self.ax_.axhline(0, color="0.5", linewidth=1, zorder=0)
            self.ax_.axvline(0, color="0.5", linewidth=1, zorder=0)
        self.paths_ = [
            self.ax_.plot(*way.T, color=COLOURS[(k + 1) % len(COLOURS)], marker=".", label=name)[0]
            for k, (name, way) in enumerate(self.path.items())
        ]
        self.path_ = self.paths_[0] if self.paths_ else None
        if len(self.paths_) > 1:
            self.ax_.legend()
        self.ax_.plot(*self.centre, "o", color="0.1")
        self.ax_.annotate("least cost", self.centre, xytext=(6, 6), textcoords="offset points")
        names = [f"weight of {name}" for name in self.feature_names]
        xlabel, ylabel = ["intercept", *names][:2] if self.with_intercept else names
        self.ax_.set(xlabel=xlabel, ylabel=ylabel)
        return self


def _ball(model, coef):
    """Least squares no farther out than the model's own weights is the model, where the penalty has the shape of a ball: factors and
    bounds give it another."""
    if model.word == "ridge":
        return "disc", float(np.hypot(*coef))
    if (
        model.word == "linear"
        or model.params["non-negative"]
        or any(model.params[word] for word in ("penalty-factors", "lower", "upper"))
    ):
        return None, 0.0
    return "diamond", float(np.abs(coef).sum())


def _line_cost(estimator, x, sign, weights):
    """The mean log-loss of one column with the penalty of its weight: of arrays of the intercept and the weight."""
    model = core_of(estimator)

    def cost(intercept, weight):
        z = np.multiply.outer(x[:, 0], np.ravel(weight)) + np.ravel(intercept)
        loss = weights @ np.logaddexp(0, -sign[:, None] * z)
        return loss.reshape(np.shape(weight)) + model.lambda1 * np.abs(weight) + model.lambda2 / 2 * np.square(weight)

    return cost


def _logistic_cost(estimator, x, sign, weights):
    """The mean log-loss at the best intercept, where there is one, with the penalty: of arrays of both weights."""
    model = core_of(estimator)

    def cost(first, second):
        z = np.multiply.outer(x[:, 0], np.ravel(first)) + np.multiply.outer(x[:, 1], np.ravel(second))
        b = np.zeros(z.shape[1])
        low, high = np.full_like(b, -50.0 - np.abs(z).max()), np.full_like(b, 50.0 + np.abs(z).max())
        for _ in range(60 if model.has_intercept else 0):
            slope = -weights @ (sign[:, None] / (1 + np.exp(np.clip(sign[:, None] * (z + b), -700, 700))))
            low, high = np.where(slope > 0, low, b), np.where(slope > 0, b, high)
            b = (low + high) / 2
        loss = weights @ np.logaddexp(0, -sign[:, None] * (z + b))
        penalty = model.lambda1 * (np.abs(first) + np.abs(second)) + model.lambda2 / 2 * (
            np.square(first) + np.square(second)
        )
        return loss.reshape(np.shape(first)) + penalty

    return cost
