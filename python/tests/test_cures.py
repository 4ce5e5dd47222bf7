"""Two cures of columns that depend on one another: a penalty by the condition number, and columns left out by inflation."""

import numpy as np
import pandas
import polars
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from statsmodels.stats.outliers_influence import variance_inflation_factor

from recta.feature_selection import VarianceInflationThreshold
from recta.linear_model import LinearRegression, Ridge

RNG = np.random.default_rng(5)
X = RNG.normal(size=(60, 6))
X[:, 3] = X[:, 0] + X[:, 1] + 0.05 * RNG.normal(size=60)
X[:, 5] = X[:, 2] + 0.2 * RNG.normal(size=60)
Y = X[:, 0] - X[:, 4] + RNG.normal(size=60)


def written_out(x, limit):
    """The column of the largest inflation goes, one at a time."""
    kept, gone = list(range(x.shape[1])), []
    while len(kept) > 1:
        design = np.column_stack([np.ones(len(x)), x[:, kept]])
        vif = [variance_inflation_factor(design, j + 1) for j in range(len(kept))]
        if max(vif) <= limit:
            break
        gone.append(kept.pop(int(np.argmax(vif))))
    return gone


def condition(x, alpha):
    centred = x - x.mean(axis=0)
    return np.linalg.cond(centred.T @ centred + alpha * np.eye(x.shape[1]))


@pytest.mark.parametrize("low, high", [(10, 1000), (2, 20), (1.5, 3.0)])
def test_ridge_takes_the_least_penalty_with_a_condition_number_in_the_range(low, high):
    model = Ridge(condition=(low, high)).fit(X, Y)
    assert low <= condition(X, model.alpha_) <= high
    assert condition(X, model.alpha_ * (1 - 1e-6)) > high
    plain = Ridge(alpha=model.alpha_).fit(X, Y)
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9)
    assert model.certificate_.verdict == "proved"


def test_no_penalty_is_taken_where_none_is_needed():
    model = Ridge(condition=(10, 1e8)).fit(X, Y)
    assert model.alpha_ == 0.0
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X, Y).coef_, rtol=1e-9)


@pytest.mark.parametrize(
    "options, said",
    [
        ({"condition": (10,)}, "two numbers"),
        ({"condition": 10}, "two numbers"),
        ({"condition": (100, 10)}, "low < high"),
        ({"condition": (0.5, 10)}, "1 <= low"),
        ({"condition": (1, float("inf"))}, "low < high"),
        ({"condition": "ab"}, "two numbers"),
    ],
)
def test_what_is_no_range_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        Ridge(**options).fit(X, Y)


@parametrize_with_checks([VarianceInflationThreshold(max_vif=1.5), Ridge(condition=(10, 1000))])
def test_scikit_learn_finds_nothing_wrong_with_the_cures(estimator, check):
    check(estimator)


@pytest.mark.parametrize("limit", [1.0, 2.0, 5.0, 10.0, 1000.0])
def test_columns_go_one_at_a_time_largest_inflation_first(limit):
    selector = VarianceInflationThreshold(limit).fit(X)
    assert selector.dropped_.tolist() == written_out(X, limit)
    np.testing.assert_array_equal(selector.transform(X), X[:, selector.get_support()])


def test_of_columns_that_depend_exactly_the_later_goes():
    twice = np.column_stack([X[:, :3], X[:, 1], np.ones(60)])
    assert VarianceInflationThreshold(1e6).fit(twice).dropped_.tolist() == [3]


def test_weights_mean_repetition_of_the_row():
    weights = RNG.integers(0, 4, size=60)
    weighted = VarianceInflationThreshold(5.0).fit(X, sample_weight=weights)
    assert (
        weighted.dropped_.tolist()
        == VarianceInflationThreshold(5.0).fit(np.repeat(X, weights, axis=0)).dropped_.tolist()
    )


def test_frames_keep_their_names_and_categories():
    frame = pandas.DataFrame(X, columns=list("abcdef")).assign(g=pandas.Categorical(np.arange(60) % 3))
    selector = VarianceInflationThreshold(5.0).set_output(transform="pandas").fit(frame)
    kept = selector.transform(frame)
    assert set(frame.columns) - set(kept.columns) == {"abcdef"[j] for j in selector.dropped_}
    assert "g" in kept.columns and len(selector.dropped_) > 0
    LinearRegression().fit(kept, Y)
    table = polars.DataFrame(X, schema=list("abcdef")).with_columns(
        polars.Series("g", ["u", "v", "w"] * 20, dtype=polars.Categorical)
    )
    assert VarianceInflationThreshold(5.0).fit(table).dropped_.tolist() == selector.dropped_.tolist()


def test_it_is_a_step_of_a_pipeline():
    model = clone(make_pipeline(VarianceInflationThreshold(5.0), LinearRegression())).fit(X, Y)
    assert len(model[1].coef_) == 6 - len(model[0].dropped_)


@pytest.mark.parametrize(
    "given, where",
    [(np.asarray, "row 8, column x3"), (lambda x: pandas.DataFrame(x, columns=list("abcdef")), "row 8, column c")],
)
def test_a_missing_number_is_named(given, where):
    holed = X.copy()
    holed[7, 2] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN") as said:
        VarianceInflationThreshold().fit(given(holed))
    assert where in str(said.value)


@pytest.mark.parametrize("limit", [0.5, -1.0, "10", float("nan"), True])
def test_what_is_no_limit_is_refused(limit):
    with pytest.raises(ValueError, match="max_vif"):
        VarianceInflationThreshold(limit).fit(X)
