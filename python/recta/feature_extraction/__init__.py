"""Features from things that are no numbers."""

from . import graph, text

__all__ = ["graph", "text"]
