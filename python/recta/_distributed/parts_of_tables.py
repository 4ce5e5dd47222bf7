"""What is done with one part of a table, on whatever machine has it. Only this module and the library are needed there."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from recta import _core
from recta._base.errors import DataError

from .kept_parts import kept_parts

_EDGE_ROWS, _EDGE_BYTES = 4096, 1 << 22  # the longest block of the library


def ipc(table):
    """An Arrow table as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def from_ipc(data):
    return pa.ipc.open_stream(data).read_all()


def slices_of(table, ranges):
    return [ipc(table.slice(first, end - first).combine_chunks()) for first, end in ranges]


def unpacked(options):
    """The options that :func:`recta._distributed.rounds.packed` has packed. A part is read by one thread: others read other parts."""
    out = _core.FitOptions()
    for name, value in options.items():
        setattr(out, name, value)
    out.threads = 1
    return out


class Columns:
    """The columns that are read, and what they are: numbers, text that is taken for levels or documents, or vectors of a known length.

    ``sparse`` names vectors that stay sparse: their numbers have no columns with names, and follow those that do.
    """

    texts: frozenset[str] = frozenset()  # columns of documents
    named = True  # rather than by their places alone, as those of a sparse array

    def __init__(self, schema, features, others, widths=None, sparse=()):
        self.schema, self.features, self.others, self.widths = schema, list(features), list(others), dict(widths or {})
        self.sparse = [name for name in self.features if name in sparse]

    def names(self):
        return [*self.features, *self.others]

    def feature_names(self):
        named = [feature for feature in self.features if feature not in self.sparse]
        return [
            name
            for feature in (*named, *self.sparse)
            for name in (
                [f"{feature}_{k}" for k in range(self.widths[feature])] if feature in self.widths else [feature]
            )
        ]

    def edge(self):
        """Rows at both ends of a part that come with its survey. Where rows are short they are a block: blocks that lie across the border
        of two parts are then there without a look at all parts."""
        return max(_core.sample_rows, _EDGE_ROWS if 16 * _EDGE_ROWS * len(self.feature_names()) <= _EDGE_BYTES else 0)

    def empty(self):
        return self.schema.empty_table()

    def header(self):
        return dataset_of(self.empty(), self, "the table")


def _is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _is_vector(kind):
    return (
        pa.types.is_list(kind)
        or pa.types.is_large_list(kind)
        or pa.types.is_fixed_size_list(kind)
        or pa.types.is_struct(kind)
    )


def vectors(column, name, width, source):
    """A column of vectors as columns of numbers: lists, or Spark's own vectors, dense and sparse."""
    import numpy as np

    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if column.null_count:
        raise DataError(
            f"{source}, row {int(np.argmax(column.is_null().to_numpy(zero_copy_only=False))) + 1}, column {name}",
            "the vector is missing",
            "drop such rows, or fill them in",
        )
    out = np.zeros((len(column), width))
    if pa.types.is_struct(column.type):
        _spark_vectors(column, out, name, source)
        return out
    lengths = pc.list_value_length(column).to_numpy(zero_copy_only=False)
    if (lengths != width).any():
        row = int(np.argmax(lengths != width))
        raise DataError(
            f"{source}, row {row + 1}, column {name}",
            f"the vector has {lengths[row]} numbers",
            f"all must have {width}, as the first one",
        )
    out[:] = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), width)
    return out


def _spark_vectors(column, out, name, source):
    """Spark's vectors: type 1 is dense with values, type 0 has the indices of its values and its size."""
    for row, value in enumerate(column.to_pylist()):
        if value["type"] == 1 and len(value["values"]) == out.shape[1]:
            out[row] = value["values"]
        elif value["type"] == 0 and value["size"] == out.shape[1]:
            out[row, value["indices"]] = value["values"]
        else:
            size = len(value["values"]) if value["type"] == 1 else value["size"]
            raise DataError(
                f"{source}, row {row + 1}, column {name}",
                f"the vector has {size} numbers",
                f"all must have {out.shape[1]}, as the first one",
            )


def width_of(value):
    """Numbers in a vector, from the first one there is."""
    if isinstance(value, dict):
        return len(value["values"]) if value["type"] == 1 else value["size"]
    return len(value)


# Vectors as Spark writes them: type 0 is sparse, type 1 dense.
VECTOR = pa.struct(
    [("type", pa.int8()), ("size", pa.int32()), ("indices", pa.list_(pa.int32())), ("values", pa.list_(pa.float64()))]
)
_SPARSE_FROM = 256  # numbers, as the library keeps the terms of documents sparse


def stays_sparse(value):
    """Whether a column of vectors stays sparse, from the first one there is: a row of a Spark table, or of Arrow."""
    is_sparse = value["type"] == 0 if isinstance(value, dict) else hasattr(value, "indices")
    return is_sparse and width_of(value) >= _SPARSE_FROM


ROWS = "its rows"  # of a part, in messages


def dataset_of(table, columns, source):
    """A part as the library reads it; its rows are named by their numbers within ``source``."""
    arrays, names = [], []
    for name in columns.names():
        column = table.column(name)
        if name in columns.sparse:
            arrays.append(column if column.type == VECTOR else column.cast(VECTOR))
            names.append(name)
            continue
        if name in columns.widths:
            rows = vectors(column, name, columns.widths[name], source)
            arrays += [pa.array(rows[:, k]) for k in range(rows.shape[1])]
            names += [f"{name}_{k}" for k in range(rows.shape[1])]
            continue
        if _is_text(column.type) and name not in columns.texts:
            column = column.combine_chunks().dictionary_encode()
        elif pa.types.is_decimal(column.type):
            column = column.cast(pa.float64())
        arrays.append(column)
        names.append(name)
    return _core.from_arrow(
        pa.table(arrays, names=names), source, {name: columns.widths[name] for name in columns.sparse}
    )


class Task:
    """The work on every part; it travels to the machines. ``kept_as`` names a table whose parts a process keeps between rounds."""

    def __init__(self, kind, columns, job=None, question=b"", sample=b"", plan=None, kept_as=None):
        self.kind, self.columns, self.job, self.question, self.sample, self.plan, self.kept_as = (
            kind,
            columns,
            job,
            question,
            sample,
            plan,
            kept_as,
        )

    def core_job(self):
        if isinstance(self.job, bytes):
            return _core.RoundsJob.proof(_core.Model.from_bytes(self.job))
        return _core.RoundsJob(self.job[0], unpacked(self.job[1]))

    def __call__(self, part, read):
        """Yields what is found, as (part, what it is, a number, bytes). ``read()`` gives the rows, as an Arrow table."""
        if self.kind == "rows":
            table = read() if part in self.plan else None
            for place, first, end in self.plan.get(part, []):
                yield part, "rows", place, slices_of(table, [(first, end)])[0]
            return
        if self.kind == "survey":
            table, edge = read(), self.columns.edge()
            yield part, "head", table.num_rows, slices_of(table, [(0, min(table.num_rows, edge))])[0]
            if edge > _core.sample_rows:
                yield (
                    part,
                    "tail",
                    table.num_rows,
                    slices_of(table, [(max(0, table.num_rows - edge), table.num_rows)])[0],
                )
            yield part, "answer", 0, self._answer(part, lambda: table)
            return
        yield part, "answer", 0, self._answer(part, read)

    def _rows(self, part, read):
        """The rows as the library reads them; columns of documents are read in another way than levels."""
        if self.kept_as is None:
            return dataset_of(read(), self.columns, ROWS)
        return kept_parts.rows((self.kept_as, self.columns.texts), part, lambda: dataset_of(read(), self.columns, ROWS))

    def _answer(self, part, read):
        try:
            rows = self._rows(part, read)
            sample = (
                dataset_of(from_ipc(self.sample), self.columns, "the sample") if self.sample else self.columns.header()
            )
        except DataError as error:
            return _core.refusal(error.where, error.what, error.advice, part)
        return _core.answer_part(self.question, self.core_job(), part, rows, sample)

    def joined(self, answers):
        """Several answers as one."""
        sample = dataset_of(from_ipc(self.sample), self.columns, "the sample")
        return _core.join_answers(self.question, self.core_job(), answers, sample)


def predicted_sets(core, rows):
    """Predictions of a model of label sets: a list of labels per row, missing where the model leaves the row out."""
    import numpy as np

    values = core.predict_table(rows, 1)
    has, absent = values > 0, np.isnan(values[:, 0])
    start = np.concatenate([[0], np.cumsum(has.sum(axis=1))]).astype(np.int32)
    labels = pa.array(core.labels, pa.string()).take(pa.array(np.nonzero(has)[1]))
    return pa.ListArray.from_arrays(pa.array(start), labels, mask=pa.array(absent))


def predicted(core, rows):
    """Predictions of a model of the library: numbers, the labels of classes, or lists of labels. None for a row without a class: one that was left out."""
    import numpy as np

    if core.labels:
        sets = predicted_sets(core, rows).to_pylist()
        out = np.empty(len(sets), dtype=object)
        out[:] = sets
        return out
    values = core.predict_table(rows, 1)
    if not core.classes:
        return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    numbers = {"integer": int, "real": float}.get(core.class_type, str)
    places = values.ravel()
    absent = np.isnan(places)
    labels = np.array([numbers(word) for word in core.classes]).take(np.where(absent, 0, places).astype(np.intp))
    if absent.any():
        labels = labels.astype(object)
        labels[absent] = None
    return labels


def predicted_as(core, rows, kind):
    """Predictions as an array of this type; as one of float64 where it is int64 and a row has no class, which no whole number says."""
    import numpy as np

    values = np.asarray(predicted(core, rows))
    holes = kind is np.int64 and values.dtype == object
    return values.astype(np.float64 if holes else kind)


def predicted_column(core, rows):
    """Predictions as a column of Arrow."""
    return predicted_sets(core, rows) if core.labels else pa.array(predicted(core, rows))
