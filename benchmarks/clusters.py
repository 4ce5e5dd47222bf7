"""./bench spark [--rows N]: Recta on Spark beside Spark MLlib, on the same two executors and the same Parquet files.

Both begin with the files; Recta by their path, whose ratio has the bar, and as a DataFrame, which Spark may keep in memory (--cached).
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

os.environ["PYSPARK_PYTHON"] = sys.executable
COLUMNS, STRENGTH = 50, 1e-3


def write_rows(folder, rows, files=16):
    """Numbers, a target that depends on them, and a class, a file for every executor's turn."""
    weights = np.linspace(1.0, -1.0, COLUMNS)
    for k in range(files):
        random = np.random.default_rng(k)
        x = random.normal(size=(rows // files, COLUMNS))
        score = x @ weights
        columns = {f"x{j}": x[:, j] for j in range(COLUMNS)}
        columns["t"] = score + random.normal(size=len(x))
        columns["y"] = (score + 3 * random.normal(size=len(x)) > 0).astype(np.float64)
        pq.write_table(pa.table(columns), folder / f"{k:02}.parquet", row_group_size=65536)


def timed(work):
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def report(name, ours, theirs, difference, bar=None):
    """A line; without a bar it is for information."""
    stands = bar is None or ours * bar <= theirs
    verdict = "no bar" if bar is None else f"bar {bar:g}x {'stands' if stands else 'MISSED'}"
    print(
        f"{name:<36} Recta {ours:8.2f} s   MLlib {theirs:8.2f} s   {theirs / ours:5.2f}x ({verdict})   answers differ by {difference:.1e}",
        flush=True,
    )
    return stands


def compare_fits(folder, df, vectors, word, estimator, theirs, label):
    """One model from the files by their path, which has the bar, and from a DataFrame of them."""
    import recta.spark

    features = [f"x{j}" for j in range(COLUMNS)]
    of_files, model = timed(
        lambda features=features: recta.spark.fit(folder, estimator, features=features, label=label)
    )
    seconds, other = timed(lambda: theirs.fit(vectors))
    of_table, _ = timed(lambda: recta.spark.fit(df, estimator, features=features, label=label))
    difference = abs(model.coef_ - other.coefficients.toArray()).max()
    stands = report(f"{word}, Parquet files", of_files, seconds, difference, 3)
    report(f"{word}, DataFrame", of_table, seconds, difference)
    print(f"{'':<36} {model.certificate_.sentence}")
    return stands, model, other


def compare(folder, df, rows):
    from pyspark.ml.classification import LogisticRegression as TheirLogistic
    from pyspark.ml.feature import VectorAssembler
    from pyspark.ml.regression import LinearRegression as TheirRidge

    import recta.spark
    from recta.linear_model import LogisticRegression, Ridge

    features = [f"x{j}" for j in range(COLUMNS)]
    assembler = VectorAssembler(inputCols=features, outputCol="features")
    few = df.limit(2000).cache()  # executors start their Python, and compile what they run often
    recta.spark.fit(few, LogisticRegression(), features=features, label="y")
    TheirLogistic(labelCol="y").fit(assembler.transform(few))
    vectors = assembler.transform(df)
    spread = float(df.agg({"t": "stddev_pop"}).collect()[0][0])  # MLlib divides its penalty by it
    ridge, _, _ = compare_fits(
        folder,
        df,
        vectors,
        "ridge",
        Ridge(alpha=STRENGTH * rows),
        TheirRidge(labelCol="t", regParam=STRENGTH * spread, standardization=False, solver="normal"),
        "t",
    )
    logistic, model, other = compare_fits(
        folder,
        df,
        vectors,
        "logistic",
        LogisticRegression(C=1 / (STRENGTH * rows)),
        TheirLogistic(labelCol="y", regParam=STRENGTH, standardization=False, tol=1e-9, maxIter=200),
        "y",
    )
    return [ridge, logistic, compare_predictions(folder, df, vectors, model, other), overhead(df, features)]


def compare_predictions(folder, df, vectors, model, other):
    import recta.spark

    def total(table):
        return table.agg({"prediction": "sum"}).collect()[0][0]

    of_files, here = timed(lambda: total(recta.spark.transform(folder, model, keep=[])))
    theirs, there = timed(lambda: total(other.transform(vectors)))
    of_table, again = timed(lambda: total(recta.spark.transform(df, model)))
    if here != again:
        raise SystemExit(f"predictions of files sum to {here}, those of a DataFrame to {again}")
    stands = report("prediction, Parquet files", of_files, theirs, abs(here - there) / max(1, there), 3)
    report("prediction, DataFrame", of_table, theirs, abs(again - there) / max(1, there))
    return stands


def empty(batches):
    """The engine's own work: the rows come, and nothing is done with them."""
    import pyarrow

    count = sum(batch.num_rows for batch in batches)
    yield pyarrow.RecordBatch.from_pydict({"rows": [count]})


def overhead(df, features):
    import recta.spark
    from recta._distributed import spark_tables

    engine_alone = min(
        timed(lambda: df.select(*features, "t").mapInArrow(empty, "rows bigint").collect())[0] for _ in range(3)
    )
    times, run = [], spark_tables._SparkEngine.run

    def measured(self, task):
        seconds, found = timed(lambda: run(self, task))
        if task.kind == "answer":
            times.append(seconds)
        return found

    spark_tables._SparkEngine.run = measured
    try:
        recta.spark.fit(df, ("linear", {}), features=features, label="t")
    finally:
        spark_tables._SparkEngine.run = run
    ratio = min(times) / engine_alone
    print(
        f"{'a round beside an empty mapInArrow':<36} {min(times):8.2f} s   {engine_alone:8.2f} s   {ratio:5.2f}x (bar 1.2x "
        f"{'stands' if ratio <= 1.2 else 'MISSED'})",
        flush=True,
    )
    return ratio <= 1.2


def where_it_pays(session, most):
    """Least squares of the same rows: one core that streams a CSV file, and the executors that read Parquet files."""
    import recta.spark

    print(f"{'rows':>10} {'columns':>8} {'one core, --stream':>20} {'two executors':>15}")
    recta_program = Path(__file__).resolve().parent.parent / "build" / "release" / "recta"
    for columns in (10, COLUMNS):
        for rows in (10_000, 100_000, 1_000_000, 5_000_000):
            if rows > most:
                continue
            features = [f"x{j}" for j in range(columns)]
            with tempfile.TemporaryDirectory() as folder:
                write_rows(Path(folder), rows)
                table = pq.read_table(folder, columns=[*features, "t"])
                file = Path(folder) / "rows.csv"
                pa.csv.write_csv(table, file)
                one, _ = timed(
                    lambda file=file: subprocess.run(
                        [recta_program, "fit", "linear", file, "--target", "t", "--stream", "--threads", "1", "-q"],
                        check=True,
                        stdout=subprocess.DEVNULL,
                    )
                )
                file.unlink()
                two = min(
                    timed(
                        lambda features=features: recta.spark.fit(folder, ("linear", {}), features=features, label="t")
                    )[0]
                    for _ in range(2)
                )
            print(f"{rows:>10} {columns:>8} {one:>18.2f} s {two:>13.2f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="./bench spark", description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--cached", action="store_true", help="keep the table in the executors' memory")
    parser.add_argument(
        "--pays", action="store_true", help="in place of the bars: the sizes at which a cluster is faster than one core"
    )
    arguments = parser.parse_args()
    from pyspark.sql import SparkSession

    memory = max(1024, arguments.rows * COLUMNS * 8 // 2**20)
    session = (
        SparkSession.builder.master(f"local-cluster[2,1,{memory}]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "FATAL")
        .config("spark.executor.memory", f"{memory - 100}m")
        .config("spark.driver.memory", "2g")
        .config("spark.sql.files.maxPartitionBytes", "128m")
        .getOrCreate()
    )
    if arguments.pays:
        where_it_pays(session, arguments.rows)
        session.stop()
        return
    with tempfile.TemporaryDirectory() as folder:
        write_rows(Path(folder), arguments.rows)
        df = session.read.parquet(folder)
        if arguments.cached:
            df = df.cache()
        print(f"{df.count()} rows, {COLUMNS} columns, {df.rdd.getNumPartitions()} partitions", flush=True)
        stands = compare(folder, df, arguments.rows // 16 * 16)
    session.stop()
    print(f"\n{sum(stands)} of {len(stands)} bars stand")


if __name__ == "__main__":
    main()
