"""Support vector machines by a kernel: classes by the widest margin and numbers by a tube."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from . import _parameters
from ._attributes import keep_parameters
from ._losses import OneTarget
from ._machine import MachineClassifier, MachineRegressor, machine_documented, rows_of
from ._text_rows import reads_texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from numpy.typing import ArrayLike

    from ._core import Step


@reads_texts
@machine_documented
class SVC(MachineClassifier):
    """Support vector machine for classes, as ``sklearn.svm.SVC``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted), for two classes y = -1 and 1::

        C sum_i v_i max(0, 1 - y_i f(x_i)) + 1/2 |w|^2,    f(x) = <w, phi(x)> + b,    <phi(x), phi(z)> = k(x, z)

    More classes have a machine for every pair. The class of most votes wins; among equal ones the larger sum of margins decides.
    Scores have one column per class, as those of ``decision_function_shape='ovr'``.

    Parameters
    ----------
    C : float, default=1.0
        Cost of rows short of the margin.
    <kernel>
    <search>
    <cache>
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows.
    <scores>
    <approximate>
    <threads>%s    <vectors of classes>

    Examples
    --------
    >>> from recta.svm import SVC
    >>> model = SVC(C=1000.0, gamma=1.0).fit([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    >>> model.predict([[0, 0], [0, 1]]).tolist(), model.n_support_.tolist(), model.certificate_.verdict
    ([0, 1], [2, 2], 'proved')
    """

    _module = "recta.svm"
    _word = "svm"
    n_support_: np.ndarray

    def __init__(self, *, C: float = 1.0, kernel: str | Callable[[np.ndarray, np.ndarray], Any] = "rbf", degree: int = 3, gamma: float | str = "scale", coef0: float = 0.0, shrinking: bool = True,
                 probability: Any = "deprecated", tol: float = 1e-3, cache_size: float = 200, class_weight: dict[Any, float] | str | None = None,
                 verbose: int | Callable[[Step], object] = False, max_iter: int = -1, decision_function_shape: str = "ovr", break_ties: bool = False,
                 random_state: Any = None, n_jobs: int | None = None, tolerance: float = 1e-8, time_limit: float | None = None, confidence: float = 0.95,
                 weights_are: str = "precision", unseen: str = "refuse", approximate: int | None = None) -> None:
        keep_parameters(self, locals())

    def _params(self):
        if not hasattr(self, "n_features_in_"):
            return {}
        return self._kernel()

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the machine and proves the answer; as for every estimator here."""
        if callable(self.kernel):
            return self._fit_function(X, y, sample_weight)
        super().fit(X, y, sample_weight)
        self._take_vectors(X, y)
        return self

    def _set(self, model, shape):
        parts = self._tables(model, shape)
        self._parts = [(rows, coefficients) for _, rows, coefficients in parts]
        self.intercept_ = np.array([b for b, _, _ in parts])
        for of_rows in ("support_", "support_vectors_", "dual_coef_", "n_support_"):
            self.__dict__.pop(of_rows, None)
        if self._lists_support:
            self.support_ = np.unique(np.concatenate([rows for rows, _ in self._parts])) if self._parts else np.empty(0, dtype=np.intp)

    def _take_vectors(self, X, y):
        """Support vectors class by class, with their coefficients as libsvm lays them out."""
        places = np.searchsorted(self.classes_, np.asarray(column_or_1d(y)))
        order = np.lexsort((self.support_, places[self.support_]))
        self.support_ = self.support_[order].astype(np.int32)
        count = len(self.classes_)
        self.n_support_ = np.bincount(places[self.support_], minlength=count).astype(np.int32)
        self.support_vectors_ = rows_of(X, self.support_)
        where = {row: k for k, row in enumerate(self.support_.tolist())}
        dual = np.zeros((max(count - 1, 1), len(self.support_)))
        pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
        for (i, j), (rows, coefficients) in zip(pairs, self._parts, strict=True):
            for row, coefficient in zip(rows.tolist(), coefficients.tolist(), strict=True):
                dual[0 if count == 2 else j - 1 if places[row] == i else i, where[row]] = coefficient
        self.dual_coef_ = dual

    @classmethod
    def _params_of(cls, model):
        return cls._kernel_of(model)


@reads_texts
@machine_documented
class SVR(MachineRegressor, OneTarget):
    """Support vector regression, as ``sklearn.svm.SVR``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        C sum_i v_i max(0, |y_i - f(x_i)| - epsilon) + 1/2 |w|^2,    f(x) = <w, phi(x)> + b,    <phi(x), phi(z)> = k(x, z)

    Parameters
    ----------
    <kernel>
    tol, shrinking, max_iter
        Without effect: the search ends when the answer is proved to ``tolerance``.
    C : float, default=1.0
        Cost of errors beyond the tube.
    epsilon : float, default=0.1
        Half the width of the tube, in the units of y.
    <cache>
    <approximate>
    <threads>%s    <vectors>

    Examples
    --------
    >>> from recta.svm import SVR
    >>> model = SVR(kernel="linear", epsilon=0.5, C=10.0).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.5, 2.5, 4.0])
    >>> model.predict([[4.0]]).round(6).tolist(), model.certificate_.verdict
    ([4.5], 'proved')
    """

    _module = "recta.svm"
    _word = "svr"
    n_support_: np.ndarray

    def __init__(self, *, kernel: str | Callable[[np.ndarray, np.ndarray], Any] = "rbf", degree: int = 3, gamma: float | str = "scale", coef0: float = 0.0, tol: float = 1e-3, C: float = 1.0,
                 epsilon: float = 0.1, shrinking: bool = True, cache_size: float = 200, verbose: int | Callable[[Step], object] = False, max_iter: int = -1,
                 n_jobs: int | None = None, tolerance: float = 1e-8, time_limit: float | None = None, confidence: float = 0.95, weights_are: str = "precision",
                 unseen: str = "refuse", approximate: int | None = None) -> None:
        keep_parameters(self, locals())

    def _params(self):
        if not hasattr(self, "n_features_in_"):
            return {}
        return self._kernel() | {"epsilon": _parameters._number(self, "epsilon", 0.0)}

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the machine and proves the answer; as for every estimator here."""
        if callable(self.kernel):
            return self._fit_function(X, y, sample_weight)
        super().fit(X, y, sample_weight)
        self.support_vectors_ = rows_of(X, self.support_)
        return self

    def _learned(self, model, shape):
        (b, rows, coefficients), = self._tables(model, shape)
        self.intercept_ = np.array([b])
        self.support_ = rows.astype(np.int32)
        self.dual_coef_ = coefficients.reshape(1, -1)
        self.n_support_ = np.array([len(rows)], dtype=np.int32)
        self.__dict__.pop("support_vectors_", None)

    @classmethod
    def _params_of(cls, model):
        return cls._kernel_of(model) | {"epsilon": model.params["epsilon"]}
