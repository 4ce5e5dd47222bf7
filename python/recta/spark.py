"""Models of Spark's tables: proved as on one machine, and with the same bytes however the rows are cut and spread.

    from recta.spark import fit, transform
    from recta.linear_model import LogisticRegression

    model = fit(df, LogisticRegression(C=1.0), features=["age", "city"], label="bought")
    transform(df, model).write.parquet("predictions")

Rows stay where they are: every round of a fit gathers sums over the partitions through ``DataFrame.mapInArrow``, which works over Spark Connect
too. The wheel of Recta must be installed on the executors, in the version of the driver. See docs/cluster.md.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle

from . import _core, _spark_part
from ._certificate import Certificate
from ._errors import UsageError
from ._parts_of_tables import Columns, width_of
from ._rounds import Asked, RoundsEngine, columns_asked, core_of, fit_estimator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

__all__ = ["RectaEstimator", "RectaModel", "cross_validate", "evaluate", "fit", "transform", "verify"]

cloudpickle.register_pickle_by_value(_spark_part)

_FOUND = "part int, what string, number bigint, data binary"
_PACKED = 1 << 23  # bytes of numbers that are packed together
_LARGE = 1 << 24  # bytes of answers that are joined on the executors before they are collected


class _SparkEngine(RoundsEngine):
    """Packs the columns once and keeps them in the executors' memory, or on their disks, until it is left."""

    def __init__(self, df, columns):
        super().__init__(columns)
        rows = max(1, _PACKED // (8 * len(columns.feature_names())))
        self._packed = df.select(*columns.names()).mapInArrow(_spark_part.packing(rows), "data binary").persist()
        self._schema = columns.schema.serialize().to_pybytes()
        self._largest = 0  # answer so far: that of the next round is like it

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self._packed.unpersist()

    def run(self, task):
        sent = cloudpickle.dumps(task)
        found = self._packed.mapInArrow(_spark_part.on_partition(sent, self._schema), _FOUND)
        parts = 0 if self.first_rows is None else len(self.first_rows) - 1
        if task.kind == "answer" and self._largest * parts > _LARGE:
            groups = max(2, round(parts**0.5))
            found = found.groupBy((found.part % groups).alias("group")).applyInArrow(_spark_part.joined(sent), _FOUND)
        rows = [(row.part, row.what, row.number, bytes(row.data)) for row in found.collect()]
        for _, what, _, data in rows:
            if what == "lacks":
                raise UsageError("an executor", data.decode(), f"install recta=={_core.version()} on every executor (docs/cluster.md)")
            if what == "answer":
                self._largest = max(self._largest, len(data))
        return rows


def _arrow_schema(df, names):
    """The types that Spark sends."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(df.select(*names).schema)


def _columns(df, features, label, others):
    chosen, used = columns_asked(df.columns, features, label, *others)
    fields = {field.name: field.dataType for field in df.schema.fields}
    vectors = [name for name in chosen if fields[name].typeName() in ("array", "vectorudt", "vector")]
    widths = {}
    for name in vectors:
        first = df.select(name).where(df[name].isNotNull()).limit(1).collect()
        if not first:
            raise UsageError(f"column {name}", "it holds no vector", "give a table with rows")
        widths[name] = len(first[0][0]) if hasattr(first[0][0], "__len__") else width_of(first[0][0])
    plain = df
    for name in vectors:
        if fields[name].typeName() != "array":
            from pyspark.ml.functions import vector_to_array

            plain = plain.withColumn(name, vector_to_array(plain[name]))
    return plain, Columns(_arrow_schema(plain, [*chosen, *used]), chosen, used, widths)


def _in_order(df, order):
    """The rows sorted by a column, in as many partitions as they had: Spark's own sort would leave 200 of a small table."""
    if order is None:
        return df
    from pyspark.sql.functions import max as largest
    from pyspark.sql.functions import spark_partition_id

    last = df.select(spark_partition_id().alias("part")).agg(largest("part")).collect()[0][0]
    return df.repartitionByRange((last or 0) + 1, order).sortWithinPartitions(order)


def fit(df: DataFrame, estimator: Any, *, features: Sequence[str] | None = None, label: str | None = None, weight: str | None = None,
        offset: str | None = None, order: str | None = None, checkpoint: str | None = None) -> Any:
    """Fits an estimator of Recta to a DataFrame of Spark and proves the answer.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        It is read once: the columns of the fit are packed and kept in the executors' memory, or on their disks, until the fit ends.
    estimator : estimator of Recta, or a model's word such as "ridge", or a word and its parameters, ("ridge", {"lambda": 0.1})
    features : names of columns, default all that play no other part
        Numbers as they are; text is taken for levels of a category; vectors and arrays are so many columns.
    label, weight, offset : names of columns
    order : name of a column, default None
        Of distinct values: the rows are sorted by it, and the model then has the same bytes however the table was cut into partitions
        and shuffled. By default the rows are taken in the order in which Spark reads them.
    checkpoint : path of a file on the driver, default None
        Keeps the answers so far: a fit that was stopped goes on from there, to the same model.

    Returns
    -------
    A fitted clone of the estimator; of a word a :class:`recta.Model`.
    """
    if features is None:
        features = [name for name in df.columns if name not in (label, weight, offset, order)]
    plain, columns = _columns(df, features, label, (weight, offset))
    with _SparkEngine(_in_order(plain, order), columns) as engine:
        return fit_estimator(engine, estimator, Asked(label, weight, offset, checkpoint))


def fit_options(df, word, options, *, ignore=(), order=None, checkpoint=None):
    """A model of the library's own options: what the command line asks for."""
    from ._model import Model

    others = [name for name in (*options.target, options.weights, options.offset) if name]
    features = [name for name in df.columns if name not in (*others, *ignore, order)]
    plain, columns = _columns(df, features, None, others)
    with _SparkEngine(_in_order(plain, order), columns) as engine:
        return Model(engine.fit(word, options, checkpoint).model)


def verify(df: DataFrame, model: Any, *, order: str | None = None) -> Certificate:
    """The proof of a model, made again from the rows it was trained on, in the same order."""
    core = core_of(model)
    plain, columns = _columns(df, core.columns, None, [name for name in (*core.targets, core.weights, core.offset) if name])
    with _SparkEngine(_in_order(plain, order), columns) as engine:
        return Certificate(engine.verify(core), core)


def transform(df: DataFrame, model: Any, *, output: str = "prediction") -> DataFrame:
    """The table with one more column, that of the predictions; of a classifier: labels. Spark makes it when it is asked for."""
    from pyspark.sql.functions import arrow_udf

    core = core_of(model)
    names = [*core.columns, *([core.offset] if core.offset else [])]
    for name in names:
        if name not in df.columns:
            raise UsageError(f"column {name}", "the model reads it, and the table has none of this name", f"it has {', '.join(df.columns[:20])}")
    columns = Columns(_arrow_schema(df, names), core.columns, names[len(core.columns):])
    kind = {"integer": "bigint", "real": "double"}.get(core.class_type, "string") if core.classes else "double"
    return df.withColumn(output, arrow_udf(_spark_part.predicting(core.to_bytes(), pickle.dumps(columns)), kind)(*names))


def evaluate(df: DataFrame, model: Any, *, label: str, weight: str | None = None) -> dict[str, float]:
    """Scores of a model on labelled rows. Predictions and truths, two numbers a row, are collected by the driver."""
    from . import metrics

    found = transform(df, model, output="recta_prediction").select("recta_prediction", label, *([weight] if weight else [])).toArrow()
    predicted, truth = (found.column(name).to_numpy() for name in ("recta_prediction", label))
    weights = found.column(weight).to_numpy().astype(float) if weight else None
    if core_of(model).classes:
        return {"accuracy": float(metrics.accuracy_score(truth, predicted, sample_weight=weights)),
                "balanced_accuracy": float(metrics.balanced_accuracy_score(truth, predicted, sample_weight=weights))}
    return {"r2": float(metrics.r2_score(truth, predicted, sample_weight=weights)),
            "mse": float(metrics.mean_squared_error(truth, predicted, sample_weight=weights)),
            "mae": float(metrics.mean_absolute_error(truth, predicted, sample_weight=weights))}


def cross_validate(df: DataFrame, estimator: Any, *, row_id: str, folds: int = 5, label: str, features: Sequence[str] | None = None,
                   weight: str | None = None) -> list[dict[str, float]]:
    """Scores on every fold of a fit to the others. A row's fold is a hash of its id: the same on every machine, however the table is cut."""
    from pyspark.sql import functions

    if folds < 2:
        raise UsageError("folds", f"{folds} fold leaves nothing to fit or nothing to score", "give two or more")
    chosen = [name for name in df.columns if name not in (row_id, label, weight)] if features is None else list(features)
    fold = functions.pmod(functions.xxhash64(functions.col(row_id)), functions.lit(folds))
    out = []
    for k in range(folds):
        model = fit(df.where(fold != k), estimator, features=chosen, label=label, weight=weight)
        out.append(evaluate(df.where(fold == k), model, label=label, weight=weight))
    return out


def __getattr__(name):
    if name in ("RectaEstimator", "RectaModel"):  # pyspark.ml is there without Spark Connect only
        from . import _spark_stages

        return getattr(_spark_stages, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
