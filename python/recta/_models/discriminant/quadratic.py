"""Quadratic discriminant analysis: a covariance of its own for every class."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from recta._base.declared import estimator, parameter

from .gaussian_classes import GaussianClasses, check_priors, shrinkage_text


@estimator("recta.discriminant_analysis")
class QuadraticDiscriminantAnalysis(GaussianClasses):
    """Gaussian classes with covariances of their own, as ``sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis``,
    with a proof.

    Rows may have weights, which scikit-learn's class does not take. A class whose rows do not vary in as many directions as
    all rows do has no density to compare, which is an error in scikit-learn. Here the share ``tol`` of the variances of all
    rows is added to its own, with a warning; ``shrinkage``, ``towards_pooled`` and ``reg_param`` do it by more.

    Attributes
    ----------
    classes_, covariance_, means_, priors_, rotations_, scalings_
        As in scikit-learn.
    certificate_ : Certificate
        The proof: the equations of means, covariances and their factors, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.discriminant_analysis import QuadraticDiscriminantAnalysis
    >>> X = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [4.0, 4.0], [6.0, 7.0], [8.0, 2.0]]
    >>> model = QuadraticDiscriminantAnalysis().fit(X, [0, 0, 0, 1, 1, 1])
    >>> model.predict([[1.0, 1.0], [5.0, 3.0]]).tolist(), model.certificate_.verdict
    ([0, 1], 'proved')
    """

    solver: str = parameter(
        default="svd",
        type="{'svd', 'eigen'}",
        doc="'svd' takes ``reg_param``, 'eigen' takes ``shrinkage``, as in scikit-learn; the computation is the same.",
    )
    shrinkage: float | str | None = parameter(
        default=None,
        type="'auto', 'oas' or float",
        doc="How far each covariance moves towards equal variances without correlation.",
    )
    priors: ArrayLike | None = parameter(
        default=None,
        type="array-like of shape (n_classes,)",
        doc="Probabilities of the classes; None: their shares of the rows.",
    )
    reg_param: float = parameter(default=0.0, doc="How far each covariance moves towards the identity.")
    store_covariance: bool = parameter(default=False, doc="Whether there is ``covariance_``.")
    tol: float = parameter(
        default=0.0001,
        doc="A direction whose standard deviation, in units of the columns', is no larger counts as constant.",
    )
    covariance_estimator: None = parameter(
        default=None, doc="Only None: the proof is that of the library's own estimate."
    )
    towards_pooled: float = parameter(
        default=0.0, doc="How far each covariance moves towards that of all classes (Friedman 1989)."
    )

    _word = "qda"

    def _read(self, X):
        return super()._read(X).without_references()

    def _params(self):
        if self.solver not in ("svd", "eigen"):
            raise ValueError(f"solver must be 'svd' or 'eigen'; got {self.solver!r}")
        if self.covariance_estimator is not None:
            raise ValueError(
                "covariance_estimator is not supported; pass shrinkage = 'auto', 'oas' or a number with solver='eigen'"
            )
        if self.solver == "svd" and self.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        if not 0 <= self.reg_param <= 1:
            raise ValueError(f"reg_param must be from 0 to 1; got {self.reg_param!r}")
        params = {
            "shrinkage": shrinkage_text(self.shrinkage),
            "priors": "learned",
            "towards-pooled": float(self.towards_pooled),
            "rank-tolerance": float(np.clip(self.tol, 1e-8, 1.0)),
            "regularisation": float(self.reg_param) if self.solver == "svd" else 0.0,
        }
        if self.priors is not None:
            params["priors"] = self._given_priors(check_priors(self.priors))
        return params

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learns means and covariances, and proves them in a fresh pass over the rows.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Columns of categories become columns of 0 and 1, one per level but the first.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent.

        Returns
        -------
        self
        """
        X, places, sample_weight = self._labelled(X, y, sample_weight)
        self._learned(self._fitted(X, places, sample_weight, self._params()))
        return self

    def _learned(self, found):
        flat = self.classes_[found["discriminant.added"] > 0]
        if len(flat):
            warnings.warn(
                f"The covariance of class {', '.join(map(str, flat))} is not full rank: a share of {self.tol:g} of the "
                "variances of all rows was added to its own",
                UserWarning,
                stacklevel=3,
            )
        self.priors_, self.means_ = found["discriminant.prior"], found["discriminant.mean"]
        self._covariance, self._eigen = found["discriminant.covariance"], None
        self.__dict__.pop("covariance_", None)
        if self.store_covariance:
            self.covariance_ = list(self._covariance)

    def _axes(self):
        if self._eigen is None:
            self._eigen = [np.linalg.eigh(matrix) for matrix in self._covariance]
        return self._eigen

    @property
    def scalings_(self) -> list[np.ndarray]:
        """Variances along the axes of each class, the largest first."""
        check_is_fitted(self)
        return [values[::-1] for values, _ in self._axes()]

    @property
    def rotations_(self) -> list[np.ndarray]:
        """Axes of each class, one per column."""
        check_is_fitted(self)
        return [vectors[:, ::-1] for _, vectors in self._axes()]
