"""./bench spark [--rows N]: Recta on Spark beside Spark MLlib, on the same two executors and the same Parquet files.

Both begin with the files, or with a table that Spark keeps in memory (--cached). Answers are compared before a ratio is printed.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
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


def report(name, ours, theirs, difference, bar):
    stands = ours * bar <= theirs
    print(f"{name:<36} Recta {ours:8.2f} s   MLlib {theirs:8.2f} s   {theirs / ours:5.2f}x (bar {bar:g}x {'stands' if stands else 'MISSED'})"
          f"   answers differ by {difference:.1e}", flush=True)
    return stands


def compare(df, rows):
    from pyspark.ml.classification import LogisticRegression as TheirLogistic
    from pyspark.ml.feature import VectorAssembler
    from pyspark.ml.regression import LinearRegression as TheirRidge

    import recta.spark
    from recta.linear_model import LogisticRegression, Ridge

    features = [f"x{j}" for j in range(COLUMNS)]
    vectors = VectorAssembler(inputCols=features, outputCol="features").transform(df)
    stands = []
    few = df.limit(2000).cache()  # executors start their Python, and compile what they run often
    recta.spark.fit(few, LogisticRegression(), features=features, label="y")
    TheirLogistic(labelCol="y").fit(VectorAssembler(inputCols=features, outputCol="features").transform(few))
    ours, model = timed(lambda: recta.spark.fit(df, Ridge(alpha=STRENGTH * rows), features=features, label="t"))
    spread = float(df.agg({"t": "stddev_pop"}).collect()[0][0])  # MLlib divides its penalty by it
    theirs, other = timed(lambda: TheirRidge(labelCol="t", regParam=STRENGTH * spread, standardization=False, solver="normal").fit(vectors))
    stands.append(report("ridge", ours, theirs, abs(model.coef_ - other.coefficients.toArray()).max(), 3))
    print(f"{'':<36} {model.certificate_.sentence}")
    ours, model = timed(lambda: recta.spark.fit(df, LogisticRegression(C=1 / (STRENGTH * rows)), features=features, label="y"))
    theirs, other = timed(lambda: TheirLogistic(labelCol="y", regParam=STRENGTH, standardization=False, tol=1e-9, maxIter=200).fit(vectors))
    stands.append(report("logistic", ours, theirs, abs(model.coef_ - other.coefficients.toArray()).max(), 3))
    print(f"{'':<36} {model.certificate_.sentence}")
    ours, _ = timed(lambda: recta.spark.transform(df, model).agg({"prediction": "sum"}).collect())
    theirs, _ = timed(lambda: other.transform(vectors).agg({"prediction": "sum"}).collect())
    stands.append(report("prediction", ours, theirs, 0.0, 3))
    stands.append(overhead(df, features))
    return stands


def empty(batches):
    """The engine's own work: the rows come, and nothing is done with them."""
    import pyarrow

    count = sum(batch.num_rows for batch in batches)
    yield pyarrow.RecordBatch.from_pydict({"rows": [count]})


def overhead(df, features):
    import recta.spark

    engine_alone = min(timed(lambda: df.select(*features, "t").mapInArrow(empty, "rows bigint").collect())[0] for _ in range(3))
    times, run = [], recta.spark._SparkEngine.run

    def measured(self, task):
        seconds, found = timed(lambda: run(self, task))
        if task.kind == "answer":
            times.append(seconds)
        return found

    recta.spark._SparkEngine.run = measured
    try:
        recta.spark.fit(df, ("linear", {}), features=features, label="t")
    finally:
        recta.spark._SparkEngine.run = run
    ratio = min(times) / engine_alone
    print(f"{'a round beside an empty mapInArrow':<36} {min(times):8.2f} s   {engine_alone:8.2f} s   {ratio:5.2f}x (bar 1.2x "
          f"{'stands' if ratio <= 1.2 else 'MISSED'})", flush=True)
    return ratio <= 1.2


def main():
    parser = argparse.ArgumentParser(prog="./bench spark", description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--cached", action="store_true", help="keep the table in the executors' memory")
    arguments = parser.parse_args()
    from pyspark.sql import SparkSession

    memory = max(1024, arguments.rows * COLUMNS * 8 // 2**20)
    session = (SparkSession.builder.master(f"local-cluster[2,1,{memory}]").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").config("spark.log.level", "FATAL")
               .config("spark.executor.memory", f"{memory - 100}m").config("spark.driver.memory", "2g")
               .config("spark.sql.files.maxPartitionBytes", "128m").getOrCreate())
    with tempfile.TemporaryDirectory() as folder:
        write_rows(Path(folder), arguments.rows)
        df = session.read.parquet(folder)
        if arguments.cached:
            df = df.cache()
        print(f"{df.count()} rows, {COLUMNS} columns, {df.rdd.getNumPartitions()} partitions", flush=True)
        stands = compare(df, arguments.rows // 16 * 16)
    session.stop()
    print(f"\n{sum(stands)} of {len(stands)} bars stand")


if __name__ == "__main__":
    main()
