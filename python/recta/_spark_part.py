"""What an executor of Spark runs. It is sent by value, so that an executor without Recta can say so in words."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute


def packing(rows):
    """A function that packs the batches of a partition into bytes, so many rows at a time: what Spark keeps, and sends to Python again and
    again without looking into it."""

    def run(batches):
        def packed(some):
            table = pa.Table.from_batches(some)
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as writer:
                writer.write_table(table.combine_chunks())
            return pa.RecordBatch.from_arrays([pa.array([sink.getvalue().to_pybytes()], pa.binary())], names=["data"])

        waiting, count = [], 0
        for batch in batches:
            waiting.append(batch)
            count += batch.num_rows
            if count >= rows:
                yield packed(waiting)
                waiting, count = [], 0
        if waiting:
            yield packed(waiting)

    return run


def on_partition(task_bytes, schema):
    """A function of the batches of one partition."""

    def run(batches):
        import pickle

        from pyspark import TaskContext

        part = TaskContext.get().partitionId()

        def batch(found):
            parts, words, numbers, data = zip(*found) if found else ((), (), (), ())
            return pa.RecordBatch.from_arrays([pa.array(parts, pa.int32()), pa.array(words, pa.string()), pa.array(numbers, pa.int64()),
                                               pa.array(data, pa.binary())], names=["part", "what", "number", "data"])

        try:
            task = pickle.loads(task_bytes)
        except ModuleNotFoundError as error:
            import socket

            yield batch([(part, "lacks", 0, f"{socket.gethostname()}: {error}".encode())])
            return
        if task.kind == "rows" and part not in task.plan:
            return  # its rows are not asked for, and not read
        tables = [pa.ipc.open_stream(data.as_buffer()).read_all() for one in batches for data in one.column(0)]
        table = pa.concat_tables(tables) if tables else pa.ipc.read_schema(pa.py_buffer(schema)).empty_table()
        for one in task(part, table):
            yield batch([one])

    return run


def joined(task_bytes):
    """A function of what several partitions found, which makes one answer of theirs. An executor that lacks Recta has said so."""

    def run(table):
        import pickle

        lacking = table.filter(pa.compute.equal(table.column("what"), "lacks"))
        if lacking.num_rows:
            return lacking.select(["part", "what", "number", "data"])
        answers = [data.as_py() for data in table.column("data")]
        return pa.table({"part": table.column("part").slice(0, 1), "what": ["answer"], "number": pa.array([0], pa.int64()),
                         "data": pa.array([pickle.loads(task_bytes).joined(answers)], pa.binary())})

    return run


def predicting(model, columns_bytes):
    """A function of the columns of a partition, batch by batch, that gives the predictions."""

    def run(batches: Iterator[tuple[pa.Array, ...]]) -> Iterator[pa.Array]:
        import pickle

        from recta import _core
        from recta._parts_of_tables import dataset_of, predicted

        columns, core = pickle.loads(columns_bytes), _core.Model.from_bytes(model)
        for batch in batches:
            arrays = list(batch) if isinstance(batch, tuple) else [batch]  # one column comes by itself
            yield pa.array(predicted(core, dataset_of(pa.table(arrays, names=columns.names()), columns, "a partition")))

    return run
