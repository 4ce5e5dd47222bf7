"""Checks the certificate of a lasso or elastic-net model in exact rational arithmetic.

Shares no code with Recta. A dual point is built here in fractions: the residual that an exact solve on the columns in use
leaves, scaled until it is feasible. Its value is a lower bound of the optimum without a rounding anywhere, so that what is
called proved is compared with the truth.

    python net_checker.py m.recta train.csv
"""

import csv
import json
import sys
from fractions import Fraction

from certificate_checker import ModelFile, features, solve

INFINITY = float("inf")


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class NetProblem:
    """1/2 sum s (y - xw - b)^2 + sum a |w| + 1/2 sum t w^2 on low <= w <= high, or with sum a |w| <= psi instead."""

    def __init__(self, design, y, share, a, t, low, high, intercept, psi=None):
        self.columns = [[row[j] for row in design] for j in range(len(a))]
        self.y, self.share, self.a, self.t, self.low, self.high, self.psi = y, share, a, t, low, high, psi
        self.intercept = intercept
        if intercept:
            self.columns = [self.centred(column) for column in self.columns]

    def centred(self, column):
        mean = dot(self.share, column)
        return [v - mean for v in column]

    def inner(self, u, v):
        return sum(s * a * b for s, a, b in zip(self.share, u, v))

    def target(self):
        return self.centred(self.y) if self.intercept else self.y

    def residual(self, w):
        left = self.target()
        for column, v in zip(self.columns, w):
            if v:
                left = [r - v * x for r, x in zip(left, column)]
        return left

    def value(self, w):
        r = self.residual(w)
        penalty = 0 if self.psi is not None else sum(a * abs(v) for a, v in zip(self.a, w))
        return self.inner(r, r) / 2 + penalty + sum(t * v * v for t, v in zip(self.t, w)) / 2

    def conjugate(self, j, g):
        """max over the interval of g v - a |v| - t v^2 / 2; None where there is none."""
        beyond, end = abs(g) - self.a[j], self.high[j] if g > 0 else -self.low[j]
        if beyond <= 0:
            return Fraction(0)
        best = beyond / self.t[j] if self.t[j] else INFINITY
        best = min(best, end)
        return None if best == INFINITY else beyond * best - self.t[j] * Fraction(best) ** 2 / 2

    def lower_bound(self, w):
        """The best dual value at hand: by the residual of w, and by that of an exact solve on its support."""
        points = [w]
        inside = [j for j, v in enumerate(w) if v and self.low[j] < v < self.high[j]]
        for m in self.multipliers(w, inside):
            gram = [[self.inner(self.columns[i], self.columns[j]) for j in inside] for i in inside]
            others = [0 if j in inside else v for j, v in enumerate(w)]
            left = self.residual(others)
            right = [self.inner(self.columns[j], left) - m * self.a[j] * (1 if w[j] > 0 else -1) for j in inside]
            for k, j in enumerate(inside):
                gram[k][k] += self.t[j]
            for j, v in zip(inside, solve(gram, right)):
                others[j] = v
            points.append(others)
        return max([Fraction(0)] + [value for point in points for value in self.dual_values(point)])

    def multipliers(self, w, inside):
        """What multiplies a at the optimum: 1, or in the constrained form 0 where the bound is not in use, else z / a."""
        if not inside or self.psi is None:
            return [1] if inside else []
        d = self.residual(w)
        z = [self.inner(self.columns[j], d) - self.t[j] * w[j] for j in inside]
        total = sum(self.a[j] for j in inside)
        return [0] + ([sum(v if w[j] > 0 else -v for v, j in zip(z, inside)) / total] if total else [])

    def dual_values(self, w):
        d = self.residual(w)
        g = [self.inner(column, d) for column in self.columns]
        loss, square = self.inner(d, self.target()), self.inner(d, d)
        if self.psi is not None:
            z = [gj - t * v for gj, t, v in zip(g, self.t, w)]
            free = [j for j, a in enumerate(self.a) if a == 0 and z[j] != 0]
            if free:
                return
            most = max(
                [abs(v) / a for j, (v, a) in enumerate(zip(z, self.a)) if a and not (v < 0 and self.low[j] == 0)] + [0]
            )
            yield loss - square / 2 - self.psi * most - sum(t * v * v for t, v in zip(self.t, w)) / 2
            return
        scales = [Fraction(1)] + [self.a[j] / abs(v) for j, v in enumerate(g) if v and abs(v) > self.a[j]]
        for c in {Fraction(1), min(scales)}:
            parts = [self.conjugate(j, c * v) for j, v in enumerate(g)]
            if None not in parts:
                yield c * loss - c * c * square / 2 - sum(parts)


def given(text, names, otherwise):
    """'a=1,b=2' as one number per feature; names without commas and quotes."""
    numbers = [otherwise] * len(names)
    for item in filter(None, text.split(",")):
        name, _, value = item.rpartition("=")
        for j, feature in enumerate(names):
            if feature == name or feature.startswith(name + "="):
                numbers[j] = Fraction(float(value))
    return numbers


def problems(model, rows):
    about, schema, params = model.about["summary"], model.about["schema"], model.about["params"]
    weights = [Fraction(float(r[schema["weights"]])) if schema["weights"] else Fraction(1) for r in rows]
    offset = [Fraction(float(r[schema["offset"]])) if schema["offset"] else Fraction(0) for r in rows]
    design, names = features(model, rows), model.strings("features")
    p = len(names)
    unit = [Fraction(float(d)) for d in model.tensors["deviations"]] if about["standardised"] else [Fraction(1)] * p
    factor = given(params["penalty-factors"], names, Fraction(1))
    low = given(params["lower"], names, -INFINITY)
    if params["non-negative"]:
        low = [Fraction(0)] * p
    high = given(params["upper"], names, INFINITY)
    psi = None if about["psi"] is None else Fraction(about["psi"])
    lambda1 = Fraction(1) if psi is not None else Fraction(about["lambda1"])
    a = [lambda1 * f * u for f, u in zip(factor, unit)]
    t = [Fraction(about["lambda2"]) * f * u * u for f, u in zip(factor, unit)]
    if about["standardised"] and not about["intercept"]:
        total = sum(weights)
        means = [sum(w * row[j] for w, row in zip(weights, design)) / total for j in range(p)]
        design = [[v - m for v, m in zip(row, means)] for row in design]
    share = [w / sum(weights) for w in weights]
    for k, target in enumerate(model.targets):
        y = [Fraction(float(r[target])) - o for r, o in zip(rows, offset)]
        problem = NetProblem(design, y, share, a, t, low, high, about["intercept"], psi)
        yield problem, [Fraction(float(model.w[j, k])) for j in range(p)], Fraction(float(model.b[k]))


def check(model_path, csv_path):
    """The claim, the exact figures, and what is wrong with the claim: an empty list when nothing is."""
    model = ModelFile(model_path)
    with open(csv_path, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    value = bound = null = Fraction(0)
    wrong = []
    for problem, w, b in problems(model, rows):
        value += problem.value(w)
        if problem.intercept:  # b is free: what it is off by costs half its square
            means = [dot(problem.share, [row[j] for row in features(model, rows)]) for j in range(len(w))]
            value += (dot(problem.share, problem.y) - b - dot(means, w)) ** 2 / 2
        bound += problem.lower_bound(w)
        null += problem.value([Fraction(0)] * len(w))
        if any(not low <= v <= high for low, v, high in zip(problem.low, w, problem.high)):
            wrong.append("a coefficient is outside its bounds")
        if problem.psi is not None and sum(a * abs(v) for a, v in zip(problem.a, w)) > problem.psi * (
            1 + Fraction(1, 2**44)
        ):
            wrong.append("the coefficients are longer than psi")
    claim = model.about["certificate"]
    exact = {"objective": float(value), "gap": float(value - bound), "null_objective": float(null)}
    for name in ["objective", "null_objective"]:
        if abs(claim[name] - exact[name]) > 1e-12 * exact["null_objective"] + 1e-300:
            wrong.append(f"{name} {claim[name]} is {exact[name]}")
    least = Fraction(5e-324)  # what is below the smallest double is zero
    if claim["verdict"] == "proved" and value - bound > Fraction(claim["tolerance"]) * null + least:
        wrong.append(f"proved, but the bound is only {exact['gap']}")
    return claim, exact, wrong


if __name__ == "__main__":
    CLAIM, EXACT, WRONG = check(*sys.argv[1:3])
    print(json.dumps({"claimed": CLAIM, "exact": EXACT, "wrong": WRONG}, indent=2))
    sys.exit(4 if WRONG else 0)
