"""Gaussian naive Bayes, lda, qda and nearest-centroid at the edges of the doubles."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "model_file"))
from forging import read, write

WORDS = [("naive-bayes", ["--likelihood", "gaussian"]), ("lda", []), ("qda", []), ("nearest-centroid", [])]


def table(path, columns, weights=None, n=24, seed=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    x = [offset + size * (rng.normal(size=n) + y) for offset, size in columns]
    header = [f"x{j}" for j in range(len(x))] + (["w"] if weights else []) + ["y"]
    rows = [
        ",".join([repr(float(c[i])) for c in x] + ([repr(weights[i % 2])] if weights else []) + ["ab"[y[i]]])
        for i in range(n)
    ]
    path.write_text("\n".join([",".join(header), *rows]) + "\n")


@pytest.mark.parametrize("word, flags", WORDS, ids=[w for w, _ in WORDS])
@pytest.mark.parametrize("size", [1e-170, 1e170])
def test_squares_that_are_no_doubles_are_refused_by_name(run, tmp_path, word, flags, size):
    table(tmp_path / "t.csv", [(0, 1), (0, size)])
    done = run("fit", word, "t.csv", "--target", "y", *flags)
    assert done.returncode == 3 and "column x1" in done.stderr and "by a power of ten" in done.stderr, done.stderr


@pytest.mark.parametrize("word, flags", WORDS, ids=[w for w, _ in WORDS])
@pytest.mark.parametrize("weights", [(1e-205, 1e-205), (1.0, 1e-200)])
def test_products_of_weights_and_squares_are_all_there_or_refused(run, tmp_path, word, flags, weights):
    table(tmp_path / "t.csv", [(0, 1e-60)], list(weights))
    done = run("fit", word, "t.csv", "--target", "y", "--weights", "w", *flags, "-o", "m.recta")
    if done.returncode != 0:
        assert done.returncode == 3 and "weights" in done.stderr, done.stderr
        return
    table(tmp_path / "same.csv", [(0, 1e-60)], [w / max(weights) for w in weights])
    assert run("fit", word, "same.csv", "--target", "y", "--weights", "w", *flags, "-o", "s.recta").returncode == 0
    one, other = (
        np.loadtxt(run("predict", m, "t.csv", "--proba").stdout.splitlines()[1:], delimiter=",")
        for m in ("m.recta", "s.recta")
    )
    np.testing.assert_allclose(one, other, rtol=1e-9)


@pytest.mark.parametrize("word, flags", WORDS, ids=[w for w, _ in WORDS])
def test_a_column_far_away_does_not_let_another_be_forged(run, tmp_path, word, flags):
    table(tmp_path / "t.csv", [(1e13, 1), (0, 1)])
    assert run("fit", word, "t.csv", "--target", "y", *flags, "-o", "m.recta").returncode == 0
    assert run("verify", "m.recta", "t.csv").returncode == 0
    header, body = read(tmp_path / "m.recta")
    name = {"naive-bayes": "naive_bayes.counts", "nearest-centroid": "nearest_centroid.centroids"}.get(
        word, "discriminant.mean"
    )
    begin, end = header[name]["data_offsets"]
    values = np.frombuffer(bytes(body[begin:end])).copy()
    place = 3 if word == "naive-bayes" else 1  # the mean of x1 in the first class
    assert abs(values[place]) < 2
    values[place] += 1e-5
    write(tmp_path / "forged.recta", header, bytearray(body[:begin]) + values.tobytes() + body[end:])
    done = run("verify", "forged.recta", "t.csv")
    assert done.returncode == 4 and "Refuted" in done.stdout, done.stdout


def test_a_column_left_out_although_it_varies_is_no_proof(run, tmp_path):
    (tmp_path / "t.csv").write_text(
        "x0,x1,y\n"
        + "".join(
            f"{x},{1e15 + i % 3!r},{k}\n"
            for i, (x, k) in enumerate(
                [(0.1, "a"), (1.2, "b"), (-0.3, "a"), (0.9, "b"), (0.5, "a"), (1.7, "b"), (0.2, "b"), (0.8, "a")]
            )
        )
    )
    for word in ("lda", "qda"):
        certificate = json.loads(run("fit", word, "t.csv", "--target", "y", "--json").stdout)["certificate"]
        assert certificate["verdict"] == "within_tolerance" and "column x1 varies" in certificate["sentence"], (
            certificate
        )
    constant = (tmp_path / "t.csv").read_text()
    for i in range(3):
        constant = constant.replace(repr(1e15 + i), "1e15")
    (tmp_path / "t.csv").write_text(constant)
    assert (
        json.loads(run("fit", "lda", "t.csv", "--target", "y", "--json").stdout)["certificate"]["verdict"] == "proved"
    )


def test_a_residual_above_the_tolerance_is_not_said_to_be_within_it(run, tmp_path):
    table(tmp_path / "t.csv", [(1e9, 1e-3), (0, 1)])
    for word in ("lda", "qda"):
        certificate = json.loads(run("fit", word, "t.csv", "--target", "y", "-o", "m.recta", "--json").stdout)[
            "certificate"
        ]
        claim = json.loads(read(tmp_path / "m.recta")[0]["__metadata__"]["recta"])["certificate"]["claim"]
        above = claim["residual"] > certificate["tolerance"]
        assert above == certificate["sentence"].startswith("Within what rounding can cost"), certificate["sentence"]
        assert above or word == "lda"


@pytest.mark.parametrize(
    "word, flags", [*WORDS[:2], ("nearest-centroid", []), ("svm", []), ("logistic", ["--lambda", "0.1"])]
)
@pytest.mark.parametrize("offset", [0, 1e6])
def test_what_explain_adds_up_is_the_score_up_to_the_rounding_it_states(run, tmp_path, word, flags, offset):
    table(tmp_path / "t.csv", [(offset, 1), (-offset, 2)])
    assert run("fit", word, "t.csv", "--target", "y", *flags, "-o", "m.recta").returncode == 0
    scores = np.loadtxt(
        run("predict", "m.recta", "t.csv", "--decision").stdout.splitlines()[1:], delimiter=",", ndmin=2
    )
    for row in (0, 5):
        report = json.loads(run("explain", "m.recta", "t.csv", "--row", str(row + 1), "--json").stdout)
        total = report["tables"]["contributions"]["rows"][-1][2]
        score = scores[row][0] if scores.shape[1] == 1 else scores[row][1] - scores[row][0]
        rounding = report["figures"]["rounding"]
        assert abs(total - score) <= rounding < 1e-6, (total, score, rounding)


def test_a_factor_has_one_sign(run, tmp_path):
    table(tmp_path / "t.csv", [(0, 1), (3, 2)])
    assert run("fit", "qda", "t.csv", "--target", "y", "-o", "m.recta").returncode == 0
    assert run("verify", "m.recta", "t.csv").returncode == 0
    header, body = read(tmp_path / "m.recta")
    begin, end = header["discriminant.factor"]["data_offsets"]
    values = np.frombuffer(bytes(body[begin:end])).copy()
    values[0] *= -1  # T'S T is the same
    write(tmp_path / "forged.recta", header, bytearray(body[:begin]) + values.tobytes() + body[end:])
    done = run("verify", "forged.recta", "t.csv")
    assert done.returncode == 4 and "negative diagonal" in done.stdout, done.stdout
