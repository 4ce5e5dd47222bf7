"""Models of the folds of LogisticRegressionCV that have no row of some class, and scorers that know of all classes."""

import inspect

import numpy as np
from sklearn.metrics import get_scorer, make_scorer
from sklearn.utils.metadata_routing import _routing_enabled
from sklearn.utils.validation import _num_samples

from recta._base.scikit_learn import BaseEstimator, ClassifierMixin

from .logistic import LogisticRegression


class SoftmaxOfSome(LogisticRegression):
    """With two classes too one row of weights each, penalised as those of more are."""

    def _targets(self, X, y, sample_weight):
        targets = super()._targets(X, y, sample_weight)
        self._word = "softmax"
        return targets


class AmongAll(ClassifierMixin, BaseEstimator):
    """A model of the classes ``present`` that is asked about all: the best fit gives the others the probability 0. Where one class
    alone is present there is no model, and it is certain."""

    def __init__(self, classes, model, present):
        self.classes_, self.model, self.places = classes, model, np.searchsorted(classes, present)
        self.n_iter_ = np.zeros(1, dtype=np.int32) if model is None else model.n_iter_

    def __sklearn_is_fitted__(self):
        return True

    def predict_log_proba(self, X):
        found = np.full((_num_samples(X), len(self.classes_)), -np.inf)
        found[:, self.places] = 0.0 if self.model is None else self.model.predict_log_proba(X)
        return found

    def predict_proba(self, X):
        return np.exp(self.predict_log_proba(X))

    def decision_function(self, X):
        scores = self.predict_log_proba(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X):
        return self.classes_[self.predict_log_proba(X).argmax(axis=1)]

    def point(self, X):
        """Weights and intercepts of all classes, of two those of the second: absent classes lie infinitely low."""
        if self.model is None and len(self.classes_) == 2:
            return np.zeros((1, X.shape[1])), np.array([np.inf if self.places[0] == 1 else -np.inf])
        coefs, intercepts = np.zeros((len(self.classes_), X.shape[1])), np.full(len(self.classes_), -np.inf)
        intercepts[self.places] = 0.0 if self.model is None else self.model.intercept_
        if self.model is not None:
            coefs = np.zeros((len(self.classes_), self.model.coef_.shape[1]))
            coefs[self.places] = self.model.coef_
        return coefs, intercepts


def scorer_of(scoring):
    """The scorer a word stands for. Weights count in it: weight 2 is the row twice in scores too."""
    if callable(scoring):
        return scoring
    scorer = get_scorer({"warn": "neg_log_loss", None: "accuracy"}.get(scoring, scoring))
    return scorer.set_score_request(sample_weight=True) if _routing_enabled() else scorer


def with_labels(scorer, classes):
    """The scorer that knows of all classes, where its metric asks for them: the rows of a fold may lack some."""
    known = inspect.signature(scorer._score_func).parameters if hasattr(scorer, "_score_func") else ()
    if "labels" not in known:
        return scorer
    labels = {"labels": classes} | ({"pos_label": classes[-1]} if len(classes) == 2 and "pos_label" in known else {})
    return make_scorer(
        scorer._score_func,
        greater_is_better=scorer._sign == 1,
        response_method=scorer._response_method,
        **(labels | getattr(scorer, "_kwargs", {})),
    )
