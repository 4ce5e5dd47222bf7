"""Checks the certificate of a group lasso or a multi-task lasso in numbers of 80 digits.

Shares no code with Recta. Lengths are roots and no fractions, so the figures here are decimals far finer than what is
checked: the objective of the stored numbers, the optimality condition of every group, and a lower bound of the optimum by
the residual, scaled until it is feasible. What is called proved must be within what was claimed of that bound.

    python group_checker.py m.recta train.csv
"""

import csv
import json
import sys
from decimal import Decimal, getcontext

from certificate_checker import ModelFile, features

getcontext().prec = 80


def decimal(value):
    return (
        Decimal(value.numerator) / Decimal(value.denominator) if hasattr(value, "numerator") else Decimal(float(value))
    )


def length(numbers):
    return sum((v * v for v in numbers), Decimal(0)).sqrt()


def groups_of(model):
    """Lists of feature numbers, and their factors. Names without commas, semicolons and quotes."""
    names, params = model.strings("features"), model.about["params"]
    if model.about["word"] != "group-lasso":
        return [[j] for j in range(len(names))], [Decimal(1)] * len(names)
    levels = model.tensors.get("columns.level_counts", [])
    references = model.strings("columns.references")
    columns, at = {}, 0
    for name, count, reference in zip(model.strings("columns.names"), levels, references):
        size = int(count) - (1 if reference else 0) if count else 1
        columns[name] = list(range(at, at + size))
        at += size
    given = [
        [j for name in text.split(",") for j in columns.get(name, [names.index(name)] if name in names else [])]
        for text in filter(None, params["groups"].split(";"))
    ]
    taken = {j for group in given for j in group}
    rest = [[j for j in group if j not in taken] for group in columns.values()]
    groups = given + [group for group in rest if group]
    factors = [Decimal(float(f)) for f in params["group-factors"].split(",")] if params["group-factors"] else []
    return groups, factors + [Decimal(float(len(group)) ** 0.5) for group in groups[len(factors) :]]


class GroupProblem:
    """All that is taken together: one target of a group lasso, all of a multi-task lasso."""

    def __init__(self, model, rows, targets):
        about, schema = model.about["summary"], model.about["schema"]
        weights = [Decimal(float(r[schema["weights"]])) if schema["weights"] else Decimal(1) for r in rows]
        offset = [Decimal(float(r[schema["offset"]])) if schema["offset"] else Decimal(0) for r in rows]
        self.share = [w / sum(weights) for w in weights]
        self.columns = [[decimal(v) for v in column] for column in zip(*features(model, rows))]
        self.means = [sum(s * v for s, v in zip(self.share, column)) for column in self.columns]
        p = len(self.columns)
        self.unit = (
            [Decimal(float(d)) for d in model.tensors["deviations"]] if about["standardised"] else [Decimal(1)] * p
        )
        self.intercept, self.centred = about["intercept"], about["intercept"] or about["standardised"]
        self.groups, factors = groups_of(model)
        self.a = [Decimal(about["lambda1"]) * f for f in factors]
        self.t = Decimal(about["lambda2"])
        self.w = [[Decimal(float(model.w[j, k])) for j in range(p)] for k in targets]
        self.y = [[Decimal(float(r[model.targets[k]])) - o for r, o in zip(rows, offset)] for k in targets]
        self.b = [Decimal(float(model.b[k])) for k in targets]
        self.residuals = [self.residual(k) for k in range(len(targets))]

    def residual(self, k):
        left = [y - self.b[k] for y in self.y[k]]
        for column, w in zip(self.columns, self.w[k]):
            if w:
                left = [r - w * x for r, x in zip(left, column)]
        return left

    def mean(self, r):
        return sum(s * v for s, v in zip(self.share, r))

    def coordinates(self, g):
        return [self.unit[j] * w[j] for w in self.w for j in self.groups[g]]

    def gradients(self, g):
        """X'S r in the units of the penalty; a column that does not vary has none."""
        out = []
        for r in self.residuals:
            centre = self.mean(r) if self.intercept else Decimal(0)
            for j in self.groups[g]:
                column, m = self.columns[j], self.means[j] if self.centred else Decimal(0)
                flat = all(v == column[0] for v in column) and self.centred
                inner = sum(s * (v - centre) * (x - m) for s, v, x in zip(self.share, r, column))
                out.append(Decimal(0) if flat or not self.unit[j] else inner / self.unit[j])
        return out

    def loss(self, residuals):
        return sum(s * v * v for r in residuals for s, v in zip(self.share, r)) / 2

    def value(self):
        penalty = Decimal(0)
        for g, a in enumerate(self.a):
            size = length(self.coordinates(g))
            penalty += a * size + self.t * size * size / 2
        return self.loss(self.residuals) + penalty

    def null(self):
        return self.loss([[v - self.mean(y) for v in y] if self.intercept else y for y in self.y])

    def gap(self):
        """F less the dual value at c r: (1 - c)^2 of the loss, what the intercept costs, and P + P* - c <g, u> a group."""
        gradients = [self.gradients(g) for g in range(len(self.groups))]
        sizes = [length(g) for g in gradients]
        tight = min([Decimal(1)] + [a / size for a, size in zip(self.a, sizes) if size > a])
        means = [self.mean(r) if self.intercept else Decimal(0) for r in self.residuals]
        square = self.loss([[v - m for v in r] for r, m in zip(self.residuals, means)])
        costs = []
        for c in {tight, Decimal(1)} if self.t else {tight}:
            total = (1 - c) ** 2 * square + sum(m * m for m in means) / 2
            for g, (a, size) in enumerate(zip(self.a, sizes)):
                u = self.coordinates(g)
                own, beyond = length(u), max(Decimal(0), c * size - a)
                total += a * own + self.t * own * own / 2 - c * sum(x * y for x, y in zip(gradients[g], u))
                if beyond and self.t:
                    total += beyond * beyond / (2 * self.t)
            costs.append(total)
        return min(costs)

    def violation(self):
        """How far the worst group is from its optimality condition, in units of lambda."""
        worst = Decimal(0)
        for g, a in enumerate(self.a):
            u, h = self.coordinates(g), self.gradients(g)
            own = length(u)
            off = length([y - (a / own + self.t) * x for x, y in zip(u, h)]) if own else max(Decimal(0), length(h) - a)
            worst = max(worst, off / a)
        return worst


def check(model_path, csv_path):
    """The claim, the figures found here, and what is wrong with the claim: an empty list when nothing is."""
    model = ModelFile(model_path)
    with open(csv_path, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    every = list(range(len(model.targets)))
    parts = [[k] for k in every] if model.about["word"] == "group-lasso" else [every]
    problems = [GroupProblem(model, rows, part) for part in parts]
    claim = model.about["certificate"]
    found = {name: sum(getattr(problem, name)() for problem in problems) for name in ("value", "null", "gap")}
    violation = max(problem.violation() for problem in problems)
    wrong, scale = [], found["null"]
    for name, figure in (("objective", "value"), ("null_objective", "null")):
        if abs(Decimal(claim[name]) - found[figure]) > Decimal("1e-12") * scale:
            wrong.append(f"{name} {claim[name]} is {float(found[figure])}")
    if claim["verdict"] == "proved":
        if found["gap"] > Decimal(claim["tolerance"]) * scale:
            wrong.append(f"proved, but the bound is only {float(found['gap'])}")
        if (
            found["gap"] > Decimal(claim["claim"]["gap"]) + Decimal(claim["slack"]) + Decimal("1e-70") * scale
        ):  # of 80 digits
            wrong.append(f"the gap {claim['claim']['gap']} with its slack {claim['slack']} is {float(found['gap'])}")
    return claim, {name: float(v) for name, v in found.items()} | {"violation": float(violation)}, wrong


if __name__ == "__main__":
    CLAIM, FOUND, WRONG = check(*sys.argv[1:3])
    print(json.dumps({"claimed": CLAIM, "found": FOUND, "wrong": WRONG}, indent=2))
    sys.exit(4 if WRONG else 0)
