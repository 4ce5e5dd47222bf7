"""Categories under cross-validation and after it: levels that a fold lacks, levels that training lacked, text in their place."""

import pickle

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import recta
from recta.linear_model import (
    ElasticNetCV,
    GammaRegressor,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    RidgeCV,
    SGDClassifier,
    SGDRegressor,
)
from recta.svm import LinearSVR

RNG = np.random.default_rng(5)
A = RNG.normal(size=60)
WORDS = ["z"] + ["x", "y"] * 29 + ["x"]  # one row of z, in the first fold
Y = A + np.array([{"x": 1.0, "y": 2.0, "z": 7.0}[word] for word in WORDS]) + 0.1 * RNG.normal(size=60)
ENUM = polars.Enum(["w", "x", "y", "z"])


def pandas_frame(words=WORDS, levels=("w", "x", "y", "z")):
    return pandas.DataFrame({"a": A[: len(words)], "c": pandas.Categorical(words, categories=levels)})


FRAMES = {
    "pandas": pandas_frame,
    "polars": lambda: polars.DataFrame({"a": A, "c": polars.Series(WORDS, dtype=ENUM)}),
    "pyarrow": lambda: pyarrow.table(
        {"a": A, "c": pyarrow.DictionaryArray.from_arrays(["wxyz".index(word) for word in WORDS], list("wxyz"))}
    ),
}
REGRESSORS = [
    LinearRegression(),
    Ridge(),
    Lasso(alpha=0.1),
    LassoCV(cv=3),
    ElasticNetCV(cv=3),
    RidgeCV(),
    HuberRegressor(),
    QuantileRegressor(alpha=0.01),
    LinearSVR(),
    PoissonRegressor(),
    GammaRegressor(),
    SGDRegressor(),
]
CLASSIFIERS = [
    LogisticRegression(),
    LogisticRegression(C=np.inf),
    LogisticRegressionCV(Cs=3, cv=3),
    RidgeClassifier(),
    Perceptron(),
    SGDClassifier(),
    SGDClassifier(early_stopping=True),
]


@pytest.mark.parametrize("model", REGRESSORS + CLASSIFIERS, ids=repr)
def test_levels_that_the_dtype_declares_and_a_fold_lacks_are_known(model):
    regression = model in REGRESSORS
    y = np.abs(Y) + 0.1 if regression else (A + RNG.normal(size=60) > 0).astype(int)
    scores = cross_val_score(model, pandas_frame(), y, cv=5, error_score="raise")
    assert np.isfinite(scores).all()
    fitted = clone(model).fit(pandas_frame()[1:], y[1:])  # without the row of z
    one, other = pandas_frame(["w", "z", "x"]), pandas_frame(["z", "w", "x"])
    one["a"] = other["a"] = 0.5
    np.testing.assert_array_equal(fitted.predict(one), fitted.predict(other))  # neither has a coefficient but zero


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(), LogisticRegression(C=np.inf)], ids=repr)
@pytest.mark.parametrize("form", FRAMES)
def test_a_level_without_rows_has_the_coefficient_zero(model, form):
    y = Y if not isinstance(model, LogisticRegression) else (A + RNG.normal(size=60) > 0).astype(int)
    frame, kept = FRAMES[form](), slice(1, None)
    frame = frame[kept] if form != "pyarrow" else frame.slice(1)
    fitted = clone(model).fit(frame, y[kept])
    names, coefs = fitted._model.feature_names, np.ravel(fitted.coef_)
    assert [coefs[names.index(f"c={level}")] for level in "wz" if f"c={level}" in names] == [0.0, 0.0]
    assert fitted.certificate_.verdict == "proved"
    plain = clone(model).fit(pandas_frame(WORDS[1:], ["x", "y"]).assign(a=A[1:]), y[kept])
    for name, coef in zip(plain._model.feature_names, np.ravel(plain.coef_)):
        assert coefs[names.index(name)] == pytest.approx(coef, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("form", FRAMES)
@pytest.mark.parametrize("model", [LinearRegression(), Ridge(), SGDRegressor(shuffle=False)], ids=repr)
def test_a_row_of_weight_zero_is_absent_with_its_level(model, form):
    frame, weights = FRAMES[form](), np.ones(60)
    weights[0] = 0  # the row of z
    weighed = clone(model).fit(frame, Y, sample_weight=weights)
    absent = clone(model).fit(frame[1:] if form != "pyarrow" else frame.slice(1), Y[1:])
    np.testing.assert_allclose(weighed.coef_, absent.coef_, rtol=1e-12)
    if form == "pandas":
        np.testing.assert_allclose(weighed.predict(frame), absent.predict(frame), rtol=1e-12)
    if not isinstance(model, SGDRegressor):
        assert weighed.certificate_.verify(frame, Y, weights).verdict == "proved"


def test_levels_of_polars_are_those_that_rows_have():
    frame = polars.DataFrame({"a": A, "c": polars.Series(WORDS, dtype=polars.Categorical)})
    weights = np.r_[0.0, np.ones(59)]
    assert len(Ridge().fit(frame, Y, weights).coef_) == len(Ridge().fit(frame[1:], Y[1:]).coef_) == 3


def test_folds_of_logistic_regression_have_features_alike():
    y = (A + 0.3 * RNG.normal(size=60) > 0).astype(int)
    model = LogisticRegressionCV(Cs=[0.1, 1.0], cv=5).fit(pandas_frame(), y)
    assert model.coefs_paths_.shape == (5, 1, 2, 1, 6) and model.certificate_.verdict == "proved"


@pytest.mark.parametrize(
    "model",
    [LinearRegression(), Ridge(), LogisticRegression(), LassoCV(cv=3), SGDRegressor(), SGDClassifier()],
    ids=repr,
)
def test_a_level_that_training_did_not_know_is_refused_or_has_no_feature(model, tmp_path):
    y = Y if isinstance(model, (LinearRegression, Ridge, LassoCV, SGDRegressor)) else (np.median(Y) < Y).astype(int)
    strange, plain = pandas_frame(["q", "x"], ["q", "x"]), pandas_frame(["x", "x"], ["x"])
    with pytest.raises(ValueError, match=r'row 1, column c(.|\n)*"q" was not seen in training(.|\n)*unseen=\'zeros\''):
        clone(model).fit(pandas_frame(), y).predict(strange)
    known = clone(model).set_params(unseen="zeros").fit(pandas_frame(), y)
    scores = getattr(known, "decision_function", known.predict)
    names = known._frame.names() if hasattr(known, "_frame") else known._model.feature_names
    own = np.ravel(known.coef_)[names.index("c=x")] if "c=x" in names else 0.0
    strange["a"] = plain["a"] = 0.25
    assert scores(strange)[0] == pytest.approx(scores(plain)[0] - own, abs=1e-12)
    assert scores(strange)[1] == scores(plain)[1]
    with pytest.raises(ValueError, match="'unseen' parameter"):
        clone(model).set_params(unseen="ignore").fit(pandas_frame(), y)
    again = pickle.loads(pickle.dumps(known))
    np.testing.assert_array_equal(again.predict(strange), known.predict(strange))
    if hasattr(known, "save") and not isinstance(model, LassoCV):
        known.save(tmp_path / "m.recta")
        loaded = type(model).load(tmp_path / "m.recta")
        assert loaded.unseen == "zeros"
        np.testing.assert_array_equal(loaded.predict(strange), known.predict(strange))


TEXT = {
    "objects": lambda words: pandas.Series(words, dtype=object),
    "strings": lambda words: pandas.Series(words, dtype="string"),
    "default": lambda words: pandas.Series(words),
}


@pytest.mark.parametrize("model", [Ridge(), LogisticRegression(), SGDRegressor(), SGDClassifier()], ids=repr)
@pytest.mark.parametrize("form", TEXT)
def test_text_is_a_level_where_training_had_a_category(model, form):
    y = Y if isinstance(model, (Ridge, SGDRegressor)) else (np.median(Y) < Y).astype(int)
    fitted = clone(model).fit(pandas_frame(), y)
    np.testing.assert_array_equal(
        fitted.predict(pandas_frame().assign(c=TEXT[form](WORDS))), fitted.predict(pandas_frame())
    )
    np.testing.assert_array_equal(
        fitted.predict(pandas.DataFrame([{"a": 1.0, "c": "x"}])), fitted.predict(pandas_frame(["x"]).assign(a=1.0))
    )
    with pytest.raises(ValueError, match='"q" was not seen in training'):
        fitted.predict(pandas.DataFrame([{"a": 1.0, "c": "q"}]))
    with pytest.raises(ValueError, match="Input X contains NaN"):
        fitted.predict(pandas.DataFrame([{"a": 1.0, "c": None}]))


@pytest.mark.parametrize("model", [Ridge(), SGDRegressor()], ids=repr)
def test_text_of_other_frames_is_a_level_too(model):
    fitted = clone(model).fit(FRAMES["polars"](), Y)
    expected = fitted.predict(FRAMES["polars"]())
    np.testing.assert_array_equal(fitted.predict(polars.DataFrame({"a": A, "c": WORDS})), expected)
    np.testing.assert_array_equal(fitted.predict(pyarrow.table({"a": A, "c": WORDS})), expected)


def test_levels_that_are_truth_values_or_numbers_are_found_again():
    flags = pandas.DataFrame({"c": pandas.Categorical([True, False] * 30), "k": pandas.Categorical([10, 2, 3] * 20)})
    for model in (Ridge(), SGDRegressor()):
        model.fit(flags, Y)
        plain = pandas.DataFrame({"c": [True, False] * 30, "k": [10, 2, 3] * 20})
        np.testing.assert_array_equal(model.predict(plain), model.predict(flags))


def test_a_loaded_model_takes_text_as_well(tmp_path):
    fitted = Ridge().fit(pandas_frame(), Y)
    fitted.save(tmp_path / "m.recta")
    text = pandas_frame().assign(c=pandas.Series(WORDS, dtype=object))
    np.testing.assert_array_equal(recta.load(tmp_path / "m.recta").predict(text), fitted.predict(pandas_frame()))


@pytest.mark.parametrize("form", FRAMES)
def test_single_rows_learn_from_frames_what_they_learn_from_indicators(form):
    frame = FRAMES[form]()
    indicators = np.column_stack([A, *[[word == level for word in WORDS] for level in "wxyz"]]).astype(float)
    ours, plain = SGDRegressor(random_state=0).fit(frame, Y), SGDRegressor(random_state=0).fit(indicators, Y)
    np.testing.assert_allclose(ours.coef_, plain.coef_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict(frame), plain.predict(indicators), rtol=1e-12)
    assert ours.n_features_in_ == 2
    for _ in range(2):
        ours.partial_fit(frame, Y)
        plain.partial_fit(indicators, Y)
    np.testing.assert_allclose(ours.coef_, plain.coef_, rtol=1e-12)
    labels = np.where(np.median(Y) < Y, "high", "low")
    classes = SGDClassifier(loss="log_loss", random_state=0).fit(frame, labels)
    np.testing.assert_allclose(
        classes.coef_, SGDClassifier(loss="log_loss", random_state=0).fit(indicators, labels).coef_, rtol=1e-12
    )
    assert np.allclose(classes.predict_proba(frame).sum(axis=1), 1)


def test_rows_that_arrive_have_the_columns_and_levels_of_the_first():
    model = SGDRegressor(shuffle=False).partial_fit(pandas_frame()[:30], Y[:30])
    turned = pandas_frame()[["c", "a"]]
    with pytest.raises(ValueError, match="feature names"):
        model.partial_fit(turned[30:], Y[30:])
    with pytest.raises(ValueError, match="frame with the same columns"):
        model.predict(np.ones((3, 2)))
    with pytest.raises(ValueError, match='"q" was not seen'):
        model.partial_fit(pandas_frame(["q", "x"], ["q", "x"]), Y[:2])
    again = SGDRegressor(shuffle=False).fit(np.ones((4, 2)), np.arange(4.0))  # arrays, after nothing of frames
    assert model.fit(np.ones((4, 2)), np.arange(4.0)).coef_.tolist() == again.coef_.tolist()
