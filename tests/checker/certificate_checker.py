"""Checks the certificate of a least-squares or ridge model in exact rational arithmetic.

Shares no code with Recta: the model is opened with the safetensors package, the table with Python's csv module, and the
optimum is solved for in fractions, so that "proved" is compared with the truth and not with another rounding.

    python certificate_checker.py m.recta train.csv
"""

import csv
import json
import sys
from fractions import Fraction

from safetensors import safe_open


class ModelFile:
    """What the checker needs of a .recta file (src/model_file/model_file.md)."""

    def __init__(self, path):
        with safe_open(path, "numpy") as f:
            self.tensors = {name: f.get_tensor(name) for name in f.keys()}
            self.about = json.loads(f.metadata()["recta"])
        self.w = self.tensors.get("coefficients")
        self.b = self.tensors["intercept"]
        self.targets = self.strings("schema.targets")

    def strings(self, name):
        if name + ".text" not in self.tensors:
            return []
        text = self.tensors[name + ".text"].tobytes()
        start = self.tensors[name + ".start"]
        return [text[a:b].decode() for a, b in zip(start[:-1], start[1:])]

    def independent(self):
        """Numbers of the features that are no combination of others, by the file's own list."""
        names, terms = self.strings("aliased.names"), self.tensors.get("aliased.terms", [])
        aliased, at = set(), 0
        for count in terms:
            aliased.add(names[at])
            at += 1 + int(count)
        return [j for j, name in enumerate(self.strings("features")) if name not in aliased]


def features(model, rows):
    """The design as the schema says: numbers as they are, a category as one column a level but the reference."""
    names = model.strings("columns.names")
    if not names:
        return [[] for _ in rows]
    types = model.tensors["columns.types"]
    counts, levels = model.tensors["columns.level_counts"], model.strings("columns.levels")
    references = model.strings("columns.references")
    design = [[] for _ in rows]
    for j, name in enumerate(names):
        own = levels[sum(counts[:j]) : sum(counts[: j + 1])]
        for row, line in zip(rows, design):
            if types[j] == 2:
                line += [Fraction(row[name] == level) for level in own if level != references[j]]
            else:
                line.append(Fraction(float(row[name])))
    return design


def solve(a, c):
    """Any solution of the consistent symmetric system a x = c."""
    a = [row[:] + [rhs] for row, rhs in zip(a, c)]
    n, pivots, r = len(c), [], 0
    for j in range(n):
        at = next((i for i in range(r, n) if a[i][j] != 0), None)
        if at is None:
            continue
        a[r], a[at] = a[at], a[r]
        a[r] = [v / a[r][j] for v in a[r]]
        for i in range(n):
            if i != r and a[i][j] != 0:
                a[i] = [u - a[i][j] * v for u, v in zip(a[i], a[r])]
        pivots.append(j)
        r += 1
    x = [Fraction(0)] * n
    for i, j in enumerate(pivots):
        x[j] = a[i][n]
    return x


class Problem:
    """1/2 sum s (y - xw - b)^2 + lambda2/2 sum u w^2 of one target, all numbers exact. With `tied` the intercept is no
    unknown: the fit passes through the means, at a height of zero."""

    def __init__(self, design, y, share, penalty, intercept, tied):
        self.x = [[Fraction(1)] + row for row in design] if intercept else design
        self.y, self.share = y, share
        self.penalty = ([Fraction(0)] if intercept else []) + penalty
        self.mean = [mean(column, share) if tied else Fraction(0) for column in zip(*design)]
        if tied:
            self.x = [[a - m for a, m in zip(row, self.mean)] for row in design]

    def value(self, v, height=Fraction(0)):
        loss = sum(
            s * (y - height - sum(a * b for a, b in zip(row, v) if b)) ** 2
            for row, y, s in zip(self.x, self.y, self.share)
        )
        return (loss + sum(u * b * b for u, b in zip(self.penalty, v))) / 2

    def optimum(self, free=None):
        keep = list(range(len(self.penalty))) if free is None else free
        gram = [[sum(s * row[i] * row[j] for row, s in zip(self.x, self.share)) for j in keep] for i in keep]
        for k, j in enumerate(keep):
            gram[k][k] += self.penalty[j]
        right = [sum(s * row[i] * y for row, y, s in zip(self.x, self.y, self.share)) for i in keep]
        v = [Fraction(0)] * len(self.penalty)
        for j, value in zip(keep, solve(gram, right)):
            v[j] = value
        return self.value(v)


def mean(column, share):
    return sum(s * a for s, a in zip(share, column))


def variance(column, share):
    centre = mean(column, share)
    return sum(s * (a - centre) ** 2 for s, a in zip(share, column))


def problems(model, rows, stored_deviations):
    """One exact problem a target, and the exact value of the stored answer in each.

    What a standardised penalty is on: the deviations of the rows, or the doubles of them that the file holds.
    """
    about, schema = model.about["summary"], model.about["schema"]
    weights = [Fraction(float(r[schema["weights"]])) if schema["weights"] else Fraction(1) for r in rows]
    offset = [Fraction(float(r[schema["offset"]])) if schema["offset"] else Fraction(0) for r in rows]
    design = features(model, rows)
    p = len(design[0]) if design else 0
    lambda2 = Fraction(about["lambda2"] or 0)
    share = [w / sum(weights) for w in weights]
    scale = [Fraction(1)] * p
    if about["standardised"] and stored_deviations:
        scale = [Fraction(float(d)) ** 2 for d in model.tensors["deviations"]]
    elif about["standardised"]:
        scale = [variance(column, share) for column in zip(*design)]
    tied = about["standardised"] and not about["intercept"]
    for k, target in enumerate(model.targets):
        y = [Fraction(float(r[target])) - o for r, o in zip(rows, offset)]
        problem = Problem(design, y, share, [lambda2 * u for u in scale], about["intercept"], tied)
        w, b = [Fraction(float(model.w[j, k])) for j in range(p)], Fraction(float(model.b[k]))
        if about["intercept"]:
            yield problem, problem.value([b] + w)
        else:
            yield problem, problem.value(w, b + sum(a * m for a, m in zip(w, problem.mean)))


def check(model_path, csv_path, over_independent=False):
    """The exact figures beside the claimed ones, and what is wrong with the claim: an empty list when nothing is.

    Columns that are combinations of others only to rounding span more in exact arithmetic than in any other; a claim
    that says it is over the independent columns is checked as such with `over_independent`. A proof is over all columns.
    """
    model = ModelFile(model_path)
    with open(csv_path, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    claim = model.about["certificate"]
    penalised = model.about["summary"]["standardised"] and model.about["summary"]["lambda2"]
    wrong = []
    for stored_deviations in [False, True] if penalised else [False]:
        exact = compare(model, rows, claim, over_independent, stored_deviations, wrong)
    return claim, exact, wrong


def compare(model, rows, claim, over_independent, stored_deviations, wrong):
    """The exact figures; what is wrong with the claim is added to `wrong`."""
    first = int(model.about["summary"]["intercept"])  # the intercept stands before the features
    value = optimum = null = Fraction(0)
    for problem, reached in problems(model, rows, stored_deviations):
        value += reached
        free = [j + first for j in model.independent()]
        optimum += problem.optimum(list(range(first)) + free if over_independent else None)
        null += problem.optimum(list(range(first)))
    exact = {"objective": float(value), "suboptimality": float(value - optimum), "null_objective": float(null)}
    if abs(claim["objective"] - exact["objective"]) > 1e-12 * exact["null_objective"] + 1e-300:
        wrong.append(f"objective {claim['objective']} is {exact['objective']}")
    if abs(claim["null_objective"] - exact["null_objective"]) > 1e-12 * exact["null_objective"] + 1e-300:
        wrong.append(f"null objective {claim['null_objective']} is {exact['null_objective']}")
    if claim["verdict"] == "proved" and value - optimum > Fraction(claim["tolerance"]) * null:
        wrong.append(f"proved, but {exact['suboptimality']} above the optimum")
    kind = claim["claim"]
    stated = kind["suboptimality"] if "suboptimality" in kind else kind.get("gap")
    if stated is not None:  # a residual of the optimality condition bounds nothing, and says so
        bound = Fraction(stated) + Fraction(claim["slack"] or 0)
        if value - optimum > bound:
            wrong.append(f"{exact['suboptimality']} above the optimum, claimed at most {float(bound)}")
    return exact


if __name__ == "__main__":
    CLAIM, EXACT, WRONG = check(*sys.argv[1:3])
    print(json.dumps({"claimed": CLAIM, "exact": EXACT, "wrong": WRONG}, indent=2))
    sys.exit(4 if WRONG else 0)
