"""Linear models with scikit-learn's names and meanings, and a proof of every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _parameters
from ._classifier import CertifiedClassifier
from ._estimator import CertifiedRegressor

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from ._core import Step

__all__ = ["ElasticNet", "Lasso", "LinearRegression", "Ridge", "RidgeClassifier"]

_SHARED = """
    tolerance : float, default=1e-10
        What the certificate must reach, in units of the objective of the best constant.
    time_limit : float, default=None
        Seconds after which the best answer so far is returned; its certificate says how far it is.
    verbose : int or callable, default=0
        1 shows a bar. A function is called with each step (``stage``, ``fraction``, ``seconds``, ``gap``); False stops.
    confidence : float, default=0.95
        Of the intervals in ``summary()``.
    weights_are : {'precision', 'frequency'}, default='precision'
        What weights mean for standard errors; coefficients are the same.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        One a feature; categories have one a level.
    intercept_ : float or ndarray of shape (n_targets,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where X has names that are all strings.
    n_iter_ : int
        Passes over the rows, the proof included.
    rank_ : int
        Of the centred columns.
    singular_ : ndarray
        Singular values of the centred columns, rows weighted; empty where the solver has none.
    objective_ : str
        What was minimised, in Recta's words.
    certificate_ : recta.Certificate
        The proof: ``verdict``, ``gap``, ``sentence``, ``verify(X, y)``.
    trace_ : list
        Where the fit was when.
"""


class LinearRegression(CertifiedRegressor):
    """Least squares, as ``sklearn.linear_model.LinearRegression``, with a proof of the answer.

    Parameters
    ----------
    fit_intercept : bool, default=True
    copy_X : bool, default=True
        Without effect: X is never written to and not copied.
    tol : float, default=1e-6
        Only the default is accepted: see ``tolerance``.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.
    positive : bool, default=False
        Only False is accepted.%s
    Examples
    --------
    >>> import numpy as np
    >>> from recta.linear_model import LinearRegression
    >>> X = np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 3.0]])
    >>> y = X @ [1.0, 2.0] + 3.0
    >>> model = LinearRegression().fit(X, y)
    >>> model.coef_.round(12).tolist(), round(model.intercept_, 12)
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
                 weights_are: str = "precision") -> None:
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


class Ridge(CertifiedRegressor):
    """Least squares with a penalty on squared coefficients, as ``sklearn.linear_model.Ridge``, with a proof.

    Parameters
    ----------
    alpha : float or array of shape (n_targets,), default=1.0
        The penalty beside the summed loss, as in scikit-learn; the intercept is not penalised. One number a target makes
        one objective a number: each is solved and proved by itself.
    fit_intercept : bool, default=True
    copy_X : bool, default=True
        Without effect: X is never written to and not copied.
    max_iter : int, default=None
        Iterations of 'lsqr' a target, after which the best so far is given; the other solvers have none.
    tol, positive
        Only their defaults are accepted.
    solver : {'auto', 'svd', 'cholesky', 'lsqr', 'gram', 'qr', 'dual', 'lsmr'}, default='auto'
        'cholesky' is Recta's gram and 'lsqr' its lsmr; 'auto' chooses by shape.
    random_state : default=None
        Without effect: nothing here is random.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s
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
                 weights_are: str = "precision") -> None:
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

    def _params(self):
        return {"tau": _parameters.penalty(self), "solver": _parameters.solver(self)}

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"alpha": model.lambda2 * model.weight_sum}


class RidgeClassifier(CertifiedClassifier):
    """Classes by least squares on targets of -1 and 1, as ``sklearn.linear_model.RidgeClassifier``, with a proof.

    Two classes are one target, more are one target each; a row of 0 and 1 with one column a class may have several.

    Parameters
    ----------
    alpha : float or array of shape (n_targets,), default=1.0
        The penalty beside the summed loss, as in scikit-learn; the intercept is not penalised.
    fit_intercept : bool, default=True
    copy_X : bool, default=True
        Without effect: X is never written to and not copied.
    max_iter : int, default=None
        Iterations of 'lsqr' a target, after which the best so far is given; the other solvers have none.
    tol, positive
        Only their defaults are accepted.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows; 'balanced' makes all classes weigh the same.
    solver : {'auto', 'svd', 'cholesky', 'lsqr', 'gram', 'qr', 'dual', 'lsmr'}, default='auto'
        'cholesky' is Recta's gram and 'lsqr' its lsmr; 'auto' chooses by shape.
    random_state : default=None
        Without effect: nothing here is random.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    classes_ : ndarray of shape (n_classes,)
        Sorted.

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

    _word = "ridge"

    def __init__(self, alpha: float | ArrayLike = 1.0, *, fit_intercept: bool = True, copy_X: bool = True,
                 max_iter: int | None = None, tol: float = 1e-4, class_weight: dict[Any, float] | str | None = None,
                 solver: str = "auto", positive: bool = False, random_state: Any = None, n_jobs: int | None = None,
                 tolerance: float = 1e-10, time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0,
                 confidence: float = 0.95, weights_are: str = "precision") -> None:
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

    _params = Ridge._params

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"alpha": model.lambda2 * model.weight_sum}


class ElasticNet(CertifiedRegressor):
    """Least squares with penalties on |w| and w squared, as ``sklearn.linear_model.ElasticNet``, with a proof.

    Parameters
    ----------
    alpha : float, default=1.0
        The penalty beside the mean loss, as in scikit-learn; the intercept is not penalised.
    l1_ratio : float, default=0.5
        Share of the penalty on the absolute values: 0 is ridge, 1 is the lasso.
    fit_intercept : bool, default=True
    precompute : bool, default=False
        True: from the products of all columns; False: the library chooses by shape. A Gram matrix is not taken.
    max_iter, tol, warm_start, random_state, selection
        Without effect: the last step is an exact solve, and the answer is proved to ``tolerance``.
    copy_X : bool, default=True
        Without effect: X is never written to.
    positive : bool, default=False
        No coefficient below zero.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s
    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import ElasticNet
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = ElasticNet(alpha=1.0, l1_ratio=0.7).fit(X, y)
    >>> int((model.coef_ != 0).sum()), model.certificate_.verdict
    (10, 'proved')
    """

    _word = "elastic-net"
    _one_column_is_flat = True

    def __init__(self, alpha: float = 1.0, *, l1_ratio: float = 0.5, fit_intercept: bool = True, precompute: bool = False,
                 max_iter: int = 1000, copy_X: bool = True, tol: float = 1e-4, warm_start: bool = False, positive: bool = False,
                 random_state: Any = None, selection: str = "cyclic", n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision") -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are

    def _params(self):
        share = _parameters._number(self, "l1_ratio", 0.0, 1.0)
        return _parameters.net(self, share) | {"lambda2": self.alpha * (1 - share)}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        del self.rank_, self.singular_
        self.dual_gap_ = model.certificate.gap

    @property
    def sparse_coef_(self) -> Any:
        """The coefficients as a sparse matrix."""
        from scipy import sparse

        return sparse.csr_matrix(self.coef_)

    @classmethod
    def _params_of(cls, model):
        alpha = model.lambda1 + model.lambda2
        return super()._params_of(model) | {"alpha": alpha, "l1_ratio": model.lambda1 / alpha if alpha else 1.0,
                                            "positive": model.params["non-negative"]}


class Lasso(ElasticNet):
    """Least squares with a penalty on absolute values, as ``sklearn.linear_model.Lasso``, with a proof.

    Parameters
    ----------
    alpha : float, default=1.0
        The penalty beside the mean loss, as in scikit-learn; the intercept is not penalised.
    fit_intercept : bool, default=True
    precompute : bool, default=False
        True: from the products of all columns; False: the library chooses by shape. A Gram matrix is not taken.
    copy_X : bool, default=True
        Without effect: X is never written to.
    max_iter, tol, warm_start, random_state, selection
        Without effect: the last step is an exact solve, and the answer is proved to ``tolerance``.
    positive : bool, default=False
        No coefficient below zero.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s
    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import Lasso
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = Lasso(alpha=1.0).fit(X, y)
    >>> int((model.coef_ != 0).sum()), model.certificate_.verdict
    (10, 'proved')
    """

    _word = "lasso"

    def __init__(self, alpha: float = 1.0, *, fit_intercept: bool = True, precompute: bool = False, copy_X: bool = True,
                 max_iter: int = 1000, tol: float = 1e-4, warm_start: bool = False, positive: bool = False,
                 random_state: Any = None, selection: str = "cyclic", n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision") -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are

    def _params(self):
        return _parameters.net(self, 1.0)

    @classmethod
    def _params_of(cls, model):
        params = super()._params_of(model)
        return {name: value for name, value in params.items() if name != "l1_ratio"}


_NET = (_SHARED[:_SHARED.index("    rank_ : int")] + """    dual_gap_ : float
        Of the certificate, over all targets.
    sparse_coef_ : sparse matrix
""" + _SHARED[_SHARED.index("    objective_ : str"):])
for _class in (LinearRegression, Ridge, RidgeClassifier, ElasticNet, Lasso):
    _class.__doc__ = _class.__doc__ % (_NET if issubclass(_class, ElasticNet) else _SHARED)
