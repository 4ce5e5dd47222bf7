"""RidgeClassifier beside scikit-learn's: classes, ties, weights, files, and what stands on classifiers."""

import json
import pickle
import subprocess

import numpy as np
import pandas
import pytest
import scipy.sparse
import sklearn.linear_model
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline

import recta
from recta.linear_model import Ridge, RidgeClassifier
from recta.preprocessing import StandardScaler


def labelled(problem, classes):
    X, y, w = problem
    return X, np.array(classes)[np.digitize(y, np.quantile(y, np.linspace(0, 1, len(classes) + 1)[1:-1]))], w


CLASSES = {
    "two numbers": [3, 7],
    "two words": ["no", "yes"],
    "three words": ["b", "a", "ä"],
    "four floats": [0.0, 1.0, -1.0, 9.0],
    "truth": [False, True],
}


@pytest.mark.parametrize("setting", [{}, {"alpha": 5.0, "fit_intercept": False}, {"class_weight": "balanced"}])
@pytest.mark.parametrize("classes", CLASSES.values(), ids=CLASSES)
def test_answers_are_those_of_scikit_learn(classes, setting, problem):
    X, y, w = labelled(problem, classes)
    for weights in (None, w + 1) if "class_weight" not in setting else (None,):
        ours = RidgeClassifier(**setting).fit(X, y, weights)
        theirs = sklearn.linear_model.RidgeClassifier(**setting).fit(X, y, weights)
        assert ours.classes_.tolist() == theirs.classes_.tolist() and ours.classes_.dtype == theirs.classes_.dtype
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-12, strict=True)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-12)
        assert np.shape(ours.intercept_) == np.shape(theirs.intercept_)
        np.testing.assert_allclose(
            ours.decision_function(X), theirs.decision_function(X), rtol=1e-9, atol=1e-12, strict=True
        )
        assert ours.predict(X).tolist() == theirs.predict(X).tolist()
        assert ours.score(X, y, weights) == theirs.score(X, y, weights)
        assert ours.certificate_.verdict == "proved"
        assert ours.certificate_.verify(X, y, weights).verdict == "proved"
        with pytest.raises(recta.DataError, match="not the training data"):
            ours.certificate_.verify(X, y[::-1], weights)


def test_classes_given_weights_are_rows_given_them(problem):
    X, y, _ = labelled(problem, ["a", "b", "c"])
    each = {"a": 1.0, "b": 2.5, "c": 0.25}
    by_class = RidgeClassifier(class_weight=each).fit(X, y)
    by_row = RidgeClassifier().fit(X, y, np.array([each[label] for label in y]))
    assert (by_class.coef_ == by_row.coef_).all()
    assert by_class.certificate_.verify(X, y).verdict == "proved"
    with pytest.raises(ValueError, match="not in class_weight"):
        RidgeClassifier(class_weight={"a": 1.0, "z": 2.0}).fit(X, y)


def test_balanced_classes_count_rows_by_their_weights(problem):
    X, y, w = labelled(problem, ["a", "b", "c"])
    rows = np.repeat(np.arange(len(y)), w.astype(int))
    weighted = RidgeClassifier(class_weight="balanced").fit(X, y, w)
    repeated = RidgeClassifier(class_weight="balanced").fit(X[rows], y[rows])
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-11)


def test_a_class_without_weight_is_absent(problem):
    X, y, _ = labelled(problem, ["a", "b", "c"])
    model = RidgeClassifier().fit(X, y, (y != "b").astype(float))
    there = y != "b"
    alone = RidgeClassifier().fit(X[there], y[there])
    assert model.classes_.tolist() == ["a", "c"]
    np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-12)


@pytest.mark.parametrize(
    "y, w, words",
    [
        ([1, 1, 1, 1], None, "at least 2 classes, and the data contain only one class: 1"),
        (["a", "b", "b", "b"], [0.0, 1.0, 1.0, 1.0], "only one class: 'b'"),
        (np.array(["b"] * 4, dtype=object), None, "only one class: 'b'"),
        ([0.5, 1.25, 2.5, 3.0], None, "Unknown label type: continuous"),
        ([0.0, 1.0, np.nan, 1.0], None, "Input y contains NaN"),
        ([0, 1, 1], None, "inconsistent numbers of samples"),
    ],
)
def test_labels_that_cannot_be_learned_are_refused(y, w, words):
    with pytest.raises(ValueError, match=words):
        RidgeClassifier().fit(np.arange(8.0).reshape(4, 2), y, w)


def test_a_score_of_zero_is_the_second_class_and_equal_scores_the_first():
    X = np.array([[-1.0], [1.0], [-2.0], [2.0]])
    two = RidgeClassifier().fit(X, [0, 1, 0, 1])
    assert two.decision_function([[0.0]]).tolist() == [0.0] and two.predict([[0.0]]).tolist() == [1]
    X = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    three = RidgeClassifier(fit_intercept=False).fit(X, ["c", "b", "a"])  # weights of 1/2 and -1/2
    scores = three.decision_function([[1.0, 1.0, 1.0]])[0]
    assert scores[0] == scores[1] == scores[2] and three.predict([[1.0, 1.0, 1.0]]).tolist() == ["a"]


def test_rows_may_have_several_labels(problem):
    X, y, _ = problem
    labels = np.column_stack([y > 0, y > 5, X[:, 0] > 2]).astype(int)
    ours, theirs = RidgeClassifier().fit(X, labels), sklearn.linear_model.RidgeClassifier().fit(X, labels)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    assert (ours.predict(X) == theirs.predict(X)).all() and ours.predict(X).shape == (60, 3)
    sparse = RidgeClassifier().fit(X, scipy.sparse.csr_array(labels))
    assert (sparse.coef_ == ours.coef_).all()
    assert ours.certificate_.verify(X, labels).verdict == "proved"


@pytest.mark.parametrize("classes", CLASSES.values(), ids=CLASSES)
def test_classes_are_in_the_file_and_in_the_pickle(classes, problem, tmp_path):
    X, y, _ = labelled(problem, classes)
    model = RidgeClassifier(alpha=2.0).fit(X, y)
    model.save(tmp_path / "m.recta")
    for again in (RidgeClassifier.load(tmp_path / "m.recta"), pickle.loads(pickle.dumps(model))):
        assert again.classes_.tolist() == model.classes_.tolist() and again.alpha == pytest.approx(2.0)
        assert again.predict(X).tolist() == model.predict(X).tolist()
        assert again.certificate_.verify(X, y).verdict == "proved"
        assert np.shape(again.coef_) == np.shape(model.coef_)
    light = recta.load(tmp_path / "m.recta")
    assert (light.decision_function(X) == model.decision_function(X)).all()
    said = model.predict(X).tolist()
    assert light.word == "ridge-classifier" and light.predict(X).tolist() == (
        list(map(str, said)) if y.dtype == bool else said
    )


@pytest.mark.parametrize(
    "setting, flags",
    [
        ({"alpha": 2.0}, ["--tau", "2"]),
        ({"class_weight": "balanced"}, ["--class-weights", "balanced"]),
        ({"alpha": 0.5, "fit_intercept": False}, ["--tau", "0.5", "--no-intercept"]),
    ],
)
@pytest.mark.parametrize("classes", [["no", "yes"], ["a", "b", "c"], [3, 7]])
def test_it_is_the_ridge_classifier_of_the_command_line(program, classes, setting, flags, problem, tmp_path):
    X, y, w = labelled(problem, classes)
    frame = pandas.DataFrame(X, columns=list("pqrst"))
    frame.assign(y=y, weight=w + 1).to_csv(tmp_path / "t.csv", index=False)
    model = RidgeClassifier(**setting).fit(frame, y, w + 1)
    model.save(tmp_path / "ours.recta")

    def run(*arguments):
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    assert "Proved" in run("verify", tmp_path / "ours.recta", tmp_path / "t.csv")
    told = json.loads(run("eval", tmp_path / "ours.recta", tmp_path / "t.csv", "--json"))
    assert told["metrics"]["y"]["accuracy"] == pytest.approx(model.score(frame, y, w + 1), rel=1e-12) and told[
        "classes"
    ] == list(map(str, classes))
    assert "ridge-classifier" in run("inspect", tmp_path / "ours.recta")
    assert run("predict", tmp_path / "ours.recta", tmp_path / "t.csv").split()[1:] == list(
        map(str, model.predict(frame).tolist())
    )
    run(
        "fit",
        "ridge-classifier",
        tmp_path / "t.csv",
        "--target",
        "y",
        "--weights",
        "weight",
        *flags,
        "-o",
        tmp_path / "theirs.recta",
    )
    theirs = RidgeClassifier.load(tmp_path / "theirs.recta")
    assert theirs.classes_.tolist() == model.classes_.tolist() and theirs.alpha == pytest.approx(model.alpha)
    np.testing.assert_allclose(theirs.coef_, model.coef_, rtol=1e-12)
    assert (theirs.predict(frame) == model.predict(frame)).all() and (
        recta.load(tmp_path / "theirs.recta").predict(frame) == model.predict(frame)
    ).all()
    assert theirs.certificate_.verify(frame, y, w + 1).verdict == "proved"


def test_several_penalties_and_several_labels_are_targets_of_ridge(problem, tmp_path):
    X, y, _ = labelled(problem, ["a", "b", "c"])
    each = RidgeClassifier(alpha=[1.0, 2.0, 2.0]).fit(X, y)
    np.testing.assert_allclose(each.coef_[0], RidgeClassifier(alpha=1.0).fit(X, y).coef_[0], rtol=1e-12)
    np.testing.assert_allclose(each.coef_[1:], RidgeClassifier(alpha=2.0).fit(X, y).coef_[1:], rtol=1e-12)
    assert (each.set_params(alpha=1.0).fit(X, y).coef_ == RidgeClassifier().fit(X, y).coef_).all()
    labels = np.column_stack([y == "a", X[:, 0] > 2]).astype(int)
    several = RidgeClassifier().fit(X, labels)
    several.save(tmp_path / "m.recta")
    again = RidgeClassifier.load(tmp_path / "m.recta")
    assert (again.predict(X) == several.predict(X)).all() and again.predict(X).shape == (60, 2)


def test_iterations_are_counted_for_every_class(problem):
    X, y, _ = labelled(problem, ["a", "b", "c"])
    short = RidgeClassifier(solver="lsqr", max_iter=1).fit(X, y)
    assert short.certificate_.verdict != "proved"
    assert RidgeClassifier(solver="lsqr", max_iter=100).fit(X, y).certificate_.verdict == "proved"


def test_a_regressors_file_has_no_classes(problem, tmp_path):
    X, y, _ = problem
    Ridge().fit(X, y).save(tmp_path / "m.recta")
    with pytest.raises(ValueError, match="holds no classes"):
        RidgeClassifier.load(tmp_path / "m.recta")


def test_the_fast_predictor_gives_the_scores(problem):
    X, y, _ = labelled(problem, ["a", "b", "c"])
    model = RidgeClassifier().fit(X, y)
    fast = model.fast_predictor()
    assert fast(X[3]).tolist() == model.decision_function(X[3:4])[0].tolist()
    assert model.classes_[fast(X[3]).argmax()] == model.predict(X[3:4])[0]


def test_frames_with_categories_are_classified(problem):
    X, y, w = labelled(problem, ["a", "b"])
    frame = pandas.DataFrame(X, columns=list("abcde")).assign(colour=pandas.Categorical(["red", "blue", "green"] * 20))
    model = RidgeClassifier().fit(frame, pandas.Series(y), w)
    assert model.coef_.shape == (8,) and model.score(frame, y) > 0.8
    assert model.certificate_.verify(frame, y, w).verdict == "proved"


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("ensemble", [True, False])
def test_scores_become_calibrated_probabilities(method, ensemble, problem):
    for classes in (["no", "yes"], ["a", "b", "c"]):
        X, y, _ = labelled(problem, classes)
        ours, theirs = (
            CalibratedClassifierCV(kind.RidgeClassifier(), method=method, ensemble=ensemble, cv=3).fit(X, y)
            for kind in (recta.linear_model, sklearn.linear_model)
        )
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-6, atol=1e-8)
        assert (ours.predict(X) == theirs.predict(X)).all()
    fitted = RidgeClassifier().fit(X[:30], y[:30])
    frozen = CalibratedClassifierCV(FrozenEstimator(fitted)).fit(X[30:], y[30:])
    np.testing.assert_allclose(frozen.predict_proba(X).sum(axis=1), 1)


def test_meta_estimators_take_it(problem):
    X, y, _ = labelled(problem, ["a", "b", "c"])
    grids = [
        GridSearchCV(make_pipeline(StandardScaler(), kind()), {"ridgeclassifier__alpha": [0.1, 10.0, 1000.0]}).fit(X, y)
        for kind in (RidgeClassifier, sklearn.linear_model.RidgeClassifier)
    ]
    assert grids[0].cv_results_["mean_test_score"].tolist() == grids[1].cv_results_["mean_test_score"].tolist()
    assert cross_val_score(RidgeClassifier(), X, y, scoring="f1_macro", n_jobs=2).shape == (5,)
    assert cross_val_predict(RidgeClassifier(), X, y, method="decision_function").shape == (60, 3)
    for several in (OneVsRestClassifier, OneVsOneClassifier):
        assert several(RidgeClassifier()).fit(X, y).score(X, y) > 0.5
