"""A table of coefficients with standard errors, as text and as HTML."""

from __future__ import annotations

import html
import math
from typing import Any

COLUMNS = ("coefficient", "std. error", "t", "p", "lower", "upper")
PICK = (0, 2, 3, 4, 5, 6)


def number(x):
    return "" if math.isnan(x) else f"{x:.6g}"


class Summary:
    """What ``summary()`` gives: prints as a table, shows as one in a notebook, and has its numbers.

    ``rows(target)`` are tuples (name, coefficient, standard error, t, p, lower, upper); NaN where there is none, which is so
    for penalised and for aliased coefficients.
    """

    def __init__(self, core):
        self._core = core

    def rows(self, target: int = 0) -> list[tuple[str, float, float, float, float, float, float]]:
        """One a coefficient, the intercept first: (name, coefficient, standard error, t, p, lower, upper)."""
        table = self._core.table(target)
        names = ["intercept", *self._core.feature_names]
        first = 0 if self._core.has_intercept else 1
        return [(names[i], *(float(table[i, k]) for k in PICK)) for i in range(first, len(names))]

    def quality(self, target: int = 0) -> dict[str, Any]:
        """R^2, residual standard deviation, F and its p-value, log-likelihood, residual sum of squares."""
        return self._core.quality(target)

    def _head(self, target):
        quality = self.quality(target)
        figures = [("rows", str(self._core.rows)), ("rank", str(self._core.rank)),
                   ("degrees of freedom", number(self._core.degrees_of_freedom)), ("R^2", number(quality["r2"])),
                   ("adjusted R^2", number(quality["adjusted_r2"])), ("residual sd", number(quality["sigma"])),
                   ("F", number(quality["f"])), ("p of F", number(quality["f_p_value"]))]
        return [(name, value) for name, value in figures if value]

    def __str__(self):
        lines = []
        for target, name in enumerate(self._core.targets):
            lines.append(f"{self._core.word}: {name}")
            lines.append("  ".join(f"{what} {value}" for what, value in self._head(target)))
            rows = [(row[0], *map(number, row[1:])) for row in self.rows(target)]
            head = ("", *COLUMNS[:4], *(f"{word} {self._core.confidence:.0%}" for word in COLUMNS[4:]))
            used = [k for k in range(len(head)) if k < 2 or any(row[k] for row in rows)]
            widths = {k: max(len(head[k]), *(len(row[k]) for row in rows)) for k in used}
            for row in (head, *rows):
                cells = [row[k].ljust(widths[k]) if k == 0 else row[k].rjust(widths[k]) for k in used]
                lines.append("  ".join(cells).rstrip())
            lines.append("")
        return "\n".join([*lines, self._core.certificate.sentence])

    __repr__ = __str__

    def _repr_html_(self):
        return f"<pre>{html.escape(str(self))}</pre>"
