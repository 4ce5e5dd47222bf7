"""Classifiers: classes become targets of -1 and 1, the library fits them, and scores become classes again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

from recta import _core
from recta._base.errors import DataError, UsageError
from recta._base.scikit_learn import ClassifierMixin
from recta._data.labels import ClassLabels, Labels, checked_labels, without_dropped_classes

from .certified import CertifiedEstimator


class CertifiedClassifier(ClassifierMixin, CertifiedEstimator):
    """Base of all classifiers whose score is linear in the features."""

    _one_column_is_flat = True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @property
    def classes_(self) -> np.ndarray:
        """The classes, sorted: numbers by value and text by code point."""
        if self._labels is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'classes_' before it is fitted")
        return self._labels.classes

    def _are_plain(self, y, sample_weight, rows):
        return False  # classes are looked at first

    def _targets(self, X, y, sample_weight):
        y = checked_labels(y, self)
        check_consistent_length(X, y)
        sample_weight, class_weight = without_dropped_classes(y, sample_weight, self.class_weight)
        labels = Labels.learned(y, sample_weight, class_weight, type(self).__name__)
        signs, weights = labels.rows(y, sample_weight)
        self._labels = labels
        return signs.reshape(len(y), -1), None if weights is None else np.ascontiguousarray(weights), labels.names()

    def _read(self, targets, path):
        self._labels = Labels.named(targets)
        if self._labels is None:
            raise ValueError(f"{path} holds no classes: its target is {', '.join(targets)}; a regressor reads it")

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores: above 0 is the second class of two; one column per class where there are more.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return self._values(X)

    def predict(self, X: Any) -> np.ndarray:
        """Predicts the class of each row: that of the largest score, the first of several; the second of two from 0 up.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,), or of 0 and 1 with one column per class where rows may have several
        """
        scores = self._values(X)
        return self._labels.predicted(scores)

    def fast_predictor(self) -> Callable[[np.ndarray], float | np.ndarray]:
        """A callable for serving, checked once, that gives what ``decision_function`` gives: a row in, its score or
        scores out. ``classes_[int(score >= 0)]`` is the class of two, ``classes_[scores.argmax()]`` of more.
        """
        check_is_fitted(self)
        return self._model.fast_predictor()


class LabelClassifier(CertifiedClassifier):
    """Base of classifiers whose model knows of classes: it has one class per row, and may have probabilities."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = False
        return tags

    def _targets(self, X, y, sample_weight):
        y = checked_labels(y, self)
        check_consistent_length(X, y)
        sample_weight, class_weight = without_dropped_classes(y, sample_weight, self.class_weight)
        self._labels = ClassLabels.learned(y, sample_weight, class_weight, type(self).__name__)
        if not self.__sklearn_tags__().classifier_tags.multi_class:
            self._labels.only_two(type(self).__name__)
        places, weights = self._labels.rows(y, sample_weight)
        return places, None if weights is None else np.ascontiguousarray(weights), ["y"]

    def _problem(self, X, y, sample_weight, options, report):
        problem = super()._problem(X, y, sample_weight, options, report)
        self._weigh(options)
        return problem

    def _weigh(self, options):
        self._labels.weigh(options)

    def _read(self, targets, path):
        pass  # a file's classes stand beside its targets

    def _learned(self, model, shape):
        if self._labels is None:
            self._labels = ClassLabels.of_model(model)
        else:
            model.name_classes(*self._labels.words())
        super()._learned(model, (shape[0],))
        self.coef_ = model.coefficients.astype(self._dtype, copy=False)
        self.intercept_ = model.intercepts.astype(self._dtype, copy=False)

    def _answers(self, X, answer, offset=None):
        state = self.__dict__
        if (
            offset is None
            and type(X) is np.ndarray
            and X.dtype == np.float64
            and "_model" in state
            and "feature_names_in_" not in state
        ):
            if X.ndim == 2 and len(X) and X.shape[1] == state.get("n_features_in_"):
                try:
                    return self._model.predict(X, answer=answer)
                except (UsageError, DataError):
                    pass  # found and worded below
        model = self._model_or_refusal()
        return self._at_rows(
            X, partial(model.predict, answer=answer), partial(model.predict_table, answer=answer), offset
        )

    def _flat(self, values):
        return values

    def _values(self, X, offset=None):
        scores = self._answers(X, _core.Answer.decision, offset)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def signed_distance(self, X: Any) -> np.ndarray:
        """Distances of the rows from the hyperplane, above zero on the side of the second class; of more classes, one column each, on
        the side of the class. Where scores are of classes together (several classes of LogisticRegression) there are none.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        distances : ndarray of shape (n_samples,) or (n_samples, n_classes)

        Examples
        --------
        >>> from recta.linear_model import Perceptron
        >>> model = Perceptron(variant="batch", order="cyclic").fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])  # 3 x - 7
        >>> model.signed_distance([[2.0], [4.0]]).round(6).tolist()
        [-0.333333, 1.666667]
        """
        found = self._answers(X, _core.Answer.distance)
        return found[:, 0] if found.shape[1] == 1 else found

    def predict(self, X: Any) -> np.ndarray:
        """Predicts the class of the largest score or probability for each row. A tie goes to the second of two classes, to the first of more.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return self._labelled(self._answers(X, _core.Answer.prediction))

    def _labelled(self, answers):
        if np.isnan(answers[:, 0]).any():
            row = np.flatnonzero(np.isnan(answers[:, 0]))[0]
            raise ValueError(
                f"row {row + 1}: its score is not a number, and so it has no class; its numbers are too large for the model"
            )
        places = answers[:, 0].astype(np.intp)
        return self.classes_.take(1 - places if self._is_turned() else places)

    def _is_turned(self):
        """Whether the file's order of two classes is not that of ``classes_``, whose second the score stands for."""
        return len(self.classes_) == 2 and self._model.positive_class == 0


class ProbabilityClassifier(LabelClassifier):
    """Base of classifiers with probabilities."""

    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """Scores: above 0 is the second class of two; one column per class where there are more.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        offset : array-like of shape (n_samples,), default=None
            Of these rows, if the fit had one.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return self._values(X, offset)

    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """Predicts the class of each row: that of the largest probability; of two equal ones the second, of more the first.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        offset : array-like of shape (n_samples,), default=None
            Of these rows, if the fit had one.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return self._labelled(self._answers(X, _core.Answer.prediction, offset))

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None
    ) -> float:
        """The share of the rows whose class is predicted."""
        return accuracy_score(y, self.predict(X, offset), sample_weight=sample_weight)

    def predict_proba(self, X: Any, offset: ArrayLike | None = None, *, corrected: bool = False) -> np.ndarray:
        """Probabilities of the classes, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        offset : array-like of shape (n_samples,), default=None
            Of these rows, if the fit had one.
        corrected : bool, default=False
            Without the class weights of the fit: probabilities for rows as they come.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        found = self._answers(X, _core.Answer.corrected if corrected else _core.Answer.probability, offset)
        return found[:, ::-1] if self._is_turned() else found

    def decide(self, X: Any, costs: Any) -> np.ndarray:
        """The class of the least expected cost, by probabilities that are corrected for class weights.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        costs : dict or array-like of shape (n_classes, n_classes)
            What it costs to miss a class, 1 for those not named; or of each true class, a row, what each class that is
            taken costs, a column, in the order of ``classes_``.

        Returns
        -------
        y : ndarray of shape (n_samples,)

        Examples
        --------
        >>> from recta.linear_model import LogisticRegression
        >>> model = LogisticRegression(C=1e6).fit([[0.0]] * 4 + [[1.0]] * 4, ["well"] * 4 + ["ill"] + ["well"] * 3)
        >>> model.predict([[1.0]]).tolist(), model.decide([[1.0]], {"ill": 20}).tolist()
        (['well'], ['ill'])
        """
        model = self._model_or_refusal()
        each = self._costs(costs)
        each = np.ascontiguousarray(each[::-1, ::-1] if self._is_turned() else each).ravel().tolist()
        return self._labelled(
            self._at_rows(X, partial(model.decide, costs=each), partial(model.decide_table, costs=each))
        )

    def _costs(self, costs):
        classes = self.classes_
        if not isinstance(costs, dict):
            return check_array(costs, dtype=np.float64, input_name="costs", estimator=self)
        strange = [label for label in costs if label not in classes]
        if strange:
            raise ValueError(f"costs: there is no class {strange[0]!r}; the classes are {classes.tolist()}")
        each = np.array([costs.get(label, 1.0) for label in classes.tolist()], dtype=np.float64)
        return each[:, None] * (1 - np.eye(len(classes)))

    def predict_log_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """Logarithms of the probabilities, from the scores: finite where a probability is below the smallest number.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        offset : array-like of shape (n_samples,), default=None
            Of these rows, if the fit had one.

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        z = self._answers(X, _core.Answer.decision, offset)
        if z.shape[1] == 1:
            return -np.logaddexp(0.0, np.hstack([z, -z]))
        above = z - z.max(axis=1, keepdims=True)
        return above - np.log(np.exp(above).sum(axis=1, keepdims=True))
