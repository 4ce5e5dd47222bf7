"""Scores of models on tables that stand in parts elsewhere: what every engine shares."""

from __future__ import annotations

from ._errors import UsageError


def scores_of(core, truth, predicted, weights=None):
    """Scores of predictions beside the truth: shares of classes that are right, or errors of numbers."""
    from . import metrics

    if core.classes:
        named = {"accuracy": metrics.accuracy_score, "balanced_accuracy": metrics.balanced_accuracy_score}
    else:
        named = {"r2": metrics.r2_score, "mse": metrics.mean_squared_error, "mae": metrics.mean_absolute_error}
    return {name: float(score(truth, predicted, sample_weight=weights)) for name, score in named.items()}


def features_beside(names, features, *others):
    """The features that are asked for, by default all columns that play no other part."""
    return [name for name in names if name not in others] if features is None else list(features)


def cross_validated(folds, rows_of, fit, evaluate):
    """Scores on every fold of a fit to the others. ``rows_of(k)``: the rows outside of fold k, and those in it."""
    if folds < 2:
        raise UsageError("folds", f"{folds} fold leaves nothing to fit or nothing to score", "give two or more")
    out = []
    for k in range(folds):
        others, own = rows_of(k)
        out.append(evaluate(own, fit(others)))
    return out
