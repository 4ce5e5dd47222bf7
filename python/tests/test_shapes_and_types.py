"""Attribute by attribute what scikit-learn's estimators of the same name have: shapes, and float32 where its are."""

import subprocess
import sys

import numpy as np
import pytest
import sklearn.linear_model
from scipy import sparse

import recta.linear_model
import recta.svm

random = np.random.default_rng(3)
X = random.standard_normal((60, 4))
Y = np.column_stack([X @ [1.0, 2.0, 0.0, 0.0], X @ [0.0, -1.0, 1.0, 0.5]]) + random.standard_normal((60, 2))
ONE, COLUMN, COUNT, POSITIVE = Y[:, 0], Y[:, :1], np.floor(np.exp(Y[:, 0] / 2)), np.exp(Y[:, 0])
TWO, WORDS, THREE = (ONE > 0).astype(int), np.where(ONE > 0, "yes", "no"), np.digitize(ONE, [-1.0, 1.0])
SEVERAL = np.column_stack([THREE == 0, THREE != 1]).astype(int)
NUMBERS, CLASSES = (ONE, COLUMN, Y), (TWO, WORDS, THREE)
NEW = {
    "use_legacy_attributes": False,
    "l1_ratios": (0.0, 0.5),
    "scoring": "neg_log_loss",
    "solver": "saga",
    "max_iter": 2000,
}

CASES = [
    ("LinearRegression", {}, NUMBERS),
    ("LinearRegression", {"fit_intercept": False}, NUMBERS),
    ("Ridge", {}, NUMBERS),
    ("Ridge", {"solver": "lsqr"}, NUMBERS),
    ("Ridge", {"fit_intercept": False}, NUMBERS),
    ("Ridge", {"alpha": [1.0, 2.0]}, (Y,)),
    ("RidgeCV", {}, NUMBERS),
    ("RidgeCV", {"cv": 3}, NUMBERS),
    ("Lasso", {"alpha": 0.1}, NUMBERS),
    ("Lasso", {"alpha": 0.1, "fit_intercept": False}, NUMBERS),
    ("ElasticNet", {"alpha": 0.1}, NUMBERS),
    ("LassoCV", {"alphas": 5}, (ONE,)),
    ("LassoCV", {"alphas": [1.0, 0.1]}, (ONE,)),
    ("ElasticNetCV", {"alphas": 5}, (ONE,)),
    ("ElasticNetCV", {"alphas": 5, "l1_ratio": [0.5]}, (ONE,)),
    ("ElasticNetCV", {"alphas": 5, "l1_ratio": [0.5, 0.9]}, (ONE,)),
    ("ElasticNetCV", {"alphas": [1.0, 0.1], "l1_ratio": [0.5, 0.9]}, (ONE,)),
    ("MultiTaskLasso", {"alpha": 0.1}, (Y, COLUMN)),
    ("MultiTaskElasticNet", {"alpha": 0.1}, (Y, COLUMN)),
    ("HuberRegressor", {}, (ONE,)),
    ("HuberRegressor", {"fit_intercept": False}, (ONE,)),
    ("QuantileRegressor", {"alpha": 0.01}, (ONE,)),
    ("LinearSVR", {}, (ONE,)),
    ("LinearSVR", {"fit_intercept": False}, (ONE,)),
    ("PoissonRegressor", {}, (COUNT,)),
    ("GammaRegressor", {}, (POSITIVE,)),
    ("GammaRegressor", {"fit_intercept": False}, (POSITIVE,)),
    ("SGDRegressor", {}, (ONE,)),
    ("SGDRegressor", {"average": True}, (ONE,)),
    ("RidgeClassifier", {}, (*CLASSES, SEVERAL)),
    ("RidgeClassifier", {"fit_intercept": False}, (*CLASSES, SEVERAL)),
    ("LogisticRegression", {}, CLASSES),
    ("LogisticRegression", {"fit_intercept": False}, CLASSES),
    ("LogisticRegressionCV", {"Cs": 3, "cv": 2, **NEW}, (TWO, THREE)),
    ("Perceptron", {}, CLASSES),
    ("SGDClassifier", {}, CLASSES),
    ("SGDClassifier", {"loss": "log_loss"}, CLASSES),
]
ANSWERS = ("predict", "decision_function", "predict_proba", "predict_log_proba")
# What differs, and why.
ABSENT = {"eps_": "scikit-learn's tolerance in units of y; certificate_.tolerance is the one here"}
NONE_THERE = {"n_iter_": "None in closed form, though scikit-learn's own checks ask for a number from 1 up"}
SINGLE_IN_DOUBLE = {"mse_path_": "errors of rows left out are kept in double"}
pytestmark = pytest.mark.filterwarnings("ignore")


def module_of(name, package):
    return getattr(__import__(f"{package}.{'svm' if name == 'LinearSVR' else 'linear_model'}", fromlist=["x"]), name)


def kind(value):
    """Shape and type of a number or an array; of a list those of its entries; of all else its type."""
    if value is None or isinstance(value, str):
        return type(value).__name__
    if isinstance(value, list):
        return "list", len(value)
    return np.shape(value), np.asarray(value).dtype


def is_of_numpy(value):
    return hasattr(value, "dtype")


@pytest.mark.parametrize("layout", ["dense", "fortran", "csr"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name, params, targets", CASES, ids=[f"{name}-{i}" for i, (name, *_) in enumerate(CASES)])
def test_attributes_and_predictions_are_as_scikit_learns(name, params, targets, dtype, layout):
    x = {"dense": np.ascontiguousarray, "fortran": np.asfortranarray, "csr": sparse.csr_array}[layout](X.astype(dtype))
    other = x.astype(np.float32 if dtype is np.float64 else np.float64)
    for y in targets:
        y = y.astype(dtype) if y.dtype.kind == "f" else y
        here, there = (module_of(name, package)(**params).fit(x, y) for package in ("recta", "sklearn"))
        if name == "LinearRegression" and layout == "csr" and dtype is np.float32 and not here.fit_intercept:
            continue  # scikit-learn's are float64 here alone
        for word in (
            word for word in vars(there) if word.endswith("_") and not word.startswith("_") and word not in ABSENT
        ):
            own, peer = getattr(here, word), getattr(there, word)
            if word in NONE_THERE and peer is None:
                assert own.dtype == np.int32 and own.shape == (len(np.atleast_2d(here.coef_)),)
            elif word in SINGLE_IN_DOUBLE:
                assert np.shape(own) == np.shape(peer), word
            else:
                assert kind(own) == kind(peer), (word, own, peer)
            if word in ("coef_", "intercept_"):
                assert is_of_numpy(own) == is_of_numpy(peer), word
        for answer in (answer for answer in ANSWERS if hasattr(there, answer)):
            for rows in (x, other):
                assert kind(getattr(here, answer)(rows)) == kind(getattr(there, answer)(rows)), (answer, rows.dtype)


@pytest.mark.parametrize(
    "estimator", [recta.linear_model.Ridge(), recta.linear_model.LogisticRegression(), recta.linear_model.Perceptron()]
)
def test_float32_is_rounded_from_the_answer_in_double(estimator):
    y = THREE if hasattr(estimator, "decision_function") else Y
    single = X.astype(np.float32)
    narrow, wide = type(estimator)().fit(single, y), type(estimator)().fit(single.astype(np.float64), y)
    assert (narrow.coef_ == wide.coef_.astype(np.float32)).all() and (
        narrow.intercept_ == wide.intercept_.astype(np.float32)
    ).all()
    assert (
        narrow.certificate_.verdict == wide.certificate_.verdict
    )  # its distance, near 1e-27, tells the last bits of sums apart
    for answer in ("predict", "decision_function"):
        if hasattr(wide, answer):
            assert (
                getattr(narrow, answer)(single)
                == getattr(wide, answer)(single).astype(getattr(narrow, answer)(single).dtype)
            ).all()


@pytest.mark.parametrize("name", ["SGDRegressor", "SGDClassifier", "Perceptron"])
def test_learners_by_single_rows_learn_the_same_in_every_layout(name):
    cls, y = getattr(recta.linear_model, name), ONE if name == "SGDRegressor" else THREE
    single = X.astype(np.float32)
    expected = cls(max_iter=5).fit(single.astype(np.float64), y)
    for x in (
        np.asfortranarray(single.astype(np.float64)),
        single,
        np.asfortranarray(single),
        np.repeat(single, 2, axis=1)[:, ::2],
    ):
        model = cls(max_iter=5).fit(x, y)
        assert (model.coef_ == expected.coef_.astype(x.dtype)).all()
        if x.dtype == np.float64:
            assert (model.predict(x) == expected.predict(x)).all()
        arriving = {} if name == "SGDRegressor" else {"classes": [0, 1, 2]}
        assert (
            cls().partial_fit(x, y, **arriving).coef_
            == cls().partial_fit(single.astype(np.float64), y, **arriving).coef_.astype(x.dtype)
        ).all()


@pytest.mark.parametrize(
    "learner", ["SGDRegressor(max_iter=2, tol=None)", "SGDClassifier(max_iter=2, tol=None)", "Perceptron(max_iter=2)"]
)
def test_learners_by_single_rows_copy_nothing(learner):
    """Each layout in a child of its own, which inherits what is imported."""
    code = f"""
import os, resource, sys, warnings
import numpy as np
from recta.linear_model import *
warnings.simplefilter("ignore")
X = np.random.default_rng(0).standard_normal((60_000, 80))
small, y = X[:100].copy(), X[:, 0] + X[:, 1] ** 2 > 0.5
y = y.astype(float) if "Regressor" in {learner!r} else y
for make in (lambda X: X.astype(np.float32), np.asfortranarray, lambda X: np.asfortranarray(X.astype(np.float32))):
    child = os.fork()
    if child == 0:
        break
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(1)
else:
    sys.exit(0)
X = make(X)
{learner}.fit(small, y[:100]).predict(small)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
held = np.ones(max(0, before * 1024 - int(open("/proc/self/statm").read().split()[1]) * 4096) // 8 + 1)  # what was used once is used again
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{learner}.fit(X, y).predict(X)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024, flush=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    taken = [float(line) for line in done.stdout.splitlines()]
    assert len(taken) == 3 and max(taken) < 15, (
        "a copy in double takes 37 MiB, one in float32 half of it; a number beside every row half of one"
    )


WORDS_OF = [
    (name, word)
    for name in (
        "LogisticRegression",
        "LogisticRegressionCV",
        "PoissonRegressor",
        "GammaRegressor",
        "QuantileRegressor",
        "Ridge",
        "RidgeClassifier",
    )
    for word in ("solver",)
]


@pytest.mark.parametrize(
    "name, word", [*WORDS_OF, ("Lasso", "selection"), ("MultiTaskLasso", "selection"), ("RidgeCV", "gcv_mode")]
)
def test_words_that_do_not_exist_are_refused(name, word):
    y = Y if name == "MultiTaskLasso" else TWO if "Logistic" in name or "Classifier" in name else POSITIVE
    with pytest.raises(ValueError, match=f"{word}.*newton-raphson"):
        module_of(name, "recta")(**{word: "newton-raphson"}).fit(X, y)
    constraint = next(
        each for each in module_of(name, "sklearn")._parameter_constraints[word] if hasattr(each, "options")
    )
    for known in constraint.options:
        if not (name.startswith("Ridge") and known in ("sag", "saga", "sparse_cg", "lbfgs")):  # refused with the reason
            module_of(name, "recta")(**{word: known}).fit(X, y)


@pytest.mark.parametrize("tol", [0.0, 1e-300, 1.0, 1e9, None])
@pytest.mark.parametrize("name", ["LinearRegression", "Ridge", "RidgeClassifier"])
def test_a_tolerance_that_means_nothing_is_accepted_with_any_value(name, tol):
    cls = module_of(name, "recta")
    assert (cls(tol=tol).fit(X, TWO).coef_ == cls().fit(X, TWO).coef_).all()


@pytest.mark.parametrize("path", ["lasso_path", "enet_path"])
def test_paths_of_float32_rows_are_float32(path):
    for dtype in (np.float32, np.float64):
        own, peer = (
            getattr(module, path)(X.astype(dtype), ONE, alphas=[1.0, 0.1])
            for module in (recta.linear_model, sklearn.linear_model)
        )
        assert [kind(part) for part in own] == [kind(part) for part in peer]
