"""Measures of scores that rank rows, with scikit-learn's names, signatures and conventions; areas are exact."""

from __future__ import annotations

import warnings
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import column_or_1d

from recta import _core

from .curves import auc
from .input import (
    is_label_sets,
    label_places,
    label_sets,
    place_of,
    replaced,
    same_length,
    table,
    vector,
    weights_of,
)

ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."


def _partial_area(places, positive, score, weights, max_fpr):
    """Up to a false positive rate, scaled so that chance is 1/2 (McClish 1989)."""
    if not 0 < max_fpr <= 1:
        raise ValueError(f"Expected max_fpr in range (0, 1], got: {max_fpr!r}")
    _, true, false = _core.score_thresholds(places, positive, score, weights)
    fpr, tpr = np.append(0.0, false / false[-1]), np.append(0.0, true / true[-1])
    stop = np.searchsorted(fpr, max_fpr, "right")
    tpr = np.append(tpr[:stop], np.interp(max_fpr, fpr[stop - 1 : stop + 1], tpr[stop - 1 : stop + 1]))
    least = 0.5 * max_fpr**2
    return 0.5 * (1 + (auc(np.append(fpr[:stop], max_fpr), tpr) - least) / (max_fpr - least))


def _roc_area(places, positive, score, weights, max_fpr=None):
    area = _core.roc_area(places, positive, -1, score, weights)
    if np.isnan(area):
        warnings.warn(ONE_CLASS, UndefinedMetricWarning, stacklevel=4)
        return float("nan")
    return area if max_fpr is None or max_fpr == 1 else _partial_area(places, positive, score, weights, max_fpr)


def _precision_area(places, positive, score, weights):
    area = _core.average_precision(places, positive, -1, score, weights)
    if area == 0:
        warnings.warn(
            "No positive class found in y_true, recall is set to one for all thresholds.", UserWarning, stacklevel=4
        )
    return area


def _averaged(areas, average, shares):
    """`shares`: the weight of the positive rows of each area."""
    if average is None:
        return np.asarray(areas)
    if average == "macro":
        return float(np.average(areas))
    if np.isclose(shares.sum(), 0):
        return 0
    return float(np.average(np.where(shares == 0, 0.0, areas), weights=shares))


def _of_label_sets(area, y_true, y_score, average, sample_weight):
    if average not in (None, "micro", "macro", "weighted", "samples"):
        raise ValueError("average has to be one of (None, 'micro', 'macro', 'weighted', 'samples')")
    truth, score = label_sets(y_true).astype(np.int32), table(y_score)
    same_length(truth, score)
    weights = weights_of(sample_weight, len(truth))
    if truth.shape != score.shape:
        raise ValueError(f"y_true has the shape {truth.shape} and y_score {score.shape}")
    if average == "micro":
        return area(truth.ravel(), 1, score.ravel(), None if weights is None else np.repeat(weights, truth.shape[1]))
    if average == "samples":
        areas = [area(np.ascontiguousarray(y), 1, s, None) for y, s in zip(truth, score)]
        return float(np.average(areas, weights=weights))
    areas = [area(np.ascontiguousarray(truth[:, k]), 1, score[:, k], weights) for k in range(truth.shape[1])]
    return _averaged(areas, average, truth.sum(axis=0) if weights is None else weights @ truth)


def _class_shares(places, classes, weights):
    return np.bincount(places, weights, classes)


def _known_classes(labels, found, places, columns):
    """The classes of the columns of scores, and the places of the rows among them."""
    if labels is None:
        if len(found) != columns:
            raise ValueError("Number of classes in y_true not equal to the number of columns in 'y_score'")
        return found, places
    labels = column_or_1d(labels)
    classes = np.unique(labels)
    if len(classes) != len(labels):
        raise ValueError("Parameter 'labels' must be unique")
    if not np.array_equal(classes, labels):
        raise ValueError("Parameter 'labels' must be ordered")
    if len(classes) != columns:
        raise ValueError(
            f"Number of given labels, {len(classes)}, not equal to the number of columns in 'y_score', {columns}"
        )
    if len(np.setdiff1d(found, classes)):
        raise ValueError("'y_true' contains labels not in parameter 'labels'")
    return classes, replaced(places, np.searchsorted(classes, found))


def _pair_area(places, score, average):
    """Hand and Till (2001): both areas of every pair of classes that occur, averaged."""
    occurring = np.unique(places)
    areas, counts = _core.areas_against_one(places, score, None), np.bincount(places, minlength=score.shape[1])
    pairs = list(combinations(occurring.tolist(), 2))
    each = [(areas[a, b] + areas[b, a]) / 2 for a, b in pairs]
    return float(np.average(each, weights=[counts[a] + counts[b] for a, b in pairs] if average == "weighted" else None))


def _class_area(found, places, score, labels, multi_class, average, sample_weight):
    if score.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
            f"`y_score.shape={score.shape}`."
        )
    if not np.allclose(1, score.sum(axis=1)):
        raise ValueError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes"
        )
    allowed = ("macro", "weighted", None) if multi_class == "ovo" else ("micro", "macro", "weighted", None)
    if multi_class not in ("ovo", "ovr"):
        raise ValueError(
            f"multi_class='{multi_class}' is not supported for multiclass ROC AUC, multi_class must be in ('ovo', 'ovr')"
        )
    if average not in allowed:
        raise ValueError(f"average must be one of {allowed} for multiclass problems")
    if average is None and multi_class == "ovo":
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")
    classes, places = _known_classes(labels, found, places, score.shape[1])
    if multi_class == "ovo":
        if sample_weight is not None:
            raise ValueError(
                "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' must be None in this case."
            )
        return _pair_area(places, score, average)
    weights = weights_of(sample_weight, len(places))
    if average == "micro":
        return _of_label_sets(_roc_area, places[:, None] == np.arange(len(classes)), score, "micro", sample_weight)
    areas = _core.areas_against_rest(places, score, weights, False)
    if np.isnan(areas).any():
        warnings.warn(ONE_CLASS, UndefinedMetricWarning, stacklevel=3)
    return _averaged(areas, average, _class_shares(places, len(classes), weights))


def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: ArrayLike | None = None,
) -> float | np.ndarray:
    """The area under the ROC curve: the probability that a positive row scores above another one, ties counting half.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
    y_score : array-like of shape (n_samples,), or (n_samples, n_classes) for several classes or label sets
        Probabilities that sum to one where there are several classes.
    average : {'micro', 'macro', 'samples', 'weighted'} or None, default='macro'
        Over classes or labels.
    sample_weight : array-like of shape (n_samples,), default=None
    max_fpr : float in (0, 1], default=None
        The area up to this false positive rate, scaled so that chance is 1/2.
    multi_class : {'raise', 'ovr', 'ovo'}, default='raise'
        Several classes: each against the rest, or pair by pair (Hand and Till 2001).
    labels : array-like of shape (n_classes,), default=None
        The classes of the columns, sorted.

    Returns
    -------
    float, or one per class; NaN with a warning where one class is all there is

    Examples
    --------
    >>> from recta.metrics import roc_auc_score
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    if is_label_sets(y_true):
        return _of_label_sets(partial(_roc_area, max_fpr=max_fpr), y_true, y_score, average, sample_weight)
    score = table(y_score)
    same_length(y_true, score)
    found, places = label_places(y_true, "y_true")
    if len(found) > 2 or (score.ndim == 2 and score.shape[1] > 2):
        if max_fpr is not None and max_fpr != 1:
            raise ValueError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set to `None`, received "
                f"`max_fpr={max_fpr}` instead"
            )
        if multi_class == "raise":
            raise ValueError("multi_class must be in ('ovo', 'ovr')")
        return _class_area(found, places, score, labels, multi_class, average, sample_weight)
    return _roc_area(places, 1, vector(score), weights_of(sample_weight, len(places)), max_fpr)


def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> float | np.ndarray:
    """The area under the precision-recall curve: the mean of the precision over the positive rows, without interpolation.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
    y_score : array-like of shape (n_samples,), or (n_samples, n_classes) for several classes or label sets
    average : {'micro', 'macro', 'samples', 'weighted'} or None, default='macro'
    pos_label : label, default=1
        Of two classes.
    sample_weight : array-like of shape (n_samples,), default=None

    Examples
    --------
    >>> from recta.metrics import average_precision_score
    >>> average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333333333333333
    """
    score = table(y_score)
    if is_label_sets(y_true):
        if pos_label != 1:
            raise ValueError(
                "Parameter pos_label is fixed to 1 for multilabel-indicator y_true. Do not set pos_label or set pos_label to 1."
            )
        return _of_label_sets(_precision_area, y_true, score, average, sample_weight)
    same_length(y_true, score)
    labels, places = label_places(y_true, "y_true")
    if len(labels) <= 2:
        if len(labels) == 2 and place_of(pos_label, labels) < 0:
            raise ValueError(f"pos_label={pos_label} is not a valid label. It should be one of {labels}")
        return _precision_area(
            places, place_of(pos_label, labels), vector(score), weights_of(sample_weight, len(places))
        )
    if pos_label != 1:
        raise ValueError(
            "Parameter pos_label is fixed to 1 for multiclass y_true. Do not set pos_label or set pos_label to 1."
        )
    if score.shape != (len(places), len(labels)):
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
            f"`y_score.shape={score.shape}`."
        )
    if average in ("micro", "samples"):
        return _of_label_sets(_precision_area, places[:, None] == np.arange(len(labels)), score, average, sample_weight)
    weights = weights_of(sample_weight, len(places))
    areas = _core.areas_against_rest(places, score, weights, True)
    return _averaged(areas, average, _class_shares(places, len(labels), weights))


def top_k_accuracy_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """The share of the rows whose class is among the k that score highest.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
    k : int, default=2
    normalize : bool, default=True
        False: the number of rows, or their weight.
    sample_weight : array-like of shape (n_samples,), default=None
    labels : array-like of shape (n_classes,), default=None
        The classes of the columns, sorted.

    Examples
    --------
    >>> from recta.metrics import top_k_accuracy_score
    >>> top_k_accuracy_score([0, 1, 2], [[0.5, 0.2, 0.3], [0.3, 0.4, 0.3], [0.4, 0.5, 0.1]], k=2)
    0.6666666666666666
    """
    score = table(y_score)
    same_length(y_true, score)
    found, places = label_places(y_true, "y_true")
    weights = weights_of(sample_weight, len(places))
    two = len(found) <= 2 and (labels is None or len(labels) <= 2)  # type: ignore[arg-type]
    if two and score.ndim == 2 and score.shape[1] != 1:
        raise ValueError(
            f"`y_true` is binary while y_score is 2d with {score.shape[1]} classes. If `y_true` does not contain all the "
            "labels, `labels` must be provided."
        )
    if not two and score.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
            f"`y_score.shape={score.shape}`."
        )
    columns = 2 if two else score.shape[1]
    if labels is None and len(found) != columns:
        raise ValueError(
            f"Number of classes in 'y_true' ({len(found)}) not equal to the number of classes in 'y_score' ({columns})."
            "You can provide a list of all known classes by assigning it to the `labels` parameter."
        )
    classes, places = _known_classes(labels, found, places, columns)
    if k >= columns:
        warnings.warn(
            f"'k' ({k}) greater than or equal to 'n_classes' ({columns}) will result in a perfect score and is therefore "
            "meaningless.",
            UndefinedMetricWarning,
            stacklevel=2,
        )
    if two:  # the score of the second class: above one half, or above zero where it is not a probability
        score = vector(score)
        middle = 0.5 if score.min() >= 0 and score.max() <= 1 else 0.0
        score = np.column_stack([score <= middle, score > middle]).astype(np.float64)
    share = _core.top_accuracy(places, score, weights, k)
    if normalize:
        return share
    return share * (len(places) if weights is None else float(weights.sum()))
