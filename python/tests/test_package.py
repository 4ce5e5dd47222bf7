"""The package as it is installed: light, documented, typed."""

import doctest
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import recta
import recta.calibration
import recta.discriminant_analysis
import recta.feature_selection
import recta.kernel_ridge
import recta.kernels
import recta.linear_model
import recta.metrics
import recta.model_selection
import recta.multiclass
import recta.multioutput
import recta.naive_bayes
import recta.plot
import recta.preprocessing
import recta.svm

MODULES = [
    "recta",
    "recta.discriminant_analysis",
    "recta.neighbors",
    "recta.datasets",
    "recta.linear_model",
    "recta.preprocessing",
    "recta._fitted.model",
    "recta._data.table",
    "recta._fitted.certificate",
    "recta._base.errors",
    "recta._estimator.certified",
    "recta._estimator.prediction",
    "recta._estimator.saved",
    "recta._models.linear.paths",
    "recta._fitted.diagnosis",
    "recta.feature_selection",
    "recta.plot",
    "recta.kernel_ridge",
    "recta.kernels",
    "recta.svm",
    "recta.calibration",
    "recta.metrics",
    "recta.model_selection",
]


def test_the_installed_package_is_what_is_tested():
    assert "site-packages" in recta.__file__


def test_importing_recta_does_not_import_scikit_learn():
    code = (
        "import sys, recta; recta.read, recta.load, recta.check, recta.datasets, recta.Model.fast_predictor;"
        "print([m for m in ('sklearn', 'scipy', 'pandas', 'polars', 'pyarrow', 'tqdm', 'matplotlib') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


def test_the_version_is_the_library_s():
    from importlib.metadata import version

    assert recta.__version__ == version("recta")


def examples(module):
    """All of a module, and of the classes and functions that it gathers from others."""
    found = {test.name: test for test in doctest.DocTestFinder().find(module)}
    for name in getattr(module, "__all__", ()):
        thing = getattr(module, name)
        if (inspect.isclass(thing) or inspect.isfunction(thing)) and thing.__module__.startswith("recta"):
            found |= {
                test.name: test for test in doctest.DocTestFinder().find(thing, f"{module.__name__}.{name}", False, {})
            }
    return [test for test in found.values() if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name):
    tests, runner = (
        examples(importlib.import_module(name)),
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE),
    )
    assert tests
    for test in tests:
        assert runner.run(test).failed == 0, test.name


def test_stubs_are_those_of_the_extension(tmp_path):
    pytest.importorskip("nanobind")
    made = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "recta._core", "-o", made], check=True)
    committed = Path(recta.__file__).with_name("_core.pyi")
    assert made.read_text() == committed.read_text(), (
        "python -m nanobind.stubgen -m recta._core -o python/recta/_core.pyi"
    )


def test_the_package_is_typed():
    assert Path(recta.__file__).with_name("py.typed").is_file()


def public():
    for module in (
        recta,
        recta.calibration,
        recta.datasets,
        recta.discriminant_analysis,
        recta.feature_selection,
        recta.kernel_ridge,
        recta.kernels,
        recta.linear_model,
        recta.metrics,
        recta.model_selection,
        recta.multiclass,
        recta.multioutput,
        recta.naive_bayes,
        recta.plot,
        recta.preprocessing,
        recta.svm,
    ):
        for name in module.__all__:
            thing = getattr(module, name)
            if (inspect.isclass(thing) or inspect.isfunction(thing)) and thing.__module__.startswith(
                "recta"
            ):  # and not scikit-learn's
                yield f"{module.__name__}.{name}", thing


def test_everything_public_has_an_example():
    for name, thing in public():
        plain = inspect.isclass(thing) and issubclass(thing, recta.Error) and thing is not recta.Error
        assert thing.__doc__ and (plain or ">>>" in thing.__doc__), name


def test_every_public_method_and_attribute_is_documented():
    for name, thing in public():
        ours = [base for base in getattr(thing, "__mro__", ()) if base.__module__.startswith("recta.")]
        for base in ours:
            for word, member in vars(base).items():
                if not word.startswith("_") and (
                    inspect.isfunction(member) or isinstance(member, (classmethod, staticmethod))
                ):
                    assert getattr(thing, word).__doc__, f"{name}.{word}"


def test_every_public_signature_is_typed():
    for name, thing in public():
        found = (
            [(name, thing)]
            if inspect.isfunction(thing)
            else [
                (f"{name}.{word}", member)
                for base in thing.__mro__
                if base.__module__.startswith("recta.")
                for word, member in (
                    (word, getattr(member, "__func__", getattr(member, "fget", member)))
                    for word, member in vars(base).items()
                )
                if inspect.isfunction(member)
                and (not word.startswith("_") or (word == "__init__" and hasattr(base, "fit")))
            ]
        )
        for word, function in found:
            signature = inspect.signature(function)
            assert signature.return_annotation is not signature.empty, word
            for parameter in signature.parameters.values():
                assert parameter.name in ("self", "cls") or parameter.annotation is not parameter.empty, (
                    f"{word}({parameter.name})"
                )
