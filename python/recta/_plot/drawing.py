"""What every display needs."""

import numpy as np

# Okabe and Ito's colours for readers who do not see all of them; the command line's pictures have the same.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b8639a", "#e69f00", "#56b4e9", "#7a6a4f")


def new_axes(ax):
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("recta.plot draws with matplotlib, which is not installed: pip install matplotlib") from None
    return pyplot.subplots(layout="constrained")[1] if ax is None else ax


def vector(values, name):
    """Numbers of one dimension, or of one column."""
    array = np.asarray(values, dtype=float)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; a picture shows one target: pass one column of numbers")
    if array.size == 0:
        raise ValueError(f"{name} is empty: there is nothing to draw")
    return array
