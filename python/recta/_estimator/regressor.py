"""What every regressor does alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from recta._base.checks import FLOAT64
from recta._base.scikit_learn import MultiOutputMixin, RegressorMixin
from recta._data.input import array_or_parts, less_offset

from .certified import CertifiedEstimator


class CertifiedRegressor(MultiOutputMixin, RegressorMixin, CertifiedEstimator):
    """Base of all regressors."""

    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """Predicts one number per row, or one column per target.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        offset : array-like of shape (n_samples,), default=None
            Of these rows, if the fit had one.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        return self._values(X, offset)

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None
    ) -> float:
        """R squared, as in scikit-learn: 1 is the best, and the mean of y has 0. With an offset y is the target less it, as in
        ``recta eval``.
        """
        if offset is None:
            return super().score(X, y, sample_weight)
        return r2_score(
            less_offset(y, offset), less_offset(self.predict(X, offset), offset), sample_weight=sample_weight
        )

    def _targets(self, X, y, sample_weight):
        y = check_array(y, ensure_2d=False, ensure_all_finite=False, input_name="y", estimator=self)
        check_consistent_length(X, y)
        y = y if y.dtype == FLOAT64 else y.astype(FLOAT64)
        good = np.isfinite(y)
        if not good.all():
            place = np.unravel_index(int(np.argmin(good)), y.shape)
            found = "NaN" if np.isnan(y[place]) else "infinity or a value too large for dtype('float64')"
            target = f", target {place[1] + 1}" if y.ndim == 2 else ""
            raise ValueError(f"Input y contains {found}.\nrow {place[0] + 1}{target}: the value is {y[place]}.")
        return array_or_parts(y), sample_weight, []


class OneTarget(CertifiedRegressor):
    """What these estimators share: y is one column."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.target_tags.single_output = True
        return tags

    def _are_plain(self, y, sample_weight, rows):
        return getattr(y, "ndim", 0) == 1 and super()._are_plain(y, sample_weight, rows)

    def _targets(self, X, y, sample_weight):
        return super()._targets(X, column_or_1d(y, warn=True), sample_weight)
