"""Naive Bayes by counts of features: multinomial, complement, Bernoulli."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils.extmath import safe_sparse_dot

from recta._base.declared import declared, estimator, parameter

from .base import MergingNaiveBayes, listed, prior_words


def smoothed_logs(count, alpha):
    """log of smoothed shares; a share of nothing is -inf, without a warning."""
    with np.errstate(divide="ignore", invalid="ignore"):
        smoothed = count + alpha
        return np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))


@declared
class DiscreteNB(MergingNaiveBayes):
    """Counts of features per class.

    Attributes
    ----------
    certificate_ : Certificate
        The proof: every count again, in a fresh pass over the rows.
    """

    force_alpha: bool = parameter(default=True, doc="False: alpha is at least 1e-10.")
    fit_prior: bool = parameter(default=True, doc="Learn the probabilities of the classes; False: they are equal.")
    class_prior: ArrayLike | None = parameter(
        default=None, type="array-like of shape (n_classes,)", doc="Probabilities of the classes."
    )

    def _alpha(self, columns):
        alpha = np.asarray(self.alpha, dtype=np.float64)
        least = alpha.min() if alpha.size else 0.0
        if least < 0:
            raise ValueError(f"All values in alpha must be greater than or equal to 0. Got {least} instead.")
        if alpha.ndim > 0 and alpha.shape != (columns,):
            raise ValueError(
                f"When alpha is an array, it should contain `n_features`. Got {alpha.shape[0]} elements instead of {columns}."
            )
        if not self.force_alpha and least < 1e-10:
            warnings.warn(
                "alpha too small will result in numeric errors, setting alpha = 1e-10. Use `force_alpha=True` to keep "
                "alpha unchanged.",
                stacklevel=3,
            )
            alpha = np.maximum(alpha, 1e-10)
        return alpha

    def _given_priors(self):
        if self.class_prior is None:
            return None
        if len(self.class_prior) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        return np.asarray(self.class_prior, dtype=np.float64)

    def _params(self, X):
        priors, alpha = self._given_priors(), self._alpha(X.shape[1])
        return {
            "likelihood": self._kind,
            "alpha": repr(float(alpha)) if alpha.ndim == 0 else listed(alpha),
            "priors": prior_words(priors, "learned" if self.fit_prior else "uniform"),
        }

    def _learned(self, found):
        self.class_count_ = found["naive_bayes.class_weight"]
        self._took(found)
        self._estimated()

    def _estimated(self):
        priors = self._given_priors()
        with np.errstate(divide="ignore"):
            if priors is not None:
                self.class_log_prior_ = np.log(priors)
            elif self.fit_prior:
                self.class_log_prior_ = np.log(self.class_count_) - np.log(self.class_count_.sum())
            else:
                self.class_log_prior_ = np.full(len(self.classes_), -np.log(len(self.classes_)))
        self._estimate(self._alpha(self._width))

    def _begin(self, columns):
        self.class_count_ = np.zeros(len(self.classes_))
        self.feature_count_ = np.zeros((len(self.classes_), columns))

    def _add(self, X, one_hot):
        self.class_count_ += one_hot.sum(axis=0)
        self.feature_count_ += safe_sparse_dot(one_hot.T, X)
        self._estimated()


def refuse_negative(X, estimator):
    values = X.data if sparse.issparse(X) else X
    if values.size and values.min() < 0:
        raise ValueError(f"Negative values in data passed to {type(estimator).__name__} (input X)")


@estimator("recta.naive_bayes")
class MultinomialNB(DiscreteNB):
    """Counts of words or the like, as ``sklearn.naive_bayes.MultinomialNB``, with a proof.

    Attributes
    ----------
    class_count_, class_log_prior_, classes_, feature_count_, feature_log_prob_
        As in scikit-learn.

    Examples
    --------
    >>> from recta.naive_bayes import MultinomialNB
    >>> X = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    >>> model = MultinomialNB().fit(X, ["c", "c", "c", "j"])
    >>> model.predict_proba([[3, 0, 0, 0, 1, 1]]).round(9).tolist(), model.certificate_.verdict
    ([[0.689758612, 0.310241388]], 'proved')
    """

    alpha: float | ArrayLike = parameter(
        default=1.0,
        type="float or array-like of shape (n_features,)",
        doc="Added to every count; 0 is maximum likelihood.",
    )

    _kind = "multinomial"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True
        return tags

    def _checked(self, X, reset=True, library_reads=False):
        X = super()._checked(X, reset, library_reads)
        if reset:
            refuse_negative(X, self)
        return X

    def _took(self, found):
        self.feature_count_ = found["naive_bayes.counts"]

    def _add(self, X, one_hot):
        refuse_negative(X, self)
        super()._add(X, one_hot)

    def _estimate(self, alpha):
        self.feature_log_prob_ = smoothed_logs(self.feature_count_, alpha)

    def _joint_of_counts(self, X):
        return safe_sparse_dot(X, self.feature_log_prob_.T) + self.class_log_prior_


@estimator("recta.naive_bayes")
class ComplementNB(MultinomialNB):
    """Weights by the counts of all other classes (Rennie, Shih, Teevan, Karger 2003), as ``sklearn.naive_bayes.ComplementNB``, with a proof.

    Attributes
    ----------
    class_count_, class_log_prior_, classes_, feature_all_, feature_count_, feature_log_prob_
        As in scikit-learn.

    Examples
    --------
    >>> from recta.naive_bayes import ComplementNB
    >>> ComplementNB().fit([[2, 0, 1], [1, 0, 2], [0, 3, 1]], [0, 0, 1]).predict([[1, 0, 0]]).tolist()
    [0]
    """

    alpha: float | ArrayLike = parameter(default=1.0, doc="Added to every count.")
    fit_prior: bool = parameter(default=True, doc="For ``class_log_prior_`` alone: scores have no prior.")
    class_prior: ArrayLike | None = parameter(default=None, doc="For ``class_log_prior_`` alone: scores have no prior.")
    norm: bool = parameter(default=False, doc="Divide the weights of a class by their sum.")

    _kind = "complement"

    def _params(self, X):
        return super()._params(X) | {"norm": bool(self.norm)}

    def _estimate(self, alpha):
        self.feature_all_ = self.feature_count_.sum(axis=0)
        others = self.feature_all_ + alpha - self.feature_count_
        with np.errstate(divide="ignore"):
            logged = np.log(others / others.sum(axis=1, keepdims=True))
        self.feature_log_prob_ = logged / logged.sum(axis=1, keepdims=True) if self.norm else -logged

    def _joint_of_counts(self, X):
        return safe_sparse_dot(X, self.feature_log_prob_.T)


@estimator("recta.naive_bayes")
class BernoulliNB(DiscreteNB):
    """Columns of 0 and 1, as ``sklearn.naive_bayes.BernoulliNB``, with a proof.

    Attributes
    ----------
    class_count_, class_log_prior_, classes_, feature_count_, feature_log_prob_
        As in scikit-learn.

    Examples
    --------
    >>> from recta.naive_bayes import BernoulliNB
    >>> BernoulliNB().fit([[1, 0], [1, 1], [0, 1]], [0, 0, 1]).predict([[1, 0]]).tolist()
    [0]
    """

    alpha: float | ArrayLike = parameter(
        default=1.0, type="float or array-like of shape (n_features,)", doc="Added to the count of either value."
    )
    binarize: float | None = parameter(
        default=0.0, type="float or None", doc="Numbers above it are 1. None: X holds 0 and 1."
    )

    _kind = "bernoulli"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def _threshold(self):
        return 0.0 if self.binarize is None else float(self.binarize)

    def _params(self, X):
        return super()._params(X) | {"threshold": self._threshold()}

    def _took(self, found):
        self.feature_count_ = found["naive_bayes.counts"].reshape(len(self.classes_), 2, -1)[:, 1]

    def _bits(self, X):
        return (self._threshold() < X).astype(np.float64)

    def _add(self, X, one_hot):
        super()._add(self._bits(X), one_hot)

    def _estimate(self, alpha):
        with np.errstate(divide="ignore"):
            self.feature_log_prob_ = np.log(self.feature_count_ + alpha) - np.log(
                self.class_count_[:, None] + 2 * alpha
            )

    def _joint_of_counts(self, X):
        absent = np.log1p(-np.exp(self.feature_log_prob_))
        return (
            safe_sparse_dot(self._bits(X), (self.feature_log_prob_ - absent).T)
            + self.class_log_prior_
            + absent.sum(axis=1)
        )
