"""`recta verify` proves the answer from the rows: whatever a family's body says that the rows do not give is refuted."""

import json

import numpy as np
import pytest

from forging import changed_tensors, read, write

ABOUT = ("schema.", "columns.", "classes.", "certificate.", "fit.", "sha256")  # not what was learned


def is_learned(name):
    if name == "donors.neighbours":
        return False  # a setting of the caller's; no row of this table lacks a number, and any count is as good
    return not name.startswith(ABOUT) and not name.endswith(".start")  # of texts


WITH_SUM = "with a + b"  # a column that is a combination of others: the rank is not full

CASES = [
    ("constant", "y", []),
    ("majority", "three", []),
    ("naive-bayes", "three", []),
    ("naive-bayes", "three", ["--likelihood", "a=gaussian,g=categorical"]),
    ("naive-bayes", "three", ["--likelihood", "multinomial", "--ignore", "a,b,g"]),
    ("naive-bayes", "three", ["--likelihood", "bernoulli", "--ignore", "a,b,g"]),
    ("knn", "three", ["--k", "3"]),
    ("knn", "three", ["--k", "3", "--index", "kd-tree", "--vote", "distance"]),
    ("knn", "three", ["--choose-k", "9"]),
    ("knn", "three", ["--k", "3", "--standardise"]),
    ("knn", "three", ["--k", "3", "--metric", "mahalanobis"]),
    ("knn", "three", ["--k", "3", "--metric", "gower", "--missing", "skip", "--feature-weights", "a=2"]),
    ("knn", "three", ["--k", "3", "--index", "hnsw", "--links", "3"]),
    ("knn", "three", ["--k", "3", "--metric", "mahalanobis", "--covariance", "2/0/0/0/0/1/0/0/0/0/1/0/0/0/0/3"]),
    ("knn-regression", "y", ["--k", "3", "--missing", "neighbours"]),
    ("knn-regression", "y", ["--k", "3", "--index", "ball-tree", "--metric", "canberra"]),
    ("knn-regression", "y", ["--k", "4", "--metric", "manhattan"]),
    ("lof", "y", ["--k", "4"]),
    ("kernel-density", "y", ["--bandwidth", "0.5", "--standardise"]),
    ("svm", "two", []),
    ("svm", "three", ["--kernel", "rbf"]),
    ("svm", "two", ["--loss", "squared-hinge"]),
    ("svm", "two", ["--loss", "squared-hinge", "--penalty", "l1", "--C", "0.5"]),
    ("svm", "three", ["--penalised-intercept", "--intercept-scaling", "2"]),
    ("svm", "side", ["--hard"]),
    ("svr", "y", ["--kernel", "polynomial", "--degree", "2"]),
    ("svr", "y", []),
    ("svr", "y", ["--penalised-intercept"]),
    ("nu-svm", "side", ["--nu", "0.3"]),
    ("nu-svm", "three", ["--nu", "0.3", "--kernel", "rbf"]),
    ("nu-svr", "y", ["--kernel", "rbf"]),
    ("nu-svr", "y", ["--nu", "0.3"]),
    ("one-class", "y", ["--nu", "0.3"]),
    ("svm", "two", ["--solver", "projected-gradient", "--kernel", "rbf"]),
    ("kernel-perceptron", "side", []),
    ("kernel-perceptron", "three", ["--kernel", "rbf", "--gamma", "3", "--passes", "30"]),
    ("kernel-ridge", "y", ["--kernel", "rbf", "--loo"]),
    ("kernel-ridge", "y", ["--lambda", "0.01", "--no-intercept"]),
    ("kernel-pca", "three", ["--kernel", "rbf", "--components", "3"]),
    ("kernel-pca", "three", ["--components", "0.9"]),
    ("kernel-kmeans", "three", ["--clusters", "3"]),
    ("kernel-kmeans", "three", ["--kernel", "rbf", "--clusters", "2"]),
    ("logistic", "three", ["--multiclass", "ova", "--lambda", "0.1"]),
    ("logistic", "three", ["--multiclass", "ovo", "--lambda", "0.1"]),
    ("perceptron", "three", ["--multiclass", "ecoc", "--passes", "5"]),
    ("svm", "two", ["--calibrate", "platt", "--folds", "3"]),
    ("naive-bayes", "two", ["--calibrate", "isotonic", "--folds", "3"]),
    ("ridge-classifier", "three", ["--calibrate", "temperature", "--folds", "3"]),
    ("knn", "three", ["--calibrate", "beta", "--folds", "3"]),
    ("lda", "three", []),
    ("lda", "three", ["--shrinkage", "auto", "--priors", "uniform"]),
    ("lda", "three", ["--shrinkage", "0.3", "--pooling", "priors", "--priors", "x=0.2,y=0.3,z=0.5"]),
    ("lda", "three", [WITH_SUM]),
    ("qda", "two", []),
    ("qda", "two", [WITH_SUM]),
    ("qda", "two", ["--shrinkage", "oas", "--towards-pooled", "0.2"]),
    ("nearest-centroid", "three", []),
    ("nearest-centroid", "three", ["--metric", "manhattan", "--priors", "learned"]),
    ("nearest-centroid", "three", ["--shrink-threshold", "0.2"]),
]

COLUMNS = ["a", "b", "g", "n", "m", "sum", "y", "count", "two", "three", "side"]
TARGETS = ("y", "count", "two", "three", "side")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(5)
    lines = [",".join(COLUMNS)]
    for i in range(48):
        a, b = round(rng.normal(1, 1), 5), round(rng.normal(-2, 1), 5)
        z = 0.5 * a + 0.4 * b + rng.normal()
        lines.append(f"{a},{b},g{i % 5},{rng.integers(0, 2)},{rng.integers(0, 2)},{round(a + b, 5)},{z:.6g},{1 + i % 4},"
                     f"{'yes' if z > 0 else 'no'},{'xyz'[int(np.clip(z + 1.5, 0, 2.9))]},{'up' if a + b > -1 else 'down'}")
    path = tmp_path_factory.mktemp("bodies") / "t.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def fitted(run, table, tmp_path):
    """Fits a case; gives the header and the body of its file, which verify has proved."""

    def fit(word, target, flags):
        asked = [flag for flag in flags if flag != WITH_SUM]
        ignored = [c for c in TARGETS if c not in target.split(",")] + ([] if WITH_SUM in flags else ["sum"])
        if word != "naive-bayes" or "--ignore" in asked:
            ignored.append("g")
        if "--ignore" in asked:
            at = asked.index("--ignore")
            ignored += [c for c in asked[at + 1].split(",") if c not in ignored]
            del asked[at:at + 2]
        done = run("fit", word, table, "--target", target, "--ignore", ",".join(ignored), *asked, "-o", "m.recta", "-q")
        assert done.returncode == 0, done.stderr
        honest = run("verify", "m.recta", table)
        assert honest.returncode == 0, honest.stdout + honest.stderr
        return read(tmp_path / "m.recta")

    return fit


def names_of(cases):
    return [" ".join([c[0], *c[2]]) for c in cases]


def not_refuted(run, table, tmp_path, forged):
    """Those of the forged files that verify does not refute. 2, 5: no fit takes such parameters, parts do not fit one another."""
    passed, count = [], 0
    for name, header, body in forged:
        write(tmp_path / "forged.recta", header, body)
        done = run("verify", "forged.recta", table)
        count += 1
        if done.returncode not in (2, 4, 5):
            passed.append((name, done.returncode, (done.stdout + done.stderr)[-200:]))
    assert count > 0
    return passed


@pytest.mark.parametrize("word, target, flags", CASES, ids=names_of(CASES))
def test_no_number_of_a_body_can_be_changed_and_stay_proved(run, fitted, table, tmp_path, word, target, flags):
    header, body = fitted(word, target, flags)
    assert not not_refuted(run, table, tmp_path, changed_tensors(header, body, is_learned))


# What the answer depends on: with the second value in the place of the first, it is another one. Parameters that say how an
# answer is found (solver, cache, index) are not claimed.
PARAMETERS = [
    ("ridge", "y", ["--lambda", "0.1"], {"lambda": 0.5, "lambda2": 0.5, "tau": 3, "solver": "guess"}),
    ("ridge", "y", ["--tau", "2"], {"tau": 4, "lambda": 0.5}),
    ("ridge", "y", [], {"tau": 4, "lambda": 0.5}),
    ("ridge", "y", ["--condition", "2:3"], {"lambda": 0.5}),
    ("lasso", "y", ["--lambda", "0.05"], {"lambda": 0.1, "lambda1": 0.1, "psi": 0.1, "penalty-factors": "a=2", "upper": "a=0"}),
    ("lasso", "y", [], {"lambda": 0.1, "lambda1": 0.1}),
    ("lasso", "y", ["--psi", "0.3"], {"psi": 0.6, "lambda": 0.1}),
    ("elastic-net", "y", ["--lambda", "0.05"], {"lambda": 0.1, "l1-share": 0.3, "lambda2": 0.1}),
    ("elastic-net", "y", [], {"lambda": 0.1, "l1-share": 0.3}),
    ("group-lasso", "y", ["--lambda", "0.05"], {"lambda": 0.1, "lambda2": 0.1}),
    ("group-lasso", "y", [], {"lambda": 0.1}),
    ("multi-task-elastic-net", "y,count", ["--lambda", "0.05"], {"lambda": 0.1, "l1-share": 0.3}),
    ("huber", "y", ["--delta", "0.5"], {"delta": 1}),
    ("quantile", "y", ["--quantile", "0.3"], {"quantile": 0.5}),
    ("poisson", "count", ["--lambda", "0.1"], {"lambda": 0.2, "tau": 3}),
    ("logistic", "two", ["--lambda", "0.1"], {"lambda": 0.2, "l1-share": 0.5, "firth": True}),
    ("softmax", "three", ["--lambda", "0.1"], {"lambda": 0.2}),
    ("logistic", "three", ["--multiclass", "ova", "--lambda", "0.1"], {"lambda": 0.2}),
    ("ridge-classifier", "three", ["--lambda", "0.1"], {"lambda": 0.2}),
    ("constant", "y", [], {"statistic": "median", "quantile": 0.3}),
    ("naive-bayes", "three", [], {"likelihood": "gaussian", "alpha": "2", "priors": "uniform", "smoothing": 0.5}),
    ("naive-bayes", "three", ["--likelihood", "bernoulli", "--ignore", "a,b,g"], {"threshold": 3, "likelihood": "multinomial"}),
    ("knn", "three", ["--k", "3"], {"k": 4, "metric": "manhattan", "vote": "distance", "radius": 1, "choose-k": 5}),
    ("svm", "two", [], {"C": 2, "lambda": 0.5, "kernel": "rbf", "loss": "squared-hinge", "hard": True}),
    ("svm", "three", ["--kernel", "rbf"], {"gamma": 2, "against": "rest", "C": 2}),
    ("svm", "side", ["--hard"], {"hard": False, "kernel": "rbf", "C": 2}),
    ("svr", "y", [], {"epsilon": 0.2, "C": 2, "loss": "squared-epsilon-insensitive"}),
    ("lda", "three", [], {"shrinkage": "0.3", "priors": "uniform", "pooling": "priors", "rank-tolerance": 1e-5}),
    ("lda", "three", ["--shrinkage", "auto"], {"shrinkage": "oas"}),
    ("qda", "two", [], {"shrinkage": "auto", "priors": "uniform", "regularisation": 0.1, "towards-pooled": 0.1}),
    ("nearest-centroid", "three", [], {"metric": "manhattan", "priors": "learned", "shrink-threshold": 0.2}),
    ("penalised", "y", ["--lambda", "0.1"], {"lambda": 0.2, "penalty": "l2", "loss": "huber"}),
    ("penalised", "y", ["--penalty", "box"], {"lower": "0.1", "upper": "0.01"}),
    ("penalised", "y", ["--penalty", "elastic-net", "--lambda", "0.1"], {"l1-share": 0.9, "lambda": 0.2}),
    ("penalised-classes", "two", ["--penalty", "group", "--lambda", "0.01"], {"lambda": 0.02, "penalty": "l1"}),
    ("kernel-ridge", "y", ["--kernel", "rbf", "--lambda", "0.1"], {"lambda": 0.2, "gamma": 2, "kernel": "laplacian"}),
    ("kernel-perceptron", "two", ["--kernel", "rbf", "--gamma", "3", "--passes", "9"], {"gamma": 2, "kernel": "laplacian"}),
    ("svm", "two", ["--calibrate", "platt", "--folds", "3"], {"C": 2}),
]
# Of the summary: a figure that is stated beside the answer.
SUMMARY = {"lambda1": 0.7, "lambda2": 0.7, "psi": 0.7, "rows": 96, "weight_sum": 96.0, "intercept": False}


def forged_metadata(header, body, parameters):
    about = json.loads(header["__metadata__"]["recta"])
    for part, values in (("params", parameters), ("summary", SUMMARY)):
        for name, value in values.items():
            if name not in about[part]:
                assert part == "summary", f"there is no parameter {name}"
                continue
            if part == "summary" and isinstance(about[part][name], dict):
                continue  # NaN: there is none
            text = json.dumps({**about, part: {**about[part], name: value}})
            yield f"{part}.{name}", {**header, "__metadata__": {**header["__metadata__"], "recta": text}}, body


@pytest.mark.parametrize("word, target, flags, parameters", PARAMETERS, ids=names_of(PARAMETERS))
def test_no_parameter_of_an_answer_can_be_changed_and_stay_proved(run, fitted, table, tmp_path, word, target, flags, parameters):
    header, body = fitted(word, target, flags)
    assert not not_refuted(run, table, tmp_path, forged_metadata(header, body, parameters))
