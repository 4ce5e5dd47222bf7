"""Estimators that choose their penalty themselves, by rows left out."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from recta._base.declared import estimator, learned, left_out, parameter
from recta._data.input import less_offset
from recta._estimator import parameters

from .folds import ChosenByFolds, RoutesToSplitter, chosen_params, ridge_choice
from .least_squares import Ridge
from .net import ElasticNet, Lasso
from .paths import lasso_path, path_options


@estimator("recta.linear_model")
class LassoCV(ChosenByFolds, Lasso):
    """The lasso with its penalty chosen by cross-validation, as ``sklearn.linear_model.LassoCV``, with a proof.

    The fit to all rows minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (y_i - z_i)^2 + alpha_ sum_j |w_j|,    z_i = <w, x_i> + b

    All folds are fitted from statistics gathered in one pass where there are at least as many rows as features.

    Attributes
    ----------
    alpha_ : float
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

    eps: float = parameter(
        default=0.001, word="ratio", doc="The smallest penalty over the largest, where ``alphas`` is a number."
    )
    alphas: int | ArrayLike = parameter(
        default=100, word="lambdas, count", type="int or array-like", doc="How many penalties, or which."
    )
    precompute: bool | str = parameter(  # type: ignore[assignment]
        default="auto",
        type="bool or 'auto'",
        doc="True: from the products of all columns; otherwise the library chooses by shape.",
    )
    cv: Any = parameter(
        default=None,
        word="folds",
        type="int, splitter or iterable",
        doc="As in scikit-learn; None: five folds of consecutive rows.",
    )
    choose: str = parameter(
        default="best",
        word="folds",
        type="{'best', '1se', 'gcv', 'aic', 'bic', 'cp'}",
        doc="'best': the least mean error over the folds, as in scikit-learn. '1se': the strongest penalty within "
        "one standard error of it. The others have no folds: generalised cross-validation, Akaike's and "
        "Schwarz's criteria and Mallows' Cp of the fits to all rows.",
    )
    alpha: Any = left_out()
    warm_start: Any = left_out()
    psi: Any = left_out()
    feature_map: Any = left_out()

    path = staticmethod(lasso_path)

    def _params(self):
        return parameters.net(self, 1.0, alpha=0.0)

    def _strengths(self):
        return {"lambda1": self.alpha_}

    @classmethod
    def _params_of(cls, model):
        return chosen_params(cls, super()._params_of(model))


@estimator("recta.linear_model")
class ElasticNetCV(ChosenByFolds, ElasticNet):
    """The elastic net with its penalties chosen by cross-validation, as ``sklearn.linear_model.ElasticNetCV``, with a proof.

    The fit to all rows minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (y_i - z_i)^2 + alpha_ l1_ratio_ sum_j |w_j| + alpha_ (1 - l1_ratio_) / 2 sum_j w_j^2,
        z_i = <w, x_i> + b

    Attributes
    ----------
    alpha_ : float
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

    l1_ratio: float | ArrayLike = parameter(  # type: ignore[assignment]
        default=0.5,
        low=0.0,
        high=1.0,
        above=True,
        word="l1-share",
        type="float or list of float",
        doc="Share of the penalty on the absolute values, above 0; of a list the best is chosen.",
    )
    eps: float = parameter(
        default=0.001, word="ratio", doc="The smallest penalty over the largest, where ``alphas`` is a number."
    )
    alphas: int | ArrayLike = parameter(
        default=100, word="lambdas, count", type="int or array-like", doc="How many penalties, or which."
    )
    precompute: bool | str = parameter(  # type: ignore[assignment]
        default="auto",
        type="bool or 'auto'",
        doc="True: from the products of all columns; otherwise the library chooses by shape.",
    )
    cv: Any = parameter(
        default=None,
        word="folds",
        type="int, splitter or iterable",
        doc="As in scikit-learn; None: five folds of consecutive rows.",
    )
    choose: str = parameter(
        default="best",
        word="folds",
        type="{'best', '1se', 'gcv', 'aic', 'bic', 'cp'}",
        doc="'best': the least mean error over the folds, as in scikit-learn. '1se': the strongest penalty within "
        "one standard error of it. The others have no folds: generalised cross-validation, Akaike's and "
        "Schwarz's criteria and Mallows' Cp of the fits to all rows.",
    )
    alpha: Any = left_out()
    warm_start: Any = left_out()
    psi: Any = left_out()
    feature_map: Any = left_out()

    l1_ratio_: float = learned()

    def _shares(self):
        return [parameters.number(self, "l1_ratio", value=share) for share in np.atleast_1d(self.l1_ratio).tolist()]

    def _params(self):
        self._shares()
        return parameters.net(self, 1.0, alpha=0.0)

    def _strengths(self):
        return {"lambda1": self.alpha_ * self.l1_ratio_, "lambda2": self.alpha_ * (1 - self.l1_ratio_)}

    def _choose(self, alphas, errors, splits):
        super()._choose(alphas, errors, splits)
        self.l1_ratio_ = self._shares()[self._share_place]

    @classmethod
    def _params_of(cls, model):
        return chosen_params(cls, super()._params_of(model))


@estimator("recta.linear_model")
class RidgeCV(RoutesToSplitter, Ridge):
    """Ridge with its penalty chosen by leaving rows out, as ``sklearn.linear_model.RidgeCV``, with a proof.

    The fit to all rows minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - z_i)^2 + alpha_ sum_j w_j^2,    z_i = <w, x_i> + b

    Attributes
    ----------
    alpha_ : float
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

    alphas: ArrayLike = parameter(
        default=(0.1, 1.0, 10.0), kw_only=False, word="tau", type="array-like", doc="Penalties beside the summed loss."
    )
    scoring: None = parameter(default=None, refused="the mean squared error of rows left out chooses, or r2 with cv=")
    cv: Any = parameter(
        default=None,
        word="folds",
        type="int, splitter or iterable",
        doc="None: every row is left out once, exactly, from one decomposition.",
    )
    gcv_mode: str | None = parameter(
        default=None, free="the decomposition is chosen by shape", words=(None, "auto", "svd", "eigen")
    )
    store_cv_results: bool = parameter(default=False, refused="no table with one number per row and penalty is made")
    alpha_per_target: bool = parameter(
        default=False, refused="targets share one penalty here; fit them one by one for one each"
    )
    choose: str = parameter(
        default="best",
        word="folds, leave_one_out",
        type="{'best', '1se', 'gcv', 'aic', 'bic', 'cp'}",
        doc="'best': the best score of rows left out, as in scikit-learn. '1se': the strongest penalty within one "
        "standard error of it, with ``cv``. The others look at the fits to all rows, by their mean over the "
        "targets: generalised cross-validation, Akaike's and Schwarz's criteria, Mallows' Cp.",
    )
    alpha: Any = left_out()
    copy_X: Any = left_out()
    max_iter: Any = left_out()
    tol: Any = left_out()
    solver: Any = left_out()
    positive: Any = left_out()
    random_state: Any = left_out()
    condition: Any = left_out()
    solver_options: Any = left_out()
    feature_map: Any = left_out()

    alpha_: float = learned()
    best_score_: float = learned()

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        offset: ArrayLike | None = None,
        **params: Any,
    ) -> Self:
        metadata = self._split_metadata(params, sample_weight=sample_weight, offset=offset)
        self._given = X, y, less_offset(y, offset), sample_weight, metadata
        try:
            return super().fit(X, y, sample_weight, offset)
        finally:
            del self._given

    fit.__doc__ = (Ridge.fit.__doc__ or "").replace(
        """
        Returns
""",
        """        **params
            For the splitter of ``cv``, as ``groups``; only where ``sklearn.set_config(enable_metadata_routing=True)``.

        Returns
""",
        1,
    )

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
