"""Measures of predicted classes, with scikit-learn's names, signatures and conventions."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _sklearn  # first: it says so where scikit-learn is missing
from sklearn.exceptions import UndefinedMetricWarning

from . import _core
from ._metric_input import is_label_sets, label_pair, label_sets, place_of, replaced, same_length, weights_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

SMALL = 1000  # up to so many classes the confusion matrix is the shortest way
AVERAGES = (None, "micro", "macro", "weighted", "samples")


def mean(values, weights=None):
    """NaN is left out, as by scikit-learn's averages over classes."""
    values = np.asarray(values, dtype=np.float64)
    good = ~np.isnan(values)
    if not good.any():
        return float("nan")
    if weights is None:
        return float(np.average(values[good]))
    weights = np.asarray(weights, dtype=np.float64)[good]
    return float(np.average(values[good], weights=weights)) if weights.sum() else float(np.average(values[good]))


def _right_share(right, weights, normalize):
    weights = np.ones(len(right)) if weights is None else weights
    total = float(np.dot(right, weights))
    return total / float(weights.sum()) if normalize else total


def accuracy_score(y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None) -> float:
    """The share of the rows predicted right; of label sets, the share of sets that are right as a whole.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 of shape (n_samples, n_labels)
    normalize : bool, default=True
        False: the number of rows, or their weight.
    sample_weight : array-like of shape (n_samples,), default=None

    Examples
    --------
    >>> from recta.metrics import accuracy_score
    >>> accuracy_score(["a", "b", "b", "a"], ["a", "b", "a", "a"])
    0.75
    """
    if is_label_sets(y_true):
        same_length(y_true, y_pred)
        right = (label_sets(y_true) == label_sets(y_pred)).all(axis=1)
        return _right_share(right, weights_of(sample_weight, len(right)), normalize)
    labels, truth, predicted, weights = label_pair(y_true, y_pred, sample_weight)
    if len(labels) > SMALL:
        return _right_share(truth == predicted, weights, normalize)
    matrix = _core.confusion(truth, predicted, len(labels), weights)
    return float(_core.confusion_scores(matrix)["accuracy"] if normalize else np.trace(matrix))


def zero_one_loss(y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None) -> float:
    """The error rate: 1 - :func:`accuracy_score`; ``normalize=False``: the number of rows predicted wrong, or their weight.

    >>> from recta.metrics import zero_one_loss
    >>> zero_one_loss([1, 2, 3, 4], [2, 2, 3, 4])
    0.25
    """
    right = accuracy_score(y_true, y_pred, normalize=normalize, sample_weight=sample_weight)
    if normalize:
        return 1 - right
    return (len(y_true) if sample_weight is None else float(np.sum(sample_weight))) - right


def confusion_matrix(y_true: ArrayLike, y_pred: ArrayLike, *, labels: ArrayLike | None = None, sample_weight: ArrayLike | None = None,
                     normalize: str | None = None) -> np.ndarray:
    """Rows, or their weight, by true label, then by predicted label.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
    labels : array-like of shape (n_classes,), default=None
        The labels counted, in their order; None: all, sorted.
    sample_weight : array-like of shape (n_samples,), default=None
    normalize : {'true', 'pred', 'all'}, default=None
        Shares of the true, of the predicted, or of all rows.

    Examples
    --------
    >>> from recta.metrics import confusion_matrix
    >>> confusion_matrix([0, 1, 1, 2], [0, 1, 2, 2]).tolist()
    [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
    """
    if normalize not in ("true", "pred", "all", None):
        raise ValueError("normalize must be one of {'true', 'pred', 'all', None}")
    present, truth, predicted, weights = label_pair(y_true, y_pred, sample_weight)
    if labels is not None:
        present, truth, predicted, weights = _chosen(np.asarray(labels), present, truth, predicted, weights)
    matrix = _core.confusion(truth, predicted, len(present), weights) if len(truth) else np.zeros((len(present),) * 2)
    if sample_weight is None or np.asarray(sample_weight).dtype.kind in "iub":
        matrix = matrix.astype(np.int64)
    with np.errstate(all="ignore"):
        if normalize == "true":
            matrix = matrix / matrix.sum(axis=1, keepdims=True)
        elif normalize == "pred":
            matrix = matrix / matrix.sum(axis=0, keepdims=True)
        elif normalize == "all":
            matrix = matrix / matrix.sum()
    matrix = np.nan_to_num(matrix)
    if matrix.shape == (1, 1):
        warnings.warn("A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the correct shape, use the "
                      "'labels' parameter to pass all known labels.", UserWarning, stacklevel=2)
    return matrix


def _chosen(labels, present, truth, predicted, weights):
    """The rows whose true and predicted labels are both among those asked for."""
    if labels.size == 0:
        raise ValueError("'labels' should contain at least one label.")
    order = {label: k for k, label in enumerate(labels.tolist())}
    place = np.array([order.get(label, -1) for label in present.tolist()], dtype=np.int32)
    truth, predicted = replaced(truth, place), replaced(predicted, place)
    if not (truth >= 0).any():
        raise ValueError("At least one label specified must be in y_true")
    both = (truth >= 0) & (predicted >= 0)
    return labels, truth[both], predicted[both], None if weights is None else weights[both]


def _scores(matrix):
    return _core.confusion_scores(np.ascontiguousarray(matrix, dtype=np.float64))


def balanced_accuracy_score(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, adjusted: bool = False) -> float:
    """The mean recall of the classes; ``adjusted``: 0 for chance, 1 for perfection.

    >>> from recta.metrics import balanced_accuracy_score
    >>> balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1])
    0.625
    """
    matrix = confusion_matrix(y_true, y_pred, sample_weight=sample_weight)
    classes = int((matrix.sum(axis=1) > 0).sum())
    if classes < len(matrix):
        warnings.warn("y_pred contains classes not in y_true", UserWarning, stacklevel=2)
    score = _scores(matrix)["balanced_accuracy"]
    return (score - 1 / classes) / (1 - 1 / classes) if adjusted else score


def cohen_kappa_score(y1: ArrayLike, y2: ArrayLike, *, labels: ArrayLike | None = None, weights: str | None = None,
                      sample_weight: ArrayLike | None = None, replace_undefined_by: float = np.nan) -> float:
    """The agreement of two raters beyond chance; ``weights`` 'linear' or 'quadratic' for ordered classes.

    >>> from recta.metrics import cohen_kappa_score
    >>> cohen_kappa_score([1, 1, 2, 2], [1, 2, 2, 2])
    0.5
    """
    if weights not in (None, "linear", "quadratic"):
        raise ValueError("The 'weights' parameter of cohen_kappa_score must be None, 'linear' or 'quadratic'")
    matrix = confusion_matrix(y1, y2, labels=labels, sample_weight=sample_weight)
    kappa = _scores(matrix)["kappa"][{None: 0, "linear": 1, "quadratic": 2}[weights]] if matrix.sum() else np.nan
    if not np.isnan(kappa):
        return kappa
    warnings.warn("`y1`, `y2` and `labels` have only one label in common. `cohen_kappa_score` is undefined and set to "
                  f"`replace_undefined_by`, which is {replace_undefined_by}.", UndefinedMetricWarning, stacklevel=2)
    return replace_undefined_by


def matthews_corrcoef(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """The correlation of truth and prediction, from -1 to 1; 0 where one of them is constant.

    >>> from recta.metrics import matthews_corrcoef
    >>> matthews_corrcoef([1, 1, 1, -1], [1, -1, 1, 1])
    -0.3333333333333333
    """
    return _scores(confusion_matrix(y_true, y_pred, sample_weight=sample_weight))["matthews"]


def _set_sums(y_true, y_pred, weights, axis, labels):
    truth, predicted = label_sets(y_true), label_sets(y_pred)
    if labels is not None:
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
            raise ValueError("Target is multiclass but average='binary'. Please choose another average setting, one of "
                             f"{[None, 'micro', 'macro', 'weighted']!r}.")
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
            warnings.warn(f"{metric.capitalize()} is ill-defined and being set to 0.0 {where} no {reason} {per}s. Use `zero_division` "
                          "parameter to control this behavior.", UndefinedMetricWarning, stacklevel=4)
    return out


def precision_recall_fscore_support(y_true: ArrayLike, y_pred: ArrayLike, *, beta: float = 1.0, labels: ArrayLike | None = None,
                                    pos_label: Any = 1, average: str | None = None,
                                    warn_for: Sequence[str] = ("precision", "recall", "f-score"),
                                    sample_weight: ArrayLike | None = None, zero_division: str | float = "warn") -> tuple[Any, Any, Any, Any]:
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
        warnings.warn(f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got {average!r}). You may use "
                      "labels=[pos_label] to specify a single positive class.", UserWarning, stacklevel=2)
    weights = None
    if is_label_sets(y_true):
        same_length(y_true, y_pred)
        if average == "binary":
            raise ValueError("Target is multilabel-indicator but average='binary'. Please choose another average setting, one of "
                             f"{list(AVERAGES)!r}.")
        weights = weights_of(sample_weight, y_true.shape[0] if hasattr(y_true, "shape") else len(y_true))
        sums = _set_sums(y_true, y_pred, weights, 1 if average == "samples" else 0, labels)
    else:
        sums = _class_sums(y_true, y_pred, sample_weight, labels, average, pos_label)
    right, predicted, true = (np.array([part.sum()]) for part in sums) if average == "micro" else sums
    precision = _ratio(right, predicted, "precision", "predicted", average, warn_for, zero_division)
    recall = _ratio(right, true, "recall", "true", average, warn_for, zero_division)
    if np.isposinf(beta) or beta == 0:
        f = recall if beta else precision
    else:
        f = _ratio((1 + beta**2) * right, beta**2 * true + predicted, "f-score", "true nor predicted", average, warn_for, zero_division)
    if average is None:
        return precision, recall, f, true.astype(np.int64) if sample_weight is None else true
    by = true if average == "weighted" else weights if average == "samples" else None
    return mean(precision, by), mean(recall, by), mean(f, by), None


def precision_score(y_true: ArrayLike, y_pred: ArrayLike, *, labels: ArrayLike | None = None, pos_label: Any = 1,
                    average: str | None = "binary", sample_weight: ArrayLike | None = None, zero_division: str | float = "warn") -> float | np.ndarray:
    """Of the rows predicted to be of a class, the share that are; see :func:`precision_recall_fscore_support`.

    >>> from recta.metrics import precision_score
    >>> precision_score([0, 1, 1, 0], [1, 1, 1, 0])
    0.6666666666666666
    """
    return precision_recall_fscore_support(y_true, y_pred, labels=labels, pos_label=pos_label, average=average, warn_for=("precision",),
                                           sample_weight=sample_weight, zero_division=zero_division)[0]


def recall_score(y_true: ArrayLike, y_pred: ArrayLike, *, labels: ArrayLike | None = None, pos_label: Any = 1,
                 average: str | None = "binary", sample_weight: ArrayLike | None = None, zero_division: str | float = "warn") -> float | np.ndarray:
    """Of the rows of a class, the share predicted to be; see :func:`precision_recall_fscore_support`.

    >>> from recta.metrics import recall_score
    >>> recall_score([0, 1, 1, 0], [1, 1, 0, 0])
    0.5
    """
    return precision_recall_fscore_support(y_true, y_pred, labels=labels, pos_label=pos_label, average=average, warn_for=("recall",),
                                           sample_weight=sample_weight, zero_division=zero_division)[1]


def fbeta_score(y_true: ArrayLike, y_pred: ArrayLike, *, beta: float, labels: ArrayLike | None = None, pos_label: Any = 1,
                average: str | None = "binary", sample_weight: ArrayLike | None = None, zero_division: str | float = "warn") -> float | np.ndarray:
    """(1 + beta^2) P R / (beta^2 P + R); see :func:`precision_recall_fscore_support`.

    >>> from recta.metrics import fbeta_score
    >>> fbeta_score([0, 1, 1, 0], [1, 1, 0, 0], beta=2)
    0.5
    """
    return precision_recall_fscore_support(y_true, y_pred, beta=beta, labels=labels, pos_label=pos_label, average=average,
                                           warn_for=("f-score",), sample_weight=sample_weight, zero_division=zero_division)[2]


def f1_score(y_true: ArrayLike, y_pred: ArrayLike, *, labels: ArrayLike | None = None, pos_label: Any = 1,
             average: str | None = "binary", sample_weight: ArrayLike | None = None, zero_division: str | float = "warn") -> float | np.ndarray:
    """The harmonic mean of precision and recall; see :func:`precision_recall_fscore_support`.

    >>> from recta.metrics import f1_score
    >>> f1_score([0, 1, 2, 0], [0, 2, 1, 0], average="weighted")
    0.5
    """
    return fbeta_score(y_true, y_pred, beta=1, labels=labels, pos_label=pos_label, average=average, sample_weight=sample_weight,
                       zero_division=zero_division)
