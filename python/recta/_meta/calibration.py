"""Probabilities that agree with how often classes occur, with scikit-learn's names and meanings, and proofs of the maps."""

from __future__ import annotations

import warnings
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import calibration as _calibration
from sklearn import get_config
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import LeaveOneOut, check_cv, cross_val_predict
from sklearn.utils import Bunch, _safe_indexing, column_or_1d, indexable
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params, _check_sample_weight

from recta._models.svm.linear_machines import LinearSVC

from .calibrated import CalibratedPart, evidence_of, of_shares


def _pair(estimator, X, y, split, method, classes, sample_weight, params):
    """A classifier fitted to the rows of one side of a split and calibrated by those of the other."""
    train, test = split
    estimator.fit(
        _safe_indexing(X, train), _safe_indexing(y, train), **_check_method_params(X, params=params, indices=train)
    )
    weights = None if sample_weight is None else _safe_indexing(sample_weight, test)
    part = CalibratedPart(estimator, classes, method)
    return part.learn(evidence_of(estimator, _safe_indexing(X, test), method), _safe_indexing(y, test), weights)


class CalibratedClassifierCV(_calibration.CalibratedClassifierCV):
    """Calibrated probabilities of any classifier, as ``sklearn.calibration.CalibratedClassifierCV``, with a proof of every map.

    The maps are learned from scores of rows that the classifier has not seen. Platt's curve, temperature and beta calibration are the
    exact minima of their losses and isotonic regression that of the squares; ``certificates_`` says how far each can be from it.

    Parameters
    ----------
    estimator : classifier, default=None
        With ``decision_function`` or ``predict_proba``; None: :class:`recta.svm.LinearSVC`.
    method : {'sigmoid', 'isotonic', 'temperature', 'beta'}, default='sigmoid'
        'sigmoid' is Platt's logistic curve of the scores, with his targets; 'isotonic' any map that does not fall; 'temperature' one
        factor for all scores, which changes no decision; 'beta' a curve of the logarithms of the probabilities, which scikit-learn
        does not have. Except by 'temperature', several classes are calibrated each against the rest and divided by their sum.
    cv : int, splitter or iterable, default=None
        The folds; None: five, stratified.
    n_jobs : int, default=None
        Fits at a time.
    ensemble : bool or 'auto', default='auto'
        True: the mean of the probabilities of all folds' classifiers; False: one classifier fitted to all rows, calibrated by the scores
        that those of the folds give rows they have not seen; 'auto': True unless the estimator is frozen.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.
    calibrated_classifiers_ : list
        A classifier with its maps per fold, or one.

    Examples
    --------
    >>> import recta
    >>> from recta.calibration import CalibratedClassifierCV
    >>> from recta.svm import LinearSVC
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> model = CalibratedClassifierCV(LinearSVC(), method="temperature", cv=3).fit(X, y)
    >>> model.predict_proba(X[:1]).argmax(), model.proved_
    (np.int64(0), '3 of 3 maps proved')
    """

    __module__ = "recta.calibration"

    _parameter_constraints = {
        **_calibration.CalibratedClassifierCV._parameter_constraints,
        "method": [StrOptions({"isotonic", "sigmoid", "temperature", "beta"})],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: str = "sigmoid",
        cv: Any = None,
        n_jobs: int | None = None,
        ensemble: bool | str = "auto",
    ) -> None:
        super().__init__(estimator, method=method, cv=cv, n_jobs=n_jobs, ensemble=ensemble)

    def _get_estimator(self):
        if self.estimator is not None:
            return self.estimator
        estimator = LinearSVC()
        return estimator.set_fit_request(sample_weight=True) if get_config()["enable_metadata_routing"] else estimator

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> CalibratedClassifierCV:
        """Fits the classifiers of all folds, and their maps.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, for the classifier, if it takes them, and for the maps.
        **fit_params : dict
            Passed to the classifier.
        """
        self._validate_params()
        check_classification_targets(y)
        X, y = indexable(X, column_or_1d(y, warn=True))
        estimator = self._get_estimator()
        self.classes_ = np.unique(np.asarray(y))
        params = self._routed(estimator, sample_weight, fit_params)
        self._check_folds(y)
        cv = check_cv(self.cv, y, classifier=True)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        ensemble = not isinstance(estimator, FrozenEstimator) if self.ensemble == "auto" else self.ensemble
        if ensemble:
            self.calibrated_classifiers_ = Parallel(n_jobs=self.n_jobs)(
                delayed(_pair)(
                    clone(estimator), X, y, split, self.method, self.classes_, sample_weight, params.estimator.fit
                )
                for split in cv.split(X, y, **params.splitter.split)
            )
        else:
            self.calibrated_classifiers_ = [self._of_all_rows(clone(estimator), X, y, cv, sample_weight, params)]
        first = self.calibrated_classifiers_[0].estimator
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(first, name):
                setattr(self, name, getattr(first, name))
        return self

    def _of_all_rows(self, estimator, X, y, cv, sample_weight, params):
        name = "decision_function" if hasattr(estimator, "decision_function") else "predict_proba"
        scores = cross_val_predict(estimator, X, y, cv=cv, method=name, n_jobs=self.n_jobs, params=params.estimator.fit)
        scores = np.asarray(scores, dtype=np.float64)
        evidence = (
            of_shares(scores, self.method)
            if name == "predict_proba"
            else np.ascontiguousarray(scores.reshape(len(scores), -1))
        )
        estimator.fit(X, y, **params.estimator.fit)
        return CalibratedPart(estimator, self.classes_, self.method).learn(evidence, y, sample_weight)

    def _routed(self, estimator, sample_weight, fit_params):
        if get_config()["enable_metadata_routing"]:
            return process_routing(self, "fit", sample_weight=sample_weight, **fit_params)
        params = dict(fit_params)
        if sample_weight is not None and "sample_weight" in signature(estimator.fit).parameters:
            params["sample_weight"] = sample_weight
        elif sample_weight is not None:
            warnings.warn(
                f"Since {type(estimator).__name__} does not appear to accept sample_weight, sample weights will only be used "
                "for the calibration itself.",
                stacklevel=3,
            )
        return Bunch(splitter=Bunch(split={}), estimator=Bunch(fit=params))

    def _check_folds(self, y):
        folds = self.cv if isinstance(self.cv, int) else getattr(self.cv, "n_splits", None)
        if folds and (np.unique(np.asarray(y), return_counts=True)[1] < folds).any():
            raise ValueError(
                f"Requesting {folds}-fold cross-validation but provided less than {folds} examples for at least one class."
            )
        if isinstance(self.cv, LeaveOneOut):
            raise ValueError(
                "LeaveOneOut cross-validation does not allow all classes to be present in test splits. "
                "Please use a cross-validation generator that allows all classes to appear in every test and train split."
            )

    @property
    def certificates_(self) -> list[str]:
        """What is proved about the maps of every classifier, in a sentence each."""
        return [part.sentence for part in self.calibrated_classifiers_]

    @property
    def proved_(self) -> str:
        """How many of them are proved, in words."""
        verdicts = [part.verdict for part in self.calibrated_classifiers_]
        return f"{verdicts.count('proved')} of {len(verdicts)} maps proved"
