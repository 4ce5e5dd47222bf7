"""What the Python tests share. They import the installed package, never the source folder."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # or scikit-learn skips one of its checks; read when scipy is imported

from pathlib import Path

import numpy as np
import pytest

import recta


@pytest.fixture(scope="session")
def program():
    """The command line: $RECTA, or that of the release build."""
    path = Path(os.environ.get("RECTA", Path(__file__).resolve().parents[2] / "build/release/recta"))
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    return path


@pytest.fixture(scope="session")
def housing():
    return recta.datasets.load("housing", return_X_y=True)


@pytest.fixture
def problem():
    """A small regression problem with an exact seed: X, y, weights."""
    random = np.random.default_rng(7)
    X = random.standard_normal((60, 5)) + 2
    return X, X @ [1.0, -2.0, 0.5, 0.0, 3.0] + 4 + random.standard_normal(60), random.integers(0, 4, 60).astype(float)
