"""P2: what is called proved is true, on random problems checked in exact arithmetic by code that Recta does not share."""

import csv
import math
import random
import re

import certificate_checker
import pytest

KINDS = [
    "linear",
    "ridge",
    "ridge-standardised",
    "weighted",
    "no-intercept",
    "category",
    "deficient",
    "wide",
    "scales",
    "offset",
    "two-targets",
    "exact-line",
]


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
        assert kind != "deficient" or claim["verdict"] == "proved"  # in every digit
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
        assert claim["verdict"] == "stopped_early"  # the exact optimum over all columns is lower
        assert claim["claim"]["type"] == "kkt_residual"  # and no distance to it is told
        assert run("fit", "linear", data, "--target", "y", "--strict").returncode == 4
        scale = exact["null_objective"]
        assert abs(exact["suboptimality"]) <= claim["tolerance"] * scale, (wrong, exact, claim, data.read_text())


def dependent_tables():
    """Columns that are combinations of others in every digit: name, rows, flags."""
    rng = random.Random("dependent")
    a, b = ([round(1024 * rng.gauss(3, 2)) / 1024 for _ in range(30)] for _ in range(2))
    y = [repr(u + v + rng.gauss(0, 1)) for u, v in zip(a, b)]
    plain = [{"a": repr(u), "b": repr(v)} for u, v in zip(a, b)]
    yield "twice", [dict(r, c=r["a"], y=t) for r, t in zip(plain, y)], []
    yield "sum", [dict(r, c=repr(u + v), y=t) for r, u, v, t in zip(plain, a, b, y)], []
    yield "fractions", [dict(r, c=repr(0.75 * u - 2.5 * v + 7), y=t) for r, u, v, t in zip(plain, a, b, y)], []
    yield "constant", [dict(r, c="0.1", y=t) for r, t in zip(plain, y)], []
    levels = [rng.randrange(3) for _ in a]
    dummies = [{f"is{k}": str(int(level == k)) for k in range(3)} for level in levels]
    yield "dummies", [dict(r, **d, y=t) for r, d, t in zip(plain, dummies, y)], []
    yield "zeros", [dict(r, c="0", y=t) for r, t in zip(plain, y)], ["--no-intercept"]
    absent = [dict(r, c=r["a"], w="1", y=t) for r, t in zip(plain, y)]
    absent[4].update(c="99.5", w="0")  # a row without weight says nothing
    yield "absent", absent, ["--weights", "w"]


@pytest.mark.parametrize("rows, flag", [pytest.param(rows, flag, id=name) for name, rows, flag in dependent_tables()])
def test_columns_that_depend_on_others_in_every_digit_are_proved_to(rows, flag, run, tmp_path):
    data, model = tmp_path / "t.csv", tmp_path / "m.recta"
    write(rows, data)
    for way in [], ["--stream"]:
        done = run("fit", "linear", data, "--target", "y", "-o", model, *flag, *way)
        assert done.returncode == 0, done.stderr
        claim, exact, wrong = certificate_checker.check(model, data)  # over all columns
        assert claim["verdict"] == "proved", (done.stdout, exact)
        assert not wrong, (wrong, exact, claim)
        again = run("verify", model, data)
        assert again.returncode == 0 and "Proved" in again.stdout, again.stdout
    last = next(name for name in reversed(rows[0]) if name not in "yw")
    row = next(row for row in rows if row.get("w") != "0")
    row[last] = repr(math.nextafter(float(row[last]), 1e9))
    write(rows, data)
    done = run("fit", "linear", data, "--target", "y", "-o", model, *flag)
    claim, exact, _ = certificate_checker.check(model, data)
    if float(row[last]) > 1e-300:  # beside zeros one such number is a column of its own
        assert claim["verdict"] == "stopped_early", (done.stdout, exact)
        assert "exactly" not in done.stdout and "to rounding" in done.stdout


def test_standard_input_is_read_once_and_proves_no_dependence(run, tmp_path):
    rows = next(dependent_tables())[1]
    write(rows, tmp_path / "t.csv")
    done = run("fit", "linear", "-", "--target", "y", stdin=(tmp_path / "t.csv").read_text())
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    assert "not proved" in last and "merged statistics" in last and "to rounding" in last


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
