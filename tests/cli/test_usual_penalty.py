"""Classes whose columns outnumber rows: a penalty that nobody asked for is said, and none is to be had all the same."""

import json
import random

import pytest


@pytest.fixture
def wide(tmp_path):
    draw = random.Random(4)
    rows = [[draw.gauss(0, 1) for _ in range(12)] for _ in range(9)]
    names = ",".join(f"x{j}" for j in range(12))
    for file, labels in (("two.csv", "ab"), ("three.csv", "abc")):
        (tmp_path / file).write_text(
            f"{names},y\n"
            + "".join(",".join(map(repr, row)) + f",{labels[i % len(labels)]}\n" for i, row in enumerate(rows))
        )
    return tmp_path


def document(run, *arguments):
    done = run("fit", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("word, file", [("logistic", "two.csv"), ("softmax", "three.csv"), ("softmax", "two.csv")])
def test_more_columns_than_rows_have_a_penalty_that_is_said(run, wide, word, file):
    usual = document(run, word, file, "--target", "y", "-o", "m.recta")
    asked = document(run, word, file, "--target", "y", "--lambda2", repr(1 / 9))
    assert usual["certificate"]["verdict"] == "proved"
    assert usual["certificate"]["objective"] == pytest.approx(asked["certificate"]["objective"], rel=1e-12)
    note = "the penalty is the default for 12 columns, which are more than the 9 rows: lambda = 1 / sum of weights = 0.1111"
    assert any(text.startswith(note) for text in usual["certificate"]["conditions"])
    assert not any("default" in text for text in asked["certificate"]["conditions"])
    assert note in run("fit", word, file, "--target", "y").stdout
    assert run("verify", "m.recta", file).stdout.startswith("Proved")
    streamed = document(run, word, file, "--target", "y", "--stream")
    assert streamed["certificate"]["objective"] == pytest.approx(usual["certificate"]["objective"], rel=1e-12)


@pytest.mark.parametrize("word, file", [("logistic", "two.csv"), ("softmax", "three.csv")])
def test_without_a_penalty_the_verdict_is_about_separability(run, wide, word, file):
    none = document(run, word, file, "--target", "y", "--lambda", "0")
    assert "no_finite_maximum" in json.dumps(none["certificate"])


def test_as_many_rows_as_columns_have_none(run, wide):
    usual = document(run, "logistic", "two.csv", "--target", "y", "--ignore", "x0,x1,x2")
    assert not any("default" in text for text in usual["certificate"]["conditions"])


@pytest.fixture
def documents(tmp_path):
    """600 short texts of 9,000 words."""
    draw = random.Random(8)
    lines = []
    for i in range(600):
        words = [f"w{draw.randrange(9000)}" for _ in range(14)] + [f"w{(600 * k + i) % 9000}" for k in range(15)]
        lines.append(f"{'spam' if i % 3 == 0 else 'ham'},{' '.join(words)} {'offer' if i % 3 == 0 else 'hello'}\n")
    (tmp_path / "t.csv").write_text("kind,text\n" + "".join(lines))


@pytest.mark.parametrize("word", ["logistic", "softmax"])
def test_documents_are_fitted_as_they_come(run, documents, word):
    made = document(run, word, "t.csv", "--target", "kind", "--text", "text")
    assert made["certificate"]["verdict"] == "proved"
    assert any("lambda = 1 / sum of weights = 0.001667" in text for text in made["certificate"]["conditions"])


def test_documents_without_a_penalty_have_a_verdict(run, documents):
    done = run("fit", "logistic", "t.csv", "--target", "kind", "--text", "text", "--lambda", "0")
    assert done.returncode == 2 and "too many" in done.stderr
    assert "a plane separates the classes completely: all 600 rows lie beyond it" in done.stderr
