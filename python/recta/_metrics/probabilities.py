"""Measures of probabilities, with scikit-learn's names, signatures and conventions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import assert_all_finite

from recta import _core

from .input import (
    is_label_sets,
    label_places,
    label_sets,
    place_of,
    positive_label,
    replaced,
    same_length,
    table,
    two_classes,
    vector,
    weights_of,
)

FLOAT64_EPS = float(np.finfo(np.float64).eps)


def _floor(y_proba):
    """log 0 is infinite: probabilities are kept so far from 0 and 1, by their type."""
    kind = getattr(y_proba, "dtype", None)
    return float(np.finfo(kind).eps) if kind in (np.float32, np.float16) else FLOAT64_EPS


def _check_range(p):
    low, high = p.min(), p.max()
    if not (np.isfinite(low) and np.isfinite(high)):
        assert_all_finite(p, input_name="y_proba")
    if high > 1:
        raise ValueError(f"y_prob contains values greater than 1: {high}")
    if low < 0:
        raise ValueError(f"y_prob contains values lower than 0: {low}")


def _several(y_true, y_proba, sample_weight, labels):
    """Places among the classes of the columns, probabilities and weights."""
    eps, p = _floor(y_proba), table(y_proba)
    same_length(y_true, p)
    found, places = label_places(y_true, "y_true")
    _check_range(p)
    classes = found
    if labels is not None:
        classes = np.unique(labels)
        if not np.array_equal(classes, np.asarray(labels)):
            warnings.warn(
                f"Labels passed were {labels}. But this function assumes labels are ordered lexicographically. Pass the ordered "
                f"labels={classes.tolist()} and ensure that the columns of y_prob correspond to this ordering.",
                UserWarning,
                stacklevel=3,
            )
        unknown = set(found.tolist()) - set(classes.tolist())
        if unknown:
            raise ValueError(f"y_true contains values {unknown} not belonging to the passed labels {labels}.")
        places = replaced(places, np.searchsorted(classes, found))
    if len(classes) == 1:
        raise ValueError(
            f"The labels array needs to contain at least two labels, got {classes}."
            if labels is not None
            else f"y_true contains only one label ({classes[0]}). Please provide the list of all expected class labels explicitly "
            "through the labels argument."
        )
    if p.ndim == 2 and p.shape[1] == 1:
        p = p[:, 0]
    columns = 2 if p.ndim == 1 else p.shape[1]
    if columns != len(classes):
        raise ValueError(
            f"y_true and y_prob contain different number of classes: {len(classes)} vs {columns}. Please provide the true "
            f"labels explicitly through the labels argument. Classes found in y_true: {classes}"
            if labels is None
            else f"The number of classes in labels is different from that in y_prob. Classes found in labels: {classes}"
        )
    if p.ndim == 2 and _core.row_not_summing_to_one(places, p, 1e-8 + eps**0.5) is not None:
        warnings.warn(
            "The y_prob values do not sum to one. Make sure to pass probabilities.", UserWarning, stacklevel=3
        )
    return places, len(classes), p, weights_of(sample_weight, len(places))


def _of_label_sets(y_true, y_proba, sample_weight):
    """Which labels the rows have, their probabilities, and weights; a label is a column."""
    p = table(y_proba)
    same_length(y_true, p)
    truth = label_sets(y_true)
    _check_range(p)
    if p.shape != truth.shape:
        raise ValueError(
            f"y_true and y_prob contain different number of classes: {truth.shape[1]} vs {1 if p.ndim == 1 else p.shape[1]}"
        )
    if not np.allclose(p.sum(axis=1), 1, rtol=_floor(y_proba) ** 0.5, atol=1e-8):
        warnings.warn(
            "The y_prob values do not sum to one. Make sure to pass probabilities.", UserWarning, stacklevel=3
        )
    return truth, p, weights_of(sample_weight, len(truth))


def _log_loss_of_label_sets(truth, p, weights, eps):
    """The weighted mean of the sums of -log over the labels of each row."""
    rows = -np.where(truth, np.log(np.clip(p, eps, 1 - eps)), 0.0).sum(axis=1)
    return float(np.average(rows, weights=weights))


def _given_once(y_proba, y_pred):
    if isinstance(y_pred, str) and y_pred == "deprecated":
        return y_proba
    if y_proba is not None:
        raise ValueError("Cannot use both `y_pred` and `y_proba`. `y_pred` is deprecated, use `y_proba` instead.")
    warnings.warn(
        "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11. Use `y_proba` instead.",
        FutureWarning,
        stacklevel=3,
    )
    return y_pred


def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike | None = None,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    y_pred: Any = "deprecated",
) -> float:
    """The mean of -log of the probability of the true class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), or 0/1 of shape (n_samples, n_classes)
        Of 0 and 1, the labels are the columns, and the logarithms of all labels of a row count.
    y_proba : array-like of shape (n_samples,) or (n_samples, n_classes)
        Probabilities, the columns in the order of the sorted labels; one column is that of the second label. They are kept
        2.2e-16 from 0 and 1, where the logarithm is infinite.
    normalize : bool, default=True
        False: the sum.
    sample_weight : array-like of shape (n_samples,), default=None
    labels : array-like of shape (n_classes,), default=None
        All labels, where not all occur.
    y_pred : deprecated
        The former name of ``y_proba``.

    Examples
    --------
    >>> from recta.metrics import log_loss
    >>> log_loss(["spam", "ham", "ham", "spam"], [[0.1, 0.9], [0.9, 0.1], [0.8, 0.2], [0.35, 0.65]])
    0.21616187468057912
    """
    y_proba = _given_once(y_proba, y_pred)
    if is_label_sets(y_true):
        truth, p, weights = _of_label_sets(y_true, y_proba, sample_weight)
        loss = _log_loss_of_label_sets(truth, p, weights, _floor(y_proba))
    else:
        places, _, p, weights = _several(y_true, y_proba, sample_weight, labels)
        loss = _core.log_loss(places, p, weights, _floor(y_proba))
    return loss if normalize else loss * (len(p) if weights is None else float(weights.sum()))


def _one_column(y_true, y_proba, sample_weight, pos_label):
    """Places, the place of the positive label, its probabilities, weights."""
    p = vector(y_proba)
    same_length(y_true, p)
    labels, places = label_places(y_true, "y_true")
    if len(labels) > 2:
        raise ValueError(
            "The type of the target inferred from y_true is multiclass but should be binary according to the shape of y_prob."
        )
    _check_range(p)
    if pos_label is None and labels.dtype.kind not in "OUS":
        pos_label = 1 if labels.tolist() in ([0, 1], [-1, 1], [0], [-1], [1]) else labels[-1]
    positive = place_of(positive_label(pos_label, labels), labels)
    return np.equal(places, positive).astype(np.int32), p, weights_of(sample_weight, len(places))


def _brier(truth, p, weights):
    """The weighted mean of the squared differences of 0/1 and probabilities, summed over the columns."""
    return float(np.average(((truth - p) ** 2).sum(axis=1), weights=weights))


def _is_one_column(y_proba):
    return np.ndim(y_proba) == 1 or np.shape(y_proba)[1] == 1


def _columns_of_classes(y_true, y_proba, sample_weight, pos_label, labels):
    """Places, the number of classes, probabilities and weights; one column is that of ``pos_label``."""
    if not _is_one_column(y_proba):
        return _several(y_true, y_proba, sample_weight, labels)
    places, p, weights = _one_column(y_true, y_proba, sample_weight, pos_label)
    return places, 2, p, weights


def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    scale_by_half: bool | str = "auto",
) -> float:
    """The mean squared difference of probabilities and what happened, summed over classes.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
    y_proba : array-like of shape (n_samples,) or (n_samples, n_classes)
    sample_weight : array-like of shape (n_samples,), default=None
    pos_label : label, default=None
        Whose probabilities ``y_proba`` holds, where it is one column.
    labels : array-like of shape (n_classes,), default=None
    scale_by_half : bool or 'auto', default='auto'
        Within [0, 1] instead of [0, 2]; 'auto': for two classes.

    Examples
    --------
    >>> from recta.metrics import brier_score_loss
    >>> round(brier_score_loss([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 12)
    0.0375
    """
    if is_label_sets(y_true):
        truth, p, weights = _of_label_sets(y_true, y_proba, sample_weight)
        halved = truth.shape[1] == 2
        score = _brier(truth, p, weights) * (0.5 if halved else 1.0)
    else:
        places, classes, p, weights = _columns_of_classes(y_true, y_proba, sample_weight, pos_label, labels)
        score, halved = _core.brier(places, p, weights), classes == 2
    half = halved if scale_by_half == "auto" else bool(scale_by_half)
    return score * (0.5 if half else 1.0) / (0.5 if halved else 1.0)


def _too_few(y_true, y_proba):
    same_length(y_true, y_proba)
    if len(y_proba) >= 2:
        return False
    warnings.warn("D^2 score is not well-defined with less than two samples.", UndefinedMetricWarning, stacklevel=3)
    return True


def _shares(places, classes, weights):
    counts = np.bincount(places, weights, classes)
    return counts / counts.sum()


def d2_log_loss_score(
    y_true: ArrayLike,
    y_proba: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    y_pred: Any = "deprecated",
) -> float:
    """The share of the log-loss of the classes' shares that the probabilities explain; parameters are those of :func:`log_loss`.

    >>> from recta.metrics import d2_log_loss_score
    >>> round(d2_log_loss_score([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 6)
    0.714873
    """
    y_proba = _given_once(y_proba, y_pred)
    if _too_few(y_true, y_proba):
        return float("nan")
    if is_label_sets(y_true):
        truth, p, weights = _of_label_sets(y_true, y_proba, sample_weight)
        null = np.broadcast_to(np.average(truth, axis=0, weights=weights), p.shape)
        losses = [_log_loss_of_label_sets(truth, each, weights, _floor(y_proba)) for each in (p, null)]
        return 1 - losses[0] / losses[1]
    places, classes, p, weights = _several(y_true, y_proba, sample_weight, labels)
    eps, shares = _floor(y_proba), _shares(places, classes, weights)
    null = -float(np.sum(shares * np.log(np.clip(shares, eps, 1 - eps))))
    return 1 - _core.log_loss(places, p, weights, eps) / null


def d2_brier_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
) -> float:
    """The share of the Brier score of the classes' shares that the probabilities explain; parameters are those of
    :func:`brier_score_loss`.

    >>> from recta.metrics import d2_brier_score
    >>> round(d2_brier_score([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 12)
    0.85
    """
    if _too_few(y_true, y_proba):
        return float("nan")
    if is_label_sets(y_true):
        truth, p, weights = _of_label_sets(y_true, y_proba, sample_weight)
        return 1 - _brier(truth, p, weights) / _brier(truth, np.average(truth, axis=0, weights=weights), weights)
    places, classes, p, weights = _columns_of_classes(y_true, y_proba, sample_weight, pos_label, labels)
    shares = _shares(places, classes, weights)
    null = np.sum(shares * (1 - shares))
    with np.errstate(divide="ignore", invalid="ignore"):  # one class alone: nothing to explain
        return float(1 - np.float64(_core.brier(places, p, weights)) / (null / 2 if classes == 2 else null))


def _bins(y_true, y_prob, sample_weight, pos_label, n_bins, strategy):
    if strategy not in ("uniform", "quantile"):
        raise ValueError("Invalid entry to 'strategy' input. Strategy must be either 'quantile' or 'uniform'.")
    labels, places, positive, p, weights = two_classes(y_true, y_prob, pos_label, sample_weight, "y_prob")
    if len(labels) > 2:
        raise ValueError(f"Only binary classification is supported. Provided labels {labels}.")
    if p.min() < 0 or p.max() > 1:
        raise ValueError("y_prob has values outside [0, 1].")
    return _core.calibration_bins(places, positive, p, weights, n_bins, strategy == "quantile")


def calibration_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: Any = None,
    n_bins: int = 5,
    strategy: str = "uniform",
    sample_weight: ArrayLike | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The share of positive rows and the mean probability, by bins of the probability; as ``sklearn.calibration.calibration_curve``,
    with weights.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
    y_prob : array-like of shape (n_samples,)
        Probabilities of the positive label.
    pos_label : label, default=None
    n_bins : int, default=5
        Bins without rows are left out.
    strategy : {'uniform', 'quantile'}, default='uniform'
        Bins of equal width, or of about as many rows each.
    sample_weight : array-like of shape (n_samples,), default=None

    Returns
    -------
    prob_true, prob_pred : ndarray of shape (n_bins,) or smaller

    Examples
    --------
    >>> from recta.metrics import calibration_curve
    >>> calibration_curve([0, 0, 1, 1], [0.25, 0.25, 0.25, 0.75], n_bins=2)[0].round(3).tolist()
    [0.333, 1.0]
    """
    bins = _bins(y_true, y_prob, sample_weight, pos_label, n_bins, strategy)
    return bins["share"], bins["mean_probability"]


def calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: Any = None,
    n_bins: int = 10,
    strategy: str = "uniform",
    norm: str = "l1",
    sample_weight: ArrayLike | None = None,
) -> float:
    """How far the bins of :func:`calibration_curve` lie from the diagonal, each by its weight.

    Parameters
    ----------
    y_true, y_prob, pos_label, n_bins, strategy, sample_weight
        Those of :func:`calibration_curve`.
    norm : {'l1', 'l2', 'max'}, default='l1'
        The mean distance (ECE), the root of the mean square, or the largest (MCE).

    Examples
    --------
    >>> from recta.metrics import calibration_error
    >>> round(calibration_error([0, 0, 1, 1], [0.25, 0.25, 0.25, 0.75], n_bins=2), 12)
    0.125
    """
    if norm not in ("l1", "l2", "max"):
        raise ValueError("norm must be 'l1', 'l2' or 'max'")
    bins = _bins(y_true, y_prob, sample_weight, pos_label, n_bins, strategy)
    return bins[{"l1": "error_1", "l2": "error_2", "max": "error_max"}[norm]]
