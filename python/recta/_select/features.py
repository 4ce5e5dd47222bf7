"""Columns left out so that those that stay can be told apart."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from recta import _core
from recta._base.checks import reworded
from recta._base.declared import estimator, parameter
from recta._base.errors import DataError
from recta._base.scikit_learn import BaseEstimator
from recta._data.input import frame_columns, has_categories, table_of
from recta._estimator import parameters


@estimator("recta.feature_selection")
class VarianceInflationThreshold(SelectorMixin, BaseEstimator):
    """Leaves out the column of the largest variance inflation until none is above a limit: ``recta fit --max-vif``.

    Inflation is 1 / (1 - R^2) of a column's regression on the others, with an intercept. Among columns that depend on each other exactly, the
    later ones go first. Categories stay and take part in the regressions; constant columns stay.

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

    max_vif: float = parameter(default=10.0, low=1.0, kw_only=False, doc="1 or more.")
    n_jobs: int | None = parameter(default=None, doc="Threads; None: all cores.")

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
        limit = parameters.number(self, "max_vif")
        frame = has_categories(X)
        X = (
            validate_data(self, X, skip_check_array=True)
            if frame
            else validate_data(self, X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=2)
        )
        names = [
            str(name) for name in getattr(self, "feature_names_in_", [f"x{j + 1}" for j in range(self.n_features_in_)])
        ]
        columns = frame_columns(X) if frame else [(name, np.ascontiguousarray(X[:, j])) for j, name in enumerate(names)]
        if isinstance(columns, _core.Dataset):
            columns = frame_columns(columns)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        # The rows have no target: any will do, since inflation is of the columns alone.
        options = _core.FitOptions()
        data, options.target, options.weights = table_of(columns, np.arange(float(len(columns[0][1]))), weights)
        options.max_inflation, options.threads = limit, parameters.threads(self.n_jobs)
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
