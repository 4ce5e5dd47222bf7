"""Preprocessing with scikit-learn's names and meanings, learned by Recta's exact sums."""

import numpy as np
import sklearn.preprocessing
from sklearn.utils.validation import _check_sample_weight, validate_data

from . import _core
from ._input import array_or_parts, is_sparse

__all__ = ["StandardScaler"]


class StandardScaler(sklearn.preprocessing.StandardScaler):
    """Columns with mean 0 and deviation 1, as ``sklearn.preprocessing.StandardScaler``, which it is but for what it learns.

    Means and variances are summed in twice the digits of a double and rounded once: a constant column has variance 0
    however far from zero it is, and the bits are the same with any number of threads. X is not copied to learn them.

    Parameters
    ----------
    copy, with_mean, with_std : bool, default=True

    Attributes
    ----------
    mean_, var_, scale_ : ndarray of shape (n_features,) or None
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
    n_samples_seen_ : int or ndarray of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> from recta.preprocessing import StandardScaler
    >>> StandardScaler().fit_transform(np.array([[0.0, 7.1], [2.0, 7.1]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.array_api_support = False
        return tags

    def partial_fit(self, X, y=None, sample_weight=None):
        """Learns from these rows too.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        first = not hasattr(self, "n_samples_seen_")
        X = validate_data(self, X, accept_sparse=("csr", "csc"), dtype=(np.float64, np.float32), ensure_all_finite=False,
                          reset=first)
        if is_sparse(X) and self.with_mean:
            raise ValueError("Cannot center sparse matrices: pass `with_mean=False` instead.")
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        new = _core.column_moments(array_or_parts(X), sample_weight)
        if new["infinite"].any():
            column = int(np.argmax(new["infinite"] > 0))
            raise ValueError(f"Input X contains infinity or a value too large for dtype('float64').\ncolumn {column + 1} has "
                             f"{int(new['infinite'][column])} such value(s).")
        self._join(new, first, whole=sample_weight is None)
        return self

    def _join(self, new, first, whole):
        """Chan's rule for the moments of two sets of rows."""
        weight, mean, variance = new["weight"], new["mean"], new["variance"]
        if not first:
            before = np.broadcast_to(np.asarray(self.n_samples_seen_, dtype=np.float64), weight.shape)
            total = before + weight
            share = np.divide(weight, total, out=np.zeros_like(total), where=total > 0)
            if self.mean_ is not None:
                step = mean - self.mean_
                mean = self.mean_ + step * share
                if self.var_ is not None:
                    variance = (1 - share) * self.var_ + share * variance + share * (1 - share) * step**2
            weight = total
        seen = weight.astype(np.int64) if whole and (weight == np.floor(weight)).all() else weight
        self.n_samples_seen_ = seen[0] if np.ptp(seen) == 0 else seen
        used = self.with_mean or self.with_std
        there = weight > 0
        self.mean_ = np.where(there, mean, np.nan) if used else None
        self.var_ = np.where(there, variance, np.nan) if self.with_std else None
        self.scale_ = np.where(self.var_ == 0, 1.0, np.sqrt(self.var_)) if self.with_std else None
