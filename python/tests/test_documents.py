"""The page for people who come from scikit-learn says what the code does. Its code blocks are run with the other pages'."""

import inspect
import re
from pathlib import Path

import pytest

import recta.linear_model
import recta.feature_extraction.text
import recta.preprocessing
from recta import _core, _parameter_table
from recta._estimator import CertifiedEstimator

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


ESTIMATORS = [name for name in recta.linear_model.__all__ if inspect.isclass(getattr(recta.linear_model, name))]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_parameter_has_a_kind_and_a_line_on_the_page(name):
    words = set(inspect.signature(getattr(recta.linear_model, name)).parameters)
    assert set(_parameter_table.TABLE[name]) == words
    shared = "all|" if issubclass(getattr(recta.linear_model, name), CertifiedEstimator) else ""
    lines = [line for line in PAGE.read_text().splitlines() if re.match(rf"\| ({shared}[^|]*`{name}`[^|]*) \| `", line)]
    named = {word for line in lines for word in re.findall(r"`(\w+)`", line.split("|")[2])}
    assert named == words


@pytest.mark.parametrize("name", ESTIMATORS)
def test_translated_words_exist_in_the_library(name):
    kinds = (_core.FitOptions, _core.PathOptions, _core.OnlineOptions)
    options = {word for kind in kinds for word in dir(kind) if not word.startswith("_")}
    options |= {"tau", "solver", "watch", "seed", "start", "weights", "lambda1", "lambda2", "l1-share", "non-negative", "groups",
                "group-factors", "epsilon", "quantile", "passes", "order", "variant", "rate", "stop-gradient",
                "penalty-factors", "loss", "penalty", "lambda", "delta", "lower", "upper", "psi", "kernel", "gamma", "degree", "coef", "cache"}
    for word, kind in _parameter_table.TABLE[name].items():
        if isinstance(kind, _parameter_table.Translated):
            assert set(kind.recta.split(", ")) <= options, word


def test_the_page_names_every_estimator():
    for module in (recta.linear_model, recta.preprocessing, recta.feature_extraction.text):
        for name in module.__all__:
            word = f"{module.__name__.removeprefix('recta.')}.{name}"
            assert f"| `{word}` | `{word}` |" in PAGE.read_text() or f"| none | `{word}` |" in PAGE.read_text()
