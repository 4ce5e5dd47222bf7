"""The lasso and the elastic net at many penalties."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array, check_consistent_length

from recta import _core
from recta._data.input import array_or_parts, plain_names

from .columns import KINDS, column_texts
from .groups import MultiTaskElasticNet
from .net import ElasticNet

__all__ = ["enet_path", "lasso_path", "path_options", "ridge_path"]


def path_options(alphas, eps, name):
    """``alphas``: how many, or which."""
    how = _core.PathOptions()
    if isinstance(alphas, (int, np.integer)) and not isinstance(alphas, bool):
        if alphas < 1:
            raise ValueError(
                f"The 'alphas' parameter of {name} must be an int in the range [1, inf) or an array. Got {alphas!r}."
            )
        how.count, how.ratio = int(alphas), float(eps)
        return how
    try:
        values = np.asarray(alphas, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if values.ndim != 1 or not len(values) or not (np.isfinite(values) & (values >= 0)).all():
        raise ValueError(
            f"The 'alphas' parameter of {name} must be an int or an array of numbers from zero up. Got {alphas!r}."
        )
    how.lambdas = values.tolist()
    return how


# Keywords that scikit-learn's paths take of a solver, and the answer does not depend on: it is proved.
FREE = {"max_iter", "tol", "selection", "random_state"}


def _checked(X, y):
    X = check_array(X, accept_sparse=("csr", "csc"), dtype=(np.float64, np.float32), order=None)
    y = check_array(y, ensure_2d=False, dtype=np.float64)
    check_consistent_length(X, y)
    return X, np.ascontiguousarray(y)


def _known(params):
    """Parameters that scikit-learn's paths have, and Recta's own; refused where they would change the answer and are not offered."""
    known = {"fit_intercept", "sample_weight", "tolerance", *FREE, *KINDS}
    if unknown := sorted(set(params) - known):
        raise ValueError(f"Unexpected parameters in params: {unknown}")
    if params.get("fit_intercept"):
        raise ValueError("a path is through zero, as in scikit-learn: centre X and y, or use the estimators")


def _joint_path(X, y, l1_ratio, eps, alphas, positive, params):
    """With several targets: their weights are zero together, feature by feature, as those of MultiTaskElasticNet are."""
    if positive:
        raise ValueError("positive=True is not allowed for multi-output (y.ndim != 1)")
    if given := sorted(word for word in KINDS if params.get(word) is not None):
        raise ValueError(f"{given[0]} is of one target; y has {y.shape[1]} columns")
    weights = params.get("sample_weight")
    each = np.ones(len(y)) if weights is None else np.broadcast_to(np.asarray(weights, dtype=np.float64), len(y))
    how = path_options(alphas, eps, "enet_path")
    found = np.sort(np.array(how.lambdas))[::-1]
    if not len(found):
        largest = np.linalg.norm(X.T @ (each[:, None] * y), axis=1).max() / (each.sum() * l1_ratio)
        found = np.geomspace(largest, largest * how.ratio, how.count)
    models = [
        MultiTaskElasticNet(
            alpha, l1_ratio=l1_ratio, fit_intercept=False, tolerance=float(params.get("tolerance", 1e-10))
        ).fit(X, y, weights)
        for alpha in found
    ]
    return found, np.stack([model.coef_ for model in models], axis=-1), np.array([model.dual_gap_ for model in models])


def _path(word, X, y, l1_ratio, eps, n_alphas, alphas, return_n_iter, positive, params):
    _known(params)
    if return_n_iter:
        raise ValueError(
            "return_n_iter=True has no meaning in Recta: a path is followed as a whole, and its points have no iterations of their own"
        )
    if isinstance(alphas, str) or alphas is None:
        alphas = 100 if isinstance(n_alphas, str) or n_alphas is None else n_alphas
    X, y = _checked(X, y)
    if y.ndim == 2:
        return _joint_path(X, y, l1_ratio, eps, alphas, positive, params)
    options = _core.FitOptions()
    options.intercept = False
    options.tolerance = float(params.get("tolerance", 1e-10))
    x, given = array_or_parts(X), {each: params[each] for each in KINDS if params.get(each) is not None}
    texts = column_texts(f"{word} path", given, plain_names(x, X.shape[1])) if given else {}
    options.params = (
        texts | {"non-negative": bool(positive)} | ({"l1-share": float(l1_ratio)} if word == "elastic-net" else {})
    )
    weights = params.get("sample_weight")
    weights = (
        None
        if weights is None
        else np.ascontiguousarray(np.broadcast_to(np.asarray(weights, dtype=np.float64), len(y)))
    )
    how = path_options(alphas, eps, f"{word} path")
    found = _core.path(word, x, y, weights, [], options, how)
    return found.lambdas, np.ascontiguousarray(found.coefficients.T, dtype=X.dtype), found.gaps


def lasso_path(
    X: Any,
    y: ArrayLike,
    *,
    eps: float = 1e-3,
    n_alphas: int | None = None,
    alphas: int | ArrayLike | None = None,
    precompute: Any = "auto",
    Xy: Any = None,
    copy_X: bool = True,
    coef_init: Any = None,
    verbose: Any = False,
    return_n_iter: bool = False,
    positive: bool = False,
    **params: Any,
) -> tuple[NDArray, NDArray, NDArray]:
    """The lasso at many penalties, as ``sklearn.linear_model.lasso_path``: through zero, largest penalty first.

    Parameters
    ----------
    X : array-like or sparse array of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
        The weights of several targets are zero together, as those of :class:`MultiTaskLasso` are.
    eps : float, default=1e-3
        The smallest penalty over the largest.
    n_alphas : int, default=None
        How many penalties, if ``alphas`` is None; None: 100. scikit-learn's older name.
    alphas : int or array-like, default=None
        How many penalties, or which; None: ``n_alphas``.
    precompute, Xy, copy_X, coef_init, verbose
        Without effect: products are taken where they save work, X is never written to, and the answer is proved wherever it was begun.
    return_n_iter : bool, default=False
        True is refused: a path is followed as a whole, and its points have no iterations of their own.
    positive : bool, default=False
        No coefficient below zero.
    **params
        ``sample_weight``, ``tolerance``, and of one target ``penalty_factors``, ``lower`` and ``upper`` by column as :class:`Lasso`
        has them; ``max_iter``, ``tol``, ``selection`` and ``random_state`` have no effect.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
    coefs : ndarray of shape (n_features, n_alphas) or (n_targets, n_features, n_alphas)
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
    return _path("lasso", X, y, 1.0, eps, n_alphas, alphas, return_n_iter, positive, params)


def enet_path(
    X: Any,
    y: ArrayLike,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    n_alphas: int | None = None,
    alphas: int | ArrayLike | None = None,
    precompute: Any = "auto",
    Xy: Any = None,
    copy_X: bool = True,
    coef_init: Any = None,
    verbose: Any = False,
    return_n_iter: bool = False,
    positive: bool = False,
    check_input: bool = True,
    **params: Any,
) -> tuple[NDArray, NDArray, NDArray]:
    """The elastic net at many penalties, as ``sklearn.linear_model.enet_path``: through zero, largest penalty first.

    Parameters and returns are those of :func:`lasso_path`, with ``l1_ratio``, the share of the penalty on absolute values, and
    ``check_input``, which has no effect: rows are checked while they are read.

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
        raise ValueError(
            f"l1_ratio must lie above 0 and at most at 1: at 0 no penalty is large enough to begin with. Got {share}"
        )
    return _path("elastic-net", X, y, share, eps, n_alphas, alphas, return_n_iter, positive, params)


def ridge_path(
    X: Any, y: ArrayLike, *, eps: float = 1e-10, alphas: int | ArrayLike = 100, sample_weight: ArrayLike | None = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Ridge at many penalties, from one decomposition: through zero, largest penalty first, as :func:`lasso_path`.

    Parameters
    ----------
    X : array-like or sparse array of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    eps : float, default=1e-10
        The smallest penalty over the largest, where ``alphas`` is a number.
    alphas : int or array-like, default=100
        How many penalties, or which, beside the summed loss as :class:`Ridge` has them. If a number is given, the largest is ten times the
        largest eigenvalue of X'X.
    sample_weight : array-like of shape (n_samples,), default=None

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
    coefs : ndarray of shape (n_features, n_alphas)
    dual_gaps : ndarray of shape (n_alphas,)
        Zero: the answers are in closed form.

    Examples
    --------
    >>> import numpy as np
    >>> from recta.linear_model import ridge_path
    >>> alphas, coefs, _ = ridge_path(np.diag([1.0, 2.0]), [1.0, 1.0], alphas=[1.0, 0.0])
    >>> coefs.round(12)  # 1 / (1 + alpha) and 2 / (4 + alpha)
    array([[0.5, 1. ],
           [0.4, 0.5]])
    """
    X, y = _checked(X, y)
    if y.ndim != 1:
        raise ValueError(f"y has {y.shape[1]} columns: this path is of one target at a time")
    options, how = _core.FitOptions(), path_options(alphas, eps, "ridge path")
    options.intercept, how.summed = False, bool(how.lambdas)
    weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
    found = _core.path("ridge", array_or_parts(X), y, weights, [], options, how)
    total = len(y) if weights is None else weights.sum()
    largest_first = np.sort(np.array(how.lambdas))[::-1] if how.lambdas else found.lambdas * total
    return largest_first, np.ascontiguousarray(found.coefficients.T), found.gaps


ElasticNet.path = staticmethod(enet_path)
