"""Pictures with matplotlib, in the manner of scikit-learn's displays.

Each display has ``from_estimator`` or a constructor that takes plain arrays, ``plot(ax=None)``, and afterwards ``ax_``,
``figure_`` and the artists it drew, so that all of matplotlib is at hand to change them. matplotlib is imported when a
picture is drawn. ``draw`` needs none of it: it gives the pictures of ``recta plot`` as SVG.

>>> import matplotlib
>>> matplotlib.use("Agg")
>>> from recta.linear_model import LinearRegression
>>> from recta.plot import PredictionErrorDisplay
>>> model = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 2.0, 1.0, 3.0])
>>> display = PredictionErrorDisplay.from_estimator(model, [[0.0], [1.0], [2.0], [3.0]], [0.0, 2.0, 1.0, 3.0])
>>> [round(float(r), 12) for r in display.scatter_.get_offsets()[:, 1]]
[-0.3, 0.9, -0.9, 0.3]
"""

from recta._plot.classes import ProbabilityCurveDisplay, ProbabilityHistogramDisplay, TrainingCurveDisplay
from recta._plot.costs import CostDisplay, TraceDisplay
from recta._plot.losses import LossDisplay
from recta._plot.paths import PathDisplay
from recta._plot.predictions import FittedCurveDisplay, PredictionErrorDisplay
from recta._plot.svg import Drawing, draw, heat_map, picture_kinds

__all__ = [
    "CostDisplay",
    "Drawing",
    "FittedCurveDisplay",
    "LossDisplay",
    "PathDisplay",
    "PredictionErrorDisplay",
    "ProbabilityCurveDisplay",
    "ProbabilityHistogramDisplay",
    "TraceDisplay",
    "TrainingCurveDisplay",
    "draw",
    "heat_map",
    "picture_kinds",
]
