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


PEERS = {"recta separability": recta_separability, "linprog (HiGHS)": linear_program}
