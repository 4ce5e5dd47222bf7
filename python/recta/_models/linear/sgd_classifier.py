"""Classes learned by single rows, with scikit-learn's parameters: one learner for two classes, one per class for more."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from recta._base.declared import estimator, learned, parameter
from recta._base.scikit_learn import ClassifierMixin
from recta._data.labels import Labels, checked_labels, known_places
from recta._estimator.attributes import keeps_what_was_learned
from recta._estimator.shared import CLASS_WEIGHT

from . import descent
from .descent import online_options
from .single_rows import StepEstimator

COSTS = {
    "hinge": "mean hinge loss",
    "log_loss": "mean log-loss",
    "modified_huber": "mean modified Huber loss",
    "squared_hinge": "mean squared hinge loss",
    "perceptron": "perceptron criterion",
}


def has_probabilities(model):
    if model.loss == "log_loss" or (model.loss == "modified_huber" and len(getattr(model, "classes_", ())) <= 2):
        return True
    of_many = (
        " and more than two classes: many rows would have equal ones, whatever predict says"
        if model.loss == "modified_huber"
        else ""
    )
    raise AttributeError(f"probability estimates are not available for loss={model.loss!r}{of_many}")


@estimator("recta.linear_model")
class SGDClassifier(ClassifierMixin, StepEstimator):
    """Linear classifiers by single rows, as ``sklearn.linear_model.SGDClassifier``.

    More than two classes are one learner each against the rest. A row of whole weight k is presented k times, one of weight 0
    never; other weights scale their row's step. There is no proof of the answer: ``LogisticRegression`` solves the objective of
    'log_loss' with penalty 'l2', at ``C = 1 / (alpha n)``, and proves it.

    The steps descend on the following objective, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i loss(y_i, z_i) + alpha penalty(w),    z_i = <w, x_i> + b
        penalty(w) = 1/2 sum_j w_j^2 ('l2'), sum_j |w_j| ('l1') or their mixture by l1_ratio ('elasticnet')

    Attributes
    ----------
    coef_ : ndarray, one number per feature and one per level of categories, of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    classes_ : ndarray of shape (n_classes,)
        Sorted.

    Examples
    --------
    >>> from recta.linear_model import SGDClassifier
    >>> model = SGDClassifier(loss="log_loss", penalty=None, learning_rate="constant", eta0=0.5, shuffle=False)
    >>> for x, y in ([0.0], "no"), ([1.0], "yes"), ([0.0], "no"), ([2.0], "yes"):  # rows as they arrive
    ...     model = model.partial_fit([x], [y], classes=["no", "yes"])
    >>> model.coef_.round(4).tolist(), model.predict([[3.0]]).tolist(), model.t_
    ([[0.697]], ['yes'], 5.0)
    """

    loss: str = parameter(
        default="hinge",
        kw_only=False,
        word="loss",
        type="{'hinge', 'log_loss', 'modified_huber', 'squared_hinge', 'perceptron', 'squared_error', 'huber', 'epsilon_insensitive', 'squared_epsilon_insensitive'}",
        doc="Of y = -1 or 1 and the score z: max(0, 1 - y z), log(1 + exp(-y z)), the squared hinge with a "
        "straight line below y z = -1, max(0, 1 - y z)^2, max(0, -y z), (y - z)^2 / 2; the others as in "
        "``SGDRegressor``.",
    )
    alpha: float = parameter(
        default=0.0001,
        low=0.0,
        word="lambda1, lambda2",
        doc="Strength of the penalty beside the mean loss; under 'optimal' also of the rate.",
    )
    epsilon: float = parameter(
        default=0.1,
        low=0.0,
        word="epsilon",
        doc="Where 'huber' bends, and how far off the insensitive ones let a score be. Without effect under the "
        "others.",
    )
    n_jobs: int | None = parameter(default=None, free="one row comes after the other", type="int or None")
    learning_rate: str = parameter(
        default="optimal",
        word="schedule, c, power",
        type="{'constant', 'optimal', 'invscaling', 'adaptive'}",
        doc="eta0, 1 / (alpha (t0 + t)), eta0 / t^power_t, or eta0 divided by 5 whenever the loss falls no more.",
    )
    power_t: float = parameter(default=0.5, low=0.0, word="power")
    class_weight: dict[Any, float] | str | None = CLASS_WEIGHT

    classes_: np.ndarray = learned()

    @property
    def _provers(self):
        return (
            "LogisticRegression solves"
            if self.loss == "log_loss" and self.penalty != "l1" and len(self.classes_) == 2
            else ""
        )

    def _cost(self):
        cost = COSTS.get(self.loss) or descent.COSTS[self.loss].format(epsilon=self.epsilon) + " on -1 and 1"
        return cost + ("" if len(self.classes_) == 2 else ", a class against the rest")

    def _shown(self, coefs):
        return coefs

    def _target_count(self):
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def _targets_of(self, y):
        signs, _ = Labels(self.classes_).rows(y)
        return [np.ascontiguousarray(column) for column in np.atleast_2d(signs.T)]

    def _strata(self, y):
        """The classes, where the rows set aside and the others can have all of them."""
        aside, classes = np.ceil(self.validation_fraction * len(y)), len(self.classes_)
        enough = min(aside, len(y) - aside) >= classes and np.unique(y, return_counts=True)[1].min() > 1
        return y if enough else None

    def _weights(self, y, sample_weight):
        weights = Labels(self.classes_, False, self.class_weight).rows(y, sample_weight)[1]
        return None if weights is None else np.ascontiguousarray(weights)

    def _rows(self, X, y, sample_weight, reset):
        online_options(self)
        X, y = self._features(X, y, reset)
        y = checked_labels(y, self)
        if y.ndim == 2:
            raise ValueError(f"{type(self).__name__} gives a row one class, and y has shape {y.shape}")
        return X, y, self._row_weights(sample_weight, X)

    @keeps_what_was_learned
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Presents the rows pass after pass until the loss falls no more.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of any kind.
        coef_init : array-like of shape (1, n_features) or (n_classes, n_features), default=None
        intercept_init : array-like of shape (1,) or (n_classes,), default=None
        sample_weight : array-like of shape (n_samples,), default=None
            A row of whole weight k is presented k times, one of weight 0 never; other weights scale their row's step.

        Returns
        -------
        self
        """
        X, y, weights = self._rows(X, y, sample_weight, reset=True)
        classes = Labels.learned(y, weights, self.class_weight, type(self).__name__).classes
        if self.warm_start and hasattr(self, "coef_") and not np.array_equal(classes, self.classes_):
            raise ValueError(
                f"warm_start goes on with the classes {self.classes_.tolist()}, and these rows have {classes.tolist()}"
            )
        self.classes_ = classes
        known = np.isin(y, classes)
        if not known.all():  # rows of weight 0 alone had that class
            X, y, weights = X[known], y[known], weights[known]
        return self._fit_rows(X, y, self._weights(y, weights), (coef_init, intercept_init))

    @keeps_what_was_learned
    def partial_fit(
        self, X: Any, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Presents every row once and goes on from what was learned before.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes there will be; needed at the first call.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        self._refuse_rows_aside()
        first = not hasattr(self, "coef_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if isinstance(self.class_weight, str):
            raise ValueError(
                f"class_weight '{self.class_weight}' is not supported for partial_fit: the rows to come are not known. "
                "Pass a dict of weights."
            )
        online_options(self)
        X, y = self._features(X, y, first)
        weights = self._row_weights(sample_weight, X)
        if classes is not None:
            classes = np.unique(classes)
            if not first and not np.array_equal(classes, self.classes_):
                raise ValueError(
                    f"`classes={classes.tolist()}` is not the same as on last call to partial_fit, was: {self.classes_.tolist()}"
                )
            if len(classes) < 2:
                raise ValueError(f"The number of classes has to be greater than one; got {len(classes)} class")
            self.classes_ = classes
        y = self.classes_[known_places(y, self.classes_)]
        return self._go_on(X, self._targets_of(y), self._weights(y, weights))

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores: from 0 up is the second class of two; one column per class where there are more.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        check_is_fitted(self)
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> np.ndarray:
        """Predicts the class of each row: that of the largest score, the first of several; the second of two from 0 up.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        scores = self.decision_function(X)
        return Labels(self.classes_).predicted(scores)

    @available_if(has_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes under 'log_loss'; of more than two each learner's own, made to sum to one. With two classes
        also under 'modified_huber': (z + 1) / 2 of the score z, between 0 and 1.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        scores = self.decision_function(X)
        if self.loss == "modified_huber":
            return np.column_stack([(1 - scores.clip(-1, 1)) / 2, (1 + scores.clip(-1, 1)) / 2])
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        own = np.exp(
            -np.logaddexp(0.0, -scores) + np.logaddexp(0.0, -scores.max(axis=1, keepdims=True))
        )  # none is lost far below 0
        return own / own.sum(axis=1, keepdims=True)

    @available_if(has_probabilities)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        if self.loss == "modified_huber":
            with np.errstate(divide="ignore"):
                return np.log(self.predict_proba(X))
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return -np.logaddexp(0.0, np.column_stack([scores, -scores]))
        own = -np.logaddexp(0.0, -scores)
        return own - np.logaddexp.reduce(own, axis=1, keepdims=True)
