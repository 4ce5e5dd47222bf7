"""The rows a model was trained on, given again: for proofs, diagnosis and standard errors."""

import numpy as np

from recta import _core
from recta._base.errors import DataError, UsageError

from .input import (
    PLAIN_NAME,
    arranged,
    array_or_parts,
    checked_offset,
    column_names,
    free_name,
    plain_array,
    table_of,
    training_columns,
)


class Rows:
    """X, y and weights as the library reads them: a table where X has categories, else arrays."""

    def __init__(self, X, y, sample_weight=None, offset=None):
        y = np.asarray(y)
        self.y = y if y.dtype in (np.float64, np.float32) else y.astype(np.float64)
        self.weights = (
            None
            if sample_weight is None
            else np.ascontiguousarray(np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(self.y)))
        )
        self.offset = checked_offset(offset, len(self.y))
        self.is_table, x, names = arranged(X)
        self.names = names or column_names(X) or []
        self.x = x if self.is_table else array_or_parts(plain_array(x))

    def table(self, targets=(), y=None):
        """The table, the names of its targets and of its weights."""
        return table_of(training_columns(self.x, self.weights), self.y if y is None else y, self.weights, targets)

    def fitted(self, word, options, cluster=None, names=None):
        """A model of these rows."""
        if not self.is_table:
            names = [str(name) for name in (self.names if names is None else names)]
            return _core.fit(word, self.x, array_or_parts(self.y), self.weights, names, options, cluster=cluster).model
        data, options.target, options.weights = self.table(options.target)
        if cluster is not None:
            options.cluster = free_name("cluster", {*data.names})
            data.extend([(options.cluster, cluster.astype(np.float64))])
        return _core.fit_table(word, data, options).model

    def diagnosed(self, model):
        if self.is_table:
            return _core.diagnose_table(model, self.table(model.targets)[0])
        return _core.diagnose(model, self.x, array_or_parts(self.y), self.weights)


def core_of(model):
    """What an estimator or a recta.Model holds."""
    core = getattr(model, "_model", None) or getattr(model, "_core", None)
    if not isinstance(core, _core.Model):
        raise UsageError(
            "model", f"{model!r} is not a fitted model of one objective", "fit it first, or recta.load a file"
        )
    return core


def is_unnamed(model):
    return all(PLAIN_NAME.fullmatch(name) for name in model.columns)


def cluster_codes(cluster, rows):
    """One whole number per row, the same for equal values."""
    values = np.asarray(cluster)
    if values.shape != (rows,):
        raise ValueError(f"cluster has shape {values.shape}: one value per row is needed, {rows} in all")
    bad = np.array([value is None or value != value for value in values.tolist()])
    if bad.any():
        raise ValueError(
            f"cluster is missing at row {int(np.argmax(bad)) + 1}: every row belongs to one; remove the row"
        )
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def same_order(model):
    """Options that make this model from its rows once more."""
    options = _core.FitOptions()
    options.target, options.params = model.targets, model.params
    options.basis = [text for text, in_place in model.maps if in_place]
    options.feature = [text for text, in_place in model.maps if not in_place]
    options.intercept, options.confidence, options.weights_are = (
        model.has_intercept,
        model.confidence,
        model.weights_are,
    )
    options.tolerance = model.certificate.tolerance
    return options


def refitted(model, rows, errors="classical", cluster=None, names=None):
    """The same model of the same rows with other standard errors, or other names of its columns."""
    options = same_order(model)
    options.errors = errors
    if names is None:
        names = [] if is_unnamed(model) else model.columns
    again = rows.fitted(model.word, options, cluster, names)
    if again.fingerprint != model.fingerprint:
        raise DataError(
            "X, y",
            "these are not the rows that the model was trained on",
            "give X, y and sample_weight as fit had them",
        )
    return again
