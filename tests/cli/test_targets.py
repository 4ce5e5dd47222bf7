"""Several targets of models that have one: a model each, in one file."""

import csv
import io
import json
import math

import pytest


def good(done):
    assert done.returncode == 0, done.stderr
    return done.stdout


FLOWERS = ("iris.csv", "--ignore", "species")


@pytest.fixture
def iris(run):
    good(run("convert", "iris", "iris.csv"))


@pytest.mark.parametrize("word", ["huber", "quantile", "poisson", "gamma", "svr", "epsilon-insensitive"])
def test_each_target_is_fitted_as_if_it_were_alone(run, iris, word):
    both = ("petal_length", "petal_width")
    text = good(run("fit", word, *FLOWERS, "--target", ",".join(both), "-o", "both.recta", "-q"))
    assert "of 2 parts proved, by one model a target" in text
    assert run("verify", "both.recta", "iris.csv").returncode == 0
    answers = list(csv.DictReader(io.StringIO(good(run("predict", "both.recta", "iris.csv")))))
    metrics = json.loads(good(run("eval", "both.recta", "iris.csv", "--json")))["metrics"]
    for target, other in (both, both[::-1]):
        good(run("fit", word, "iris.csv", "--ignore", f"species,{other}", "--target", target, "-o", "one.recta", "-q"))
        alone = list(csv.DictReader(io.StringIO(good(run("predict", "one.recta", "iris.csv")))))
        assert [row[target] for row in answers] == [row["prediction"] for row in alone]
        own = json.loads(good(run("eval", "one.recta", "iris.csv", "--json")))["metrics"][target]
        for name in ("mse", "mae", "mean_loss", "deviance"):
            assert own[name] == metrics[target][name] or math.isclose(
                own[name], metrics[target][name], rel_tol=1e-12
            ), name
    scores = json.loads(good(run("eval", "both.recta", "iris.csv", "--scores", "mse", "--json")))["scores"]
    assert set(scores) == set(both)
    assert run("predict", "both.recta", "iris.csv", "--interval", "0.9").returncode in (1, 2, 3)
    assert run("plot", "both.recta", "iris.csv", "-o", "x.svg").returncode in (0, 1, 2, 3)


def test_coefficients_stand_side_by_side(run, iris):
    document = json.loads(good(run("fit", "huber", *FLOWERS, "--target", "petal_length,petal_width", "--json")))
    table = document["tables"]["coefficients"]
    assert table["columns"] == ["feature", "petal_length", "petal_width"]
    assert [row[0] for row in table["rows"]] == ["intercept", "sepal_length", "sepal_width"]
