"""Classifiers of label sets, fitted to tables that stand in parts elsewhere: what every engine shares."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from recta._base.errors import UsageError
from recta._base.progress import reporter
from recta._estimator import parameters
from recta._meta.label_sets import runs_in_the_library

from .columns import name_features


def fit_label_sets(engine, fitted, asked):
    """Fits a clone of a LabelSetClassifier to columns of 0 and 1, or to cells of labels."""
    inner = clone(fitted.estimator)
    if not runs_in_the_library(inner):
        raise UsageError(
            "LabelSetClassifier",
            f"it takes a classifier of Recta's without class_weight, not {inner!r}",
            "take LogisticRegression, or LinearSVC",
        )
    for one in (fitted, inner):
        name_features(one, engine)
    options = parameters.fit_options(inner)
    if isinstance(asked.label, tuple):
        fitted._set_labels(options, list(asked.label))
    else:
        _refuse_places(fitted)
        fitted._set_labels(options, [])
        options.label_separator = "|"
    asked.fill(options)
    inner._dtype, inner._deadline = np.dtype(np.float64), None
    report = reporter(inner.verbose)

    def fit(some=None, how=None, weights=None, word=inner._word):
        return engine.fit(word, options, asked, report, parameters.max_iter(inner, 1))

    fit.columns = engine.columns.feature_names
    fitted._model = inner._solved(fit, options, inner._params(), (1,)).model
    fitted.classes_ = np.array(fitted._model.labels, dtype=object)
    return fitted


def _refuse_places(fitted):
    """Labels in cells have no places before the cells are read."""
    if not (fitted.order is None or isinstance(fitted.order, str)) or not np.isscalar(fitted.threshold or 0):
        raise UsageError(
            "LabelSetClassifier",
            "order and threshold speak of columns, and the labels stand in cells",
            'name the model by its word: fit(df, ("logistic", {"label_separator": "|", "chain": ["a", "b"]}), label="tags")',
        )
