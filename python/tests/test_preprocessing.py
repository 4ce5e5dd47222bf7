"""StandardScaler and OneHotEncoder beside scikit-learn's."""

import inspect

import numpy as np
import pandas
import polars
import pyarrow
import pytest
import scipy.sparse
import sklearn.preprocessing
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import recta.preprocessing
from recta.linear_model import Ridge
from recta.preprocessing import OneHotEncoder, StandardScaler

ENCODERS = [
    OneHotEncoder(),
    OneHotEncoder(drop="first"),
    OneHotEncoder(drop="if_binary", handle_unknown="ignore"),
    OneHotEncoder(sparse_output=False, dtype=np.float32),
    OneHotEncoder(min_frequency=2, handle_unknown="infrequent_if_exist"),
]
SETTINGS = [
    StandardScaler(),
    StandardScaler(with_mean=False),
    StandardScaler(with_std=False),
    StandardScaler(with_mean=False, with_std=False),
]  # copy=False writes into X, which the checks forbid


@parametrize_with_checks(SETTINGS[1:] + ENCODERS[1:], expected_failed_checks=lambda estimator: {})
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    check(estimator)


def test_everything_public_is_in_the_battery():
    assert recta.preprocessing.__all__ == [
        "FeatureMap",
        "OneHotEncoder",
        "PolynomialFeatures",
        "SplineTransformer",
        "StandardScaler",
    ]
    for name in recta.preprocessing.__all__[1:]:
        ours, theirs = (getattr(module, name).__init__ for module in (recta.preprocessing, sklearn.preprocessing))
        assert inspect.signature(ours) == inspect.signature(theirs)


def same(ours, theirs, X, accuracy=1e-12):
    for name in ("mean_", "var_", "scale_", "n_samples_seen_"):
        a, b = getattr(ours, name), getattr(theirs, name)
        assert (a is None) == (b is None), name
        if a is not None:
            np.testing.assert_allclose(a, b, rtol=accuracy, err_msg=name)
            assert np.shape(a) == np.shape(b), name
    a, b = ours.transform(X), theirs.transform(X)
    if scipy.sparse.issparse(a):
        a, b = a.toarray(), b.toarray()
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_the_numbers_are_scikit_learns(setting, weighted, problem):
    X, _, w = problem
    X = X.copy()
    X[3, 1] = X[10, 1] = X[4, 2] = np.nan
    weights = w if weighted else None
    theirs = sklearn.preprocessing.StandardScaler(**setting.get_params()).fit(X, sample_weight=weights)
    ours = StandardScaler(**setting.get_params()).fit(X, sample_weight=weights)
    if weighted and theirs.mean_ is None:
        theirs.n_samples_seen_ = ours.n_samples_seen_  # scikit-learn forgets the weights where it learns nothing else
    same(ours, theirs, X)


@pytest.mark.parametrize("form", [scipy.sparse.csr_array, scipy.sparse.csc_matrix])
def test_sparse_columns_are_scaled_without_being_centred(form, problem):
    X = problem[0] * (problem[0] > 2)
    ours, theirs = (
        kind.StandardScaler(with_mean=False).fit(form(X)) for kind in (recta.preprocessing, sklearn.preprocessing)
    )
    same(ours, theirs, form(X))
    with pytest.raises(ValueError, match="Cannot center sparse matrices"):
        StandardScaler().fit(form(X))


def test_rows_may_come_in_parts(problem):
    X, _, w = problem
    parts = StandardScaler().partial_fit(X[:20], sample_weight=w[:20]).partial_fit(X[20:], sample_weight=w[20:])
    same(parts, StandardScaler().fit(X, sample_weight=w), X)


def test_a_constant_far_from_zero_has_no_variance():
    scaler = StandardScaler().fit(np.full((100_000, 1), 1e8 + 0.1))
    assert scaler.var_[0] == 0 and scaler.scale_[0] == 1 and scaler.mean_[0] == 1e8 + 0.1


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e12])
def test_a_weighted_constant_has_no_variance(scale):
    random = np.random.default_rng(7)
    for _ in range(50):
        X = np.full((random.integers(2, 40), 3), random.normal(size=3) * 10.0 ** random.integers(-3, 9, 3))
        weights = random.uniform(0.01, 5, len(X)) * scale
        parts = (
            StandardScaler().partial_fit(X[:1], sample_weight=weights[:1]).partial_fit(X[1:], sample_weight=weights[1:])
        )
        for scaler in (StandardScaler().fit(X, sample_weight=weights), parts):
            assert (
                scaler.var_.tolist() == [0, 0, 0]
                and scaler.scale_.tolist() == [1, 1, 1]
                and not scaler.transform(X).any()
            )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_a_column_that_varies_by_rounding_alone_is_not_scaled(form, weighted):
    X = np.array([[0.1 + 0.2, 1e6 + 0.1], [0.3, np.nextafter(1e6 + 0.1, 0)]] * 5)
    weights = np.linspace(0.1, 0.9, len(X)) if weighted else None
    settings = {"with_mean": form is np.asarray}
    ours, theirs = (
        kind.StandardScaler(**settings).fit(form(X), sample_weight=weights)
        for kind in (recta.preprocessing, sklearn.preprocessing)
    )
    assert 0 < ours.var_.max() < 1e-19 and ours.scale_.tolist() == theirs.scale_.tolist() == [1, 1]
    for unit in (1e-9, 1e12):
        assert StandardScaler(**settings).fit(form(X), sample_weight=np.full(len(X), unit)).scale_.tolist() == [1, 1]
        other = StandardScaler().fit(1e6 + 1e-5 * np.arange(10.0)[:, None], sample_weight=np.full(10, unit))
        assert other.scale_[0] < 1e-4  # that is no rounding


def test_an_infinity_is_named():
    with pytest.raises(ValueError, match="infinity(.|\n)*column 2 has 1 such"):
        StandardScaler().fit([[1.0, 2.0], [1.0, np.inf]])


def test_without_copy_x_is_scaled_in_place(problem):
    X = problem[0].copy()
    assert StandardScaler(copy=False).fit_transform(X) is X and abs(X.mean()) < 1e-12


def test_it_stands_before_a_model(problem):
    X, y, _ = problem
    assert make_pipeline(StandardScaler(), Ridge()).set_output(transform="pandas").fit(X, y).score(X, y) > 0.9


WORDS = ["red", "green", "blue", "green", "red", "red", "red"]
NUMBERS = [3, 1, 2, 3, 3, 1, 3]
COLUMNS = {
    "pandas category": lambda: pandas.DataFrame(
        {"c": pandas.Categorical(WORDS, ["red", "pink", "green", "blue"]), "n": NUMBERS}
    ),
    "pandas category of numbers": lambda: pandas.DataFrame({"n": pandas.Categorical([*NUMBERS[:-1], None], [3, 2, 1])}),
    "pandas text": lambda: pandas.DataFrame({"c": WORDS, "n": NUMBERS}),
    "pandas text with gaps": lambda: pandas.DataFrame({"c": [*WORDS[:-1], None]}),
    "pandas objects with gaps": lambda: pandas.DataFrame({"c": [*WORDS[:-2], None, np.nan]}, dtype=object),
    "pandas floats with gaps": lambda: pandas.DataFrame({"n": [*NUMBERS[:-1], np.nan]}),
    "polars categorical": lambda: polars.DataFrame({"c": polars.Series(WORDS, dtype=polars.Categorical), "n": NUMBERS}),
    "polars enum": lambda: polars.DataFrame(
        {"c": polars.Series(WORDS, dtype=polars.Enum(["red", "green", "pink", "blue"]))}
    ),
    "polars text with gaps": lambda: polars.DataFrame({"c": [*WORDS[:-1], None], "n": NUMBERS}),
    "pyarrow dictionary": lambda: pyarrow.table({"c": pyarrow.array(WORDS).dictionary_encode(), "n": NUMBERS}),
    "pyarrow text": lambda: pyarrow.table({"c": WORDS, "n": NUMBERS}),
    "objects": lambda: np.array([WORDS, NUMBERS], dtype=object).T,
    "strings": lambda: np.array([WORDS]).T,
    "integers": lambda: np.array([NUMBERS, NUMBERS[::-1]]).T,
    "list": lambda: [[word, number] for word, number in zip(WORDS, NUMBERS)],
}


@pytest.mark.parametrize(
    "setting", [{}, {"drop": "first"}, {"min_frequency": 2}, {"max_categories": 2, "sparse_output": False}]
)
@pytest.mark.parametrize("form", COLUMNS)
def test_categories_are_encoded_as_scikit_learn_does(form, setting):
    X = COLUMNS[form]()
    ours, theirs = OneHotEncoder(**setting).fit(X), sklearn.preprocessing.OneHotEncoder(**setting).fit(X)
    for a, b in zip(ours.categories_, theirs.categories_, strict=True):
        assert list(map(repr, a.tolist())) == list(map(repr, b.tolist()))
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    a, b = ours.transform(X), theirs.transform(X)
    assert type(a) is type(b) and a.dtype == b.dtype
    a, b = (m.toarray() if scipy.sparse.issparse(m) else m for m in (a, b))
    assert a.tolist() == b.tolist()
    assert list(map(str, ours.inverse_transform(a).ravel())) == list(map(str, theirs.inverse_transform(b).ravel()))


@pytest.mark.parametrize("form", ["pandas category", "polars categorical", "pyarrow dictionary", "objects"])
def test_a_category_that_training_did_not_see_is_named_with_its_row(form):
    X = COLUMNS[form]()
    few = X[[0, 3, 4, 5, 6]] if form == "objects" else getattr(X, "take", lambda rows: X[rows])([0, 3, 4, 5, 6])
    encoder = OneHotEncoder().fit(few)
    column = "1" if form == "objects" else "c"
    with pytest.raises(
        ValueError,
        match=rf"Found unknown categories \['blue'\] in column 0 during transform(.|\n)*row 3, column {column}",
    ):
        encoder.transform(X)
    lenient = OneHotEncoder(handle_unknown="ignore").fit(few)
    assert lenient.transform(X).toarray()[2, :2].tolist() == [0, 0]
    with pytest.warns(UserWarning, match="unknown categories in columns .* all zeros"):
        OneHotEncoder(handle_unknown="ignore", drop="first").fit(few).transform(X)


def test_anything_with_the_arrow_protocol_is_encoded():
    class ArrowOnly:
        def __init__(self, table):
            self.__arrow_c_stream__, self.shape = table.__arrow_c_stream__, table.shape

        def __len__(self):
            return self.shape[0]

    encoder = OneHotEncoder(sparse_output=False)
    assert encoder.fit_transform(ArrowOnly(COLUMNS["pyarrow dictionary"]())).sum() == 14
    assert encoder.categories_[0].tolist() == ["blue", "green", "red"]


def test_numbers_far_apart_and_gaps_are_found():
    X = np.array([[-1e300], [0.0], [np.nan], [5e-324], [1e300]])
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(X)
    assert (encoder.transform(X) == np.eye(5)[[0, 1, 4, 2, 3]]).all()
    assert not encoder.transform([[1.0], [-2e300], [2e300]]).any()
    assert not OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(X[:2]).transform([[np.nan]]).any()


def test_encoders_stand_before_a_model_and_give_frames(problem):
    X, y, _ = problem
    frame = pandas.DataFrame(X, columns=list("abcde")).assign(kind=pandas.Categorical(["one", "two", "three"] * 20))
    columns = ColumnTransformer([("numbers", StandardScaler(), list("abcde")), ("kinds", OneHotEncoder(), ["kind"])])
    assert make_pipeline(columns, Ridge()).fit(frame, y).score(frame, y) > 0.9
    for kind in ("pandas", "polars"):
        made = OneHotEncoder(sparse_output=False).set_output(transform=kind).fit_transform(frame[["kind"]])
        assert list(made.columns) == ["kind_one", "kind_three", "kind_two"]
    with pytest.raises(ValueError, match="Set sparse_output=False"):
        OneHotEncoder().set_output(transform="pandas").fit_transform(frame[["kind"]])
