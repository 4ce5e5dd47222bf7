"""Naive Bayes with scikit-learn's names and meanings, and a proof of every count."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MixedNB, MultinomialNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MixedNB", "MultinomialNB"]
