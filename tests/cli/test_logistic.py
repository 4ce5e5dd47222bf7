"""Logistic regression beside answers that are known: tables of counts, single margins, planes, and 40 digits."""

import decimal
import json
import math
from decimal import Decimal

import numpy as np
import pytest


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def written(tmp_path, rows, name="t.csv", header="x,c"):
    (tmp_path / name).write_text(header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


def answer(fit, target="c"):
    return [fit["intercept"][target]["value"]] + [c["value"] for c in fit["coefficients"][target]]


@pytest.mark.parametrize("counts", [(6, 2, 3, 5), (1, 1, 1, 1), (40, 3, 7, 900), (1, 1000, 2, 3)])
def test_a_table_of_counts_has_its_closed_form(run, tmp_path, counts):
    n00, n01, n10, n11 = counts
    written(tmp_path, [(0, 0, n00), (0, 1, n01), (1, 0, n10), (1, 1, n11)], header="x,c,v")
    fit = document(run, "fit", "logistic", "t.csv", "--target", "c", "--weights", "v", "--weights-are", "frequency")
    slope = fit["coefficients"]["c"][0]
    assert answer(fit) == pytest.approx([math.log(n01 / n00), math.log(n11 * n00 / (n10 * n01))], rel=1e-12, abs=1e-14)
    error = math.sqrt(sum(1 / n for n in counts))
    assert slope["standard_error"] == pytest.approx(error, rel=1e-12)
    assert fit["intercept"]["c"]["standard_error"] == pytest.approx(math.sqrt(1 / n00 + 1 / n01), rel=1e-12)
    assert slope["odds_ratio"] == pytest.approx(n11 * n00 / (n10 * n01), rel=1e-12)
    assert slope["odds_upper"] == pytest.approx(slope["odds_ratio"] * math.exp(1.959963984540054 * error), rel=1e-12)
    z = slope["value"] / error
    assert slope["t"] == pytest.approx(z, rel=1e-11, abs=1e-13)
    assert slope["p_value"] == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=1e-10)
    n, ones = sum(counts), n01 + n11
    likelihood = sum(
        k * math.log(k / t) for k, t in ((n00, n00 + n01), (n01, n00 + n01), (n10, n10 + n11), (n11, n10 + n11))
    )
    null = ones * math.log(ones / n) + (n - ones) * math.log(1 - ones / n)
    metrics = fit["metrics"]["c"]
    assert metrics["log_likelihood"] == pytest.approx(likelihood, rel=1e-12)
    assert metrics["deviance"] == pytest.approx(-2 * likelihood, rel=1e-12)
    assert (
        metrics["ratio"] == pytest.approx(2 * (likelihood - null), rel=1e-9, abs=1e-12)
        and metrics["ratio_freedom"] == 1
    )
    assert metrics["ratio_p_value"] == pytest.approx(math.erfc(math.sqrt(max(0, likelihood - null))), rel=1e-7)
    assert metrics["aic"] == pytest.approx(4 - 2 * likelihood, rel=1e-12)
    assert metrics["bic"] == pytest.approx(2 * math.log(n) - 2 * likelihood, rel=1e-12)
    assert fit["certificate"]["verdict"] == "proved" and fit["certificate"]["claim"] == "duality_gap"


def test_one_margin_has_its_closed_form(run, tmp_path):
    written(tmp_path, [(1, 1), (-1, -1)])  # both rows have the margin w
    fit = document(
        run, "fit", "logistic", "t.csv", "--target", "c", "--no-intercept", "--lambda", repr(1 / (1 + math.e))
    )
    assert answer(fit)[1] == pytest.approx(1, rel=1e-15)
    written(tmp_path, [(1, 1)] * 4 + [(-1, 1)] + [(-1, -1)] * 4 + [(1, -1)])  # margins w in 8 of 10 rows, -w in 2
    fit = document(run, "fit", "logistic", "t.csv", "--target", "c", "--no-intercept", "--lambda1", "0.1")
    assert answer(fit)[1] == pytest.approx(math.log(0.7 / 0.3), rel=1e-14)
    assert fit["certificate"]["objective"] == pytest.approx(-0.7 * math.log(0.7) - 0.3 * math.log(0.3), rel=1e-14)
    assert fit["metrics"]["c"]["lambda1_max"] == pytest.approx(0.3, rel=1e-14)
    none = document(run, "fit", "logistic", "t.csv", "--target", "c", "--no-intercept", "--lambda1", "0.3000001")
    assert answer(none)[1] == 0 and none["metrics"]["c"]["nonzero"] == 0 and none["certificate"]["verdict"] == "proved"


def test_rows_that_overlap_have_an_answer(run, tmp_path):
    written(tmp_path, [(1, "+1"), (2, "-1"), (3, "+1")])
    fit = document(run, "fit", "logistic", "t.csv", "--target", "c")
    assert answer(fit) == pytest.approx([math.log(2), 0], abs=1e-14) and fit["certificate"]["verdict"] == "proved"


@pytest.mark.parametrize(
    "rows, apart, on, infinite",
    [
        ([(1, "a"), (2, "a"), (3, "b"), (4, "b")], 4, 0, "x (+), the intercept (-)"),
        ([(1, "a"), (2, "a"), (2, "b"), (3, "b")], 2, 2, "x (+), the intercept (-)"),
        (
            [(0, "a")] * 3 + [(0, "b")] * 2 + [(1, "b")] * 4,
            4,
            5,
            "x (+)",
        ),  # a table of counts with an empty cell at x = 1
        ([(0, "a")] * 3 + [(1, "a")] * 2 + [(1, "b")] * 4, 3, 6, "x (+), the intercept (-)"),  # and at x = 0
    ],
)
def test_classes_that_a_plane_separates_have_no_maximum_and_the_plane_proves_it(
    run, tmp_path, rows, apart, on, infinite
):
    written(tmp_path, rows)
    fit = document(run, "fit", "logistic", "t.csv", "--target", "c", "-o", "m.recta")
    certificate = fit["certificate"]
    assert certificate["verdict"] == "proved" and certificate["claim"] == "no_finite_maximum"
    slope, intercept = certificate["direction"]
    margins = [(1 if label == "b" else -1) * (slope * x + intercept) for x, label in rows]
    assert min(margins) >= 0 and sum(m > 0 for m in margins) == apart and sum(m == 0 for m in margins) == on
    assert f"infinite are the coefficients of {infinite}" in certificate["conditions"]
    assert fit["coefficients"]["c"][0]["standard_error"] is None
    verified = document(run, "verify", "m.recta", "t.csv")
    assert verified["holds"] and verified["certificate"]["claim"] == "no_finite_maximum"
    ridge = document(run, "fit", "logistic", "t.csv", "--target", "c", "--lambda", "0.01")
    assert ridge["certificate"]["claim"] == "duality_gap" and ridge["certificate"]["verdict"] == "proved"


def test_separation_in_many_columns_is_proved_too(run, tmp_path):
    rng = np.random.default_rng(7)
    X = rng.standard_normal((80, 6)) * 10.0 ** np.arange(-3, 3)
    y = np.where(X @ (rng.standard_normal(6) / 10.0 ** np.arange(-3, 3)) > 0.3, "b", "a")
    written(tmp_path, [(*row, label) for row, label in zip(X, y)], header="x1,x2,x3,x4,x5,x6,c")
    certificate = document(run, "fit", "logistic", "t.csv", "--target", "c")["certificate"]
    assert certificate["claim"] == "no_finite_maximum" and certificate["verdict"] == "proved"
    q = np.array(certificate["direction"])
    assert (np.where(y == "b", 1, -1) * (X @ q[:6] + q[6]) > 0).all()


def test_a_likelihood_that_rises_forever_is_found_at_scales_of_1e8(run, tmp_path):
    written(tmp_path, [(x * 1e8, c) for x, c in ((1, "a"), (2, "a"), (3, "b"), (4, "b"))])
    assert document(run, "fit", "logistic", "t.csv", "--target", "c")["certificate"]["claim"] == "no_finite_maximum"
    for strength in ("1e-12", "0.01", "1e4"):  # and with a penalty there is an optimum, however little of it is felt
        certificate = document(run, "fit", "logistic", "t.csv", "--target", "c", "--lambda", strength)["certificate"]
        assert certificate["claim"] == "duality_gap" and certificate["verdict"] == "proved"
    written(tmp_path, [(x * 1e8, c) for x, c in ((1, "a"), (3, "a"), (2, "b"), (4, "b"))])
    small = [(1, "a"), (3, "a"), (2, "b"), (4, "b")]
    scaled = document(run, "fit", "logistic", "t.csv", "--target", "c")
    written(tmp_path, small)
    plain = document(run, "fit", "logistic", "t.csv", "--target", "c")
    assert answer(scaled)[1] * 1e8 == pytest.approx(answer(plain)[1], rel=1e-11)


def solved(H, g):
    """By elimination with pivots, in Decimal."""
    n = len(g)
    rows = [[*row, right] for row, right in zip(H, g)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def precise(X, y, lambda2):
    """Newton's method in 40 digits."""
    decimal.getcontext().prec = 40
    n, p = X.shape
    rows = [[Decimal(1), *map(Decimal, row)] for row in X.tolist()]
    w, lambda2 = [Decimal(0)] * (p + 1), Decimal(lambda2)
    for _ in range(100):
        g, H = [Decimal(0)] * (p + 1), [[Decimal(0)] * (p + 1) for _ in range(p + 1)]
        for row, label in zip(rows, y):
            s = 1 / (1 + (-sum(a * b for a, b in zip(row, w))).exp())
            for j in range(p + 1):
                g[j] += (s - (1 if label > 0 else 0)) * row[j] / n
                for k in range(p + 1):
                    H[j][k] += s * (1 - s) * row[j] * row[k] / n
        for j in range(1, p + 1):
            g[j] += lambda2 * w[j]
            H[j][j] += lambda2
        step = solved(H, g)
        w = [a - b for a, b in zip(w, step)]
        if max(map(abs, step)) < Decimal("1e-25"):
            return [float(x) for x in w]
    raise AssertionError("the reference does not converge")


PROBLEMS = [
    ("iris", ["petal length", "petal width"], 0.0),
    ("iris", ["sepal length", "sepal width"], 0.0),
    ("iris", ["sepal length", "petal length"], 0.01),
    ("housing", ["rm", "lstat"], 0.0),
    ("housing", ["crim", "age", "dis"], 0.0),
    ("housing", ["tax", "ptratio"], 0.0),
    ("housing", ["nox", "rad"], 1e-4),
    ("housing", ["indus", "chas", "b"], 0.0),
    ("housing", ["zn", "tax"], 1e-3),
    ("housing", ["lstat"], 0.0),
]


@pytest.mark.parametrize("source, columns, lambda2", PROBLEMS)
def test_coefficients_of_real_data_have_ten_digits(run, tmp_path, source, columns, lambda2):
    assert run("data", source, "-o", "all.csv", "-q").returncode == 0
    lines = (tmp_path / "all.csv").read_text().splitlines()
    names = [name.strip('"') for name in lines[0].split(",")]
    table = [line.split(",") for line in lines[1:]]
    if source == "iris":
        table = [row for row in table if "setosa" not in row[-1]]
        y = [1 if "virginica" in row[-1] else -1 for row in table]
    else:
        y = [1 if float(row[-1]) > 22 else -1 for row in table]
    chosen = [names.index(name) if name in names else names.index(name.replace(" ", "_")) for name in columns]
    X = np.array([[float(row[k]) for k in chosen] for row in table])
    written(
        tmp_path,
        [(*map(repr, row.tolist()), label) for row, label in zip(X, y)],
        header=",".join([f"x{j}" for j in range(len(chosen))] + ["c"]),
    )
    fit = document(run, "fit", "logistic", "t.csv", "--target", "c", "--lambda", str(lambda2))
    assert fit["certificate"]["verdict"] == "proved"
    np.testing.assert_allclose(answer(fit), precise(X, y, lambda2), rtol=1e-10)


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["--lambda", "0.02"],
        ["--lambda1", "0.02"],
        ["--lambda", "0.05", "--l1-share", "0.5"],
        ["--lambda1", "0.02", "--standardise"],
        ["--lambda", "0.02", "--no-intercept"],
    ],
)
def test_the_answer_obeys_its_laws(run, tmp_path, flags):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 4)) * [1, 10, 0.1, 1]
    y = np.where(rng.random(60) < 1 / (1 + np.exp(-X @ [1, -0.1, 5, 0] - 0.2)), "u", "d")
    v = rng.integers(0, 4, 60)
    v[0] = 2
    header = "x1,x2,x3,x4,c,v"
    written(tmp_path, [(*map(repr, row.tolist()), c, w) for row, c, w in zip(X, y, v)], "weighted.csv", header)
    repeated = [(*map(repr, row.tolist()), c, 1) for row, c, w in zip(X, y, v) for _ in range(w)]
    written(tmp_path, repeated, "repeated.csv", header)
    written(tmp_path, repeated[::-1], "turned.csv", header)
    fit = document(run, "fit", "logistic", "weighted.csv", "--target", "c", "--weights", "v", *flags, "-o", "m.recta")
    assert fit["certificate"]["verdict"] == "proved", fit["certificate"]["sentence"]
    assert run("verify", "m.recta", "weighted.csv").returncode == 0
    ours = answer(fit)
    for name in ("repeated.csv", "turned.csv"):
        other = document(run, "fit", "logistic", name, "--target", "c", "--ignore", "v", *flags)
        np.testing.assert_allclose(answer(other), ours, rtol=1e-9, atol=1e-12)
    swapped = document(
        run, "fit", "logistic", "weighted.csv", "--target", "c", "--weights", "v", "--positive", "d", *flags
    )
    np.testing.assert_allclose(answer(swapped), -np.array(ours), rtol=1e-9, atol=1e-12)
    streamed = run(
        "fit", "logistic", "weighted.csv", "--target", "c", "--weights", "v", *flags, "--stream", "-o", "s.recta"
    )
    assert streamed.returncode == 0 and (tmp_path / "s.recta").read_bytes() == (tmp_path / "m.recta").read_bytes()


def test_strengths_that_contradict_are_refused(run, tmp_path):
    written(tmp_path, [(1, 0), (2, 1), (3, 0), (4, 1)])
    for flags in (["--lambda", "1", "--lambda2", "2"], ["--lambda1", "1", "--l1-share", "0.5"], ["--l1-share", "1.5"]):
        done = run("fit", "logistic", "t.csv", "--target", "c", *flags)
        assert done.returncode == 2, flags


def test_stopped_at_once_it_says_how_far_it_is(run, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20000, 30))
    written(
        tmp_path,
        [(*row, int(c)) for row, c in zip(X.round(4), rng.random(20000) < 0.4)],
        header=",".join([f"x{j}" for j in range(30)] + ["c"]),
    )
    done = run("fit", "logistic", "t.csv", "--target", "c", "--time-limit", "0.000001")
    assert done.returncode in (0, 1)
    assert "Stopped early" in done.stdout or "before there was a model" in done.stderr


def test_a_plane_far_out_is_proved_and_named(run, tmp_path):
    written(tmp_path, [(99999999, "a"), (100000001, "b"), (99999999, "a"), (100000001, "a")])
    fit = document(run, "fit", "logistic", "t.csv", "--target", "c")
    assert fit["certificate"]["verdict"] == "proved"
    assert "no finite maximum" in fit["certificate"]["sentence"]
    assert any("2 of 4 are beyond it" in said for said in fit["certificate"]["conditions"])


def test_timestamps_have_standard_errors(run, tmp_path):
    rng = np.random.default_rng(2)
    seconds = rng.integers(-40, 40, 60)
    label = (seconds / 30 + rng.logistic(size=60) > 0).astype(int)
    written(tmp_path, zip(seconds, label), "near.csv")
    written(tmp_path, zip(seconds + 1_700_000_000, label), "far.csv")
    near, far = (document(run, "fit", "logistic", name, "--target", "c") for name in ("near.csv", "far.csv"))
    assert near["certificate"]["verdict"] == far["certificate"]["verdict"] == "proved"
    for key in ("value", "standard_error"):
        assert far["coefficients"]["c"][0][key] == pytest.approx(near["coefficients"]["c"][0][key], rel=1e-9)


def newton_errors(x, y):
    """Standard errors of logistic regression by Newton's method on the normal equations; the intercept last."""
    a = np.column_stack([x, np.ones(len(y))])
    w = np.zeros(a.shape[1])
    for _ in range(50):
        mean = 1 / (1 + np.exp(-a @ w))
        hessian = a.T @ (a * (mean * (1 - mean))[:, None])
        w += np.linalg.solve(hessian, a.T @ (y - mean))
    return w, np.sqrt(np.diag(np.linalg.inv(hessian)))


def errors_of(document):
    (table,) = document["coefficients"].values()
    (intercept,) = document["intercept"].values()
    return {c["feature"]: (c["value"], c["standard_error"]) for c in [*table, {**intercept, "feature": "intercept"}]}


def quasi_separated(tmp_path, kind):
    """Rows of which some lie beyond a plane: the others, the columns they determine, and those they do not."""
    rng = np.random.default_rng(5)
    n = 300
    z, port = rng.normal(3, 1, n), rng.integers(0, 3, n)
    y = (0.8 * (z - 3) + 0.5 * (port == 1) + rng.logistic(size=n) > 0).astype(int)
    x, rare = np.zeros(n), np.zeros(n, dtype=int)
    if kind == "rare level":
        rare[:2], y[:2] = 1, 1
    elif kind == "two rare levels":
        rare[:2], y[:2], rare[2:5], y[2:5] = 1, 1, 2, 0
    else:
        x[:] = 5 if kind == "off zero" else 0
        x[:40], y[:40] = x[:40] + rng.random(40) + 0.1, 1
    levels = np.array(["C", "Q", "S", "absent", "none"])[np.where(rare > 0, rare + 2, port)]
    lines = [f"{float(a)!r},{float(b)!r},{p},{'yes' if t else 'no'}" for a, b, p, t in zip(x, z, levels, y)]
    (tmp_path / "q.csv").write_text("x,z,port,y\n" + "\n".join(lines) + "\n")
    on = (rare == 0) & (x == x[-1])
    design = np.column_stack([z, port == 1, port == 2])[on]
    w, se = newton_errors(design, y[on])
    names = ["z", "port=Q", "port=S", "intercept"]
    if kind == "off zero":
        names.pop()
    return {name: (w[k], se[k]) for k, name in enumerate(names)}


@pytest.mark.parametrize("kind", ["rare level", "two rare levels", "on zero", "off zero"])
def test_coefficients_that_are_finite_keep_their_standard_errors(run, tmp_path, kind):
    """Where a plane separates some rows, those that lie on it determine the rest as they do alone."""
    sought = quasi_separated(tmp_path, kind)
    flags = ["--ignore", "x"] if "rare" in kind else []
    done = run("fit", "logistic", "q.csv", "--target", "y", *flags, "-o", "m.recta", "--json")
    document = json.loads(done.stdout)
    assert document["certificate"]["claim"] == "no_finite_maximum" and document["certificate"]["verdict"] == "proved"
    for name, (value, error) in errors_of(document).items():
        if name not in sought:
            assert error is None, name
            continue
        assert value == pytest.approx(sought[name][0], rel=1e-5), name
        assert error == pytest.approx(sought[name][1], rel=1e-9), name
    assert any("rows on the plane determine" in line for line in document["conditions"])
    assert run("verify", "m.recta", "q.csv").returncode == 0


def test_rows_on_the_plane_that_determine_no_coefficient_are_not_spoken_of(run, tmp_path):
    (tmp_path / "p.csv").write_text("x,c\n1,a\n2,a\n2,b\n3,b\n")
    found = json.loads(run("fit", "logistic", "p.csv", "--target", "c", "--json").stdout)
    assert found["certificate"]["claim"] == "no_finite_maximum"
    assert all(error is None for _, error in errors_of(found).values())
    assert not any("standard errors" in line for line in found["conditions"])


def test_classes_that_are_separated_completely_have_no_standard_errors(run, tmp_path):
    (tmp_path / "s.csv").write_text(
        "x,z,y\n" + "".join(f"{i},{i * i % 7},{'yes' if i > 5 else 'no'}\n" for i in range(12))
    )
    document = json.loads(run("fit", "logistic", "s.csv", "--target", "y", "--json").stdout)
    assert document["certificate"]["claim"] == "no_finite_maximum"
    assert all(error is None for _, error in errors_of(document).values())
