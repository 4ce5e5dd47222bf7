"""Fits by Dask: the bytes of the model do not depend on the partitions, and are those of a fit that was disturbed."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import recta
import recta.dask
from recta._data.rows import core_of
from recta._distributed import dask_tables
from recta.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from recta.linear_model import (
    ElasticNet,
    HuberRegressor,
    Lasso,
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
)
from recta.multiclass import OneVsRestClassifier
from recta.naive_bayes import BernoulliNB, GaussianNB
from recta.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors, RadiusNeighborsClassifier
from recta.svm import LinearSVC, LinearSVR

pytestmark = pytest.mark.usefixtures("dask_client")
NUMBERS = ["a", "b", "c", "d"]

MODELS = [
    (LinearRegression(), "t", [*NUMBERS, "kind"]),
    (Ridge(alpha=1.0), "t", [*NUMBERS, "kind"]),
    (Lasso(alpha=0.05), "t", NUMBERS),
    (ElasticNet(alpha=0.05), "t", NUMBERS),
    (HuberRegressor(), "t", NUMBERS),
    (PoissonRegressor(alpha=0.0), "count", NUMBERS),
    (LogisticRegression(C=1.0), "y", [*NUMBERS, "kind"]),
    (LogisticRegression(C=1.0, l1_ratio=1.0), "word", NUMBERS),
    (LogisticRegression(C=1.0), "kind", NUMBERS),
    (GaussianNB(), "word", NUMBERS),
    (BernoulliNB(), "y", NUMBERS),
    (LinearDiscriminantAnalysis(), "kind", NUMBERS),
    (QuadraticDiscriminantAnalysis(), "y", NUMBERS),
]


def name_of(value):
    return value if isinstance(value, str) else "" if isinstance(value, list) else type(value).__name__


@pytest.mark.parametrize(("estimator", "label", "features"), MODELS, ids=name_of)
def test_the_same_bytes_for_any_number_of_partitions(frame, estimator, label, features):
    models = [
        recta.dask.fit(dd.from_pandas(frame, npartitions=parts), estimator, features=features, label=label)
        for parts in (1, 2, 7)
    ]
    assert {core_of(model).to_bytes() for model in models} == {core_of(models[0]).to_bytes()}
    assert models[0].certificate_.verdict == "proved"
    assert recta.dask.verify(dd.from_pandas(frame, npartitions=5), models[0]).verdict == "proved"
    alone = type(estimator)(**estimator.get_params()).fit(
        frame[features].astype({"kind": "category"}) if "kind" in features else frame[features], frame[label]
    )
    ask = "predict_proba" if hasattr(alone, "predict_proba") else "predict"
    np.testing.assert_allclose(
        getattr(models[0], ask)(frame[features]), getattr(alone, ask)(frame[features]), rtol=1e-6, atol=1e-9
    )


@pytest.mark.parametrize(
    ("estimator", "label"),
    [(LinearSVC(loss="hinge"), "y"), (LinearSVC(C=100.0), "word"), (LinearSVC(), "kind")],
    ids=name_of,
)
def test_linear_machines_are_those_of_one_machine(frame, estimator, label):
    models = [
        recta.dask.fit(dd.from_pandas(frame, npartitions=parts), estimator, features=NUMBERS, label=label)
        for parts in (1, 7)
    ]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert models[0].certificate_.verdict == "proved"
    assert recta.dask.verify(dd.from_pandas(frame, npartitions=5), models[0]).verdict == "proved"
    alone = type(estimator)(**estimator.get_params()).fit(frame[NUMBERS], frame[label])
    assert models[0].classes_.tolist() == alone.classes_.tolist()
    np.testing.assert_allclose(
        models[0].decision_function(frame[NUMBERS]), alone.decision_function(frame[NUMBERS]), atol=1e-4
    )


@pytest.mark.parametrize("estimator", [QuantileRegressor(quantile=0.8, alpha=0.0), LinearSVR(epsilon=0.5)], ids=name_of)
def test_losses_of_straight_lines_are_those_of_one_machine(frame, estimator):
    frame = frame.head(6000)  # of several blocks
    models = [
        recta.dask.fit(dd.from_pandas(frame, npartitions=parts), estimator, features=NUMBERS, label="t")
        for parts in (1, 7)
    ]
    assert core_of(models[0]).to_bytes() == core_of(models[1]).to_bytes()
    assert models[0].certificate_.verdict == "proved"
    assert recta.dask.verify(dd.from_pandas(frame, npartitions=5), models[0]).verdict == "proved"
    alone = clone(estimator).fit(frame[NUMBERS], frame["t"])
    np.testing.assert_allclose(models[0].predict(frame[NUMBERS]), alone.predict(frame[NUMBERS]), atol=1e-6)


@pytest.fixture(scope="module")
def gaps(frame):
    """Numbers and categories that are missing here and there, in whole partitions too."""
    out = frame.copy()
    out.loc[out["id"] % 7 == 3, "a"] = np.nan
    out.loc[out["id"] < 9000, "c"] = np.nan
    out.loc[out["id"] % 5 == 1, "kind"] = None
    return out


@pytest.mark.parametrize("missing", ["mean", "indicator", "drop"])
@pytest.mark.parametrize(
    ("estimator", "label"), [(Ridge(), "t"), (LogisticRegression(), "y"), (GaussianNB(), "word")], ids=name_of
)
def test_missing_values(gaps, estimator, label, missing):
    if missing == "indicator" and isinstance(estimator, GaussianNB):
        with pytest.raises(recta.UsageError, match="none of GaussianNB's features"):
            recta.dask.fit(
                dd.from_pandas(gaps, npartitions=2), estimator, features=NUMBERS, label=label, missing=missing
            )
        estimator = "naive-bayes"
    features = NUMBERS if label == "word" else [*NUMBERS, "kind"]
    models = [
        recta.dask.fit(
            dd.from_pandas(gaps, npartitions=parts), estimator, features=features, label=label, missing=missing
        )
        for parts in (1, 2, 7)
    ]
    assert {core_of(model).to_bytes() for model in models} == {core_of(models[0]).to_bytes()}
    assert recta.dask.verify(dd.from_pandas(gaps, npartitions=5), models[0]).verdict == "proved"
    if missing == "drop" and label != "t":  # rows that the model leaves out have no class
        found = recta.dask.transform(dd.from_pandas(gaps, npartitions=3), models[0]).compute()["prediction"]
        assert found.isna().tolist() == gaps[features].isna().any(axis=1).tolist()
        assert set(found.dropna()) <= set(gaps[label])
    if missing == "mean":
        filled = gaps.fillna({name: gaps[name].mean() for name in NUMBERS} | {"kind": "(missing)"})
        alone = recta.dask.fit(dd.from_pandas(filled, npartitions=2), estimator, features=features, label=label)
        found = recta.dask.transform(dd.from_pandas(gaps, npartitions=3), models[0]).compute()["prediction"]
        expected = recta.dask.transform(dd.from_pandas(filled, npartitions=3), alone).compute()["prediction"]
        if label == "t":
            np.testing.assert_allclose(found, expected, rtol=1e-9)
        else:
            assert found.tolist() == expected.tolist()


def test_ways_to_treat_missing_values_that_there_are_not(gaps):
    with pytest.raises(recta.UsageError, match="missing: 'neighbours' is not one of the ways"):
        recta.dask.fit(dd.from_pandas(gaps, npartitions=2), Ridge(), features=NUMBERS, label="t", missing="neighbours")


@pytest.mark.parametrize("scheme", ["ova", pytest.param("ovo", marks=pytest.mark.slow)])
def test_classes_two_at_a_time(frame, scheme):
    job = ("logistic", {"lambda": 0.01, "multiclass": scheme})
    models = [
        recta.dask.fit(dd.from_pandas(frame, npartitions=parts), job, features=NUMBERS, label="kind")
        for parts in (1, 2, 7)
    ]
    assert {core_of(model).to_bytes() for model in models} == {core_of(models[0]).to_bytes()}
    assert models[0].certificate.verdict == "proved"
    assert recta.dask.verify(dd.from_pandas(frame, npartitions=5), models[0]).verdict == "proved"
    with pytest.raises(recta.UsageError, match="multiclass"):
        recta.dask.fit(
            dd.from_pandas(frame, npartitions=2),
            OneVsRestClassifier(LogisticRegression()),
            features=NUMBERS,
            label="kind",
        )


def one_machine(letters, tmp_path, *words):
    """The labels that the command line predicts, fitted on one machine."""
    data = tmp_path / "letters.csv"
    letters.drop(columns="id").to_csv(data, index=False)
    recta_of = os.environ.get("RECTA", str(Path(__file__).resolve().parents[2] / "build/release/recta"))
    subprocess.run(
        [
            recta_of,
            "fit",
            words[0],
            data,
            "--target",
            "word",
            "--types",
            "body=text",
            *words[1:],
            "-o",
            tmp_path / "m.recta",
        ],
        check=True,
        capture_output=True,
    )
    found = subprocess.run(
        [recta_of, "predict", tmp_path / "m.recta", data, "--types", "body=text"],
        check=True,
        capture_output=True,
        text=True,
    )
    return found.stdout.split()[1:]


@pytest.mark.parametrize(
    ("job", "text", "words"),
    [
        (
            ("naive-bayes", {"likelihood": "multinomial"}),
            "body",
            ["naive-bayes", "--likelihood", "multinomial", "--text", "body", "--ignore", "age"],
        ),
        (
            ("logistic", {"lambda": 0.01}),
            {"body": {"most_length": 2, "idf": True, "norm": "l2", "least_documents": 30}},
            [
                "logistic",
                "--lambda",
                "0.01",
                "--text",
                "body",
                "--text-ngrams",
                "1:2",
                "--tfidf",
                "--min-df",
                "30",
                "--ignore",
                "age",
            ],
        ),
    ],
    ids=["counts", "pairs"],
)
def test_documents(letters, tmp_path, job, text, words):
    models = [
        recta.dask.fit(dd.from_pandas(letters, npartitions=parts), job, features=[], text=text, label="word")
        for parts in (1, 2, 7)
    ]
    assert {core_of(model).to_bytes() for model in models} == {core_of(models[0]).to_bytes()}
    assert models[0].certificate.verdict == "proved"
    table = dd.from_pandas(letters, npartitions=5)
    assert recta.dask.verify(table, models[0]).verdict == "proved"
    assert recta.dask.transform(table, models[0]).compute()["prediction"].tolist() == one_machine(
        letters, tmp_path, *words
    )
    assert recta.dask.evaluate(table, models[0], label="word")["accuracy"] > 0.9


def test_documents_that_cannot_be_read_so(letters):
    table = dd.from_pandas(letters, npartitions=2)
    with pytest.raises(recta.UsageError, match="named by their words"):
        recta.dask.fit(table, LogisticRegression(), features=[], text="body", label="word")
    with pytest.raises(recta.UsageError, match="there is no setting ngrams"):
        recta.dask.fit(table, "naive-bayes", features=[], text={"body": {"ngrams": 2}}, label="word")
    with pytest.raises(recta.UsageError, match='text, norm: there is no "l3"'):
        recta.dask.fit(table, "naive-bayes", features=[], text={"body": {"norm": "l3"}}, label="word")


def test_evaluate_and_cross_validate(frame):
    table = dd.from_pandas(frame, npartitions=3)
    model = recta.dask.fit(table, Ridge(), features=NUMBERS, label="t")
    scores = recta.dask.evaluate(table, model, label="t", weight="weight")
    residual = frame["t"] - model.predict(frame[NUMBERS])
    assert scores["mse"] == pytest.approx(np.average(residual**2, weights=frame["weight"]))
    folds = recta.dask.cross_validate(table, Ridge(), row_id="id", folds=2, features=NUMBERS, label="t")
    assert all(0.7 < fold["r2"] < 0.9 for fold in folds)
    assert folds == recta.dask.cross_validate(
        dd.from_pandas(frame, npartitions=1), Ridge(), row_id="id", folds=2, features=NUMBERS, label="t"
    )
    classes = recta.dask.cross_validate(
        table, LogisticRegression(), row_id="id", folds=2, features=NUMBERS, label="word"
    )
    assert all(0.6 < fold["balanced_accuracy"] <= fold["accuracy"] + 0.05 for fold in classes)
    with pytest.raises(recta.UsageError, match="1 fold leaves nothing"):
        recta.dask.cross_validate(table, Ridge(), row_id="id", folds=1, label="t")


def test_evaluate_of_arrays(frame):
    x, t = da.from_array(frame[NUMBERS].to_numpy(), chunks=(6000, 2)), da.from_array(frame["t"].to_numpy(), chunks=5000)
    model = recta.dask.fit(x, Ridge(), label=t)
    assert recta.dask.evaluate(x, model, label=t)["r2"] == pytest.approx(
        model.score(frame[NUMBERS].to_numpy(), frame["t"])
    )


def test_classes_keep_their_type(frame):
    table = dd.from_pandas(frame, npartitions=3)
    assert recta.dask.fit(table, LogisticRegression(), features=NUMBERS, label="y").classes_.tolist() == [0, 1]
    assert recta.dask.fit(table, GaussianNB(), features=NUMBERS, label="word").classes_.tolist() == ["high", "low"]


def test_transform(frame):
    table = dd.from_pandas(frame, npartitions=3)
    model = recta.dask.fit(table, LogisticRegression(), features=[*NUMBERS, "kind"], label="word")
    found = recta.dask.transform(table, model).compute()
    assert found["prediction"].tolist() == model.predict(frame[[*NUMBERS, "kind"]]).tolist()
    assert (found["prediction"] == found["word"]).mean() > 0.7


def test_weights_are_repetition(frame):
    weighted = recta.dask.fit(
        dd.from_pandas(frame, npartitions=3), Ridge(), features=NUMBERS, label="t", weight="weight"
    )
    repeated = frame.loc[frame.index.repeat(frame["weight"].astype(int))].reset_index(drop=True)
    plain = recta.dask.fit(dd.from_pandas(repeated, npartitions=2), Ridge(), features=NUMBERS, label="t")
    np.testing.assert_allclose(weighted.coef_, plain.coef_, rtol=1e-10)


def test_arrays(frame):
    x, t = frame[NUMBERS].to_numpy(), frame["t"].to_numpy()
    found = recta.dask.fit(da.from_array(x, chunks=(6000, 2)), Ridge(), label=da.from_array(t, chunks=5000))
    np.testing.assert_allclose(found.coef_, Ridge().fit(x, t).coef_, rtol=1e-10)


def test_a_word_with_parameters(frame):
    model = recta.dask.fit(
        dd.from_pandas(frame, npartitions=2), ("ridge", {"lambda": 0.5}), features=NUMBERS, label="t"
    )
    assert isinstance(model, recta.Model)
    assert model.certificate.verdict == "proved"


def test_a_bad_value_is_named_by_part_and_row(frame):
    for row, where in [
        (19000, "part 2, its rows, row 9001, column b"),
        (10001, "part 2, its rows, row 2, column b"),
    ]:  # inside a part, and at a border
        bad = frame.copy()
        bad.loc[row, "b"] = np.nan
        with pytest.raises(recta.DataError, match=where):
            recta.dask.fit(dd.from_pandas(bad, npartitions=2), Ridge(), features=NUMBERS, label="t")


@pytest.mark.parametrize(
    "estimator",
    [
        KNeighborsClassifier(7),
        KNeighborsClassifier(4, weights="distance", metric="manhattan"),
        KNeighborsRegressor(5),
        RadiusNeighborsClassifier(1.5),
        NearestNeighbors(n_neighbors=3, metric="cosine"),
    ],
    ids=name_of,
)
def test_neighbours_are_those_of_all_rows(frame, estimator):
    """On a coarse grid, so that most distances are equal and labels and row numbers decide."""
    grid = frame.assign(a=frame["a"].round() + 0.25, b=frame["b"].round()).head(6000)
    label = (
        None
        if isinstance(estimator, NearestNeighbors)
        else "count"
        if isinstance(estimator, KNeighborsRegressor)
        else "word"
    )
    queries = grid[["a", "b"]].to_numpy()[:40] + 0.5
    found = recta.dask.near(dd.from_pandas(grid, npartitions=5), estimator, queries, features=["a", "b"], label=label)
    alone = clone(estimator).fit(grid[["a", "b"]].to_numpy(), *([grid[label].to_numpy()] if label else []))
    assert len(found.rows_) < len(grid) / 2 or isinstance(estimator, RadiusNeighborsClassifier)
    if label:
        assert found.predict(queries).tolist() == alone.predict(queries).tolist()
    if hasattr(alone, "predict_proba"):
        assert (found.predict_proba(queries) == alone.predict_proba(queries)).all()
    if not isinstance(estimator, RadiusNeighborsClassifier):
        (there, places), (here, expected) = found.kneighbors(queries), alone.kneighbors(queries)
        assert (there == here).all()
        assert (found.rows_[places] == expected).all()


def test_neighbours_that_cannot_be_had_say_so(frame):
    table, queries = dd.from_pandas(frame.head(50), npartitions=3), np.zeros((1, 2))
    with pytest.raises(recta.UsageError, match="metric mahalanobis"):
        recta.dask.near(table, KNeighborsClassifier(metric="mahalanobis"), queries, features=["a", "b"], label="y")
    with pytest.raises(recta.UsageError, match="column kind: it holds text"):
        recta.dask.near(table, KNeighborsClassifier(), queries, features=["a", "kind"], label="y")
    with pytest.raises(recta.DataError, match=r"their shape is \(1, 2\)"):
        recta.dask.near(table, KNeighborsClassifier(), queries, features=["a"], label="y")
    with pytest.raises(recta.DataError, match="60 neighbours are more than the 50 rows"):
        recta.dask.near(table, KNeighborsClassifier(60), queries, features=["a", "b"], label="y")
    with pytest.raises(recta.UsageError, match="not an estimator of neighbours"):
        recta.dask.near(table, Ridge(), queries, features=["a", "b"], label="t")
    bad = frame.head(50).copy()
    bad.loc[20, "b"] = np.inf
    nameless = frame.head(50).copy()
    nameless.loc[20, "word"] = None
    with pytest.raises(recta.DataError, match=r"part 2, row \d+, column word: the label is missing"):
        recta.dask.near(
            dd.from_pandas(nameless, npartitions=3), KNeighborsClassifier(), queries, features=["a", "b"], label="word"
        )
    with pytest.raises(recta.DataError, match=r"part 2, row \d+, column b: the value is inf"):
        recta.dask.near(
            dd.from_pandas(bad, npartitions=3), KNeighborsClassifier(), queries, features=["a", "b"], label="y"
        )


def test_a_category_of_one_partition(frame):
    one = frame.copy()
    one.loc[3, "kind"] = "rare"
    model = recta.dask.fit(dd.from_pandas(one, npartitions=6), Ridge(), features=[*NUMBERS, "kind"], label="t")
    assert "kind=rare" in core_of(model).feature_names


def test_empty_partitions_and_one_row(frame):
    table = dd.from_pandas(frame, npartitions=5)
    few = table[table["id"] > 18000]  # four partitions have no rows
    model = recta.dask.fit(few, Ridge(), features=NUMBERS, label="t")
    whole = recta.dask.fit(
        dd.from_pandas(frame[frame["id"] > 18000], npartitions=1), Ridge(), features=NUMBERS, label="t"
    )
    assert core_of(model).to_bytes() == core_of(whole).to_bytes()
    assert (
        recta.dask.fit(table[table["id"] == 0], Ridge(), features=NUMBERS, label="t").certificate_.verdict == "proved"
    )
    with pytest.raises(recta.DataError, match="there are no rows"):
        recta.dask.fit(table[table["id"] < 0], Ridge(), features=NUMBERS, label="t")


def test_support_vector_regression_by_its_word(frame):
    table = dd.from_pandas(frame.head(3000), npartitions=2)
    with dask.config.set(scheduler="synchronous"):  # many rounds of few rows
        model = recta.dask.fit(table, ("svr", {"C": 0.5, "epsilon": 0.3}), features=NUMBERS, label="t")
        same = recta.dask.fit(table, ("epsilon-insensitive", {"tau": 2.0, "epsilon": 0.3}), features=NUMBERS, label="t")
    assert model.certificate.verdict == "proved"
    assert model.predict(frame).tolist() == same.predict(frame).tolist()


def test_what_an_engine_does_not_fit_says_so(frame):
    with pytest.raises(recta.UsageError, match="label: several columns are named.*fit one model for each"):
        recta.dask.fit(
            dd.from_pandas(frame, npartitions=2), LogisticRegression(), features=NUMBERS, label=["y", "word"]
        )
    with pytest.raises(recta.UsageError, match="one machine"):
        recta.dask.fit(dd.from_pandas(frame, npartitions=2), ("svm", {"kernel": "rbf"}), features=NUMBERS, label="y")
    with pytest.raises(recta.DataError, match="it has"):
        recta.dask.fit(dd.from_pandas(frame, npartitions=2), Ridge(), features=["missing"], label="t")


def kill_a_worker_in_round(client, number, monkeypatch):
    """Kills one worker while the answers of a round are on their way."""
    run, rounds = dask_tables._DaskEngine.run, []

    def killing(self, task):
        rounds.append(task.kind)
        if len(rounds) == number:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        return run(self, task)

    monkeypatch.setattr(dask_tables._DaskEngine, "run", killing)


def check_a_killed_worker(frame, client, number, monkeypatch):
    table = dd.from_pandas(frame, npartitions=7)
    expected = core_of(recta.dask.fit(table, LogisticRegression(), features=NUMBERS, label="y")).to_bytes()
    with monkeypatch.context() as patch:
        kill_a_worker_in_round(client, number, patch)
        assert core_of(recta.dask.fit(table, LogisticRegression(), features=NUMBERS, label="y")).to_bytes() == expected
    client.wait_for_workers(2, timeout=120)


def test_a_killed_worker_changes_nothing(frame, dask_client, monkeypatch):
    check_a_killed_worker(frame, dask_client, 4, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 3, 4, 5, 6] * 4)
def test_killed_workers_again_and_again(frame, dask_client, monkeypatch, number):
    check_a_killed_worker(frame, dask_client, number, monkeypatch)


DRIVER = """
    import os, signal, sys
    import dask, dask.dataframe as dd, pandas as pd
    import recta.dask
    from recta._data.rows import core_of
    from recta._distributed import dask_tables
    from recta.linear_model import LogisticRegression
    dask.config.set(scheduler="synchronous")
    run, rounds, last = dask_tables._DaskEngine.run, [], int(sys.argv[3])
    def counted(self, task):
        rounds.append(task.kind)
        if len(rounds) == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return run(self, task)
    dask_tables._DaskEngine.run = counted
    table = dd.from_pandas(pd.read_parquet(sys.argv[1]), npartitions=3)
    model = recta.dask.fit(table, LogisticRegression(), features=["a", "b"], label="y", checkpoint=sys.argv[2])
    sys.stdout.buffer.write(len(rounds).to_bytes(1, "big") + core_of(model).to_bytes())
"""


@pytest.fixture(scope="module")
def drive(frame, tmp_path_factory):
    """Runs the program, which kills itself when it is about to ask for round number ``last``."""
    folder = tmp_path_factory.mktemp("driver")
    frame[["a", "b", "y"]].to_parquet(folder / "rows.parquet")
    (folder / "driver.py").write_text(textwrap.dedent(DRIVER), encoding="utf-8")

    def run(last, checkpoint):
        return subprocess.run(
            [sys.executable, folder / "driver.py", folder / "rows.parquet", checkpoint, str(last)],
            capture_output=True,
            check=False,
        )

    return run


@pytest.fixture(scope="module")
def whole_drive(drive, tmp_path_factory):
    whole = drive(1000, tmp_path_factory.mktemp("whole") / "other")
    assert whole.returncode == 0, whole.stderr.decode()
    return whole.stdout


def check_a_killed_driver(drive, whole, last, checkpoint):
    killed = drive(last, checkpoint)
    assert killed.returncode == -signal.SIGKILL
    assert checkpoint.exists() == (last > 1)  # before the survey there is nothing to keep
    resumed = drive(1000, checkpoint)
    assert resumed.stdout[1:] == whole[1:]
    assert resumed.stdout[0] <= whole[0] - max(
        0, last - 4
    )  # what was answered is not asked again, except for the survey, the first round and the borders
    assert not checkpoint.exists()


def test_a_killed_driver_goes_on_from_its_checkpoint(drive, whole_drive, tmp_path):
    check_a_killed_driver(drive, whole_drive, whole_drive[0] - 2, tmp_path / "kept")


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(20))
def test_killed_drivers_again_and_again(drive, whole_drive, tmp_path, turn):
    check_a_killed_driver(drive, whole_drive, turn % whole_drive[0] + 1, tmp_path / "kept")


def test_a_checkpoint_of_other_rows_is_refused(frame, tmp_path, stopped_fit):
    table, path = dd.from_pandas(frame, npartitions=2), str(tmp_path / "kept")
    stopped_fit(8, table, LogisticRegression(), features=NUMBERS, label="y", checkpoint=path)
    other = frame.copy()
    other.loc[19000, "a"] += 1.0
    with pytest.raises(recta.DataError, match="the rows have changed"):
        recta.dask.fit(
            dd.from_pandas(other, npartitions=2), LogisticRegression(), features=NUMBERS, label="y", checkpoint=path
        )
    with pytest.raises(recta.UsageError, match="another fit"):
        recta.dask.fit(table, LogisticRegression(C=2.0), features=NUMBERS, label="y", checkpoint=path)


def test_the_best_so_far_of_a_cluster_that_is_gone(frame, tmp_path, stopped_fit):
    table, path = dd.from_pandas(frame, npartitions=3), str(tmp_path / "kept")
    ask = {"features": NUMBERS, "label": "y", "checkpoint": path}
    optimum = recta.dask.fit(table, LogisticRegression(), **ask)
    stopped_fit(7, table, LogisticRegression(), **ask)
    with pytest.warns(ConvergenceWarning, match="the checkpoint ends here"):
        best = recta.dask.fit(dd.from_pandas(frame, npartitions=5), LogisticRegression(), **ask, best_so_far=True)
    found, least = best.certificate_, optimum.certificate_.objective
    assert found.verdict == "stopped_early"
    assert least <= found.objective <= least + found.gap + found.slack
    assert found.gap < 0.1 * least
    assert recta.dask.verify(table, best).verdict == "stopped_early"
    assert core_of(recta.dask.fit(table, LogisticRegression(), **ask)).to_bytes() == core_of(optimum).to_bytes()
    with pytest.raises(recta.UsageError, match="there is no such checkpoint"):
        recta.dask.fit(table, LogisticRegression(), **ask, best_so_far=True)
