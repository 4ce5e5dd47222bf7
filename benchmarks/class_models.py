"""Models of classes in closed form, beside scikit-learn: naive Bayes, lda and qda. Times of Recta include the proof."""

import numpy as np
from harness import Bar, Case, Contender, stored


def classes(rows, cols, levels, seed):
    """Three classes of normal columns, or of codes 0 to levels - 1."""

    def make():
        random = np.random.default_rng(seed)
        y = random.integers(0, 3, rows)
        if levels:
            x = np.minimum(
                random.integers(0, levels, (rows, cols)) + (random.random((rows, cols)) < 0.2 * y[:, None]), levels - 1
            ).astype(float)
        else:
            x = random.standard_normal((rows, cols)) * (1 + 0.2 * y[:, None]) + 0.1 * y[:, None]
            x[:, 1:] += 0.3 * x[:, :-1]
        return x, y.astype(float)

    return stored(f"classes-{rows}x{cols}-{levels}-{seed}", make) | {"cols": cols}


def same_posteriors(ours, theirs):
    """Sums of the largest posteriors of some rows, and the classes that were predicted."""
    for key in ("certainty", "predicted"):
        a, b = ours.more[key], theirs.more[key]
        if abs(a - b) > 1e-7 * abs(a):
            return f"{key} {b:.9g} against {a:.9g}"
    return None


def cases(name, model, job, limits, quick):
    """Fit, and predict of a tenth of the rows."""
    for task, limit in limits.items():
        work = job | {"model": model, "task": task, "repeat": 1 if task == "fit" else 3}
        ours = Contender("recta", {"peer": "recta classes", **work}, True)
        peer = Contender("sklearn", {"peer": "sklearn classes", **work}, False)

        def bars(there, limit=limit):
            return (
                [] if quick else [Bar("faster than sklearn", there["sklearn"].best / there["recta"].best, limit, True)]
            )

        yield Case(f"{name}, {task}", [ours, peer], same_posteriors, bars, 2)


def bayes(quick):
    rows = 20_000 if quick else 1_000_000
    yield from cases(
        f"Gaussian naive Bayes, {rows} x 50", "GaussianNB", classes(rows, 50, 0, 41), {"fit": 8, "predict": 4}, quick
    )
    yield from cases(
        f"categorical naive Bayes, {rows} x 50, 8 levels",
        "CategoricalNB",
        classes(rows, 50, 8, 42),
        {"fit": 8, "predict": 4},
        quick,
    )


def discriminant(quick):
    rows = 20_000 if quick else 1_000_000
    job = classes(rows, 100, 0, 43)
    yield from cases(f"lda, {rows} x 100", "LinearDiscriminantAnalysis", job, {"fit": 20}, quick)
    yield from cases(f"qda, {rows} x 100", "QuadraticDiscriminantAnalysis", job, {"fit": 20}, quick)
