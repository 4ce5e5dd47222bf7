"""Fewer training rows for nearest neighbours."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Self

import numpy as np
from sklearn.utils import _safe_indexing

from recta import _core
from recta._base.declared import estimator, parameter
from recta._base.scikit_learn import BaseEstimator
from recta._estimator import parameters
from recta._estimator.shared import THREADS

from .k_nearest import KNeighborsClassifier

METHODS = ("condensed", "reduced", "edited")


@estimator("recta.neighbors")
class NeighborThinning(BaseEstimator):
    """Keeps fewer training rows for classes by nearest neighbours, with a proof of what they still answer.

    Attributes
    ----------
    sample_indices_ : ndarray of shape (n_kept,)
        The rows kept, in their order.
    training_error_ : float
        Share of all rows that the rows kept call another class.
    left_out_before_, left_out_after_ : float
        The same with every row called by the others: of all rows, and of those kept.
    contradictions_ : int
        Rows that have an equal row of another class.
    certificate_ : certificate with ``verdict``, ``conditions`` and ``sentence``
        What the rows kept answer, from fresh distances.

    Examples
    --------
    >>> from recta.neighbors import NeighborThinning
    >>> thinning = NeighborThinning()
    >>> X, y = thinning.fit_resample([[0], [1], [2], [10], [11], [12]], [0, 0, 0, 1, 1, 1])
    >>> X, y.tolist(), thinning.training_error_, thinning.certificate_.verdict
    ([[2], [10]], [0, 1], 0.0, 'proved')
    """

    method: str = parameter(
        default="condensed",
        kw_only=False,
        type="{'condensed', 'reduced', 'edited'}",
        doc="'condensed' adds rows until the nearest of them gives every row its class; 'reduced' then leaves out "
        "those that this does not need; 'edited' leaves out rows that their ``n_neighbors`` nearest others "
        "call another class.",
    )
    n_neighbors: int | None = parameter(default=None, doc="None: 3 for 'edited', 1 for the others, which take no more.")
    metric: str = parameter(default="minkowski", doc="As in KNeighborsClassifier.")
    p: float = parameter(default=2, low=1.0, doc="Power of 'minkowski'.")
    n_jobs: int | None = THREADS

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Finds the rows that are kept, ``sample_indices_``.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        self
        """
        if self.method not in METHODS:
            raise ValueError(
                f"The 'method' parameter of NeighborThinning must be one of {', '.join(map(repr, METHODS))}. Got {self.method!r} instead."
            )
        usual = 3 if self.method == "edited" else 1
        model = KNeighborsClassifier(self.n_neighbors or usual, metric=self.metric, p=self.p, n_jobs=self.n_jobs).fit(
            X, y
        )
        found = _core.thin(model._model, self.method, parameters.threads(self.n_jobs))
        self.n_features_in_ = model.n_features_in_
        self.__dict__.pop("feature_names_in_", None)
        if hasattr(model, "feature_names_in_"):
            self.feature_names_in_ = model.feature_names_in_
        self.sample_indices_ = found.rows
        self.training_error_ = found.training_error
        self.left_out_before_, self.left_out_after_ = found.left_out_before, found.left_out_after
        self.contradictions_ = found.contradictions
        proof = found.certificate
        self.certificate_ = SimpleNamespace(
            verdict=proof.verdict, conditions=list(proof.conditions), sentence=proof.sentence
        )
        return self

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """The rows kept and their classes.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        X_kept : of the kind of X
        y_kept : ndarray or series
        """
        self.fit(X, y)
        y = y if hasattr(y, "iloc") else np.asarray(y)
        return _safe_indexing(X, self.sample_indices_), _safe_indexing(y, self.sample_indices_)
