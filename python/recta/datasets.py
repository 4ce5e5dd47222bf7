"""The data sets that are part of Recta.

>>> import recta
>>> "housing" in recta.datasets.names()
True
>>> X, y = recta.datasets.load("housing", return_X_y=True)
>>> X.shape
(506, 13)
"""

from recta._data.datasets import describe, load, names

__all__ = ["describe", "load", "names"]
