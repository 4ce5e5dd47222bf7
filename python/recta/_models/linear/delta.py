"""The delta rule: a unit that learns from squared error through the sigmoid."""

from __future__ import annotations

from typing import Any

from recta._base.declared import estimator, parameter
from recta._estimator import parameters
from recta._estimator.classifier import LabelClassifier

from .descent import whole_number


@estimator("recta.linear_model")
class DeltaRule(LabelClassifier):
    """The delta rule: a row changes the weights by eta (t - o) o (1 - o) x, with o = 1 / (1 + exp(-z)), z = <w, x> + b
    and t = 1 for the second of two classes, else 0. With more classes each has its own unit, which learns it against the rest.

    It descends on the following cost, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (t_i - o_i)^2

    The cost is not convex, so the certificate claims no more than the norm of the gradient at the point where it ended. The output o is not a probability; ``LogisticRegression`` has them.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.

    Examples
    --------
    >>> from recta.linear_model import DeltaRule
    >>> model = DeltaRule(eta0=1.0, schedule="constant", max_iter=200).fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> model.predict([[1.0], [2.0], [3.0], [4.0]]).tolist(), model.certificate_.claim, model.certificate_.verdict
    (['no', 'no', 'yes', 'yes'], 'stationary', 'stopped_early')
    """

    solver: str = parameter(
        default="sgd", word="solver", type="{'sgd', 'gradient-descent'}", doc="One row per step, or all of them."
    )
    eta0: float | None = parameter(
        default=None, word="rate", doc="The rate; None: a safe one, from the second moments of the rows."
    )
    schedule: str = parameter(
        default="auto",
        word="schedule",
        type="{'auto', 'constant', '1/t', 'c/(c+t)'}",
        doc="Of the rate, t the rows presented so far; auto: constant where a step sees all rows, else c/(c+t).",
    )
    c: float | None = parameter(default=None, word="c", doc="Of the schedule c/(c+t); None: the rows of a pass.")
    order: str = parameter(
        default="auto",
        word="order",
        type="{'auto', 'cyclic', 'shuffled', 'random'}",
        doc="Of the rows; auto is cyclic.",
    )
    start: str = parameter(
        default="zero", word="start", doc="'zero', 'random', or numbers with commas: weights, then the intercept."
    )
    average: bool = parameter(
        default=False, word="average", doc="Answer with the mean of the points after the first pass."
    )
    fit_intercept: bool = parameter(default=True, word="intercept")
    max_iter: int = parameter(default=100, word="passes", doc="Passes over the rows.")
    tol: float | None = parameter(
        default=None, word="stop-gradient", doc="It ends where the norm of the gradient is at most this."
    )
    random_state: Any = parameter(
        default=0, word="seed", type="int, RandomState instance or None", doc="Of random orders and starts."
    )
    class_weight: dict[Any, float] | str | None = parameter(
        default=None,
        word="weights",
        type="dict or 'balanced'",
        doc="Multiplies the weights of a class's rows. A row of whole weight k is presented k times, other "
        "weights scale its steps.",
    )
    n_jobs: int | None = parameter(
        default=None,
        doc="Threads of the passes over all rows; None: all cores. The answer has the same bits with any number.",
    )

    _word = "delta"
    _keeps_float32 = False

    def _params(self):
        params = {
            "solver": self.solver,
            "schedule": self.schedule,
            "order": self.order,
            "start": self.start,
            "average": bool(self.average),
            "passes": float(whole_number(self, "max_iter")),
        }
        for word, name in (("rate", "eta0"), ("c", "c"), ("stop-gradient", "tol")):
            if getattr(self, name) is not None:
                params[word] = parameters._number(self, name, 0.0, above=True)
        return params

    def _outcome(self, X, y, sample_weight, options, params, report):
        options.seed = parameters.seed(self.random_state)
        return super()._outcome(X, y, sample_weight, options, params, report)

    @classmethod
    def _params_of(cls, model):
        words = model.params
        kept = {word: words[word] for word in ("solver", "schedule", "order", "start", "average")}
        for word, name in (("rate", "eta0"), ("c", "c"), ("stop-gradient", "tol")):
            kept[name] = words[word] if words.get(word) == words.get(word) else None  # not given is NaN in a file
        return (
            super()._params_of(model)
            | kept
            | ({"max_iter": int(words["passes"])} if words.get("passes", 0) >= 1 else {})
        )
