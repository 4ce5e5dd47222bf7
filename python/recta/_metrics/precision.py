"""Precision, recall and F, of classes and of sets of labels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from recta import _core

from .classes import AVERAGES, SMALL, mean
from .input import is_label_sets, label_pair, label_sets, place_of, same_length, weights_of


def _label_columns(labels, count):
    """The labels of sets are their columns."""
    labels = np.asarray(labels)
    wrong = labels[(labels < 0) | (labels >= count)]
    if len(wrong):
        raise ValueError(
            f"All labels must be in [0, n labels) for multilabel targets. Got {wrong[0]} of {count} labels"
        )
    return labels


def _set_sums(y_true, y_pred, weights, axis, labels):
    truth, predicted = label_sets(y_true), label_sets(y_pred)
    if labels is not None:
        labels = _label_columns(labels, truth.shape[1])
        truth, predicted = truth[:, labels], predicted[:, labels]
    each = np.ones(len(truth)) if weights is None else weights
    if axis == 1:  # over the labels of a row
        return tuple(part.sum(axis=1) * each for part in (truth & predicted, predicted, truth))
    return tuple(each @ part for part in (truth & predicted, predicted, truth))


def _class_sums(y_true, y_pred, sample_weight, labels, average, pos_label):
    """Weight of rows per label: predicted right, predicted, true."""
    present, truth, predicted, weights = label_pair(y_true, y_pred, sample_weight)
    if average == "samples":
        raise ValueError("Samplewise metrics are not available outside of multilabel classification.")
    if average == "binary":
        if len(present) > 2:
            raise ValueError(
                "Target is multiclass but average='binary'. Please choose another average setting, one of "
                f"{[None, 'micro', 'macro', 'weighted']!r}."
            )
        if place_of(pos_label, present) < 0 and len(present) >= 2:
            raise ValueError(f"pos_label={pos_label} is not a valid label. It should be one of {present}")
        labels = [pos_label]
    if len(present) > SMALL:  # without the matrix
        right = truth == predicted
        chosen = ((truth[right], None if weights is None else weights[right]), (predicted, weights), (truth, weights))
        sums = tuple(np.bincount(places, each, len(present)).astype(float) for places, each in chosen)
    else:
        matrix = _core.confusion(truth, predicted, len(present), weights)
        sums = np.diag(matrix), matrix.sum(axis=0), matrix.sum(axis=1)
    if labels is None:
        return sums
    place = [place_of(label, present) for label in np.asarray(labels).tolist()]
    return tuple(np.array([part[k] if k >= 0 else 0.0 for k in place]) for part in sums)


def _ratio(part, whole, metric, reason, average, warn_for, zero_division):
    none = whole == 0
    out = np.divide(part, whole, out=np.zeros_like(whole, dtype=np.float64), where=~none)
    if none.any():
        out[none] = 0.0 if zero_division == "warn" else zero_division
        if zero_division == "warn" and metric in warn_for:
            per, of = ("label", "sample") if average == "samples" else ("sample", "label")
            where = "due to" if len(out) == 1 else f"in {of}s with"
            warnings.warn(
                f"{metric.capitalize()} is ill-defined and being set to 0.0 {where} no {reason} {per}s. Use `zero_division` "
                "parameter to control this behavior.",
                UndefinedMetricWarning,
                stacklevel=4,
            )
    return out


def precision_recall_fscore_support(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float = 1.0,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str | None = None,
    warn_for: Sequence[str] = ("precision", "recall", "f-score"),
    sample_weight: ArrayLike | None = None,
    zero_division: str | float = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F-beta and the weight of the true rows, per label or averaged.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 of shape (n_samples, n_labels)
    beta : float, default=1.0
        Recall counts beta times as much as precision.
    labels : array-like, default=None
        The labels looked at; None: all, sorted.
    pos_label : label, default=1
        With ``average='binary'``.
    average : {'binary', 'micro', 'macro', 'weighted', 'samples'}, default=None
        None: one number per label.
    warn_for : tuple of str
    sample_weight : array-like of shape (n_samples,), default=None
    zero_division : {'warn', 0.0, 1.0, nan}, default='warn'
        The value of zero to zero.

    Returns
    -------
    precision, recall, fbeta_score, support

    Examples
    --------
    >>> from recta.metrics import precision_recall_fscore_support
    >>> precision_recall_fscore_support([0, 1, 1, 0], [0, 1, 0, 0], average="macro")
    (0.8333333333333333, 0.75, 0.7333333333333334, None)
    """
    if average not in AVERAGES and average != "binary":
        raise ValueError(f"average has to be one of {AVERAGES}")
    if beta < 0:
        raise ValueError("beta should be >=0 in the F-beta score")
    if average != "binary" and pos_label not in (None, 1):
        warnings.warn(
            f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got {average!r}). You may use "
            "labels=[pos_label] to specify a single positive class.",
            UserWarning,
            stacklevel=2,
        )
    weights = None
    if is_label_sets(y_true):
        same_length(y_true, y_pred)
        if average == "binary":
            raise ValueError(
                "Target is multilabel-indicator but average='binary'. Please choose another average setting, one of "
                f"{list(AVERAGES)!r}."
            )
        rows = y_true.shape[0] if hasattr(y_true, "shape") else len(y_true)  # type: ignore[arg-type]
        weights = weights_of(sample_weight, rows)
        sums = _set_sums(y_true, y_pred, weights, 1 if average == "samples" else 0, labels)
    else:
        sums = _class_sums(y_true, y_pred, sample_weight, labels, average, pos_label)
    right, predicted, true = (np.array([part.sum()]) for part in sums) if average == "micro" else sums
    precision = _ratio(right, predicted, "precision", "predicted", average, warn_for, zero_division)
    recall = _ratio(right, true, "recall", "true", average, warn_for, zero_division)
    if np.isposinf(beta) or beta == 0:
        f = recall if beta else precision
    else:
        f = _ratio(
            (1 + beta**2) * right,
            beta**2 * true + predicted,
            "f-score",
            "true nor predicted",
            average,
            warn_for,
            zero_division,
        )
    if average is None:
        return precision, recall, f, true.astype(np.int64) if sample_weight is None else true
    by = true if average == "weighted" else weights if average == "samples" else None
    return mean(precision, by), mean(recall, by), mean(f, by), None


def precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: str | float = "warn",
) -> float | np.ndarray:
    """Of the rows predicted to be of a class, the share that are; see :func:`precision_recall_fscore_support`.

    >>> from recta.metrics import precision_score
    >>> precision_score([0, 1, 1, 0], [1, 1, 1, 0])
    0.6666666666666666
    """
    return precision_recall_fscore_support(
        y_true,
        y_pred,
        labels=labels,
        pos_label=pos_label,
        average=average,
        warn_for=("precision",),
        sample_weight=sample_weight,
        zero_division=zero_division,
    )[0]


def recall_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: str | float = "warn",
) -> float | np.ndarray:
    """Of the rows of a class, the share predicted to be; see :func:`precision_recall_fscore_support`.

    >>> from recta.metrics import recall_score
    >>> recall_score([0, 1, 1, 0], [1, 1, 0, 0])
    0.5
    """
    return precision_recall_fscore_support(
        y_true,
        y_pred,
        labels=labels,
        pos_label=pos_label,
        average=average,
        warn_for=("recall",),
        sample_weight=sample_weight,
        zero_division=zero_division,
    )[1]


def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: str | float = "warn",
) -> float | np.ndarray:
    """(1 + beta^2) P R / (beta^2 P + R); see :func:`precision_recall_fscore_support`.

    >>> from recta.metrics import fbeta_score
    >>> fbeta_score([0, 1, 1, 0], [1, 1, 0, 0], beta=2)
    0.5
    """
    return precision_recall_fscore_support(
        y_true,
        y_pred,
        beta=beta,
        labels=labels,
        pos_label=pos_label,
        average=average,
        warn_for=("f-score",),
        sample_weight=sample_weight,
        zero_division=zero_division,
    )[2]


def f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: str | float = "warn",
) -> float | np.ndarray:
    """The harmonic mean of precision and recall; see :func:`precision_recall_fscore_support`.

    >>> from recta.metrics import f1_score
    >>> f1_score([0, 1, 2, 0], [0, 2, 1, 0], average="weighted")
    0.5
    """
    return fbeta_score(
        y_true,
        y_pred,
        beta=1,
        labels=labels,
        pos_label=pos_label,
        average=average,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )
