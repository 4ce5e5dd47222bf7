"""Softmax regression of pictures of clothes, and of texts in many topics, to the same objective."""

import gzip
from pathlib import Path

import numpy as np
from harness import DATA, Case, Contender
from logistic_peers import matrix
from logistics import kept_sparse
from nets import faster

FASHION = Path("/usr/share/datasets/fashion-mnist")  # Debian's package dataset-fashion-mnist


def pictures():
    """60,000 pictures of 784 numbers from 0 to 1, and their ten classes."""
    x_path, y_path = DATA / "fashion.x", DATA / "fashion.y"
    if not y_path.exists():
        for name, header, path in (("train-images-idx3", 16, x_path), ("train-labels-idx1", 8, y_path)):
            with gzip.open(FASHION / f"{name}-ubyte.gz") as file:
                numbers = np.frombuffer(file.read(), np.uint8, offset=header)
            (numbers / 255.0 if path is x_path else numbers.astype(float)).tofile(path)
    return {"x": str(x_path), "y": str(y_path), "rows": 60_000, "cols": 784, "order": "C"}


def drawn(rows, cols, classes, seed):
    stem = f"softmax-{rows}x{cols}-{seed}"
    x_path, y_path = DATA / f"{stem}.x", DATA / f"{stem}.y"
    if not y_path.exists():
        random = np.random.default_rng(seed)
        x = random.standard_normal((rows, cols))
        y = (x @ random.standard_normal((cols, classes)) + random.gumbel(size=(rows, classes))).argmax(axis=1)
        x.tofile(x_path)
        y.astype(float).tofile(y_path)
    return {"x": str(x_path), "y": str(y_path), "rows": rows, "cols": cols, "order": "C"}


def topics(rows, cols, classes, seed):
    """Texts of 100 words, the k-th met 1 / k times as often as the first, and of eight from the 200 of their topic."""

    def make():
        import scipy.sparse

        random = np.random.default_rng(seed)
        y = random.integers(0, classes, rows)
        common = np.minimum((cols ** random.random((rows, 100))).astype(np.int64) - 1, cols - 1)
        own = y[:, None] * 200 + random.integers(0, 200, (rows, 8)) + 500
        place = np.hstack([common, np.minimum(own, cols - 1)])
        x = scipy.sparse.csr_matrix(
            (np.ones(place.size), place.ravel(), np.arange(0, place.size + 1, 108)), shape=(rows, cols)
        )
        x.sum_duplicates()
        x.data = np.log1p(x.data)
        return x.multiply(1 / np.sqrt(x.multiply(x).sum(axis=1))).tocsr(), y

    return kept_sparse(f"topics-{rows}x{cols}-{classes}-{seed}", make)[0]["csr"]


def objective(job, path):
    """At an answer of [b, w] a class, in units of the mean loss."""
    x, y = matrix(job, "csr"), np.fromfile(job["y"]).astype(int)
    answer = np.fromfile(path).reshape((-1, job["cols"] + 1))
    z = x @ answer[:, 1:].T + answer[:, 0]
    most = z.max(axis=1)
    loss = np.log(np.exp(z - most[:, None]).sum(axis=1)) + most - z[np.arange(len(y)), y]
    return loss.mean() + job["lambda"] / 2 * (answer[:, 1:] ** 2).sum()


def as_good(job, classes, near):
    def agree(ours, theirs):
        mine, other = (objective(job, contender.job["answer"]) for contender in (ours, theirs))
        above = (other - mine) / np.log(classes)
        if above < -near:
            raise SystemExit(f"{theirs.name} found a better answer than Recta, by {-above:.1e}")
        return None if above < near else f"its objective is {above:.1e} above"

    return agree


def case(name, classes, job, quick, bar):
    def contender(who, more, ours=False):
        return Contender(who, job | more | {"answer": str(DATA / f"answer-softmax-{who}.bin")}, ours)

    contenders = [
        contender("recta", {"task": "fit", "word": "softmax", "dsyrk": "no", "repeat": 1, "tolerance": 1e-6}, True),
        contender("lbfgs", {"peer": "softmax LogisticRegression", "repeat": 1}),
    ]
    return Case(
        f"softmax, {name}",
        contenders,
        as_good(job, classes, 1e-6),
        faster("faster than scikit-learn's lbfgs, proof included", None if quick else bar),
        1,
    )


def softmax(quick):
    if quick:
        yield case("2,000 x 10, 4 classes", 4, drawn(2_000, 10, 4, 51) | {"lambda": 1e-3}, True, None)
        yield case("500 x 800 sparse, 3 classes", 3, topics(500, 800, 3, 52) | {"lambda": 1e-2}, True, None)
        return
    yield case(
        "11,000 texts of 100,000 words, 20 classes, C = 1",
        20,
        topics(11_000, 100_000, 20, 53) | {"lambda": 1 / 11_000},
        False,
        2,
    )
    if not FASHION.is_dir():
        print("softmax: Debian's package dataset-fashion-mnist is not there")
        return
    yield case("60,000 pictures of 784 numbers, 10 classes, C = 1", 10, pictures() | {"lambda": 1 / 60_000}, False, 2.5)
