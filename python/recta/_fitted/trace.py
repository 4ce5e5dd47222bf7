"""Descents with every step on record. scikit-learn is not needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from recta import _core
from recta._base.page import Page
from recta._data.input import array_or_parts
from recta._data.rows import Rows

if TYPE_CHECKING:
    from pandas import DataFrame
else:  # not imported before it is needed
    DataFrame = Any


class Trace(Page):
    """What :func:`trace` recorded; prints as ``recta trace`` does.

    Attributes
    ----------
    step : ndarray of int
        Changes of the weights so far; the start is 0.
    rows : ndarray of int
        Rows presented so far, the clock of rates that decay.
    rate, cost, gradient_norm : ndarray
        Cost and gradient are those of ``objective`` over all rows.
    coef : ndarray of shape (n_steps, n_features)
        Of (x - mean) / sd where ``standardised``.
    intercept : ndarray
    answer : tuple of ndarray and float
        Weights and intercept where it ended, or their mean with ``average=True``.
    row, correct, total : ndarray, ndarray, int
        Of perceptrons and the delta rule: the row learned from, numbered from 1 (0: none, or more than one); the rows predicted
        right at each step; and all rows. None for others.
    label
        Of one class against the rest, that class; else None.

    Examples
    --------
    >>> import recta
    >>> print(recta.trace("linear", [[1.0], [2.0]], [1.0, 3.0], rate=0.5, steps=2))
    linear of y by gradient-descent
    <BLANKLINE>
    step  rate   |move|      cost  |gradient|  (intercept)      x1
       0                      2.5     4.03113            0       0
       1   0.5  2.01556   1.32812     2.87772            1    1.75
       2   0.5  1.43886  0.727539     2.05515       0.1875  0.5625
    <BLANKLINE>
    objective  F(w, b) = sum_i s_i (y_i - b - <w, x_i>)^2 / 2,  s_i = weight_i / sum of weights
    rate       a constant rate below 0.583592 is safe
    <BLANKLINE>
    Ended: 2 steps; cost 0.727539.
    """

    def __init__(self, core, curve=None, label=None):
        self._core, self._curve, self.label = core, curve, label
        core.label = "" if label is None else str(label)
        self.row, self.correct, self.total = None, None, None
        if curve is not None:
            self.row, self.correct, self.total = np.array(curve.row), np.array(curve.correct), curve.rows
        self.step, self.rows = core.step.astype(np.int64), core.rows.astype(np.int64)
        self.rate, self.cost, self.gradient_norm = core.rate, core.cost, core.gradient_norm
        self.coef, self.intercept = core.weights, core.intercept
        self.answer = core.answer_weights, core.answer_intercept
        self.feature_names = list(core.features)

    @property
    def solver(self) -> str:
        """The word of the descent."""
        return self._core.solver

    @property
    def objective(self) -> str:
        """What is minimised, as a formula."""
        return self._core.objective

    @property
    def standardised(self) -> bool:
        """Whether weights are those of (x - mean) / sd."""
        return self._core.standardised

    @property
    def safe_rate(self) -> float:
        """A constant rate below it does not diverge; nan of poisson and gamma, where none is safe from every start, and of newton."""
        return self._core.safe_rate

    @property
    def stop(self) -> str:
        """Why it ended."""
        return self._core.stop

    @property
    def diverged(self) -> bool:
        """Whether it ended because the cost rose without end."""
        return self._core.diverged

    def frame(self) -> DataFrame:
        """All steps as a pandas frame, whose index are the steps."""
        import pandas

        columns = {} if self.correct is None else {"presented": self.rows, "row": self.row, "correct": self.correct}
        columns |= {"rate": self.rate, "cost": self.cost, "gradient_norm": self.gradient_norm}
        if self._core.has_intercept:
            columns["(intercept)"] = self.intercept
        columns |= {name: self.coef[:, j] for j, name in enumerate(self.feature_names)}
        return pandas.DataFrame(columns, index=self.step)

    def _document(self):
        return _core.document_of_trace(self._core) if self._curve is None else _core.document_of_curve(self._curve)


def trace(
    word: str,
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    fit_intercept: bool = True,
    standardise: bool = False,
    every: int = 1,
    seed: int = 0,
    time_limit: float = 0,
    n_jobs: int = 0,
    **params: Any,
) -> Trace | dict[Any, Trace]:
    """Descends on the cost of a model and records the steps, as ``recta trace`` does.

    Parameters
    ----------
    word : {'linear', 'ridge', 'adaline', 'huber', 'poisson', 'gamma', 'logistic', 'softmax', 'svm', 'perceptron', 'delta'}
    X : array-like, sparse array or frame of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        For classifiers, labels of any kind; the columns of softmax are named by them.
    sample_weight : array-like of shape (n_samples,), default=None
    fit_intercept : bool, default=True
    standardise : bool, default=False
        Descend on (x - mean) / sd.
    every : int, default=1
        Record one step in this many, and the last.
    seed : int, default=0
        Of a random start and of random orders.
    time_limit : float, default=0
        Seconds; 0: none.
    n_jobs : int, default=0
        Threads; 0: all cores.
    **params
        Those of the command line, with ``_`` for ``-``: ``solver='gradient-descent'``, ``'sgd'``, ``'accelerated'``, ``'svrg'``,
        ``'saga'`` or, except for squares, ``'newton'``; ``rate``, ``schedule``, ``c``, ``reduction``, ``batch``, ``order``, ``start``, ``average``, ``steps``,
        ``passes``, ``stop_move``, ``stop_gradient``; ``lambda2`` or ``tau`` of all but linear and
        adaline; ``delta`` of huber; ``variant`` of the perceptron; of svm ``solver='projected-gradient'`` or ``'course'``, ``C`` or
        ``hard=True``, ``kernel``. What svm records are the weights of a linear machine, then the multiplier of every row.
        docs/descent.md and docs/perceptron.md explain them.

    Returns
    -------
    trace : Trace, or dict of Trace
        A dict by class where a perceptron or a delta rule has more than two: each learns against the rest. With one class alone
        it is ``recta.trace("perceptron", X, y == label)``, and so for logistic.

    Examples
    --------
    >>> import recta
    >>> found = recta.trace("linear", [[1.0]], [0.0], fit_intercept=False, start="10", rate=0.4, steps=3)
    >>> found.coef[:, 0].round(9).tolist(), found.cost.round(9).tolist()
    ([10.0, 6.0, 3.6, 2.16], [50.0, 18.0, 6.48, 2.3328])
    >>> recta.trace("linear", [[1.0]], [0.0], fit_intercept=False, start="10", rate=3, steps=100).stop
    'diverged at the rate 3; a constant rate below 2 is safe'
    >>> found = recta.trace("logistic", [[1.0]] * 4, [1, 1, 1, 0], fit_intercept=False, solver="newton", steps=3)
    >>> found.coef[:, 0].round(7).tolist()  # towards log 3
    [0.0, 1.0, 1.0963391, 1.098611]
    >>> found = recta.trace("perceptron", [[1.0], [2.0], [3.0]], ["a", "b", "c"], order="cyclic", passes=30)
    >>> {label: (one.correct[-1].item(), one.stop) for label, one in found.items()}
    {'a': (3, 'a pass without a mistake'), 'b': (1, '30 passes'), 'c': (3, 'a pass without a mistake')}
    """
    options = _core.FitOptions()
    options.intercept, options.standardise, options.seed = bool(fit_intercept), bool(standardise), int(seed)
    options.time_limit, options.threads = float(time_limit), int(n_jobs)
    options.params = {name.replace("_", "-"): descent_value(value) for name, value in params.items()}
    if word in ("perceptron", "delta"):
        labels = np.asarray(y)
        labels = labels.reshape(len(labels))
        classes = _present(labels, sample_weight)
        if len(classes) <= 2:
            return _traced(word, X, _signs(labels, classes), sample_weight, options, every)
        return {
            label: _traced(word, X, np.where(labels == label, 1.0, -1.0), sample_weight, options, every, label)
            for label in classes.tolist()
        }
    classes = None
    if word in ("logistic", "softmax"):
        classes, places = np.unique(np.asarray(y), return_inverse=True)
        y = places.astype(np.float64)
    traced = _traced(word, X, y, sample_weight, options, every)
    if word == "softmax" and classes is not None:
        named = [name.split(": ", 1) for name in traced.feature_names]
        traced.feature_names = traced._core.features = [f"{classes[int(place)]}: {name}" for place, name in named]
    return traced


def _traced(word, X, y, sample_weight, options, every, label=None):
    learns = word in ("perceptron", "delta")
    rows = Rows(X, y, sample_weight)
    if rows.is_table:
        data, options.target, options.weights = rows.table()
        found = (_core.training_curve_table if learns else _core.trace_table)(word, data, options, int(every))
    else:
        work, names = _core.training_curve if learns else _core.trace, [str(name) for name in rows.names]
        found = work(word, rows.x, array_or_parts(rows.y), rows.weights, names, options, int(every))
    return Trace(found.trace, found, label) if learns else Trace(found)


def _present(labels, sample_weight):
    """The classes of rows that are there: those of weight zero are absent."""
    there = labels if sample_weight is None else labels[np.broadcast_to(np.asarray(sample_weight) > 0, len(labels))]
    return np.unique(there)


def _signs(labels, classes):
    """Two classes as 1 and -1, the second in order 1; fewer as they are, to be refused."""
    return (
        np.where(labels == classes[1], 1.0, -1.0)
        if len(classes) == 2
        else np.unique(labels, return_inverse=True)[1].astype(np.float64)
    )


def descent_value(value):
    """A setting of a descent as the library takes it."""
    if isinstance(value, (bool, str)):
        return value
    if np.ndim(value) == 1:  # a start
        return ",".join(repr(float(number)) for number in value)
    return float(value)
