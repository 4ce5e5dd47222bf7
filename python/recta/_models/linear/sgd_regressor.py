"""Steps by single rows, with scikit-learn's parameters. What is learned is a point and not an optimum, so there is no proof of
it, and ``certificate_`` says so; ``Ridge``, ``Lasso`` and ``ElasticNet`` solve the objectives of squared errors, ``LinearSVR`` that of
'epsilon_insensitive', and prove their answers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, column_or_1d

from recta._base.declared import estimator, parameter
from recta._base.scikit_learn import RegressorMixin
from recta._estimator.attributes import keeps_what_was_learned

from .descent import COSTS, online_options
from .single_rows import StepEstimator


@estimator("recta.linear_model")
class SGDRegressor(RegressorMixin, StepEstimator):
    """Linear regression by single rows, as ``sklearn.linear_model.SGDRegressor``.

    A row of whole weight k is presented k times, one of weight 0 never; other weights scale their row's step. Steps are
    never cut: where the weights grow beyond all bounds a ConvergenceWarning names the rate that would be safe, and the
    estimator is where ``fit`` or ``partial_fit`` began. There is no proof of the answer.

    The steps descend on the following objective, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i loss(y_i, z_i) + alpha penalty(w),    z_i = <w, x_i> + b
        penalty(w) = 1/2 sum_j w_j^2 ('l2'), sum_j |w_j| ('l1') or their mixture by l1_ratio ('elasticnet')

    Attributes
    ----------
    coef_ : ndarray, one number per feature and one per level of categories, of shape (n_features,)
    intercept_ : ndarray of shape (1,)

    Examples
    --------
    >>> import numpy as np
    >>> from recta.linear_model import SGDRegressor
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = SGDRegressor(penalty=None, learning_rate="constant", eta0=0.1, tol=1e-9, random_state=0)
    >>> model.fit(X, [1.0, 3.0, 5.0, 7.0]).coef_.round(3).tolist()
    [2.0]
    >>> model.trace_[-1].loss < 1e-8, model.certificate_.verdict
    (True, 'none')
    """

    loss: str = parameter(
        default="squared_error",
        kw_only=False,
        word="loss",
        type="{'squared_error', 'huber', 'epsilon_insensitive', 'squared_epsilon_insensitive'}",
        doc="Of the error r: r^2 / 2; the same with a straight line beyond ``epsilon``; max(0, |r| - epsilon); "
        "the square of that.",
    )
    alpha: float = parameter(
        default=0.0001, low=0.0, word="lambda1, lambda2", doc="Strength of the penalty beside the mean loss."
    )
    epsilon: float = parameter(
        default=0.1,
        low=0.0,
        word="epsilon",
        doc="Where 'huber' bends, and how far off the insensitive ones let a prediction be. Without effect under "
        "'squared_error'.",
    )
    learning_rate: str = parameter(
        default="invscaling",
        word="schedule, c, power",
        type="{'constant', 'optimal', 'invscaling', 'adaptive'}",
        doc="eta0, 1 / (alpha (t0 + t)), eta0 / t^power_t, or eta0 divided by 5 whenever the loss falls no more.",
    )
    power_t: float = parameter(default=0.25, low=0.0, word="power")

    @property
    def _provers(self):
        if self.loss == "epsilon_insensitive" and self.penalty == "l2":
            return "LinearSVR solves"
        return "Ridge, Lasso and ElasticNet solve" if self.loss == "squared_error" else ""

    def _cost(self):
        return COSTS[self.loss].format(epsilon=self.epsilon)

    def _shown(self, coefs):
        return coefs[0].copy()

    def _target_count(self):
        return 1

    def _targets_of(self, y):
        return [y]

    def _strata(self, y):
        return None

    def _rows(self, X, y, sample_weight, reset):
        X, y = self._features(X, y, reset, y_numeric=True)
        return (
            X,
            np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64),
            self._row_weights(sample_weight, X),
        )

    @keeps_what_was_learned
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Presents the rows pass after pass until the loss falls no more. Ctrl-C ends it after the pass under way and keeps
        what was learned.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        coef_init : array-like of shape (n_features,), default=None
        intercept_init : array-like of shape (1,), default=None
        sample_weight : array-like of shape (n_samples,), default=None
            A row of whole weight k is presented k times, one of weight 0 never; other weights scale their row's step.

        Returns
        -------
        self
        """
        online_options(self)
        X, y, weights = self._rows(X, y, sample_weight, reset=True)
        return self._fit_rows(X, y, weights, (coef_init, intercept_init))

    @keeps_what_was_learned
    def partial_fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Presents every row once and goes on from what was learned before.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        self._refuse_rows_aside()
        X, y, weights = self._rows(X, y, sample_weight, reset=not hasattr(self, "coef_"))
        return self._go_on(X, [y], weights)

    def predict(self, X: Any) -> np.ndarray:
        """One number per row, with the same bits in every batch and layout.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self._scores(X)[:, 0]
