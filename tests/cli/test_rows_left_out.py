"""Rows that a fit or an evaluation leaves out are counted, with the reason."""

import json

import pytest

TEXT = "a,c,y,w\n" + "".join(
    f"{'' if i % 10 == 3 else i * 7 % 13},{'' if i == 3 else 'uvw'[i % 3]},{'' if i % 25 == 4 else i % 11},{0 if i == 50 else 1}\n"
    for i in range(100)
)
REASON = "14 of 100 rows: a value is missing in a (10 rows), c (1 row), y (4 rows)"


@pytest.fixture
def rows(tmp_path):
    (tmp_path / "t.csv").write_text(TEXT)


def test_a_fit_says_how_many_rows_were_dropped_and_why(run, rows):
    flags = ["t.csv", "--target", "y", "--missing", "drop", "--ignore", "w"]
    done = run("fit", "linear", *flags, "-o", "m.recta")
    assert f"left out   {REASON}\n" in done.stdout
    told = json.loads(run("fit", "linear", *flags, "--json").stdout)
    assert told["left_out"] == {"rows": 14, "missing": {"a": 10, "c": 1, "y": 4}} and told["design"]["rows"] == 86
    assert "left out   14 of 100 rows: a value is missing\n" in run("fit", "linear", *flags, "--stream").stdout
    assert "left out" not in run("fit", "linear", "housing").stdout


def test_eval_says_it_too(run, rows):
    assert (
        run("fit", "linear", "t.csv", "--target", "y", "--missing", "drop", "--ignore", "w", "-o", "m.recta").returncode
        == 0
    )
    assert f"left out {REASON}\n" in run("eval", "m.recta", "t.csv").stdout
    told = json.loads(run("eval", "m.recta", "t.csv", "--json").stdout)
    assert told["rows"] == 86 and told["left_out"] == {"rows": 14, "missing": {"a": 10, "c": 1, "y": 4}}


def test_a_missing_target_is_left_out_by_eval_whatever_the_fit_did(run, tmp_path):
    (tmp_path / "t.csv").write_text("x,y,w\n1,2,1\n2,3,1\n3,5,1\n4,7,1\n")
    (tmp_path / "e.csv").write_text("x,y,w\n1,2,1\n2,,1\n3,5,0\n4,7,1\n")
    assert run("fit", "linear", "t.csv", "--target", "y", "--weights", "w", "-o", "m.recta").returncode == 0
    done = run("eval", "m.recta", "e.csv")
    assert "left out 2 of 4 rows: a value is missing in y (1 row); the weight is zero in 1 row\n" in done.stdout


@pytest.mark.parametrize(
    "word, data, target, flags",
    [
        ("linear", "housing", "price", []),
        ("poisson", "housing", "price", []),
        ("logistic", "iris", "species", ["--positive", "Iris-setosa", "--lambda", "0.1"]),
        ("softmax", "iris", "species", ["--lambda", "0.1"]),
        ("perceptron", "iris", "species", ["--positive", "Iris-setosa"]),
    ],
)
def test_numbers_and_classes_have_metrics_of_one_shape(run, word, data, target, flags):
    fit = json.loads(run("fit", word, data, *flags, "--holdout", "0.2", "-o", "m.recta", "--json").stdout)
    scored = json.loads(run("eval", "m.recta", data, "--json").stdout)
    assert fit["schema"] == "recta/fit/2" and scored["schema"] == "recta/eval/2"
    assert list(fit["metrics"]) == list(scored["metrics"]) == list(fit["holdout"]["metrics"]) == [target]
    for document in (scored, fit["holdout"]):
        assert {"rows", "weight_sum", "left_out", "loss", "metrics"} <= set(document)
        assert {"rss", "accuracy"} & set(fit["metrics"][target]) and {"mse", "accuracy"} & set(
            document["metrics"][target]
        )
