"""Kernel ridge beside scikit-learn and the factorisation it cannot do without; kernels of strings and graphs beside plain code."""

import json

import numpy as np

from harness import DATA, Bar, Case, Contender, stored


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
            made.append(";".join([f"{v}:{labels[v]}" for v in range(nodes)] + [f"{a}-{b}" for a, b in pairs.tolist() if a != b]))
        path.write_text(json.dumps(made))
    return {"texts": str(path)}


def same_sum(ours, theirs):
    if "sum" not in theirs.more:
        return None
    a, b = ours.more["sum"], theirs.more["sum"]
    return None if abs(a - b) <= 1e-8 * abs(a) else f"{b:.12g} against {a:.12g}"


def kernels(quick):
    """Kernel ridge by the Gaussian kernel; the matrices of string and graph kernels."""
    rows = 1_000 if quick else 10_000
    job = numbers(rows, 20, 41) | {"repeat": 1, "gamma": 0.05, "alpha": 0.1}
    peers = ["sklearn kernel ridge", "kernel and potrf"]

    def bars(there):
        made = []
        if not quick and "kernel and potrf" in there:
            made.append(Bar("times the kernel and its factor alone", there["recta kernel ridge"].best / there["kernel and potrf"].best, 1.3, False))
        if not quick and "sklearn kernel ridge" in there:
            made.append(Bar("faster than scikit-learn", there["sklearn kernel ridge"].best / there["recta kernel ridge"].best, 1, True))
        return made

    yield Case(f"kernel ridge, {rows} x 20, rbf", [Contender("recta kernel ridge", {"peer": "recta kernel ridge", **job}, True), *(Contender(name, job, False) for name in peers)], same_sum, bars, 2)

    count = 200 if quick else 2_000
    for kind, peer in (("spectrum", "sklearn runs"), ("subsequence", "numpy subsequences")):
        some = count if kind == "spectrum" else count // 10  # plain code takes a second a thousand pairs
        job = texts(some, 200, 42) | {"repeat": 1, "kind": kind, "length": 5, "decay": 0.5}

        def string_bars(there, peer=peer):
            return [Bar(f"faster than {peer}", there["recta strings"].best / there[peer].best, 0.2, False)] if not quick and peer in there else []

        yield Case(f"{kind} kernel, {some} strings of 200 characters", [Contender("recta strings", {"peer": "recta strings", **job}, True), Contender(peer, job, False)], same_sum, string_bars, 2)

    job = graphs(count, 30, 43) | {"repeat": 1, "rounds": 3}
    yield Case(f"Weisfeiler-Lehman, {count} graphs of 30 nodes", [Contender("recta graphs", {"peer": "recta graphs", **job}, True), Contender("plain relabelling", job, False)], same_sum,
               lambda there: [] if quick or "plain relabelling" not in there else
               [Bar("time of plain relabelling", there["recta graphs"].best / there["plain relabelling"].best, 0.2, False)], 2)
