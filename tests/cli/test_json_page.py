"""docs/json.md names every document that commands write, and every key at the top of each."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = re.compile(r"recta/[a-z]+/\d+")
KEPT_RECORD = "recta/search/1"  # a file of a search under way, which no command prints

SECTIONS = re.split(r"^## ", (ROOT / "docs/json.md").read_text(encoding="utf-8"), flags=re.M)[1:]

MODEL = ["fit", "linear", "housing", "--target", "price", "-o", "m.recta"]
CLASSES = ["fit", "logistic", "rings", "--lambda", "0.1", "-o", "c.recta"]

# What is run before it, and the command that prints the document.
DOCUMENTS = {
    "recta/calibrate/1": ([CLASSES], ["calibrate", "c.recta", "rings"]),
    "recta/check/1": ([], ["check", "housing", "--target", "price"]),
    "recta/compare/1": (
        [MODEL, ["fit", "linear", "housing", "--target", "price", "--ignore", "rm", "-o", "s.recta"]],
        ["compare", "s.recta", "m.recta"],
    ),
    "recta/completion/1": ([], ["completion", "bash"]),
    "recta/convert/1": ([], ["convert", "housing", "h.npy"]),
    "recta/curve/1": ([], ["curve", "linear", "housing", "--target", "price"]),
    "recta/cv/1": ([], ["cv", "ridge", "housing", "--target", "price", "--grid", "lambda=0.1,1"]),
    "recta/data/1": ([], ["data"]),
    "recta/diagnose/1": ([MODEL], ["diagnose", "m.recta", "housing"]),
    "recta/doctor/1": ([], ["doctor"]),
    "recta/error/1": ([], ["fit", "linear", "housing", "--target", "prise"]),
    "recta/eval/2": ([CLASSES], ["eval", "c.recta", "rings"]),
    "recta/explain/1": ([CLASSES], ["explain", "c.recta", "rings", "--row", "3"]),
    "recta/fit/2": ([], CLASSES),
    "recta/help/1": ([], ["help"]),
    "recta/inspect/2": ([MODEL], ["inspect", "m.recta"]),
    "recta/kernel/1": ([], ["kernel", "iris", "--target", "species", "--kernel", "rbf"]),
    "recta/neighbours/1": (
        [["fit", "knn", "iris", "--target", "species", "-o", "n.recta"]],
        ["neighbours", "n.recta", "iris"],
    ),
    "recta/path/2": ([], ["path", "lasso", "housing", "--target", "price", "--count", "4", "--choose", "bic"]),
    "recta/plot/1": ([MODEL], ["plot", "residuals", "m.recta", "housing", "-o", "p.svg"]),
    "recta/predict/1": ([CLASSES], ["predict", "c.recta", "rings", "--proba"]),
    "recta/separability/1": ([], ["check", "iris", "--separable", "--positive", "Iris-setosa"]),
    "recta/table/1": ([], ["data", "iris"]),
    "recta/thin/1": ([], ["thin", "iris", "--target", "species", "-o", "t.csv"]),
    "recta/threshold/1": (
        [["fit", "logistic", "line-six", "--lambda", "0.1", "-o", "t.recta"]],
        ["threshold", "t.recta", "line-1234", "--for", "f1"],
    ),
    "recta/trace/1": ([], ["trace", "linear", "housing", "--target", "price", "--steps", "3"]),
    "recta/transform/1": (
        [["fit", "lda", "iris", "--target", "species", "-o", "d.recta"]],
        ["transform", "d.recta", "iris"],
    ),
    "recta/verify/1": ([MODEL], ["verify", "m.recta", "housing"]),
    "recta/version/1": ([], ["version"]),
}


def sections_of(schema):
    return [section for section in SECTIONS if schema in section.partition("\n")[0]]


def named_in(schema):
    """The words in backticks of its sections, and of those of the documents that they refer to."""
    text = "".join(sections_of(schema))
    text += "".join("".join(sections_of(other)) for other in set(SCHEMA.findall(text)) - {schema})
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", text))))


def test_the_page_has_the_documents_that_the_sources_write():
    sources = [*ROOT.glob("src/**/*.[ch]pp"), *ROOT.glob("cli/*.[ch]pp")]
    texts = (path.read_text(encoding="utf-8") for path in sources if not path.stem.endswith("_test"))
    written = {schema for text in texts for schema in SCHEMA.findall(text)}
    headed = {schema for section in SECTIONS for schema in SCHEMA.findall(section.partition("\n")[0])}
    assert headed == written - {KEPT_RECORD}
    assert headed == set(DOCUMENTS)


@pytest.mark.parametrize("schema", DOCUMENTS)
def test_every_key_of_a_document_is_on_the_page(run, schema):
    before, command = DOCUMENTS[schema]
    for arguments in before:
        assert run(*arguments).returncode == 0
    document = json.loads(run(*command, "--json").stdout)
    assert document.pop("schema") == schema, document
    assert set(document) <= named_in(schema)
