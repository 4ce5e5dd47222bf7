"""Separability on random rows: what is said is added up in fractions, and the verdict is that of two linear programs (HiGHS)."""

import random

import numpy as np
import pytest
import separability_checker
from scipy.optimize import linprog


def verdict(z):
    """By linear programs: a margin of 1; else Konis' program, the most that all rows together can be on their sides."""
    rows, cols = z.shape
    if linprog(np.zeros(cols), A_ub=-z, b_ub=-np.ones(rows), bounds=(None, None)).status == 0:
        return "separable"
    weak = linprog(-z.sum(axis=0), A_ub=-z, b_ub=np.zeros(rows), bounds=(-1, 1))
    return "separable except for some rows" if -weak.fun > 1e-9 else "not separable"


def whole(rng):
    p = rng.randint(1, 3)
    return [[rng.randint(-3, 3) for _ in range(p)] for _ in range(rng.randint(3, 9))], None


def plane(rng):
    p = rng.randint(1, 6)
    x = [[rng.gauss(0, 1) for _ in range(p)] for _ in range(rng.randint(5, 60))]
    return x, [int(sum(row) + rng.choice([0.0, 0.0, 0.3]) * rng.gauss(0, 1) > 0.1) for row in x]


def decimals(rng):
    x, y = plane(rng)
    return [[round(value, 2) for value in row] for row in x], y


def doubled(rng):
    """Rows of both classes at the same places, beside others that a plane separates."""
    x, y = plane(rng)
    y = [int(sum(row) > 0) for row in x]
    edge = [0.5] + [0.0] * (len(x[0]) - 2) + [-0.5] if len(x[0]) > 1 else [0.0]
    return x + [edge, edge], y + [0, 1]


def scales(rng):
    x, y = plane(rng)
    factors = [10.0 ** rng.uniform(-6, 6) for _ in x[0]]
    return [[value * factor for value, factor in zip(row, factors)] for row in x], y


@pytest.mark.parametrize("kind", [whole, plane, decimals, doubled, scales])
@pytest.mark.parametrize("intercept", [True, False])
def test_no_verdict_is_false(kind, intercept, run, tmp_path):
    rng = random.Random(f"{kind.__name__} {intercept}")
    seen = set()
    for _ in range(20):
        x, y = kind(rng)
        y = y or [rng.randint(0, 1) for _ in x]
        y[:2] = 0, 1
        path = tmp_path / "t.csv"
        names = [f"x{j}" for j in range(len(x[0]))]
        path.write_text(
            "\n".join([",".join([*names, "y"]), *(",".join(map(repr, [*row, label])) for row, label in zip(x, y))])
            + "\n"
        )
        done = run("check", path, "--target", "y", "--separable", "--json", *([] if intercept else ["--no-intercept"]))
        assert done.returncode == 0, (done.stderr, path.read_text())
        found = separability_checker.said(done.stdout)
        wrong = separability_checker.faults(found, path)
        assert not wrong, (wrong, found, path.read_text())
        assert found["proved"], (found, path.read_text())
        z = np.array(x, dtype=float)
        z = z / np.maximum(np.abs(z).max(axis=0), 1e-300)  # columns of one scale, for the peer's tolerances
        z = np.where(np.array(y)[:, None] == 1, 1.0, -1.0) * (np.c_[z, np.ones(len(z))] if intercept else z)
        expected = verdict(z)
        if found["verdict"] == "separable" and expected != "separable":  # a margin below what the peer can see
            scaled = np.array(
                [w * m for w, m in zip(found["hyperplane"]["weights"].values(), np.abs(np.array(x)).max(axis=0))]
            )
            assert (z @ np.r_[scaled, found["hyperplane"]["intercept"]][: z.shape[1]] > 0).all(), path.read_text()
        else:
            assert found["verdict"] == expected, (found, path.read_text())
        seen.add(found["verdict"])
    assert len(seen) > 1


def test_a_false_claim_is_found(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n1,0\n2,0\n3,1\n4,1\n")
    found = separability_checker.said(run("check", path, "--target", "y", "--separable", "--json").stdout)
    assert not separability_checker.faults(found, path)
    found["hyperplane"]["intercept"] = -2.0
    assert separability_checker.faults(found, path)
    found["hyperplane"]["intercept"] = -5.0
    found["multipliers"][0]["fraction"] = "1/3"
    assert separability_checker.faults(found, path)
