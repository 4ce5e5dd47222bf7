"""Whether a hyperplane separates two classes, with its proof, beside a linear program."""

import numpy as np
from harness import DATA, Bar, Case, Contender, stored


def classes(rows, cols, apart, noise, seed):
    """Rows around a plane: moved away from it by `apart` on either side, or with `noise` before they are told apart."""

    def make():
        random = np.random.default_rng(seed)
        w = np.arange(cols) % 3 - 1.0
        x = random.standard_normal((rows, cols))
        y = np.where(x @ w + 0.3 + noise * random.standard_normal(rows) > 0, 1.0, -1.0)
        return x + apart * y[:, None] * w, y

    return stored(f"classes-{rows}x{cols}-{apart}-{noise}-{seed}", make) | {"rows": rows, "cols": cols}


def sparse_classes(rows, cols, per_row, seed):
    """Sparse rows around a plane of a tenth of the columns, with noise."""
    path = DATA / f"classes-sparse-{rows}x{cols}-{per_row}-{seed}.npz"
    if not path.exists():
        random = np.random.default_rng(seed)
        index = np.sort(
            random.integers(0, cols // per_row, (rows, per_row)) + np.arange(per_row) * (cols // per_row), axis=1
        ).astype(np.int32)
        value = random.standard_normal((rows, per_row))
        w = random.standard_normal(cols) * (random.random(cols) < 0.1)
        y = np.where((value * w[index]).sum(axis=1) + 0.5 * random.standard_normal(rows) > 0, 1.0, -1.0)
        np.savez(path, index=index, value=value, y=y, cols=cols)
    return {"rows": str(path)}


def as_many_right(ours, theirs):
    a, b = ours.more["right"], theirs.more["right"]
    return None if abs(a - b) < 0.02 else f"{b:.3f} of the rows are right against {a:.3f}"


def perceptron(quick):
    """One epoch over sparse rows in a shuffled order, and what a fit of one epoch takes with its certificate."""
    rows, cols, per_row = (2_000, 1_000, 20) if quick else (100_000, 100_000, 80)
    job = sparse_classes(rows, cols, per_row, 23) | {"repeat": 5}
    for title, kind, bar in (("an epoch", "partial_fit", 3), ("a fit of one epoch", "fit", None)):
        ours = Contender("recta Perceptron", {"peer": "recta Perceptron", "kind": kind, **job}, True)
        theirs = Contender("Perceptron", {"kind": kind, **job}, False)

        def bars(there, ours=ours, bar=bar):
            if quick or bar is None or "Perceptron" not in there:
                return []
            return [Bar("faster than scikit-learn", there["Perceptron"].best / there[ours.name].best, bar, True)]

        yield Case(
            f"perceptron, {title}, {rows} x {cols}, {per_row} a row",
            [ours, theirs],
            as_many_right,
            bars,
            1 if quick else 2,
        )


def same_verdict(ours, theirs):
    a, b = ours.more["separable"], theirs.more["separable"]
    return None if a == b else f"separable: {b} against {a}"


def separability(quick):
    """100,000 rows: one set separable, one not."""
    rows, cols = (2_000, 10) if quick else (100_000, 50)
    for name, apart, noise in (("separable", 0.02, 0.0), ("not separable", 0.0, 0.5)):
        job = classes(rows, cols, apart, noise, 21) | {"repeat": 1}
        ours = Contender("recta separability", {"peer": "recta separability", **job}, True)
        theirs = Contender("linprog (HiGHS)", job, False)

        def bars(there, ours=ours):
            made = [Bar("proved", float(there[ours.name].more["proved"]), 1, True)]
            if not quick and "linprog (HiGHS)" in there:
                made.append(
                    Bar(
                        "faster than the linear program", there["linprog (HiGHS)"].best / there[ours.name].best, 1, True
                    )
                )
            return made

        yield Case(f"separability, {rows} x {cols}, {name}", [ours, theirs], same_verdict, bars, 1)
