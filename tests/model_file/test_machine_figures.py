"""An intercept that the file of a machine says to be none proves nothing."""

import numpy as np
import pytest
from forging import read, write


def tensor(header, body, name):
    begin, end = header[name]["data_offsets"]
    return np.frombuffer(bytes(body[begin:end]), "<f8" if header[name]["dtype"] == "F64" else "<i8").copy()


@pytest.fixture
def saved(run, tmp_path):
    rng = np.random.default_rng(7)
    lines = ["a,b,y"]
    for _ in range(24):
        a, b = rng.normal(1, 1), rng.normal(0, 1)
        lines.append(f"{a!r},{b!r},{'yes' if a + b > 0.7 else 'no'}".replace("np.float64(", "").replace(")", ""))
    table = tmp_path / "t.csv"
    table.write_text("\n".join(lines) + "\n")

    def fit(word, target, flags):
        ignored = ["--ignore", "y"] if target != "y" else []
        done = run("fit", word, table, "--target", target, *ignored, *flags, "-o", "m.recta", "-q")
        assert done.returncode == 0, done.stderr
        return read(tmp_path / "m.recta")

    def verify(header, body):
        write(tmp_path / "forged.recta", header, body)
        return run("verify", "forged.recta", table)

    return fit, verify


@pytest.mark.parametrize(
    "word, flags",
    [
        ("svm", []),
        ("svm", ["--kernel", "rbf"]),
        ("svr", []),
        ("svr", ["--kernel", "rbf"]),
        ("svm", ["--hard"]),
        ("svm", ["--stream"]),
    ],
)
@pytest.mark.parametrize("b", [-20.0, 0.5, None])
def test_an_intercept_that_is_said_to_be_none_proves_nothing(saved, word, flags, b):
    fit, verify = saved
    header, body = fit(word, "y" if word == "svm" else "a", flags)
    shape = tensor(header, body, "svm.shape")
    shape[2] = 0
    begin, end = header["svm.shape"]["data_offsets"]
    body[begin:end] = shape.tobytes()
    numbers = tensor(header, body, "svm.part_numbers")
    if b is not None:
        numbers[:3] = b
    begin, end = header["svm.part_numbers"]["data_offsets"]
    body[begin:end] = numbers.tobytes()
    done = verify(header, body)
    assert done.returncode in (4, 5), done.stdout
