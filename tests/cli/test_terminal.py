"""On a terminal: bold headings and a progress line; nowhere else, and not under NO_COLOR or --quiet."""

import os
import pty
import subprocess
import threading

import pytest


def on_terminal(recta, arguments, env, cwd, fill=None):
    """What a person sees: standard output and standard error of a terminal."""
    seen = bytearray()
    outer, inner = pty.openpty()

    def collect():
        try:
            while chunk := os.read(outer, 4096):
                seen.extend(chunk)
        except OSError:  # the other end was closed
            pass

    reader = threading.Thread(target=collect)
    reader.start()
    process = subprocess.Popen(
        [recta, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=inner,
        stderr=inner,
        cwd=cwd,
        env={**os.environ, "TERM": "xterm", **env},
    )
    os.close(inner)
    if fill:
        fill(process.stdin)
    process.stdin.close()
    assert process.wait(60) == 0
    reader.join(60)
    os.close(outer)
    return seen.decode()


@pytest.mark.parametrize("env, bold", [({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_headings_are_bold_only_where_wanted(recta, tmp_path, env, bold):
    text = on_terminal(recta, ["fit", "linear", "housing"], env, tmp_path)
    assert ("\x1b[1m" in text) == bold


@pytest.mark.parametrize("quiet", [False, True])
def test_long_work_shows_a_progress_line(recta, tmp_path, quiet):
    """Standard input that takes a second to arrive is long work of known length."""
    import time

    def fill(stdin):
        stdin.write(b"a,b,y\n")
        for _ in range(12):
            stdin.write(b"".join(b"%d,%d,%d\n" % (i % 13, i % 7, i % 5) for i in range(20000)))
            stdin.flush()
            time.sleep(0.1)

    flags = ["fit", "linear", "-", "--target", "y"] + (["-q"] if quiet else [])
    text = on_terminal(recta, flags, {}, tmp_path, fill)
    assert ("\r\x1b[K" in text) == (not quiet)
    if not quiet:
        assert text.rindex("\r\x1b[K") < text.index("(intercept)")  # gone before the answer
