"""recta fit kernel-ridge: numbers of a kernel that are far larger than the scores cancel in the objective, and what is stated holds all the same."""

import json
import random
from fractions import Fraction

import pytest
from safetensors.numpy import load_file


def solved(matrix, right):
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(len(rows)):
            factor = rows[i][k] / rows[k][k] if i != k else 0
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


class Ridge:
    """F(w, b) = mean (y - <w, x> - b)^2 / 2 + lambda |w|^2 / 2 in fractions."""

    def __init__(self, x, y, strength):
        self.x, self.y = [[Fraction(v) for v in row] for row in x], [Fraction(v) for v in y]
        self.strength = Fraction(strength)

    def value(self, w, b):
        squares = [(v - sum(a * c for a, c in zip(w, row)) - b) ** 2 for row, v in zip(self.x, self.y)]
        return sum(squares) / len(squares) / 2 + self.strength * sum(a * a for a in w) / 2

    def least(self):
        rows, n, p = [[*row, Fraction(1)] for row in self.x], len(self.x), len(self.x[0])
        gram = [[sum(row[i] * row[j] for row in rows) / n for j in range(p + 1)] for i in range(p + 1)]
        for j in range(p):
            gram[j][j] += self.strength
        point = solved(gram, [sum(row[j] * v for row, v in zip(rows, self.y)) / n for j in range(p + 1)])
        return self.value(point[:p], point[p])


@pytest.mark.parametrize("strength", [2e-5, 2e-3, 1.0])
@pytest.mark.parametrize("offset", [1.0, 2e3, 1e6])
def test_the_optimum_lies_between_the_bounds_that_are_stated(run, tmp_path, offset, strength):
    for seed in range(3):
        rng = random.Random(seed)
        x = [[rng.gauss(0, 1), offset * (1 + rng.gauss(0, 0.3))] for _ in range(12)]
        y = [a[0] + rng.gauss(0, 1) for a in x]
        lines = [",".join(map(repr, [*row, v])) for row, v in zip(x, y)]
        (tmp_path / "t.csv").write_text("\n".join(["x0,x1,y", *lines]) + "\n")
        flags = ["--kernel", "linear", "--lambda", repr(strength)]
        done = run("fit", "kernel-ridge", "t.csv", "--target", "y", *flags, "-o", "m.recta", "--json")
        assert done.returncode == 0, done.stderr
        certificate = json.loads(done.stdout)["certificate"]
        tensors, problem = load_file(tmp_path / "m.recta"), Ridge(x, y, strength)
        alpha = [Fraction(float(v)) for v in tensors["kernel_ridge.alpha"].ravel()]
        rows = [problem.x[int(i)] for i in tensors["kernel_ridge.rows"]]
        w = [sum(a * row[j] for a, row in zip(alpha, rows)) for j in range(2)]
        value = problem.value(w, Fraction(float(tensors["kernel_ridge.b"][0])))
        stated, slack = Fraction(certificate["objective"]), Fraction(certificate["slack"])
        gap, below = Fraction(certificate["gap"]), Fraction(certificate["dual"])
        shown = value / 10**12  # the digits that are shown
        assert below - slack - shown <= problem.least() <= value, (float(below), float(problem.least()), float(slack))
        assert abs(stated - value) <= stated - below + slack + shown, (float(stated), float(value), float(slack))
        assert value - problem.least() <= gap + slack
