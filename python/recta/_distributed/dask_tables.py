"""Models of Dask's tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask
import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from recta._base.errors import UsageError
from recta._data.rows import core_of
from recta._fitted.certificate import Certificate

from .columns import Asked, check_widths, columns_asked, features_of, label_of, names_of, texts_asked, with_texts
from .dask_sparse import SparseRows, has_sparse_rows, label_columns
from .estimators import fit_estimator
from .near import fit_near
from .parts_of_tables import Columns, Task, dataset_of, predicted_as, width_of
from .rounds import RoundsEngine
from .scored_tables import cross_validated, features_beside, scores_of


def _arrow(part: Any, columns: Columns) -> pa.Table:
    """A pandas partition with the columns of the fit, in their types; sparse rows are a table already."""
    return (
        part
        if isinstance(part, pa.Table)
        else pa.Table.from_pandas(part[columns.names()], schema=columns.schema, preserve_index=False)
    )


def _on_part(task: Task, part: int, rows: Any) -> list:
    return list(task(part, lambda: _arrow(rows, task.columns)))


class _DaskEngine(RoundsEngine):
    def __init__(self, parts, columns):
        super().__init__(columns)
        self._parts = parts

    def run(self, task):
        wanted = [k for k in range(len(self._parts)) if task.kind != "rows" or k in task.plan]
        work = dask.delayed(_on_part, pure=False)
        shared = dask.delayed(task)  # sent once, whatever its size
        found = dask.compute(*(work(shared, k, self._parts[k]) for k in wanted))
        return [one for part in found for one in part]


def _engine(data, label, features, others, texts=()):
    """An engine for a Dask table, or for arrays, and the name of the label's column."""
    if has_sparse_rows(data):
        _refuse_names(features, *others, *texts)
        rows = SparseRows(data, label)
        return _DaskEngine(rows.parts(), rows.columns()), rows.label
    frame, label = _frame_of(data, label)
    columns = _columns(frame, None if features is None else with_texts(features, texts), label, others)
    return _DaskEngine(frame[columns.names()].to_delayed(), columns), label


def _refuse_names(*named):
    if any(named):
        raise UsageError(
            "data", "an array of sparse rows has no columns with names", "leave out features, weight, offset and text"
        )


def _frame_of(data, label):
    """A Dask table; of a Dask array of rows and one of labels, a table of both."""
    if hasattr(data, "to_delayed") and hasattr(data, "columns"):
        return data, label_of(label)
    import dask.dataframe as dd

    names = [f"x{k + 1}" for k in range(data.shape[1])]
    frame = dd.from_dask_array(data.rechunk({1: -1}), columns=names)
    if label is None or isinstance(label, str):
        return frame, label
    if isinstance(label, list | tuple):
        return frame, tuple(label)
    chosen = "y" if label.ndim == 1 else label_columns(label)
    target = dd.from_dask_array(label.rechunk((data.chunks[0], *(-1 for _ in label.shape[1:]))), columns=chosen)
    if label.ndim == 1:
        return frame.assign(y=target), "y"
    return frame.assign(**{name: target[name] for name in chosen}), tuple(chosen)


def _columns(frame, features, label, others):
    chosen, used = columns_asked(list(frame.columns), features, label, *others)
    names = [*chosen, *used]
    head = frame[names].head(16, npartitions=-1, compute=True)
    schema = pa.Schema.from_pandas(head, preserve_index=False)
    kinds = {field.name: field.type for field in schema}
    fields = [pa.field(name, _kind(frame, name, kinds[name])) for name in names]
    widths = {
        name: width_of(head[name].iloc[0])
        for name in chosen
        if len(head) and (pa.types.is_list(kinds[name]) or pa.types.is_struct(kinds[name]))
    }
    return Columns(pa.schema(fields), chosen, used, widths)


def _features_of(core, frame):
    if core.sparse_columns:
        raise UsageError(
            "data",
            f"the model reads {core.sparse_columns} sparse columns",
            "give a Dask array of sparse rows, as its fit had",
        )
    return features_of(core, frame.columns)


def _kind(frame, name, found):
    """Text may be missing in the first rows, and whole numbers may be missing in later ones."""
    if pa.types.is_null(found):
        return pa.string() if frame[name].dtype == object else pa.float64()
    if pa.types.is_dictionary(found) or pa.types.is_large_string(found):
        return pa.string()
    return found


def fit(
    data: Any,
    estimator: Any,
    *,
    features: Sequence[str] | None = None,
    label: Any = None,
    weight: str | None = None,
    offset: str | None = None,
    missing: str | None = None,
    text: str | Sequence[str] | dict[str, dict] | None = None,
    checkpoint: str | None = None,
    best_so_far: bool = False,
) -> Any:
    """Fits an estimator of Recta to a dask.dataframe or dask.array and proves the answer.

    Parameters
    ----------
    data : dask.dataframe.DataFrame, or dask.array.Array of shape (n_samples, n_features)
        Blocks of an array may be sparse, of SciPy or of the package sparse: they stay so, and take memory for what is not zero.
    estimator : estimator of Recta, or a model's word such as "ridge", or a word with parameters and options of the fit,
        ("ridge", {"lambda": 0.1, "standardise": True}), ("logistic", {"multiclass": "ova"})
    features : names of columns, default all that play no other part
        Numbers as they are; text is taken for levels of a category; a list of k numbers is k columns.
    label : name of the target's column, or names of columns of 0 and 1, one per label; beside a dask.array one of labels, or of 0 and 1 with a column per label
        Several are the labels of a set, for ``LabelSetClassifier`` or a model's word. Cells such as ``a|b`` are one column, for ``LabelSetClassifier``, or for
        a word whose options have ``label_separator``.
    weight, offset : names of columns, default None
    missing : {"refuse", "drop", "mean", "indicator", "skip"}, default None
        What becomes of missing values: their rows are dropped; the mean of the column stands for a missing number, and a level of its own for a
        missing category; a column that says where numbers were missing stands beside it as well. The means are learned with the levels, in the first
        round. ``skip`` is for naive Bayes alone, and its default; that of others is ``refuse``.
    text : name or names of columns, or a dict of names with settings, default None
        Columns of documents, for a model that is named by its word: how often each term occurs is a feature, and the vocabulary of all documents is learned
        in the first round. The settings have the names of ``recta::TextOptions``: ``{"body": {"idf": True, "norm": "l2", "least_documents": 5}}``.
    checkpoint : path of a file, default None
        Keeps the answers so far: a fit that was stopped goes on from there, to the same model.
    best_so_far : bool, default False
        The fit takes no step beyond the checkpoint: a few rounds more prove how far its best answer may be from the optimum. The checkpoint stays.

    Returns
    -------
    A fitted clone of the estimator; of a word a :class:`recta.Model`.
    """
    texts = texts_asked(text)
    engine, label = _engine(data, label, features, (weight, offset), texts)
    return fit_estimator(engine, estimator, Asked(label, weight, offset, checkpoint, missing, texts, best_so_far))


def near(
    data: Any, estimator: Any, queries: ArrayLike, *, features: Sequence[str] | None = None, label: Any = None
) -> Any:
    """An estimator of :mod:`recta.neighbors` for some queries, of a table that stays where it is.

    The queries go to every part, and the rows that are nearest to some of them come back: few, whatever the length of the table. What is returned is a
    clone of the estimator that is fitted to these rows alone. Asked about the queries (``predict(queries)``, ``kneighbors(queries)``) it answers as
    one that was fitted to all rows; about others it does not. ``rows_`` has the numbers of its rows in the table, from 0.

    Parameters
    ----------
    data : dask.dataframe.DataFrame, or dask.array.Array of shape (n_samples, n_features)
    estimator : KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier, RadiusNeighborsRegressor or NearestNeighbors
        Its metric is one of two rows alone, such as "euclidean" or "cosine".
    queries : array of shape (n_queries, n_features)
    features : names of columns of numbers, or of vectors, default all but the label
    label : name of a column, default None
    """
    if has_sparse_rows(data):
        raise UsageError(
            "data",
            "neighbours in parts are those of dense rows",
            "give a dense array, or fit the estimator on one machine",
        )
    engine, label = _engine(data, label, features, ())
    return fit_near(engine, estimator, queries, label)


def verify(data: Any, model: Any, *, label: Any = None) -> Certificate:
    """The proof of a model, made again from the rows it was trained on, in Dask's table."""
    core = core_of(model)
    if has_sparse_rows(data):
        engine, _ = _engine(data, label, None, ())
    else:
        frame, _ = _frame_of(data, label)
        features, _ = _features_of(core, frame)
        engine, _ = _engine(
            frame, None, features, (*core.targets, *(name for name in (core.weights, core.offset) if name))
        )
    return Certificate(engine.verify(core), core)


def transform(data: Any, model: Any, *, output: str = "prediction") -> Any:
    """The table with one more column, that of the predictions; it is lazy, as Dask's own. For a classifier: labels, and of a model of label sets lists of them.
    Of an array of sparse rows: a Dask array of the predictions alone."""
    core = core_of(model)
    kind = (
        object
        if core.labels
        else {"integer": np.int64, "real": np.float64}.get(core.class_type, object)
        if core.classes
        else np.float64
    )
    if has_sparse_rows(data):
        return SparseRows(data).predictions(core, kind)
    frame, _ = _frame_of(data, None)
    features, widths = _features_of(core, frame)
    columns = _columns(frame, features, None, [name for name in (core.offset,) if name])
    columns.texts = frozenset(core.texts)
    check_widths(columns, widths)

    def predict(part):
        rows = dataset_of(_arrow(part, columns), columns, "a partition") if len(part) else None
        return part.assign(**{output: np.zeros(0, dtype=kind) if rows is None else predicted_as(core, rows, kind)})

    meta = frame._meta.assign(**{output: np.zeros(0, dtype=kind)})
    return frame.map_partitions(predict, meta=meta)


def evaluate(data: Any, model: Any, *, label: Any, weight: str | None = None) -> dict[str, float]:
    """Scores of a model on labelled rows. Predictions and truths, two numbers per row, come together on one machine.

    Parameters
    ----------
    data : dask.dataframe.DataFrame, or dask.array.Array of shape (n_samples, n_features)
    model : what :func:`fit` returned, or a model that was loaded from a file
    label : name of the target's column; beside a dask.array one of labels
    weight : name of a column, default None
    """
    if has_sparse_rows(data):
        predictions, truth = dask.compute(transform(data, model), label)
        return scores_of(
            core_of(model), dict(zip(label_columns(truth), truth.T)) if truth.ndim == 2 else truth, predictions
        )
    frame, label = _frame_of(data, label)
    found = transform(frame, model, output="recta_prediction")[
        ["recta_prediction", *names_of(label), *names_of(weight)]
    ].compute()
    truth = found[label].to_numpy() if isinstance(label, str) else {name: found[name].to_numpy() for name in label}
    return scores_of(
        core_of(model), truth, found["recta_prediction"].to_numpy(), found[weight].to_numpy(float) if weight else None
    )


def cross_validate(
    data: Any,
    estimator: Any,
    *,
    row_id: str,
    folds: int = 5,
    label: str | Sequence[str],
    features: Sequence[str] | None = None,
    weight: str | None = None,
    missing: str | None = None,
) -> list[dict[str, float]]:
    """Scores on every fold of a fit to the others. A row's fold is a hash of its id: the same on every machine, however the table is cut.

    ``data`` is a dask.dataframe; the other arguments are those of :func:`fit`.
    """
    frame, label = _frame_of(data, label)
    chosen = features_beside(frame.columns, features, row_id, label, weight)
    fold = frame[row_id].map_partitions(_fold_of, folds, meta=("fold", np.int64))
    return cross_validated(
        folds,
        lambda k: (frame[fold != k], frame[fold == k]),
        lambda rows: fit(rows, estimator, features=chosen, label=label, weight=weight, missing=missing),
        lambda rows, model: evaluate(rows, model, label=label, weight=weight),
    )


def _fold_of(ids, folds):
    from pandas.util import hash_pandas_object

    return (hash_pandas_object(ids, index=False) % folds).astype(np.int64)
