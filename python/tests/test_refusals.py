"""Bad input: the error scikit-learn's users know, with the place named."""

import re
from pathlib import Path

import numpy as np
import pandas
import polars
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError

import recta
from recta._base.words import in_python
from recta.linear_model import LinearRegression, Ridge


def broken(X, row, column, value):
    X = np.array(X)
    X[row, column] = value
    return X


@pytest.mark.parametrize(
    "value, words",
    [(np.nan, "Input X contains NaN"), (np.inf, "Input X contains infinity"), (-np.inf, "Input X contains infinity")],
)
@pytest.mark.parametrize(
    "form",
    [
        np.ascontiguousarray,
        np.asfortranarray,
        lambda x: x.astype(np.float32),
        scipy.sparse.csr_array,
        scipy.sparse.csc_matrix,
    ],
)
def test_a_number_that_is_not_finite_is_named_with_its_place(form, value, words, problem):
    X, y, _ = problem
    model = LinearRegression().fit(X, y)
    bad = form(broken(X, 16, 2, value))
    for work in (lambda: LinearRegression().fit(bad, y), lambda: model.predict(bad)):
        with pytest.raises(ValueError, match=words) as refused:
            work()
        assert "row 17" in str(refused.value)
        assert any(name in str(refused.value) for name in ("x3", "column 3"))


def test_a_bad_target_and_a_bad_weight_are_named(problem):
    X, y, w = problem
    y = y.copy()
    y[4] = np.nan
    with pytest.raises(ValueError, match=r"Input y contains NaN(.|\n)*row 5"):
        LinearRegression().fit(X, y)
    w[3] = -1
    with pytest.raises(ValueError, match="row 4, weight: -1 found"):
        LinearRegression().fit(X, problem[1], w)
    with pytest.raises(ValueError, match="at least one non-zero number"):
        LinearRegression().fit(X, problem[1], np.zeros(60))


def test_a_feature_may_be_called_weight_or_target(problem):
    X, y, _ = problem
    frame = pandas.DataFrame(broken(X, 2, 0, np.nan), columns=["weight", "target", "c", "d", "e"])
    with pytest.raises(ValueError, match=r"Input X contains NaN(.|\n)*row 3, column weight"):
        LinearRegression().fit(frame, y)
    frame["d"] = pandas.Categorical(["a", "b"] * 30)
    with pytest.raises(ValueError, match=r"Input X contains NaN(.|\n)*row 3, column weight"):
        LinearRegression().fit(frame, y)
    targets = np.column_stack([y, y])
    targets[4, 1] = np.inf
    with pytest.raises(ValueError, match=r"Input y contains infinity(.|\n)*row 5, target 2"):
        LinearRegression().fit(X, targets)


@pytest.mark.parametrize(
    "X, words",
    [
        (np.ones(5), "Expected 2D array, got 1D array instead"),
        (np.ones((2, 2, 2)), "Found array with dim 3"),
        (np.ones((0, 3)), "0 sample"),
        (np.ones((5, 0)), "0 feature"),
        (np.ones((5, 2)) * 1j, "Complex data not supported"),
        ([["a", "b"]] * 5, "could not convert string to float|dtype='numeric' is not compatible"),
        (np.array([["1", "x"]] * 5, dtype=object), "could not convert string to float: 'x'"),
        (scipy.sparse.csr_array(np.ones((5, 2)) * 1j), "Complex data not supported"),
        (np.ones((4, 2)), "inconsistent numbers of samples"),
    ],
)
def test_shapes_and_types_are_refused_in_scikit_learns_words(X, words):
    with pytest.raises(ValueError, match=words):
        LinearRegression().fit(X, np.arange(5.0))


@pytest.mark.parametrize(
    "form, place",
    [
        (lambda X: np.array(X, dtype=object), "row 17, column 3: 'x'"),
        (lambda X: np.array(X, dtype=object).tolist(), "row 17, column 3: 'x'"),
        (lambda X: pandas.DataFrame(X, columns=list("abcde")), "row 17, column c: 'x'"),
        (
            lambda X: polars.DataFrame(
                {name: [str(v) for v in X[:, j]] if j == 2 else X[:, j].astype(float) for j, name in enumerate("abcde")}
            ),
            "row 17, column c: 'x'",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:X has feature names")
def test_text_among_numbers_is_named_with_its_place(form, place, problem):
    X, y, _ = problem
    model, bad = LinearRegression().fit(X, y), X.astype(object)
    bad[16, 2] = "x"
    for work in (lambda: LinearRegression().fit(form(bad), y), lambda: model.predict(form(bad))):
        with pytest.raises(ValueError, match=f"could not convert string to float: 'x'(.|\n)*{place} is not a number"):
            work()


def test_what_changed_since_training_is_refused(problem):
    X, y, _ = problem
    frame = pandas.DataFrame(X, columns=list("abcde"))
    model = LinearRegression().fit(frame, y)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="feature names should match|same order"):
        model.predict(frame[list("bacde")])
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        model.predict(X)
    with pytest.raises(ValueError, match="X has 4 features, but LinearRegression is expecting 5 features"):
        LinearRegression().fit(X, y).predict(X[:, :4])
    with pytest.raises(NotFittedError):
        Ridge().predict(X)


@pytest.mark.parametrize(
    "estimator, words",
    [
        (LinearRegression(positive=True), r"positive=True\) has no meaning in Recta.*accepts only positive=False"),
        (Ridge(max_iter=0), r"'max_iter' parameter of Ridge must be an int in the range \[1, inf\)"),
        (Ridge(solver="sag"), "solver='saga' is the same without its bias"),
        (Ridge(solver="cholesk"), "choose one of auto, svd"),
        (Ridge(alpha=-1.0), r"'alpha' parameter of Ridge must be a float in the range \[0.0, inf\]"),
        (Ridge(alpha=float("nan")), "'alpha' parameter of Ridge"),
        (Ridge(alpha=[1.0, 2.0]), "Number of targets and number of penalties do not correspond: 2 != 1"),
        (Ridge(alpha=[-1.0]), "'alpha' parameter of Ridge"),
        (Ridge(tolerance="small"), "'tolerance' parameter of Ridge"),
        (Ridge(confidence=0.0), "'confidence' parameter of Ridge"),
        (Ridge(time_limit=0), "'time_limit' parameter of Ridge"),
        (Ridge(n_jobs=0), "n_jobs must be"),
        (Ridge(weights_are="counts"), "weights_are must be"),
    ],
)
def test_parameters_without_meaning_are_refused_with_the_reason(estimator, words, problem):
    X, y, _ = problem
    with pytest.raises(ValueError, match=words):
        estimator.fit(X, y)


@pytest.mark.parametrize("estimator", [LinearRegression(copy_X=False), Ridge(copy_X=False, random_state=3)])
def test_parameters_without_effect_are_accepted(estimator, problem):
    X, y, _ = problem
    before = X.copy()
    assert (estimator.fit(X, y).coef_ == type(estimator)().fit(X, y).coef_).all()
    assert (before == X).all()


def test_hostile_sparse_arrays_are_refused():
    X = scipy.sparse.csr_array(np.eye(4))
    X.indices = np.array([0, 1, 2, 9], dtype=X.indices.dtype)
    with pytest.raises(ValueError):
        LinearRegression().fit(X, np.arange(4.0))
    X = scipy.sparse.csr_array(np.eye(4))
    X.indptr = np.array([0, 1, 2, 3, 900], dtype=X.indptr.dtype)
    with pytest.raises(ValueError):
        LinearRegression().fit(X, np.arange(4.0))


@pytest.mark.parametrize(
    "said, here",
    [
        (
            "pass --missing mean, indicator, neighbours or drop",
            "drop such rows or fill them in (sklearn.impute.SimpleImputer, where add_indicator=True marks them, or recta.neighbors.KNNImputer)",
        ),
        (
            "fill it in, or fit with --missing drop, mean, indicator or neighbours",
            "drop such rows or fill them in (sklearn.impute.SimpleImputer, where add_indicator=True marks them, or recta.neighbors.KNNImputer)",
        ),
        (
            "a target cannot be filled in: remove the row, or fit with --missing drop",
            "a target cannot be filled in: drop such rows",
        ),
        (
            "select: pass --max-vif 5, or --ignore tax",
            "select: recta.feature_selection.VarianceInflationThreshold(max_vif=5), or leave out tax",
        ),
        ("pass --ignore a,b", "leave out a,b"),
        (
            "cures: penalise (recta fit ridge), select (--ignore), or transform the columns named",
            "cures: penalise (recta.linear_model.Ridge), select (leave columns out), or transform the columns named",
        ),
        (
            "cures: penalise (recta fit ridge --condition 10:1000), select (recta fit --max-vif 10), or transform (recta fit --components 0.99)",
            "cures: penalise (recta.linear_model.Ridge(condition=(10, 1000))), select "
            "(recta.feature_selection.VarianceInflationThreshold(max_vif=10)), or transform "
            "(sklearn.decomposition.PCA(0.99) after recta.preprocessing.StandardScaler)",
        ),
        (
            "pass --ignore note, or read it as categories with --types note=category",
            "leave out note, or read it as categories with types={'note': 'category'}",
        ),
        (
            "correct it, or pass --types my col=category, or --missing-tokens if it stands for a missing value",
            "correct it, or pass types={'my col': 'category'}, or missing= if it stands for a missing value",
        ),
        ("pass --decimal ',' if that is the decimal mark", "pass decimal=',' if that is the decimal mark"),
        (
            "pass --thousands ',' if it is 4069, or --decimal ',' if it is 4.069",
            "pass thousands=',' if it is 4069, or decimal=',' if it is 4.069",
        ),
        ("pass --header if the first row holds the names", "pass header=True if the first row holds the names"),
        ("pass --max-columns 20 to allow it", "pass max_columns=20 to allow it"),
        ("raise --max-memory, or stream the file", "raise max_memory="),
        (
            "infinite values cannot be used: correct it, or pass --missing-tokens inf",
            "infinite values cannot be used: correct it, or pass missing=['inf']",
        ),
    ],
)
def test_advice_names_what_a_python_caller_writes(said, here):
    assert in_python(said) == here


def test_no_advice_of_the_library_names_a_flag_in_python():
    sources = Path(__file__).resolve().parents[2] / "src"
    texts = [
        text
        for path in sources.rglob("*.cpp")
        if not path.name.endswith("_test.cpp")
        for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', path.read_text())
        if re.search("--[a-z]", text)
    ]
    assert len(texts) > 30
    assert [text for text in texts if re.search("--[a-z]", in_python(text))] == []


def test_the_doctor_and_the_readers_speak_python(tmp_path):
    assert "--" not in str(
        recta.check(np.column_stack([np.arange(9.0), np.arange(9.0), np.full(9, np.nan)]), np.arange(9.0))
    )
    (tmp_path / "t.csv").write_text("a,b\n" + "1,2\n" * 3000 + "1,x\n")
    with pytest.raises(recta.DataError, match=r"types=\{'b': 'category'\}"):
        recta.read(tmp_path / "t.csv")
    with pytest.raises(ValueError, match="score\\(X, y\\) measures"):
        X = np.arange(8.0).reshape(4, 2)
        LinearRegression().fit(X, X[:, 0]).certificate_.verify(X, X[:, 1])
