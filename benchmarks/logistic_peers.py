"""Logistic regression by its peers. To an objective: with tolerances that reach what Recta proves. To a gap: a peer is run
with ever finer tolerances of its own until it reaches the gap that is asked for, and only fits with that last one count."""

import warnings

import numpy as np

TOLERANCES = [10.0**-k for k in range(2, 11)]


def logistic(job, timed):
    import sklearn
    from sklearn.linear_model import LogisticRegression

    warnings.simplefilter("ignore")
    x, y = np.fromfile(job["x"]).reshape((job["rows"], job["cols"])), np.fromfile(job["y"])

    def make():
        tolerance = {"newton-cholesky": 1e-6, "lbfgs": 1e-7}[job["solver"]]
        return LogisticRegression(C=1 / (job["lambda"] * job["rows"]), solver=job["solver"], tol=tolerance, max_iter=10_000)

    make().fit(x[:200], y[:200])  # what is loaded at first use
    seconds, model = timed(lambda: make().fit(x, y), job["repeat"])
    np.concatenate([model.intercept_, model.coef_[0]]).tofile(job["answer"])
    return seconds, sklearn.__version__, {}


def matrix(job, layout):
    """As Recta is given it, then in the layout that the peer works on."""
    import scipy.sparse

    if "start" not in job:
        return np.asarray(np.fromfile(job["x"]).reshape((job["rows"], job["cols"]), order=job["order"]), order="F" if layout == "csc" else "C")
    parts = np.fromfile(job["x"]), np.fromfile(job["index"], np.int32), np.fromfile(job["start"], np.int32)
    kind = scipy.sparse.csr_matrix if job.get("compressed") == "rows" else scipy.sparse.csc_matrix
    return kind(parts, shape=(job["rows"], job["cols"])).asformat(layout)


def gap_of(x, y, w, absolute, squares):
    """Relative to the objective of w = 0; there is no intercept."""
    n, z = len(y), x @ w
    a = 0.5 * (1 - np.tanh(0.5 * y * z))
    g = x.T @ (y * a) / n
    if squares:
        rest = np.abs(g - squares * w)
        return float(rest @ rest / (2 * squares) / np.log(2))
    scale = min(1.0, absolute / max(np.abs(g).max(), 1e-300))
    a = scale * a
    entropy = -(a * np.log(np.maximum(a, 1e-300)) + (1 - a) * np.log1p(-np.minimum(a, 1 - 1e-16))).mean()
    return float((np.logaddexp(0, -y * z).mean() + absolute * np.abs(w).sum() - entropy) / np.log(2))


def to_gap(job, timed, make, layout, version):
    warnings.simplefilter("ignore")
    x, y = matrix(job, layout), np.fromfile(job["y"])
    absolute, squares = job.get("lambda1", 0), job.get("lambda", 0)
    make(1e-3).fit(x[:300, :50], y[:300])  # compiles what is compiled at first use
    for tolerance in TOLERANCES:
        seconds, model = timed(lambda tolerance=tolerance: make(tolerance).fit(x, y), 1)
        gap = gap_of(x, y, np.ravel(model.coef_), absolute, squares)
        if gap <= job["tolerance"] or seconds[0] > 20:
            break
    if gap <= job["tolerance"] and seconds[0] < 3:
        seconds += timed(lambda: make(tolerance).fit(x, y), job["repeat"])[0]
    return seconds, version, {"gap": gap}


def sklearn_to_gap(job, timed):
    import sklearn
    from sklearn.linear_model import LogisticRegression

    strength = job.get("lambda1", 0) or job["lambda"]
    solver, dual = job["solver"].removesuffix(" dual"), job["solver"].endswith(" dual")

    def make(tolerance):
        return LogisticRegression(C=1 / (strength * job["rows"]), l1_ratio=1.0 if "lambda1" in job else 0.0, solver=solver, dual=dual,
                                  fit_intercept=False, tol=tolerance, max_iter=10_000)

    return to_gap(job, timed, make, "csr", sklearn.__version__)


def celer_to_gap(job, timed):
    import celer

    strength = 1 / (job["lambda1"] * job["rows"])
    return to_gap(job, timed, lambda tol: celer.LogisticRegression(C=strength, fit_intercept=False, tol=tol, max_iter=1000), "csc", celer.__version__)


def skglm_to_gap(job, timed):
    import skglm

    def make(tolerance):
        return skglm.SparseLogisticRegression(alpha=job["lambda1"], fit_intercept=False, tol=tolerance * job["lambda1"], max_iter=1000,
                                              max_epochs=100_000)

    return to_gap(job, timed, make, "csc", skglm.__version__)


PEERS = {"LogisticRegression": logistic, "LogisticRegression to a gap": sklearn_to_gap, "celer logistic": celer_to_gap,
         "skglm logistic": skglm_to_gap}
