"""Linear discriminant analysis: one covariance for all classes, and the directions that separate them."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from recta._base.declared import estimator, parameter
from recta._base.scikit_learn import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from .gaussian_classes import GaussianClasses, check_priors, shrinkage_text


@estimator("recta.discriminant_analysis")
class LinearDiscriminantAnalysis(ClassNamePrefixFeaturesOutMixin, TransformerMixin, GaussianClasses):
    """Gaussian classes with one covariance, as ``sklearn.discriminant_analysis.LinearDiscriminantAnalysis``, with a proof.

    The covariance comes from the products of columns about the means of the classes, in one pass; ``solver`` only says
    which of scikit-learn's conventions hold. Rows may have weights, which scikit-learn's class does not take.

    Attributes
    ----------
    classes_, coef_, covariance_, explained_variance_ratio_, intercept_, means_, priors_, scalings_, xbar_
        As in scikit-learn. For three classes or more, the coefficients with 'lsqr' and 'eigen' are about the mean of the
        classes, as with 'svd': scores differ by a number that all classes share.
    fisher_ratios_ : ndarray of shape (n_directions,)
        Variance between the classes over that inside them, along each direction.
    certificate_ : Certificate
        The proof: the equations of means, covariance and coefficients, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.discriminant_analysis import LinearDiscriminantAnalysis
    >>> X = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [4.0, 4.0], [5.0, 5.0], [6.0, 4.0]]
    >>> model = LinearDiscriminantAnalysis().fit(X, [0, 0, 0, 1, 1, 1])
    >>> model.predict([[1.0, 2.0], [5.0, 3.0]]).tolist(), model.certificate_.verdict
    ([0, 1], 'proved')
    """

    solver: str = parameter(
        default="svd",
        kw_only=False,
        type="{'svd', 'lsqr', 'eigen'}",
        doc="'svd': no shrinkage, and directions in which no class varies, by ``tol``, play no part. 'eigen': "
        "``transform`` does not centre. With 'lsqr' and 'eigen' the covariances of the classes are weighed by "
        "the priors. Unlike scikit-learn's, 'lsqr' can ``transform``.",
    )
    shrinkage: float | str | None = parameter(
        default=None,
        kw_only=False,
        type="'auto', 'oas' or float",
        doc="How far the covariances move towards equal variances without correlation: by Ledoit and Wolf's rule, "
        "by that of Chen and others, or by a share from 0 to 1.",
    )
    priors: ArrayLike | None = parameter(
        default=None,
        kw_only=False,
        type="array-like of shape (n_classes,)",
        doc="Probabilities of the classes; None: their shares of the rows.",
    )
    n_components: int | None = parameter(
        default=None,
        kw_only=False,
        doc="Directions that ``transform`` gives; None: all, at most one less than classes.",
    )
    store_covariance: bool = parameter(default=False, kw_only=False, doc="Whether there is ``covariance_`` with 'svd'.")
    tol: float = parameter(
        default=0.0001,
        kw_only=False,
        doc="A direction whose standard deviation, in units of the columns', is no larger counts as constant.",
    )
    covariance_estimator: None = parameter(
        default=None, kw_only=False, doc="Only None: the proof is that of the library's own estimate."
    )

    _word = "lda"
    _least_rows = 2

    def _read(self, X):
        return super()._read(X).without_references()

    def _params(self):
        if self.solver not in ("svd", "lsqr", "eigen"):
            raise ValueError(f"solver must be 'svd', 'lsqr' or 'eigen'; got {self.solver!r}")
        if self.covariance_estimator is not None:
            raise ValueError(
                "covariance_estimator is not supported; pass shrinkage = 'auto', 'oas' or a number with solver='lsqr'"
            )
        if self.solver == "svd" and self.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        params = {"shrinkage": shrinkage_text(self.shrinkage), "priors": "learned"}
        if self.solver == "svd":
            params["rank-tolerance"] = float(np.clip(self.tol, 1e-8, 1.0))
        else:
            params["pooling"] = "priors"
        if self.priors is not None:
            priors = check_priors(self.priors)
            if abs(priors.sum() - 1.0) > 1e-5:
                warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=3)
            params["priors"] = self._given_priors(priors / priors.sum())
        return params

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learns means and covariance, and proves them in a fresh pass over the rows.

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
        self._check_components()
        self._learned(self._fitted(X, places, sample_weight, self._params()))
        return self

    def _check_components(self):
        if self.n_components is not None and self.n_components > min(len(self.classes_) - 1, self._width):
            raise ValueError("n_components cannot be larger than min(n_features, n_classes - 1).")

    @property
    def _max_components(self):
        return min(len(self.classes_) - 1, self._width) if self.n_components is None else self.n_components

    def _learned(self, found):
        self._check_components()
        self.priors_, self.means_ = found["discriminant.prior"], found["discriminant.mean"]
        coef, intercept = found["discriminant.coefficients"], found["discriminant.intercepts"]
        two = len(self.classes_) == 2
        self.coef_ = coef[1:] - coef[:1] if two else coef
        self.intercept_ = intercept[1:] - intercept[:1] if two else intercept
        self.scalings_ = found.get("discriminant.directions", np.empty((0, coef.shape[1]))).T
        self.fisher_ratios_ = found.get("discriminant.ratios", np.empty(0))
        with np.errstate(invalid="ignore"):
            self.explained_variance_ratio_ = (self.fisher_ratios_ / self.fisher_ratios_.sum())[: self._max_components]
        for name in ("xbar_", "covariance_"):
            self.__dict__.pop(name, None)
        if self.solver != "eigen":
            self.xbar_ = self.priors_ @ self.means_
        if self.solver != "svd" or self.store_covariance:
            self.covariance_ = found["discriminant.covariance"][0]
        self._n_features_out = min(self._max_components, self.scalings_.shape[1])

    def transform(self, X: Any) -> np.ndarray:
        """Rows along the directions that separate the classes best.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        X_new : ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        centred = X if self.solver == "eigen" else X - self.xbar_
        return centred @ self.scalings_[:, : self._n_features_out]
