"""Columns of categories in naive Bayes, discriminants and centroids, beside scikit-learn's classes on the columns written out by hand."""

import pickle

import numpy as np
import pandas
import pytest
import sklearn.discriminant_analysis
import sklearn.naive_bayes
import sklearn.neighbors

import recta.discriminant_analysis
import recta.naive_bayes
import recta.neighbors

polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

RANDOM = np.random.default_rng(4)
N = 300
PLACE = RANDOM.integers(0, 3, N)
Y = np.array(["ham", "jam", "spam"])[PLACE]
COLOUR = np.array(["blue", "green", "red", "teal"])[(PLACE + RANDOM.integers(0, 2, N)) % 4]
SIZE = np.array(["L", "M", "S"])[RANDOM.integers(0, 3, N)]
LENGTH = RANDOM.poisson(3 + PLACE).astype(float)
LEVELS = {"colour": ["blue", "green", "pink", "red", "teal"], "size": ["L", "M", "S"]}  # no row is pink
PANDAS = pandas.DataFrame(
    {
        "colour": pandas.Categorical(COLOUR, LEVELS["colour"]),
        "length": LENGTH,
        "size": pandas.Categorical(SIZE, LEVELS["size"]),
    }
)
FRAMES = {
    "pandas": PANDAS,
    "polars": polars.DataFrame(
        {
            "colour": polars.Series(COLOUR, dtype=polars.Enum(LEVELS["colour"])),
            "length": LENGTH,
            "size": polars.Series(SIZE, dtype=polars.Enum(LEVELS["size"])),
        }
    ),
}


def written_out(first=0):
    """Columns of 0 and 1, of the levels from ``first`` on."""
    columns = (
        [np.array(level == COLOUR, dtype=float) for level in LEVELS["colour"][first:]]
        + [LENGTH]
        + [np.array(level == SIZE, dtype=float) for level in LEVELS["size"][first:]]
    )
    return np.column_stack(columns)


CASES = [
    (
        recta.naive_bayes.GaussianNB(var_smoothing=1e-3),
        sklearn.naive_bayes.GaussianNB(var_smoothing=1e-3),
        written_out(),
    ),
    (recta.naive_bayes.MultinomialNB(alpha=0.5), sklearn.naive_bayes.MultinomialNB(alpha=0.5), written_out()),
    (
        recta.naive_bayes.MultinomialNB(alpha=np.arange(1.0, 10)),
        sklearn.naive_bayes.MultinomialNB(alpha=np.arange(1.0, 10)),
        written_out(),
    ),
    (recta.naive_bayes.ComplementNB(), sklearn.naive_bayes.ComplementNB(), written_out()),
    (recta.naive_bayes.BernoulliNB(), sklearn.naive_bayes.BernoulliNB(), written_out()),
    (
        recta.naive_bayes.CategoricalNB(),
        sklearn.naive_bayes.CategoricalNB(min_categories=[5, 1, 3]),
        np.column_stack([np.searchsorted(LEVELS["colour"], COLOUR), LENGTH, np.searchsorted(LEVELS["size"], SIZE)]),
    ),
    (recta.neighbors.NearestCentroid(), sklearn.neighbors.NearestCentroid(), written_out()),
    (
        recta.discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
        sklearn.discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
        written_out(1),
    ),
    (
        recta.discriminant_analysis.QuadraticDiscriminantAnalysis(reg_param=0.2),
        sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis(reg_param=0.2),
        written_out(1),
    ),
]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("ours", "theirs", "columns"), CASES, ids=lambda one: type(one).__name__)
@pytest.mark.filterwarnings("ignore:self.within_class_std_dev_", "ignore:The covariance")
def test_levels_are_columns(ours, theirs, columns, frame):
    X = FRAMES[frame]
    ours, theirs = ours.fit(X, Y), theirs.fit(columns, Y)
    assert ours.n_features_in_ == 3 and ours.feature_names_in_.tolist() == ["colour", "length", "size"]
    assert ours.predict(X).tolist() == theirs.predict(columns).tolist()
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(columns), rtol=1e-7, atol=1e-10)
    assert ours.certificate_.verify(X, Y).verdict == ours.certificate_.verdict != "refuted"
    kept = pickle.loads(pickle.dumps(ours))
    assert kept.predict(X).tolist() == ours.predict(X).tolist()
    text = pandas.DataFrame({"size": SIZE, "length": LENGTH, "colour": COLOUR})[["colour", "length", "size"]]
    assert kept.predict(text).tolist() == ours.predict(X).tolist()  # as read from a file without types
    text.loc[4, "colour"] = "mauve"
    with pytest.raises(recta.DataError, match='row 5, column colour: the category "mauve" was not seen'):
        kept.predict(text)
    with pytest.raises((recta.DataError, ValueError), match="names|feature"):
        kept.predict(columns)


@pytest.mark.parametrize("name", ["GaussianNB", "MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB"])
def test_parts_of_a_frame_are_the_whole(name):
    parts = getattr(recta.naive_bayes, name)()
    for part in (slice(0, 100), slice(100, None)):
        parts.partial_fit(PANDAS[part], Y[part], classes=np.unique(Y))
    whole = getattr(recta.naive_bayes, name)().fit(PANDAS, Y)
    np.testing.assert_allclose(parts.predict_proba(PANDAS), whole.predict_proba(PANDAS), rtol=1e-9)


@pytest.mark.parametrize("frame", [*FRAMES, "pyarrow"])
@pytest.mark.parametrize(
    "likelihood", ["auto", {"length": "gaussian"}, ["categorical", "gaussian", "categorical"]], ids=str
)
def test_mixed_takes_categories_for_categories(frame, likelihood):
    X = FRAMES.get(frame)
    if frame == "pyarrow":
        X = pyarrow.Table.from_pandas(PANDAS)
    model = recta.naive_bayes.MixedNB(likelihood, var_smoothing=1e-3).fit(X, Y)
    if likelihood == "auto":  # few whole numbers are categories too
        model = recta.naive_bayes.MixedNB({"length": "gaussian"}, var_smoothing=1e-3).fit(X, Y)
    codes = np.column_stack([np.searchsorted(LEVELS["colour"], COLOUR), np.searchsorted(LEVELS["size"], SIZE)])
    categories = sklearn.naive_bayes.CategoricalNB(min_categories=[5, 3]).fit(codes, Y)
    numbers = sklearn.naive_bayes.GaussianNB(var_smoothing=1e-3).fit(LENGTH[:, None], Y)
    joint = (
        categories.predict_joint_log_proba(codes)
        + numbers.predict_joint_log_proba(LENGTH[:, None])
        - np.log(numbers.class_prior_)
    )
    np.testing.assert_allclose(model.predict_joint_log_proba(X), joint, rtol=1e-9)
    assert model.certificate_.verify(X, Y).verdict == model.certificate_.verdict == "proved"
    assert model.n_features_in_ == 3 and "colour" in repr(model.explain(X, row=1))


def test_mixed_leaves_out_what_is_missing_or_weighs_nothing():
    X = PANDAS.copy()
    X.loc[:9, "colour"] = None
    weights = np.r_[np.zeros(30), np.ones(N - 30)]
    model = recta.naive_bayes.MixedNB().fit(X, Y, weights)
    rest = recta.naive_bayes.MixedNB().fit(X[30:], Y[30:])
    np.testing.assert_allclose(model.predict_joint_log_proba(X), rest.predict_joint_log_proba(X), rtol=1e-12)
    assert np.isfinite(model.predict_proba(X)).all()
    strange = X[["colour", "length", "size"]].astype({"colour": object})
    strange.loc[3, "colour"] = "mauve"
    with pytest.raises(recta.DataError, match="mauve"):
        model.predict(strange)
    skips = recta.naive_bayes.MixedNB(unseen="zeros").fit(X, Y, weights)
    np.testing.assert_allclose(
        skips.predict_joint_log_proba(strange)[3], model.predict_joint_log_proba(X)[3], rtol=1e-12
    )


@pytest.mark.parametrize("weights", [None, np.r_[np.zeros(20), np.linspace(1, 2, N - 20)]], ids=["plain", "weighted"])
@pytest.mark.parametrize("case", range(len(CASES)))
def test_proofs_are_made_again_from_labels(case, weights):
    model, _, columns = CASES[case]
    model.fit(columns, Y, weights)
    assert model.certificate_.verify(columns, Y, weights).verdict == model.certificate_.verdict != "refuted"
