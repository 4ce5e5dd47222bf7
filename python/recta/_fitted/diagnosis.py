"""What a fit rests on, row by row and column by column, and whether a larger model is worth it. scikit-learn is not needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from recta import _core
from recta._base.errors import UsageError
from recta._base.page import Page
from recta._base.words import in_python
from recta._data.rows import Rows, core_of, is_unnamed, refitted
from recta._data.table import check

if TYPE_CHECKING:
    from pandas import DataFrame
else:  # not imported before it is needed
    DataFrame = Any

ROW_FIGURES = ("fitted", "residual", "leverage", "standardised", "studentised", "deleted", "cooks_distance", "dffits")


class TargetDiagnosis:
    """Rows and residuals of one target.

    Arrays have one number per row of positive weight, and ``index`` says which rows of X these are: ``leverage``, ``fitted``,
    ``residual``, ``standardised`` and ``studentised`` residuals, ``deleted`` (the residual under the fit without the row),
    ``cooks_distance``, ``dffits``. What is deleted is infinite where nothing but the row determines its fit.
    """

    def __init__(self, core):
        self._core = core
        self.index = np.array(core.numbers, dtype=np.int64) - 1

    @property
    def most_influential(self) -> np.ndarray:
        """Rows of X, largest Cook's distance first."""
        return self.index[self._core.most_influential]

    @property
    def tests(self) -> dict[str, tuple[float, float]]:
        """Tests of the residuals: (statistic, p) by name."""
        return {test.word: (test.statistic, test.p_value) for test in self._core.tests}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._core, name)

    def __dir__(self):
        return sorted({*super().__dir__(), *(name for name in dir(self._core) if not name.startswith("_"))})

    def frame(self) -> DataFrame:
        """The figures of all rows as a pandas frame, whose index are the rows of X."""
        import pandas

        columns = {name: getattr(self._core, name) for name in ROW_FIGURES}
        return pandas.DataFrame(
            columns | {"remarks": [" ".join(words) for words in self._core.remarks]}, index=self.index
        )


class Diagnosis(Page):
    """What :func:`diagnose` found; prints as ``recta diagnose`` does.

    With one target its figures are here too: ``leverage``, ``cooks_distance``, ``studentised``, ``tests`` and the others of
    ``targets[0]``.

    >>> import recta
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> found = recta.diagnose(X, y)
    >>> found.most_influential[:3].tolist(), round(float(found.leverage.sum()), 9)
    ([368, 372, 364], 14.0)
    >>> found.columns[int(found.vif.argmax()) + 1], round(float(found.vif.max()), 4)
    ('x10', 9.0086)
    """

    def __init__(self, core, model, rows):
        self._core, self._model, self._given = core, model, rows
        self.targets = [TargetDiagnosis(target) for target in core.targets]

    @property
    def columns(self) -> list[str]:
        """What the shares of ``variance_proportions`` belong to: the intercept where there is one, then the features."""
        return self._core.columns

    @property
    def vif(self) -> np.ndarray:
        """Variance inflation, one per feature: 1 / (1 - R^2) of its regression on the others."""
        return self._core.variance_inflation

    @property
    def condition_indices(self) -> np.ndarray:
        """Largest over each singular value of the columns scaled to unit length, the constant one included; ascending."""
        return self._core.condition_indices

    @property
    def variance_proportions(self) -> np.ndarray:
        """One row per condition index: the share of each coefficient's variance that this direction carries."""
        return self._core.shares

    @property
    def findings(self) -> list[str]:
        """What speaks against the fit, in words, worst first."""
        return [in_python(text) for text in self._core.findings]

    @property
    def dependencies(self) -> list[str]:
        """Columns that others nearly determine, as equations in the units of the data."""
        return [dependency.sentence for dependency in check(self._given).dependencies]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if hasattr(type(self._core), name):
            return getattr(self._core, name)
        if len(self.targets) > 1:
            raise AttributeError(f"there are {len(self.targets)} targets: targets[0].{name}, targets[1].{name}, ...")
        return getattr(self.targets[0], name)

    def frame(self) -> DataFrame:
        """The figures of all rows as a pandas frame; ``targets[k].frame()`` where there are several targets."""
        if len(self.targets) > 1:
            raise UsageError("frame", f"there are {len(self.targets)} targets", "targets[0].frame() is the first one's")
        return self.targets[0].frame()

    def _document(self):
        return _core.document_of_diagnosis(self._model, self._core)


def diagnose(X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, model: Any = None) -> Diagnosis:
    """Which rows and columns a fit rests on, and whether its residuals are what least squares supposes.

    Parameters
    ----------
    X : array-like, sparse array or frame of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
    sample_weight : array-like of shape (n_samples,), default=None
    model : fitted LinearRegression or Ridge, or a recta.Model, default=None
        Whose training rows these are; others are refused. None: least squares with an intercept, fitted here.

    Examples
    --------
    >>> import numpy, recta
    >>> X = numpy.array([[1.0], [2.0], [3.0], [4.0], [10.0]])
    >>> found = recta.diagnose(X, [1.0, 2.1, 2.9, 4.0, 3.0])
    >>> int(found.cooks_distance.argmax()), round(float(found.leverage[4]), 6)
    (4, 0.92)
    >>> found.targets[0].remarks[4]
    ['outlier', 'influence']
    """
    rows = Rows(X, y, sample_weight)
    core = rows.fitted("linear", _core.FitOptions()) if model is None else core_of(model)
    return Diagnosis(rows.diagnosed(core), core, X)


class Comparison(Page):
    """What :func:`compare` found. With one target its figures are here: ``f``, ``f_p_value``, ``likelihood_ratio``,
    ``likelihood_ratio_p_value``, ``mallows_cp`` of the smaller model, and ``small`` and ``large`` with ``aic``, ``aicc``,
    ``bic``; with several they are in ``targets``. ``features`` are those that only the larger model has.

    >>> import numpy, recta
    >>> from recta.linear_model import LinearRegression
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> found = recta.compare(LinearRegression().fit(X[:, :12], y), LinearRegression().fit(X, y), X, y)
    >>> found.features, round(found.f, 4), found.small.aic > found.large.aic
    (['x13'], 107.0634, True)
    """

    def __init__(self, core):
        self._core = core

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if hasattr(type(self._core), name):
            return getattr(self._core, name)
        if len(self._core.targets) > 1:
            raise AttributeError(
                f"there are {len(self._core.targets)} targets: targets[0].{name}, targets[1].{name}, ..."
            )
        return getattr(self._core.targets[0], name)

    def _document(self):
        return _core.document_of_comparison(self._core)


def compare(
    small: Any,
    large: Any,
    X: Any = None,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    *,
    columns: ArrayLike | None = None,
) -> Comparison:
    """F and likelihood-ratio tests of what the larger of two nested least-squares models adds.

    Parameters
    ----------
    small, large : fitted LinearRegression, or recta.Model
        Fitted to the same rows; the larger one has every feature of the smaller.
    X : array-like, sparse array or frame of shape (n_samples, n_features), default=None
        The rows ``large`` was trained on, so that both are seen to be of the same rows. Features of frames are found by their
        names, and models of frames can be compared without X.
    y : array-like of shape (n_samples,) or (n_samples, n_targets), default=None
    sample_weight : array-like of shape (n_samples,), default=None
    columns : array-like of int or bool, default=None
        Of an array X: the columns that ``small`` was trained on. None: the first ones.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import LinearRegression
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> kept = [j for j in range(13) if j not in (2, 6)]
    >>> small, large = LinearRegression().fit(X[:, kept], y), LinearRegression().fit(X, y)
    >>> print(recta.compare(small, large, X, y, columns=kept).sentence)
    no sign that x3, x7 improve the fit of y (F = 0.05727 with 2 and 492 degrees of freedom, p = 0.944)
    """
    first, second = core_of(small), core_of(large)
    if (first.word, second.word) != ("linear", "linear"):
        return Comparison(_core.compare(first, second))  # which refuses it
    if X is None or y is None:
        if is_unnamed(first) or is_unnamed(second):
            raise UsageError("compare", "columns without names cannot be told apart", "give X and y as fit had them")
        return Comparison(_core.compare(first, second))
    rows = Rows(X, y, sample_weight)
    if rows.is_table:
        return Comparison(_core.compare_table(first, second, rows.table(second.targets)[0]))
    names = second.columns
    if columns is None:
        known = not is_unnamed(first) and not is_unnamed(second)
        columns = [names.index(name) for name in first.columns if name in names] if known else range(len(first.columns))
    places = np.arange(len(names))[np.asarray(columns)]
    part = Rows(X.tocsc()[:, places] if hasattr(X, "tocsc") else np.asarray(X)[:, places], y, sample_weight)
    return Comparison(
        _core.compare(refitted(first, part, names=[names[j] for j in places]), refitted(second, rows, names=names))
    )
