"""Classes on the command line: labels of every kind, what is predicted, scores beside the majority, and refusals."""

import json
import math

import numpy as np
import pytest


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def two_by_two(tmp_path, no="no", yes="yes", name="t.csv"):
    """6 of 8 rows are no at x = 0, and 3 of 8 at x = 1: log-odds -ln 3 and ln(5/3)."""
    rows = [(0, no)] * 6 + [(0, yes)] * 2 + [(1, no)] * 3 + [(1, yes)] * 5
    (tmp_path / name).write_text("x,c\n" + "".join(f"{x},{c}\n" for x, c in rows))


@pytest.mark.parametrize(
    "no, yes",
    [
        ("no", "yes"),
        ("0", "1"),
        ("-1", "1"),
        ("9", "10"),
        ("0.5", "2.25"),
        ("false", "true"),
        ("Ja", "Nö"),
        ('"a, b"', '"c ""d"""'),
    ],
)
def test_labels_of_every_kind_come_back(run, tmp_path, no, yes):
    two_by_two(tmp_path, no, yes)
    fit = document(run, "fit", "logistic", "t.csv", "--target", "c", "-o", "m.recta")
    assert fit["coefficients"]["c"][0]["value"] == pytest.approx(math.log(5), rel=1e-13)
    assert fit["intercept"]["c"]["value"] == pytest.approx(-math.log(3), rel=1e-13)
    assert fit["certificate"]["verdict"] == "proved"
    lines = run("predict", "m.recta", "t.csv").stdout.splitlines()
    assert lines == ["prediction"] + [no] * 8 + [yes] * 8
    assert run("verify", "m.recta", "t.csv").returncode == 0


def test_probabilities_and_scores(run, tmp_path):
    two_by_two(tmp_path)
    assert run("fit", "logistic", "t.csv", "--target", "c", "-o", "m.recta").returncode == 0
    lines = run("predict", "m.recta", "t.csv", "--proba").stdout.splitlines()
    assert lines[0] == "no,yes"
    np.testing.assert_allclose(
        [list(map(float, lines[k].split(","))) for k in (1, 16)], [[0.75, 0.25], [0.375, 0.625]], rtol=1e-13
    )
    lines = run("predict", "m.recta", "t.csv", "--decision", "--id", "x").stdout.splitlines()
    assert lines[0] == "x,decision" and float(lines[1].split(",")[1]) == pytest.approx(-math.log(3), rel=1e-13)
    found = document(run, "predict", "m.recta", "t.csv")
    assert found["classes"] == ["no", "yes"] and found["predictions"]["c"] == ["no"] * 8 + ["yes"] * 8
    streamed = run("predict", "m.recta", "t.csv", "--stream", "--proba").stdout
    assert streamed == run("predict", "m.recta", "t.csv", "--proba").stdout
    both = run("predict", "m.recta", "t.csv", "--proba", "--decision")
    assert both.returncode == 2 and "exclude one another" in both.stderr
    assert run("fit", "linear", "t.csv", "--target", "x", "--ignore", "c", "-o", "l.recta").returncode == 0
    none = run("predict", "l.recta", "t.csv", "--proba")
    assert none.returncode == 2 and "linear: it predicts numbers" in none.stderr


def test_scores_stand_beside_the_majority(run, tmp_path):
    two_by_two(tmp_path)
    assert run("fit", "logistic", "t.csv", "--target", "c", "-o", "m.recta").returncode == 0
    found = document(run, "eval", "m.recta", "t.csv", "--loss", "logistic")["metrics"]["c"]
    entropy = -(6 * math.log(0.75) + 2 * math.log(0.25) + 3 * math.log(0.375) + 5 * math.log(0.625)) / 16
    assert found["accuracy"] == 11 / 16 and found["confusion"] == [[6, 3], [2, 5]]
    assert found["log_loss"] == pytest.approx(entropy, rel=1e-13) and found["mean_loss"] == pytest.approx(
        entropy, rel=1e-13
    )
    assert found["majority"]["class"] == "no" and found["majority"]["accuracy"] == 9 / 16
    assert found["majority"]["log_loss"] == pytest.approx(
        -(9 * math.log(9 / 16) + 7 * math.log(7 / 16)) / 16, rel=1e-13
    )
    text = run("eval", "m.recta", "t.csv").stdout
    assert "majority, always no" in text and "true class  as no  as yes" in text
    assert "log-loss" in run("fit", "logistic", "t.csv", "--target", "c", "--holdout", "0.3").stdout
    wrong = run("eval", "m.recta", "t.csv", "--loss", "squared")
    assert wrong.returncode == 2 and "not a loss of labels" in wrong.stderr
    two_by_two(tmp_path, yes="yess", name="other.csv")
    unseen = run("eval", "m.recta", "other.csv")
    assert unseen.returncode == 3
    assert 'other.csv, row 7, column c: the class "yess" was not seen in training' in unseen.stderr
    assert 'is it "yes"?' in unseen.stderr


def test_the_positive_class_can_be_named(run, tmp_path):
    two_by_two(tmp_path)
    fit = document(run, "fit", "logistic", "t.csv", "--target", "c", "--positive", "no", "-o", "m.recta")
    assert fit["classes"]["positive"] == "no"
    assert fit["coefficients"]["c"][0]["value"] == pytest.approx(-math.log(5), rel=1e-13)
    lines = run("predict", "m.recta", "t.csv", "--proba").stdout.splitlines()
    assert lines[0] == "no,yes" and float(lines[1].split(",")[0]) == pytest.approx(0.75, rel=1e-13)
    assert run("predict", "m.recta", "t.csv").stdout.splitlines()[1] == "no"


def test_a_stream_gives_the_model_of_the_table(run, tmp_path):
    two_by_two(tmp_path)
    for name, flags in (("a.recta", []), ("b.recta", ["--stream"]), ("c.recta", ["--threads", "1"])):
        assert run("fit", "logistic", "t.csv", "--target", "c", "--lambda", "0.01", "-o", name, *flags).returncode == 0
    assert (
        (tmp_path / "a.recta").read_bytes()
        == (tmp_path / "b.recta").read_bytes()
        == (tmp_path / "c.recta").read_bytes()
    )
    assert run("verify", "a.recta", "t.csv", "--stream").returncode == 0


def test_rows_of_weight_zero_are_absent_classes_and_all(run, tmp_path):
    (tmp_path / "w.csv").write_text("x,c,v\n0,a,1\n1,b,1\n2,a,2\n3,b,1\n9,z,0\n")
    (tmp_path / "t.csv").write_text("x,c\n0,a\n1,b\n2,a\n2,a\n3,b\n")
    weighted = document(
        run, "fit", "logistic", "w.csv", "--target", "c", "--weights", "v", "--lambda", "0.1", "-o", "m.recta"
    )
    repeated = document(run, "fit", "logistic", "t.csv", "--target", "c", "--lambda", "0.1")
    assert weighted["classes"]["labels"] == ["a", "b"] and weighted["classes"]["weights"] == [3, 2]
    assert weighted["coefficients"]["c"][0]["value"] == pytest.approx(
        repeated["coefficients"]["c"][0]["value"], rel=1e-12
    )
    assert run("verify", "m.recta", "w.csv").returncode == 0
    (tmp_path / "w.csv").write_text("x,c,v\n0,a,1\n1,b,0\n2,a,2\n3,b,0\n")
    removed = run("fit", "logistic", "w.csv", "--target", "c", "--weights", "v")
    assert removed.returncode == 3 and '"b" is only in rows of weight 0' in removed.stderr


def test_targets_that_are_no_classes_are_refused(run, tmp_path):
    def refused(text, *flags, code=3):
        done = run("fit", "logistic", *flags)
        assert done.returncode == code and text in done.stderr, done.stderr

    (tmp_path / "one.csv").write_text("x,c\n0,a\n1,a\n")
    refused('one.csv, target c: every row is "a"', "one.csv", "--target", "c")
    (tmp_path / "gap.csv").write_text("x,c\n0,a\n1,\n2,b\n")
    refused("gap.csv, row 2, column c: the value is missing", "gap.csv", "--target", "c")
    assert (
        document(run, "fit", "logistic", "gap.csv", "--target", "c", "--missing", "drop", "--lambda", "1")["design"][
            "rows"
        ]
        == 2
    )
    refused("housing, target price: it has 229 different values in 506 rows", "housing")
    refused("there are 3 classes, and logistic separates two", "iris")
    refused("set one class against the rest with --positive LABEL", "iris")
    refused("a classifier has one target", "iris", "--target", "species,petal_length", code=2)
    two_by_two(tmp_path)
    refused('there is no class "maybe"', "t.csv", "--target", "c", "--positive", "maybe", code=2)
    done = run("fit", "linear", "t.csv", "--target", "x", "--ignore", "c", "--positive", "yes")
    assert done.returncode == 2 and "has no positive class" in done.stderr


def test_class_weights_are_corrected_on_request(run, tmp_path):
    two_by_two(tmp_path)
    fit = document(run, "fit", "logistic", "t.csv", "--target", "c", "--class-weights", "balanced", "-o", "m.recta")
    assert fit["classes"]["factors"] == pytest.approx([16 / 18, 16 / 14]) and fit["classes"][
        "weights"
    ] == pytest.approx([8, 8])
    lines = run("predict", "m.recta", "t.csv", "--proba", "--corrected").stdout.splitlines()
    np.testing.assert_allclose(
        [list(map(float, lines[k].split(","))) for k in (1, 16)], [[0.75, 0.25], [0.375, 0.625]], rtol=1e-13
    )
    fitted = float(run("predict", "m.recta", "t.csv", "--proba").stdout.splitlines()[1].split(",")[1])
    assert fitted == pytest.approx(2 / 14 / (2 / 14 + 6 / 18), rel=1e-13)
    assert run("verify", "m.recta", "t.csv").returncode == 0
    assert "yes x 1.14286 (1) and no x 0.888889 (-1)" in run("inspect", "m.recta").stdout
    streamed = document(run, "fit", "logistic", "t.csv", "--target", "c", "--class-weights", "balanced", "--stream")
    assert streamed["coefficients"] == fit["coefficients"]
    by_hand = document(run, "fit", "logistic", "t.csv", "--target", "c", "--class-weights", "yes=3", "--lambda", "0.1")
    rows = (tmp_path / "t.csv").read_text().splitlines()
    weighted = [f"{row},{3 if row.endswith('yes') else 1}" for row in rows[1:]]
    (tmp_path / "w.csv").write_text("\n".join([rows[0] + ",w", *weighted]) + "\n")
    assert (
        document(run, "fit", "logistic", "w.csv", "--target", "c", "--weights", "w", "--lambda", "0.1")["coefficients"]
        == by_hand["coefficients"]
    )
    # the rows to evaluate on are as they come, and so is the majority
    assert document(run, "eval", "m.recta", "t.csv")["metrics"]["c"]["majority"]["accuracy"] == 9 / 16
    for text, words in (
        ("maybe=2", 'there is no class "maybe"'),
        ("yes", '"yes" is not a class and a number'),
        ("yes=0", "is 0"),
    ):
        wrong = run("fit", "logistic", "t.csv", "--target", "c", "--class-weights", text)
        assert wrong.returncode == 2 and words in wrong.stderr
    alone = run("predict", "m.recta", "t.csv", "--corrected")
    assert alone.returncode == 2 and "give --proba with it" in alone.stderr


def test_decisions_weigh_costs(run, tmp_path):
    two_by_two(tmp_path)
    assert run("fit", "logistic", "t.csv", "--target", "c", "-o", "m.recta").returncode == 0
    assert run("predict", "m.recta", "t.csv", "--costs", "yes=2.9").stdout == run("predict", "m.recta", "t.csv").stdout
    assert run("predict", "m.recta", "t.csv", "--costs", "yes=3.1").stdout.splitlines()[1:] == ["yes"] * 16
    (tmp_path / "costs.csv").write_text("true,yes,no\nno,4,0\nyes,-1,1\n")  # a gain where yes is found
    # yes costs 4 (1 - p) - p and no costs p: yes where p > 4/6
    assert run("predict", "m.recta", "t.csv", "--costs", "costs.csv").stdout.splitlines()[1:] == ["no"] * 16
    streamed = run("predict", "m.recta", "t.csv", "--costs", "yes=3.1", "--stream").stdout
    assert streamed == run("predict", "m.recta", "t.csv", "--costs", "yes=3.1").stdout
    assert document(run, "predict", "m.recta", "t.csv", "--costs", "yes=3.1")["predictions"]["c"] == ["yes"] * 16
    wrong = run("predict", "m.recta", "t.csv", "--costs", "maybe=3")
    assert wrong.returncode == 2 and 'costs: there is no class "maybe"' in wrong.stderr
    both = run("predict", "m.recta", "t.csv", "--costs", "yes=3", "--proba")
    assert both.returncode == 2 and "exclude one another" in both.stderr


def test_scores_without_probabilities_are_normalised(run, tmp_path):
    two_by_two(tmp_path)
    assert run("fit", "perceptron", "t.csv", "--target", "c", "--variant", "pocket", "-o", "p.recta").returncode == 0
    lines = run("predict", "p.recta", "t.csv", "--normalised").stdout.splitlines()
    assert lines[0] == "no (not calibrated),yes (not calibrated)"
    scores = list(map(float, run("predict", "p.recta", "t.csv", "--decision").stdout.splitlines()[1:]))
    np.testing.assert_allclose(
        [float(line.split(",")[1]) for line in lines[1:]], [1 / (1 + math.exp(-z)) for z in scores], rtol=1e-14
    )
    refused = run("predict", "p.recta", "t.csv", "--proba")
    assert refused.returncode == 2 and "normalised" in refused.stderr


@pytest.mark.parametrize("word", ["logistic", "softmax", "perceptron", "delta"])
def test_a_pipe_gives_the_model_of_the_file(run, tmp_path, word):
    text = "x,colour,y\n1,red,no\n2,blue,no\n,red,yes\n4,blue,yes\n2.5,red,no\n2.5,red,yes\n"  # a category, and a gap
    (tmp_path / "t.csv").write_text(text)
    flags = ("--target", "y", "--missing", "mean", *(("--lambda", "0.1") if word in ("logistic", "softmax") else ()))
    assert run("fit", word, "t.csv", *flags, "-o", "a.recta").returncode == 0
    piped = run("fit", word, "-", *flags, "-o", "b.recta", stdin=text)
    assert piped.returncode == 0, piped.stderr
    assert (tmp_path / "a.recta").read_bytes() == (tmp_path / "b.recta").read_bytes()


def test_least_squares_on_minus_one_and_one_is_a_classifier(run, tmp_path):
    two_by_two(tmp_path)  # -1/2 at x = 0 and 1/4 at x = 1, the means of -1 and 1 there
    fit = document(run, "fit", "ridge-classifier", "t.csv", "--target", "c", "--lambda", "0", "-o", "m.recta")
    assert fit["coefficients"]["c"][0]["value"] == pytest.approx(0.75, rel=1e-13)
    assert fit["intercept"]["c"]["value"] == pytest.approx(-0.5, rel=1e-13)
    assert fit["certificate"]["verdict"] == "proved"
    assert fit["metrics"]["c"]["accuracy"] == 11 / 16 and fit["metrics"]["c"]["majority"] == {
        "class": "no",
        "accuracy": 9 / 16,
    }
    assert fit["metrics"]["c"]["aic"] is None
    assert run("predict", "m.recta", "t.csv").stdout.splitlines() == ["prediction"] + ["no"] * 8 + ["yes"] * 8
    scores = run("predict", "m.recta", "t.csv", "--decision").stdout.splitlines()[1:]
    np.testing.assert_allclose([float(score) for score in scores], [-0.5] * 8 + [0.25] * 8, rtol=1e-13)
    assert document(run, "eval", "m.recta", "t.csv")["metrics"]["c"]["accuracy"] == 11 / 16
    assert run("verify", "m.recta", "t.csv").returncode == 0
    refused = run("predict", "m.recta", "t.csv", "--proba")
    assert refused.returncode == 2 and "no probabilities" in refused.stderr


def test_least_squares_of_three_classes_agrees_with_scikit_learn(run):
    from sklearn.linear_model import RidgeClassifier

    fit = document(run, "fit", "ridge-classifier", "iris", "--tau", "1", "-o", "m.recta")
    rows = [line.split(",") for line in run("data", "iris").stdout.splitlines()[1:]]
    x, y = np.array([row[:4] for row in rows], dtype=float), np.array([row[4] for row in rows])
    peer = RidgeClassifier(alpha=1).fit(x, y)
    for k, label in enumerate(peer.classes_):
        np.testing.assert_allclose([c["value"] for c in fit["coefficients"][label]], peer.coef_[k], rtol=1e-9)
    assert fit["metrics"]["species"]["accuracy"] == pytest.approx(peer.score(x, y))


@pytest.mark.parametrize(
    "word, flags",
    [("svm", ()), ("knn", ()), ("ridge-classifier", ()), ("logistic", ("--multiclass", "ova", "--lambda", "0.1"))],
)
def test_training_rows_in_another_order_do_not_calibrate_or_choose_thresholds(run, tmp_path, word, flags):
    lines = run("data", "iris").stdout.splitlines()
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "turned.csv").write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n")
    assert run("fit", word, "rows.csv", "--target", "species", *flags, "-o", "m.recta", "-q").returncode == 0
    done = run("calibrate", "m.recta", "turned.csv", "-o", "c.recta")
    assert done.returncode == 3
    assert "as those that it was trained on do in any order" in done.stderr
    two = ("--target", "species", "--positive", "Iris-virginica", *flags[2:])
    assert run("fit", word, "rows.csv", *two, "-o", "two.recta", "-q").returncode == 0
    done = run("threshold", "two.recta", "turned.csv", "--for", "f1", "-o", "t.recta")
    assert done.returncode == 3
    assert "as those that it was trained on do in any order" in done.stderr


@pytest.mark.parametrize("cost", ["-5", "inf"])
def test_a_cost_is_a_number_from_zero_up(run, cost):
    assert (
        run("fit", "logistic", "iris", "--positive", "Iris-setosa", "--lambda", "0.1", "-o", "m.recta", "-q").returncode
        == 0
    )
    done = run("predict", "m.recta", "iris", "--costs", f"Iris-setosa={cost}")
    assert done.returncode == 2 and "give a number from zero up" in done.stderr
    assert run("predict", "m.recta", "iris", "--costs", "Iris-setosa=0").returncode == 0


def test_a_category_first_seen_when_predicting_is_taken_where_it_is_asked_for(run, tmp_path):
    (tmp_path / "t.csv").write_text("c,n,y\n" + "a,1,no\nb,2,yes\na,3,yes\nb,1,no\n" * 6)
    (tmp_path / "new.csv").write_text("c,n,y\nz,2,no\na,9,yes\n")
    (tmp_path / "known.csv").write_text("c,n,y\na,2,no\na,1,yes\n")
    for flags in (["logistic", "--lambda", "0.1"], ["naive-bayes"]):
        assert run("fit", *flags, "t.csv", "--target", "y", "-o", "m.recta", "-q").returncode == 0
        refused = run("predict", "m.recta", "new.csv")
        assert refused.returncode == 3 and "predict or fit with --unseen zeros" in refused.stderr
        assert run("eval", "m.recta", "new.csv").returncode == 3
        for command in ("predict", "eval"):
            taken = run(command, "m.recta", "new.csv", "--unseen", "zeros")
            assert taken.returncode == 0, taken.stderr
        assert len(run("predict", "m.recta", "new.csv", "--unseen", "zeros", "--stream").stdout.splitlines()) == 3
        # as of a model that was fitted so
        assert run("fit", *flags, "t.csv", "--target", "y", "--unseen", "zeros", "-o", "z.recta", "-q").returncode == 0
        assert (
            run("predict", "z.recta", "new.csv", "--proba").stdout
            == run("predict", "m.recta", "new.csv", "--proba", "--unseen", "zeros").stdout
        )
        assert run("predict", "z.recta", "new.csv", "--unseen", "refuse").returncode == 3
        assert (
            run("predict", "m.recta", "known.csv", "--unseen", "zeros").stdout
            == run("predict", "m.recta", "known.csv").stdout
        )
    # a column of counts that became categories
    (tmp_path / "count.csv").write_text("c,n,y\na,9,yes\n")
    assert "the category 9 was not seen" in run("predict", "m.recta", "count.csv").stderr
    assert run("predict", "m.recta", "count.csv", "--unseen", "zeros").returncode == 0


def test_parts_of_a_model_take_what_training_did_not_see_as_the_whole_does(run, tmp_path):
    (tmp_path / "t.csv").write_text("n,y,z\n" + "1,a,a|b\n2,b,b\n3,c,\n1,b,a\n2,a,b\n" * 8)
    (tmp_path / "new.csv").write_text("n,y,z\n9,a,a\n")
    assert run("fit", "naive-bayes", "t.csv", "--target", "y", "--ignore", "z", "-o", "nb.recta", "-q").returncode == 0
    assert run("calibrate", "nb.recta", "t.csv", "-o", "c.recta").returncode == 0
    assert (
        run(
            "fit",
            "naive-bayes",
            "t.csv",
            "--target",
            "y",
            "--ignore",
            "z",
            "--multiclass",
            "ovo",
            "-o",
            "o.recta",
            "-q",
        ).returncode
        == 0
    )
    assert (
        run("fit", "naive-bayes", "t.csv", "--label-set", "z", "--ignore", "y", "-o", "s.recta", "-q").returncode == 0
    )
    for model in ("nb.recta", "c.recta", "o.recta", "s.recta"):
        assert "the category 9 was not seen" in run("predict", model, "new.csv").stderr, model
        taken = run("predict", model, "new.csv", "--unseen", "zeros")
        assert taken.returncode == 0 and len(taken.stdout.splitlines()) == 2, (model, taken.stderr)
