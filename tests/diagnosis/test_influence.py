"""`recta diagnose` against statsmodels on the same rows, and what it prints and writes."""

import csv
import json

import numpy as np
import pytest

sm = pytest.importorskip("statsmodels.api")
from statsmodels.stats.diagnostic import het_breuschpagan, het_white  # noqa: E402
from statsmodels.stats.outliers_influence import OLSInfluence, variance_inflation_factor  # noqa: E402
from statsmodels.stats.stattools import durbin_watson, jarque_bera, omni_normtest  # noqa: E402


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 4))
    x[:, 3] = x[:, 0] + 0.1 * x[:, 3]
    y = x @ [1.0, -2.0, 0.5, 0.0] + 3 + rng.normal(size=60) * (1 + np.abs(x[:, 1]))
    return x, y


@pytest.fixture
def diagnosed(run, tmp_path, rows):
    x, y = rows
    lines = ["a,b,c,d,y", *(",".join(repr(float(v)) for v in [*row, t]) for row, t in zip(x, y))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    assert run("fit", "linear", "t.csv", "--target", "y", "-o", "m.recta", "-q").returncode == 0
    done = run("diagnose", "m.recta", "t.csv", "--json", "-o", "rows.csv", "-q")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def column(document, name):
    return np.array([row[name] for row in document["targets"]["y"]["rows"]])


def test_rows_are_as_statsmodels_has_them(diagnosed, rows):
    x, y = rows
    peer = OLSInfluence(sm.OLS(y, sm.add_constant(x)).fit())
    for name, theirs in [
        ("leverage", peer.hat_matrix_diag),
        ("standardised", peer.resid_studentized_internal),
        ("studentised", peer.resid_studentized_external),
        ("cooks_distance", peer.cooks_distance[0]),
        ("dffits", peer.dffits[0]),
        ("deleted", peer.resid_press),
    ]:
        np.testing.assert_allclose(column(diagnosed, name), theirs, rtol=1e-10, atol=1e-12, err_msg=name)
    assert diagnosed["targets"]["y"]["press"] == pytest.approx(float(np.sum(peer.resid_press**2)), rel=1e-10)


def test_tests_of_residuals_are_as_statsmodels_has_them(diagnosed, rows):
    x, y = rows
    design = sm.add_constant(x)
    fit = sm.OLS(y, design).fit()
    mine = {test["test"]: test for test in diagnosed["targets"]["y"]["tests"]}
    assert set(mine) == {"breusch-pagan", "white", "jarque-bera", "omnibus", "durbin-watson"}
    for name, (statistic, p) in {
        "breusch-pagan": het_breuschpagan(fit.resid, design)[:2],
        "white": het_white(fit.resid, design)[:2],
        "jarque-bera": jarque_bera(fit.resid)[:2],
        "omnibus": omni_normtest(fit.resid),
    }.items():
        assert mine[name]["statistic"] == pytest.approx(float(statistic), rel=1e-10), name
        assert mine[name]["p_value"] == pytest.approx(float(p), rel=1e-8), name
    assert mine["durbin-watson"]["statistic"] == pytest.approx(float(durbin_watson(fit.resid)), rel=1e-10)


def test_collinearity_is_as_numpy_has_it(diagnosed, rows):
    x, _ = rows
    design = sm.add_constant(x)
    theirs = [variance_inflation_factor(design, j) for j in range(1, 5)]
    np.testing.assert_allclose(diagnosed["variance_inflation"], theirs, rtol=1e-10)
    _, values, vectors = np.linalg.svd(design / np.linalg.norm(design, axis=0), full_matrices=False)
    np.testing.assert_allclose([k["index"] for k in diagnosed["condition_indices"]], values[0] / values, rtol=1e-10)
    phi = (vectors / values[:, None]) ** 2
    np.testing.assert_allclose([k["shares"] for k in diagnosed["condition_indices"]], phi / phi.sum(axis=0), atol=1e-10)


def test_weights_are_those_of_weighted_least_squares(run, tmp_path, rows):
    x, y = rows
    v = np.linspace(0.5, 2, 60)
    lines = ["a,b,c,d,v,y", *(",".join(repr(float(u)) for u in [*row, w, t]) for row, w, t in zip(x, v, y))]
    (tmp_path / "w.csv").write_text("\n".join(lines) + "\n")
    run("fit", "linear", "w.csv", "--target", "y", "--weights", "v", "-o", "w.recta", "-q")
    document = json.loads(run("diagnose", "w.recta", "w.csv", "--json").stdout)
    root = np.sqrt(v)[:, None]
    peer = OLSInfluence(sm.OLS(y * root[:, 0], sm.add_constant(x) * root).fit())
    np.testing.assert_allclose(column(document, "leverage"), peer.hat_matrix_diag, rtol=1e-10)
    np.testing.assert_allclose(column(document, "studentised"), peer.resid_studentized_external, rtol=1e-9)
    np.testing.assert_allclose(column(document, "cooks_distance"), peer.cooks_distance[0], rtol=1e-9, atol=1e-13)


def test_every_row_is_in_the_file(diagnosed, tmp_path):
    with open(tmp_path / "rows.csv", newline="") as file:
        table = list(csv.DictReader(file))
    assert [int(row["row"]) for row in table] == list(range(1, 61))
    assert [float(row["leverage"]) for row in table] == list(column(diagnosed, "leverage"))


def test_people_read_a_table_and_sentences(run, diagnosed):
    text = run("diagnose", "m.recta", "t.csv", "--top", "3").stdout
    assert "most influential rows" in text and "condition index" in text and "findings" in text
    shown = [line for line in text.split("\n") if line.strip()[:1].isdigit()]
    assert len(shown) == 3


def test_rows_of_another_table_are_refused(run, diagnosed, tmp_path):
    text = (tmp_path / "t.csv").read_text().split("\n")
    (tmp_path / "other.csv").write_text("\n".join(text[:-3]) + "\n")
    done = run("diagnose", "m.recta", "other.csv")
    assert done.returncode == 3 and "not the training data" in done.stderr
