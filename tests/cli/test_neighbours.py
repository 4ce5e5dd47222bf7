"""Approximate search and thinning on the command line."""

import csv
import json
import subprocess

import pytest


def run(recta, *words):
    return subprocess.run([recta, *map(str, words)], capture_output=True, text=True, check=False)


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def test_an_approximate_search_is_measured_and_not_proved(recta, tmp_path):
    model = tmp_path / "m.recta"
    done = run(recta, "fit", "knn", "iris", "--index", "hnsw", "--links", "4", "-o", model, "--json")
    assert done.returncode == 0, done.stderr
    certificate = json.loads(done.stdout)["certificate"]
    assert certificate["claim"] == "recall" and certificate["verdict"] == "within_tolerance"
    assert certificate["sentence"].startswith("Measured, not proved: its index, hnsw, is approximate")
    again = run(recta, "verify", model, "iris")
    assert again.returncode == 0 and again.stdout.strip() == certificate["sentence"]
    within = run(recta, "neighbours", model, "iris", "--radius", "1")
    assert within.returncode != 0 and "not all within a radius" in within.stderr


def test_the_same_graph_at_any_number_of_threads(recta, tmp_path):
    for threads in (1, 2):
        run(recta, "fit", "knn", "iris", "--index", "hnsw", "--threads", threads, "-o", tmp_path / f"{threads}.recta", "-q")
    assert (tmp_path / "1.recta").read_bytes() == (tmp_path / "2.recta").read_bytes()


@pytest.mark.parametrize("method", ["condensed", "reduced"])
def test_the_nearest_row_kept_gives_every_row_its_class(recta, tmp_path, method):
    few, model = tmp_path / "few.csv", tmp_path / "m.recta"
    done = run(recta, "thin", "iris", "--method", method, "-o", few, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["certificate"]["verdict"] == "proved" and found["training_error"] == 0
    assert len(rows_of(few)) == found["kept"] + 1 < 40
    assert run(recta, "fit", "knn", few, "--target", "species", "--k", "1", "-o", model, "-q").returncode == 0
    evaluation = json.loads(run(recta, "eval", model, "iris", "--json").stdout)
    assert "\"accuracy\": 1" in json.dumps(evaluation)


def test_edited_rows_are_those_their_neighbours_agree_with(recta, tmp_path):
    data = tmp_path / "t.csv"
    data.write_text("x,y\n0,a\n1,a\n2,b\n3,a\n4,a\n20,b\n21,b\n22,b\n23,b\n")
    done = run(recta, "thin", data, "--target", "y", "--method", "edited", "-o", tmp_path / "out.csv")
    assert done.returncode == 0 and "8 of 9 rows, edited" in done.stdout
    assert ["2", "b"] not in rows_of(tmp_path / "out.csv")


def test_what_cannot_be_thinned_is_refused(recta):
    for words, text in ((["housing"], "a classifier asks for classes"), (["iris", "--k", "3"], "fit with k = 1"),
                        (["iris", "--method", "edited", "--k", "150"], "others each")):
        done = run(recta, "thin", *words)
        assert done.returncode != 0 and text in done.stderr, done.stdout + done.stderr
