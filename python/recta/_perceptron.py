"""Perceptrons: hyperplanes that learn from the rows on their wrong side."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sklearn.utils import check_random_state

from . import _parameters
from ._classifier import LabelClassifier
from ._descent import whole_number
from ._docstrings import documented

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._core import Step

LEARNED = re.compile(r"(\d+) mistakes? in (\d+) rows? presented(?:, of at most (\d+) )?")


@documented
class Perceptron(LabelClassifier):
    """The perceptron, as ``sklearn.linear_model.Perceptron`` without a penalty, of two classes. Where its hyperplane separates
    them, that is proved; where it does not, it is asked whether any can.

    Parameters
    ----------
    penalty, early_stopping, warm_start
        Only their defaults.
    alpha, l1_ratio, tol, validation_fraction, n_iter_no_change
        Without effect: there is no penalty, and it ends after a pass without a mistake.
    fit_intercept : bool, default=True
    max_iter : int, default=1000
        Passes over the rows at most.
    shuffle : bool, default=True
        The rows, before each pass; False: in their order.
    eta0 : float, default=1.0
        The rate.
    random_state : int, RandomState instance or None, default=0
        Of the shuffles, and of a random start.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows. A row of whole weight k is presented k times, other weights scale its steps.
    n_jobs : int, default=None
        Threads of the proof; None: all cores. The answer has the same bits with any number.
    variant : {'rosenblatt', 'batch', 'criterion', 'pocket', 'averaged'}, default='criterion'
        rosenblatt: zero is right for the positive class; batch, criterion: zero is wrong; pocket: keeps the point with most rows
        right; averaged: answers with the mean of all points.
    order : {'cyclic', 'shuffled', 'random', 'first-mistake'}, default=None
        In place of ``shuffle``; first-mistake takes the lowest wrong row.
    schedule : {'constant', '1/t', 'c/(c+t)'}, default='constant'
        Of the rate, t the rows presented so far.
    c : float, default=1000.0
        Of the schedule c/(c+t).
    start : str, default='zero'
        'zero', 'random', or numbers with commas: weights, then the intercept.%s    classes_ : ndarray of shape (2,)
        Sorted.
    mistakes_, presented_ : int
        Changes of the weights, and rows presented.
    mistake_bound_ : int or None
        (R B)^2, where the classes are separable and the theorem holds: from zero and at a constant rate.

    Examples
    --------
    >>> from recta.linear_model import Perceptron
    >>> model = Perceptron(variant="batch", order="cyclic").fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.mistakes_, model.mistake_bound_
    ([[3.0]], [-7.0], 25, 493)
    >>> model.certificate_.verdict, model.predict([[2.0], [3.0]]).tolist()
    ('proved', ['no', 'yes'])
    """

    _word = "perceptron"

    def __init__(self, *, penalty: str | None = None, alpha: float = 0.0001, l1_ratio: float = 0.15, fit_intercept: bool = True,
                 max_iter: int = 1000, tol: float = 1e-3, shuffle: bool = True, verbose: int | Callable[[Step], object] = 0,
                 eta0: float = 1.0, n_jobs: int | None = None, random_state: Any = 0, early_stopping: bool = False,
                 validation_fraction: float = 0.1, n_iter_no_change: int = 5,
                 class_weight: dict[Any, float] | str | None = None, warm_start: bool = False, variant: str = "criterion",
                 order: str | None = None, schedule: str = "constant", c: float = 1000.0, start: str = "zero",
                 tolerance: float = 1e-10, time_limit: float | None = None, confidence: float = 0.95,
                 weights_are: str = "precision") -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.variant = variant
        self.order = order
        self.schedule = schedule
        self.c = c
        self.start = start
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _params(self):
        order = self.order if self.order is not None else "shuffled" if self.shuffle else "cyclic"
        return {"variant": self.variant, "order": order, "rate": _parameters._number(self, "eta0", 0.0, above=True),
                "schedule": self.schedule, "c": _parameters._number(self, "c", 0.0, above=True), "start": self.start,
                "passes": float(whole_number(self, "max_iter"))}

    def _outcome(self, X, y, sample_weight, options, params, report):
        options.seed = 0 if self.random_state is None else int(check_random_state(self.random_state).randint(2**31 - 1))
        return super()._outcome(X, y, sample_weight, options, params, report)

    def _learned(self, model, shape):
        super()._learned(model, shape)
        found = next(filter(None, map(LEARNED.match, model.certificate.conditions)), None)
        if found:
            self.mistakes_, self.presented_ = int(found[1]), int(found[2])
            self.mistake_bound_ = int(found[3]) if found[3] else None

    @classmethod
    def _params_of(cls, model):
        words = model.params
        return super()._params_of(model) | {word: words[word] for word in ("variant", "order", "schedule", "c", "start")} | {
            "eta0": words["rate"], "max_iter": int(words["passes"])}
