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
        run(
            recta,
            "fit",
            "knn",
            "iris",
            "--index",
            "hnsw",
            "--threads",
            threads,
            "-o",
            tmp_path / f"{threads}.recta",
            "-q",
        )
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
    assert '"accuracy": 1' in json.dumps(evaluation)


def test_edited_rows_are_those_their_neighbours_agree_with(recta, tmp_path):
    data = tmp_path / "t.csv"
    data.write_text("x,y\n0,a\n1,a\n2,b\n3,a\n4,a\n20,b\n21,b\n22,b\n23,b\n")
    done = run(recta, "thin", data, "--target", "y", "--method", "edited", "-o", tmp_path / "out.csv")
    assert done.returncode == 0 and "8 of 9 rows, edited" in done.stdout
    assert ["2", "b"] not in rows_of(tmp_path / "out.csv")


def test_what_cannot_be_thinned_is_refused(recta):
    for words, text in (
        (["housing"], "a classifier needs classes"),
        (["iris", "--k", "3"], "fit with k = 1"),
        (["iris", "--method", "edited", "--k", "150"], "others each"),
    ):
        done = run(recta, "thin", *words)
        assert done.returncode != 0 and text in done.stderr, done.stdout + done.stderr


MIXED = "a,c,y\n1,red,u\n2,red,u\n,blue,v\n9,blue,v\n8,,v\n3,red,u\n"


def test_gower_does_without_missing_values(recta, tmp_path):
    data, new, model = tmp_path / "t.csv", tmp_path / "new.csv", tmp_path / "m.recta"
    data.write_text(MIXED)
    new.write_text("a,c\n1.5,\n,blue\n8.5,red\n")
    done = run(
        recta,
        "fit",
        "knn",
        data,
        "--target",
        "y",
        "--k",
        "1",
        "--metric",
        "gower",
        "--missing",
        "skip",
        "-o",
        model,
        "-q",
    )
    assert done.returncode == 0, done.stderr
    assert run(recta, "predict", model, new).stdout.split()[1:] == ["u", "v", "v"]
    near = rows_of_text(run(recta, "neighbours", model, new, "--k", "2").stdout)
    assert [row[2:] for row in near[1:3]] == [
        ["1", "0.0625"],
        ["2", "0.0625"],
    ]  # 0.5 of a range of 8, the colour is not known
    assert run(recta, "verify", model, data).returncode == 0
    refused = run(recta, "fit", "knn", data, "--target", "y", "--k", "1", "--missing", "skip")
    assert refused.returncode != 0 and "none can be skipped" in refused.stderr


def test_rows_that_cannot_be_compared_are_refused(recta, tmp_path):
    data, new, model = tmp_path / "t.csv", tmp_path / "new.csv", tmp_path / "m.recta"
    data.write_text(MIXED)
    new.write_text("a,c\n2,red\n4,\n")
    fit = ("fit", "knn", data, "--target", "y", "--metric", "gower", "--missing", "skip", "-o", model, "-q")
    done = run(recta, *fit, "--k", "5")
    assert done.returncode == 0, done.stderr
    assert run(recta, "predict", model, new).returncode == 0  # five of six rows have a number
    done = run(recta, *fit, "--k", "6")
    for command, flags in (("predict", []), ("neighbours", ["--k", "6"]), ("explain", ["--row", "2"])):
        refused = run(recta, command, model, new, *flags)
        assert (
            refused.returncode != 0
            and "only 5 training rows have a column in common with it, of the 6 that should answer" in refused.stderr
        ), refused.stderr


def test_a_covariance_can_be_given(recta, tmp_path):
    data, model = tmp_path / "t.csv", tmp_path / "m.recta"
    data.write_text("a,b,y\n0,0,u\n3,0,v\n0,2,u\n5,5,v\n")
    fit = ("fit", "knn", data, "--target", "y", "--k", "1", "-o", model, "-q")
    done = run(recta, *fit, "--metric", "mahalanobis", "--covariance", "9/0/0/1")
    assert done.returncode == 0, done.stderr
    near = rows_of_text(run(recta, "neighbours", model, data, "--k", "3").stdout)
    assert [row[2:] for row in near[1:4]] == [["1", "0"], ["2", "1"], ["3", "2"]]
    assert run(recta, "verify", model, data).returncode == 0
    for wrong, text in (("9/0/0", "4"), ("9/1/0/1", "symmetric"), ("1/1/1/1", "has no inverse")):
        refused = run(recta, *fit, "--metric", "mahalanobis", "--covariance", wrong)
        assert refused.returncode != 0 and text in refused.stderr, refused.stderr
    assert (
        "the metric manhattan has none" in run(recta, *fit, "--metric", "manhattan", "--covariance", "9/0/0/1").stderr
    )


def test_missing_numbers_are_filled_in_by_neighbours(recta, tmp_path):
    data, new, model = tmp_path / "t.csv", tmp_path / "new.csv", tmp_path / "m.recta"
    data.write_text(
        "a,b,c,y\n" + "".join(f"{i},{'' if i == 3 else 2 * i},{'red' if i % 2 else ''},{i}\n" for i in range(12))
    )
    new.write_text("a,b,c\n4,,red\n,8,red\n")
    done = run(recta, "fit", "linear", data, "--target", "y", "--missing", "neighbours", "-o", model, "-q")
    assert done.returncode == 0, done.stderr
    assert run(recta, "verify", model, data).returncode == 0
    # The five nearest to a = 4 that have b are 4, 5, 2, 6, 1 of a (2 before 6: equal distances are in the order of the rows).
    filled = tmp_path / "filled.csv"
    filled.write_text("a,b,c\n4,7.2,red\n3.6,8,red\n")
    answers = [run(recta, "predict", model, file).stdout.split()[1:] for file in (new, filled)]
    assert [float(v) for v in answers[0]] == pytest.approx([float(v) for v in answers[1]], abs=1e-9)
    refused = run(recta, "verify", model, data, "--stream")
    assert refused.returncode != 0 and "without --stream" in refused.stderr


@pytest.mark.parametrize("k, b, a", [(1, 8, 4), (2, 9, 4.5), (3, 22 / 3, 11 / 3)])
def test_the_number_of_rows_that_fill_in_is_given(recta, tmp_path, k, b, a):
    data, new, filled, model = (tmp_path / name for name in ("t.csv", "new.csv", "filled.csv", "m.recta"))
    data.write_text("a,b,y\n" + "".join(f"{i},{'' if i == 3 else 2 * i},{i * i}\n" for i in range(12)))
    new.write_text("a,b\n4,\n,8\n")
    # The nearest to a = 4 that have b are those of a = 4, 5 and 2; the nearest to b = 8 are those of a = 4, 5 and 2 too, as 3 has no b.
    filled.write_text(f"a,b\n4,{b!r}\n{a!r},8\n")
    fit = (
        "fit",
        "linear",
        data,
        "--target",
        "y",
        "--missing",
        "neighbours",
        "--missing-neighbours",
        str(k),
        "-o",
        model,
        "-q",
    )
    done = run(recta, *fit)
    assert done.returncode == 0, done.stderr
    assert run(recta, "verify", model, data).returncode == 0
    answers = [[float(v) for v in run(recta, "predict", model, file).stdout.split()[1:]] for file in (new, filled)]
    assert answers[0] == pytest.approx(answers[1], abs=1e-9)


def test_a_number_of_rows_without_their_rule_is_refused(recta):
    done = run(recta, "fit", "linear", "housing", "--missing", "mean", "--missing-neighbours", "3")
    assert done.returncode == 2 and "pass missing = neighbours" in done.stderr


def test_the_number_of_rows_is_an_axis_of_a_grid(recta, tmp_path):
    data = tmp_path / "t.csv"
    data.write_text("a,b,y\n" + "".join(f"{i},{'' if i % 4 == 3 else (2 * i + i % 5)},{i * i}\n" for i in range(40)))
    base = ("cv", "ridge", data, "--target", "y", "--missing", "neighbours", "--lambda", "0.1", "--json")
    both = json.loads(run(recta, *base, "--grid", "missing-neighbours=1,7").stdout)
    for point in both["points"]:
        k = str(int(point["params"]["missing-neighbours"]))
        alone = json.loads(run(recta, *base, "--missing-neighbours", k).stdout)
        assert point["scores"] == alone["points"][0]["scores"]
    assert both["points"][0]["scores"] != both["points"][1]["scores"]


def rows_of_text(text):
    return list(csv.reader(text.splitlines()))


def test_features_are_weighed(recta, tmp_path):
    model = tmp_path / "m.recta"
    done = run(
        recta,
        "fit",
        "knn",
        "iris",
        "--metric",
        "manhattan",
        "--feature-weights",
        "petal_width=3,sepal_length=0",
        "-o",
        model,
        "-q",
    )
    if done.returncode != 0:
        pytest.fail(done.stderr)
    assert run(recta, "verify", model, "iris").returncode == 0
    wrong = run(recta, "fit", "knn", "iris", "--feature-weights", "petal_wdth=3")
    assert wrong.returncode != 0 and "did you mean" in wrong.stderr
    none = run(recta, "fit", "knn", "iris", "--metric", "jaccard", "--feature-weights", "petal_width=3")
    assert none.returncode != 0 and "the metric jaccard has none" in none.stderr


def test_given_distances_are_looked_up(recta, tmp_path):
    data, model = tmp_path / "d.csv", tmp_path / "m.recta"
    data.write_text("d1,d2,d3,y\n0,1,5,u\n1,0,4,u\n5,4,0,v\n")
    assert (
        run(
            recta, "fit", "knn", data, "--target", "y", "--k", "1", "--metric", "precomputed", "-o", model, "-q"
        ).returncode
        == 0
    )
    new = tmp_path / "new.csv"
    new.write_text("d1,d2,d3\n3,2,1\n")
    assert run(recta, "predict", model, new).stdout.split()[1:] == ["v"]
    refused = run(recta, "fit", "knn", "iris", "--metric", "precomputed")
    assert refused.returncode != 0 and "one column per training row" in refused.stderr


def test_outlier_factors_are_listed_and_proved(recta, tmp_path):
    data, model = tmp_path / "t.csv", tmp_path / "m.recta"
    data.write_text("x\n" + "\n".join(map(str, [*range(20), 100])) + "\n")
    done = run(recta, "fit", "lof", data, "--k", "3", "-o", model, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["certificate"]["verdict"] == "proved"
    assert found["tables"]["outliers"]["rows"][0][0] == 21
    assert run(recta, "verify", model, data).returncode == 0
    new = tmp_path / "new.csv"
    new.write_text("x\n5.5\n300\n")
    scores = run(recta, "predict", model, new).stdout.split()
    assert scores[0] == "outlier_factor" and float(scores[1]) < 1.2 < 10 < float(scores[2])
    few = run(recta, "fit", "lof", data, "--k", "21")
    assert few.returncode != 0 and "a row has 20 others" in few.stderr
