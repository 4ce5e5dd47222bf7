"""Steps by single rows, with scikit-learn's parameters. What is learned is a point and not an optimum, so there is no proof of
it, and ``certificate_`` says so; ``Ridge``, ``Lasso`` and ``ElasticNet`` solve the objectives of squared errors, ``LinearSVR`` that of
'epsilon_insensitive', and prove their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ._attributes import keeps_what_was_learned
from ._descent import COSTS, online_options
from ._docstrings import placed
from ._steps import StepEstimator

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike


@placed
class SGDRegressor(RegressorMixin, StepEstimator):
    """Linear regression by single rows, as ``sklearn.linear_model.SGDRegressor``.

    A row of whole weight k is presented k times, one of weight 0 never; other weights scale their row's step. Steps are
    never cut: where the weights grow beyond all bounds a ConvergenceWarning names the rate that would be safe, and the
    estimator is where ``fit`` or ``partial_fit`` began. There is no proof of the answer.

    The steps descend on the following objective, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i loss(y_i, z_i) + alpha penalty(w),    z_i = <w, x_i> + b
        penalty(w) = 1/2 sum_j w_j^2 ('l2'), sum_j |w_j| ('l1') or their mixture by l1_ratio ('elasticnet')

    Parameters
    ----------
    loss : {'squared_error', 'huber', 'epsilon_insensitive', 'squared_epsilon_insensitive'}, default='squared_error'
        Of the error r: r^2 / 2; the same with a straight line beyond ``epsilon``; max(0, |r| - epsilon); the square of that.
    penalty : {'l2', 'l1', 'elasticnet', None}, default='l2'
    alpha : float, default=0.0001
        Strength of the penalty beside the mean loss.
    l1_ratio : float, default=0.15
        Share of the l1 part under 'elasticnet'.
    fit_intercept : bool, default=True
    max_iter : int, default=1000
        Passes over the rows in ``fit``.
    tol : float or None, default=1e-3
        ``fit`` ends where the mean loss did not fall by this much for ``n_iter_no_change`` passes.
    shuffle : bool, default=True
        Whether rows are shuffled before each pass.
    verbose : int, default=0
        1 prints a line a pass.
    epsilon : float, default=0.1
        Where 'huber' bends, and how far off the insensitive ones let a prediction be. Without effect under 'squared_error'.
    random_state : int, RandomState instance or None, default=None
        None: the order is that of seed 0, the same in every run.
    learning_rate : {'constant', 'optimal', 'invscaling', 'adaptive'}, default='invscaling'
        eta0, 1 / (alpha (t0 + t)), eta0 / t^power_t, or eta0 divided by 5 whenever the loss falls no more.
    eta0 : float, default=0.01
    power_t : float, default=0.25
    early_stopping : bool, default=False
        Whether a part of the rows is set aside to tell when to end.
    validation_fraction : float, default=0.1
    n_iter_no_change : int, default=5
    warm_start : bool, default=False
        Whether ``fit`` begins where the last one ended.
    average : bool or int, default=False
        The mean of the points after so many rows; True: after the first.
    unseen : {'refuse', 'zeros'}, default='refuse'
        What a category that training did not know does: it is an error, or its row has 0 in all of the column's features.

    Attributes
    ----------
    coef_ : ndarray, one number a feature and one a level of categories, of shape (n_features,)
    intercept_ : ndarray of shape (1,)
    n_iter_ : int
        Passes made by the last ``fit``.
    t_ : float
        Rows presented, and one.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where X has names that are all strings.
    objective_ : str
        What the steps go down on, in Recta's words.
    certificate_ : object
        Says that there is no proof: ``verdict`` is 'none'.
    trace_ : list
        One entry a pass: ``number``, ``presented``, ``loss``, ``rate``.

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

    def __init__(self, loss: str = "squared_error", *, penalty: str | None = "l2", alpha: float = 0.0001, l1_ratio: float = 0.15,
                 fit_intercept: bool = True, max_iter: int = 1000, tol: float | None = 1e-3, shuffle: bool = True, verbose: int = 0,
                 epsilon: float = 0.1, random_state: Any = None, learning_rate: str = "invscaling", eta0: float = 0.01,
                 power_t: float = 0.25, early_stopping: bool = False, validation_fraction: float = 0.1, n_iter_no_change: int = 5,
                 warm_start: bool = False, average: bool | int = False, unseen: str = "refuse") -> None:
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.epsilon = epsilon
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.average = average
        self.unseen = unseen

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
        return X, np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64), self._row_weights(sample_weight, X)

    @keeps_what_was_learned
    def fit(self, X: Any, y: ArrayLike, coef_init: ArrayLike | None = None, intercept_init: ArrayLike | None = None,
            sample_weight: ArrayLike | None = None) -> Self:
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
        """One number a row, with the same bits in every batch and layout.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self._scores(X)[:, 0]
