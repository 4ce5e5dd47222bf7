"""Checks what a model with a loss of its own claims, in 60 decimal digits and without a line of Recta: the distance of its
objective to the optimum, which is found here by Newton's method from the stored numbers on, against gap + slack."""

import csv
import json
from decimal import Decimal as D
from decimal import getcontext

from safetensors import safe_open

getcontext().prec = 60


def load(model):
    with safe_open(str(model), "numpy") as file:
        meta = json.loads(file.metadata()["recta"])
        names = file.keys()
        w = [D(float(x)) for x in file.get_tensor("coefficients")[:, 0]] if "coefficients" in names else []
        return (
            meta,
            w,
            D(float(file.get_tensor("intercept")[0])),
            D(float(file.get_tensor("fit.scale")[0])) if "fit.scale" in names else D(1),
        )


def solve(a, rhs):
    """Gaussian elimination with pivoting."""
    n = len(rhs)
    a = [row[:] + [r] for row, r in zip(a, rhs)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[best] = a[best], a[k]
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            for j in range(k, n + 1):
                a[i][j] -= factor * a[k][j]
    x = [D(0)] * n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - sum(a[k][j] * x[j] for j in range(k + 1, n))) / a[k][k]
    return x


class Problem:
    """value(u), gradient and Hessian of the objective in u = (w, b if there is one, s if it is fitted)."""

    def __init__(self, word, params, summary, rows, y, v, o):
        self.word, self.rows, self.y, self.o = word, rows, y, o
        self.share = [each / sum(v) for each in v]
        self.intercept = summary["intercept"]
        self.delta = params.get("delta")
        self.scaled = word == "huber" and not isinstance(self.delta, (int, float))
        self.epsilon = D(params["epsilon"]) if self.scaled else D(self.delta) if word == "huber" else D(0)
        self.lam = D(summary["lambda2"])
        p = len(rows[0])
        self.unit = [D(1)] * p
        if summary["standardised"]:
            for j in range(p):
                m = sum(s * x[j] for s, x in zip(self.share, rows))
                self.unit[j] = sum(s * (x[j] - m) ** 2 for s, x in zip(self.share, rows)).sqrt()

    def row(self, y, z, s):
        """loss, d loss/dz, d2 loss/dz2, then t and whether the row is curved (huber)."""
        if self.word == "poisson":
            mean = z.exp()
            return mean - y - (y * (z - y.ln()) if y else D(0)), mean - y, mean
        if self.word == "gamma":
            ratio = y * (-z).exp()
            return ratio - 1 - (y.ln() - z), 1 - ratio, ratio
        if s == 0:  # the limit: absolute errors
            return self.epsilon * abs(y - z), self.epsilon * ((y < z) - (y > z)), D(0)
        t, e = (y - z) / s, self.epsilon
        if abs(t) <= e:
            return s * t * t / 2, -t, 1 / s
        return s * e * (abs(t) - e / 2), -e if t > 0 else e, D(0)

    def all(self, u):
        p = len(self.rows[0])
        size = p + self.intercept + self.scaled
        s = u[-1] if self.scaled else D(1)
        value, g, h = s / 2 if self.scaled else D(0), [D(0)] * size, [[D(0)] * size for _ in range(size)]
        if self.scaled:
            g[-1] = D(1) / 2
        for x, y, o, share in zip(self.rows, self.y, self.o, self.share):
            a = x + [D(1)] * self.intercept
            z = sum(c * d for c, d in zip(a, u)) + o
            loss, slope, curve = self.row(y, z, s)
            value += share * loss
            if self.scaled:
                g[-1] -= share * slope * slope / 2
                a = a + [-slope]
            for i, ai in enumerate(a):
                if i < size - self.scaled:
                    g[i] += share * slope * ai
                for j, aj in enumerate(a):
                    h[i][j] += share * curve * ai * aj
        for j in range(p):
            weight = self.lam * self.unit[j] ** 2
            value += weight * u[j] ** 2 / 2
            g[j] += weight * u[j]
            h[j][j] += weight
        return value, g, h


def problem(model, data):
    meta, w, b, s = load(model)
    schema, summary = meta["schema"], meta["summary"]
    with open(data) as file:
        lines = list(csv.DictReader(file))
    features = [name for name in lines[0] if name.startswith("x")]
    rows = [[D(float(line[name])) for name in features] for line in lines]
    y = [D(float(line["y"])) for line in lines]
    v = [D(float(line[schema["weights"]])) if schema["weights"] else D(1) for line in lines]
    o = [D(float(line[schema["offset"]])) if schema["offset"] else D(0) for line in lines]
    made = Problem(meta["word"], meta["params"], summary, rows, y, v, o)
    u = w + [b] * made.intercept + [s] * made.scaled
    return meta, made, u


def least(made, best):
    """The least value that Newton's method finds from there; a scale stays above zero."""
    found = made.all(best)[0]
    for _ in range(60):
        value, g, h = made.all(best)
        try:
            step = solve(h, [-each for each in g])
        except ArithmeticError:  # nothing curves here
            return found
        t = D(1)
        moved = lambda t, best=best, step=step: [a + t * c for a, c in zip(best, step)]
        while t > D("1e-8") and (made.scaled and moved(t)[-1] <= 0 or made.all(moved(t))[0] > value):
            t /= 2
        if made.scaled and moved(t)[-1] <= 0:
            return found
        best = moved(t)
        found = min(found, made.all(best)[0])
        if max(abs(t * c) for c in step) < D("1e-45"):
            break
    return found


def check(model, data):
    """The certificate, F - F* as it is, and what is wrong (an empty list: nothing)."""
    meta, made, u = problem(model, data)
    claim = meta["certificate"]
    start = made.all(u)[0]
    found = start
    at_zero = made.scaled and u[-1] == 0  # where nothing curves: the search is from small scales
    for begin in [u[:-1] + [D(10) ** -k] for k in (1, 3, 6)] if at_zero else [u]:
        found = min(found, least(made, begin))
    lacks = start - found
    wrong = []
    gap, slack = D(claim["claim"]["gap"]), D(claim["slack"])
    if claim["verdict"] == "proved":
        if lacks > gap + slack:
            wrong.append(f"proved within {gap + slack}, and it lacks {lacks}")
        if lacks > D(claim["tolerance"]) * D(claim["null_objective"]):
            wrong.append("proved, and beyond the tolerance")
    if abs(start - D(claim["objective"])) > D("1e-12") * (1 + abs(start)):
        wrong.append(f"the objective is {start}, not {claim['objective']}")
    return claim, lacks, wrong
