"""Cross-validation over the strength of a penalty, and many classes by models of two: Recta's and its peers, on the same rows."""

import warnings

import numpy as np

from logistic_peers import matrix


def rows_of(job):
    return np.fromfile(job["x"]).reshape((job["rows"], job["cols"])), np.fromfile(job["y"])


def recta_search(job, timed):
    import recta
    from recta.model_selection import cross_validate

    x, y = rows_of(job)
    fixed = {"l1_share": 1.0} if job["l1"] else {}
    work = lambda: cross_validate(job["word"], x, y, grid={"lambda": job["lambdas"]}, folds=job["folds"], n_jobs=job["threads"],  # noqa: E731
                                  tolerance=1e-8, **fixed)
    seconds, search = timed(work, job["repeat"])
    return seconds, recta.__version__, {"losses": search.cv_results_["mean_test_log_loss"].tolist()}


def logistic_regression_cv(job, timed):
    import sklearn
    from recta.model_selection import splits
    from sklearn.linear_model import LogisticRegressionCV

    warnings.simplefilter("ignore")
    x, y = rows_of(job)
    folds = splits(len(y), labels=y, folds=job["folds"])
    trained = len(y) * (job["folds"] - 1) / job["folds"]
    model = LogisticRegressionCV(Cs=[1 / (one * trained) for one in job["lambdas"]], cv=folds, scoring="neg_log_loss", solver=job["solver"],
                                 l1_ratios=(1.0 if job["l1"] else 0.0,), use_legacy_attributes=False, tol=1e-6, max_iter=1000)
    seconds, fitted = timed(lambda: model.fit(x, y), 1)
    return seconds, sklearn.__version__, {"losses": (-np.asarray(fitted.scores_).reshape(job["folds"], -1).mean(axis=0)).tolist()}


def _objectives(job, x, y, scores, squares):
    """Of all classes against the rest: mean log-loss and the penalty."""
    total = 0.0
    for k in range(job["classes"]):
        total += np.logaddexp(0, -np.where(y == k, 1.0, -1.0) * scores[:, k]).mean()
    return total + job["lambda"] / 2 * squares


def recta_ova(job, timed):
    import recta
    from recta.linear_model import LogisticRegression
    from recta.multiclass import OneVsRestClassifier

    x, y = matrix(job, "csr"), np.fromfile(job["y"]).astype(int)
    strength = 1 / (job["lambda"] * job["rows"])
    model = OneVsRestClassifier(LogisticRegression(C=strength, tolerance=1e-6, n_jobs=job["threads"]))
    seconds, fitted = timed(lambda: model.fit(x, y), 1)
    squares = sum(float((part.coef_**2).sum()) for part in fitted.estimators_)
    return seconds, recta.__version__, {"objective": _objectives(job, x, y, fitted.decision_function(x), squares)}


def liblinear_ova(job, timed):
    import joblib
    import sklearn
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    warnings.simplefilter("ignore")
    x, y = matrix(job, "csr"), np.fromfile(job["y"]).astype(int)
    # liblinear penalises the intercept unless it is scaled up. It works on one thread: two classes are fitted at once.
    part = LogisticRegression(C=1 / (job["lambda"] * job["rows"]), solver="liblinear", intercept_scaling=100, tol=1e-4, max_iter=1000)
    model = OneVsRestClassifier(part, n_jobs=job["threads"])
    with joblib.parallel_backend("threading"):
        seconds, fitted = timed(lambda: model.fit(x, y), 1)
    squares = sum(float((one.coef_**2).sum()) for one in fitted.estimators_)
    return seconds, sklearn.__version__, {"objective": _objectives(job, x, y, fitted.decision_function(x), squares)}


PEERS = {"recta cv": recta_search, "LogisticRegressionCV": logistic_regression_cv, "recta ova": recta_ova, "liblinear ova": liblinear_ova}
