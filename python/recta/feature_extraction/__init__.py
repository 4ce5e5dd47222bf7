"""Features from things that are no numbers."""

from . import text

__all__ = ["text"]
