"""What `recta fit --json` holds of naive Bayes and of machines under names of their own."""

import json
from math import sqrt

import pytest

ROWS = """colour,size,n,label
red,1.5,2,a
red,3.5,0,a
blue,5.5,1,b
red,7.5,4,b
blue,9.5,0,b
"""


@pytest.fixture
def table(tmp_path):
    (tmp_path / "t.csv").write_text(ROWS)
    return "t.csv"


def document(run, *arguments):
    done = run("fit", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_naive_bayes_has_a_prior_and_every_feature_of_a_class(run, table):
    classes = document(run, "naive-bayes", table, "--target", "label", "--ignore", "n")["classes"]
    assert classes["labels"] == ["a", "b"]
    assert classes["a"]["prior"] == 0.4 and classes["b"]["prior"] == 0.6
    assert classes["a"]["features"]["colour"] == {"blue": 1 / 4, "red": 3 / 4}  # of 2 rows, one added to each level
    assert classes["b"]["features"]["colour"] == {"blue": 3 / 5, "red": 2 / 5}
    assert classes["b"]["features"]["size"]["mean"] == 7.5
    assert classes["b"]["features"]["size"]["sd"] == pytest.approx(sqrt(8 / 3), rel=1e-8)


def test_counts_have_one_probability_a_column(run, table):
    found = document(run, "naive-bayes", table, "--target", "label", "--ignore", "colour", "--likelihood", "multinomial")["classes"]
    assert found["a"]["features"] == {"size": pytest.approx(6 / 9), "n": pytest.approx(3 / 9)}  # (5 + 1) and (2 + 1) of 7 + 2


def test_a_machine_has_its_support_by_row(run, tmp_path):
    (tmp_path / "line.csv").write_text("x,y\n-3,no\n-1,no\n1,yes\n2,yes\n")
    found = document(run, "svm", "line.csv", "--target", "y", "--hard")
    assert found["support"] == [2, 3] and found["multipliers"] == [0.5, 0.5]
    assert (found["margin"], found["intercept"], found["intercept_interval"]) == (2, 0, [0, 0])
    several = document(run, "svm", "iris")
    assert set(several["parts"]) == {"Iris-setosa against Iris-versicolor", "Iris-setosa against Iris-virginica",
                                     "Iris-versicolor against Iris-virginica"}
    assert "gap" in several["certificate"]
