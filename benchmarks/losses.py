"""Losses other than squares: single fits, to the same objective."""

import numpy as np
from harness import DATA, Case, Contender
from nets import faster


def rows_for(word, rows, cols, seed):
    """Correlated columns about zero, and targets that suit the loss: counts, positive numbers, or long-tailed errors."""
    stem = f"{word}-{rows}x{cols}-{seed}"
    x_path, y_path = DATA / f"{stem}.x", DATA / f"{stem}.y"
    if not y_path.exists():
        random = np.random.default_rng(seed)
        x = random.standard_normal((rows, cols))
        for j in range(1, cols):
            x[:, j] = 0.5 * x[:, j - 1] + np.sqrt(0.75) * x[:, j]
        z = x @ (random.standard_normal(cols) / np.sqrt(cols)) + 1
        makers = {
            "poisson": lambda: random.poisson(np.exp(z)).astype(float),
            "gamma": lambda: random.gamma(2, np.exp(z) / 2),
        }
        y = makers.get(word, lambda: z + random.standard_t(2, rows))()
        x.tofile(x_path)
        y.tofile(y_path)
    return {"x": str(x_path), "y": str(y_path), "rows": rows, "cols": cols, "order": "C"}


def objective(word, job, path):
    """At an answer of [b, w], in units of the mean loss; the fitted scale of Huber's at its best."""
    x, y = np.fromfile(job["x"]).reshape((job["rows"], job["cols"])), np.fromfile(job["y"])
    answer = np.fromfile(path)
    z = x @ answer[1:] + answer[0]
    penalty = job.get("lambda", job.get("tau", 0) / job["rows"]) * answer[1:] @ answer[1:] / 2
    if word == "poisson":
        return np.mean(np.exp(z) - y * z) + penalty
    if word == "gamma":
        return np.mean(y * np.exp(-z) + z) + penalty
    r = y - z
    if word == "quantile":
        return np.mean(np.maximum(job["quantile"] * r, (job["quantile"] - 1) * r)) + penalty
    if word == "epsilon-insensitive":
        return np.mean(np.maximum(0, np.abs(r) - job["epsilon"])) + penalty

    def huber(s):
        t = np.abs(r) / s
        return (
            s / 2
            + s * np.mean(np.where(t < job["epsilon"], t * t / 2, job["epsilon"] * t - job["epsilon"] ** 2 / 2))
            + penalty
        )

    low, high = 1e-3 * np.abs(r).mean(), 10 * np.abs(r).mean()
    for _ in range(120):
        a, b = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (low, b) if huber(a) < huber(b) else (a, high)
    return huber((low + high) / 2)


def as_good(word, job, near):
    def agree(ours, theirs):
        mine, other = (objective(word, job, c.job["answer"]) for c in (ours, theirs))
        above = (other - mine) / abs(mine)
        if above < -1e-9:
            raise SystemExit(f"{theirs.name} found a better answer than Recta, by {-above:.1e}")
        return None if above < near else f"its objective is {above:.1e} above"

    return agree


def losses(quick):
    many, few = (2_000, 500) if quick else (100_000, 5_000)
    cases = [
        ("huber", many, ["HuberRegressor"], {"epsilon": 1.35, "tau": 1e-4}, 2),
        ("poisson", many, ["PoissonRegressor"], {"lambda": 1e-3}, 2),
        ("gamma", many, ["GammaRegressor"], {"lambda": 1e-3}, 2),
        ("quantile", few, ["QuantileRegressor"], {"quantile": 0.9}, 5),
        ("epsilon-insensitive", few, ["SVR"], {"epsilon": 0.5, "tau": 1.0}, 5),
    ]
    for word, rows, peers, params, limit in cases:
        job = rows_for(word, rows, 20, 31) | params

        def contender(name, more, ours=False, job=job, word=word):
            return Contender(name, job | more | {"answer": str(DATA / f"answer-{word}-{name}.bin")}, ours)

        contenders = [contender("recta", {"task": "fit", "word": word, "dsyrk": "no", "repeat": 3}, True)]
        contenders += [contender(p, {"peer": f"{p} loss", "repeat": 1}) for p in peers]
        yield Case(
            f"{word}, {rows} x 20",
            contenders,
            as_good(word, job, 1e-4 if word == "epsilon-insensitive" else 1e-7),
            faster("faster than scikit-learn, proof included", None if quick else limit),
            1 if quick else 2,
        )
