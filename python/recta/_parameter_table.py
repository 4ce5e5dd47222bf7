"""scikit-learn's words beside Recta's: the one table that translates them.

A parameter is translated (it has a meaning here), free (any value gives the same answer) or refused (only its default is
accepted, with the reason). Parameters of Recta's own are keyword-only and at the end of every signature.
"""

from dataclasses import dataclass
from functools import cache


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
        "loss": Translated("loss"),
        "intercept_scaling": Translated("intercept-scaling"),
        "penalised_intercept": Translated("penalised-intercept"),
        "dual": Free("the solver is chosen by shape, and proves both"),
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


@cache
def refused_words(name):
    return [(word, kind) for word, kind in TABLE.get(name, {}).items() if isinstance(kind, Refused)]


@cache
def known_words(name):
    return [(word, kind.words) for word, kind in TABLE.get(name, {}).items() if isinstance(kind, Free) and kind.words]
