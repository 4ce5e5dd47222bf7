"""Labels as places among the classes that occur."""

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from recta import _core


def flat_labels(y, rows, name):
    """Labels in one dimension, one per row."""
    if y is None:
        raise ValueError(f"{name} requires y to be passed, but the target y is None")
    y = column_or_1d(y, warn=True)
    if len(y) != rows:
        check_classification_targets(y)
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[rows, len(y)]}")
    return y


def rows_present(estimator, X, y, sample_weight):
    """Rows of positive weight, their labels and weights, checked."""
    name = type(estimator).__name__
    if y is None:
        flat_labels(y, 0, name)
    X = estimator._checked(X, library_reads=sample_weight is None)
    y = flat_labels(y, X.shape[0], name)
    if sample_weight is None:
        return X, y, None
    sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
    present = sample_weight > 0
    return (X, y, sample_weight) if present.all() else (some_rows(X, present), y[present], sample_weight[present])


def some_rows(X, present):
    """Those that are there, of an array, a sparse array or a frame."""
    X = X if hasattr(X, "shape") else np.asarray(X)
    if hasattr(X, "iloc"):
        return X.iloc[np.flatnonzero(present)]
    return X.filter(present) if hasattr(X, "filter") else X[present]


def class_places(y):
    """The classes, ascending, and the place of each label among them as a float. What cannot be a class is an error in
    scikit-learn's words, and so is its warning of too many classes; whole numbers, which most labels are, need no sort."""
    if y.dtype == np.float64 and y.dtype.isnative and y.flags.c_contiguous:
        count = _core.count_places(y)
        if 0 < 4 * count <= len(y):
            return np.arange(count, dtype=np.float64), y
    found = _core.label_places(y) if y.dtype.kind in "biuf" and y.dtype.isnative else None
    if found is None or 4 * len(found[0]) > len(y):
        check_classification_targets(y)
    if found is None:
        classes = np.unique(y)
        return classes, np.searchsorted(classes, y).astype(np.float64)
    values, places = found
    if y.dtype == np.float64 and values == list(range(len(values))):
        places = y
    return np.array(values).astype(y.dtype), places.astype(np.float64, copy=False)
