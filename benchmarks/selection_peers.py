"""Cross-validation over the strength of a penalty, and many classes by models of two: Recta's and its peers, on the same rows."""

import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
from logistic_peers import matrix


def rows_of(job):
    return np.fromfile(job["x"]).reshape((job["rows"], job["cols"])), np.fromfile(job["y"])


def recta_search(job, timed):
    import recta
    from recta.model_selection import grid_search

    x, y = rows_of(job)
    fixed = {"l1_share": 1.0} if job["l1"] else {}
    work = lambda: grid_search(
        job["word"],
        x,
        y,
        grid={"lambda": job["lambdas"]},
        folds=job["folds"],
        n_jobs=job["threads"],
        tolerance=1e-8,
        **fixed,
    )
    seconds, search = timed(work, job["repeat"])
    return seconds, recta.__version__, {"losses": search.cv_results_["mean_test_log_loss"].tolist()}


def logistic_regression_cv(job, timed):
    import sklearn
    from sklearn.linear_model import LogisticRegressionCV

    from recta.model_selection import splits

    warnings.simplefilter("ignore")
    x, y = rows_of(job)
    folds = splits(len(y), labels=y, folds=job["folds"])
    trained = len(y) * (job["folds"] - 1) / job["folds"]
    model = LogisticRegressionCV(
        Cs=[1 / (one * trained) for one in job["lambdas"]],
        cv=folds,
        scoring="neg_log_loss",
        solver=job["solver"],
        l1_ratios=(1.0 if job["l1"] else 0.0,),
        use_legacy_attributes=False,
        tol=1e-6,
        max_iter=1000,
    )
    seconds, fitted = timed(lambda: model.fit(x, y), 1)
    return (
        seconds,
        sklearn.__version__,
        {"losses": (-np.asarray(fitted.scores_).reshape(job["folds"], -1).mean(axis=0)).tolist()},
    )


def log_loss_of(labels, p):
    """Of probabilities by class, in the order of the classes; labels are 0, 1, ..."""
    return -np.log(np.maximum(p[np.arange(len(labels)), labels], np.finfo(float).tiny)).mean()


def intelex_loop(job, timed):
    """oneDAL has no search of its own: every fold and strength is a fit, and each begins where the last one ended."""
    import sklearnex
    from sklearnex.linear_model import LogisticRegression

    from recta.model_selection import splits

    warnings.simplefilter("ignore")
    x, y = rows_of(job)
    y = np.searchsorted(np.unique(y), y)

    def fold(kept, left_out):
        model = LogisticRegression(solver="lbfgs", tol=1e-6, max_iter=1000, warm_start=True)
        inside, labels, outside = x[kept], y[kept], x[left_out]
        out = []
        for one in job["lambdas"]:
            model.set_params(C=1 / (one * len(labels))).fit(inside, labels)
            out.append(log_loss_of(y[left_out], model.predict_proba(outside)))
        return out

    folds = list(splits(len(y), labels=y, folds=job["folds"]))
    seconds, losses = timed(lambda: np.mean([fold(*one) for one in folds], axis=0), 1)
    return seconds, sklearnex.__version__, {"losses": losses.tolist()}


def glmnet_search(job, timed):
    """R's glmnet, a path a fold, on as many cores as the others have threads."""
    from glmnet_peer import needs_glmnet, peak

    from recta.model_selection import splits

    needs_glmnet()
    _, y = rows_of(job)
    with tempfile.TemporaryDirectory() as folder:
        fold = np.empty(len(y))
        for number, (_, left_out) in enumerate(splits(len(y), labels=y, folds=job["folds"])):
            fold[left_out] = number + 1
        fold.tofile(Path(folder) / "folds")
        lambdas = ",".join(repr(float(one)) for one in sorted(job["lambdas"], reverse=True))
        words = [f"{key}={job[key]}" for key in ("x", "y", "rows", "cols", "threads")] + [
            f"folds={folder}/folds",
            f"lambdas={lambdas}",
        ]
        script = Path(__file__).parent / "glmnet_search.R"
        lines = subprocess.run(
            ["Rscript", str(script), *words], check=True, capture_output=True, text=True
        ).stdout.splitlines()
    losses = dict(zip(sorted(job["lambdas"], reverse=True), map(float, lines[2].split()), strict=True))
    return [float(lines[1])], lines[0].strip(), {"losses": [losses[one] for one in job["lambdas"]], **peak()}


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
    part = LogisticRegression(
        C=1 / (job["lambda"] * job["rows"]), solver="liblinear", intercept_scaling=100, tol=1e-4, max_iter=1000
    )
    model = OneVsRestClassifier(part, n_jobs=job["threads"])
    with joblib.parallel_backend("threading"):
        seconds, fitted = timed(lambda: model.fit(x, y), 1)
    squares = sum(float((one.coef_**2).sum()) for one in fitted.estimators_)
    return seconds, sklearn.__version__, {"objective": _objectives(job, x, y, fitted.decision_function(x), squares)}


PEERS = {
    "recta cv": recta_search,
    "LogisticRegressionCV": logistic_regression_cv,
    "sklearn-intelex loop": intelex_loop,
    "glmnet search": glmnet_search,
    "recta ova": recta_ova,
    "liblinear ova": liblinear_ova,
}
