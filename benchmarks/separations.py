"""Whether a hyperplane separates two classes, with its proof, beside a linear program."""

import numpy as np

from harness import DATA, Bar, Case, Contender


def classes(rows, cols, apart, noise, seed):
    """Rows around a plane: moved away from it by `apart` on either side, or with `noise` before they are told apart."""
    stem = DATA / f"classes-{rows}x{cols}-{apart}-{noise}-{seed}"
    x_path, y_path = stem.with_suffix(".x"), stem.with_suffix(".y")
    if not (x_path.exists() and y_path.exists()):
        random = np.random.default_rng(seed)
        w = np.arange(cols) % 3 - 1.0
        x = random.standard_normal((rows, cols))
        y = np.where(x @ w + 0.3 + noise * random.standard_normal(rows) > 0, 1.0, -1.0)
        (x + apart * y[:, None] * w).tofile(x_path)
        y.tofile(y_path)
    return {"x": str(x_path), "y": str(y_path), "rows": rows, "cols": cols}


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
                made.append(Bar("faster than the linear program", there["linprog (HiGHS)"].best / there[ours.name].best, 1, True))
            return made

        yield Case(f"separability, {rows} x {cols}, {name}", [ours, theirs], same_verdict, bars, 1)
