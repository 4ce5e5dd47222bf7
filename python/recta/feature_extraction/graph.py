"""Graphs as features of linear models."""

from recta._models.kernel.graph_vectorizer import GraphVectorizer

__all__ = ["GraphVectorizer"]
