"""P14 and P9 for every command that works for long: a signal at any time ends it, with a file that is the old one or
whole, and no other file."""

import gzip
import os
import random
import signal
import subprocess
import time

import numpy as np
import pytest

COMMANDS = {
    "check": ["check", "big.csv"],
    "eval": ["eval", "m.recta", "big.csv"],
    "verify": ["verify", "m.recta", "big.csv"],
    "verify a stream": ["verify", "m.recta", "big.csv", "--stream"],
    "predict": ["predict", "m.recta", "big.csv", "-o", "out.csv"],
    "convert to gzip": ["convert", "big.csv", "out.csv.gz"],
    "convert to npy": ["convert", "big.csv", "out.npy"],
    "convert to libsvm": ["convert", "big.csv", "out.libsvm", "--target", "y"],
    "read levels": ["check", "levels.csv"],
    "read gzip": ["check", "levels.csv.gz"],
    "fit a stream of gzip": [
        "fit",
        "linear",
        "levels.csv.gz",
        "--target",
        "y",
        "--ignore",
        "x",
        "--stream",
        "-o",
        "out.recta",
    ],
    "fit many columns": ["fit", "linear", "wide.npy", "--target", "x1200", "-o", "out.recta"],
    "fit without products": ["fit", "linear", "big.csv", "--target", "y", "--solver", "lsmr", "-o", "out.recta"],
}


@pytest.fixture(scope="module")
def folder(recta, tmp_path_factory):
    path = tmp_path_factory.mktemp("signals")
    rng = random.Random(3)
    lines = [",".join(f"{rng.gauss(0, 1):.6f}" for _ in range(16)) for _ in range(1500)]
    with open(path / "big.csv", "w", encoding="utf-8") as f:
        f.write(",".join([f"x{j}" for j in range(15)] + ["y"]) + "\n")
        for _ in range(60):
            f.write("\n".join(lines) + "\n")
    with open(path / "levels.csv", "w", encoding="utf-8") as f:
        f.write("x,y\n")
        f.writelines(f"{k:x}q,{k % 7}\n" for k in range(300_000))
    with gzip.open(path / "levels.csv.gz", "wb", compresslevel=1) as f:
        f.write((path / "levels.csv").read_bytes())
    np.save(path / "wide.npy", np.random.default_rng(5).standard_normal((1400, 1200)))
    subprocess.run(
        [recta, "fit", "linear", "big.csv", "--target", "y", "-o", "m.recta"], cwd=path, check=True, capture_output=True
    )
    return path


@pytest.mark.parametrize("name", COMMANDS)
def test_at_random_times(recta, folder, name):
    arguments = [recta, *COMMANDS[name]]
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    begin = time.monotonic()
    assert subprocess.run(arguments, cwd=folder, capture_output=True, check=False).returncode == 0
    whole = time.monotonic() - begin
    made = {p.name: p.read_bytes() for p in folder.iterdir() if p.name not in before}
    try:
        interrupt_at_random_times(arguments, folder, name, whole, before, made)
    finally:  # what one command leaves behind must not be blamed on the next
        for p in folder.iterdir():
            if p.name not in before:
                p.unlink()


def interrupt_at_random_times(arguments, folder, name, whole, before, made):
    rng = random.Random(name)
    for number in [signal.SIGINT, signal.SIGTERM] * 4:
        for file in made:
            (folder / file).write_bytes(b"old")
        process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            process.wait(rng.uniform(0.005, 1.1 * whole))
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert process.returncode in (0, 130, 143, -signal.SIGINT, -signal.SIGTERM), (process.returncode, said)
        for file in made:
            assert (folder / file).read_bytes() in (b"old", made[file])
            (folder / (file + ".partial")).unlink(missing_ok=True)
        assert {p.name for p in folder.iterdir()} == set(before) | set(made), said


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit", "linear", "-", "--target", "y"],
        ["check", "-"],
        ["convert", "-", "out.csv"],
        ["fit", "linear", "pipe.csv", "--target", "y", "--stream"],
        ["fit", "linear", "pipe.csv", "--target", "y"],
    ],
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_while_it_waits_for_a_pipe(recta, tmp_path, arguments, number):
    os.mkfifo(tmp_path / "pipe.csv")
    process = subprocess.Popen(
        [recta, *arguments], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    if "-" in arguments:
        process.stdin.write(b"x,y\n1,2\n3,5\n")
        process.stdin.flush()
    time.sleep(0.5)
    process.send_signal(number)
    assert process.wait(timeout=30) in (128 + number, -number)
    assert {p.name for p in tmp_path.iterdir()} == {"pipe.csv"}
    process.communicate()


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit", "linear", "-", "--target", "y"],
        ["fit", "linear", "pipe.csv", "--target", "y", "--stream"],
        ["fit", "linear", "pipe.csv", "--target", "y"],
    ],
)
def test_a_time_limit_ends_waiting_for_a_pipe(recta, tmp_path, arguments):
    os.mkfifo(tmp_path / "pipe.csv")
    process = subprocess.Popen(
        [recta, *arguments, "--time-limit", "0.2"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.wait(timeout=30) == 1
    assert b"--time-limit: 0.2 s were over before there was a model" in process.stderr.read()
    process.communicate()
