"""Baselines: the same answer for every row, which a model should beat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _parameters
from ._classifier import ProbabilityClassifier
from ._docstrings import documented
from ._regressor import CertifiedRegressor

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._core import Step


def _strategy(estimator, known, others):
    """The word, if it is one that is fitted here."""
    if estimator.strategy in known:
        return estimator.strategy
    if estimator.strategy in others:
        raise ValueError(f"{type(estimator).__name__}(strategy={estimator.strategy!r}): {others[estimator.strategy]}.")
    raise ValueError(f"The 'strategy' parameter of {type(estimator).__name__} must be one of {', '.join(map(repr, known))}. "
                     f"Got {estimator.strategy!r} instead.")


@documented
class DummyRegressor(CertifiedRegressor):
    """The mean, the median or a quantile of y for every row, as ``sklearn.dummy.DummyRegressor``, with a proof.

    It minimises over b, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - b)^2                              strategy 'mean'
        sum_i v_i max(q (y_i - b), (q - 1) (y_i - b))      'median', q = 1/2, and 'quantile'

    The quantile is a value of y, or the middle between two where all in between are optimal; scikit-learn interpolates.

    Parameters
    ----------
    strategy : {'mean', 'median', 'quantile'}, default='mean'
        scikit-learn's 'constant' has nothing to learn and is refused.
    constant
        Refused, for the same reason.
    quantile : float, default=None
        Share of the weight below, between 0 and 1; only with 'quantile'.
    n_jobs : int, default=None
        Threads that read the rows; None: all cores.%s    constant_ : ndarray of shape (1, n_targets)
        What is predicted.

    Examples
    --------
    >>> from recta.dummy import DummyRegressor
    >>> model = DummyRegressor(strategy="median").fit([[0], [1], [2], [3]], [1.0, 2.0, 4.0, 100.0])
    >>> model.predict([[5]]).tolist(), model.certificate_.verdict
    ([3.0], 'proved')
    """

    _word = "constant"
    _module = "recta.dummy"
    _keeps_float32 = False
    fit_intercept = True  # it is all there is

    constant_: np.ndarray

    def __init__(self, *, strategy: str = "mean", constant: Any = None, quantile: float | None = None, n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95,
                 weights_are: str = "precision", unseen: str = "refuse") -> None:
        self.strategy = strategy
        self.constant = constant
        self.quantile = quantile
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        return tags

    def _params(self):
        strategy = _strategy(self, ("mean", "median", "quantile"),
                             {"constant": "a constant that is given has nothing to learn or to prove; scikit-learn's class has it"})
        if strategy == "quantile":
            if self.quantile is None:
                raise ValueError("DummyRegressor(strategy='quantile') needs quantile=, a number between 0 and 1.")
            return {"statistic": strategy, "quantile": _parameters._number(self, "quantile", 0.0, 1.0, above=True)}
        return {"statistic": strategy}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.constant_ = np.atleast_1d(np.asarray(self.intercept_, dtype=np.float64)).reshape(1, -1)

    @classmethod
    def _params_of(cls, model):
        strategy = model.params["statistic"]
        return super()._params_of(model) | {"strategy": strategy} | ({"quantile": model.params["quantile"]} if strategy == "quantile" else {})


@documented
class DummyClassifier(ProbabilityClassifier):
    """The class of most weight for every row, as ``sklearn.dummy.DummyClassifier``, with a proof.

    If several classes weigh the most, it is the first of them.

    Parameters
    ----------
    strategy : {'prior', 'most_frequent'}, default='prior'
        Both predict the heaviest class. The probabilities of 'prior' are the shares of the classes, the constants of largest
        likelihood; those of 'most_frequent' are 1 and 0. scikit-learn's 'uniform' and 'stratified' draw at random and 'constant'
        has nothing to learn: they are refused.
    random_state
        Without effect: nothing here is random.
    constant
        Refused, as the strategy of that name.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows.
    n_jobs : int, default=None
        Threads that read the rows; None: all cores.%s    classes_ : ndarray of shape (n_classes,)
        Sorted.
    class_prior_ : ndarray of shape (n_classes,)
        The shares of the classes.

    Examples
    --------
    >>> from recta.dummy import DummyClassifier
    >>> model = DummyClassifier().fit([[0], [1], [2], [3]], ["no", "no", "no", "yes"])
    >>> model.predict([[5]]).tolist(), model.predict_proba([[5]]).round(9).tolist(), model.certificate_.verdict
    (['no'], [[0.75, 0.25]], 'proved')
    """

    _word = "majority"
    _module = "recta.dummy"
    _keeps_float32 = False
    fit_intercept = True  # it is all there is

    class_prior_: np.ndarray

    def __init__(self, *, strategy: str = "prior", random_state: Any = None, constant: Any = None, class_weight: dict[Any, float] | str | None = None, n_jobs: int | None = None,
                 tolerance: float = 1e-10, time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0,
                 confidence: float = 0.95, weights_are: str = "precision", unseen: str = "refuse") -> None:
        self.strategy = strategy
        self.random_state = random_state
        self.constant = constant
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def _params(self):
        random = "labels drawn at random are no model that could be proved; scikit-learn's class draws them"
        _strategy(self, ("prior", "most_frequent"),
                  {"uniform": random, "stratified": random, "constant": "a class that is given has nothing to learn; scikit-learn's class has it"})
        return {}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.class_prior_ = super().predict_proba(np.zeros((1, self.n_features_in_)))[0]

    @property
    def decision_function(self):
        """None, as in scikit-learn: the shares of the classes are probabilities."""
        raise AttributeError("DummyClassifier has no scores; predict_proba gives the shares of the classes")

    def predict_proba(self, X: Any, offset: Any = None, *, corrected: bool = False) -> np.ndarray:
        shares = super().predict_proba(X, offset, corrected=corrected)
        if self.strategy == "prior":
            return shares
        return (self.predict(X, offset)[:, None] == self.classes_[None, :]).astype(np.float64)

    def predict_log_proba(self, X: Any, offset: Any = None) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, offset))

    predict_log_proba.__doc__ = ProbabilityClassifier.predict_log_proba.__doc__
    predict_proba.__doc__ = ProbabilityClassifier.predict_proba.__doc__
