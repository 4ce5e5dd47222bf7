"""Naive Bayes with scikit-learn's names and meanings, and a proof of every count."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.naive_bayes.categorical import CategoricalNB
from recta._models.naive_bayes.discrete import BernoulliNB, ComplementNB, MultinomialNB
from recta._models.naive_bayes.gaussian import GaussianNB
from recta._models.naive_bayes.mixed import MixedNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MixedNB", "MultinomialNB"]
