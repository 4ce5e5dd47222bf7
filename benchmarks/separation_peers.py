"""Separability as each library answers it."""

import numpy as np


def problem(job):
    return np.fromfile(job["x"]).reshape(job["rows"], job["cols"]), np.fromfile(job["y"])


def recta_separability(job, timed):
    import recta

    x, y = problem(job)
    seconds, found = timed(lambda: recta.separability(x, y), job["repeat"])
    return seconds, recta.__version__, {"separable": found.verdict == "separable", "proved": found.proved}


def linear_program(job, timed):
    """Some w, b with y (<w, x> + b) >= 1: feasible or not."""
    import scipy
    from scipy.optimize import linprog

    x, y = problem(job)
    z = y[:, None] * np.c_[x, np.ones(len(x))]
    work = lambda: linprog(np.zeros(z.shape[1]), A_ub=-z, b_ub=-np.ones(len(z)), bounds=(None, None), method="highs")
    seconds, answer = timed(work, job["repeat"])
    return seconds, scipy.__version__, {"separable": answer.status == 0}


def epoch(job, timed, make, version):
    import scipy.sparse

    kept = np.load(job["rows"])
    count, per_row = kept["index"].shape
    start = np.arange(0, count * per_row + 1, per_row, dtype=np.int32)
    x = scipy.sparse.csr_array((kept["value"].ravel(), kept["index"].ravel(), start), shape=(count, int(kept["cols"])))
    y = kept["y"]
    if job["kind"] == "fit":
        seconds, model = timed(lambda: make().fit(x, y), job["repeat"])
    else:
        seconds, model = timed(lambda: make().partial_fit(x, y, classes=[-1.0, 1.0]), job["repeat"])
    return seconds, version, {"right": float(model.score(x, y))}


def recta_perceptron(job, timed):
    import recta.linear_model

    return epoch(job, timed, lambda: recta.linear_model.Perceptron(max_iter=1), recta.__version__)


def perceptron(job, timed):
    import sklearn.linear_model

    return epoch(job, timed, lambda: sklearn.linear_model.Perceptron(max_iter=1, tol=None), sklearn.__version__)


PEERS = {
    "recta Perceptron": recta_perceptron,
    "Perceptron": perceptron,
    "recta separability": recta_separability,
    "linprog (HiGHS)": linear_program,
}
