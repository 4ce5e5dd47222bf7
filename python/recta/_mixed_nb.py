"""Naive Bayes with a likelihood per column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._attributes import keep_parameters
from ._naive_bayes import NaiveBayes, given_priors, prior_words

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class MixedNB(NaiveBayes):
    """Each column with a likelihood of its own in one model, with a proof. Missing values, NaN, skip their factor.

    Parameters
    ----------
    likelihood : str, list of str or dict, default='auto'
        'gaussian', 'bernoulli', 'categorical' (its values are learned), 'categorical:8' (codes 0 to 7) or 'multinomial' for all
        columns; a list with one for each; or a dict of places or names of columns, the others being gaussian.
    alpha : float, default=1.0
        Added to every count.
    priors : array-like of shape (n_classes,), default=None
        Probabilities of the classes; None: their shares of the rows.
    var_smoothing : float, default=1e-9
        Share of a gaussian column's own variance that is added to that of each class.
    unseen : {'refuse', 'zeros'}, default='refuse'
        A value that is no category: an error, or its factor is skipped.
    n_jobs : int, default=None
        Threads that read the rows; None: all cores.

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

    _checks = {"dtype": (np.float64, np.float32), "ensure_all_finite": "allow-nan"}

    def __init__(self, likelihood: str | list[str] | dict[Any, str] = "auto", *, alpha: float = 1.0, priors: ArrayLike | None = None,
                 var_smoothing: float = 1e-9, unseen: str = "refuse", n_jobs: int | None = None) -> None:
        keep_parameters(self, locals())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _likelihoods(self, columns):
        if isinstance(self.likelihood, str):
            return self.likelihood
        if not isinstance(self.likelihood, dict):
            if len(self.likelihood) != columns:
                raise ValueError(f"likelihood has {len(self.likelihood)} entries, and X has {columns} columns")
            return "/".join(self.likelihood) if columns > 1 else self.likelihood[0]
        each = ["gaussian"] * columns
        names = list(getattr(self, "feature_names_in_", []))
        for column, kind in self.likelihood.items():
            if column not in names and not (isinstance(column, (int, np.integer)) and 0 <= column < columns):
                raise ValueError(f"likelihood names the column {column!r}, which X does not have")
            each[names.index(column) if column in names else column] = kind
        return "/".join(each) if columns > 1 else each[0]

    def _options(self):
        if self.unseen not in ("refuse", "zeros"):
            raise ValueError(f"unseen must be 'refuse' or 'zeros'. Got {self.unseen!r} instead.")
        return {"missing": _core.Missing.skip, "unseen": getattr(_core.Unseen, self.unseen)}

    def _params(self, X):
        return {"likelihood": self._likelihoods(X.shape[1]), "alpha": repr(float(self.alpha)), "smoothing": float(self.var_smoothing),
                "priors": prior_words(given_priors(self))}

    def _learned(self, found):
        self.class_count_ = found["naive_bayes.class_weight"]
        self.class_prior_ = found["naive_bayes.prior"]

    @property
    def report_(self) -> dict[str, Any]:
        check_is_fitted(self)
        return self._model.report
