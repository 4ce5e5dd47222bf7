"""Nearest neighbours, the same rows found, beside scikit-learn, its oneDAL, faiss and SciPy; and after adding 1e6 to every coordinate."""

import gzip

import numpy as np
import softmaxes
from harness import DATA, Bar, Case, Contender, stored


def points(rows, queries, cols, seed):
    def make():
        random = np.random.default_rng(seed)
        return random.standard_normal((rows, cols)), random.standard_normal((queries, cols))

    return stored(f"points-{rows}-{queries}x{cols}-{seed}", make, ("x", "q")) | {"cols": cols}


def same_sum(ours, theirs):
    """Sums of all distances, which single precision knows to five digits."""
    a, b = ours.more["sum"], theirs.more["sum"]
    return None if abs(a - b) <= 1e-5 * abs(a) else f"the distances add up to {b:.9g} against {a:.9g}"


def same_recall(ours, theirs):
    a, b = ours.more["recall"], theirs.more["recall"]
    return None if a >= b - 0.01 else f"recall {a:.4f} against {b:.4f}"


def pictures():
    """The 60,000 pictures of clothes to learn from, and the 10,000 to test with."""
    with gzip.open(softmaxes.FASHION / "t10k-images-idx3-ubyte.gz") as file:
        asked = np.frombuffer(file.read(), np.uint8, offset=16) / 255.0
    return {"x": softmaxes.pictures()["x"], "cols": 784} | stored("fashion-asked", lambda: (asked,), ("q",))


def by_brute_force(name, job, quick):
    """Beside the others, and beside the product of queries and rows alone."""
    job |= {"k": 10, "repeat": 2, "search": "brute"}
    peers = ["sklearn brute"] if quick else ["sklearn brute", "sklearn-intelex brute", "faiss flat"]
    ours = Contender("recta brute", {"peer": "recta neighbours", **job}, True)

    def bars(there):
        if quick:
            return []
        ours = there["recta brute"].best
        product = (
            [Bar("times the product alone", ours / there["float32 product"].best, 1.3, False)]
            if "float32 product" in there
            else []
        )
        return product + [
            Bar(f"faster than {peer}", there[peer].best / ours, 1, True) for peer in peers if peer in there
        ]

    agree = lambda a, b: None if "sum" not in b.more else same_sum(a, b)
    others = peers if quick else [*peers, "float32 product"]
    return Case(
        f"neighbours, k = 10, {name}", [ours, *(Contender(peer, job, False) for peer in others)], agree, bars, 2
    )


def neighbours(quick):
    """Brute force in 64 and 784 columns; a tree in 3; errors by k; what is right far from the origin; graphs."""
    rows, queries = (5_000, 500) if quick else (100_000, 10_000)
    yield by_brute_force(f"{rows} x 64, {queries} queries", points(rows, queries, 64, 31), quick)
    if not quick and softmaxes.FASHION.is_dir():
        yield by_brute_force("60,000 pictures of 784 numbers, 10,000 queries", pictures(), quick)

    rows, queries = (10_000, 1_000) if quick else (1_000_000, 100_000)
    job = points(rows, queries, 3, 32) | {"k": 10, "repeat": 2, "search": "kd_tree"}
    ours_tree = Contender("recta tree", {"peer": "recta neighbours", **job}, True)
    trees = ["sklearn tree"] if quick else ["sklearn tree", "cKDTree", "nanoflann"]

    def tree_bars(there):
        return [
            Bar(f"faster than {name}", there[name].best / there["recta tree"].best, 1.3, True)
            for name in trees
            if not quick and name in there
        ]

    yield Case(
        f"neighbours, k = 10, {rows} x 3, {queries} queries, build and search",
        [ours_tree, *(Contender(name, job, False) for name in trees)],
        same_sum,
        tree_bars,
        2,
    )

    yield from errors_by_k(quick)
    yield from far_from_the_origin(quick)
    yield from graphs(quick)
    yield from loading(quick)


def loading(quick):
    """From the file of a model to its first answer; the file is in the system's cache. At full size it has 1 GB, and its fit takes minutes once."""
    for index, rows, cols, params in (
        ("kd_tree", 6_500_000, 8, None),
        ("hnsw", 155_000, 512, {"links": 8, "ef_construction": 20}),
    ):
        rows = rows // 200 if quick else rows
        job = {
            "peer": "recta loading",
            "search": index,
            "rows": rows,
            "cols": cols,
            "params": params,
            "repeat": 5,
            "file": str(DATA / f"neighbours-{index}-{rows}x{cols}.recta"),
        }

        def bars(there):
            return [] if quick else [Bar("milliseconds", 1e3 * there["recta loading"].best, 50, False)]

        yield Case(
            f"loading a model of nearest neighbours and its first answer, {index}, {rows} x {cols}",
            [Contender("recta loading", job, True)],
            lambda a, b: None,
            bars,
            1,
        )


def errors_by_k(quick):
    """Leave-one-out errors of all k up to 50 beside one search of 51 neighbours by the fastest peer."""
    rows = 2_000 if quick else 100_000
    job = points(rows, 10, 20, 34) | {"k": 51, "repeat": 1, "search": "brute"}
    names = ["sklearn search"] if quick else ["sklearn search", "sklearn-intelex search", "faiss search"]

    def bars(there):
        best = min((there[name].best for name in names if name in there), default=None)
        return (
            []
            if quick or best is None
            else [Bar("times the fastest search", there["recta errors"].best / best, 1.2, False)]
        )

    yield Case(
        f"leave-one-out errors of k = 1 to 50, {rows} x 20",
        [
            Contender("recta errors", {"peer": "recta errors", **job}, True),
            *(Contender(name, job, False) for name in names),
        ],
        lambda a, b: None,
        bars,
        2,
    )


def far_from_the_origin(quick):
    """The same rows with 1e6 added to every coordinate: the share of the true neighbours that each finds."""
    rows, queries = (2_000, 100) if quick else (100_000, 1_000)
    job = points(rows, queries, 64, 31) | {"k": 10, "repeat": 1, "search": "brute", "offset": 1e6}

    def bars(there):
        return [Bar("share of the true neighbours", there["recta far"].more["recall"], 1.0, True)]

    yield Case(
        f"neighbours, k = 10, {rows} x 64 about 1e6, {queries} queries",
        [Contender("recta far", {"peer": "recta far", **job}, True)],
        lambda a, b: None,
        bars,
        2,
    )


def graphs(quick):
    rows, queries = (2_000, 200) if quick else (100_000, 10_000)
    for part, limit in (("build", 1.5), ("query", 1.1)):
        job = points(rows, queries, 64, 33) | {"k": 10, "repeat": 1, "part": part}

        def graph_bars(there, limit=limit):
            if quick or "hnswlib" not in there:
                return []
            return [Bar("time of hnswlib", there["recta graph"].best / there["hnswlib"].best, limit, False)]

        yield Case(
            f"graph, M 16, ef 200 and 64, k = 10, {rows} x 64, {queries} queries: {part}",
            [
                Contender("recta graph", {"peer": "recta graph", **job}, True),
                *([] if quick else [Contender("hnswlib", job, False)]),
            ],
            same_recall,
            graph_bars,
            2,
        )
