"""Naive Bayes: fits count in the library and are proved by counting again; ``partial_fit`` merges counts, without a proof."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from . import _core
from ._certificate import Certificate
from ._explain import Explains
from ._input import array_or_parts
from ._tensors import tensors

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike


def _listed(values):
    return "/".join(repr(float(value)) for value in values)


def _smoothed(count, alpha):
    """log of smoothed shares; a share of nothing is -inf, without a warning."""
    with np.errstate(divide="ignore", invalid="ignore"):
        smoothed = count + alpha
        return np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))


class NaiveBayes(Explains, ClassifierMixin, BaseEstimator):
    """What all have in common: checks, the fit in the library, its proof, and probabilities."""

    _checks = {"accept_sparse": "csr", "dtype": (np.float64, np.float32)}
    _word = "naive-bayes"

    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    class_count_: np.ndarray

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = "accept_sparse" in self._checks
        return tags

    # fit

    def _checked(self, X, reset=True):
        return validate_data(self, X, reset=reset, **self._checks)

    def _labelled(self, X, y, sample_weight):
        """Rows, places of their labels among ``classes_``, weights."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X = self._checked(X)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        if len(y) != X.shape[0]:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: {[X.shape[0], len(y)]}")
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        return X, y, sample_weight

    def _options(self):
        return {}

    def _params(self, X):
        raise NotImplementedError

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Counts the rows, and proves the counts by counting them again.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent.

        Returns
        -------
        self
        """
        X, y, sample_weight = self._labelled(X, y, sample_weight)
        present = y if sample_weight is None else y[sample_weight > 0]
        classes = np.unique(present)
        if len(classes) < 2:
            raise ValueError(f"{type(self).__name__} needs rows of at least 2 classes, and the data contain {len(classes)} class")
        if len(present) < len(y):
            X, sample_weight, y = X[sample_weight > 0], sample_weight[sample_weight > 0], present
        self.classes_ = classes
        places = np.searchsorted(classes, y).astype(np.float64)
        options = _core.FitOptions()
        options.params = self._params(X)
        options.threads = 0 if self.n_jobs is None or self.n_jobs < 0 else int(self.n_jobs)
        for name, value in self._options().items():
            setattr(options, name, value)
        self._model = _core.fit(self._word, array_or_parts(X), places, sample_weight, [], options).model
        self._model.name_classes([str(label) for label in classes], "category")
        self._learned(tensors(self._model))
        return self

    @property
    def certificate_(self) -> Certificate:
        """The proof of the counts. After ``partial_fit`` there is none, as earlier rows are gone."""
        check_is_fitted(self)
        if self._model is None:
            raise AttributeError(f"{type(self).__name__!r} object has no proof after partial_fit: the rows of earlier calls are gone")
        return Certificate(self._model.certificate, self._model)

    def _learned(self, found):
        raise NotImplementedError

    # predictions

    def _joint(self, X):
        """log P(class, row)."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        if self._model is None:
            return self._joint_of_counts(X)
        return self._model.predict(array_or_parts(X), answer=_core.Answer.decision)

    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """log P(class) + log P(row | class), one column per class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        return self._joint(X)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each row, the first of several.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        joint = self._joint(X)
        return self.classes_[joint.argmax(axis=1)]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities, finite where a probability is below the smallest number.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        joint = self._joint(X)
        above = joint - joint.max(axis=1, keepdims=True)
        return above - np.log(np.exp(above).sum(axis=1, keepdims=True))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes. They are naive: not calibrated.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        return np.exp(self.predict_log_proba(X))


class MergingNaiveBayes(NaiveBayes):
    """Counts that more rows can be added to."""

    def _one_hot(self, y, classes, X):
        """Begins with ``classes`` at the first call; places of labels, as one column per class."""
        if not hasattr(self, "classes_"):
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            self.classes_ = np.unique(classes)
            self._begin(X.shape[1])
        elif classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
            raise ValueError(f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}")
        unknown = np.setdiff1d(np.unique(y), self.classes_)
        if len(unknown):
            raise ValueError(f"The target label(s) {unknown} in y do not exist in the initial classes {self.classes_}")
        return (y[:, None] == self.classes_).astype(np.float64)

    def partial_fit(self, X: Any, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Adds the counts of more rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes that will ever come; needed at the first call.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        first = not hasattr(self, "classes_")
        X = self._checked(X, reset=first)
        y = column_or_1d(y, warn=True)
        weights = np.ones(X.shape[0]) if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        one_hot = self._one_hot(y, classes, X) * weights[:, None]
        self._model = None
        self._add(X, one_hot)
        return self

    def _begin(self, columns):
        raise NotImplementedError

    def _add(self, X, one_hot):
        raise NotImplementedError


class GaussianNB(MergingNaiveBayes):
    """A normal distribution per column and class, as ``sklearn.naive_bayes.GaussianNB``, with a proof.

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        Probabilities of the classes; None: their shares of the rows.
    var_smoothing : float, default=1e-9
        Share of the largest variance of a column that is added to every variance.
    n_jobs : int, default=None
        Threads that read the rows; None: all cores.

    Attributes
    ----------
    class_count_, class_prior_, classes_, epsilon_, theta_, var_
        As in scikit-learn.
    certificate_ : Certificate
        The proof: the likelihood equations of all means and variances, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.naive_bayes import GaussianNB
    >>> model = GaussianNB().fit([[1.0], [2.0], [3.0], [5.0], [7.0], [9.0]], [0, 0, 0, 1, 1, 1])
    >>> model.theta_.round(9).tolist(), model.predict([[4.0]]).tolist(), model.certificate_.verdict
    ([[2.0], [7.0]], [0], 'proved')
    """

    _checks = {"dtype": (np.float64, np.float32)}

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: float = 1e-9, n_jobs: int | None = None) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.n_jobs = n_jobs

    def _given_priors(self):
        if self.priors is None:
            return None
        priors = np.asarray(self.priors, dtype=np.float64)
        if len(priors) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        if not np.isclose(priors.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        if (priors < 0).any():
            raise ValueError("Priors must be non-negative.")
        return priors

    def _params(self, X):
        priors = self._given_priors()
        return {"likelihood": "gaussian", "smoothing": float(self.var_smoothing), "smoothing-of": "widest",
                "priors": "learned" if priors is None else _listed(priors / priors.sum())}

    def _learned(self, found):
        self.class_count_ = found["naive_bayes.class_weight"]
        _, self.theta_, self._scatter = found["naive_bayes.counts"].reshape(len(self.classes_), 3, -1).swapaxes(0, 1)
        self._estimated()

    def _estimated(self):
        count = self.class_count_[:, None]
        priors = self._given_priors()
        self.class_prior_ = self.class_count_ / self.class_count_.sum() if priors is None else priors
        share = count / count.sum()
        mean = (share * self.theta_).sum(axis=0)
        total = self._scatter.sum(axis=0) / count.sum() + (share * (self.theta_ - mean) ** 2).sum(axis=0)
        self.epsilon_ = self.var_smoothing * total.max()
        with np.errstate(divide="ignore", invalid="ignore"):
            self.var_ = np.where(count > 0, self._scatter / count, 0.0) + self.epsilon_

    def _begin(self, columns):
        self.class_count_ = np.zeros(len(self.classes_))
        self.theta_ = np.zeros((len(self.classes_), columns))
        self._scatter = np.zeros((len(self.classes_), columns))

    def _add(self, X, one_hot):
        X = np.asarray(X, dtype=np.float64)
        for k, weights in enumerate(one_hot.T):
            rows, more = X[weights > 0], weights[weights > 0]
            if not len(more):
                continue
            before, here = self.class_count_[k], more.sum()
            mean = np.average(rows, axis=0, weights=more)
            apart = mean - self.theta_[k]
            self._scatter[k] += (more[:, None] * (rows - mean) ** 2).sum(axis=0) + apart**2 * (before * here / (before + here))
            self.theta_[k] += apart * (here / (before + here))
            self.class_count_[k] += here
        self._estimated()

    def _joint_of_counts(self, X):
        with np.errstate(divide="ignore"):
            joint = np.log(self.class_prior_)
        halves = [-0.5 * np.log(2 * np.pi * self.var_[k]).sum() - 0.5 * ((X - self.theta_[k]) ** 2 / self.var_[k]).sum(axis=1)
                  for k in range(len(self.classes_))]
        return joint + np.array(halves).T


class DiscreteNB(MergingNaiveBayes):
    """Counts of features per class."""

    def _alpha(self, columns):
        alpha = np.asarray(self.alpha, dtype=np.float64)
        least = alpha.min() if alpha.size else 0.0
        if least < 0:
            raise ValueError(f"All values in alpha must be greater than or equal to 0. Got {least} instead.")
        if alpha.ndim > 0 and alpha.shape != (columns,):
            raise ValueError(f"When alpha is an array, it should contain `n_features`. Got {alpha.shape[0]} elements instead of {columns}.")
        if not self.force_alpha and least < 1e-10:
            warnings.warn("alpha too small will result in numeric errors, setting alpha = 1e-10. Use `force_alpha=True` to keep "
                          "alpha unchanged.", stacklevel=3)
            alpha = np.maximum(alpha, 1e-10)
        return alpha

    def _given_priors(self):
        if self.class_prior is None:
            return None
        if len(self.class_prior) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        return np.asarray(self.class_prior, dtype=np.float64)

    def _params(self, X):
        priors, alpha = self._given_priors(), self._alpha(X.shape[1])
        given = "uniform" if not self.fit_prior else "learned"
        return {"likelihood": self._kind, "alpha": repr(float(alpha)) if alpha.ndim == 0 else _listed(alpha),
                "priors": given if priors is None else _listed(priors / priors.sum())}

    def _learned(self, found):
        self.class_count_ = found["naive_bayes.class_weight"]
        self._took(found)
        self._estimated()

    def _estimated(self):
        priors = self._given_priors()
        with np.errstate(divide="ignore"):
            if priors is not None:
                self.class_log_prior_ = np.log(priors)
            elif self.fit_prior:
                self.class_log_prior_ = np.log(self.class_count_) - np.log(self.class_count_.sum())
            else:
                self.class_log_prior_ = np.full(len(self.classes_), -np.log(len(self.classes_)))
        self._estimate(self._alpha(self.n_features_in_))

    def _begin(self, columns):
        self.class_count_ = np.zeros(len(self.classes_))
        self.feature_count_ = np.zeros((len(self.classes_), columns))

    def _add(self, X, one_hot):
        self.class_count_ += one_hot.sum(axis=0)
        self.feature_count_ += safe_sparse_dot(one_hot.T, X)
        self._estimated()


def _refuse_negative(X, estimator):
    values = X.data if sparse.issparse(X) else X
    if values.size and values.min() < 0:
        raise ValueError(f"Negative values in data passed to {type(estimator).__name__} (input X)")


class MultinomialNB(DiscreteNB):
    """Counts of words or the like, as ``sklearn.naive_bayes.MultinomialNB``, with a proof.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Added to every count; 0 is maximum likelihood.
    force_alpha : bool, default=True
        False: alpha is at least 1e-10.
    fit_prior : bool, default=True
        Learn the probabilities of the classes; False: they are equal.
    class_prior : array-like of shape (n_classes,), default=None
        Probabilities of the classes.
    n_jobs : int, default=None
        Threads that read the rows; None: all cores.

    Attributes
    ----------
    class_count_, class_log_prior_, classes_, feature_count_, feature_log_prob_
        As in scikit-learn.
    certificate_ : Certificate
        The proof: every count again, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.naive_bayes import MultinomialNB
    >>> X = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    >>> model = MultinomialNB().fit(X, ["c", "c", "c", "j"])
    >>> model.predict_proba([[3, 0, 0, 0, 1, 1]]).round(9).tolist(), model.certificate_.verdict
    ([[0.689758612, 0.310241388]], 'proved')
    """

    _kind = "multinomial"

    def __init__(self, *, alpha: float | ArrayLike = 1.0, force_alpha: bool = True, fit_prior: bool = True,
                 class_prior: ArrayLike | None = None, n_jobs: int | None = None) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.n_jobs = n_jobs

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True
        return tags

    def _checked(self, X, reset=True):
        X = super()._checked(X, reset)
        if reset:
            _refuse_negative(X, self)
        return X

    def _took(self, found):
        self.feature_count_ = found["naive_bayes.counts"]

    def _add(self, X, one_hot):
        _refuse_negative(X, self)
        super()._add(X, one_hot)

    def _estimate(self, alpha):
        self.feature_log_prob_ = _smoothed(self.feature_count_, alpha)

    def _joint_of_counts(self, X):
        return safe_sparse_dot(X, self.feature_log_prob_.T) + self.class_log_prior_


class ComplementNB(MultinomialNB):
    """Weights by the counts of all other classes (Rennie, Shih, Teevan, Karger 2003), as ``sklearn.naive_bayes.ComplementNB``, with a proof.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Added to every count.
    force_alpha : bool, default=True
        False: alpha is at least 1e-10.
    fit_prior, class_prior
        For ``class_log_prior_`` alone: scores have no prior.
    norm : bool, default=False
        Divide the weights of a class by their sum.
    n_jobs : int, default=None
        Threads that read the rows; None: all cores.

    Attributes
    ----------
    class_count_, class_log_prior_, classes_, feature_all_, feature_count_, feature_log_prob_
        As in scikit-learn.
    certificate_ : Certificate
        The proof: every count again, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.naive_bayes import ComplementNB
    >>> ComplementNB().fit([[2, 0, 1], [1, 0, 2], [0, 3, 1]], [0, 0, 1]).predict([[1, 0, 0]]).tolist()
    [0]
    """

    _kind = "complement"

    def __init__(self, *, alpha: float | ArrayLike = 1.0, force_alpha: bool = True, fit_prior: bool = True,
                 class_prior: ArrayLike | None = None, norm: bool = False, n_jobs: int | None = None) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior, n_jobs=n_jobs)
        self.norm = norm

    def _params(self, X):
        return super()._params(X) | {"norm": bool(self.norm)}

    def _estimate(self, alpha):
        self.feature_all_ = self.feature_count_.sum(axis=0)
        others = self.feature_all_ + alpha - self.feature_count_
        with np.errstate(divide="ignore"):
            logged = np.log(others / others.sum(axis=1, keepdims=True))
        self.feature_log_prob_ = logged / logged.sum(axis=1, keepdims=True) if self.norm else -logged

    def _joint_of_counts(self, X):
        return safe_sparse_dot(X, self.feature_log_prob_.T)


class BernoulliNB(DiscreteNB):
    """Columns of 0 and 1, as ``sklearn.naive_bayes.BernoulliNB``, with a proof.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Added to the count of either value.
    force_alpha : bool, default=True
        False: alpha is at least 1e-10.
    binarize : float or None, default=0.0
        Numbers above it are 1. None: X holds 0 and 1.
    fit_prior : bool, default=True
        Learn the probabilities of the classes; False: they are equal.
    class_prior : array-like of shape (n_classes,), default=None
        Probabilities of the classes.
    n_jobs : int, default=None
        Threads that read the rows; None: all cores.

    Attributes
    ----------
    class_count_, class_log_prior_, classes_, feature_count_, feature_log_prob_
        As in scikit-learn.
    certificate_ : Certificate
        The proof: every count again, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.naive_bayes import BernoulliNB
    >>> BernoulliNB().fit([[1, 0], [1, 1], [0, 1]], [0, 0, 1]).predict([[1, 0]]).tolist()
    [0]
    """

    _kind = "bernoulli"

    def __init__(self, *, alpha: float | ArrayLike = 1.0, force_alpha: bool = True, binarize: float | None = 0.0, fit_prior: bool = True,
                 class_prior: ArrayLike | None = None, n_jobs: int | None = None) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.n_jobs = n_jobs

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def _threshold(self):
        return 0.0 if self.binarize is None else float(self.binarize)

    def _params(self, X):
        return super()._params(X) | {"threshold": self._threshold()}

    def _took(self, found):
        self.feature_count_ = found["naive_bayes.counts"].reshape(len(self.classes_), 2, -1)[:, 1]

    def _bits(self, X):
        return (X > self._threshold()).astype(np.float64)

    def _add(self, X, one_hot):
        super()._add(self._bits(X), one_hot)

    def _estimate(self, alpha):
        with np.errstate(divide="ignore"):
            self.feature_log_prob_ = np.log(self.feature_count_ + alpha) - np.log(self.class_count_[:, None] + 2 * alpha)

    def _joint_of_counts(self, X):
        absent = np.log1p(-np.exp(self.feature_log_prob_))
        return safe_sparse_dot(self._bits(X), (self.feature_log_prob_ - absent).T) + self.class_log_prior_ + absent.sum(axis=1)


class CategoricalNB(DiscreteNB):
    """Columns of categories coded 0, 1, 2, ..., as ``sklearn.naive_bayes.CategoricalNB``, with a proof.

    Parameters
    ----------
    alpha : float, default=1.0
        Added to the count of every category.
    force_alpha : bool, default=True
        False: alpha is at least 1e-10.
    fit_prior : bool, default=True
        Learn the probabilities of the classes; False: they are equal.
    class_prior : array-like of shape (n_classes,), default=None
        Probabilities of the classes.
    min_categories : int or array-like of shape (n_features,), default=None
        Least number of categories of each column.
    n_jobs : int, default=None
        Threads that read the rows; None: all cores.

    Attributes
    ----------
    category_count_, class_count_, class_log_prior_, classes_, feature_log_prob_, n_categories_
        As in scikit-learn.
    certificate_ : Certificate
        The proof: every count again, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.naive_bayes import CategoricalNB
    >>> model = CategoricalNB().fit([[0, 1], [0, 2], [1, 0]], [0, 0, 1])
    >>> model.predict([[1, 0]]).tolist(), model.n_categories_.tolist()
    ([1], [2, 3])
    """

    _checks = {"dtype": (np.float64, np.float32)}

    def __init__(self, *, alpha: float = 1.0, force_alpha: bool = True, fit_prior: bool = True, class_prior: ArrayLike | None = None,
                 min_categories: int | ArrayLike | None = None, n_jobs: int | None = None) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories
        self.n_jobs = n_jobs

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True
        return tags

    def _checked(self, X, reset=True):
        X = np.trunc(super()._checked(X, reset))  # as scikit-learn, which casts to whole numbers
        if X.size and X.min() < 0:
            raise ValueError(f"Negative values in data passed to {type(self).__name__} (input X)")
        return X

    def _categories(self, X):
        found = X.max(axis=0).astype(np.int64) + 1
        least = self.min_categories
        if least is None:
            return found
        least = np.asarray(least)
        if not np.issubdtype(least.dtype, np.signedinteger):
            raise ValueError(f"'min_categories' should have integral type. Got {least.dtype} instead.")
        if least.ndim > 0 and least.shape != found.shape:
            raise ValueError(f"'min_categories' should have shape ({X.shape[1]},) when an array-like is provided. Got {least.shape} instead.")
        return np.maximum(found, least)

    def _params(self, X):
        self.n_categories_ = self._categories(X)
        self._kind = "/".join(f"categorical:{count}" for count in self.n_categories_)
        return super()._params(X)

    def _took(self, found):
        ends = np.cumsum(self.n_categories_)[:-1]
        self.category_count_ = np.split(found["naive_bayes.counts"], ends, axis=1)

    def _begin(self, columns):
        self.class_count_ = np.zeros(len(self.classes_))
        self.category_count_ = [np.zeros((len(self.classes_), 0)) for _ in range(columns)]
        self.n_categories_ = np.zeros(columns, dtype=np.int64)

    def _add(self, X, one_hot):
        self.class_count_ += one_hot.sum(axis=0)
        self.n_categories_ = np.maximum(self.n_categories_, self._categories(X))
        for j, size in enumerate(self.n_categories_):
            grown = np.zeros((len(self.classes_), size))
            grown[:, :self.category_count_[j].shape[1]] = self.category_count_[j]
            for k, weights in enumerate(one_hot.T):
                grown[k] += np.bincount(X[:, j].astype(np.int64), weights, size)
            self.category_count_[j] = grown
        self._estimated()

    def _estimate(self, alpha):
        self.feature_log_prob_ = [_smoothed(count, alpha) for count in self.category_count_]

    def _joint(self, X):
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        if X.shape[0] and (X.max(axis=0) >= self.n_categories_).any():
            j = int(np.argmax(X.max(axis=0) >= self.n_categories_))
            raise IndexError(f"column {j} of X has the category {int(X[:, j].max())}, and the fit knew 0 to {self.n_categories_[j] - 1}; "
                             "min_categories= makes room for more")
        return self._joint_of_counts(X) if self._model is None else self._model.predict(X, answer=_core.Answer.decision)

    def _joint_of_counts(self, X):
        joint = np.tile(self.class_log_prior_, (X.shape[0], 1))
        for j, table in enumerate(self.feature_log_prob_):
            joint += table[:, X[:, j].astype(np.int64)].T
        return joint


class MixedNB(NaiveBayes):
    """Each column with a likelihood of its own in one model, with a proof. Missing values, NaN, skip their factor.

    Parameters
    ----------
    likelihood : str, list of str or dict, default='auto'
        'gaussian', 'bernoulli', 'categorical' (its values are learned), 'categorical:8' (codes 0 to 7) or 'multinomial' for all
        columns; a list with one for each; or a dict of places or names of columns, the others being gaussian.
    alpha : float, default=1.0
        Added to every count.
    priors : array-like of shape (n_classes,), default=None
        Probabilities of the classes; None: their shares of the rows.
    var_smoothing : float, default=1e-9
        Share of a gaussian column's own variance that is added to that of each class.
    unseen : {'refuse', 'zeros'}, default='refuse'
        A value that is no category: an error, or its factor is skipped.
    n_jobs : int, default=None
        Threads that read the rows; None: all cores.

    Attributes
    ----------
    class_count_, class_prior_, classes_
        Weights, probabilities and labels of the classes.
    report_ : dict
        Likelihoods, estimates and remarks as tables.
    certificate_ : Certificate
        The proof: counts and moments again, in a fresh pass over the rows.

    Examples
    --------
    >>> from recta.naive_bayes import MixedNB
    >>> X = [[1.5, 0], [2.5, 0], [float("nan"), 1], [7.0, 2], [8.0, 2]]
    >>> model = MixedNB(likelihood=["gaussian", "categorical"]).fit(X, [0, 0, 0, 1, 1])
    >>> model.predict([[6.0, 2], [float("nan"), 0]]).tolist(), model.certificate_.verdict
    ([1, 0], 'proved')
    """

    _checks = {"dtype": (np.float64, np.float32), "ensure_all_finite": "allow-nan"}

    def __init__(self, likelihood: str | list[str] | dict[Any, str] = "auto", *, alpha: float = 1.0, priors: ArrayLike | None = None,
                 var_smoothing: float = 1e-9, unseen: str = "refuse", n_jobs: int | None = None) -> None:
        self.likelihood = likelihood
        self.alpha = alpha
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _likelihoods(self, columns):
        if isinstance(self.likelihood, str):
            return self.likelihood
        if not isinstance(self.likelihood, dict):
            if len(self.likelihood) != columns:
                raise ValueError(f"likelihood has {len(self.likelihood)} entries, and X has {columns} columns")
            return "/".join(self.likelihood) if columns > 1 else self.likelihood[0]
        each = ["gaussian"] * columns
        names = list(getattr(self, "feature_names_in_", []))
        for column, kind in self.likelihood.items():
            if column not in names and not (isinstance(column, (int, np.integer)) and 0 <= column < columns):
                raise ValueError(f"likelihood names the column {column!r}, which X does not have")
            each[names.index(column) if column in names else column] = kind
        return "/".join(each) if columns > 1 else each[0]

    def _options(self):
        if self.unseen not in ("refuse", "zeros"):
            raise ValueError(f"unseen must be 'refuse' or 'zeros'. Got {self.unseen!r} instead.")
        return {"missing": _core.Missing.skip, "unseen": getattr(_core.Unseen, self.unseen)}

    def _params(self, X):
        priors = GaussianNB._given_priors(self)
        return {"likelihood": self._likelihoods(X.shape[1]), "alpha": repr(float(self.alpha)), "smoothing": float(self.var_smoothing),
                "priors": "learned" if priors is None else _listed(priors / priors.sum())}

    def _learned(self, found):
        self.class_count_ = found["naive_bayes.class_weight"]
        self.class_prior_ = found["naive_bayes.prior"]

    @property
    def report_(self) -> dict[str, Any]:
        check_is_fitted(self)
        return self._model.report
