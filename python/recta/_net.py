"""Least squares with a penalty on absolute values: the elastic net and the lasso."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.metadata_routing import UNUSED

from . import _parameters
from ._columns import KINDS, column_texts, columns_given
from ._docstrings import documented
from ._regressor import CertifiedRegressor

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from numpy.typing import ArrayLike

    from ._core import Step
    from ._feature_map import FeatureMap

    ByColumn = ArrayLike | dict[int | str, float] | float | None


@documented
class ElasticNet(CertifiedRegressor):
    """Least squares with penalties on |w| and w squared, as ``sklearn.linear_model.ElasticNet``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (y_i - z_i)^2 + alpha l1_ratio sum_j |w_j| + alpha (1 - l1_ratio) / 2 sum_j w_j^2,
        z_i = <w, x_i> + b

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
        Threads; None: all cores. The answer has the same bits with any number.
    penalty_factors : array-like of shape (n_features,), dict or float, default=None
        Multiplies the penalty of each coefficient; 0 is none. A dict has numbers by name or position, and all others are 1; the
        levels of a category have that of their column, or their own.
    lower, upper : array-like of shape (n_features,), dict or float, default=None
        Bounds of each coefficient, at most and at least 0, given likewise; a number is for all.
    psi : float, default=None
        The constrained form: the sum of |w_j| (times their factors) is at most this, in place of the penalty on absolute
        values; that on squares stays ``alpha * (1 - l1_ratio)``.%s
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
    _by_column = ("penalty_factors", "lower", "upper")

    dual_gap_: float | np.ndarray

    def __init__(self, alpha: float = 1.0, *, l1_ratio: float = 0.5, fit_intercept: bool = True, precompute: bool = False,
                 max_iter: int = 1000, copy_X: bool = True, tol: float = 1e-4, warm_start: bool = False, positive: bool = False,
                 random_state: Any = None, selection: str = "cyclic", n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision", penalty_factors: ByColumn = None, lower: ByColumn = None,
                 upper: ByColumn = None, psi: float | None = None, feature_map: FeatureMap | None = None, unseen: str = "refuse") -> None:
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
        self.penalty_factors = penalty_factors
        self.lower = lower
        self.upper = upper
        self.psi = psi
        self.feature_map = feature_map
        self.unseen = unseen

    # check_input changes nothing, so no meta-estimator routes it
    __metadata_request__fit = {"check_input": UNUSED}

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, check_input: bool = True) -> Self:
        """Fits the model and proves the answer; as for every estimator here. ``check_input`` has no effect: rows are checked while they are
        read, which takes no time of its own.
        """
        return super().fit(X, y, sample_weight, offset)

    def _params(self):
        share = _parameters._number(self, "l1_ratio", 0.0, 1.0)
        return _parameters.bounded(self, _parameters.net(self, share), used=share < 1) | {"lambda2": self.alpha * (1 - share)}

    def _solved(self, fit, options, params, shape):
        return super()._solved(fit, options, params | self._column_params(fit), shape)

    def _column_params(self, fit):
        given = {word: getattr(self, word) for word in self._by_column if getattr(self, word) is not None}
        return column_texts(type(self).__name__, given, fit.columns()) if given else {}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        del self.rank_, self.singular_
        self.dual_gap_ = self._dtype.type(model.certificate.gap)
        if len(shape) == 2 and shape[1] > 1:
            self.n_iter_ = [self.n_iter_] * shape[1]
            self.dual_gap_ = np.full(shape[1], self.dual_gap_)  # no target's gap is above that of all together

    @property
    def sparse_coef_(self) -> Any:
        """The coefficients as a sparse matrix."""
        from scipy import sparse

        return sparse.csr_matrix(self.coef_)

    @classmethod
    def _params_of(cls, model):
        alpha, given = model.lambda1 + model.lambda2, model.params
        psi = None if math.isnan(given["psi"]) else given["psi"]
        params = super()._params_of(model) | {"alpha": alpha, "l1_ratio": model.lambda1 / alpha if alpha else 1.0, "psi": psi,
                                              "positive": given["non-negative"]}
        if psi is not None and not alpha:
            params["alpha"] = 1.0  # no penalty is left that it could be the strength of
        return params | {word: columns_given(given[KINDS[word][0]]) for word in cls._by_column}


@documented
class Lasso(ElasticNet):
    """Least squares with a penalty on absolute values, as ``sklearn.linear_model.Lasso``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (y_i - z_i)^2 + alpha sum_j |w_j|,    z_i = <w, x_i> + b

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
        Threads; None: all cores. The answer has the same bits with any number.
    penalty_factors : array-like of shape (n_features,), dict or float, default=None
        Multiplies the penalty of each coefficient; 0 is none. A dict has numbers by name or position, and all others are 1; the
        levels of a category have that of their column, or their own.
    lower, upper : array-like of shape (n_features,), dict or float, default=None
        Bounds of each coefficient, at most and at least 0, given likewise; a number is for all.
    psi : float, default=None
        The constrained form: the sum of |w_j| (times their factors) is at most this, in place of ``alpha``, which must be left
        at its default then.%s
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
                 weights_are: str = "precision", penalty_factors: ByColumn = None, lower: ByColumn = None,
                 upper: ByColumn = None, psi: float | None = None, feature_map: FeatureMap | None = None, unseen: str = "refuse") -> None:
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
        self.penalty_factors = penalty_factors
        self.lower = lower
        self.upper = upper
        self.psi = psi
        self.feature_map = feature_map
        self.unseen = unseen

    def _params(self):
        return _parameters.bounded(self, _parameters.net(self, 1.0), used=False)

    @classmethod
    def _params_of(cls, model):
        params = super()._params_of(model)
        return {name: value for name, value in params.items() if name != "l1_ratio"}
