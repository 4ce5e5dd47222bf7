"""What estimators without a target have in common: checks, the fit in the library, its proof."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from recta import _core
from recta._base.checks import reworded
from recta._base.errors import DataError
from recta._base.scikit_learn import BaseEstimator
from recta._data.input import array_or_parts
from recta._fitted.certificate import Certificate

from . import parameters


class WithoutTarget(BaseEstimator):
    """Rows alone, learned from in the library and proved by a fresh pass."""

    _word = ""
    n_jobs: int | None
    n_features_in_: int
    feature_names_in_: np.ndarray

    def _outcome(self, X: Any, names: Any, sample_weight: ArrayLike | None, params: dict[str, Any], **options: Any):
        """What the library makes of checked rows, whose columns have these names or none."""
        asked = _core.FitOptions()
        asked.params = params
        asked.threads = parameters.threads(self.n_jobs)
        asked.tolerance = parameters.number(self, "tolerance")
        for name, value in options.items():
            setattr(asked, name, value)
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        return self._worded(
            lambda: _core.fit(self._word, array_or_parts(X), None, sample_weight, [str(name) for name in names], asked)
        )

    def _worded(self, work):
        try:
            return work()
        except DataError as error:
            raise reworded(error, self) from None

    @property
    def certificate_(self) -> Certificate:
        """The proof, made in a fresh pass over the rows."""
        check_is_fitted(self)
        return Certificate(self._model.certificate, self._model)

    def save(self, path: Any) -> None:
        """Writes the model's file, for ``recta predict``, ``recta transform`` and ``recta verify``.

        Parameters
        ----------
        path : str or path-like
        """
        check_is_fitted(self)
        self._model.save(str(path))

    def __sklearn_is_fitted__(self):
        return "_model" in self.__dict__

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = getattr(self, "kernel", None) == "precomputed"
        tags.input_tags.positive_only = getattr(self, "kernel", None) == "chi2"
        return tags
