"""Least squares with and without a penalty on squares, for numbers and for classes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _parameters
from ._classifier import CertifiedClassifier, LabelClassifier
from ._docstrings import documented
from ._labels import checked_labels
from ._model import interval_of
from ._regressor import CertifiedRegressor
from ._summary import Summary, summary_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from ._core import Step
    from ._feature_map import FeatureMap


def passes_of(model):
    """One number a target, as scikit-learn's lsqr has them: the passes over the rows, which all targets share."""
    return np.full(len(model.coefficients), model.certificate.passes, dtype=np.int32)


@documented
class LinearRegression(CertifiedRegressor):
    """Least squares, as ``sklearn.linear_model.LinearRegression``, with a proof of the answer.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        1/2 sum_i v_i (y_i - z_i)^2,    z_i = <w, x_i> + b

    Parameters
    ----------
    fit_intercept : bool, default=True
    copy_X : bool, default=True
        Without effect: X is never written to and not copied.
    tol : float, default=1e-6
        Without effect: the answer is proved to ``tolerance``.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.
    positive : bool, default=False
        Only False is accepted.
    intervals : bool, default=False
        True: keep what ``prediction_interval`` needs whatever the number of features; up to 100 it is always kept.
    solver : {'auto', 'svd', 'cholesky', 'lsqr', 'gram', 'qr', 'dual', 'lsmr'} or a descent, default='auto'
        'auto' chooses by shape. 'accelerated', 'svrg', 'saga', and as they are taught 'gradient-descent' and 'sgd', go down step by
        step; where they end before the optimum, ``certificate_`` says how far it is.
    solver_options : dict, default=None
        How a descent steps, in the words of ``recta fit linear``: ``{"rate": 0.1, "passes": 100, "batch": 10}``.
    random_state : int, RandomState instance or None, default=None
        Of a descent's orders and starts; None: seed 0.%s
    Examples
    --------
    >>> import numpy as np
    >>> from recta.linear_model import LinearRegression
    >>> X = np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 3.0]])
    >>> y = X @ [1.0, 2.0] + 3.0
    >>> model = LinearRegression().fit(X, y)
    >>> model.coef_.round(12).tolist(), round(float(model.intercept_), 12)
    ([1.0, 2.0], 3.0)
    >>> model.certificate_.verdict
    'proved'
    >>> model.certificate_.verify(X, y).verdict
    'proved'
    """

    _word = "linear"

    def __init__(self, *, fit_intercept: bool = True, copy_X: bool = True, tol: float = 1e-6, n_jobs: int | None = None,
                 positive: bool = False, tolerance: float = 1e-10, time_limit: float | None = None,
                 verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision", intervals: bool = False, feature_map: FeatureMap | None = None,
                 solver: str = "auto", solver_options: dict[str, Any] | None = None, random_state: Any = None, unseen: str = "refuse") -> None:
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.intervals = intervals
        self.feature_map = feature_map
        self.solver = solver
        self.solver_options = solver_options
        self.random_state = random_state
        self.unseen = unseen

    def _params(self):
        return _parameters.solved_by(self)

    def summary(self, X: Any = None, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None, *,
                errors: str = "classical", cluster: ArrayLike | None = None) -> Summary:
        """Coefficients with standard errors, t, p and intervals, and how well they fit; prints as a table.

        Parameters
        ----------
        X, y, sample_weight : default=None
            The training rows, as ``fit`` had them; others are refused. With them the summary has the tests of the residuals,
            and errors that do not suppose equal variances can be asked for.
        errors : {'classical', 'HC0', 'HC1', 'HC2', 'HC3'}, default='classical'
            What standard errors suppose: one variance for all rows, or one of its own for each.
        cluster : array-like of shape (n_samples,), default=None
            Rows with the same value depend on one another.

        Examples
        --------
        >>> import recta
        >>> from recta.linear_model import LinearRegression
        >>> X, y = recta.datasets.load("housing", return_X_y=True)
        >>> model = LinearRegression().fit(X, y)
        >>> name, value, error, *_ = model.summary().rows()[1]
        >>> name, round(value, 6), round(error, 6)
        ('x1', -0.108011, 0.032865)
        >>> robust = model.summary(X, y, errors="HC3")
        >>> robust.errors, round(robust.rows()[1][2], 6), round(robust.tests()["durbin-watson"][0], 4)
        ('HC3', 0.034116, 1.0784)
        """
        return summary_of(self._model_or_refusal(), X, y, sample_weight, errors, cluster)

    def prediction_interval(self, X: Any, level: float = 0.95, *, of: str = "observation",
                            offset: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds at rows, from least squares with equal variances.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        level : float, default=0.95
        of : {'observation', 'mean'}, default='observation'
            Of one more observation there, or of the mean of many.
        offset : array-like of shape (n_samples,), default=None
            Of these rows, where the fit had one.

        Returns
        -------
        lower, upper : ndarrays of shape (n_samples,) or (n_samples, n_targets)

        Examples
        --------
        >>> import numpy as np
        >>> from recta.linear_model import LinearRegression
        >>> model = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.1, 4.9, 7.0])
        >>> lower, upper = model.prediction_interval([[4.0]])
        >>> lower.round(6).tolist(), upper.round(6).tolist()
        ([8.304602], [9.595398])
        """
        model, how = self._model_or_refusal(), {"level": float(level), "of": interval_of(of)}
        return self._at_rows(X, partial(model.predict_interval, **how), partial(model.predict_interval_table, **how), offset)


def solver_used(estimator, model):
    """The word given, or under 'auto' the library's word for what it chose."""
    return estimator.solver if estimator.solver != "auto" else getattr(model, "parts", [model])[0].solver


@documented
class Ridge(CertifiedRegressor):
    """Least squares with a penalty on squared coefficients, as ``sklearn.linear_model.Ridge``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - z_i)^2 + alpha sum_j w_j^2,    z_i = <w, x_i> + b

    Parameters
    ----------
    alpha : float or array of shape (n_targets,), default=1.0
        The penalty beside the summed loss, as in scikit-learn; the intercept is not penalised. One number a target makes
        one objective a number: each is solved and proved by itself.
    fit_intercept : bool, default=True
    copy_X : bool, default=True
        Without effect: X is never written to and not copied.
    max_iter : int, default=None
        Iterations of 'lsqr' a target, or passes of a descent, after which the best so far is given; the other solvers have none.
    tol : float, default=1e-4
        Without effect: the answer is proved to ``tolerance``.
    positive : bool, default=False
        Only False is accepted.
    solver : {'auto', 'svd', 'cholesky', 'lsqr', 'gram', 'qr', 'dual', 'lsmr'} or a descent, default='auto'
        'cholesky' is Recta's gram and 'lsqr' its lsmr; 'auto' chooses by shape. 'accelerated', 'svrg', 'saga', 'gradient-descent' and
        'sgd' go down step by step; where they end before the optimum, ``certificate_`` says how far it is.
    random_state : int, RandomState instance or None, default=None
        Of a descent's orders and starts; None: seed 0.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.
    condition : tuple of two floats, default=None
        In place of ``alpha``, which is not looked at then: the least penalty for which the condition number of X'X + alpha I lies in this range,
        as (10, 1000). ``alpha_`` is what was taken.
    solver_options : dict, default=None
        How a descent steps, in the words of ``recta fit ridge``: ``{"rate": 0.1, "batch": 10}``.%s    solver_ : str
        What solved it: ``solver``, or what 'auto' chose.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import Ridge
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = Ridge(alpha=10.0).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.732
    >>> model.objective_.split(",  ")[-1]
    'lambda = 0.0197628'
    """

    _word = "ridge"
    _one_column_is_flat = True

    def __init__(self, alpha: float | ArrayLike = 1.0, *, fit_intercept: bool = True, copy_X: bool = True,
                 max_iter: int | None = None, tol: float = 1e-4, solver: str = "auto", positive: bool = False,
                 random_state: Any = None, n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision", condition: tuple[float, float] | None = None, feature_map: FeatureMap | None = None,
                 solver_options: dict[str, Any] | None = None, unseen: str = "refuse") -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.condition = condition
        self.feature_map = feature_map
        self.solver_options = solver_options
        self.unseen = unseen

    def _params(self):
        if getattr(self, "condition", None) is not None:
            return _parameters.solved_by(self)
        return {"tau": _parameters.penalty(self)} | _parameters.solved_by(self)

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.n_iter_, self.solver_ = passes_of(model), model.solver
        if getattr(self, "condition", None) is not None:
            self.alpha_ = model.lambda2 * model.weight_sum
        if hasattr(self, "solver"):  # which RidgeCV has not
            self.solver_ = solver_used(self, model)

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"alpha": model.lambda2 * model.weight_sum}


@documented
class RidgeClassifier(LabelClassifier):
    """Classes by least squares on targets of -1 and 1, as ``sklearn.linear_model.RidgeClassifier``, with a proof.

    It minimises, per target and where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - z_i)^2 + alpha sum_j w_j^2,    z_i = <w, x_i> + b,  y_i = -1 or 1

    Two classes are one target, more are one target each; a row of 0 and 1 with one column a class may have several. What has one class
    a row and one penalty is the command line's ``ridge-classifier``, in its files too.

    Parameters
    ----------
    alpha : float or array of shape (n_targets,), default=1.0
        The penalty beside the summed loss, as in scikit-learn; the intercept is not penalised.
    fit_intercept : bool, default=True
    copy_X : bool, default=True
        Without effect: X is never written to and not copied.
    max_iter : int, default=None
        Iterations of 'lsqr' a target, after which the best so far is given; the other solvers have none.
    tol : float, default=1e-4
        Without effect: the answer is proved to ``tolerance``.
    positive : bool, default=False
        Only False is accepted.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows; 'balanced' makes all classes weigh the same.
    solver : {'auto', 'svd', 'cholesky', 'lsqr', 'gram', 'qr', 'dual', 'lsmr'}, default='auto'
        'cholesky' is Recta's gram and 'lsqr' its lsmr; 'auto' chooses by shape.
    random_state : default=None
        Without effect: nothing here is random.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    classes_ : ndarray of shape (n_classes,)
        Sorted.
    solver_ : str
        What solved it: ``solver``, or what 'auto' chose.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import RidgeClassifier
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> model = RidgeClassifier().fit(X, y)
    >>> model.predict(X[:2]).tolist()
    ['Iris-setosa', 'Iris-setosa']
    >>> model.certificate_.verify(X, y).verdict
    'proved'
    """

    _word = "ridge-classifier"
    _file_words = ("ridge-classifier", "ridge")

    def __init__(self, alpha: float | ArrayLike = 1.0, *, fit_intercept: bool = True, copy_X: bool = True,
                 max_iter: int | None = None, tol: float = 1e-4, class_weight: dict[Any, float] | str | None = None,
                 solver: str = "auto", positive: bool = False, random_state: Any = None, n_jobs: int | None = None,
                 tolerance: float = 1e-10, time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0,
                 confidence: float = 0.95, weights_are: str = "precision", feature_map: FeatureMap | None = None,
                 unseen: str = "refuse") -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.feature_map = feature_map
        self.unseen = unseen

    def _params(self):
        return {"tau": _parameters.penalty(self), "solver": _parameters.solver(self)}

    # Several classes a row, and several penalties, are targets of ridge: the model knows nothing of classes then.

    def _kind(self):
        return CertifiedClassifier if self._word == "ridge" else LabelClassifier

    def __sklearn_tags__(self):
        return CertifiedClassifier.__sklearn_tags__(self)

    def _targets(self, X, y, sample_weight):
        y = checked_labels(y, self)
        self._word = "ridge" if y.ndim == 2 or len(np.unique(self.alpha)) > 1 else "ridge-classifier"
        return self._kind()._targets(self, X, y, sample_weight)

    def _weigh(self, options):
        if self._word != "ridge":
            super()._weigh(options)

    def _target_count(self, y):
        several = self._word != "ridge" and len(self._labels.classes) > 2
        return len(self._labels.classes) if several else super()._target_count(y)

    def _read(self, targets, path):
        self._kind()._read(self, targets, path)

    def _learned(self, model, shape):
        self._kind()._learned(self, model, shape)
        self.n_iter_, self.solver_ = passes_of(model), model.solver
        if self._word != "ridge" and len(self.coef_) == 1:
            self.coef_ = self.coef_[0]
        if not model.has_intercept:
            self.intercept_ = 0.0
        self.solver_ = solver_used(self, model)

    def _values(self, X, offset=None):
        return self._kind()._values(self, X, offset)

    def _flat(self, values):
        return self._kind()._flat(self, values)

    def predict(self, X: Any) -> np.ndarray:
        return self._kind().predict(self, X)

    predict.__doc__ = CertifiedClassifier.predict.__doc__

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"alpha": model.lambda2 * model.weight_sum}
