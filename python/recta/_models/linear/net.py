"""Least squares with a penalty on absolute values: the elastic net and the lasso."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metadata_routing import UNUSED

from recta._base.declared import estimator, learned, left_out, parameter
from recta._estimator import parameters
from recta._estimator.regressor import CertifiedRegressor
from recta._estimator.shared import COPY_X, NOT_RANDOM, TOL, WARM_START

from .columns import KINDS, ByColumn, column_texts, columns_given


@estimator("recta.linear_model")
class ElasticNet(CertifiedRegressor):
    """Least squares with penalties on |w| and w squared, as ``sklearn.linear_model.ElasticNet``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (y_i - z_i)^2 + alpha l1_ratio sum_j |w_j| + alpha (1 - l1_ratio) / 2 sum_j w_j^2,
        z_i = <w, x_i> + b

    Attributes
    ----------
    dual_gap_ : float or ndarray of shape (n_targets,)
        Of the certificate, over all targets together; none has a larger one.
    sparse_coef_ : sparse matrix

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import ElasticNet
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = ElasticNet(alpha=1.0, l1_ratio=0.7).fit(X, y)
    >>> int((model.coef_ != 0).sum()), model.certificate_.verdict
    (10, 'proved')
    """

    alpha: float = parameter(
        default=1.0,
        low=0.0,
        kw_only=False,
        word="lambda1, lambda2",
        doc="The penalty beside the mean loss, as in scikit-learn; the intercept is not penalised.",
    )
    l1_ratio: float = parameter(
        default=0.5,
        low=0.0,
        high=1.0,
        word="lambda1, lambda2",
        doc="Share of the penalty on the absolute values: 0 is ridge, 1 is the lasso.",
    )
    fit_intercept: bool = parameter(default=True, word="intercept")
    precompute: bool = parameter(
        default=False,
        word="solver",
        doc="True: from the products of all columns; False: the library chooses by shape. A Gram matrix is not taken.",
    )
    max_iter: int = parameter(
        default=1000, free="the last step is an exact solve and ends; time_limit= stops it before"
    )
    copy_X: bool = COPY_X
    tol: float = TOL
    warm_start: bool = WARM_START
    positive: bool = parameter(default=False, word="non-negative", doc="No coefficient below zero.")
    random_state: Any = NOT_RANDOM
    selection: str = parameter(
        default="cyclic", free="columns are taken by what they can gain", words=("cyclic", "random")
    )
    penalty_factors: ByColumn = parameter(
        default=None,
        word="penalty-factors",
        type="array-like of shape (n_features,), dict or float",
        doc="Multiplies the penalty of each coefficient; 0 is none. A dict has numbers by name or position, and "
        "all others are 1; the levels of a category have that of their column, or their own.",
    )
    lower: ByColumn = parameter(
        default=None,
        word="lower",
        type="array-like of shape (n_features,), dict or float",
        doc="Bounds of each coefficient, at most and at least 0, given likewise; a number is for all.",
    )
    upper: ByColumn = parameter(
        default=None,
        word="upper",
        type="array-like of shape (n_features,), dict or float",
        doc="Bounds of each coefficient, at most and at least 0, given likewise; a number is for all.",
    )
    psi: float | None = parameter(
        default=None,
        low=0.0,
        high=1e300,
        word="psi",
        doc="The constrained form: the sum of |w_j| (times their factors) is at most this, in place of the "
        "penalty on absolute values; that on squares stays ``alpha * (1 - l1_ratio)``.",
    )
    rank_: Any = left_out()
    singular_: Any = left_out()

    _word = "elastic-net"
    path: ClassVar[Callable[..., Any]]  # enet_path, which needs the estimators of several targets
    _one_column_is_flat = True
    _by_column: ClassVar[tuple[str, ...]] = ("penalty_factors", "lower", "upper")

    dual_gap_: float | np.ndarray = learned()

    # check_input changes nothing, so no meta-estimator routes it
    __metadata_request__fit = {"check_input": UNUSED}

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        offset: ArrayLike | None = None,
        check_input: bool = True,
    ) -> Self:
        """Fits the model and proves the answer; as for every estimator here. ``check_input`` has no effect: rows are checked while they are
        read, which takes no time of its own.
        """
        return super().fit(X, y, sample_weight, offset)

    def _params(self):
        share = parameters.number(self, "l1_ratio")
        return parameters.bounded(self, parameters.net(self, share), used=share < 1) | {
            "lambda2": self.alpha * (1 - share)
        }

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
        params = super()._params_of(model) | {
            "alpha": alpha,
            "l1_ratio": model.lambda1 / alpha if alpha else 1.0,
            "psi": psi,
            "positive": given["non-negative"],
        }
        if psi is not None and not alpha:
            params["alpha"] = 1.0  # no penalty is left that it could be the strength of
        return params | {word: columns_given(given[KINDS[word][0]]) for word in cls._by_column}


@estimator("recta.linear_model")
class Lasso(ElasticNet):
    """Least squares with a penalty on absolute values, as ``sklearn.linear_model.Lasso``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (y_i - z_i)^2 + alpha sum_j |w_j|,    z_i = <w, x_i> + b

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import Lasso
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = Lasso(alpha=1.0).fit(X, y)
    >>> int((model.coef_ != 0).sum()), model.certificate_.verdict
    (10, 'proved')
    """

    psi: float | None = parameter(
        default=None,
        doc="The constrained form: the sum of |w_j| (times their factors) is at most this, in place of ``alpha``, "
        "which must be left at its default then.",
    )
    l1_ratio: Any = left_out()

    _word = "lasso"

    def _params(self):
        return parameters.bounded(self, parameters.net(self, 1.0), used=False)

    @classmethod
    def _params_of(cls, model):
        params = super()._params_of(model)
        return {name: value for name, value in params.items() if name != "l1_ratio"}
