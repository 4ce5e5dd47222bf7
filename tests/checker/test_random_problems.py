"""P2: what is called proved is true, on random problems checked in exact arithmetic by code that Recta does not share."""

import csv
import random
import re

import certificate_checker
import pytest

KINDS = ["linear", "ridge", "ridge-standardised", "weighted", "no-intercept", "category", "deficient", "wide", "scales",
         "offset", "two-targets", "exact-line"]


def table(kind, rng):
    n, p = rng.randint(3, 30), rng.randint(1, 5)
    if kind == "wide":
        n, p = rng.randint(2, 4), rng.randint(5, 7)
    scale = [10.0 ** rng.randint(-6, 6) if kind == "scales" else 1.0 for _ in range(p)]
    x = [[rng.gauss(0, 1) * s + (1e3 * s if kind == "scales" else 0) for s in scale] for _ in range(n)]
    if kind == "deficient":  # exactly: sums of multiples of 1/1024 are not rounded
        x = [[round(1024 * v) / 1024 for v in row] for row in x]
        x = [row + [2 * row[0] - row[-1], row[0]] for row in x]
    y = [sum(row) + (0 if kind == "exact-line" else rng.gauss(0, 1)) for row in x]
    names = [f"x{j}" for j in range(len(x[0]))]
    rows = [dict(zip(names, map(repr, row)), y=repr(v)) for row, v in zip(x, y)]
    for row in rows:
        if kind == "weighted":
            row["w"] = rng.choice(["0", "1", "2.5", "1e-3", "7"])
        if kind == "offset":
            row["o"] = repr(rng.gauss(0, 3))
        if kind == "category":
            row["c"] = rng.choice(["red", "green", "blue"])
        if kind == "two-targets":
            row["z"] = repr(rng.gauss(5, 2))
    if kind == "weighted":
        rows[0]["w"] = rows[1]["w"] = rows[2]["w"] = "1"
    return rows


def flags(kind, rng):
    lam = ["--lambda", repr(10.0 ** rng.randint(-6, 2))]
    return {
        "ridge": ["ridge", *lam],
        "ridge-standardised": ["ridge", *lam, "--standardise"],
        "weighted": ["linear", "--weights", "w"],
        "no-intercept": ["linear", "--no-intercept"],
        "wide": ["ridge", *lam],
        "offset": ["ridge", *lam, "--offset", "o"],
        "two-targets": ["linear"],
    }.get(kind, ["linear"])


def write(rows, path):
    with open(path, "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize("kind", KINDS)
def test_no_claim_is_false(kind, run, tmp_path):
    rng = random.Random(kind)
    proved = 0
    for _ in range(8):
        rows = table(kind, rng)
        data, model = tmp_path / "t.csv", tmp_path / "m.recta"
        write(rows, data)
        word, *rest = flags(kind, rng)
        target = "y,z" if kind == "two-targets" else "y"
        done = run("fit", word, data, "--target", target, "-o", model, *rest)
        assert done.returncode == 0, done.stderr
        claim, exact, wrong = certificate_checker.check(model, data)
        assert not wrong, (wrong, exact, claim, rest, data.read_text())
        proved += claim["verdict"] == "proved"
        assert run("verify", model, data).returncode == 0
    assert proved > 0


def test_a_claim_about_columns_that_depend_on_others_to_rounding_says_so_and_holds_for_the_others(run, tmp_path):
    rng = random.Random("rounded")
    data, model = tmp_path / "t.csv", tmp_path / "m.recta"
    for _ in range(8):
        rows = table("linear", rng)
        for row in rows:
            row["d"] = repr(3 * float(row["x0"]) / 7)
        write(rows, data)
        done = run("fit", "linear", data, "--target", "y", "-o", model)
        assert done.returncode == 0, done.stderr
        assert re.search(r"\d+ independent columns? of \d+", done.stdout.splitlines()[-1])
        claim, exact, wrong = certificate_checker.check(model, data, over_independent=True)
        assert claim["verdict"] == "within_tolerance"  # "proved" would be false: the exact optimum is lower
        scale = exact["null_objective"]
        assert abs(exact["suboptimality"]) <= claim["tolerance"] * scale, (wrong, exact, claim, data.read_text())


def test_the_checker_sees_a_wrong_answer(run, tmp_path):
    """The checker itself can fail: another model's coefficients under the same claim are refused."""
    data = tmp_path / "t.csv"
    data.write_text("x,y\n1,1\n2,2\n3,4\n4,3\n")
    assert run("fit", "linear", data, "--target", "y", "-o", "m.recta").returncode == 0
    _, _, wrong = certificate_checker.check(tmp_path / "m.recta", data)
    assert not wrong
    data.write_text("x,y\n1,1\n2,2\n3,4\n4,4\n")
    _, _, wrong = certificate_checker.check(tmp_path / "m.recta", data)
    assert any("optimum" in w for w in wrong)
