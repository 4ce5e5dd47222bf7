"""Columns left out so that those that stay can be told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _sklearn  # first: it says so where scikit-learn is missing
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import _core, _parameters
from ._checks import reworded
from ._errors import DataError
from ._input import frame_columns, has_categories, table_of

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike

__all__ = ["VarianceInflationThreshold"]


class VarianceInflationThreshold(SelectorMixin, BaseEstimator):
    """Leaves out the column of the largest variance inflation until none is above a limit: ``recta fit --max-vif``.

    Inflation is 1 / (1 - R^2) of a column's regression on the others, with an intercept. Of columns that depend exactly the
    later ones go first. Categories stay and take part in the regressions; constant columns stay.

    Parameters
    ----------
    max_vif : float, default=10.0
        1 or more.
    n_jobs : int, default=None
        Threads; None: all cores.

    Attributes
    ----------
    dropped_ : ndarray of int
        Columns left out, in the order they went.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where X has names that are all strings.

    Examples
    --------
    >>> import recta
    >>> from recta.feature_selection import VarianceInflationThreshold
    >>> from recta.linear_model import LinearRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = make_pipeline(VarianceInflationThreshold(max_vif=5.0), LinearRegression()).fit(X, y)
    >>> model[0].dropped_.tolist(), len(model[1].coef_)
    ([9], 12)
    >>> bool(recta.diagnose(model[0].transform(X), y).vif.max() < 5)
    True
    """

    def __init__(self, max_vif: float = 10.0, *, n_jobs: int | None = None) -> None:
        self.max_vif = max_vif
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Chooses the columns.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
        y : default=None
            Not used.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        limit = _parameters._number(self, "max_vif", 1.0)
        frame = has_categories(X)
        X = validate_data(self, X, skip_check_array=True) if frame else validate_data(
            self, X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=2)
        names = [str(name) for name in getattr(self, "feature_names_in_", [f"x{j + 1}" for j in range(self.n_features_in_)])]
        columns = frame_columns(X) if frame else [(name, np.ascontiguousarray(X[:, j])) for j, name in enumerate(names)]
        if isinstance(columns, _core.Dataset):
            columns = frame_columns(columns)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        # The rows have no target: any will do, since inflation is of the columns alone.
        options = _core.FitOptions()
        data, options.target, options.weights = table_of(columns, np.arange(float(len(columns[0][1]))), weights)
        options.max_inflation, options.threads = limit, _parameters.threads(self.n_jobs)
        try:
            model = _core.fit_table("linear", data, options).model
        except DataError as error:
            raise reworded(error, self) from None
        self.dropped_ = np.array([names.index(name) for name in model.ignored], dtype=np.intp)
        return self

    def _get_support_mask(self):
        check_is_fitted(self)
        mask = np.ones(self.n_features_in_, dtype=bool)
        mask[self.dropped_] = False
        return mask
