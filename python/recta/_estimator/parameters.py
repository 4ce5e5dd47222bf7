"""The parameters of an estimator as the library takes them: each is checked, and a refusal names it and the value found."""

import os
from collections.abc import Mapping
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from recta import _core
from recta._base.declared import parameters_of
from recta._features.feature_map import asked_of
from recta._fitted.trace import descent_value

SOLVERS = {
    "auto": "auto",
    "svd": "svd",
    "cholesky": "gram",
    "lsqr": "lsmr",
    "gram": "gram",
    "qr": "qr",
    "dual": "dual",
    "lsmr": "lsmr",
}
DESCENTS = ("gradient-descent", "sgd", "accelerated", "svrg", "saga")
SOLVERS_LEFT_OUT = {
    "sparse_cg": "solver='lsqr' needs as little memory and is certified",
    "sag": "solver='saga' is the same without its bias; solver='auto' is exact",
    "lbfgs": "in scikit-learn it serves positive=True only",
}


def refuse_meaningless(estimator):
    """Parameters of scikit-learn without a meaning here, at other values than their defaults."""
    for word, one in parameters_of(type(estimator)).items():
        if not (one.refused or one.words):
            continue
        value = getattr(estimator, word)
        nothing = one.default is None and isinstance(value, dict) and not value
        if one.refused and not (nothing or value is one.default or (np.ndim(value) == 0 and value == one.default)):
            raise ValueError(
                f"{type(estimator).__name__}({word}={value!r}) has no meaning in Recta, which accepts only "
                f"{word}={one.default!r}: {one.refused}"
            )
        if one.words and value not in one.words:
            raise ValueError(
                f"The {word!r} parameter of {type(estimator).__name__} must be a str among {{{', '.join(map(repr, one.words))}}}. "
                f"Got {value!r} instead."
            )


def _number(estimator, word, low, high=float("inf"), above=False, value=None):
    value = getattr(estimator, word) if value is None else value
    good = type(value) is float or (isinstance(value, Real) and not isinstance(value, bool))
    if not good or not (low < value if above else low <= value) or not value <= high:
        bracket = "(" if above else "["
        raise ValueError(
            f"The {word!r} parameter of {type(estimator).__name__} must be a float in the range {bracket}{low}, {high}]. "
            f"Got {value!r} instead."
        )
    return float(value)


def number(estimator, word, value=None):
    """The number that a parameter has, or one of its numbers, checked against its declaration."""
    one = parameters_of(type(estimator)).get(word)
    return getattr(estimator, word) if one is None else _number(estimator, word, one.low, one.high, one.above, value)


def choice(estimator, name, known):
    """What a word of the estimator stands for."""
    value = getattr(estimator, name)
    if not isinstance(value, str) or value not in known:
        raise ValueError(
            f"The {name!r} parameter of {type(estimator).__name__} must be one of {', '.join(map(repr, known))}. Got {value!r} instead."
        )
    return known[value]


def penalty(estimator):
    """alpha stands beside the summed loss: Recta's tau. An array has one number per target."""
    alpha = estimator.alpha
    if isinstance(alpha, (list, tuple, np.ndarray)) and np.ndim(alpha) == 1 and len(alpha):
        return np.array([number(estimator, "alpha", value=each) for each in alpha])
    return number(estimator, "alpha")


def net(estimator, l1_ratio, alpha=None):
    """alpha and l1_ratio as scikit-learn means them, which is beside the mean loss as here."""
    alpha = number(estimator, "alpha") if alpha is None else alpha
    if not isinstance(estimator.precompute, (bool, np.bool_)) and not (
        isinstance(estimator.precompute, str) and estimator.precompute == "auto"
    ):
        raise ValueError(
            f"{type(estimator).__name__}(precompute=...) takes True or False: a Gram matrix from elsewhere could not "
            f"be proved. Got {type(estimator.precompute).__name__} instead."
        )
    return {
        "lambda1": alpha * l1_ratio,
        "non-negative": bool(estimator.positive),
        "solver": "gram" if estimator.precompute is True else "auto",
    }


def bounded(estimator, params, used):
    """With psi in place of lambda1. ``used``: whether alpha has a meaning beside it."""
    if estimator.psi is None:
        return params
    name, psi = type(estimator).__name__, number(estimator, "psi")
    if not used and estimator.alpha != 1.0:
        raise ValueError(
            f"{name}(alpha={estimator.alpha!r}, psi={estimator.psi!r}): psi bounds the absolute values that alpha would "
            "penalise, so alpha is not used; leave it out, or give alpha alone"
        )
    if estimator.lower is not None or estimator.upper is not None:
        raise ValueError(f"{name}(psi=...) with bounds on single coefficients is not offered; positive=True is")
    return {word: value for word, value in params.items() if word != "lambda1"} | {"psi": psi}


def condition(estimator):
    """The range that stands in place of alpha."""
    try:
        low, high = map(float, estimator.condition)
    except (TypeError, ValueError):
        low, high = 0.0, 0.0
    if not 1 <= low < high < float("inf"):
        raise ValueError(
            f"The 'condition' parameter of {type(estimator).__name__} must be two numbers, 1 <= low < high, such as (10, 1000). "
            f"Got {estimator.condition!r} instead."
        )
    return low, high


def solver(estimator):
    """The library's word, of solvers that end by themselves."""
    word = estimator.solver
    if word in SOLVERS:
        return SOLVERS[word]
    reason = SOLVERS_LEFT_OUT.get(word, f"choose one of {', '.join(SOLVERS)}")
    raise ValueError(f"{type(estimator).__name__}(solver={word!r}) is not available in Recta: {reason}")


def descends(estimator):
    return getattr(estimator, "solver", None) in DESCENTS and "solver_options" in parameters_of(type(estimator))


def solved_by(estimator):
    """The library's parameters that say how to solve it: the solver, and of a descent how it steps."""
    given = estimator.solver_options
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(
            f"The 'solver_options' parameter of {type(estimator).__name__} must be a dict such as {{'passes': 100}} or None. "
            f"Got {given!r} instead."
        )
    if not descends(estimator):
        if given:
            raise ValueError(
                f"{type(estimator).__name__}(solver={estimator.solver!r}) has no solver_options; "
                f"{', '.join(DESCENTS)} have: rate, passes, batch, ..."
            )
        return {"solver": solver(estimator)}
    limit = getattr(estimator, "max_iter", None)
    passes = {} if limit is None else {"passes": float(_whole(estimator, "max_iter"))}
    return (
        {"solver": estimator.solver}
        | passes
        | {word.replace("_", "-"): descent_value(value) for word, value in (given or {}).items()}
    )


def seed(random_state):
    return 0 if random_state is None else int(check_random_state(random_state).randint(2**31 - 1))


def _whole(estimator, word):
    value = getattr(estimator, word)
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(
            f"The {word!r} parameter of {type(estimator).__name__} must be an int in the range [1, inf). "
            f"Got {value!r} instead."
        )
    return int(value)


def max_iter(estimator, targets):
    """Iterations of lsmr for all targets together; 0: as many as the proof needs. Descents count passes themselves."""
    limit = getattr(estimator, "max_iter", None)
    if limit is None or descends(estimator) or parameters_of(type(estimator))["max_iter"].word != "watch":
        return 0
    return _whole(estimator, "max_iter") * targets


def threads(n_jobs):
    """scikit-learn's n_jobs; None: all cores, but no more than joblib leaves to its worker processes. Same bits always."""
    if n_jobs is None:
        given = os.environ.get("OMP_NUM_THREADS", "")
        return min(int(given), len(os.sched_getaffinity(0))) if given.isdigit() and int(given) > 0 else 0
    if not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs must be None, a positive integer, or -1 for all cores. Got {n_jobs!r} instead.")
    return int(n_jobs) if n_jobs > 0 else max(1, len(os.sched_getaffinity(0)) + 1 + int(n_jobs))


def unseen(estimator):
    """What a category does that training did not know: an error, or no level at all."""
    if estimator.unseen not in ("refuse", "zeros"):
        raise ValueError(
            f"The 'unseen' parameter of {type(estimator).__name__} must be 'refuse' or 'zeros'. Got {estimator.unseen!r} instead."
        )
    return estimator.unseen


def fit_options(estimator):
    """What every estimator shares, checked."""
    refuse_meaningless(estimator)
    options = _core.FitOptions()
    options.intercept = bool(estimator.fit_intercept)
    options.tolerance = number(estimator, "tolerance")
    options.confidence = number(estimator, "confidence")
    options.time_limit = 0.0 if estimator.time_limit is None else number(estimator, "time_limit")
    options.threads = threads(estimator.n_jobs)
    options.unseen = unseen(estimator)
    asked_of(options, estimator)
    if descends(estimator):
        options.seed = seed(estimator.random_state)
    if isinstance(getattr(estimator, "index_params", None), dict) and isinstance(
        estimator.index_params.get("seed"), Integral
    ):
        options.seed = max(0, int(estimator.index_params["seed"]))
    if getattr(estimator, "intervals", False):
        options.intervals = True
    if getattr(estimator, "condition", None) is not None:
        options.condition_low, options.condition_high = condition(estimator)
    if estimator.weights_are not in ("precision", "frequency"):
        raise ValueError(f"weights_are must be 'precision' or 'frequency'. Got {estimator.weights_are!r} instead.")
    options.weights_are = estimator.weights_are
    return options
