"""Features from things that are not numbers."""

from . import graph, text

__all__ = ["graph", "text"]
