"""Choosing a parameter by rows left out."""

import numpy as np

from harness import Case, Contender
from logistics import rows_for
from nets import faster


def same_losses(ours, theirs):
    """The log-losses of rows left out, at every strength."""
    gap = float(np.max(np.abs(np.array(ours.more["losses"]) - theirs.more["losses"])))
    return None if gap <= 1e-3 else f"the log-losses of rows left out differ by {gap:.1e}"


def selection(quick):
    sizes = [("L2 logistic, 20 strengths, 5 folds", 50_000, 100, 20, 10)]
    if quick:
        sizes = [("L2 logistic, 5 strengths, 3 folds", 2_000, 10, 5, None)]
    for name, rows, cols, strengths, limit in sizes:
        job = {"lambdas": np.logspace(-6, 0, strengths).tolist(), "folds": 3 if quick else 5, "l1": False, "repeat": 1 if quick else 2,
               "threads": 2, **rows_for(rows, cols, 11)}
        contenders = [Contender("recta", {"peer": "recta cv", **job}, True),
                      Contender("LogisticRegressionCV", {"solver": "newton-cholesky", **job})]
        yield Case(f"{name}, {rows} x {cols}", contenders, same_losses, faster("faster than LogisticRegressionCV", limit), rounds=1)
