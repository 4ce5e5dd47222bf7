"""What an executor of Spark runs. It is sent by value, so that an executor without Recta can say so in words."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute


def packing(size, names):
    """A function that packs the batches of a partition, so many bytes at a time, and names their columns: what Spark keeps, and sends to Python again and
    again without looking into it."""

    def run(batches):
        def packed(some):
            table = pa.Table.from_batches(some).rename_columns(names)
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as writer:
                writer.write_table(table.combine_chunks())
            return pa.RecordBatch.from_arrays([pa.array([sink.getvalue().to_pybytes()], pa.binary())], names=["data"])

        waiting, count = [], 0
        for batch in batches:
            waiting.append(batch)
            count += batch.nbytes
            if count >= size:
                yield packed(waiting)
                waiting, count = [], 0
        if waiting:
            yield packed(waiting)

    return run


def on_partition(task_bytes, schema):
    """A function of the batches of one partition, which hold packed rows."""

    def run(batches):
        from pyspark import TaskContext

        def table():
            tables = [pa.ipc.open_stream(data.as_buffer()).read_all() for one in batches for data in one.column(0)]
            return pa.concat_tables(tables) if tables else pa.ipc.read_schema(pa.py_buffer(schema)).empty_table()

        yield from done(task_bytes, [(TaskContext.get().partitionId(), lambda task: table())])

    return run


def on_files(task_bytes, files_bytes):
    """A function of the numbers of parts, whose rows are read from their files here."""

    def run(batches):
        import pickle

        def table(task, part):
            return pickle.loads(files_bytes).table(part, task.columns.names())

        for batch in batches:
            yield from done(
                task_bytes, [(part, lambda task, part=part: table(task, part)) for part in batch.column(0).to_pylist()]
            )

    return run


def done(task_bytes, parts):
    """Does a task on parts, each given by its number and a function that gives its rows, and yields what it finds."""
    import pickle

    def batch(part, what, number, data):
        return pa.RecordBatch.from_arrays(
            [
                pa.array([part], pa.int32()),
                pa.array([what], pa.string()),
                pa.array([number], pa.int64()),
                pa.array([data], pa.binary()),
            ],
            names=["part", "what", "number", "data"],
        )

    for part, table in parts:
        try:
            task = pickle.loads(task_bytes)
        except ModuleNotFoundError as error:
            import socket

            yield batch(part, "lacks", 0, f"{socket.gethostname()}: {error}".encode())
            continue
        for found in task(part, lambda task=task, table=table: table(task)):
            yield batch(*found)


def joined(task_bytes):
    """A function of what several partitions found, which makes one answer of theirs. An executor that lacks Recta has said so."""

    def run(table):
        import pickle

        lacking = table.filter(pa.compute.equal(table.column("what"), "lacks"))
        if lacking.num_rows:
            return lacking.select(["part", "what", "number", "data"])
        answers = [data.as_py() for data in table.column("data")]
        return pa.table(
            {
                "part": table.column("part").slice(0, 1),
                "what": ["answer"],
                "number": pa.array([0], pa.int64()),
                "data": pa.array([pickle.loads(task_bytes).joined(answers)], pa.binary()),
            }
        )

    return run


def needed(version):
    """The parts of Recta that predictions need; an executor that lacks them says so with the cure."""
    try:
        from recta import _core
        from recta._distributed.parts_of_tables import dataset_of, predicted_column
    except ModuleNotFoundError as error:
        import socket

        raise ModuleNotFoundError(
            f"{socket.gethostname()}: {error}; install recta=={version} on every executor (docs/cluster.md)"
        ) from None
    return _core, dataset_of, predicted_column


def predicting(model, columns_bytes, version):
    """A function of the columns of a partition, batch by batch, that gives the predictions."""

    def run(batches: Iterator[tuple[pa.Array, ...]]) -> Iterator[pa.Array]:
        import pickle

        _core, dataset_of, predicted_column = needed(version)
        columns, core = pickle.loads(columns_bytes), _core.Model.from_bytes(model)
        for batch in batches:
            arrays = list(batch) if isinstance(batch, tuple) else [batch]  # one column comes by itself
            yield predicted_column(core, dataset_of(pa.table(arrays, names=columns.names()), columns, "a partition"))

    return run


def predicting_files(model, files_bytes, columns_bytes, kept, output, kind, version):
    """A function of the numbers of parts that gives their rows, or some of their columns, with the predictions."""

    def run(batches):
        import pickle

        _core, dataset_of, predicted_column = needed(version)
        files, columns, core = pickle.loads(files_bytes), pickle.loads(columns_bytes), _core.Model.from_bytes(model)
        for batch in batches:
            for part in batch.column(0).to_pylist():
                table = files.table(part, dict.fromkeys([*columns.names(), *kept]))
                if not table.num_rows:
                    continue
                values = predicted_column(core, dataset_of(table, columns, f"part {part + 1}")).cast(kind)
                yield from table.select(kept).append_column(output, values).to_batches(65536)

    return run
