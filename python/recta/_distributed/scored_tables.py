"""Scores of models on tables that stand in parts elsewhere: what every engine shares."""

from __future__ import annotations

import numpy as np

from recta import metrics
from recta._base.errors import DataError, UsageError

from .columns import names_of


def scores_of(core, truth, predicted, weights=None):
    """Scores of predictions beside the truth: shares of classes that are right, errors of numbers, or measures of sets.

    ``truth``: of sets a column of cells, or a column of 0 and 1 for each label by its name.
    """
    if core.labels:
        return _scores_of_sets(_members_of_truth(core, truth), _members(core, predicted, "the predictions"), weights)
    if core.classes:
        named = {"accuracy": metrics.accuracy_score, "balanced_accuracy": metrics.balanced_accuracy_score}
    else:
        named = {"r2": metrics.r2_score, "mse": metrics.mean_squared_error, "mae": metrics.mean_absolute_error}
    return {name: float(score(truth, predicted, sample_weight=weights)) for name, score in named.items()}


def _members(core, sets, source):
    """Rows of sets as rows of 0 and 1, one per label of the model."""
    places = {label: place for place, label in enumerate(core.labels)}
    out = np.zeros((len(sets), len(places)), dtype=bool)
    for row, labels in enumerate(sets):
        for label in () if labels is None else labels:
            if label not in places:
                raise DataError(
                    f"{source}, row {row + 1}",
                    f'the label "{label}" was not seen in training',
                    "take it out of the cell, or fit again with rows that have it",
                )
            out[row, places[label]] = True
    return out


def _members_of_truth(core, truth):
    if isinstance(truth, dict):
        columns = {str(name): np.asarray(values) for name, values in truth.items()}
        unknown = [label for label in core.labels if label not in columns]
        if unknown:
            raise UsageError(
                "label",
                f'the model has a label "{unknown[0]}", and no column of this name is given',
                f"name all: {core.labels}",
            )
        return np.column_stack([columns[label].astype(float) > 0 for label in core.labels])
    cells = (
        [part.strip(" \t") for part in cell.split(core.label_separator)] if isinstance(cell, str) else []
        for cell in truth
    )
    return _members(core, [[label for label in cell if label] for cell in cells], "the table")


def _scores_of_sets(truth, predicted, weights):
    """As docs/labels.md has them; a ratio of zero to zero is 0."""
    weight = np.ones(len(truth)) if weights is None else np.asarray(weights, dtype=float)
    wrong = truth != predicted
    both, either = weight @ (truth & predicted), weight @ truth + weight @ predicted
    f1 = np.divide(2 * both, either, out=np.zeros(len(both)), where=either > 0)
    return {
        "hamming_loss": float(weight @ wrong.mean(axis=1) / weight.sum()),
        "subset_accuracy": float(weight @ ~wrong.any(axis=1) / weight.sum()),
        "micro_f1": float(2 * both.sum() / either.sum()) if either.sum() > 0 else 0.0,
        "macro_f1": float(f1.mean()),
    }


def features_beside(names, features, *others):
    """The features that are asked for, by default all columns that play no other part."""
    used = {name for other in others for name in names_of(other)}
    return [name for name in names if name not in used] if features is None else list(features)


def cross_validated(folds, rows_of, fit, evaluate):
    """Scores on every fold of a fit to the others. ``rows_of(k)``: the rows outside of fold k, and those in it."""
    if folds < 2:
        raise UsageError("folds", f"{folds} fold leaves nothing to fit or nothing to score", "give two or more")
    out = []
    for k in range(folds):
        others, own = rows_of(k)
        out.append(evaluate(own, fit(others)))
    return out
