"""A part of a table as the library reads it, and options as they travel. No cluster is needed for these."""

import sys
from decimal import Decimal

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse

import recta
import recta.dask
from recta import _core
from recta._data.rows import core_of
from recta._distributed import spark_part
from recta._distributed.columns import check_widths, features_of, vectors_of
from recta._distributed.parts_of_tables import (
    VECTOR,
    Columns,
    dataset_of,
    predicted,
    predicted_as,
    predicted_column,
    stays_sparse,
    unpacked,
)
from recta._distributed.rounds import packed
from recta.linear_model import Ridge
from recta.naive_bayes import MultinomialNB


def read(table, widths=None):
    columns = Columns(table.schema, table.column_names, [], widths)
    data = dataset_of(table, columns, "part 1")
    assert data.names == columns.feature_names()
    return data


def numbers(data):
    return {name: np.asarray(data.numbers(name)).tolist() for name in data.names}


def test_numbers_of_every_kind():
    found = read(
        pa.table(
            {
                "whole": pa.array([1, 2], pa.int16()),
                "truth": [True, False],
                "single": pa.array([0.5, 0.25], pa.float32()),
                "decimal": pa.array([Decimal("1.25"), Decimal("-3.50")]),
            }
        )
    )
    assert numbers(found) == {"whole": [1, 2], "truth": [1, 0], "single": [0.5, 0.25], "decimal": [1.25, -3.5]}


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_text_is_levels(kind):
    codes, levels = read(pa.table({"word": pa.array(["b", None, "a", "b"], kind)})).codes("word")
    assert [levels[code] if code >= 0 else None for code in codes] == ["b", None, "a", "b"]


DENSE, SPARSE = (
    {"type": 1, "size": None, "indices": None, "values": [1.0, 2.0, 3.0]},
    {"type": 0, "size": 3, "indices": [2], "values": [9.0]},
)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[1.0, 2.0, 3.0], [0.0, 0.0, 9.0]]),
        pa.array([[1.0, 2.0, 3.0], [0.0, 0.0, 9.0]], pa.list_(pa.float32(), 3)),
        pa.array([DENSE, SPARSE], VECTOR),
    ],
    ids=["list", "fixed", "spark"],
)
def test_vectors_are_so_many_columns(column):
    found = read(pa.table({"v": column}), {"v": 3})
    assert numbers(found) == {"v_0": [1, 0], "v_1": [2, 0], "v_2": [3, 9]}


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([[1.0, 2.0], None]), r"part 1, row 2, column v: the vector is missing"),
        (pa.array([[1.0, 2.0], [1.0]]), r"part 1, row 2, column v: the vector has 1 numbers.*must have 2"),
        (pa.array([SPARSE], VECTOR), r"part 1, row 1, column v: the vector has 3 numbers.*must have 2"),
        (pa.array([DENSE], VECTOR), r"part 1, row 1, column v: the vector has 3 numbers.*must have 2"),
    ],
)
def test_vectors_that_do_not_fit_are_named(column, message):
    with pytest.raises(recta.DataError, match=message):
        read(pa.table({"v": column}), {"v": 2})


def rows_of(table, widths):
    """The sparse columns of a table, as a dense array."""
    data = dataset_of(table, Columns(table.schema, table.column_names, [], widths, list(widths)), "part 1")
    start, index, value, shape = (np.asarray(one) for one in data.sparse())
    return data, scipy.sparse.csr_array((value, index, start), shape=tuple(shape))


def test_vectors_that_stay_sparse():
    zero = {"type": 0, "size": 3, "indices": [0, 1], "values": [0.0, -2.0]}  # one of its numbers is zero
    wide = {"type": 0, "size": 2, "indices": [], "values": []}
    column, other = (
        pa.array([DENSE, SPARSE, zero], VECTOR),
        pa.array([wide, {**wide, "indices": [1], "values": [5.0]}, wide], VECTOR),
    )
    table = pa.table({"v": column, "age": [30.0, 40.0, 50.0], "u": other})
    expected = np.array([[1, 2, 3, 0, 0], [0, 0, 9, 0, 5], [0, -2, 0, 0, 0]])
    for some in (
        table,
        pa.concat_tables([table.slice(0, 1), table.slice(1)]),
    ):  # a chunk, and two that begin within their arrays
        data, found = rows_of(some, {"v": 3, "u": 2})
        assert data.names == ["age"]
        assert (found.toarray() == expected).all()
        assert found.nnz == np.count_nonzero(expected)
    assert Columns(table.schema, ["v", "age", "u"], [], {"v": 3, "u": 2}, ["u"]).feature_names() == [
        "v_0",
        "v_1",
        "v_2",
        "age",
        "u_0",
        "u_1",
    ]
    data, found = rows_of(table.slice(0, 0), {"v": 3, "u": 2})
    assert found.shape == (0, 5)


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        (None, "row 2, column v: the vector is missing"),
        ({**DENSE, "values": [1.0]}, "row 2, column v: the vector has 1 numbers; give vectors of 3 numbers"),
        ({**SPARSE, "size": 4}, "row 2, column v: the vector has 4 numbers"),
        ({**SPARSE, "indices": [3]}, "index 3 does not follow .* not below 3"),
        ({**SPARSE, "indices": [1, 1], "values": [1.0, 2.0]}, "index 1 does not follow"),
        ({**SPARSE, "indices": [0, 1]}, "1 values and 2 indices"),
        ({**SPARSE, "type": 7}, "type 7 is neither"),
    ],
)
def test_sparse_vectors_that_do_not_fit_are_named(vector, message):
    with pytest.raises(recta.DataError, match=message):
        rows_of(pa.table({"v": pa.array([SPARSE, vector], VECTOR)}), {"v": 3})


def test_which_vectors_stay_sparse():
    assert stays_sparse({**SPARSE, "size": 256})
    assert not stays_sparse(SPARSE)
    assert not stays_sparse({**DENSE, "values": [1.0] * 300})
    assert not stays_sparse([1.0] * 300)


def test_predictions_without_recta_name_the_cure(monkeypatch):
    monkeypatch.setitem(sys.modules, "recta._distributed.parts_of_tables", None)  # as on an executor that lacks it
    with pytest.raises(
        ModuleNotFoundError, match=r"recta\._distributed\.parts_of_tables.*; install recta==1\.2 on every executor"
    ):
        spark_part.needed("1.2")


class Reads:
    texts, sparse_columns = (), 0

    def __init__(self, *columns):
        self.columns = list(columns)


def test_the_columns_of_a_model_in_a_table():
    assert features_of(Reads("a", "v_0", "v_1", "b_0"), ["a", "v", "b_0"]) == (["a", "v", "b_0"], {"v": 2})
    with pytest.raises(recta.DataError, match="column v_1: the model reads it"):
        features_of(Reads("v_1", "v_0"), ["v"])
    with pytest.raises(
        recta.DataError, match="column c: the model reads it, and the table has none of this name; it has a, v"
    ):
        features_of(Reads("c"), ["a", "v"])
    with pytest.raises(recta.DataError, match="column v: its vectors have 3 numbers; those of the model have 2"):
        check_widths(Columns(None, ["v"], [], {"v": 3}), {"v": 2})


def test_the_vectors_of_a_model_in_a_table():
    rows = scipy.sparse.random_array((50, 300), density=0.1, rng=0, format="csr")
    model = Ridge().fit(rows, np.arange(50.0))
    assert vectors_of(model, ["v", "t"], ["v"]) == ["v"]
    assert vectors_of(model, ["v", "u"], ["v", "u"], ["u", "v"]) == ["u", "v"]
    with pytest.raises(
        recta.UsageError,
        match=r"reads 300 sparse columns, and the table has 2 columns of vectors; name those of the fit",
    ):
        vectors_of(model, ["v", "u"], ["v", "u"])
    with pytest.raises(recta.DataError, match="column w: the model reads vectors there"):
        vectors_of(model, ["v", "u"], ["v", "u"], ["w"])
    model.vectors_ = ["u"]
    assert vectors_of(model, ["v", "u"], ["v", "u"]) == ["u"]
    assert vectors_of(Ridge().fit([[1.0], [2.0]], [1.0, 3.0]), ["v"], ["v"]) == []


# Options that an engine refuses, or that are about this machine alone.
STAYS = {"cluster", "components", "max_inflation", "max_memory", "missing_neighbours", "threads", "time_limit"}


def test_every_option_travels_or_is_known_to_stay():
    options = _core.FitOptions()
    plain = {name for name in dir(options) if not name.startswith("_") and not callable(getattr(options, name))}
    assert set(packed(options)) - plain == set()
    assert plain - set(packed(options)) == STAYS


def test_options_come_back_as_they_were():
    options = _core.FitOptions()
    options.target, options.weights, options.ignore, options.class_weights = ["y"], "w", ["a"], [("yes", 2.0)]
    options.missing, options.errors, options.tolerance, options.params = (
        "drop",
        "hc1",
        1e-7,
        {"lambda": 0.5, "penalty": "l1"},
    )
    options.label_columns, options.chain, options.label_thresholds = ["a", "b"], ["b", "a"], [("a", 0.3)]
    again = unpacked(packed(options))
    assert packed(again) == packed(options)
    assert again.threads == 1


@pytest.mark.parametrize(
    ("classes", "kind", "with_holes"),
    [([4, 9], np.int64, np.float64), ([0.5, 1.5], np.float64, np.float64), (["a", "b"], object, object)],
    ids=["whole", "real", "word"],
)
def test_rows_that_are_left_out_have_no_class(classes, kind, with_holes):
    x = np.repeat([0.0, 0.4, 2.6, 3.0], 5)
    frame = dd.from_pandas(
        pd.DataFrame({"x": x, "y": np.array(classes, dtype=kind)[(x > 1).astype(int)]}), npartitions=2
    )
    with dask.config.set(scheduler="synchronous"):
        model = core_of(recta.dask.fit(frame, ("lda", {"missing": "drop"}), features=["x"], label="y"))
    low, high = classes
    table = pa.table({"x": pa.array([0.1, None, 2.9])})
    columns = Columns(table.schema, ["x"], [])
    some, all_there = dataset_of(table, columns, "part 1"), dataset_of(table.slice(2), columns, "part 1")
    assert predicted(model, some).tolist() == [low, None, high]
    assert predicted_column(model, some).to_pylist() == [low, None, high]
    found = predicted_as(model, some, kind)
    assert found.dtype == with_holes
    assert found[[0, 2]].tolist() == [low, high]
    assert pd.isna(found[1])
    assert predicted_as(model, all_there, kind).dtype == kind
    assert predicted_as(model, all_there, kind).tolist() == [high]


def test_blocks_of_sparse_rows_without_a_class_have_numbers_that_are_none(monkeypatch):
    rows = da.from_array(np.eye(4)[:, :2] + np.eye(4)[:, 2:], chunks=(2, 2)).map_blocks(scipy.sparse.csr_array)
    monkeypatch.setattr("recta._distributed.parts_of_tables.predicted", lambda *_: np.array([7, None], dtype=object))
    with dask.config.set(scheduler="synchronous"):
        model = recta.dask.fit(rows, MultinomialNB(), label=da.from_array(np.array([3, 7, 3, 7]), chunks=2))
        found = recta.dask.transform(rows, model).compute()
    np.testing.assert_array_equal(found, [7, np.nan, 7, np.nan])
