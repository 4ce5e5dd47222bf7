"""One file for all front ends; pickles hold the same bytes."""

import pickle
import subprocess

import numpy as np
import pytest

import recta
from recta.linear_model import LinearRegression, Ridge


def run(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge(alpha=4.0, fit_intercept=False)])
def test_a_file_comes_back_as_it_was(estimator, problem, tmp_path):
    X, y, w = problem
    model = estimator.fit(X, y, w)
    model.save(tmp_path / "m.recta")
    light, full = recta.load(tmp_path / "m.recta"), type(estimator).load(tmp_path / "m.recta")
    assert (light.predict(X) == model.predict(X)).all()
    assert (full.predict(X) == model.predict(X)).all()
    assert (full.coef_ == model.coef_).all() and full.intercept_ == model.intercept_ == light.intercept
    assert full.fit_intercept == model.fit_intercept
    assert full.certificate_.verify(X, y, w).sentence == model.certificate_.sentence
    assert light.certificate.verify(X, y, w).verdict == "proved"
    if isinstance(model, Ridge):
        assert full.alpha == pytest.approx(4.0, rel=1e-15)
    full.save(tmp_path / "again.recta")
    assert (tmp_path / "again.recta").read_bytes() == (tmp_path / "m.recta").read_bytes()


def test_the_command_line_reads_what_python_wrote(program, housing, tmp_path):
    X, y = housing
    names = [name for name in recta.read("housing").names if name != "price"]
    import pandas

    model = Ridge(alpha=2.0).fit(pandas.DataFrame(X, columns=names), y)
    model.save(tmp_path / "m.recta")
    (tmp_path / "housing.csv").write_text(run(program, "data", "housing"))
    said = run(program, "predict", tmp_path / "m.recta", tmp_path / "housing.csv")
    numbers = np.array([float(line.split(",")[-1]) for line in said.splitlines()[1:]])
    assert (numbers == model.predict(pandas.DataFrame(X, columns=names))).all()


def test_python_reads_what_the_command_line_wrote(program, housing, tmp_path):
    X, y = housing
    run(program, "fit", "ridge", "housing", "--tau", 2, "-o", tmp_path / "m.recta")
    light = recta.load(tmp_path / "m.recta")
    assert light.targets == ["price"] and "crim" in light.feature_names
    full = Ridge.load(tmp_path / "m.recta")
    assert full.alpha == pytest.approx(2.0)
    assert (full.coef_ == Ridge(alpha=2.0).fit(X, y).coef_).all()
    assert (light.predict(X) == Ridge(alpha=2.0).fit(X, y).predict(X)).all()
    assert light.certificate.verify(X, y).verdict == "proved"
    assert full.feature_names_in_[0] == "crim"
    with pytest.raises(ValueError, match="holds a model 'ridge', not 'linear'"):
        LinearRegression.load(tmp_path / "m.recta")


def test_a_model_with_categories_goes_both_ways(program, tmp_path):
    import pandas

    run(program, "fit", "linear", "iris", "--target", "petal_width", "-o", tmp_path / "m.recta")
    frame = recta.read("iris").to_pandas()
    X, y = frame.drop(columns="petal_width"), frame["petal_width"].to_numpy()
    light, here = recta.load(tmp_path / "m.recta"), LinearRegression().fit(X, y)
    assert light.feature_names == here._model.feature_names
    assert (light.coef == here.coef_).all()
    assert (light.predict(X) == here.predict(X)).all()
    assert (light.predict(recta.read("iris")) == here.predict(X)).all()
    assert LinearRegression.load(tmp_path / "m.recta").predict(X).tolist() == here.predict(X).tolist()
    assert isinstance(X.iloc[:, -1].dtype, pandas.CategoricalDtype)


def test_a_loaded_model_finds_columns_by_name(problem, tmp_path):
    import pandas
    import polars

    X, y, _ = problem
    frame = pandas.DataFrame(X, columns=list("abcde"))
    model = Ridge().fit(frame, y)
    model.save(tmp_path / "m.recta")
    light, expected = recta.load(tmp_path / "m.recta"), model.predict(frame)
    mixed = frame[list("edcba")].assign(name="text", y=y)
    np.testing.assert_allclose(light.predict(mixed), expected, rtol=1e-13)
    np.testing.assert_allclose(
        light.predict(polars.DataFrame({c: mixed[c].to_numpy() for c in "edcba"})), expected, rtol=1e-13
    )
    np.testing.assert_allclose(light.predict(X), expected, rtol=1e-13)
    with pytest.raises(ValueError, match="column|a"):
        light.predict(frame.drop(columns="a"))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_comes_back_as_it_was(protocol, problem):
    X, y, _ = problem
    model = Ridge(alpha=0.5).fit(X, y)
    again = pickle.loads(pickle.dumps(model, protocol))
    assert (again.predict(X) == model.predict(X)).all()
    assert again.certificate_.verify(X, y).verdict == "proved"
    assert again.get_params() == model.get_params()
    assert model._model.to_bytes() in pickle.dumps(model, protocol) or protocol < 3


def test_damaged_files_are_refused(problem, tmp_path):
    X, y, _ = problem
    path = tmp_path / "m.recta"
    Ridge().fit(X, y).save(path)
    good = path.read_bytes()
    for bad in (b"", b"hello", good[:-1], good[:200] + b"\xff" + good[201:]):
        path.write_bytes(bad)
        with pytest.raises(recta.ModelFileError):
            recta.load(path)
    with pytest.raises(OSError):
        recta.load(tmp_path / "nowhere.recta")
    with pytest.raises(OSError):
        Ridge().fit(X, y).save(tmp_path / "no" / "folder.recta")
