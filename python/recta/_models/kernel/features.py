"""Features whose inner products come near a kernel: Nystrom's landmarks and random Fourier features."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from recta import _core
from recta._base.checks import CHECKS, finite_entries, reworded
from recta._base.declared import estimator, parameter
from recta._base.errors import DataError
from recta._base.scikit_learn import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from recta._data.full_rows import blocks, full_rows
from recta._data.input import array_or_parts, is_sparse
from recta._estimator import parameters

KERNELS = {
    "rbf": "rbf",
    "laplacian": "laplacian",
    "poly": "polynomial",
    "polynomial": "polynomial",
    "chi2": "chi2",
    "linear": "linear",
}


class _KernelFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learns the features from the rows.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
            Sparse rows are written out: while features are learned, all of them, of at most 4 GiB.
        y : ignored

        Returns
        -------
        self
        """
        X = self._rows(X, reset=True)
        self._keep(self._worded(lambda: _core.learn_features(X, None, [], self._asked(X))))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Learns the features and gives those of the same rows, which takes less time than one after the other.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        X = self._rows(X, reset=True)
        features, made = self._worded(lambda: _core.learn_and_make_features(X, self._asked(X)))
        self._keep(features)
        return made

    def _asked(self, X):
        options = _core.FitOptions()
        options.basis = [self._map(X)]
        options.threads = parameters.threads(getattr(self, "n_jobs", None))
        return options

    def _keep(self, features):
        self._features = features
        self._learned(np.array(features.maps[0][1]))

    def transform(self, X: Any) -> np.ndarray:
        """The features of these rows.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        made = [self._worded(lambda part=part: self._features.make(array_or_parts(part))) for part in blocks(X)]
        return made[0] if len(made) == 1 else np.concatenate(made)

    @property
    def _n_features_out(self):
        return self.n_components_

    def _rows(self, X, reset):
        return array_or_parts(full_rows(self._checked(X, reset), type(self).__name__))

    def _checked(self, X, reset):
        X = validate_data(self, X, reset=reset, **CHECKS | {"accept_sparse": "csr"})
        if is_sparse(X):
            finite_entries(X, self)
        return X

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _worded(self, work):
        try:
            return work()
        except DataError as error:
            raise reworded(error, self) from None

    def _options(self, **given):
        text = [f"{name}={value}" for name, value in given.items() if value is not None]
        return ", ".join([str(self._count()), *text, f"seed={parameters.seed(self.random_state)}"])

    def _count(self):
        return parameters._whole(self, "n_components")


@estimator("recta.kernel_approximation")
class Nystroem(_KernelFeatures):
    """Landmarks in place of a kernel matrix, as ``sklearn.kernel_approximation.Nystroem``.

    The landmarks are drawn by randomly pivoted Cholesky: each with the chance of what those before it leave of its
    k(x, x). ``trace_error_`` says what the features miss of the trace of the kernel matrix of all rows. There are fewer than
    ``n_components`` where the rows have fewer directions.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features_in_)
        The landmarks.
    normalization_ : ndarray of shape (n_components_, n_components_)
        The features are ``kernel(X, components_) @ normalization_.T``.
    trace_error_ : float
        1 - sum |phi(x_i)|^2 / sum k(x_i, x_i) over all rows, from 0 to 1.
    n_components_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from recta.kernel_approximation import Nystroem
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> made = Nystroem(n_components=40, random_state=0).fit(X)
    >>> made.transform(X).shape, bool(made.trace_error_ < 1e-3)
    ((200, 40), True)
    """

    kernel: str = parameter(
        default="rbf", kw_only=False, type="{'rbf', 'laplacian', 'polynomial', 'poly', 'chi2', 'linear'}"
    )
    gamma: float | None = parameter(default=None, doc="None: 1 / n_features, of 'chi2' 1.")
    coef0: float | None = parameter(default=None, doc="Constant of the polynomial kernel; None: 1.")
    degree: float | None = parameter(default=None, type="int", doc="Of the polynomial kernel; None: 3.")
    kernel_params: dict[str, float] | None = parameter(
        default=None, type="dict", doc="``gamma``, ``coef0`` and ``degree``, if they are not given themselves."
    )
    n_components: int = parameter(default=100, doc="Landmarks.")
    random_state: Any = parameter(default=None, type="int, RandomState instance or None")
    n_jobs: int | None = parameter(
        default=None, doc="Threads; None: all cores. The features have the same bits with any number."
    )

    def _number(self, name, usual):
        """A parameter of the kernel, given itself or in ``kernel_params``."""
        own = getattr(self, name)
        return (self.kernel_params or {}).get(name, usual) if own is None else own

    def _map(self, X):
        if self.kernel not in KERNELS:
            raise ValueError(
                f"The 'kernel' parameter of Nystroem must be a str among {set(KERNELS)}. Got {self.kernel!r} instead."
            )
        if X.shape[0] < self._count():
            warnings.warn(f"n_components > n_samples: there are at most {X.shape[0]} landmarks.", stacklevel=3)
        if unknown := sorted(set(self.kernel_params or {}) - {"gamma", "coef0", "degree"}):
            raise ValueError(
                f"Nystroem(kernel_params={self.kernel_params!r}): the kernels have 'gamma', 'coef0' and 'degree'. Got {unknown[0]!r}."
            )
        word = KERNELS[self.kernel]
        usual = 1.0 if word == "chi2" else 1 / X.shape[1]  # of scikit-learn's kernels
        gamma = float(self._number("gamma", usual))
        coef, degree = (self._number("coef0", 1), self._number("degree", 3)) if word == "polynomial" else (None, None)
        return f"nystrom({self._options(kernel=word, gamma=gamma, coef=coef, degree=degree)})"

    def _learned(self, numbers):
        p = self.n_features_in_
        m = len(self._features.names)
        self.n_components_ = m
        self.trace_error_ = 1 - numbers[1]
        self.components_ = numbers[2 + p : 2 + p + m * p].reshape(m, p)
        self.normalization_ = numbers[2 + p + m * p :].reshape(m, m)


@estimator("recta.kernel_approximation")
class RBFSampler(_KernelFeatures):
    """Random Fourier features of the Gaussian kernel, as ``sklearn.kernel_approximation.RBFSampler``.

    ``sqrt(2 / n_components) cos(<w, x> + b)`` with w normal of variance 2 gamma: their inner products are the kernel on average.

    Attributes
    ----------
    random_weights_ : ndarray of shape (n_features_in_, n_components)
    random_offset_ : ndarray of shape (n_components,)
    n_components_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from recta.kernel_approximation import RBFSampler
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> Z = RBFSampler(n_components=2000, random_state=0).fit_transform(X)
    >>> exact = np.exp(-((X[0] - X[1]) ** 2).sum())
    >>> bool(abs(Z[0] @ Z[1] - exact) < 0.1)
    True
    """

    gamma: float | str = parameter(default=1.0, type="'scale' or float", doc="'scale': 1 / (n_features variance of X).")
    n_components: int = parameter(default=100)
    random_state: Any = parameter(default=None, type="int, RandomState instance or None")

    def _map(self, X):
        return f"random_fourier({self._options(gamma=None if self.gamma == 'scale' else float(self.gamma))})"

    def _learned(self, numbers):
        p, m = self.n_features_in_, self._count()
        self.n_components_ = m
        self.random_weights_ = numbers[1 : 1 + m * p].reshape(m, p).T
        self.random_offset_ = numbers[1 + m * p :]
