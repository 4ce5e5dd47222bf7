"""The pictures of ``recta plot`` for fitted estimators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from recta import _core
from recta._base.errors import UsageError
from recta._data.input import column_names, frame_columns, table_of


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
        raise UsageError(
            type(estimator).__name__, "it holds several models, or none of the library's", "draw one of its parts"
        )
    if column_names(X) is not None:
        columns = frame_columns(X, categories=model.categories)
    else:
        columns = [
            (name, np.ascontiguousarray(column))
            for name, column in zip(model.columns, np.asarray(X, dtype=np.float64).T)
        ]
    table, _, _ = table_of(columns)
    if y is not None and model.targets:
        target = _target(estimator, model, y)
        table.extend([(model.targets[0], *target) if isinstance(target, tuple) else (model.targets[0], target)])
    return Drawing(*_core.draw(model, table, kind))


def heat_map(values: Any, names: Any = None, *, title: str = "Similarity of rows", subtitle: str = "") -> Drawing:
    """The numbers of all pairs of rows as a picture, such as a kernel matrix: one square per pair, darker the larger its number.

    Above 150 rows squares stand for the mean of several pairs.

    Parameters
    ----------
    values : array-like of shape (n_samples, n_samples)
    names : array-like of shape (n_samples,), optional
        Of the rows. Those of one name are drawn beside each other, with one name for all of them; such as a target.
    title, subtitle : str

    Returns
    -------
    drawing : Drawing

    Examples
    --------
    >>> from recta.kernels import StringKernel
    >>> from recta.plot import heat_map
    >>> words = ["cat", "dog", "cart", "dig"]
    >>> heat_map(StringKernel("subsequence", length=2).fit_transform(words), words, title="Words")
    <Drawing: Words>
    """
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 2 or numbers.shape[0] != numbers.shape[1]:
        raise UsageError(
            "values", f"their shape is {numbers.shape}", "give a square matrix: one row and one column per sample"
        )
    if names is None:
        return Drawing(title, _core.heat_map(numbers.ravel().tolist(), len(numbers), [], title, subtitle))
    words = [str(name) for name in names]
    if len(words) != len(numbers):
        raise UsageError("names", f"there are {len(words)} for {len(numbers)} rows", "give one per row")
    order = (
        sorted(range(len(words)), key=lambda i: (words[i], i))
        if len(set(words)) < len(words)
        else list(range(len(words)))
    )
    together = numbers[np.ix_(order, order)]
    return Drawing(
        title, _core.heat_map(together.ravel().tolist(), len(words), [words[i] for i in order], title, subtitle)
    )


def picture_kinds() -> dict[str, str]:
    """What ``draw`` draws: the word of each picture, and what it shows.

    Examples
    --------
    >>> from recta.plot import picture_kinds
    >>> picture_kinds()["residuals"]
    'against fitted values'
    """
    return dict(_core.picture_kinds())
