"""Logistic regression: the log-odds of classes are linear in the features."""

from __future__ import annotations

from typing import Any

import numpy as np

from recta._base.declared import estimator, parameter
from recta._estimator import parameters
from recta._estimator.classifier import ProbabilityClassifier
from recta._estimator.shared import CLASS_WEIGHT, NEWTON_ENDS, NOT_RANDOM, TOL, WARM_START

from .sparse_coefficients import SparseCoefficients


@estimator("recta.linear_model")
class LogisticRegression(SparseCoefficients, ProbabilityClassifier):
    """Logistic regression, as ``sklearn.linear_model.LogisticRegression``, with a proof.

    Two classes are Recta's ``logistic``, more its ``softmax``.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        C sum_i v_i loss_i + l1_ratio sum_j |w_j| + (1 - l1_ratio) / 2 sum_j w_j^2

    With two classes ``loss_i`` is log(1 + exp(-y_i z_i)), y_i = -1 or 1 and z_i = <w, x_i> + b. With more it is
    log(sum_k exp(z_ik)) - z_ic, where c is the class of row i and z_ik = <w_k, x_i> + b_k; the penalty is on all w_k.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from recta.linear_model import LogisticRegression
    >>> X = [[0.0]] * 8 + [[1.0]] * 8
    >>> y = ["no"] * 6 + ["yes"] * 2 + ["no"] * 3 + ["yes"] * 5
    >>> model = LogisticRegression(C=np.inf).fit(X, y)
    >>> model.predict_proba([[0.0], [1.0]]).round(6).tolist()
    [[0.75, 0.25], [0.375, 0.625]]
    >>> model.certificate_.verdict
    'proved'
    """

    penalty: str = parameter(
        default="deprecated",
        kw_only=False,
        word="l1-share",
        type="{'l1', 'l2', 'elasticnet', 'firth', None}",
        doc="As in scikit-learn from 1.8 on C and l1_ratio say it; None is ``C=numpy.inf``, 'l1' and 'l2' are "
        "l1_ratio 1 and 0. With two classes 'firth' is Firth's correction of the likelihood, whose answer is "
        "finite even if a plane separates them; C plays no part.",
    )
    C: float = parameter(
        default=1.0,
        low=0.0,
        above=True,
        word="tau",
        doc="Inverse of the strength of the penalty beside the summed loss; ``numpy.inf`` means no penalty. The "
        "intercept is not penalised.",
    )
    l1_ratio: float = parameter(
        default=0.0,
        low=0.0,
        high=1.0,
        word="l1-share",
        doc="The share of the penalty that is on absolute values, which makes coefficients exactly zero: 0 for "
        "squares alone, 1 for none of them.",
    )
    dual: bool = parameter(default=False, free="the answer is proved, whichever way it was found")
    tol: float = TOL
    fit_intercept: bool = parameter(default=True, word="intercept")
    intercept_scaling: float = parameter(default=1, free="the intercept is not penalised")
    class_weight: dict[Any, float] | str | None = CLASS_WEIGHT
    random_state: Any = NOT_RANDOM
    solver: str = parameter(
        default="lbfgs",
        free="Newton's method, whose answer is proved",
        words=("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"),
    )
    max_iter: int = NEWTON_ENDS
    warm_start: bool = WARM_START

    _word = "logistic"

    _file_words = ("logistic", "softmax")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.penalty != "firth"
        return tags

    def _targets(self, X, y, sample_weight):
        targets = super()._targets(X, y, sample_weight)
        self._word = "logistic" if len(self.classes_) == 2 else "softmax"
        return targets

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.n_iter_ = np.array([self.n_iter_], dtype=np.int32)

    def _share(self):
        share = 0.0 if self.l1_ratio is None else parameters.number(self, "l1_ratio")
        return {"l1": 1.0, "l2": 0.0}.get(self.penalty, share)

    def _params(self):
        C = parameters.number(self, "C")
        if self.penalty not in ("deprecated", "l1", "l2", "elasticnet", "firth", None):
            raise ValueError(
                f"The 'penalty' parameter of {type(self).__name__} must be one of 'l1', 'l2', 'elasticnet', 'firth' and None. "
                f"Got {self.penalty!r} instead."
            )
        if self.penalty == "firth":
            return {"firth": True}
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise ValueError("l1_ratio must be specified when penalty is 'elasticnet'")
        share = self._share()
        if np.isinf(C) or self.penalty is None:
            return {"lambda": 0.0}
        return {"tau": 1 / C, "l1-share": share} if share > 0 else {"tau": 1 / C}

    @classmethod
    def _params_of(cls, model):
        if model.params.get("firth"):
            return super()._params_of(model) | {"penalty": "firth"}
        strength = (model.lambda1 + model.lambda2) * model.weight_sum
        share = model.lambda1 / (model.lambda1 + model.lambda2) if strength > 0 else 0.0
        return super()._params_of(model) | {"C": 1 / strength if strength > 0 else np.inf, "l1_ratio": share}
