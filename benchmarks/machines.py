"""Support vector machines beside libsvm and liblinear, as scikit-learn has them, and beside oneDAL."""

import numpy as np
import scipy.sparse
import softmaxes
from harness import DATA, Bar, Case, Contender, stored


def dense(rows, cols, seed):
    """Two classes that overlap: two thirds of the rows are support vectors of a Gaussian machine."""

    def make():
        random = np.random.default_rng(seed)
        x = random.standard_normal((rows, cols))
        score = x[:, 0] * x[:, 1] + np.sin(2 * x[:, 2]) + x[:, 3:8] @ np.full(5, 0.4) + random.standard_normal(rows)
        return x, np.where(score > 0, 1.0, -1.0)

    return stored(f"machine-{rows}x{cols}-{seed}", make) | {"cols": cols}


def numbers(rows, cols, seed):
    def make():
        random = np.random.default_rng(seed)
        x = random.standard_normal((rows, cols))
        return x, np.sin(x[:, 0]) + x[:, 1] / 2 + 0.1 * random.standard_normal(rows)

    return stored(f"tube-{rows}x{cols}-{seed}", make) | {"cols": cols}


def sparse(rows, cols, per_row, seed):
    def make():
        random = np.random.default_rng(seed)
        weights = random.standard_normal(cols) * (random.random(cols) < 0.05)
        x = scipy.sparse.random(
            rows, cols, density=per_row / cols, format="csr", random_state=random, data_rvs=random.standard_normal
        )
        x.sort_indices()
        y = np.where(x @ weights + 0.3 * random.standard_normal(rows) > 0, 1.0, -1.0)
        return x.data, x.indices.astype(np.int32), x.indptr.astype(np.int64), y

    return stored(f"machine-sparse-{rows}x{cols}-{seed}", make, ("data", "indices", "indptr", "y")) | {"cols": cols}


def fashion():
    """The shirts and the T-shirts among the pictures of Fashion-MNIST, the hardest pair to tell apart."""
    x_path, y_path = DATA / "machine-fashion.x", DATA / "machine-fashion.y"
    if not y_path.exists():
        job = softmaxes.pictures()
        y = np.fromfile(job["y"])
        rows = np.flatnonzero((y == 0) | (y == 6))[:10_000]
        np.fromfile(job["x"]).reshape(-1, 784)[rows].tofile(x_path)
        np.where(y[rows] == 0, 1.0, -1.0).tofile(y_path)
    return {"x": str(x_path), "y": str(y_path), "cols": 784}


def all_fashion(rows):
    """The first pictures of all ten classes."""
    job = softmaxes.pictures()
    return {"x": job["x"], "y": job["y"], "cols": 784, "rows": rows}


def near(within):
    """Ours is the proved one: a peer's objective may be above it by what its tolerance leaves, and never below what ours
    proves that no answer is below."""

    def agree(ours, theirs):
        a, b = ours.more["objective"], theirs.more["objective"]
        least = ours.more.get("least", a - 1e-6 * abs(a))
        return (
            None
            if least - 1e-9 * abs(a) <= b <= a + within * abs(a)
            else f"{b:.9g} against {a:.9g}, which is at most {a - least:.2g} too large"
        )

    return agree


def faster(quick, ours, limits):
    """Bars by the name of a peer: so many times its speed."""

    def bars(there):
        return (
            []
            if quick
            else [
                Bar(f"times the speed of {peer}", there[peer].best / there[ours].best, limit, True)
                for peer, limit in limits.items()
                if peer in there and not there[peer].absent
            ]
        )

    return bars


def contenders(ours, peers, job):
    return [
        Contender(ours, {"peer": ours, **job}, True),
        *(Contender(name, job, False, most_seconds=600) for name in peers),
    ]


def kernel_cases(quick):
    for rows in (600,) if quick else (10_000, 30_000, 100_000):
        job = dense(rows, 50, 51) | {"repeat": 1, "C": 1.0, "gamma": 0.02}
        peers = ["sklearn SVC", "sklearn-intelex SVC"] if rows <= 30_000 else ["sklearn-intelex SVC"]
        for tolerance in (6e-5, 1e-8) if rows <= 10_000 else (6e-5,):
            limits = {"sklearn-intelex SVC": 1.5, "sklearn SVC": 5} if tolerance > 1e-6 else {"sklearn SVC": 1}
            yield Case(
                f"Gaussian machine, {rows} x 50, relative gap {tolerance:g}",
                contenders("recta machine", peers, job | {"tolerance": tolerance}),
                near(1e-2),
                faster(quick, "recta machine", limits),
                1,
            )
    rows = 600 if quick else 10_000
    job = dense(rows, 50, 51) | {"repeat": 2, "C": 1.0, "gamma": 0.02, "asked": rows // 2}
    yield Case(
        f"scores of {rows // 2} rows",
        contenders("recta scores", ["sklearn scores", "sklearn-intelex scores"], job),
        near(1e-2),
        faster(quick, "recta scores", {"sklearn scores": 1, "sklearn-intelex scores": 1}),
        1,
    )


def picture_cases():
    """Two classes of Fashion-MNIST that are hard to tell apart, and all ten."""
    settings = {"C": 1.0, "gamma": 1 / 784}
    job = fashion() | settings | {"repeat": 1, "tolerance": 6e-5}
    yield Case(
        "Gaussian machine, shirts and T-shirts, 10,000 x 784",
        contenders("recta machine", ["sklearn SVC", "sklearn-intelex SVC"], job),
        near(1e-2),
        faster(False, "recta machine", {"sklearn-intelex SVC": 1.5, "sklearn SVC": 5}),
        1,
    )
    job = fashion() | settings | {"repeat": 2, "asked": 5_000}
    yield Case(
        "scores of 5,000 shirts and T-shirts",
        contenders("recta scores", ["sklearn scores", "sklearn-intelex scores"], job),
        near(1e-2),
        faster(False, "recta scores", {"sklearn scores": 1, "sklearn-intelex scores": 1}),
        1,
    )
    agree = lambda ours, theirs: None if abs(ours.more["right"] - theirs.more["right"]) <= 2e-3 else "other accuracies"
    for rows in (15_000, 60_000):
        job = all_fashion(rows) | settings | {"repeat": 1, "tolerance": 6e-5, "several": 1}
        yield Case(
            f"Gaussian machines, all ten classes of pictures, {rows} x 784",
            contenders("recta machine", ["sklearn SVC", "sklearn-intelex SVC"], job),
            agree,
            faster(False, "recta machine", {"sklearn-intelex SVC": 1.5, "sklearn SVC": 5}),
            1,
        )


def large_cost_cases(quick):
    """Smooth kernels and a large C: steps of two rows at a time come no nearer for long."""
    rows = 200 if quick else 1_000
    for name, kernel, gamma, c in (
        ("polynomial of degree 3", "poly", 0.2, 1e4),
        ("Gaussian machine", "rbf", 0.01, 1e6),
    ):
        job = dense(rows, 8, 57) | {
            "repeat": 1,
            "C": 1e2 if quick else c,
            "gamma": gamma,
            "kernel": kernel,
            "tolerance": 1e-8,
        }
        yield Case(
            f"{name}, {rows} x 8, C = {job['C']:g}",
            contenders("recta machine", ["sklearn SVC"], job),
            near(1e-2),
            faster(quick, "recta machine", {"sklearn SVC": 5}),
            1,
        )


def linear_cases(quick):
    wide = sparse(800, 1_000, 20, 52) if quick else sparse(100_000, 100_000, 50, 52)
    middle = sparse(400, 100, 10, 58) if quick else sparse(6_000, 1_500, 30, 58)
    tall = dense(1_000, 20, 53) if quick else dense(200_000, 100, 53)
    for name, data, penalty, loss, dual, limit in (
        ("linear hinge, sparse", wide, "l2", "hinge", True, 2),
        ("linear hinge, sparse, few columns", middle, "l2", "hinge", True, 1),
        ("linear hinge, dense", tall, "l2", "hinge", True, 10),
        ("squared hinge, dense", tall, "l2", "squared_hinge", False, 3),
        ("squared hinge and absolute values, sparse", wide, "l1", "squared_hinge", False, 1),
    ):
        job = data | {
            "repeat": 1,
            "C": 1.0 if penalty == "l2" else 0.1,
            "penalty": penalty,
            "loss": loss,
            "dual": dual,
            "tolerance": 1e-6,
        }
        yield Case(
            name,
            contenders("recta linear machine", ["liblinear"], job),
            near(0.2),
            faster(quick, "recta linear machine", {"liblinear": limit}),
            1,
        )


def nu_cases(quick):
    rows = 500 if quick else 5_000
    for name, data, classes in (
        ("nu machine of classes", dense(rows, 20, 54), True),
        ("nu machine of numbers", numbers(rows, 20, 55), False),
    ):
        job = data | {"repeat": 1, "nu": 0.4, "gamma": 0.05, "classes": classes}
        agree = lambda ours, theirs: (
            None
            if abs(ours.more["objective"] - theirs.more["objective"]) <= 0.02 * abs(ours.more["objective"])
            else "other scores"
        )
        yield Case(
            f"{name}, {rows} x 20",
            contenders("recta nu", ["sklearn nu"], job),
            agree,
            faster(quick, "recta nu", {"sklearn nu": 1}),
            2,
        )


def grid_cases(quick):
    rows = 500 if quick else 5_000
    job = dense(rows, 20, 56) | {
        "repeat": 1,
        "gamma": 0.05,
        "costs": [1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0],
    }
    agree = lambda ours, theirs: (
        None if abs(ours.more["objective"] - theirs.more["objective"]) <= 0.1 else "other accuracies"
    )
    yield Case(
        f"ten values of C, {rows} x 20, one fifth held out",
        contenders("recta grid", ["sklearn grid"], job),
        agree,
        faster(quick, "recta grid", {"sklearn grid": 1}),
        1,
    )


def svm(quick):
    """Kernel, linear and nu machines; grids; scores."""
    yield from grid_cases(quick)
    yield from kernel_cases(quick)
    if not quick and softmaxes.FASHION.is_dir():
        yield from picture_cases()
    yield from large_cost_cases(quick)
    yield from linear_cases(quick)
    yield from nu_cases(quick)
