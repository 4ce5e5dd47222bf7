"""Cross-validation over the strength of a penalty: Recta's search and its peers, on the same folds."""

import warnings

import numpy as np


def rows_of(job):
    return np.fromfile(job["x"]).reshape((job["rows"], job["cols"])), np.fromfile(job["y"])


def recta_search(job, timed):
    import recta
    from recta.model_selection import cross_validate

    x, y = rows_of(job)
    fixed = {"l1_share": 1.0} if job["l1"] else {}
    work = lambda: cross_validate("logistic", x, y, grid={"lambda": job["lambdas"]}, folds=job["folds"], n_jobs=job["threads"],  # noqa: E731
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


PEERS = {"recta cv": recta_search, "LogisticRegressionCV": logistic_regression_cv}
