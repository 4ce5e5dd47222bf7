"""The perceptron in the space of a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _parameters
from ._docstrings import documented
from ._html import objective_line
from ._kernel_ridge import kernel_of, kernel_params
from ._machine import MachineClassifier, rows_of
from ._text_rows import reads_texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from numpy.typing import ArrayLike

    from ._core import Step


@reads_texts
@documented
class KernelPerceptron(MachineClassifier):
    """Rosenblatt's perceptron in the space of a kernel, with a proof that it separates.

    Rows are presented in their order until a pass is without a mistake, where a mistake is a row with ``y_i f(x_i) <= 0``::

        f(x) = sum_i beta_i k(x, x_i) + b,    beta_i <- beta_i + y_i at a mistake on row i,    b = sum_i beta_i

    More classes have a perceptron each, which learns it against the rest; the class of the largest score is predicted.

    Parameters
    ----------
    kernel : {'linear', 'poly', 'polynomial', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'}, default='rbf'
        'sigmoid' is in general not positive semidefinite: there is then no margin to be proved.
        Or a kernel of texts or graphs: a word such as 'string:subsequence' or 'graph:wl', or a ``recta.kernels.StringKernel`` or
        ``GraphKernel`` with parameters of its own. X is then a list of them.
    gamma : float, default=None
        None: 1 / n_features, and 1 for 'chi2'.
    degree : int, default=3
    coef0 : float, default=1
    fit_intercept : bool, default=True
    max_iter : int, default=1000
        Passes over the rows.
    cache_size : float, default=200
        Megabytes for rows of the kernel matrix.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    classes_ : ndarray of shape (n_classes,)
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

    _module = "recta.linear_model"
    _word = "kernel-perceptron"

    def __init__(self, *, kernel: str = "rbf", gamma: float | None = None, degree: int = 3, coef0: float = 1, fit_intercept: bool = True, max_iter: int = 1000,
                 cache_size: float = 200, class_weight: dict[Any, float] | str | None = None, n_jobs: int | None = None, tolerance: float = 1e-10,
                 time_limit: float | None = None, verbose: int | Callable[[Step], object] = 0, confidence: float = 0.95, weights_are: str = "precision",
                 unseen: str = "refuse") -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.verbose = verbose
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen

    def _params(self):
        if not hasattr(self, "n_features_in_"):
            return {}
        return kernel_params(self, self.n_features_in_) | {"passes": _parameters._number(self, "max_iter", 1.0),
                                                           "cache": max(1.0, _parameters._number(self, "cache_size", 0.0, above=True))}

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the perceptron and proves what it separates; as for every estimator here."""
        super().fit(X, y, sample_weight)
        self.support_vectors_ = rows_of(X, self.support_)
        return self

    def _set(self, model, shape):
        self._model, self._one_target = model, True
        self.n_iter_ = model.certificate.passes
        self.objective_ = objective_line(model)
        tables = model.report["tables"]
        parts, support = tables["parts"]["rows"], tables["support"]["rows"]
        self.support_ = np.unique([int(row[0]) - 1 for row in support]).astype(np.intp)
        where = {row: k for k, row in enumerate(self.support_.tolist())}
        self.dual_coef_ = np.zeros((len(parts), len(self.support_)))
        names = {row[0]: k for k, row in enumerate(parts)}
        for row, part, coefficient in support:
            self.dual_coef_[names[part], where[int(row) - 1]] = coefficient
        number = lambda column: np.array([np.nan if row[column] is None else row[column] for row in parts], dtype=np.float64)
        self.mistakes_, self.intercept_, self.mistake_bound_ = number(2), number(4), number(6)
        self.__dict__.pop("support_vectors_", None)

    @classmethod
    def _params_of(cls, model):
        return kernel_of(model) | {"max_iter": int(model.params["passes"]), "cache_size": model.params["cache"], "tolerance": model.certificate.tolerance}
