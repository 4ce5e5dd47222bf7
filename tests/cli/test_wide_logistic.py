"""Logistic regression without p x p sums: svmlight files of many columns, beside the same rows in a narrow table."""

import json

import numpy as np
import pytest


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def figures(fit):
    (metrics,) = fit["metrics"].values()
    return metrics


def answer(fit):
    (target,) = fit["coefficients"]
    return np.array([fit["intercept"][target]["value"]] + [c["value"] for c in fit["coefficients"][target]])


def rows(n, p, each, seed, scale=1.0):
    rng = np.random.default_rng(seed)
    places = np.stack([rng.choice(p, each, replace=False) for _ in range(n)])
    values = scale * rng.standard_normal((n, each))
    z = (np.where(places % 3 == 0, 2.0, np.where(places % 3 == 1, -1.0, 0.0)) * values / scale).sum(axis=1) + 0.4
    return places, values, np.where(rng.random(n) < 1 / (1 + np.exp(-z)), 1, -1)


def svmlight(tmp_path, places, values, y, spread=1, name="t.svm"):
    """Column j of the places is column 1 + spread * j of the file."""
    lines = []
    for row, numbers, label in zip(places, values, y):
        order = np.argsort(row)
        lines.append(" ".join([str(label)] + [f"{1 + spread * row[k]}:{float(numbers[k])!r}" for k in order]))
    (tmp_path / name).write_text("\n".join(lines) + "\n")


def table(tmp_path, places, values, y, p, name="t.csv"):
    X = np.zeros((len(y), p))
    np.put_along_axis(X, places, values, 1)
    lines = [",".join([f"x{j}" for j in range(p)] + ["c"])]
    lines += [",".join([repr(float(v)) for v in row] + [str(label)]) for row, label in zip(X, y)]
    (tmp_path / name).write_text("\n".join(lines) + "\n")


SQUARES = [
    ("--lambda", "1e-2"),
    ("--tau", "1"),
    ("--lambda2", "1e-4", "--no-intercept"),
    ("--lambda", "1e-2", "--standardise"),
]
ABSOLUTE = [
    ("--lambda1", "1e-2"),
    ("--lambda", "1e-2", "--l1-share", "0.5"),
    ("--lambda1", "1e-3", "--no-intercept"),
    ("--lambda1", "1e-2", "--standardise"),
]


@pytest.mark.parametrize("penalty", SQUARES + ABSOLUTE, ids=" ".join)
def test_columns_without_numbers_change_nothing(run, tmp_path, penalty):
    """20 columns with numbers among 9,501, and the same 20 alone, which have p x p sums."""
    places, values, y = rows(300, 20, 5, 1)
    svmlight(tmp_path, places, values, y, spread=500)
    table(tmp_path, places, values, y, 20)
    wide = document(run, "fit", "logistic", "t.svm", *penalty, "-o", "m.recta")
    narrow = document(run, "fit", "logistic", "t.csv", "--target", "c", *penalty)
    assert len(answer(wide)) == 9502
    w = answer(wide)
    np.testing.assert_allclose(w[[0] + list(range(1, 9502, 500))], answer(narrow), atol=1e-7)
    assert (
        np.count_nonzero(w[1:])
        == np.count_nonzero(answer(narrow)[1:])
        == (20 if penalty in SQUARES else figures(wide)["nonzero"])
    )
    assert wide["certificate"]["verdict"] == "proved"
    assert document(run, "verify", "m.recta", "t.svm")["holds"]
    assert document(run, "predict", "m.recta", "t.svm", "--proba")


@pytest.mark.parametrize("tolerance", ["1e-4", "1e-10"])
@pytest.mark.parametrize("penalty", ABSOLUTE, ids=" ".join)
def test_sparse_rows_of_few_columns_give_what_a_table_gives(run, tmp_path, penalty, tolerance):
    places, values, y = rows(600, 120, 5, 4)
    places[0, 0] = 119  # so that the file has as many columns
    places[0, 1:] = [0, 1, 2, 3]
    svmlight(tmp_path, places, values, y)
    table(tmp_path, places, values, y, 120)
    sparse = document(run, "fit", "logistic", "t.svm", *penalty, "--tolerance", tolerance, "-o", "m.recta")
    dense = document(run, "fit", "logistic", "t.csv", "--target", "c", *penalty)
    assert sparse["solver"]["name"] == "newton-sparse" and dense["solver"]["name"] == "newton"
    assert sparse["certificate"]["verdict"] == dense["certificate"]["verdict"] == "proved"
    above = sparse["certificate"]["objective"] - dense["certificate"]["objective"]
    assert -1e-12 < above < float(tolerance)
    if tolerance == "1e-10":
        np.testing.assert_allclose(answer(sparse), answer(dense), atol=1e-7)
    assert document(run, "verify", "m.recta", "t.svm")["holds"]


@pytest.mark.parametrize("penalty", [(), ("--lambda", "1e-3")], ids=" ".join)
def test_a_loose_tolerance_is_proved_in_fewer_passes(run, tmp_path, penalty):
    places, values, y = rows(6000, 20, 6, 5)
    table(tmp_path, places, values, y, 20)
    fits = {
        t: document(run, "fit", "logistic", "t.csv", "--target", "c", *penalty, "--tolerance", t)
        for t in ("1e-6", "1e-10")
    }
    loose, usual = (fits[t]["certificate"] for t in ("1e-6", "1e-10"))
    assert loose["verdict"] == usual["verdict"] == "proved"
    assert loose["passes"] < usual["passes"]
    assert 0 <= loose["objective"] - usual["objective"] <= 1e-6
    assert loose["gap"] <= 1e-6 and usual["gap"] <= 1e-10


def test_a_default_fit_is_proved_and_says_how_it_was_made(run, tmp_path):
    places, values, y = rows(200, 12_000, 40, 2)  # fewer rows than columns: the classes can be separated
    svmlight(tmp_path, places, values, y)
    for strength in ("1e-3", "1e-9"):
        fit = document(run, "fit", "logistic", "t.svm", "--lambda", strength, "-o", "m.recta")
        assert fit["certificate"]["verdict"] == "proved" and fit["certificate"]["claim"] == "duality_gap"
        assert fit["solver"]["name"] == "newton-cg" and "too large for p x p sums" in fit["solver"]["reason"]
        assert document(run, "verify", "m.recta", "t.svm")["certificate"]["verdict"] == "proved"
    for strength in ("1e-2", "1e-6"):
        fit = document(run, "fit", "logistic", "t.svm", "--lambda1", strength, "-o", "m.recta")
        assert fit["certificate"]["verdict"] == "proved" and fit["certificate"]["claim"] == "duality_gap"
        assert fit["solver"]["name"] == "newton-columns" and 0 < figures(fit)["nonzero"] < 200
        assert document(run, "verify", "m.recta", "t.svm")["certificate"]["verdict"] == "proved"
    most = figures(fit)["lambda1_max"]
    none = document(run, "fit", "logistic", "t.svm", "--lambda1", repr(most * 1.000001))
    assert figures(none)["nonzero"] == 0 and none["certificate"]["verdict"] == "proved"
    some = document(run, "fit", "logistic", "t.svm", "--lambda1", repr(most * 0.99))
    assert figures(some)["nonzero"] > 0 and some["certificate"]["verdict"] == "proved"
    text = (tmp_path / "t.svm").read_text().splitlines()
    (tmp_path / "t.svm").write_text("\n".join([text[0].replace(":", ":1", 1)] + text[1:]) + "\n")
    assert run("verify", "m.recta", "t.svm").returncode != 0


def test_without_a_penalty_so_many_columns_are_refused(run, tmp_path):
    places, values, y = rows(50, 9_000, 4, 3)
    svmlight(tmp_path, places, values, y)
    refused = run("fit", "logistic", "t.svm", "--lambda", "0")
    assert refused.returncode != 0
    assert "too many for the p x p sums that logistic works on without a penalty" in refused.stderr
    assert "give lambda above 0, or choose 8192 columns or fewer" in refused.stderr


def test_rows_that_stream_past_are_fitted_by_products(run, tmp_path):
    places, values, y = rows(300, 9_000, 6, 3)
    svmlight(tmp_path, places, values, y)
    streamed = document(run, "fit", "logistic", "t.svm", "--lambda", "0.01", "--stream")
    whole = document(run, "fit", "logistic", "t.svm", "--lambda", "0.01")  # the rows in memory
    assert streamed["certificate"]["verdict"] == whole["certificate"]["verdict"] == "proved"
    assert (
        abs(streamed["certificate"]["objective"] - whole["certificate"]["objective"])
        <= 1e-10 * whole["certificate"]["objective"]
    )
    refused = run("fit", "logistic", "t.svm", "--lambda1", "0.01", "--stream")
    assert "give a penalty of squares alone, or leave out --stream and --engine" in refused.stderr


def test_numbers_of_any_size_are_taken(run, tmp_path):
    places, values, y = rows(200, 9_000, 20, 4)
    plain, large = [], []
    for scale, found in ((1.0, plain), (2.0**40, large)):
        svmlight(tmp_path, places, scale * values, y)
        fit = document(run, "fit", "logistic", "t.svm", "--lambda", repr(1e-3 * scale**2), "--tolerance", "1e-16")
        assert fit["certificate"]["verdict"] == "proved"
        found.append(answer(fit))
    np.testing.assert_allclose(large[0][1:] * 2.0**40, plain[0][1:], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("penalty", ["--lambda", "--lambda1"])
def test_a_stopped_fit_says_so_and_keeps_its_proof(run, tmp_path, penalty):
    places, values, y = rows(2_000, 20_000, 60, 5)
    svmlight(tmp_path, places, values, y)
    fit = document(run, "fit", "logistic", "t.svm", penalty, "1e-8", "--time-limit", "0.25")
    certificate = fit["certificate"]
    assert certificate["verdict"] in ("stopped_early", "proved")
    if certificate["verdict"] == "stopped_early":
        assert certificate["stop"] == "time limit"
    assert certificate["gap"] >= 0 and np.isfinite(certificate["objective"])


@pytest.mark.parametrize("penalty", ["--lambda", "--lambda1"])
def test_threads_leave_no_trace(run, tmp_path, penalty):
    places, values, y = rows(400, 10_000, 30, 6)
    svmlight(tmp_path, places, values, y)
    for threads in ("1", "2", "3"):
        document(run, "fit", "logistic", "t.svm", penalty, "1e-4", "--threads", threads, "-o", f"m{threads}.recta")
    one = (tmp_path / "m1.recta").read_bytes()
    assert (tmp_path / "m2.recta").read_bytes() == one and (tmp_path / "m3.recta").read_bytes() == one
