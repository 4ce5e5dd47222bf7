"""Calibration: what scikit-learn's checks say, scikit-learn's own calibrators as peers, and the command line's answer."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn import calibration as peer
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import log_loss
from sklearn.utils.estimator_checks import parametrize_with_checks

from recta import _core
from recta.calibration import CalibratedClassifierCV
from recta.linear_model import LogisticRegression, Perceptron
from recta.naive_bayes import GaussianNB
from recta.svm import LinearSVC


@parametrize_with_checks(
    [
        CalibratedClassifierCV(LinearSVC(), method="isotonic"),
        CalibratedClassifierCV(LogisticRegression(), method="temperature", ensemble=False),
        CalibratedClassifierCV(LogisticRegression(), method="beta"),
    ]
)
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    check(estimator)


def drawn(seed, n, classes, ties=False):
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, n)
    X = random.normal(size=(n, 4)) + np.eye(classes, 4)[y]
    return (X.round(1) if ties else X), y, random.uniform(0.2, 3, n)


@pytest.mark.parametrize("ensemble", [True, False])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
def test_it_is_scikit_learns_answer(method, classes, ensemble):
    X, y, weights = drawn(classes, 240, classes, ties=method == "isotonic")
    for model in (LogisticRegression(), LinearSVC(), GaussianNB()):
        for sample_weight in (None, weights):
            ours = CalibratedClassifierCV(model, method=method, ensemble=ensemble, cv=3).fit(
                X, y, sample_weight=sample_weight
            )
            theirs = peer.CalibratedClassifierCV(model, method=method, ensemble=ensemble, cv=3).fit(
                X, y, sample_weight=sample_weight
            )
            assert ours.proved_.startswith("3 of 3" if ensemble else "1 of 1")
            # scikit-learn stops its own solver early: its answer is near, and never better
            near = 1e-9 if method == "isotonic" else 2e-3
            np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=near)


@pytest.mark.parametrize("weighted", [False, True])
def test_isotonic_is_scikit_learns_regression(weighted):
    for seed in range(20):
        random = np.random.default_rng(seed)
        f, y = random.normal(size=300).round(1 if seed % 2 else 8), random.integers(0, 2, 300).astype(np.int32)
        w = random.uniform(0, 2, 300).round(1) if weighted else None
        maps, proof = _core.fit_calibration("isotonic", 2, f[:, None].copy(), y, w)
        assert proof.verdict == "proved"
        grid = np.linspace(-4, 4, 500)
        ours = _core.calibrated_probabilities("isotonic", 2, maps["odds"], maps["x"], maps["y"], grid[:, None].copy())[
            :, 1
        ]
        theirs = IsotonicRegression(out_of_bounds="clip").fit(f, y, sample_weight=w).predict(grid)
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_the_proof_bounds_every_other_solver():
    from scipy.optimize import minimize

    random = np.random.default_rng(2)
    f = random.normal(size=500)
    y = (random.uniform(size=500) < 1 / (1 + np.exp(-2 * f + 0.5))).astype(np.int32)
    maps, proof = _core.fit_calibration("platt", 2, f[:, None].copy(), y, None)
    t = np.where(y == 1, (y.sum() + 1) / (y.sum() + 2), 1 / ((1 - y).sum() + 2))
    found = minimize(
        lambda v: np.sum(t * np.logaddexp(0, -v[0] * f - v[1]) + (1 - t) * np.logaddexp(0, v[0] * f + v[1])), [0, 0]
    )
    assert proof.objective <= found.fun + 1e-9
    assert proof.dual <= found.fun
    np.testing.assert_allclose(maps["odds"][0][[0, 2]], found.x, rtol=1e-4)


def test_beta_undoes_probabilities_that_crowd_at_the_ends():
    X, y, _ = drawn(7, 4000, 2)
    crowded = np.repeat(X, 4, axis=1)  # naive Bayes counts every column four times
    model = GaussianNB().fit(crowded[:2000], y[:2000])
    before = log_loss(y[2000:], model.predict_proba(crowded[2000:]))
    for method in ("sigmoid", "beta", "isotonic", "temperature"):
        calibrated = CalibratedClassifierCV(model, method=method).fit(crowded[:2000], y[:2000])
        assert log_loss(y[2000:], np.clip(calibrated.predict_proba(crowded[2000:]), 1e-9, 1)) < 0.75 * before


def test_a_frozen_estimator_is_calibrated_as_it_is():
    X, y, _ = drawn(3, 300, 3)
    model = Perceptron(random_state=1).fit(X[:150], y[:150])
    calibrated = CalibratedClassifierCV(FrozenEstimator(model)).fit(X[150:], y[150:])
    assert len(calibrated.calibrated_classifiers_) == 1
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1)


def test_refusals():
    X, y, _ = drawn(3, 30, 2)
    with pytest.raises(ValueError, match="'method' parameter"):
        CalibratedClassifierCV(method="plat").fit(X, y)
    with pytest.raises(ValueError, match="less than 40 examples"):
        CalibratedClassifierCV(cv=40).fit(X, y)


@pytest.fixture
def run():
    program = Path(os.environ.get("RECTA", Path(__file__).parents[2] / "build/release/recta"))

    def output(*arguments):
        done = subprocess.run([program, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return output


def write(path, X, y):
    rows = [",".join([*(f"{v!r}" for v in row), f"c{k}"]) for row, k in zip(X.tolist(), y.tolist())]
    path.write_text("\n".join(["a,b,c,d,y", *rows]) + "\n")


@pytest.mark.parametrize("method", ["platt", "isotonic", "temperature", "beta"])
def test_the_command_line_gives_the_same_probabilities(method, tmp_path, run):
    X, y, _ = drawn(11, 400, 2)
    write(tmp_path / "train.csv", X[:200], y[:200])
    write(tmp_path / "other.csv", X[200:], y[200:])
    run("fit", "logistic", tmp_path / "train.csv", "--target", "y", "--tau", "1", "-o", tmp_path / "m.recta")
    told = json.loads(
        run(
            "calibrate",
            tmp_path / "m.recta",
            tmp_path / "other.csv",
            "--method",
            method,
            "-o",
            tmp_path / "c.recta",
            "--json",
        )
    )
    assert told["certificate"]["verdict"] == "proved"
    said = run("predict", tmp_path / "c.recta", tmp_path / "other.csv", "--proba").splitlines()[1:]
    model = FrozenEstimator(LogisticRegression().fit(X[:200], y[:200]))
    word = {"platt": "sigmoid"}.get(method, method)
    ours = CalibratedClassifierCV(model, method=word).fit(X[200:], y[200:]).predict_proba(X[200:])
    np.testing.assert_allclose(np.array([line.split(",") for line in said], dtype=float), ours, atol=1e-6)
    assert "Proved" in run(
        "verify", tmp_path / "c.recta", tmp_path / "train.csv", "--calibrated-on", tmp_path / "other.csv"
    )
