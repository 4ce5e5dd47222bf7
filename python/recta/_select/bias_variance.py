"""Bias and variance of a model over one of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from recta import _core
from recta._base.progress import reporter

from .search import _arranged, _axis, _options


class BiasVariance:
    """What :func:`bias_variance` found.

    Attributes
    ----------
    parameter : str or None
        What it is over.
    values : list
        Of the parameter, one per point.
    measure : str
        ``"squared error"`` or ``"error rate"``.
    error, bias, variance : ndarray
        Means over the rows, one per point; NaN where no fit could be made. The bias of numbers is its square, with the noise.
    net_variance : ndarray
        What is added to the bias to give the error: for numbers the variance; for two classes that of rows that most fits get right, less
        that of the others; NaN of more classes.
    failures : dict
        Why there is no such point, by value.

    Examples
    --------
    >>> import numpy as np
    >>> from recta.model_selection import bias_variance
    >>> x = np.linspace(0, 6, 60)
    >>> found = bias_variance("linear", x[:, None], np.sin(x), over={"degree": [1, 5]}, samples=10)
    >>> bool(found.bias[0] > found.bias[1]), found.measure
    (True, 'squared error')
    """

    def __init__(self, core: Any) -> None:
        points = core.points
        self.parameter = core.parameter or None
        self.values = [point.params.get(core.parameter) for point in points]
        self.measure, self.rows, self.samples = core.measure, core.rows, core.samples
        for name in ("error", "bias", "variance", "net_variance"):
            setattr(self, name, np.array([np.nan if point.failure else getattr(point, name) for point in points]))
        self.failures = {value: point.failure for value, point in zip(self.values, points) if point.failure}

    def __repr__(self):
        return f"<recta.BiasVariance over {self.parameter}, {len(self.values)} points, {self.samples} samples>"


def bias_variance(
    word: str,
    X: Any,
    y: ArrayLike | None = None,
    *,
    over: Mapping[str, str | Sequence[Any]] | None = None,
    target: str | None = None,
    samples: int = 50,
    seed: int = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    verbose: int | Callable[[_core.Step], object] = 0,
    **fixed: Any,
) -> BiasVariance:
    """Bias and variance over a parameter, by rows left out of bootstrap samples.

    For numbers the error is exactly their sum; bias and noise cannot be told apart without several y of the same x. For two classes it is
    exactly the bias and ``net_variance`` (docs/cross_validation.md).

    Parameters
    ----------
    word : str
        A model of the library, as in ``recta fit``.
    X, y : array or frame and target, or a table of :func:`recta.read` alone
    over : dict, default=None
        One parameter with its values, as a grid of :func:`grid_search`; None: the model as it is.
    target : str, default=None
        The target among the columns of a table.
    samples : int, default=50
        Of the bootstrap.
    seed : int, default=0
        Of the samples.
    n_jobs : int, default=None
        Threads; the answer has the same bits at any number.
    time_limit : float, default=None
        In seconds.
    verbose : int or callable, default=0
        ``1`` shows a bar; a function is called with each step, and stops the work where it returns False.
    **fixed
        Other parameters of the model and options of its fits.

    Returns
    -------
    BiasVariance

    Examples
    --------
    >>> import recta
    >>> from recta.model_selection import bias_variance
    >>> found = bias_variance("knn", recta.read("iris"), target="species", over={"k": [1, 15]}, samples=10)
    >>> found.values, found.measure
    ([1.0, 15.0], 'error rate')
    """
    if over is not None and len(over) != 1:
        raise ValueError(f"over holds one parameter with its values. Got {len(over)}.")
    data, names, _, extra = _arranged(X, y, target, {})
    options = _options(fixed, names, extra)
    options.seed, options.time_limit = seed, time_limit or 0.0
    options.threads = 0 if n_jobs is None or n_jobs < 0 else n_jobs
    axis = next((_axis(word, name, values) for name, values in (over or {}).items()), None)
    report = reporter(verbose)
    try:
        return BiasVariance(_core.bias_variance(word, data, options, axis, samples, report))
    finally:
        if hasattr(report, "close"):
            report.close()
