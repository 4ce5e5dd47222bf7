"""Parameters that many estimators have in common."""

from __future__ import annotations

from collections.abc import Callable

from recta._base.declared import declared, parameter
from recta._core import Step
from recta._features.feature_map import FeatureMap

THREADS = parameter(
    default=None, word="threads", doc="Threads; None: all cores. The answer has the same bits with any number."
)
READING_THREADS = parameter(default=None, word="threads", doc="Threads that read the rows; None: all cores.")
CLASS_WEIGHT = parameter(
    default=None,
    word="weights",
    type="dict or 'balanced'",
    doc="Multiplies the weights of a class's rows; 'balanced' makes all classes weigh the same.",
)
COPY_X = parameter(default=True, free="X is read where it lies and never written to")
NOT_POSITIVE = parameter(
    default=False,
    refused="least squares with coefficients kept positive is another problem, which is not solved here",
)
NOT_RANDOM = parameter(default=None, free="nothing here is random")
NEWTON_ENDS = parameter(default=100, free="Newton's method ends by itself; time_limit= stops it before")
TOL = parameter(default=1e-4, free="the answer is proved to tolerance=, which is finer")
WARM_START = parameter(default=False, free="the answer is proved, wherever it was begun")


@declared
class Proved:
    """Recta's own parameters, which every estimator that is solved for has."""

    n_jobs: int | None = THREADS
    tolerance: float = parameter(
        default=1e-10,
        low=0.0,
        word="tolerance",
        doc="What the certificate must reach, in units of the objective of the best constant.",
    )
    time_limit: float | None = parameter(
        default=None,
        low=0.0,
        above=True,
        word="time_limit",
        doc="Seconds after which the best answer so far is returned; its certificate says how far it is.",
    )
    verbose: int | Callable[[Step], object] = parameter(
        default=0,
        word="watch",
        type="int or callable",
        doc="1 shows a bar. A function is called with each step (``stage``, ``fraction``, ``seconds``, ``gap``); False stops.",
    )
    confidence: float = parameter(
        default=0.95, low=0.0, high=1.0, above=True, word="confidence", doc="Of the intervals in ``summary()``."
    )
    weights_are: str = parameter(
        default="precision",
        word="weights_are",
        type="{'precision', 'frequency'}",
        doc="What weights mean for standard errors; coefficients are the same.",
    )
    unseen: str = parameter(
        default="refuse",
        word="unseen",
        type="{'refuse', 'zeros'}",
        doc="What a category that training did not know does at prediction: it is an error, or its row has no level, 0 in all of the "
        "column's features. Levels that the dtype of the training column declares are known.",
    )
    feature_map: FeatureMap | None = parameter(
        default=None,
        word="poly, poly_terms, basis, feature",
        type="recta.preprocessing.FeatureMap",
        doc="Features made from the columns inside the fit: with all their digits, and kept in the model's file.",
    )
