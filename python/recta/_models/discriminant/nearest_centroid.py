"""The class whose centroid is nearest."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from recta._base.declared import estimator, parameter

from .gaussian_classes import GaussianClasses, check_priors


def _is_euclidean(estimator):
    return estimator.metric == "euclidean"


@estimator("recta.neighbors")
class NearestCentroid(GaussianClasses):
    """The class whose centroid is nearest, as ``sklearn.neighbors.NearestCentroid``, with a proof.

    Rows may have weights, which scikit-learn's class does not take.

    Attributes
    ----------
    centroids_, class_prior_, classes_, deviations_, within_class_std_dev_
        As in scikit-learn.
    certificate_ : Certificate
        The proof: a mean leaves no sum of differences, a median no more than half of the weight on either side.

    Examples
    --------
    >>> from recta.neighbors import NearestCentroid
    >>> model = NearestCentroid().fit([[0.0], [1.0], [2.0], [7.0], [9.0]], [0, 0, 0, 1, 1])
    >>> model.centroids_.tolist(), model.predict([[4.0], [5.0]]).tolist(), model.certificate_.verdict
    ([[1.0], [8.0]], [0, 1], 'proved')
    """

    metric: str = parameter(
        default="euclidean",
        kw_only=False,
        type="{'euclidean', 'manhattan'}",
        doc="Distances to means, or sums of absolute differences from medians.",
    )
    shrink_threshold: float | None = parameter(
        default=None, doc="By how many standard errors centroids move towards the mean of all rows."
    )
    priors: Any = parameter(
        default="uniform",
        type="{'uniform', 'empirical'} or array-like of shape (n_classes,)",
        doc="Probabilities of the classes. Unless they are uniform, distances are in units of the columns' "
        "standard deviations inside the classes, as in scikit-learn.",
    )

    _checks = {"accept_sparse": ["csr", "csc"], "dtype": (np.float64, np.float32)}
    _word = "nearest-centroid"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learns the centroids, and proves them in a fresh pass over the rows.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
            Columns of categories become columns of 0 and 1, one per level.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent.

        Returns
        -------
        self
        """
        if self.metric not in ("euclidean", "manhattan"):
            raise ValueError(f"metric must be 'euclidean' or 'manhattan'; got {self.metric!r}")
        X, places, sample_weight = self._labelled(X, y, sample_weight)
        least, largest = X.min(axis=0), X.max(axis=0)
        if sparse.issparse(X):
            least, largest = least.toarray(), largest.toarray()
        if (least == largest).all():
            raise ValueError("All features have zero variance. Division by zero.")
        params = {"metric": self.metric, "shrink-threshold": float(self.shrink_threshold or 0.0)}
        found = self._fitted(X, places, sample_weight, params)
        self._learned(found)
        return self

    def _learned(self, found):
        weight = found["nearest_centroid.class_weight"]
        raw, middle = found["nearest_centroid.centroids"], found["nearest_centroid.middle"]
        self.centroids_ = found.get("nearest_centroid.shrunken", raw)
        self.within_class_std_dev_ = found.get("nearest_centroid.deviation", np.full(len(middle), np.nan))
        if (self.within_class_std_dev_ == 0).any():
            warnings.warn(
                "self.within_class_std_dev_ has at least 1 zero standard deviation. Inputs within the same classes for at "
                "least 1 feature are identical.",
                stacklevel=3,
            )
        unit = np.sqrt(1 / weight - 1 / weight.sum())[:, None] * (
            self.within_class_std_dev_ + np.median(self.within_class_std_dev_)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            self.deviations_ = (self.centroids_ - middle) / unit
        if isinstance(self.priors, str):
            if self.priors not in ("uniform", "empirical"):
                raise ValueError(f"priors must be 'uniform', 'empirical' or numbers; got {self.priors!r}")
            share = weight if self.priors == "empirical" else np.ones(len(weight))
            self.class_prior_ = share / share.sum()
            return
        priors = check_priors(self.priors)
        if not np.isclose(priors.sum(), 1.0):
            warnings.warn(
                "The priors do not sum to 1. Normalizing such that it sums to one.", UserWarning, stacklevel=3
            )
        self.class_prior_ = priors / priors.sum()

    def _scaled_scores(self, X):
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        X = X.toarray() if sparse.issparse(X) else X
        unit = np.where(self.within_class_std_dev_ != 0, self.within_class_std_dev_, 1.0)
        apart = (X[:, None, :] - self.centroids_) / unit
        far = np.abs(apart).sum(axis=2) ** 2 if self.metric == "manhattan" else (apart**2).sum(axis=2)
        with np.errstate(divide="ignore"):
            return 2.0 * np.log(self.class_prior_) - far

    def predict(self, X: Any) -> np.ndarray:
        """The class of the nearest centroid, the first of several.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        even = np.isclose(self.class_prior_, 1 / len(self.classes_)).all()
        scores = self._scores(X) if even else self._scaled_scores(X)
        return self.classes_[scores.argmax(axis=1)]

    @available_if(_is_euclidean)
    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes, with distances in units of the columns' standard deviations inside the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) for two classes, (n_samples, n_classes) for more
        """
        scores = self._scaled_scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    @available_if(_is_euclidean)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        scores = self._scaled_scores(X)
        above = scores - scores.max(axis=1, keepdims=True)
        return above - np.log(np.exp(above).sum(axis=1, keepdims=True))

    @available_if(_is_euclidean)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes: softmax of the scores.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        return np.exp(self.predict_log_proba(X))
