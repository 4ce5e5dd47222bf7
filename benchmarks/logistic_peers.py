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
        return LogisticRegression(
            C=1 / (job["lambda"] * job["rows"]), solver=job["solver"], tol=tolerance, max_iter=10_000
        )

    make().fit(x[:200], y[:200])  # what is loaded at first use
    seconds, model = timed(lambda: make().fit(x, y), job["repeat"])
    np.concatenate([model.intercept_, model.coef_[0]]).tofile(job["answer"])
    return seconds, sklearn.__version__, {}


def matrix(job, layout):
    """As Recta is given it, then in the layout that the peer works on."""
    import scipy.sparse

    if "start" not in job:
        return np.asarray(
            np.fromfile(job["x"]).reshape((job["rows"], job["cols"]), order=job["order"]),
            order="F" if layout == "csc" else "C",
        )
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
        return LogisticRegression(
            C=1 / (strength * job["rows"]),
            l1_ratio=1.0 if "lambda1" in job else 0.0,
            solver=solver,
            dual=dual,
            fit_intercept=False,
            tol=tolerance,
            max_iter=10_000,
        )

    return to_gap(job, timed, make, "csr", sklearn.__version__)


def celer_to_gap(job, timed):
    import celer

    strength = 1 / (job["lambda1"] * job["rows"])
    return to_gap(
        job,
        timed,
        lambda tol: celer.LogisticRegression(C=strength, fit_intercept=False, tol=tol, max_iter=1000),
        "csc",
        celer.__version__,
    )


def skglm_to_gap(job, timed):
    import skglm

    def make(tolerance):
        return skglm.SparseLogisticRegression(
            alpha=job["lambda1"], fit_intercept=False, tol=tolerance * job["lambda1"], max_iter=1000, max_epochs=100_000
        )

    return to_gap(job, timed, make, "csc", skglm.__version__)


def objective(x, y, answer, absolute, squares):
    """At an answer of [b, w]: the mean loss and the penalties, none of them on b."""
    w = answer[1:]
    return np.mean(np.logaddexp(0, -y * (x @ w + answer[0]))) + absolute * np.abs(w).sum() + squares / 2 * w @ w


def null_objective(y):
    share = np.mean(y > 0)
    return -share * np.log(share) - (1 - share) * np.log(1 - share)


def liblinear_official(job):
    import importlib.metadata

    from liblinear.liblinearutil import parameter, problem, train

    kind, strength = (6, job["lambda1"]) if "lambda1" in job else (0, job["lambda"])

    def prepare(x, y):
        return problem(y, x, 1)

    def fit(rows, tolerance):
        model = train(rows, parameter(f"-s {kind} -c {1 / (strength * job['rows'])!r} -e {tolerance} -B 1 -R -q"))
        w, b = model.get_decfun()
        return np.concatenate([[b], w]) * (1 if model.get_labels()[0] > 0 else -1)

    return prepare, fit, "csr", importlib.metadata.version("liblinear-official")


def glum(job):
    import glum

    alpha, share = (job["lambda1"], 1.0) if "lambda1" in job else (job["lambda"], 0.0)

    def fit(rows, tolerance):
        model = glum.GeneralizedLinearRegressor(
            family="binomial", alpha=alpha, l1_ratio=share, gradient_tol=tolerance, max_iter=1000
        )
        model.fit(*rows)
        return np.concatenate([[model.intercept_], model.coef_])

    return lambda x, y: (x, (y > 0).astype(float)), fit, "csc", glum.__version__


def scikit_learn(job, intelex=False):
    import importlib.metadata

    if intelex:
        from sklearnex.linear_model import LogisticRegression
    else:
        from sklearn.linear_model import LogisticRegression
    strength, solver = job.get("lambda1", 0) or job["lambda"], "lbfgs" if intelex else job["solver"]

    def fit(rows, tolerance):
        model = LogisticRegression(
            C=1 / (strength * job["rows"]),
            l1_ratio=1.0 if "lambda1" in job else 0.0,
            solver=solver,
            tol=tolerance,
            max_iter=10_000,
        )
        model.fit(*rows)
        return np.concatenate([model.intercept_, model.coef_[0]])

    name = "scikit-learn-intelex" if intelex else "scikit-learn"
    return lambda x, y: (x, y), fit, "csr", importlib.metadata.version(name)


def to_tolerance(job, timed):
    """Until the objective is as near to the least one as is asked for; what a peer makes of the arrays first is not timed."""
    warnings.simplefilter("ignore")
    own = {
        "liblinear-official": liblinear_official,
        "glum": glum,
        "scikit-learn-intelex": lambda job: scikit_learn(job, intelex=True),
    }
    prepare, fit, layout, version = own.get(job["solver"], scikit_learn)(job)
    x, y = matrix(job, layout), np.fromfile(job["y"])
    value = lambda answer: objective(x, y, answer, job.get("lambda1", 0), job.get("lambda", 0))
    least, unit = value(np.fromfile(job["least"])), null_objective(y)
    fit(prepare(x[:300], y[:300]), 1e-3)  # what is loaded and compiled at first use
    rows = prepare(x, y)
    for tolerance in TOLERANCES:
        seconds, answer = timed(lambda tolerance=tolerance: fit(rows, tolerance), 1)
        above = (value(answer) - least) / unit
        if above <= job["tolerance"] or seconds[0] > 20:
            break
    if seconds[0] < 3:
        seconds += timed(lambda: fit(rows, tolerance), job["repeat"])[0]
    return seconds, version, {"above": above}


PEERS = {
    "logistic to a tolerance": to_tolerance,
    "LogisticRegression": logistic,
    "LogisticRegression to a gap": sklearn_to_gap,
    "celer logistic": celer_to_gap,
    "skglm logistic": skglm_to_gap,
}
