"""Which columns of a table in parts play which part: what a caller asks for, and what a model reads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from recta._base.errors import DataError, UsageError
from recta._data.rows import core_of

_MISSING = ("refuse", "drop", "mean", "indicator", "skip")


class Asked(NamedTuple):
    """The columns that are not features, and what else a caller says."""

    label: str | tuple[str, ...] | None = None  # several: a column of 0 and 1 for each label of a set
    weight: str | None = None
    offset: str | None = None
    checkpoint: str | None = None
    missing: str | None = None  # None: as the model treats missing values by default
    text: tuple[dict, ...] = ()  # columns of documents, with their settings
    best_so_far: bool = False  # the fit ends where the checkpoint does

    def fill(self, options):
        """Cells hold sets of labels if something separates them."""
        if isinstance(self.label, tuple):
            options.label_columns = list(self.label)
        elif options.label_separator:
            options.label_set = self.label or ""
        else:
            options.target = [self.label] if self.label else []
        options.weights, options.offset = self.weight or "", self.offset or ""
        options.text = list(self.text)
        if self.missing is not None:
            if self.missing not in _MISSING:
                raise UsageError(
                    "missing",
                    f"{self.missing!r} is not one of the ways to treat missing values by an engine",
                    f"give one of {', '.join(_MISSING)}",
                )
            options.missing = self.missing


def texts_asked(text):
    """Columns of documents with their settings: of a name, of several, or of names with settings."""
    named = {text: {}} if isinstance(text, str) else text if isinstance(text, dict) else dict.fromkeys(text or (), {})
    return tuple({"column": name, **settings} for name, settings in named.items())


def with_texts(features, texts):
    """The features, and the columns of documents behind them."""
    return [*features, *(one["column"] for one in texts if one["column"] not in features)]


def names_of(role):
    """The columns that play a part: none, one, or several."""
    return [role] if isinstance(role, str) and role else list(role or ())


def label_of(label):
    """A label as it is asked for: several names are those of a set."""
    return label if label is None or isinstance(label, str) else tuple(label)


def columns_asked(schema, features, *roles):
    """The columns of features, by default all that play no other part. A role is that of a column, or of several."""
    used = [name for role in roles for name in names_of(role)]
    names = list(schema) if features is None else list(features)
    chosen = [name for name in names if name not in used] if features is None else names
    for name in [*chosen, *used]:
        if name not in schema:
            raise DataError(
                f"column {name}", "the table has none of this name", f"it has {', '.join(list(schema)[:20])}"
            )
    if not chosen:
        raise UsageError("features", "no column is left for them", "name some: features=[...]")
    if len({*chosen, *used}) < len(chosen) + len(used):
        raise UsageError(
            "columns", "a column plays two parts", "give features, label, weight and offset different columns"
        )
    return chosen, used


def features_of(core, names):
    """The columns of a table that a model reads by their names, those of documents last, and how many numbers each vector among them must have: NAME_0,
    NAME_1, ... are NAME's."""
    features, widths = [], {}
    for name in core.columns[: len(core.columns) - core.sparse_columns]:
        vector, _, place = name.rpartition("_")
        if name in names:
            features.append(name)
        elif vector in names and place.isdecimal() and int(place) == widths.get(vector, 0):
            if vector not in widths:
                features.append(vector)
            widths[vector] = int(place) + 1
        else:
            raise DataError(
                f"column {name}",
                "the model reads it, and the table has none of this name",
                f"it has {', '.join(list(names)[:20])}",
            )
    for name in core.texts:
        if name not in names:
            raise DataError(
                f"column {name}",
                "the model reads documents there, and the table has none of this name",
                f"it has {', '.join(list(names)[:20])}",
            )
    return [*features, *core.texts], widths


def vectors_of(model, names, found, vectors=None):
    """The columns of vectors that a model reads its sparse columns from: those that are asked for, those of its fit, or the only one of the table.

    ``found``: the columns of vectors that the table has.
    """
    core = core_of(model)
    if core.sparse_columns == 0:
        return []
    others = {*core.columns[: len(core.columns) - core.sparse_columns], *core.targets, core.weights, core.offset}
    free = [name for name in found if name not in others]
    chosen = list(vectors or getattr(model, "vectors_", free))
    for name in chosen:
        if name not in names:
            raise DataError(
                f"column {name}",
                "the model reads vectors there, and the table has none of this name",
                f"it has {', '.join(list(names)[:20])}",
            )
    if not vectors and not hasattr(model, "vectors_") and len(free) != 1:
        raise UsageError(
            "vectors",
            f"the model reads {core.sparse_columns} sparse columns, and the table has {len(free)} columns of vectors",
            "name those of the fit, in its order: vectors=[...]",
        )
    return chosen


def check_vectors(core, columns):
    """Refuses sparse vectors that are not as long as the model's."""
    total = sum(columns.widths[name] for name in columns.sparse)
    if total != core.sparse_columns:
        raise DataError(
            f"column {', '.join(columns.sparse)}",
            f"its vectors have {total} numbers",
            f"those of the model have {core.sparse_columns}",
        )


def check_widths(columns, widths):
    """Refuses vectors that are not as long as the model's. Those that stay sparse are not looked at."""
    for name in {*columns.widths, *widths}.difference(columns.sparse):
        found, wanted = columns.widths.get(name, 1), widths.get(name, 1)
        if found != wanted:
            raise DataError(f"column {name}", f"its vectors have {found} numbers", f"those of the model have {wanted}")


def name_features(fitted, engine):
    """Tells an estimator which columns it reads."""
    features = engine.columns.feature_names()
    fitted.n_features_in_ = len(features)
    if engine.columns.named:
        fitted.feature_names_in_ = np.array(features, dtype=object)
