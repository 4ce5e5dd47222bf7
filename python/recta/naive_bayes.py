"""Naive Bayes with scikit-learn's names and meanings, and a proof of every count."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._categorical_nb import CategoricalNB
from ._discrete_nb import BernoulliNB, ComplementNB, MultinomialNB
from ._gaussian_nb import GaussianNB
from ._mixed_nb import MixedNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MixedNB", "MultinomialNB"]
