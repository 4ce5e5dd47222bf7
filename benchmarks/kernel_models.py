"""Kernel models and features beside scikit-learn; kernels of strings and graphs beside GraKeL and plain code."""

import json

import numpy as np
from harness import DATA, Bar, Case, Contender, stored
from machines import faster


def numbers(rows, cols, seed):
    def make():
        random = np.random.default_rng(seed)
        x = random.standard_normal((rows, cols))
        return x, np.sin(x[:, 0]) + x[:, 1] * x[:, 2] + 0.1 * random.standard_normal(rows)

    return stored(f"kernel-{rows}x{cols}-{seed}", make) | {"cols": cols}


def texts(count, length, seed):
    path = DATA / f"strings-{count}x{length}-{seed}.json"
    if not path.exists():
        random = np.random.default_rng(seed)
        path.write_text(json.dumps(["".join(random.choice(list("acgt"), length)) for _ in range(count)]))
    return {"texts": str(path)}


def graphs(count, nodes, seed):
    path = DATA / f"graphs-{count}x{nodes}-{seed}.json"
    if not path.exists():
        random = np.random.default_rng(seed)
        made = []
        for _ in range(count):
            pairs = random.integers(0, nodes, (2 * nodes, 2))
            labels = random.integers(0, 4, nodes)
            made.append(
                ";".join([f"{v}:{labels[v]}" for v in range(nodes)] + [f"{a}-{b}" for a, b in pairs.tolist() if a != b])
            )
        path.write_text(json.dumps(made))
    return {"texts": str(path)}


def same_sum(ours, theirs):
    if "sum" not in theirs.more:
        return None
    a, b = ours.more["sum"], theirs.more["sum"]
    return None if abs(a - b) <= 1e-8 * abs(a) else f"{b:.12g} against {a:.12g}"


def same_eigenvalues(ours, theirs):
    a, b = np.array(ours.more["eigenvalues"]), np.array(theirs.more["eigenvalues"])
    apart = float(np.abs(a - b).max() / a[0])
    return None if apart <= 1e-6 else f"eigenvalues are {apart:.1e} of the largest apart"


def as_near(ours, theirs):
    """Features are drawn: ours may be no further from the kernel than theirs, but for the luck of the draw."""
    a, b = ours.more["off"], theirs.more["off"]
    return None if a <= 1.1 * b else f"{a:.3g} from the kernel against {b:.3g}"


def kernel_ridge(quick):
    rows = 1_000 if quick else 10_000
    job = numbers(rows, 20, 41) | {"repeat": 1, "gamma": 0.05, "alpha": 0.1}
    against_sklearn = faster(quick, "recta kernel ridge", {"sklearn kernel ridge": 1})

    def bars(there):
        if quick or "kernel and potrf" not in there:
            return against_sklearn(there)
        times = there["recta kernel ridge"].best / there["kernel and potrf"].best
        return [Bar("times the kernel and its factor alone", times, 1.3, False), *against_sklearn(there)]

    peers = ["sklearn kernel ridge", "kernel and potrf"]
    return Case(
        f"kernel ridge, {rows} x 20, rbf",
        [
            Contender("recta kernel ridge", {"peer": "recta kernel ridge", **job}, True),
            *(Contender(name, job) for name in peers),
        ],
        same_sum,
        bars,
        2,
    )


def kernel_components(quick):
    """scikit-learn computes all eigenvectors by default, unless fewer than ten components are asked for."""
    rows, count = (400, 5) if quick else (10_000, 20)
    job = numbers(rows, 20, 44) | {"repeat": 1, "gamma": 0.05, "components": count}
    limits = {"sklearn components": 10, "sklearn arpack": 2, "sklearn randomized": 2}
    peers = ["sklearn components"] if quick else list(limits)
    return Case(
        f"kernel PCA, {rows} x 20, rbf, {count} components",
        [
            Contender("recta components", {"peer": "recta components", **job}, True),
            *(Contender(name, job) for name in peers),
        ],
        same_eigenvalues,
        faster(quick, "recta components", limits),
        1,
    )


def kernel_features(quick):
    rows, count = (2_000, 50) if quick else (1_000_000, 500)
    for name in ("Nystroem", "RBFSampler"):
        job = numbers(rows, 20, 45) | {"repeat": 1, "gamma": 0.05, "components": count, "map": name}
        yield Case(
            f"{name}, {rows} x 20, {count} components",
            [Contender("recta features", {"peer": "recta features", **job}, True), Contender("sklearn features", job)],
            as_near,
            faster(quick, "recta features", {"sklearn features": 2}),
            1,
        )


def strings(quick):
    count = 200 if quick else 2_000
    for kind, peer in (("spectrum", "sklearn runs"), ("subsequence", "numpy subsequences")):
        some = count if kind == "spectrum" else count // 10  # plain code takes a second a thousand pairs
        job = texts(some, 200, 42) | {"repeat": 1, "kind": kind, "length": 5, "decay": 0.5}
        yield Case(
            f"{kind} kernel, {some} strings of 200 characters",
            [Contender("recta strings", {"peer": "recta strings", **job}, True), Contender(peer, job)],
            same_sum,
            faster(quick, "recta strings", {peer: 5}),
            2,
        )


def graph_matrix(quick):
    count = 200 if quick else 2_000
    job = graphs(count, 30, 43) | {"repeat": 1, "rounds": 3}
    peers = ["plain relabelling"] if quick else ["plain relabelling", "grakel"]
    return Case(
        f"Weisfeiler-Lehman, {count} graphs of 30 nodes",
        [Contender("recta graphs", {"peer": "recta graphs", **job}, True), *(Contender(name, job) for name in peers)],
        same_sum,
        faster(quick, "recta graphs", {"plain relabelling": 5, "grakel": 5}),
        2,
    )


def kernels(quick):
    """Kernel ridge, components and features of the Gaussian kernel; the matrices of string and graph kernels."""
    yield kernel_ridge(quick)
    yield kernel_components(quick)
    yield from kernel_features(quick)
    yield from strings(quick)
    yield graph_matrix(quick)
