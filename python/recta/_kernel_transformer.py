"""What transformers in the space of a kernel's features share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core, _parameters
from ._checks import CHECKS
from ._input import array_or_parts
from ._kernel_ridge import kernel_params
from ._without_target import WithoutTarget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike


class KernelTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, WithoutTarget):
    """Base of transformers: the kernel's parameters, and the coordinates that the library gives rows."""

    random_state: Any

    def _fitted(self, X: Any, sample_weight: ArrayLike | None, params: dict[str, Any], **options: Any):
        """Fits in the library, by the kernel and these parameters. Returns the checked rows."""
        X = validate_data(self, X, reset=True, **CHECKS)
        self._model = self._outcome(X, getattr(self, "feature_names_in_", []), sample_weight, kernel_params(self, X.shape[1]) | params,
                                    seed=_parameters.seed(self.random_state), **options).model
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
