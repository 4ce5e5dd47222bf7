"""Fits and proofs of tables that stand in parts elsewhere: what every engine shares.

A question goes to every part and an answer comes back; what they hold is the library's business. An engine (:mod:`recta.spark`,
:mod:`recta.dask`) says how a function is run on every part, and how a part becomes an Arrow table.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from . import _core, _parameters
from ._errors import DataError, UsageError
from ._parts_of_tables import Columns, Task, dataset_of, from_ipc, slices_of

_ENUMS = ("missing", "unseen", "weights_are", "errors", "poly_terms")
_PLAIN = ("target", "weights", "offset", "positive", "class_weights", "balanced", "ignore", "poly", "basis", "feature", "intercept", "standardise",
          "tolerance", "confidence", "intervals", "condition_low", "condition_high", "seed", "params", "multiclass")


def packed(options):
    """Options as plain values, which travel; :func:`recta._parts_of_tables.unpacked` is the way back."""
    return {name: getattr(options, name) for name in _PLAIN} | {name: getattr(options, name).name for name in _ENUMS}


class RoundsEngine:
    """What the library asks for. A kind of engine has ``run(task)``, which gives what the task yields for every part."""

    def __init__(self, columns: Columns):
        self.columns = columns
        self._begin(None)

    def _begin(self, job):
        """``job``: what every part is told of the work."""
        self.job, self.first_rows, self.sample, self._edges = job, None, b"", []

    def run(self, task: Task) -> list[tuple[int, str, int, bytes]]:
        raise NotImplementedError

    def ask(self, question: bytes) -> list[bytes]:
        kind = "survey" if self.first_rows is None else "answer"
        found = self.run(Task(kind, self.columns, self.job, question, self.sample))
        if kind == "survey":
            self._surveyed(*(sorted((part, rows, from_ipc(data)) for part, what, rows, data in found if what == kind) for kind in ("head", "tail")))
        return [data for _, what, _, data in found if what == "answer"]

    def _surveyed(self, heads, tails):
        if [part for part, _, _ in heads] != list(range(len(heads))):
            raise UsageError("an engine", "its parts are not numbered from 0 on", "see whether the table is cut anew each time it is read")
        self.first_rows = np.concatenate([[0], np.cumsum([rows for _, rows, _ in heads])]).astype(np.int64)
        first = pa.concat_tables([rows for _, _, rows in heads] or [self.columns.empty()])
        self.sample = slices_of(first, [(0, min(first.num_rows, _core.sample_rows))])[0]
        ends = self.first_rows.tolist()
        self._edges = [(ends[part], rows) for part, _, rows in heads] + [(ends[part + 1] - rows.num_rows, rows) for part, _, rows in tails]

    def fetch(self, ranges: list[tuple[int, int]]):
        """Rows by their numbers; the first ones are those of the survey."""
        head = from_ipc(self.sample)
        if list(ranges) == [(0, head.num_rows)]:
            return [dataset_of(head, self.columns, "the table")]
        plan = self._plan(ranges)
        pieces = self._from_edges(plan)
        if pieces is None:
            pieces = [(part, place, from_ipc(data)) for part, _, place, data in self.run(Task("rows", self.columns, plan=plan))]
        found = [(place, table) for _, place, table in sorted(pieces, key=lambda piece: piece[:2])]
        tables = [pa.concat_tables([table for place, table in found if place == k] or [self.columns.empty()]) for k in range(len(ranges))]
        return [dataset_of(table, self.columns, "the table") for table in tables]

    def _from_edges(self, plan):
        """The rows of a plan if all of them came with the survey."""
        pieces = []
        for part, wanted in plan.items():
            for place, low, high in wanted:
                first = int(self.first_rows[part])
                edge = next(((begin, rows) for begin, rows in self._edges if begin <= first + low and first + high <= begin + rows.num_rows), None)
                if edge is None:
                    return None
                pieces.append((part, place, edge[1].slice(first + low - edge[0], high - low)))
        return pieces

    def _plan(self, ranges):
        """Of every part its rows in the ranges: the place of the range, the first row within the part, and the end."""
        plan = {}
        for place, (first, end) in enumerate(ranges):
            for part in range(int(np.searchsorted(self.first_rows, first, "right")) - 1, len(self.first_rows) - 1):
                begin, stop = (int(row) for row in self.first_rows[part : part + 2])
                low, high = max(first, begin), min(end, stop)
                if begin >= end:
                    break
                if low < high:
                    plan.setdefault(part, []).append((place, low - begin, high - begin))
        return plan

    # fits and proofs

    def fit(self, word, options, *, source, checkpoint=None, report=None, max_iter=0):
        self._begin((word, packed(options)))
        return _core.fit_rounds(_core.RoundsJob(word, options), self.columns.header(), self, source, checkpoint or "", report, max_iter)

    def verify(self, model, *, source):
        self._begin(model.to_bytes())
        return _core.verify_rounds(_core.RoundsJob.proof(model), self.columns.header(), self, source)


def fit_estimator(engine, estimator, *, label, weight, offset, source, checkpoint):
    """A fitted clone of an estimator, or of a model's word a :class:`recta.Model`."""
    if isinstance(estimator, str):
        options = _core.FitOptions()
        return _fit_word(engine, estimator, options, {}, label, weight, offset, source, checkpoint)
    if isinstance(estimator, tuple):
        return _fit_word(engine, estimator[0], _core.FitOptions(), dict(estimator[1]), label, weight, offset, source, checkpoint)
    return _fit_clone(engine, estimator, label, weight, offset, source, checkpoint)


def _fit_word(engine, word, options, params, label, weight, offset, source, checkpoint):
    from ._model import Model

    options.target, options.weights, options.offset, options.params = [label] if label else [], weight or "", offset or "", params
    return Model(engine.fit(word, options, source=source, checkpoint=checkpoint).model)


def _fit_clone(engine, estimator, label, weight, offset, source, checkpoint):
    from sklearn.base import clone

    fitted = clone(estimator)
    if not hasattr(fitted, "_word"):
        raise UsageError(type(estimator).__name__, "this estimator is not one of Recta's", "take one of recta.linear_model, say")
    features = engine.columns.feature_names()
    fitted.n_features_in_, fitted.feature_names_in_ = len(features), np.array(features, dtype=object)
    if hasattr(fitted, "_solved"):
        return _solve_clone(engine, fitted, label, weight, offset, source, checkpoint)
    if not hasattr(fitted, "_learned") or not hasattr(fitted, "_params"):
        raise UsageError(type(estimator).__name__, "it is not fitted by an engine",
                         "fit it on one machine, or name a model by its word (docs/cluster.md)")
    return _count_clone(engine, fitted, label, weight, source, checkpoint)


def _weigh_classes(options, class_weight):
    if isinstance(class_weight, str) and class_weight == "balanced":
        options.balanced = True
    elif class_weight is not None:
        options.class_weights = [(str(label), float(factor)) for label, factor in class_weight.items()]


def _solve_clone(engine, fitted, label, weight, offset, source, checkpoint):
    if hasattr(type(fitted), "classes_") and not hasattr(fitted, "_weigh"):
        raise UsageError(type(fitted).__name__, "its classes are targets of -1 and 1, which an engine does not make",
                         "take LogisticRegression, or LinearDiscriminantAnalysis")
    options = _parameters.fit_options(fitted)
    options.target, options.weights, options.offset = [label], weight or "", offset or ""
    _weigh_classes(options, getattr(fitted, "class_weight", None))
    fitted._dtype, fitted._deadline = np.dtype(np.float64), None

    def fit(some=None, how=None, weights=None, word=fitted._word):
        if how is not None:
            raise UsageError(type(fitted).__name__, "it follows a path of penalties, which an engine does not", "give one penalty, and cross_validate")
        try:
            return engine.fit(word, options, source=source, checkpoint=checkpoint, max_iter=_parameters.max_iter(fitted, 1))
        except DataError as error:  # how many classes there are is known after the survey
            other = [one for one in getattr(fitted, "_file_words", ()) if one != word]
            if not other or "classes, and" not in error.what:
                raise
            fitted._word = other[0]
            return engine.fit(fitted._word, options, source=source, checkpoint=checkpoint, max_iter=_parameters.max_iter(fitted, 1))

    fit.columns = engine.columns.feature_names
    outcome = fitted._solved(fit, options, fitted._params(), (1,))
    fitted._learned(outcome.model, (outcome.model.rows,))
    fitted.trace_ = outcome.trace
    return fitted


def _count_clone(engine, fitted, label, weight, source, checkpoint):
    from inspect import signature

    from ._labels import ClassLabels
    from ._tensors import tensors

    if getattr(fitted, "priors", None) is not None or getattr(fitted, "class_prior", None) is not None:
        raise UsageError(type(fitted).__name__, "priors are given by class, and the classes are not known yet",
                         'name the model by its word: fit(df, ("lda", {"priors": "uniform"}), ...)')
    of_rows = np.empty((1, fitted.n_features_in_))
    options = _core.FitOptions()
    options.params = fitted._params(of_rows) if signature(fitted._params).parameters else fitted._params()
    options.target, options.weights = [label], weight or ""
    for name, value in (fitted._options() if hasattr(fitted, "_options") else {"weights_are": _core.WeightMeaning.frequency}).items():
        setattr(options, name, value)
    model = engine.fit(fitted._word, options, source=source, checkpoint=checkpoint).model
    fitted._model, fitted.classes_ = model, ClassLabels.of_model(model).classes
    fitted._learned(tensors(model))
    return fitted


def core_of(model):
    """The library's model of an estimator, or of a :class:`recta.Model`."""
    from ._rows import core_of as found

    return found(model)


def columns_asked(schema, features, *roles):
    """The columns of features, by default all that play no other part."""
    used = [role for role in roles if role]
    names = list(schema) if features is None else list(features)
    chosen = [name for name in names if name not in used] if features is None else names
    for name in [*chosen, *used]:
        if name not in schema:
            raise DataError(f"column {name}", "the table has none of this name", f"it has {', '.join(list(schema)[:20])}")
    if len({*chosen, *used}) < len(chosen) + len(used):
        raise UsageError("columns", "a column plays two parts", "name features, label, weight and offset apart")
    return chosen, used
