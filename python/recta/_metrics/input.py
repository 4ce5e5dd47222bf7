"""What the measures read, from what users hold: places of classes as int32, numbers and weights as float64, copied only where they
are something else. Errors and their words are scikit-learn's, except that weights below zero are refused everywhere."""

from __future__ import annotations

import numbers

import numpy as np
from sklearn.utils import assert_all_finite, check_array, column_or_1d
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_consistent_length

from recta import _core


def one_column(y, name):
    """A vector; a column of a table is one too."""
    if type(y) is np.ndarray and y.ndim == 1:
        return y
    return column_or_1d(y, warn=True) if not isinstance(y, (list, tuple)) or len(y) else np.asarray(y)


def vector(y, name="y"):
    """A contiguous float64 vector; whether its numbers are finite is the library's to see."""
    return np.ascontiguousarray(one_column(y, name), dtype=np.float64)


def table(y):
    """Numbers of one or two dimensions, float64, row by row."""
    if type(y) is np.ndarray and y.dtype == np.float64 and y.ndim in (1, 2):
        return np.ascontiguousarray(y)
    return np.ascontiguousarray(check_array(y, ensure_2d=False, dtype=np.float64, ensure_all_finite=False))


def weights_of(sample_weight, rows):
    """None, or float64; one number stands for all rows."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Number):
        return np.full(rows, sample_weight, dtype=np.float64)
    weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
    if weights.ndim != 1:
        raise ValueError(f"Sample weights must be 1D array or scalar, got {weights.ndim}D array.")
    if weights.shape != (rows,):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[rows, rows, len(weights)]}")
    return weights


def same_length(*arrays):
    check_consistent_length(*arrays)


def _refuse_empty(y):
    if len(y) < 1:
        raise ValueError(
            "Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample is required."
        )


def label_places(y, name):
    """The labels that occur, sorted, and the place of each row's among them."""
    y = one_column(y, name)
    _refuse_empty(y)
    if y.dtype.kind in "biuf":
        found = _core.label_places(np.ascontiguousarray(y) if y.dtype.isnative else y.astype(y.dtype.newbyteorder("=")))
        if found is not None:
            values, places = found
            return np.array(values, dtype=np.int64).astype(y.dtype), places
    if y.dtype.kind == "f":
        assert_all_finite(y, input_name=name)
    kind = type_of_target(y, input_name=name)
    if kind not in ("binary", "multiclass"):
        raise ValueError(f"{kind} is not supported")
    labels, places = np.unique(y, return_inverse=True)
    return labels, places.astype(np.int32)


def is_label_sets(y):
    """A row of zeros and ones per row: several labels may be true at once."""
    if type(y) is np.ndarray and y.ndim == 1:
        return False
    if not (hasattr(y, "shape") or hasattr(y, "__array__") or hasattr(y, "tocsr")):
        y = np.asarray(y) if len(y) and np.ndim(y[0]) == 1 else y
    return getattr(y, "ndim", 1) == 2 and y.shape[1] > 1 and type_of_target(y) == "multilabel-indicator"


def label_sets(y):
    return np.ascontiguousarray((y.toarray() if hasattr(y, "tocsr") else np.asarray(y)) != 0)


def replaced(places, table_of_places):
    return np.ascontiguousarray(table_of_places[places], dtype=np.int32)


def _refuse_mixed(y_true, y_pred):
    kinds = [type_of_target(y, input_name=name) for y, name in ((y_true, "y_true"), (y_pred, "y_pred"))]
    if kinds[0] != kinds[1]:
        raise ValueError(f"Classification metrics can't handle a mix of {kinds[0]} and {kinds[1]} targets") from None


def label_pair(y_true, y_pred, sample_weight):
    """Labels of both, sorted; the places of both; weights."""
    same_length(y_true, y_pred)
    try:
        true_labels, truth = label_places(y_true, "y_true")
        pred_labels, predicted = label_places(y_pred, "y_pred")
    except ValueError:
        _refuse_mixed(y_true, y_pred)
        raise
    text = [labels.dtype.kind in "OUST" for labels in (true_labels, pred_labels)]
    if text[0] != text[1]:
        raise ValueError(
            "Labels in y_true and y_pred should be of the same type. Got y_true="
            f"{true_labels} and y_pred={pred_labels}. Make sure that the predictions provided by the classifier coincides "
            "with the true labels."
        )
    weights = weights_of(sample_weight, len(truth))
    if true_labels.shape == pred_labels.shape and np.array_equal(true_labels, pred_labels):
        return true_labels, truth, predicted, weights
    labels = np.union1d(true_labels, pred_labels)
    return (
        labels,
        replaced(truth, np.searchsorted(labels, true_labels)),
        replaced(predicted, np.searchsorted(labels, pred_labels)),
        weights,
    )


def positive_label(pos_label, labels):
    """The one given, or 1 where labels are numbers of {0, 1} or {-1, 1}."""
    if pos_label is not None:
        return pos_label
    plain = labels.dtype.kind not in "OUS" and labels.tolist() in ([0, 1], [-1, 1], [0], [-1], [1])
    if not plain:
        shown = ", ".join(repr(label) for label in labels.tolist())
        raise ValueError(
            f"y_true takes value in {{{shown}}} and pos_label is not specified: either make y_true take value in {{0, 1}} "
            "or {-1, 1} or pass pos_label explicitly."
        )
    return 1


def place_of(label, labels):
    """-1 where it does not occur."""
    found = np.flatnonzero(labels == label)
    return int(found[0]) if len(found) else -2  # -1 is no label's place, and -2 none either


def two_classes(y_true, y_score, pos_label, sample_weight, name="y_score"):
    """Places, the place of the positive label, scores and weights of a ranking."""
    same_length(y_true, y_score)
    if is_label_sets(y_true):
        raise ValueError("multilabel-indicator format is not supported")
    labels, places = label_places(y_true, "y_true")
    if len(labels) > 2 and pos_label is None:
        raise ValueError("multiclass format is not supported")
    positive = place_of(positive_label(pos_label, labels), labels)
    return labels, places, positive, vector(y_score, name), weights_of(sample_weight, len(places))
