"""The page for people who come from scikit-learn says what the code does. Its code blocks are run with the other pages'."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import recta
import recta.feature_extraction.text
import recta.linear_model
import recta.preprocessing
from public_estimators import CLASSES, MODULES
from recta import _core
from recta._base.declared import parameters_of
from recta._estimator.certified import CertifiedEstimator

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


ESTIMATORS = [name for name in recta.linear_model.__all__ if inspect.isclass(getattr(recta.linear_model, name))]


def rows_of_the_table():
    """Of every line: the names of scikit-learn, and Recta's."""
    table = PAGE.read_text().partition("| `sklearn` | `recta` |")[2].partition("\n\n")[0]
    for line in table.splitlines()[2:]:
        names = []
        for cell in line.split("|")[1:3]:
            module, found = "", []
            for name in re.findall(r"`([\w.]+)`", cell):
                module = name.rpartition(".")[0] or module
                found.append(f"{module}.{name.rpartition('.')[2]}")
            names.append(found)
        yield names


def test_every_estimator_stands_in_the_table_beside_its_peer():
    theirs, ours = ([name for row in rows_of_the_table() for name in row[side]] for side in (0, 1))
    for package, names in (("sklearn", theirs), ("recta", ours)):
        for name in names:
            module, _, attribute = name.rpartition(".")
            assert hasattr(importlib.import_module(f"{package}.{module}"), attribute), f"{package}.{name}"
    assert set(CLASSES) <= set(ours)
    for name in CLASSES:
        module, _, attribute = name.rpartition(".")
        try:
            peer = hasattr(importlib.import_module(f"sklearn.{module}"), attribute)
        except ImportError:
            peer = False
        assert (name in theirs) == peer, name


def test_every_public_module_with_estimators_is_looked_at():
    public = {module.name for module in pkgutil.walk_packages(recta.__path__) if not module.name.startswith("_")}
    public |= {
        f"feature_extraction.{module.name}" for module in pkgutil.iter_modules(recta.feature_extraction.__path__)
    }
    found = set()
    for name in public - {"feature_extraction", "dask", "spark"}:  # whose estimators run on clusters
        module = importlib.import_module(f"recta.{name}")
        if any(
            inspect.isclass(thing) and hasattr(thing, "fit")
            for thing in (getattr(module, word) for word in getattr(module, "__all__", []))
        ):
            found.add(name)
    assert found - {"families"} == set(MODULES)  # families has classes that the build finds


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_parameter_has_a_kind_and_a_line_on_the_page(name):
    words = set(inspect.signature(getattr(recta.linear_model, name)).parameters)
    declared = parameters_of(getattr(recta.linear_model, name))
    assert set(declared) == words and all(one.says() for one in declared.values())
    shared = "all|" if issubclass(getattr(recta.linear_model, name), CertifiedEstimator) else ""
    lines = [line for line in PAGE.read_text().splitlines() if re.match(rf"\| ({shared}[^|]*`{name}`[^|]*) \| `", line)]
    named = {word for line in lines for word in re.findall(r"`(\w+)`", line.split("|")[2])}
    assert named == words


@pytest.mark.parametrize("name", ESTIMATORS)
def test_translated_words_exist_in_the_library(name):
    kinds = (_core.FitOptions, _core.PathOptions, _core.OnlineOptions)
    options = {word for kind in kinds for word in dir(kind) if not word.startswith("_")}
    options |= {
        "tau",
        "solver",
        "watch",
        "seed",
        "start",
        "weights",
        "lambda1",
        "lambda2",
        "l1-share",
        "non-negative",
        "groups",
        "group-factors",
        "epsilon",
        "quantile",
        "passes",
        "order",
        "variant",
        "rate",
        "stop-gradient",
        "penalty-factors",
        "loss",
        "penalty",
        "lambda",
        "delta",
        "lower",
        "upper",
        "psi",
        "kernel",
        "gamma",
        "degree",
        "coef",
        "cache",
    }
    for word, one in parameters_of(getattr(recta.linear_model, name)).items():
        if one.word:
            assert set(one.word.split(", ")) <= options, word


def test_the_page_names_every_estimator():
    for module in (recta.linear_model, recta.preprocessing, recta.feature_extraction.text):
        for name in module.__all__:
            word = f"{module.__name__.removeprefix('recta.')}.{name}"
            assert f"| `{word}` | `{word}` |" in PAGE.read_text() or f"| none | `{word}` |" in PAGE.read_text()
