"""The search that :mod:`recta.model_selection` offers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from recta import _core
from recta._base.errors import UsageError
from recta._base.progress import reporter
from recta._data.input import frame_columns, is_sparse, plain_array, table_of
from recta._data.table import Table

from .cross_validation import CrossValidation

OPTIONS = {one.name for one in _core.options()} - {"target", "text", "params", "seed", "threads", "time_limit"}


def _column(name, values):
    """(name, numbers), or (name, codes, levels) of words and truths."""
    values = np.asarray(values)
    if values.dtype.kind in "iuf":
        return name, np.ascontiguousarray(values, dtype=np.float64)
    levels, codes = np.unique(values.astype(str), return_inverse=True)
    return name, np.ascontiguousarray(codes.ravel(), dtype=np.int32), [str(level) for level in levels]


def _free(stem, taken):
    while stem in taken:
        stem += "_"
    taken.add(stem)
    return stem


def _names_of_targets(y, labels, taken):
    """Names that no column of X has; those of ``labels`` where the columns of y are labels."""
    if not labels:
        return [_free("y" if y.ndim == 1 else f"y{k + 1}", taken) for k in range(1 if y.ndim == 1 else y.shape[1])]
    if y.ndim != 2 or y.shape[1] != len(labels):
        raise UsageError(
            "label_columns",
            f"{len(labels)} labels are named, and y has the shape {y.shape}",
            "give y a column of 0 and 1 per label",
        )
    for name in labels:
        if name in taken:
            raise UsageError(
                "label_columns", f'"{name}" is a column of X or named twice', "give the label another name"
            )
        taken.add(name)
    return list(labels)


def _arranged(X, y, target, beside, labels=()):
    """A table, the names of its targets, and the names of the columns ``beside`` X, each given as an array or by its name."""
    if isinstance(X, Table):
        if y is not None:
            raise UsageError("y", "the table has its target among its columns", "name it: target=")
        data, names = X.dataset, [] if target is None else [target] if isinstance(target, str) else list(target)
        if any(value is not None and not isinstance(value, str) for value in beside.values()):
            raise UsageError(
                "grid_search", "the columns of a table are named", "give groups, time and hash as names of columns"
            )
        return data, names, {key: value or "" for key, value in beside.items()}, []
    if is_sparse(X):
        raise UsageError(
            "X",
            "it is sparse, and a search of the library reads tables",
            "GridSearchCV of scikit-learn takes sparse arrays",
        )
    if y is None:
        raise UsageError("y", "there is none", "give one value per row")
    frame = hasattr(X, "columns") or (hasattr(X, "__arrow_c_stream__") and not isinstance(X, np.ndarray))
    if frame:
        columns = frame_columns(X)
    else:
        by_column = np.ascontiguousarray(plain_array(X).T, dtype=np.float64)
        columns = [(f"x{j + 1}", values) for j, values in enumerate(by_column)]
    data, _, _ = table_of(columns)
    taken = set(data.names)
    y = np.asarray(y)
    names = _names_of_targets(y, labels, taken)
    if labels and y.dtype.kind == "b":
        y = y.astype(np.float64)
    added = [_column(name, y if y.ndim == 1 else y[:, k]) for k, name in enumerate(names)]
    given, extra = {}, []
    for key, value in beside.items():
        given[key] = value if isinstance(value, str) else "" if value is None else _free(key, taken)
        if value is not None and not isinstance(value, str):
            added.append(_column(given[key], value))
            extra.append(given[key])
    data.extend(added)
    return data, [] if labels else names, given, extra


def _axis(word, name, values):
    name = name.replace("_", "-")
    if isinstance(values, str):
        return _core.grid_axis(word, f"{name}={values}")
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    return _core.GridAxis(name, [value if isinstance(value, (bool, str)) else float(value) for value in plain])


def _pairs(value):
    """(label, number) of a dict; the empty label stands for all of them."""
    return list(value.items()) if hasattr(value, "items") else [("", float(value))]


def _options(fixed, names, extra):
    options = _core.FitOptions()
    options.target = names
    params = {}
    for name, value in fixed.items():
        if name in OPTIONS:
            setattr(options, name, _pairs(value) if name in ("class_weights", "label_thresholds") else value)
        else:
            params[name.replace("_", "-")] = value if isinstance(value, (bool, str)) else float(value)
    options.params = params
    options.ignore = [*options.ignore, *extra]
    return options


def _plan(folds, repeats, leave_one_out, time, holdout, bootstrap, hash, contiguous, seed):
    plan = _core.SplitPlan()
    asked = [
        word
        for word, is_asked in (
            ("leave_one_out", leave_one_out),
            ("time", time is not None and holdout is None),
            ("holdout", holdout is not None),
            ("bootstrap", bootstrap is not None),
            ("hash", hash is not None),
        )
        if is_asked
    ]
    if len(asked) > 1:
        raise UsageError(" and ".join(asked), "these exclude each other", "split the rows in one way")
    plan.kind = asked[0] if asked else "folds"
    plan.folds, plan.contiguous, plan.seed = folds, contiguous, seed
    plan.repeats = repeats if bootstrap is None else bootstrap
    if holdout is not None:
        plan.share = holdout
    return plan


def grid_search(
    word: str,
    X: Any,
    y: ArrayLike | None = None,
    *,
    target: str | Sequence[str] | None = None,
    grid: Mapping[str, str | Sequence[Any]] | None = None,
    folds: int = 5,
    repeats: int = 1,
    groups: Any = None,
    time: Any = None,
    leave_one_out: bool = False,
    holdout: float | None = None,
    bootstrap: int | None = None,
    hash: Any = None,
    contiguous: bool = False,
    scores: str | Sequence[str] = (),
    one_standard_error: bool = False,
    training: bool = False,
    refit: bool = True,
    resume: str | os.PathLike[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    verbose: int | Callable[[_core.Step], object] = 0,
    **fixed: Any,
) -> CrossValidation:
    """Fits a model at every point of a grid to the rows that every split trains on, and scores it on the rows it leaves out.

    Parameters
    ----------
    word : str
        A model of the library: ``"ridge"``, ``"lasso"``, ``"logistic"``, ... as in ``recta fit``.
    X, y : array or frame and target, or a table of :func:`recta.read` alone
    target : str, default=None
        The target among the columns of a table.
    grid : dict, default=None
        Names of parameters with lists of values, or texts as ``"1e-4..1e2:log:20"``, ``"1..9:linear:5"`` and ``"1..4"``: those of the model, and ``degree``,
        ``poly_terms``, ``basis``, ``feature``, ``standardise``, ``intercept``, ``missing``, ``missing_neighbours``, ``balanced``, ``components``, ``max_vif``.
    folds, repeats, groups, time, leave_one_out, holdout, bootstrap, hash, contiguous, seed
        How rows are left out (docs/cross_validation.md). ``groups``, ``time`` and ``hash`` are one value per row, or names of columns.
    scores : str or list of str, default=()
        The first one chooses; by itself ``mse`` of numbers, ``log_loss`` or ``accuracy`` of classes, and ``hamming_loss`` of label sets.
    one_standard_error : bool, default=False
        Choose the simplest point within one standard error of the best.
    training : bool, default=False
        Also score the rows trained on.
    refit : bool, default=True
        Fit the point chosen to all rows.
    resume : path, default=None
        A file that keeps what is done: a search that finds one goes on from it.
    n_jobs : int, default=None
        Threads; the answer has the same bits at any number.
    time_limit : float, default=None
        In seconds: what is done by then is kept.
    verbose : int or callable, default=0
        ``1`` shows a bar; a function is called with each step, and stops the search where it returns False.
    **fixed
        Other parameters of the model and options of its fits: ``standardise=True``, ``l1_share=0.5``, ``weights="w"``. Rows with several
        labels: ``label_set="tags"``, the column of a table whose cells are such as ``a|b``, or ``label_columns=["a", "b"]``, the columns of 0
        and 1 of a table, or the names of those of ``y``; with them ``label_separator``, ``chain``, ``chains``, ``chain_seed``,
        ``label_thresholds`` (a number or a dict) and ``threshold_share``, as in docs/labels.md.

    Returns
    -------
    CrossValidation

    Examples
    --------
    >>> import recta
    >>> from recta.model_selection import grid_search
    >>> search = grid_search("logistic", recta.read("iris"), target="species", positive="Iris-virginica", grid={"lambda": [0.001, 0.1]})
    >>> search.best_params_
    {'lambda': 0.001}
    """
    if time_limit is not None and not time_limit > 0:
        raise UsageError(
            "time_limit", f"a limit of {time_limit} s ends before the first fit", "allow more, or leave it out"
        )
    data, names, beside, extra = _arranged(
        X, y, target, {"groups": groups, "time": time, "hash": hash}, fixed.get("label_columns", ())
    )
    options, how = _options(fixed, names, extra), _core.CrossValidationOptions()
    options.seed, options.time_limit = seed, time_limit or 0.0
    options.threads = 0 if n_jobs is None or n_jobs < 0 else n_jobs
    how.grid = [_axis(word, name, values) for name, values in (grid or {}).items()]
    how.splits = _plan(folds, repeats, leave_one_out, time, holdout, bootstrap, hash, contiguous, seed)
    how.groups, how.time, how.id = beside["groups"], beside["time"], beside["hash"]
    how.scores = [scores] if isinstance(scores, str) else list(scores)
    how.one_standard_error, how.training, how.refit = one_standard_error, training, refit
    how.resume = "" if resume is None else os.fspath(resume)
    report = reporter(verbose)
    try:
        return CrossValidation(_core.cross_validate(word, data, options, how, report))
    finally:
        if hasattr(report, "close"):
            report.close()


def splits(
    rows: int,
    *,
    labels: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
    folds: int = 5,
    repeats: int = 1,
    leave_one_out: bool = False,
    holdout: float | None = None,
    bootstrap: int | None = None,
    contiguous: bool = False,
    seed: int = 0,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The splits of :func:`grid_search` as pairs of rows trained on and rows left out, for the ``cv`` of scikit-learn's tools.

    Every part has about the shares of the classes in ``labels``, or of every label if these are columns of 0 and 1.

    >>> from recta.model_selection import splits
    >>> [test.tolist() for _, test in splits(6, folds=3, contiguous=True)]
    [[0, 1], [2, 3], [4, 5]]
    """
    known = _core.SplitRows()
    known.rows = rows
    if labels is not None and np.ndim(labels) == 2:
        sets, labels = np.asarray(labels), None
        if not np.isin(sets, (0, 1)).all():
            raise UsageError("labels", "columns of labels hold 0 and 1", "give 1 for rows that have the label")
        if len(sets) != rows:
            raise UsageError("labels", f"there are {len(sets)} of them and {rows} rows", "give one value per row")
        known.labels, known.members = sets.shape[1], sets.astype(np.uint8).ravel().tolist()
    for name, values in (("label", labels), ("group", groups)):
        if values is not None:
            places = np.unique(np.asarray(values), return_inverse=True)[1].ravel()
            setattr(known, name, places.astype(np.float64 if name == "label" else np.int64).tolist())
    if time is not None:
        known.time = np.asarray(time, dtype=np.float64).tolist()
    for name, values in (("labels", known.label), ("groups", known.group), ("time", known.time)):
        if len(values) not in (0, rows):
            raise UsageError(name, f"there are {len(values)} of them and {rows} rows", "give one value per row")
    plan = _plan(folds, repeats, leave_one_out, time, holdout, bootstrap, None, contiguous, seed)
    return [(np.array(train), np.array(test)) for train, test in _core.splits(plan, known)]
