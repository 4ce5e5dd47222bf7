"""FeatureMap: the maps of the command line, as a transformer and inside a fit, beside the command line and rational arithmetic."""

import json
import pickle
import subprocess
from fractions import Fraction

import numpy as np
import pandas
import pytest
import sklearn.preprocessing
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import recta
from recta.linear_model import (
    GroupLasso,
    HuberRegressor,
    Lasso,
    LinearRegression,
    LogisticRegression,
    Perceptron,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
)
from recta.preprocessing import FeatureMap

SETTINGS = [
    FeatureMap(),
    FeatureMap(2),
    FeatureMap(3, poly_terms="powers"),
    FeatureMap(feature=["x1^2", "2*x1"]),
    FeatureMap(basis=["spline(x1, 4)"]),
]


@parametrize_with_checks(SETTINGS, expected_failed_checks=lambda estimator: {})
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    check(estimator)


@pytest.fixture
def frame():
    random = np.random.default_rng(11)
    return pandas.DataFrame(
        {
            "area": random.uniform(20, 200, 40),
            "rooms": random.integers(1, 7, 40).astype(float),
            "month": random.integers(1, 13, 40).astype(float),
            "my age": random.uniform(0, 90, 40),
        }
    )


ASKED = {
    "basis": ["log(area)", "fourier(month, 12)", "spline(`my age`, 5)"],
    "feature": ["area*rooms", "log(area + 1)/rooms^2"],
}


def asked_flags():
    return [item for word in ("basis", "feature") for text in ASKED[word] for item in (f"--{word}", text)]


def test_features_are_what_their_text_says(frame):
    made = FeatureMap(**ASKED).set_output(transform="pandas").fit_transform(frame)
    assert list(made)[:4] == ["rooms", "log(area)", "sin(month, 12)", "cos(month, 12)"]
    area, rooms, month = (frame[name].to_numpy() for name in ("area", "rooms", "month"))
    np.testing.assert_allclose(made["log(area)"], np.log(area), rtol=1e-15)
    np.testing.assert_allclose(made["cos(month, 12)"], np.cos(2 * np.pi * month / 12), atol=1e-15)
    assert (made["area*rooms"] == [float(Fraction(a) * Fraction(r)) for a, r in zip(area, rooms)]).all()
    spline = sklearn.preprocessing.SplineTransformer(5, include_bias=False).fit_transform(frame[["my age"]])
    np.testing.assert_allclose(made[[name for name in made if name.startswith("spline")]], spline, atol=1e-12)


def test_polynomial_radial_and_ring_are_what_they_say():
    x = np.array([[1.0, 2.0], [3.0, -1.0]])
    assert FeatureMap(2).fit_transform(x).tolist() == [[1, 2, 1, 2, 4], [3, -1, 9, -3, 1]]
    assert FeatureMap(2).fit(x).get_feature_names_out().tolist() == ["x1", "x2", "x1^2", "x1*x2", "x2^2"]
    assert FeatureMap(2).fit(x).get_feature_names_out(["a", "b"]).tolist() == ["a", "b", "a^2", "a*b", "b^2"]
    np.testing.assert_allclose(
        FeatureMap(basis="ring(x1, x2)").fit_transform(x), [[1, 4, np.sqrt(8)], [9, 1, -np.sqrt(18)]], rtol=1e-15
    )
    bumps = FeatureMap(basis=["radial(x1, [0, 2], width=1)"]).fit_transform(x)
    np.testing.assert_allclose(
        bumps, np.column_stack([x[:, 1], np.exp(-((x[:, 0] - 0) ** 2) / 2), np.exp(-((x[:, 0] - 2) ** 2) / 2)])
    )


def test_a_power_is_the_nearest_double():
    x = np.random.default_rng(2).normal(size=(50, 1)) * 3
    made = FeatureMap(7).fit_transform(x)
    assert made.tolist() == [[float(Fraction(v) ** d) for d in range(1, 8)] for v in x[:, 0]]


def test_knots_come_from_the_rows_of_training_that_count():
    x, weight = np.array([[0.0], [10.0], [4.0], [90.0]]), np.array([1.0, 2.0, 1.0, 0.0])
    maps = FeatureMap(basis=["spline(x1, 3)"]).fit(x, sample_weight=weight)
    assert maps.maps_ == [("spline(x1, 3)", [0.0, 5.0, 10.0])]
    again = pickle.loads(pickle.dumps(maps))
    assert (again.transform(x[:3]) == FeatureMap(basis=["spline(x1, 3)"]).fit(x[:3]).transform(x[:3])).all()


@pytest.mark.parametrize(
    "word, estimator, flags",
    [
        ("linear", LinearRegression(), []),
        ("ridge", Ridge(alpha=2.0), ["--tau", "2"]),
        ("lasso", Lasso(alpha=0.1), ["--lambda", "0.1"]),
        ("huber", HuberRegressor(alpha=0.0), ["--lambda", "0"]),
        ("quantile", QuantileRegressor(alpha=0.0), []),
        ("group-lasso", GroupLasso(alpha=0.1), ["--lambda", "0.1"]),
    ],
)
def test_an_estimator_with_maps_is_the_command_lines(program, frame, tmp_path, word, estimator, flags):
    y = frame["area"] * frame["rooms"] / 50 + np.sin(frame["month"]) + frame["my age"] ** 2 / 500
    frame.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    model = clone(estimator).set_params(feature_map=FeatureMap(**ASKED)).fit(frame, y)
    ran = subprocess.run(
        [program, "fit", word, tmp_path / "t.csv", "--target", "y", *flags, *asked_flags(), "-o", tmp_path / "m.recta"],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    theirs = recta.load(tmp_path / "m.recta")
    assert theirs.feature_names == model._model.feature_names
    assert (model.coef_ == theirs.coef).all() and model.intercept_ == theirs.intercept
    assert (model.predict(frame) == theirs.predict(frame)).all()
    assert model.certificate_.verdict == "proved" and model.certificate_.verify(frame, y).verdict == "proved"
    model.save(tmp_path / "ours.recta")
    checked = subprocess.run(
        [program, "verify", tmp_path / "ours.recta", tmp_path / "t.csv"], capture_output=True, text=True, check=True
    )
    assert "Proved" in checked.stdout
    back = type(model).load(tmp_path / "m.recta")
    assert (back.predict(frame) == model.predict(frame)).all()
    again = clone(back).set_params(tolerance=model.tolerance).fit(frame, y)
    np.testing.assert_allclose(again.coef_, model.coef_, rtol=1e-9)


def test_filip_has_fourteen_digits_inside_the_fit_and_not_from_an_array(program):
    X, y = recta.datasets.load("filip", return_X_y=True)
    ran = subprocess.run(
        [program, "fit", "linear", "filip", "--poly", "10", "--json"], capture_output=True, text=True, check=True
    )
    theirs = [c["value"] for c in json.loads(ran.stdout)["coefficients"]["y"]]
    rows = [[Fraction(v) ** d for d in range(11)] for v in X[:, 0].tolist()]
    exact = solved(rows, [Fraction(v) for v in y.tolist()])
    model = LinearRegression(feature_map=FeatureMap(10)).fit(X, y)
    assert model.coef_.tolist() == theirs
    assert max(abs(Fraction(w) / e - 1) for w, e in zip(model.coef_.tolist(), exact[1:])) < 1e-14
    assert model.certificate_.verdict == "proved"
    rounded = make_pipeline(FeatureMap(10), LinearRegression()).fit(X, y)[-1]
    assert max(abs(Fraction(w) / e - 1) for w, e in zip(rounded.coef_.tolist(), exact[1:])) > 1e-11


def solved(rows, y):
    """Least squares in whole numbers, by the normal equations."""
    p = len(rows[0])
    a = [
        [sum(r[i] * r[j] for r in rows) for j in range(p)] + [sum(r[i] * v for r, v in zip(rows, y))] for i in range(p)
    ]
    for i in range(p):
        for k in range(p):
            if k != i:
                factor = a[k][i] / a[i][i]
                a[k] = [u - factor * v for u, v in zip(a[k], a[i])]
    return [a[i][p] / a[i][i] for i in range(p)]


def test_classifiers_and_counts_take_maps():
    X, y = recta.datasets.load("rings", return_X_y=True)
    maps = FeatureMap(basis=["ring(x1, x2)"])
    for estimator in (LogisticRegression(), RidgeClassifier(), Perceptron(variant="pocket", max_iter=200)):
        plain, mapped = clone(estimator).fit(X, y), clone(estimator).set_params(feature_map=maps).fit(X, y)
        assert mapped.score(X, y) == 1.0 > plain.score(X, y)
        assert mapped.coef_.shape[-1] == 3 and mapped.n_features_in_ == 2
        assert (mapped.predict(X) == pickle.loads(pickle.dumps(mapped)).predict(X)).all()
    with pytest.raises(ValueError, match="partial_fit learns from the features themselves"):
        Perceptron(feature_map=maps).partial_fit(X, y, classes=np.unique(y))
    x = np.arange(1.0, 9.0).reshape(-1, 1)
    counts = PoissonRegressor(alpha=0.0, feature_map=FeatureMap(basis=["log(x1)"])).fit(x, 3 * x[:, 0] ** 2)
    np.testing.assert_allclose([counts.coef_[0], counts.intercept_], [2, np.log(3)], rtol=1e-8)


def test_maps_stand_beside_categories_in_a_fit(frame):
    frame["town"] = pandas.Categorical(["a", "b"] * 20)
    y = frame["area"] ** 2 + (frame["town"] == "b") * 7
    model = LinearRegression(feature_map=FeatureMap(basis=["poly(area, 2)"])).fit(frame, y)
    assert model._model.feature_names[-3:] == ["town=b", "area", "area^2"]
    np.testing.assert_allclose(model.coef_[-3:], [7, 0, 1], atol=1e-6)
    np.testing.assert_allclose(model.predict(frame), y)


def test_a_grid_searches_over_maps():
    x = np.linspace(-1, 1, 40).reshape(-1, 1)
    grid = GridSearchCV(LinearRegression(feature_map=FeatureMap()), {"feature_map__poly": [1, 2, 3]}).fit(
        x, 1 + x[:, 0] ** 3
    )
    assert grid.best_params_ == {"feature_map__poly": 3}


@pytest.mark.parametrize(
    "asked, says",
    [
        ({"feature": ["area**rooms"]}, r'feature "area\*\*rooms": at character 6: .* a power is written \^'),
        ({"feature": ["aera*rooms"]}, 'has no column "aera"; did you mean "area"\\?'),
        ({"feature": ["log(rooms - 1)"]}, "row 3, column rooms"),
        ({"basis": ["spline(area, 5)"], "feature": ["spline(area, 5)"]}, "is made twice"),
        ({"basis": 3}, "'basis' parameter of FeatureMap must be a list of maps"),
        ({"poly": 0}, r"'poly' parameter of FeatureMap must be an int in the range \[1, 100\]"),
        ({"poly_terms": "some"}, "'poly_terms' parameter of FeatureMap must be a str among"),
    ],
)
def test_what_cannot_be_made_is_said(frame, asked, says):
    frame.loc[:3, "rooms"] = [3.0, 2.0, 1.0, 4.0]
    with pytest.raises(ValueError, match=says):
        FeatureMap(**asked).fit_transform(frame)
    with pytest.raises(ValueError, match=says):
        LinearRegression(feature_map=FeatureMap(**asked)).fit(frame, frame["area"])


def test_what_is_no_table_of_numbers_is_refused(frame):
    with pytest.raises(ValueError, match="X has columns of categories; leave them to OneHotEncoder"):
        FeatureMap(2).fit(frame.assign(town=pandas.Categorical(["a", "b"] * 20)))
    with pytest.raises(ValueError, match="row 1, column town: 'a' is not a number"):
        FeatureMap(2).fit(frame.assign(town=["a", "b"] * 20))
    with pytest.raises(ValueError, match="columns of an array are x1, x2, ...; those of a frame have its names"):
        FeatureMap(feature=["area^2"]).fit(frame.to_numpy())
    frame.loc[4, "rooms"] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN.\n.*row 5, column rooms"):
        FeatureMap(feature=["area^2"]).fit_transform(frame)
    with pytest.raises(ValueError, match="must be a recta.preprocessing.FeatureMap or None"):
        LinearRegression(feature_map="log(area)").fit([[1.0], [2.0]], [1.0, 2.0])
