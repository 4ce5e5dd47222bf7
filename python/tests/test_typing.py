"""Type checkers see the estimators: a script that a user could have written is checked, and run."""

import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import TypeVar, get_args, get_type_hints

import pytest

import recta
from recta._base.declared import declared, estimator

SCRIPT = Path(__file__).with_name("typed_use.py")


def test_mypy_finds_no_fault_with_a_typed_script(tmp_path):
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", SCRIPT],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert checked.stdout == "Success: no issues found in 1 source file\n", checked.stdout + checked.stderr


def test_the_typed_script_runs(tmp_path):
    said = subprocess.run([sys.executable, SCRIPT], cwd=tmp_path, capture_output=True, text=True)
    assert (said.stdout, said.returncode) == ("good\n", 0), said.stderr


def test_decorators_give_a_class_back_with_its_type():
    """mypy takes no notice of what a class decorator returns; pyright does, and ``-> type`` would hide every estimator from it."""
    hints = get_type_hints(declared)
    assert isinstance(hints["return"], TypeVar) and hints["return"] is hints["cls"]
    (taken,), given = get_args(get_type_hints(estimator)["return"])
    assert isinstance(given, TypeVar) and given is taken


CLUSTERS = ("dask", "spark")  # packages of their own
MODULES = sorted(
    {one.name for one in pkgutil.iter_modules(recta.__path__) if not one.name.startswith("_")} - set(CLUSTERS)
) + ["feature_extraction.text"]


@pytest.mark.parametrize("name", MODULES)
def test_hints_of_whatever_is_public_can_be_read(name):
    module = importlib.import_module(f"recta.{name}")
    for public in getattr(module, "__all__", []):
        thing = getattr(module, public)
        if inspect.isclass(thing):
            get_type_hints(thing)
        methods = (
            [one for _, one in inspect.getmembers(thing, inspect.isfunction)] if inspect.isclass(thing) else [thing]
        )
        for function in methods:
            if getattr(function, "__module__", "").startswith("recta"):
                get_type_hints(function)
