"""recta fit kernel-kmeans and kernel-pca: what is proved holds, however far from the origin the rows are."""

import json
import random
import re
from fractions import Fraction

import numpy as np
import pytest
from safetensors.numpy import load_file


def write(path, rows):
    path.write_text(
        "\n".join([",".join(f"x{j}" for j in range(len(rows[0])))] + [",".join(map(repr, row)) for row in rows]) + "\n"
    )


def nearer_to_another(rows, of_row):
    """The most by which the square of a row's distance from its own mean exceeds that from another, in fractions."""
    exact = [[Fraction(x) for x in row] for row in rows]
    means = {}
    for c in set(of_row):
        own = [row for row, k in zip(exact, of_row) if k == c]
        means[c] = [sum(column) / len(own) for column in zip(*own)]
    apart = [{c: sum((a - m) ** 2 for a, m in zip(row, mean)) for c, mean in means.items()} for row in exact]
    return max(squares[k] - min(squares.values()) for squares, k in zip(apart, of_row))


@pytest.mark.parametrize("seed", range(6))
def test_rows_far_from_the_origin_are_nearest_to_their_own_mean(run, tmp_path, seed):
    rng = random.Random(seed)
    rows = [[1e7 + rng.gauss(0, 1), 1e6 + rng.gauss(0, 1)] for _ in range(30)]
    write(tmp_path / "t.csv", rows)
    done = run("fit", "kernel-kmeans", "t.csv", "--clusters", "3", "--kernel", "linear", "-o", "m.recta", "--json")
    certificate = json.loads(done.stdout)["certificate"]
    assert certificate["verdict"] == "proved", certificate["sentence"]
    assert nearer_to_another(rows, list(load_file(tmp_path / "m.recta")["kernel_kmeans.of_row"])) == 0
    assert run("verify", "m.recta", "t.csv").returncode == 0


def test_rounding_that_is_larger_than_what_lies_between_means_is_no_proof(run, tmp_path):
    rng = random.Random(1)
    write(tmp_path / "t.csv", [[5e5 + rng.gauss(0, 1), 5e5 + rng.gauss(0, 1)] for _ in range(300)])
    done = run(
        "fit",
        "kernel-kmeans",
        "t.csv",
        "--clusters",
        "3",
        "--kernel",
        "polynomial",
        "--degree",
        "1",
        "--gamma",
        "1",
        "--json",
    )
    certificate = json.loads(done.stdout)["certificate"]
    assert certificate["verdict"] != "proved" and certificate["slack"] > 1e-3, certificate["sentence"]


def test_a_row_between_two_means_is_not_proved_to_be_nearer_to_one(run, tmp_path):
    write(tmp_path / "t.csv", [[0.0], [2.0], [5.0], [8.0]])  # with means 1 and 6.5, or 7/3 and 8: 5 is between 2 and 8
    write(tmp_path / "ties.csv", [[0.1], [0.3], [0.5], [0.7], [0.9]])
    assert (
        "Proved: every row is nearest to the mean"
        in run("fit", "kernel-kmeans", "t.csv", "--clusters", "2", "--kernel", "linear").stdout
    )
    done = run("fit", "kernel-kmeans", "ties.csv", "--clusters", "2", "--kernel", "linear", "-o", "m.recta")
    rows, of_row = [[0.1], [0.3], [0.5], [0.7], [0.9]], list(load_file(tmp_path / "m.recta")["kernel_kmeans.of_row"])
    assert "Proved" not in done.stdout or nearer_to_another(rows, of_row) <= 0


def test_components_far_from_the_origin_are_those_of_the_same_rows_about_it(run, tmp_path):
    rng = np.random.default_rng(3)
    rows = rng.integers(-64, 64, (40, 3)) / 16  # moved by 2^24, they keep all digits
    for name, offset in (("near.csv", 0), ("far.csv", 2.0**24)):
        write(tmp_path / name, (rows + offset).tolist())
    values = {}
    for name in ("near.csv", "far.csv"):
        done = run("fit", "kernel-pca", name, "--kernel", "linear", "--components", "2", "-o", "m.recta", "--json")
        assert json.loads(done.stdout)["certificate"]["verdict"] == "proved"
        values[name] = np.loadtxt(run("transform", "m.recta", name).stdout.splitlines()[1:], delimiter=",")
    np.testing.assert_allclose(values["far.csv"], values["near.csv"], atol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_components_hold_to_the_tolerance_with_their_rounding_or_are_not_proved(run, tmp_path, offset):
    rng = np.random.default_rng(5)
    write(tmp_path / "t.csv", (offset + rng.normal(size=(30, 2))).tolist())
    flags = ["--kernel", "polynomial", "--degree", "2", "--gamma", "1", "--coef", "1", "--components", "2"]
    certificate = json.loads(run("fit", "kernel-pca", "t.csv", *flags, "--json").stdout)["certificate"]
    assert (certificate["verdict"] == "proved") == (offset == 0), certificate["sentence"]
    assert float(re.search("hold to (\\S+) of", certificate["sentence"])[1]) >= certificate["slack"] > 0
