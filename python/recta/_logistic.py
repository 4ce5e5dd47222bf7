"""Logistic regression: the log-odds of classes are linear in the features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _parameters
from ._classifier import ProbabilityClassifier
from ._docstrings import documented
from ._sparse_coefficients import SparseCoefficients

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._core import Step
    from ._feature_map import FeatureMap


@documented
class LogisticRegression(SparseCoefficients, ProbabilityClassifier):
    """Logistic regression, as ``sklearn.linear_model.LogisticRegression``, with a proof.

    Two classes are Recta's ``logistic``, more its ``softmax``.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        C sum_i v_i loss_i + l1_ratio sum_j |w_j| + (1 - l1_ratio) / 2 sum_j w_j^2

    With two classes ``loss_i`` is log(1 + exp(-y_i z_i)), y_i = -1 or 1 and z_i = <w, x_i> + b. With more it is
    log(sum_k exp(z_ik)) - z_ic, where c is the class of row i and z_ik = <w_k, x_i> + b_k; the penalty is on all w_k.

    Parameters
    ----------
    penalty : {'l1', 'l2', 'elasticnet', 'firth', None}, default='deprecated'
        As in scikit-learn from 1.8 on C and l1_ratio say it; None is ``C=numpy.inf``, 'l1' and 'l2' are l1_ratio 1 and 0. Of two
        classes 'firth' is Firth's correction of the likelihood, whose answer is finite where a plane separates them; C has no part.
    C : float, default=1.0
        Inverse of the strength of the penalty beside the summed loss; ``numpy.inf`` is no penalty. The intercept is not
        penalised.
    l1_ratio : float, default=0.0
        The share of the penalty that is on absolute values, which makes coefficients exactly zero: 0 for squares alone, 1 for
        none of them.
    dual, intercept_scaling, solver, max_iter, tol, warm_start, random_state
        Without effect: Newton's method ends when the answer is proved to ``tolerance``.
    fit_intercept : bool, default=True
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows; 'balanced' makes all classes weigh the same.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    classes_ : ndarray of shape (n_classes,)
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

    _word = "logistic"

    def __init__(self, penalty: str = "deprecated", *, C: float = 1.0, l1_ratio: float = 0.0, dual: bool = False, tol: float = 1e-4,
                 fit_intercept: bool = True, intercept_scaling: float = 1, class_weight: dict[Any, float] | str | None = None,
                 random_state: Any = None, solver: str = "lbfgs", max_iter: int = 100,
                 verbose: int | Callable[[Step], object] = 0, warm_start: bool = False, n_jobs: int | None = None,
                 tolerance: float = 1e-10, time_limit: float | None = None, confidence: float = 0.95,
                 weights_are: str = "precision", feature_map: FeatureMap | None = None, unseen: str = "refuse") -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are
        self.feature_map = feature_map
        self.unseen = unseen

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
        share = 0.0 if self.l1_ratio is None else _parameters._number(self, "l1_ratio", 0.0, 1.0)
        return {"l1": 1.0, "l2": 0.0}.get(self.penalty, share)

    def _params(self):
        C = _parameters._number(self, "C", 0.0, above=True)
        if self.penalty not in ("deprecated", "l1", "l2", "elasticnet", "firth", None):
            raise ValueError(f"The 'penalty' parameter of {type(self).__name__} must be one of 'l1', 'l2', 'elasticnet', 'firth' and None. "
                             f"Got {self.penalty!r} instead.")
        if self.penalty == "firth":
            return {"firth": True}
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise ValueError("l1_ratio must be specified when penalty is 'elasticnet'")
        share = self._share()
        if np.isinf(C) or self.penalty is None:
            return {}
        return {"tau": 1 / C, "l1-share": share} if share > 0 else {"tau": 1 / C}

    @classmethod
    def _params_of(cls, model):
        if model.params.get("firth"):
            return super()._params_of(model) | {"penalty": "firth"}
        strength = (model.lambda1 + model.lambda2) * model.weight_sum
        share = model.lambda1 / (model.lambda1 + model.lambda2) if strength > 0 else 0.0
        return super()._params_of(model) | {"C": 1 / strength if strength > 0 else np.inf, "l1_ratio": share}
