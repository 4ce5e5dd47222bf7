"""``recta fit --engine spark``: the command line asks Python, and shows the model that comes back."""

import os
import subprocess
import sys
from pathlib import Path

import dask.dataframe as dd
import pytest

RECTA = os.environ.get("RECTA", str(Path(__file__).resolve().parents[2] / "build/release/recta"))


def run(*words, python=sys.executable):
    return subprocess.run(
        [RECTA, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"RECTA_PYTHON": python},
    )


@pytest.fixture
def table(frame, tmp_path):
    frame[["a", "b", "kind", "t"]].head(3000).to_csv(tmp_path / "rows.csv", index=False)
    return tmp_path / "rows.csv"


def is_the_fit_of_one_machine(words, tmp_path):
    """Spark prints what one machine does, and the model is verified there; the third word is the table."""
    there, here = (
        run(*words, "--engine", "spark", "--master", "local[2]", "-o", tmp_path / "m.recta"),
        run(*words, "--stream"),
    )
    assert there.returncode == 0, there.stderr
    assert [line for line in there.stdout.splitlines() if "time " not in line] == [
        line for line in here.stdout.splitlines() if "time " not in line
    ]
    assert run("verify", tmp_path / "m.recta", words[2]).returncode == 0


def test_a_fit_by_spark_is_the_fit_of_one_machine(table, tmp_path):
    is_the_fit_of_one_machine(["fit", "ridge", table, "--target", "t", "--lambda", 0.1], tmp_path)


@pytest.mark.slow  # test_spark has them without the command line
def test_parquet_files_are_read_by_the_executors(frame, table, tmp_path):
    (tmp_path / "rows").mkdir()
    for k in range(3):
        frame[["a", "b", "kind", "t"]].iloc[1000 * k : 1000 * (k + 1)].to_parquet(
            tmp_path / "rows" / f"{k}.parquet", index=False
        )
    words = [
        "fit",
        "ridge",
        tmp_path / "rows",
        "--target",
        "t",
        "--lambda",
        0.1,
        "--engine",
        "spark",
        "--master",
        "local[2]",
        "-o",
        tmp_path / "m.recta",
    ]
    there = run(*words)
    assert there.returncode == 0, there.stderr
    assert run("verify", tmp_path / "m.recta", table).returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ["naive-bayes", "--target", "kind"],  # which leaves out what is missing
        pytest.param(
            [
                "lda",
                "--target",
                "kind",
                "--missing",
                "mean",
                "--poly",
                2,
                "--poly-terms",
                "powers",
                "--multiclass",
                "ova",
            ],
            marks=pytest.mark.slow,
        ),
    ],
    ids=lambda words: words[0],
)
def test_missing_values_classes_and_terms_travel(frame, tmp_path, words):
    gaps = frame[["a", "b", "kind", "t"]].head(3000).copy()
    gaps.loc[gaps.index % 7 == 3, "a"] = None
    gaps.to_csv(tmp_path / "gaps.csv", index=False)
    ask = ["fit", words[0], tmp_path / "gaps.csv", *words[1:]]
    is_the_fit_of_one_machine(ask, tmp_path)


@pytest.mark.slow  # test_spark has them without the command line
def test_documents(letters, tmp_path):
    letters.drop(columns=["id", "age"]).to_csv(tmp_path / "letters.csv", index=False)
    ask = [
        "fit",
        "naive-bayes",
        tmp_path / "letters.csv",
        "--target",
        "word",
        "--likelihood",
        "multinomial",
        "--text",
        "body",
        "--min-df",
        "0.01",
        "--max-df",
        "1.0",
        "--text-ngrams",
        "1:2",
    ]
    is_the_fit_of_one_machine(ask, tmp_path)


def test_the_best_so_far_of_a_cluster_that_is_gone(frame, tmp_path, stopped_fit):
    """The checkpoint of a fit by Dask, taken up by Spark from the command line: what is kept are answers about all rows, whoever gathered them."""
    rows = frame[["a", "b", "kind", "word"]].head(3000)
    rows.to_csv(tmp_path / "rows.csv", index=False)
    stopped_fit(
        7,
        dd.from_pandas(rows, npartitions=2),
        ("logistic", {"lambda": 0.01}),
        label="word",
        checkpoint=str(tmp_path / "kept"),
    )
    ask = ["fit", "logistic", tmp_path / "rows.csv", "--target", "word", "--lambda", 0.01]
    there = run(
        *ask,
        "--engine",
        "spark",
        "--master",
        "local[2]",
        "--checkpoint",
        tmp_path / "kept",
        "--best-so-far",
        "-o",
        tmp_path / "m.recta",
    )
    assert there.returncode == 0, there.stderr
    assert "Stopped early (the checkpoint ends here), not proved: the objective" in there.stdout
    assert "may be" in there.stdout
    assert "the checkpoint ends here" in run("verify", tmp_path / "m.recta", tmp_path / "rows.csv").stdout
    assert (tmp_path / "kept").exists()
    assert "give --checkpoint FILE as well" in run(*ask, "--engine", "spark", "--best-so-far").stderr


def test_what_goes_wrong_is_said(table, tmp_path):
    assert (
        "cannot be run"
        in run("fit", "ridge", table, "--target", "t", "--engine", "spark", python="no-such-python").stderr
    )
    (tmp_path / "bare-python").write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n', encoding="utf-8")
    (tmp_path / "bare-python").chmod(0o755)
    bare = run("fit", "ridge", table, "--target", "t", "--engine", "spark", python=str(tmp_path / "bare-python"))
    assert bare.returncode == 1
    assert "bare-python has no package recta" in bare.stderr
    refused = run("fit", "ridge", table, "--target", "t", "--engine", "spark", "--stream")
    assert refused.returncode == 2
    assert "--stream: an engine does not do this" in refused.stderr
    filled = run("fit", "ridge", table, "--target", "t", "--engine", "spark", "--missing", "neighbours")
    assert filled.returncode == 2
    assert "take mean, indicator or drop" in filled.stderr
    missing = run("fit", "ridge", table, "--target", "nothing", "--engine", "spark", "--master", "local[1]")
    assert missing.returncode == 3
    assert "the table has none of this name" in missing.stderr
