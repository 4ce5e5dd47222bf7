"""A plugin of pytest: while it runs, what scikit-learn and Recta both offer under one name is Recta's.

The public modules stay rebound, as tests read them while they run (``linear_model.SGDClassifier``). The private modules are rebound
only while test modules are imported, so that what Recta does not have (``MultiTaskLassoCV``) still works with scikit-learn's own parts.
"""

import importlib
import inspect
from contextlib import contextmanager

import pytest
import sklearn.feature_extraction.text
import sklearn.linear_model
import sklearn.svm

import recta.feature_extraction.text
import recta.linear_model
import recta.svm

PUBLIC = ((sklearn.linear_model, recta.linear_model), (sklearn.svm, recta.svm),
          (sklearn.feature_extraction.text, recta.feature_extraction.text))
# The one file that is mostly about what Recta does not have: of it only the tests that name what Recta has.
MOSTLY_OTHERS = "test_svm"


def shared_names():
    """(module of scikit-learn, name, Recta's thing), for the public modules."""
    return [(theirs, name, getattr(ours, name)) for theirs, ours in PUBLIC for name in ours.__all__ if hasattr(theirs, name)]


@contextmanager
def private_modules_rebound():
    originals = []
    for public, name, replacement in SHARED:
        home = importlib.import_module(ORIGINALS[public, name].__module__)
        originals.append((home, name, getattr(home, name)))
        setattr(home, name, replacement)
    try:
        yield
    finally:
        for home, name, original in originals:
            setattr(home, name, original)


SHARED = shared_names()
ORIGINALS = {(public, name): getattr(public, name) for public, name, _ in SHARED}


def pytest_configure():
    for public, name, replacement in SHARED:
        setattr(public, name, replacement)
        original = ORIGINALS[public, name]
        if hasattr(original, "_get_loss"):  # with which the fixtures of test_glm.py compute what they expect
            replacement._get_loss = original._get_loss


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    with private_modules_rebound():
        return (yield)


def pytest_collection_modifyitems(config, items):
    names = {name for public, name, _ in SHARED if public is sklearn.svm}
    others = [item for item in items if item.module.__name__.endswith(MOSTLY_OTHERS) and not is_about(item, names)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in set(others)]


def is_about(item, names):
    parameters = repr(getattr(item, "callspec", None) and item.callspec.params)
    return any(name in inspect.getsource(item.function) or name in parameters for name in names)
