"""What the estimators by single rows are given and what they leave behind: options of its steps, a line per pass, and words in place of a proof."""

from numbers import Integral
from typing import NamedTuple

import numpy as np

from recta import _core
from recta._data.input import array_or_parts
from recta._estimator import parameters
from recta._estimator.attributes import as_wide_as

from .sparse_coefficients import dense

OF_NUMBERS = {
    "squared_error": "squared",
    "huber": "huber",
    "epsilon_insensitive": "epsilon-insensitive",
    "squared_epsilon_insensitive": "squared-epsilon-insensitive",
}
LOSSES = {
    "SGDRegressor": OF_NUMBERS,
    "SGDClassifier": {
        "hinge": "hinge",
        "log_loss": "logistic",
        "modified_huber": "modified-huber",
        "squared_hinge": "squared-hinge",
        "perceptron": "perceptron",
    }
    | OF_NUMBERS,
}
# What the steps go down on, in words; r is the error.
COSTS = {
    "squared_error": "mean squared error / 2",
    "huber": "mean of r^2 / 2, a straight line beyond |r| = {epsilon:g}",
    "epsilon_insensitive": "mean of |r| - {epsilon:g}, zero below",
    "squared_epsilon_insensitive": "mean of (|r| - {epsilon:g})^2, zero below",
}
PENALTIES = {"l2": 0.0, "l1": 1.0, "elasticnet": None, None: 0.0}


def safe_rate(x):
    """Of squared errors: the largest rate at which no row's step goes past what would meet its target."""
    if isinstance(x, tuple):
        _, start, _, data, shape = x
        squares = np.bincount(
            np.repeat(np.arange(shape[0]), np.diff(start)), weights=np.square(data), minlength=shape[0]
        )
    else:
        squares = np.einsum("ij,ij->i", x, x, dtype=np.float64)
    return 1.0 / (1.0 + float(squares.max(initial=0.0)))


class Pass(NamedTuple):
    """One pass over the rows: an entry of ``trace_``."""

    number: int
    presented: int  # rows so far
    loss: (
        float  # mean over the rows, each before its own step; with early_stopping minus the score of the rows set aside
    )
    rate: float


class NoProof:
    """What stands in place of a certificate: claim and verdict are 'none'."""

    claim = verdict = "none"
    gap = float("nan")

    def __init__(self, provers):
        """``provers``: who proves the answer, with the verb, or nothing."""
        self.sentence = "No proof: steps by single rows end near the optimum and not at it."
        if provers:
            self.sentence += (
                f" {provers} the same objective and prove{'s' if provers.endswith('s') else ''} the answer."
            )

    def __repr__(self):
        return f"<Certificate: {self.sentence}>"


def one_in_double(intercepts):
    """scikit-learn keeps the intercept of a single learner in double, whatever the rows are; those of several as wide as the rows."""
    return intercepts.astype(np.float64) if len(intercepts) == 1 else intercepts


def products(X, estimator):
    """One column per learner, with the same bits in every batch and layout; summed in double, and as wide as X and the attributes are."""
    x, coefs = array_or_parts(X), np.atleast_2d(dense(estimator.coef_).astype(np.float64, copy=False))
    scores = [
        _core.products(x, np.ascontiguousarray(w), float(b)) for w, b in zip(coefs, np.ravel(estimator.intercept_))
    ]
    return as_wide_as(np.column_stack(scores), X, estimator)


def whole_number(estimator, word):
    value = getattr(estimator, word)
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(
            f"The {word!r} parameter of {type(estimator).__name__} must be an int in the range [1, inf). Got {value!r} instead."
        )
    return int(value)


def choice(estimator, word, known):
    value = getattr(estimator, word)
    if value not in known:
        raise ValueError(
            f"The {word!r} parameter of {type(estimator).__name__} must be one of {', '.join(map(repr, known))}. "
            f"Got {value!r} instead."
        )
    return value


def online_options(estimator):
    """scikit-learn's parameters as the library means them, checked."""
    name = next(base.__name__ for base in type(estimator).__mro__ if base.__name__ in LOSSES)
    losses = LOSSES[name]
    options = _core.OnlineOptions()
    options.loss = losses[choice(estimator, "loss", tuple(losses))]
    options.epsilon = parameters.number(estimator, "epsilon")
    alpha = parameters.number(estimator, "alpha")
    share = PENALTIES[choice(estimator, "penalty", tuple(PENALTIES))]
    if estimator.l1_ratio is not None or share is None:
        given = parameters.number(estimator, "l1_ratio")
        share = given if share is None else share
    strength = 0.0 if estimator.penalty is None else alpha
    options.lambda1, options.lambda2 = strength * share, strength * (1 - share)
    options.intercept = bool(estimator.fit_intercept)
    options.average = bool(estimator.average)
    options.average_from = max(0, int(estimator.average) - 1)
    set_schedule(estimator, options, alpha)
    return options


def set_schedule(estimator, options, alpha):
    rate = choice(estimator, "learning_rate", ("constant", "optimal", "invscaling", "adaptive"))
    if rate != "optimal":
        options.rate = parameters.number(estimator, "eta0")
        options.schedule = "1/t" if rate == "invscaling" else "constant"
        if rate == "invscaling":
            options.power = parameters.number(estimator, "power_t")
        return
    if not alpha > 0:
        raise ValueError(
            "alpha must be > 0 since learning_rate is 'optimal'. alpha is used to compute the optimal learning rate."
        )
    options.rate = float(np.sqrt(1.0 / np.sqrt(alpha)))  # scikit-learn's: the first step is as long as a typical weight
    options.schedule, options.c = "c/(c+t)", 1.0 / (options.rate * alpha)
