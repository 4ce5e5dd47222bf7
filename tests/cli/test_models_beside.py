"""Curves of several models in one picture: recta eval --plot KIND FILE --beside MODEL,..."""

import json
import re

import pytest


def fitted(run, tmp_path):
    rows = "".join(
        f"{i % 7 + (i % 3) / 4},{(i * 5) % 11},{'yes' if (i % 7) + (i * 5) % 11 > 8 else 'no'}\n" for i in range(60)
    )
    (tmp_path / "t.csv").write_text("a,b,y\n" + rows)
    for word, more in (("naive-bayes", []), ("logistic", ["--lambda", "0.1"])):
        ran = run("fit", word, "t.csv", "--target", "y", "-q", "-o", f"{word}.recta", *more)
        assert ran.returncode == 0, ran.stderr


def test_each_model_has_its_curve_with_its_own_area(run, tmp_path):
    fitted(run, tmp_path)
    ran = run("eval", "naive-bayes.recta", "t.csv", "--plot", "roc", "both.svg", "--beside", "logistic.recta")
    assert ran.returncode == 0, ran.stderr
    both = (tmp_path / "both.svg").read_text()
    areas = {}
    for name in ("naive-bayes.recta", "logistic.recta"):
        run("eval", name, "t.csv", "--plot", "roc", "one.svg")
        areas[name] = re.search(r"area ([\d.]+)", (tmp_path / "one.svg").read_text())[1]
        assert f"{name}, area {areas[name]}" in both
    assert both.count("chance") == 1


def test_what_cannot_be_drawn_together_is_refused(run, tmp_path):
    fitted(run, tmp_path)
    beside = ["--beside", "logistic.recta"]
    assert "no picture" in run("eval", "naive-bayes.recta", "t.csv", *beside).stderr
    assert "one model" in run("eval", "naive-bayes.recta", "t.csv", "--plot", "confusion", "c.svg", *beside).stderr
    run("fit", "linear", "t.csv", "--target", "b", "--ignore", "y", "-q", "-o", "linear.recta")
    assert (
        "not those of"
        in run("eval", "naive-bayes.recta", "t.csv", "--plot", "roc", "c.svg", "--beside", "linear.recta").stderr
    )


@pytest.mark.parametrize("word", ["naive-bayes", "lda", "qda", "nearest-centroid"])
@pytest.mark.parametrize("positive", ["yes", "no"])
def test_models_with_a_score_per_class_rank_rows_by_their_probabilities(run, tmp_path, word, positive):
    fitted(run, tmp_path)
    run("fit", word, "t.csv", "--target", "y", "--positive", positive, "-q", "-o", "m.recta")
    found = json.loads(run("eval", "m.recta", "t.csv", "--scores", "roc_area", "--json").stdout)["scores"]["y"][
        "roc_area"
    ]["value"]
    share = json.loads(run("predict", "m.recta", "t.csv", "--proba", "--json").stdout)
    p = next(column for name, column in share["probabilities"].items() if name.endswith(positive))
    true = [line.rstrip().endswith(positive) for line in (tmp_path / "t.csv").read_text().splitlines()[1:]]
    pairs = [
        (a > b) + (a == b) / 2
        for a, is_a in zip(p, true, strict=True)
        if is_a
        for b, is_b in zip(p, true, strict=True)
        if not is_b
    ]
    assert found == pytest.approx(sum(pairs) / len(pairs), abs=1e-12)
