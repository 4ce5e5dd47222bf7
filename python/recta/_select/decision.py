"""Thresholds of scores for an aim."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from recta import _core


class DecisionThreshold(NamedTuple):
    """A threshold, and what it reaches on the rows that chose it; ``value`` is what the aim made large.

    Examples
    --------
    >>> from recta.model_selection import decision_threshold
    >>> decision_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "f1").recall
    1.0
    """

    threshold: float
    precision: float
    recall: float
    specificity: float
    accuracy: float
    value: float


def decision_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    aim: str = "f1",
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> DecisionThreshold:
    """The threshold of scores that serves an aim best, as ``recta threshold`` chooses it; the positive label is taken from it on.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of rows that the model was not fitted to.
    y_score : array-like of shape (n_samples,)
        Scores or probabilities of the positive label.
    aim : str, default='f1'
        ``'precision>=0.9'`` or ``'specificity>=0.9'``, the largest recall with it; ``'recall>=0.9'``, the largest precision with it; or
        the largest ``'f1'`` (``'f2'``, ...), ``'accuracy'``, ``'balanced_accuracy'``, ``'kappa'`` or ``'matthews'``.
    pos_label : label, default=None
        1, or the larger of two labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.

    Returns
    -------
    chosen : DecisionThreshold

    Examples
    --------
    >>> from recta.model_selection import decision_threshold
    >>> chosen = decision_threshold([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9], "precision>=0.9")
    >>> round(chosen.threshold, 3), round(chosen.recall, 3)
    (0.6, 0.667)
    """
    from recta._metrics.input import two_classes  # which needs scikit-learn, as searches do not

    _, places, positive, scores, weights = two_classes(y_true, y_score, pos_label, sample_weight, "y_score")
    return DecisionThreshold(**_core.choose_threshold(scores, (places == positive).astype("int32"), weights, aim))
