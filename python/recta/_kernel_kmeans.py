"""Clusters in the space of a kernel's features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClusterMixin

from . import _parameters
from ._attributes import keep_parameters
from ._kernel_transformer import KernelTransformer
from ._tensors import tensors
from ._text_rows import reads_texts

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike


@reads_texts
class KernelKMeans(ClusterMixin, KernelTransformer):
    """k-means in the space of a kernel's features; with ``kernel='linear'`` plain k-means.

    ``certificate_`` says that every row is nearest to the mean of its own cluster: a fixed point, and no proof that other clusters do not
    cost less. ``transform`` gives the distances of rows from the means of the clusters.

    Parameters
    ----------
    n_clusters : int, default=8
    kernel : {'linear', 'poly', 'polynomial', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'}, default='linear'
        Or a kernel of texts or graphs: a word such as 'string:subsequence' or 'graph:wl', or a ``recta.kernels.StringKernel`` or
        ``GraphKernel`` with parameters of its own. X is then a list of them.
    gamma : float, default=None
        None: 1 / n_features, and 1 for 'chi2'.
    degree : int, default=3
    coef0 : float, default=1
    n_init : int, default=10
        Random starts, of which the best is kept.
    random_state : int, RandomState instance or None, default=None
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.
    tolerance : float, default=1e-10

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, from 0; -1 for rows of weight 0.
    inertia_ : float
        Sum of the weighted squared distances from the means.
    n_iter_ : int
        Steps of the best start.
    n_features_in_ : int
    certificate_ : Certificate

    Examples
    --------
    >>> from recta.cluster import KernelKMeans
    >>> made = KernelKMeans(2, random_state=0).fit([[0.0], [1.0], [10.0], [11.0]])
    >>> made.inertia_, bool(made.labels_[0] == made.labels_[1] != made.labels_[2])
    (1.0, True)
    """

    _word = "kernel-kmeans"

    def __init__(self, n_clusters: int = 8, *, kernel: str = "linear", gamma: float | None = None, degree: int = 3, coef0: float = 1,
                 n_init: int = 10, random_state: Any = None, n_jobs: int | None = None, tolerance: float = 1e-10) -> None:
        keep_parameters(self, locals())

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Finds the clusters and proves that no row wants to move.

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
        asked = {"clusters": float(_parameters._whole(self, "n_clusters")), "starts": float(_parameters._whole(self, "n_init"))}
        rows = self._fitted(X, sample_weight, asked)
        found = tensors(self._model)
        self.labels_ = np.full(rows.shape[0], -1, dtype=np.int32)
        self.labels_[found["kernel_kmeans.rows"]] = found["kernel_kmeans.of_row"]
        self.inertia_ = float(found["kernel_kmeans.cost"].sum() * found["kernel_kmeans.weight"].sum())
        self.n_iter_ = int(found["fit.kernel_kmeans"][1])
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each row, from 0.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        X = self._rows(X)
        answers = self._worded(lambda: self._model.predict(X))
        return answers.reshape(-1, 2)[:, 0].astype(np.int32) - 1

    @property
    def _n_features_out(self):
        return self.n_clusters
