"""recta convert: labels, columns left out, refusals like those of fit, and its document."""

import json

import pytest


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("name,size,price\nfirst,1,10\nsecond,2,30\nthird,0,20\n")
    return path


def test_a_column_that_is_not_there_is_refused_as_fit_refuses_it(run, table):
    done = run("convert", table, "o.libsvm", "--target", "prise")
    assert done.returncode == 3
    assert done.stderr == f'recta: {table}: there is no column "prise" to use as label\n  did you mean "price"?\n'
    assert run("convert", table, "o.csv", "--ignore", "nome").stderr.endswith('did you mean "name"?\n')


def test_advice_about_a_column_of_words_can_be_followed(run, table, tmp_path):
    for end in ("libsvm", "npy"):
        done = run("convert", table, f"o.{end}", "--target", "price")
        assert done.returncode == 3 and f"{table}, column name" in done.stderr and "pass --ignore name" in done.stderr
        assert run("convert", table, f"o.{end}", "--target", "price", "--ignore", "name").returncode == 0
    assert (tmp_path / "o.libsvm").read_text() == "10 1:1\n30 1:2\n20\n"
    assert run("convert", table, "-", "--ignore", "name,price").stdout == "size\n1\n2\n0\n"


def test_a_built_in_set_brings_its_own_label(run, tmp_path):
    assert run("convert", "iris", "i.libsvm").returncode == 0
    lines = (tmp_path / "i.libsvm").read_text().splitlines()
    assert len(lines) == 150 and lines[0] == "0 1:5.1 2:3.5 3:1.4 4:0.2" and {line[0] for line in lines} == set("012")


def test_without_a_target_labels_are_0_and_no_column_is_lost(run, table, tmp_path):
    done = run("convert", table, "o.libsvm", "--ignore", "name")
    assert done.returncode == 0 and "every label is 0" in done.stderr
    assert (tmp_path / "o.libsvm").read_text() == "0 1:1 2:10\n0 1:2 2:30\n0 2:20\n"
    assert run("convert", "o.libsvm", "again.libsvm").returncode == 0  # its own label stays one
    assert (tmp_path / "again.libsvm").read_text() == (tmp_path / "o.libsvm").read_text()


def test_what_was_written_as_a_document(run, table):
    document = json.loads(run("convert", table, "o.svm.gz", "--target", "price", "--ignore", "name", "--json").stdout)
    assert document["schema"] == "recta/convert/1" and document["file"] == "o.svm.gz"
    assert (document["rows"], document["columns"], document["label"]) == (3, 2, "price")
    done = run("convert", table, "-", "--json")
    assert done.returncode == 2 and "name a file" in done.stderr
