"""Principal components in the space of a kernel's features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._attributes import keep_parameters
from ._kernel_transformer import KernelTransformer
from ._tensors import tensors
from ._text_rows import reads_texts

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike


@reads_texts
class KernelPCA(KernelTransformer):
    """Kernel principal components, as ``sklearn.decomposition.KernelPCA``, with a proof.

    ``certificate_`` says that the components are eigenvectors of the kernel matrix about its mean, to how many digits, and whether it was shown
    that no direction beside them has more variance.

    Parameters
    ----------
    n_components : int or float, default=None
        How many; below 1 as many as carry that share of the variance; None: all that have any.
    kernel : {'linear', 'poly', 'polynomial', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'}, default='linear'
        Or a kernel of texts or graphs: a word such as 'string:subsequence' or 'graph:wl', or a ``recta.kernels.StringKernel`` or
        ``GraphKernel`` with parameters of its own. X is then a list of them.
    gamma : float, default=None
        None: 1 / n_features, and 1 for 'chi2'.
    degree : int, default=3
    coef0 : float, default=1
    random_state : int, RandomState instance or None, default=None
        Of the first vectors where a few of many components are wanted.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.
    tolerance : float, default=1e-10
        Of the eigenvectors, beside the largest eigenvalue.

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

    _word = "kernel-pca"

    def __init__(self, n_components: float | None = None, *, kernel: str = "linear", gamma: float | None = None, degree: int = 3,
                 coef0: float = 1, random_state: Any = None, n_jobs: int | None = None, tolerance: float = 1e-10) -> None:
        keep_parameters(self, locals())

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
        wanted = self.n_components
        if wanted is None:
            wanted = 1e6
        elif isinstance(wanted, bool) or not (0 < wanted < 1 or (wanted >= 1 and wanted == int(wanted))):
            raise ValueError(f"The 'n_components' parameter of KernelPCA must be an int from 1 up, a share between 0 and 1 or None. "
                             f"Got {wanted!r} instead.")
        rows = self._fitted(X, sample_weight, {}, components=float(wanted))
        found = tensors(self._model)
        self.explained_variance_ = found["kernel_pca.variance"]
        self.eigenvalues_ = self.explained_variance_ * (rows.shape[0] if sample_weight is None else 1.0)
        self.explained_variance_ratio_ = self.explained_variance_ / found["kernel_pca.total"]
        self.dual_coef_ = np.zeros((rows.shape[0], len(self.eigenvalues_)))
        self.dual_coef_[found["kernel_pca.rows"]] = found["kernel_pca.alpha"].T
        self.intercept_ = found["kernel_pca.b"]
        self.n_components_ = len(self.eigenvalues_)
        return self

    @property
    def _n_features_out(self):
        return self.n_components_
