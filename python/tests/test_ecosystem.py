"""What people combine estimators with."""

import numpy as np
import pandas
import pytest
from sklearn import set_config
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, StackingRegressor
from sklearn.feature_selection import RFE
from sklearn.inspection import permutation_importance
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from recta.linear_model import LinearRegression, Ridge


def test_clone_keeps_parameters_and_forgets_the_fit(problem):
    X, y, _ = problem
    copy = clone(Ridge(alpha=7.0, verbose=print).fit(X, y))
    assert copy.alpha == 7.0 and not hasattr(copy, "coef_")


def test_pipelines_and_grid_search_agree_with_scikit_learns_ridge(problem):
    X, y, _ = problem
    grids = [
        GridSearchCV(
            make_pipeline(StandardScaler(), PolynomialFeatures(2), ridge), {"ridge__alpha": [0.1, 1.0, 10.0, 100.0]}
        )
        for ridge in (Ridge(), TheirRidge())
    ]
    ours, theirs = (grid.fit(X, y) for grid in grids)
    assert ours.best_params_ == theirs.best_params_
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], rtol=1e-8)


@pytest.mark.parametrize("jobs", [1, 2])
def test_cross_validation_works_in_processes_too(jobs, problem):
    X, y, _ = problem
    ours = cross_val_score(Ridge(), X, y, n_jobs=jobs)
    np.testing.assert_allclose(ours, cross_val_score(TheirRidge(), X, y), rtol=1e-9)


def test_joblib_threads_share_nothing(problem):
    from joblib import Parallel, delayed

    X, y, _ = problem
    fits = Parallel(n_jobs=4, backend="threading")(delayed(Ridge(alpha=a).fit)(X, y) for a in [1.0, 2.0] * 10)
    assert {fit.coef_.tobytes() for fit in fits[::2]} == {Ridge(alpha=1.0).fit(X, y).coef_.tobytes()}
    assert {fit.coef_.tobytes() for fit in fits[1::2]} == {Ridge(alpha=2.0).fit(X, y).coef_.tobytes()}


def test_column_transformer_with_set_output(problem):
    X, y, _ = problem
    frame = pandas.DataFrame(X, columns=list("abcde")).assign(kind=["one", "two", "three"] * 20)
    columns = ColumnTransformer(
        [("numbers", StandardScaler(), list("abcde")), ("kinds", OneHotEncoder(sparse_output=False), ["kind"])]
    ).set_output(transform="pandas")
    pipeline = make_pipeline(columns, Ridge())
    pipeline.fit(frame, y)
    assert list(pipeline[-1].feature_names_in_[-3:]) == ["kinds__kind_one", "kinds__kind_three", "kinds__kind_two"]
    assert pipeline[-1].certificate_.verdict == "proved"
    sparse = make_pipeline(
        ColumnTransformer([("kinds", OneHotEncoder(), ["kind"])], remainder="passthrough", sparse_threshold=1.0),
        LinearRegression(),
    )
    assert sparse.fit(frame, y).score(frame, y) > 0.5


def test_weights_are_routed(problem):
    X, y, w = problem
    set_config(enable_metadata_routing=True)
    try:
        model = Ridge().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        routed = cross_validate(
            make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model),
            X,
            y,
            params={"sample_weight": w},
            return_estimator=True,
        )
        plain = cross_validate(make_pipeline(StandardScaler(), Ridge()), X, y, return_estimator=True)
    finally:
        set_config(enable_metadata_routing=False)
    assert not np.allclose(routed["estimator"][0][-1].coef_, plain["estimator"][0][-1].coef_)


def test_meta_estimators_take_them(problem):
    X, y, _ = problem
    assert RFE(LinearRegression(), n_features_to_select=4).fit(X, y).support_.tolist() == [
        True,
        True,
        True,
        False,
        True,
    ]
    assert BaggingRegressor(Ridge(), n_estimators=3, random_state=0).fit(X, y).score(X, y) > 0.9
    assert (
        StackingRegressor([("a", Ridge()), ("b", LinearRegression())], LinearRegression()).fit(X, y).score(X, y) > 0.9
    )
    assert (
        TransformedTargetRegressor(LinearRegression(), func=np.cbrt, inverse_func=lambda z: z**3).fit(X, y).score(X, y)
        > 0.5
    )
    assert MultiOutputRegressor(Ridge()).fit(X, np.column_stack([y, -y])).predict(X).shape == (60, 2)
    assert permutation_importance(Ridge().fit(X, y), X, y, random_state=0).importances_mean.argmax() == 4
