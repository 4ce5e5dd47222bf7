"""Estimators of families that bring their Python class along in their own folder (CONTRIBUTING.md)."""

import importlib
import pkgutil

from recta import _families
from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._base.declared import moved

__all__ = []


def _bring_in(module):
    for name, value in vars(module).items():
        if isinstance(value, type) and value.__module__ == module.__name__ and not name.startswith("_"):
            globals()[name] = moved(value, __name__)
            __all__.append(name)


for _found in pkgutil.iter_modules(_families.__path__):
    _bring_in(importlib.import_module(f"{_families.__name__}.{_found.name}"))
