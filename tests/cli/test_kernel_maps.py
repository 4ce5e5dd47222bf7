"""Kernel maps on the command line: nystrom(...) and random_fourier(...) among the features of any linear model."""

import json

import numpy as np
import pytest


@pytest.fixture
def rings(tmp_path):
    rng = np.random.default_rng(1)
    lines = ["a,b,c"]
    for i in range(400):
        r, t = (1.0, 2.5)[i % 2], rng.uniform(0, 2 * np.pi)
        lines.append(
            f"{float(r * np.cos(t) + rng.normal(0, 0.2))!r},{float(r * np.sin(t) + rng.normal(0, 0.2))!r},{('in', 'out')[i % 2]}"
        )
    (tmp_path / "rings.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "rings.csv"


@pytest.mark.parametrize("map", ["nystrom(40, gamma=0.5)", "random_fourier(40)"])
@pytest.mark.parametrize("word", ["logistic", "svm", "ridge-classifier"])
def test_a_linear_model_bends_around_rings(run, rings, word, map):
    done = run("fit", word, rings, "--target", "c", "--basis", map, "-o", "m.recta", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["metrics"]["c"]["accuracy"] > 0.97
    assert any("stand for the kernel exp(-" in condition for condition in found["conditions"])
    verified = run("verify", "m.recta", rings)
    assert verified.returncode == 0 and verified.stdout.startswith("Proved")


def test_files_streams_and_threads_give_the_same_model(run, rings, tmp_path):
    for k, flags in enumerate([[], ["--stream"], ["--threads", "1"], ["--threads", "2"]]):
        asked = run(
            "fit",
            "logistic",
            rings,
            "--target",
            "c",
            "--lambda",
            "0.01",
            "--basis",
            "nystrom(30)",
            "-o",
            f"{k}.recta",
            "-q",
            *flags,
        )
        assert asked.returncode == 0, asked.stderr
    files = [(tmp_path / f"{k}.recta").read_bytes() for k in range(4)]
    assert files[0] == files[2] == files[3]
    answers = [run("predict", f"{k}.recta", rings, "--proba").stdout for k in range(2)]
    assert answers[0] == answers[1]


def test_the_seed_of_the_fit_is_that_of_the_landmarks(run, rings):
    sentences = [
        run("fit", "logistic", rings, "--target", "c", "--basis", f"nystrom(5{inside})", *flags).stdout.split(
            "trace error"
        )[1]
        for inside, flags in [("", []), ("", ["--seed", "7"]), (", seed=7", [])]
    ]
    assert sentences[1] == sentences[2] != sentences[0]


@pytest.mark.parametrize(
    "map, words",
    [
        ("nystrom(0)", "the number of landmarks is 0"),
        ("nystrom(c, 5)", "is the target"),
        ("nystrom(5, kernel=chi2)", "takes no number below zero"),
        ("nystrom(5, kernel=sigmoid)", "one of rbf"),
        ("nystrom(a, z, 5)", 'has no column "z"'),
        ("random_fourier(5, degree=2)", 'has no option "degree"'),
    ],
)
def test_what_cannot_be_made_is_refused(run, rings, map, words):
    done = run("fit", "logistic", rings, "--target", "c", "--basis", map)
    assert done.returncode != 0 and words in done.stderr, done.stderr
