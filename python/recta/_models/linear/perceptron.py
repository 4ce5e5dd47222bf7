"""Perceptrons: hyperplanes that learn from the rows on their wrong side."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight, validate_data

from recta import _core
from recta._base.checks import reworded
from recta._base.declared import estimator, learned, parameter
from recta._base.errors import DataError
from recta._data.input import array_or_parts
from recta._data.labels import ClassLabels, known_places
from recta._estimator import parameters
from recta._estimator.attributes import keeps_what_was_learned
from recta._estimator.classifier import LabelClassifier
from recta._fitted.certificate import Certificate

from .descent import NoProof, one_in_double, products, whole_number
from .sparse_coefficients import SparseCoefficients, dense


def takes_arriving_rows(model):
    """Whether there is a ``partial_fit`` with these parameters."""
    for word, value, known in (
        ("variant", model.variant, ("batch", "criterion", "averaged")),
        ("order", model._order(), ("cyclic", "shuffled")),
        ("start", model.start, ("zero",)),
    ):
        if value not in known:
            raise AttributeError(
                f"there is no partial_fit with {word}={value!r}: of rows that arrive it takes {' or '.join(map(repr, known))}"
            )
    if isinstance(model.class_weight, str):
        raise AttributeError(
            f"there is no partial_fit with class_weight={model.class_weight!r}: the rows to come are not known; pass a dict"
        )
    return True


@estimator("recta.linear_model")
class Perceptron(SparseCoefficients, LabelClassifier):
    """The perceptron, as ``sklearn.linear_model.Perceptron`` without a penalty. Where its hyperplane separates two classes, that is
    proved; where it does not, it is asked whether any can. With more classes each has its own, against the rest, and the
    certificate says which can be separated.

    The steps descend on the perceptron criterion, where ``v_i`` is the weight of row i (1 if omitted) and ``y_i`` is -1 or 1::

        sum_i v_i max(0, -y_i z_i),    z_i = <w, x_i> + b

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.
    mistakes_, presented_ : int
        Changes of the weights, and rows presented, of all classes together.
    mistake_bound_ : int or None
        (R B)^2, where the classes are separable and the theorem holds: from zero and at a constant rate. With more than two classes
        their sum, where it holds for each.
    radius_, norm_ : float or None
        Of two classes R, the longest row with its constant 1, and B, the least |w'| with y <w', x'> >= 1 in every row.

    Examples
    --------
    >>> from recta.linear_model import Perceptron
    >>> model = Perceptron(variant="batch", order="cyclic").fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.mistakes_, model.mistake_bound_
    ([[3.0]], [-7.0], 25, 493)
    >>> model.certificate_.verdict, model.predict([[2.0], [3.0]]).tolist()
    ('proved', ['no', 'yes'])
    """

    penalty: str | None = parameter(
        default=None,
        refused="a perceptron has no penalty here; LogisticRegression and RidgeClassifier have one",
        doc="Only their defaults.",
    )
    alpha: float = parameter(default=0.0001, free="there is no penalty")
    l1_ratio: float = parameter(default=0.15, free="there is no penalty")
    fit_intercept: bool = parameter(default=True, word="intercept")
    max_iter: int = parameter(default=1000, word="passes", doc="Passes over the rows at most.")
    tol: float = parameter(default=0.001, free="it ends after a pass without a mistake")
    shuffle: bool = parameter(default=True, word="order", doc="The rows, before each pass; False: in their order.")
    eta0: float = parameter(default=1.0, low=0.0, above=True, word="rate", doc="The rate.")
    n_jobs: int | None = parameter(
        default=None, doc="Threads of the proof; None: all cores. The answer has the same bits with any number."
    )
    random_state: Any = parameter(
        default=0, word="seed", type="int, RandomState instance or None", doc="Of the shuffles, and of a random start."
    )
    early_stopping: bool = parameter(
        default=False,
        refused="it ends after a pass without a mistake; variant='pocket' keeps the best point",
        doc="Only their defaults.",
    )
    validation_fraction: float = parameter(default=0.1, free="no rows are set aside")
    n_iter_no_change: int = parameter(default=5, free="it ends after a pass without a mistake")
    class_weight: dict[Any, float] | str | None = parameter(
        default=None,
        word="weights",
        type="dict or 'balanced'",
        doc="Multiplies the weights of a class's rows. A row of whole weight k is presented k times, other "
        "weights scale its steps.",
    )
    warm_start: bool = parameter(
        default=False, refused="start= gives the weights to begin with", doc="Only their defaults."
    )
    variant: str = parameter(
        default="criterion",
        word="variant",
        type="{'rosenblatt', 'batch', 'criterion', 'pocket', 'averaged'}",
        doc="rosenblatt: zero is right for the positive class; batch, criterion: zero is wrong; pocket: keeps the "
        "point with most rows right; averaged: answers with the mean of all points.",
    )
    order: str | None = parameter(
        default=None,
        word="order",
        type="{'cyclic', 'shuffled', 'random', 'first-mistake'}",
        doc="In place of ``shuffle``; first-mistake takes the lowest wrong row.",
    )
    schedule: str = parameter(
        default="constant",
        word="schedule",
        type="{'constant', '1/t', 'c/(c+t)'}",
        doc="Of the rate, t the rows presented so far.",
    )
    c: float = parameter(default=1000.0, low=0.0, above=True, word="c", doc="Of the schedule c/(c+t).")
    start: str = parameter(
        default="zero", word="start", doc="'zero', 'random', or numbers with commas: weights, then the intercept."
    )

    _word = "perceptron"

    mistakes_: int = learned()
    presented_: int = learned()
    mistake_bound_: int | None = learned()
    radius_: float | None = learned()
    norm_: float | None = learned()
    _arrived, _calls = None, 0  # where partial_fit is; None: it has not begun since the last fit

    def _order(self):
        return self.order if self.order is not None else "shuffled" if self.shuffle else "cyclic"

    def _params(self):
        return {
            "variant": self.variant,
            "order": self._order(),
            "rate": parameters.number(self, "eta0"),
            "schedule": self.schedule,
            "c": parameters.number(self, "c"),
            "start": self.start,
            "passes": float(whole_number(self, "max_iter")),
        }

    def _outcome(self, X, y, sample_weight, options, params, report):
        options.seed = 0 if self.random_state is None else int(check_random_state(self.random_state).randint(2**31 - 1))
        return super()._outcome(X, y, sample_weight, options, params, report)

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.intercept_ = one_in_double(self.intercept_)
        self._arrived, self._calls = None, 0
        counts = model.class_quality()
        if counts["mistakes"] == counts["mistakes"]:  # files of before have none
            self.mistakes_, self.presented_ = int(counts["mistakes"]), int(counts["presented"])
            self.t_ = float(self.presented_ // len(self.coef_) + 1)
            known = counts["mistake_bound"] == counts["mistake_bound"]
            self.mistake_bound_ = int(counts["mistake_bound"]) if known else None
            self.radius_, self.norm_ = (
                (counts["radius"], counts["norm"]) if known and len(self.classes_) == 2 else (None, None)
            )

    # rows as they arrive

    def _online_options(self):
        options = _core.OnlineOptions()
        options.loss, options.rate, options.schedule, options.c = (
            "perceptron",
            float(self.eta0),
            self.schedule,
            float(self.c),
        )
        options.intercept, options.average = bool(self.fit_intercept), self.variant == "averaged"
        return options

    def _resumed(self, options, cols, k):
        start = _core.OnlinePoint()
        if self._arrived is not None:
            (
                start.weights,
                start.intercept,
                start.mean_weights,
                start.mean_intercept,
                start.presented,
                start.averaged,
            ) = self._arrived[k]
        elif hasattr(self, "coef_"):
            start.weights, start.intercept = (
                np.ascontiguousarray(self.coef_[k], dtype=np.float64),
                float(self.intercept_[k]),
            )
            start.presented = getattr(self, "presented_", 0) // len(self.coef_)
        return _core.Online.begin(cols, options, start)

    @available_if(takes_arriving_rows)
    @keeps_what_was_learned
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Presents every row once and goes on from what was learned before, by scikit-learn's steps: a score that rounding
        alone keeps from zero has the sign it has, where ``fit`` takes it for zero. What was learned in this way has no proof,
        no count of mistakes and no file; ``fit`` has all three.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes; needed at the first call.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        options, first = self._online_options(), self._labels is None
        if self.feature_map is not None:
            raise ValueError(
                "partial_fit learns from the features themselves; make them by feature_map.fit_transform(X), or fit the rows"
            )
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=(np.float64, np.float32), reset=first, ensure_all_finite=False
        )
        dtype = X.dtype if first or not hasattr(self, "coef_") else self.coef_.dtype
        labels = self._labels if classes is None else ClassLabels(np.unique(classes), False, self.class_weight)
        if not first and classes is not None and not np.array_equal(labels.classes, self.classes_):
            raise ValueError(
                f"`classes={labels.classes.tolist()}` is not the same as on last call to partial_fit, was: {self.classes_.tolist()}"
            )
        places = known_places(y, labels.classes)
        weights = (
            None
            if sample_weight is None
            else np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        )
        if labels.class_weight is not None:
            weights = np.ascontiguousarray(labels.rows(labels.classes[places], weights)[1])
        seed, points = None, []
        if self._order() == "shuffled":
            seed = 0 if self.random_state is None else int(check_random_state(self.random_state).randint(2**31 - 1))
        learned = [1] if len(labels.classes) == 2 else range(len(labels.classes))  # of two classes the second
        try:
            for k, place in enumerate(learned):
                online = self._resumed(options, X.shape[1], k)
                signs = np.where(np.arange(len(labels.classes)) == place, 1.0, -1.0)
                online.learn(array_or_parts(X), signs.take(places), weights, seed, self._calls)
                points.append(online.point())
        except DataError as error:
            raise reworded(error, self) from None
        self._labels = labels
        self._took(points, dtype)
        return self

    def _took(self, points, dtype):
        self._calls += 1
        self._arrived = [
            (p.weights, p.intercept, p.mean_weights, p.mean_intercept, p.presented, p.averaged) for p in points
        ]
        mean = self.variant == "averaged" and points[0].averaged > 0
        self.coef_ = np.array([a[2] if mean else a[0] for a in self._arrived], dtype=dtype)
        self.intercept_ = one_in_double(np.array([a[3] if mean else a[1] for a in self._arrived], dtype=dtype))
        self.presented_, self.n_iter_ = sum(p.presented for p in points), 1
        self.t_ = float(points[0].presented + 1)
        for name in ("_model", "mistakes_", "mistake_bound_", "radius_", "norm_", "trace_"):
            self.__dict__.pop(name, None)

    @property
    def certificate_(self) -> Certificate | NoProof:
        """The proof of the answer; of what ``partial_fit`` learned there is none."""
        return super().certificate_ if self._arrived is None else NoProof("")

    def _model_or_refusal(self):
        if self._arrived is not None:
            raise ValueError("what partial_fit learned has no proof and no file; fit the rows to have them")
        return super()._model_or_refusal()

    def save(self, path: Any) -> None:
        """Writes the model as a .recta file, which the command line reads; the file is the old one or the new one."""
        self._model_or_refusal()
        super().save(path)

    def _scores(self, X):
        X = validate_data(self, X, accept_sparse="csr", dtype=(np.float64, np.float32), reset=False)
        return products(X, self)

    def _answers(self, X, answer, offset=None):
        if self._arrived is None:
            return super()._answers(X, answer, offset)
        scores = self._scores(X)
        if answer == _core.Answer.decision:
            return scores
        if answer == _core.Answer.distance:
            return scores / np.linalg.norm(dense(self.coef_), axis=1)
        return (scores >= 0 if scores.shape[1] == 1 else scores.argmax(axis=1)).astype(np.float64).reshape(-1, 1)

    def _is_turned(self):
        return self._arrived is None and super()._is_turned()

    @classmethod
    def _params_of(cls, model):
        words = model.params
        return (
            super()._params_of(model)
            | {word: words[word] for word in ("variant", "order", "schedule", "c", "start")}
            | {"eta0": words["rate"], "max_iter": int(words["passes"])}
        )
