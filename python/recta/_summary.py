"""Tables of coefficients with standard errors, as text and as HTML, in the words of statsmodels."""

from __future__ import annotations

import html
import math
from typing import Any

from ._rows import Rows, cluster_codes, refitted

PICK = (0, 2, 3, 4, 5, 6)
ERRORS = ("classical", "HC0", "HC1", "HC2", "HC3")


def number(x, digits=6):
    return "" if math.isnan(x) else f"{x:.{digits}g}"


def text_table(head, rows, left=(0,)):
    """Lines of columns, numbers to the right; a column without any entry is left out."""
    used = [k for k in range(len(head)) if k < 2 or any(row[k] for row in rows)]
    widths = {k: max(len(row[k]) for row in (head, *rows)) for k in used}
    return ["  ".join(row[k].ljust(widths[k]) if k in left else row[k].rjust(widths[k]) for k in used).rstrip()
            for row in (head, *rows)]


class Summary:
    """What ``summary()`` gives: prints as a table, shows as one in a notebook, and has its numbers.

    ``rows(target)`` are tuples (name, coefficient, standard error, t, p, lower, upper); NaN where there is none, which is so
    for penalised and for aliased coefficients. ``tests(target)`` are those of the residuals, where the rows were given.
    """

    def __init__(self, core, diagnosis=None):
        self._core, self._diagnosis = core, diagnosis

    @property
    def errors(self) -> str:
        """What the standard errors suppose: 'classical', 'HC0' to 'HC3' or 'cluster'."""
        word = self._core.errors.name
        return word.upper() if word.startswith("hc") else word

    def rows(self, target: int = 0) -> list[tuple[str, float, float, float, float, float, float]]:
        """One a coefficient, the intercept first: (name, coefficient, standard error, t, p, lower, upper)."""
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

    def _head(self, target):
        core, quality = self._core, self.quality(target)
        errors = self.errors if core.errors.name != "cluster" else f"{core.clusters} clusters"
        left = [("Dep. Variable", self._name(target)), ("Model", core.word), *([("Std. errors", errors)] if core.word == "linear" else []),
                ("No. Observations", str(core.rows)), ("Df Residuals", number(core.degrees_of_freedom)),
                ("Df Model", number(quality["parameters"] - core.has_intercept)), ("Rank", str(core.rank)),
                ("Cond. (scaled)", number(core.condition, 4))]
        if core.classes:
            return left, self._class_head()
        right = [("R-squared", quality["r2"]), ("Adj. R-squared", quality["adjusted_r2"]), ("F-statistic", quality["f"]),
                 ("Prob (F-statistic)", quality["f_p_value"]), ("Log-Likelihood", quality["log_likelihood"]),
                 ("AIC", quality["aic"]), ("BIC", quality["bic"]), ("Residual sd", quality["sigma"])]
        return left, [(word, number(value)) for word, value in right if not math.isnan(value)]

    def _name(self, target):
        core = self._core
        return f"{core.targets[0]}={core.classes[target]}" if core.classes and len(core.coefficients) > 1 else core.targets[target]

    def _class_head(self):
        found, quality = self._core.class_quality(), self.quality()
        share = 1 - found["log_likelihood"] / found["null_log_likelihood"] if found["null_log_likelihood"] else math.nan
        pairs = [("Accuracy", found["accuracy"]), ("Pseudo R-squ.", share), ("Log-Likelihood", found["log_likelihood"]),
                 ("LL-Null", found["null_log_likelihood"]), ("LLR", found["ratio"]), ("LLR p-value", found["ratio_p_value"]),
                 ("AIC", quality["aic"]), ("BIC", quality["bic"])]
        return [(word, number(value)) for word, value in pairs if not math.isnan(value)]

    def odds_ratios(self, target: int = 0) -> list[tuple[str, float, float, float]]:
        """Of logistic regression: (name, exp(coefficient), lower, upper), the intercept first; NaN where there is no interval."""
        return [(name, math.exp(value), math.exp(lower), math.exp(upper)) for name, value, _, _, _, lower, upper in self.rows(target)]

    def _tail(self, target):
        if self._diagnosis is None:
            return []
        found, tests = self._diagnosis.targets[target], self.tests(target)
        pairs = []
        for word, shown in (("omnibus", "Omnibus"), ("jarque-bera", "Jarque-Bera (JB)"), ("breusch-pagan", "Breusch-Pagan"),
                            ("durbin-watson", "Durbin-Watson")):
            if word in tests:
                pairs.append(((shown, number(tests[word][0], 4)), (f"Prob({shown.split(' ')[0]})", number(tests[word][1], 4))))
        pairs.append((("Skew", number(found.skewness, 4)), ("Kurtosis", number(found.kurtosis, 4))))
        return side_by_side(*map(list, zip(*pairs)))

    def __str__(self):
        blocks, outside = [], (1 - self._core.confidence) / 2
        letter = "z" if self._core.classes else "t"
        head = ("", "coef", "std err", letter, f"P>|{letter}|", f"[{outside:.3g}", f"{1 - outside:.3g}]")
        for target in range(len(self._core.coefficients)):
            rows = [(row[0], *map(number, row[1:])) for row in self.rows(target)]
            parts = [side_by_side(*self._head(target)), text_table(head, rows), self._tail(target)]
            width = max(len(line) for part in parts for line in part)
            for rule, part in zip("=-=", parts):
                blocks += [rule * width, *part] if part else []
            blocks += ["=" * width]
        return "\n".join([*blocks, *self._scales(), self._core.certificate.sentence])

    def _scales(self):
        """Which scale stands behind which figure, where there are two."""
        core = self._core
        stated = core.weights and core.weights_are.name == "precision"
        if not stated or all(math.isnan(self.quality(t)["log_likelihood"]) for t in range(len(core.coefficients))):
            return []
        return ["Log-likelihood, AIC and BIC are of the variances 1/weight that the weights state;",
                "residual sd and standard errors are of a scale estimated beside them."]

    __repr__ = __str__

    def _repr_html_(self):
        return f"<pre>{html.escape(str(self))}</pre>"


def side_by_side(left, right):
    """Two lists of words and figures as lines of two columns."""
    blank = [("", "")]
    left, right = left + blank * (len(right) - len(left)), right + blank * (len(left) - len(right))
    widths = [max(len(pair[k]) for pair in side) for side in (left, right) for k in (0, 1)]
    return [f"{a.ljust(widths[0])}  {b.rjust(widths[1])}    {c.ljust(widths[2])}  {d.rjust(widths[3])}".rstrip()
            for (a, b), (c, d) in zip(left, right)]


def summary_of(model, X=None, y=None, sample_weight=None, errors="classical", cluster=None):
    """The summary of a model, with errors and tests that need its rows where these are given."""
    if not isinstance(errors, str) or errors.upper() not in {word.upper() for word in ERRORS}:
        raise ValueError(f"errors must be one of {', '.join(map(repr, ERRORS))}. Got {errors!r} instead; cluster= takes clusters.")
    robust = errors.lower() != "classical"
    if robust and cluster is not None:
        raise ValueError("errors by cluster and errors by row exclude one another: give errors= or cluster=")
    if X is None or y is None:
        if robust or cluster is not None or X is not None:
            what = "cluster=..." if cluster is not None else f"errors={errors!r}"
            raise ValueError(f"these standard errors are made from the rows: summary(X, y, {what}), X and y as fit had them")
        return Summary(model)
    rows = Rows(X, y, sample_weight)
    diagnosis = rows.diagnosed(model)
    if robust or cluster is not None:
        codes = None if cluster is None else cluster_codes(cluster, len(rows.y))
        model = refitted(model, rows, "cluster" if cluster is not None else errors.lower(), codes)
    return Summary(model, diagnosis)
