"""What all Python tests share: the program under test, and property tests that choose the same examples every time."""

import os
import subprocess
from pathlib import Path

import hypothesis
import pytest

hypothesis.settings.register_profile("recta", derandomize=True, deadline=None)
hypothesis.settings.load_profile("recta")


@pytest.fixture(scope="session")
def recta():
    """Path of the program: $RECTA, as ./test sets it, or that of the release build."""
    program = Path(os.environ.get("RECTA", Path(__file__).resolve().parents[1] / "build/release/recta"))
    assert program.is_file(), f"{program} is not there; scripts/build release makes it"
    return program


@pytest.fixture
def run(recta, tmp_path):
    """Runs the program in an empty folder; gives its exit status, standard output and standard error."""

    def call(*arguments, stdin="", **options):
        return subprocess.run(
            [recta, *map(str, arguments)],
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=tmp_path,
            timeout=120,
            **options,
        )

    return call
