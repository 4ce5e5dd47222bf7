"""Small tables that arithmetic in doubles finds hard: far from the origin, alike to the last bits, of sizes from 1e-300 to 1e300."""

import math


def column(rng, n, others):
    """One column; `others` are those before it, of which it may be nearly a combination."""
    kind = rng.choice(
        [
            "plain",
            "plain",
            "whole",
            "dummy",
            "far",
            "far",
            "stamps",
            "sized",
            "alike",
            "sum",
            "nudged",
            "constant",
            "subnormal",
        ]
    )
    if kind in ("alike", "sum", "nudged") and not others:
        kind = "plain"
    if kind == "whole":
        return [float(rng.randint(-3, 3)) for _ in range(n)]
    if kind == "dummy":
        return [float(rng.random() < 0.4) for _ in range(n)]
    if kind == "far":
        offset = 10.0 ** rng.uniform(3, 15)
        return [offset + rng.gauss(0, 1) * rng.choice([1, 1000]) for _ in range(n)]
    if kind == "stamps":
        return [1.7e9 + float(rng.randint(0, 10 ** rng.randint(1, 7))) for _ in range(n)]
    if kind == "sized":
        size = 10.0 ** rng.uniform(-150, 150)
        return [size * rng.gauss(0, 1) for _ in range(n)]
    if kind == "subnormal":
        size = 10.0 ** rng.uniform(-322, -290)
        return [size * rng.gauss(0, 1) for _ in range(n)]
    if kind == "alike":
        near, step = rng.choice(others), 10.0 ** rng.uniform(-16, -5)
        return [x * (1 + step * rng.gauss(0, 1)) for x in near]
    if kind == "sum":
        a, b = rng.choice(others), rng.choice(others)
        return [x + 2 * z if abs(x) < 1e300 and abs(z) < 1e300 else x for x, z in zip(a, b)]
    if kind == "nudged":
        moved = list(rng.choice(others))
        at = rng.randrange(n)
        moved[at] = math.nextafter(moved[at], math.inf)
        return moved
    if kind == "constant":
        moved = [rng.choice([1.0, 0.1, 1e10])] * n
        if rng.random() < 0.5:
            moved[rng.randrange(n)] *= 1 + 2.0**-52
        return moved
    return [rng.gauss(0, 1) for _ in range(n)]


def weights(rng, n):
    kind = rng.choice(["none", "none", "whole", "plain", "tiny", "huge", "mixed", "far apart"])
    if kind == "none":
        return None
    if kind == "whole":
        return [float(rng.choice([0, 1, 1, 2, 3])) for _ in range(n - 1)] + [1.0]
    size = {"plain": 0.0, "tiny": rng.uniform(-305, -250), "huge": rng.uniform(250, 299)}.get(kind)
    if size is not None:
        return [10.0**size * rng.uniform(0.1, 10) for _ in range(n)]
    spread = 300 if kind == "far apart" else 8
    return [10.0 ** rng.uniform(-spread, spread * (kind == "mixed")) for _ in range(n)]


def rows(rng, n, p):
    columns = []
    for _ in range(p):
        columns.append(column(rng, n, columns))
    return [list(row) for row in zip(*columns)]


def shape(rng):
    return rng.choice([1, 2, 3, 5, 8, 13, 20, 30]), rng.choice([1, 1, 2, 3, 4, 6])


def numbers(rng, x):
    """Targets that are numbers of any sign: about a plane over the columns that can bear one, and of any size."""
    moderate = [j for j in range(len(x[0])) if all(1e-100 < abs(row[j]) < 1e100 or row[j] == 0 for row in x)]
    means = {j: math.fsum(row[j] for row in x) / len(x) for j in moderate}
    widths = {j: max(abs(row[j] - means[j]) for row in x) or 1.0 for j in moderate}
    noise = rng.choice([0, 1e-9, 0.3, 0.3, 3])
    slopes = {j: rng.choice([0, 1, -0.5]) for j in moderate}
    y = [
        math.fsum(slopes[j] * (row[j] - means[j]) / widths[j] for j in moderate) + noise * rng.gauss(0, 1) for row in x
    ]
    size = rng.choice(
        [1, 1, 1, 10.0 ** rng.uniform(-300, -100), 10.0 ** rng.uniform(-100, 100), 10.0 ** rng.uniform(100, 300)]
    )
    offset = rng.choice([0, 0, 1, 10.0 ** rng.uniform(3, 15)])
    return [size * (value + offset) for value in y]


def positive(rng, n):
    size = rng.choice([1, 1, 10.0 ** rng.uniform(-300, 300), 10.0 ** rng.uniform(-10, 10)])
    return [size * (0.05 + rng.gammavariate(2, 0.5)) for _ in range(n)]


def counts(rng, n):
    if rng.random() < 0.3:
        return [y * rng.choice([0.0, 1.0, 1.0]) for y in positive(rng, n)]
    return [float(rng.choice([0, 0, 1, 1, 2, 5, 40])) for _ in range(n)]


def labels(rng, x, classes):
    """Labels 0, 1, ...: by a plane with noise, so that some tables are separable and some are not."""
    y = numbers(rng, x)
    order = sorted(y)
    cuts = [order[len(y) * k // classes] for k in range(1, classes)]
    noise = rng.choice([0, 0, 0.1, 0.5])
    found = [sum(value >= cut for cut in cuts) if rng.random() >= noise else rng.randrange(classes) for value in y]
    for k in range(min(classes, len(found))):
        found[k] = k
    return found


def write(path, x, y=None, v=None):
    """The table as Recta reads it: the shortest digits that give each double back."""
    header = [f"x{j}" for j in range(len(x[0]))] + ["y"] * (y is not None) + ["v"] * (v is not None)
    lines = [",".join(header)]
    for i, row in enumerate(x):
        lines.append(
            ",".join(
                [repr(value) for value in row]
                + ([repr(y[i])] if y is not None else [])
                + ([repr(v[i])] if v is not None else [])
            )
        )
    path.write_text("\n".join(lines) + "\n")
