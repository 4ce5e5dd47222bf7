"""Documents as features from the command line: the courses' worked examples in whole numbers, the way through the model
file, streams and threads to the same bits, and documents that are empty, unknown or damaged."""

import csv
import json
import random
from fractions import Fraction

import pytest

CHINESE = [
    ("Chinese Beijing Chinese", "c"),
    ("Chinese Chinese Shanghai", "c"),
    ("Chinese Macao", "c"),
    ("Tokyo Japan Chinese", "j"),
]


def written(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture
def chinese(tmp_path):
    written(tmp_path / "w5.csv", ["doc", "label"], CHINESE)
    written(tmp_path / "new.csv", ["doc"], [["Chinese Chinese Chinese Tokyo Japan"]])


def reviews(path, rows=300):
    """Two classes with words of their own among common ones; more words than a table would hold densely."""
    rng = random.Random(3)
    words = [f"word{k}" for k in range(600)]
    lines = []
    for k in range(rows):
        label = rng.choice("ab")
        own = words[:350] if label == "a" else words[250:]
        lines.append([k, " ".join(rng.choices(own, k=20)), rng.randint(1, 5), label, rng.randint(1, 6)])
    written(path, ["id", "body", "stars", "label", "y"], lines)


def fitted(run, *arguments):
    done = run("fit", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def table(document, name):
    return document["tables"][name]


def test_w5_comes_out_exactly(run, chinese):
    document = fitted(run, "naive-bayes", "w5.csv", "--text", "doc", "--target", "label", "-o", "m.recta")
    given = {row[0]: row[1:] for row in table(document, "probabilities")["rows"]}
    expected = {
        "chinese": (Fraction(3, 7), Fraction(2, 9)),
        "tokyo": (Fraction(1, 14), Fraction(2, 9)),
        "japan": (Fraction(1, 14), Fraction(2, 9)),
        "macao": (Fraction(1, 7), Fraction(1, 9)),
    }
    for word, (c, j) in expected.items():
        assert given[word] == pytest.approx([float(c), float(j)], rel=4e-16)
    assert [row[1] for row in table(document, "classes")["rows"]] == [0.75, 0.25]
    done = run("predict", "m.recta", "new.csv", "--proba")
    (found,) = csv.DictReader(done.stdout.splitlines())
    assert float(found["c"]) == pytest.approx(4782969 / 6934265, rel=1e-15)
    assert document["texts"][0]["terms"] == 6 and document["texts"][0]["documents"] == 4
    assert run("verify", "m.recta", "w5.csv").returncode == 0


def test_w6_keeps_the_order_of_the_given_vocabulary(run, tmp_path):
    words = ["de", "es", "no", "buena", "mejor", "patética", "guión"]
    (tmp_path / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    written(tmp_path / "w6.csv", ["crítica", "y"], [["el mejor guión", 1], ["no es buena", 2], ["de lo mejor", 4]])
    document = fitted(run, "ridge", "w6.csv", "--text", "crítica", "--target", "y", "--vocabulary", "words.txt")
    assert [c["feature"] for c in document["coefficients"]["y"]] == words
    # One row a word: how the model weighs the words of each document is how often they occur in it.
    model = {c["feature"]: c["value"] for c in document["coefficients"]["y"]}
    run("fit", "ridge", "w6.csv", "--text", "crítica", "--target", "y", "--vocabulary", "words.txt", "-o", "m.recta")
    predicted = [float(line) for line in run("predict", "m.recta", "w6.csv").stdout.splitlines()[1:]]
    start = document["intercept"]["y"]["value"]
    bags = [(0, 0, 0, 0, 1, 0, 1), (0, 1, 1, 1, 0, 0, 0), (1, 0, 0, 0, 1, 0, 0)]
    for found, bag in zip(predicted, bags, strict=True):
        assert found == pytest.approx(start + sum(n * model[w] for n, w in zip(bag, words)), abs=1e-14)
    assert model["patética"] == 0


def test_streams_and_threads_give_the_same_bits(run, tmp_path):
    reviews(tmp_path / "reviews.csv", 3000)
    arguments = [
        "naive-bayes",
        "reviews.csv",
        "--text",
        "body",
        "--target",
        "label",
        "--ignore",
        "id,y",
        "--tfidf",
        "-q",
    ]
    for name, more in {
        "1": ["--threads", 1],
        "3": ["--threads", 3],
        "s1": ["--stream", "--threads", 1],
        "s3": ["--stream", "--threads", 3],
    }.items():
        assert run("fit", *arguments, *more, "-o", f"{name}.recta").returncode == 0
    assert len({(tmp_path / f"{name}.recta").read_bytes() for name in ("1", "3", "s1", "s3")}) == 1
    assert run("verify", "1.recta", "reviews.csv", "--stream").returncode == 0
    whole, streamed = (run("predict", "1.recta", "reviews.csv", *more).stdout for more in ([], ["--stream"]))
    assert whole == streamed


MODELS = [
    "logistic --lambda 0.1",
    "softmax --lambda 0.1",
    "softmax",
    "perceptron",
    "naive-bayes",
    "ridge-classifier",
    "svm",
    "svm --kernel rbf",
    "knn",
    "majority",
]
NUMBER_MODELS = [
    "linear",
    "ridge",
    "lasso",
    "elastic-net",
    "group-lasso",
    "huber --lambda 0.1",
    "quantile",
    "epsilon-insensitive",
    "poisson",
    "gamma --lambda 0.1",
    "svr",
    "knn-regression",
    "constant",
]


@pytest.mark.parametrize("words", MODELS + NUMBER_MODELS)
@pytest.mark.parametrize("most", [40, 600])
def test_every_model_reads_text_beside_columns(run, tmp_path, words, most):
    reviews(tmp_path / "reviews.csv", 120)
    target, other = ("y", "label") if words in NUMBER_MODELS else ("label", "y")
    word, *parameters = words.split()
    done = run(
        "fit",
        word,
        "reviews.csv",
        *parameters,
        "--text",
        "body",
        "--feature",
        "stars",
        "--target",
        target,
        "--ignore",
        f"id,{other}",
        "--max-terms",
        most,
        "-o",
        "m.recta",
        "-q",
    )
    assert done.returncode == 0, done.stderr
    assert run("verify", "m.recta", "reviews.csv").returncode == 0
    done = run("predict", "m.recta", "reviews.csv")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 121


def test_terms_are_called_by_their_column_beside_others(run, tmp_path):
    reviews(tmp_path / "reviews.csv", 50)
    document = fitted(run, "ridge", "reviews.csv", "--text", "body", "--target", "y", "--ignore", "id,label")
    names = [c["feature"] for c in document["coefficients"]["y"]]
    assert names[0] == "stars" and all(name.startswith("body:word") for name in names[1:])


def test_words_outside_the_vocabulary_are_counted(run, tmp_path, chinese):
    run("fit", "naive-bayes", "w5.csv", "--text", "doc", "--target", "label", "-o", "m.recta")
    written(tmp_path / "other.csv", ["doc", "label"], [["Chinese Osaka Kyoto", "j"], ["", "c"], ["Oslo", "c"]])
    done = run("predict", "m.recta", "other.csv")
    assert "3 of 4 terms are not in the vocabulary and were left out; 2 rows without any known term" in done.stderr
    document = json.loads(run("eval", "m.recta", "other.csv", "--json").stdout)
    assert document["unknown_terms"] == {"terms": 4, "unknown": 3, "rows": 3, "rows_without_known": 2}
    assert "3 of 4 terms" in run("eval", "m.recta", "other.csv").stdout


def test_one_document_and_empty_documents_are_rows(run, tmp_path):
    written(tmp_path / "one.csv", ["doc", "y"], [["only this", 3]])
    document = fitted(run, "ridge", "one.csv", "--text", "doc", "--target", "y")
    assert document["intercept"]["y"]["value"] == 3
    written(tmp_path / "some.csv", ["doc", "y"], [["a b", 3], ["", 1], ["...", 1]])
    assert fitted(run, "ridge", "some.csv", "--text", "doc", "--target", "y")["texts"][0]["documents"] == 3
    written(tmp_path / "none.csv", ["doc", "y"], [["", 3], ["...", 1]])
    done = run("fit", "ridge", "none.csv", "--text", "doc", "--target", "y")
    assert done.returncode == 3 and "no document has a term" in done.stderr


def test_bytes_that_are_not_utf8_are_named_or_replaced(run, tmp_path):
    (tmp_path / "latin.csv").write_bytes(b"doc,y\ncaf\xe9 noir,1\nth\xe9,2\n")
    done = run("fit", "ridge", "latin.csv", "--text", "doc", "--target", "y")
    assert done.returncode == 3 and "latin.csv:2" in done.stderr and "byte 4" in done.stderr
    document = fitted(run, "ridge", "latin.csv", "--text", "doc", "--target", "y", "--bad-utf8", "replace")
    assert [c["feature"] for c in document["coefficients"]["y"]] == ["caf", "noir", "th"]


def test_hashed_terms_keep_names_and_say_how_many_met(run, tmp_path):
    reviews(tmp_path / "reviews.csv", 200)
    document = fitted(
        run,
        "logistic",
        "reviews.csv",
        "--text",
        "body",
        "--target",
        "label",
        "--ignore",
        "id,y,stars",
        "--hash-terms",
        64,
        "--lambda",
        0.1,
        "-o",
        "m.recta",
    )
    (text,) = document["texts"]
    assert text["buckets"] == text["terms"] == 64 and 500 < text["collisions"] <= 600
    assert all("|" in c["feature"] for c in document["coefficients"]["label"])
    assert run("verify", "m.recta", "reviews.csv").returncode == 0


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--stop-words", "english"], "add --text"),
        (["--text", "bdy"], 'did you mean "body"'),
        (["--text", "body", "--text-ngrams", "2:1"], "not a range of lengths"),
        (["--text", "body", "--min-df", "many"], "not a number"),
        (["--text", "body", "--stem", "klingon"], "the languages are"),
        (["--text", "body", "--stop-words", "nowhere.txt"], "cannot be read"),
        (["--text", "body", "--vocabulary", "nowhere.txt"], "cannot be read"),
        (["--text", "body", "--min-df", "2.5"], "share from 0 to 1"),
        (["--text", "body", "--ignore", "body"], "two parts to play"),
        (["--text", "body", "--tfidf", "--hash-terms", "8"], "no document frequency"),
        (["--types", "body=text"], "--text body"),
    ],
)
def test_mistakes_are_told_with_their_cure(run, tmp_path, flags, says):
    reviews(tmp_path / "reviews.csv", 20)
    done = run("fit", "ridge", "reviews.csv", "--target", "y", *flags)
    assert done.returncode in (2, 3) and says in done.stderr, done.stderr


def test_cross_validation_learns_the_vocabulary_of_each_fold(run, tmp_path):
    reviews(tmp_path / "reviews.csv", 120)
    done = run("cv", "naive-bayes", "reviews.csv", "--text", "body", "--target", "label", "--ignore", "id,y", "--json")
    assert done.returncode == 0, done.stderr


def test_predictions_are_those_of_counts_written_out(run, tmp_path):
    """The same words as columns of numbers give the same model."""
    reviews(tmp_path / "reviews.csv", 80)
    with open(tmp_path / "reviews.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    words = sorted({word for row in rows for word in row["body"].split()})
    written(
        tmp_path / "counts.csv",
        [*words, "y"],
        [[row["body"].split().count(w) for w in words] + [row["y"]] for row in rows],
    )
    text = fitted(run, "ridge", "reviews.csv", "--text", "body", "--target", "y", "--ignore", "id,label,stars")
    counts = fitted(run, "ridge", "counts.csv", "--target", "y")
    found = {c["feature"]: c["value"] for c in text["coefficients"]["y"]}
    expected = {c["feature"]: c["value"] for c in counts["coefficients"]["y"]}
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_folder_of_folders_is_documents_and_their_classes(run, tmp_path):
    for k, (text, label) in enumerate(CHINESE):
        (tmp_path / "docs" / label).mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / label / f"{k}.txt").write_text(text + "\n", encoding="utf-8")
    document = fitted(run, "naive-bayes", "docs", "--text-dir", "-o", "m.recta")
    assert [row[1] for row in table(document, "classes")["rows"]] == [0.75, 0.25]
    assert run("verify", "m.recta", "docs").returncode == 0
    assert fitted(run, "naive-bayes", "docs", "--text-dir", "--stream")["texts"][0]["terms"] == 6
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a.txt").write_text("Chinese Chinese Chinese Tokyo Japan", encoding="utf-8")
    (found,) = csv.DictReader(run("predict", "m.recta", "new", "--proba").stdout.splitlines())
    assert float(found["c"]) == pytest.approx(4782969 / 6934265, rel=1e-15)
    (tmp_path / "docs" / "c" / "bad.txt").write_bytes(b"caf\xe9")
    done = run("fit", "naive-bayes", "docs", "--text-dir")
    assert done.returncode == 3 and "bad.txt: byte 4 is not UTF-8" in done.stderr
    assert run("fit", "naive-bayes", "docs", "--text-dir", "--bad-utf8", "replace").returncode == 0
    (tmp_path / "empty").mkdir()
    assert "without documents" in run("fit", "naive-bayes", "empty", "--text-dir").stderr
