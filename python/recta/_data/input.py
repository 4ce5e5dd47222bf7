"""From what Python users hold to what the library reads, with copies only where the memory cannot be read as it lies.

=====================================  =========================================================================
held                                   read
=====================================  =========================================================================
NumPy float64 or float32, any strides  where it lies
scipy.sparse CSR, CSC of float64       where it lies, 32- and 64-bit indices
the same, float32 or integers          numbers copied once as float64
unsorted or duplicate sparse entries   sorted and summed in a copy
other sparse formats                   as CSR
frames whose columns are all numbers   as NumPy gives them: without a copy where the frame has one block
Arrow tables whose columns are numbers where they lie, if columns are float64 without gaps and equally far apart
the same, otherwise                    copied once
frames with categories                 column by column into a table, copied once; levels become 0/1 features
other things, lists                    as NumPy makes them, float64
=====================================  =========================================================================
"""

import re

import numpy as np

from recta import _core
from recta._base.errors import DataError

PLAIN_NAME = re.compile(r"x?\d+")  # what columns without a name are called


def is_sparse(x):
    return hasattr(x, "indptr") or (hasattr(x, "tocsr") and hasattr(x, "nnz"))


def sparse_parts(x):
    """The tuple that the extension reads, for a scipy.sparse array or matrix."""
    if x.format not in ("csr", "csc"):
        x = x.tocsr()
    if not x.has_canonical_format:
        x = x.copy()
        x.sum_duplicates()
    data = np.ascontiguousarray(x.data, dtype=np.float64)
    indptr, indices = x.indptr, x.indices
    if indptr.dtype != indices.dtype:
        indptr, indices = indptr.astype(np.int64), indices.astype(np.int64)
    return x.format, np.ascontiguousarray(indptr), np.ascontiguousarray(indices), data, x.shape


def plain_names(x, columns):
    """How the library calls columns without a name, of an array or of the parts of a sparse one; PLAIN_NAME matches them."""
    letter = "" if isinstance(x, tuple) else "x"
    return [f"{letter}{j + 1}" for j in range(columns)]


def array_or_parts(x):
    """What the extension reads: a checked array as it is, or the parts of a sparse one."""
    if is_sparse(x):
        return sparse_parts(x)
    if not (x.flags.aligned and x.dtype.isnative) or any(step % x.itemsize for step in x.strides):
        return np.array(x, dtype=x.dtype.newbyteorder("="))
    return x


def plain_array(x):
    """Any array-like as float64 or float32 in two dimensions, for callers without scikit-learn's checks."""
    if is_sparse(x):
        return x
    x = np.asarray(x) if (found := arrow_numbers(x)) is None else found[1]
    if x.dtype not in (np.float64, np.float32):
        x = x.astype(np.float64)
    if x.ndim != 2:
        raise DataError("X", f"it has {x.ndim} dimension(s) and not two", "one row is x.reshape(1, -1)")
    return x


def is_number(value):
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def place_of_text(x):
    """Where the first value that is not a number stands in an array-like or a frame: "row 2, column b: 'x'"; or nothing."""
    names = column_names(x)
    if hasattr(x, "iloc"):
        columns = [x.iloc[:, j] for j in range(x.shape[1])]
    elif hasattr(x, "get_columns"):
        columns = x.get_columns()
    else:
        x = np.asarray(x, dtype=object)
        columns = list(x.T) if x.ndim == 2 else []
    for j, column in enumerate(columns):
        for i, value in enumerate(column if str(getattr(column, "dtype", object)) not in ("float64", "int64") else ()):
            if value is not None and not is_number(value):
                return f"row {i + 1}, column {names[j] if names else j + 1}: {value!r}"
    return None


def column_names(frame):
    """The names of a frame's columns if all are text, else None; scikit-learn warns about the others."""
    names = getattr(frame, "columns", None)
    if names is None or callable(names):
        names = getattr(frame, "column_names", None)
    if names is None:
        return None
    names = list(names)
    return names if names and all(isinstance(name, str) for name in names) else None


def is_category(kind):
    """Whether a type of polars or pyarrow is one of categories."""
    return str(kind).startswith(("Categorical", "Enum", "dictionary"))


def has_categories(frame):
    """Whether a frame has columns that become 0/1 features: pandas category, polars Categorical or Enum, dictionaries."""
    if hasattr(frame, "iloc") and hasattr(frame, "dtypes"):
        dtypes = frame.dtypes if hasattr(frame.dtypes, "__iter__") else [frame.dtypes]
        return any(type(dtype).__name__ == "CategoricalDtype" for dtype in dtypes)
    if hasattr(frame, "schema") and hasattr(frame, "__arrow_c_stream__"):
        kinds = getattr(frame.schema, "types", None) or list(getattr(frame.schema, "values", list)())
        return any(map(is_category, kinds))
    return False


def is_foreign_table(x):
    """A table of Arrow that NumPy cannot read by itself."""
    return hasattr(x, "__arrow_c_stream__") and not hasattr(x, "__array__") and not hasattr(x, "__dataframe__")


def arrow_numbers(x):
    """The names and the matrix of a table of Arrow whose columns are all numbers; None for all else. pandas and polars know
    better than Arrow how to give their numbers to NumPy."""
    if not hasattr(x, "__arrow_c_stream__") or hasattr(x, "iloc") or hasattr(x, "get_columns"):
        return None
    return _core.arrow_matrix(x)


def arranged(x):
    """How X is read: (True, x, []) as a table, since there are categories in it; (False, x, names) as an array, where names
    are those of a table of Arrow that NumPy would not see."""
    if has_categories(x):
        return True, x, []
    found = arrow_numbers(x)
    if found is not None:
        return False, found[1], found[0]
    return is_foreign_table(x), x, []


def _pandas_column(name, values, is_level):
    if type(values.dtype).__name__ == "CategoricalDtype":
        codes = np.ascontiguousarray(values.cat.codes, dtype=np.int32)
        return name, codes, [str(level) for level in values.cat.categories]
    if is_level and values.dtype.kind not in "iuf":  # the library knows levels that look like numbers
        codes, levels = values.astype(object).map(str, na_action="ignore").factorize()
        return name, np.ascontiguousarray(codes, dtype=np.int32), list(levels)
    try:
        return name, np.ascontiguousarray(values.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError) as wrong:
        bad = next((i for i, value in enumerate(values) if isinstance(value, str)), None)
        where = f"column {name}" if bad is None else f"row {bad + 1}, column {name}"
        raise DataError(where, str(wrong), "make the column a category to have it one-hot encoded") from None


def _arrow_column(table, name, kind, is_level):
    if kind == "category":
        return (name, *table.codes(name))
    if kind == "text" and is_level:
        levels, codes = np.unique(np.array(table.texts(name), dtype=str), return_inverse=True)
        return name, np.where(levels == "", -1, np.arange(len(levels)))[codes].astype(np.int32), levels.tolist()
    if kind == "text":
        raise DataError(
            f"row 1, column {name}",
            f"could not convert string to float: {table.texts(name)[0]!r}",
            "make the column a category to have it one-hot encoded",
        )
    return name, table.numbers(name)


def frame_columns(frame, wanted=None, categories=()):
    """What :func:`table_of` takes: (name, numbers) or (name, codes, levels) a column, or a table of its own that is read from
    Arrow. What is not wanted may be anything; text is taken for levels in columns that were ``categories`` in training."""
    wanted, categories = None if wanted is None else set(wanted), set(categories)
    if hasattr(frame, "iloc"):
        return [
            _pandas_column(str(name), frame[name], str(name) in categories)
            for name in frame.columns
            if wanted is None or str(name) in wanted
        ]
    table = frame if isinstance(frame, _core.Dataset) else _core.from_arrow(frame)
    if table is not frame and "text" not in table.types:
        return table
    return [
        _arrow_column(table, name, kind, name in categories)
        for name, kind in zip(table.names, table.types)
        if wanted is None or name in wanted
    ]


def training_columns(frame, weights=None):
    """The columns of a frame to be fitted. A row of weight 0 is absent, and with it a level that it alone has: where the column's
    type declares its levels that one stays, as it would if the row were not there."""
    columns = frame_columns(frame)
    if weights is None or np.all(weights):
        return columns
    if isinstance(columns, _core.Dataset):
        columns = [_arrow_column(columns, name, kind, False) for name, kind in zip(columns.names, columns.types)]
    return [
        _of_rows_present(column, weights) if len(column) == 3 and _declares_levels(frame, column[0]) else column
        for column in columns
    ]


def _declares_levels(frame, name):
    """All but the Categorical of polars, whose levels are those that rows have."""
    return not hasattr(frame, "get_column") or not str(frame.schema[name]).startswith("Categorical")


def _of_rows_present(column, weights):
    name, codes, levels = column
    present = weights > 0
    some = codes[present & (codes >= 0)][:1]
    return name, np.where(present, codes, some[0] if len(some) else -1).astype(np.int32), levels


def checked_offset(offset, rows):
    """One number per row as the library reads it; None stays."""
    if offset is None:
        return None
    values = np.asarray(offset, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape not in ((), (rows,)):
        raise DataError("offset", f"it has shape {values.shape}, and there are {rows} rows", "give one number per row")
    values = np.ascontiguousarray(np.broadcast_to(values, rows))
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise DataError(
            f"offset, row {bad[0] + 1}", f"the value is {values[bad[0]]}", "drop the row or correct the value"
        )
    return values


def free_name(word, taken):
    while word in taken:
        word += "_"
    return word


def less_offset(y, offset):
    """The target less its offset."""
    if offset is None:
        return y
    y = np.asarray(y, dtype=np.float64)
    return y - checked_offset(offset, len(y)).reshape(-1, *[1] * (y.ndim - 1))


def with_offset(data, offset, name):
    """Puts the offset into a table, under its name in the model."""
    if offset is not None:
        data.extend([(name, checked_offset(offset, data.rows))])
    return data


def table_of(columns, y=None, weights=None, targets=()):
    """A table of features, with the target and weights under names that no feature has. Gives their names as well. A table
    that is given becomes this one."""
    whole = isinstance(columns, _core.Dataset)
    taken = set(columns.names) if whole else {column[0] for column in columns}
    rows = columns.rows if whole else len(columns[0][1]) if columns else 0
    added, names, weight = [], [], ""
    if y is not None:
        y = y.reshape(len(y), -1)
        stem = list(targets) or (["y"] if y.shape[1] == 1 else [f"y{k + 1}" for k in range(y.shape[1])])
        names = [free_name(word, taken) for word in stem]
        added += [(name, np.ascontiguousarray(y[:, k], dtype=np.float64)) for k, name in enumerate(names)]
    if weights is not None:
        weight = free_name("weight", taken | set(names))
        added.append((weight, np.ascontiguousarray(weights, dtype=np.float64)))
    if not whole:
        return _core.Dataset.from_columns([*columns, *added], rows), names, weight
    columns.extend(added)
    return columns, names, weight
