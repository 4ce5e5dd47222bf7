"""Naive Bayes with a likelihood per column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, validate_data

from recta import _core
from recta._base.declared import estimator, parameter
from recta._data.frame_features import FrameFeatures
from recta._data.input import frame_columns, has_categories, table_of

from .base import NaiveBayes, given_priors, prior_words


@estimator("recta.naive_bayes")
class MixedNB(NaiveBayes):
    """Each column with a likelihood of its own in one model, with a proof. Missing values, NaN, skip their factor.

    Attributes
    ----------
    class_count_, class_prior_, classes_
        Weights, probabilities and labels of the classes.
    report_ : dict
        Likelihoods, estimates and remarks as tables.
    certificate_ : Certificate
        The proof: counts and moments again, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.naive_bayes import MixedNB
    >>> X = [[1.5, 0], [2.5, 0], [float("nan"), 1], [7.0, 2], [8.0, 2]]
    >>> model = MixedNB(likelihood=["gaussian", "categorical"]).fit(X, [0, 0, 0, 1, 1])
    >>> model.predict([[6.0, 2], [float("nan"), 0]]).tolist(), model.certificate_.verdict
    ([1, 0], 'proved')
    """

    likelihood: str | list[str] | dict[Any, str] = parameter(
        default="auto",
        kw_only=False,
        type="str, list of str or dict",
        doc="'gaussian', 'bernoulli', 'categorical' (its values are learned), 'categorical:8' (codes 0 to 7) or "
        "'multinomial' for all columns; a list with one for each; or a dict of places or names of columns, "
        "the others being gaussian, or categorical where a frame has categories. 'auto': categories are "
        "categorical, other columns by their values (docs/naive_bayes.md).",
    )
    alpha: float = parameter(default=1.0, doc="Added to every count.")
    priors: ArrayLike | None = parameter(
        default=None,
        type="array-like of shape (n_classes,)",
        doc="Probabilities of the classes; None: their shares of the rows.",
    )
    var_smoothing: float = parameter(
        default=1e-09, doc="Share of a gaussian column's own variance that is added to that of each class."
    )
    unseen: str = parameter(
        default="refuse",
        type="{'refuse', 'zeros'}",
        doc="A value that is not a category: an error, or its factor is skipped.",
    )

    _checks = {"dtype": (np.float64, np.float32), "ensure_all_finite": "allow-nan"}
    _kinds = None  # the columns of a frame with categories, and their levels

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _checked(self, X, reset=True, library_reads=False):
        if reset:
            self._kinds = FrameFeatures(X).columns if has_categories(X) else None
        if self._kinds is None:
            return super()._checked(X, reset, library_reads)
        validate_data(self, X, reset=reset, skip_check_array=True)
        return X

    def _read(self, X):
        """Nothing: the library reads the frame as it is."""

    def _counted(self, X, places, sample_weight, options):
        if self._kinds is None:
            return super()._counted(X, places, sample_weight, options)
        data, options.target, options.weights = table_of(frame_columns(X), places, sample_weight)
        return _core.fit_table(self._word, data, options).model

    def _asked(self, X):
        return table_of(frame_columns(X, [name for name, _ in self._kinds], self._model.categories))[0]

    def _decisions(self, X):
        return (
            super()._decisions(X)
            if self._kinds is None
            else self._model.predict_table(self._asked(X), answer=_core.Answer.decision)
        )

    def _explained(self, X, row):
        return (
            super()._explained(X, row) if self._kinds is None else _core.explain_table(self._model, self._asked(X), row)
        )

    def _likelihoods(self, columns):
        if isinstance(self.likelihood, str):
            return self.likelihood
        if not isinstance(self.likelihood, dict):
            if len(self.likelihood) != columns:
                raise ValueError(f"likelihood has {len(self.likelihood)} entries, and X has {columns} columns")
            return "/".join(self.likelihood) if columns > 1 else self.likelihood[0]
        each = ["gaussian" if not self._kinds or self._kinds[j][1] is None else "categorical" for j in range(columns)]
        names = list(getattr(self, "feature_names_in_", []))
        for column, kind in self.likelihood.items():
            if column not in names and not (isinstance(column, (int, np.integer)) and 0 <= column < columns):
                raise ValueError(f"likelihood names the column {column!r}, which X does not have")
            each[names.index(column) if column in names else column] = kind
        return "/".join(each) if columns > 1 else each[0]

    def _options(self):
        if self.unseen not in ("refuse", "zeros"):
            raise ValueError(f"unseen must be 'refuse' or 'zeros'. Got {self.unseen!r} instead.")
        return {"missing": "skip", "unseen": self.unseen}

    def _params(self, X):
        return {
            "likelihood": self._likelihoods(X.shape[1]),
            "alpha": repr(float(self.alpha)),
            "smoothing": float(self.var_smoothing),
            "priors": prior_words(given_priors(self)),
        }

    def _learned(self, found):
        self.class_count_ = found["naive_bayes.class_weight"]
        self.class_prior_ = found["naive_bayes.prior"]

    @property
    def report_(self) -> dict[str, Any]:
        check_is_fitted(self)
        return self._model.report
