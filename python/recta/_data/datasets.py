"""The data sets that are part of Recta."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np

from recta import _core
from recta._base.words import in_python

from .table import Table, read


def names() -> list[str]:
    """The names of all sets.

    >>> import recta
    >>> "iris" in recta.datasets.names()
    True
    """
    return [name for name, *_ in _core.builtin_sets()]


def describe() -> dict[str, tuple[str, str, int, int]]:
    """A dict of name to (summary, target, rows, columns).

    >>> import recta
    >>> recta.datasets.describe()["iris"][1:]
    ('species', 150, 5)
    """
    return {name: (in_python(summary), *rest) for name, summary, *rest in _core.builtin_sets()}


@overload
def load(name: str, *, return_X_y: Literal[False] = False) -> Table: ...
@overload
def load(name: str, *, return_X_y: Literal[True]) -> tuple[Any, np.ndarray]: ...
def load(name: str, *, return_X_y: bool = False) -> Table | tuple[Any, np.ndarray]:
    """A set by its name: a :class:`recta.Table`, or its features and its target.

    >>> import recta
    >>> recta.datasets.load("iris").shape
    (150, 5)
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> X.shape, str(y[0])
    ((150, 4), 'Iris-setosa')
    """
    known = describe()
    if name not in known:
        raise ValueError(f"there is no built-in set {name!r}; the sets are {', '.join(known)}")
    target = known[name][1]
    if return_X_y and not target:
        raise ValueError(
            f"the set {name!r} has no target of its own; load({name!r}).split(COLUMN) makes a column the target"
        )
    return read(name).split(target) if return_X_y else read(name)
