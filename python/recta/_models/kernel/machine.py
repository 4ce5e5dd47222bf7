"""What support vector machines share: the words of their kernels, and support vectors in place of coefficients."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from recta._base.declared import declared, parameter
from recta._data.input import is_sparse
from recta._data.labels import ClassLabels
from recta._estimator import parameters
from recta._estimator.classifier import LabelClassifier
from recta._estimator.regressor import CertifiedRegressor

from .matrices import function_matrix

KERNELS = {
    "linear": "linear",
    "polynomial": "polynomial",
    "poly": "polynomial",
    "rbf": "rbf",
    "sigmoid": "sigmoid",
    "laplacian": "laplacian",
    "chi2": "chi2",
    "precomputed": "precomputed",
}


def penalised_intercept(estimator: Any) -> dict[str, Any]:
    """The library's words for ``penalised_intercept`` and ``intercept_scaling``."""
    scaling = parameters.number(estimator, "intercept_scaling")
    if not estimator.penalised_intercept or not estimator.fit_intercept:
        return {}
    if scaling == 0:
        raise ValueError(
            "The 'intercept_scaling' parameter must be a float in the range (0.0, inf) if the intercept is penalised. Got 0 instead."
        )
    return {"penalised-intercept": True, "intercept-scaling": scaling}


def penalised_intercept_of(model: Any) -> dict[str, Any]:
    """The way back, for ``load``."""
    if not model.params.get("penalised-intercept", False):
        return {}
    scaling = model.params["intercept-scaling"]
    return {"penalised_intercept": True, "intercept_scaling": 1.0 if np.isnan(scaling) else scaling}


def intercept_of(model: Any) -> dict[str, Any]:
    """Whether a machine of a file has an intercept, as its objective says, and whether it is penalised."""
    return {"fit_intercept": model.objective.startswith("F(w, b)")} | penalised_intercept_of(model)


def rows_of(X, rows):
    """Rows of whatever X is."""
    if hasattr(X, "iloc"):
        return X.iloc[rows].to_numpy()
    if hasattr(X, "tocsr"):
        return X.tocsr()[rows]
    return np.asarray(X)[rows]


def stored_as(rows: Any, table: np.ndarray) -> Any:
    """Coefficients: sparse, in the format of the rows, if these are sparse, as in scikit-learn."""
    return type(rows)(table) if is_sparse(rows) else table


def _translated(kernel, words):
    """A kernel, or a sum or product of kernels, with each word in its place."""
    return re.sub("[^+* ]+", lambda found: words[found[0]], kernel)


@declared
class KernelSearch:
    """Parameters of machines that search for their support vectors by a kernel."""

    kernel: str | Callable[[np.ndarray, np.ndarray], Any] = parameter(
        default="rbf",
        word="kernel",
        type="{'linear', 'poly', 'rbf', 'sigmoid', 'laplacian', 'chi2', 'precomputed'} or callable",
        doc="Or a sum or product of the first four, 'rbf+linear', 'rbf*poly', which share their parameters. 'sigmoid' is in general not "
        "positive semidefinite: the claim is then a stationary point. A function takes two arrays of rows and gives the values of all "
        "pairs; the eigenvalues of its matrix, of up to 3000 rows, say whether the claim is an optimum. Or a kernel of texts or graphs: "
        "a word such as 'string:subsequence' or 'graph:wl', or a ``recta.kernels.StringKernel`` or ``GraphKernel``; X is then a list of "
        "them.",
    )
    degree: int = parameter(default=3, word="degree")
    gamma: float | str = parameter(
        default="scale",
        low=0.0,
        above=True,
        word="gamma",
        type="{'scale', 'auto'} or float",
        doc="'scale' is 1 / (n_features * X.var()), 'auto' is 1 / n_features.",
    )
    coef0: float = parameter(default=0.0, word="coef")
    shrinking: bool = parameter(default=True, free="working sets are small already")
    tol: float = parameter(default=1e-3, free="the answer is proved to ``tolerance``")
    cache_size: float = parameter(
        default=200, low=0.0, above=True, word="cache", doc="Megabytes for rows of the kernel matrix."
    )
    max_iter: int = parameter(default=-1, free="the search ends by itself; ``time_limit`` stops it before")


class Machine:
    """What machines share: support vectors in place of coefficients."""

    _keeps_float32 = False
    fit_intercept = True

    kernel: str | Callable[[np.ndarray, np.ndarray], Any]
    degree: int
    gamma: float | str | None
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
        self.objective_ = model.objective_with_strengths
        self.fit_status_ = 0 if model.certificate.verdict in ("proved", "within_tolerance") else 1
        tables = model.report_numbers()
        self._lists_support = "support" in tables  # a machine of rows elsewhere lists none
        support = (
            dict(tables["support"])
            if self._lists_support
            else dict.fromkeys(("row", "multiplier", "side"), np.empty(0))
        )
        named = dict(tables["parts"])
        intercepts = named["intercept"].tolist()
        ends = np.cumsum(named.get("support vectors", np.zeros(len(intercepts)))).astype(np.intp)
        rows, coefficients = (
            np.split(each, ends[:-1])
            for each in (support["row"].astype(np.intp) - 1, support["multiplier"] * support["side"])
        )
        self.__dict__.pop("coef_", None)
        weights = [numbers for _, numbers in tables.get("weights", []) if len(numbers)]
        if weights:
            self.coef_ = np.array(weights).reshape(len(intercepts), -1)
        return list(zip(intercepts, rows, coefficients, strict=True))

    def _store_as_rows(self, dual):
        self.dual_coef_ = stored_as(self.support_vectors_, dual)
        if self.kernel == "linear":
            self.coef_ = stored_as(self.support_vectors_, self.coef_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = getattr(self, "kernel", None) == "precomputed"
        return tags

    def _kernel(self):
        parts = [part.strip() for part in re.split("[+*]", self.kernel)] if isinstance(self.kernel, str) else [None]
        if not all(part in KERNELS for part in parts):
            raise ValueError(
                f"The 'kernel' parameter of {type(self).__name__} must be one of {', '.join(map(repr, KERNELS))}, a sum or product of them "
                f"such as 'rbf+linear', or a callable. Got {self.kernel!r} instead."
            )
        parts = [KERNELS[part] for part in parts]
        params: dict[str, Any] = {
            "kernel": _translated(self.kernel, KERNELS),
            "cache": max(1.0, parameters.number(self, "cache_size")),
        }
        if getattr(self, "approximate", None) is not None:
            params["approximate"] = self._landmarks()
        if hasattr(self, "C"):
            params["C"] = parameters.number(self, "C")
        if hasattr(self, "nu"):
            params["nu"] = self._share()
        degree = self.degree
        if isinstance(degree, bool) or degree != int(degree) or degree < 0:
            raise ValueError(
                f"The 'degree' parameter of {type(self).__name__} must be an int in the range [0, inf). Got {degree!r} instead."
            )
        if isinstance(self.gamma, str):
            if self.gamma not in ("scale", "auto"):
                raise ValueError(
                    f"The 'gamma' parameter of {type(self).__name__} must be 'scale', 'auto' or a float. Got {self.gamma!r} instead."
                )
            if self.gamma == "auto" and not set(parts) <= {"linear", "precomputed"}:
                params["gamma"] = 1.0 / self.n_features_in_
        else:
            gamma = parameters.number(self, "gamma")
            if not set(parts) <= {"linear", "precomputed"}:
                params["gamma"] = gamma
        if "polynomial" in parts:
            params["degree"] = float(degree)
        if "polynomial" in parts or "sigmoid" in parts:
            params["coef"] = parameters._number(self, "coef0", 0.0 if "polynomial" in parts else -float("inf"))
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

    def _landmarks(self):
        count = self.approximate
        if isinstance(count, bool) or count != int(count) or not 1 <= count <= 10000:
            raise ValueError(
                f"The 'approximate' parameter of {type(self).__name__} must be None or an int from 1 to 10000. Got {count!r} instead."
            )
        if self.kernel not in ("rbf", "poly", "polynomial", "laplacian", "chi2"):
            raise ValueError(
                f"approximate takes the kernels 'rbf', 'poly', 'laplacian' and 'chi2'. Got kernel={self.kernel!r} instead."
            )
        return float(count)

    def _share(self):
        return parameters.number(self, "nu")

    def _solved(self, fit, options, params, shape):
        return super()._solved(fit, options, self._params(), shape)  # now that the number of columns is known

    @classmethod
    def _landmarks_of(cls, model):
        """The kernel that a linear machine over landmarks stands for; nothing if it is none."""
        for text, _ in model.maps:
            if found := re.fullmatch(r"nystrom\((.*, )?(\d+), (\w+=.*)\)", text):
                numbers = dict(re.findall(r"(\w+)=([^, ]+)", found[3]))
                word = _translated(numbers.get("kernel", "rbf"), {recta: name for name, recta in KERNELS.items()})
                out: dict[str, Any] = {"approximate": int(found[2]), "kernel": word}
                names = {"gamma": ("gamma", float), "degree": ("degree", int), "coef": ("coef0", float)}
                return out | {names[name][0]: names[name][1](value) for name, value in numbers.items() if name in names}
        return {}

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
        return out | cls._landmarks_of(model)


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


class MachineRegressor(Machine, CertifiedRegressor):
    """Base of regressors."""

    def predict(self, X: Any) -> np.ndarray:
        """Predicts one number per row, or one column per target.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        check_is_fitted(self)
        return super().predict(X)
