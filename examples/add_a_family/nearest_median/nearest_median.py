"""The nearest class median in Python."""

from recta._classifier import LabelClassifier


class NearestMedian(LabelClassifier):
    """Classes by the nearest of their medians, column by column, with a proof."""

    _word = "nearest-median"
    fit_intercept = True

    def __init__(self, *, class_weight=None, n_jobs=None, tolerance=1e-10, time_limit=None, verbose=0, confidence=0.95,
                 weights_are="precision", unseen="refuse"):
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen

    def _params(self):
        return {}
