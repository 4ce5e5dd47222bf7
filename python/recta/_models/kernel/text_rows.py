"""Texts and graphs as rows of kernel models: ``SVC(kernel="string:subsequence").fit(texts, y)``.

The model is one of the matrix of the kernel, which keeps the texts to compare others with.
"""

from __future__ import annotations

from functools import wraps
from typing import Any, TypeVar

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from .text_kernels import GraphKernel, StringKernel, TextKernel

Estimator = TypeVar("Estimator", bound=type)

_CLASSES = {"string": StringKernel, "graph": GraphKernel}
_METHODS = ("predict", "decision_function", "transform")


def kernel_of_texts(estimator: Any) -> TextKernel | None:
    """The kernel of texts that an estimator asks for, with its defaults if it is a word; None: it is one of numbers."""
    kernel = getattr(estimator, "kernel", None)
    if isinstance(kernel, TextKernel):
        return clone(kernel)
    prefix, colon, kind = kernel.partition(":") if isinstance(kernel, str) else ("", "", "")
    return _CLASSES[prefix](kind, n_jobs=getattr(estimator, "n_jobs", None)) if colon and prefix in _CLASSES else None


def _fit(self, X, arguments, others):
    kernel = kernel_of_texts(self)
    values = kernel.fit_transform(X)
    machine = clone(self).set_params(kernel="precomputed")
    machine.fit(values, *arguments, **others)
    own = {*self.get_params(deep=False), "n_features_in_", "feature_names_in_"}
    self.__dict__.update({name: value for name, value in machine.__dict__.items() if name not in own})
    self._machine, self._text_kernel = machine, kernel
    texts = np.array(kernel.texts_, dtype=object)
    if hasattr(machine, "support_vectors_"):
        self.support_vectors_ = texts[machine.support_]
    if hasattr(machine, "X_fit_"):
        self.X_fit_ = texts
    return self


def reads_texts(estimator: Estimator) -> Estimator:
    """Lets the methods of a kernel model take texts where its kernel is one of texts."""
    fit = estimator.fit

    @wraps(fit)
    def fit_texts(self, X, *arguments, **others):
        self.__dict__.pop("_text_kernel", None)
        return fit(self, X, *arguments, **others) if kernel_of_texts(self) is None else _fit(self, X, arguments, others)

    estimator.fit = fit_texts

    def wrapped(name, method):
        @wraps(method)
        def of_texts(self, X, *arguments, **others):
            if kernel_of_texts(self) is None:
                return method(self, X, *arguments, **others)
            check_is_fitted(self)
            return getattr(self._machine, name)(self._text_kernel.transform(X), *arguments, **others)

        return of_texts

    for name in _METHODS:
        if hasattr(estimator, name):
            setattr(estimator, name, wrapped(name, getattr(estimator, name)))
    return estimator
