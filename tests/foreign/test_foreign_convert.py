"""`recta convert` of models of libsvm and liblinear: they predict as scikit-learn's estimators do, and models of Recta written as theirs do too."""

import csv
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn import svm

sys.path.insert(0, str(Path(__file__).parent))
import their_files as theirs
from test_foreign_verify import LINEAR, MACHINES, THREE, TWO, X


def columns(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def predicted(run, model, rows, *flags):
    done = run("predict", model, rows, *flags)
    assert done.returncode == 0, done.stderr
    return columns(done.stdout)


@pytest.mark.parametrize(
    "model, y", MACHINES, ids=[f"{type(m).__name__}-{m.kernel}-{len(np.unique(y))}" for m, y in MACHINES]
)
def test_a_machine_of_libsvm_predicts_as_it_did(run, tmp_path, model, y):
    model.set_params(tol=1e-3).fit(X, y)
    labels = np.unique(y) if hasattr(model, "classes_") else None
    (tmp_path / "their.model").write_text(theirs.libsvm_text(model, labels))
    (tmp_path / "rows.libsvm").write_text(theirs.data_text(X, y))
    done = run("convert", "their.model", "m.recta")
    assert done.returncode == 0, done.stderr
    answer = predicted(run, "m.recta", "rows.libsvm")
    if labels is not None:
        assert (answer["prediction"] == model.predict(X)).all()
    elif "decision" in answer:
        assert np.allclose(answer["decision"], model.decision_function(X), atol=1e-9)
    else:
        assert np.allclose(answer["prediction"], model.predict(X), atol=1e-9)
    assert "not proved" in run("inspect", "m.recta").stdout
    assert "converted from" in run("verify", "m.recta", "rows.libsvm").stderr
    if model.kernel != "linear":  # and back
        assert run("convert", "m.recta", "again.model", "--as", "libsvm").returncode == 0
        assert run("convert", "again.model", "again.recta").returncode == 0
        for name, values in predicted(run, "again.recta", "rows.libsvm").items():
            assert np.allclose(values, answer[name], rtol=1e-12)


def test_a_precomputed_kernel(run, tmp_path):
    K = X @ X.T + 1
    model = svm.SVC(kernel="precomputed").fit(K, TWO)
    (tmp_path / "their.model").write_text(theirs.libsvm_text(model, np.unique(TWO)))
    (tmp_path / "rows.libsvm").write_text(theirs.data_text(K, TWO, precomputed=True))
    assert run("convert", "their.model", "m.recta", "--features", 61).returncode == 0
    assert (predicted(run, "m.recta", "rows.libsvm")["prediction"] == model.predict(K)).all()


@pytest.mark.parametrize("solver, model, y", LINEAR, ids=[solver for solver, _, _ in LINEAR])
def test_a_model_of_liblinear_predicts_as_it_did(run, tmp_path, solver, model, y):
    model.set_params(tol=1e-3, random_state=0).fit(X, y)
    (tmp_path / "their.model").write_text(
        theirs.liblinear_text(solver, model, np.unique(y) if hasattr(model, "classes_") else None)
    )
    (tmp_path / "rows.libsvm").write_text(theirs.data_text(X, y))
    done = run("convert", "their.model", "m.recta", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["model"].endswith("claims no proof")
    answer = predicted(run, "m.recta", "rows.libsvm")
    differs = ~np.isclose(answer["prediction"], model.predict(X), atol=1e-9)
    assert (
        not differs.any() or (model.decision_function(X[differs]) == 0).all()
    )  # a score of 0 is of the other class there
    if "LR" in solver:
        assert np.allclose(
            predicted(run, "m.recta", "rows.libsvm", "--proba")["7"], model.predict_proba(X)[:, 1], atol=1e-9
        )
    assert run("convert", "m.recta", "again.model", "--as", "liblinear").returncode == 0
    assert run("convert", "again.model", "again.recta").returncode == 0
    assert np.allclose(predicted(run, "again.recta", "rows.libsvm")["prediction"], answer["prediction"], atol=1e-9)


def test_crammer_and_singer(run, tmp_path):
    for y in (TWO, THREE):
        model = svm.LinearSVC(multi_class="crammer_singer", random_state=0).fit(X, y)
        labels = np.unique(y)
        if len(labels) == 2:  # scikit-learn has joined the two scores
            rows = zip(
                np.append(-model.coef_[0], -model.intercept_) / 2, np.append(model.coef_[0], model.intercept_) / 2
            )
        else:
            rows = np.hstack([model.coef_, model.intercept_[:, None]]).T
        head = f"solver_type MCSVM_CS\nnr_class {len(labels)}\nlabel {' '.join(map(str, labels))}\nnr_feature 4\nbias 1\nw\n"
        (tmp_path / "their.model").write_text(
            head + "\n".join(" ".join(f"{v:.17g}" for v in row) for row in rows) + "\n"
        )
        (tmp_path / "rows.libsvm").write_text(theirs.data_text(X, y))
        assert run("convert", "their.model", "m.recta").returncode == 0
        assert (predicted(run, "m.recta", "rows.libsvm")["prediction"] == model.predict(X)).all()
        proof = json.loads(run("verify", "their.model", "rows.libsvm", "--C", "1", "--json").stdout)["foreign"]
        assert proof["optimum_proved"] and 0 <= proof["relative_gap"] < 0.01


def test_models_of_recta_as_theirs(run, tmp_path):
    assert run("fit", "svm", "iris", "--kernel", "rbf", "-o", "m.recta").returncode == 0
    done = run("convert", "m.recta", "their.model", "--as", "libsvm")
    assert done.returncode == 0 and "1 is Iris-setosa" in done.stderr, done.stderr
    run("convert", "iris", "iris.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "iris.csv").read_text())))[1:]
    names = sorted({row[-1] for row in rows})
    (tmp_path / "rows.libsvm").write_text(
        theirs.data_text(
            np.array([row[:-1] for row in rows], dtype=float), [names.index(row[-1]) + 1.0 for row in rows]
        )
    )
    done = run("verify", "their.model", "rows.libsvm")
    assert done.returncode == 0 and done.stdout.startswith("Proved: c_svc of libsvm"), done.stdout + done.stderr


def test_refusals_name_the_cure(run):
    run("fit", "svm", "iris", "-o", "linear.recta")
    run("fit", "lda", "iris", "-o", "lda.recta")
    run("fit", "svm", "iris", "--kernel", "laplacian", "-o", "laplacian.recta")
    assert "against rest" in run("convert", "linear.recta", "x.model", "--as", "liblinear").stderr
    assert "write it as liblinear" in run("convert", "linear.recta", "x.model", "--as", "libsvm").stderr
    assert "--as linear first" in run("convert", "lda.recta", "x.model", "--as", "liblinear").stderr
    assert "its kernels are" in run("convert", "laplacian.recta", "x.model", "--as", "libsvm").stderr
