"""P7: no silent degeneracy. Tables at the edge of what least squares can mean, over all models: each gets an answer
whose claim is true, checked in fractions, or a refusal that names the row or column. No model file holds a number that
is not finite in what predictions are made of, and predictions are finite."""

import csv
import json
import math
import random
import sys
from fractions import Fraction
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "checker"))
import certificate_checker
import net_checker


def noisy(n, p, seed=1):
    rng = random.Random(seed)
    return [[rng.gauss(0, 1) for _ in range(p)] for _ in range(n)]


def table(x, y, **more):
    """Text of a table; `more` holds further columns."""
    names = [f"x{j}" for j in range(len(x[0]) if x else 0)] + list(more) + ["y"]
    lines = [",".join(map(repr, [*row, *[more[k][i] for k in more], y[i]])) for i, row in enumerate(x)]
    return "\n".join([",".join(names), *lines]) + "\n"


def random_target(n, seed=2, scale=1.0):
    rng = random.Random(seed)
    return [scale * rng.gauss(0, 1) for _ in range(n)]


def scaled(x, factors):
    return [[v * f for v, f in zip(row, factors)] for row in x]


X = noisy(12, 3)
Y = random_target(12)
TABLES = {
    "constant column": table([[*row, 3.25] for row in X], Y),
    "constant column that is not a multiple of a power of two": table([[*row, 0.1] for row in X], Y),
    "zero column": table([[0.0, *row] for row in X], Y),
    "duplicate columns": table([[*row, row[1]] for row in X], Y),
    "column that is minus another": table([[*row, -row[0]] for row in X], Y),
    "columns that differ in the last bit": table([[*row, math.nextafter(row[0], 9e9)] for row in X], Y),
    "column that is twice another": table([[*row, 2 * row[2]] for row in X], Y),
    "all columns constant": table([[1.5, -7.0] for _ in X], Y),
    "all columns zero": table([[0.0, 0.0] for _ in X], Y),
    "one row": table([[1.0, 2.0]], [3.0]),
    "one row of zeros": table([[0.0, 0.0]], [3.0]),
    "two identical rows": table([[1.0, 2.0], [1.0, 2.0]], [3.0, 3.0]),
    "two identical rows with different targets": table([[1.0, 2.0], [1.0, 2.0]], [3.0, 5.0]),
    "more columns than rows": table(noisy(4, 9), random_target(4)),
    "as many columns as rows": table(noisy(6, 6), random_target(6)),
    "one column less than rows": table(noisy(6, 5), random_target(6)),
    "target identical to a feature": table(X, [row[1] for row in X]),
    "target a combination of the features": table(
        [[1.0, 2.0], [2.0, 5.0], [3.0, 1.0], [7.0, 7.0]], [4.0, 9.0, 7.0, 21.0]
    ),
    "constant target": table(X, [0.1] * 12),
    "zero target": table(X, [0.0] * 12),
    "constant target far from zero": table(X, [1e15 + 1] * 12),
    "huge target": table(X, random_target(12, scale=1e150)),
    "tiny target": table(X, random_target(12, scale=1e-150)),
    "huge columns": table(scaled(X, [1e150] * 3), Y),
    "tiny columns": table(scaled(X, [1e-150] * 3), Y),
    "columns of very different scales": table(scaled(X, [1e-150, 1.0, 1e150]), Y),
    "columns of different scales": table(scaled(X, [1e-9, 1.0, 1e12]), Y),
    "denormal column": table(scaled(X, [1e-310, 1.0, 1.0]), Y),
    "denormal target": table(X, random_target(12, scale=1e-310)),
    "far from zero": table([[v + 1e12 for v in row] for row in X], Y),
    "so far from zero that little is left": table([[v + 1e15 for v in row] for row in X], Y),
    "target far from zero": table(X, [v + 1e12 for v in Y]),
    "one outlier of 1e200": table([*X[:-1], [1e200, 1.0, 1.0]], Y),
    "powers of ten": table([[t**k for k in range(1, 8)] for t in map(float, range(1, 13))], Y),
    "hilbert": table([[1.0 / (i + j + 1) for j in range(9)] for i in range(12)], Y),
    "integers of sixteen digits": table([[9007199254740993.0 + i, float(i * i)] for i in range(12)], Y),
}
WEIGHTED = {
    "tiny weights": [1e-300] * 12,
    "huge weights": [1e300] * 12,
    "weights of very different sizes": [1e-300, 1e300] * 6,
    "weights of different sizes": [1e-9, 1e9, 1.0] * 4,
    "one positive weight": [0.0] * 11 + [1.0],
    "denormal weights": [5e-324] * 12,
}
MODELS = [
    ["linear"],
    ["linear", "--no-intercept"],
    ["ridge", "--lambda", "0.01"],
    ["ridge", "--lambda", "1e-12", "--standardise"],
    ["ridge", "--lambda", "1e6", "--no-intercept"],
    ["lasso", "--lambda", "0.01"],
    ["lasso", "--standardise"],
    ["elastic-net", "--lambda", "1e-3", "--no-intercept"],
]


def assert_finite(model):
    for name in ["coefficients", "intercept", "means", "deviations"]:
        if name in model.tensors:
            assert all(map(math.isfinite, model.tensors[name].ravel())), name


def fit_and_check(run, tmp_path, text, flags):
    """Fits, checks the claim and what else was written, and gives the verdict."""
    data, file = tmp_path / "t.csv", tmp_path / "m.recta"
    data.write_text(text)
    word, *rest = flags
    done = run("fit", word, data, "--target", "y", "-o", file, *rest)
    if done.returncode != 0:
        assert done.returncode == 3, (done.returncode, done.stderr)
        assert "t.csv" in done.stderr and not file.exists()
        return done.stderr
    model = certificate_checker.ModelFile(file)
    assert_finite(model)
    checker = certificate_checker if word in ("linear", "ridge") else net_checker
    claim, exact, wrong = checker.check(file, data)
    if claim["verdict"] == "proved":
        assert not wrong, (wrong, exact, claim)
    assert claim["verdict"] != "refuted", (claim, exact)
    assert run("verify", file, data).returncode == 0
    with open(tmp_path / "p.csv", "w", encoding="utf-8") as f:
        f.write(run("predict", file, data).stdout)
    with open(tmp_path / "p.csv", newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            assert all(math.isfinite(float(v)) for v in row.values()), row
    return claim["verdict"]


@pytest.mark.parametrize("flags", MODELS, ids=" ".join)
@pytest.mark.parametrize("name", TABLES)
def test_of_a_table_with(run, tmp_path, name, flags):
    fit_and_check(run, tmp_path, TABLES[name], flags)


@pytest.mark.parametrize("flags", MODELS, ids=" ".join)
@pytest.mark.parametrize("name", WEIGHTED)
def test_of_a_table_with_these(run, tmp_path, name, flags):
    fit_and_check(run, tmp_path, table(X, Y, w=WEIGHTED[name]), [*flags, "--weights", "w"])


@pytest.mark.parametrize("flags", MODELS[:3], ids=" ".join)
def test_of_a_table_without_features(run, tmp_path, flags):
    """Only an intercept is left: the mean. Without an intercept nothing is left, and that is refused or zero."""
    fit_and_check(run, tmp_path, "y\n1\n2\n6\n", flags)


@pytest.mark.parametrize("word", ["linear", "ridge", "lasso", "huber", "penalised", "kernel-ridge", "svr"])
def test_a_proof_bounds_its_rounding_by_the_tolerance_even_of_an_objective_of_zero(run, tmp_path, word):
    """Nothing is left of a constant target: what a proof says may then be off is nothing as well."""
    (tmp_path / "t.csv").write_text(table(X, [14433243452.821783] * 12))
    done = run("fit", word, "t.csv", "--target", "y", "--json")
    assert done.returncode == 0, done.stderr
    claim = json.loads(done.stdout)["certificate"]
    assert claim["verdict"] == "proved", claim
    distance = claim.get("gap", claim.get("suboptimality", 0))
    assert distance + claim["slack"] <= claim["tolerance"] * claim["null_objective"], claim


def test_a_descent_whose_steps_change_nothing_ends(run, tmp_path):
    """The column's digits are at its end: the loss falls by no step that is long enough to change a coefficient."""
    rows = [[622772979465.248], [622772979008.5024], [622772979008.1257]]
    (tmp_path / "t.csv").write_text(table(rows, [47123.40559660471, 47123.71410246605, 47124.24410348936]))
    done = run(
        "fit",
        "penalised",
        "t.csv",
        "--target",
        "y",
        "--penalty",
        "l2",
        "--lambda",
        "7.912581878676354e-12",
        "--loss",
        "squared",
        "--time-limit",
        "10",
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("word", ["lasso", "group-lasso"])
def test_rounding_of_a_tied_intercept_is_slack(run, tmp_path, word):
    """b = -<w, mean> is not free, and the number that is kept of it is off by its rounding, which moves F at the rate of the mean residual."""
    x, y = [0.3, 0.7, 1.1, 1.9, 2.3], [1.1, 0.4, 2.7, 1.3, 3.1]
    (tmp_path / "t.csv").write_text(table([[v] for v in x], y))
    flags = ["--groups", "x0"] if word == "group-lasso" else []
    done = run(
        "fit",
        word,
        "t.csv",
        "--target",
        "y",
        "--lambda",
        "0.01",
        "--no-intercept",
        "--standardise",
        "-o",
        "m.recta",
        *flags,
    )
    assert done.returncode == 0, done.stderr
    model = certificate_checker.ModelFile(tmp_path / "m.recta")
    w, b = Fraction(float(model.w.flat[0])), Fraction(float(model.b[0]))
    x, y = [Fraction(v) for v in x], [Fraction(v) for v in y]
    off = abs(-w * sum(x) / 5 - b)
    mean = abs(sum(t - w * v - b for v, t in zip(x, y)) / 5)
    slack = json.loads(run("inspect", "m.recta", "--json").stdout)["certificate"]["slack"]
    assert off > 0 and slack >= off * mean * Fraction(999, 1000), (slack, float(off * mean))
