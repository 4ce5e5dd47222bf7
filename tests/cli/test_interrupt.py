"""P14: Ctrl-C at any time ends the program soon, and what is on disk is whole."""

import json
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


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A path of many points, each of which takes a while: columns that are nearly one another."""
    rng = random.Random(7)
    path = tmp_path_factory.mktemp("slow") / "slow.csv"
    with open(path, "w") as f:
        f.write(",".join([f"x{j}" for j in range(12)] + ["y", "c"]) + "\n")
        for _ in range(20000):
            x = [rng.gauss(0, 1) for _ in range(12)]
            z = x[0] - x[1] + rng.gauss(0, 3)
            f.write(",".join(f"{v:.6f}" for v in [*x, z]) + (",a\n" if z > 0 else ",b\n"))
    return path


PATH_FLAGS = {
    "lasso": ["--target", "y", "--ignore", "c", "--count", "100000", "--poly", "2", "--ratio", "1e-7"],
    "ridge": ["--target", "y", "--ignore", "c", "--count", "100000", "--poly", "2", "--ratio", "1e-6"],
    "logistic": ["--target", "c", "--ignore", "y", "--l1-share", "1", "--count", "100000"],
}


@pytest.mark.parametrize("word", PATH_FLAGS)
def test_a_path_that_the_time_limit_stops_gives_the_points_so_far(run, slow, word):
    made = run("path", word, slow, *PATH_FLAGS[word], "--time-limit", "1", "--json", "-q")
    assert made.returncode == 0, made.stderr
    path = json.loads(made.stdout)
    assert path["stopped"]["reason"] == "time limit"
    assert path["stopped"]["stage"] == "points"
    assert path["stopped"]["points"] == 100000
    assert 0 < len(path["points"]) < 100000
    assert path["points"][-1]["lambda"] > path["stopped"]["lambda"] > 0
    assert path["best"] == {}
    said = run("path", word, slow, *PATH_FLAGS[word], "--time-limit", "1").stdout
    assert "stopped    by the time limit at lambda = " in said
    assert "none is chosen: the best may be among those missing" in said


def test_a_path_that_was_stopped_chooses_and_saves_nothing(run, slow, tmp_path):
    made = run("path", "lasso", slow, *PATH_FLAGS["lasso"], "--time-limit", "1", "-o", "m.recta")
    assert made.returncode == 1
    assert "no point was fitted and nothing was saved: stopped by the time limit at lambda" in made.stderr
    assert "path of lasso" in made.stdout
    assert not list(tmp_path.iterdir())


def test_a_time_limit_that_is_over_before_the_first_point_is_a_failure(run, slow):
    made = run("path", "lasso", slow, *PATH_FLAGS["lasso"], "--time-limit", "1e-6")
    assert made.returncode == 1
    assert "were over before there was a point" in made.stderr


@pytest.mark.parametrize("word", PATH_FLAGS)
def test_control_c_ends_a_path_with_the_points_so_far(recta, slow, tmp_path, word):
    arguments = [recta, "path", word, slow, *PATH_FLAGS[word], "--json"]
    process = subprocess.Popen(arguments, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    path = json.loads(said)
    assert path["stopped"]["reason"] == "interrupted"
    assert 0 < len(path["points"]) < 100000
