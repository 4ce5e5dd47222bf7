"""Naive Bayes with a normal distribution per column and class."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from recta._base.declared import estimator, parameter

from .base import MergingNaiveBayes, given_priors, prior_words


@estimator("recta.naive_bayes")
class GaussianNB(MergingNaiveBayes):
    """A normal distribution per column and class, as ``sklearn.naive_bayes.GaussianNB``, with a proof.

    Attributes
    ----------
    class_count_, class_prior_, classes_, epsilon_, theta_, var_
        As in scikit-learn.
    certificate_ : Certificate
        The proof: the likelihood equations of all means and variances, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.naive_bayes import GaussianNB
    >>> model = GaussianNB().fit([[1.0], [2.0], [3.0], [5.0], [7.0], [9.0]], [0, 0, 0, 1, 1, 1])
    >>> model.theta_.round(9).tolist(), model.predict([[4.0]]).tolist(), model.certificate_.verdict
    ([[2.0], [7.0]], [0], 'proved')
    """

    priors: ArrayLike | None = parameter(
        default=None,
        type="array-like of shape (n_classes,)",
        doc="Probabilities of the classes; None: their shares of the rows.",
    )
    var_smoothing: float = parameter(
        default=1e-09, doc="Share of the largest variance of a column that is added to every variance."
    )

    _checks = {"dtype": (np.float64, np.float32)}

    def _params(self, X):
        return {
            "likelihood": "gaussian",
            "smoothing": float(self.var_smoothing),
            "smoothing-of": "widest",
            "priors": prior_words(given_priors(self)),
        }

    def _learned(self, found):
        self.class_count_ = found["naive_bayes.class_weight"]
        _, self.theta_, self._scatter = found["naive_bayes.counts"].reshape(len(self.classes_), 3, -1).swapaxes(0, 1)
        self._estimated()

    def _estimated(self):
        count = self.class_count_[:, None]
        priors = given_priors(self)
        self.class_prior_ = self.class_count_ / self.class_count_.sum() if priors is None else priors
        share = count / count.sum()
        mean = (share * self.theta_).sum(axis=0)
        total = self._scatter.sum(axis=0) / count.sum() + (share * (self.theta_ - mean) ** 2).sum(axis=0)
        self.epsilon_ = self.var_smoothing * total.max()
        with np.errstate(divide="ignore", invalid="ignore"):
            self.var_ = np.where(count > 0, self._scatter / count, 0.0) + self.epsilon_

    def _begin(self, columns):
        self.class_count_ = np.zeros(len(self.classes_))
        self.theta_ = np.zeros((len(self.classes_), columns))
        self._scatter = np.zeros((len(self.classes_), columns))

    def _add(self, X, one_hot):
        X = np.asarray(X, dtype=np.float64)
        for k, weights in enumerate(one_hot.T):
            rows, more = X[weights > 0], weights[weights > 0]
            if not len(more):
                continue
            before, here = self.class_count_[k], more.sum()
            mean = np.average(rows, axis=0, weights=more)
            apart = mean - self.theta_[k]
            self._scatter[k] += (more[:, None] * (rows - mean) ** 2).sum(axis=0) + apart**2 * (
                before * here / (before + here)
            )
            self.theta_[k] += apart * (here / (before + here))
            self.class_count_[k] += here
        self._estimated()

    def _joint_of_counts(self, X):
        with np.errstate(divide="ignore"):
            joint = np.log(self.class_prior_)
        halves = [
            -0.5 * np.log(2 * np.pi * self.var_[k]).sum() - 0.5 * ((X - self.theta_[k]) ** 2 / self.var_[k]).sum(axis=1)
            for k in range(len(self.classes_))
        ]
        return joint + np.array(halves).T
