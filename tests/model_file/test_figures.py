"""What `recta verify` says of a figure that was changed (tests/forgeries changes them all), and of files from other
machines."""

import json
import os

import numpy as np
import pytest
from forging import read, write


def test_the_verdict_names_the_figure_its_coefficient_and_both_values(run, tmp_path):
    run("fit", "linear", "housing", "-o", "m.recta", "-q")
    header, body = read(tmp_path / "m.recta")
    begin, end = header["coefficients.standard_error"]["data_offsets"]
    values = np.frombuffer(bytes(body[begin:end]), dtype="<f8").copy()
    values[5] *= 2
    write(tmp_path / "forged.recta", header, body[:begin] + bytearray(values.tobytes()) + body[end:])
    document = json.loads(run("verify", "forged.recta", "housing", "--json").stdout)
    assert document["holds"] is False and document["certificate"]["verdict"] == "refuted"
    said = f"the standard error of rm {float(values[5])!r} in the file, {float(values[5] / 2)!r} by the rows"
    assert document["certificate"]["sentence"].startswith("Refuted: the rows give other figures than the file: " + said)


@pytest.mark.parametrize(
    "word, flags",
    [
        ("linear", []),
        ("linear", ["--errors", "hc3"]),
        ("ridge", ["--lambda", "1"]),
        ("lasso", ["--lambda", "0.1"]),
        ("huber", []),
        ("poisson", []),
    ],
)
def test_a_file_made_on_another_instruction_set_verifies(run, word, flags):
    found = {f["what"]: f["found"] for f in json.loads(run("doctor", "--json").stdout)["findings"]}
    levels = found["instruction sets"].split(" of ")[1].split(", ")
    for level in levels:
        done = run("fit", word, "housing", *flags, "-o", "m.recta", "-q", env={**os.environ, "RECTA_SIMD": level})
        assert done.returncode == 0, done.stderr
        for other in levels:
            checked = run("verify", "m.recta", "housing", env={**os.environ, "RECTA_SIMD": other})
            assert checked.returncode == 0, (level, other, checked.stdout)
