"""Nearest neighbours of a table that stands in parts elsewhere: every part gives the rows that are nearest to the queries, and a model of these alone
answers for the queries as one of all rows would."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
from sklearn.base import clone

from recta._base.errors import DataError, UsageError
from recta._models.neighbors.k_nearest import KNeighborsRegressor
from recta._models.neighbors.radius import RadiusNeighborsRegressor

from .parts_of_tables import dataset_of, from_ipc, ipc

# Distances that are those of two rows, whatever the others are.
_METRICS = (
    "minkowski",
    "euclidean",
    "sqeuclidean",
    "manhattan",
    "chebyshev",
    "cosine",
    "hamming",
    "jaccard",
    "haversine",
)
_PLACE = "place in its part"


class NearTask:
    """The question to every part; it travels to the machines."""

    kind = "near"

    def __init__(self, columns, label, estimator, queries):
        self.columns, self.label, self.estimator, self.queries = columns, label, estimator, queries

    def __call__(self, part, read):
        """Yields (part, what it is, the number of its rows, bytes): the rows that some query needs, or an error."""
        table = read()
        try:
            places = self._places(table, f"part {part + 1}")
        except DataError as error:
            yield part, "error", table.num_rows, pickle.dumps((error.where, error.what, error.advice))
            return
        yield part, "near", table.num_rows, ipc(table.take(places).append_column(_PLACE, pa.array(places)))

    def _places(self, table, source):
        if not table.num_rows:
            return np.zeros(0, dtype=np.int64)
        rows = matrix_of(table, self.columns, source)
        # At equal distances the row of the lower label is nearer (docs/neighbours.md), and ranks within a part order labels as all parts do.
        labels = labels_of(table, self.label, source) if self.label else np.zeros(len(rows))
        _, firsts, ranks = np.unique(labels, return_index=True, return_inverse=True)
        kept = (
            firsts if hasattr(self.estimator, "predict_proba") else firsts[:0]
        )  # a row of every class, so that all are known
        return np.union1d(kept, self._near(rows, ranks.astype(float)))

    def _near(self, rows, ranks):
        queries = np.array(self.queries)  # what came from elsewhere may not be aligned
        how = {name: getattr(self.estimator, name) for name in ("metric", "p", "metric_params")}
        if _counts(self.estimator):
            near = KNeighborsRegressor(n_neighbors=min(self.estimator.n_neighbors, len(rows)), **how).fit(rows, ranks)
            return near.kneighbors(queries, return_distance=False)
        within = (
            RadiusNeighborsRegressor(radius=self.estimator.radius, **how)
            .fit(rows, ranks)
            .radius_neighbors(queries, return_distance=False)
        )
        return np.concatenate([np.zeros(0, np.int64), *within])


def _counts(estimator):
    """Whether so many neighbours are asked for, rather than those within a radius."""
    return "n_neighbors" in estimator.get_params()


def matrix_of(table, columns, source):
    """The features of some rows; a number that is missing or infinite is named."""
    names = columns.feature_names()
    rows = np.asarray(dataset_of(table, columns, source).matrix(names))
    bad = np.argwhere(~np.isfinite(rows))
    if len(bad):
        row, place = bad[0]
        raise DataError(
            f"{source}, row {row + 1}, column {names[place]}",
            f"the value is {rows[row, place]}",
            "fill it in, or leave the row out",
        )
    return rows


def labels_of(table, name, source):
    """The labels of some rows; one that is missing is named."""
    column = table.column(name)
    missing = np.flatnonzero(column.is_null(nan_is_null=True).to_numpy())
    if len(missing):
        raise DataError(
            f"{source}, row {missing[0] + 1}, column {name}", "the label is missing", "fill it in, or leave the row out"
        )
    return column.to_numpy()


def fit_near(engine, estimator, queries, label):
    """A fitted clone of an estimator of neighbours, of the rows that the queries need; ``rows_`` has their numbers in the table."""
    _check(engine.columns, estimator)
    queries = np.ascontiguousarray(queries, dtype=float)
    names = engine.columns.feature_names()
    if queries.ndim != 2 or queries.shape[1] != len(names):
        raise DataError(
            "queries", f"their shape is {queries.shape}", f"give rows of {len(names)} numbers: {', '.join(names[:20])}"
        )
    found = sorted(engine.run(NearTask(engine.columns, label, clone(estimator), queries)), key=lambda one: one[0])
    for _, what, _, data in found:
        if what == "error":
            raise DataError(*pickle.loads(data))
    first = np.concatenate([[0], np.cumsum([rows for _, _, rows, _ in found])])
    tables = [from_ipc(data) for _, _, _, data in found]
    numbers = np.concatenate([start + table.column(_PLACE).to_numpy() for start, table in zip(first, tables)])
    table = pa.concat_tables([table.drop_columns([_PLACE]) for table in tables])
    if not table.num_rows:
        raise DataError("queries", "no row is near them", "give a larger radius, or a table with rows")
    if _counts(estimator) and estimator.n_neighbors > first[-1]:
        raise DataError(
            "n_neighbors", f"{estimator.n_neighbors} neighbours are more than the {first[-1]} rows", "ask for fewer"
        )
    fitted = clone(estimator)
    rows = matrix_of(table, engine.columns, "the table")
    fitted.fit(rows, table.column(label).to_numpy()) if label else fitted.fit(rows)
    fitted.rows_ = numbers
    return fitted


def _check(columns, estimator):
    name = type(estimator).__name__
    if not {"n_neighbors", "radius"} & set(estimator.get_params()):
        raise UsageError(name, "it is not an estimator of neighbours", "take one of recta.neighbors, or fit()")
    if estimator.metric not in _METRICS:
        raise UsageError(
            f"{name}, metric {estimator.metric}",
            "such distances need more than the two rows they are of",
            f"take one of {', '.join(_METRICS)}",
        )
    for feature in columns.features:
        if feature not in columns.widths and pa.types.is_string(columns.schema.field(feature).type):
            raise UsageError(
                f"column {feature}",
                "it holds text, and distances are of numbers",
                "leave it out, or make numbers of it",
            )
