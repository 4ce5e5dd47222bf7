"""Any loss with any penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _parameters
from ._attributes import keep_parameters
from ._classifier import ProbabilityClassifier
from ._docstrings import documented
from ._losses import OneTarget

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._core import Step
    from ._feature_map import FeatureMap


def _words(estimator):
    """The library's parameters: those of the penalty are numbers, or lists with one a feature."""
    out: dict[str, Any] = {"loss": estimator.loss.replace("_", "-"), "penalty": estimator.penalty.replace("_", "-")}
    if estimator.alpha is not None:
        out["lambda"] = _parameters._number(estimator, "alpha", 0.0, above=True)
    usual = _core.usual_parameters(estimator._word)
    for name, value in (estimator.parameters or {}).items():
        word = name.replace("_", "-")
        if isinstance(value, str):
            out[word] = value
        elif np.ndim(value) == 0:
            out[word] = repr(float(value)) if isinstance(usual.get(word), str) else float(value)
        else:
            out[word] = "/".join(repr(float(one)) for one in value)
    return out


def _parameters_of(model):
    kept = {name: value for name, value in model.params.items()
            if name not in ("loss", "penalty", "lambda") and (value != "" if isinstance(value, str) else not np.isnan(value))}
    strength = model.params["lambda"]
    return {"loss": model.params["loss"], "penalty": model.params["penalty"], "alpha": None if np.isnan(strength) else strength,
            "parameters": kept or None}


@documented
class PenalizedRegressor(OneTarget):
    """Numbers by any loss of a score with any penalty on the weights, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i loss(y_i, z_i) + penalty(w),    z_i = <w, x_i> + b

    ``Lasso``, ``Ridge``, ``ElasticNet`` and ``GroupLasso`` have solvers of their own, which are faster.

    Parameters
    ----------
    loss : {'squared', 'huber'}, default='squared'
    penalty : {'l1', 'l2', 'elastic-net', 'group', 'box'}, default='l1'
        'box' holds every weight between two bounds.
    alpha : float, default=None
        Strength of the penalty; None: 1, and what 'box' takes, which has none.
    parameters : dict, default=None
        Those of the loss and the penalty: ``delta`` of 'huber'; ``l1_share`` of 'elastic-net'; ``groups`` of 'group', the number of the
        group of each feature; ``lower`` and ``upper`` of 'box', one number or one a feature.
    fit_intercept : bool, default=True
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s
    Examples
    --------
    >>> from recta.linear_model import PenalizedRegressor
    >>> model = PenalizedRegressor(penalty="box", parameters={"lower": 0, "upper": [1, 5]})
    >>> model = model.fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]], [0.0, 2.0, 5.0, 6.0])
    >>> model.coef_.round(6).tolist(), model.certificate_.verdict
    ([1.0, 1.0], 'proved')
    """

    _word = "penalised"

    def __init__(self, loss: str = "squared", penalty: str = "l1", *, alpha: float | None = None, parameters: dict[str, Any] | None = None,
                 fit_intercept: bool = True, n_jobs: int | None = None, tolerance: float = 1e-10, time_limit: float | None = None,
                 verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95, weights_are: str = "precision",
                 feature_map: FeatureMap | None = None, unseen: str = "refuse") -> None:
        keep_parameters(self, locals())

    def _params(self):
        return _words(self)

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | _parameters_of(model)


@documented
class PenalizedClassifier(ProbabilityClassifier):
    """Two classes by any loss of a score with any penalty on the weights, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted), ``V`` the sum of the weights and ``y_i`` -1 or 1::

        1/V sum_i v_i loss(y_i, z_i) + penalty(w),    z_i = <w, x_i> + b

    More classes are combined from two at a time by ``recta.multiclass``.

    Parameters
    ----------
    loss : {'logistic'}, default='logistic'
    penalty : {'l1', 'l2', 'elastic-net', 'group', 'box'}, default='l1'
    alpha : float, default=None
        Strength of the penalty; None: 1, and what 'box' takes, which has none.
    parameters : dict, default=None
        Those of the penalty, as for :class:`PenalizedRegressor`.
    fit_intercept : bool, default=True
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    classes_ : ndarray of shape (2,)
        Sorted.

    Examples
    --------
    >>> from recta.linear_model import PenalizedClassifier
    >>> model = PenalizedClassifier(alpha=0.1).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.0, 0.0], [3.0, 3.0]]).tolist(), model.certificate_.verdict
    (['a', 'b'], 'proved')
    """

    _word = "penalised-classes"

    def __init__(self, loss: str = "logistic", penalty: str = "l1", *, alpha: float | None = None, parameters: dict[str, Any] | None = None,
                 fit_intercept: bool = True, class_weight: dict[Any, float] | str | None = None, n_jobs: int | None = None,
                 tolerance: float = 1e-10, time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0,
                 confidence: float = 0.95, weights_are: str = "precision", feature_map: FeatureMap | None = None, unseen: str = "refuse") -> None:
        keep_parameters(self, locals())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _params(self):
        return _words(self)

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | _parameters_of(model)
