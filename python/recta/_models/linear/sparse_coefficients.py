"""Coefficients that are mostly zero, kept as a sparse matrix."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from recta._data.input import is_sparse


def dense(coefficients):
    """As an array, whichever way they are kept."""
    return coefficients.toarray() if is_sparse(coefficients) else np.asarray(coefficients)


class SparseCoefficients:
    """``sparsify`` and ``densify``, as scikit-learn's estimators with penalties on absolute values have them."""

    coef_: np.ndarray

    def sparsify(self) -> Self:
        """Turns ``coef_`` into a sparse matrix (CSR), which takes less memory if most coefficients are zero. Predictions stay the same.

        Returns
        -------
        self
        """
        from scipy import sparse

        check_is_fitted(self, msg="Estimator, %(name)s, must be fitted before sparsifying.")
        self.coef_ = sparse.csr_matrix(self.coef_)
        return self

    def densify(self) -> Self:
        """Turns ``coef_`` back into an array; nothing changes if it is one.

        Returns
        -------
        self
        """
        check_is_fitted(self, msg="Estimator, %(name)s, must be fitted before densifying.")
        if is_sparse(self.coef_):
            self.coef_ = dense(self.coef_)[0] if is_regressor(self) else dense(self.coef_)
        return self
