"""Ridge regression by a kernel."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from recta._base.declared import estimator, learned, left_out, parameter
from recta._estimator import parameters
from recta._fitted.tensors import tensors

from .machine import MachineRegressor, rows_of
from .text_rows import reads_texts

KERNELS = {
    "linear": "linear",
    "poly": "polynomial",
    "polynomial": "polynomial",
    "rbf": "rbf",
    "sigmoid": "sigmoid",
    "laplacian": "laplacian",
    "chi2": "chi2",
    "precomputed": "precomputed",
}


def kernel_params(estimator, features):
    """The library's words for ``kernel``, ``gamma``, ``degree`` and ``coef0``, with scikit-learn's defaults of pairwise kernels."""
    name, word = type(estimator).__name__, estimator.kernel
    if not isinstance(word, str) or word not in KERNELS:
        raise ValueError(
            f"The 'kernel' parameter of {name} must be one of {', '.join(map(repr, KERNELS))}. Got {word!r} instead."
        )
    params: dict[str, Any] = {"kernel": KERNELS[word]}
    if KERNELS[word] not in ("linear", "precomputed"):
        params["gamma"] = (
            (1.0 if word == "chi2" else 1.0 / features)
            if estimator.gamma is None
            else parameters.number(estimator, "gamma")
        )
    if KERNELS[word] == "polynomial":
        degree = estimator.degree
        if isinstance(degree, bool) or degree != int(degree) or degree < 1:
            raise ValueError(
                f"The 'degree' parameter of {name} must be an int in the range [1, inf). Got {degree!r} instead."
            )
        params["degree"] = float(degree)
    if KERNELS[word] in ("polynomial", "sigmoid"):
        params["coef"] = parameters._number(estimator, "coef0", 0.0 if KERNELS[word] == "polynomial" else -float("inf"))
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
@estimator("recta.kernel_ridge")
class KernelRidge(MachineRegressor):
    """Ridge regression by a kernel, as ``sklearn.kernel_ridge.KernelRidge``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - f(x_i))^2 + alpha |w|^2,    f(x) = <w, phi(x)> + b,    <phi(x), phi(z)> = k(x, z)

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
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

    alpha: float = parameter(
        default=1, low=0.0, above=True, kw_only=False, word="tau", doc="Strength of the penalty, above zero."
    )
    kernel: str = parameter(
        default="linear",
        word="kernel",
        type="{'linear', 'poly', 'polynomial', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'}",
        doc="'sigmoid' is in general not positive semidefinite: the claim is then a stationary point. Or a kernel "
        "of texts or graphs: a word such as 'string:subsequence' or 'graph:wl', or a "
        "``recta.kernels.StringKernel`` or ``GraphKernel`` with parameters of its own. X is then a list of "
        "them.",
    )
    gamma: float | None = parameter(
        default=None, low=0.0, above=True, word="gamma", doc="None: 1 / n_features, and 1 for 'chi2'."
    )
    degree: int = parameter(default=3, word="degree")
    coef0: float = parameter(default=1, word="coef")
    kernel_params: None = parameter(
        default=None, refused="a kernel that is a function is not taken; its matrix is, with kernel='precomputed'"
    )
    fit_intercept: bool = parameter(
        default=False,
        word="intercept",
        doc="scikit-learn's class has no intercept b; with True there is one, which is not penalised.",
    )
    leave_one_out: bool = parameter(
        default=False, word="loo", doc="Compute ``loo_mse_``: about as much work as the fit."
    )
    feature_map: Any = left_out()

    _word = "kernel-ridge"
    X_fit_: Any = learned()
    loo_mse_: float | np.ndarray = learned()

    def _params(self):
        if not hasattr(self, "n_features_in_"):
            return {}
        return kernel_params(self, self.n_features_in_) | {
            "tau": parameters.number(self, "alpha"),
            "loo": bool(self.leave_one_out),
        }

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the model and proves the answer; as for every estimator here."""
        super().fit(X, y, sample_weight)
        self.X_fit_ = rows_of(X, np.arange(self.dual_coef_.shape[0]))
        return self

    def _learned(self, model, shape):
        self._model, self._one_target = model, len(shape) == 1
        self.n_iter_ = model.certificate.passes
        self.objective_ = model.objective_with_strengths
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
        return kernel_of(model) | {
            "alpha": alpha,
            "fit_intercept": bool(tensors(model)["kernel_ridge.shape"][2]),
            "leave_one_out": model.params["loo"],
            "tolerance": model.certificate.tolerance,
        }
