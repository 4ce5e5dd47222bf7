"""One decision: the class, the largest score and the largest probability are the same, for a million rows a model."""

import numpy as np
import pytest

from recta.calibration import CalibratedClassifierCV
from recta.linear_model import DeltaRule, LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from recta.svm import SVC, LinearSVC, NuSVC

ROWS = 1_000_000
rng = np.random.default_rng(5)
TENTHS = rng.integers(-20, 21, (ROWS, 3)) / 10  # decimals, whose sums cancel on paper only
TWO = np.where(TENTHS[:400] @ [1, 1, -1] + rng.normal(size=400) > 0, "yes", "no")
THREE = np.array(["a", "b", "c"])[(TENTHS[:400] + rng.normal(size=(400, 3))).argmax(axis=1)]

MODELS = [
    LogisticRegression(),
    LogisticRegression(C=np.inf),
    LogisticRegression(l1_ratio=1.0, C=0.1, solver="saga"),
    Perceptron(),
    SGDClassifier(loss="log_loss", random_state=0),
    SGDClassifier(random_state=0),
    RidgeClassifier(),
    SVC(),
    SVC(kernel="poly", degree=2, C=10.0),
    NuSVC(nu=0.5),
    LinearSVC(),
]


def classes_by_score(model, scores):
    if scores.ndim == 1:
        return model.classes_[(scores >= 0).astype(int)]
    return model.classes_[scores.argmax(axis=1)]


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("model", MODELS + [DeltaRule()], ids=str)
def test_a_million_predictions_agree(model, y):
    model.fit(TENTHS[:400], y)
    classes, scores = model.predict(TENTHS), model.decision_function(TENTHS)
    assert (classes == classes_by_score(model, scores)).all()
    if hasattr(model, "predict_proba"):
        p = model.predict_proba(TENTHS)
        tied = scores == 0 if scores.ndim == 1 else np.zeros(ROWS, bool)  # p = 1/2 is the second class of two
        assert (classes == np.where(tied, model.classes_[1], model.classes_[p.argmax(axis=1)])).all()
        assert (p[tied] == 0.5).all()
    for i in rng.integers(0, ROWS, 200):
        assert model.decision_function(TENTHS[i : i + 1]).tobytes() == scores[i : i + 1].tobytes()


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize(
    "method", ["sigmoid", *(pytest.param(slow, marks=pytest.mark.slow) for slow in ("isotonic", "temperature", "beta"))]
)
def test_a_million_predictions_of_a_calibrated_machine_agree_with_their_probabilities(method, y):
    model = CalibratedClassifierCV(SVC(), method=method, cv=2).fit(TENTHS[:400], y)
    p = model.predict_proba(TENTHS)
    best = p.max(axis=1)
    clear = (p == best[:, None]).sum(axis=1) == 1  # isotonic steps tie
    assert clear.mean() > 0.5
    assert (model.predict(TENTHS) == model.classes_[p.argmax(axis=1)])[clear].all()
    for i in rng.integers(0, ROWS, 50):
        assert model.predict_proba(TENTHS[i : i + 1]).tobytes() == p[i : i + 1].tobytes()


def test_rows_on_the_border_are_ties_however_they_are_rounded():
    model = LogisticRegression(fit_intercept=False).fit(np.array([[-1.0, -1.0, 1.0], [1.0, 1.0, -1.0]]), ["no", "yes"])
    w = model.coef_[0]
    assert w[0] == w[1] == -w[2]
    border = np.array([[a / 10, b / 10, (a + b) / 10] for a in range(1, 60) for b in range(1, 60)])
    assert (border @ w != 0).any()  # as plain sums give it
    assert (model.decision_function(border) == 0).all()
    assert (model.predict(border) == "yes").all() and (model.predict(-border) == "yes").all()
