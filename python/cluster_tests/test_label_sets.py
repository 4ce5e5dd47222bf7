"""Rows with several labels in tables that stand in parts: the models, the predictions and the scores of one machine."""

import os
import subprocess
import sys
from pathlib import Path

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import recta
import recta.dask
import recta.spark
from recta._data.rows import core_of
from recta.linear_model import LogisticRegression
from recta.metrics import accuracy_score, f1_score, hamming_loss
from recta.multioutput import LabelSetClassifier
from recta.svm import LinearSVC

FEATURES, LABELS = ["a", "b", "c"], ["comedy", "crime", "drama"]
RECTA = os.environ.get("RECTA", str(Path(__file__).resolve().parents[2] / "build/release/recta"))
SETS = ("logistic", {"lambda": 0.01, "label_separator": "|"})


@pytest.fixture(scope="module")
def films():
    """Numbers, a column of 0 and 1 for each of three labels, and the same labels in cells; some rows have none."""
    random = np.random.default_rng(3)
    x = random.normal(size=(6000, 3))
    out = pd.DataFrame(x, columns=FEATURES)
    has = x @ random.normal(size=(3, 3)) + random.normal(size=x.shape) > 0.5
    for k, label in enumerate(LABELS):
        out[label] = has[:, k].astype(np.int64)
    out["tags"] = ["|".join(label for label, one in zip(LABELS, row) if one) or None for row in has]
    out["weight"] = random.integers(0, 3, len(out)).astype(float)
    out["id"] = np.arange(len(out))
    return out


def in_parts(films, parts):
    return dd.from_pandas(films, npartitions=parts)


def members(lists, labels=LABELS):
    return np.array([[label in one for label in labels] for one in lists]).astype(int)


@pytest.mark.parametrize(
    ("estimator", "label"),
    [
        (LabelSetClassifier(LogisticRegression()), LABELS),
        (LabelSetClassifier(LinearSVC()), LABELS),
        (SETS, "tags"),
        (("logistic", {"lambda": 0.01, "chain": ["drama", "comedy", "crime"]}), LABELS),
    ],
    ids=["logistic", "machine", "cells", "chain"],
)
def test_the_same_bytes_for_any_number_of_partitions(films, estimator, label):
    with dask.config.set(scheduler="synchronous"):  # many rounds of few rows
        models = [recta.dask.fit(in_parts(films, parts), estimator, features=FEATURES, label=label) for parts in (1, 7)]
        assert {core_of(model).to_bytes() for model in models} == {core_of(models[0]).to_bytes()}
        assert core_of(models[0]).certificate.verdict == "proved"
        assert recta.dask.verify(in_parts(films, 5), models[0]).verdict == "proved"


def test_a_classifier_of_label_sets_is_that_of_one_machine(films):
    asked = LabelSetClassifier(LogisticRegression(C=0.5), order=[2, 0, 1], threshold=[0.5, 0.4, 0.6])
    with dask.config.set(scheduler="synchronous"):
        there = recta.dask.fit(in_parts(films, 3), asked, features=FEATURES, label=LABELS)
    here = asked.fit(films[FEATURES], films[LABELS])
    assert there.classes_.tolist() == LABELS
    np.testing.assert_allclose(there.predict_proba(films[FEATURES]), here.predict_proba(films[FEATURES]), atol=1e-9)
    assert (there.predict(films[FEATURES]) == here.predict(films[FEATURES])).all()
    assert [one.verdict for one in there.certificates_] == ["proved"] * 3


@pytest.mark.usefixtures("dask_client")
def test_predictions_and_scores_by_dask(films):
    table = in_parts(films, 3)
    model = recta.dask.fit(
        table, LabelSetClassifier(LogisticRegression()), features=FEATURES, label=LABELS, weight="weight"
    )
    found = recta.dask.transform(table, model).compute()["prediction"]
    predicted, truth = model.predict(films[FEATURES]), films[LABELS].to_numpy()
    assert (members(found) == predicted).all()
    scores = recta.dask.evaluate(table, model, label=LABELS, weight="weight")
    weight = films["weight"]
    assert scores == pytest.approx(
        {
            "hamming_loss": hamming_loss(truth, predicted, sample_weight=weight),
            "subset_accuracy": accuracy_score(truth, predicted, sample_weight=weight),
            "micro_f1": f1_score(truth, predicted, average="micro", sample_weight=weight),
            "macro_f1": f1_score(truth, predicted, average="macro", sample_weight=weight),
        }
    )


def test_scores_of_cells_and_of_folds(films):
    with dask.config.set(scheduler="synchronous"):
        model = recta.dask.fit(in_parts(films, 2), SETS, features=FEATURES, label="tags")
        scores = recta.dask.evaluate(in_parts(films, 3), model, label="tags")
        assert scores == recta.dask.evaluate(in_parts(films, 3), model, label=LABELS)
        folds = recta.dask.cross_validate(
            in_parts(films, 2), SETS, row_id="id", folds=2, features=FEATURES, label="tags"
        )
        assert all(abs(fold["hamming_loss"] - scores["hamming_loss"]) < 0.02 for fold in folds)
        other = films.assign(tags="comedy|western")
        with pytest.raises(recta.DataError, match='"western" was not seen in training'):
            recta.dask.evaluate(in_parts(other, 3), model, label="tags")


def test_labels_in_cells_are_those_of_the_command_line(films, tmp_path):
    with dask.config.set(scheduler="synchronous"):
        model = recta.dask.fit(in_parts(films, 3), SETS, features=FEATURES, label="tags")
    films[[*FEATURES, "tags"]].to_csv(tmp_path / "films.csv", index=False)
    subprocess.run(
        [
            RECTA,
            "fit",
            "logistic",
            tmp_path / "films.csv",
            "--label-set",
            "tags",
            "--lambda",
            "0.01",
            "--stream",
            "-o",
            tmp_path / "m.recta",
        ],
        check=True,
        capture_output=True,
    )
    alone = recta.load(tmp_path / "m.recta")
    assert alone.labels == model.labels
    assert (alone.predict(films[FEATURES]) == model.predict(films[FEATURES])).all()
    model.save(tmp_path / "there.recta")
    assert (
        subprocess.run([RECTA, "verify", tmp_path / "there.recta", tmp_path / "films.csv"], check=False).returncode == 0
    )


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_arrays_of_rows_and_of_labels(films, sparse):
    x, y = films[FEATURES].to_numpy(), films[LABELS].to_numpy()
    rows = da.from_array(x, chunks=(1700, 3))
    rows = rows.map_blocks(scipy.sparse.csr_array) if sparse else rows
    labels = da.from_array(y, chunks=(2000, 2))
    with dask.config.set(scheduler="synchronous"):
        model = recta.dask.fit(rows, LabelSetClassifier(LogisticRegression()), label=labels)
        alone = LabelSetClassifier(LogisticRegression()).fit(scipy.sparse.csr_array(x) if sparse else x, y)
        assert (model.predict(x) == alone.predict(x)).all()
        found = recta.dask.transform(rows, model).compute()
        assert (members(found if sparse else found["prediction"], ["y1", "y2", "y3"]) == alone.predict(x)).all()
        assert recta.dask.evaluate(rows, model, label=labels)["hamming_loss"] == pytest.approx(
            hamming_loss(y, alone.predict(x))
        )
        assert recta.dask.verify(rows, model, label=labels).verdict == "proved"


def test_what_is_no_set_of_labels_says_so(films):
    table = in_parts(films, 2)
    with pytest.raises(recta.UsageError, match="LogisticRegression learns one.*LabelSetClassifier"):
        recta.dask.fit(table, LogisticRegression(), features=FEATURES, label=LABELS)
    with pytest.raises(recta.UsageError, match="give the thresholds"):
        recta.dask.fit(
            table, LabelSetClassifier(LogisticRegression(), threshold="held-out"), features=FEATURES, label=LABELS
        )
    with pytest.raises(recta.UsageError, match="order and threshold speak of columns"):
        recta.dask.fit(
            table, LabelSetClassifier(LogisticRegression(), order=[1, 0, 2]), features=FEATURES, label="tags"
        )
    with pytest.raises(recta.DataError, match='part 2.*column crime: "7" is neither 0 nor 1'):
        recta.dask.fit(
            in_parts(films.assign(crime=films["crime"].where(films["id"] != 5999, 7)), 2),
            SETS[0],
            features=FEATURES,
            label=LABELS,
        )


def test_predictions_and_scores_by_spark(spark, films, tmp_path):
    rows = films.head(3000)
    rows.to_parquet(tmp_path / "rows.parquet", index=False)
    df = spark.createDataFrame(rows.drop(columns="tags"))
    labels = LABELS[:2]
    model = recta.spark.fit(df, "lda", features=FEATURES, label=labels, order="id")  # a few rounds per label
    of_files = recta.spark.fit(str(tmp_path / "rows.parquet"), "lda", features=FEATURES, label=labels)
    assert core_of(model).to_bytes() == core_of(of_files).to_bytes()
    assert recta.spark.verify(df, model, order="id").verdict == "proved"
    expected = model.predict(rows[FEATURES])
    for data in (df.orderBy("id"), str(tmp_path / "rows.parquet")):
        found = recta.spark.transform(data, model, keep=["id"]).orderBy("id").collect()
        assert (members([row.prediction for row in found], labels) == expected).all()
    scores = recta.spark.evaluate(df, model, label=labels)
    assert scores["hamming_loss"] == pytest.approx(hamming_loss(rows[labels].to_numpy(), expected))


def test_the_command_line_by_spark(films, tmp_path):
    films.head(2500)[[*FEATURES, "tags"]].to_csv(tmp_path / "films.csv", index=False)
    words = [
        RECTA,
        "fit",
        "lda",
        str(tmp_path / "films.csv"),
        "--label-set",
        "tags",
        "--chain",
        "drama,crime,comedy",
        "--label-threshold",
        "crime=0.4",
    ]
    there = subprocess.run(
        [*words, "--engine", "spark", "--master", "local[2]", "-o", tmp_path / "m.recta"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "RECTA_PYTHON": sys.executable},
    )
    assert there.returncode == 0, there.stderr
    here = subprocess.run([*words, "--stream"], check=True, capture_output=True, text=True)
    assert [line for line in there.stdout.splitlines() if "time " not in line] == [
        line for line in here.stdout.splitlines() if "time " not in line
    ]
    assert subprocess.run([RECTA, "verify", tmp_path / "m.recta", tmp_path / "films.csv"], check=False).returncode == 0
