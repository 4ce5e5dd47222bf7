"""Fits by Spark with two executors: the bytes of the model do not depend on partitions, speculation or an executor that dies."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap

import numpy as np
import psutil
import pytest

import recta
import recta.spark
from recta._data.rows import core_of
from recta._distributed import parquet_parts, spark_engines, spark_part
from recta._distributed.parts_of_tables import Task
from recta.linear_model import LogisticRegression, QuantileRegressor, Ridge
from recta.naive_bayes import GaussianNB
from recta.neighbors import KNeighborsClassifier

NUMBERS = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def folder(frame, tmp_path_factory):
    """Several files, as a table of Spark has them."""
    folder = tmp_path_factory.mktemp("table")
    for k, rows in enumerate(np.array_split(np.arange(len(frame)), 5)):
        frame.iloc[rows].to_parquet(folder / f"{k}.parquet", index=False)
    return folder


@pytest.fixture(scope="module")
def table(spark, folder):
    return spark.read.parquet(str(folder))


@pytest.mark.parametrize(
    ("estimator", "label", "features"),
    [
        (Ridge(alpha=1.0), "t", [*NUMBERS, "kind"]),
        (LogisticRegression(C=1.0), "word", NUMBERS),
        (GaussianNB(), "y", NUMBERS),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_same_bytes_for_any_number_of_partitions(table, frame, estimator, label, features):
    models = [
        recta.spark.fit(table.repartition(parts), estimator, features=features, label=label, order="id")
        for parts in (1, 7)
    ]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert models[0].certificate_.verdict == "proved"
    assert recta.spark.verify(table, models[0], order="id").verdict == "proved"
    found = recta.spark.transform(table, models[0]).toPandas().sort_values("id")["prediction"]
    expected = models[0].predict(frame[features])
    assert found.tolist() == expected.tolist()


@pytest.mark.slow  # seventy rounds
@pytest.mark.usefixtures("spark")
def test_quantiles_are_those_of_one_machine(frame, tmp_path):
    (tmp_path / "rows").mkdir()
    few = frame.head(2000)
    for k in range(2):
        few.iloc[1000 * k : 1000 * (k + 1)].to_parquet(tmp_path / "rows" / f"{k}.parquet", index=False)
    model = recta.spark.fit(tmp_path / "rows", QuantileRegressor(quantile=0.8, alpha=0.1), features=NUMBERS, label="t")
    alone = QuantileRegressor(quantile=0.8, alpha=0.1).fit(few[NUMBERS], few["t"])
    assert model.certificate_.verdict == "proved"
    np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-9, atol=1e-12)  # a vertex: the same rows are met
    np.testing.assert_allclose(model.intercept_, alone.intercept_, rtol=1e-9)


@pytest.mark.usefixtures("spark")
def test_files_by_their_path_are_the_table(table, folder, frame, monkeypatch):
    monkeypatch.setattr(parquet_parts, "_BYTES", 100000)  # several parts, some of several files
    features = [*NUMBERS, "kind"]
    model = recta.spark.fit(folder, Ridge(alpha=1.0), features=features, label="t")
    assert (
        core_of(model).to_bytes()
        == core_of(recta.spark.fit(table, Ridge(alpha=1.0), features=features, label="t", order="id")).to_bytes()
    )
    assert (
        core_of(
            recta.spark.fit(
                [folder / f"{k}.parquet" for k in range(5)], Ridge(), features=features, label="t", order="id"
            )
        ).to_bytes()
        == core_of(recta.spark.fit(folder, Ridge(), features=features, label="t")).to_bytes()
    )
    assert recta.spark.verify(folder, model).verdict == "proved"
    found = recta.spark.transform(folder, model, keep=["id"])
    assert found.columns == ["id", "prediction"]
    assert found.toPandas().sort_values("id")["prediction"].tolist() == model.predict(frame[features]).tolist()
    assert recta.spark.transform(folder, model).columns == [*frame.columns, "prediction"]
    assert recta.spark.evaluate(folder, model, label="t") == pytest.approx(
        recta.spark.evaluate(table, model, label="t"), rel=1e-12
    )


@pytest.mark.usefixtures("spark")
def test_files_that_do_not_fit_together(frame, tmp_path):
    def write(name, rows):
        rows.to_parquet(tmp_path / name, index=False)

    with pytest.raises(recta.DataError, match=r"nothing-there.*name a Parquet file"):
        recta.spark.fit(tmp_path / "nothing-there", Ridge(), label="t")
    write("0.parquet", frame[["a", "b", "t"]])
    write("1.parquet", frame[["a", "t"]])
    with pytest.raises(recta.DataError, match=r"1\.parquet, column b: this file has none"):
        recta.spark.fit(tmp_path, Ridge(), label="t")
    write("1.parquet", frame[["a", "b", "t"]].astype({"b": "float32"}))
    with pytest.raises(recta.DataError, match=r"1\.parquet, column b: it holds float here, and double in others"):
        recta.spark.fit(tmp_path, Ridge(), label="t")
    bad = frame[["a", "b", "t"]].copy()
    bad.loc[7, "b"] = np.nan
    write("1.parquet", bad)
    with pytest.raises(recta.DataError, match="row .*, column b"):
        recta.spark.fit(tmp_path, Ridge(), label="t")


@pytest.mark.usefixtures("spark")
def test_files_are_read_once_in_a_fit(folder, tmp_path, monkeypatch):
    rows = tmp_path / "rows"
    shutil.copytree(folder, rows)
    expected = core_of(recta.spark.fit(rows, LogisticRegression(), features=NUMBERS, label="y", cache=False)).to_bytes()
    run, kinds = spark_engines.SparkEngine.run, []

    def without_files(self, task):
        """After the survey there are none."""
        kinds.append(task.kind)
        found = run(self, task)
        shutil.rmtree(rows, ignore_errors=True)
        return found

    monkeypatch.setattr(spark_engines.SparkEngine, "run", without_files)
    assert core_of(recta.spark.fit(rows, LogisticRegression(), features=NUMBERS, label="y")).to_bytes() == expected
    assert kinds[0] == "survey"
    assert kinds.count("answer") > 5
    shutil.copytree(folder, rows)
    with pytest.raises(Exception, match="No such file"):
        recta.spark.fit(rows, LogisticRegression(), features=NUMBERS, label="y", cache=False)


def test_large_answers_are_joined_on_the_executors(table, monkeypatch):
    """A sum of large answers comes in two stages, to the same bytes."""
    plain = recta.spark.fit(table, LogisticRegression(), features=NUMBERS, label="y")
    joined = []
    monkeypatch.setattr(spark_engines, "_LARGE", 0)
    monkeypatch.setattr(spark_part, "joined", lambda sent, kept=spark_part.joined: joined.append(sent) or kept(sent))
    again = recta.spark.fit(table, LogisticRegression(), features=NUMBERS, label="y")
    assert len(joined) > 3
    assert core_of(again).to_bytes() == core_of(plain).to_bytes()


@pytest.mark.parametrize("large", [1 << 24, 0], ids=["collected", "joined"])
def test_an_executor_without_recta_is_named_with_the_cure(table, monkeypatch, large):
    monkeypatch.setattr(spark_engines, "_LARGE", large)
    sent = []

    def reduced(task):
        """A task as a machine reads it that has no Recta; where answers are joined, after the survey."""
        sent.append(task.kind)
        return (
            (__import__, ("recta_is_not_here",))
            if large or task.kind == "answer"
            else (Task, tuple(vars(task).values()))
        )

    monkeypatch.setattr(Task, "__reduce__", reduced)
    with pytest.raises(recta.UsageError, match=r"an executor: .*recta_is_not_here.*install recta==\d"):
        recta.spark.fit(table, Ridge(), features=NUMBERS, label="t")
    assert sent[-1] == ("survey" if large else "answer")


CONNECTED = """
    import sys
    from pyspark.sql import SparkSession
    spark = SparkSession.builder.remote("local[2]").getOrCreate()
    import recta.spark
    from recta._data.rows import core_of
    from recta.linear_model import Ridge
    table = spark.read.parquet(sys.argv[1])
    model = recta.spark.fit(table.repartition(3), Ridge(), features=["a", "b"], label="t", order="id")
    assert recta.spark.transform(sys.argv[1], model).count() == table.count()
    sys.stdout.buffer.write(core_of(model).to_bytes())
"""


def test_spark_connect_gives_the_same_bytes(table, folder, tmp_path):
    (tmp_path / "driver.py").write_text(textwrap.dedent(CONNECTED), encoding="utf-8")
    found = subprocess.run([sys.executable, tmp_path / "driver.py", folder], capture_output=True, check=False)
    assert found.returncode == 0, found.stderr.decode()
    assert (
        found.stdout == core_of(recta.spark.fit(table, Ridge(), features=["a", "b"], label="t", order="id")).to_bytes()
    )


def test_evaluate_and_cross_validate(table, folder):
    model = recta.spark.fit(table, Ridge(), features=NUMBERS, label="t")
    scores = recta.spark.evaluate(table, model, label="t")
    assert 0.7 < scores["r2"] < 0.9
    folds = recta.spark.cross_validate(table, Ridge(), row_id="id", folds=2, features=NUMBERS, label="t")
    assert all(abs(fold["r2"] - scores["r2"]) < 0.05 for fold in folds)
    assert folds == recta.spark.cross_validate(
        table.coalesce(1), Ridge(), row_id="id", folds=2, features=NUMBERS, label="t"
    )
    assert folds == recta.spark.cross_validate(folder, Ridge(), row_id="id", folds=2, features=NUMBERS, label="t")


def test_missing_values(spark, frame):
    gaps = frame.copy()
    gaps.loc[gaps["id"] % 7 == 3, "a"] = np.nan
    gaps.loc[gaps["id"] < 9000, "c"] = np.nan
    gaps.loc[gaps["id"] % 5 == 1, "kind"] = None
    table = spark.createDataFrame(gaps.astype(object).where(gaps.notna(), None)[[*NUMBERS, "kind", "t", "id"]])
    models = [
        recta.spark.fit(
            table.repartition(parts), Ridge(), features=[*NUMBERS, "kind"], label="t", order="id", missing="mean"
        )
        for parts in (1, 7)
    ]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert recta.spark.verify(table, models[0], order="id").verdict == "proved"
    filled = gaps.fillna({name: gaps[name].mean() for name in NUMBERS} | {"kind": "(missing)"})
    found = recta.spark.transform(table, models[0]).toPandas().sort_values("id")["prediction"]
    np.testing.assert_allclose(
        found,
        Ridge()
        .fit(filled[[*NUMBERS, "kind"]].astype({"kind": "category"}), filled["t"])
        .predict(filled[[*NUMBERS, "kind"]].astype({"kind": "category"})),
        rtol=1e-9,
    )


def test_a_word_with_options(table):
    job = ("lda", {"multiclass": "ova", "tolerance": 1e-9})
    models = [
        recta.spark.fit(table.repartition(parts), job, features=NUMBERS, label="kind", order="id") for parts in (1, 7)
    ]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert recta.spark.verify(table, models[0], order="id").verdict == "proved"
    assert "3 of 3 parts proved" in models[0].certificate.sentence


def test_documents(spark, letters):
    table = spark.createDataFrame(letters)
    job = ("naive-bayes", {"likelihood": "multinomial"})
    models = [
        recta.spark.fit(table.repartition(parts), job, features=[], text="body", label="word", order="id")
        for parts in (1, 7)
    ]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert recta.spark.verify(table, models[0], order="id").verdict == "proved"
    assert recta.spark.evaluate(table, models[0], label="word")["accuracy"] > 0.9


def test_a_stage_of_a_pipeline(table, frame):
    from pyspark.ml import Pipeline
    from pyspark.ml.feature import SQLTransformer

    stages = [
        SQLTransformer(statement="SELECT *, a * b AS ab FROM __THIS__"),
        recta.spark.RectaEstimator(Ridge(), features=["a", "b", "ab"], label="t", output="guess"),
    ]
    pipeline = Pipeline(stages=stages).fit(table)
    found = pipeline.transform(table).toPandas().sort_values("id")
    model = pipeline.stages[1].model
    assert model.certificate_.verdict == "proved"
    assert found["guess"].tolist() == model.predict(frame[["a", "b"]].assign(ab=frame["a"] * frame["b"])).tolist()


def test_vectors(spark, frame):
    from pyspark.ml.linalg import Vectors

    few = frame.head(500)
    rows = [
        (Vectors.dense(x) if k % 2 else Vectors.sparse(4, range(4), x), float(t))
        for k, (x, t) in enumerate(zip(few[NUMBERS].to_numpy(), few["t"]))
    ]
    table = spark.createDataFrame(rows, ["features", "t"]).cache()
    model = recta.spark.fit(table, Ridge(), features=["features"], label="t")
    alone = Ridge().fit(few[NUMBERS], few["t"])
    np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-10)
    assert recta.spark.verify(table, model).verdict == "proved"
    found = recta.spark.transform(table, model).toPandas()["prediction"]
    np.testing.assert_allclose(found, alone.predict(few[NUMBERS]), rtol=1e-10)
    other = spark.createDataFrame([(Vectors.dense([1.0, 2.0]), 1.0)], ["features", "t"])
    with pytest.raises(recta.DataError, match="column features: its vectors have 2 numbers"):
        recta.spark.transform(other, model)


def test_neighbours_are_those_of_all_rows(table, folder, frame):
    queries = frame[NUMBERS].to_numpy()[:20] + 0.1
    alone = KNeighborsClassifier(5).fit(frame[NUMBERS].to_numpy(), frame["word"])
    for data in (table.orderBy("id"), folder):
        found = recta.spark.near(data, KNeighborsClassifier(5), queries, features=NUMBERS, label="word")
        assert (found.predict_proba(queries) == alone.predict_proba(queries)).all()
        assert (found.rows_[found.kneighbors(queries)[1]] == alone.kneighbors(queries)[1]).all()
        assert len(found.rows_) < 2000


def test_a_name_with_a_dot(spark, frame):
    few = frame[["a", "t"]].head(300).rename(columns={"a": "a.b"})
    table = spark.createDataFrame(few).cache()
    with pytest.raises(recta.UsageError, match="no column is left"):
        recta.spark.fit(table, Ridge(), label="t", order="a.b")
    model = recta.spark.fit(table, Ridge(), features=["a.b"], label="t", order="a.b")
    assert recta.spark.transform(table, model).toPandas()["prediction"].tolist() == model.predict(few[["a.b"]]).tolist()


def test_a_bad_value_is_named_by_part_and_row(spark, frame):
    bad = frame[["a", "b", "t"]].copy()
    bad.loc[15000, "b"] = np.nan
    with pytest.raises(recta.DataError, match=r"part \d, its rows, row \d+, column b"):
        recta.spark.fit(spark.createDataFrame(bad).cache(), Ridge(), label="t")


def executors():
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if "CoarseGrainedExecutorBackend" in " ".join(process.info["cmdline"] or [])
    ]


def check_a_killed_executor(table, number, monkeypatch):
    expected = core_of(recta.spark.fit(table, LogisticRegression(), features=["a", "b"], label="y")).to_bytes()
    run, rounds = spark_engines.SparkEngine.run, []

    def killing(self, task):
        rounds.append(task.kind)
        if len(rounds) == number:
            os.kill(executors()[0], signal.SIGKILL)
        return run(self, task)

    with monkeypatch.context() as patch:
        patch.setattr(spark_engines.SparkEngine, "run", killing)
        assert (
            core_of(recta.spark.fit(table, LogisticRegression(), features=["a", "b"], label="y")).to_bytes() == expected
        )


def test_a_killed_executor_changes_nothing(table, monkeypatch):
    check_a_killed_executor(table, 4, monkeypatch)


@pytest.mark.usefixtures("spark")
def test_a_killed_executor_that_kept_its_parts_changes_nothing(folder, monkeypatch):
    check_a_killed_executor(folder, 5, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 3, 4, 5] * 5)
def test_killed_executors_again_and_again(table, monkeypatch, number):
    check_a_killed_executor(table, number, monkeypatch)
