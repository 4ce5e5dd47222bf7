"""Fits of estimators, and of models by their words, to tables that stand in parts elsewhere."""

from __future__ import annotations

import warnings
from inspect import signature

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from recta import _core
from recta._base.errors import DataError, UsageError
from recta._base.progress import reporter
from recta._data.labels import ClassLabels
from recta._estimator import parameters
from recta._fitted.certificate import UNFINISHED
from recta._fitted.model import Model
from recta._fitted.tensors import tensors
from recta._meta.label_sets import LabelSetClassifier

from .columns import Asked, name_features
from .label_sets import fit_label_sets
from .rounds import of_parts


def options_of(given):
    """The options of a fit by a model's word: some of what is given are options of every fit, the others are the model's own parameters."""
    options, own = _core.FitOptions(), {one.name for one in of_parts() if not one.names_columns} - {"params"}
    options.params = {name: value for name, value in given.items() if name not in own}
    for name in own & {*given}:
        value = given[name]
        setattr(options, name, list(value.items()) if isinstance(value, dict) else value)
    return options


def fit_estimator(engine, estimator, asked: Asked):
    """A fitted clone of an estimator; of a model's word, alone or with parameters and options, a :class:`recta.Model`."""
    if isinstance(estimator, str | tuple):
        word, params = (estimator, {}) if isinstance(estimator, str) else estimator
        options = options_of(params)
        asked.fill(options)
        return with_vectors(Model(engine.fit(word, options, asked).model), engine)
    if asked.text:
        raise UsageError(
            type(estimator).__name__,
            "columns of documents are read by models that are named by their words",
            'fit(df, ("naive-bayes", {"likelihood": "multinomial"}), text="body", ...), say',
        )
    fitted = clone(estimator)
    if isinstance(fitted, LabelSetClassifier):
        warn_if_stopped(fit_label_sets(engine, fitted, asked))
        return with_vectors(fitted, engine)
    if isinstance(asked.label, tuple):
        raise UsageError(
            "label",
            f"several columns are named, and {type(estimator).__name__} learns one",
            "take LabelSetClassifier(...) of recta.multioutput for columns of 0 and 1, or fit one model for each: "
            "{name: fit(df, estimator, features=features, label=name) for name in labels}",
        )
    if hasattr(fitted, "estimator"):
        raise UsageError(
            type(estimator).__name__,
            "an engine does not fit what is made of other estimators",
            'name the model by its word: fit(df, ("logistic", {"multiclass": "ova"}), ...)',
        )
    if not hasattr(fitted, "_word"):
        raise UsageError(
            type(estimator).__name__, "this estimator is not one of Recta's", "take one of recta.linear_model, say"
        )
    name_features(fitted, engine)
    if hasattr(fitted, "_solved"):
        _solve(engine, fitted, asked)
    elif hasattr(fitted, "_learned") and hasattr(fitted, "_params"):
        _count(engine, fitted, asked)
    else:
        raise UsageError(
            type(estimator).__name__,
            "it is not fitted by an engine",
            "fit it on one machine, or name a model by its word (docs/cluster.md)",
        )
    warn_if_stopped(fitted)
    return with_vectors(fitted, engine)


def warn_if_stopped(fitted):
    if fitted.certificate_.verdict in UNFINISHED:
        warnings.warn(fitted.certificate_.sentence, ConvergenceWarning, stacklevel=4)


def with_vectors(model, engine):
    """The model, with the names of the columns that its sparse vectors came from: the file of a model has only their numbers."""
    if engine.columns.sparse:
        model.vectors_ = list(engine.columns.sparse)
    return model


def _weigh_classes(options, class_weight):
    if isinstance(class_weight, str) and class_weight == "balanced":
        options.balanced = True
    elif class_weight is not None:
        options.class_weights = [(str(label), float(factor)) for label, factor in class_weight.items()]


def _solve(engine, fitted, asked):
    """A model that is solved for: those of recta.linear_model."""
    if hasattr(type(fitted), "classes_") and not hasattr(fitted, "_weigh"):
        raise UsageError(
            type(fitted).__name__,
            "its classes are targets of -1 and 1, which an engine does not make",
            "take LogisticRegression, or LinearDiscriminantAnalysis",
        )
    options = parameters.fit_options(fitted)
    asked.fill(options)
    _weigh_classes(options, getattr(fitted, "class_weight", None))
    fitted._dtype, fitted._deadline = np.dtype(np.float64), None
    report, params = reporter(fitted.verbose), fitted._params()  # which may choose the word

    def fit(some=None, how=None, weights=None, word=fitted._word):
        if how is not None:
            raise UsageError(
                type(fitted).__name__,
                "it follows a path of penalties, which an engine does not",
                "give one penalty, and cross_validate",
            )
        words = [word, *(one for one in getattr(fitted, "_file_words", ()) if one != word)]
        for fitted._word in words:
            try:
                return engine.fit(fitted._word, options, asked, report, parameters.max_iter(fitted, 1))
            except DataError:  # logistic or softmax: how many classes there are is known after the survey
                if engine.rounds > 0 or fitted._word == words[-1]:
                    raise
        raise AssertionError("a model has a word")

    fit.columns = engine.columns.feature_names
    outcome = fitted._solved(fit, options, params, (1,))
    fitted._learned(outcome.model, (outcome.model.rows,))
    fitted.trace_ = outcome.trace


def _count(engine, fitted, asked):
    """A model of counts or moments: naive Bayes, discriminants."""
    if getattr(fitted, "priors", None) is not None or getattr(fitted, "class_prior", None) is not None:
        raise UsageError(
            type(fitted).__name__,
            "priors are given by class, and the classes are not known yet",
            'name the model by its word: fit(df, ("lda", {"priors": "uniform"}), ...)',
        )
    if asked.missing == "indicator":
        raise UsageError(
            "missing",
            f"the columns that tell where numbers were missing are none of {type(fitted).__name__}'s features",
            f'take missing="mean", or name the model by its word: fit(df, "{fitted._word}", missing="indicator", ...)',
        )
    options = _core.FitOptions()
    options.params = (
        fitted._params(np.empty((1, fitted.n_features_in_)))
        if signature(fitted._params).parameters
        else fitted._params()
    )
    for name, value in (fitted._options() if hasattr(fitted, "_options") else {"weights_are": "frequency"}).items():
        setattr(options, name, value)
    asked.fill(options)
    model = engine.fit(fitted._word, options, asked).model
    fitted._model, fitted.classes_ = model, ClassLabels.of_model(model).classes
    fitted._learned(tensors(model))
