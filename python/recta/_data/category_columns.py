"""Frames with columns of categories for estimators whose rows are plain numbers, and the rows of a fit as its certificate knows them."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_array, validate_data

from .class_places import some_rows
from .frame_features import FrameFeatures
from .input import has_categories
from .labels import known_places


class ReadsCategories:
    """A category becomes one column of 0 and 1 per level: ``n_features_in_`` counts the columns of X, what was learned has one number per level."""

    _frame = None  # how the columns of training were read, where it had categories

    def _as_numbers(self, X, reset, **checks):
        """The rows of a frame with categories as numbers, checked; None where X is plain rows."""
        if reset:
            self._frame = self._read(X) if has_categories(X) else None
        if self._frame is None:
            return None
        validate_data(self, X, reset=reset, skip_check_array=True)
        return check_array(self._frame.rows(X, "refuse").toarray(), estimator=self, input_name="X", **checks)

    def _read(self, X):
        return FrameFeatures(X)

    @property
    def _width(self):
        """Columns of numbers."""
        return self.n_features_in_ if self._frame is None else len(self._frame.names())


class TrainingRows:
    """Labels as their places, and frames as numbers, for a proof that is made again."""

    def __init__(self, classes, frame=None):
        self.classes, self.frame = classes, frame

    def as_fitted(self, X, y, sample_weight=None):
        """Rows of positive weight, places of their labels among the classes, weights."""
        places = known_places(np.asarray(y), self.classes).astype(np.float64)
        if self.frame is not None:
            X = self.frame.rows(X, "refuse").toarray()
        if sample_weight is None:
            return X, places, None
        weights = np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(places))
        present = weights > 0
        return (X, places, weights) if present.all() else (some_rows(X, present), places[present], weights[present])
