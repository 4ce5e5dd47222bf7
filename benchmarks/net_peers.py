"""Lasso by its peers. A peer is run with ever finer tolerances of its own until it reaches the gap that is asked for, and
only fits with that last one count: nobody waits for digits that were not wanted. As many of them as Recta makes, the best
of which counts, unless one takes seconds."""

import warnings

import numpy as np

TOLERANCES = [10.0**-k for k in range(3, 15)]


def problem(job):
    y = np.fromfile(job["y"])
    if "start" in job:
        import scipy.sparse

        parts = np.fromfile(job["x"]), np.fromfile(job["index"], np.int32), np.fromfile(job["start"], np.int32)
        return scipy.sparse.csc_matrix(parts, shape=(job["rows"], job["cols"])), y
    return np.fromfile(job["x"]).reshape((job["rows"], job["cols"]), order=job["order"]), y


def gap_of(x, y, w, penalty):
    """Relative to the objective of the best constant; the intercept at its best."""
    r = y - x @ w
    r -= r.mean()
    yc = y - y.mean()
    g = x.T @ r / len(y)
    d = min(1.0, penalty / max(np.abs(g).max(), 1e-300)) * r
    primal = r @ r / 2 / len(y) + penalty * np.abs(w).sum()
    dual = (yc @ yc - (yc - d) @ (yc - d)) / 2 / len(y)
    return float((primal - dual) / (yc @ yc / 2 / len(y)))


def fit(job, timed, make, version):
    warnings.simplefilter("ignore")
    x, y = problem(job)
    make(job["lambda"], 1e-3).fit(x[:50, :50], y[:50])  # compiles what is compiled at first use
    for tolerance in TOLERANCES:
        model = make(job["lambda"], tolerance)
        seconds, model = timed(lambda model=model: model.fit(x, y), 1)
        gap = gap_of(x, y, model.coef_, job["lambda"])
        if gap <= job["tolerance"] or seconds[0] > 60:
            break
    if gap <= job["tolerance"] and seconds[0] < 3:
        seconds += timed(lambda: make(job["lambda"], tolerance).fit(x, y), job["repeat"])[0]
    return seconds, version, {"gap": gap}


def sklearn_lasso(job, timed):
    import sklearn
    from sklearn.linear_model import Lasso

    return fit(job, timed, lambda a, tol: Lasso(alpha=a, tol=tol, max_iter=100_000), sklearn.__version__)


def celer_lasso(job, timed):
    import celer

    return fit(job, timed, lambda a, tol: celer.Lasso(alpha=a, tol=tol, max_iter=1000), celer.__version__)


def skglm_lasso(job, timed):
    import skglm

    return fit(
        job,
        timed,
        lambda a, tol: skglm.Lasso(alpha=a, tol=tol * a, max_iter=1000, max_epochs=100_000),
        skglm.__version__,
    )


def path(job, timed, work, version):
    warnings.simplefilter("ignore")
    x, y = problem(job)
    alphas = job["lambda_max"] * np.logspace(0, np.log10(job["ratio"]), job["count"])
    x, y = np.asfortranarray(x - x.mean(axis=0)), y - y.mean()
    work(x[:50, :50].copy(order="F"), y[:50].copy(), alphas[:2])
    seconds, w = timed(lambda: work(x, y, alphas), job["repeat"])
    return (
        seconds,
        version,
        {"gap": max(gap_of(x, y, w[:, k], alphas[k]) for k in range(0, len(alphas), max(1, len(alphas) // 5)))},
    )


def sklearn_path(job, timed):
    import sklearn
    from sklearn.linear_model import lasso_path

    return path(
        job, timed, lambda x, y, a: lasso_path(x, y, alphas=a, tol=1e-6, max_iter=100_000)[1], sklearn.__version__
    )


def celer_path(job, timed):
    import celer

    return path(job, timed, lambda x, y, a: celer.celer_path(x, y, "lasso", alphas=a, tol=1e-6)[1], celer.__version__)


def skglm_path(job, timed):
    import skglm

    def work(x, y, a):
        return skglm.Lasso(fit_intercept=False, tol=1e-6, max_iter=1000, max_epochs=100_000).path(x, y, a)[1]

    return path(job, timed, work, skglm.__version__)


def ridge_cv(job, timed):
    import sklearn
    from sklearn.linear_model import RidgeCV

    x, y = problem(job)
    seconds, _ = timed(lambda: RidgeCV(alphas=np.logspace(-6, 6, job["count"])).fit(x, y), 1)
    return seconds, sklearn.__version__, {}


PEERS = {
    "Lasso lasso": sklearn_lasso,
    "celer lasso": celer_lasso,
    "skglm lasso": skglm_lasso,
    "Lasso path": sklearn_path,
    "celer path": celer_path,
    "skglm path": skglm_path,
    "RidgeCV": ridge_cv,
}
