"""Fits by Spark with two executors: the bytes of the model do not depend on partitions, speculation or an executor that dies."""

import os
import signal

import numpy as np
import psutil
import pytest

import recta
import recta.spark
from recta._rounds import core_of
from recta.linear_model import LogisticRegression, Ridge
from recta.naive_bayes import GaussianNB

NUMBERS = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def table(spark, frame, tmp_path_factory):
    """Several files, as a table of Spark has them."""
    folder = tmp_path_factory.mktemp("table")
    for k, rows in enumerate(np.array_split(np.arange(len(frame)), 5)):
        frame.iloc[rows].to_parquet(folder / f"{k}.parquet", index=False)
    return spark.read.parquet(str(folder))


@pytest.mark.parametrize(("estimator", "label", "features"),
                         [(Ridge(alpha=1.0), "t", [*NUMBERS, "kind"]), (LogisticRegression(C=1.0), "word", NUMBERS), (GaussianNB(), "y", NUMBERS)],
                         ids=lambda value: type(value).__name__)
def test_the_same_bytes_for_any_number_of_partitions(table, frame, estimator, label, features):
    models = [recta.spark.fit(table.repartition(parts), estimator, features=features, label=label, order="id") for parts in (1, 7)]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert models[0].certificate_.verdict == "proved"
    assert recta.spark.verify(table, models[0], order="id").verdict == "proved"
    found = recta.spark.transform(table, models[0]).toPandas().sort_values("id")["prediction"]
    expected = models[0].predict(frame[features])
    assert found.tolist() == expected.tolist()


def test_evaluate_and_cross_validate(table):
    model = recta.spark.fit(table, Ridge(), features=NUMBERS, label="t")
    scores = recta.spark.evaluate(table, model, label="t")
    assert 0.7 < scores["r2"] < 0.9
    folds = recta.spark.cross_validate(table, Ridge(), row_id="id", folds=2, features=NUMBERS, label="t")
    assert all(abs(fold["r2"] - scores["r2"]) < 0.05 for fold in folds)
    assert folds == recta.spark.cross_validate(table.coalesce(1), Ridge(), row_id="id", folds=2, features=NUMBERS, label="t")


def test_a_stage_of_a_pipeline(table, frame):
    from pyspark.ml import Pipeline
    from pyspark.ml.feature import SQLTransformer

    stages = [SQLTransformer(statement="SELECT *, a * b AS ab FROM __THIS__"),
              recta.spark.RectaEstimator(Ridge(), features=["a", "b", "ab"], label="t", output="guess")]
    pipeline = Pipeline(stages=stages).fit(table)
    found = pipeline.transform(table).toPandas().sort_values("id")
    model = pipeline.stages[1].model
    assert model.certificate_.verdict == "proved"
    assert found["guess"].tolist() == model.predict(frame[["a", "b"]].assign(ab=frame["a"] * frame["b"])).tolist()


def test_vectors(spark, frame):
    from pyspark.ml.linalg import Vectors

    few = frame.head(500)
    rows = [(Vectors.dense(x) if k % 2 else Vectors.sparse(4, range(4), x), float(t)) for k, (x, t) in enumerate(zip(few[NUMBERS].to_numpy(), few["t"]))]
    table = spark.createDataFrame(rows, ["features", "t"]).cache()
    model = recta.spark.fit(table, Ridge(), features=["features"], label="t")
    np.testing.assert_allclose(model.coef_, Ridge().fit(few[NUMBERS], few["t"]).coef_, rtol=1e-10)


def test_a_bad_value_is_named_by_part_and_row(spark, frame):
    bad = frame[["a", "b", "t"]].copy()
    bad.loc[15000, "b"] = np.nan
    with pytest.raises(recta.DataError, match=r"part \d, its rows, row \d+, column b"):
        recta.spark.fit(spark.createDataFrame(bad).cache(), Ridge(), label="t")


def executors():
    return [process.pid for process in psutil.process_iter(["cmdline"]) if "CoarseGrainedExecutorBackend" in " ".join(process.info["cmdline"] or [])]


def check_a_killed_executor(table, number, monkeypatch):
    expected = core_of(recta.spark.fit(table, LogisticRegression(), features=["a", "b"], label="y")).to_bytes()
    run, rounds = recta.spark._SparkEngine.run, []

    def killing(self, task):
        rounds.append(task.kind)
        if len(rounds) == number:
            os.kill(executors()[0], signal.SIGKILL)
        return run(self, task)

    with monkeypatch.context() as patch:
        patch.setattr(recta.spark._SparkEngine, "run", killing)
        assert core_of(recta.spark.fit(table, LogisticRegression(), features=["a", "b"], label="y")).to_bytes() == expected


def test_a_killed_executor_changes_nothing(table, monkeypatch):
    check_a_killed_executor(table, 4, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 3, 4, 5] * 5)
def test_killed_executors_again_and_again(table, monkeypatch, number):
    check_a_killed_executor(table, number, monkeypatch)
