"""Clusters in the space of a kernel's features."""

from __future__ import annotations

import re
import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from recta._base.declared import estimator, parameter
from recta._base.errors import DataError
from recta._base.scikit_learn import ClusterMixin
from recta._estimator import parameters
from recta._fitted.tensors import tensors

from .text_rows import reads_texts
from .transformer import KernelTransformer


@reads_texts
@estimator("recta.cluster")
class KernelKMeans(ClusterMixin, KernelTransformer):
    """k-means in the space of a kernel's features; with ``kernel='linear'`` plain k-means.

    ``certificate_`` says that every row is nearest to the mean of its own cluster: a fixed point, which does not prove that no other clusters
    cost less. ``transform`` gives the distances of rows from the means of the clusters.

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

    n_clusters: int = parameter(
        default=8,
        kw_only=False,
        doc="If there are fewer different rows, these are the clusters, with a warning as in scikit-learn's KMeans.",
    )
    kernel: str = parameter(
        default="linear",
        type="{'linear', 'poly', 'polynomial', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'}",
        doc="Or a kernel of texts or graphs: a word such as 'string:subsequence' or 'graph:wl', or a "
        "``recta.kernels.StringKernel`` or ``GraphKernel`` with parameters of its own. X is then a list of "
        "them.",
    )
    n_init: int = parameter(default=10, doc="Random starts, of which the best is kept.")
    random_state: Any = parameter(default=None, type="int, RandomState instance or None")
    tolerance: float = parameter(default=1e-10, low=0.0)

    _word = "kernel-kmeans"

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
        rows = self._clustered(X, sample_weight, parameters._whole(self, "n_clusters"))
        found = tensors(self._model)
        self._clusters = len(found["kernel_kmeans.cost"])
        self.labels_ = np.full(rows.shape[0], -1, dtype=np.int32)
        self.labels_[found["kernel_kmeans.rows"]] = found["kernel_kmeans.of_row"]
        self.inertia_ = float(found["kernel_kmeans.cost"].sum() * found["kernel_kmeans.weight"].sum())
        self.n_iter_ = int(found["fit.kernel_kmeans"][1])
        return self

    def _clustered(self, X, sample_weight, clusters):
        """Fits this many clusters, or as many as there are different rows, which is said."""
        asked = {"clusters": float(clusters), "starts": float(parameters._whole(self, "n_init"))}
        try:
            return self._fitted(X, sample_weight, asked)
        except DataError as error:
            few = re.match(r"there are (\d+) different rows", error.what)
            if few is None:
                raise
        warnings.warn(
            f"Number of distinct clusters ({few[1]}) found smaller than n_clusters ({clusters}). Possibly due to duplicate points in X.",
            ConvergenceWarning,
            stacklevel=3,
        )
        return self._clustered(X, sample_weight, int(few[1]))

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
        return self._clusters
