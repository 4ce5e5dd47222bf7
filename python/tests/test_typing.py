"""Type checkers see the estimators: a script that a user could have written is checked, and run."""

import subprocess
import sys
from pathlib import Path
from typing import TypeVar, get_type_hints

from recta._docstrings import documented, placed

SCRIPT = Path(__file__).with_name("typed_use.py")


def test_mypy_finds_no_fault_with_a_typed_script(tmp_path):
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", SCRIPT], cwd=tmp_path,
                             capture_output=True, text=True)
    assert checked.stdout == "Success: no issues found in 1 source file\n", checked.stdout + checked.stderr


def test_the_typed_script_runs(tmp_path):
    said = subprocess.run([sys.executable, SCRIPT], cwd=tmp_path, capture_output=True, text=True)
    assert (said.stdout, said.returncode) == ("good\n", 0), said.stderr


def test_decorators_give_a_class_back_with_its_type():
    """mypy takes no notice of what a class decorator returns; pyright does, and ``-> type`` would hide every estimator from it."""
    for decorator in (documented, placed):
        hints = get_type_hints(decorator)
        assert isinstance(hints["return"], TypeVar) and hints["return"] is hints["estimator"], decorator
