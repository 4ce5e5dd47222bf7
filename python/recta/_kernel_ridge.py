"""Ridge regression by a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _parameters
from ._docstrings import documented
from ._html import objective_line
from ._machine import MachineRegressor, rows_of
from ._tensors import tensors
from ._text_rows import reads_texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from numpy.typing import ArrayLike

    from ._core import Step

KERNELS = {"linear": "linear", "poly": "polynomial", "polynomial": "polynomial", "rbf": "rbf", "sigmoid": "sigmoid", "laplacian": "laplacian",
           "chi2": "chi2", "precomputed": "precomputed"}


def kernel_params(estimator, features):
    """The library's words for ``kernel``, ``gamma``, ``degree`` and ``coef0``, with scikit-learn's defaults of pairwise kernels."""
    name, word = type(estimator).__name__, estimator.kernel
    if not isinstance(word, str) or word not in KERNELS:
        raise ValueError(f"The 'kernel' parameter of {name} must be one of {', '.join(map(repr, KERNELS))}. Got {word!r} instead.")
    params: dict[str, Any] = {"kernel": KERNELS[word]}
    if KERNELS[word] not in ("linear", "precomputed"):
        params["gamma"] = (1.0 if word == "chi2" else 1.0 / features) if estimator.gamma is None else _parameters._number(estimator, "gamma", 0.0, above=True)
    if KERNELS[word] == "polynomial":
        degree = estimator.degree
        if isinstance(degree, bool) or degree != int(degree) or degree < 1:
            raise ValueError(f"The 'degree' parameter of {name} must be an int in the range [1, inf). Got {degree!r} instead.")
        params["degree"] = float(degree)
    if KERNELS[word] in ("polynomial", "sigmoid"):
        params["coef"] = _parameters._number(estimator, "coef0", 0.0 if KERNELS[word] == "polynomial" else -float("inf"))
    return params


def kernel_of(model):
    """The way back, for ``load``."""
    word = {recta: name for name, recta in KERNELS.items()}[model.params["kernel"]]
    out = {"kernel": word}
    gamma, sigma = model.params["gamma"], model.params["sigma"]
    if not np.isnan(sigma):
        gamma = 1 / (2 * sigma * sigma)
    if not np.isnan(gamma):
        out["gamma"] = gamma
    if word == "polynomial":
        out["degree"] = int(model.params["degree"])
    if word in ("polynomial", "sigmoid"):
        out["coef0"] = model.params["coef"]
    return out


@reads_texts
@documented
class KernelRidge(MachineRegressor):
    """Ridge regression by a kernel, as ``sklearn.kernel_ridge.KernelRidge``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - f(x_i))^2 + alpha |w|^2,    f(x) = <w, phi(x)> + b,    <phi(x), phi(z)> = k(x, z)

    Parameters
    ----------
    alpha : float, default=1
        Strength of the penalty, above zero.
    kernel : {'linear', 'poly', 'polynomial', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'}, default='linear'
        'sigmoid' is in general not positive semidefinite: the claim is then a stationary point.
        Or a kernel of texts or graphs: a word such as 'string:subsequence' or 'graph:wl', or a ``recta.kernels.StringKernel`` or
        ``GraphKernel`` with parameters of its own. X is then a list of them.
    gamma : float, default=None
        None: 1 / n_features, and 1 for 'chi2'.
    degree : int, default=3
    coef0 : float, default=1
    kernel_params
        Refused: a kernel that is a function is not taken; compute its matrix and pass ``kernel='precomputed'``.
    fit_intercept : bool, default=False
        scikit-learn's class has no intercept b; with True there is one, which is not penalised.
    leave_one_out : bool, default=False
        Compute ``loo_mse_``: about as much work as the fit.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Coefficients of the training rows; 0 for rows of weight 0.
    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features)
        The training rows.
    loo_mse_ : float or ndarray of shape (n_targets,)
        Mean squared error on every row left out, exactly, with the same alpha; only with ``leave_one_out``.

    Examples
    --------
    >>> from recta.kernel_ridge import KernelRidge
    >>> model = KernelRidge(kernel="rbf", gamma=1.0, alpha=0.5).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 2.0])
    >>> model.dual_coef_.round(6).tolist(), model.certificate_.verdict
    ([0.233784, 1.719804, 0.908692], 'proved')
    """

    _module = "recta.kernel_ridge"
    _word = "kernel-ridge"
    X_fit_: Any
    loo_mse_: float | np.ndarray

    def __init__(self, alpha: float = 1, *, kernel: str = "linear", gamma: float | None = None, degree: int = 3, coef0: float = 1,
                 kernel_params: None = None, fit_intercept: bool = False, leave_one_out: bool = False, n_jobs: int | None = None,
                 tolerance: float = 1e-10, time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision", unseen: str = "refuse") -> None:
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.leave_one_out = leave_one_out
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen

    def _params(self):
        if not hasattr(self, "n_features_in_"):
            return {}
        return kernel_params(self, self.n_features_in_) | {"tau": _parameters._number(self, "alpha", 0.0, above=True), "loo": bool(self.leave_one_out)}

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the model and proves the answer; as for every estimator here."""
        super().fit(X, y, sample_weight)
        self.X_fit_ = rows_of(X, np.arange(self.dual_coef_.shape[0]))
        return self

    def _learned(self, model, shape):
        self._model, self._one_target = model, len(shape) == 1
        self.n_iter_ = model.certificate.passes
        self.objective_ = objective_line(model)
        kept = tensors(model)
        alpha = np.zeros((shape[0], kept["kernel_ridge.alpha"].shape[0]))
        alpha[kept["kernel_ridge.rows"]] = kept["kernel_ridge.alpha"].T
        self.dual_coef_ = alpha[:, 0] if self._one_target else alpha
        b = kept["kernel_ridge.b"]
        self.intercept_ = (float(b[0]) if self._one_target else b) if self.fit_intercept else 0.0
        left_out = kept.get("kernel_ridge.left_out")
        self.__dict__.pop("loo_mse_", None)
        if left_out is not None:
            self.loo_mse_ = float(left_out[0]) if self._one_target else left_out

    @classmethod
    def _params_of(cls, model):
        tau, weight = model.params["tau"], model.weight_sum
        given = [strength for strength in (model.params["lambda"], model.params["lambda2"]) if not np.isnan(strength)]
        alpha = tau if not np.isnan(tau) else given[0] * weight if given else 1.0
        return kernel_of(model) | {"alpha": alpha, "fit_intercept": bool(tensors(model)["kernel_ridge.shape"][2]), "leave_one_out": model.params["loo"],
                                   "tolerance": model.certificate.tolerance}
