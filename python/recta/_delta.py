"""The delta rule: a unit that learns from squared error through the sigmoid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


from . import _parameters
from ._classifier import LabelClassifier
from ._descent import whole_number
from ._docstrings import documented

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._core import Step
    from ._feature_map import FeatureMap


@documented
class DeltaRule(LabelClassifier):
    """The delta rule: a row changes the weights by eta (t - o) o (1 - o) x, with o = 1 / (1 + exp(-z)), z = <w, x> + b
    and t = 1 for the second of two classes, else 0. Of more classes each has its own unit, which learns it against the rest.

    It descends on the following cost, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (t_i - o_i)^2

    The cost is not convex, so the certificate claims no more than the norm of the gradient at the point where it ended. The output o is no probability; ``LogisticRegression`` has them.

    Parameters
    ----------
    solver : {'sgd', 'gradient-descent'}, default='sgd'
        One row a step, or all of them.
    eta0 : float, default=None
        The rate; None: a safe one, from the second moments of the rows.
    schedule : {'auto', 'constant', '1/t', 'c/(c+t)'}, default='auto'
        Of the rate, t the rows presented so far; auto: constant where a step sees all rows, else c/(c+t).
    c : float, default=None
        Of the schedule c/(c+t); None: the rows of a pass.
    order : {'auto', 'cyclic', 'shuffled', 'random'}, default='auto'
        Of the rows; auto is cyclic.
    start : str, default='zero'
        'zero', 'random', or numbers with commas: weights, then the intercept.
    average : bool, default=False
        Answer with the mean of the points after the first pass.
    fit_intercept : bool, default=True
    max_iter : int, default=100
        Passes over the rows.
    tol : float, default=None
        It ends where the norm of the gradient is at most this.
    random_state : int, RandomState instance or None, default=0
        Of random orders and starts.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows. A row of whole weight k is presented k times, other weights scale its steps.
    n_jobs : int, default=None
        Threads of the passes over all rows; None: all cores. The answer has the same bits with any number.%s    classes_ : ndarray of shape (n_classes,)
        Sorted.

    Examples
    --------
    >>> from recta.linear_model import DeltaRule
    >>> model = DeltaRule(eta0=1.0, schedule="constant", max_iter=200).fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> model.predict([[1.0], [2.0], [3.0], [4.0]]).tolist(), model.certificate_.claim, model.certificate_.verdict
    (['no', 'no', 'yes', 'yes'], 'stationary', 'stopped_early')
    """

    _word = "delta"
    _keeps_float32 = False

    def __init__(self, *, solver: str = "sgd", eta0: float | None = None, schedule: str = "auto", c: float | None = None, order: str = "auto",
                 start: str = "zero", average: bool = False, fit_intercept: bool = True, max_iter: int = 100, tol: float | None = None,
                 random_state: Any = 0, class_weight: dict[Any, float] | str | None = None, n_jobs: int | None = None,
                 verbose: int | Callable[[Step], object] = 0, tolerance: float = 1e-10, time_limit: float | None = None,
                 confidence: float = 0.95, weights_are: str = "precision", feature_map: FeatureMap | None = None,
                 unseen: str = "refuse") -> None:
        self.solver = solver
        self.eta0 = eta0
        self.schedule = schedule
        self.c = c
        self.order = order
        self.start = start
        self.average = average
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are
        self.feature_map = feature_map
        self.unseen = unseen

    def _params(self):
        params = {"solver": self.solver, "schedule": self.schedule, "order": self.order, "start": self.start, "average": bool(self.average),
                  "passes": float(whole_number(self, "max_iter"))}
        for word, name in (("rate", "eta0"), ("c", "c"), ("stop-gradient", "tol")):
            if getattr(self, name) is not None:
                params[word] = _parameters._number(self, name, 0.0, above=True)
        return params

    def _outcome(self, X, y, sample_weight, options, params, report):
        options.seed = _parameters.seed(self.random_state)
        return super()._outcome(X, y, sample_weight, options, params, report)

    @classmethod
    def _params_of(cls, model):
        words = model.params
        kept = {word: words[word] for word in ("solver", "schedule", "order", "start", "average")}
        for word, name in (("rate", "eta0"), ("c", "c"), ("stop-gradient", "tol")):
            kept[name] = words[word] if words.get(word) == words.get(word) else None  # not given is NaN in a file
        return super()._params_of(model) | kept | ({"max_iter": int(words["passes"])} if words.get("passes", 0) >= 1 else {})
