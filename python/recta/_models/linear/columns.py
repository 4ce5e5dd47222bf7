"""Numbers given by column, penalty factors and bounds, as the library reads them: ``"area"=2.5,"age"=0``."""

from collections import Counter
from collections.abc import Mapping
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike

ByColumn = ArrayLike | dict[int | str, float] | float | None  # what is given

INFINITY = float("inf")
# Of each: the library's word, the least and the largest number, and what a column that is not named has.
KINDS = {
    "penalty_factors": ("penalty-factors", 0.0, 1e100, 1.0),
    "lower": ("lower", -INFINITY, 0.0, -INFINITY),
    "upper": ("upper", 0.0, INFINITY, INFINITY),
}


def column_texts(name, given, columns):
    """The library's parameters from what was given under the words of KINDS; ``name`` is the estimator's."""
    return {KINDS[word][0]: _Numbers(name, word, columns).text(values) for word, values in given.items()}


def columns_given(text):
    """The way back: a dict by name, or None."""
    items, quoted = [""], False
    for letter in text:
        if letter == '"':
            quoted = not quoted
        elif letter == "," and not quoted:
            items.append("")
        else:
            items[-1] += letter
    pairs = [item.rpartition("=") for item in items if item]
    return {column: float(number) for column, _, number in pairs} or None


class _Numbers:
    """One such parameter of one estimator."""

    def __init__(self, name, word, columns):
        self.place, self.word, self.columns = f"{name}({word}=...)", word, columns
        _, self.low, self.high, self.usual = KINDS[word]

    def text(self, values):
        pairs = [(column, self._checked(value, column)) for column, value in self._pairs(values)]
        told = (
            pairs
            if isinstance(values, Mapping)
            else [(column, value) for column, value in pairs if value != self.usual]
        )
        return ",".join(f'"{self._written(column)}"={value!r}' for column, value in told)

    def _pairs(self, values):
        """(name, number) a column. A name that no column has may be that of a level: the library knows them."""
        if isinstance(values, Mapping):
            return [(self._named(column), value) for column, value in values.items()]
        if isinstance(values, Real) and not isinstance(values, bool):
            return [(column, values) for column in dict.fromkeys(self.columns)]
        if isinstance(values, (str, bool)) or np.ndim(values) != 1:
            raise ValueError(
                f"{self.place} takes a number per column, or a dict of numbers by column. Got {values!r} instead."
            )
        if len(values) != len(self.columns):
            raise ValueError(f"{self.place}: there are {len(values)} numbers and {len(self.columns)} columns")
        return list(zip(self._distinct(), np.asarray(values).tolist()))

    def _named(self, column):
        if isinstance(column, str):
            return column
        if not isinstance(column, Integral) or isinstance(column, bool) or not 0 <= column < len(self.columns):
            raise ValueError(f"{self.place}: there is no column {column!r}; X has columns 0 to {len(self.columns) - 1}")
        return self._distinct()[column]

    def _distinct(self):
        column, times = Counter(self.columns).most_common(1)[0]
        if times > 1:
            raise ValueError(f"{self.place}: {times} columns have the name {column!r}, and numbers are given by name")
        return self.columns

    def _checked(self, value, column):
        if not isinstance(value, Real) or isinstance(value, bool) or not self.low <= value <= self.high:
            raise ValueError(
                f"{self.place} takes numbers from {self.low:g} to {self.high:g}. Got {value!r} of column {column!r} instead."
            )
        return float(value)

    def _written(self, column):
        if '"' in column:
            raise ValueError(
                f"{self.place}: the name {column!r} has a double quote in it, which the library takes for its end; "
                "give the column another name"
            )
        return column
