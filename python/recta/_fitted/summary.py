"""Coefficients with standard errors, and how well they fit."""

from __future__ import annotations

import math
from typing import Any

from recta._base.page import Page
from recta._data.rows import Rows, cluster_codes, refitted

PICK = (0, 2, 3, 4, 5, 6)
ERRORS = ("classical", "HC0", "HC1", "HC2", "HC3")


class Summary(Page):
    """What ``summary()`` gives: prints as a table, shows as one in a notebook, and has its numbers.

    ``rows(target)`` are tuples (name, coefficient, standard error, t, p, lower, upper); NaN where there is none, which is so
    for penalised and for aliased coefficients. ``tests(target)`` are those of the residuals, where the rows were given.
    """

    def __init__(self, core, diagnosis=None):
        self._core, self._diagnosis = core, diagnosis

    @property
    def errors(self) -> str:
        """What the standard errors suppose: 'classical', 'HC0' to 'HC3' or 'cluster'."""
        word = self._core.errors
        return word.upper() if word.startswith("hc") else word

    def rows(self, target: int = 0) -> list[tuple[str, float, float, float, float, float, float]]:
        """One per coefficient, the intercept first: (name, coefficient, standard error, t, p, lower, upper)."""
        table = self._core.table(target)
        names = ["intercept", *self._core.feature_names]
        first = 0 if self._core.has_intercept else 1
        return [(names[i], *(float(table[i, k]) for k in PICK)) for i in range(first, len(names))]

    def quality(self, target: int = 0) -> dict[str, Any]:
        """R^2, residual standard deviation, F and its p-value, log-likelihood, AIC, BIC, residual sum of squares."""
        return self._core.quality(target)

    def tests(self, target: int = 0) -> dict[str, tuple[float, float]]:
        """Tests of the residuals: (statistic, p) by name. Empty where summary() was not given the rows."""
        if self._diagnosis is None:
            return {}
        return {test.word: (test.statistic, test.p_value) for test in self._diagnosis.targets[target].tests}

    def odds_ratios(self, target: int = 0) -> list[tuple[str, float, float, float]]:
        """For logistic regression: (name, exp(coefficient), lower, upper), the intercept first; NaN where there is no interval."""
        return [
            (name, math.exp(value), math.exp(lower), math.exp(upper))
            for name, value, _, _, _, lower, upper in self.rows(target)
        ]

    def _document(self):
        return self._core.document(diagnosis=self._diagnosis)


def summary_of(model, X=None, y=None, sample_weight=None, errors="classical", cluster=None):
    """The summary of a model, with errors and tests that need its rows where these are given."""
    if not isinstance(errors, str) or errors.upper() not in {word.upper() for word in ERRORS}:
        raise ValueError(
            f"errors must be one of {', '.join(map(repr, ERRORS))}. Got {errors!r} instead; cluster= takes clusters."
        )
    robust = errors.lower() != "classical"
    if robust and cluster is not None:
        raise ValueError("errors by cluster and errors by row exclude one another: give errors= or cluster=")
    if X is None or y is None:
        if robust or cluster is not None or X is not None:
            what = "cluster=..." if cluster is not None else f"errors={errors!r}"
            raise ValueError(
                f"these standard errors are made from the rows: summary(X, y, {what}), X and y as fit had them"
            )
        return Summary(model)
    rows = Rows(X, y, sample_weight)
    diagnosis = rows.diagnosed(model)
    if robust or cluster is not None:
        codes = None if cluster is None else cluster_codes(cluster, len(rows.y))
        model = refitted(model, rows, "cluster" if cluster is not None else errors.lower(), codes)
    return Summary(model, diagnosis)
