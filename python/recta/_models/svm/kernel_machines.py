"""Support vector machines by a kernel: classes by the widest margin and numbers by a tube."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from recta._base.declared import estimator, learned, left_out, parameter
from recta._estimator import parameters
from recta._estimator.regressor import OneTarget
from recta._estimator.shared import CLASS_WEIGHT, NOT_RANDOM
from recta._models.kernel.machine import KernelSearch, MachineClassifier, MachineRegressor, rows_of
from recta._models.kernel.text_rows import reads_texts


@reads_texts
@estimator("recta.svm")
class SVC(KernelSearch, MachineClassifier):
    """Support vector machine for classes, as ``sklearn.svm.SVC``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted), for two classes y = -1 and 1::

        C sum_i v_i max(0, 1 - y_i f(x_i)) + 1/2 |w|^2,    f(x) = <w, phi(x)> + b,    <phi(x), phi(z)> = k(x, z)

    More classes have a machine for every pair. The class of most votes wins; among equal ones the larger sum of margins decides.
    Scores have one column per class, as those of ``decision_function_shape='ovr'``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.
    support_ : ndarray of shape (n_SV,)
        Rows of the support vectors, class by class.
    support_vectors_ : ndarray of shape (n_SV, n_features)
    n_support_ : ndarray of shape (n_classes,)
    dual_coef_ : ndarray or sparse matrix of shape (n_classes - 1, n_SV)
        Coefficients of the support vectors, as in scikit-learn: sparse if X was.

    Examples
    --------
    >>> from recta.svm import SVC
    >>> model = SVC(C=1000.0, gamma=1.0).fit([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    >>> model.predict([[0, 0], [0, 1]]).tolist(), model.n_support_.tolist(), model.certificate_.verdict
    ([0, 1], [2, 2], 'proved')
    """

    C: float = parameter(
        default=1.0,
        low=0.0,
        above=True,
        word="C",
        doc="Cost of rows short of the margin. ``C=float('inf')``: a hard margin, of two classes that the kernel "
        "separates; if it does not, the error names the rows and multipliers that show it.",
    )
    probability: Any = parameter(
        default="deprecated", refused="scores become probabilities by a calibration of their own"
    )
    class_weight: dict[Any, float] | str | None = CLASS_WEIGHT
    decision_function_shape: str = parameter(default="ovr", refused="scores have one column per class", type="{'ovr'}")
    break_ties: bool = parameter(default=False, free="ties are always broken by the scores")
    random_state: Any = NOT_RANDOM
    tolerance: float = parameter(default=1e-08)
    approximate: int | None = parameter(
        default=None,
        word="approximate",
        doc="For more rows than a kernel matrix can have: a linear machine over the features that this many rows, "
        "the landmarks, make of the kernel (``nystrom``). The proof is that of this machine, and says how much of the kernel "
        "is kept; ``coef_`` are its weights.",
    )
    feature_map: Any = left_out()

    _word = "svm"
    n_support_: np.ndarray = learned()

    def _params(self):
        if not hasattr(self, "n_features_in_"):
            return {}
        params = self._kernel()
        if params.get("C", 1.0) < float("inf"):
            return params
        return {name: value for name, value in params.items() if name != "C"} | {"hard": True}

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
        self.n_iter_ = np.full(len(parts), self.n_iter_, dtype=np.int32)  # of all pairs together
        for of_rows in ("support_", "support_vectors_", "dual_coef_", "n_support_"):
            self.__dict__.pop(of_rows, None)
        if self._lists_support:
            self.support_ = (
                np.unique(np.concatenate([rows for rows, _ in self._parts]))
                if self._parts
                else np.empty(0, dtype=np.intp)
            )

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
        self._store_as_rows(dual)

    @classmethod
    def _params_of(cls, model):
        return cls._kernel_of(model) | ({"C": float("inf")} if model.params.get("hard", False) else {})


@reads_texts
@estimator("recta.svm")
class SVR(KernelSearch, MachineRegressor, OneTarget):
    """Support vector regression, as ``sklearn.svm.SVR``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        C sum_i v_i max(0, |y_i - f(x_i)| - epsilon) + 1/2 |w|^2,    f(x) = <w, phi(x)> + b,    <phi(x), phi(z)> = k(x, z)

    Attributes
    ----------
    support_ : ndarray of shape (n_SV,)
        Rows of the support vectors.
    support_vectors_ : ndarray of shape (n_SV, n_features)
    n_support_ : ndarray of shape (1,)
    dual_coef_ : ndarray or sparse matrix of shape (1, n_SV)
        Sparse if X was.

    Examples
    --------
    >>> from recta.svm import SVR
    >>> model = SVR(kernel="linear", epsilon=0.5, C=10.0).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.5, 2.5, 4.0])
    >>> model.predict([[4.0]]).round(6).tolist(), model.certificate_.verdict
    ([4.5], 'proved')
    """

    C: float = parameter(default=1.0, low=0.0, above=True, word="C", doc="Cost of errors beyond the tube.")
    epsilon: float = parameter(
        default=0.1, low=0.0, word="epsilon", doc="Half the width of the tube, in the units of y."
    )
    tolerance: float = parameter(default=1e-08)
    approximate: int | None = parameter(
        default=None,
        word="approximate",
        doc="For more rows than a kernel matrix can have: a linear machine over the features that this many rows, "
        "the landmarks, make of the kernel (``nystrom``). The proof is that of this machine, and says how much of the kernel "
        "is kept; ``coef_`` are its weights.",
    )
    feature_map: Any = left_out()

    _word = "svr"
    n_support_: np.ndarray = learned()

    def _params(self):
        if not hasattr(self, "n_features_in_"):
            return {}
        return self._kernel() | {"epsilon": parameters.number(self, "epsilon")}

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the machine and proves the answer; as for every estimator here."""
        if callable(self.kernel):
            return self._fit_function(X, y, sample_weight)
        super().fit(X, y, sample_weight)
        self.support_vectors_ = rows_of(X, self.support_)
        self._store_as_rows(self.dual_coef_)
        return self

    def _learned(self, model, shape):
        ((b, rows, coefficients),) = self._tables(model, shape)
        self.intercept_ = np.array([b])
        self.support_ = rows.astype(np.int32)
        self.dual_coef_ = coefficients.reshape(1, -1)
        self.n_support_ = np.array([len(rows)], dtype=np.int32)
        self.__dict__.pop("support_vectors_", None)

    @classmethod
    def _params_of(cls, model):
        return cls._kernel_of(model) | {"epsilon": model.params["epsilon"]}
