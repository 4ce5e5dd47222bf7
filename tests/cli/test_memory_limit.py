"""What is held in memory is said, and what a fit takes beside its rows is bounded and said before it is begun."""

import json
import os
import re
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture
def rows(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((300, 60))
    np.savetxt(
        tmp_path / "d.csv",
        x,
        delimiter=",",
        header=",".join([f"x{j}" for j in range(59)] + ["y"]),
        comments="",
        fmt="%.6f",
    )
    return tmp_path / "d.csv"


@pytest.mark.parametrize("word", ["linear", "ridge", "huber", "quantile"])
@pytest.mark.parametrize("flags", [[], ["--stream"]])
def test_a_fit_above_the_limit_is_refused_with_its_estimate(run, rows, word, flags):
    done = run("fit", word, rows, "--target", "y", "--threads", "4", "--max-memory", "400K", *flags)
    assert done.returncode == 1
    assert re.search(
        r"the fit would take about [0-9.]+ [kMG]B beside the rows .*, more than the limit of [0-9.]+ kB", done.stderr
    )
    assert "raise --max-memory" in done.stderr
    assert run("fit", word, rows, "--target", "y", "--max-memory", "1G", *flags).returncode == 0


def test_the_estimate_is_that_of_check(run, rows):
    said = json.loads(run("check", rows, "--target", "y", "--threads", "4", "--json").stdout)
    done = run("fit", "linear", rows, "--target", "y", "--threads", "4", "--max-memory", "400K")
    assert f"about {said['fit_bytes'] / 1000:.3g} kB beside the rows" in done.stderr


@pytest.mark.parametrize("word, size", [("quantile", 48), ("epsilon-insensitive", 72)])
def test_numbers_kept_of_every_row_are_said(run, rows, word, size):
    done = run("fit", word, rows, "--target", "y", "--stream")
    assert (
        f"{word} streams its passes and keeps {size} bytes of every row in memory, {size * 300 / 1000:.3g} kB in all"
        in done.stderr
    )


@pytest.mark.parametrize("word", ["huber", "quantile"])
def test_rows_of_standard_input_that_are_held_are_said(run, rows, word):
    done = run("fit", word, "-", "--target", "y", stdin=rows.read_text())
    assert done.returncode == 0, done.stderr
    assert f"standard input was held in memory: {word} reads the rows several times" in done.stderr


def test_a_search_keeps_one_copy_of_its_rows_whatever_the_number_of_folds(recta, tmp_path):
    if "asan" in recta.parts:
        pytest.skip("the sanitizer holds on to memory that was given back")
    rng = np.random.default_rng(2)
    np.save(tmp_path / "d.npy", rng.standard_normal((80_000, 51)))
    size = 80_000 * 51 * 8

    def peak(*words):
        child = subprocess.Popen(
            [recta, *map(str, words), "--target", "x51", "-q"], cwd=tmp_path, stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        return used.ru_maxrss * 1024

    alone = peak("fit", "ridge", "d.npy", "--lambda", "0.1")
    for folds in (3, 9):
        grid = ("--grid", "standardise=true,false", "--grid", "lambda=0.1,1")
        assert peak("cv", "ridge", "d.npy", "--folds", folds, *grid) - alone < 1.6 * size


def peak_of(command, folder):
    """The most memory that a process had, as it said while it ran: what is said after its end counts that of the process which began it."""
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    most = 0
    while child.poll() is None:
        said = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{child.pid}/status").read_text())
        most = max(most, int(said[1]) * 1024 if said else 0)
        time.sleep(0.005)
    assert child.returncode == 0
    return most


def dense_rows(path, count):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 10, (count, 60))
    kind = np.digitize(x[:, 0] - x[:, 1] + 3 * rng.standard_normal(count), [-2, 2])
    tags = np.array(["low", "low|even", "even", "high|even"])[kind + (x[:, 2] > 6)]
    with open(path, "w") as out:
        out.write(",".join(f"x{j}" for j in range(60)) + ",kind,tags\n")
        for row, k, tag in zip(x, kind, tags):
            out.write(",".join(map(str, row)) + f",{'abc'[k]},{tag}\n")


def sparse_rows(path, count):
    rng = np.random.default_rng(4)
    places, noise = rng.integers(1, 3000, (count, 40)).tolist(), rng.standard_normal(count)
    cells = [f"{j}:1" for j in range(3001)]
    with open(path, "w") as out:
        for row, more in zip(places, noise):
            ordered = sorted({*row, 3000})
            side = 1 if sum(j % 2 for j in ordered) + more > 20 else -1
            out.write(f"{side} " + " ".join([cells[j] for j in ordered]) + "\n")


@pytest.fixture(scope="module")
def table_of(tmp_path_factory):
    """Tables of so many rows, each written once."""
    folder = tmp_path_factory.mktemp("tables")

    def table(write, count, ending):
        path = folder / f"{write.__name__}_{count}.{ending}"
        if not path.exists():
            write(path, count)
        return path

    return table


@pytest.mark.parametrize(
    "words, write, ending, numbers",
    [
        (
            ["logistic", "--target", "kind", "--ignore", "tags", "--multiclass", "ova", "--lambda", "0.01"],
            dense_rows,
            "csv",
            60,
        ),
        (
            [
                "svm",
                "--target",
                "kind",
                "--ignore",
                "tags",
                "--multiclass",
                "ovo",
                "--loss",
                "squared-hinge",
                "--C",
                "0.01",
            ],
            dense_rows,
            "csv",
            60,
        ),
        (["logistic", "--label-set", "tags", "--ignore", "kind", "--lambda", "0.01"], dense_rows, "csv", 60),
        (["svm", "--loss", "squared-hinge", "--C", "0.001"], sparse_rows, "libsvm", 40 * 1.5),
    ],
)
def test_a_stream_takes_the_same_memory_for_eight_times_the_rows(
    recta, tmp_path, table_of, words, write, ending, numbers
):
    if "asan" in recta.parts:
        pytest.skip("the sanitizer holds on to memory that was given back")
    peaks = []
    counts = (8_000, 64_000)
    for count in counts:
        table = table_of(write, count, ending)
        command = [recta, "fit", words[0], table, *words[1:], "--stream", "--threads", "2", "-q"]
        peaks.append(peak_of(command, tmp_path))
    held = 8 * numbers * (counts[1] - counts[0])  # what the further rows would take, gathered once
    assert peaks[1] - peaks[0] < 0.3 * held


def test_a_kernel_machine_keeps_rows_of_its_matrix_within_the_cache_and_the_limit(recta, tmp_path):
    if "asan" in recta.parts:
        pytest.skip("the sanitizer holds on to memory that was given back")
    rng = np.random.default_rng(3)
    x = rng.standard_normal((6000, 4))
    np.savetxt(
        tmp_path / "d.csv",
        np.c_[x, x.sum(axis=1) + 2 * rng.standard_normal(6000) > 0],
        delimiter=",",
        header="a,b,c,d,y",
        comments="",
        fmt="%.6g",
    )

    def peak(*flags):
        words = ["fit", "svm", "d.csv", "--target", "y", "--kernel", "rbf", "--threads", "1", "-q", *flags]
        return peak_of([recta, *words], tmp_path)

    least = peak("--cache", "1")
    assert peak() - least > 50e6  # the whole matrix, 144 MB of floats, is held where it may be
    for flags, megabytes in (
        (("--cache", "20"), 20),
        (("--cache", "60"), 60),
        (("--max-memory", "20M"), 20),
        (("--max-memory", "2M"), 2),
    ):
        assert peak(*flags) - least < megabytes * 1e6 + 8e6, flags
