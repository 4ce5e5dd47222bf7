"""Principal components in the space of a kernel's features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve
from scipy.sparse import issparse
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from recta._base.checks import CHECKS
from recta._base.declared import estimator, parameter
from recta._estimator import parameters
from recta._fitted.tensors import tensors

from .text_rows import reads_texts
from .transformer import KernelTransformer


@reads_texts
@estimator("recta.decomposition")
class KernelPCA(KernelTransformer):
    """Kernel principal components, as ``sklearn.decomposition.KernelPCA``, with a proof.

    ``certificate_`` says that the components are eigenvectors of the kernel matrix about its mean, to how many digits, and whether it was shown
    that no direction beside them has more variance.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components_,)
        Of the kernel matrix about its mean, as scikit-learn has them: n_samples times ``explained_variance_``.
    explained_variance_ : ndarray of shape (n_components_,)
    explained_variance_ratio_ : ndarray of shape (n_components_,)
        Shares of the variance of all directions.
    dual_coef_ : ndarray of shape (n_samples, n_components_)
        ``transform`` is ``kernel(X, X_fit) @ dual_coef_ + intercept_``.
    intercept_ : ndarray of shape (n_components_,)
    eigenvectors_ : ndarray of shape (n_samples, n_components_)
        Of the kernel matrix about its mean, of length 1.
    X_transformed_fit_ : ndarray of shape (n_samples, n_components_)
        The components of the training rows; only with ``fit_inverse_transform``.
    inverse_coef_ : ndarray of shape (n_samples, n_features)
        ``inverse_transform`` is ``kernel(X, X_transformed_fit_) @ inverse_coef_``; scikit-learn calls it ``dual_coef_``.
    gamma_ : float
    n_components_ : int
    n_features_in_ : int
    certificate_ : Certificate

    Examples
    --------
    >>> import numpy as np
    >>> from recta.decomposition import KernelPCA
    >>> angle = np.linspace(0, 6, 40)
    >>> rings = np.vstack([np.c_[np.cos(angle), np.sin(angle)], 3 * np.c_[np.cos(angle), np.sin(angle)]])
    >>> made = KernelPCA(2, kernel="rbf", gamma=0.5).fit(rings)
    >>> made.transform(rings).shape, made.certificate_.verdict
    ((80, 2), 'proved')
    """

    n_components: float | None = parameter(
        default=None,
        kw_only=False,
        type="int or float",
        doc="How many; below 1 as many as carry that share of the variance; None: all that have any.",
    )
    kernel: Any = parameter(
        default="linear",
        type="{'linear', 'poly', 'polynomial', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'} or callable",
        doc="Or a kernel of texts or graphs: a word such as 'string:subsequence' or 'graph:wl', or a "
        "``recta.kernels.StringKernel`` or ``GraphKernel`` with parameters of its own. X is then a list of "
        "them. A callable takes two rows and gives a number.",
    )
    kernel_params: dict[str, Any] | None = parameter(
        default=None, type="dict", doc="Keyword arguments of a kernel that is a callable; other kernels ignore them."
    )
    alpha: float = parameter(
        default=1.0, low=0.0, doc="Penalty of the ridge regression by which ``inverse_transform`` is learned."
    )
    fit_inverse_transform: bool = parameter(
        default=False,
        doc="Learn ``inverse_transform``: a ridge regression of the rows on their components, by the same kernel.",
    )
    eigen_solver: str = parameter(default="auto", type="{'auto', 'dense', 'arpack', 'randomized'}")
    tol: float = parameter(default=0)
    max_iter: int | None = parameter(default=None)
    iterated_power: int | str = parameter(
        default="auto",
        type="int or 'auto'",
        doc="These four are without effect: the components are proved to ``tolerance``, however they are found.",
    )
    remove_zero_eig: bool = parameter(
        default=False,
        doc="Leave out components without variance. Otherwise there are ``n_components``, the last of them zero "
        "where the rows have fewer.",
    )
    random_state: Any = parameter(
        default=None,
        type="int, RandomState instance or None",
        doc="Of the first vectors where a few of many components are wanted.",
    )
    copy_X: bool = parameter(default=True, doc="Without effect: X is never written to.")
    tolerance: float = parameter(default=1e-10, low=0.0, doc="Of the eigenvectors, beside the largest eigenvalue.")

    _word = "kernel-pca"

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Finds the components and proves them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            With ``kernel='precomputed'`` the kernel matrix.
        y : ignored
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        rows = self._fitted(X, sample_weight, {}, components=self._wanted())
        found = tensors(self._model)
        self.explained_variance_ = found["kernel_pca.variance"]
        total = float(rows.shape[0]) if sample_weight is None else 1.0
        self.dual_coef_ = np.zeros((rows.shape[0], len(self.explained_variance_)))
        self.dual_coef_[found["kernel_pca.rows"]] = found["kernel_pca.alpha"].T
        self.intercept_ = found["kernel_pca.b"]
        if "kernel_pca.centre" in found:  # about which the rows of the linear kernel were taken
            centre = found["kernel_pca.centre"]
            self.intercept_ = self.intercept_ - found["kernel_pca.alpha"] @ (
                (found["kernel_pca.vectors"] - centre) @ centre
            )
        self._add_zeros(rows.shape[0])
        self.eigenvalues_ = self.explained_variance_ * total
        self.explained_variance_ratio_ = self.explained_variance_ / found["kernel_pca.total"]
        lengths = np.linalg.norm(self.dual_coef_, axis=0)
        self.eigenvectors_ = self.dual_coef_ / np.where(lengths > 0, lengths, 1.0)
        if self.fit_inverse_transform:
            self._fit_inverse_transform(rows, sample_weight)
        return self

    def _wanted(self):
        """How many components, or the share of the variance that they carry; all other parameters are checked."""
        wanted = self.n_components
        parameters.choice(self, "eigen_solver", dict.fromkeys(("auto", "dense", "arpack", "randomized"), 0))
        parameters.number(self, "alpha")
        if self.fit_inverse_transform and isinstance(self.kernel, str) and self.kernel == "precomputed":
            raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")
        if wanted is None:
            return 1e6
        if isinstance(wanted, bool) or not (0 < wanted < 1 or (wanted >= 1 and wanted == int(wanted))):
            raise ValueError(
                f"The 'n_components' parameter of KernelPCA must be an int from 1 up, a share between 0 and 1 or None. "
                f"Got {wanted!r} instead."
            )
        return float(wanted)

    def _add_zeros(self, rows):
        """Components without variance, up to the number that was asked for."""
        there = len(self.explained_variance_)
        wanted = (
            there
            if self.n_components is None or self.n_components < 1 or self.remove_zero_eig
            else min(int(self.n_components), rows)
        )
        more = max(wanted - there, 0)
        self.explained_variance_ = np.pad(self.explained_variance_, (0, more))
        self.dual_coef_ = np.pad(self.dual_coef_, ((0, 0), (0, more)))
        self.intercept_ = np.pad(self.intercept_, (0, more))
        self.n_components_ = there + more

    def _fitted(self, X, sample_weight, params, **options):
        if not callable(self.kernel):
            self._function_rows = None
            rows = super()._fitted(X, sample_weight, params, **options)
        else:
            rows = self._function_rows = validate_data(self, X, reset=True, **CHECKS)
            self._model = self._outcome(
                self._kernel_of(rows), [], sample_weight, {"kernel": "precomputed"} | params, **options
            ).model
        self.gamma_ = self.gamma if self.gamma is not None else 1.0 if self.kernel == "chi2" else 1 / rows.shape[1]
        return rows

    def _kernel_of(self, X, Y=None):
        """The kernel of rows, as a matrix."""
        given = (
            (self.kernel_params or {})
            if callable(self.kernel)
            else {"gamma": self.gamma_, "degree": self.degree, "coef0": self.coef0}
        )
        return pairwise_kernels(X, Y, metric=self.kernel, filter_params=True, **given)

    def _rows(self, X):
        rows = super()._rows(X)
        return rows if self._function_rows is None else self._kernel_of(rows, self._function_rows)

    def transform(self, X: Any) -> np.ndarray:
        made = super().transform(X)
        return np.pad(made, ((0, 0), (0, self.n_components_ - made.shape[1])))

    transform.__doc__ = KernelTransformer.transform.__doc__

    def _fit_inverse_transform(self, X, sample_weight):
        if issparse(X):
            raise NotImplementedError("Inverse transform not implemented for sparse matrices!")
        weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        rows = X[weights > 0]
        self.X_transformed_fit_ = self.transform(rows)
        values = self._kernel_of(self.X_transformed_fit_)
        values.flat[:: len(rows) + 1] += self.alpha / weights[weights > 0]
        self.inverse_coef_ = solve(values, rows, assume_a="pos", overwrite_a=True)

    @property
    def inverse_transform(self) -> Callable[[Any], np.ndarray]:
        """Rows whose components come near these, by ridge regression: ``inverse_transform(X)`` takes an array of shape (n_samples,
        n_components) and gives one of shape (n_samples, n_features). It is there only with ``fit_inverse_transform=True``.
        """
        if not self.fit_inverse_transform:  # NotFittedError is an AttributeError, so that hasattr is False
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and hence the inverse transform is "
                "not available."
            )
        return self._rows_near

    def _rows_near(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self._kernel_of(check_array(X, dtype=np.float64), self.X_transformed_fit_) @ self.inverse_coef_

    @property
    def _n_features_out(self):
        return self.n_components_
