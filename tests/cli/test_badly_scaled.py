"""Columns of any size by every solver, and polynomials beyond what doubles hold."""

import json

import numpy as np
import pytest

SIZES = 10.0 ** np.array([-12, -4, 5, 12])


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((60, 4))
    y = x @ [1, -2, 0, 0.5] + rng.standard_normal(60) + 3
    for name, columns in {"d.csv": x * SIZES, "plain.csv": x}.items():
        np.savetxt(
            tmp_path / name, np.column_stack([columns, y]), delimiter=",", header="a,b,c,d,y", comments="", fmt="%.17g"
        )
    return x, y


def document(run, *args):
    done = run(*args, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("solver", ["auto", "gram", "qr", "svd", "lsmr"])
def test_least_squares_are_those_of_columns_of_size_one(run, data, solver):
    fit = document(run, "fit", "linear", "d.csv", "--target", "y", "--solver", solver)
    plain = document(run, "fit", "linear", "plain.csv", "--target", "y")
    assert fit["certificate"]["verdict"] == "proved"
    for one, other, size in zip(fit["coefficients"]["y"], plain["coefficients"]["y"], SIZES, strict=True):
        assert one["value"] * size == pytest.approx(other["value"], rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("strength", ["0.1", "1e-9", "1e-20"])
def test_ridge_by_svd_is_ridge_by_qr(run, data, strength):
    fits = [
        document(run, "fit", "ridge", "d.csv", "--target", "y", "--lambda", strength, "--solver", solver)
        for solver in ("svd", "qr")
    ]
    assert [fit["certificate"]["verdict"] for fit in fits] == ["proved", "proved"]
    assert fits[0]["certificate"]["objective"] == pytest.approx(fits[1]["certificate"]["objective"], rel=1e-12)


def test_of_dependent_columns_the_answer_is_still_the_one_of_least_norm(run, tmp_path):
    rng = np.random.default_rng(5)
    x = rng.standard_normal((30, 2))
    x = np.column_stack([x, x @ [1e3, 2e3]])
    y = x[:, 0] + rng.standard_normal(30)
    np.savetxt(tmp_path / "e.csv", np.column_stack([x, y]), delimiter=",", header="a,b,c,y", comments="", fmt="%.17g")
    fit = document(run, "fit", "linear", "e.csv", "--target", "y", "--solver", "svd", "--no-intercept")
    w = [row["value"] for row in fit["coefficients"]["y"]]
    assert w == pytest.approx(np.linalg.pinv(x, rcond=1e-12) @ y, rel=1e-8)


@pytest.mark.parametrize("degree", [20, 40, 60, 100])
@pytest.mark.parametrize("shift", [0, 20])
def test_polynomials_of_high_degree_say_their_condition_and_refute_nothing(run, tmp_path, degree, shift):
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-1, 1, 200))
    y = np.sin(5 * x) + 0.1 * rng.standard_normal(200)
    x = 10 * x + shift if shift else x
    np.savetxt(tmp_path / "p.csv", np.column_stack([x, y]), delimiter=",", header="x,y", comments="", fmt="%.17g")
    done = run("fit", "linear", "p.csv", "--target", "y", "--poly", degree, "--json")
    fit = json.loads(done.stdout)
    assert done.returncode == 0, fit["certificate"]["sentence"]
    if fit["certificate"]["verdict"] != "proved":
        assert any("nearly determine one another" in text for text in fit["certificate"]["conditions"])
        strict = run("fit", "linear", "p.csv", "--target", "y", "--poly", degree, "--strict")
        assert strict.returncode == (0 if fit["certificate"]["sentence"].startswith("Within tolerance") else 4)
    # As good as Chebyshev's polynomials of a degree that doubles hold with ease.
    t = np.polynomial.chebyshev.chebvander((x - shift) / (10 if shift else 1), min(degree, 12))
    best = np.mean((y - t @ np.linalg.lstsq(t, y, rcond=None)[0]) ** 2) / 2
    assert fit["certificate"]["objective"] <= best * 1.001
