"""Logistic regression: single fits, to the same objective."""

import numpy as np

from harness import DATA, Case, Contender
from nets import faster


def rows_for(rows, cols, seed):
    """Columns that correlate by 0.5 with their neighbours, and labels -1 and 1 by their log-odds."""
    stem = f"logistic-{rows}x{cols}-{seed}"
    x_path, y_path = DATA / f"{stem}.x", DATA / f"{stem}.y"
    if not y_path.exists():
        random = np.random.default_rng(seed)
        x = random.standard_normal((rows, cols))
        for j in range(1, cols):
            x[:, j] = 0.5 * x[:, j - 1] + np.sqrt(0.75) * x[:, j]
        z = x @ (2 * random.standard_normal(cols) / np.sqrt(cols))
        y = np.where(random.random(rows) < 1 / (1 + np.exp(-z)), 1.0, -1.0)
        x.tofile(x_path)
        y.tofile(y_path)
    return {"x": str(x_path), "y": str(y_path), "rows": rows, "cols": cols, "order": "C"}


def objective(job, path):
    """At an answer of [b, w], in units of the mean loss."""
    x, y = np.fromfile(job["x"]).reshape((job["rows"], job["cols"])), np.fromfile(job["y"])
    answer = np.fromfile(path)
    return np.mean(np.logaddexp(0, -y * (x @ answer[1:] + answer[0]))) + job["lambda"] * answer[1:] @ answer[1:] / 2


def as_good(job, near):
    """A peer may end anywhere up to `near` above; below Recta's answer, which is proved, there is nothing."""

    def agree(ours, theirs):
        mine, other = (objective(job, contender.job["answer"]) for contender in (ours, theirs))
        above = (other - mine) / mine
        if above < -1e-12:
            raise SystemExit(f"{theirs.name} found a better answer than Recta, by {-above:.1e}")
        return None if above < near else f"its objective is {above:.1e} above"

    return agree


def logistic(quick):
    rows, cols = (2_000, 10) if quick else (200_000, 100)
    peers = ["newton-cholesky"] if quick else ["newton-cholesky", "lbfgs"]
    for title, strength in (("C = 1", 1 / rows), ("lambda2 = 1e-4", 1e-4)):
        job = rows_for(rows, cols, 41) | {"lambda": strength}

        def contender(name, more, ours=False, job=job, title=title):
            return Contender(name, job | more | {"answer": str(DATA / f"answer-logistic-{title}-{name}.bin".replace(" ", ""))}, ours)

        contenders = [contender("recta", {"task": "fit", "word": "logistic", "dsyrk": "no", "repeat": 3}, True)]
        contenders += [contender(p, {"peer": "LogisticRegression", "solver": p, "repeat": 1}) for p in peers]
        yield Case(f"logistic, {rows} x {cols}, {title}", contenders, as_good(job, 1e-8),
                   faster("faster than scikit-learn, proof included", None if quick else 2), 1 if quick else 2)
