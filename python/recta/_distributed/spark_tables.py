"""Models of Spark's tables."""

from __future__ import annotations

import os
import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike
from pyspark import cloudpickle

from recta import _core
from recta._base.errors import UsageError
from recta._data.rows import core_of
from recta._fitted.certificate import Certificate
from recta._fitted.model import Model

from . import spark_part
from .columns import (
    Asked,
    check_vectors,
    check_widths,
    columns_asked,
    features_of,
    label_of,
    names_of,
    texts_asked,
    vectors_of,
    with_texts,
)
from .estimators import fit_estimator, with_vectors
from .near import fit_near
from .parquet_parts import ParquetParts
from .parts_of_tables import Columns, stays_sparse, width_of
from .scored_tables import cross_validated, features_beside, scores_of
from .spark_engines import FilesEngine, TableEngine, may_cache, numbers, this_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

cloudpickle.register_pickle_by_value(spark_part)

_SETS = "array<string>"  # predicted sets of labels


class _Table:
    """A DataFrame, as fits and predictions see it."""

    def __init__(self, df, order=None):
        self._df, self._order, self.names = df, order, df.columns

    def engine(self, features, others, sparse=None):
        columns, expressions = self._columns(features, others, sparse)
        unnamed = [
            expression.alias(f"c{k}") for k, expression in enumerate(expressions)
        ]  # mapInArrow takes no name with a dot
        return TableEngine(_in_order(self._df, self._order).select(*unnamed), columns)

    def vectors(self):
        """The columns of vectors that may be sparse."""
        return [field.name for field in self._df.schema.fields if field.dataType.typeName() in _VECTORS]

    def _columns(self, features, others, sparse=None):
        """The columns as they are read, and as Spark makes them: vectors become arrays, or stay sparse: those that ``sparse`` names, or whose first is."""
        vectors = self.vectors()
        arrays = [field.name for field in self._df.schema.fields if field.dataType.typeName() == "array"]
        firsts = {name: self._first(name) for name in features if name in vectors or name in arrays}
        if sparse is None:
            sparse = [name for name in firsts if name in vectors and stays_sparse(firsts[name])]
        expressions = [
            _column(name) if name not in vectors else _sparse(name) if name in sparse else _dense(name)
            for name in (*features, *others)
        ]
        widths = {name: width_of(value) for name, value in firsts.items()}
        return Columns(_arrow_schema(self._df.select(*expressions)), features, others, widths, sparse), expressions

    def _first(self, name):
        """The first vector of a column, in the order of the rows: it decides whether the column stays sparse."""
        there = self._df.where(_column(name).isNotNull())
        first = (
            (there if self._order is None else there.orderBy(_column(self._order)))
            .select(_column(name))
            .limit(1)
            .collect()
        )
        if not first:
            raise UsageError(f"column {name}", "it holds no vector", "give a table with rows")
        return first[0][0]

    def predictions(self, core, output, kind, keep, sparse):
        from pyspark.sql.functions import arrow_udf

        features, widths = features_of(core, self.names)
        columns, expressions = self._columns([*features, *sparse], [core.offset] if core.offset else [], sparse)
        _fits(core, columns, widths)
        function = arrow_udf(spark_part.predicting(core.to_bytes(), pickle.dumps(columns), _core.version()), kind)
        out = self._df.withColumn(output, function(*expressions))
        return out if keep is None else out.select(*map(_column, keep), _column(output))


_VECTORS = ("vectorudt", "vector")


def _fits(core, columns, widths):
    """The columns, ready for a model: vectors that are not as long as its own are refused."""
    columns.texts = frozenset(core.texts)
    check_widths(columns, widths)
    check_vectors(core, columns)


def _column(name):
    """A column by its name, which may have dots."""
    from pyspark.sql.functions import col

    return col("`" + name.replace("`", "``") + "`")


def _dense(name):
    """A column of vectors as arrays."""
    from pyspark.ml.functions import vector_to_array

    return vector_to_array(_column(name)).alias(name)


def _sparse(name):
    """A column of vectors as Spark writes them, which takes no memory for zeros."""
    from pyspark.sql.functions import unwrap_udt

    return unwrap_udt(_column(name)).alias(name)


class _Files:
    """Parquet files by their path, as fits and predictions see them."""

    def __init__(self, paths, session, cache):
        self._files, self._session = ParquetParts(paths), session
        self._cache = may_cache(session) if cache is None else cache
        self.names = self._files.schema.names

    def engine(self, features, others, sparse=None):
        return FilesEngine(self._session, self._files, self._files.columns(features, others, sparse), self._cache)

    def vectors(self):
        return self._files.vectors()

    def predictions(self, core, output, kind, keep, sparse):
        import pyarrow as pa
        from pyspark.sql.pandas.types import from_arrow_schema
        from pyspark.sql.types import StructField, StructType, _parse_datatype_string

        kept = self.names if keep is None else list(keep)
        features, widths = features_of(core, self.names)
        columns = self._files.columns([*features, *sparse], [core.offset] if core.offset else [], sparse)
        _fits(core, columns, widths)
        self._files.check(kept)
        fields = from_arrow_schema(pa.schema([self._files.schema.field(name) for name in kept])).fields
        schema = StructType([*fields, StructField(output, _parse_datatype_string(kind))])
        arrow = {"bigint": pa.int64(), "double": pa.float64(), "string": pa.string(), _SETS: pa.list_(pa.string())}[
            kind
        ]
        function = spark_part.predicting_files(
            core.to_bytes(), pickle.dumps(self._files), pickle.dumps(columns), kept, output, arrow, _core.version()
        )
        return numbers(self._session, len(self._files)).mapInArrow(function, schema)


def _is_path(data):
    return isinstance(data, str | os.PathLike | list | tuple)


def _table_of(data, order=None, cache=None):
    """A DataFrame, or Parquet files by their path. Files that are to be sorted become a DataFrame."""
    if order is not None or not _is_path(data):
        return _Table(_frame_of(data), order)
    return _Files(
        [os.fspath(one) for one in data] if isinstance(data, list | tuple) else os.fspath(data), this_session(), cache
    )


def _frame_of(data):
    """A DataFrame, also of Parquet files by their path."""
    if not _is_path(data):
        return data
    return this_session().read.parquet(
        *(os.fspath(one) for one in (data if isinstance(data, list | tuple) else [data]))
    )


def _arrow_schema(df):
    """The types that Spark sends."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(df.schema)


def _in_order(df, order):
    """The rows sorted by a column, in as many partitions as they had: Spark's own sort would leave 200 of a small table."""
    if order is None:
        return df
    from pyspark.sql.functions import max as largest
    from pyspark.sql.functions import spark_partition_id

    last = df.select(spark_partition_id().alias("part")).agg(largest("part")).collect()[0][0]
    return df.repartitionByRange((last or 0) + 1, _column(order)).sortWithinPartitions(_column(order))


def fit(
    data: DataFrame | Paths,
    estimator: Any,
    *,
    features: Sequence[str] | None = None,
    label: str | Sequence[str] | None = None,
    weight: str | None = None,
    offset: str | None = None,
    order: str | None = None,
    missing: str | None = None,
    text: str | Sequence[str] | dict[str, dict] | None = None,
    checkpoint: str | None = None,
    best_so_far: bool = False,
    cache: bool | None = None,
) -> Any:
    """Fits an estimator of Recta to a DataFrame of Spark, or to Parquet files, and proves the answer.

    Parameters
    ----------
    data : pyspark.sql.DataFrame, or the path of Parquet files: a file, a folder, or a list of files
        A DataFrame is read once: the columns of the fit are packed and kept in the executors' memory, or on their disks, until the fit ends.
        Files that all machines see are faster by their path: executors read them without Spark's rows in between.
    estimator : estimator of Recta, or a model's word such as "ridge", or a word with parameters and options of the fit,
        ("ridge", {"lambda": 0.1, "standardise": True}), ("logistic", {"multiclass": "ova"})
    features : names of columns, default all that play no other part
        Numbers as they are; text is taken for levels of a category; a vector or array of k numbers is k columns. Vectors of 256 numbers or more, of which the first
        is sparse, stay sparse: they take memory for what is not zero.
    label : name of a column, or names of columns of 0 and 1, one per label
        Several are the labels of a set, for ``LabelSetClassifier`` or a model's word. Cells such as ``a|b`` are one column, for ``LabelSetClassifier``, or for
        a word whose options have ``label_separator``.
    weight, offset : names of columns
    order : name of a column, default None
        Of distinct values: the rows are sorted by it, and the model then has the same bytes however the table was cut into partitions
        and shuffled. By default the rows are taken in the order in which Spark reads them, those of files in the order of their names.
    missing : {"refuse", "drop", "mean", "indicator", "skip"}, default None
        What becomes of missing values: their rows are dropped; the mean of the column stands for a missing number, and a level of its own for a
        missing category; a column that says where numbers were missing stands beside it as well. The means are learned with the levels, in the first
        round. ``skip`` is for naive Bayes alone, and its default; that of others is ``refuse``.
    text : name or names of columns, or a dict of names with settings, default None
        Columns of documents, for a model that is named by its word: how often each term occurs is a feature, and the vocabulary of all documents is learned
        in the first round. The settings have the names of ``recta::TextOptions``: ``{"body": {"idf": True, "norm": "l2", "least_documents": 5}}``.
    checkpoint : path of a file on the driver, default None
        Keeps the answers so far: a fit that was stopped goes on from there, to the same model.
    best_so_far : bool, default False
        The fit takes no step beyond the checkpoint: a few rounds more prove how far its best answer may be from the optimum. The checkpoint stays.
    cache : bool, default None
        Of files: whether the executors' Python processes keep the columns of the fit in memory between rounds, 8 bytes per number, as long as half of the
        machine's memory stays free; what they do not keep they read again. By default they do, except under YARN, which ends executors for it.

    Returns
    -------
    A fitted clone of the estimator; of a word a :class:`recta.Model`.
    """
    table = _table_of(data, order, cache)
    texts, label = texts_asked(text), label_of(label)
    features = with_texts(features_beside(table.names, features, label, weight, offset, order), texts)
    with table.engine(*columns_asked(table.names, features, label, weight, offset)) as engine:
        return fit_estimator(engine, estimator, Asked(label, weight, offset, checkpoint, missing, texts, best_so_far))


def near(
    data: DataFrame | Paths,
    estimator: Any,
    queries: ArrayLike,
    *,
    features: Sequence[str] | None = None,
    label: str | None = None,
) -> Any:
    """An estimator of :mod:`recta.neighbors` for some queries, of a table that stays where it is.

    The queries go to every part, and the rows that are nearest to some of them come back: few, whatever the length of the table. What is returned is a
    clone of the estimator that is fitted to these rows alone. Asked about the queries (``predict(queries)``, ``kneighbors(queries)``) it answers as
    one that was fitted to all rows; about others it does not. ``rows_`` has the numbers of its rows in the table, from 0.

    Parameters
    ----------
    data : pyspark.sql.DataFrame, or the path of Parquet files
    estimator : KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier, RadiusNeighborsRegressor or NearestNeighbors
        Its metric is one of two rows alone, such as "euclidean" or "cosine".
    queries : array of shape (n_queries, n_features)
    features : names of columns of numbers, or of vectors, default all but the label
    label : name of a column, default None
    """
    table = _table_of(data)
    with table.engine(*columns_asked(table.names, features, label), sparse=()) as engine:
        return fit_near(engine, estimator, queries, label)


def fit_options(data, word, options, *, ignore=(), order=None, checkpoint=None, best_so_far=False):
    """A model of the library's own options: what the command line asks for."""
    table = _table_of(data, order)
    others = [
        name
        for name in (*options.target, *options.label_columns, options.label_set, options.weights, options.offset)
        if name
    ]
    features = [name for name in table.names if name not in (*others, *ignore, order)]
    with table.engine(*columns_asked(table.names, features, *others)) as engine:
        return with_vectors(
            Model(engine.fit(word, options, Asked(checkpoint=checkpoint, best_so_far=best_so_far)).model), engine
        )


def verify(
    data: DataFrame | Paths, model: Any, *, order: str | None = None, vectors: Sequence[str] | None = None
) -> Certificate:
    """The proof of a model, made again from the rows it was trained on, in the same order. ``vectors`` is that of :func:`transform`."""
    core, table = core_of(model), _table_of(data, order)
    features, _ = features_of(core, table.names)
    sparse = vectors_of(model, table.names, table.vectors(), vectors)
    with table.engine(
        *columns_asked(table.names, [*features, *sparse], *core.targets, core.weights, core.offset), sparse=sparse
    ) as engine:
        check_vectors(core, engine.columns)
        return Certificate(engine.verify(core), core)


def transform(
    data: DataFrame | Paths,
    model: Any,
    *,
    output: str = "prediction",
    keep: Sequence[str] | None = None,
    vectors: Sequence[str] | None = None,
) -> DataFrame:
    """The table with one more column, that of the predictions; of a classifier: labels, and of a model of label sets arrays of them. Spark makes it when it is
    asked for.

    ``keep`` names the columns that stand beside it, by default all. For files, what is not kept is not handed to Spark, which takes most of the time.
    ``vectors`` names the columns of sparse vectors, for a model that was loaded from a file and a table that has several: the file has only their numbers.
    """
    core, table = core_of(model), _table_of(data)
    kind = (
        _SETS
        if core.labels
        else {"integer": "bigint", "real": "double"}.get(core.class_type, "string")
        if core.classes
        else "double"
    )
    return table.predictions(core, output, kind, keep, vectors_of(model, table.names, table.vectors(), vectors))


def evaluate(
    data: DataFrame | Paths,
    model: Any,
    *,
    label: str | Sequence[str],
    weight: str | None = None,
    vectors: Sequence[str] | None = None,
) -> dict[str, float]:
    """Scores of a model on labelled rows. Predictions and truths, two numbers per row, are collected by the driver. ``vectors`` is that of :func:`transform`."""
    found = transform(
        data, model, output="recta_prediction", keep=[*names_of(label), *names_of(weight)], vectors=vectors
    ).toArrow()
    predicted = found.column("recta_prediction").to_numpy()
    truth = (
        found.column(label).to_numpy()
        if isinstance(label, str)
        else {name: found.column(name).to_numpy() for name in label}
    )
    return scores_of(
        core_of(model), truth, predicted, found.column(weight).to_numpy().astype(float) if weight else None
    )


def cross_validate(
    data: DataFrame | Paths,
    estimator: Any,
    *,
    row_id: str,
    folds: int = 5,
    label: str | Sequence[str],
    features: Sequence[str] | None = None,
    weight: str | None = None,
    missing: str | None = None,
) -> list[dict[str, float]]:
    """Scores on every fold of a fit to the others. A row's fold is a hash of its id: the same on every machine, however the table is cut."""
    from pyspark.sql import functions

    df = _frame_of(data)
    chosen = features_beside(df.columns, features, row_id, label, weight)
    fold = functions.pmod(functions.xxhash64(_column(row_id)), functions.lit(folds))
    return cross_validated(
        folds,
        lambda k: (df.where(fold != k), df.where(fold == k)),
        lambda rows: fit(rows, estimator, features=chosen, label=label, weight=weight, missing=missing),
        lambda rows, model: evaluate(rows, model, label=label, weight=weight),
    )
