"""The nearest class median in Python."""

from __future__ import annotations

from typing import Any

from recta._base.declared import estimator
from recta._estimator.classifier import LabelClassifier
from recta._estimator.shared import CLASS_WEIGHT


@estimator(__name__)
class NearestMedian(LabelClassifier):
    """Classes by the nearest of their medians, column by column, with a proof."""

    class_weight: Any = CLASS_WEIGHT

    _word = "nearest-median"
    fit_intercept = True
