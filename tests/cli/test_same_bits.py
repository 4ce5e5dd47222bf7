"""P3: the same bits at any number of threads, whole and again."""

import hashlib
import random

import pytest


@pytest.fixture
def tall(tmp_path):
    """Rows for several blocks, with weights."""
    rng = random.Random(7)
    path = tmp_path / "tall.csv"
    with open(path, "w") as f:
        f.write("a,b,c,d,w,y\n")
        for _ in range(20000):
            a, b, c, d = (rng.gauss(0, 1) for _ in range(4))
            f.write(f"{a!r},{b!r},{c!r},{d!r},{rng.random()!r},{a - 2 * b + rng.gauss(0, 1)!r}\n")
    return path


@pytest.mark.parametrize("flags", [["linear"], ["ridge", "--lambda", "0.01", "--standardise"], ["linear", "--stream"]])
def test_model_files_have_the_same_hash_at_any_number_of_threads(run, tall, tmp_path, flags):
    word, *rest = flags
    hashes = set()
    for threads in [1, 2, 3, 8, 1]:
        done = run("fit", word, tall, "--target", "y", "--weights", "w", "--threads", threads, "-o", "m.recta", *rest)
        assert done.returncode == 0, done.stderr
        hashes.add(hashlib.sha256((tmp_path / "m.recta").read_bytes()).hexdigest())
    assert len(hashes) == 1


def test_predictions_are_the_same_bits_too(run, tall):
    assert run("fit", "linear", tall, "--target", "y", "-o", "m.recta").returncode == 0
    outputs = {run("predict", "m.recta", tall, "--threads", t).stdout for t in [1, 2, 3, 8]}
    outputs.add(run("predict", "m.recta", tall, "--stream").stdout)
    assert len(outputs) == 1
