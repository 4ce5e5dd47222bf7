"""What ``recta fit --engine spark`` runs: a job as JSON on standard input, the model in the file that it names."""

import json
import os
import sys

from recta._base.errors import DataError, Error, UsageError


def fitted(job):
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError as error:
        raise UsageError(
            "--engine spark", f"{sys.executable} has no {error.name}", "pip install pyspark pyarrow beside recta"
        ) from None
    from . import spark_tables as spark
    from .parts_of_tables import unpacked

    if job["master"].startswith("local"):  # executors of this machine run this Python
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("recta fit")
    session = (builder.master(job["master"]) if job["master"] else builder).getOrCreate()
    try:
        data = _read(session, job["path"])
        options = unpacked(job["options"])
        options.threads, ignore, options.ignore = 0, options.ignore, []
        if len(options.target) != 1 and not (options.label_set or options.label_columns):
            raise UsageError("--target", f"{len(options.target)} columns are named", "name one")
        return spark.fit_options(
            data,
            job["word"],
            options,
            ignore=ignore,
            order=job["order"] or None,
            checkpoint=job["checkpoint"] or None,
            best_so_far=job["best_so_far"],
        )
    finally:
        session.stop()


def _read(session, path):
    """CSV and JSON lines as Spark reads them; Parquet files are read by the executors themselves."""
    name = path.lower()
    kind = "csv" if name.endswith((".csv", ".csv.gz")) else "json" if name.endswith((".jsonl", ".jsonl.gz")) else ""
    if not kind:
        return path
    reader = session.read.format(kind)
    return (reader.option("header", True).option("inferSchema", True) if kind == "csv" else reader).load(path)


def main():
    try:
        job = json.load(sys.stdin)
        fitted(job).save(job["file"])
    except Error as error:
        print(f"recta: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 3 if isinstance(error, DataError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
