"""Offsets: a part of X w + b with factor 1. Beside laws (least squares of y less the offset, exposure as a weight) and the command line."""

import subprocess

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn import config_context
from sklearn.model_selection import cross_val_score

import recta
from recta.linear_model import (
    ElasticNet,
    GammaRegressor,
    GroupLasso,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    Perceptron,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeCV,
)
from recta.svm import LinearSVR

DIFFERENCES = [
    LinearRegression(),
    Ridge(alpha=2.0),
    Ridge(alpha=2.0, solver="lsqr"),
    Lasso(alpha=0.1),
    ElasticNet(alpha=0.1),
    GroupLasso(alpha=0.1),
    HuberRegressor(),
    QuantileRegressor(alpha=0.0),
    LinearSVR(),
    LassoCV(alphas=5),
    LassoCV(alphas=5, choose="bic"),
    RidgeCV(),
    RidgeCV(cv=3),
]


@pytest.fixture
def rows():
    random = np.random.default_rng(5)
    X = random.normal(size=(60, 3))
    return (
        X,
        X @ [1.0, -2.0, 0.5] + 3 + random.normal(size=60),
        random.integers(1, 4, 60).astype(float),
        random.normal(size=60) * 2,
    )


@pytest.mark.parametrize("estimator", DIFFERENCES, ids=repr)
@pytest.mark.parametrize(
    "form", [np.asarray, scipy.sparse.csr_array, lambda X: pandas.DataFrame(X, columns=["a", "offset", "c"])]
)
def test_losses_of_differences_are_fitted_to_the_target_less_the_offset(estimator, form, rows):
    X, y, w, o = rows
    x = form(X)
    ours, theirs = (
        type(estimator)(**estimator.get_params()).fit(x, y, w, offset=o),
        type(estimator)(**estimator.get_params()).fit(x, y - o, w),
    )
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.predict(x, offset=o), theirs.predict(x) + o, rtol=1e-7, atol=1e-8)
    assert ours.score(x, y, w, offset=o) == pytest.approx(theirs.score(x, y - o, w), abs=1e-8)
    assert ours.certificate_.verify(x, y, w, offset=o).verdict == ours.certificate_.verdict == "proved"


def test_exposure_as_an_offset_is_exposure_as_a_weight(rows):
    """Poisson: counts with log exposure as offset have the coefficients of rates that weigh their exposure."""
    X, _, exposure, _ = rows
    counts = np.random.default_rng(6).poisson(exposure * np.exp(X @ [0.3, -0.2, 0.1] + 1)).astype(float)
    by_offset = PoissonRegressor(alpha=0.0).fit(X, counts, offset=np.log(exposure))
    by_weight = PoissonRegressor(alpha=0.0).fit(X, counts / exposure, exposure)
    np.testing.assert_allclose(by_offset.coef_, by_weight.coef_, rtol=1e-7)
    np.testing.assert_allclose(by_offset.predict(X, np.log(exposure)), exposure * by_weight.predict(X), rtol=1e-7)
    assert 0 < by_offset.score(X, counts, offset=np.log(exposure)) < 1
    # Gamma: an offset is a scale of the target
    sums = counts + 1
    scaled = GammaRegressor(alpha=0.1).fit(X, sums, offset=np.log(exposure))
    np.testing.assert_allclose(scaled.coef_, GammaRegressor(alpha=0.1).fit(X, sums / exposure).coef_, rtol=1e-7)


def test_logistic_offsets_are_a_column_with_the_weight_one(rows):
    X, y, _, o = rows
    labels = np.where(y > y.mean(), "yes", "no")
    model = LogisticRegression(C=np.inf).fit(X, labels, offset=o)
    p = 1 / (1 + np.exp(-(X @ model.coef_[0] + model.intercept_[0] + o)))
    np.testing.assert_allclose(model.predict_proba(X, o)[:, 1], p, rtol=1e-12)
    np.testing.assert_allclose(X.T @ ((labels == "yes") - p), 0, atol=1e-5)  # the gradient there
    np.testing.assert_allclose(
        model.predict_log_proba(X, offset=o), np.log(model.predict_proba(X, offset=o)), atol=1e-9
    )
    assert (model.predict(X, o) == np.where(p >= 0.5, "yes", "no")).all()
    assert model.score(X, labels, offset=o) == np.mean(model.predict(X, o) == labels)
    assert model.certificate_.verify(X, labels, offset=o).verdict == "proved"


@pytest.mark.parametrize(
    "word, estimator, flags",
    [
        ("linear", LinearRegression(), []),
        ("ridge", Ridge(alpha=3.0), ["--tau", "3"]),
        ("poisson", PoissonRegressor(alpha=0.1), ["--lambda", "0.1"]),
        ("gamma", GammaRegressor(alpha=0.1), ["--lambda", "0.1"]),
    ],
)
@pytest.mark.parametrize("categories", [False, True])
def test_the_command_line_reads_and_writes_the_same(program, rows, tmp_path, word, estimator, flags, categories):
    X, y, w, o = rows
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    if categories:
        frame["town"] = pandas.Categorical(["u", "v", "v"] * 20)
    y = np.round(np.exp(y / 4)) + 1 if word in ("poisson", "gamma") else y
    frame.assign(y=y, weight=w, offset=o).to_csv(tmp_path / "t.csv", index=False)
    model = estimator.fit(frame, y, w, offset=o)
    subprocess.run(
        [
            program,
            "fit",
            word,
            tmp_path / "t.csv",
            "--target",
            "y",
            "--weights",
            "weight",
            "--offset",
            "offset",
            *flags,
            "-o",
            tmp_path / "m.recta",
        ],
        check=True,
        capture_output=True,
    )
    light, back = recta.load(tmp_path / "m.recta"), type(estimator).load(tmp_path / "m.recta")
    assert (light.coef == model.coef_).all() and light.intercept == model.intercept_
    for found in (light.predict(frame, offset=o), light.predict(frame.assign(offset=o)), back.predict(frame, offset=o)):
        assert (found == model.predict(frame, offset=o)).all()
    model.save(tmp_path / "ours.recta")
    subprocess.run([program, "verify", tmp_path / "ours.recta", tmp_path / "t.csv"], check=True, capture_output=True)
    said = subprocess.run(
        [program, "predict", tmp_path / "ours.recta", tmp_path / "t.csv"], check=True, capture_output=True, text=True
    ).stdout
    np.testing.assert_allclose(
        [float(line.split(",")[-1]) for line in said.split()[1:]], model.predict(frame, offset=o), rtol=1e-14
    )


def test_intervals_move_with_the_offset(rows):
    X, y, w, o = rows
    ours, theirs = LinearRegression().fit(X, y, w, offset=o), LinearRegression().fit(X, y - o, w)
    for a, b in zip(ours.prediction_interval(X, offset=o), theirs.prediction_interval(X)):
        np.testing.assert_allclose(a, b + o, rtol=1e-10)


def test_an_offset_is_routed(rows):
    X, y, _, o = rows
    with config_context(enable_metadata_routing=True):
        model = LinearRegression().set_fit_request(offset=True).set_score_request(offset=True)
        found = cross_val_score(model, X, y, params={"offset": o}, cv=3)
    np.testing.assert_allclose(found, cross_val_score(LinearRegression(), X, y - o, cv=3), rtol=1e-9)


def test_what_cannot_be_is_said(rows):
    X, y, _, o = rows
    model = LinearRegression().fit(X, y, offset=o)
    with pytest.raises(
        ValueError, match="LinearRegression was fitted with an offset; give offset=, one number per row"
    ):
        model.predict(X)
    with pytest.raises(ValueError, match="was fitted without an offset"):
        LinearRegression().fit(X, y).predict(X, offset=o)
    with pytest.raises(ValueError, match=r"offset: it has shape \(3,\), and there are 60 rows"):
        LinearRegression().fit(X, y, offset=o[:3])
    with pytest.raises(ValueError, match="offset, row 2: the value is nan"):
        LinearRegression().fit(X, y, offset=np.where(np.arange(60) == 1, np.nan, o))
    with pytest.raises(ValueError, match="a hyperplane has no offsets"):
        Perceptron().fit(X, y > 0, offset=o)
    with pytest.raises(ValueError, match="an offset would be the same for all classes"):
        LogisticRegression().fit(X, np.arange(60) % 3, offset=o)
    assert model.predict(X, offset=0.0) == pytest.approx(model.predict(X, offset=np.zeros(60)))
