"""Thresholds for an aim, scores of searches and bias and variance: against scikit-learn and computations by hand."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

import recta
from recta.linear_model import LogisticRegression
from recta.model_selection import bias_variance, decision_threshold, grid_search, splits

PROGRAM = Path(os.environ.get("RECTA", Path(__file__).parents[2] / "build/release/recta"))


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("weighted", [False, True])
def test_a_threshold_is_the_best_of_scikit_learns_curve(weighted):
    for seed in range(30):
        random = np.random.default_rng(seed)
        y = random.integers(0, 2, 80)
        score = (random.normal(size=80) + y).round(1)
        w = random.integers(1, 4, 80).astype(float) if weighted else None
        precision, recall, _ = metrics.precision_recall_curve(y, score, sample_weight=w)
        precision, recall = precision[:-1], recall[:-1]
        held = decision_threshold(y, score, "precision>=0.7", sample_weight=w) if precision.max() >= 0.7 else None
        if held is not None:
            assert held.precision >= 0.7 and held.recall == pytest.approx(recall[precision >= 0.7].max(), rel=1e-12)
        full = decision_threshold(y, score, "recall>=0.8", sample_weight=w)
        assert full.recall >= 0.8 and full.precision == pytest.approx(precision[recall >= 0.8].max(), rel=1e-12)
        f1 = decision_threshold(y, score, "f1", sample_weight=w)
        assert f1.value == pytest.approx(metrics.f1_score(y, score >= f1.threshold, sample_weight=w), rel=1e-12)
        assert f1.value == pytest.approx(np.nanmax(2 * precision * recall / (precision + recall)), rel=1e-12)
        kappa = decision_threshold(y, score, "kappa", sample_weight=w)
        assert kappa.value == pytest.approx(
            metrics.cohen_kappa_score(y, score >= kappa.threshold, sample_weight=w), rel=1e-9
        )


def test_a_threshold_refuses_what_it_cannot_reach():
    with pytest.raises(recta.Error, match="the most that a threshold reaches"):
        decision_threshold([0, 1, 0, 1], [4, 3, 2, 1], "precision>=0.9")


def test_the_command_line_keeps_a_rule(tmp_path):
    random = np.random.default_rng(5)
    X = random.normal(size=(600, 3))
    y = np.where(random.random(600) < 1 / (1 + np.exp(-2 * X[:, 0] + 1)), "yes", "no")
    for name, rows in (("a.csv", slice(0, 300)), ("b.csv", slice(300, 600))):
        lines = [",".join([*map(repr, row), label]) for row, label in zip(X[rows].tolist(), y[rows])]
        (tmp_path / name).write_text("\n".join(["p,q,r,y", *lines]) + "\n")
    run("fit", "logistic", tmp_path / "a.csv", "--target", "y", "--tau", "1", "-o", tmp_path / "m.recta")
    told = json.loads(
        run(
            "threshold",
            tmp_path / "m.recta",
            tmp_path / "b.csv",
            "--for",
            "precision>=0.8",
            "-o",
            tmp_path / "t.recta",
            "--json",
        )
    )["decision"]
    model = LogisticRegression().fit(X[:300], y[:300])
    ours = decision_threshold(y[300:] == "yes", model.decision_function(X[300:]), "precision>=0.8")
    assert told["threshold"] == pytest.approx(ours.threshold, abs=1e-6) and told["recall"] == pytest.approx(
        ours.recall, rel=1e-12
    )
    labels = np.array(run("predict", tmp_path / "t.recta", tmp_path / "b.csv", "--decide").split()[1:])
    assert metrics.precision_score(y[300:], labels, pos_label="yes") == pytest.approx(told["precision"], rel=1e-12)
    scored = json.loads(
        run("eval", tmp_path / "t.recta", tmp_path / "b.csv", "--decide", "--scores", "precision,recall", "--json")
    )["scores"]["y"]
    assert scored["precision"]["value"] == pytest.approx(told["precision"], rel=1e-12)
    assert "decides by precision>=0.8" in run("inspect", tmp_path / "t.recta")
    refused = subprocess.run(
        [PROGRAM, "threshold", tmp_path / "m.recta", tmp_path / "a.csv", "--for", "f1"], capture_output=True, text=True
    )
    assert refused.returncode == 3 and "trained on" in refused.stderr


def test_a_search_has_every_score_of_eval():
    random = np.random.default_rng(8)
    X = random.normal(size=(200, 3))
    y = (X[:, 0] + random.normal(size=200) > 0).astype(int)
    names = [
        "roc_area",
        "pr_area",
        "log_loss",
        "brier",
        "kappa",
        "matthews",
        "f1",
        "f2",
        "balanced_accuracy",
        "calibration_error",
    ]
    search = grid_search("logistic", X, y, grid={"lambda": [0.01, 1]}, scores=names, folds=4, positive="1")
    for k, lam in enumerate((0.01, 1)):
        values = {name: [] for name in names}
        for train, test in splits(200, labels=y, folds=4):
            model = LogisticRegression(C=1 / (lam * len(train))).fit(X[train], y[train])
            p, said = model.predict_proba(X[test])[:, 1], model.predict(X[test])
            values["roc_area"].append(metrics.roc_auc_score(y[test], p))
            values["pr_area"].append(metrics.average_precision_score(y[test], p))
            values["log_loss"].append(metrics.log_loss(y[test], p))
            values["brier"].append(metrics.brier_score_loss(y[test], p))
            values["kappa"].append(metrics.cohen_kappa_score(y[test], said))
            values["matthews"].append(metrics.matthews_corrcoef(y[test], said))
            values["f1"].append(metrics.f1_score(y[test], said))
            values["f2"].append(metrics.fbeta_score(y[test], said, beta=2))
            values["balanced_accuracy"].append(metrics.balanced_accuracy_score(y[test], said))
        for name in names[:-1]:
            assert search.cv_results_[f"mean_test_{name}"][k] == pytest.approx(np.mean(values[name]), rel=1e-5), name
    assert search.best_params_["lambda"] == (0.01, 1)[int(np.argmax(search.cv_results_["mean_test_roc_area"]))]
    with pytest.raises(recta.Error, match='has no score "top_2"'):
        grid_search("logistic", X, y, scores="top_2")
    with pytest.raises(recta.Error, match='svm has no score "log_loss"'):
        grid_search("svm", X, y, scores="log_loss")


def test_bias_and_variance_add_up():
    x = np.linspace(0, 6, 80)
    y = np.sin(x) + 0.2 * np.random.default_rng(3).normal(size=80)
    found = bias_variance("linear", x[:, None], y, over={"degree": [1, 3, 9]}, samples=20)
    np.testing.assert_allclose(found.error, found.bias + found.variance, rtol=1e-9)
    assert found.bias[0] > 2 * found.bias[1] and found.variance[2] > found.variance[0]
    classes = bias_variance("knn", x[:, None], (y > 0).astype(int), over={"k": [1, 15]}, samples=20)
    np.testing.assert_allclose(classes.error, classes.bias + classes.net_variance, rtol=1e-9)
    with pytest.raises(ValueError, match="one parameter"):
        bias_variance("linear", x[:, None], y, over={"degree": [1], "lambda": [1]})


def test_curves_over_a_parameter(tmp_path):
    told = json.loads(
        run(
            "curve",
            "knn",
            "iris",
            "--over",
            "k=1,5,25",
            "--score",
            "brier",
            "--folds",
            "4",
            "--json",
            "--plot",
            tmp_path / "v.svg",
        )
    )
    search = grid_search("knn", recta.read("iris"), grid={"k": [1, 5, 25]}, scores="brier", folds=4, training=True)
    assert [point["left_out"] for point in told["points"]] == pytest.approx(
        search.cv_results_["mean_test_brier"].tolist(), rel=1e-12
    )
    assert told["over"] == "k" and (tmp_path / "v.svg").read_text().startswith("<svg")
    shown = json.loads(
        run(
            "curve",
            "ridge",
            "housing",
            "--over",
            "lambda=0.01,10",
            "--bias-variance",
            "--samples",
            "8",
            "--json",
            "--plot",
            tmp_path / "b.svg",
        )
    )
    for point in shown["points"]:
        assert point["error"] == pytest.approx(point["bias"] + point["variance"], rel=1e-9)
    assert "bias^2 and noise" in run(
        "curve", "ridge", "housing", "--lambda", "0.1", "--bias-variance", "--samples", "4"
    )
