"""The pictures of ``recta plot`` for fitted estimators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._errors import UsageError
from ._input import column_names, frame_columns, table_of


class Drawing:
    """A picture as SVG text. Notebooks show it, ``save`` writes it.

    Attributes
    ----------
    title : str
    svg : str

    Examples
    --------
    >>> from recta.plot import Drawing
    >>> Drawing("Nothing", "<svg/>").title
    'Nothing'
    """

    def __init__(self, title: str, svg: str):
        self.title, self.svg = title, svg

    def save(self, path: str | Path) -> None:
        """Writes the SVG file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing: {self.title}>"


def _target(estimator, model, y):
    """The target as a column: classes by their places among the model's."""
    if not model.classes:
        return np.ascontiguousarray(y, dtype=np.float64)
    known = {label: place for place, label in enumerate(np.asarray(estimator.classes_).tolist())}
    return np.array([known.get(label, -1) for label in np.asarray(y).tolist()], dtype=np.int32), list(model.classes)


def draw(estimator: Any, X: Any, y: Any = None, *, kind: str = "") -> Drawing:
    """The picture that ``recta plot KIND`` draws, of a fitted estimator.

    Parameters
    ----------
    estimator : fitted estimator of Recta
    X : array-like or table of shape (n_samples, n_features)
    y : array-like of shape (n_samples,), optional
        The target; estimators without one do without.
    kind : str, default=""
        One of ``picture_kinds()``; by default the one that shows the most of the model.

    Returns
    -------
    drawing : Drawing

    Examples
    --------
    >>> from recta.neighbors import KNeighborsClassifier
    >>> from recta.plot import draw
    >>> X = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 3.0], [4.0, 3.0], [3.0, 4.0]]
    >>> model = KNeighborsClassifier(n_neighbors=3).fit(X, ["near"] * 3 + ["far"] * 3)
    >>> draw(model, X, ["near"] * 3 + ["far"] * 3, kind="regions")
    <Drawing: Regions of y>
    """
    check_is_fitted(estimator)
    model = getattr(estimator, "_model", None)
    if not isinstance(model, _core.Model):
        raise UsageError(type(estimator).__name__, "it holds several models, or none of the library's", "draw one of its parts")
    if column_names(X) is not None:
        columns = frame_columns(X, categories=model.categories)
    else:
        columns = [(name, np.ascontiguousarray(column)) for name, column in zip(model.columns, np.asarray(X, dtype=np.float64).T)]
    table, _, _ = table_of(columns)
    if y is not None and model.targets:
        target = _target(estimator, model, y)
        table.extend([(model.targets[0], *target) if isinstance(target, tuple) else (model.targets[0], target)])
    return Drawing(*_core.draw(model, table, kind))


def picture_kinds() -> dict[str, str]:
    """What ``draw`` draws: the word of each picture, and what it shows.

    Examples
    --------
    >>> from recta.plot import picture_kinds
    >>> picture_kinds()["residuals"]
    'against fitted values'
    """
    return dict(_core.picture_kinds())
