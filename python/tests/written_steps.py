"""Steps by single rows as they are written on paper, which the tests of the estimators share."""

import numpy as np


class Owed:
    """What an l1 penalty owes to weights, towards zero: from above, and from below. What zero could not take of it stays owed."""

    def __init__(self, features):
        self.above, self.below = np.zeros(features), np.zeros(features)

    def taken(self, w, step, shrunk=1.0):
        """The weights after a step of the penalty; ``shrunk``: what an l2 penalty left of them, and of what is owed."""
        self.above, self.below = self.above * shrunk + step, self.below * shrunk + step
        by = np.where(w > 0, -np.minimum(w, self.above), np.minimum(-w, self.below))
        self.above, self.below = self.above + by, self.below - by
        return w + by
