"""Pictures of classifiers. Regions of two features are scikit-learn's ``DecisionBoundaryDisplay``, which takes any estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .drawing import COLOURS, new_axes, vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:  # nothing is drawn yet
    Axes = Any


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
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        points: int = 201,
        **options: Any,
    ) -> ProbabilityCurveDisplay:
        """The curve over the range of X; other options are those of ``plot``."""
        column = np.asarray(X, dtype=float)
        if column.ndim != 2 or column.shape[1] != 1:
            raise ValueError(
                f"X has shape {column.shape}; the curve is over one feature: "
                "sklearn.inspection.DecisionBoundaryDisplay draws the regions of two"
            )
        if len(estimator.classes_) != 2:
            raise ValueError(f"the estimator has {len(estimator.classes_)} classes, and the curve is that of two")
        x, second = column[:, 0], (np.asarray(y) == estimator.classes_[1]).astype(float)
        curve_x = np.linspace(np.nanmin(x), np.nanmax(x), points)
        grid = type(X)({X.columns[0]: curve_x}) if hasattr(X, "columns") else curve_x[:, None]
        weights = None if sample_weight is None else np.asarray(sample_weight)
        x_mean, y_mean = np.average(x, weights=weights), np.average(second, weights=weights)
        spread = np.average((x - x_mean) ** 2, weights=weights)
        slope = np.average((x - x_mean) * second, weights=weights) / spread if spread > 0 else 0.0
        display = cls(
            x=x,
            y=second,
            curve_x=curve_x,
            probability=estimator.predict_proba(grid)[:, 1],
            line=y_mean + slope * (curve_x - x_mean),
            label=str(estimator.classes_[1]),
        )
        return display.plot(**options)

    def plot(
        self, ax: Axes | None = None, *, scatter_kwargs: dict | None = None, curve_kwargs: dict | None = None
    ) -> ProbabilityCurveDisplay:
        """Draws on ``ax``, or on a new figure; the dicts are for ``scatter`` and ``plot``."""
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        self.half_ = self.ax_.axhline(0.5, color="0.6", linestyle="--", linewidth=1)
        self.scatter_ = self.ax_.scatter(
            self.x, self.y, **{"color": COLOURS[0], "alpha": 0.6, "s": 18, **(scatter_kwargs or {})}
        )
        (self.line_,) = self.ax_.plot(
            self.curve_x, self.line, color=COLOURS[2], linestyle="--", label="least squares on 0 and 1"
        )
        (self.curve_,) = self.ax_.plot(
            self.curve_x, self.probability, **{"color": COLOURS[1], "label": "probability", **(curve_kwargs or {})}
        )
        self.ax_.set(xlabel="x", ylabel=f"probability of {self.label}")
        self.ax_.legend()
        return self


class TrainingCurveDisplay:
    """The share of the training rows that were right while a perceptron or a delta rule learned, against the rows presented, and the
    share of its mistakes that it had made.

    Parameters
    ----------
    presented : array-like of shape (n_steps,)
    right : array-like of shape (n_steps,)
        Shares of the rows.
    mistakes : array-like of shape (n_steps,), default=None
        Counts.
    label : default=None
        The class that is learned against the rest, for the title.

    Attributes
    ----------
    ax_, figure_
    right_, mistakes_ : matplotlib Line2D
        mistakes_ is None where there are none.

    Examples
    --------
    Three settings side by side:

    >>> import matplotlib.pyplot as pyplot
    >>> import recta
    >>> from recta.plot import TrainingCurveDisplay
    >>> X, apart, mixed = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1], [0, 1, 0, 1]
    >>> figure, axes = pyplot.subplots(1, 3, sharey=True)
    >>> for ax, y, schedule in zip(axes, (apart, mixed, mixed), ("constant", "constant", "c/(c+t)")):
    ...     found = recta.trace("perceptron", X, y, order="cyclic", passes=20, schedule=schedule)
    ...     display = TrainingCurveDisplay.from_trace(found, ax=ax)
    """

    def __init__(self, presented: ArrayLike, right: ArrayLike, *, mistakes: ArrayLike | None = None, label: Any = None):
        self.label = label
        self.presented, self.right = vector(presented, "presented"), vector(right, "right")
        self.mistakes = None if mistakes is None else vector(mistakes, "mistakes")
        if self.presented.size != self.right.size or (
            self.mistakes is not None and self.mistakes.size != self.right.size
        ):
            raise ValueError("presented, right and mistakes are of one length, a number per step")

    @classmethod
    def from_trace(cls, trace: Any, **options: Any) -> TrainingCurveDisplay:
        """Of what ``recta.trace`` gives of a perceptron or a delta rule, of more than two classes of one of them; options are those
        of ``plot``."""
        if isinstance(trace, dict):
            raise ValueError(f"there is one trace per class, against the rest: draw one, of {list(trace)}")
        if trace.correct is None:
            raise ValueError(
                "this trace is not a classifier's: recta.trace('perceptron', ...) and recta.trace('delta', ...) count the rows "
                "that were right"
            )
        mistakes = trace.step if trace._core.word == "perceptron" else None
        return cls(trace.rows, trace.correct / trace.total, mistakes=mistakes, label=trace.label).plot(**options)

    def plot(self, ax: Axes | None = None, **line_kwargs: Any) -> TrainingCurveDisplay:
        """Draws on ``ax``, or on a new figure."""
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        self.mistakes_ = None
        if self.mistakes is not None and self.mistakes.max() > 0:
            (self.mistakes_,) = self.ax_.step(
                self.presented,
                self.mistakes / self.mistakes.max(),
                where="post",
                color=COLOURS[1],
                label=f"mistakes, of {self.mistakes.max():.0f}",
            )
        (self.right_,) = self.ax_.step(
            self.presented, self.right, where="post", **{"color": COLOURS[0], "label": "rows right", **line_kwargs}
        )
        self.ax_.axhline(1, color="0.6", linestyle="--", linewidth=1, zorder=0)
        self.ax_.set(xlabel="rows presented", ylabel="share", ylim=(0, 1.03))
        if self.label is not None:
            self.ax_.set_title(f"{self.label} against the rest")
        self.ax_.legend()
        return self


class ProbabilityHistogramDisplay:
    """How sure a classifier is: of two classes the probability of the second, by true class; of more that of the true class.

    Parameters
    ----------
    probabilities : list of array-like
        One per class.
    labels : list of str
    xlabel : str

    Attributes
    ----------
    ax_, figure_
    bars_ : list of matplotlib BarContainer
        Heights are shares of a class's rows.

    Examples
    --------
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.plot import ProbabilityHistogramDisplay
    >>> X, y = [[0.0]] * 4 + [[1.0]] * 4, [0, 0, 0, 1, 0, 1, 1, 1]
    >>> display = ProbabilityHistogramDisplay.from_estimator(LogisticRegression(C=float("inf")).fit(X, y), X, y, bins=4)
    >>> display.heights_.round(6).tolist()
    [[0.0, 0.75, 0.0, 0.25], [0.0, 0.25, 0.0, 0.75]]
    """

    def __init__(self, probabilities: list, labels: list, *, xlabel: str = "probability of the true class"):
        self.probabilities, self.labels, self.xlabel = (
            [vector(p, "probabilities") for p in probabilities],
            labels,
            xlabel,
        )

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: ArrayLike, **options: Any) -> ProbabilityHistogramDisplay:
        """Of the rows of X by their classes y; options are those of ``plot``."""
        P, y = estimator.predict_proba(X), np.asarray(y)
        two = len(estimator.classes_) == 2
        there = [(k, label) for k, label in enumerate(estimator.classes_) if (y == label).any()]
        if not there:
            raise ValueError("no row of y has a class of the estimator")
        return cls(
            [P[y == label, 1 if two else k] for k, label in there],
            [str(label) for _, label in there],
            xlabel=f"probability of {estimator.classes_[1]}" if two else "probability of the true class",
        ).plot(**options)

    def plot(self, ax: Axes | None = None, *, bins: int = 20, **bar_kwargs: Any) -> ProbabilityHistogramDisplay:
        """Draws on ``ax``, or on a new figure."""
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        edges = np.linspace(0, 1, bins + 1)
        # 1/4 of four bins begins the second, whatever rounding made of it
        self.heights_ = np.array([np.histogram(np.round(p, 12), edges)[0] / p.size for p in self.probabilities])
        self.bars_ = []
        for k, (heights, label) in enumerate(zip(self.heights_, self.labels)):
            style = {"color": COLOURS[k % len(COLOURS)], "alpha": 0.5, "label": label, **bar_kwargs}
            self.bars_.append(self.ax_.bar(edges[:-1], heights, width=1 / bins, align="edge", **style))
        self.ax_.set(xlabel=self.xlabel, ylabel="share of the rows", xlim=(0, 1))
        self.ax_.legend()
        return self
