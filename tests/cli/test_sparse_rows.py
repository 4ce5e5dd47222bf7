"""Rows of a LIBSVM file where columns are read by name: maps, kernel matrices, pictures, and the CSV they are written as."""

import json
import random

import pytest


@pytest.fixture
def rows(tmp_path):
    draw = random.Random(2)
    table = [(draw.choice([-1, 1]), [draw.choice([0, 0, draw.gauss(0, 1)]) for _ in range(3)]) for _ in range(40)]
    table[0][1][2] = 1.5  # the third column is there
    lines = "".join(
        f"{label} " + " ".join(f"{j + 1}:{x!r}" for j, x in enumerate(row) if x) + "\n" for label, row in table
    )
    (tmp_path / "t.libsvm").write_text(lines)
    (tmp_path / "two.libsvm").write_text(
        "".join(line.partition(" 3:")[0].rstrip("\n") + "\n" for line in lines.splitlines())
    )
    return table


def good(done):
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "-"])
def test_a_table_with_columns_called_by_number_reads_back(run, tmp_path, rows, name):
    out = good(run("convert", "t.libsvm", name))
    if name == "-":
        (tmp_path / "t.csv").write_text(out)
    fits = [
        json.loads(good(run("fit", "ridge", path, "--target", "label", "--lambda", "0.1", "--json")))
        for path in ("t.libsvm", "t.csv" if name == "-" else name)
    ]
    objectives = [fit["certificate"]["objective"] for fit in fits]
    assert objectives[0] == pytest.approx(objectives[1], rel=1e-12)


def test_a_header_of_a_word_and_numbers_in_a_row_is_one(run, tmp_path):
    (tmp_path / "t.csv").write_text("label,1,2,3\n1,0,4,2\n0,3,1,0\n1,1,0,1\n")
    assert json.loads(good(run("check", "t.csv", "--json")))["rows"] == 3
    (tmp_path / "t.csv").write_text("1,2,3\n3,1,2\n2,3,1\n")  # no word: rows
    assert json.loads(good(run("check", "t.csv", "--json")))["rows"] == 3
    (tmp_path / "t.csv").write_text('"1","2"\na,x\nb,y\nc,z\n')  # quotes that values below do without
    assert json.loads(good(run("check", "t.csv", "--json")))["rows"] == 3


def test_predictions_whose_columns_are_numbers_read_back(run, tmp_path, rows):
    good(run("fit", "logistic", "t.libsvm", "--lambda", "0.1", "-o", "m.recta", "-q"))
    (tmp_path / "p.csv").write_text(good(run("predict", "m.recta", "t.libsvm", "--proba")))
    assert json.loads(good(run("check", "p.csv", "--json")))["rows"] == 40


@pytest.mark.parametrize(
    "flags",
    [
        ["svm", "--kernel", "rbf", "--approximate", "8"],
        ["logistic", "--lambda", "0.1", "--poly", "2"],
        ["logistic", "--lambda", "0.1", "--basis", 'spline("1", 3)'],
    ],
)
def test_maps_read_sparse_columns_by_their_number(run, tmp_path, rows, flags):
    good(run("fit", *flags, "t.libsvm", "-o", "m.recta", "-q"))
    good(run("verify", "m.recta", "t.libsvm"))
    whole = good(run("predict", "m.recta", "t.libsvm", "--decision"))
    assert good(run("predict", "m.recta", "t.libsvm", "--decision", "--stream")) == whole
    good(run("convert", "t.libsvm", "t.csv"))
    assert good(run("predict", "m.recta", "t.csv", "--decision")) == whole
    (tmp_path / "few.libsvm").write_text("1 1:0.5\n")  # the other columns are zero
    (tmp_path / "few.csv").write_text("label,1,2,3\n1,0.5,0,0\n")
    assert good(run("predict", "m.recta", "few.libsvm", "--decision")) == good(
        run("predict", "m.recta", "few.csv", "--decision")
    )


def test_kernel_matrices_of_sparse_rows_are_those_of_the_table(run, rows):
    good(run("convert", "t.libsvm", "t.csv"))
    sparse = good(run("kernel", "t.libsvm", "--kernel", "rbf", "--gamma", "0.5"))
    assert sparse == good(run("kernel", "t.csv", "--ignore", "label", "--kernel", "rbf", "--gamma", "0.5"))
    assert "Positive semidefinite" in good(run("kernel", "t.libsvm", "--check"))


def test_the_margins_of_a_machine_of_two_sparse_columns_are_drawn(run, tmp_path, rows):
    good(run("fit", "svm", "two.libsvm", "--kernel", "rbf", "--plot", "m.svg", "--plot-kind", "margins"))
    assert "<svg" in (tmp_path / "m.svg").read_text()
