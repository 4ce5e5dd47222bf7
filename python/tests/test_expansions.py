"""PolynomialFeatures and SplineTransformer beside scikit-learn's, and powers beside rational arithmetic."""

from fractions import Fraction

import numpy as np
import pandas
import pytest
import scipy.sparse
import sklearn.preprocessing
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from recta.linear_model import LinearRegression
from recta.preprocessing import PolynomialFeatures, SplineTransformer

SETTINGS = [
    PolynomialFeatures(),
    PolynomialFeatures(3),
    PolynomialFeatures(4, interaction_only=True),
    PolynomialFeatures((2, 3), include_bias=False, order="F"),
    PolynomialFeatures((0, 3)),
    SplineTransformer(),
    SplineTransformer(4, degree=2, knots="quantile", extrapolation="linear", include_bias=False),
    SplineTransformer(extrapolation="periodic"),
    SplineTransformer(sparse_output=True, extrapolation="continue"),
]


@parametrize_with_checks(SETTINGS, expected_failed_checks=lambda estimator: {})
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    check(estimator)


@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_the_numbers_are_scikit_learns(setting):
    X = np.random.default_rng(1).normal(size=(40, 3))
    theirs = getattr(sklearn.preprocessing, type(setting).__name__)(**setting.get_params())
    ours, theirs = setting.fit_transform(X), theirs.fit_transform(X)
    if scipy.sparse.issparse(ours):
        ours, theirs = ours.toarray(), theirs.toarray()
    np.testing.assert_allclose(ours, theirs, rtol=1e-14, atol=0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_power_is_the_nearest_double(dtype):
    X = (np.random.default_rng(2).normal(size=(50, 2)) * 3).astype(dtype)
    powers = PolynomialFeatures(7).fit(X)
    for row, found in zip(X.tolist(), powers.transform(X), strict=True):
        for exponents, value in zip(powers.powers_.tolist(), found, strict=True):
            exact = Fraction(row[0]) ** exponents[0] * Fraction(row[1]) ** exponents[1]
            assert value == dtype(float(exact))  # float() of a fraction is correctly rounded


def test_what_overflows_is_infinite_and_what_does_not_is_right():
    X = np.array([[1e300, 1e-200], [1e110, 2.0]])
    found = PolynomialFeatures(3, include_bias=False).fit_transform(X)
    assert np.isinf(found[:, [2, 5]]).tolist() == [[True, True], [False, True]]
    assert found[0, 3] == 1e300 * 1e-200
    assert not np.isnan(found).any()


def test_names_and_frames_pass_through():
    frame = pandas.DataFrame({"u": [1.0, 2.0, 3.0], "v": [2.0, 0.5, 1.0]})
    expansion = PolynomialFeatures(3, include_bias=False).set_output(transform="pandas").fit(frame)
    assert list(expansion.transform(frame).columns[:5]) == ["u", "v", "u^2", "u v", "v^2"]


def test_a_value_outside_the_knots_is_named():
    X = np.arange(12.0).reshape(6, 2)
    splines = SplineTransformer(extrapolation="error").fit(pandas.DataFrame(X, columns=["a", "b"]))
    with pytest.raises(ValueError, match=r"row 2, column b: 99.0 is outside 1.0 to 11.0"):
        splines.transform(pandas.DataFrame([[5.0, 5.0], [5.0, 99.0]], columns=["a", "b"]))


def test_whole_weights_of_quantile_knots_are_repeated_rows():
    rng = np.random.default_rng(4)
    X, w = rng.normal(size=(60, 2)), rng.integers(0, 4, 60)
    weighted = SplineTransformer(6, knots="quantile").fit(X, sample_weight=w)
    repeated = sklearn.preprocessing.SplineTransformer(6, knots="quantile").fit(np.repeat(X, w, axis=0))
    for ours, theirs in zip(weighted.bsplines_, repeated.bsplines_, strict=True):
        np.testing.assert_allclose(ours.t, theirs.t, rtol=1e-13)


def test_a_polynomial_is_fitted_with_a_proof():
    x = np.linspace(-1, 1, 30)[:, None]
    line = make_pipeline(PolynomialFeatures(3, include_bias=False), LinearRegression()).fit(
        x, (1 + x - 2 * x**3).ravel()
    )
    np.testing.assert_allclose(line[-1].coef_, [1, 0, -2], atol=1e-14)
    assert line[-1].certificate_.verdict == "proved"
