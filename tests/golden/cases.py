"""What the golden files are fits of: a name, the rows, and what `recta fit` is told.

Every model word stands here, and every part of a fit that a model file has to carry: weights, offsets, categories,
gaps, sparse columns, several targets, feature maps, classes, descents.
"""

from pathlib import Path

TABLES = Path(__file__).parent / "tables"


def mixed(target, *more, ignore="w,off,y,y2,count,size,yes,kind"):
    unused = ",".join(name for name in ignore.split(",") if name not in target.split(",") and name not in more)
    gaps = [] if "--missing" in more else ["--missing", "drop"]
    return TABLES / "mixed.csv", ["--target", target, "--ignore", unused, *gaps, *more]


def builtin(name, *more):
    return name, list(more)


CASES = {  # name: (word, (rows, flags))
    "linear": ("linear", builtin("housing")),
    "linear-weighted": ("linear", mixed("y", "--weights", "w", "--offset", "off", "--errors", "hc3")),
    "linear-several": ("linear", mixed("y,y2", "--missing", "mean")),
    "linear-indicator": ("linear", mixed("y", "--missing", "indicator", "--unseen", "zeros")),
    "linear-map": ("linear", builtin("filip", "--poly", "10")),
    "linear-components": ("linear", builtin("longley", "--components", "3")),
    "linear-holdout": ("linear", builtin("housing", "--holdout", "0.2", "--seed", "3")),
    "ridge": ("ridge", builtin("housing", "--lambda", "0.1", "--standardise")),
    "ridge-sgd": ("ridge", builtin("housing", "--standardise", "--solver", "sgd", "--passes", "5")),
    "ridge-sparse": ("ridge", (TABLES / "sparse.libsvm", ["--tau", "2"])),
    "adaline": ("adaline", builtin("norris", "--standardise", "--passes", "20")),
    "lasso": ("lasso", builtin("housing", "--lambda", "0.5", "--standardise")),
    "lasso-psi": ("lasso", builtin("housing", "--psi", "3")),
    "lasso-bounds": ("lasso", mixed("y", "--lambda", "0.05", "--lower", "x2=-0.1", "--penalty-factors", "x1=0")),
    "elastic-net": ("elastic-net", mixed("y", "--lambda", "0.1", "--l1-share", "0.7", "--weights", "w")),
    "elastic-net-sparse": ("elastic-net", (TABLES / "sparse.libsvm", ["--lambda", "0.05"])),
    "group-lasso": ("group-lasso", mixed("y", "--lambda", "0.05")),
    "multi-task-lasso": ("multi-task-lasso", mixed("y,y2", "--lambda", "0.05")),
    "multi-task-elastic-net": ("multi-task-elastic-net", mixed("y,y2", "--lambda", "0.05", "--l1-share", "0.5")),
    "huber": ("huber", mixed("y")),
    "huber-delta": ("huber", mixed("y", "--delta", "1", "--lambda", "0.01")),
    "quantile": ("quantile", mixed("y", "--quantile", "0.9")),
    "epsilon-insensitive": ("epsilon-insensitive", mixed("y", "--epsilon", "0.2")),
    "poisson": ("poisson", mixed("count", "--offset", "off")),
    "gamma": ("gamma", mixed("size", "--weights", "w")),
    "logistic": ("logistic", mixed("yes")),
    "logistic-l1": ("logistic", mixed("yes", "--lambda1", "0.02")),
    "logistic-firth": ("logistic", mixed("yes", "--firth")),
    "logistic-balanced": (
        "logistic",
        mixed("yes", "--lambda", "0.01", "--class-weights", "balanced", "--positive", "no"),
    ),
    "logistic-rest": ("logistic", mixed("kind", "--lambda", "0.01", "--positive", "birch")),
    "logistic-sparse": ("logistic", (TABLES / "sparse.libsvm", ["--lambda", "0.01"])),
    "logistic-separated": ("logistic", builtin("line-1234")),
    "softmax": ("softmax", builtin("iris", "--lambda", "0.01")),
    "softmax-mixed": ("softmax", mixed("kind", "--lambda1", "0.01")),
    "perceptron": ("perceptron", builtin("line-1234")),
    "perceptron-classes": ("perceptron", builtin("iris", "--variant", "pocket", "--passes", "20")),
    "delta": ("delta", builtin("iris", "--standardise", "--passes", "20")),
    "ridge-classifier": ("ridge-classifier", builtin("iris", "--lambda", "0.1")),
    "lda": ("lda", builtin("iris")),
    "lda-shrunk": ("lda", mixed("kind", "--weights", "w", "--shrinkage", "auto", "--priors", "uniform")),
    "qda": ("qda", builtin("iris", "--shrinkage", "0.1", "--towards-pooled", "0.2")),
    "nearest-centroid": ("nearest-centroid", builtin("iris", "--shrink-threshold", "0.5")),
    "nearest-centroid-medians": ("nearest-centroid", mixed("kind", "--metric", "manhattan")),
    "naive-bayes": ("naive-bayes", builtin("iris")),
    "naive-bayes-mixed": ("naive-bayes", mixed("kind", "--weights", "w", "--alpha", "0.5", "--priors", "uniform")),
    "kernel-pca": ("kernel-pca", builtin("iris", "--kernel", "rbf", "--components", "3")),
    "kernel-kmeans": ("kernel-kmeans", builtin("iris", "--clusters", "3")),
    "linear-nystrom": ("linear", builtin("longley", "--basis", "nystrom(3)")),
    "linear-fourier": ("linear", builtin("longley", "--feature", "random_fourier(2, seed=1)")),
    "constant": ("constant", mixed("y,y2", "--weights", "w")),
    "constant-quantile": ("constant", mixed("y", "--statistic", "quantile", "--quantile", "0.8")),
    "majority": ("majority", mixed("kind", "--weights", "w")),
    "knn": ("knn", mixed("kind", "--weights", "w", "--vote", "distance")),
    "knn-chosen": ("knn", builtin("iris", "--choose-k", "10", "--standardise")),
    "knn-graph": ("knn", builtin("iris", "--index", "hnsw", "--links", "4", "--metric", "mahalanobis")),
    "knn-gower": ("knn", builtin("iris", "--metric", "gower", "--feature-weights", "petal_width=2")),
    "lof": ("lof", builtin("iris", "--k", "10", "--index", "ball-tree")),
    "kernel-density": ("kernel-density", builtin("iris", "--bandwidth", "0.5", "--kernel", "epanechnikov")),
    "knn-regression": ("knn-regression", mixed("y,y2", "--metric", "manhattan", "--index", "kd-tree")),
    "svm": ("svm", builtin("iris", "--C", "10")),
    "svm-rbf": ("svm", mixed("kind", "--kernel", "rbf")),
    "svm-sparse": ("svm", (TABLES / "sparse.libsvm", ["--kernel", "rbf", "--gamma", "0.1"])),
    "svm-hard": ("svm", builtin("line-1234", "--hard")),
    "nu-svm": ("nu-svm", builtin("iris", "--nu", "0.2", "--kernel", "rbf")),
    "one-class": ("one-class", mixed("y", "--nu", "0.3", "--weights", "w")),
    "nu-svr": ("nu-svr", mixed("y", "--nu", "0.3", "--kernel", "rbf", "--weights", "w")),
    "penalised": ("penalised", mixed("y", "--lambda", "0.05", "--loss", "huber")),
    "penalised-box": ("penalised", builtin("housing", "--penalty", "box", "--lower", "-0.5")),
    "penalised-classes": ("penalised-classes", mixed("yes", "--lambda", "0.02", "--penalty", "elastic-net")),
    "kernel-ridge": ("kernel-ridge", mixed("y,y2", "--kernel", "rbf", "--weights", "w", "--loo")),
    "kernel-ridge-sparse": (
        "kernel-ridge",
        (TABLES / "sparse.libsvm", ["--kernel", "polynomial", "--degree", "2", "--coef", "1"]),
    ),
    "kernel-perceptron": ("kernel-perceptron", builtin("iris", "--kernel", "rbf", "--passes", "20")),
    "svr": ("svr", mixed("y", "--epsilon", "0.5", "--weights", "w")),
    "svr-polynomial": (
        "svr",
        builtin("iris", "--target", "sepal_length", "--kernel", "polynomial", "--degree", "2", "--coef", "1"),
    ),
}
