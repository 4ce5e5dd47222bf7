"""Several targets by a model for each, with scikit-learn's names and meanings, and the proofs of all parts."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._meta.label_sets import LabelSetClassifier
from recta._meta.multioutput import ClassifierChain, MultiOutputClassifier, MultiOutputRegressor, RegressorChain

__all__ = ["ClassifierChain", "LabelSetClassifier", "MultiOutputClassifier", "MultiOutputRegressor", "RegressorChain"]
