"""Documents as features, with scikit-learn's names, parameters and answers; the words are found and counted by the library."""

from recta._features.vectorizers import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer

__all__ = ["CountVectorizer", "HashingVectorizer", "TfidfTransformer", "TfidfVectorizer"]
