"""A plugin of pytest: while it runs, what scikit-learn and Recta both offer under one name is Recta's.

The public modules stay rebound, as tests read them while they run (``linear_model.SGDClassifier``). The private modules are rebound
only while test modules are imported, so that what Recta does not have (``MultiTaskLassoCV``) still works with scikit-learn's own parts.
"""

import importlib
import inspect
import os
import re
import signal
from contextlib import contextmanager

import pytest

MODULES = os.environ["REBOUND_MODULES"].split()  # of scikit-learn
ELSEWHERE = {"impute": "neighbors"}  # in Recta
# Their tests are mostly about what Recta has; of the other modules only those count that name something of Recta's, and of
# test_svm.py something of its own module.
WHOLE = ("sklearn.linear_model", "sklearn.feature_extraction")
OF_ITS_MODULE = "test_svm"
LONGEST = 300  # seconds that a test may take


def shared_names():
    """(module of scikit-learn, name, Recta's thing), for the public modules."""
    out = []
    for place in MODULES:
        theirs = importlib.import_module(f"sklearn.{place}")
        ours = importlib.import_module(f"recta.{ELSEWHERE.get(place, place)}")
        for name in ours.__all__:
            if hasattr(theirs, name) and getattr(ours, name) is not getattr(theirs, name):
                out.append((theirs, name, getattr(ours, name)))
    return out


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    """A test that gets stuck fails, and the others run: the library, too, looks for signals while it works."""

    def stop(*_):
        raise TimeoutError(f"it has not ended after {LONGEST} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        return (yield)
    finally:
        signal.alarm(0)


def pytest_collection_modifyitems(config, items):
    others = [item for item in items if not item.module.__name__.startswith(WHOLE) and not is_about(item)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in set(others)]


def is_about(item):
    own = item.module.__name__.endswith(OF_ITS_MODULE)
    names = {name for public, name, _ in SHARED if not own or item.module.__name__.startswith(public.__name__ + ".")}
    text = inspect.getsource(item.function) + repr(getattr(item, "callspec", None) and item.callspec.params)
    return any(name in text for name in names) if own else re.search(r"\b(" + "|".join(names) + r")\b", text)
