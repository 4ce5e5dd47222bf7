"""Rows with several labels on the command line: fit, predict, eval, verify, and the ways labels are written."""

import csv
import io
import json
import math
import random

import pytest

TAGS = ["comedy", "crime", "drama"]


def sets(rows=80, seed=3):
    """Two numbers per row, and the labels they make likely."""
    draw = random.Random(seed)
    out = []
    for _ in range(rows):
        u, v = draw.gauss(0, 1), draw.gauss(0, 1)
        noise = [draw.gauss(0, 0.7) for _ in TAGS]
        there = [u + noise[0] > 0, v + noise[1] > 0.3, u - v + noise[2] > 0.5]
        out.append((u, v, [tag for tag, has in zip(TAGS, there) if has]))
    return out


@pytest.fixture
def films(tmp_path):
    rows = sets()
    cells = "".join(f"{u!r},{v!r},{'|'.join(tags)}\n" for u, v, tags in rows)
    (tmp_path / "films.csv").write_text("u,v,genres\n" + cells)
    columns = "".join(f"{u!r},{v!r}," + ",".join(str(int(tag in tags)) for tag in TAGS) + "\n" for u, v, tags in rows)
    (tmp_path / "columns.csv").write_text("u,v," + ",".join(TAGS) + "\n" + columns)
    libsvm = "".join(f"{','.join(str(TAGS.index(tag)) for tag in tags)} 1:{u!r} 2:{v!r}\n" for u, v, tags in rows)
    (tmp_path / "films.libsvm").write_text(libsvm)
    arff = "@relation films\n@attribute u numeric\n@attribute v numeric\n" + "".join(
        f"@attribute {tag} {{0,1}}\n" for tag in TAGS
    )
    (tmp_path / "films.arff").write_text(arff + "@data\n" + columns)
    labels = "".join(f'<label name="{tag}"></label>\n' for tag in TAGS)
    (tmp_path / "films.xml").write_text(
        f'<?xml version="1.0"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n{labels}</labels>\n'
    )
    return rows


def good(done):
    assert done.returncode == 0, done.stderr
    return done.stdout


FIT = ("--lambda", "0.05", "-o", "m.recta", "-q")


def test_cells_columns_libsvm_and_mulan_give_the_same_model(run, films):
    answers = []
    for data, flags in [
        ("films.csv", ("--label-set", "genres")),
        ("columns.csv", ("--label-columns", ",".join(TAGS))),
        ("films.libsvm", ("--label-set", "label")),
        ("films.arff", ("--label-names", "films.xml")),
    ]:
        assert "3 of 3 parts proved, by one model a label" in good(run("fit", "logistic", data, *flags, *FIT))
        assert good(run("verify", "m.recta", data)).startswith("Proved")
        document = json.loads(good(run("predict", "m.recta", data, "--proba", "--json")))
        answers.append(list(document["probabilities"].values()))
        assert json.loads(good(run("eval", "m.recta", data, "--json")))["metrics"]["labels"]["subset_accuracy"] > 0.4
    for other in answers[1:]:
        for first, second in zip(answers[0], other):
            assert max(abs(a - b) for a, b in zip(first, second)) < 1e-12


def test_sets_are_written_as_they_are_read(run, films):
    good(run("fit", "logistic", "films.csv", "--label-set", "genres", *FIT))
    said = list(csv.reader(io.StringIO(good(run("predict", "m.recta", "films.csv")))))
    shares = list(csv.reader(io.StringIO(good(run("predict", "m.recta", "films.csv", "--proba")))))
    assert said[0] == ["prediction"] and shares[0] == TAGS and len(said) == len(films) + 1
    for [text], row in zip(said[1:], shares[1:]):
        assert text == "|".join(tag for tag, share in zip(TAGS, row) if float(share) >= 0.5)
    streamed = good(run("predict", "m.recta", "films.csv", "--stream"))
    assert streamed == good(run("predict", "m.recta", "films.csv"))
    assert '""' in streamed  # a row without labels has an answer
    assert good(run("predict", "m.recta", "films.csv", "--decision")).startswith("comedy,crime,drama\n")


def test_eval_gives_the_measures_of_sets(run, films):
    good(run("fit", "logistic", "films.csv", "--label-set", "genres", *FIT))
    said = [
        set(row[0].split("|")) - {""}
        for row in list(csv.reader(io.StringIO(good(run("predict", "m.recta", "films.csv")))))[1:]
    ]
    truth = [set(tags) for _, _, tags in films]
    metrics = json.loads(good(run("eval", "m.recta", "films.csv", "--json")))["metrics"]["labels"]
    assert math.isclose(metrics["hamming_loss"], sum(len(a ^ b) for a, b in zip(truth, said)) / (3 * len(films)))
    assert math.isclose(metrics["subset_accuracy"], sum(a == b for a, b in zip(truth, said)) / len(films))
    both, all_said, all_true = (sum(map(len, sets)) for sets in ([a & b for a, b in zip(truth, said)], said, truth))
    assert math.isclose(metrics["micro_f1"], 2 * both / (all_said + all_true))
    each = [
        2
        * sum(tag in a and tag in b for a, b in zip(truth, said))
        / (sum(tag in a for a in truth) + sum(tag in b for b in said))
        for tag in TAGS
    ]
    assert math.isclose(metrics["macro_f1"], sum(each) / 3)
    scores = json.loads(good(run("eval", "m.recta", "films.csv", "--scores", "all", "--json")))["scores"]
    assert math.isclose(scores["genres"]["hamming_loss"]["value"], metrics["hamming_loss"])
    assert math.isclose(scores["genres"]["ranking_loss"]["value"], metrics["ranking_loss"])
    chosen = run("eval", "m.recta", "films.csv", "--scores", "hamming_loss,micro_f1", "--bootstrap", "50")
    assert "hamming_loss" in good(chosen) and "bootstrap" in chosen.stdout


def test_a_label_that_training_did_not_see_is_missed(run, films, tmp_path):
    good(run("fit", "logistic", "films.csv", "--label-set", "genres", *FIT))
    test = [(u, v, tags + ["western"] if i % 10 == 0 else tags) for i, (u, v, tags) in enumerate(films)]
    (tmp_path / "test.csv").write_text(
        "u,v,genres\n" + "".join(f"{u!r},{v!r},{'|'.join(tags)}\n" for u, v, tags in test)
    )
    said = [
        set(row[0].split("|")) - {""}
        for row in list(csv.reader(io.StringIO(good(run("predict", "m.recta", "test.csv")))))[1:]
    ]
    truth = [set(tags) for _, _, tags in test]
    metrics = json.loads(good(run("eval", "m.recta", "test.csv", "--json")))["metrics"]["labels"]
    assert math.isclose(metrics["hamming_loss"], sum(len(a ^ b) for a, b in zip(truth, said)) / (4 * len(films)))
    assert math.isclose(metrics["subset_accuracy"], sum(a == b for a, b in zip(truth, said)) / len(films))
    assert "the label western was not in training; every row that has it counts it as missed" in good(
        run("eval", "m.recta", "test.csv")
    )
    assert "subset_accuracy" in good(run("eval", "m.recta", "test.csv", "--scores", "all"))
    assert good(run("predict", "m.recta", "test.csv")).startswith("prediction\n")
    verified = run("verify", "m.recta", "test.csv")
    assert (
        verified.returncode == 3
        and 'row 1, column genres: the label "western" was not seen in training' in verified.stderr
    )


def test_chains(run, films):
    text = good(run("fit", "logistic", "films.csv", "--label-set", "genres", "--chain", "drama,comedy,crime", *FIT))
    assert "3 of 3 parts proved, by a chain of labels" in text and "The chain reads drama, comedy, crime." in text
    assert good(run("verify", "m.recta", "films.csv")).startswith("Proved")
    text = good(
        run("fit", "logistic", "films.csv", "--label-set", "genres", "--chain", "random:5", "--chains", "4", *FIT)
    )
    assert "12 of 12 parts proved, by 4 chains of labels" in text
    first = good(run("predict", "m.recta", "films.csv", "--proba"))
    good(
        run(
            "fit",
            "logistic",
            "films.csv",
            "--label-set",
            "genres",
            "--chain",
            "random:5",
            "--chains",
            "4",
            "--threads",
            "1",
            *FIT,
        )
    )
    assert good(run("predict", "m.recta", "films.csv", "--proba", "--threads", "1")) == first


@pytest.mark.parametrize("word", ["perceptron", "svm", "ridge-classifier", "naive-bayes", "knn"])
def test_any_classifier_of_two_classes(run, films, word):
    good(run("fit", word, "films.csv", "--label-set", "genres", "--chains", "2", "-o", "m.recta", "-q"))
    assert run("verify", "m.recta", "films.csv").returncode == 0
    assert json.loads(good(run("eval", "m.recta", "films.csv", "--json")))["metrics"]["labels"]["hamming_loss"] < 0.5


def test_thresholds_are_kept_in_the_model(run, films):
    good(run("fit", "logistic", "films.csv", "--label-set", "genres", "--label-threshold", "crime=0.8", *FIT))
    said = list(csv.reader(io.StringIO(good(run("predict", "m.recta", "films.csv")))))[1:]
    shares = list(csv.reader(io.StringIO(good(run("predict", "m.recta", "films.csv", "--proba")))))[1:]
    for [text], row in zip(said, shares):
        assert text == "|".join(tag for tag, share, least in zip(TAGS, row, (0.5, 0.8, 0.5)) if float(share) >= least)
    document = json.loads(
        good(
            run(
                "fit",
                "logistic",
                "films.csv",
                "--label-set",
                "genres",
                "--label-threshold",
                "held-out:0.3",
                "--lambda",
                "0.05",
                "--json",
            )
        )
    )
    table = document["tables"]["parts"]
    chosen = [row[table["columns"].index("threshold")] for row in table["rows"]]
    assert all(0 < threshold < 1 for threshold in chosen) and chosen != [0.5, 0.5, 0.5]


def test_a_constant_label_is_said(run, films, tmp_path):
    text = (tmp_path / "columns.csv").read_text().splitlines()
    (tmp_path / "constant.csv").write_text("\n".join([text[0] + ",always"] + [line + ",1" for line in text[1:]]) + "\n")
    said = good(run("fit", "logistic", "constant.csv", "--label-columns", "comedy,crime,drama,always", *FIT))
    assert "Every row has the label always in training: it is a constant, not a model." in said
    assert "3 of 3 parts proved" in said and "1 label is constant" in said
    assert good(run("verify", "m.recta", "constant.csv")).startswith("Proved")


@pytest.mark.parametrize(
    "flags, words",
    [
        (("--label-set", "genres", "--target", "u"), "the labels are the target"),
        (("--label-set", "genres", "--label-columns", "u"), "give one of them"),
        (("--label-set", "genre"), 'did you mean "genres"?'),
        (("--label-set", "genres", "--chain", "drama"), '"comedy" is not named'),
        (("--label-set", "genres", "--chain", "random:x"), "is not a seed"),
        (("--label-set", "genres", "--label-threshold", "dram=0.4"), 'did you mean "drama"?'),
        (("--label-set", "genres", "--label-threshold", "held-out:2"), "is not a share"),
        (("--label-set", "genres", "--positive", "drama"), "a row has any number of labels"),
        (("--label-set", "genres", "--class-weights", "balanced"), "move the border of a label with --label-threshold"),
        (("--label-set", "genres", "--multiclass", "ovo"), "leave it out"),
        (("--label-columns", "u,v"), "is neither 0 nor 1"),
        (("--target", "genres", "--chains", "3"), "applies only to rows with several labels"),
        (("--label-names", "nosuch.xml"), "nosuch.xml"),
    ],
)
def test_refusals(run, films, flags, words):
    done = run("fit", "logistic", "films.csv", *flags, "-o", "m.recta")
    assert done.returncode in (1, 2, 3) and words in done.stderr, done.stderr


def test_what_a_label_set_has_not_is_refused(run, films):
    good(run("fit", "logistic", "films.csv", "--label-set", "genres", *FIT))
    for flags, words in [
        (("--normalised",), "any number of labels"),
        (("--distance",), "any number of labels"),
        (("--interval", "0.9"), "no interval"),
        (("--costs", "drama=3"), "--label-threshold"),
    ]:
        done = run("predict", "m.recta", "films.csv", *flags)
        assert done.returncode == 2 and words in done.stderr, done.stderr
    assert "several labels" in run("eval", "m.recta", "films.csv", "--plot", "roc", "x.svg").stderr
    assert (
        "several labels have no picture"
        in run("fit", "logistic", "films.csv", "--label-set", "genres", "--plot", "x.svg", *FIT).stderr
    )
    assert run("eval", "m.recta", "films.csv", "--loss", "logistic").returncode in (1, 2, 3)
    assert run("fit", "linear", "films.csv", "--label-set", "genres").returncode in (1, 2, 3)


def test_streamed_and_weighted_fits(run, films, tmp_path):
    good(run("fit", "logistic", "films.csv", "--label-set", "genres", *FIT))
    whole = good(run("predict", "m.recta", "films.csv", "--proba"))
    good(run("fit", "logistic", "films.csv", "--label-set", "genres", "--stream", *FIT))
    assert good(run("predict", "m.recta", "films.csv", "--proba")) == whole
    text = (tmp_path / "films.csv").read_text().splitlines()
    weighed = [text[0] + ",w"] + [f"{line},{1 + i % 2}" for i, line in enumerate(text[1:])]
    twice = [text[0]] + [line for i, line in enumerate(text[1:]) for _ in range(1 + i % 2)]
    (tmp_path / "weighed.csv").write_text("\n".join(weighed) + "\n")
    (tmp_path / "twice.csv").write_text("\n".join(twice) + "\n")
    found = []
    for data, flags in [("weighed.csv", ("--weights", "w")), ("twice.csv", ())]:
        good(run("fit", "logistic", data, "--label-set", "genres", *flags, *FIT))
        found.append(json.loads(good(run("eval", "m.recta", data, "--json")))["metrics"]["labels"])
    for name in ("hamming_loss", "subset_accuracy", "micro_f1", "macro_f1", "ranking_loss"):
        assert math.isclose(found[0][name], found[1][name], rel_tol=1e-12)


def test_cross_validation_is_the_same_however_labels_are_written(run, films):
    found = []
    for data, flags in [
        ("films.csv", ("--label-set", "genres")),
        ("columns.csv", ("--label-columns", ",".join(TAGS))),
        ("films.libsvm", ("--label-set", "label")),
        ("films.arff", ("--label-names", "films.xml")),
    ]:
        made = good(run("cv", "logistic", data, *flags, "--grid", "lambda=0.01,3", "-o", "cv.recta", "--json"))
        found.append(json.loads(made))
        assert good(run("verify", "cv.recta", data)).startswith("Proved")
    assert found[0]["scores"] == ["hamming_loss", "subset_accuracy", "micro_f1", "macro_f1", "ranking_loss"]
    for other in found[1:]:
        assert [p["scores"] for p in other["points"]] == [p["scores"] for p in found[0]["points"]]
    means = [point["scores"]["hamming_loss"]["mean"] for point in found[0]["points"]]
    assert found[0]["best"]["point"] == means.index(min(means))


def test_the_scores_of_a_fold_are_those_of_eval(run, films, tmp_path):
    rows = [f"{u!r},{v!r},{'|'.join(tags)}\n" for u, v, tags in films]
    (tmp_path / "trained.csv").write_text("u,v,genres\n" + "".join(rows[20:]))
    (tmp_path / "left_out.csv").write_text("u,v,genres\n" + "".join(rows[:20]))
    flags = (
        "--label-set",
        "genres",
        "--lambda",
        "0.05",
        "--chain",
        "drama,comedy,crime",
        "--label-threshold",
        "crime=0.3",
    )
    made = json.loads(
        good(run("cv", "logistic", "films.csv", *flags, "--folds", "4", "--folds-are", "contiguous", "--json"))
    )
    good(run("fit", "logistic", "trained.csv", *flags, "-o", "m.recta", "-q"))
    labels = json.loads(good(run("eval", "m.recta", "left_out.csv", "--json")))["metrics"]["labels"]
    for name, score in made["points"][0]["scores"].items():
        assert score["folds"][0] == pytest.approx(labels[name], abs=1e-12), name
