"""A .recta file is a safetensors file: the safetensors package opens it, and numpy alone predicts from it."""

import hashlib
import json
import subprocess

import numpy as np
import pytest
from safetensors import safe_open


def run(recta, *args, code=0):
    done = subprocess.run([recta, *map(str, args)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="module")
def model(recta, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "iris.recta"
    run(recta, "fit", "ridge", "iris", "--target", "petal_width", "--ignore", "species", "--lambda", "0.1", "-o", path)
    return path


def strings(file, name):
    start, text = file.get_tensor(name + ".start"), file.get_tensor(name + ".text").tobytes()
    return [text[a:b].decode() for a, b in zip(start, start[1:])]


def test_numpy_predicts_what_recta_predicts(recta, model, tmp_path):
    table = tmp_path / "iris.csv"
    run(recta, "convert", "iris", table)
    rows = np.genfromtxt(table, delimiter=",", names=True, dtype=None, encoding="utf-8")
    with safe_open(model, "numpy") as file:
        features = strings(file, "features")
        w, b = file.get_tensor("coefficients"), file.get_tensor("intercept")
        assert strings(file, "targets") == ["petal_width"]
    assert w.shape == (len(features), 1) and b.shape == (1,)
    x = np.column_stack([rows[name] for name in features])
    predicted = np.array(run(recta, "predict", model, "iris").stdout.split()[1:], dtype=float)
    np.testing.assert_allclose(x @ w[:, 0] + b[0], predicted, rtol=1e-13)


def test_the_description_is_json(model):
    with safe_open(model, "numpy") as file:
        about = json.loads(file.metadata()["recta"])
    assert about["format"] == 1
    assert about["word"] == "ridge"
    assert about["certificate"]["verdict"] == "proved"
    assert about["fingerprint"]["rows"] == 150


def test_the_last_tensor_is_the_sha256_of_all_bytes_before_it(model):
    data = model.read_bytes()
    with safe_open(model, "numpy") as file:
        digest = file.get_tensor("sha256").tobytes()
    assert data[-32:] == digest == hashlib.sha256(data[:-32]).digest()


def test_there_is_no_nan_in_it(model):
    with safe_open(model, "numpy") as file:
        for name in file.keys():
            assert not np.isnan(file.get_tensor(name).astype(float)).any(), name


def test_the_file_has_the_same_bits_at_any_number_of_threads(recta, tmp_path):
    bits = set()
    for threads in (1, 2, 3, 8):
        path = tmp_path / f"{threads}.recta"
        run(recta, "fit", "linear", "housing", "--threads", threads, "-o", path)
        bits.add(path.read_bytes())
    assert len(bits) == 1


def test_a_damaged_file_is_refused_with_exit_5_and_a_reason(recta, model, tmp_path):
    data = bytearray(model.read_bytes())
    data[-40] ^= 1  # among the tensors
    damaged = tmp_path / "damaged.recta"
    damaged.write_bytes(data)
    assert "checksum" in run(recta, "predict", damaged, "iris", code=5).stderr
    damaged.write_bytes(data[:100])
    assert "ends inside its header" in run(recta, "inspect", damaged, code=5).stderr
