"""Logistic regression to a loose tolerance: F within 1e-6 of its least value, in units of the best constant's loss. A peer
is run with ever finer tolerances of its own until its answer is as near, and only fits with that last one count. All have
an intercept without a penalty."""

import numpy as np
from harness import DATA, Case, Contender
from logistics import kept_sparse, rows_for
from nets import faster

TOLERANCE = 1e-6


def labels(z, share, random):
    """-1 and 1 by log-odds of spread 2 whose constant makes about `share` of the rows positive."""
    z = 2 * (z - z.mean()) / z.std()
    return np.where(random.random(len(z)) < 1 / (1 + np.exp(-(z - np.quantile(z, 1 - share)))), 1.0, -1.0)


def indicators(rows, cols, each, share, seed):
    """Rows of ones, the k-th column met 1 / sqrt(k) times as often as the first; a third of the columns matter."""

    def make():
        import scipy.sparse

        random = np.random.default_rng(seed)
        place = np.minimum((cols * random.random((rows, each)) ** 2).astype(np.int64), cols - 1)
        x = scipy.sparse.csr_matrix(
            (np.ones(place.size), place.ravel(), np.arange(0, place.size + 1, each)), shape=(rows, cols)
        )
        x.sum_duplicates()
        x.data[:] = 1
        true = random.standard_normal(cols) * (random.random(cols) < 1 / 3)
        return x, labels(x @ true, share, random)

    return kept_sparse(f"indicators-{rows}x{cols}-{each}-{seed}", make)


def measurements(rows, cols, density, share, seed):
    """Sparse rows of numbers between -1 and 1, as scaled measurements some of which are zero."""

    def make():
        import scipy.sparse

        random = np.random.default_rng(seed)
        values = random.uniform(-1, 1, (rows, cols)) * (random.random((rows, cols)) < density)
        x = scipy.sparse.csr_matrix(values)
        return x, labels(x @ random.standard_normal(cols), share, random)

    return kept_sparse(f"measurements-{rows}x{cols}-{seed}", make)


def as_near(ours, theirs):
    if ours.more["verdict"] != "proved":
        return f"Recta's own answer is not proved: {ours.more['sentence']}"
    above = theirs.more.get("above", 0)
    return None if above <= TOLERANCE else f"it ends {above:.1e} above the least value, more than {TOLERANCE:.0e}"


def case(name, data, penalty, peers, quick):
    job = data | penalty | {"repeat": 3 if quick else 5}
    ours = job | {"task": "fit", "word": "logistic", "dsyrk": "no"}
    least = str(DATA / "answer-logistic-least.bin")
    contenders = [
        Contender("recta", ours | {"tolerance": TOLERANCE, "answer": str(DATA / "answer-logistic-near.bin")}, True),
        Contender("recta, usual tolerance", ours | {"tolerance": 1e-10, "answer": least}, True),
    ]
    contenders += [
        Contender(
            peer, job | {"peer": "logistic to a tolerance", "solver": peer, "least": least, "tolerance": TOLERANCE}
        )
        for peer in peers
    ]

    def bars(there):
        rivals = {kind: c for kind, c in there.items() if kind != "recta, usual tolerance"}
        return faster("faster than the best peer that comes as near, proof included", None if quick else 1)(rivals)

    return Case(f"{name}, F within 1e-06", contenders, as_near, bars, 1 if quick else 3)


def loose_logistic(quick):
    few = ["lbfgs"]
    rows, cols, each = (2_000, 60, 12) if quick else (50_000, 300, 12)
    by, _ = indicators(rows, cols, each, 0.1, 61)
    for title, strength in (("1e-3", 1e-3),) if quick else (("1e-3", 1e-3), ("1e-4", 1e-4), ("1 / n", 1 / rows)):
        yield case(
            f"logistic lasso, sparse {rows} x {cols}, lambda1 = {title}",
            by["csr"],
            {"lambda1": strength},
            ["saga"] if quick else ["glum", "liblinear-official"],
            quick,
        )
    rows, cols = (1_000, 22) if quick else (15_000, 22)
    by, _ = measurements(rows, cols, 0.6, 0.3, 62)
    yield case(
        f"logistic, sparse {rows} x {cols}, C = 1",
        by["csr"],
        {"lambda": 1 / rows},
        few if quick else ["liblinear-official", "lbfgs", "newton-cholesky", "glum"],
        quick,
    )
    rows, cols = (2_000, 10) if quick else (200_000, 100)
    yield case(
        f"logistic, {rows} x {cols}, C = 1",
        rows_for(rows, cols, 41),
        {"lambda": 1 / rows},
        few if quick else ["scikit-learn-intelex", "lbfgs", "newton-cholesky", "liblinear-official"],
        quick,
    )
