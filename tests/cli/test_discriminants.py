"""recta transform, explain and convert --as linear."""

import csv
import json
import subprocess

import pytest


def run(recta, *arguments):
    return subprocess.run([recta, *map(str, arguments)], capture_output=True, text=True)


def fitted(recta, tmp_path, word, data="iris", *flags):
    path = tmp_path / f"{word}.recta"
    done = run(recta, "fit", word, data, *flags, "-q", "-o", path)
    assert done.returncode == 0, done.stderr
    return path


def test_transform_writes_one_row_a_row(recta, tmp_path):
    model = fitted(recta, tmp_path, "lda")
    rows = list(csv.reader(run(recta, "transform", model, "iris").stdout.splitlines()))
    assert rows[0] == ["LD1", "LD2"] and len(rows) == 151
    found = json.loads(run(recta, "transform", model, "iris", "--json").stdout)
    assert found["coordinates"]["LD1"] == [float(row[0]) for row in rows[1:]]


def test_transform_is_refused_by_models_without_coordinates(recta, tmp_path):
    done = run(recta, "transform", fitted(recta, tmp_path, "knn"), "iris")
    assert done.returncode == 2 and "no coordinates of its own" in done.stderr


@pytest.mark.parametrize("word", ["softmax", "lda", "nearest-centroid", "naive-bayes"])
def test_contributions_add_up(recta, tmp_path, word):
    model = fitted(recta, tmp_path, word, "iris", *(["--lambda", "0.01"] if word == "softmax" else []))
    found = json.loads(run(recta, "explain", model, "iris", "--row", "60", "--json").stdout)
    table = found["tables"]["contributions"]
    assert found["row"] == 60 and table["columns"][:2] == ["feature", "value"]
    for column in range(2, 5):
        total = sum(row[column] for row in table["rows"][:-1])
        assert abs(total - table["rows"][-1][column]) < 1e-9
    scores = run(recta, "predict", model, "iris", "--decision").stdout.splitlines()[60].split(",")
    scores = [float(score) for score in scores]
    told = table["rows"][-1][2:]
    assert abs((told[1] - told[0]) - (scores[1] - scores[0])) < 1e-9
    assert "Row 60 is predicted as Iris-versicolor." in found["remarks"]


def test_neighbours_that_decided_are_listed(recta, tmp_path):
    text = run(recta, "explain", fitted(recta, tmp_path, "knn"), "iris", "--row", "1").stdout
    assert "Training rows that decided" in text and "Iris-setosa" in text


def test_a_row_that_is_not_there_is_refused(recta, tmp_path):
    done = run(recta, "explain", fitted(recta, tmp_path, "lda"), "iris", "--row", "151")
    assert done.returncode == 3 and "there is no row 151" in done.stderr


@pytest.mark.parametrize(
    ("word", "data", "flags"),
    [("lda", "iris", []), ("nearest-centroid", "iris", []), ("naive-bayes", "digits", ["--likelihood", "multinomial"])],
)
def test_a_converted_model_predicts_the_same(recta, tmp_path, word, data, flags):
    model, linear = fitted(recta, tmp_path, word, data, *flags), tmp_path / "linear.recta"
    done = run(recta, "convert", model, linear, "--as", "linear")
    assert done.returncode == 0, done.stderr
    assert run(recta, "predict", model, data).stdout == run(recta, "predict", linear, data).stdout
    both = [
        list(csv.reader(run(recta, "predict", path, data, "--proba").stdout.splitlines()))[1:]
        for path in (model, linear)
    ]
    for one, other in zip(*both, strict=True):
        assert all(abs(float(a) - float(b)) < 1e-9 for a, b in zip(one, other, strict=True))
    assert "convert" in run(recta, "verify", linear, data).stderr


def test_models_that_are_not_linear_are_not_converted(recta, tmp_path):
    done = run(recta, "convert", fitted(recta, tmp_path, "qda"), tmp_path / "linear.recta", "--as", "linear")
    assert done.returncode == 2 and "quadratic" in done.stderr
    done = run(recta, "convert", fitted(recta, tmp_path, "knn"), tmp_path / "linear.recta", "--as", "linear")
    assert done.returncode == 2 and "not linear" in done.stderr
