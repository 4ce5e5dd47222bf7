"""P14 and P9 for every command that works for long: a signal at any time ends it, with a file that is the old one or
whole, and no other file."""

import random
import signal
import subprocess
import time

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
    subprocess.run([recta, "fit", "linear", "big.csv", "--target", "y", "-o", "m.recta"], cwd=path, check=True,
                   capture_output=True)
    return path


@pytest.mark.parametrize("name", COMMANDS)
def test_at_random_times(recta, folder, name):
    arguments = [recta, *COMMANDS[name]]
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    begin = time.monotonic()
    assert subprocess.run(arguments, cwd=folder, capture_output=True, check=False).returncode == 0
    whole = time.monotonic() - begin
    made = {p.name: p.read_bytes() for p in folder.iterdir() if p.name not in before}
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
    for file in made:
        (folder / file).unlink()
