"""Claims that have an exact answer: in fractions where they are algebraic, in 110 digits where they are not."""

import csv
from fractions import Fraction

import mean_loss
from gmpy2 import exp, log, mpfr, sqrt

ZERO = mpfr(0)


def fractions(x):
    return [[Fraction(value) for value in row] for row in x]


def side_of_rows(model, x, y):
    """The claim of a hyperplane: every row lies as far on its side as is stated."""
    margin = model.claim.get("margin")
    if model.verdict != "proved" or margin is None:
        return []
    w = [Fraction(each) for each in model.numbers("svm.weights") or model.numbers("coefficients")]
    b = Fraction((model.numbers("svm.part_numbers") or model.numbers("intercept"))[0])
    least = min((1 if label else -1) * (sum(a * c for a, c in zip(w, row)) + b) for row, label in zip(fractions(x), y))
    length2 = sum(each * each for each in w)
    short = Fraction(margin) * (1 - Fraction(1, 10**10))
    if least <= 0 or least * least < short * short * length2:
        return [f"the exact margin is {float(least) / float(length2) ** 0.5!r}, {margin!r} stated"]
    return []


def clusters(model, x, v):
    """Every row is nearest to the mean of its own cluster, and the cost is that of the clusters."""
    if model.verdict != "proved":
        return []
    rows, of_row = fractions(x), [int(each) for each in model.numbers("kernel_kmeans.of_row")]
    kept = [int(each) for each in model.numbers("kernel_kmeans.rows")]
    weight = [Fraction(1 if v is None else v[i]) for i in kept]
    rows = [rows[i] for i in kept]
    means = {}
    for c in set(of_row):
        total = sum(s for s, k in zip(weight, of_row) if k == c)
        means[c] = [
            sum(s * row[j] for s, row, k in zip(weight, rows, of_row) if k == c) / total for j in range(len(rows[0]))
        ]
    wrong, cost = [], Fraction(0)
    for row, own, s in zip(rows, of_row, weight):
        distances = {c: sum((a - m) ** 2 for a, m in zip(row, mean)) for c, mean in means.items()}
        cost += s * distances[own]
        nearest = min(distances.values())
        excess = dict(zip(["excess"], model.numbers("certificate.figures")))["excess"]
        if distances[own] - nearest > Fraction(excess):
            wrong.append(f"a row is {float(distances[own] - nearest)!r} nearer to another mean, {excess!r} stated")
    cost /= sum(weight)
    objective = model.figure("objective")
    if abs(Fraction(objective) - cost) > Fraction(model.figure("slack")) + cost / 10**12:
        wrong.append(f"the cost is {float(cost)!r}, not {objective!r}")
    return wrong[:3]


def components(model, x):
    """Components are eigenvectors of the rows' products about their mean, as near as is stated."""
    if model.verdict != "proved":
        return []
    n = len(x)
    rows = [[mpfr(value) for value in row] for row in x]
    means = [sum(row[j] for row in rows) / n for j in range(len(rows[0]))]
    rows = [[value - mean for value, mean in zip(row, means)] for row in rows]
    count = len(model.numbers("kernel_pca.variance"))
    alpha, kept = model.numbers("kernel_pca.alpha"), [int(each) for each in model.numbers("kernel_pca.rows")]
    each_of = len(kept)
    largest = mpfr(max(model.numbers("kernel_pca.variance"), default=0))
    for k in range(count):
        a = [ZERO] * n
        for at, value in zip(kept, alpha[k * each_of : (k + 1) * each_of]):
            a[at] = mpfr(value)
        middle = sum(a) / n
        a = [each - middle for each in a]
        w = [sum(c * row[j] for c, row in zip(a, rows)) for j in range(len(means))]
        moved = [sum(c * value for c, value in zip(w, row)) / n for row in rows]
        length2 = sum(c * m for c, m in zip(a, moved)) or mpfr(1)  # |w|^2 / n
        theta = sum(m * m for m in moved) / length2
        residual = sqrt(sum((m - theta * c) ** 2 for m, c in zip(moved, a)) / sum(c * c for c in a))
        if residual > largest * mpfr("1.0001e-10"):
            return [f"component {k + 1} holds to {residual / largest:.3e} of the largest eigenvalue, proved to 1e-10"]
    return []


def mean_of_neighbours(predictions, x, y, queries, k):
    """knn-regression: the mean target of the k rows that come first by (distance, target, number)."""
    rows, wrong = fractions(x), []
    for query, predicted in zip(fractions(queries), predictions):
        order = sorted(
            (sum((a - c) ** 2 for a, c in zip(query, row)), target, i) for i, (row, target) in enumerate(zip(rows, y))
        )
        near = [Fraction(target) for _, target, _ in order[:k]]
        mean = sum(near) / len(near)
        scale = max(abs(each) for each in near)
        if abs(Fraction(predicted) - mean) > scale / 10**14:
            wrong.append(f"the mean of the nearest is {float(mean)!r}, {predicted!r} predicted")
    return wrong[:3]


def softmaxed(scores):
    top = max(scores)
    shares = [exp(each - top) for each in scores]
    return [each / sum(shares) for each in shares]


def posteriors_agree(predicted, scores_of_rows, allowed):
    wrong = []
    for i, (row, scores) in enumerate(zip(predicted, scores_of_rows)):
        for p, q in zip(row, softmaxed(scores)):
            if not abs(mpfr(p) - q) <= allowed:
                wrong.append(f"row {i + 1}: posterior {p!r}, {q:.17g} is true")
                break
    return wrong[:3]


def weights_by_class(y, v):
    weight = [mpfr(1 if v is None else each) for each in (v or [1] * len(y))]
    classes = sorted({label for label, s in zip(y, weight) if s > 0})
    return weight, classes, {c: sum(s for s, label in zip(weight, y) if label == c) for c in classes}


def gaussian_scores(x, y, v, smoothing):
    weight, classes, totals = weights_by_class(y, v)
    total = sum(totals.values())
    rows = [[mpfr(value) for value in row] for row in x]

    def moments(j, members):
        mass = sum(weight[i] for i in members)
        mean = sum(weight[i] * rows[i][j] for i in members) / mass
        return mean, sum(weight[i] * (rows[i][j] - mean) ** 2 for i in members) / mass

    everyone = [i for i in range(len(y)) if weight[i] > 0]
    parts = {}
    for c in classes:
        members = [i for i in everyone if y[i] == c]
        parts[c] = []
        for j in range(len(x[0])):
            mean, variance = moments(j, members)
            parts[c].append((mean, variance + mpfr(smoothing) * moments(j, everyone)[1]))
    if any(variance == 0 for c in classes for _, variance in parts[c]):
        return None
    return [
        [
            log(totals[c] / total)
            - sum(log(variance) + (row[j] - mean) ** 2 / variance for j, (mean, variance) in enumerate(parts[c])) / 2
            for c in classes
        ]
        for row in rows
    ]


def count_scores(kind, x, y, v, alpha):
    """Multinomial, complement and Bernoulli likelihoods of counts."""
    weight, classes, totals = weights_by_class(y, v)
    total = sum(totals.values())
    rows = [[mpfr(value) for value in row] for row in x]
    if kind == "bernoulli":
        rows = [[mpfr(value > 0) for value in row] for row in rows]
    p, alpha = len(x[0]), mpfr(alpha)
    sums = {
        c: [sum(s * row[j] for s, row, label in zip(weight, rows, y) if label == c) for j in range(p)] for c in classes
    }
    logs = {}
    for c in classes:
        own = [sum(sums[d][j] for d in classes if d != c) for j in range(p)] if kind == "complement" else sums[c]
        if kind == "bernoulli":
            logs[c] = [
                (
                    log((own[j] + alpha) / (totals[c] + 2 * alpha)),
                    log((totals[c] - own[j] + alpha) / (totals[c] + 2 * alpha)),
                )
                for j in range(p)
            ]
        else:
            mass = sum(own) + alpha * p
            logs[c] = [log((own[j] + alpha) / mass) for j in range(p)]
    out = []
    for row in rows:
        scores = []
        for c in classes:
            if kind == "bernoulli":
                value = log(totals[c] / total) + sum(yes if value else no for value, (yes, no) in zip(row, logs[c]))
            elif kind == "multinomial":
                value = log(totals[c] / total) + sum(value * each for value, each in zip(row, logs[c]))
            else:
                value = -sum(value * each for value, each in zip(row, logs[c]))
            scores.append(value)
        out.append(scores)
    return out


def pooled_scores(x, y, v):
    """lda with covariances pooled by weight; nothing where the pooled covariance is nearly singular, whose rank is a matter of tolerance."""
    weight, classes, totals = weights_by_class(y, v)
    total, p = sum(totals.values()), len(x[0])
    rows = [[mpfr(value) for value in row] for row in x]
    means = {
        c: [sum(s * row[j] for s, row, label in zip(weight, rows, y) if label == c) / totals[c] for j in range(p)]
        for c in classes
    }
    about = [
        [value - m for value, m in zip(row, means[label])] if label in means else None for row, label in zip(rows, y)
    ]
    s = [
        [sum(w * d[i] * d[j] for w, d in zip(weight, about) if d is not None) / total for j in range(p)]
        for i in range(p)
    ]
    if any(s[j][j] == 0 for j in range(p)):
        return None
    units = [sqrt(s[j][j]) for j in range(p)]
    correlation = [[s[i][j] / units[i] / units[j] for j in range(p)] for i in range(p)]
    if p > 1 and determinant(correlation) < mpfr("1e-6"):
        return None
    middle = [sum(row[j] * w for row, w in zip(rows, weight)) / total for j in range(p)]
    directions = {c: mean_loss.solve(s, [m - o for m, o in zip(means[c], middle)]) for c in classes}
    return [
        [
            log(totals[c] / total)
            + sum(a * (value - (m + o) / 2) for a, value, m, o in zip(directions[c], row, means[c], middle))
            for c in classes
        ]
        for row in rows
    ]


def class_moments(x, y, v):
    """Shares, means and rows of the classes in 110 digits."""
    weight, classes, totals = weights_by_class(y, v)
    rows, total = [[mpfr(value) for value in row] for row in x], sum(totals.values())
    means = {
        c: [
            sum(s * row[j] for s, row, label in zip(weight, rows, y) if label == c) / totals[c]
            for j in range(len(x[0]))
        ]
        for c in classes
    }
    return weight, classes, totals, {c: totals[c] / total for c in classes}, means, rows


def quadratic_scores(x, y, v):
    """qda with a covariance for each class; nothing where one is nearly singular, whose rank is a matter of tolerance."""
    weight, classes, totals, shares, means, rows = class_moments(x, y, v)
    p, parts = len(x[0]), {}
    for c in classes:
        about = [
            (w, [value - m for value, m in zip(row, means[c])]) for w, row, label in zip(weight, rows, y) if label == c
        ]
        s = [[sum(w * d[i] * d[j] for w, d in about) / totals[c] for j in range(p)] for i in range(p)]
        if any(s[j][j] == 0 for j in range(p)):
            return None
        units = [sqrt(s[j][j]) for j in range(p)]
        correlation = [[s[i][j] / units[i] / units[j] for j in range(p)] for i in range(p)]
        size = determinant(correlation)
        if size < mpfr("1e-6"):
            return None
        parts[c] = correlation, units, log(size) + 2 * sum(log(unit) for unit in units)

    def score(row, c):
        correlation, units, level = parts[c]
        z = [(value - m) / unit for value, m, unit in zip(row, means[c], units)]
        return log(shares[c]) - level / 2 - sum(a * b for a, b in zip(z, mean_loss.solve(correlation, z))) / 2

    return [[score(row, c) for c in classes] for row in rows]


def centroid_scores(x, y, v):
    _, classes, _, _, means, rows = class_moments(x, y, v)
    return [[-sum((value - m) ** 2 for value, m in zip(row, means[c])) / 2 for c in classes] for row in rows]


def determinant(a):
    a, out = [row[:] for row in a], mpfr(1)
    for k in range(len(a)):
        out *= a[k][k]
        if a[k][k] == 0:
            return ZERO
        for i in range(k + 1, len(a)):
            factor = a[i][k] / a[k][k]
            for j in range(k, len(a)):
                a[i][j] -= factor * a[k][j]
    return out


def table_of_numbers(text):
    """The numbers of a printed table: columns by name."""
    lines = list(csv.reader(text.splitlines()))
    return lines[0], [[float(cell) for cell in line] for line in lines[1:]]
