"""What is held in memory is said, and what a fit takes beside its rows is bounded and said before it is begun."""

import json
import os
import re
import subprocess

import numpy as np
import pytest


@pytest.fixture
def rows(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((300, 60))
    np.savetxt(tmp_path / "d.csv", x, delimiter=",", header=",".join([f"x{j}" for j in range(59)] + ["y"]), comments="", fmt="%.6f")
    return tmp_path / "d.csv"


@pytest.mark.parametrize("word", ["linear", "ridge", "huber", "quantile"])
@pytest.mark.parametrize("flags", [[], ["--stream"]])
def test_a_fit_above_the_limit_is_refused_with_its_estimate(run, rows, word, flags):
    done = run("fit", word, rows, "--target", "y", "--threads", "4", "--max-memory", "400K", *flags)
    assert done.returncode == 1
    assert re.search(r"the fit would take about [0-9.]+ [kMG]B beside the rows .*, more than the limit of [0-9.]+ kB", done.stderr)
    assert "raise --max-memory" in done.stderr
    assert run("fit", word, rows, "--target", "y", "--max-memory", "1G", *flags).returncode == 0


def test_the_estimate_is_that_of_check(run, rows):
    said = json.loads(run("check", rows, "--target", "y", "--threads", "4", "--json").stdout)
    done = run("fit", "linear", rows, "--target", "y", "--threads", "4", "--max-memory", "400K")
    assert f"about {said['fit_bytes'] / 1000:.3g} kB beside the rows" in done.stderr


@pytest.mark.parametrize("word, size", [("quantile", 48), ("epsilon-insensitive", 72)])
def test_numbers_kept_of_every_row_are_said(run, rows, word, size):
    done = run("fit", word, rows, "--target", "y", "--stream")
    assert f"{word} streams its passes and keeps {size} bytes of every row in memory, {size * 300 / 1000:.3g} kB in all" in done.stderr


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
        child = subprocess.Popen([recta, *map(str, words), "--target", "x51", "-q"], cwd=tmp_path, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        return used.ru_maxrss * 1024

    alone = peak("fit", "ridge", "d.npy", "--lambda", "0.1")
    for folds in (3, 9):
        grid = ("--grid", "standardise=true,false", "--grid", "lambda=0.1,1")
        assert peak("cv", "ridge", "d.npy", "--folds", folds, *grid) - alone < 1.6 * size
