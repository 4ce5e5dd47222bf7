"""Estimators that choose their penalty themselves, by rows left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _parameters
from ._docstrings import documented
from ._folds import ChosenByFolds, RoutesToSplitter, chosen_params, ridge_choice
from ._input import less_offset
from ._net import ElasticNet, Lasso
from ._paths import path_options
from ._squares import Ridge

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from numpy.typing import ArrayLike

    from ._core import Step
    from ._net import ByColumn


@documented
class LassoCV(ChosenByFolds, Lasso):
    """The lasso with its penalty chosen by cross-validation, as ``sklearn.linear_model.LassoCV``, with a proof.

    The fit to all rows minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (y_i - z_i)^2 + alpha_ sum_j |w_j|,    z_i = <w, x_i> + b

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
        No coefficient below zero.
    penalty_factors, lower, upper : array-like of shape (n_features,), dict or float, default=None
        As in :class:`Lasso`: factors of the penalty, and bounds, of each coefficient.
    choose : {'best', '1se', 'gcv', 'aic', 'bic', 'cp'}, default='best'
        'best': the least mean error over the folds, as in scikit-learn. '1se': the strongest penalty within one standard error of
        it. The others have no folds: generalised cross-validation, Akaike's and Schwarz's criteria and Mallows' Cp of the fits
        to all rows.%s    alpha_ : float
        The penalty chosen.
    alphas_ : ndarray of shape (n_alphas,)
    mse_path_ : ndarray of shape (n_alphas, n_folds)
        Where folds choose.
    criterion_ : ndarray of shape (n_alphas,)
        Where a criterion does.

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
                 time_limit: float | None = None, confidence: float = 0.95, weights_are: str = "precision",
                 penalty_factors: ByColumn = None, lower: ByColumn = None, upper: ByColumn = None, choose: str = "best",
                 unseen: str = "refuse") -> None:
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
        self.penalty_factors = penalty_factors
        self.lower = lower
        self.upper = upper
        self.choose = choose
        self.unseen = unseen

    def _params(self):
        return _parameters.net(self, 1.0, alpha=0.0)

    def _strengths(self):
        return {"lambda1": self.alpha_}

    @classmethod
    def _params_of(cls, model):
        return chosen_params(cls, super()._params_of(model))


@documented
class ElasticNetCV(ChosenByFolds, ElasticNet):
    """The elastic net with its penalties chosen by cross-validation, as ``sklearn.linear_model.ElasticNetCV``, with a proof.

    The fit to all rows minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (y_i - z_i)^2 + alpha_ l1_ratio_ sum_j |w_j| + alpha_ (1 - l1_ratio_) / 2 sum_j w_j^2,
        z_i = <w, x_i> + b

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
        No coefficient below zero.
    penalty_factors, lower, upper : array-like of shape (n_features,), dict or float, default=None
        As in :class:`ElasticNet`: factors of the penalty, and bounds, of each coefficient.
    choose : {'best', '1se', 'gcv', 'aic', 'bic', 'cp'}, default='best'
        'best': the least mean error over the folds, as in scikit-learn. '1se': the strongest penalty within one standard error of
        it. The others have no folds: generalised cross-validation, Akaike's and Schwarz's criteria and Mallows' Cp of the fits
        to all rows.%s    alpha_ : float
        The penalty chosen.
    l1_ratio_ : float
        The share chosen.
    alphas_ : ndarray of shape (n_alphas,), or (n_l1_ratio, n_alphas) where every share has penalties of its own
    mse_path_ : ndarray of shape (n_alphas, n_folds) or (n_l1_ratio, n_alphas, n_folds)
        Where folds choose.
    criterion_ : ndarray of shape (n_alphas,) or (n_l1_ratio, n_alphas)
        Where a criterion does.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import ElasticNetCV
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = ElasticNetCV(l1_ratio=[0.5, 0.9], cv=5, alphas=20).fit(X, y)
    >>> model.mse_path_.shape, model.certificate_.verdict
    ((2, 20, 5), 'proved')
    """

    l1_ratio_: float

    def __init__(self, *, l1_ratio: float | ArrayLike = 0.5, eps: float = 1e-3, alphas: int | ArrayLike = 100,
                 fit_intercept: bool = True, precompute: bool | str = "auto", max_iter: int = 1000, tol: float = 1e-4,
                 cv: Any = None, copy_X: bool = True, verbose: int | Callable[[Step], object] = 0,
                 n_jobs: int | None = None, positive: bool = False, random_state: Any = None, selection: str = "cyclic",
                 tolerance: float = 1e-10, time_limit: float | None = None, confidence: float = 0.95,
                 weights_are: str = "precision",
                 penalty_factors: ByColumn = None, lower: ByColumn = None, upper: ByColumn = None, choose: str = "best",
                 unseen: str = "refuse") -> None:
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
        self.penalty_factors = penalty_factors
        self.lower = lower
        self.upper = upper
        self.choose = choose
        self.unseen = unseen

    def _shares(self):
        return [_parameters._number(self, "l1_ratio", 0.0, 1.0, above=True, value=share) for share in np.atleast_1d(self.l1_ratio).tolist()]

    def _params(self):
        self._shares()
        return _parameters.net(self, 1.0, alpha=0.0)

    def _strengths(self):
        return {"lambda1": self.alpha_ * self.l1_ratio_, "lambda2": self.alpha_ * (1 - self.l1_ratio_)}

    def _choose(self, alphas, errors, splits):
        super()._choose(alphas, errors, splits)
        self.l1_ratio_ = self._shares()[self._share_place]

    @classmethod
    def _params_of(cls, model):
        return chosen_params(cls, super()._params_of(model))


@documented
class RidgeCV(RoutesToSplitter, Ridge):
    """Ridge with its penalty chosen by leaving rows out, as ``sklearn.linear_model.RidgeCV``, with a proof.

    The fit to all rows minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - z_i)^2 + alpha_ sum_j w_j^2,    z_i = <w, x_i> + b

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
        Threads; None: all cores. The answer has the same bits with any number.
    choose : {'best', '1se', 'gcv', 'aic', 'bic', 'cp'}, default='best'
        'best': the best score of rows left out, as in scikit-learn. '1se': the strongest penalty within one standard error of it,
        with ``cv``. The others look at the fits to all rows, by their mean over the targets: generalised cross-validation,
        Akaike's and Schwarz's criteria, Mallows' Cp.%s    alpha_ : float
        The penalty chosen.
    best_score_ : float
        What it reached: minus the mean squared error of rows left out, or the mean r2 with ``cv``, or
        minus the criterion.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import RidgeCV
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = RidgeCV(alphas=[0.01, 0.1, 1.0, 10.0]).fit(X, y)
    >>> model.alpha_, model.certificate_.verdict
    (0.01, 'proved')
    """

    alpha_: float
    best_score_: float

    def __init__(self, alphas: ArrayLike = (0.1, 1.0, 10.0), *, fit_intercept: bool = True, scoring: None = None,
                 cv: Any = None, gcv_mode: str | None = None, store_cv_results: bool = False,
                 alpha_per_target: bool = False, n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision", choose: str = "best", unseen: str = "refuse") -> None:
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
        self.choose = choose
        self.unseen = unseen

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, **params: Any) -> Self:
        metadata = self._split_metadata(params, sample_weight=sample_weight, offset=offset)
        self._given = X, y, less_offset(y, offset), sample_weight, metadata
        try:
            return super().fit(X, y, sample_weight, offset)
        finally:
            del self._given

    fit.__doc__ = Ridge.fit.__doc__.replace("""
        Returns
""", """        **params
            For the splitter of ``cv``, as ``groups``; only where ``sklearn.set_config(enable_metadata_routing=True)``.

        Returns
""", 1)

    def _params(self):
        path_options(np.atleast_1d(self.alphas), 1.0, type(self).__name__)
        return {}

    def _solved(self, fit, options, params, shape):
        best, self.best_score_ = ridge_choice(self, fit, options, shape, self._given)
        self.alpha_ = float(np.atleast_1d(np.asarray(self.alphas, dtype=np.float64))[best])
        return super()._solved(fit, options, {"tau": self.alpha_}, shape)

    def _path_order(self, fit, y, sample_weight):
        """How the path that was chosen from is asked for, for a picture."""
        how = path_options(np.atleast_1d(self.alphas), 1.0, type(self).__name__)
        how.summed = True
        return how, {}, np.sort(np.array(how.lambdas))[::-1], self.alpha_, "alpha"

    @classmethod
    def _params_of(cls, model):
        params = super()._params_of(model)
        return params | {"alphas": [params.pop("alpha")]}
