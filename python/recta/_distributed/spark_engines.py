"""Engines that ask the executors of Spark: for the rows of a table, and for those of Parquet files."""

from __future__ import annotations

import os
import pickle
import sys
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from recta import _core
from recta._base.errors import UsageError

from . import spark_part
from .rounds import RoundsEngine

if TYPE_CHECKING:
    Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


_FOUND = "part int, what string, number bigint, data binary"


_PACKED = 1 << 23  # bytes of rows that are packed together


_TASKS_PER_CORE = 2  # those of a core that is slow are half of its work, and another one may take the second


_LARGE = 1 << 24  # bytes of answers that are joined on the executors before they are collected


class SparkEngine(RoundsEngine):
    """Asks the executors. A kind of it says how a task comes to its parts, ``_done(sent)``."""

    _largest = 0  # answer so far, in bytes: that of the next round is like it

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

    def _done(self, sent):
        raise NotImplementedError

    def run(self, task):
        sent = pickle.dumps(task)
        found = self._done(sent)
        parts = 0 if self.first_rows is None else len(self.first_rows) - 1
        if task.kind == "answer" and self._largest * parts > _LARGE:
            groups = max(2, round(parts**0.5))
            found = found.groupBy((found.part % groups).alias("group")).applyInArrow(spark_part.joined(sent), _FOUND)
        rows = [(row.part, row.what, row.number, bytes(row.data)) for row in found.collect()]
        for _, what, _, data in rows:
            if what == "lacks":
                raise UsageError(
                    "an executor",
                    data.decode(),
                    f"install recta=={_core.version()} on every executor (docs/cluster.md)",
                )
            if what == "answer":
                self._largest = max(self._largest, len(data))
        return rows


class TableEngine(SparkEngine):
    """Packs the columns of a DataFrame, in their order, once and keeps them in the executors' memory, or on their disks, until it is left."""

    def __init__(self, df, columns):
        super().__init__(columns)
        self._packed = df.mapInArrow(spark_part.packing(_PACKED, columns.names()), "data binary").persist()
        self._schema = columns.schema.serialize().to_pybytes()

    def __exit__(self, *raised):
        self._packed.unpersist()

    def _done(self, sent):
        return self._packed.mapInArrow(spark_part.on_partition(sent, self._schema), _FOUND)


class FilesEngine(SparkEngine):
    """Executors read Parquet files themselves, which is faster than Spark hands rows to Python.

    Their processes may keep what they have read until the fit ends. Spark then keeps the numbers of the parts: a part is asked for where its number is, and its
    rows with it.
    """

    def __init__(self, session, files, columns, cache):
        super().__init__(columns)
        self._files, self._numbers = pickle.dumps(files), numbers(session, len(files))
        if cache:
            self.kept_as, self._numbers = uuid.uuid4().hex, self._numbers.persist()

    def __exit__(self, *raised):
        if self.kept_as is not None:
            self._numbers.unpersist()

    def _done(self, sent):
        return self._numbers.mapInArrow(spark_part.on_files(sent, self._files), _FOUND)


def numbers(session, parts):
    """The numbers of parts, neighbours in one task: to start one takes about as long as to gather the sums of a part."""
    return session.range(0, parts, 1, max(1, min(parts, _tasks(session))))


def _tasks(session):
    """How many tasks keep all cores busy. Where cores come and go with the tasks that wait, or are not known (Spark Connect), every part has its own."""
    if session.conf.get("spark.dynamicAllocation.enabled", "false") == "true":
        return sys.maxsize
    try:
        return _TASKS_PER_CORE * session.sparkContext.defaultParallelism
    except AttributeError:
        return sys.maxsize


def this_session():
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession() or SparkSession.builder.getOrCreate()


def may_cache(session):
    """YARN ends an executor whose Python processes take more memory than its overhead, which they cannot see."""
    return session.conf.get("spark.master", "") != "yarn"
