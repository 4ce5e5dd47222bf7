"""Softmax regression to a loose tolerance: F within 1e-6 of its least value, in units of the best constant's loss. A peer
is run with ever finer tolerances of its own until its answer is as near, and only fits with that last one count. All have
an intercept without a penalty."""

import numpy as np
from harness import DATA, Case, Contender
from logistic_tolerances import TOLERANCE, as_near
from logistics import kept_sparse
from nets import faster
from softmaxes import drawn


def kept_dense(stem, make):
    x_path, y_path = DATA / f"{stem}.x", DATA / f"{stem}.y"
    if not y_path.exists():
        x, y = make()
        x.astype(float).tofile(x_path)
        y.astype(float).tofile(y_path)
        (DATA / f"{stem}.shape").write_text(f"{x.shape[0]} {x.shape[1]}")
    rows, cols = map(int, (DATA / f"{stem}.shape").read_text().split())
    return {"x": str(x_path), "y": str(y_path), "rows": rows, "cols": cols, "order": "C"}


def strokes(rows, cols, classes, seed):
    """Whole numbers from 0 to 100, as coordinates of pen strokes: two ways to write every class, each a smooth curve."""

    def make():
        random = np.random.default_rng(seed)
        ways = np.clip(50 + np.cumsum(random.normal(0, 22, (classes, 2, cols)), axis=2), 0, 100)
        y = random.integers(0, classes, rows)
        x = (
            ways[y, (random.random(rows) < 0.3).astype(int)]
            + random.normal(0, 14, (rows, cols))
            + random.normal(0, 8, (rows, 1))
        )
        return np.clip(np.rint(x), 0, 100), y

    return kept_dense(f"strokes-{rows}x{cols}-{classes}-{seed}", make)


def texts(rows, cols, classes, each, seed):
    """About `each` different words a row by tf-idf: a word is met 1 / (k + 20) times as often as the first and twenty more,
    a quarter of them are of the row's own topic. Topics are not equally frequent."""

    def make():
        import scipy.sparse

        random = np.random.default_rng(seed)
        often = 1 / (np.arange(cols) + 20.0)
        share = random.dirichlet(np.full(classes, 2.0))
        y = np.concatenate([np.arange(classes), random.choice(classes, rows - classes, p=share)])
        ranks = np.searchsorted(np.cumsum(often) / often.sum(), random.random((rows, 2 * each)))
        own = (ranks * 7919 + (y[:, None] + 1) * 104_729) % cols  # the words of a topic, shuffled by it
        place = np.minimum(np.where(random.random(ranks.shape) < 0.25, own, ranks), cols - 1)
        x = scipy.sparse.csr_matrix(
            (np.ones(place.size), place.ravel(), np.arange(0, place.size + 1, 2 * each)), shape=(rows, cols)
        )
        x.sum_duplicates()
        seen = np.bincount(x.indices, minlength=cols)
        x.data = (1 + np.log(x.data)) * (1 + np.log((1 + rows) / (1 + seen)))[x.indices]
        return x.multiply(1 / np.sqrt(x.multiply(x).sum(axis=1))).tocsr(), y

    return kept_sparse(f"texts-{rows}x{cols}-{classes}-{each}-{seed}", make)[0]["csr"]


def case(name, data, strength, peers, quick):
    job = data | {"lambda": strength, "repeat": 1 if quick else 3}
    ours = job | {"task": "fit", "word": "softmax", "dsyrk": "no"}
    least = str(DATA / "answer-softmax-least.bin")
    contenders = [
        Contender("recta", ours | {"tolerance": TOLERANCE, "answer": str(DATA / "answer-softmax-near.bin")}, True),
        Contender("recta, usual tolerance", ours | {"tolerance": 1e-10, "answer": least}, True),
    ]
    contenders += [
        Contender(
            peer, job | {"peer": "softmax to a tolerance", "solver": peer, "least": least, "tolerance": TOLERANCE}
        )
        for peer in peers
    ]

    def bars(there):
        rivals = {kind: c for kind, c in there.items() if kind != "recta, usual tolerance"}
        return faster("faster than the best peer that comes as near, proof included", None if quick else 1)(rivals)

    return Case(f"softmax, {name}, F within 1e-06", contenders, as_near, bars, 1)


def loose_softmax(quick):
    """Peers that need minutes where others need seconds are left out: newton-cg and lbfgs of unscaled columns, and
    newton-cholesky of 2,000 weights."""

    def peers(*names):
        return names[-1:] if quick else names

    rows = 1_000 if quick else 7_500
    for title, strength in (("1 / n", 1 / rows),) if quick else (("1 / n", 1 / rows), ("1", 1.0)):
        yield case(
            f"{rows} x 16 unscaled, 10 classes, lambda = {title}",
            strokes(rows, 16, 10, 71),
            strength,
            peers("newton-cholesky"),
            quick,
        )
    rows = 2_000 if quick else 100_000
    yield case(
        f"{rows} x 30, 3 classes, lambda = 1 / n",
        drawn(rows, 30, 3, 72),
        1 / rows,
        peers("newton-cholesky", "newton-cg", "lbfgs"),
        quick,
    )
    rows, cols, classes = (1_000, 40, 5) if quick else (20_000, 100, 20)
    yield case(
        f"{rows} x {cols}, {classes} classes, lambda = 1e-3",
        drawn(rows, cols, classes, 73),
        1e-3,
        peers("newton-cg", "lbfgs"),
        quick,
    )
    rows, cols = (300, 60) if quick else (2_000, 500)
    yield case(
        f"{rows} x {cols}, 5 classes, lambda = 1e-3", drawn(rows, cols, 5, 75), 1e-3, peers("newton-cg", "lbfgs"), quick
    )
    rows, cols, classes, each = (600, 2_000, 12, 30) if quick else (6_400, 55_000, 105, 80)
    yield case(
        f"{rows} texts of {cols} words, {classes} classes, lambda = 1 / n",
        texts(rows, cols, classes, each, 74),
        1 / rows,
        peers("newton-cg", "lbfgs"),
        quick,
    )
