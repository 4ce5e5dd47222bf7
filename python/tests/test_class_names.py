"""Classes that were fitted as arrays have their names in every part of a saved model: the command line verifies it by a CSV that has them."""

import importlib.util
import subprocess
from pathlib import Path

import numpy as np
import pytest

import recta
from recta import dummy, neighbors, svm
from recta.linear_model import (
    KernelPerceptron,
    LogisticRegression,
    LogisticRegressionCV,
    PenalizedClassifier,
    Perceptron,
    RidgeClassifier,
)

PLACE = importlib.util.spec_from_file_location(
    "forging", Path(__file__).resolve().parents[2] / "tests/model_file/forging.py"
)
FORGING = importlib.util.module_from_spec(PLACE)
PLACE.loader.exec_module(FORGING)

RNG = np.random.default_rng(5)
NAMES = {2: ["no", "yes"], 3: ["ant", "bee", "0"], 4: [-2, 3, 10, 7]}
CLASSIFIERS = [
    LogisticRegression(),
    LogisticRegression(C=np.inf),
    LogisticRegressionCV(Cs=2, cv=2),
    RidgeClassifier(),
    Perceptron(max_iter=20),
    KernelPerceptron(max_iter=20),
    PenalizedClassifier(),
    svm.SVC(),
    svm.LinearSVC(),
    svm.NuSVC(nu=0.2),
    neighbors.KNeighborsClassifier(),
    neighbors.RadiusNeighborsClassifier(radius=9.0),
    dummy.DummyClassifier(),
]


@pytest.mark.parametrize("k", NAMES)
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: str(model).partition("(")[0])
def test_a_saved_model_is_verified_by_the_names_of_its_classes(model, k, program, tmp_path):
    if k > 2 and isinstance(model, PenalizedClassifier):
        pytest.skip("it is of two classes")
    places = np.arange(80) % k
    X, y = RNG.normal(size=(80, 3)) + places[:, None], np.array(NAMES[k])[places]
    model.fit(X, y).save(tmp_path / "m.recta")
    (tmp_path / "rows.csv").write_text(
        "x1,x2,x3,y\n" + "".join(f"{a!r},{b!r},{c!r},{label}\n" for (a, b, c), label in zip(X.tolist(), y, strict=True))
    )
    told = subprocess.run([program, "verify", "m.recta", "rows.csv"], cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode == 0 and "in the file" not in told.stdout, told.stdout + told.stderr
    assert model.certificate_.verify(X, y).verdict == model.certificate_.verdict


@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), RidgeClassifier(), Perceptron(max_iter=20), dummy.DummyClassifier()],
    ids=lambda model: str(model).partition("(")[0],
)
def test_a_score_that_is_called_by_its_place_is_refuted(model, program, tmp_path):
    places = np.arange(60) % 3
    X, y, path = RNG.normal(size=(60, 2)) + places[:, None], np.array(["p", "q", "r"])[places], tmp_path / "m.recta"
    model.fit(X, y).save(path)
    (tmp_path / "rows.csv").write_text(
        "x1,x2,y\n" + "".join(f"{a!r},{b!r},{label}\n" for (a, b), label in zip(X.tolist(), y, strict=True))
    )
    header, body = FORGING.read(path)
    begin, end = header["targets.text"]["data_offsets"]
    assert bytes(body[begin:end]) == b"pqr"
    body[begin:end] = b"0qr"
    FORGING.write(path, header, body)
    told = subprocess.run([program, "verify", "m.recta", "rows.csv"], cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode != 0 and 'a target is called "0" in the file, "p" by the rows' in told.stdout + told.stderr
    refuted = recta.load(path).certificate.verify(X, places)
    assert refuted.verdict == "refuted" and 'a target is called "0" in the file, "p" by the rows' in refuted.sentence


def test_conditions_name_classes_whatever_columns_are_called():
    X = np.vstack([RNG.normal(size=(30, 2)) + 9 * k for k in range(3)])
    said = Perceptron().fit(X, np.repeat(["ant", "bee", "cow"], 30)).certificate_.sentence
    assert '"ant"' in said and '"cow"' in said and '"0"' not in said
