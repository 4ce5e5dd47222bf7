"""Curves of scores against two classes, and the area under one."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from recta import _core

from .input import (
    same_length,
    two_classes,
    vector,
)


def auc(x: ArrayLike, y: ArrayLike) -> float:
    """The area under a line through points, by the trapezoidal rule; x rises or falls.

    >>> from recta.metrics import auc
    >>> auc([0, 0.5, 1], [0, 1, 1])
    0.75
    """
    same_length(x, y)
    x, y = vector(x), vector(y)
    if len(x) < 2:
        raise ValueError(f"At least 2 points are needed to compute area under curve, but x.shape = {x.shape}")
    step = np.diff(x)
    falling = bool((step < 0).any())
    if falling and not (step <= 0).all():
        raise ValueError(f"x is neither increasing nor decreasing : {x}.")
    area = float((step * (y[1:] + y[:-1]) / 2).sum())
    return -area if falling else area


def _points(y_true, y_score, pos_label, sample_weight):
    _, places, positive, score, weights = two_classes(y_true, y_score, pos_label, sample_weight)
    threshold, true, false = _core.score_thresholds(places, positive, score, weights)
    return threshold, true, false


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """False and true positive rates at every threshold, from none to all.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Two labels, of {0, 1} or {-1, 1} unless ``pos_label`` is given.
    y_score : array-like of shape (n_samples,)
        Higher for the positive label.
    pos_label : label, default=None
    sample_weight : array-like of shape (n_samples,), default=None
    drop_intermediate : bool, default=True
        Leave out points on a straight line between their neighbours.

    Returns
    -------
    fpr, tpr, thresholds

    Examples
    --------
    >>> from recta.metrics import roc_curve
    >>> [part.tolist() for part in roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])]
    [[0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.35, 0.1]]
    """
    threshold, true, false = _points(y_true, y_score, pos_label, sample_weight)
    if drop_intermediate and len(false) > 2:
        kept = np.concatenate([[True], (np.diff(false, 2) != 0) | (np.diff(true, 2) != 0), [True]])
        threshold, true, false = threshold[kept], true[kept], false[kept]
    return _rates(false, "negative", "false"), _rates(true, "positive", "true"), np.concatenate([[np.inf], threshold])


def _rates(weights, absent, rate):
    if weights[-1] > 0:
        return np.concatenate([[0.0], weights / weights[-1]])
    warnings.warn(
        f"No {absent} samples in y_true, {rate} positive value should be meaningless",
        UndefinedMetricWarning,
        stacklevel=3,
    )
    return np.full(len(weights) + 1, np.nan)


def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Precision and recall at every threshold, the lowest first, and a last point (1, 0).

    Parameters are those of :func:`roc_curve`.

    Returns
    -------
    precision, recall, thresholds

    Examples
    --------
    >>> from recta.metrics import precision_recall_curve
    >>> [part.tolist() for part in precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])]
    [[0.5, 0.6666666666666666, 0.5, 1.0, 1.0], [1.0, 1.0, 0.5, 0.5, 0.0], [0.1, 0.35, 0.4, 0.8]]
    """
    threshold, true, false = _points(y_true, y_score, pos_label, sample_weight)
    if drop_intermediate and len(false) > 2:
        kept = np.concatenate([[True], (np.diff(true[:-1]) != 0) | (np.diff(true[1:]) != 0), [True]])
        threshold, true, false = threshold[kept], true[kept], false[kept]
    precision = true / (true + false)
    if true[-1] == 0:
        warnings.warn(
            "No positive class found in y_true, recall is set to one for all thresholds.", UserWarning, stacklevel=2
        )
        recall = np.ones(len(true))
    else:
        recall = true / true[-1]
    return np.append(precision[::-1], 1.0), np.append(recall[::-1], 0.0), threshold[::-1]


def cumulative_gain_curve(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The share of the rows that score highest, and the share of all positive rows among them, from (0, 0) to (1, 1).

    Parameters are those of :func:`roc_curve`.

    Returns
    -------
    share, gain, thresholds

    Examples
    --------
    >>> from recta.metrics import cumulative_gain_curve
    >>> share, gain, _ = cumulative_gain_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> share.tolist(), gain.tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    threshold, true, false = _points(y_true, y_score, pos_label, sample_weight)
    return (
        np.concatenate([[0.0], (true + false) / (true[-1] + false[-1])]),
        _rates(true, "positive", "true"),
        np.concatenate([[np.inf], threshold]),
    )


def lift_curve(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The share of the rows that score highest, and how many times more positive rows are among them than among all.

    Parameters are those of :func:`roc_curve`.

    Returns
    -------
    share, lift, thresholds

    Examples
    --------
    >>> from recta.metrics import lift_curve
    >>> lift_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])[1].tolist()
    [2.0, 1.0, 1.3333333333333333, 1.0]
    """
    share, gain, threshold = cumulative_gain_curve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return share[1:], gain[1:] / share[1:], threshold[1:]
