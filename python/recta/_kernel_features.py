"""Features whose inner products come near a kernel: Nystrom's landmarks and random Fourier features."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core, _parameters
from ._checks import CHECKS, reworded
from ._errors import DataError
from ._input import array_or_parts

if TYPE_CHECKING:
    from typing import Self

KERNELS = {"rbf": "rbf", "laplacian": "laplacian", "poly": "polynomial", "polynomial": "polynomial", "chi2": "chi2", "linear": "linear"}


class _KernelFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learns the features from the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
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
        X : array-like of shape (n_samples, n_features)
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
        return options

    def _keep(self, features):
        self._features = features
        self._learned(np.array(features.maps[0][1]))

    def transform(self, X: Any) -> np.ndarray:
        """The features of these rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        X = self._rows(X, reset=False)
        return self._worded(lambda: self._features.make(X))

    @property
    def _n_features_out(self):
        return self.n_components_

    def _rows(self, X, reset):
        return array_or_parts(validate_data(self, X, reset=reset, **CHECKS | {"accept_sparse": False}))

    def _worded(self, work):
        try:
            return work()
        except DataError as error:
            raise reworded(error, self) from None

    def _options(self, **given):
        text = [f"{name}={value}" for name, value in given.items() if value is not None]
        return ", ".join([str(self._count()), *text, f"seed={_parameters.seed(self.random_state)}"])

    def _count(self):
        return _parameters._whole(self, "n_components")


class Nystroem(_KernelFeatures):
    """Landmarks in the place of a kernel matrix, as ``sklearn.kernel_approximation.Nystroem``.

    The landmarks are drawn by randomly pivoted Cholesky: each with the chance of what those before it leave of its
    k(x, x). ``trace_error_`` says what the features miss of the trace of the kernel matrix of all rows. There are fewer than
    ``n_components`` where the rows have fewer directions.

    Parameters
    ----------
    kernel : {'rbf', 'laplacian', 'polynomial', 'poly', 'chi2', 'linear'}, default='rbf'
    gamma : float, default=None
        None: 1 / n_features.
    coef0 : float, default=None
        Constant of the polynomial kernel; None: 1.
    degree : int, default=None
        Of the polynomial kernel; None: 3.
    n_components : int, default=100
        Landmarks.
    random_state : int, RandomState instance or None, default=None

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

    def __init__(self, kernel: str = "rbf", *, gamma: float | None = None, coef0: float | None = None, degree: float | None = None,
                 n_components: int = 100, random_state: Any = None) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.n_components = n_components
        self.random_state = random_state

    def _map(self, X):
        if self.kernel not in KERNELS:
            raise ValueError(f"The 'kernel' parameter of Nystroem must be a str among {set(KERNELS)}. Got {self.kernel!r} instead.")
        if X.shape[0] < self._count():
            warnings.warn(f"n_components > n_samples: there are at most {X.shape[0]} landmarks.", stacklevel=3)
        word = KERNELS[self.kernel]
        gamma = 1 / X.shape[1] if self.gamma is None else float(self.gamma)
        coef = (1 if self.coef0 is None else self.coef0) if word == "polynomial" else None
        degree = (3 if self.degree is None else self.degree) if word == "polynomial" else None
        return f"nystrom({self._options(kernel=word, gamma=gamma, coef=coef, degree=degree)})"

    def _learned(self, numbers):
        p = self.n_features_in_
        m = len(self._features.names)
        self.n_components_ = m
        self.trace_error_ = 1 - numbers[1]
        self.components_ = numbers[2 + p:2 + p + m * p].reshape(m, p)
        self.normalization_ = numbers[2 + p + m * p:].reshape(m, m)


class RBFSampler(_KernelFeatures):
    """Random Fourier features of the Gaussian kernel, as ``sklearn.kernel_approximation.RBFSampler``.

    ``sqrt(2 / n_components) cos(<w, x> + b)`` with w normal of variance 2 gamma: their inner products are the kernel on average.

    Parameters
    ----------
    gamma : 'scale' or float, default=1.0
        'scale': 1 / (n_features variance of X).
    n_components : int, default=100
    random_state : int, RandomState instance or None, default=None

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

    def __init__(self, *, gamma: float | str = 1.0, n_components: int = 100, random_state: Any = None) -> None:
        self.gamma = gamma
        self.n_components = n_components
        self.random_state = random_state

    def _map(self, X):
        return f"random_fourier({self._options(gamma=None if self.gamma == 'scale' else float(self.gamma))})"

    def _learned(self, numbers):
        p, m = self.n_features_in_, self._count()
        self.n_components_ = m
        self.random_weights_ = numbers[1:1 + m * p].reshape(m, p).T
        self.random_offset_ = numbers[1 + m * p:]
