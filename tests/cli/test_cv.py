"""recta cv: a grid of parameters, judged by rows left out; bad input; searches that are stopped and go on."""

import json
import signal
import subprocess
import time

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold
from sklearn.preprocessing import PolynomialFeatures


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(5)
    x = rng.standard_normal((60, 3))
    y = x[:, 0] + x[:, 1] * x[:, 2] + 0.3 * rng.standard_normal(60)
    path = tmp_path / "d.csv"
    label = np.where(y > 0.2, "yes", "no")
    lines = [
        f"{a!r},{b!r},{c!r},{t!r},{name},p{i // 4},{i}"
        for i, (a, b, c, t, name) in enumerate(zip(*x.T.tolist(), y.tolist(), label))
    ]
    path.write_text("\n".join(["a,b,c,y,kind,person,day", *lines]) + "\n")
    return path, x, y


NUMBERS = ("--target", "y", "--ignore", "kind,person,day")
CLASSES = ("--target", "kind", "--ignore", "y,person,day")


def document(run, *args):
    done = run("cv", *args, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_grid_of_strengths_and_degrees_has_the_scores_of_scikit_learn(run, data, tmp_path):
    path, x, y = data
    file = tmp_path / "m.recta"
    made = document(
        run,
        "ridge",
        path,
        *NUMBERS,
        "--grid",
        "lambda=0.01,1",
        "--grid",
        "degree=1,2",
        "--folds",
        "4",
        "--folds-are",
        "contiguous",
        "-o",
        file,
    )
    assert made["schema"] == "recta/cv/1"
    assert len(made["points"]) == 4
    means = []
    for point in made["points"]:
        features = PolynomialFeatures(int(point["params"]["degree"]), include_bias=False).fit_transform(x)
        errors = [
            np.mean(
                (
                    y[test]
                    - Ridge(alpha=point["params"]["lambda"] * len(train))
                    .fit(features[train], y[train])
                    .predict(features[test])
                )
                ** 2
            )
            for train, test in KFold(4).split(x)
        ]
        score = point["scores"]["mse"]
        assert score["folds"] == pytest.approx(errors, rel=1e-9)
        assert score["mean"] == pytest.approx(np.mean(errors))
        assert score["standard_error"] == pytest.approx(np.std(errors, ddof=1) / 2)
        means.append(score["mean"])
    assert made["best"] == {"point": int(np.argmin(means)), "params": made["points"][int(np.argmin(means))]["params"]}
    assert run("verify", file, path).returncode == 0


def test_the_table_names_the_point_chosen_and_the_points_that_failed(run, data):
    done = run("cv", "ridge", data[0], *NUMBERS, "--grid", "lambda=-1,0.1")
    assert done.returncode == 1 and done.stderr.endswith("1 of 2 points could not be fitted; the report says why\n")
    assert "chosen" in done.stdout
    assert "failed lambda = -1: split 1: ridge, parameter lambda: -1 is out of range" in done.stdout


@pytest.mark.parametrize(
    "flags, splits",
    [
        (["--folds", "3", "--repeats", "2"], 6),
        (["--leave-one-out"], 60),
        (["--groups", "person"], 5),
        (["--groups", "person", "--leave-one-out"], 15),
        (["--time", "day", "--folds", "4"], 4),
        (["--holdout", "0.3", "--repeats", "3"], 3),
        (["--holdout", "0.3", "--time", "day"], 1),
        (["--bootstrap", "4"], 4),
        (["--hash", "day", "--folds", "3"], 3),
    ],
)
def test_every_way_to_split(run, data, flags, splits):
    made = document(run, "linear", data[0], "--target", "y", "--ignore", "kind,person,day", *flags)
    assert made["splits"] == splits
    assert len(made["points"][0]["scores"]["mse"]["folds"]) == splits


def test_classes_choose_by_the_score_asked_for(run, data):
    made = document(
        run, "logistic", data[0], *CLASSES, "--grid", "lambda=1e-3..10:log:5", "--score", "accuracy,log_loss"
    )
    means = [point["scores"]["accuracy"]["mean"] for point in made["points"]]
    assert made["best"]["point"] == int(np.argmax(means))
    assert set(made["points"][0]["scores"]) == {"accuracy", "log_loss"}


def test_a_picture_has_both_curves(run, data, tmp_path):
    file = tmp_path / "curve.svg"
    document(run, "ridge", data[0], *NUMBERS, "--grid", "lambda=1e-3..10:log:5", "--plot", file)
    text = file.read_text()
    assert "rows trained on" in text
    assert "rows left out" in text


@pytest.mark.parametrize(
    "flags, message",
    [
        (["--grid", "lambda="], "it has no values"),
        (["--grid", "lambda"], "write NAME=VALUES"),
        (["--grid", "lambda=1,1"], "1 is given twice"),
        (["--grid", "lambda=1", "--grid", "lambda=2"], "twice"),
        (["--grid", "lambda=1,2", "--lambda", "3"], "a single value beside it"),
        (["--grid", "lamda=1"], 'did you mean "lambda"?'),
        (["--grid", "lambda=0..1:log:3"], "0 has no logarithm"),
        (["--time-limit", "0"], "a limit of 0 s ends before the first fit"),
        (["--groups", "person", "--folds", "20"], "15 groups do not make 20 folds"),
        (["--folds", "61"], "60 rows do not make 61 folds"),
        (["--leave-one-out", "--folds", "3"], "exclude each other"),
        (["--leave-one-out", "--bootstrap", "3"], "exclude each other"),
        (["--groups", "persona"], 'did you mean "person"?'),
        (["--score", "accuracy"], 'ridge has no score "accuracy"'),
        (["--one-standard-error", "--grid", "intercept=true,false"], "simpler model"),
    ],
)
def test_what_is_wrong_is_said(run, data, flags, message):
    done = run("cv", "ridge", data[0], *NUMBERS, *flags)
    assert done.returncode in (2, 3), done.stdout
    assert message in done.stderr


def test_rare_classes(run, tmp_path):
    path = tmp_path / "r.csv"
    rows = [f"{i % 7},{'ab'[i % 2]}" for i in range(40)]
    path.write_text("\n".join(["x,c", *rows, "3,rare"]) + "\n")
    done = run("cv", "softmax", path, "--target", "c", "--lambda", "0.1")
    assert done.returncode == 3
    assert 'leaves out 1 row of the class "rare"' in done.stderr
    path.write_text("\n".join(["x,c", *rows, "3,rare", "4,rare"]) + "\n")
    done = run("cv", "softmax", path, "--target", "c", "--lambda", "0.1")
    assert done.returncode == 0
    assert '3 of 5 splits leave out no row of the class "rare"' in done.stderr


def test_an_interrupted_search_goes_on(run, recta, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((10000, 40))
    np.save(tmp_path / "d.npy", np.column_stack([x, x @ rng.standard_normal(40) + rng.standard_normal(10000)]))
    record, model = tmp_path / "search.jsonl", tmp_path / "m.recta"
    command = [
        "cv",
        "huber",
        tmp_path / "d.npy",
        "--target",
        "x41",
        "--grid",
        "lambda=1e-4..1:log:12",
        "--resume",
        record,
        "-o",
        model,
    ]
    process = subprocess.Popen([recta, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not record.exists() or len(record.read_text().splitlines()) < 4):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("the search was over before it could be interrupted")
    assert process.returncode == 130, messages
    assert "the same command goes on" in messages
    assert not model.exists()
    done = run(*command, "--json")
    assert done.returncode == 0, done.stderr
    assert "fits were there already" in done.stderr
    assert model.exists()
    whole = document(run, *command[1:7])
    assert [point["scores"] for point in json.loads(done.stdout)["points"]] == [
        point["scores"] for point in whole["points"]
    ]
    other = run(*command, "--seed", "1")
    assert other.returncode == 2
    assert "other splits" in other.stderr
