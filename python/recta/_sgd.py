"""Steps by single rows, with scikit-learn's parameters. What is learned is a point and not an optimum, so there is no proof of
it, and ``certificate_`` says so; ``Ridge``, ``Lasso`` and ``ElasticNet`` solve the same objectives and prove their answers."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from . import _core, _parameters
from ._checks import reworded
from ._descent import NoProof, Pass, online_options, safe_rate, whole_number
from ._docstrings import placed
from ._errors import DataError
from ._input import array_or_parts

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike

LEAST_RATE = 1e-6  # of learning_rate='adaptive', where it ends


@placed
class SGDRegressor(RegressorMixin, BaseEstimator):
    """Linear regression by single rows, as ``sklearn.linear_model.SGDRegressor``.

    A row of whole weight k is presented k times, one of weight 0 never; other weights scale their row's step. Steps are
    never cut: where the weights grow beyond all bounds a ConvergenceWarning names the rate that would be safe, and the
    estimator is where ``fit`` or ``partial_fit`` began. There is no proof of the answer.

    Parameters
    ----------
    loss : {'squared_error'}, default='squared_error'
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
        Without effect under 'squared_error'.
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

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
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
                 warm_start: bool = False, average: bool | int = False) -> None:
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

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # learning

    def _rows(self, X, y, sample_weight, reset):
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, order="C", reset=reset, y_numeric=True,
                             ensure_all_finite=False)  # the library looks, and says where
        y = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
        weights = None
        if sample_weight is not None:
            weights = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        return X, y, weights

    def _begin(self, options, cols, coef=None, intercept=None):
        start = _core.OnlinePoint()
        if coef is not None:
            start.weights = np.ascontiguousarray(np.ravel(coef), dtype=np.float64)
        if intercept is not None:
            start.intercept = float(np.ravel(intercept)[0])
        return _core.Online.begin(cols, options, start)

    def _resume(self, options, cols):
        start = _core.OnlinePoint()
        start.weights, start.intercept, start.mean_weights, start.mean_intercept, start.presented, start.averaged = self._state
        return _core.Online.begin(cols, options, start)

    def _learned(self, point):
        self._state = (point.weights, point.intercept, point.mean_weights, point.mean_intercept, point.presented, point.averaged)
        mean = bool(self.average) and point.averaged > 0
        self.coef_ = (point.mean_weights if mean else point.weights).copy()
        self.intercept_ = np.array([point.mean_intercept if mean else point.intercept])
        self.t_ = float(point.presented + 1)
        penalty = "" if self.penalty is None else f" + {self.alpha:g} {self.penalty}"
        self.objective_ = f"mean squared error / 2{penalty}, by single rows"
        self.certificate_ = NoProof()

    def _pass(self, online, x, y, weights, seed, number):
        """The sum of the losses met; None, with a warning, where the weights grew beyond all bounds."""
        try:
            return online.learn(x, y, weights, seed if self.shuffle else None, number)
        except DataError as error:
            if "beyond all bounds" not in error.what:
                raise reworded(error, self) from None
        warnings.warn(f"the weights grew beyond all bounds in pass {number + 1}, and all is as it was before: eta0={self.eta0!r} is too large for "
                      f"these rows. Up to {safe_rate(x):.3g} no step overshoots; or scale the columns "
                      "(recta.preprocessing.StandardScaler).", ConvergenceWarning, stacklevel=4)
        return None

    def _noted(self, number, loss, rate):
        self.n_iter_ = number + 1
        self.trace_.append(Pass(number + 1, self._state[4], loss, rate))
        if self.verbose:
            print(f"pass {number + 1}: {self._state[4]} rows presented, mean loss {loss:.6g}, rate {rate:.3g}")

    def _seed(self):
        return 0 if self.random_state is None else int(check_random_state(self.random_state).randint(2**31 - 1))

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
        options, limit, seed = online_options(self), whole_number(self, "max_iter"), self._seed()
        whole_number(self, "n_iter_no_change")
        X, y, weights = self._rows(X, y, sample_weight, reset=True)
        if self.warm_start and hasattr(self, "coef_") and coef_init is None:
            coef_init, intercept_init = self._state[0], self._state[1]
        online, held_out = self._begin(options, X.shape[1], coef_init, intercept_init), None
        if self.early_stopping:
            X, y, weights, held_out = self._set_aside(X, y, weights, seed)
        self.trace_, self.n_iter_ = [], 0
        start = online.point()
        ended = self._passes(online, (array_or_parts(X), y, weights, seed), options.rate, limit, held_out)
        if ended is None:
            self._learned(start)
        if ended is False and self.tol is not None:
            warnings.warn("Maximum number of iteration reached before convergence. Consider increasing max_iter to improve the fit.",
                          ConvergenceWarning, stacklevel=2)
        return self

    def _set_aside(self, X, y, weights, seed):
        share = _parameters._number(self, "validation_fraction", 0.0, 1.0, above=True)
        parts = [part for part in (X, y, weights) if part is not None]
        X, held_x, y, held_y, *rest = train_test_split(*parts, test_size=share, random_state=seed)
        weights = None if weights is None else np.ascontiguousarray(rest[0])
        return X, np.ascontiguousarray(y), weights, (held_x, held_y, rest[1] if rest else None)

    def _passes(self, online, rows, rate, limit, held_out):
        """Whether it ended by itself; None: it diverged."""
        size = float(len(rows[1])) if rows[2] is None else float(rows[2].sum())
        best, waited = np.inf, 0
        for number in range(limit):
            loss = self._pass(online, *rows, number)
            if loss is None:
                return None
            self._learned(online.point())
            loss = loss / max(size, 1e-300) if held_out is None else -self.score(*held_out)
            self._noted(number, loss, rate)
            if self.tol is not None:
                waited = waited + 1 if loss > best - self.tol else 0
            best = min(best, loss)
            if waited < self.n_iter_no_change:
                continue
            if self.learning_rate != "adaptive" or rate <= LEAST_RATE:
                return True
            rate, waited = rate / 5, 0
            online.set_rate(rate)
        return False

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
        options, first = online_options(self), not hasattr(self, "coef_")
        X, y, weights = self._rows(X, y, sample_weight, reset=first)
        online = self._begin(options, X.shape[1]) if first else self._resume(options, X.shape[1])
        if first:
            self.trace_ = []
        number = len(self.trace_)
        start = online.point()
        loss = self._pass(online, array_or_parts(X), y, weights, self._seed(), number)
        self._learned(start if loss is None else online.point())
        if loss is not None:
            self._noted(number, loss / max(len(y) if weights is None else weights.sum(), 1e-300), options.rate)
        self.n_iter_ = 1
        return self

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
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
        return _core.products(array_or_parts(X), np.ascontiguousarray(self.coef_, dtype=np.float64), float(self.intercept_[0]))
