"""scikit-learn's callbacks, which it has from 1.9 on: a fit is a task, and within it so is each stage and each pass over the rows.

A callback that returns True at the end of a task ends the fit: the estimator has the best answer so far, and its certificate says how far
from the optimum that is.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

MYPY = False
ABSENT = MYPY  # mypy does not know scikit-learn
if not MYPY:
    try:
        from sklearn.callback import CallbackSupportMixin, with_callbacks
    except ImportError:  # an earlier scikit-learn, in which no estimator has callbacks
        ABSENT = True
if MYPY or ABSENT:

    class CallbackSupportMixin:
        """Without ``set_callbacks``."""

    def with_callbacks(method):
        return method


Fit = TypeVar("Fit", bound=Callable[..., Any])


class FitTask:
    """The task of a whole fit."""

    def __init__(self, estimator, X, y, sample_weight):
        self.estimator = estimator
        self.data = {"X": X, "y": y, "metadata": None if sample_weight is None else {"sample_weight": sample_weight}}
        self.context = estimator._init_callback_context(max_subtasks=None)
        self.context.call_on_fit_task_begin(estimator=estimator, **self.data)
        self.parts = None

    def reporter(self, report):
        """What the library is to call; ``report``, where it is not None, is called too."""
        self.parts = PartTasks(self, report)
        return self.parts

    def end(self):
        if self.parts is not None:
            self.parts.end()
        self.context.call_on_fit_task_end(estimator=self.estimator, **self.data, reconstruction_attributes={})


class PartTasks:
    """The tasks within a fit, one after the other."""

    each_pass = True  # the library then calls at the beginning of every pass

    def __init__(self, whole, report):
        self.whole, self.report = whole, report
        self.place, self.context, self.stopped = None, None, False

    def __call__(self, step):
        place = step.stage, step.passes
        if place != self.place:
            self.end()
            self.place = place
            self.context = self.whole.context.subcontext(task_name=step.stage)
            self.context.call_on_fit_task_begin(estimator=self.whole.estimator, **self.whole.data)
        told = None if self.report is None else self.report(step)
        return not self.stopped and told is not False

    def end(self):
        if self.context is not None:
            self.stopped |= self.context.call_on_fit_task_end(estimator=self.whole.estimator, **self.whole.data)
            self.context = None


def reporting(estimator, report):
    """``report``, or where the fit is a task what reports its parts, to ``report`` as well."""
    return report if estimator._task is None else estimator._task.reporter(report)


def as_task(fit: Fit) -> Fit:
    """The decorator of ``fit``: callbacks that were set are told of it and of its parts."""

    @functools.wraps(fit)
    def told(self, *arguments, **others):
        if "_skl_callbacks" not in self.__dict__:
            return fit(self, *arguments, **others)
        given = inspect.signature(fit).bind(self, *arguments, **others).arguments
        return _in_task(
            self,
            functools.partial(fit, self, *arguments, **others),
            given["X"],
            given.get("y"),
            given.get("sample_weight"),
        )

    return told  # type: ignore[return-value]


@with_callbacks
def _in_task(estimator, fit, X, y, sample_weight):
    estimator._task = FitTask(estimator, X, y, sample_weight)
    try:
        fit()
        task = estimator._task
    finally:
        del estimator._task
    task.end()
    return estimator
