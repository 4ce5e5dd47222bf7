"""Support vector machines: classes by the widest margin and numbers by a tube, linear or by a kernel."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from . import _parameters
from ._classifier import LabelClassifier
from ._docstrings import documented
from ._html import objective_line
from ._kernels import function_matrix
from ._labels import ClassLabels
from ._regressor import CertifiedRegressor

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from numpy.typing import ArrayLike

    from ._core import Step

KERNELS = {"linear": "linear", "poly": "polynomial", "rbf": "rbf", "sigmoid": "sigmoid", "laplacian": "laplacian", "chi2": "chi2", "precomputed": "precomputed"}


def _translated(kernel, words):
    """A kernel, or a sum or product of kernels, with each word in its place."""
    return re.sub("[^+* ]+", lambda found: words[found[0]], kernel)


class Machine:
    """What machines share: support vectors in place of coefficients."""

    _keeps_float32 = False
    fit_intercept = True

    support_: np.ndarray
    support_vectors_: np.ndarray
    dual_coef_: np.ndarray

    def __getstate__(self):
        return {key: value for key, value in super().__getstate__().items() if key != "_kept"}

    @property
    def _model(self):
        if "_model" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no model before it is fitted")
        return self.__dict__["_model"]

    @_model.setter
    def _model(self, model):
        self.__dict__["_model"] = model

    def _html_repr(self):
        return super(LabelClassifier if isinstance(self, LabelClassifier) else CertifiedRegressor, self)._html_repr()

    def _tables(self, model, shape):
        """Sets what every machine has; returns its parts, each with its intercept, rows (from 0) and coefficients."""
        self._model, self._one_target = model, len(shape) == 1
        self.n_iter_ = model.certificate.passes
        self.objective_ = objective_line(model)
        self.fit_status_ = 0 if model.certificate.verdict in ("proved", "within_tolerance") else 1
        report = model.report
        support = report["tables"]["support"]["rows"]
        parts, begin = [], 0
        for row in report["tables"]["parts"]["rows"]:
            end = begin + int(row[1])
            own = support[begin:end]
            parts.append((row[2], np.array([each[0] for each in own], dtype=np.intp) - 1, np.array([each[2] * each[3] for each in own])))
            begin = end
        weights = report["tables"].get("weights", {"rows": []})["rows"]
        self.__dict__.pop("coef_", None)
        if weights:
            self.coef_ = np.array([row[1:] for row in weights], dtype=np.float64).T.reshape(len(parts), -1)
        return parts

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = getattr(self, "kernel", None) == "precomputed"
        return tags

    def _kernel(self):
        parts = [part.strip() for part in re.split("[+*]", self.kernel)] if isinstance(self.kernel, str) else [None]
        if not all(part in KERNELS for part in parts):
            raise ValueError(f"The 'kernel' parameter of {type(self).__name__} must be one of {', '.join(map(repr, KERNELS))}, a sum or product of them "
                             f"such as 'rbf+linear', or a callable. Got {self.kernel!r} instead.")
        params: dict[str, Any] = {"kernel": _translated(self.kernel, KERNELS), "cache": max(1.0, _parameters._number(self, "cache_size", 0.0, above=True))}
        if hasattr(self, "C"):
            params["C"] = _parameters._number(self, "C", 0.0, above=True)
        if hasattr(self, "nu"):
            params["nu"] = self._share()
        degree = self.degree
        if isinstance(degree, bool) or degree != int(degree) or degree < 0:
            raise ValueError(f"The 'degree' parameter of {type(self).__name__} must be an int in the range [0, inf). Got {degree!r} instead.")
        if isinstance(self.gamma, str):
            if self.gamma not in ("scale", "auto"):
                raise ValueError(f"The 'gamma' parameter of {type(self).__name__} must be 'scale', 'auto' or a float. Got {self.gamma!r} instead.")
            if self.gamma == "auto" and not set(parts) <= {"linear", "precomputed"}:
                params["gamma"] = 1.0 / self.n_features_in_
        else:
            gamma = _parameters._number(self, "gamma", 0.0, above=True)
            if not set(parts) <= {"linear", "precomputed"}:
                params["gamma"] = gamma
        if "poly" in parts:
            params["degree"] = float(degree)
        if "poly" in parts or "sigmoid" in parts:
            params["coef"] = _parameters._number(self, "coef0", 0.0 if "poly" in parts else -float("inf"))
        return params

    def _fit_function(self, X, y, sample_weight):
        """With a kernel of the user's own: a machine of its values, which keeps the rows to compare others with."""
        X = validate_data(self, X, dtype=np.float64)
        machine = clone(self).set_params(kernel="precomputed")
        machine.fit(function_matrix(self.kernel, X), y, sample_weight)
        own = {*self.get_params(), "n_features_in_", "feature_names_in_"}
        self.__dict__.update({name: value for name, value in machine.__dict__.items() if name not in own})
        self._machine, self._training = machine, X
        self.support_vectors_ = X[self.support_]
        return self

    def _values(self, X, *arguments, **others):
        if not callable(getattr(self, "kernel", None)):
            return super()._values(X, *arguments, **others)
        return self._machine._values(self._compared(X), *arguments, **others)

    def _compared(self, X):
        """The user's kernel of rows with those of training."""
        check_is_fitted(self)
        return function_matrix(self.kernel, validate_data(self, X, dtype=np.float64, reset=False), self._training)

    def _share(self):
        nu = _parameters._number(self, "nu", 0.0, above=True)
        if nu > 1:
            raise ValueError(f"The 'nu' parameter of {type(self).__name__} must be a float in the range (0.0, 1.0]. Got {self.nu!r} instead.")
        return nu

    def _solved(self, fit, options, params, shape):
        return super()._solved(fit, options, self._params(), shape)  # now that the number of columns is known

    @classmethod
    def _kernel_of(cls, model):
        word = _translated(model.params["kernel"], {recta: name for name, recta in KERNELS.items()})
        out = {"kernel": word, "tolerance": model.certificate.tolerance, "cache_size": model.params["cache"]}
        gamma, sigma = model.params["gamma"], model.params["sigma"]
        if word != "linear" and not np.isnan(sigma):
            gamma = 1 / (2 * sigma * sigma)
        if word != "linear" and not np.isnan(gamma):
            out["gamma"] = gamma
        if "poly" in word:
            out["degree"] = int(model.params["degree"])
        if "poly" in word or "sigmoid" in word:
            out["coef0"] = model.params["coef"]
        if "nu" in model.params:
            out["nu"] = model.params["nu"]
        if "C" in model.params:
            c, strength = model.params["C"], model.params["lambda"]
            out["C"] = c if not np.isnan(c) else 1.0 if np.isnan(strength) else 1 / (strength * model.weight_sum)
        return out


class MachineClassifier(Machine, LabelClassifier):
    """Base of classifiers."""

    def _answers(self, X, *arguments, **others):
        if callable(getattr(self, "kernel", None)):
            return self._machine._answers(self._compared(X), *arguments, **others)
        return super()._answers(X, *arguments, **others)

    def _learned(self, model, shape):
        if self._labels is None:
            self._labels = ClassLabels.of_model(model)
        else:
            model.name_classes(*self._labels.words())
        self._set(model, shape)

    def predict(self, X: Any) -> np.ndarray:
        """Predicts the class of each row: that of the largest score; of two classes the second from 0 up, of more the first of equal ones.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return super().predict(X)


@documented
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
    kernel : {'linear', 'poly', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'} or callable, default='rbf'
        Or a sum or product of the first four, 'rbf+linear', 'rbf*poly', which share their parameters. 'sigmoid' is in general not positive semidefinite: the claim is then a stationary point. A function takes two arrays of rows
        and gives the values of all pairs; the eigenvalues of its matrix, of up to 3000 rows, say whether the claim is an optimum.
    degree : int, default=3
    gamma : {'scale', 'auto'} or float, default='scale'
        'scale' is 1 / (n_features * X.var()), 'auto' is 1 / n_features.
    coef0 : float, default=0.0
    shrinking, tol, max_iter, random_state
        Without effect: the search ends when the answer is proved to ``tolerance``.
    probability
        Refused: scores become probabilities by a calibration of their own.
    cache_size : float, default=200
        Megabytes for rows of the kernel matrix.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows.
    decision_function_shape : {'ovr'}, default='ovr'
    break_ties
        Without effect: ties are always broken by the scores.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    classes_ : ndarray of shape (n_classes,)
        Sorted.
    support_ : ndarray of shape (n_SV,)
        Rows of the support vectors, class by class.
    support_vectors_ : ndarray of shape (n_SV, n_features)
    n_support_ : ndarray of shape (n_classes,)
    dual_coef_ : ndarray of shape (n_classes - 1, n_SV)
        Coefficients of the support vectors, as in scikit-learn.

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
                 weights_are: str = "precision", unseen: str = "refuse") -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen

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
        self.support_ = np.unique(np.concatenate([rows for rows, _ in self._parts])) if self._parts else np.empty(0, dtype=np.intp)
        for of_rows in ("support_vectors_", "dual_coef_", "n_support_"):
            self.__dict__.pop(of_rows, None)

    def _take_vectors(self, X, y):
        """Support vectors class by class, with their coefficients as libsvm lays them out."""
        places = np.searchsorted(self.classes_, np.asarray(column_or_1d(y)))
        order = np.lexsort((self.support_, places[self.support_]))
        self.support_ = self.support_[order].astype(np.int32)
        count = len(self.classes_)
        self.n_support_ = np.bincount(places[self.support_], minlength=count).astype(np.int32)
        self.support_vectors_ = _rows_of(X, self.support_)
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


@documented
class LinearSVC(MachineClassifier):
    """Linear support vector machine for classes, as ``sklearn.svm.LinearSVC``, with a proof.

    Unlike in scikit-learn's class of this name, and as in its ``SVC(kernel="linear")``, the intercept is not penalised. It
    minimises, where ``v_i`` is the weight of row i (1 if omitted), for two classes y = -1 and 1::

        C sum_i v_i max(0, 1 - y_i (<w, x_i> + b))^2 + 1/2 sum_j w_j^2      loss 'squared_hinge'
        C sum_i v_i max(0, 1 - y_i (<w, x_i> + b))   + 1/2 sum_j w_j^2      loss 'hinge'

    More classes have a machine each, against the rest.

    Parameters
    ----------
    penalty : {'l2'}, default='l2'
    loss : {'hinge', 'squared_hinge'}, default='squared_hinge'
    dual, tol, random_state, max_iter
        Without effect: the search ends when the answer is proved to ``tolerance``.
    C : float, default=1.0
        Cost of rows short of the margin.
    multi_class : {'ovr'}, default='ovr'
    fit_intercept : bool, default=True
    intercept_scaling : float, default=1
        Without effect: the intercept is not penalised.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    classes_ : ndarray of shape (n_classes,)
        Sorted.

    Examples
    --------
    >>> from recta.svm import LinearSVC
    >>> model = LinearSVC(loss="hinge", C=10.0).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> model.coef_.round(9).tolist(), model.intercept_.round(9).tolist(), model.certificate_.verdict
    ([[2.0]], [-5.0], 'proved')
    """

    _module = "recta.svm"
    _word = "svm"

    def __init__(self, penalty: str = "l2", loss: str = "squared_hinge", *, dual: bool | str = "auto", tol: float = 1e-4, C: float = 1.0, multi_class: str = "ovr",
                 fit_intercept: bool = True, intercept_scaling: float = 1, class_weight: dict[Any, float] | str | None = None,
                 verbose: int | Callable[[Step], object] = 0, random_state: Any = None, max_iter: int = 1000, n_jobs: int | None = None,
                 tolerance: float = 1e-10, time_limit: float | None = None, confidence: float = 0.95, weights_are: str = "precision",
                 unseen: str = "refuse") -> None:
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen

    def _params(self):
        if self.loss not in ("hinge", "squared_hinge"):
            raise ValueError(f"The 'loss' parameter of LinearSVC must be 'hinge' or 'squared_hinge'. Got {self.loss!r} instead.")
        return {"loss": self.loss.replace("_", "-"), "C": _parameters._number(self, "C", 0.0, above=True), "against": "rest"}

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the machine and proves the answer; as for every estimator here."""
        return super().fit(X, y, sample_weight)

    def _set(self, model, shape):
        self.intercept_ = np.array([b for b, _, _ in self._tables(model, shape)])

    @classmethod
    def _params_of(cls, model):
        known = cls._kernel_of(model)
        return {"C": known["C"], "tolerance": known["tolerance"], "loss": model.params["loss"].replace("-", "_")}


@documented
class SVR(Machine, CertifiedRegressor):
    """Support vector regression, as ``sklearn.svm.SVR``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        C sum_i v_i max(0, |y_i - f(x_i)| - epsilon) + 1/2 |w|^2,    f(x) = <w, phi(x)> + b,    <phi(x), phi(z)> = k(x, z)

    Parameters
    ----------
    kernel : {'linear', 'poly', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'} or callable, default='rbf'
        Or a sum or product of the first four, 'rbf+linear', 'rbf*poly', which share their parameters. 'sigmoid' is in general not positive semidefinite: the claim is then a stationary point. A function takes two arrays of rows
        and gives the values of all pairs; the eigenvalues of its matrix, of up to 3000 rows, say whether the claim is an optimum.
    degree : int, default=3
    gamma : {'scale', 'auto'} or float, default='scale'
        'scale' is 1 / (n_features * X.var()), 'auto' is 1 / n_features.
    coef0 : float, default=0.0
    tol, shrinking, max_iter
        Without effect: the search ends when the answer is proved to ``tolerance``.
    C : float, default=1.0
        Cost of errors beyond the tube.
    epsilon : float, default=0.1
        Half the width of the tube, in the units of y.
    cache_size : float, default=200
        Megabytes for rows of the kernel matrix.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    support_ : ndarray of shape (n_SV,)
        Rows of the support vectors.
    support_vectors_ : ndarray of shape (n_SV, n_features)
    n_support_ : ndarray of shape (1,)
    dual_coef_ : ndarray of shape (1, n_SV)

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
                 unseen: str = "refuse") -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.target_tags.single_output = True
        return tags

    def _are_plain(self, y, sample_weight, rows):
        return getattr(y, "ndim", 0) == 1 and super()._are_plain(y, sample_weight, rows)

    def _targets(self, X, y, sample_weight):
        return super()._targets(X, column_or_1d(y, warn=True), sample_weight)

    def _params(self):
        if not hasattr(self, "n_features_in_"):
            return {}
        return self._kernel() | {"epsilon": _parameters._number(self, "epsilon", 0.0)}

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the machine and proves the answer; as for every estimator here."""
        if callable(self.kernel):
            return self._fit_function(X, y, sample_weight)
        super().fit(X, y, sample_weight)
        self.support_vectors_ = _rows_of(X, self.support_)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predicts one number per row.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return super().predict(X)

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


@documented
class NuSVC(SVC):
    """Support vector machine for classes that is given the share of rows short of its margin, as ``sklearn.svm.NuSVC``, with a proof.

    It minimises over w, b and rho, where the weights ``s_i`` of the rows add up to 1, for two classes y = -1 and 1::

        1/2 |w|^2 - nu rho + sum_i s_i max(0, rho - y_i g(x_i)),    g(x) = <w, phi(x)> + b

    and answers with f = g / rho, the machine of :class:`SVC` with C = 1 / (rho n). At most the share nu of the rows is short of
    the margin, and at least this share are support vectors. More classes have a machine for every pair.

    Parameters
    ----------
    nu : float, default=0.5
        In (0, 1]; at most twice the share of the smaller class of a pair. A larger one is refused with that number.
    kernel : {'linear', 'poly', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'} or callable, default='rbf'
        Or a sum or product of the first four, 'rbf+linear', 'rbf*poly', which share their parameters. 'sigmoid' is in general not positive semidefinite: the claim is then a stationary point. A function takes two arrays of rows
        and gives the values of all pairs; the eigenvalues of its matrix, of up to 3000 rows, say whether the claim is an optimum.
    degree : int, default=3
    gamma : {'scale', 'auto'} or float, default='scale'
        'scale' is 1 / (n_features * X.var()), 'auto' is 1 / n_features.
    coef0 : float, default=0.0
    shrinking, tol, max_iter, random_state
        Without effect: the search ends when the answer is proved to ``tolerance``.
    probability
        Refused: scores become probabilities by a calibration of their own.
    cache_size : float, default=200
        Megabytes for rows of the kernel matrix.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows, by which nu counts; scikit-learn's class takes it and does not use it.
    decision_function_shape : {'ovr'}, default='ovr'
    break_ties
        Without effect: ties are always broken by the scores.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    classes_ : ndarray of shape (n_classes,)
        Sorted.
    support_ : ndarray of shape (n_SV,)
        Rows of the support vectors, class by class.
    support_vectors_ : ndarray of shape (n_SV, n_features)
    n_support_ : ndarray of shape (n_classes,)
    dual_coef_ : ndarray of shape (n_classes - 1, n_SV)
        Coefficients of the support vectors, as in scikit-learn.

    Examples
    --------
    >>> from recta.svm import NuSVC
    >>> model = NuSVC(nu=0.4, kernel="linear").fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> model.coef_.round(9).tolist(), model.intercept_.round(9).tolist(), model.certificate_.verdict
    ([[2.0]], [-5.0], 'proved')
    """

    _module = "recta.svm"
    _word = "nu-svm"

    def __init__(self, *, nu: float = 0.5, kernel: str | Callable[[np.ndarray, np.ndarray], Any] = "rbf", degree: int = 3, gamma: float | str = "scale", coef0: float = 0.0, shrinking: bool = True,
                 probability: Any = "deprecated", tol: float = 1e-3, cache_size: float = 200, class_weight: dict[Any, float] | str | None = None,
                 verbose: int | Callable[[Step], object] = False, max_iter: int = -1, decision_function_shape: str = "ovr", break_ties: bool = False,
                 random_state: Any = None, n_jobs: int | None = None, tolerance: float = 1e-8, time_limit: float | None = None, confidence: float = 0.95,
                 weights_are: str = "precision", unseen: str = "refuse") -> None:
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen


@documented
class NuSVR(SVR):
    """Support vector regression that is given the share of rows outside its tube, as ``sklearn.svm.NuSVR``, with a proof.

    It minimises over w, b and epsilon, where ``v_i`` is the weight of row i (1 if omitted)::

        C sum_i v_i (nu epsilon + max(0, |y_i - f(x_i)| - epsilon)) + 1/2 |w|^2,    f(x) = <w, phi(x)> + b

    At most the share nu of the rows is outside the tube, and at least this share are support vectors.

    Parameters
    ----------
    nu : float, default=0.5
        In (0, 1].
    C : float, default=1.0
        Cost of errors beyond the tube.
    kernel : {'linear', 'poly', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'} or callable, default='rbf'
        Or a sum or product of the first four, 'rbf+linear', 'rbf*poly', which share their parameters. 'sigmoid' is in general not positive semidefinite: the claim is then a stationary point. A function takes two arrays of rows
        and gives the values of all pairs; the eigenvalues of its matrix, of up to 3000 rows, say whether the claim is an optimum.
    degree : int, default=3
    gamma : {'scale', 'auto'} or float, default='scale'
        'scale' is 1 / (n_features * X.var()), 'auto' is 1 / n_features.
    coef0 : float, default=0.0
    shrinking, tol, max_iter
        Without effect: the search ends when the answer is proved to ``tolerance``.
    cache_size : float, default=200
        Megabytes for rows of the kernel matrix.
    n_jobs : int, default=None
        Threads; None: all cores. The answer has the same bits with any number.%s    epsilon_ : float
        Half the width of the tube that was found.
    support_ : ndarray of shape (n_SV,)
        Rows of the support vectors.
    support_vectors_ : ndarray of shape (n_SV, n_features)
    n_support_ : ndarray of shape (1,)
    dual_coef_ : ndarray of shape (1, n_SV)

    Examples
    --------
    >>> from recta.svm import NuSVR
    >>> model = NuSVR(kernel="linear", nu=0.5, C=10.0).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.5, 2.5, 4.0])
    >>> model.predict([[4.0]]).round(6).tolist(), round(model.epsilon_, 6), model.certificate_.verdict
    ([5.125], 0.125, 'proved')
    """

    _module = "recta.svm"
    _word = "nu-svr"
    epsilon_: float

    def __init__(self, *, nu: float = 0.5, C: float = 1.0, kernel: str | Callable[[np.ndarray, np.ndarray], Any] = "rbf", degree: int = 3, gamma: float | str = "scale", coef0: float = 0.0,
                 shrinking: bool = True, tol: float = 1e-3, cache_size: float = 200, verbose: int | Callable[[Step], object] = False, max_iter: int = -1,
                 n_jobs: int | None = None, tolerance: float = 1e-8, time_limit: float | None = None, confidence: float = 0.95, weights_are: str = "precision",
                 unseen: str = "refuse") -> None:
        self.nu = nu
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.tolerance = tolerance
        self.time_limit = time_limit
        self.confidence = confidence
        self.weights_are = weights_are
        self.unseen = unseen

    def _params(self):
        return self._kernel() if hasattr(self, "n_features_in_") else {}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.epsilon_ = model.report["figures"]["epsilon"]

    @classmethod
    def _params_of(cls, model):
        return cls._kernel_of(model)


def _rows_of(X, rows):
    """Rows of whatever X is."""
    if hasattr(X, "iloc"):
        return X.iloc[rows].to_numpy()
    if hasattr(X, "tocsr"):
        return X.tocsr()[rows]
    return np.asarray(X)[rows]
