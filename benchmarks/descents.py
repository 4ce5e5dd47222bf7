"""Steps by single rows: one pass over sparse rows, beside scikit-learn and vowpal wabbit."""

import numpy as np
from harness import DATA, Bar, Case, Contender


def sparse_rows(rows, cols, each, seed):
    """Rows of `each` numbers in columns drawn anew for every row, one column in a hundred of which matters."""
    stem = f"rows-{rows}x{cols}x{each}-{seed}"
    paths = {end: DATA / f"{stem}.{end}" for end in ("value", "index", "start", "y")}
    if not all(path.exists() for path in paths.values()):
        random = np.random.default_rng(seed)
        index = np.sort((np.arange(each) * (cols // each) + random.integers(0, cols // each, (rows, each))), axis=1)
        value = random.standard_normal((rows, each))
        true = random.standard_normal(cols) * (random.random(cols) < 0.01)
        y = (value * true[index]).sum(axis=1) + 0.1 * random.standard_normal(rows)
        value.tofile(paths["value"])
        index.astype(np.int32).tofile(paths["index"])
        np.arange(0, rows * each + 1, each, dtype=np.int32).tofile(paths["start"])
        y.tofile(paths["y"])
    return {end: str(path) for end, path in paths.items()} | {"rows": rows, "cols": cols, "stem": str(DATA / stem)}


def same_place(ours, theirs):
    """Orders differ, so the points do: the errors they leave are compared."""
    a, b = ours.more["mse"], theirs.more["mse"]
    return None if abs(a - b) <= 0.02 * a else f"mean squared error {b:.4g} against {a:.4g}"


def sgd(quick):
    """One epoch over sparse rows."""
    size = (2_000, 5_000, 20) if quick else (100_000, 100_000, 80)
    job = sparse_rows(*size, 12) | {"repeat": 1 if quick else 5}
    ours = Contender("recta SGDRegressor", {"peer": "recta sgd", **job}, True)
    peers = [Contender(name, job, False) for name in ("SGDRegressor", "vowpal wabbit")]

    def bars(there):
        made = [
            Bar(f"faster than {name}", peer.best / there[ours.name].best, 1.5, True)
            for name, peer in there.items()
            if name != ours.name
        ]
        return [] if quick else made

    yield Case(
        f"one epoch by single rows, {size[0]} x {size[1]}, {size[2]} numbers a row",
        [ours, *peers],
        same_place,
        bars,
        1 if quick else 3,
    )
