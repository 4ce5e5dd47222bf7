"""scikit-learn's words beside Recta's: the one table that translates them.

A parameter is translated (it has a meaning here), free (any value gives the same answer) or refused (only its default is
accepted, with the reason). Parameters of Recta's own are keyword-only and at the end of every signature.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from . import _core
from ._feature_map import asked_of
from ._trace import descent_value


@dataclass(frozen=True)
class Translated:
    recta: str


@dataclass(frozen=True)
class Free:
    reason: str
    words: tuple = ()  # the values that scikit-learn has; others are refused


@dataclass(frozen=True)
class Refused:
    default: object
    reason: str


OWN = {
    "tolerance": Translated("tolerance"),
    "time_limit": Translated("time_limit"),
    "confidence": Translated("confidence"),
    "weights_are": Translated("weights_are"),
    "verbose": Translated("watch"),
    "n_jobs": Translated("threads"),
    "unseen": Translated("unseen"),
    "feature_map": Translated("poly, poly_terms, basis, feature"),
}

BASELINE = {word: kind for word, kind in OWN.items() if word != "feature_map"} | {
    "constant": Refused(None, "a constant that is given has nothing to learn or to prove; scikit-learn's class has it"),
}

COMMON = {
    "fit_intercept": Translated("intercept"),
    "copy_X": Free("X is read where it lies and never written to"),
    "positive": Refused(False, "least squares with coefficients kept positive is another problem, which is not solved here"),
}

PENALIZED = OWN | {
    "loss": Translated("loss"),
    "penalty": Translated("penalty"),
    "alpha": Translated("lambda"),
    "parameters": Translated("delta, l1-share, groups, lower, upper"),
    "fit_intercept": Translated("intercept"),
}

RIDGE = COMMON | OWN | {
    "alpha": Translated("tau"),
    "solver": Translated("solver"),
    "max_iter": Translated("watch"),
    "tol": Free("the answer is proved to tolerance="),
    "random_state": Free("nothing here is random"),
}

NET = COMMON | OWN | {
    "alpha": Translated("lambda1, lambda2"),
    "positive": Translated("non-negative"),
    "precompute": Translated("solver"),
    "max_iter": Free("the last step is an exact solve and ends; time_limit= stops it before"),
    "tol": Free("the answer is proved to tolerance=, which is finer"),
    "warm_start": Free("the answer is proved, wherever it was begun"),
    "random_state": Free("nothing here is random"),
    "selection": Free("columns are taken by what they can gain", ("cyclic", "random")),
    "penalty_factors": Translated("penalty-factors"),
    "lower": Translated("lower"),
    "upper": Translated("upper"),
    "psi": Translated("psi"),
}

NET_CV = {word: kind for word, kind in NET.items() if word not in ("alpha", "warm_start", "psi", "feature_map")} | {
    "eps": Translated("ratio"),
    "alphas": Translated("lambdas, count"),
    "cv": Translated("folds"),
    "choose": Translated("folds"),
}

MULTI_TASK = {word: kind for word, kind in NET.items() if word not in ("positive", "precompute", "penalty_factors", "lower", "upper", "psi")}

LOSS = {word: kind for word, kind in (COMMON | OWN).items() if word not in ("copy_X", "positive")} | {
    "max_iter": Free("Newton's method ends by itself; time_limit= stops it before"),
    "tol": Free("the answer is proved to tolerance=, which is finer"),
    "warm_start": Free("the answer is proved, wherever it was begun"),
}
LOG_LINK = LOSS | {
    "alpha": Translated("lambda2"),
    "solver": Free("either word gives Newton's method", ("lbfgs", "newton-cholesky")),
}

MACHINE = {word: kind for word, kind in OWN.items() if word != "feature_map"} | {
    "C": Translated("C"),
    "tol": Free("the answer is proved to tolerance=, which is finer"),
    "max_iter": Free("the search ends by itself; time_limit= stops it before"),
}
KERNEL_MACHINE = MACHINE | {
    "kernel": Translated("kernel"),
    "degree": Translated("degree"),
    "gamma": Translated("gamma"),
    "coef0": Translated("coef"),
    "cache_size": Translated("cache"),
    "shrinking": Free("working sets are small already"),
}

TABLE = {
    "SVC": KERNEL_MACHINE | {
        "approximate": Translated("approximate"),
        "class_weight": Translated("weights"),
        "probability": Refused("deprecated", "scores become probabilities by a calibration of their own"),
        "decision_function_shape": Refused("ovr", "scores have one column per class"),
        "break_ties": Free("ties are always broken by the scores"),
        "random_state": Free("nothing here is random"),
    },
    "KernelRidge": {word: kind for word, kind in OWN.items() if word != "feature_map"} | {
        "alpha": Translated("tau"),
        "kernel": Translated("kernel"),
        "gamma": Translated("gamma"),
        "degree": Translated("degree"),
        "coef0": Translated("coef"),
        "kernel_params": Refused(None, "a kernel that is a function is not taken; its matrix is, with kernel='precomputed'"),
        "fit_intercept": Translated("intercept"),
        "leave_one_out": Translated("loo"),
    },
    "KernelPerceptron": {word: kind for word, kind in OWN.items() if word != "feature_map"} | {
        "kernel": Translated("kernel"),
        "gamma": Translated("gamma"),
        "degree": Translated("degree"),
        "coef0": Translated("coef"),
        "fit_intercept": Translated("intercept"),
        "max_iter": Translated("passes"),
        "cache_size": Translated("cache"),
        "class_weight": Translated("weights"),
    },
    "SVR": KERNEL_MACHINE | {"epsilon": Translated("epsilon"), "approximate": Translated("approximate")},
    "NuSVC": {word: kind for word, kind in KERNEL_MACHINE.items() if word != "C"} | {
        "nu": Translated("nu"),
        "class_weight": Translated("weights"),
        "probability": Refused("deprecated", "scores become probabilities by a calibration of their own"),
        "decision_function_shape": Refused("ovr", "scores have one column per class"),
        "break_ties": Free("ties are always broken by the scores"),
        "random_state": Free("nothing here is random"),
    },
    "NuSVR": KERNEL_MACHINE | {"nu": Translated("nu")},
    "OneClassSVM": {word: kind for word, kind in KERNEL_MACHINE.items() if word not in ("C", "confidence", "weights_are", "unseen")} | {"nu": Translated("nu")},
    "LinearSVC": MACHINE | {
        "penalty": Translated("penalty"),
        "loss": Translated("loss"),
        "fit_intercept": Translated("intercept"),
        "class_weight": Translated("weights"),
        "multi_class": Refused("ovr", "every class has a machine against the rest"),
        "intercept_scaling": Translated("intercept-scaling"),
        "penalised_intercept": Translated("penalised-intercept"),
        "dual": Free("the solver is chosen by shape, and proves both"),
        "random_state": Free("nothing here is random"),
    },
    "HuberRegressor": LOSS | {"alpha": Translated("tau"), "epsilon": Translated("epsilon")},
    "QuantileRegressor": {word: kind for word, kind in (COMMON | OWN).items() if word not in ("copy_X", "positive")} | {
        "quantile": Translated("quantile"),
        "alpha": Translated("lambda1"),
        "solver": Free("an interior point method, then the vertex itself",
                       ("highs-ds", "highs-ipm", "highs", "interior-point", "revised simplex")),
        "solver_options": Free("an interior point method, then the vertex itself"),
    },
    "LinearSVR": LOSS | {
        "epsilon": Translated("epsilon"),
        "C": Translated("tau"),
        "loss": Refused("epsilon_insensitive", "this is the loss of straight lines; its square is not offered"),
        "intercept_scaling": Free("the intercept is not penalised"),
        "dual": Free("an interior point method solves both at once"),
        "random_state": Free("nothing here is random"),
    },
    "PoissonRegressor": LOG_LINK,
    "GammaRegressor": LOG_LINK,
    "MultiTaskLasso": MULTI_TASK,
    "MultiTaskElasticNet": MULTI_TASK | {"l1_ratio": Translated("lambda1, lambda2")},
    "GroupLasso": OWN | {
        "alpha": Translated("lambda1, lambda2"),
        "groups": Translated("groups"),
        "group_factors": Translated("group-factors"),
        "l1_ratio": Translated("lambda1, lambda2"),
        "fit_intercept": Translated("intercept"),
    },
    "PenalizedRegressor": PENALIZED,
    "PenalizedClassifier": PENALIZED | {"class_weight": Translated("weights")},
    "LassoCV": NET_CV,
    "ElasticNetCV": NET_CV | {"l1_ratio": Translated("l1-share")},
    "RidgeCV": {word: kind for word, kind in (COMMON | OWN).items() if word not in ("copy_X", "positive", "feature_map")} | {
        "alphas": Translated("tau"),
        "cv": Translated("folds"),
        "scoring": Refused(None, "the mean squared error of rows left out chooses, or r2 with cv="),
        "gcv_mode": Free("the decomposition is chosen by shape", (None, "auto", "svd", "eigen")),
        "store_cv_results": Refused(False, "no table with one number a row and penalty is made"),
        "choose": Translated("folds, leave_one_out"),
        "alpha_per_target": Refused(False, "targets share one penalty here; fit them one by one for one each"),
    },
    "Lasso": NET,
    "ElasticNet": NET | {"l1_ratio": Translated("lambda1, lambda2")},
    "LinearRegression": COMMON | OWN | {
        "tol": Free("the answer is proved to tolerance="),
        "intervals": Translated("intervals"),
        "solver": Translated("solver"),
        "solver_options": Translated("rate, passes"),
        "random_state": Translated("seed"),
    },
    "Ridge": RIDGE | {
        "condition": Translated("condition_low, condition_high"),
        "solver_options": Translated("rate, passes"),
        "random_state": Translated("seed"),
    },
    "RidgeClassifier": RIDGE | {"class_weight": Translated("weights")},
}

TABLE["LogisticRegression"] = LOSS | {
    "penalty": Translated("l1-share"),
    "C": Translated("tau"),
    "l1_ratio": Translated("l1-share"),
    "dual": Free("the answer is proved, whichever way it was found"),
    "intercept_scaling": Free("the intercept is not penalised"),
    "class_weight": Translated("weights"),
    "random_state": Free("nothing here is random"),
    "solver": Free("Newton's method, whose answer is proved", ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")),
}

TABLE["LogisticRegressionCV"] = {word: kind for word, kind in TABLE["LogisticRegression"].items() if word not in ("C", "l1_ratio", "warm_start", "feature_map")} | {
    "Cs": Translated("tau"),
    "l1_ratios": Translated("l1-share"),
    "cv": Translated("folds, fold_of"),
    "scoring": Translated("folds"),
    "refit": Refused(True, "the model is fitted to all rows; coefs_paths_ has those of the folds"),
    "use_legacy_attributes": Free("attributes have the shapes of scikit-learn 1.10"),
    "choose": Translated("folds"),
}

TABLE["SGDRegressor"] = {
    "loss": Translated("loss"),
    "penalty": Translated("lambda1, lambda2"),
    "alpha": Translated("lambda1, lambda2"),
    "l1_ratio": Translated("lambda1, lambda2"),
    "fit_intercept": Translated("intercept"),
    "max_iter": Translated("watch"),
    "tol": Translated("watch"),
    "shuffle": Translated("seed"),
    "verbose": Translated("watch"),
    "epsilon": Translated("epsilon"),
    "random_state": Translated("seed"),
    "learning_rate": Translated("schedule, c, power"),
    "eta0": Translated("rate"),
    "power_t": Translated("power"),
    "early_stopping": Translated("watch"),
    "validation_fraction": Translated("watch"),
    "n_iter_no_change": Translated("watch"),
    "warm_start": Translated("start"),
    "average": Translated("average, average_from"),
    "unseen": Translated("unseen"),
}

TABLE["SGDClassifier"] = TABLE["SGDRegressor"] | {
    "n_jobs": Free("one row comes after the other"),
    "class_weight": Translated("weights"),
}

TABLE["DeltaRule"] = OWN | {
    "solver": Translated("solver"),
    "eta0": Translated("rate"),
    "schedule": Translated("schedule"),
    "c": Translated("c"),
    "order": Translated("order"),
    "start": Translated("start"),
    "average": Translated("average"),
    "fit_intercept": Translated("intercept"),
    "max_iter": Translated("passes"),
    "tol": Translated("stop-gradient"),
    "random_state": Translated("seed"),
    "class_weight": Translated("weights"),
}

TABLE["Perceptron"] = OWN | {
    "penalty": Refused(None, "a perceptron has no penalty here; LogisticRegression and RidgeClassifier have one"),
    "alpha": Free("there is no penalty"),
    "l1_ratio": Free("there is no penalty"),
    "fit_intercept": Translated("intercept"),
    "max_iter": Translated("passes"),
    "tol": Free("it ends after a pass without a mistake"),
    "shuffle": Translated("order"),
    "eta0": Translated("rate"),
    "random_state": Translated("seed"),
    "early_stopping": Refused(False, "it ends after a pass without a mistake; variant='pocket' keeps the best point"),
    "validation_fraction": Free("no rows are set aside"),
    "n_iter_no_change": Free("it ends after a pass without a mistake"),
    "class_weight": Translated("weights"),
    "warm_start": Refused(False, "start= gives the weights to begin with"),
    "variant": Translated("variant"),
    "order": Translated("order"),
    "schedule": Translated("schedule"),
    "c": Translated("c"),
    "start": Translated("start"),
}

TABLE["DummyRegressor"] = BASELINE | {"strategy": Translated("statistic"), "quantile": Translated("quantile")}

TABLE["DummyClassifier"] = BASELINE | {"strategy": Translated("probabilities"), "class_weight": Translated("weights"),
                                       "random_state": Free("nothing here is random")}

SEARCH = {
    "weights": Translated("vote"),
    "algorithm": Translated("index"),
    "leaf_size": Free("the answer does not depend on it"),
    "p": Translated("power"),
    "metric": Translated("metric"),
    "metric_params": Translated("feature-weights"),
    "n_jobs": Translated("threads"),
    "unseen": Translated("unseen"),
}

TABLE["KNeighborsRegressor"] = SEARCH | {"n_neighbors": Translated("k"), "choose_k": Translated("choose-k")}
TABLE["KNeighborsClassifier"] = TABLE["KNeighborsRegressor"] | {"class_weight": Translated("weights")}
TABLE["RadiusNeighborsRegressor"] = SEARCH | {"radius": Translated("radius")}
TABLE["RadiusNeighborsClassifier"] = TABLE["RadiusNeighborsRegressor"] | {"outlier_label": Translated("outside"),
                                                                          "class_weight": Translated("weights")}

SOLVERS = {"auto": "auto", "svd": "svd", "cholesky": "gram", "lsqr": "lsmr", "gram": "gram", "qr": "qr", "dual": "dual",
           "lsmr": "lsmr"}
DESCENTS = ("gradient-descent", "sgd", "accelerated", "svrg", "saga")
SOLVERS_LEFT_OUT = {
    "sparse_cg": "solver='lsqr' needs as little memory and is certified",
    "sag": "solver='saga' is the same without its bias; solver='auto' is exact",
    "lbfgs": "in scikit-learn it serves positive=True only",
}


@cache
def refused_words(name):
    return [(word, kind) for word, kind in TABLE.get(name, {}).items() if isinstance(kind, Refused)]


@cache
def known_words(name):
    return [(word, kind.words) for word, kind in TABLE.get(name, {}).items() if isinstance(kind, Free) and kind.words]


def refuse_meaningless(estimator):
    """Parameters of scikit-learn without a meaning here, at other values than their defaults."""
    for word, kind in refused_words(estimator._table_name()):
        value = getattr(estimator, word)
        if not (value is kind.default or value == kind.default):
            raise ValueError(f"{type(estimator).__name__}({word}={value!r}) has no meaning in Recta, which accepts only "
                             f"{word}={kind.default!r}: {kind.reason}")
    for word, known in known_words(estimator._table_name()):
        if getattr(estimator, word) not in known:
            raise ValueError(f"The {word!r} parameter of {type(estimator).__name__} must be a str among {{{', '.join(map(repr, known))}}}. "
                             f"Got {getattr(estimator, word)!r} instead.")


def _number(estimator, word, low, high=float("inf"), above=False, value=None):
    value = getattr(estimator, word) if value is None else value
    good = type(value) is float or (isinstance(value, Real) and not isinstance(value, bool))
    if not good or not (low < value if above else low <= value) or not value <= high:
        bracket = "(" if above else "["
        raise ValueError(f"The {word!r} parameter of {type(estimator).__name__} must be a float in the range {bracket}{low}, {high}]. "
                         f"Got {value!r} instead.")
    return float(value)


def penalty(estimator):
    """alpha stands beside the summed loss: Recta's tau. An array has one number a target."""
    alpha = estimator.alpha
    if isinstance(alpha, (list, tuple, np.ndarray)) and np.ndim(alpha) == 1 and len(alpha):
        return np.array([_number(estimator, "alpha", 0.0, value=each) for each in alpha])
    return _number(estimator, "alpha", 0.0)


def net(estimator, l1_ratio, alpha=None):
    """alpha and l1_ratio as scikit-learn means them, which is beside the mean loss as here."""
    alpha = _number(estimator, "alpha", 0.0) if alpha is None else alpha
    if not isinstance(estimator.precompute, (bool, np.bool_)) and not (isinstance(estimator.precompute, str)
                                                                       and estimator.precompute == "auto"):
        raise ValueError(f"{type(estimator).__name__}(precompute=...) takes True or False: a Gram matrix from elsewhere could not "
                         f"be proved. Got {type(estimator.precompute).__name__} instead.")
    return {"lambda1": alpha * l1_ratio, "non-negative": bool(estimator.positive),
            "solver": "gram" if estimator.precompute is True else "auto"}


def bounded(estimator, params, used):
    """With psi in place of lambda1. ``used``: whether alpha has a meaning beside it."""
    if estimator.psi is None:
        return params
    name, psi = type(estimator).__name__, _number(estimator, "psi", 0.0, 1e300)
    if not used and estimator.alpha != 1.0:
        raise ValueError(f"{name}(alpha={estimator.alpha!r}, psi={estimator.psi!r}): psi bounds the absolute values that alpha would "
                         "penalise, so alpha is not used; leave it out, or give alpha alone")
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
        raise ValueError(f"The 'condition' parameter of {type(estimator).__name__} must be two numbers, 1 <= low < high, as (10, 1000). "
                         f"Got {estimator.condition!r} instead.")
    return low, high


def solver(estimator):
    """The library's word, of solvers that end by themselves."""
    word = estimator.solver
    if word in SOLVERS:
        return SOLVERS[word]
    reason = SOLVERS_LEFT_OUT.get(word, f"choose one of {', '.join(SOLVERS)}")
    raise ValueError(f"{type(estimator).__name__}(solver={word!r}) is not there in Recta: {reason}")


def descends(estimator):
    return getattr(estimator, "solver", None) in DESCENTS and "solver_options" in estimator._words()


def solved_by(estimator):
    """The library's parameters that say how to solve it: the solver, and of a descent how it steps."""
    given = estimator.solver_options
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(f"The 'solver_options' parameter of {type(estimator).__name__} must be a dict such as {{'passes': 100}} or None. "
                         f"Got {given!r} instead.")
    if not descends(estimator):
        if given:
            raise ValueError(f"{type(estimator).__name__}(solver={estimator.solver!r}) has no solver_options; "
                             f"{', '.join(DESCENTS)} have: rate, passes, batch, ...")
        return {"solver": solver(estimator)}
    limit = getattr(estimator, "max_iter", None)
    passes = {} if limit is None else {"passes": float(_whole(estimator, "max_iter"))}
    return {"solver": estimator.solver} | passes | {word.replace("_", "-"): descent_value(value) for word, value in (given or {}).items()}


def seed(random_state):
    return 0 if random_state is None else int(check_random_state(random_state).randint(2**31 - 1))


def _whole(estimator, word):
    value = getattr(estimator, word)
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"The {word!r} parameter of {type(estimator).__name__} must be an int in the range [1, inf). "
                         f"Got {value!r} instead.")
    return int(value)


def max_iter(estimator, targets):
    """Iterations of lsmr for all targets together; 0: as many as the proof needs. Descents count passes themselves."""
    limit = getattr(estimator, "max_iter", None)
    if limit is None or descends(estimator) or estimator._words()["max_iter"] != Translated("watch"):
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
        raise ValueError(f"The 'unseen' parameter of {type(estimator).__name__} must be 'refuse' or 'zeros'. Got {estimator.unseen!r} instead.")
    return getattr(_core.Unseen, estimator.unseen)


def fit_options(estimator):
    """What every estimator shares, checked."""
    refuse_meaningless(estimator)
    options = _core.FitOptions()
    options.intercept = bool(estimator.fit_intercept)
    options.tolerance = _number(estimator, "tolerance", 0.0)
    options.confidence = _number(estimator, "confidence", 0.0, 1.0, above=True)
    options.time_limit = 0.0 if estimator.time_limit is None else _number(estimator, "time_limit", 0.0, above=True)
    options.threads = threads(estimator.n_jobs)
    options.unseen = unseen(estimator)
    asked_of(options, estimator)
    if descends(estimator):
        options.seed = seed(estimator.random_state)
    if isinstance(getattr(estimator, "index_params", None), dict) and isinstance(estimator.index_params.get("seed"), Integral):
        options.seed = max(0, int(estimator.index_params["seed"]))
    if getattr(estimator, "intervals", False):
        options.intervals = True
    if getattr(estimator, "condition", None) is not None:
        options.condition_low, options.condition_high = condition(estimator)
    try:
        options.weights_are = getattr(_core.WeightMeaning, estimator.weights_are)
    except (AttributeError, TypeError):
        raise ValueError(f"weights_are must be 'precision' or 'frequency'. Got {estimator.weights_are!r} instead.") from None
    return options
