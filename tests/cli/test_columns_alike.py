"""Columns that are nearly combinations of others, under losses of straight lines: a distance that is printed holds over all
columns, and a column that is left out is named. The oracle is a linear program over the remainders of the columns,
(x1 - x0) / d, which are exact and of one size."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

WORDS = [("quantile", ["--quantile", "0.3"]), ("epsilon-insensitive", ["--epsilon", "0.2"])]


def slopes(word):
    """Pieces (low, high, shift) of the loss max over the pieces' sums of d (r - shift)."""
    return [(-0.7, 0.3, 0)] if word == "quantile" else [(0, 1, 0.2), (-1, 0, -0.2)]


def least_loss(word, columns, y):
    """min over w, b of the mean loss: r = y - columns w - b, and per piece plus - minus = r - shift."""
    n, p = columns.shape
    design = np.column_stack([columns, np.ones(n)])
    pieces = slopes(word)
    cost, rows, right = [np.zeros(p + 1)], [], []
    for k, (low, high, shift) in enumerate(pieces):
        cost += [np.full(n, high / n), np.full(n, -low / n)]
        parts = [np.zeros((n, n))] * (2 * len(pieces))
        parts[2 * k], parts[2 * k + 1] = np.eye(n), -np.eye(n)
        rows.append(np.hstack([design, *parts]))
        right.append(y - shift)
    bounds = [(None, None)] * (p + 1) + [(0, None)] * (2 * n * len(pieces))
    found = linprog(
        np.concatenate(cost), A_eq=np.vstack(rows), b_eq=np.concatenate(right), bounds=bounds, method="highs"
    )
    assert found.status == 0, found.message
    return found.fun


def loss_of(word, coefficients, columns, y):
    """The mean loss of stored coefficients, in fractions."""
    *w, b = (Fraction(c) for c in coefficients)
    total = Fraction(0)
    for row, target in zip(columns, y):
        r = Fraction(float(target)) - b - sum(Fraction(float(x)) * c for x, c in zip(row, w))
        total += sum(
            max(Fraction(high) * (r - Fraction(shift)), Fraction(low) * (r - Fraction(shift)))
            for low, high, shift in slopes(word)
        )
    return total / len(y)


def write(path, X, y):
    names = ",".join([f"x{j}" for j in range(X.shape[1])] + ["y"])
    np.savetxt(path, np.column_stack([X, y]), delimiter=",", header=names, comments="", fmt="%.17g")


@pytest.mark.parametrize("digits", range(4, 15))
@pytest.mark.parametrize("word, flags", WORDS)
def test_a_distance_holds_over_all_columns(run, tmp_path, word, flags, digits):
    rng = np.random.default_rng(digits)
    n, d = 60, 10.0**-digits
    a, e = rng.standard_normal(n) + 0.5, rng.standard_normal(n)
    X = np.column_stack([a, a + d * e])
    y = a - 1.5 * e + rng.standard_normal(n)
    write(tmp_path / "t.csv", X, y)
    done = run("fit", word, tmp_path / "t.csv", "--target", "y", "--json", *flags)
    assert done.returncode == 0, done.stderr
    fit = json.loads(done.stdout)
    best = least_loss(word, np.column_stack([a, (X[:, 1] - a) / d]), y)
    stored = [c["value"] for c in fit["coefficients"]["y"]] + [fit["intercept"]["y"]["value"]]
    above = float(loss_of(word, stored, X, y)) - best
    certificate = fit["certificate"]
    limit = certificate["tolerance"] * certificate["null_objective"]
    if digits <= 7:
        assert certificate["verdict"] == "proved", certificate["sentence"]
    assert above <= max(limit, 2e-15 / d) + 1e-12  # what rounding coefficients of size 1 / d can cost
    told = re.search(r"is within (\S+) of|is (\S+) above the optimum|may be (\S+) above", certificate["sentence"])
    assert told, certificate["sentence"]
    assert above <= float(next(filter(None, told.groups()))) + 1e-12, certificate["sentence"]
    strict = run("fit", word, tmp_path / "t.csv", "--target", "y", "--strict", *flags)
    assert strict.returncode == (0 if above <= limit and certificate["verdict"] == "proved" else 4), certificate[
        "sentence"
    ]


@pytest.mark.parametrize("word, flags", [*WORDS, ("linear", []), ("huber", [])])
def test_a_column_that_is_a_rounded_sum_is_named_and_has_no_distance(run, tmp_path, word, flags):
    rng = np.random.default_rng(5)
    X = rng.standard_normal((80, 2))
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    write(tmp_path / "t.csv", X, X[:, 0] - X[:, 1] + rng.standard_normal(80))
    done = run("fit", word, tmp_path / "t.csv", "--target", "y", "--strict", *flags)
    last = done.stdout.splitlines()[-1]
    assert done.returncode == 4, last
    assert "not proved" in last and "x2" in last and "of the optimum" not in last and "above the optimum" not in last
    model = tmp_path / "m.recta"
    assert run("fit", word, tmp_path / "t.csv", "--target", "y", "-o", model, *flags).returncode == 0
    assert run("verify", model, tmp_path / "t.csv").returncode == 0
    assert run("verify", model, tmp_path / "t.csv", "--strict").returncode == 4


@pytest.mark.parametrize("word, flags", [*WORDS, ("linear", []), ("huber", [])])
def test_a_column_that_is_a_sum_in_every_digit_is_no_hindrance(run, tmp_path, word, flags):
    rng = np.random.default_rng(6)
    X = np.round(rng.standard_normal((80, 2)) * 64) / 64
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    write(tmp_path / "t.csv", X, X[:, 0] - X[:, 1] + rng.standard_normal(80))
    done = run("fit", word, tmp_path / "t.csv", "--target", "y", "--strict", *flags)
    assert done.returncode == 0 and "Proved" in done.stdout.splitlines()[-1], done.stdout
