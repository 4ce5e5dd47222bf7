"""Weights against the strength of a penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .drawing import COLOURS, new_axes, vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:  # nothing is drawn yet
    Axes = Any


class PathDisplay:
    """Weights against the strength of a penalty.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,)
    coefs : array-like of shape (n_features, n_alphas)
        As scikit-learn's ``lasso_path`` gives them.
    feature_names : sequence of str, default=None
        None: x0, x1, ...
    chosen : float, default=None
        A penalty to mark.
    penalty : str, default="alpha"
        What the penalty is called.

    Attributes
    ----------
    ax_, figure_
    lines_ : list of matplotlib Line2D
        One per feature, in order.
    chosen_ : matplotlib Line2D or None

    Examples
    --------
    >>> from recta.plot import PathDisplay
    >>> display = PathDisplay([1.0, 0.1], [[0.0, 2.0], [0.0, -1.0]], feature_names=["rooms", "age"]).plot()
    >>> [line.get_label() for line in display.lines_]
    ['rooms', 'age']

    Of an estimator that chose its penalty, which is marked:

    >>> import recta
    >>> from recta.linear_model import LassoCV
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = LassoCV(choose="1se", alphas=50).fit(X, y)
    >>> display = PathDisplay.from_estimator(model, X, y)
    >>> display.coefs.shape, display.chosen == model.alpha_
    ((13, 50), True)
    """

    def __init__(
        self,
        alphas: ArrayLike,
        coefs: ArrayLike,
        *,
        feature_names: Sequence[str] | None = None,
        chosen: float | None = None,
        penalty: str = "alpha",
    ):
        self.alphas, self.coefs = vector(alphas, "alphas"), np.asarray(coefs, dtype=float)
        if self.coefs.ndim != 2 or self.coefs.shape[1] != self.alphas.size:
            raise ValueError(
                f"coefs has shape {self.coefs.shape}; it needs a row per feature and {self.alphas.size} columns, "
                "one for each of alphas"
            )
        count = len(self.coefs)
        self.feature_names = (
            [f"x{j}" for j in range(count)] if feature_names is None else [str(n) for n in feature_names]
        )
        if len(self.feature_names) != count:
            raise ValueError(f"{len(self.feature_names)} names were given for {count} features")
        self.chosen, self.penalty = None if chosen is None else float(chosen), str(penalty)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, *, sample_weight: ArrayLike | None = None, **options: Any
    ) -> PathDisplay:
        """The path that a LassoCV, ElasticNetCV, RidgeCV or LogisticRegressionCV chose from, over its training rows X and y, with
        the penalty chosen: ``alpha``, or ``1 / C``. With more than two classes every class has a line per feature. Other options are
        those of ``plot``.
        """
        return cls(**estimator_path(estimator, X, y, sample_weight)).plot(**options)

    def plot(self, ax: Axes | None = None, *, named: int = 14, **line_kwargs: Any) -> PathDisplay:
        """Draws on ``ax``, or on a new figure; the ``named`` largest weights have a name in the legend."""
        self.ax_ = new_axes(ax)
        self.figure_ = self.ax_.figure
        last = np.nan_to_num(np.abs(self.coefs[:, np.argmin(self.alphas)]))
        largest = np.argsort(-last, kind="stable")[:named]
        place = {int(j): k for k, j in enumerate(largest)}
        self.lines_ = []
        for j, weights in enumerate(self.coefs):
            k = place.get(j)
            style = (
                {"color": "0.75", "linewidth": 1, "zorder": 1}
                if k is None
                else {"color": COLOURS[k % len(COLOURS)], "linestyle": "-" if k < len(COLOURS) else "--"}
            )
            self.lines_ += self.ax_.plot(self.alphas, weights, label=self.feature_names[j], **{**style, **line_kwargs})
        if (self.alphas > 0).all() and self.alphas.size > 1:
            self.ax_.set_xscale("log")
        self.ax_.invert_xaxis()
        self.ax_.axhline(0, color="0.5", linewidth=1, zorder=0)
        self.chosen_ = None
        if self.chosen is not None:
            self.chosen_ = self.ax_.axvline(
                self.chosen, color="0.3", linewidth=1.2, linestyle=":", zorder=0, label="chosen"
            )
        self.ax_.set(xlabel=f"{self.penalty}, weaker to the right", ylabel="weight")
        shown = [self.lines_[j] for j in largest] + ([] if self.chosen_ is None else [self.chosen_])
        self.ax_.legend(handles=shown, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
        return self


def estimator_path(estimator, X, y, sample_weight):
    """What the constructor takes, of an estimator that chose its penalty: no estimator keeps a path, so it is made again."""
    from sklearn.base import clone
    from sklearn.utils.validation import check_is_fitted

    from recta._estimator.parameters import fit_options

    name = type(estimator).__name__
    if not hasattr(estimator, "_path_order"):
        raise ValueError(
            f"{name} has chosen from no path: this display is of LassoCV, ElasticNetCV, RidgeCV and LogisticRegressionCV; "
            "lasso_path, enet_path and ridge_path give numbers for its constructor"
        )
    check_is_fitted(estimator)
    if not hasattr(estimator, "C_" if hasattr(estimator, "Cs") else "alpha_"):
        raise ValueError(
            f"this {name} was read from a file, which holds the point that was chosen and not what it was chosen from; fit it"
        )
    twin = clone(estimator)  # X and y are checked by it and leave no trace
    options = fit_options(twin)
    fit, shape = twin._problem(X, y, sample_weight, options, None)
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(
            f"y has {shape[1]} columns; a picture shows the path of one target: fit and draw them one by one"
        )
    how, options.params, alphas, chosen, penalty = estimator._path_order(fit, y, sample_weight)
    path = fit(how=how)
    names = path.features if hasattr(twin, "feature_names_in_") else [f"x{j}" for j in range(len(path.features))]
    coefs = path.coefficients
    if coefs.ndim == 3:  # by point, class and feature
        names = [f"{label}: {feature}" for label in estimator.classes_ for feature in names]
    return {
        "alphas": alphas,
        "coefs": coefs.reshape(len(alphas), -1).T,
        "feature_names": names,
        "chosen": chosen,
        "penalty": penalty,
    }
