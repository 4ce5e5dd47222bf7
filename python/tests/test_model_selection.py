"""The library's own search agrees with scikit-learn's loops over the same splits."""

import subprocess
import sys
from functools import partial

import numpy as np
import pandas
import pytest
import sklearn.linear_model
import sklearn.model_selection
from sklearn.exceptions import FitFailedWarning
from sklearn.impute import KNNImputer
from sklearn.linear_model import Ridge as SkRidge
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    hamming_loss,
    label_ranking_loss,
    log_loss,
    mean_absolute_error,
    mean_squared_error,
    r2_score,
)
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, LeaveOneOut, TimeSeriesSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import recta
import recta.model_selection
from recta.linear_model import LogisticRegression, Ridge
from recta.model_selection import grid_search, splits
from recta.multioutput import LabelSetClassifier

RNG = np.random.default_rng(3)
X = RNG.normal(size=(120, 4)) * [1, 10, 0.1, 3]
Y = X @ [1.0, 0.2, 3.0, -0.5] + RNG.normal(size=120)
LABEL = np.where(Y + RNG.normal(size=120) > 0, "yes", "no")
STRENGTHS = [0.01, 0.3, 4.0]


def test_ridge_has_the_scores_of_scikit_learn():
    found = grid_search(
        "ridge", X, Y, grid={"lambda": STRENGTHS}, folds=4, contiguous=True, scores=["mse", "mae", "r2"]
    )
    for k, strength in enumerate(STRENGTHS):
        for s, (train, test) in enumerate(KFold(4).split(X)):
            model = SkRidge(alpha=strength * len(train)).fit(X[train], Y[train])
            for name, metric in (("mse", mean_squared_error), ("mae", mean_absolute_error), ("r2", r2_score)):
                expected = metric(Y[test], model.predict(X[test]))
                assert found.cv_results_[f"split{s}_test_{name}"][k] == pytest.approx(expected, rel=1e-9)
    values = np.array([found.cv_results_[f"split{s}_test_mse"] for s in range(4)])
    np.testing.assert_allclose(found.cv_results_["mean_test_mse"], values.mean(axis=0))
    np.testing.assert_allclose(found.cv_results_["standard_error_test_mse"], values.std(axis=0, ddof=1) / 2)
    assert found.best_index_ == values.mean(axis=0).argmin()
    assert found.best_params_ == {"lambda": STRENGTHS[found.best_index_]}
    assert found.model.certificate.verdict == "proved"


def test_standardising_is_learned_inside_each_split():
    found = grid_search("ridge", X, Y, grid={"lambda": STRENGTHS}, folds=3, contiguous=True, standardise=True)
    for k, strength in enumerate(STRENGTHS):
        for s, (train, test) in enumerate(KFold(3).split(X)):
            model = make_pipeline(StandardScaler(), SkRidge(alpha=strength * len(train))).fit(X[train], Y[train])
            assert found.cv_results_[f"split{s}_test_mse"][k] == pytest.approx(
                mean_squared_error(Y[test], model.predict(X[test])), rel=1e-9
            )


def test_classes_have_the_log_loss_of_single_fits():
    cv = splits(120, labels=LABEL, folds=3, seed=5)
    found = grid_search("logistic", X, LABEL, grid={"lambda": STRENGTHS}, folds=3, seed=5)
    for k, strength in enumerate(STRENGTHS):
        for s, (train, test) in enumerate(cv):
            model = LogisticRegression(C=1 / (strength * len(train))).fit(X[train], LABEL[train])
            expected = log_loss(LABEL[test], model.predict_proba(X[test]))
            assert found.cv_results_[f"split{s}_test_log_loss"][k] == pytest.approx(expected, rel=1e-4)


def test_splits_go_into_scikit_learns_own_search():
    cv = splits(120, folds=5, repeats=2, seed=1)
    grid = GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=cv, scoring="neg_mean_squared_error").fit(X, Y)
    assert grid.n_splits_ == 10
    tau = grid_search("ridge", X, Y, grid={"tau": [0.1, 10.0]}, folds=5, repeats=2, seed=1)
    np.testing.assert_allclose(tau.cv_results_["mean_test_mse"], -grid.cv_results_["mean_test_score"], rtol=1e-9)


def test_splits_are_those_of_scikit_learn_where_nothing_is_drawn():
    for mine, theirs in (
        (splits(11, folds=3, contiguous=True), KFold(3)),
        (splits(11, leave_one_out=True), LeaveOneOut()),
        (splits(11, time=np.arange(11), folds=4), TimeSeriesSplit(4)),
    ):
        expected = list(theirs.split(np.zeros((11, 1))))
        assert len(mine) == len(expected)
        for (train, test), (other_train, other_test) in zip(mine, expected):
            np.testing.assert_array_equal(train, other_train)
            np.testing.assert_array_equal(test, other_test)


def test_folds_of_label_sets_have_the_share_of_every_label():
    sets = (np.random.default_rng(3).random((400, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.02]).astype(int)
    counts = np.array([sets[test].sum(axis=0) for _, test in splits(400, labels=sets, seed=2)])
    assert np.abs(counts - sets.sum(axis=0) / 5).max() < 3
    with pytest.raises(ValueError, match="columns of labels hold 0 and 1"):
        splits(400, labels=2 * sets)


def test_groups_are_as_even_as_those_of_scikit_learn():
    groups = RNG.integers(0, 25, size=120)
    mine = sorted(len(test) for _, test in splits(120, groups=groups, folds=5))
    theirs = sorted(len(test) for _, test in GroupKFold(5).split(X, groups=groups))
    assert mine == theirs
    found = grid_search("linear", X, Y, groups=groups, leave_one_out=True)
    assert found.n_splits_ == len(np.unique(groups))


def test_frames_with_categories_and_tables():
    frame = pandas.DataFrame({"size": X[:, 0], "town": pandas.Categorical(RNG.choice(["a", "b", "c"], size=120))})
    found = grid_search("ridge", frame, Y, grid={"lambda": "1e-3..1:log:3", "degree": "1..2"})
    assert len(found.cv_results_["params"]) == 6
    table = grid_search("softmax", recta.read("iris"), grid={"lambda": [0.01]}, training=True)
    assert table.scores == ["log_loss", "accuracy"]
    assert table.cv_results_["mean_train_accuracy"][0] > 0.9
    assert "recta.CrossValidation softmax" in repr(table)


def test_one_standard_error_chooses_a_stronger_penalty():
    strengths = np.logspace(-3, 1, 15)
    best = grid_search("lasso", X, Y, grid={"lambda": strengths})
    simple = grid_search("lasso", X, Y, grid={"lambda": strengths}, one_standard_error=True)
    means, errors = best.cv_results_["mean_test_mse"], best.cv_results_["standard_error_test_mse"]
    within = means <= means[best.best_index_] + errors[best.best_index_]
    assert simple.best_index_ == np.flatnonzero(within).max()


def test_the_number_of_rows_that_fill_in_missing_numbers_is_a_parameter():
    gaps = X.copy()
    gaps[np.random.default_rng(8).uniform(size=X.shape) < 0.1] = np.nan
    found = grid_search(
        "ridge",
        gaps,
        Y,
        grid={"missing_neighbours": [1, 7]},
        missing="neighbours",
        folds=4,
        contiguous=True,
        **{"lambda": 0.3},
    )
    for k, neighbours in enumerate([1, 7]):
        for s, (train, test) in enumerate(KFold(4).split(X)):
            model = make_pipeline(KNNImputer(n_neighbors=neighbours), SkRidge(alpha=0.3 * len(train))).fit(
                gaps[train], Y[train]
            )
            expected = mean_squared_error(Y[test], model.predict(gaps[test]))
            assert found.cv_results_[f"split{s}_test_mse"][k] == pytest.approx(expected, rel=1e-9)
    alone = grid_search(
        "ridge", gaps, Y, missing="neighbours", missing_neighbours=7, folds=4, contiguous=True, **{"lambda": 0.3}
    )
    assert alone.best_score_ == found.cv_results_["mean_test_mse"][1]


TAGS = np.column_stack([Y, Y - X[:, 0], -Y]) + RNG.normal(size=(120, 3)) > [0, 0.5, -1]
MEASURES = {
    "hamming_loss": hamming_loss,
    "subset_accuracy": accuracy_score,
    "micro_f1": partial(f1_score, average="micro"),
    "macro_f1": partial(f1_score, average="macro"),
}


@pytest.mark.parametrize("kind", [int, bool])
def test_label_sets_have_the_five_measures_of_scikit_learn(kind):
    tags = TAGS.astype(kind)
    found = grid_search(
        "logistic", X, tags, label_columns=["a", "b", "c"], grid={"lambda": [0.001, 5.0]}, folds=4, contiguous=True
    )
    assert found.scores == [*MEASURES, "ranking_loss"]
    for k, strength in enumerate([0.001, 5.0]):
        for s, (train, test) in enumerate(KFold(4).split(X)):
            model = LabelSetClassifier(LogisticRegression(C=1 / (strength * len(train)))).fit(X[train], tags[train])
            said = model.predict(X[test])
            for name, metric in MEASURES.items():
                assert found.cv_results_[f"split{s}_test_{name}"][k] == pytest.approx(
                    metric(tags[test], said), abs=1e-12
                )
            ranking = label_ranking_loss(tags[test], model.predict_proba(X[test]))
            assert found.cv_results_[f"split{s}_test_ranking_loss"][k] == pytest.approx(ranking, abs=1e-12)
    assert found.best_index_ == found.cv_results_["mean_test_hamming_loss"].argmin()
    assert found.model.certificate.verdict == "proved"


def test_label_sets_in_the_cells_of_a_table(tmp_path):
    cells = ["|".join(name for name, there in zip("abc", row) if there) for row in TAGS]
    frame = pandas.DataFrame(X, columns=["p", "q", "r", "s"])
    frame.assign(tags=cells).to_csv(tmp_path / "sets.csv", index=False)
    options = {"chain": ["c", "a", "b"], "label_thresholds": {"b": 0.3}, "scores": ["micro_f1", "roc_area"]}
    of_cells = grid_search("logistic", recta.read(tmp_path / "sets.csv"), label_set="tags", **options)
    of_columns = grid_search("logistic", frame, TAGS, label_columns=["a", "b", "c"], **options)
    np.testing.assert_array_equal(
        of_cells.cv_results_["split3_test_micro_f1"], of_columns.cv_results_["split3_test_micro_f1"]
    )
    np.testing.assert_array_equal(
        of_cells.cv_results_["split3_test_roc_area"], of_columns.cv_results_["split3_test_roc_area"]
    )


def test_a_search_goes_on_where_it_was_stopped(tmp_path):
    file, asked = tmp_path / "search.jsonl", []
    grid = {"lambda": [0.01, 0.1, 1.0, 3.0]}

    def stop(step):
        asked.append(step)
        return False

    first = grid_search("huber", X, Y, grid=grid, resume=file, verbose=stop)
    whole = grid_search("huber", X, Y, grid=grid, resume=file)
    again = grid_search("huber", X, Y, grid=grid)
    assert first.stopped in ("", "interrupted")
    np.testing.assert_array_equal(whole.cv_results_["mean_test_mse"], again.cv_results_["mean_test_mse"])


@pytest.mark.parametrize(
    "given, message",
    [
        ({"grid": {"lamda": [1.0]}}, 'did you mean "lambda"'),
        ({"grid": {"lambda": []}}, "it has no values"),
        ({"grid": {"lambda": [1.0, 1.0]}}, "given twice"),
        ({"scores": "accuracy"}, "has no score"),
        ({"time_limit": 0.0}, "ends before the first fit"),
        ({"folds": 500}, "do not make 500 folds"),
        ({"groups": np.zeros(120), "folds": 2}, "1 groups do not make 2 folds"),
        ({"leave_one_out": True, "bootstrap": 3}, "exclude each other"),
        ({"lambda_": 1.0}, "no parameter"),
        ({"label_columns": ["a", "b"]}, "2 labels are named, and y has the shape"),
    ],
)
def test_bad_input_is_refused(given, message):
    with pytest.raises(recta.Error, match=message):
        grid_search("ridge", X, Y, **given)


def test_values_that_fail_are_reported():
    found = grid_search("ridge", X, Y, grid={"lambda": [-1.0, 0.1]})
    assert "out of range" in found.cv_results_["failure"][0]
    assert found.best_index_ == 1
    with pytest.raises(recta.Error, match="out of range"):
        grid_search("ridge", X, Y, grid={"lambda": [-1.0]})


def test_cross_validate_has_scikit_learns_contract():
    ours, theirs = recta.model_selection.cross_validate, sklearn.model_selection.cross_validate
    assert "cross_validate" in recta.model_selection.__all__
    asked = {
        "scoring": {"r2": "r2", "worst": lambda model, X, y: -np.abs(model.predict(X) - y).max()},
        "cv": 4,
        "return_train_score": True,
        "return_estimator": True,
        "return_indices": True,
        "params": {"sample_weight": np.linspace(1, 2, len(Y))},
        "n_jobs": 1,
    }
    found, peer = ours(Ridge(alpha=0.1), X, Y, **asked), theirs(sklearn.linear_model.Ridge(alpha=0.1), X, Y, **asked)
    assert (
        set(found)
        == set(peer)
        == {"fit_time", "score_time", "estimator", "indices", "test_r2", "train_r2", "test_worst", "train_worst"}
    )
    for name in ("test_r2", "train_r2", "test_worst", "train_worst"):
        np.testing.assert_allclose(found[name], peer[name], rtol=1e-7)
    assert [model.certificate_.verdict for model in found["estimator"]] == ["proved"] * 4
    several = ours(Ridge(), X, Y, scoring=["r2", "neg_mean_absolute_error"])
    assert set(several) == {"fit_time", "score_time", "test_r2", "test_neg_mean_absolute_error"}
    one_class = [(np.flatnonzero(LABEL == "yes"), np.arange(9)), (np.arange(9, 120), np.arange(9))]
    with pytest.warns(FitFailedWarning, match="at least 2 classes"):
        scores = ours(LogisticRegression(), X, LABEL, cv=one_class, error_score=-7.0)["test_score"]
    assert scores[0] == -7 and scores[1] > 0.5
    with pytest.raises(ValueError, match="alpha"):
        ours(Ridge(alpha=-1), X, Y, error_score="raise")


def test_without_scikit_learn_searches_go_on():
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.modules['sklearn'] = None\nimport recta.model_selection as one\n"
            "print(one.splits(4, folds=2, contiguous=True)[0][1].tolist(), 'sklearn.base' in sys.modules)\none.cross_validate",
        ],
        capture_output=True,
        text=True,
    )
    assert told.stdout == "[0, 1] False\n" and "Recta's estimators and transformers need scikit-learn" in told.stderr
