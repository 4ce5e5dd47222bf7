"""More than two classes by models of two, with scikit-learn's names and meanings, and the proofs of all parts."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._meta.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier", "OutputCodeClassifier"]
