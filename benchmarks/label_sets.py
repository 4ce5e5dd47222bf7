"""Rows with several labels: one model a label, a chain of labels, and their measures, beside scikit-learn's."""

import numpy as np
from harness import DATA, Bar, Case, Contender, same_coefficients


def tagged(rows, cols, labels, seed):
    """Numbers of a row, and labels by random planes with noise."""
    paths = {name: DATA / f"tagged-{rows}-{cols}-{labels}-{seed}.{name}" for name in ("x", "members")}
    if not all(path.exists() for path in paths.values()):
        random = np.random.default_rng(seed)
        x = random.standard_normal((rows, cols))
        members = x @ random.standard_normal((cols, labels)) + 3 * random.standard_normal((rows, labels)) > 2
        x.tofile(paths["x"])
        members.astype(np.int64).tofile(paths["members"])
    return {name: str(path) for name, path in paths.items()} | {"rows": rows, "cols": cols, "labels": labels}


def case(title, name, job, accuracy, least, quick):
    ours = Contender(
        f"recta {name}", {"peer": f"recta {name}", "repeat": 2, "answer": str(DATA / f"ours-{name}.bin"), **job}, True
    )
    peer = Contender(
        f"sklearn {name}", {"peer": f"sklearn {name}", "repeat": 1, "answer": str(DATA / f"theirs-{name}.bin"), **job}
    )

    def bars(there):
        return (
            []
            if quick or peer.name not in there
            else [Bar("faster than scikit-learn", there[peer.name].best / there[ours.name].best, least, True)]
        )

    return Case(title, [ours, peer], same_coefficients(accuracy), bars, 1 if quick else 2)


def label_sets(quick):
    """Sets of 20 labels by logistic regression, and their ranking loss."""
    rows = 2_000 if quick else 20_000
    data = tagged(rows, 50, 20, 31)
    yield case(f"a logistic model for each of 20 labels, n = {rows}, p = 50", "label models", data, 1e-3, 2, quick)
    yield case(f"a chain of 20 labels, n = {rows}, p = 50", "label chain", data, 1e-3, 2, quick)
    rows = 10_000 if quick else 300_000
    yield case(f"ranking loss of {rows} sets of 20 labels", "ranking loss", tagged(rows, 20, 20, 32), 1e-12, 5, quick)
