"""Models as files hold them: load one, predict, read its proof. scikit-learn is not needed."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from recta import _core
from recta._base.errors import UsageError
from recta._base.words import in_python
from recta._data.input import (
    array_or_parts,
    checked_offset,
    column_names,
    frame_columns,
    plain_array,
    table_of,
    with_offset,
)
from recta._data.rows import is_unnamed

from .certificate import Certificate
from .summary import Summary


def flat(values):
    return values[:, 0] if values.shape[1] == 1 else values


def interval_of(word):
    if word not in ("observation", "mean"):
        raise ValueError(f"of must be 'observation' or 'mean'. Got {word!r} instead.")
    return getattr(_core.IntervalOf, word)


class Model:
    """A fitted model of a ``.recta`` file, whichever front end wrote it.

    >>> import recta, tempfile, pathlib
    >>> from recta.linear_model import Ridge
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> path = pathlib.Path(tempfile.mkdtemp(), "m.recta")
    >>> Ridge(alpha=1.0).fit(X, y).save(path)
    >>> model = recta.load(path)
    >>> model.word, model.predict(X[:2]).shape
    ('ridge', (2,))
    >>> model.certificate.verdict
    'proved'
    """

    def __init__(self, core, foreign=None):
        self._core = core
        self._foreign = foreign  # what a file of libsvm or liblinear holds

    @property
    def word(self) -> str:
        """The kind of model, as on the command line."""
        return self._core.word

    @property
    def objective(self) -> str:
        """What was minimised, in mathematics."""
        return self._core.objective

    @property
    def feature_names(self) -> list[str]:
        """One per coefficient."""
        return self._core.feature_names

    @property
    def columns(self) -> list[str]:
        """What the model reads."""
        return self._core.columns

    @property
    def targets(self) -> list[str]:
        """What the model predicts."""
        return self._core.targets

    @property
    def certificate(self) -> Certificate:
        """The proof."""
        return Certificate(self._core.certificate, self._core)

    @property
    def coef(self) -> np.ndarray:
        """One number per feature, or one row per target."""
        coefficients = self._core.coefficients
        return coefficients[0] if len(coefficients) == 1 else coefficients

    @property
    def intercept(self) -> float | np.ndarray:
        """One number, or one per target."""
        intercepts = self._core.intercepts
        return float(intercepts[0]) if len(intercepts) == 1 else intercepts

    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """One number per row; one column per target where there are several. For a classifier: the label of each row. For a model of label
        sets: a column of 0 and 1 per label, in the order of ``labels``.

        Columns of frames and tables are found by their names; columns of arrays are in the order of training. ``offset`` has one
        number per row, where the fit had one; a frame or a table may have it in its column instead.
        """
        values = flat(self._at_rows(X, self._core.predict, self._core.predict_table, offset))
        return self.classes.take(values.astype(int)) if self._core.classes else values

    @property
    def labels(self) -> list[str]:
        """For a model of label sets, in the order of the file; else empty."""
        return self._core.labels

    @property
    def classes(self) -> np.ndarray:
        """For a classifier, in the order of the file; empty where the target is a number."""
        import numpy as np

        words, kind = self._core.classes, self._core.class_type
        numbers = {"integer": int, "real": float}.get(kind, str)
        return np.array([numbers(word) for word in words])

    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """For a classifier with probabilities: those of the classes or labels, in the order of ``classes`` or ``labels``."""
        return self._asked(X, _core.Answer.probability, offset)

    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """For a classifier: its scores; of two classes from 0 up for the positive one."""
        return flat(self._asked(X, _core.Answer.decision, offset))

    def _asked(self, X, answer, offset):
        return self._at_rows(
            X, partial(self._core.predict, answer=answer), partial(self._core.predict_table, answer=answer), offset
        )

    def prediction_interval(
        self, X: Any, level: float = 0.95, *, of: str = "observation", offset: ArrayLike | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds at rows, from least squares with equal variances: of one more observation there, or of
        the mean (``of="mean"``)."""
        how = {"level": float(level), "of": interval_of(of)}
        lower, upper = self._at_rows(
            X, partial(self._core.predict_interval, **how), partial(self._core.predict_interval_table, **how), offset
        )
        return flat(lower), flat(upper)

    def _at_rows(self, X, of_array, of_table, offset):
        named, own = hasattr(X, "dataset") or column_names(X) is not None, self._core.offset
        if offset is not None and not own:
            raise UsageError("offset", "the model was fitted without one", "leave it out, or fit with one")
        if not self._core.takes_arrays or (named and not is_unnamed(self._core)):
            wanted = self._core.columns + ([own] if own and offset is None else [])
            return of_table(
                with_offset(
                    table_of(frame_columns(getattr(X, "dataset", X), wanted, self._core.categories))[0], offset, own
                )
            )
        X = plain_array(X)
        return of_array(array_or_parts(X), **({} if offset is None else {"offset": checked_offset(offset, X.shape[0])}))

    def fast_predictor(self) -> Callable[[np.ndarray], float | np.ndarray]:
        """A callable for serving: one row of numbers in, one number out; or rows in, a column per target out. It takes arrays
        of float64 or float32."""
        return self._core.fast_predictor()

    def summary(self) -> Summary:
        """Coefficients with standard errors, and how well they fit."""
        return Summary(self._core)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a .recta file; the file is the old one or the new one."""
        self._core.save(os.fspath(path))

    def __repr__(self):
        return f"<recta.Model {self.word}, {len(self.feature_names)} features: {self.certificate.sentence}>"

    def _repr_html_(self):
        return in_python(self._core.document().html())


def load(path: str | os.PathLike[str]) -> Model:
    """The model in a ``.recta`` file, written here or by the command line, as a :class:`recta.Model`; or in a model file of libsvm or liblinear.

    What another program fitted predicts as it did there and claims no proof; :func:`recta.verify` says how far from its optimum it is.

    >>> import recta, tempfile, pathlib
    >>> from recta.linear_model import LinearRegression
    >>> path = pathlib.Path(tempfile.mkdtemp(), "line.recta")
    >>> LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0]).save(path)
    >>> recta.load(path).predict([[10.0]]).round(9).tolist()
    [21.0]
    """
    path = os.fspath(path)
    if _core.is_foreign_model(path):
        foreign = _core.read_foreign(path)
        return Model(foreign.to_recta(), foreign)
    return Model(_core.Model.load(path))
