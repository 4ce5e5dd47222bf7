"""Graphs as features of linear models."""

from .._graph_vectorizer import GraphVectorizer

__all__ = ["GraphVectorizer"]
