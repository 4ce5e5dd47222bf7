"""Multi-task lasso and group lasso: single fits to a certified gap. celer's MultiTaskLasso does not run with scikit-learn 1.9."""

import json

import numpy as np
from harness import DATA, Case, Contender
from nets import design, faster, reached


def tasks(rows, cols, targets, seed):
    """AR(1) columns, 100 of which matter for every target. By column."""
    data, _ = design(rows, cols, 0.5, 11)
    y_path, about = (DATA / f"tasks-{rows}x{cols}x{targets}-{seed}.{end}" for end in ("y", "json"))
    if not about.exists():
        random = np.random.default_rng(seed)
        x = np.fromfile(data["x"]).reshape((rows, cols), order="F")
        true = np.zeros((cols, targets))
        true[random.choice(cols, min(100, cols), replace=False)] = random.standard_normal((min(100, cols), targets))
        signal = x @ true
        y = signal + signal.std() / 3 * random.standard_normal((rows, targets))
        y.ravel(order="F").tofile(y_path)
        largest = np.linalg.norm((x - x.mean(axis=0)).T @ (y - y.mean(axis=0)), axis=1).max() / rows
        about.write_text(json.dumps({"lambda_max": float(largest)}))
    return data | {"y": str(y_path), "targets": targets}, json.loads(about.read_text())["lambda_max"]


def grouped(rows, cols, size):
    """The largest length of a group's products with the target, over the root of its size."""
    data, _ = design(rows, cols, 0.5, 11)
    x, y = np.fromfile(data["x"]).reshape((rows, cols), order="F"), np.fromfile(data["y"])
    products = (x - x.mean(axis=0)).T @ (y - y.mean()) / rows
    return data | {"group-size": size}, float(np.linalg.norm(products.reshape(-1, size), axis=1).max() / np.sqrt(size))


def groups(quick):
    rows, cols = (200, 1_000) if quick else (1_000, 20_000)
    for word, (data, largest), peers in (
        ("multi-task-lasso", tasks(rows, cols, 5, 21), ["MultiTaskLasso"] if quick else ["MultiTaskLasso", "skglm"]),
        ("group-lasso", grouped(rows, cols, 5), [] if quick else ["celer", "skglm"]),
    ):
        for divisor in (10,) if quick else (10, 30):
            for gap in (1e-6,) if quick else (1e-6, 1e-10):
                job = {"lambda": largest / divisor, "tolerance": gap, "repeat": 1 if quick else 3, **data}
                contenders = [Contender("recta", {"task": "fit", "word": word, "dsyrk": "no", **job}, True)]
                contenders += [Contender(p, {"peer": f"{p} {word}", **job, "repeat": 1}) for p in peers]
                what = "5 targets" if "targets" in data else "groups of 5"
                yield Case(
                    f"{word}, {rows} x {cols}, {what}, lambda_max/{divisor}, gap {gap:.0e}",
                    contenders,
                    reached(gap),
                    faster("faster than the best peer, proof included", None),
                    1 if quick else 2,
                )
