"""recta curve and the errors of recta path: what is learned from more rows, and from a weaker penalty."""

import json

import numpy as np
import pytest


def test_a_learning_curve_is_that_of_fits_by_hand(run, tmp_path):
    random = np.random.default_rng(5)
    x = random.normal(size=(60, 3))
    y = x @ [1.0, -2.0, 0.5] + random.normal(size=60)
    np.savetxt(tmp_path / "d.csv", np.c_[x, y], delimiter=",", header="a,b,c,y", comments="", fmt="%.17g")
    done = run(
        "curve", "linear", "d.csv", "--target", "y", "--shares", "0.25,1", "--folds", "3", "--json", "--plot", "c.svg"
    )
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert (
        made["schema"] == "recta/curve/1"
        and made["measure"] == "mse"
        and [p["rows"] for p in made["points"]] == [10, 40]
    )
    few, all_rows = made["points"]
    assert few["training"] < all_rows["training"] < all_rows["left_out"] < few["left_out"]
    for point in made["points"]:
        errors = np.array(point["fold_left_out"])
        assert point["left_out"] == pytest.approx(errors.mean(), rel=1e-14)
        assert point["left_out_standard_error"] == pytest.approx(errors.std(ddof=1) / np.sqrt(3), rel=1e-12)
    assert "rows left out" in (tmp_path / "c.svg").read_text()
    text = run("curve", "linear", "d.csv", "--target", "y", "--shares", "0.25,1", "--folds", "3").stdout
    assert "mse, left out" in text and text.splitlines()[-1].split()[0] == "40"


def test_a_share_that_is_none_is_refused(run):
    done = run("curve", "linear", "housing", "--shares", "0")
    assert done.returncode == 2 and "0 is not a share" in done.stderr
    assert "not a number" in run("curve", "linear", "housing", "--shares", "half").stderr


def test_errors_of_a_path_are_drawn_where_there_are_any(run, tmp_path):
    done = run("path", "lasso", "housing", "--folds", "5", "--count", "8", "--plot", "e.svg", "--plot-kind", "errors")
    assert done.returncode == 0, done.stderr
    drawn = (tmp_path / "e.svg").read_text()
    assert "rows left out" in drawn and "1se" in drawn
    refused = run("path", "lasso", "housing", "--count", "8", "--plot", "f.svg", "--plot-kind", "errors")
    assert refused.returncode == 2 and "ask for folds" in refused.stderr


@pytest.mark.parametrize("more", [[], ["--bias-variance", "--samples", "4"]])
def test_a_value_that_cannot_be_fitted_is_no_success(run, more):
    done = run("curve", "knn-regression", "housing", "--over", "k=3,4000", *more)
    assert done.returncode == 1 and "1 of 2 points could not be fitted; the report says why" in done.stderr
    assert "4000: " in done.stdout


def test_a_range_of_whole_numbers_is_fitted_at_each(run):
    done = run("curve", "knn-regression", "housing", "--over", "k=1..40", "--folds", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert [point["params"]["k"] for point in json.loads(done.stdout)["points"]] == list(range(1, 41))
