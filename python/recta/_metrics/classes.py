"""Measures of predicted classes, with scikit-learn's names, signatures and conventions."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from recta import _core

from .input import is_label_sets, label_pair, label_sets, replaced, same_length, weights_of

SMALL = 1000  # up to so many classes the confusion matrix is the shortest way
EXACT = 2**53  # whole numbers up to here are doubles
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


def accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
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


def zero_one_loss(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
    """The error rate: 1 - :func:`accuracy_score`; ``normalize=False``: the number of rows predicted wrong, or their weight.

    >>> from recta.metrics import zero_one_loss
    >>> zero_one_loss([1, 2, 3, 4], [2, 2, 3, 4])
    0.25
    """
    right = accuracy_score(y_true, y_pred, normalize=normalize, sample_weight=sample_weight)
    if normalize:
        return 1 - right
    return (len(y_true) if sample_weight is None else float(np.sum(sample_weight))) - right  # type: ignore[arg-type]


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: str | None = None,
) -> np.ndarray:
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
    whole = None if sample_weight is None else np.broadcast_to(np.asarray(sample_weight), len(truth))
    if labels is not None:
        present, truth, predicted, rows = _chosen(np.asarray(labels), present, truth, predicted)
        whole = None if weights is None or whole is None else whole[rows]
        weights = None if weights is None else weights[rows]
    matrix = _core.confusion(truth, predicted, len(present), weights) if len(truth) else np.zeros((len(present),) * 2)
    if whole is None or whole.dtype.kind in "iub":
        matrix = matrix.astype(np.int64) if matrix.sum() < EXACT else _whole_sums(truth, predicted, len(present), whole)
    with np.errstate(all="ignore"):
        if normalize == "true":
            matrix = matrix / matrix.sum(axis=1, keepdims=True)
        elif normalize == "pred":
            matrix = matrix / matrix.sum(axis=0, keepdims=True)
        elif normalize == "all":
            matrix = matrix / matrix.sum()
    matrix = np.nan_to_num(matrix)
    if matrix.shape == (1, 1):
        warnings.warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the correct shape, use the "
            "'labels' parameter to pass all known labels.",
            UserWarning,
            stacklevel=2,
        )
    return matrix


def _whole_sums(truth, predicted, classes, weights):
    """Whole weights beyond the whole numbers that a double holds: exact where the sums are numbers of 64 bits, else rounded once."""
    sums = np.zeros((classes, classes), dtype=object)
    np.add.at(sums, (truth, predicted), weights.astype(object))
    return sums.astype(np.int64 if sums.max() <= np.iinfo(np.int64).max else np.float64)


def _chosen(labels, present, truth, predicted):
    """The places of the rows whose true and predicted labels are both among those asked for, and which rows they are."""
    if labels.size == 0:
        raise ValueError("'labels' should contain at least one label.")
    order = {label: k for k, label in enumerate(labels.tolist())}
    place = np.array([order.get(label, -1) for label in present.tolist()], dtype=np.int32)
    truth, predicted = replaced(truth, place), replaced(predicted, place)
    if not (truth >= 0).any():
        raise ValueError("At least one label specified must be in y_true")
    both = (truth >= 0) & (predicted >= 0)
    return labels, truth[both], predicted[both], both


def _scores(matrix):
    return _core.confusion_scores(np.ascontiguousarray(matrix, dtype=np.float64))


def balanced_accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, adjusted: bool = False
) -> float:
    """The mean recall of the classes; ``adjusted``: 0 for chance, 1 for perfection, NaN where there is one class alone.

    >>> from recta.metrics import balanced_accuracy_score
    >>> balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1])
    0.625
    """
    matrix = confusion_matrix(y_true, y_pred, sample_weight=sample_weight)
    classes = int((matrix.sum(axis=1) > 0).sum())
    if classes < len(matrix):
        warnings.warn("y_pred contains classes not in y_true", UserWarning, stacklevel=2)
    score = _scores(matrix)["balanced_accuracy"]
    if not adjusted:
        return score
    return (score - 1 / classes) / (1 - 1 / classes) if classes > 1 else np.nan  # chance is right about one class


def cohen_kappa_score(
    y1: ArrayLike,
    y2: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    weights: str | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """The agreement of two raters beyond chance; ``weights`` 'linear' or 'quadratic' for ordered classes.

    >>> from recta.metrics import cohen_kappa_score
    >>> cohen_kappa_score([1, 1, 2, 2], [1, 2, 2, 2])
    0.5
    """
    if weights not in (None, "linear", "quadratic"):
        raise ValueError("The 'weights' parameter of cohen_kappa_score must be None, 'linear' or 'quadratic'")
    if labels is not None and np.size(labels) and not np.isin(y1, labels).any():
        raise ValueError(
            "At least one label in `labels` must be present in `y1` (even though `cohen_kappa_score` is otherwise agnostic to the order of `y1` and `y2`)."
        )
    matrix = confusion_matrix(y1, y2, labels=labels, sample_weight=sample_weight)
    kappa = _scores(matrix)["kappa"][{None: 0, "linear": 1, "quadratic": 2}[weights]] if matrix.sum() else np.nan
    if not np.isnan(kappa):
        return kappa
    warnings.warn(
        "`y1`, `y2` and `labels` have only one label in common. `cohen_kappa_score` is undefined and set to "
        f"`replace_undefined_by`, which is {replace_undefined_by}.",
        UndefinedMetricWarning,
        stacklevel=2,
    )
    return replace_undefined_by


def matthews_corrcoef(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """The correlation of truth and prediction, from -1 to 1; 0 where one of them is constant.

    >>> from recta.metrics import matthews_corrcoef
    >>> matthews_corrcoef([1, 1, 1, -1], [1, -1, 1, 1])
    -0.3333333333333333
    """
    return _scores(confusion_matrix(y_true, y_pred, sample_weight=sample_weight))["matthews"]
