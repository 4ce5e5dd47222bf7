"""P14: Ctrl-C at any time ends the program soon, and what is on disk is whole."""

import random
import signal
import subprocess
import time

import pytest


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    rng = random.Random(3)
    path = tmp_path_factory.mktemp("big") / "big.csv"
    lines = [",".join(f"{rng.gauss(0, 1):.6f}" for _ in range(20)) for _ in range(2000)]
    with open(path, "w") as f:
        f.write(",".join([f"x{j}" for j in range(19)] + ["y"]) + "\n")
        for _ in range(60):
            f.write("\n".join(lines) + "\n")
    return path


def interrupted(recta, arguments, after, cwd):
    """Exit status, seconds from the signal to the end, and what was said."""
    process = subprocess.Popen([recta, *map(str, arguments)], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, said = process.communicate(timeout=60)
    return process.returncode, time.monotonic() - sent, said.decode()


def times(seed, tries, first, last, codes):
    """Random times, and then, while none has interrupted anything, earlier and earlier ones: runs differ in length."""
    rng = random.Random(seed)
    for _ in range(tries):
        yield rng.uniform(first, last)
    for k in range(60):
        if 130 in codes:
            return
        yield first + (last - first) * 0.93**k


@pytest.mark.parametrize("flags", [[], ["--stream"]])
def test_at_random_times_the_old_model_stays_and_the_best_so_far_stands_beside_it(recta, run, big, tmp_path, flags):
    fit = ["fit", "linear", big, "--target", "y", "-o", "m.recta", *flags]
    begin = time.monotonic()
    assert run(*fit).returncode == 0
    whole = time.monotonic() - begin
    good = (tmp_path / "m.recta").read_bytes()
    codes = set()
    for after in times(11, 8, 0.005, 1.1 * whole, codes):
        (tmp_path / "m.recta").write_bytes(b"old")
        code, _, said = interrupted(recta, fit, after, tmp_path)
        assert code in (0, 130, -signal.SIGINT), said  # the last: before the program could install its handler
        codes.add(code)
        assert (tmp_path / "m.recta").read_bytes() in ([good] if code == 0 else [b"old", good])  # a signal may be late
        partial = tmp_path / "m.recta.partial"
        if partial.exists():
            assert run("inspect", partial).returncode == 0
            partial.unlink()
        assert {p.name for p in tmp_path.iterdir()} <= {"m.recta"}
    assert 130 in codes


def test_a_second_signal_is_not_needed(recta, run, big, tmp_path):
    """No bound in milliseconds is asserted here, since machines differ: only that one signal is enough."""
    code, _, said = interrupted(recta, ["check", big], 0.05, tmp_path)
    assert code in (0, 130, -signal.SIGINT)
    if code == 130:
        assert "interrupted" in said


@pytest.mark.parametrize("command", ["convert", "predict"])
def test_a_file_under_way_is_the_old_one_or_whole_and_leaves_nothing_behind(recta, run, big, tmp_path, command):
    arguments = ["convert", big, "out.csv"]
    if command == "predict":
        assert run("fit", "linear", big, "--target", "y", "-o", "m.recta").returncode == 0
        arguments = ["predict", "m.recta", big, "--stream", "-o", "out.csv"]
    begin = time.monotonic()
    assert run(*arguments).returncode == 0
    whole = time.monotonic() - begin
    good = (tmp_path / "out.csv").read_bytes()
    codes = set()
    for after in times(5, 6, 0.2 * whole, 0.9 * whole, codes):
        (tmp_path / "out.csv").write_bytes(b"old")
        code, _, said = interrupted(recta, arguments, after, tmp_path)
        codes.add(code)
        assert code in (0, 130), said
        assert (tmp_path / "out.csv").read_bytes() in ([good] if code == 0 else [b"old", good])
        assert {p.name for p in tmp_path.iterdir()} <= {"m.recta", "out.csv"}
    assert 130 in codes
