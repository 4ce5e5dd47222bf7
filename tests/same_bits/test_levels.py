"""P3 on every instruction set this machine has: at each the same bits at any number of threads, streamed or not; between
them the same answer to rounding, and each proves what another fitted."""

import hashlib
import json
import os
import random

import pytest


@pytest.fixture(scope="module")
def tall(tmp_path_factory):
    rng = random.Random(23)
    path = tmp_path_factory.mktemp("tall") / "tall.csv"
    with open(path, "w", encoding="utf-8") as f:
        f.write("a,b,c,w,y\n")
        for _ in range(9000):
            a, b, c = (rng.gauss(0, 1) for _ in range(3))
            f.write(f"{a!r},{b!r},{c!r},{rng.choice([0, 1, 2.5])},{a - 2 * b + rng.gauss(0, 1)!r}\n")
    return path


def levels(run):
    found = {f["what"]: f["found"] for f in json.loads(run("doctor", "--json").stdout)["findings"]}
    return found["instruction sets"].split(" of ")[1].split(", ")


def coefficients(run, level, *flags):
    done = run("fit", *flags, "--json", env={**os.environ, "RECTA_SIMD": level})
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["certificate"]["verdict"] == "proved"
    return [c["value"] for c in document["coefficients"]["y"]]


@pytest.mark.parametrize(
    "word",
    [
        ["linear"],
        ["ridge", "--lambda", "0.3", "--standardise"],
        ["lasso", "--lambda", "0.1"],
        ["elastic-net", "--lambda", "0.3", "--standardise", "--solver", "gram"],
    ],
    ids=" ".join,
)
def test_every_level_has_its_own_bits_whatever_the_threads(run, tall, tmp_path, word):
    fit = [*word, tall, "--target", "y", "--weights", "w"]
    answers = {}
    for level in levels(run):
        hashes, streamed = set(), set()
        for threads in [1, 2, 3, 8]:
            for flags, seen in [([], hashes), (["--stream"], streamed)]:
                answers[level] = coefficients(run, level, *fit, "--threads", threads, "-o", "m.recta", *flags)
                seen.add(hashlib.sha256((tmp_path / "m.recta").read_bytes()).hexdigest())
                assert coefficients(run, level, *fit, *flags) == answers[level]
        assert len(hashes) == 1 and len(streamed) == 1
        for other in levels(run):
            assert run("verify", "m.recta", tall, env={**os.environ, "RECTA_SIMD": other}).returncode == 0
    for answer in answers.values():
        for one, another in zip(answer, answers["scalar"]):
            assert one == pytest.approx(another, rel=1e-13, abs=1e-15)
