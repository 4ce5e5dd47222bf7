"""Frames with categories as columns of numbers: numbers as they are, and of a category one feature of 0 and 1 per level, or the level's code."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from recta._base.errors import DataError

from .input import frame_columns, table_of


class CodedRows(NamedTuple):
    """Rows that are features already."""

    rows: sparse.csr_array


class FrameFeatures:
    """``columns``: the name of each, and its levels, sorted as the library sorts them, or None where it holds numbers."""

    _first = 0  # level of every category that has a feature

    def __init__(self, frame):
        table = table_of(frame_columns(frame))[0]
        self.columns = [
            (name, table.codes(name)[1] if kind == "category" else None) for name, kind in zip(table.names, table.types)
        ]

    def without_references(self):
        """The same where the first level of every category has no feature: it is where all others are 0."""
        other = type(self).__new__(type(self))
        other.columns, other._first = self.columns, 1
        return other

    def _table(self, frame):
        """Its columns, found by name, and what they hold."""
        if isinstance(frame, (np.ndarray, list, tuple)) or sparse.issparse(frame):
            raise DataError(
                "X", "its columns have no names", "give a frame with the columns of training, which had categories"
            )
        categories = [name for name, levels in self.columns if levels is not None]
        table = table_of(frame_columns(frame, [name for name, _ in self.columns], categories))[0]
        kinds = dict(zip(table.names, table.types))
        for name, _ in self.columns:
            if name not in kinds:
                raise DataError(
                    f"column {name}", "it was there in training, and is missing", "columns are found by name"
                )
        return table, kinds

    def names(self):
        return [
            feature
            for name, levels in self.columns
            for feature in ([name] if levels is None else [f"{name}={level}" for level in levels[self._first :]])
        ]

    def rows(self, frame, unseen):
        """The features of a frame whose columns are found by name; ``unseen``: whether a level that is not known is an error."""
        (table, kinds), blocks = self._table(frame), []
        for name, levels in self.columns:
            if levels is None:
                blocks.append(sparse.csr_array(_numbers(table, name, kinds[name])[:, None]))
            else:
                blocks.append(
                    _indicators(_places(table, name, kinds[name], levels, unseen), len(levels))[:, self._first :]
                )
        found = sparse.hstack(blocks, format="csr")
        found.sort_indices()
        return found


def _numbers(table, name, kind):
    if kind == "category":
        raise DataError(f"column {name}", "it held numbers in training, and is a category", "give numbers")
    return table.numbers(name)


def _places(table, name, kind, levels, unseen):
    """The place of each row's level among those of training; -1: it has none of them."""
    if kind == "category":
        codes, given = table.codes(name)
    else:  # levels that look like numbers
        numbers = table.numbers(name)
        given, codes = np.unique(numbers, return_inverse=True)
        given, codes = (
            [f"{value:.17g}" if value != int(value) else str(int(value)) for value in given.tolist() if value == value],
            np.where(np.isnan(numbers), -1, codes),
        )
    if (codes < 0).any():
        raise DataError(
            f"row {int(np.argmax(codes < 0)) + 1}, column {name}",
            "the value is missing",
            "drop such rows or fill them in",
        )
    place_of = {level: place for place, level in enumerate(levels)}
    places = np.array([place_of.get(level, -1) for level in given], dtype=np.int64)[codes]
    if unseen == "refuse" and (places < 0).any():
        row = int(np.argmax(places < 0))
        raise DataError(
            f"row {row + 1}, column {name}",
            f'the category "{given[codes[row]]}" was not seen in training',
            "fit with unseen='zeros' to let such rows have no level",
        )
    return places


def _indicators(places, levels):
    known = places >= 0
    start = np.concatenate([[0], np.cumsum(known)])
    return sparse.csr_array((np.ones(start[-1]), places[known], start), shape=(len(places), levels))


class FrameCodes(FrameFeatures):
    """The same with one column per category, the places of its levels from 0."""

    def levels(self):
        """How many levels each column has; 0 where it holds numbers."""
        return np.array([0 if levels is None else len(levels) for _, levels in self.columns])

    def names(self):
        return [name for name, _ in self.columns]

    def rows(self, frame, unseen):
        table, kinds = self._table(frame)
        return sparse.csr_array(
            np.column_stack(
                [
                    _numbers(table, name, kinds[name])
                    if levels is None
                    else _places(table, name, kinds[name], levels, unseen).astype(np.float64)
                    for name, levels in self.columns
                ]
            )
        )
