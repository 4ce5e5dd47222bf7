"""Linear support vector machines, for classes and for numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike

from recta._base.declared import estimator, left_out, parameter
from recta._estimator import parameters
from recta._estimator.regressor import OneTarget
from recta._estimator.shared import CLASS_WEIGHT, NOT_RANDOM, TOL
from recta._models.kernel.machine import Machine, MachineClassifier, intercept_of, penalised_intercept
from recta._models.linear.sparse_coefficients import SparseCoefficients


@estimator("recta.svm")
class LinearSVC(SparseCoefficients, MachineClassifier):
    """Linear support vector machine for classes, as ``sklearn.svm.LinearSVC``, with a proof.

    Unlike in scikit-learn's class of this name, and as in its ``SVC(kernel="linear")``, the intercept is not penalised unless
    ``penalised_intercept`` asks for that. It minimises, where ``v_i`` is the weight of row i (1 if omitted), for two classes y = -1 and 1::

        C sum_i v_i max(0, 1 - y_i (<w, x_i> + b))^2 + 1/2 sum_j w_j^2      loss 'squared_hinge'
        C sum_i v_i max(0, 1 - y_i (<w, x_i> + b))   + 1/2 sum_j w_j^2      loss 'hinge'
        C sum_i v_i max(0, 1 - y_i (<w, x_i> + b))^2 + sum_j |w_j|          loss 'squared_hinge', penalty 'l1'

    More classes have a machine each, against the rest.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.

    Examples
    --------
    >>> from recta.svm import LinearSVC
    >>> model = LinearSVC(loss="hinge", C=10.0).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> model.coef_.round(9).tolist(), model.intercept_.round(9).tolist(), model.certificate_.verdict
    ([[2.0]], [-5.0], 'proved')
    """

    penalty: str = parameter(
        default="l2",
        kw_only=False,
        word="penalty",
        type="{'l1', 'l2'}",
        doc="'l1' makes many weights exactly zero; it takes the loss 'squared_hinge'.",
    )
    loss: str = parameter(default="squared_hinge", kw_only=False, word="loss", type="{'hinge', 'squared_hinge'}")
    dual: bool | str = parameter(default="auto", free="the solver is chosen by shape, and proves both")
    tol: float = TOL
    C: float = parameter(default=1.0, low=0.0, above=True, word="C", doc="Cost of rows short of the margin.")
    multi_class: str = parameter(default="ovr", refused="every class has a machine against the rest", type="{'ovr'}")
    fit_intercept: bool = parameter(default=True, word="intercept")
    intercept_scaling: float = parameter(
        default=1,
        low=0.0,
        word="intercept-scaling",
        doc="With ``penalised_intercept``: b / intercept_scaling counts in the penalty like a weight.",
    )
    class_weight: dict[Any, float] | str | None = CLASS_WEIGHT
    random_state: Any = NOT_RANDOM
    max_iter: int = parameter(default=1000, free="the search ends by itself; time_limit= stops it before")
    penalised_intercept: bool = parameter(
        default=False,
        word="penalised-intercept",
        doc="The intercept counts in the penalty: the objective of liblinear and of scikit-learn's class.",
    )
    feature_map: Any = left_out()

    _word = "svm"

    def _params(self):
        if self.loss not in ("hinge", "squared_hinge"):
            raise ValueError(
                f"The 'loss' parameter of LinearSVC must be 'hinge' or 'squared_hinge'. Got {self.loss!r} instead."
            )
        if self.penalty not in ("l1", "l2"):
            raise ValueError(
                f"The 'penalty' parameter of LinearSVC must be 'l1' or 'l2'. Got {self.penalty!r} instead."
            )
        if self.penalty == "l1" and self.loss == "hinge":
            raise ValueError(
                "The combination of penalty='l1' and loss='hinge' is not supported: take loss='squared_hinge'."
            )
        params = {
            "loss": self.loss.replace("_", "-"),
            "C": parameters.number(self, "C"),
            "against": "rest",
            "penalty": self.penalty,
        }
        return params | penalised_intercept(self)

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the machine and proves the answer; as for every estimator here."""
        return super().fit(X, y, sample_weight)

    def _set(self, model, shape):
        self.intercept_ = np.array([b for b, _, _ in self._tables(model, shape)])

    @classmethod
    def _params_of(cls, model):
        known = cls._kernel_of(model)
        out = {"C": known["C"], "tolerance": known["tolerance"], "loss": model.params["loss"].replace("-", "_")}
        return out | {"penalty": model.params.get("penalty", "l2")} | intercept_of(model)


@estimator("recta.svm")
class LinearSVR(OneTarget):
    """Linear support vector regression, as ``sklearn.svm.LinearSVR``, with a proof.

    Errors up to ``epsilon`` pass, those beyond count by what they exceed it. Unlike in scikit-learn's class of this name, and as
    in its ``SVR(kernel="linear")``, the intercept is not penalised unless ``penalised_intercept`` asks for that.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        C sum_i v_i max(0, |y_i - <w, x_i> - b| - epsilon)   + 1/2 sum_j w_j^2      loss 'epsilon_insensitive'
        C sum_i v_i max(0, |y_i - <w, x_i> - b| - epsilon)^2 + 1/2 sum_j w_j^2      loss 'squared_epsilon_insensitive'

    Examples
    --------
    >>> from recta.svm import LinearSVR
    >>> model = LinearSVR(epsilon=0.5, C=10.0).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.5, 2.5, 4.0])
    >>> model.predict([[4.0]]).round(6).tolist(), model.certificate_.verdict
    ([4.5], 'proved')
    """

    epsilon: float = parameter(
        default=0.0, low=0.0, word="epsilon", doc="Half the width of the tube, in the units of y."
    )
    tol: float = TOL
    C: float = parameter(
        default=1.0, low=1e-300, word="tau", doc="How much errors weigh beside half the squares of the coefficients."
    )
    loss: str = parameter(
        default="epsilon_insensitive", word="loss", type="{'epsilon_insensitive', 'squared_epsilon_insensitive'}"
    )
    fit_intercept: bool = parameter(default=True, word="intercept")
    intercept_scaling: float = parameter(
        default=1.0,
        low=0.0,
        word="intercept-scaling",
        doc="With ``penalised_intercept``: b / intercept_scaling counts in the penalty like a coefficient.",
    )
    dual: bool | str = parameter(default="auto", free="the solver is chosen by shape, and proves both")
    random_state: Any = NOT_RANDOM
    max_iter: int = parameter(default=1000, free="Newton's method ends by itself; time_limit= stops it before")
    penalised_intercept: bool = parameter(
        default=False,
        word="penalised-intercept",
        doc="The intercept counts in the penalty: the objective of liblinear and of scikit-learn's class.",
    )

    _word = "epsilon-insensitive"
    _file_words = ("epsilon-insensitive", "svr")
    _keeps_float32 = False
    _sparse_rows = False  # those of the last fit

    def _params(self):
        if self.loss not in ("epsilon_insensitive", "squared_epsilon_insensitive"):
            raise ValueError(
                f"The 'loss' parameter of LinearSVR must be 'epsilon_insensitive' or 'squared_epsilon_insensitive'. Got {self.loss!r} instead."
            )
        epsilon, cost, intercept = (
            parameters.number(self, "epsilon"),
            parameters.number(self, "C"),
            penalised_intercept(self),
        )
        # The plain tube of dense rows is a loss like Huber's, with all that losses have; its square, a penalised intercept and sparse rows are for a machine.
        by_machine = intercept or self.loss != "epsilon_insensitive" or self._sparse_rows
        self._word = "svr" if by_machine else "epsilon-insensitive"
        if self._word != "svr":
            return {"epsilon": epsilon, "tau": 1 / cost}
        return {"kernel": "linear", "loss": self.loss.replace("_", "-"), "epsilon": epsilon, "C": cost} | intercept

    def _fitted(self, X, y, sample_weight, offset):
        self._sparse_rows = scipy.sparse.issparse(X) and offset is None  # a machine has no offsets
        return super()._fitted(X, y, sample_weight, offset)

    @property
    def _model(self):
        return (
            Machine._model.fget(self) if self._word == "svr" else super()._model
        )  # a machine's coefficients are not changed by hand

    @_model.setter
    def _model(self, model):
        self.__dict__["_model"] = model
        self.__dict__.pop("_kept", None)

    def _learned(self, model, shape):
        if self._word == "svr":
            ((b, _, _),) = Machine._tables(self, model, shape)
            self.coef_ = self.coef_[0]
            self.intercept_ = np.array([b]) if self.fit_intercept else 0.0
            return
        super()._learned(model, shape)
        if model.has_intercept:
            self.intercept_ = np.array([self.intercept_])

    @classmethod
    def _params_of(cls, model):
        if model.word != "svr":
            strength = model.lambda2 * model.weight_sum
            return super()._params_of(model) | {
                "epsilon": model.params["epsilon"],
                "C": 1 / strength if strength > 0 else 1e300,
            }
        known = Machine._kernel_of.__func__(Machine, model)
        if known["kernel"] != "linear":
            raise ValueError(
                f"the file holds a machine of the kernel {known['kernel']!r}, and LinearSVR is linear; SVR.load reads it"
            )
        out = {
            "C": known["C"],
            "tolerance": known["tolerance"],
            "epsilon": model.params["epsilon"],
            "loss": model.params["loss"].replace("-", "_"),
        }
        return out | intercept_of(model)
