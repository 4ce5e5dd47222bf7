"""recta check: the target is looked at too, costs say what they count, and advice can be followed."""

import json
import re
import subprocess
import time

import pytest


def check(run, *arguments):
    text = run("check", *arguments)
    assert text.returncode == 0, text.stderr
    return text.stdout, json.loads(run("check", *arguments, "--json").stdout)


def test_a_missing_target_is_shown_with_its_first_row_and_what_to_do(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,2\n2,\n3,4\n5,3\n")
    text, document = check(run, "t.csv", "--target", "y")
    assert "target y: integer, 3 distinct, from 2 to 4, mean 3" in text and "missing in 1 row, first in row 2" in text
    assert "pass --missing drop" in text
    (target,) = document["targets"]
    assert target["name"] == "y" and target["missing"] == 1 and target["first_missing_row"] == 2
    assert target["classes"] == {"2": 1, "3": 1, "4": 1}
    assert run("fit", "linear", "t.csv", "--target", "y", "--missing", "drop").returncode == 0


def test_a_constant_target_is_said_to_be_one(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,7.5\n2,7.5\n3,7.5\n")
    text, document = check(run, "t.csv", "--target", "y")
    assert ", constant, none missing" in text and "the target y never changes" in text
    assert document["targets"][0]["constant"] is True and document["targets"][0]["classes"] == {}


def test_labels_are_listed_with_their_rows(run, tmp_path):
    text, document = check(run, "iris")
    assert "target species: category, 3 distinct, none missing" in text
    assert "as labels, with their rows: Iris-setosa (50), Iris-versicolor (50), Iris-virginica (50)" in text
    assert "such as softmax" in text
    assert document["targets"][0]["classes"] == {"Iris-setosa": 50, "Iris-versicolor": 50, "Iris-virginica": 50}
    (tmp_path / "t.csv").write_text("a,y\n1,no\n2,yes\n3,\n4,no\n")
    text, _ = check(run, "t.csv", "--target", "y")
    assert "no (2), yes (1)" in text and "missing in 1 row, first in row 3" in text and "such as logistic" in text


def test_free_text_is_no_target(run, tmp_path):
    rows = "".join(f"{i},a long sentence number {i * 7919} that nobody could count on as a label\n" for i in range(60))
    (tmp_path / "t.csv").write_text("a,y\n" + rows)
    text, document = check(run, "t.csv", "--target", "y")
    assert document["targets"][0]["type"] == "text"
    assert "the target y is free text, which no model predicts" in text


def test_a_target_of_many_numbers_has_no_classes(run):
    text, document = check(run, "housing")
    assert text.splitlines()[1].startswith("target price: real, 229 distinct, from 5 to 50")
    assert "as labels" not in text and document["targets"][0]["classes"] == {}


def test_costs_count_the_table_and_say_what_they_count(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n" + "".join(f"{i},{i * i % 17},{i % 5}\n" for i in range(20000)))
    text, document = check(run, "t.csv", "--target", "y")
    assert document["table_bytes"] >= 3 * 8 * 20000
    assert document["seconds_reading"] > 0 and document["fit_seconds"] > 0
    assert re.search(r"to read the data, .* to fit and prove; of memory 4\d\d kB for the table", text), text
    here = document["seconds_reading"] + document["fit_seconds"]
    assert document["engine_seconds"] == pytest.approx(1 + here / 4)


def test_rows_that_take_their_time_say_when_a_cluster_pays(recta):
    """A table of ten rows that takes half a second to come would have to be a few times as long: the rounds of a cluster take a second."""
    process = subprocess.Popen(
        [recta, "check", "-", "--target", "y"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    time.sleep(0.5)
    text, _ = process.communicate("a,y\n" + "".join(f"{i},{i * i % 7}\n" for i in range(10)))
    enough = re.search(r"this machine is enough: --engine spark pays from about (\S+) such rows", text)
    if enough is None:  # the pipe took over 4/3 s on a busy machine
        assert re.search(r"--engine spark would take about [0-9.]+ s with 16 machines like this one", text), text
    else:
        assert 10 < float(enough[1]) <= 40, text


def test_the_limit_of_inflation_that_is_advised_leaves_something_out(run):
    text, document = check(run, "housing")
    largest = max(column["variance_inflation"] for column in document["columns"])
    assert 5 < largest < 10
    limit = re.search(r"--max-vif (\d+)", text)[1]
    assert limit == "5"
    assert "left out" in run("fit", "linear", "housing", "--max-vif", limit).stdout


def test_sparse_columns_get_no_advice_that_fit_would_refuse(run, tmp_path):
    rows = ["1 1:1 2:2.1 3:1", "2 1:2 2:4 3:5", "3 1:3 2:6 3:2", "4 1:4 2:8.1 3:3", "5 1:5 2:10 3:4", "2 1:2 2:4 3:4"]
    (tmp_path / "d.libsvm").write_text("\n".join(rows) + "\n")
    text, _ = check(run, "d.libsvm")
    assert "--ignore" not in text and "--max-vif" not in text
    assert "leave the sparse column 1 out of the file" in text
    assert "--max-vif" not in run("fit", "linear", "d.libsvm").stdout


def test_a_near_dependency_says_as_many_nines_as_there_are(run, tmp_path):
    rows = "".join(f"{i},{2 * i + (i * 37 % 11 - 5) * 1e-3},{i * i % 19}\n" for i in range(1, 200))
    (tmp_path / "t.csv").write_text("a,b,c\n" + rows)
    text, document = check(run, "t.csv")
    (dependency,) = document["dependencies"]
    share = float(re.search(r"explains ([\d.]+) %", text)[1])
    assert 99.9999 < share < 100 and share <= 100 * dependency["r2"]


def test_the_base_of_sparse_indices_is_said(run, tmp_path):
    (tmp_path / "one.libsvm").write_text("1 1:1 2:2\n2 1:3 2:1\n3 2:5\n")
    (tmp_path / "zero.libsvm").write_text("1 0:1 1:2\n2 0:3 1:1\n3 1:5\n")
    for command in (["check"], ["fit", "linear"], ["fit", "linear", "--stream"]):
        assert "indices start at 1" in run(*command, "one.libsvm").stdout, command
        assert "indices start at 0" in run(*command, "zero.libsvm").stdout, command
