"""What transformers in the space of a kernel's features share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, validate_data

from recta import _core
from recta._base.checks import CHECKS
from recta._base.declared import declared, learned, parameter
from recta._base.scikit_learn import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from recta._data.input import array_or_parts
from recta._estimator import parameters
from recta._estimator.shared import THREADS
from recta._estimator.without_target import WithoutTarget

from .ridge import kernel_params


@declared
class KernelTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, WithoutTarget):
    """Base of transformers: the kernel's parameters, and the coordinates that the library gives rows."""

    gamma: float | None = parameter(default=None, low=0.0, above=True, doc="None: 1 / n_features, and 1 for 'chi2'.")
    degree: int = parameter(default=3)
    coef0: float = parameter(default=1)
    n_jobs: int | None = THREADS

    random_state: Any = learned()

    def _fitted(self, X: Any, sample_weight: ArrayLike | None, params: dict[str, Any], **options: Any):
        """Fits in the library, by the kernel and these parameters. Returns the checked rows."""
        X = validate_data(self, X, reset=True, **CHECKS)
        self._model = self._outcome(
            X,
            getattr(self, "feature_names_in_", []),
            sample_weight,
            kernel_params(self, X.shape[1]) | params,
            seed=parameters.seed(self.random_state),
            **options,
        ).model
        return X

    def _rows(self, X):
        check_is_fitted(self)
        return array_or_parts(validate_data(self, X, reset=False, **CHECKS))

    def transform(self, X: Any) -> np.ndarray:
        """The coordinates of these rows: one column per component, or the distances from the clusters.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
        """
        X = self._rows(X)
        return self._worded(lambda: _core.transform(self._model, X))
