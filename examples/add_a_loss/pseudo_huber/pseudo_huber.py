"""Regression with the pseudo-Huber loss in Python."""

from recta._estimator.regressor import OneTarget


class PseudoHuberRegressor(OneTarget):
    """Squares near the surface, straight lines far away, with a proof."""

    _word = "pseudo-huber"
    _keeps_float32 = False

    def __init__(
        self,
        *,
        delta=1.0,
        alpha=0.0,
        fit_intercept=True,
        n_jobs=None,
        tolerance=1e-10,
        time_limit=None,
        verbose=0,
        confidence=0.95,
        weights_are="precision",
        feature_map=None,
        unseen="refuse",
    ):
        self.delta = delta
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.feature_map = feature_map
        self.unseen = unseen

    def _params(self):
        return {"delta": float(self.delta), "lambda": float(self.alpha)}
