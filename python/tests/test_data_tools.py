"""read, check, datasets: the library's readers and doctor from Python."""

import gzip

import numpy as np
import pandas
import pytest

import recta
from recta.linear_model import LinearRegression


def test_a_file_is_read_with_types_names_and_gaps(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b;c\n1,5;x;7\n;y;8\n2,5;x;9\n")
    table = recta.read(path)
    assert table.names == ["a", "b", "c"] and table.shape == (3, 3) and len(table) == 3
    assert table.types == {"a": "real", "b": "category", "c": "integer"}
    assert np.isnan(table["a"][1]) and table["a"][2] == 2.5
    assert table["b"].tolist() == ["x", "y", "x"]
    assert any("';'" in note for note in table.notes)
    frame = table.to_pandas()
    assert isinstance(frame["b"].dtype, pandas.CategoricalDtype)
    assert recta.read(path, types={"c": "category"}).types["c"] == "category"
    assert recta.read(path, missing=["", "7"])["c"].tolist()[1:] == [8.0, 9.0]


def test_columns_are_views_of_the_table():
    table = recta.read("housing")
    column = table["crim"]
    assert not column.flags.owndata and not column.flags.writeable
    assert column.__array_interface__["data"] == table["crim"].__array_interface__["data"]
    del table
    assert column[0] == 0.00632  # the memory lives as long as the view


def test_other_formats(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(6.0).reshape(3, 2))
    assert recta.read(tmp_path / "x.npy").shape == (3, 2)
    with gzip.open(tmp_path / "t.csv.gz", "wt") as file:
        file.write("a,b\n1,2\n3,4\n")
    assert recta.read(tmp_path / "t.csv.gz")["b"].tolist() == [2.0, 4.0]
    (tmp_path / "t.libsvm").write_text("1 1:0.5 4:2\n-1 2:1\n")
    table = recta.read(tmp_path / "t.libsvm")
    assert table.sparse.toarray().tolist() == [[0.5, 0, 0, 2], [0, 1, 0, 0]]
    assert table.shape == (2, 5)
    X, y = table.split(table.names[0])
    assert y.tolist() == [1.0, -1.0] and LinearRegression().fit(X, y).score(X, y) == pytest.approx(1)


def test_bad_files_are_refused_with_their_place(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3\n")
    with pytest.raises(recta.DataError, match=r"t\.csv:3"):
        recta.read(tmp_path / "t.csv")
    with pytest.raises((OSError, ValueError), match="nowhere"):
        recta.read(tmp_path / "nowhere.csv")
    with pytest.raises(ValueError, match="not one character"):
        recta.read("iris", separator=";;")
    with pytest.raises(ValueError, match="choose one of real, integer, category, text"):
        recta.read("iris", types={"species": "word"})
    with pytest.raises(KeyError, match="did you mean crim"):
        recta.read("housing")["crin"]


def test_limits_that_advice_names_are_parameters(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,c\n" + "1,2,3\n" * 200)
    with pytest.raises(ValueError, match="raise max_columns="):
        recta.read(tmp_path / "t.csv", max_columns=2)
    with pytest.raises((ValueError, MemoryError, OSError), match="max_memory="):
        recta.read(tmp_path / "t.csv", max_memory=100)
    with gzip.open(tmp_path / "t.csv.gz", "wt") as file:
        file.write("a,b\n" + "1,2\n" * 300_000)
    with pytest.raises(ValueError, match="raise max_expansion="):
        recta.read(tmp_path / "t.csv.gz", max_expansion=2.0)
    (tmp_path / "t.libsvm").write_text("1 1:0.5 4:2\n-1 2:1\n")
    assert recta.read(tmp_path / "t.libsvm", index_base=0).sparse.shape == (2, 5)
    assert recta.read(tmp_path / "t.libsvm", index_base=1).sparse.shape == (2, 4)


def test_built_in_sets_are_there():
    assert {"iris", "housing", "digits"} <= set(recta.datasets.names())
    for name, (summary, target, rows, _) in recta.datasets.describe().items():
        table = recta.datasets.load(name)
        assert table.shape[0] == rows and summary
        assert target in table.names or not target
        if not target:
            with pytest.raises(ValueError, match="no target"):
                recta.datasets.load(name, return_X_y=True)
    with pytest.raises(ValueError, match="the sets are"):
        recta.datasets.load("nothing")


def test_the_doctor_sees_arrays_frames_and_tables(problem):
    X, y, _ = problem
    X = np.column_stack([X, np.ones(60), X[:, 0] - 2 * X[:, 1]])
    for data in (X, pandas.DataFrame(X, columns=[f"x{j + 1}" for j in range(7)])):
        found = recta.check(data, y)
        assert found.rows == 60 and found.rank == 5
        assert found.columns[5].constant
        assert any(dependency.exact for dependency in found.dependencies)
        assert found.advice[0] in str(found)
    assert recta.check(recta.read("housing"), target="price").rank == 13


def test_commas_that_may_part_thousands_are_asked_about(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("income\ty\n4,069\t1\n616\t2\n2,318\t3\n")
    with pytest.raises(recta.DataError, match="pass thousands=',' if it is 4069, or decimal=',' if it is 4.069"):
        recta.read(path)
    assert recta.read(path, thousands=",")["income"].tolist() == [4069, 616, 2318]
    assert recta.read(path, decimal=",")["income"].tolist() == [4.069, 616, 2.318]
    with pytest.raises(recta.UsageError, match='"x" is none; use'):
        recta.read(path, thousands="x")


def test_a_column_that_looks_like_something_else_is_warned_of(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("price,y\n" + "".join(f"${i % 4},{i}\n" for i in range(20)))
    with pytest.warns(UserWarning, match='look at column price: values such as "\\$0" are read as categories'):
        recta.read(path)
    assert recta.read(path, types={"price": "category"}).types["price"] == "category"
