"""Sparse rows of 100,000 columns: as dense ones they would take 16 GB, and here they take memory for what is not zero."""

import subprocess
import sys
import textwrap

import dask
import dask.array as da
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import scipy.sparse

import recta
import recta.dask
import recta.spark
from recta._data.rows import core_of
from recta._distributed.dask_sparse import _vectors
from recta.linear_model import LogisticRegression, Ridge
from recta.naive_bayes import MultinomialNB
from recta.svm import LinearSVC

COLUMNS = 100_000
pytestmark = pytest.mark.filterwarnings("ignore:X does not have valid feature names")


def drawn(n):
    """Rows of up to twenty ones, some columns far more often than others, and a class of each."""
    random = np.random.default_rng(0)
    places = np.minimum((COLUMNS * random.random((n, 20)) ** 4).astype(int), COLUMNS - 1)
    rows = scipy.sparse.csr_array((np.ones(20 * n), (np.repeat(np.arange(n), 20), places.ravel())), shape=(n, COLUMNS))
    rows.sum_duplicates()
    return rows, np.where(rows @ random.normal(size=COLUMNS) + random.logistic(size=n) > 0, "yes", "no").astype(object)


@pytest.fixture(scope="module")
def wide():
    return drawn(3000)


def blocks(rows, parts):
    cuts = np.linspace(0, rows.shape[0], parts + 1).astype(int)
    made = [dask.delayed(rows[first:end]) for first, end in zip(cuts, cuts[1:])]
    return da.concatenate(
        [
            da.from_delayed(one, (end - first, rows.shape[1]), dtype=float, meta=scipy.sparse.csr_array((0, 0)))
            for one, first, end in zip(made, cuts, cuts[1:])
        ]
    )


ESTIMATORS = [LogisticRegression(C=0.001), MultinomialNB(), LinearSVC(C=0.001), LinearSVC(C=0.01, loss="hinge")]


def check_alone(model, estimator, rows, labels):
    """The model of one machine: of counts to the bit, else up to what both have proved."""
    alone = estimator.fit(rows, labels)
    if hasattr(alone, "coef_"):
        np.testing.assert_allclose(model.coef_, alone.coef_, atol=1e-5 * np.abs(alone.coef_).max())
        assert (
            abs(model.certificate_.objective - alone.certificate_.objective)
            <= model.certificate_.gap + alone.certificate_.gap + 1e-12
        )
    else:
        assert (model.feature_log_prob_ == alone.feature_log_prob_).all()
    assert (model.predict(rows) == alone.predict(rows)).mean() > 0.999


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
def test_arrays_of_dask(wide, estimator):
    rows, labels = wide
    given = da.from_array(labels, chunks=700)
    models = [recta.dask.fit(blocks(rows, parts), estimator, label=given) for parts in (1, 5)]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert models[0].certificate_.verdict == "proved"
    assert recta.dask.verify(blocks(rows, 2), models[0], label=given).verdict == "proved"
    check_alone(models[0], estimator, rows, labels)
    found = recta.dask.transform(blocks(rows, 3), models[0])
    assert (found.compute() == models[0].predict(rows)).all()
    assert recta.dask.evaluate(blocks(rows, 3), models[0], label=given)["accuracy"] == np.mean(
        models[0].predict(rows) == labels
    )


def test_a_ridge_of_more_columns_than_their_products(wide):
    rows, _ = wide
    number = rows @ np.random.default_rng(1).normal(size=COLUMNS)
    given = da.from_array(number, chunks=700)
    models = [recta.dask.fit(blocks(rows, parts), Ridge(alpha=100.0), label=given) for parts in (1, 3)]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert models[0].certificate_.verdict == "proved"
    alone = Ridge(alpha=100.0).fit(rows, number)
    np.testing.assert_allclose(models[0].coef_, alone.coef_, atol=1e-4 * np.abs(alone.coef_).max())


ONE_PROCESS = """
    import resource, sys
    sys.path.insert(0, sys.argv[1])
    import dask, dask.array as da
    from test_sparse import blocks, drawn
    import recta.dask
    from recta.linear_model import LogisticRegression
    dask.config.set(scheduler="synchronous")
    rows, labels = drawn(20000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model = recta.dask.fit(blocks(rows, 4), LogisticRegression(C=0.001), label=da.from_array(labels, chunks=5000))
    recta.dask.transform(blocks(rows, 4), model).compute()
    print(model.certificate_.verdict, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_memory_is_that_of_what_is_not_zero(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent(ONE_PROCESS), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, tmp_path / "program.py", __file__.rpartition("/")[0]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    verdict, kilobytes = done.stdout.split()
    assert verdict == "proved"
    assert int(kilobytes) < 500_000  # dense rows of one of the four parts would be 4 GB


def test_arrays_that_do_not_fit(wide):
    rows, labels = wide
    array, given = blocks(rows, 2), da.from_array(labels, chunks=1500)
    with pytest.raises(recta.UsageError, match="is not a Dask array"):
        recta.dask.fit(array, MultinomialNB(), label="y")
    with pytest.raises(recta.UsageError, match="no columns with names"):
        recta.dask.fit(array, MultinomialNB(), label=given, features=["a"])
    model = recta.dask.fit(array, MultinomialNB(), label=given)
    with pytest.raises(recta.DataError, match="its rows have 10 numbers; those of the model have 100000"):
        recta.dask.transform(blocks(rows[:, :10], 2), model)
    with pytest.raises(
        recta.UsageError, match="the model reads 100000 sparse columns; give a Dask array of sparse rows"
    ):
        recta.dask.transform(da.zeros((3, 2)), model)
    bad = rows.copy()
    bad.data[-1] = np.nan
    with pytest.raises(recta.DataError, match=r"part 2, its rows, row 1500, column \d+: nan found"):
        recta.dask.fit(blocks(bad, 2), LogisticRegression(), label=given)


@pytest.fixture(scope="module")
def folder(wide, tmp_path_factory):
    """Two files, as Spark writes vectors."""
    rows, labels = wide
    folder = tmp_path_factory.mktemp("wide")
    for k, some in enumerate((slice(0, 1100), slice(1100, None))):
        pa.parquet.write_table(
            pa.table({"words": _vectors(rows[some]), "label": labels[some], "id": np.arange(rows.shape[0])[some]}),
            folder / f"{k}.parquet",
        )
    return folder


@pytest.fixture(scope="module")
def table(spark, wide):
    from pyspark.ml.linalg import Vectors

    rows, labels = wide
    given = [
        (Vectors.sparse(COLUMNS, rows.indices[a:b], rows.data[a:b]), label, k)
        for k, (a, b, label) in enumerate(zip(rows.indptr, rows.indptr[1:], labels))
    ]
    return spark.createDataFrame(given, ["words", "label", "id"]).repartition(3).cache()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
def test_vectors_of_files(wide, spark, folder, estimator):
    rows, labels = wide
    model = recta.spark.fit(folder, estimator, features=["words"], label="label")
    assert model.vectors_ == ["words"]
    assert model.feature_names_in_[[0, -1]].tolist() == ["words_0", "words_99999"]
    check_alone(model, estimator, rows, labels)
    found = recta.spark.transform(folder, model, keep=["id"]).toPandas().sort_values("id")
    assert (found["prediction"] == model.predict(rows)).all()


def test_vectors_of_a_table(wide, table, folder):
    rows, labels = wide
    models = [
        recta.spark.fit(data, MultinomialNB(), features=["words"], label="label", order=order)
        for data, order in ((table, "id"), (folder, None))
    ]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert recta.spark.verify(table, models[0], order="id").verdict == "proved"
    expected = models[0].predict(rows)
    found = recta.spark.transform(table, models[0], keep=["id"]).toPandas().sort_values("id")
    assert (found["prediction"] == expected).all()
    assert recta.spark.evaluate(table, models[0], label="label")["accuracy"] == np.mean(expected == labels)


def test_a_model_that_was_loaded_is_told_its_vectors(wide, table, tmp_path):
    from pyspark.sql.functions import col

    rows, labels = wide
    counts = ("naive-bayes", {"likelihood": "multinomial"})
    recta.spark.fit(table, counts, features=["words"], label="label", order="id").save(tmp_path / "m.recta")
    model = recta.load(tmp_path / "m.recta")
    expected = MultinomialNB().fit(rows, labels).predict(rows)
    two = table.withColumn("others", col("words"))
    with pytest.raises(recta.UsageError, match="the table has 2 columns of vectors; name those of the fit"):
        recta.spark.transform(two, model)
    for data, vectors in ((table, None), (two, ["others"])):
        found = recta.spark.transform(data, model, vectors=vectors).toPandas().sort_values("id")
        assert (found["prediction"] == expected).all()
    with pytest.raises(
        recta.DataError, match="column words, others: its vectors have 200000 numbers; those of the model have 100000"
    ):
        recta.spark.transform(two, model, vectors=["words", "others"])


def test_vectors_beside_numbers(wide, table):
    from pyspark.sql.functions import col

    rows, labels = wide
    number = np.arange(rows.shape[0]) % 7 * 1.0
    estimator = LogisticRegression(C=0.001)
    model = recta.spark.fit(
        table.withColumn("number", col("id") % 7), estimator, features=["words", "number"], label="label", order="id"
    )
    assert model.feature_names_in_[:2].tolist() == ["number", "words_0"]
    check_alone(model, estimator, scipy.sparse.hstack([number[:, None], rows], format="csr"), labels)
