"""`recta verify THEIR.model DATA`: the objective of their answer and the distance to the optimum, beside what NumPy computes from the same numbers."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.optimize
from sklearn import linear_model, svm

sys.path.insert(0, str(Path(__file__).parent))
import their_files as theirs

sys.path.insert(0, str(Path(__file__).parent.parent / "checker"))
from libsvm_gap_checker import gap

RNG = np.random.default_rng(5)
X = RNG.standard_normal((60, 4)) * (RNG.random((60, 4)) > 0.2)
NUMBER = X @ [1.0, -2.0, 0.5, 0.0] + 0.3 * X[:, 0] * X[:, 1] + 0.2 * RNG.standard_normal(60)
TWO = np.where(NUMBER + 0.5 * RNG.standard_normal(60) > 0, 7, -3)
THREE = np.digitize(NUMBER, [-1.0, 1.0]) + 4

MACHINES = [
    (svm.SVC(C=2.0, gamma=0.4), TWO),
    (svm.SVC(C=2.0, kernel="linear"), TWO),
    (svm.SVC(C=0.5, kernel="poly", degree=2, coef0=1.0, gamma=0.5), TWO),
    (svm.SVC(C=3.0, gamma=0.2), THREE),
    (svm.NuSVC(nu=0.4, gamma=0.4), TWO),
    (svm.NuSVC(nu=0.3, gamma=0.4), THREE),
    (svm.SVR(C=1.5, epsilon=0.2, gamma=0.3), NUMBER),
    (svm.NuSVR(C=1.5, nu=0.4, gamma=0.3), NUMBER),
    (svm.OneClassSVM(nu=0.3, gamma=0.5), NUMBER),
]


def verified(run, tmp_path, text, data, *flags):
    (tmp_path / "their.model").write_text(text)
    (tmp_path / "rows.libsvm").write_text(data)
    done = run("verify", "their.model", "rows.libsvm", "--json", *flags)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["foreign"]


def flags_of(model):
    out = ["--C", model.C] if hasattr(model, "C") else []
    out += ["--epsilon", model.epsilon] if type(model) in (svm.SVR, svm.LinearSVR) else []
    return out + (["--nu", model.nu] if hasattr(model, "nu") else [])


@pytest.mark.parametrize("tol", [1e-1, 1e-9], ids=["loose", "tight"])
@pytest.mark.parametrize(
    "model, y", MACHINES, ids=[f"{type(m).__name__}-{m.kernel}-{len(np.unique(y))}" for m, y in MACHINES]
)
def test_machines_of_libsvm(run, tmp_path, model, y, tol):
    model.set_params(tol=tol).fit(X, y)
    labels = np.unique(y) if hasattr(model, "classes_") else None
    proof = verified(run, tmp_path, theirs.libsvm_text(model, labels), theirs.data_text(X, y), *flags_of(model))
    primal, dual = theirs.primal_and_dual(model, X, y)
    assert proof["objective"] == pytest.approx(primal, rel=1e-9)
    size = abs(primal)
    assert dual - 1e-6 * size <= proof["optimum_upper"] and proof["gap"] <= primal - dual + 1e-6 * size
    assert proof["optimum_proved"] and proof["optimum_lower"] <= proof["optimum_upper"] <= primal + 1e-9 * size
    assert proof["proved"] == (tol < 1e-3), proof["sentence"]
    assert proof["sentence"].startswith("Proved: " if tol < 1e-3 else "Not proved: ")


def test_a_precomputed_kernel(run, tmp_path):
    for rows, known in (
        (np.round(X * 8), True),
        (X, False),
    ):  # products of whole numbers are a kernel, rounded ones need not be
        K = rows @ rows.T + 1
        model = svm.SVC(C=1.0, kernel="precomputed", tol=1e-9, max_iter=10**6).fit(K, TWO)
        proof = verified(
            run,
            tmp_path,
            theirs.libsvm_text(model, np.unique(TWO)),
            theirs.data_text(K, TWO, precomputed=True),
            "--C",
            1,
        )
        assert proof["objective"] == pytest.approx(theirs.primal_and_dual(model, K, TWO)[0], rel=1e-9)
        assert proof["optimum_proved"] == known


def test_a_kernel_that_is_none_is_not_bounded(run, tmp_path):
    model = svm.SVC(C=1.0, kernel="sigmoid", gamma=0.5, coef0=-0.5).fit(X, TWO)
    proof = verified(run, tmp_path, theirs.libsvm_text(model, np.unique(TWO)), theirs.data_text(X, TWO))
    assert not proof["proved"] and not proof["optimum_proved"] and "positive semidefinite" in proof["sentence"]


LINEAR = [
    ("L2R_LR", linear_model.LogisticRegression(C=0.7, solver="liblinear", max_iter=10000), TWO),
    (
        "L2R_LR_DUAL",
        linear_model.LogisticRegression(C=0.7, solver="liblinear", dual=True, fit_intercept=False, max_iter=100000),
        TWO,
    ),
    ("L1R_LR", linear_model.LogisticRegression(C=0.7, l1_ratio=1.0, solver="liblinear", max_iter=10000), TWO),
    ("L2R_L2LOSS_SVC", svm.LinearSVC(C=0.7, dual=False, max_iter=100000), TWO),
    ("L2R_L2LOSS_SVC_DUAL", svm.LinearSVC(C=0.7, intercept_scaling=3.0, max_iter=1000000), THREE),
    ("L2R_L1LOSS_SVC_DUAL", svm.LinearSVC(C=0.7, loss="hinge", max_iter=1000000), TWO),
    ("L1R_L2LOSS_SVC", svm.LinearSVC(C=0.7, penalty="l1", dual=False, max_iter=1000000), THREE),
    (
        "L2R_L2LOSS_SVR",
        svm.LinearSVR(C=0.7, epsilon=0.2, loss="squared_epsilon_insensitive", dual=False, max_iter=100000),
        NUMBER,
    ),
    ("L2R_L1LOSS_SVR_DUAL", svm.LinearSVR(C=0.7, epsilon=0.2, max_iter=1000000), NUMBER),
]


@pytest.mark.parametrize("tol", [0.3, 1e-9], ids=["loose", "tight"])
@pytest.mark.parametrize("solver, model, y", LINEAR, ids=[solver for solver, _, _ in LINEAR])
def test_machines_of_liblinear(run, tmp_path, solver, model, y, tol):
    model.set_params(tol=tol, random_state=0).fit(X, y)
    labels = np.unique(y) if hasattr(model, "classes_") else None
    proof = verified(
        run, tmp_path, theirs.liblinear_text(solver, model, labels), theirs.data_text(X, y), *flags_of(model)
    )
    assert proof["objective"] == pytest.approx(
        theirs.linear_primal(solver, model, X, y, getattr(model, "epsilon", 0.0)), rel=1e-9
    )
    assert proof["optimum_lower"] <= proof["optimum_upper"] <= proof["objective"] * (1 + 1e-9)
    assert (
        proof["optimum_proved"] and proof["optimum_upper"] - proof["optimum_lower"] <= 1e-9 * proof["optimum_upper"]
    ), proof["sentence"]
    if tol < 1e-3:
        assert proof["proved"] and proof["relative_gap"] < 1e-5, proof["sentence"]


def test_numbers_that_the_file_does_not_say(run, tmp_path):
    """C is the coefficient that several vectors have; nu of one class is the sum of the coefficients; others are assumed, and that is said."""
    model = svm.SVC(C=2.0, gamma=0.4, tol=1e-9).fit(X, TWO)
    proof = verified(run, tmp_path, theirs.libsvm_text(model, np.unique(TWO)), theirs.data_text(X, TWO))
    assert proof["proved"] and any(c.startswith("C = 2, the largest coefficient") for c in proof["conditions"])
    wrong = verified(run, tmp_path, theirs.libsvm_text(model, np.unique(TWO)), theirs.data_text(X, TWO), "--C", 0.5)
    assert any("above C" in c for c in wrong["conditions"]) and not wrong["proved"]
    model = svm.OneClassSVM(nu=0.3, gamma=0.5, tol=1e-9).fit(X)
    proof = verified(run, tmp_path, theirs.libsvm_text(model), theirs.data_text(X, NUMBER))
    assert proof["proved"] and any(c.startswith("nu = 0.3") for c in proof["conditions"])
    model = svm.LinearSVC(C=1.0, dual=False, tol=1e-9).fit(X, TWO)
    proof = verified(
        run, tmp_path, theirs.liblinear_text("L2R_L2LOSS_SVC", model, np.unique(TWO)), theirs.data_text(X, TWO)
    )
    assert proof["proved"] and any("C = 1 is assumed" in c for c in proof["conditions"])


def test_strict_refusals_and_other_data(run, tmp_path):
    model = svm.SVC(C=2.0, gamma=0.4, tol=0.5).fit(X, TWO)
    verified(run, tmp_path, theirs.libsvm_text(model, np.unique(TWO)), theirs.data_text(X, TWO))
    assert run("verify", "their.model", "rows.libsvm", "--strict").returncode == 4
    (tmp_path / "other.libsvm").write_text(theirs.data_text(X, THREE))
    done = run("verify", "their.model", "other.libsvm")
    assert done.returncode == 3 and "row 1 of other.libsvm" in done.stderr and "not one of the model's" in done.stderr
    lines = theirs.libsvm_text(model, np.unique(TWO)).splitlines()
    (tmp_path / "their.model").write_text("\n".join(lines[:-3]) + "\n")
    done = run("verify", "their.model", "rows.libsvm")
    assert done.returncode != 0 and f"their.model:{len(lines) - 3}: the file ends after" in done.stderr
    run("fit", "svm", "iris", "-o", "ours.recta")
    assert "belongs to models of libsvm" in run("verify", "ours.recta", "iris", "--C", "1").stderr


@pytest.mark.parametrize(
    "model, y",
    [pair for pair in MACHINES if type(pair[0]) in (svm.SVC, svm.SVR)],
    ids=lambda each: getattr(each, "kernel", None),
)
def test_the_gap_is_that_of_a_search_that_shares_no_code(run, tmp_path, model, y):
    model.set_params(tol=1e-2).fit(X, y)
    labels = np.unique(y) if hasattr(model, "classes_") else None
    proof = verified(run, tmp_path, theirs.libsvm_text(model, labels), theirs.data_text(X, y), *flags_of(model))
    objective, lower, upper = gap(
        tmp_path / "their.model", tmp_path / "rows.libsvm", model.C, getattr(model, "epsilon", 0.1)
    )
    assert proof["objective"] == pytest.approx(objective, rel=1e-9)
    assert upper - lower <= 2e-9 * len(MACHINES) * upper
    assert proof["gap"] == pytest.approx(objective - lower, abs=1e-6 * objective)


def all_classes_objective(w, rows, places, C):
    """Crammer and Singer's: how far another class and 1 is above the own one, and half the squares of all weights."""
    scores = rows @ w.T
    own = scores[np.arange(len(rows)), places][:, None]
    above = scores - own + 1
    above[np.arange(len(rows)), places] = 0
    return C * above.max(axis=1).sum() + (w * w).sum() / 2


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("bias", [True, False])
def test_machines_of_all_classes_at_once(run, tmp_path, y, bias):
    labels, C = np.unique(y), 0.7
    places = np.searchsorted(labels, y)
    rows = np.hstack([X, np.ones((len(X), 1))]) if bias else X
    width, variables = rows.shape[1], len(labels) * rows.shape[1]
    # The optimum as a quadratic programme with a slack per row, by SciPy.
    difference = np.array(
        [
            [np.kron(np.eye(len(labels))[places[i]] - np.eye(len(labels))[m], rows[i]) for m in range(len(labels))]
            for i in range(len(X))
        ]
    )
    limits = (np.arange(len(labels)) != places[:, None]).astype(float)
    programme = scipy.optimize.minimize(
        lambda v: v[:variables] @ v[:variables] / 2 + C * v[variables:].sum(),
        np.r_[np.zeros(variables), np.full(len(X), 1.0)],
        jac=lambda v: np.r_[v[:variables], np.full(len(X), C)],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-13},
        constraints={
            "type": "ineq",
            "fun": lambda v: (difference @ v[:variables] + v[variables:, None] - limits).ravel(),
            "jac": lambda v: np.hstack(
                [difference.reshape(-1, variables), np.repeat(np.eye(len(X)), len(labels), axis=0)]
            ),
        },
    )
    best = all_classes_objective(programme.x[:variables].reshape(-1, width), rows, places, C)
    for shift in (0.0, 0.05):
        w = programme.x[:variables].reshape(-1, width) + shift * np.arange(width)
        w[0] += shift
        head = f"solver_type MCSVM_CS\nnr_class {len(labels)}\nlabel {' '.join(map(str, labels))}\nnr_feature 4\nbias {1 if bias else -1}\nw\n"
        text = head + "\n".join(" ".join(f"{v:.17g}" for v in row) for row in w.T) + "\n"
        proof = verified(run, tmp_path, text, theirs.data_text(X, y), "--C", C)
        objective = all_classes_objective(w, rows, places, C)
        assert proof["objective"] == pytest.approx(objective, rel=1e-9)
        assert proof["optimum_proved"] and proof["optimum_lower"] <= best * (1 + 1e-12)
        assert proof["optimum_lower"] == pytest.approx(best, rel=1e-5)
        assert proof["gap"] == pytest.approx(objective - best, abs=1e-5 * best)
        assert proof["proved"] == (shift == 0.0)
