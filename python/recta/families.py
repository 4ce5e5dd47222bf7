"""Estimators of families that bring their Python class along in their own folder (CONTRIBUTING.md)."""

import importlib
import pkgutil

from . import _families, _sklearn  # the latter says so where scikit-learn is missing

__all__ = []


def _bring_in(module):
    for name, value in vars(module).items():
        if isinstance(value, type) and value.__module__ == module.__name__ and not name.startswith("_"):
            value.__module__ = __name__
            globals()[name] = value
            __all__.append(name)


for _found in pkgutil.iter_modules(_families.__path__):
    _bring_in(importlib.import_module(f"{_families.__name__}.{_found.name}"))
