"""The perceptron in the space of a kernel."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from recta._base.declared import estimator, left_out, parameter
from recta._estimator import parameters
from recta._estimator.shared import CLASS_WEIGHT

from .machine import MachineClassifier, rows_of
from .ridge import kernel_of, kernel_params
from .text_rows import reads_texts


@reads_texts
@estimator("recta.linear_model")
class KernelPerceptron(MachineClassifier):
    """Rosenblatt's perceptron in the space of a kernel, with a proof that it separates.

    Rows are presented in their order until a pass is without a mistake, where a mistake is a row with ``y_i f(x_i) <= 0``::

        f(x) = sum_i beta_i k(x, x_i) + b,    beta_i <- beta_i + y_i at a mistake on row i,    b = sum_i beta_i

    More classes have a perceptron each, which learns it against the rest; the class of the largest score is predicted.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.
    support_ : ndarray of shape (n_SV,)
        Rows that were mistakes, ascending.
    support_vectors_ : ndarray of shape (n_SV, n_features)
    dual_coef_ : ndarray of shape (1, n_SV) or (n_classes, n_SV)
        What each has added.
    mistakes_ : ndarray of shape (1,) or (n_classes,)
    mistake_bound_ : ndarray of shape (1,) or (n_classes,)
        (R B)^2, which mistakes cannot exceed; NaN unless every row is on its side.

    Examples
    --------
    >>> from recta.linear_model import KernelPerceptron
    >>> model = KernelPerceptron(kernel="poly", degree=2, gamma=1.0).fit([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    >>> model.dual_coef_.tolist(), model.mistakes_.tolist(), model.mistake_bound_.round(6).tolist()
    ([[-7.0, -4.0, 5.0, 5.0]], [21.0], [400.0])
    >>> model.certificate_.verdict
    'proved'
    """

    kernel: str = parameter(
        default="rbf",
        word="kernel",
        type="{'linear', 'poly', 'polynomial', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'}",
        doc="'sigmoid' is in general not positive semidefinite: there is then no margin to be proved. Or a kernel "
        "of texts or graphs: a word such as 'string:subsequence' or 'graph:wl', or a "
        "``recta.kernels.StringKernel`` or ``GraphKernel`` with parameters of its own. X is then a list of "
        "them.",
    )
    gamma: float | None = parameter(
        default=None, low=0.0, above=True, word="gamma", doc="None: 1 / n_features, and 1 for 'chi2'."
    )
    degree: int = parameter(default=3, word="degree")
    coef0: float = parameter(default=1, word="coef")
    fit_intercept: bool = parameter(default=True, word="intercept")
    max_iter: int = parameter(default=1000, low=1.0, word="passes", doc="Passes over the rows.")
    cache_size: float = parameter(
        default=200, low=0.0, above=True, word="cache", doc="Megabytes for rows of the kernel matrix."
    )
    class_weight: dict[Any, float] | str | None = CLASS_WEIGHT
    feature_map: Any = left_out()

    _word = "kernel-perceptron"

    def _params(self):
        if not hasattr(self, "n_features_in_"):
            return {}
        return kernel_params(self, self.n_features_in_) | {
            "passes": parameters.number(self, "max_iter"),
            "cache": max(1.0, parameters.number(self, "cache_size")),
        }

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the perceptron and proves what it separates; as for every estimator here."""
        super().fit(X, y, sample_weight)
        self.support_vectors_ = rows_of(X, self.support_)
        return self

    def _set(self, model, shape):
        self._model, self._one_target = model, True
        self.n_iter_ = model.certificate.passes
        self.objective_ = model.objective_with_strengths
        tables = model.report["tables"]
        parts, support = tables["parts"]["rows"], tables["support"]["rows"]
        self.support_ = np.unique([int(row[0]) - 1 for row in support]).astype(np.intp)
        where = {row: k for k, row in enumerate(self.support_.tolist())}
        self.dual_coef_ = np.zeros((len(parts), len(self.support_)))
        names = {row[0]: k for k, row in enumerate(parts)}
        for row, part, coefficient in support:
            self.dual_coef_[names[part], where[int(row) - 1]] = coefficient
        number = lambda column: np.array(
            [np.nan if row[column] is None else row[column] for row in parts], dtype=np.float64
        )
        self.mistakes_, self.intercept_, self.mistake_bound_ = number(2), number(4), number(6)
        self.__dict__.pop("support_vectors_", None)

    @classmethod
    def _params_of(cls, model):
        return kernel_of(model) | {
            "max_iter": int(model.params["passes"]),
            "cache_size": model.params["cache"],
            "tolerance": model.certificate.tolerance,
        }
