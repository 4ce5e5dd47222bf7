"""recta eval --scores against recta.metrics, from the program's own predictions."""

import json
import subprocess

import numpy as np
import pytest

import recta.metrics as metrics


@pytest.fixture(scope="module")
def folder(tmp_path_factory, program):
    """Models of two classes with weights, of three classes and of a number, and the rows they were fitted on."""
    folder, random = tmp_path_factory.mktemp("scores"), np.random.default_rng(4)
    x = random.standard_normal((300, 2)).round(1)
    two = np.where(x[:, 0] + random.standard_normal(300) > 0, "yes", "no")
    three = np.array(["a", "b", "c"])[
        np.argmax(np.column_stack([x, np.zeros(300)]) + random.gumbel(size=(300, 3)), axis=1)
    ]
    number = 3 * x[:, 0] + random.standard_normal(300).round(2)
    lines = ["x1,x2,two,three,number,w"] + [
        f"{a},{b},{c},{d},{e:.2f},{i % 3 + 1}" for i, ((a, b), c, d, e) in enumerate(zip(x, two, three, number))
    ]
    (folder / "rows.csv").write_text("\n".join(lines) + "\n")
    for word, target in (("logistic", "two"), ("softmax", "three"), ("linear", "number")):
        ignored = ",".join({"two", "three", "number"} - {target})
        run(
            program,
            folder,
            "fit",
            word,
            "rows.csv",
            "--target",
            target,
            "--weights",
            "w",
            "--ignore",
            ignored,
            "-o",
            f"{target}.recta",
        )
    return folder


def run(program, folder, *arguments):
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def scores(program, folder, target, *arguments):
    return json.loads(run(program, folder, "eval", f"{target}.recta", "rows.csv", "--json", "--scores", *arguments))[
        "scores"
    ][target]


def predicted(program, folder, target, *flags):
    lines = run(program, folder, "predict", f"{target}.recta", "rows.csv", "--digits", "17", *flags).splitlines()
    return [line.split(",") for line in lines[1:]]


def column(folder, name):
    head, *lines = (folder / "rows.csv").read_text().splitlines()
    return np.array([line.split(",")[head.split(",").index(name)] for line in lines])


def test_two_classes(program, folder):
    found = scores(program, folder, "two", "all")
    y, w = column(folder, "two"), column(folder, "w").astype(float)
    z = np.array([row[-1] for row in predicted(program, folder, "two")])
    p = np.array([row[-2:] for row in predicted(program, folder, "two", "--proba")], dtype=float)
    positive = y == "yes"
    expected = {
        "accuracy": metrics.accuracy_score(y, z, sample_weight=w),
        "kappa": metrics.cohen_kappa_score(y, z, sample_weight=w),
        "matthews": metrics.matthews_corrcoef(y, z, sample_weight=w),
        "f1": metrics.f1_score(y, z, pos_label="yes", sample_weight=w),
        "macro_precision": metrics.precision_score(y, z, average="macro", sample_weight=w),
        "roc_area": metrics.roc_auc_score(positive, p[:, 1], sample_weight=w),
        "pr_area": metrics.average_precision_score(positive, p[:, 1], sample_weight=w),
        "log_loss": metrics.log_loss(y, p, sample_weight=w),
        "brier": metrics.brier_score_loss(positive, p[:, 1], sample_weight=w),
        "calibration_error": metrics.calibration_error(positive, p[:, 1], sample_weight=w),
        "d2_log_loss": metrics.d2_log_loss_score(y, p, sample_weight=w),
        "d2_brier": metrics.d2_brier_score(positive, p[:, 1], sample_weight=w),
    }
    for word, value in expected.items():
        assert found[word]["value"] == pytest.approx(value, rel=1e-12), word
    interval = metrics.roc_auc_interval(positive, p[:, 1], sample_weight=w)
    assert found["roc_area"]["interval"] == "delong"
    assert found["roc_area"]["lower"] == pytest.approx(interval.lower, rel=1e-12)


def test_three_classes(program, folder):
    found = scores(program, folder, "three", "all")
    y, w = column(folder, "three"), column(folder, "w").astype(float)
    p = np.array([row[-3:] for row in predicted(program, folder, "three", "--proba")], dtype=float)
    expected = {
        "roc_area": metrics.roc_auc_score(y, p, multi_class="ovr", sample_weight=w),
        "weighted_roc_area": metrics.roc_auc_score(y, p, multi_class="ovr", average="weighted", sample_weight=w),
        "pr_area": metrics.average_precision_score(y, p, sample_weight=w),
        "top_2": metrics.top_k_accuracy_score(y, p, sample_weight=w),
        "log_loss": metrics.log_loss(y, p, sample_weight=w),
        "brier": metrics.brier_score_loss(y, p, sample_weight=w),
    }
    for word, value in expected.items():
        assert found[word]["value"] == pytest.approx(value, rel=1e-12), word
    assert "f1" not in found and "macro_f1" in found


def test_numbers_and_the_bootstrap_of_python(program, folder):
    found = scores(program, folder, "number", "mae,r2,pinball_0.9", "--bootstrap", "50", "--bootstrap-seed", "9")
    y, w = (column(folder, name).astype(float) for name in ("number", "w"))
    z = np.array([row[-1] for row in predicted(program, folder, "number")], dtype=float)
    for word, measure, more in (
        ("mae", metrics.mean_absolute_error, {}),
        ("r2", metrics.r2_score, {}),
        ("pinball_0.9", metrics.mean_pinball_loss, {"alpha": 0.9}),
    ):
        expected = metrics.bootstrap_interval(measure, y, z, sample_weight=w, n_resamples=50, random_state=9, **more)
        assert found[word]["interval"] == "bootstrap"
        for key, value in expected._asdict().items():
            assert found[word][key] == pytest.approx(value, rel=1e-11), (word, key)


@pytest.mark.parametrize("kind", ["roc", "pr", "calibration", "confusion", "lift"])
def test_pictures_beside_the_report(program, folder, kind):
    plain = run(program, folder, "eval", "three.recta", "rows.csv")
    assert run(program, folder, "eval", "three.recta", "rows.csv", "--plot", kind, f"{kind}.svg") == plain
    assert (folder / f"{kind}.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("--scores", "f1"), "it is a score of two classes"),
        (("--scores", "acuracy"), "did you mean accuracy?"),
        (("--plot", "rok", "x.svg"), "did you mean roc?"),
        (("--plot", "roc", "x.png"), "pictures are SVG"),
        (("--plot", "roc"), "it needs a value"),
        (("--bootstrap", "9"), "add --scores all"),
        (("--scores", "all", "--loss", "hinge"), "leave one of them out"),
        (("--plot", "roc", "rows.csv"), "rows.csv"),
    ],
)
def test_refusals(program, folder, arguments, words):
    done = subprocess.run(
        [program, "eval", "three.recta", "rows.csv", *arguments], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 2 and words in done.stderr, done.stderr
