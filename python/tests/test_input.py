"""Everything that rows come in gives the same answer, and the big ones are not copied."""

import subprocess
import sys
import tracemalloc

import numpy as np
import pandas
import polars
import pyarrow
import pytest
import scipy.sparse

from recta import _core
from recta.linear_model import LinearRegression, Ridge

SPARSE = [
    (form, container, index)
    for form in ("csr", "csc")
    for container in ("array", "matrix")
    for index in (np.int32, np.int64)
]


def sparse(X, form, container, index):
    made = getattr(scipy.sparse, f"{form}_{container}")(X)
    made.indptr, made.indices = made.indptr.astype(index), made.indices.astype(index)
    return made


def strided(X):
    wide = np.zeros((2 * X.shape[0], 3 * X.shape[1]))
    wide[::2, ::3] = X
    return wide[::2, ::3]


def unaligned(X):
    raw = np.zeros(X.nbytes + 1, dtype=np.uint8)
    view = raw[1:].view(np.float64).reshape(X.shape)
    view[:] = X
    return view


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


DENSE = {
    "C order": np.ascontiguousarray,
    "Fortran order": np.asfortranarray,
    "strided": strided,
    "backwards": lambda X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    "read-only": read_only,
    "unaligned": unaligned,
    "other byte order": lambda X: X.astype(X.dtype.newbyteorder()),
    "list": lambda X: X.tolist(),
    "objects": lambda X: X.astype(object),
    "matrix of strings that are numbers": lambda X: np.array(
        [[repr(float(v)) for v in row] for row in X], dtype=object
    ),
}
FRAMES = {
    "pandas": lambda X: pandas.DataFrame(X, columns=list("abcde")),
    "pandas, one block a column": lambda X: pandas.concat(
        [pandas.Series(X[:, j], name="abcde"[j]) for j in range(5)], axis=1
    ),
    "pandas, nullable": lambda X: pandas.DataFrame(X, columns=list("abcde")).astype("Float64"),
    "polars": lambda X: polars.DataFrame(X, schema=list("abcde")),
    "pyarrow": lambda X: pyarrow.table({"abcde"[j]: X[:, j] for j in range(5)}),
}


@pytest.fixture
def expected(problem):
    X, y, _ = problem
    return Ridge().fit(X, y)


@pytest.mark.parametrize("form", DENSE)
def test_every_layout_gives_the_same_bits(form, problem, expected):
    X, y, _ = problem
    model = Ridge().fit(DENSE[form](X), y)
    assert model.coef_.tobytes() == expected.coef_.tobytes()
    assert model.predict(DENSE[form](X)).tobytes() == expected.predict(X).tobytes()


@pytest.mark.parametrize("form, container, index", SPARSE)
def test_every_sparse_layout_gives_the_same_answer(form, container, index, problem, expected):
    X, y, _ = problem
    x = sparse(X, form, container, index)
    np.testing.assert_allclose(Ridge().fit(x, y).coef_, expected.coef_, rtol=1e-11)
    np.testing.assert_allclose(expected.predict(x), expected.predict(X), rtol=1e-13)


@pytest.mark.parametrize("form", ["coo", "lil", "dok", "bsr", "dia"])
def test_other_sparse_formats_are_turned_into_rows(form, problem, expected):
    X, y, _ = problem
    x = getattr(scipy.sparse, f"{form}_array")(X)
    np.testing.assert_allclose(Ridge().fit(x, y).coef_, expected.coef_, rtol=1e-11)


@pytest.mark.parametrize("form", FRAMES)
def test_every_frame_gives_the_same_answer_and_its_names(form, problem, expected):
    X, y, _ = problem
    frame = FRAMES[form](X)
    model = Ridge().fit(frame, y)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-12)
    assert model.feature_names_in_.tolist() == list("abcde")
    assert model.summary().rows()[1][0] == "a"
    np.testing.assert_allclose(model.predict(frame), expected.predict(X), rtol=1e-12)


def test_unsorted_and_double_entries_are_put_in_order(problem):
    X, y, _ = problem
    good = scipy.sparse.csr_array(X)
    order = np.concatenate([np.arange(s, e)[::-1] for s, e in zip(good.indptr, good.indptr[1:])])
    unsorted = scipy.sparse.csr_array((good.data[order], good.indices[order], good.indptr), shape=good.shape)
    double = scipy.sparse.csr_array(
        (np.repeat(good.data / 2, 2), np.repeat(good.indices, 2), good.indptr * 2), shape=good.shape
    )
    for x in (unsorted, double):
        before = x.copy()
        assert (LinearRegression().fit(x, y).coef_ == LinearRegression().fit(good, y).coef_).all()
        assert (x.data == before.data).all() and (x.indices == before.indices).all()


def test_float32_is_read_as_it_is(problem):
    X, y, _ = problem
    narrow = X.astype(np.float32)
    model = LinearRegression().fit(narrow, y)
    assert (model.coef_ == LinearRegression().fit(narrow.astype(np.float64), y).coef_.astype(np.float32)).all()
    assert (model.predict(narrow) == model.predict(narrow.astype(np.float64)).astype(np.float32)).all()
    assert (model.fast_predictor()(narrow[0]) == model.predict(narrow[:1].astype(np.float64))).all()


def test_a_memory_map_is_read_where_it_lies(problem, tmp_path, expected):
    X, y, _ = problem
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert Ridge().fit(mapped, y).coef_.tobytes() == expected.coef_.tobytes()


class ArrowOnly:
    """Nothing but the protocol."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)

    def __len__(self):
        return len(self.table)

    shape = property(lambda self: self.table.shape)


@pytest.mark.parametrize(
    "kind", ["float64", "float32", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"]
)
def test_every_number_of_arrow_is_read(kind):
    values = np.array([0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1]).astype(kind)
    table = pyarrow.table({"a": pyarrow.chunked_array([values[:4], values[4:]])})
    read = _core.from_arrow(ArrowOnly(table.slice(1)))
    assert read.names == ["a"] and read.numbers("a").tolist() == values[1:].astype(float).tolist()


def test_anything_with_the_arrow_protocol_is_taken(problem, expected):
    X, y, _ = problem
    table = ArrowOnly(FRAMES["pyarrow"](X))
    model = Ridge().fit(table, y)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-12)
    np.testing.assert_allclose(model.predict(table), expected.predict(X), rtol=1e-12)


def categories(n=60):
    return (["red", "green", "blue", "green"] * n)[:n]


def polars_frame(X, c, kind):
    return polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": polars.Series(c, dtype=kind)})


COLOURS = ["red", "green", "blue"]
CATEGORICAL = {
    "pandas": lambda X, c: pandas.DataFrame(X[:, :2], columns=["a", "b"]).assign(c=pandas.Categorical(c, COLOURS)),
    "polars": lambda X, c: polars_frame(X, c, polars.Categorical),
    "polars enum": lambda X, c: polars_frame(X, c, polars.Enum(COLOURS)),
    "pyarrow": lambda X, c: pyarrow.table({"a": X[:, 0], "b": X[:, 1], "c": pyarrow.array(c).dictionary_encode()}),
    "protocol": lambda X, c: ArrowOnly(
        pyarrow.table(
            {
                "a": X[:, 0],
                "b": X[:, 1],
                "c": pyarrow.chunked_array(
                    [pyarrow.array(c[:20]).dictionary_encode(), pyarrow.array(c[20:]).dictionary_encode()]
                ),
            }
        )
    ),
}


@pytest.mark.parametrize("form", CATEGORICAL)
def test_categories_become_features(form, problem):
    X, y, w = problem
    frame = CATEGORICAL[form](X, categories())
    by_hand = np.column_stack([X[:, :2], [[c == "green", c == "red"] for c in categories()]])
    model, plain = LinearRegression().fit(frame, y, w), LinearRegression().fit(by_hand, y, w)
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9)
    assert model._model.feature_names == ["a", "b", "c=green", "c=red"]
    assert model.n_features_in_ == 3
    np.testing.assert_allclose(model.predict(frame), plain.predict(by_hand), rtol=1e-9)
    assert model.certificate_.verify(frame, y, w).verdict == "proved"
    assert len(Ridge().fit(frame, y).coef_) == 5


def test_an_unseen_category_and_a_column_of_text_are_refused_by_name(problem):
    X, y, _ = problem
    frame = CATEGORICAL["pandas"](X, categories())
    model = LinearRegression().fit(frame, y)
    other = frame.assign(c=pandas.Categorical(["pink"] + categories()[1:]))
    with pytest.raises(ValueError, match="pink"):
        model.predict(other)
    with pytest.raises(
        ValueError, match="row 1, column d: could not convert string to float(.|\n)*make the column a category"
    ):
        LinearRegression().fit(frame.assign(d="text"), y)
    with pytest.raises(ValueError, match="could not convert string to float"):
        LinearRegression().fit(pandas.DataFrame({"a": ["x"] * 60}), y)


@pytest.fixture
def seen(monkeypatch):
    """The addresses that the library read."""
    found, fit = [], _core.fit

    def noted(*arguments, **named):
        outcome = fit(*arguments, **named)
        found.append(outcome.addresses)
        return outcome

    monkeypatch.setattr(_core, "fit", noted)
    return found


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("form", ["C order", "Fortran order", "strided", "backwards", "read-only"])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_dense_rows_are_read_where_they_lie(form, kind, problem, seen):
    X, y, w = problem
    x = DENSE[form](X).astype(kind, copy=False) if kind == np.float64 else np.asarray(DENSE[form](X), dtype=kind)
    LinearRegression().fit(x, y, w)
    assert seen == [[address(x), address(y), address(w)]]


@pytest.mark.parametrize("form, container, index", SPARSE)
def test_sparse_rows_are_read_where_they_lie(form, container, index, problem, seen):
    X, y, _ = problem
    x = sparse(X, form, container, index)
    LinearRegression().fit(x, y)
    assert seen == [[address(x.indptr), address(x.indices), address(x.data), address(y)]]


@pytest.mark.parametrize("frame", ["pandas", "polars"])
def test_a_frame_of_one_block_is_read_where_it_lies(frame, problem, seen):
    X, y, _ = problem
    table = FRAMES[frame](np.asfortranarray(X))
    Ridge().fit(table, y)
    assert seen[0][0] == address(table.to_numpy())


def arrow_of(X, names="abcde"):
    return pyarrow.table({name: pyarrow.array(X[:, j]) for j, name in enumerate(names)})


@pytest.mark.parametrize("wrap", [lambda table: table, lambda table: ArrowOnly(table)])
def test_arrow_columns_equally_far_apart_are_read_where_they_lie(wrap, problem, seen):
    X, y, _ = problem
    X = np.asfortranarray(X)
    model = Ridge().fit(wrap(arrow_of(X)), y)
    assert seen == [[address(X), address(y)]]
    assert model.coef_.tobytes() == Ridge().fit(X, y).coef_.tobytes()
    assert model._model.feature_names == list("abcde")
    part = wrap(arrow_of(X).slice(10, 30))
    assert Ridge().fit(part, y[10:40]).coef_.tobytes() == Ridge().fit(X[10:40], y[10:40]).coef_.tobytes()
    assert seen[2][0] == address(X[10:])


def test_other_arrow_columns_are_copied_once(problem):
    X, y, _ = problem
    chunked = pyarrow.concat_tables([arrow_of(X[:20]), arrow_of(X[20:])])
    mixed = arrow_of(X).set_column(1, "b", pyarrow.array(X[:, 1].astype(np.float32)))
    for table, rows in (
        (arrow_of(X), X),
        (chunked, X),
        (mixed, np.column_stack([X[:, 0], X[:, 1].astype(np.float32), X[:, 2:]])),
    ):
        names, matrix = _core.arrow_matrix(table)
        assert names == list("abcde") and (matrix == rows).all() and matrix.flags.f_contiguous
        assert Ridge().fit(table, y).coef_.tobytes() == Ridge().fit(rows, y).coef_.tobytes()
    gaps = arrow_of(X).set_column(0, "a", pyarrow.array([None, *X[1:, 0]]))
    with pytest.raises(ValueError, match=r"Input X contains NaN(.|\n)*row 1, column a"):
        Ridge().fit(gaps, y)
    assert _core.arrow_matrix(arrow_of(X).append_column("t", pyarrow.array(["x"] * 60))) is None


def test_a_matrix_seen_in_arrow_outlives_its_table():
    _, matrix = _core.arrow_matrix(arrow_of(np.asfortranarray(np.arange(50_000.0).reshape(10_000, 5))))
    assert not matrix.flags.owndata and matrix.sum() == sum(range(50_000))


def test_columns_that_only_arrow_names_are_found_by_name(problem):
    X, y, _ = problem
    model = Ridge().fit(ArrowOnly(arrow_of(X)), y)
    other = ArrowOnly(arrow_of(X[:, ::-1], "edcba"))
    np.testing.assert_allclose(model.predict(other), model.predict(X), rtol=1e-13)
    with pytest.raises(ValueError, match="column"):
        model.predict(ArrowOnly(arrow_of(X, "abcdz")))


@pytest.mark.parametrize(
    "make",
    [lambda x: x, np.asfortranarray, lambda x: x.astype(np.float32), scipy.sparse.csr_array, scipy.sparse.csc_array],
)
def test_python_allocates_next_to_nothing(make):
    x = make(np.ones((20000, 50)) + np.eye(20000, 50))
    y = np.arange(20000.0)
    size = x.data.nbytes
    LinearRegression().fit(x, y)
    tracemalloc.start()
    try:
        model = LinearRegression().fit(x, y)
        fitting = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        model.predict(x)
        predicting = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert fitting < 0.02 * size + y.nbytes and predicting < 0.13 * size + y.nbytes


def test_the_whole_process_holds_the_data_once():
    code = """
import resource, numpy as np
from recta.linear_model import LinearRegression
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
LinearRegression().fit(np.random.default_rng(0).random((3000, 40)), np.arange(3000.0))
x = np.random.default_rng(0).random((500_000, 40)); y = x @ np.ones(40)
before = peak()
LinearRegression().fit(x, y)
print((peak() - before) / x.nbytes)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(said.stdout) < 0.25
