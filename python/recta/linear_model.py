"""Linear models with scikit-learn's names and meanings, and a proof of every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _parameters
from ._classifier import CertifiedClassifier
from ._estimator import CertifiedRegressor
from ._paths import ChosenByFolds, enet_path, lasso_path, path_options, ridge_scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from ._core import Step

__all__ = ["ElasticNet", "ElasticNetCV", "Lasso", "LassoCV", "LinearRegression", "Ridge", "RidgeCV", "RidgeClassifier", "enet_path",
           "lasso_path"]

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
class LassoCV(ChosenByFolds, Lasso):
    """The lasso with its penalty chosen by cross-validation, as ``sklearn.linear_model.LassoCV``, with a proof.

    All folds are fitted from statistics gathered in one pass where there are at least as many rows as features.

    Parameters
    ----------
    eps : float, default=1e-3
        The smallest penalty over the largest, where ``alphas`` is a number.
    alphas : int or array-like, default=100
        How many penalties, or which.
    fit_intercept : bool, default=True
    precompute : bool or 'auto', default='auto'
        True: from the products of all columns; otherwise the library chooses by shape.
    max_iter, tol, random_state, selection
        Without effect: the last step is an exact solve, and the answer is proved to ``tolerance``.
    copy_X : bool, default=True
        Without effect: X is never written to.
    cv : int, splitter or iterable, default=None
        As in scikit-learn; None: five folds of rows one after the other.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.
    positive : bool, default=False
        No coefficient below zero.%s    alpha_ : float
        The penalty with the least mean error over the folds.
    alphas_ : ndarray of shape (n_alphas,)
    mse_path_ : ndarray of shape (n_alphas, n_folds)

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import LassoCV
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = LassoCV(cv=5, alphas=50).fit(X, y)
    >>> model.mse_path_.shape, model.certificate_.verdict
    ((50, 5), 'proved')
    """

    def __init__(self, *, eps: float = 1e-3, alphas: int | ArrayLike = 100, fit_intercept: bool = True,
                 precompute: bool | str = "auto", max_iter: int = 1000, tol: float = 1e-4, copy_X: bool = True,
                 cv: Any = None, verbose: int | Callable[[Step], object] = False, n_jobs: int | None = None,
                 positive: bool = False, random_state: Any = None, selection: str = "cyclic", tolerance: float = 1e-10,
                 time_limit: float | None = None, confidence: float = 0.95, weights_are: str = "precision") -> None:
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are

    def _params(self):
        return _parameters.net(self, 1.0, alpha=0.0)

    def _strengths(self):
        return {"lambda1": self.alpha_}

    def _choose(self, alphas, errors, splits):
        super()._choose(alphas, errors, splits)
        self.alphas_, self.mse_path_ = self.alphas_[0], self.mse_path_[0]

    @classmethod
    def _params_of(cls, model):
        params = super()._params_of(model)
        return params | {"alphas": [params.pop("alpha")]}


class ElasticNetCV(ChosenByFolds, ElasticNet):
    """The elastic net with its penalties chosen by cross-validation, as ``sklearn.linear_model.ElasticNetCV``, with a proof.

    Parameters
    ----------
    l1_ratio : float or list of float, default=0.5
        Share of the penalty on the absolute values, above 0; of a list the best is chosen.
    eps : float, default=1e-3
        The smallest penalty over the largest, where ``alphas`` is a number.
    alphas : int or array-like, default=100
        How many penalties, or which.
    fit_intercept : bool, default=True
    precompute : bool or 'auto', default='auto'
        True: from the products of all columns; otherwise the library chooses by shape.
    max_iter, tol, random_state, selection
        Without effect: the last step is an exact solve, and the answer is proved to ``tolerance``.
    copy_X : bool, default=True
        Without effect: X is never written to.
    cv : int, splitter or iterable, default=None
        As in scikit-learn; None: five folds of rows one after the other.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.
    positive : bool, default=False
        No coefficient below zero.%s    alpha_ : float
        The penalty with the least mean error over the folds.
    l1_ratio_ : float
        The share with the least mean error.
    alphas_ : ndarray of shape (n_alphas,) or (n_l1_ratio, n_alphas)
    mse_path_ : ndarray of shape (n_alphas, n_folds) or (n_l1_ratio, n_alphas, n_folds)

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import ElasticNetCV
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = ElasticNetCV(l1_ratio=[0.5, 0.9], cv=5, alphas=20).fit(X, y)
    >>> model.mse_path_.shape, model.certificate_.verdict
    ((2, 20, 5), 'proved')
    """

    def __init__(self, *, l1_ratio: float | ArrayLike = 0.5, eps: float = 1e-3, alphas: int | ArrayLike = 100,
                 fit_intercept: bool = True, precompute: bool | str = "auto", max_iter: int = 1000, tol: float = 1e-4,
                 cv: Any = None, copy_X: bool = True, verbose: int | Callable[[Step], object] = 0,
                 n_jobs: int | None = None, positive: bool = False, random_state: Any = None, selection: str = "cyclic",
                 tolerance: float = 1e-10, time_limit: float | None = None, confidence: float = 0.95,
                 weights_are: str = "precision") -> None:
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are

    def _shares(self):
        return [_parameters._number(self, "l1_ratio", 0.0, 1.0, above=True, value=share) for share in np.atleast_1d(self.l1_ratio).tolist()]

    def _params(self):
        self._shares()
        return _parameters.net(self, 1.0, alpha=0.0)

    def _strengths(self):
        return {"lambda1": self.alpha_ * self.l1_ratio_, "lambda2": self.alpha_ * (1 - self.l1_ratio_)}

    def _choose(self, alphas, errors, splits):
        super()._choose(alphas, errors, splits)
        self.l1_ratio_ = self._shares()[self._kept]
        if np.ndim(self.l1_ratio) == 0:
            self.alphas_, self.mse_path_ = self.alphas_[0], self.mse_path_[0]

    @classmethod
    def _params_of(cls, model):
        params = super()._params_of(model)
        return params | {"alphas": [params.pop("alpha")]}


class RidgeCV(Ridge):
    """Ridge with its penalty chosen by leaving rows out, as ``sklearn.linear_model.RidgeCV``, with a proof.

    Parameters
    ----------
    alphas : array-like, default=(0.1, 1.0, 10.0)
        Penalties beside the summed loss.
    fit_intercept : bool, default=True
    scoring
        Only None is accepted: the mean squared error of rows left out, or r2 with ``cv``.
    cv : int, splitter or iterable, default=None
        None: every row is left out once, exactly, from one decomposition.
    gcv_mode
        Without effect: the decomposition is chosen by shape.
    store_cv_results : bool, default=False
        Only False is accepted: no table with one number a row and penalty is made.
    alpha_per_target : bool, default=False
        Only False is accepted: fit the targets one by one.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    alpha_ : float
        The penalty chosen.
    best_score_ : float
        What it reached: minus the mean squared error of rows left out, or the mean r2 with ``cv``.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import RidgeCV
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = RidgeCV(alphas=[0.01, 0.1, 1.0, 10.0]).fit(X, y)
    >>> model.alpha_, model.certificate_.verdict
    (0.01, 'proved')
    """

    def __init__(self, alphas: ArrayLike = (0.1, 1.0, 10.0), *, fit_intercept: bool = True, scoring: None = None,
                 cv: Any = None, gcv_mode: str | None = None, store_cv_results: bool = False,
                 alpha_per_target: bool = False, n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision") -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> RidgeCV:
        self._seen = y, sample_weight
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self._seen

    fit.__doc__ = Ridge.fit.__doc__

    def _params(self):
        path_options(np.atleast_1d(self.alphas), 1.0, type(self).__name__)
        return {}

    def _solved(self, fit, options, params, shape):
        score = ridge_scores(self, fit, options, shape, *self._seen)
        alphas = np.atleast_1d(np.asarray(self.alphas, dtype=np.float64))
        best = int(np.argmax(score))
        self.alpha_, self.best_score_ = float(alphas[best]), float(score[best])
        return super()._solved(fit, options, {"tau": self.alpha_}, shape)

    @classmethod
    def _params_of(cls, model):
        params = super()._params_of(model)
        return params | {"alphas": [params.pop("alpha")]}


for _class in (LinearRegression, Ridge, RidgeClassifier, LassoCV, ElasticNetCV, RidgeCV, ElasticNet, Lasso):
    _class.__doc__ = _class.__doc__ % (_NET if issubclass(_class, ElasticNet) else _SHARED)
