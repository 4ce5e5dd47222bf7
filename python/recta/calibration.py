"""Probabilities that agree with how often classes occur, with scikit-learn's names and meanings, and proofs of the maps."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._meta.calibration import CalibratedClassifierCV
from recta._metrics.probabilities import calibration_curve

__all__ = ["CalibratedClassifierCV", "calibration_curve"]
