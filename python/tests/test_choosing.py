"""Ways to choose a penalty: as the command line has them on the same rows, and by hand."""

import json
import subprocess

import numpy as np
import pandas
import pytest
from scipy import sparse

import recta
from recta._models.linear.criteria import CRITERIA
from recta.linear_model import ElasticNetCV, LassoCV, Ridge, RidgeCV


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Rows that five folds divide evenly, with weights of which some are zero, and the file that holds them."""
    X, y = recta.datasets.load("housing", return_X_y=True)
    X, y, weights = X[:505], y[:505], np.arange(505) % 4 * 0.5
    path = tmp_path_factory.mktemp("choosing") / "t.csv"
    pandas.DataFrame(X, columns=[f"x{j + 1}" for j in range(13)]).assign(y=y, w=weights).to_csv(path, index=False)
    return X, y, weights, path


def told(program, word, path, *flags):
    made = subprocess.run(
        [program, "path", word, path, "--target", "y", "--json", *flags], capture_output=True, text=True, check=True
    )
    return json.loads(made.stdout)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
def test_criteria_are_those_of_the_command_line(program, table, weighted, intercept):
    X, y, weights, path = table
    weights = weights if weighted else None
    flags = ["--weights", "w"] if weighted else ["--ignore", "w"]
    flags += [] if intercept else ["--no-intercept"]
    for estimator, word, more in ((LassoCV, "lasso", []), (ElasticNetCV, "elastic-net", ["--l1-share", "0.5"])):
        theirs = told(program, word, path, "--count", "25", "--ratio", "1e-3", *flags, *more)
        for criterion in CRITERIA:
            ours = estimator(alphas=25, choose=criterion, fit_intercept=intercept).fit(X, y, weights)
            assert ours.criterion_ == pytest.approx([point[criterion] for point in theirs["points"]], rel=1e-7)
            assert ours.alpha_ == pytest.approx(theirs["points"][theirs["best"][criterion]]["lambda"], rel=1e-10)
            assert ours.certificate_.verdict == "proved" and not hasattr(ours, "mse_path_")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
def test_criteria_of_ridge_are_those_of_the_command_line(program, table, weighted, intercept):
    X, y, weights, path = table
    weights = weights if weighted else None
    flags = ["--weights", "w"] if weighted else ["--ignore", "w"]
    flags += [] if intercept else ["--no-intercept"]
    total, alphas = 505 if weights is None else weights.sum(), np.array([10.0, 1e-3, 1e4, 100.0, 1.0])
    theirs = told(program, "ridge", path, "--lambdas", ",".join(repr(float(alpha / total)) for alpha in alphas), *flags)
    for criterion in CRITERIA:
        ours = RidgeCV(alphas, choose=criterion, fit_intercept=intercept).fit(X, y, weights)
        best = theirs["points"][theirs["best"][criterion]]
        assert ours.alpha_ == pytest.approx(best["lambda"] * total, rel=1e-12)
        assert ours.best_score_ == pytest.approx(-best[criterion], rel=1e-8)


def test_one_standard_error_is_that_of_the_command_line(program, table):
    X, y, _, path = table
    for estimator, word, more in ((LassoCV, "lasso", []), (ElasticNetCV, "elastic-net", ["--l1-share", "0.5"])):
        theirs = told(
            program,
            word,
            path,
            "--count",
            "25",
            "--ratio",
            "1e-3",
            "--folds",
            "5",
            "--folds-are",
            "contiguous",
            "--ignore",
            "w",
            *more,
        )
        best, near = (estimator(alphas=25, cv=5, choose=choose).fit(X, y) for choose in ("best", "1se"))
        assert near.mse_path_ == pytest.approx(np.array([point["fold_mse"] for point in theirs["points"]]), rel=1e-8)
        assert best.alpha_ == pytest.approx(theirs["points"][theirs["best"]["cv"]]["lambda"], rel=1e-10)
        assert near.alpha_ == pytest.approx(theirs["points"][theirs["best"]["1se"]]["lambda"], rel=1e-10)
        assert near.alpha_ > best.alpha_


def test_one_standard_error_of_ridge_by_hand(table):
    X, y, _, _ = table
    alphas = np.logspace(6, -2, 17)
    folds = np.arange(505) // 101
    scores = np.array(
        [
            [Ridge(alpha).fit(X[folds != k], y[folds != k]).score(X[folds == k], y[folds == k]) for k in range(5)]
            for alpha in alphas
        ]
    )
    mean = scores.mean(axis=1)
    least = mean.max() - scores[mean.argmax()].std(ddof=1) / np.sqrt(5)
    model = RidgeCV(alphas, cv=5, choose="1se").fit(X, y)
    assert model.alpha_ == alphas[mean >= least].max() > RidgeCV(alphas, cv=5).fit(X, y).alpha_
    assert model.best_score_ == pytest.approx(mean[alphas == model.alpha_][0], rel=1e-9)
    assert RidgeCV(alphas[::-1], cv=5, choose="1se").fit(X, y).alpha_ == model.alpha_


def test_a_share_is_chosen_by_a_criterion_too(table):
    X, y, _, _ = table
    model = ElasticNetCV(l1_ratio=[0.2, 0.9], alphas=15, choose="bic").fit(X, y)
    alone = [ElasticNetCV(l1_ratio=share, alphas=15, choose="bic").fit(X, y) for share in (0.2, 0.9)]
    assert model.criterion_ == pytest.approx(np.array([each.criterion_ for each in alone]), rel=1e-12)
    best = min(alone, key=lambda each: each.criterion_.min())
    assert (model.alpha_, model.l1_ratio_) == (best.alpha_, best.l1_ratio_)


def test_arrays_of_every_kind_give_the_same_criterion(table):
    X, y, weights, _ = table
    dense = LassoCV(alphas=10, choose="aic").fit(X, y, weights)
    for form in (sparse.csr_array(X), sparse.csc_array(X), pandas.DataFrame(X), np.asfortranarray(X), X.tolist()):
        assert LassoCV(alphas=10, choose="aic").fit(form, y, weights).criterion_ == pytest.approx(
            dense.criterion_, rel=1e-9
        )


def test_several_targets_share_a_criterion(table):
    X, y, _, _ = table
    both = RidgeCV([1.0, 10.0, 100.0], choose="gcv").fit(X, np.column_stack([y, X[:, 0] + y]))
    one, two = (RidgeCV([both.alpha_], choose="gcv").fit(X, target) for target in (y, X[:, 0] + y))
    assert both.best_score_ == pytest.approx((one.best_score_ + two.best_score_) / 2, rel=1e-10)


def test_refitting_with_another_choice_leaves_nothing_behind(table):
    X, y, _, _ = table
    model = LassoCV(alphas=5, choose="aic").fit(X, y)
    model.set_params(choose="best").fit(X, y)
    assert not hasattr(model, "criterion_") and model.mse_path_.shape == (5, 5)


@pytest.mark.parametrize(
    "estimator, words",
    [
        (LassoCV(choose="least"), "'choose' parameter of LassoCV must be one of 'best', '1se', 'gcv'"),
        (RidgeCV(choose="loo"), "'choose' parameter of RidgeCV must be one of"),
        (RidgeCV(choose="1se"), "needs folds, as cv=5"),
    ],
    ids=repr,
)
def test_refusals_say_what_is_wrong(table, estimator, words):
    with pytest.raises(ValueError, match=words):
        estimator.fit(*table[:2])


def test_what_a_criterion_needs_is_said(table):
    X, y, _, _ = table
    with pytest.raises(ValueError, match="more rows than features: there are 8 rows"):
        LassoCV(choose="cp").fit(X[:8], y[:8])


@pytest.mark.parametrize("criterion", CRITERIA)
def test_categories_are_chosen_among_as_the_command_line_does(program, table, tmp_path, criterion):
    X, y, _, _ = table
    level = np.where(X[:, 1] > 0, "yes", "no")
    frame = pandas.DataFrame({"a": X[:, 0], "b": X[:, 5], "c": pandas.Categorical(level)})
    frame.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    theirs = told(program, "lasso", tmp_path / "t.csv", "--count", "10", "--ratio", "1e-3")
    ours = LassoCV(alphas=10, choose=criterion).fit(frame, y)
    assert ours.criterion_ == pytest.approx([point[criterion] for point in theirs["points"]], rel=1e-9)
    assert ours.alpha_ == pytest.approx(theirs["points"][theirs["best"][criterion]]["lambda"], rel=1e-10)
    by_hand = LassoCV(alphas=10, choose=criterion).fit(
        np.column_stack([X[:, 0], X[:, 5], level == "no", level == "yes"]), y
    )
    assert ours.criterion_ == pytest.approx(by_hand.criterion_, rel=1e-7)
    assert (
        ours.certificate_.verdict == "proved"
        and RidgeCV([1.0, 10.0], choose=criterion).fit(frame, y).certificate_.verdict == "proved"
    )
