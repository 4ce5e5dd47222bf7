"""The attributes of an estimator: its parameters as they were passed, and what it learned. coef_ and intercept_ may be changed by hand,
and a fit that fails leaves everything as it was."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from recta._data.input import is_sparse

Method = TypeVar("Method", bound=Callable[..., Any])


def keep_parameters(estimator: Any, arguments: dict[str, Any]) -> None:
    """Stores the ``locals()`` of an ``__init__`` as they are, which is all that scikit-learn lets it do."""
    for name, value in arguments.items():
        if name not in ("self", "__class__"):
            setattr(estimator, name, value)


def keeps_what_was_learned(method: Method) -> Method:
    """Of fit and partial_fit: where they raise, the estimator is as it was before. Of learners by single rows Ctrl-C keeps the passes made."""

    @functools.wraps(method)
    def careful(self, *args, **kwargs):
        before = self.__dict__.copy()
        try:
            return method(self, *args, **kwargs)
        except BaseException as error:
            if not (
                isinstance(error, KeyboardInterrupt)
                and self._keeps_passes
                and self.__dict__.get("trace_") is not before.get("trace_")
                and self.trace_
            ):
                self.__dict__.clear()
                self.__dict__.update(before)
            raise

    return careful  # type: ignore[return-value]


def copies_of(coef, intercept):
    """To notice a change by; None where they are not arrays."""
    if not isinstance(coef, np.ndarray):
        return None
    return coef.copy(), intercept.copy() if isinstance(intercept, np.ndarray) else intercept


def as_wide_as(values, X, estimator):
    """float32 where rows, coefficients and intercepts are, as a product of them would be."""
    if isinstance(values, tuple):
        return tuple(as_wide_as(each, X, estimator) for each in values)
    parts = [
        part.dtype
        for part in (X, getattr(estimator, "coef_", None), getattr(estimator, "intercept_", None))
        if hasattr(part, "dtype")
    ]
    return values.astype(np.float32) if np.result_type(*parts) == np.float32 else values


def _numbers(values, attribute, count):
    """Contiguous doubles, as many as the model has."""
    values = values.toarray() if is_sparse(values) else values
    try:
        numbers = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{attribute} is not an array of numbers: {error}") from None
    if numbers.size != count:
        things = "coefficients" if attribute == "coef_" else "of them"
        raise ValueError(
            f"{attribute} has shape {numbers.shape}, and the model has {count} {things}; fit again, or assign as many"
        )
    return numbers.ravel()


def at_attributes(model, coef, intercept):
    """The model at the coefficients that the attributes hold: itself where they are its own."""
    if model.holds(coef, intercept):
        return model
    own = model.intercepts
    coef = _numbers(coef, "coef_", model.coefficients.size)
    if np.ndim(intercept) == 0:
        intercept = np.full(len(own), intercept)
    intercept = _numbers(intercept, "intercept_", len(own))
    return model if model.holds(coef, intercept) else model.changed(coef, intercept)
