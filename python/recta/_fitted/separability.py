"""Can a hyperplane separate two classes? The verdict with what proves it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from recta import _core
from recta._base.errors import UsageError
from recta._data.input import array_or_parts
from recta._data.rows import Rows
from recta._data.table import Table


class Separability:
    """What :func:`separability` found; true where the verdict is ``"separable"``.

    >>> import recta
    >>> found = recta.separability([[1.0], [2.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> found.verdict, found.on_hyperplane.tolist(), found.fractions
    ('separable except for some rows', [1, 2], ['1/2', '1/2'])

    Attributes
    ----------
    verdict : ``"separable"``, ``"separable except for some rows"``, ``"not separable"`` or ``"undecided"``
    exact : whether it was proved in whole numbers, without any rounding; ``proved`` : that, or by bounds on every rounding
    classes : the two classes; the second is on the side where ``coef @ x + intercept`` is above zero
    overlap : whether it is also proved that no hyperplane has rows on their sides and none on a wrong one, those on it allowed: a
        logistic likelihood has a finite maximum then
    coef, intercept : the hyperplane, with ``coef @ x + intercept`` = 1 or -1 in the nearest rows; ``None`` where there is none
    rounded : whether what was proved holds of a hyperplane in fractions, and of these doubles only to rounding
    unit_normal : ``coef`` at length 1
    margin : (lower, upper), between which the widest margin lies
    margin_squared : its square as a text such as ``"1/4"``, where it is known and short
    support : numbers from 0 of the rows that have multipliers; ``multipliers`` : theirs, ``fractions`` : the same as texts
    on_hyperplane : numbers from 0 of the rows on the hyperplane, where all others are on their sides
    radius, norm, mistakes : R, B and (R B)^2, the most mistakes a perceptron from zero can make; ``None`` where it never ends
    """

    def __init__(self, core, classes):
        self._core, self.classes = core, classes
        self.verdict, self.exact, self.proved = core.verdict, core.exact, core.proved
        self.overlap, self.rounded = core.overlap, core.rounded
        weights = core.weights
        self.coef = weights if len(weights) else None
        self.intercept = core.b if len(weights) else None
        self.unit_normal = weights / np.linalg.norm(weights) if len(weights) else None
        self.margin = core.margin_lower, core.margin_upper
        self.margin_squared = core.margin_squared or None
        self.support = np.array([m.row - 1 for m in core.multipliers], dtype=np.intp)
        self.multipliers = np.array([m.value for m in core.multipliers])
        self.fractions = [m.fraction for m in core.multipliers]
        self.on_hyperplane = np.array(core.on_hyperplane, dtype=np.intp) - 1
        bounded = core.mistakes > 0
        self.radius, self.norm, self.mistakes = (
            (core.radius, core.norm, int(core.mistakes)) if bounded else (None, None, None)
        )

    @property
    def features(self) -> list[str]:
        """Names of the features, in the order of ``coef``."""
        return self._core.features

    @property
    def sentence(self) -> str:
        """The verdict and its proof in one sentence, as the command line says it."""
        return self._core.sentence

    def signed_distance(self, X: ArrayLike) -> np.ndarray:
        """Distances of points to the hyperplane, above zero on the side of the second class."""
        if self.coef is None:
            raise UsageError(
                "separability", "there is no hyperplane to measure distances from", "look at verdict first"
            )
        return (np.asarray(X, dtype=np.float64) @ self.coef + self.intercept) / np.linalg.norm(self.coef)

    def __bool__(self):
        return self.verdict == "separable"

    def __str__(self):
        return self.sentence

    __repr__ = __str__


def separability(
    X: Any,
    y: ArrayLike | None = None,
    *,
    fit_intercept: bool = True,
    sample_weight: ArrayLike | None = None,
    target: str | None = None,
    pairs: bool = False,
) -> Separability | dict[Any, Separability]:
    """Decides whether a hyperplane separates two classes, and proves it; of more classes each from the rest, as a dict by class, or
    with ``pairs`` every pair of classes, as a dict by both.

    ``X`` is an array, sparse or not, a frame, or a table of :func:`read` in which ``target`` names the classes; ``y`` has a class per
    row. Without ``fit_intercept`` the hyperplane passes through the origin. Rows of weight zero are absent.

    >>> import recta
    >>> found = recta.separability([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> found.verdict, found.coef.tolist(), found.intercept, found.margin
    ('separable', [2.0], -5.0, (0.5, 0.5))
    >>> print(recta.separability([[1.0], [2.0], [3.0]], [1, 0, 1]))
    Not separable: the multipliers of 3 rows make sum a y x = 0, which no hyperplane with all rows on their sides allows (exact, in whole numbers).
    >>> found = recta.separability([[1.0], [2.0], [3.0]], ["a", "b", "c"])
    >>> {label: one.verdict for label, one in found.items()}
    {'a': 'separable', 'b': 'not separable', 'c': 'separable'}
    >>> found = recta.separability([[1.0], [2.0], [3.0]], ["a", "b", "c"], pairs=True)
    >>> {pair: one.verdict for pair, one in found.items()}
    {('a', 'b'): 'separable', ('a', 'c'): 'separable', ('b', 'c'): 'separable'}
    """
    options = _core.FitOptions()
    options.intercept = bool(fit_intercept)
    if isinstance(X, Table):
        if y is not None:
            raise UsageError("y", "a table has its classes in a column", "name it with target=")
        options.target = [target] if target else []
        decide = _core.pair_separability_table if pairs else _core.class_separability_table
        found = [Separability(core, np.array([core.negative, core.positive])) for core in decide(X.dataset, options)]
        if pairs and len(found) > 1:
            return {(str(one.classes[1]), str(one.classes[0])): one for one in found}
        return found[0] if len(found) == 1 else {str(one.classes[1]): one for one in found}
    if y is None:
        raise UsageError("y", "there are no classes", "give one per row")
    labels = np.asarray(y)
    labels = labels.reshape(len(labels))
    present = labels if sample_weight is None else labels[np.broadcast_to(np.asarray(sample_weight) > 0, len(labels))]
    classes = np.unique(present)
    if len(classes) < 2:
        found = f"only one class: {classes.tolist()[0]!r}" if len(classes) else "no class, as all weights are zero"
        raise ValueError(f"there must be rows of at least 2 classes, and y has {found}")
    if not (hasattr(X, "shape") or hasattr(X, "columns")):
        X = np.asarray(X, dtype=np.float64)
    if len(classes) == 2:
        return _of_two(X, labels == classes[1], sample_weight, options, classes)
    if pairs:
        ones = (
            np.ones(len(labels))
            if sample_weight is None
            else np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(labels))
        )
        return {
            (one, other): _of_two(
                X,
                labels == one,
                np.where((labels == one) | (labels == other), ones, 0.0),
                options,
                np.array([other, one], dtype=object),
            )
            for place, one in enumerate(classes.tolist())
            for other in classes.tolist()[place + 1 :]
        }
    return {
        label: _of_two(X, labels == label, sample_weight, options, np.array(["the rest", label], dtype=object))
        for label in classes.tolist()
    }


def _of_two(X, positive, sample_weight, options, classes):
    rows = Rows(X, np.where(positive, 1.0, -1.0), sample_weight)
    if rows.is_table:
        data, options.target, options.weights = rows.table()
        core = _core.separability_table(data, options)
    else:
        core = _core.separability(
            rows.x, array_or_parts(rows.y), rows.weights, [str(name) for name in rows.names], options
        )
    return Separability(core, classes)
