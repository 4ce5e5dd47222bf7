"""A table of Parquet files in parts, which machines read themselves: runs of whole row groups, in the order of the files."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from recta._base.errors import DataError

from .parts_of_tables import Columns, stays_sparse, width_of

_BYTES = 1 << 26  # of a part, as the files hold them


class ParquetParts:
    """``paths``: a file, a folder or a list of files, on a disk or a store that all machines see. It travels, and has no rows itself."""

    def __init__(self, paths):
        try:
            table = pa.dataset.dataset(paths, format="parquet", partitioning="hive")
        except (OSError, pa.ArrowInvalid) as error:
            raise DataError(
                str(paths), str(error), "name a Parquet file, a folder of them, or a list of files"
            ) from None
        self.schema = table.schema
        self._files = sorted(table.get_fragments(), key=lambda file: file.path)
        self._of_folders = (
            set(pa.dataset.get_partition_keys(self._files[0].partition_expression)) if self._files else set()
        )
        self._parts = list(self._cut())

    def __len__(self):
        return len(self._parts)

    def _cut(self):
        waiting, size = [], 0
        for file in self._files:
            for group in file.split_by_row_group():
                waiting.append(group)
                size += sum(one.total_byte_size for one in group.row_groups)
                if size >= _BYTES:
                    yield waiting
                    waiting, size = [], 0
        if waiting:
            yield waiting

    def check(self, names):
        """Every file must have the columns, each of one type."""
        for file in self._files:
            here = file.physical_schema
            for name in names:
                if name in self._of_folders:
                    continue
                place = here.get_field_index(name)
                if place < 0:
                    raise DataError(
                        f"{file.path}, column {name}",
                        "this file has none of this name",
                        "give files of the same columns",
                    )
                if here.field(place).type != self.schema.field(name).type:
                    raise DataError(
                        f"{file.path}, column {name}",
                        f"it holds {here.field(place).type} here, and {self.schema.field(name).type} in others",
                        "write the files anew with one type",
                    )

    def vectors(self):
        """The columns of vectors that may be sparse."""
        return [field.name for field in self.schema if pa.types.is_struct(field.type)]

    def columns(self, features, others, sparse=None):
        """How the columns are read: plain ones as they are, vectors as columns, or sparse: those that ``sparse`` names, or whose first is."""
        self.check([*features, *others])
        kinds = {name: self.schema.field(name).type for name in features}
        firsts = {
            name: self._first(name)
            for name, kind in kinds.items()
            if pa.types.is_list(kind) or pa.types.is_struct(kind)
        }
        widths = {name: width_of(value) for name, value in firsts.items()}
        if sparse is None:
            sparse = [name for name in firsts if pa.types.is_struct(kinds[name]) and stays_sparse(firsts[name])]
        return Columns(
            pa.schema([self.schema.field(name) for name in (*features, *others)]), features, others, widths, sparse
        )

    def _first(self, name):
        """The first vector of a column."""
        for part in range(len(self)):
            for value in self.table(part, [name]).column(0).drop_null().slice(0, 1).to_pylist():
                return value
        raise DataError(f"column {name}", "it holds no vector", "give a table with rows")

    def table(self, part, names):
        """The rows of a part."""
        return pa.concat_tables([self._rows_of(group, list(names)) for group in self._parts[part]])

    def _rows_of(self, group, names):
        """The rows of a row group. Those of a file on a disk are read from its pages in memory, which takes half as long as a scan."""
        if isinstance(group.filesystem, pa.fs.LocalFileSystem) and self._of_folders.isdisjoint(names):
            with pa.parquet.ParquetFile(group.path, memory_map=True) as file:
                found = file.read_row_groups(
                    [one.id for one in group.row_groups], columns=names, use_threads=False
                ).select(names)
            if found.schema.types == [self.schema.field(name).type for name in names]:
                return found.replace_schema_metadata(self.schema.metadata)
        return group.to_table(schema=self.schema, columns=names, use_threads=False)
