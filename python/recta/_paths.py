"""Penalties chosen along a path: cross-validation, leave-one-out, and the paths themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from . import _core, _parameters
from ._input import array_or_parts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["ChosenByFolds", "lasso_path", "enet_path"]


def path_options(alphas, eps, name):
    """``alphas``: how many, or which."""
    how = _core.PathOptions()
    if isinstance(alphas, (int, np.integer)) and not isinstance(alphas, bool):
        if alphas < 1:
            raise ValueError(f"The 'alphas' parameter of {name} must be an int in the range [1, inf) or an array. Got {alphas!r}.")
        how.count, how.ratio = int(alphas), float(eps)
        return how
    try:
        values = np.asarray(alphas, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if values.ndim != 1 or not len(values) or not (np.isfinite(values) & (values >= 0)).all():
        raise ValueError(f"The 'alphas' parameter of {name} must be an int or an array of numbers from zero up. Got {alphas!r}.")
    how.lambdas = values.tolist()
    return how


def folds_of(splits, rows):
    """The fold every row is left out in, -1 for none; None where splits overlap and no such number exists."""
    fold_of = np.full(rows, -1, dtype=np.int32)
    for k, (train, test) in enumerate(splits):
        test, trained = np.asarray(test), np.zeros(rows, dtype=bool)
        trained[train] = True
        held = np.zeros(rows, dtype=bool)
        held[test] = True
        if (fold_of[held] >= 0).any() or (trained == held).any() or held.sum() != len(test):
            return None
        fold_of[held] = k
    return fold_of


class ChosenByFolds:
    """What LassoCV and ElasticNetCV do alike, before the base class fits and proves the chosen point."""

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> ChosenByFolds:
        """Chooses the penalty by the folds, fits the model with it and proves the answer.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent, in the fits and in the errors of the folds.

        Returns
        -------
        self
        """
        if len(getattr(y, "shape", ())) == 2 and y.shape[1] == 1:
            y = column_or_1d(y, warn=True)
        self._weights = sample_weight
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self._weights

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def _shares(self):
        """Shares of the penalty on absolute values to choose among."""
        return [1.0]

    def _solved(self, fit, options, params, shape):
        if len(shape) == 2 and shape[1] > 1:
            raise ValueError(f"For multi-task outputs, use MultiTask{type(self).__name__}: y has {shape[1]} columns")
        rows, name = shape[0], type(self).__name__
        splits = list(check_cv(self.cv).split(np.zeros((rows, 1))))
        fold_of = folds_of(splits, rows)
        alphas, errors = [], []
        for share in self._shares():
            kept = {key: value for key, value in params.items() if key not in ("lambda1", "lambda2")}
            options.params = kept | ({"l1-share": share} if self._word == "elastic-net" else {})
            how = path_options(self.alphas, self.eps, name)
            if fold_of is not None:
                how.folds, how.fold_of = len(splits), fold_of.tolist()
                path = fit(how=how)
                found = path.fold_mse
            else:
                path = fit(how=how)
                found = self._overlapping(fit, how, path.lambdas, splits, rows)
            alphas.append(path.lambdas)
            errors.append(found)
        self._choose(np.array(alphas), np.array(errors), splits)
        return super()._solved(fit, options, params | self._strengths(), shape)

    def _overlapping(self, fit, how, alphas, splits, rows):
        """One path a split: rows that are not trained on have weight zero, and errors are measured one split at a time."""
        weights = np.ones(rows) if self._weights is None else np.asarray(self._weights, dtype=np.float64)
        found = []
        for train, test in splits:
            times, held = np.zeros(rows), np.full(rows, -1, dtype=np.int32)
            np.add.at(times, np.asarray(train), 1.0)
            if (times[test] > 0).any():
                raise ValueError("a split tests on rows it trains on")
            times[test], held[test] = 1.0, 0
            one = _core.PathOptions()
            one.lambdas, one.folds, one.fold_of = alphas.tolist(), 1, held.tolist()
            found.append(fit(how=one, weights=weights * times).fold_mse[:, 0])
        return np.array(found).T

    def _choose(self, alphas, errors, splits):
        """alphas: share x penalty; errors: share x penalty x split."""
        if self._weights is None:
            mean = errors.mean(axis=-1)
        else:
            weights = np.asarray(self._weights, dtype=np.float64)
            mean = np.average(errors, axis=-1, weights=[weights[test].sum() for _, test in splits])
        share, place = np.unravel_index(np.argmin(mean), mean.shape)
        self._kept = int(share)
        self.alpha_ = float(alphas[share, place])
        self.alphas_, self.mse_path_ = alphas, errors


def ridge_scores(estimator, fit, options, shape, y, sample_weight):
    """One number a penalty, the higher the better: over all targets, and over the folds where there are any."""
    rows, targets = shape[0], 1 if len(shape) == 1 else shape[1]
    how = path_options(np.atleast_1d(estimator.alphas), 1.0, type(estimator).__name__)
    order = np.argsort(-np.asarray(how.lambdas), kind="stable")  # the library's: descending
    how.summed, options.params = True, {}
    if estimator.cv is None:
        how.leave_one_out = True
        found = -np.mean([fit([k], how=how).loo_mse for k in range(targets)], axis=0)
    else:
        splits = list(check_cv(estimator.cv).split(np.zeros((rows, 1))))
        fold_of = folds_of(splits, rows)
        if fold_of is None:
            raise ValueError("RidgeCV takes splits that leave every row out at most once; GridSearchCV(Ridge(), ...) takes any")
        how.folds, how.fold_of = len(splits), fold_of.tolist()
        weights = np.ones(rows) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        values = np.asarray(y, dtype=np.float64).reshape(rows, targets)
        found = np.mean([fold_r2(fit([k], how=how).fold_mse, values[:, k], weights, splits) for k in range(targets)], axis=0)
    scores = np.empty(len(order))
    scores[order] = found
    return scores


def fold_r2(mse, y, weights, splits):
    spread = []
    for _, test in splits:
        mean = np.average(y[test], weights=weights[test])
        spread.append(np.average((y[test] - mean) ** 2, weights=weights[test]))
    spread = np.array(spread)
    r2 = 1 - mse / np.where(spread > 0, spread, 1.0)
    return np.where(spread > 0, r2, mse == 0).mean(axis=1)  # a constant target: 1 where it is met, else 0


def _path(word, X, y, l1_ratio, eps, alphas, positive, params):
    known = {"max_iter", "tol", "selection", "random_state", "fit_intercept", "sample_weight", "tolerance"}
    if unknown := sorted(set(params) - known):
        raise ValueError(f"Unexpected parameters in params: {unknown}")
    if params.get("fit_intercept"):
        raise ValueError("a path is through zero, as in scikit-learn: centre X and y, or use the estimators")
    X = check_array(X, accept_sparse=("csr", "csc"), dtype=(np.float64, np.float32), order=None)
    y = check_array(y, ensure_2d=False, dtype=np.float64)
    check_consistent_length(X, y)
    if y.ndim != 1:
        raise ValueError(f"y has {y.shape[1]} columns: paths are of one target at a time")
    options = _core.FitOptions()
    options.intercept = False
    options.tolerance = float(params.get("tolerance", 1e-10))
    options.params = {"non-negative": bool(positive)} | ({"l1-share": float(l1_ratio)} if word == "elastic-net" else {})
    weights = params.get("sample_weight")
    weights = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    how = path_options(100 if isinstance(alphas, str) or alphas is None else alphas, eps, f"{word} path")
    found = _core.path(word, array_or_parts(X), np.ascontiguousarray(y), weights, [], options, how)
    return found.lambdas, np.ascontiguousarray(found.coefficients.T), found.gaps


def lasso_path(X: Any, y: ArrayLike, *, eps: float = 1e-3, alphas: int | ArrayLike = 100, positive: bool = False,
               **params: Any) -> tuple[NDArray, NDArray, NDArray]:
    """The lasso at many penalties, as ``sklearn.linear_model.lasso_path``: through zero, largest penalty first.

    Parameters
    ----------
    X : array-like or sparse array of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    eps : float, default=1e-3
        The smallest penalty over the largest.
    alphas : int or array-like, default=100
        How many penalties, or which.
    positive : bool, default=False
        No coefficient below zero.
    **params
        ``sample_weight`` and ``tolerance``; iteration limits of scikit-learn are accepted and not needed.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
    coefs : ndarray of shape (n_features, n_alphas)
    dual_gaps : ndarray of shape (n_alphas,)

    Examples
    --------
    >>> import numpy as np
    >>> from recta.linear_model import lasso_path
    >>> X = np.array([[1.0, 2.0, 3.1], [2.3, 5.4, 4.3]]).T
    >>> alphas, coefs, gaps = lasso_path(X, np.array([1.0, 2.0, 3.1]), alphas=[5.0, 1.0, 0.5])
    >>> coefs.round(8)
    array([[0.        , 0.        , 0.46915237],
           [0.2159048 , 0.4425765 , 0.23668876]])
    """
    return _path("lasso", X, y, 1.0, eps, alphas, positive, params)


def enet_path(X: Any, y: ArrayLike, *, l1_ratio: float = 0.5, eps: float = 1e-3, alphas: int | ArrayLike = 100,
              positive: bool = False, **params: Any) -> tuple[NDArray, NDArray, NDArray]:
    """The elastic net at many penalties, as ``sklearn.linear_model.enet_path``: through zero, largest penalty first.

    Parameters and returns are those of :func:`lasso_path`, with ``l1_ratio``, the share of the penalty on absolute values.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import enet_path
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> alphas, coefs, gaps = enet_path(X - X.mean(axis=0), y - y.mean(), l1_ratio=0.5, alphas=5)
    >>> (coefs != 0).sum(axis=0).tolist()
    [0, 2, 4, 5, 10]
    """
    share = float(l1_ratio)
    if not 0.0 < share <= 1.0:
        raise ValueError(f"l1_ratio must lie above 0 and at most at 1: at 0 no penalty is large enough to begin with. Got {share}")
    return _path("elastic-net", X, y, share, eps, alphas, positive, params)
