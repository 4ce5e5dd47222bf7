"""Model files of every release keep loading and keep predicting. A file here is made once, by the release in its name,
and never made again; NAME.csv beside it has what that release predicted for the built-in set in its name."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

FILES = sorted(Path(__file__).parent.glob("*.recta"))


def test_there_are_golden_files():
    assert len(FILES) >= 2


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_file_predicts_what_it_predicted(recta, path):
    data = path.name.split("-")[0]
    done = subprocess.run([recta, "predict", path, data], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    numbers = [np.array(text.split()[1:], dtype=float) for text in (done.stdout, path.with_suffix(".csv").read_text())]
    np.testing.assert_allclose(*numbers, rtol=1e-12)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_file_can_still_be_proved(recta, path):
    done = subprocess.run([recta, "verify", path, path.name.split("-")[0]], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
