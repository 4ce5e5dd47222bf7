"""Any loss with any penalty."""

from __future__ import annotations

from typing import Any

import numpy as np

from recta import _core
from recta._base.declared import estimator, parameter
from recta._estimator import parameters
from recta._estimator.classifier import ProbabilityClassifier
from recta._estimator.regressor import OneTarget
from recta._estimator.shared import CLASS_WEIGHT


def _words(estimator):
    """The library's parameters: those of the penalty are numbers, or lists with one per feature."""
    out: dict[str, Any] = {"loss": estimator.loss.replace("_", "-"), "penalty": estimator.penalty.replace("_", "-")}
    if estimator.alpha is not None:
        out["lambda"] = parameters.number(estimator, "alpha")
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
    kept = {
        name: value
        for name, value in model.params.items()
        if name not in ("loss", "penalty", "lambda")
        and (value != "" if isinstance(value, str) else not np.isnan(value))
    }
    strength = model.params["lambda"]
    return {
        "loss": model.params["loss"],
        "penalty": model.params["penalty"],
        "alpha": None if np.isnan(strength) else strength,
        "parameters": kept or None,
    }


@estimator("recta.linear_model")
class PenalizedRegressor(OneTarget):
    """Numbers by any loss of a score with any penalty on the weights, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/V sum_i v_i loss(y_i, z_i) + penalty(w),    z_i = <w, x_i> + b

    ``Lasso``, ``Ridge``, ``ElasticNet`` and ``GroupLasso`` have solvers of their own, which are faster.

    Examples
    --------
    >>> from recta.linear_model import PenalizedRegressor
    >>> model = PenalizedRegressor(penalty="box", parameters={"lower": 0, "upper": [1, 5]})
    >>> model = model.fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]], [0.0, 2.0, 5.0, 6.0])
    >>> model.coef_.round(6).tolist(), model.certificate_.verdict
    ([1.0, 1.0], 'proved')
    """

    loss: str = parameter(default="squared", kw_only=False, word="loss", type="{'squared', 'huber'}")
    penalty: str = parameter(
        default="l1",
        kw_only=False,
        word="penalty",
        type="{'l1', 'l2', 'elastic-net', 'group', 'box'}",
        doc="'box' holds every weight between two bounds.",
    )
    alpha: float | None = parameter(
        default=None,
        low=0.0,
        above=True,
        word="lambda",
        doc="Strength of the penalty; None: 1, and what 'box' takes, which has none.",
    )
    parameters: dict[str, Any] | None = parameter(
        default=None,
        word="delta, l1-share, groups, lower, upper",
        type="dict",
        doc="Those of the loss and the penalty: ``delta`` of 'huber'; ``l1_share`` of 'elastic-net'; ``groups`` "
        "of 'group', the number of the group of each feature; ``lower`` and ``upper`` of 'box', one number or "
        "one per feature.",
    )
    fit_intercept: bool = parameter(default=True, word="intercept")

    _word = "penalised"

    def _params(self):
        return _words(self)

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | _parameters_of(model)


@estimator("recta.linear_model")
class PenalizedClassifier(ProbabilityClassifier):
    """Two classes by any loss of a score with any penalty on the weights, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted), ``V`` the sum of the weights and ``y_i`` -1 or 1::

        1/V sum_i v_i loss(y_i, z_i) + penalty(w),    z_i = <w, x_i> + b

    More classes are combined from two at a time by ``recta.multiclass``.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Sorted.

    Examples
    --------
    >>> from recta.linear_model import PenalizedClassifier
    >>> model = PenalizedClassifier(alpha=0.1).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.0, 0.0], [3.0, 3.0]]).tolist(), model.certificate_.verdict
    (['a', 'b'], 'proved')
    """

    loss: str = parameter(default="logistic", kw_only=False, word="loss", type="{'logistic'}")
    penalty: str = parameter(
        default="l1", kw_only=False, word="penalty", type="{'l1', 'l2', 'elastic-net', 'group', 'box'}"
    )
    alpha: float | None = parameter(
        default=None,
        low=0.0,
        above=True,
        word="lambda",
        doc="Strength of the penalty; None: 0.01, and what 'box' takes, which has none. With 1, a weight of "
        "standardised columns would stay zero.",
    )
    parameters: dict[str, Any] | None = parameter(
        default=None,
        word="delta, l1-share, groups, lower, upper",
        type="dict",
        doc="Those of the penalty, as for :class:`PenalizedRegressor`.",
    )
    fit_intercept: bool = parameter(default=True, word="intercept")
    class_weight: dict[Any, float] | str | None = CLASS_WEIGHT

    _word = "penalised-classes"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _params(self):
        strength = {"lambda": 0.01} if self.alpha is None and self.penalty != "box" else {}
        return _words(self) | strength

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | _parameters_of(model)
