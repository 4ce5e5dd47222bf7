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
    found = document(
        run, "naive-bayes", table, "--target", "label", "--ignore", "colour", "--likelihood", "multinomial"
    )["classes"]
    assert found["a"]["features"] == {
        "size": pytest.approx(6 / 9),
        "n": pytest.approx(3 / 9),
    }  # (5 + 1) and (2 + 1) of 7 + 2


def test_a_machine_has_its_support_by_row(run, tmp_path):
    (tmp_path / "line.csv").write_text("x,y\n-3,no\n-1,no\n1,yes\n2,yes\n")
    found = document(run, "svm", "line.csv", "--target", "y", "--hard")
    assert found["support"] == [2, 3] and found["multipliers"] == [0.5, 0.5]
    assert (found["margin"], found["intercept"], found["intercept_interval"]) == (2, 0, [0, 0])
    assert (found["certificate"]["margin"], found["certificate"]["gap"]) == (1, 0)
    several = document(run, "svm", "iris")
    assert set(several["parts"]) == {
        "Iris-setosa against Iris-versicolor",
        "Iris-setosa against Iris-virginica",
        "Iris-versicolor against Iris-virginica",
    }
    assert "gap" in several["certificate"]


@pytest.mark.parametrize(("multiclass", "against"), [("ovo", "all"), ("ova", "rest")])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_machines_combined_have_the_keys_of_the_same_machines_at_once(run, tmp_path, multiclass, against, kernel):
    lines = run("data", "iris").stdout.splitlines()
    lines[1:1] = [line.replace(line.split(",")[0], "", 1) for line in lines[50:53]]  # rows that are left out count, too
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    shared = (
        "svm",
        "t.csv",
        "--target",
        "species",
        "--C",
        "1",
        "--kernel",
        kernel,
        *(("--gamma", "0.5") if kernel == "rbf" else ()),
        "--missing",
        "drop",
    )
    one = document(run, *shared, "--against", against)["parts"]
    many = document(run, *shared, "--multiclass", multiclass, "-o", "t.recta")["parts"]
    assert list(many) == list(one)
    for name, part in many.items():
        assert set(part) == set(one[name]) == {"support", "multipliers", "margin", "intercept", "intercept_interval"}
        assert part["margin"] == pytest.approx(one[name]["margin"], rel=1e-4)
        assert part["intercept"] == pytest.approx(one[name]["intercept"], abs=1e-3)
        mine, theirs = (dict(zip(p["support"], p["multipliers"], strict=True)) for p in (part, one[name]))
        assert all(mine.get(row, 0) == pytest.approx(theirs.get(row, 0), abs=1e-3) for row in {*mine, *theirs})
    assert json.loads(run("inspect", "t.recta", "--json").stdout)["parts"] == many


def test_a_one_class_machine_has_its_level_as_offset_and_as_intercept(run, tmp_path):
    # x = 1 and x = 3, nu = 0.3: all 0.6 of the multipliers are on x = 1, so w = 0.6, and rho = <w, 1>.
    (tmp_path / "t.csv").write_text("x\n1\n3\n")
    found = document(run, "one-class", "t.csv", "--kernel", "linear", "--nu", "0.3")
    assert found["support"] == [1] and found["multipliers"] == pytest.approx([0.6], rel=1e-12)
    assert found["offset"] == pytest.approx(0.6, rel=1e-12) and found["intercept"] == -found["offset"]
    assert found["margin"] == pytest.approx(1, rel=1e-12) and found["intercept_interval"] == pytest.approx(
        [-0.6, -0.6], rel=1e-12
    )
