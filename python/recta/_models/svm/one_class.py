"""One-class machines: rows like those of training, told from others."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from recta._base.checks import CHECKS, finite_entries
from recta._base.declared import estimator, learned, parameter
from recta._base.scikit_learn import OutlierMixin
from recta._data.input import array_or_parts
from recta._estimator import parameters
from recta._estimator.without_target import WithoutTarget
from recta._models.kernel.machine import KernelSearch, Machine, rows_of, stored_as
from recta._models.kernel.matrices import function_matrix
from recta._models.kernel.text_rows import reads_texts


@reads_texts
@estimator("recta.svm")
class OneClassSVM(KernelSearch, OutlierMixin, WithoutTarget):
    """One-class support vector machine, as ``sklearn.svm.OneClassSVM``, with a proof.

    It minimises over w and rho, where ``v_i`` is the weight of row i (1 if omitted) and W their sum::

        1/2 |w|^2 - rho nu W + sum_i v_i max(0, rho - <w, phi(x_i)>),    <phi(x), phi(z)> = k(x, z)

    A row is inside if <w, phi(x)> >= rho. At most the share nu of the rows of training is outside, and at least this share are support
    vectors.

    Attributes
    ----------
    certificate_ : Certificate
        The proof, made in a fresh pass over the rows.
    offset_ : float
        rho: ``decision_function = score_samples - offset_``.
    support_ : ndarray of shape (n_SV,)
        Rows of the support vectors.
    support_vectors_ : ndarray of shape (n_SV, n_features)
    n_support_ : ndarray of shape (1,)
    dual_coef_ : ndarray or sparse matrix of shape (1, n_SV)
        Sparse if X was.
    intercept_ : ndarray of shape (1,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        If the rows have names of columns.

    Examples
    --------
    >>> from recta.svm import OneClassSVM
    >>> model = OneClassSVM(nu=0.5, gamma=1.0).fit([[0.0], [0.44], [0.45], [0.46], [1.0]])
    >>> model.predict([[0.45], [3.0]]).tolist(), model.certificate_.verdict
    ([1, -1], 'proved')
    """

    nu: float = parameter(default=0.5, low=0.0, high=1.0, above=True, word="nu", doc="In (0, 1].")
    verbose: bool = parameter(
        default=False, word="watch", doc="Without effect: the search ends when the answer is proved to ``tolerance``."
    )
    n_jobs: int | None = parameter(
        default=None, word="threads", doc="Threads; None: all cores. The answer has the same bits with any number."
    )
    tolerance: float = parameter(
        default=1e-08, low=0.0, word="tolerance", doc="Of the proof, in units of the objective at w = 0."
    )
    time_limit: float | None = parameter(
        default=None,
        low=0.0,
        above=True,
        word="time_limit",
        doc="Seconds; the best answer so far is then kept, and ``certificate_`` says how good it is.",
    )

    _word = "one-class"
    kernel: str | Callable[[np.ndarray, np.ndarray], Any] = learned()
    offset_: float = learned()
    support_: np.ndarray = learned()
    support_vectors_: Any = learned()
    dual_coef_: np.ndarray = learned()
    intercept_: np.ndarray = learned()
    n_support_: np.ndarray = learned()

    _kernel = Machine._kernel
    _share = Machine._share

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Finds the border and proves it.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent.

        Returns
        -------
        self
        """
        checks = {"dtype": np.float64} if callable(self.kernel) else CHECKS
        X = validate_data(self, X, reset=True, **checks)
        rows = function_matrix(self.kernel, X) if callable(self.kernel) else X
        names = [] if callable(self.kernel) else getattr(self, "feature_names_in_", [])
        time_limit = 0.0 if self.time_limit is None else parameters.number(self, "time_limit")
        outcome = self._outcome(rows, names, sample_weight, self._library_params(), time_limit=time_limit)
        self._learned(outcome.model, X)
        if self.certificate_.verdict == "stopped_early":
            warnings.warn(self.certificate_.sentence, ConvergenceWarning, stacklevel=2)
        if outcome.raised is not None:
            raise outcome.raised
        return self

    def _library_params(self):
        if not callable(self.kernel):
            return self._kernel()
        return {"kernel": "precomputed", "nu": self._share(), "cache": max(1.0, parameters.number(self, "cache_size"))}

    def _learned(self, model, X):
        self._model = model
        support = model.report["tables"]["support"]["rows"]
        self.offset_ = model.report["figures"]["offset"]
        self.support_ = np.array([row[0] for row in support], dtype=np.int32) - 1
        self.support_vectors_ = rows_of(X, self.support_)
        self.dual_coef_ = stored_as(self.support_vectors_, np.array([[row[1] for row in support]]))
        self.intercept_ = np.array([-self.offset_])
        self.n_support_ = np.array([len(support)], dtype=np.int32)
        self.n_iter_ = model.certificate.passes
        self.fit_status_ = 0 if model.certificate.verdict in ("proved", "within_tolerance") else 1
        self.__dict__.pop("_training", None)
        if callable(self.kernel):
            self._training = X

    def decision_function(self, X: Any) -> np.ndarray:
        """Distances from the border in units of the scores: not below 0 inside, and 0 within 1e-10 of ``offset_``, where rounding decides.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        checks = {"dtype": np.float64} if callable(self.kernel) else CHECKS
        X = validate_data(self, X, reset=False, **checks)
        if callable(self.kernel):
            X = function_matrix(self.kernel, X, self._training)
        elif hasattr(X, "indptr"):
            finite_entries(X, self)
        return self._worded(lambda: self._model.predict(array_or_parts(X)))[:, 1]

    def score_samples(self, X: Any) -> np.ndarray:
        """Scores <w, phi(x)>, of which ``offset_`` is the level at the border.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
        """
        return self.decision_function(X) + self.offset_

    def predict(self, X: Any) -> np.ndarray:
        """1 for rows inside the border, -1 for those outside.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return np.where(self.decision_function(X) >= 0, 1, -1)

    @property
    def coef_(self) -> Any:
        """The weights, with the linear kernel; sparse if the rows were."""
        check_is_fitted(self)
        if self.kernel != "linear":
            raise AttributeError("coef_ is only there with the kernel 'linear'")
        return self.dual_coef_ @ self.support_vectors_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not callable(self.kernel)
        return tags
