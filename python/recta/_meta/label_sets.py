"""Classifiers of rows with any number of labels: one model of the library, with a model of two classes per label inside."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, validate_data

from recta import _core
from recta._base.checks import CHECKS
from recta._base.declared import estimator, learned, parameter
from recta._base.scikit_learn import BaseEstimator, ClassifierMixin
from recta._data.input import arranged, array_or_parts
from recta._estimator.classifier import LabelClassifier
from recta._fitted.certificate import Certificate


class _OfSets:
    """What a classifier does differently where the library fits it for every label at once: it asks for labels, and keeps the model."""

    _ask = None  # sets the options about labels

    def _are_plain(self, y, sample_weight, rows):
        return False

    def _targets(self, X, y, sample_weight):
        return y, sample_weight, []

    def _target_count(self, y):
        return 1  # each label is a problem of its own

    def _problem(self, X, y, sample_weight, options, report):
        if arranged(X)[0]:
            raise ValueError(
                "LabelSetClassifier reads numbers, and a column of X holds categories; OneHotEncoder makes numbers of them"
            )
        self._ask(options)
        return super()._problem(X, y, sample_weight, options, report)

    def _weigh(self, options):
        pass

    def _learned(self, model, shape):
        self.__dict__["_model"] = model

    @property
    def _model(self):
        return self.__dict__["_model"]


def runs_in_the_library(estimator):
    """Whether the library can fit this estimator for every label at once."""
    return isinstance(estimator, LabelClassifier) and getattr(estimator, "class_weight", None) is None


def _has_probabilities(self):
    known = self._model if hasattr(self, "_model") else None
    return known.has_probabilities if known is not None else hasattr(self.estimator, "predict_proba")


@estimator("recta.multioutput")
class LabelSetClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Rows with any number of labels: a Recta classifier per label (binary relevance), or chains of them, with their proofs.

    It is one model, which a ``.recta`` file holds as a whole and the command line reads, and each label's model keeps its certificate.

    Attributes
    ----------
    classes_ : ndarray of shape (n_labels,)
        The columns of y.
    certificate_ : Certificate
        It says how many labels are proved.
    certificates_ : list of Certificate
        Of every label's model; labels that all training rows have, or none, are constants and have no model.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> import recta
    >>> from recta.linear_model import LogisticRegression
    >>> from recta.multioutput import LabelSetClassifier
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> Y = np.column_stack([y == "Iris-setosa", X[:, 0] > 6]).astype(int)
    >>> model = LabelSetClassifier(LogisticRegression(), order=[1, 0]).fit(X, Y)
    >>> model.predict(X[[0, -1]]).tolist(), model.certificate_.verdict
    ([[1, 0], [0, 0]], 'proved')
    """

    estimator: Any = parameter(
        kw_only=False,
        type="a classifier of Recta's",
        doc="Such as ``LogisticRegression()``, ``SVC()`` or ``KNeighborsClassifier()``; one with ``class_weight`` is refused.",
    )
    order: Sequence[int] | str | None = parameter(
        default=None,
        type="sequence of int or 'random'",
        doc="A chain: the model of a label also reads the labels before it, those of the rows in training and its own at "
        "prediction. None: every label by itself.",
    )
    chains: int | None = parameter(
        default=None, doc="Number of chains in random orders, whose probabilities (or scores) are averaged."
    )
    threshold: float | Sequence[float] | str | None = parameter(
        default=None,
        type="float, sequence of float or 'held-out'",
        doc="Probability, or score where there is none, from which on a row has the label; one per label, where several are "
        "given. 'held-out': those of the best F1 on a quarter of the rows, by a fit to the others. None: 0.5, or the score 0.",
    )
    random_state: Any = parameter(
        default=None,
        type="int, RandomState instance or None",
        doc="Of the random orders, and of the rows held out.",
    )

    classes_: np.ndarray = learned()
    n_features_in_: int = learned()
    feature_names_in_: np.ndarray = learned()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_label = True
        tags.classifier_tags.multi_class = False
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = True
        tags._skip_test = True  # as scikit-learn's own: its checks give classifiers one column
        return tags

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits a model per label and proves each.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
        y : array-like of 0 and 1 of shape (n_samples, n_labels)
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        if not runs_in_the_library(self.estimator):
            raise ValueError(
                f"LabelSetClassifier takes a classifier of Recta's without class_weight, not {self.estimator!r}; "
                "recta.multioutput.MultiOutputClassifier takes any"
            )
        Y = self._checked(y)
        check_consistent_length(X, Y)
        inner = clone(self.estimator)
        inner.__class__ = type(f"{type(inner).__name__}OfSets", (_OfSets, type(inner)), {"_word": inner._word})
        inner._ask = partial(self._set_labels, names=[f"y{k + 1}" for k in range(Y.shape[1])])
        outcome = inner._fitted(X, Y, sample_weight, None)
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(inner, name):
                setattr(self, name, getattr(inner, name))
        self._model, self.classes_ = outcome.model, np.arange(Y.shape[1])
        if outcome.model.certificate.verdict == "stopped_early":
            warnings.warn(self.certificate_.sentence, ConvergenceWarning, stacklevel=2)
        if outcome.raised is not None:
            raise outcome.raised
        return self

    def _checked(self, y):
        if y is None:
            raise ValueError("LabelSetClassifier requires y to be passed, but the target y is None")
        Y = check_array(y.toarray() if hasattr(y, "toarray") else y, ensure_2d=False, input_name="y", estimator=self)
        if Y.ndim != 2:
            raise ValueError(
                f"y has shape {Y.shape}, and must have at least two dimensions for multi-output: a column of 0 and 1 per label"
            )
        kind = type_of_target(Y)
        if not np.isin(Y, (0, 1)).all():
            raise ValueError(
                f"Unknown label type: {kind}. y holds something other than 0 and 1; MultiOutputClassifier takes other classes"
            )
        return np.ascontiguousarray(Y, dtype=np.float64)

    def _set_labels(self, options, names):
        options.label_columns = names
        labels = len(names)
        if self.chains is not None:
            if self.order is not None or not isinstance(self.chains, Integral) or self.chains < 1:
                raise ValueError(
                    f"chains={self.chains!r} with order={self.order!r}: give a number of chains from 1 up, or one order"
                )
            options.chains = int(self.chains)
        elif isinstance(self.order, str):
            if self.order != "random":
                raise ValueError(
                    f"The 'order' parameter of LabelSetClassifier must be a list of columns, 'random' or None. Got {self.order!r}."
                )
            options.chains = 1
        elif self.order is not None:
            order = [int(k) for k in self.order]
            if sorted(order) != list(range(labels)):
                raise ValueError("invalid order: it must name every column of y once")
            options.chain = [options.label_columns[k] for k in order]
        self._set_thresholds(options, labels)
        if options.chains or options.threshold_share:
            options.chain_seed = int(check_random_state(self.random_state).randint(2**31))
        if options.threshold_share and self.random_state is not None:
            options.seed = options.chain_seed

    def _set_thresholds(self, options, labels):
        if isinstance(self.threshold, str):
            if self.threshold != "held-out":
                raise ValueError(
                    f"The 'threshold' parameter of LabelSetClassifier must be numbers or 'held-out'. Got {self.threshold!r}."
                )
            options.threshold_share = 0.25
        elif isinstance(self.threshold, Real):
            options.label_thresholds = [("", float(self.threshold))]
        elif self.threshold is not None:
            each = [float(number) for number in self.threshold]
            if len(each) != labels:
                raise ValueError(f"there are {len(each)} thresholds and {labels} labels")
            options.label_thresholds = list(zip(options.label_columns, each, strict=True))

    def _answers(self, X, answer):
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **CHECKS)
        return self._model.predict(array_or_parts(X), answer=answer)

    def predict(self, X: Any) -> np.ndarray:
        """A column of 0 and 1 per label."""
        return self._answers(X, _core.Answer.prediction).astype(np.int64)

    def decision_function(self, X: Any) -> np.ndarray:
        """A column of scores per label; without a threshold a row has the label from 0 up."""
        return self._answers(X, _core.Answer.decision)

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """A column per label: the probability that the row has it."""
        return self._answers(X, _core.Answer.probability)

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """The share of rows whose set of labels is right as a whole."""
        right = (self.predict(X) == self._checked(y)).all(axis=1)
        return float(np.average(right, weights=None if sample_weight is None else np.asarray(sample_weight)))

    @property
    def certificate_(self) -> Certificate:
        """The proof of the whole: how many labels' models are proved."""
        check_is_fitted(self)
        return Certificate(self._model.certificate, self._model)

    @property
    def certificates_(self) -> list[Certificate]:
        """The proofs of the labels' models, chain by chain."""
        check_is_fitted(self)
        return [Certificate(part.certificate, part) for part in self._model.part_models]

    @property
    def report_(self) -> Mapping[str, Any]:
        """Figures and the table of labels, as the command line prints them."""
        check_is_fitted(self)
        return self._model.report

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a .recta file, which the command line and :func:`recta.load` read."""
        check_is_fitted(self)
        self._model.save(os.fspath(path))
