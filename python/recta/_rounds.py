"""Fits and proofs of tables that stand in parts elsewhere: what every engine shares.

A question goes to every part and an answer comes back; what they hold is the library's business. An engine (:mod:`recta.spark`,
:mod:`recta.dask`) says how a function is run on every part, and how a part becomes an Arrow table.
"""

from __future__ import annotations

import warnings
from inspect import signature
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from . import _core, _parameters
from ._errors import DataError, UsageError
from ._parts_of_tables import KINDS, ROWS, Columns, Task, dataset_of, from_ipc, slices_of
from ._progress import reporter

_SOURCE = "the table"  # its name in messages
# Every option of a fit travels, except those that an engine does not take (cluster, columns that are dropped or joined), and those of
# this machine: its threads and memory, and the time, which is looked at here.
_COLUMNS = ("target", "label_set", "label_columns", "weights", "offset", "ignore", "text")  # that the arguments of a fit name
_PLAIN = (*_COLUMNS, "positive", "class_weights", "balanced", "poly", "basis", "feature", "intercept", "standardise",
          "tolerance", "confidence", "intervals", "condition_low", "condition_high", "seed", "params", "multiclass",
          "label_separator", "chain", "chains", "chain_seed", "label_thresholds", "threshold_share")


def packed(options):
    """Options as plain values, which travel; :func:`recta._parts_of_tables.unpacked` is the way back."""
    return {name: getattr(options, name) for name in _PLAIN} | {name: getattr(options, name).name for name in KINDS}


class RoundsEngine:
    """What the library asks for. A kind of engine has ``run(task)``, which gives what the task yields for every part."""

    kept_as: str | None = None  # the name under which processes keep parts between rounds, if they do

    def __init__(self, columns: Columns):
        self.columns = columns
        self._begin(None)

    def _begin(self, job):
        """``job``: what every part is told of the work."""
        self.job, self.first_rows, self.sample, self._edges, self.rounds = job, None, b"", [], 0

    def run(self, task: Task) -> list[tuple[int, str, int, bytes]]:
        raise NotImplementedError

    def ask(self, question: bytes) -> list[bytes]:
        kind = "survey" if self.first_rows is None else "answer"
        self.rounds += kind == "answer"
        found = self.run(Task(kind, self.columns, self.job, question, self.sample, kept_as=self.kept_as))
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
            return [dataset_of(head, self.columns, _SOURCE)]
        plan = self._plan(ranges)
        pieces = self._from_edges(plan)
        if pieces is None:
            pieces = [(part, place, from_ipc(data)) for part, _, place, data in self.run(Task("rows", self.columns, plan=plan))]
        found = [(place, table) for _, place, table in sorted(pieces, key=lambda piece: piece[:2])]
        tables = [pa.concat_tables([table for place, table in found if place == k] or [self.columns.empty()]) for k in range(len(ranges))]
        return [dataset_of(table, self.columns, ROWS) for table in tables]

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
        """For every part the rows that the ranges take of it: the place of the range, the first row within the part, and the end."""
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

    def fit(self, word, options, asked, report=None, max_iter=0):
        """``asked``: has the checkpoint, and whether the fit ends with it."""
        self.columns.texts = frozenset(one["column"] for one in options.text)
        self._begin((word, packed(options)))
        outcome = _core.fit_rounds(_core.RoundsJob(word, options), self.columns.header(), self, _SOURCE, asked.checkpoint or "", asked.best_so_far, report,
                                   max_iter)
        if outcome.raised is not None:  # Ctrl-C, or a callback; what is kept is the checkpoint
            raise outcome.raised
        return outcome

    def verify(self, model):
        self.columns.texts = frozenset(model.texts)
        self._begin(model.to_bytes())
        return _core.verify_rounds(_core.RoundsJob.proof(model), self.columns.header(), self, _SOURCE)


_MISSING = ("refuse", "drop", "mean", "indicator", "skip")


class Asked(NamedTuple):
    """The columns that are no features, and what else a caller says."""

    label: str | tuple[str, ...] | None = None  # several: a column of 0 and 1 for each label of a set
    weight: str | None = None
    offset: str | None = None
    checkpoint: str | None = None
    missing: str | None = None  # None: as the model treats missing values by default
    text: tuple[dict, ...] = ()  # columns of documents, with their settings
    best_so_far: bool = False  # the fit ends where the checkpoint does

    def fill(self, options):
        """Cells hold sets of labels if something separates them."""
        if isinstance(self.label, tuple):
            options.label_columns = list(self.label)
        elif options.label_separator:
            options.label_set = self.label or ""
        else:
            options.target = [self.label] if self.label else []
        options.weights, options.offset = self.weight or "", self.offset or ""
        options.text = list(self.text)
        if self.missing is not None:
            if self.missing not in _MISSING:
                raise UsageError("missing", f"{self.missing!r} is none of the ways to treat missing values by an engine", f"give one of {', '.join(_MISSING)}")
            options.missing = getattr(_core.Missing, self.missing)


def texts_asked(text):
    """Columns of documents with their settings: of a name, of several, or of names with settings."""
    named = {text: {}} if isinstance(text, str) else text if isinstance(text, dict) else dict.fromkeys(text or (), {})
    return tuple({"column": name, **settings} for name, settings in named.items())


def with_texts(features, texts):
    """The features, and the columns of documents behind them."""
    return [*features, *(one["column"] for one in texts if one["column"] not in features)]


def options_of(given):
    """The options of a fit by a model's word: some of what is given are options of every fit, the others are the model's own parameters."""
    options, own = _core.FitOptions(), {*_PLAIN, *KINDS} - {*_COLUMNS, "params"}
    options.params = {name: value for name, value in given.items() if name not in own}
    for name in own & {*given}:
        value = given[name]
        if name in KINDS:
            known = list(KINDS[name].__members__)
            if value not in known:
                raise UsageError(name, f"{value!r} is none of its values", f"give one of {', '.join(known)}")
            value = getattr(KINDS[name], value)
        setattr(options, name, list(value.items()) if isinstance(value, dict) else value)
    return options


def fit_estimator(engine, estimator, asked: Asked):
    """A fitted clone of an estimator; of a model's word, alone or with parameters and options, a :class:`recta.Model`."""
    if isinstance(estimator, str | tuple):
        from ._model import Model

        word, params = (estimator, {}) if isinstance(estimator, str) else estimator
        options = options_of(params)
        asked.fill(options)
        return with_vectors(Model(engine.fit(word, options, asked).model), engine)
    if asked.text:
        raise UsageError(type(estimator).__name__, "columns of documents are read by models that are named by their words",
                         'fit(df, ("naive-bayes", {"likelihood": "multinomial"}), text="body", ...), say')
    from sklearn.base import clone

    from ._label_sets import LabelSetClassifier

    fitted = clone(estimator)
    if isinstance(fitted, LabelSetClassifier):
        from ._label_sets_in_parts import fit_label_sets

        warn_if_stopped(fit_label_sets(engine, fitted, asked))
        return with_vectors(fitted, engine)
    if isinstance(asked.label, tuple):
        raise UsageError("label", f"several columns are named, and {type(estimator).__name__} learns one",
                         "take LabelSetClassifier(...) of recta.multioutput for columns of 0 and 1, or fit one model for each: "
                         "{name: fit(df, estimator, features=features, label=name) for name in labels}")
    if hasattr(fitted, "estimator"):
        raise UsageError(type(estimator).__name__, "an engine does not fit what is made of other estimators",
                         'name the model by its word: fit(df, ("logistic", {"multiclass": "ova"}), ...)')
    if not hasattr(fitted, "_word"):
        raise UsageError(type(estimator).__name__, "this estimator is not one of Recta's", "take one of recta.linear_model, say")
    name_features(fitted, engine)
    if hasattr(fitted, "_solved"):
        _solve(engine, fitted, asked)
    elif hasattr(fitted, "_learned") and hasattr(fitted, "_params"):
        _count(engine, fitted, asked)
    else:
        raise UsageError(type(estimator).__name__, "it is not fitted by an engine",
                         "fit it on one machine, or name a model by its word (docs/cluster.md)")
    warn_if_stopped(fitted)
    return with_vectors(fitted, engine)


def name_features(fitted, engine):
    """Tells an estimator which columns it reads."""
    features = engine.columns.feature_names()
    fitted.n_features_in_ = len(features)
    if engine.columns.named:
        fitted.feature_names_in_ = np.array(features, dtype=object)


def warn_if_stopped(fitted):
    if fitted.certificate_.verdict == "stopped_early":
        from sklearn.exceptions import ConvergenceWarning

        warnings.warn(fitted.certificate_.sentence, ConvergenceWarning, stacklevel=4)


def with_vectors(model, engine):
    """The model, with the names of the columns that its sparse vectors came from: the file of a model has only their numbers."""
    if engine.columns.sparse:
        model.vectors_ = list(engine.columns.sparse)
    return model


def _weigh_classes(options, class_weight):
    if isinstance(class_weight, str) and class_weight == "balanced":
        options.balanced = True
    elif class_weight is not None:
        options.class_weights = [(str(label), float(factor)) for label, factor in class_weight.items()]


def _solve(engine, fitted, asked):
    """A model that is solved for: those of recta.linear_model."""
    if hasattr(type(fitted), "classes_") and not hasattr(fitted, "_weigh"):
        raise UsageError(type(fitted).__name__, "its classes are targets of -1 and 1, which an engine does not make",
                         "take LogisticRegression, or LinearDiscriminantAnalysis")
    options = _parameters.fit_options(fitted)
    asked.fill(options)
    _weigh_classes(options, getattr(fitted, "class_weight", None))
    fitted._dtype, fitted._deadline = np.dtype(np.float64), None
    report, params = reporter(fitted.verbose), fitted._params()  # which may choose the word

    def fit(some=None, how=None, weights=None, word=fitted._word):
        if how is not None:
            raise UsageError(type(fitted).__name__, "it follows a path of penalties, which an engine does not", "give one penalty, and cross_validate")
        words = [word, *(one for one in getattr(fitted, "_file_words", ()) if one != word)]
        for fitted._word in words:
            try:
                return engine.fit(fitted._word, options, asked, report, _parameters.max_iter(fitted, 1))
            except DataError:  # logistic or softmax: how many classes there are is known after the survey
                if engine.rounds > 0 or fitted._word == words[-1]:
                    raise
        raise AssertionError("a model has a word")

    fit.columns = engine.columns.feature_names
    outcome = fitted._solved(fit, options, params, (1,))
    fitted._learned(outcome.model, (outcome.model.rows,))
    fitted.trace_ = outcome.trace


def _count(engine, fitted, asked):
    """A model of counts or moments: naive Bayes, discriminants."""
    from ._labels import ClassLabels
    from ._tensors import tensors

    if getattr(fitted, "priors", None) is not None or getattr(fitted, "class_prior", None) is not None:
        raise UsageError(type(fitted).__name__, "priors are given by class, and the classes are not known yet",
                         'name the model by its word: fit(df, ("lda", {"priors": "uniform"}), ...)')
    if asked.missing == "indicator":
        raise UsageError("missing", f"the columns that tell where numbers were missing are none of {type(fitted).__name__}'s features",
                         f'take missing="mean", or name the model by its word: fit(df, "{fitted._word}", missing="indicator", ...)')
    options = _core.FitOptions()
    options.params = fitted._params(np.empty((1, fitted.n_features_in_))) if signature(fitted._params).parameters else fitted._params()
    for name, value in (fitted._options() if hasattr(fitted, "_options") else {"weights_are": _core.WeightMeaning.frequency}).items():
        setattr(options, name, value)
    asked.fill(options)
    model = engine.fit(fitted._word, options, asked).model
    fitted._model, fitted.classes_ = model, ClassLabels.of_model(model).classes
    fitted._learned(tensors(model))


def core_of(model):
    """The library's model of an estimator, or of a :class:`recta.Model`."""
    from ._rows import core_of as found

    return found(model)


def names_of(role):
    """The columns that play a part: none, one, or several."""
    return [role] if isinstance(role, str) and role else list(role or ())


def label_of(label):
    """A label as it is asked for: several names are those of a set."""
    return label if label is None or isinstance(label, str) else tuple(label)


def columns_asked(schema, features, *roles):
    """The columns of features, by default all that play no other part. A role is that of a column, or of several."""
    used = [name for role in roles for name in names_of(role)]
    names = list(schema) if features is None else list(features)
    chosen = [name for name in names if name not in used] if features is None else names
    for name in [*chosen, *used]:
        if name not in schema:
            raise DataError(f"column {name}", "the table has none of this name", f"it has {', '.join(list(schema)[:20])}")
    if not chosen:
        raise UsageError("features", "no column is left for them", "name some: features=[...]")
    if len({*chosen, *used}) < len(chosen) + len(used):
        raise UsageError("columns", "a column plays two parts", "name features, label, weight and offset apart")
    return chosen, used


def features_of(core, names):
    """The columns of a table that a model reads by their names, those of documents last, and how many numbers each vector among them must have: NAME_0,
    NAME_1, ... are NAME's."""
    features, widths = [], {}
    for name in core.columns[: len(core.columns) - core.sparse_columns]:
        vector, _, place = name.rpartition("_")
        if name in names:
            features.append(name)
        elif vector in names and place.isdecimal() and int(place) == widths.get(vector, 0):
            if vector not in widths:
                features.append(vector)
            widths[vector] = int(place) + 1
        else:
            raise DataError(f"column {name}", "the model reads it, and the table has none of this name", f"it has {', '.join(list(names)[:20])}")
    for name in core.texts:
        if name not in names:
            raise DataError(f"column {name}", "the model reads documents there, and the table has none of this name", f"it has {', '.join(list(names)[:20])}")
    return [*features, *core.texts], widths


def vectors_of(model, names, found, vectors=None):
    """The columns of vectors that a model reads its sparse columns from: those that are asked for, those of its fit, or the only one of the table.

    ``found``: the columns of vectors that the table has.
    """
    core = core_of(model)
    if core.sparse_columns == 0:
        return []
    others = {*core.columns[: len(core.columns) - core.sparse_columns], *core.targets, core.weights, core.offset}
    free = [name for name in found if name not in others]
    chosen = list(vectors or getattr(model, "vectors_", free))
    for name in chosen:
        if name not in names:
            raise DataError(f"column {name}", "the model reads vectors there, and the table has none of this name", f"it has {', '.join(list(names)[:20])}")
    if not vectors and not hasattr(model, "vectors_") and len(free) != 1:
        raise UsageError("vectors", f"the model reads {core.sparse_columns} sparse columns, and the table has {len(free)} columns of vectors",
                         "name those of the fit, in its order: vectors=[...]")
    return chosen


def check_vectors(core, columns):
    """Refuses sparse vectors that are not as long as the model's."""
    total = sum(columns.widths[name] for name in columns.sparse)
    if total != core.sparse_columns:
        raise DataError(f"column {', '.join(columns.sparse)}", f"its vectors have {total} numbers", f"those of the model have {core.sparse_columns}")


def check_widths(columns, widths):
    """Refuses vectors that are not as long as the model's. Those that stay sparse are not looked at."""
    for name in {*columns.widths, *widths}.difference(columns.sparse):
        found, wanted = columns.widths.get(name, 1), widths.get(name, 1)
        if found != wanted:
            raise DataError(f"column {name}", f"its vectors have {found} numbers", f"those of the model have {wanted}")
