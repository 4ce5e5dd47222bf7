"""Multi-task lasso and group lasso by their peers, as net_peers.py runs the lasso: with ever finer tolerances until the gap
that is asked for is reached, and only that last fit counts."""

import warnings

import numpy as np
from net_peers import TOLERANCES


def problem(job):
    x = np.fromfile(job["x"]).reshape((job["rows"], job["cols"]), order="F")
    y = np.fromfile(job["y"])
    return x, y.reshape((job["rows"], -1), order="F") if "targets" in job else y


def gap_of(x, y, w, penalty, size):
    """Relative to the objective of the best constants; the intercepts at their best. Groups of `size` columns of w (p x k)."""
    y = y.reshape(len(y), -1)
    yc = y - y.mean(axis=0)
    r = y - x @ w
    r -= r.mean(axis=0)
    bound = penalty * np.sqrt(size)

    def lengths(v):
        return np.linalg.norm(v.reshape(len(v) // size, -1), axis=1)

    d = min(1.0, bound / max(lengths(x.T @ r / len(y)).max(), 1e-300)) * r
    primal = (r * r).sum() / 2 / len(y) + bound * lengths(w).sum()
    dual = ((yc * yc).sum() - ((yc - d) ** 2).sum()) / 2 / len(y)
    return float((primal - dual) / ((yc * yc).sum() / 2 / len(y)))


def fit(job, timed, make, version):
    warnings.simplefilter("ignore")
    x, y = problem(job)
    size = job.get("group-size", 1)
    make(job["lambda"], 1e-3, 50).fit(np.asfortranarray(x[:50, :50]), y[:50])  # compiles what is compiled at first use
    for tolerance in TOLERANCES:
        model = make(job["lambda"], tolerance, job["cols"])
        seconds, model = timed(lambda model=model: model.fit(x, y), 1)
        w = model.coef_.reshape(-1, job["cols"]).T
        gap = gap_of(x, y, np.ascontiguousarray(w), job["lambda"], size)
        if gap <= job["tolerance"] or seconds[0] > 60:
            break
    return seconds, version, {"gap": gap}


def sklearn_tasks(job, timed):
    import sklearn
    from sklearn.linear_model import MultiTaskLasso

    return fit(job, timed, lambda a, tol, p: MultiTaskLasso(alpha=a, tol=tol, max_iter=100_000), sklearn.__version__)


def skglm_tasks(job, timed):
    import skglm

    return fit(
        job,
        timed,
        lambda a, tol, p: skglm.MultiTaskLasso(alpha=a, tol=tol * a, max_iter=1000, max_epochs=100_000),
        skglm.__version__,
    )


def celer_groups(job, timed):
    import celer

    size = job["group-size"]  # celer's penalty is on plain lengths
    return fit(
        job,
        timed,
        lambda a, tol, p: celer.GroupLasso(groups=size, alpha=a * np.sqrt(size), tol=tol, max_iter=1000),
        celer.__version__,
    )


def skglm_groups(job, timed):
    import skglm

    size = job["group-size"]

    def make(a, tol, p):
        return skglm.GroupLasso(
            groups=size,
            alpha=a,
            weights=np.full(p // size, np.sqrt(size)),
            tol=tol * a,
            max_iter=1000,
            max_epochs=100_000,
        )

    return fit(job, timed, make, skglm.__version__)


PEERS = {
    "MultiTaskLasso multi-task-lasso": sklearn_tasks,
    "skglm multi-task-lasso": skglm_tasks,
    "celer group-lasso": celer_groups,
    "skglm group-lasso": skglm_groups,
}
