"""Losses side by side: of labels -1 and 1 against the margin, and of numbers against the residual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from recta._data.rows import core_of

from .drawing import COLOURS, new_axes, vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:  # nothing is drawn yet
    Axes = Any


def _huber(r, epsilon):
    size = np.abs(r)
    return np.where(size <= epsilon, r**2 / 2, epsilon * (size - epsilon / 2))


# Of the residual r = y - z. Of a label y of -1 or 1 it is y (1 - m), m the margin y z.
OF_RESIDUAL = {
    "squared": lambda r, _: r**2 / 2,
    "absolute": lambda r, _: np.abs(r),
    "huber": lambda r, given: _huber(r, given["huber"]),
    "quantile": lambda r, given: np.maximum(given["quantile"] * r, (given["quantile"] - 1) * r),
    "epsilon-insensitive": lambda r, given: np.maximum(0.0, np.abs(r) - given["epsilon"]),
}
OF_MARGIN = {
    "logistic": lambda m, _: np.logaddexp(0.0, -m),
    "hinge": lambda m, _: np.maximum(0.0, 1 - m),
    "squared-hinge": lambda m, _: np.maximum(0.0, 1 - m) ** 2,
    "perceptron": lambda m, _: np.maximum(0.0, -m),
}
VIEWS = {"margin": ("squared", "logistic", "hinge"), "residual": ("squared", "absolute", "huber")}
WORDS = {
    "linear": "squared",
    "ridge": "squared",
    "lasso": "squared",
    "elastic-net": "squared",
    "huber": "huber",
    "quantile": "quantile",
    "epsilon-insensitive": "epsilon-insensitive",
    "logistic": "logistic",
    "softmax": "logistic",
    "perceptron": "perceptron",
}


def _curve(word, x, of, given):
    if word in OF_RESIDUAL:
        return OF_RESIDUAL[word](1 - x if of == "margin" else x, given)
    if word in OF_MARGIN and of == "margin":
        return OF_MARGIN[word](x, given)
    known = [*OF_RESIDUAL, *(OF_MARGIN if of == "margin" else ())]
    raise ValueError(f"there is no loss {word!r} of the {of}; choose among {', '.join(known)}")


class LossDisplay:
    """Shapes of losses, as ``recta plot losses`` draws them.

    Parameters
    ----------
    x : array-like of shape (n_points,)
    losses : dict of array-like of shape (n_points,) by name
    xlabel : str, default="margin y z"

    Attributes
    ----------
    ax_, figure_
    lines_ : list of matplotlib Line2D
        One per loss, in order.

    Examples
    --------
    >>> from recta.plot import LossDisplay
    >>> display = LossDisplay.from_names(["squared", "logistic", "hinge", "perceptron"])
    >>> [line.get_label() for line in display.lines_]
    ['0/1', 'squared', 'logistic', 'hinge', 'perceptron']
    >>> display = LossDisplay.from_names(of="residual", huber=1.35)
    >>> [line.get_label() for line in display.lines_]
    ['squared', 'absolute', 'huber']
    """

    def __init__(self, x: ArrayLike, losses: Mapping[str, ArrayLike], *, xlabel: str = "margin y z"):
        self.x, self.xlabel = vector(x, "x"), str(xlabel)
        self.losses = {str(name): vector(values, str(name)) for name, values in losses.items()}
        for name, values in self.losses.items():
            if values.size != self.x.size:
                raise ValueError(f"{name} has {values.size} values at {self.x.size} points")
        if not self.losses:
            raise ValueError("there is no loss to draw")

    @classmethod
    def from_names(
        cls,
        names: Sequence[str] | None = None,
        *,
        of: str = "margin",
        huber: float = 1.0,
        quantile: float = 0.5,
        epsilon: float = 0.1,
        **options: Any,
    ) -> LossDisplay:
        """Losses by their names.

        Parameters
        ----------
        names : sequence of str, default=None
            Of 'squared', 'absolute', 'huber', 'quantile', 'epsilon-insensitive', and with the margin 'logistic', 'hinge',
            'squared-hinge', 'perceptron'; None: the usual three.
        of : {'margin', 'residual'}, default='margin'
            Of labels -1 and 1 against the margin y z, each loss scaled to 1 at the boundary (the perceptron's, which is 0 there,
            is not) and beside the 0/1 loss; or of numbers against the residual y - z, in their own units.
        huber : float, default=1.0
            Where the squares of 'huber' end.
        quantile : float, default=0.5
        epsilon : float, default=0.1
            Half the width of the tube of 'epsilon-insensitive'.
        **options
            Those of ``plot``.
        """
        if of not in VIEWS:
            raise ValueError(f"of={of!r} is not one of 'margin', 'residual'")
        if isinstance(names, str):
            names = [names]
        given = {"huber": huber, "quantile": quantile, "epsilon": epsilon}
        x = np.linspace(-2.0, 3.0, 501) if of == "margin" else np.linspace(-3.0, 3.0, 601)
        losses = {"0/1": np.where(x < 0, 1.0, 0.0)} if of == "margin" else {}
        for word in VIEWS[of] if names is None else names:
            values = _curve(word, x, of, given)
            unit = float(_curve(word, np.zeros(1), of, given)[0]) if of == "margin" else 1.0
            losses[word] = values / unit if unit > 0 else values
        return cls(x, losses, xlabel="margin y z" if of == "margin" else "residual y - z").plot(**options)

    @classmethod
    def from_estimator(cls, estimator: Any, **options: Any) -> LossDisplay:
        """The loss that a fitted model of Recta has minimised, of a row: of classes against the margin, beside the 0/1 loss; of numbers
        against the residual, that of HuberRegressor in units of its scale. Options are those of ``plot``."""
        model = core_of(estimator)
        if model.word not in WORDS:
            raise ValueError(
                f"the loss of {model.word} is not a function of a margin or a residual alone; this display is of "
                f"{', '.join(WORDS)}"
            )
        params, word = model.params, WORDS[model.word]
        given = {
            "huber": params.get("epsilon", 1.0),
            "quantile": params.get("quantile", 0.5),
            "epsilon": params.get("epsilon", 0.1),
        }
        return cls.from_names([word], of="margin" if model.classes else "residual", **given, **options)

    def plot(self, ax: Axes | None = None, **line_kwargs: Any) -> LossDisplay:
        """Draws on ``ax``, or on a new figure."""
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        self.lines_, colours = [], iter(COLOURS * (1 + len(self.losses) // len(COLOURS)))
        for name, values in self.losses.items():
            style = {"color": "0.4", "linewidth": 1.5} if name == "0/1" else {"color": next(colours)}
            self.lines_ += self.ax_.plot(self.x, values, **{"label": name, **style, **line_kwargs})
        self.ax_.axvline(0, color="0.8", linewidth=1, zorder=0)
        highest = max(float(values[np.isfinite(values)].max(initial=0.0)) for values in self.losses.values())
        self.ax_.set(xlabel=self.xlabel, ylabel="loss", ylim=(-0.12, min(4.0, 1.05 * highest) if highest > 0 else 1.0))
        self.ax_.legend()
        return self
