"""Support vector machines with scikit-learn's names and meanings, and a proof of every answer."""

from ._losses import LinearSVR

__all__ = ["LinearSVR"]
