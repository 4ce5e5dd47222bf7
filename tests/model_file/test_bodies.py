"""`recta verify` proves the answer from the rows: whatever a family's body says that the rows do not give is refuted."""

import numpy as np
import pytest

from forging import changed_tensors, read, write

ABOUT = ("schema.", "columns.", "classes.", "certificate.", "fit.", "sha256")  # not what was learned


def is_learned(name):
    return not name.startswith(ABOUT) and not name.endswith(".start")  # of texts


CASES = [
    ("constant", "y", []),
    ("majority", "three", []),
    ("naive-bayes", "three", []),
    ("naive-bayes", "three", ["--likelihood", "a=gaussian,g=categorical"]),
    ("naive-bayes", "three", ["--likelihood", "multinomial", "--ignore", "a,b,g"]),
    ("naive-bayes", "three", ["--likelihood", "bernoulli", "--ignore", "a,b,g"]),
    ("knn", "three", ["--k", "3"]),
    ("knn", "three", ["--k", "3", "--index", "kd-tree", "--vote", "distance"]),
    ("knn", "three", ["--choose-k", "9"]),
    ("knn", "three", ["--k", "3", "--index", "hnsw", "--links", "3"]),
    ("knn-regression", "y", ["--k", "3", "--index", "ball-tree", "--metric", "canberra"]),
    ("knn-regression", "y", ["--k", "4", "--metric", "manhattan"]),
    ("svm", "two", []),
    ("svm", "three", ["--kernel", "rbf"]),
    ("svm", "two", ["--loss", "squared-hinge"]),
    ("svm", "side", ["--hard"]),
    ("svr", "y", ["--kernel", "polynomial", "--degree", "2"]),
    ("svr", "y", []),
    ("kernel-perceptron", "side", []),
    ("kernel-perceptron", "three", ["--kernel", "rbf", "--gamma", "3", "--passes", "30"]),
    ("kernel-ridge", "y", ["--kernel", "rbf", "--loo"]),
    ("kernel-ridge", "y", ["--lambda", "0.01", "--no-intercept"]),
    ("kernel-pca", "three", ["--kernel", "rbf", "--components", "3"]),
    ("kernel-pca", "three", ["--components", "0.9"]),
    ("kernel-kmeans", "three", ["--clusters", "3"]),
    ("kernel-kmeans", "three", ["--kernel", "rbf", "--clusters", "2"]),
    ("logistic", "three", ["--multiclass", "ova", "--lambda", "0.1"]),
    ("logistic", "three", ["--multiclass", "ovo", "--lambda", "0.1"]),
    ("perceptron", "three", ["--multiclass", "ecoc", "--passes", "5"]),
    ("svm", "two", ["--calibrate", "platt", "--folds", "3"]),
    ("naive-bayes", "two", ["--calibrate", "isotonic", "--folds", "3"]),
    ("ridge-classifier", "three", ["--calibrate", "temperature", "--folds", "3"]),
    ("knn", "three", ["--calibrate", "beta", "--folds", "3"]),
]

COLUMNS = ["a", "b", "g", "n", "m", "y", "two", "three", "side"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(5)
    lines = [",".join(COLUMNS)]
    for i in range(48):
        a, b = rng.normal(1, 1), rng.normal(-2, 1)
        z = 0.5 * a + 0.4 * b + rng.normal()
        lines.append(f"{a:.6g},{b:.6g},g{i % 5},{rng.integers(0, 2)},{rng.integers(0, 2)},{z:.6g},{'yes' if z > 0 else 'no'},"
                     f"{'xyz'[int(np.clip(z + 1.5, 0, 2.9))]},{'up' if a + b > -1 else 'down'}")
    path = tmp_path_factory.mktemp("bodies") / "t.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("word, target, flags", CASES, ids=[" ".join([c[0], *c[2]]) for c in CASES])
def test_no_number_of_a_body_can_be_changed_and_stay_proved(run, table, tmp_path, word, target, flags):
    reads_g = word == "naive-bayes" and "--ignore" not in flags
    ignored = [c for c in COLUMNS if c in ("y", "two", "three", "side") and c != target] + ([] if reads_g else ["g"])
    asked = list(flags)
    if "--ignore" in asked:
        at = asked.index("--ignore")
        ignored += [c for c in asked[at + 1].split(",") if c not in ignored]
        del asked[at:at + 2]
    done = run("fit", word, table, "--target", target, "--ignore", ",".join(ignored), *asked, "-o", "m.recta", "-q")
    assert done.returncode == 0, done.stderr
    honest = run("verify", "m.recta", table)
    assert honest.returncode == 0, honest.stdout + honest.stderr
    header, body = read(tmp_path / "m.recta")
    passed, count = [], 0
    for name, forged_header, forged_body in changed_tensors(header, body, is_learned):
        write(tmp_path / "forged.recta", forged_header, forged_body)
        forged = run("verify", "forged.recta", table)
        count += 1
        if forged.returncode not in (4, 5):  # refuted; 5: parts that do not fit one another are no model file
            passed.append((name, forged.returncode, (forged.stdout + forged.stderr)[-200:]))
    assert count > 0 and not passed, passed
