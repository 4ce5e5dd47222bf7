"""Models of every word, as a past build saved them, still load, predict and verify; and a fit today gives the same
model: coefficients, figures, predictions and the sentence of its certificate.

A file of models/ is made once, by make.py, and never again: a change of an answer is seen here, and argued in the
changelog. Bits depend on the processor's matrix kernels, so numbers agree here when they differ by 1e-6 of their
size, as the pages' do; make.py compares bits.
"""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "scripts")]
from cases import CASES  # noqa: E402
from make import fit, predict  # noqa: E402
from outputs import difference, same_number  # noqa: E402


def model(name):
    return HERE / "models" / f"{name}.recta"


def inspect(recta, path):
    done = subprocess.run([recta, "inspect", path, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def assert_same_predictions(expected, printed):
    expected, printed = (list(csv.reader(text.splitlines())) for text in (expected, printed))
    assert expected[0] == printed[0] and len(expected) == len(printed)
    for row, (wanted, got) in enumerate(zip(expected[1:], printed[1:]), 1):
        assert same_cells(wanted, got), f"row {row}: {wanted} before, {got} now"


def same_cells(wanted, got):
    try:
        return all(a == b or same_number(float(a), float(b)) for a, b in zip(wanted, got, strict=True))
    except ValueError:  # a label
        return wanted == got


COUNT = re.compile(r"\d+(?= (?:steps|passes|sweeps))")


def assert_near_counts(expected, actual, where):
    """The same text, but for numbers of steps, passes and sweeps, which are within a factor of four."""
    assert COUNT.sub("N", expected) == COUNT.sub("N", actual), f"{where}: {expected!r} before, {actual!r} now"
    for before, now in zip(COUNT.findall(expected), COUNT.findall(actual)):
        assert before == now or int(before) <= 4 * int(now) <= 16 * int(before), (
            f"{where}: {expected!r} before, {actual!r} now"
        )


def assert_same_facts(expected, actual, where=""):
    """Two JSON documents of one shape whose numbers agree. The file's name may differ. How many steps and passes a solver took may differ by a
    factor of four: the last ones before rounding depend on the processor."""
    if isinstance(expected, dict):
        assert expected.keys() == actual.keys(), where
        for key in expected.keys() & {"reason", "passes"}:
            before, now = (facts[key] if key == "reason" else f"{facts[key]} passes" for facts in (expected, actual))
            assert_near_counts(before, now, f"{where}.{key}")
        for key in expected.keys() - {"file", "fingerprint", "reason", "passes"}:
            assert_same_facts(expected[key], actual[key], f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(expected) == len(actual), where
        for k, (a, b) in enumerate(zip(expected, actual)):
            assert_same_facts(a, b, f"{where}[{k}]")
    elif isinstance(expected, str):
        assert difference(expected, actual) is None, f"{where}: {expected!r} before, {actual!r} now"
    elif isinstance(expected, float) and actual is not None:
        assert same_number(expected, actual), f"{where}: {expected} before, {actual} now"
    else:
        assert expected == actual, where


def test_every_model_word_has_a_golden_file(recta):
    done = subprocess.run([recta, "fit", "--help"], capture_output=True, text=True)
    words = done.stdout.split("Models\n")[1].split("\n  recta fit MODEL")[0]
    assert {line.split()[0] for line in words.splitlines()} == {word for word, _ in CASES.values()}


@pytest.mark.parametrize("name", CASES)
def test_a_golden_model_predicts_what_it_predicted(recta, name):
    done = predict(recta, model(name), name)
    assert done.returncode == 0, done.stderr
    assert_same_predictions(model(name).with_suffix(".csv").read_text(encoding="utf-8"), done.stdout)


@pytest.mark.parametrize("name", CASES)
def test_a_golden_model_verifies_with_the_verdict_it_had(recta, name):
    done = subprocess.run([recta, "verify", model(name), CASES[name][1][0], "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    before = inspect(recta, model(name))["certificate"]
    assert json.loads(done.stdout)["certificate"]["verdict"] == before["verdict"]


@pytest.mark.parametrize("name", CASES)
def test_a_fit_today_gives_the_golden_model(recta, tmp_path, name):
    path = tmp_path / "today.recta"
    done = fit(recta, name, path)
    assert done.returncode == 0, done.stderr
    assert_same_facts(inspect(recta, model(name)), inspect(recta, path))
    assert_same_predictions(
        model(name).with_suffix(".csv").read_text(encoding="utf-8"), predict(recta, path, name).stdout
    )
