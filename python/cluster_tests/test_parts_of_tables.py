"""A part of a table as the library reads it, and options as they travel. No cluster is needed for these."""

import sys
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

import recta
from recta import _core, _spark_part
from recta._parts_of_tables import Columns, dataset_of, unpacked
from recta._rounds import check_widths, features_of, packed


def read(table, widths=None):
    columns = Columns(table.schema, table.column_names, [], widths)
    data = dataset_of(table, columns, "part 1")
    assert data.names == columns.feature_names()
    return data


def numbers(data):
    return {name: np.asarray(data.numbers(name)).tolist() for name in data.names}


def test_numbers_of_every_kind():
    found = read(pa.table({"whole": pa.array([1, 2], pa.int16()), "truth": [True, False], "single": pa.array([0.5, 0.25], pa.float32()),
                           "decimal": pa.array([Decimal("1.25"), Decimal("-3.50")])}))
    assert numbers(found) == {
        "whole": [1, 2], "truth": [1, 0], "single": [0.5, 0.25], "decimal": [1.25, -3.5]}


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_text_is_levels(kind):
    codes, levels = read(pa.table({"word": pa.array(["b", None, "a", "b"], kind)})).codes("word")
    assert [levels[code] if code >= 0 else None for code in codes] == ["b", None, "a", "b"]


VECTOR = pa.struct([("type", pa.int8()), ("size", pa.int32()), ("indices", pa.list_(pa.int32())), ("values", pa.list_(pa.float64()))])
DENSE, SPARSE = {"type": 1, "size": None, "indices": None, "values": [1.0, 2.0, 3.0]}, {"type": 0, "size": 3, "indices": [2], "values": [9.0]}


@pytest.mark.parametrize("column", [pa.array([[1.0, 2.0, 3.0], [0.0, 0.0, 9.0]]), pa.array([[1.0, 2.0, 3.0], [0.0, 0.0, 9.0]], pa.list_(pa.float32(), 3)),
                                    pa.array([DENSE, SPARSE], VECTOR)], ids=["list", "fixed", "spark"])
def test_vectors_are_so_many_columns(column):
    found = read(pa.table({"v": column}), {"v": 3})
    assert numbers(found) == {"v_0": [1, 0], "v_1": [2, 0], "v_2": [3, 9]}


@pytest.mark.parametrize(("column", "message"), [(pa.array([[1.0, 2.0], None]), r"part 1, row 2, column v: the vector is missing"),
                                                 (pa.array([[1.0, 2.0], [1.0]]), r"part 1, row 2, column v: the vector has 1 numbers.*must have 2"),
                                                 (pa.array([SPARSE], VECTOR), r"part 1, row 1, column v: the vector has 3 numbers.*must have 2"),
                                                 (pa.array([DENSE], VECTOR), r"part 1, row 1, column v: the vector has 3 numbers.*must have 2")])
def test_vectors_that_do_not_fit_are_named(column, message):
    with pytest.raises(recta.DataError, match=message):
        read(pa.table({"v": column}), {"v": 2})


def test_predictions_without_recta_name_the_cure(monkeypatch):
    monkeypatch.setitem(sys.modules, "recta._parts_of_tables", None)  # as on an executor that lacks it
    with pytest.raises(ModuleNotFoundError, match=r"recta\._parts_of_tables.*; install recta==1\.2 on every executor"):
        _spark_part.needed("1.2")


class Reads:
    texts = ()

    def __init__(self, *columns):
        self.columns = list(columns)


def test_the_columns_of_a_model_in_a_table():
    assert features_of(Reads("a", "v_0", "v_1", "b_0"), ["a", "v", "b_0"]) == (["a", "v", "b_0"], {"v": 2})
    with pytest.raises(recta.DataError, match="column v_1: the model reads it"):
        features_of(Reads("v_1", "v_0"), ["v"])
    with pytest.raises(recta.DataError, match="column c: the model reads it, and the table has none of this name; it has a, v"):
        features_of(Reads("c"), ["a", "v"])
    with pytest.raises(recta.DataError, match="column v: its vectors have 3 numbers; those of the model have 2"):
        check_widths(Columns(None, ["v"], [], {"v": 3}), {"v": 2})


# Options that an engine refuses, or that are about this machine alone.
STAYS = {"chain", "chain_seed", "chains", "cluster", "components", "label_columns", "label_separator", "label_set", "label_thresholds",
         "max_inflation", "missing_neighbours", "threads", "threshold_share", "time_limit"}


def test_every_option_travels_or_is_known_to_stay():
    options = _core.FitOptions()
    plain = {name for name in dir(options) if not name.startswith("_") and not callable(getattr(options, name))}
    assert set(packed(options)) - plain == set()
    assert plain - set(packed(options)) == STAYS


def test_options_come_back_as_they_were():
    options = _core.FitOptions()
    options.target, options.weights, options.ignore, options.class_weights = ["y"], "w", ["a"], [("yes", 2.0)]
    options.missing, options.errors, options.tolerance, options.params = _core.Missing.drop, _core.StandardErrors.hc1, 1e-7, {"lambda": 0.5, "penalty": "l1"}
    again = unpacked(packed(options))
    assert packed(again) == packed(options)
    assert again.threads == 1
