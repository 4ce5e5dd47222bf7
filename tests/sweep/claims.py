"""What a model file claims, and whether it is true: one function per kind of claim. Each gives a list of what is wrong, empty if nothing is."""

import json

import mean_loss
import numpy as np
from gmpy2 import mpfr, sqrt
from safetensors import safe_open

ZERO = mpfr(0)


class ModelFile:
    def __init__(self, path):
        with safe_open(str(path), "numpy") as file:
            self.about = json.loads(file.metadata()["recta"])
            self.tensors = {name: file.get_tensor(name) for name in file.keys()}
        self.claim = self.about["certificate"]["claim"]
        self.verdict = self.about["certificate"]["verdict"]

    def numbers(self, name):
        return [float(each) for each in np.ravel(self.tensors[name])] if name in self.tensors else []

    def figure(self, name):
        value = self.about["certificate"].get(name)
        return None if value is None else float(value)  # "inf" is a text

    def distance(self):
        """The stated bound of F - F*, if the claim is one."""
        for name in ("suboptimality", "gap"):
            if isinstance(self.claim.get(name), (int, float)):
                return float(self.claim[name])
        return None


def deviations(x, v):
    """Weighted deviations of the columns, as --standardise takes them."""
    weight = [mpfr(each) for each in (v or [1] * len(x))]
    total, about_means = sum(weight), centred(x, v)
    return [sqrt(sum(s * row[j] ** 2 for s, row in zip(weight, about_means)) / total) for j in range(len(x[0]))]


def centred(x, v):
    weight = [mpfr(each) for each in (v or [1] * len(x))]
    total = sum(weight)
    means = [sum(s * row[j] for s, row in zip(weight, x)) / total for j in range(len(x[0]))]
    return [[mpfr(value) - mean for value, mean in zip(row, means)] for row in x]


def linear_point(model, p, intercept):
    w = model.numbers("coefficients") or model.numbers("svm.weights") or [0.0] * p
    b = model.numbers("intercept") if "intercept" in model.tensors else model.numbers("svm.part_numbers")[:1]
    return [mpfr(each) for each in w] + [mpfr(b[0])] * intercept


def distance_to_optimum(model, problem, point, value=None):
    """F - F* is at most what is stated, with the rounding that is stated beside it. `value`: F of the stored numbers, if they are no point of
    the problem."""
    stated, slack, objective = model.distance(), model.figure("slack"), model.figure("objective")
    wrong = []
    value = problem.value(point) if value is None else value
    tolerance, null = model.figure("tolerance"), model.figure("null_objective")
    if model.verdict == "refuted":
        return wrong
    # The digits that are printed: 15 of the null objective, and 12 of the objective where that is larger, or as many as
    # the bound below the optimum leaves.
    digits = abs(value) * mpfr("1e-12") + mpfr(slack or 0) + mpfr(stated or 0) + mpfr(null or 0) * mpfr("1e-15")
    below = mpfr(model.claim.get("dual", objective or 0))
    allowed = digits + max(ZERO, mpfr(objective or 0) - below - mpfr(stated or 0))
    if objective is None or not abs(mpfr(objective) - value) <= allowed:
        wrong.append(f"the objective is {value:.12e}, not {objective!r}")
    if stated is None:
        if model.verdict == "proved":
            wrong.append(f"proved, and the distance is {model.claim}")
        return wrong
    if model.verdict == "proved" and null is not None and not stated + slack <= tolerance * null * (1 + 1e-12):
        wrong.append(f"proved, and {stated!r} + {slack!r} is above {tolerance!r} of {null!r}")
    least = mean_loss.least(problem, point)
    lacks = value - least
    if below - digits > least:
        wrong.append(f"the optimum is {least:.12e} at most, and {below:.12e} is stated to lie below it")
    if lacks > mpfr(stated) + mpfr(slack) + abs(value) * mpfr("1e-100"):  # the rounding of this sum
        wrong.append(
            f"{model.verdict}: F - F* is at least {lacks:.6e}, {stated!r} + {slack!r} stated (F = {value:.6e}, null {null!r})"
        )
    return wrong
