"""P12: numbers survive any chain of formats bit for bit, and text is the shortest that reads back."""

import csv
import random
import struct

HARD = [
    0.1,
    1 / 3,
    5e-324,
    2.2250738585072014e-308,
    2.225073858507201e-308,
    1.7976931348623157e308,
    9007199254740993.0,
    1e22,
    1e23,
    123456789012345680.0,
    0.3,
    2.5e-5,
    -0.0,
    4.35,
    1.0000000000000002,
    8.41e21,
    9.5367431640625e-07,
]


def bits(value):
    return struct.pack("<d", value)


def numbers(rng):
    """Doubles of every size, from their bits."""
    while True:
        value = struct.unpack("<d", rng.randbytes(8))[0]
        if value == value and abs(value) != float("inf"):
            yield value


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as f:
        return [list(map(float, row)) for row in list(csv.reader(f))[1:]]


def test_through_every_format_and_back(run, tmp_path):
    rng = random.Random(4)
    source = numbers(rng)
    table = [[1.0, value, next(source), next(source)] for value in HARD + [next(source) for _ in range(500)]]
    with open(tmp_path / "0.csv", "w", encoding="utf-8") as f:
        f.write("y,a,b,c\n" + "".join(",".join(map(repr, row)) + "\n" for row in table))
    chain = ["0.csv", "1.npy", "2.csv", "3.csv.gz", "4.npy", "5.tsv", "6.csv.zst", "7.csv"]
    for before, after in zip(chain, chain[1:]):
        assert run("convert", before, after).returncode == 0
    found = rows_of(tmp_path / "7.csv")
    assert [[bits(v) for v in row] for row in found] == [[bits(v) for v in row] for row in table]
    again = (tmp_path / "7.csv").read_text().splitlines()[1:]
    for line, row in zip(again, table):
        for text, value in zip(line.split(","), row):
            assert float(text) == value and len(text) <= len(repr(value)), (text, value)


def test_through_libsvm(run, tmp_path):
    """Zeros are not stored there, so the sign of a zero is lost, and nothing else."""
    source = numbers(random.Random(5))
    table = [[next(source), next(source), 0.0, next(source)] for _ in range(300)]
    with open(tmp_path / "0.csv", "w", encoding="utf-8") as f:
        f.write("y,a,b,c\n" + "".join(",".join(map(repr, row)) + "\n" for row in table))
    assert run("convert", "0.csv", "1.libsvm", "--target", "y").returncode == 0
    assert run("convert", "1.libsvm", "2.npy").returncode == 0 and run("convert", "2.npy", "2.csv").returncode == 0
    assert [[bits(v) for v in row] for row in rows_of(tmp_path / "2.csv")] == [[bits(v) for v in row] for row in table]
