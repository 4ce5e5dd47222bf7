"""Measures of predicted sets of labels, with scikit-learn's names, signatures and conventions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_array
from sklearn.utils.multiclass import type_of_target

from recta import _core

from .classes import zero_one_loss
from .input import is_label_sets, label_pair, label_sets, same_length, weights_of


def _members(y):
    return label_sets(y).view(np.uint8)


def hamming_loss(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """The share of labels that is predicted wrong; of rows with one class each, the share of the rows.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 of shape (n_samples, n_labels)
    sample_weight : array-like of shape (n_samples,), default=None

    Examples
    --------
    >>> import numpy as np
    >>> from recta.metrics import hamming_loss
    >>> hamming_loss(np.array([[0, 1], [1, 1]]), np.zeros((2, 2)))
    0.75
    """
    if not is_label_sets(y_true):
        _, truth, predicted, weights = label_pair(y_true, y_pred, sample_weight)
        if weights is not None and (weights < 0).any():
            return float(zero_one_loss(y_true, y_pred, sample_weight=sample_weight))  # which refuses them
        return float(np.average(truth != predicted, weights=weights))
    same_length(y_true, y_pred)
    truth, predicted = _members(y_true), _members(y_pred)
    return _core.hamming_loss(truth, predicted, weights_of(sample_weight, len(truth)))


def label_ranking_loss(y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """The mean share of pairs of a label that a row has and one that it does not have in which the first does not score higher.

    Parameters
    ----------
    y_true : array-like of 0/1 of shape (n_samples, n_labels)
    y_score : array-like of shape (n_samples, n_labels)
        Probabilities or scores.
    sample_weight : array-like of shape (n_samples,), default=None

    Examples
    --------
    >>> from recta.metrics import label_ranking_loss
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    y_true = check_array(y_true, ensure_2d=False, accept_sparse="csr")
    y_score = np.ascontiguousarray(check_array(y_score, ensure_2d=False), dtype=np.float64)
    same_length(y_true, y_score, sample_weight)
    kind = type_of_target(y_true, input_name="y_true")
    if kind != "multilabel-indicator":
        raise ValueError(f"{kind} format is not supported")
    if y_true.shape != y_score.shape:
        raise ValueError("y_true and y_score have different shape")
    return _core.ranking_loss(_members(y_true), y_score, weights_of(sample_weight, len(y_score)))
