"""Intervals of measures: DeLong's of the ROC area, and the bootstrap's of anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from recta import _core

from .input import same_length, two_classes, weights_of


class Interval(NamedTuple):
    """A measure, its standard error, and the ends of its confidence interval.

    Examples
    --------
    >>> from recta.metrics import roc_auc_interval
    >>> roc_auc_interval([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).value
    0.75
    """

    value: float
    standard_error: float
    lower: float
    upper: float


def roc_auc_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> Interval:
    """The area under the ROC curve with the standard error of DeLong, DeLong and Clarke-Pearson (1988).

    With weights, rows stand for shares of a population: weights that are all doubled change nothing.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        Those of :func:`roc_curve`.
    confidence_level : float, default=0.95

    Returns
    -------
    Interval
        (value, standard_error, lower, upper); NaN where one class is absent or, except for the value, has one row.

    Examples
    --------
    >>> from recta.metrics import roc_auc_interval
    >>> found = roc_auc_interval([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> [round(end, 6) for end in found]
    [0.75, 0.353553, 0.057048, 1.0]
    """
    _, places, positive, score, weights = two_classes(y_true, y_score, pos_label, sample_weight)
    return Interval(*_core.roc_area_interval(places, positive, score, weights, confidence_level))


def bootstrap_interval(
    metric: Callable[..., float],
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    random_state: int = 0,
    **arguments: Any,
) -> Interval:
    """The percentile interval of any measure that takes weights, by drawing rows with replacement.

    A resample is the rows with weights, how often each was drawn; the same ``random_state`` draws the same rows, here and in
    ``recta eval --bootstrap``. Resamples for which the measure has no meaning (NaN) are left out.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_pred, sample_weight=..., **arguments)``, a function of this module or of scikit-learn.
    y_true, y_pred : array-like
    sample_weight : array-like of shape (n_samples,), default=None
    n_resamples : int, default=1000
    confidence_level : float, default=0.95
    random_state : int, default=0
    **arguments
        Further arguments of the measure.

    Returns
    -------
    Interval
        (value, standard_error, lower, upper)

    Examples
    --------
    >>> from recta.metrics import bootstrap_interval, mean_absolute_error
    >>> found = bootstrap_interval(mean_absolute_error, [1, 2, 3, 4], [1, 2, 4, 6], n_resamples=200)
    >>> found.value, bool(found.lower < found.value < found.upper)
    (0.75, True)
    """
    if not 0 < confidence_level < 1:
        raise ValueError(f"confidence_level is {confidence_level}: choose one between 0 and 1")
    if n_resamples < 2:
        raise ValueError(f"n_resamples is {n_resamples}: choose at least 2")
    same_length(y_true, y_pred)
    rows = len(y_true)  # type: ignore[arg-type]
    weights = weights_of(sample_weight, rows)
    value = metric(y_true, y_pred, sample_weight=sample_weight, **arguments)
    values = []
    for k in range(n_resamples):
        counts = _core.bootstrap_counts(rows, random_state, k)
        values.append(
            metric(y_true, y_pred, sample_weight=counts if weights is None else counts * weights, **arguments)
        )
    values = np.array(values, dtype=np.float64)
    values = values[~np.isnan(values)]
    if len(values) < 2:
        return Interval(value, float("nan"), float("nan"), float("nan"))
    tail = (1 - confidence_level) / 2
    lower, upper = np.quantile(values, [tail, 1 - tail])
    return Interval(value, float(values.std(ddof=1)), float(lower), float(upper))
