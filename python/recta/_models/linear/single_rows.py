"""What the estimators that learn by single rows do alike: passes, their end, rows set aside, what goes on in ``partial_fit``."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_array, check_X_y, validate_data

from recta import _core
from recta._base.checks import reworded
from recta._base.declared import declared, learned, parameter
from recta._base.errors import DataError
from recta._base.scikit_learn import BaseEstimator
from recta._data.frame_features import CodedRows, FrameFeatures
from recta._data.input import array_or_parts, has_categories
from recta._estimator import parameters

from .descent import NoProof, Pass, one_in_double, online_options, products, safe_rate, whole_number
from .sparse_coefficients import SparseCoefficients

LEAST_RATE = 1e-6  # of learning_rate='adaptive', where it ends


def _start(word, numbers, shape):
    """Where the learners begin; None stays."""
    if numbers is None:
        return None
    numbers = np.asarray(numbers, dtype=np.float64)
    if numbers.size != np.prod(shape):
        raise ValueError(
            f"Provided {word} does not match dataset: it has shape {numbers.shape}, and {shape} is needed."
        )
    return numbers.reshape(shape)


@declared
class StepEstimator(SparseCoefficients, BaseEstimator):
    """Base of SGDRegressor and SGDClassifier. One learner per target, each at every row; ``_states`` is where they are, and ``_frame``
    what they know of a frame with categories.

    Attributes
    ----------
    n_iter_ : int
        Passes made by the last ``fit``.
    t_ : float
        Rows presented, and one.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where X has names that are all strings.
    objective_ : str
        What the steps go down on, in Recta's words.
    certificate_ : object
        Says that there is no proof: ``verdict`` is 'none'.
    trace_ : list
        One entry per pass: ``number``, ``presented``, ``loss``, ``rate``.
    """

    penalty: str | None = parameter(default="l2", word="lambda1, lambda2", type="{'l2', 'l1', 'elasticnet', None}")
    l1_ratio: float = parameter(
        default=0.15, low=0.0, high=1.0, word="lambda1, lambda2", doc="Share of the l1 part under 'elasticnet'."
    )
    fit_intercept: bool = parameter(default=True, word="intercept")
    max_iter: int = parameter(default=1000, word="watch", doc="Passes over the rows in ``fit``.")
    tol: float | None = parameter(
        default=0.001,
        word="watch",
        type="float or None",
        doc="``fit`` ends where the mean loss did not fall by this much for ``n_iter_no_change`` passes.",
    )
    shuffle: bool = parameter(default=True, word="seed", doc="Whether rows are shuffled before each pass.")
    verbose: int = parameter(default=0, word="watch", doc="1 prints a line per pass.")
    random_state: Any = parameter(
        default=None,
        word="seed",
        type="int, RandomState instance or None",
        doc="None: the order is that of seed 0, the same in every run.",
    )
    eta0: float = parameter(default=0.01, low=0.0, above=True, word="rate")
    early_stopping: bool = parameter(
        default=False, word="watch", doc="Whether a part of the rows is set aside to tell when to end."
    )
    validation_fraction: float = parameter(default=0.1, low=0.0, high=1.0, above=True, word="watch")
    n_iter_no_change: int = parameter(default=5, word="watch")
    warm_start: bool = parameter(default=False, word="start", doc="Whether ``fit`` begins where the last one ended.")
    average: bool | int = parameter(
        default=False,
        word="average, average_from",
        type="bool or int",
        doc="The mean of the points after this many rows; True: after the first.",
    )
    unseen: str = parameter(
        default="refuse",
        word="unseen",
        type="{'refuse', 'zeros'}",
        doc="What a category that training did not know does: it is an error, or its row has 0 in all of the "
        "column's features.",
    )

    _frame = None

    coef_: np.ndarray = learned()
    intercept_: np.ndarray = learned()
    n_features_in_: int = learned()
    feature_names_in_: np.ndarray = learned()
    n_iter_: int = learned()
    t_: float = learned()
    objective_: str = learned()
    certificate_: NoProof = learned()
    trace_: list[Pass] = learned()

    _keeps_passes = True
    _coef_dtype = np.dtype(np.float64)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _features(self, X, y, reset, **checks):
        how = {
            "accept_sparse": "csr",
            "dtype": (np.float64, np.float32),
            "ensure_all_finite": False,
        }  # the library looks, and says where
        if reset:
            self._frame = None
        if self._reads_frames(X):
            X, y = check_X_y(self._coded(X, reset), y, estimator=self, **how, **checks)
        else:
            X, y = validate_data(self, X, y, reset=reset, **how, **checks)
        if reset:
            self._coef_dtype = X.dtype
        return X, y

    def _reads_frames(self, X):
        return self._frame is not None or has_categories(X)

    def _coded(self, X, reset=False):
        """The features of a frame with categories, which are learned from the first."""
        validate_data(self, X, reset=reset, skip_check_array=True)
        parameters.unseen(self)
        if not hasattr(X, "columns"):
            raise ValueError(
                f"{type(self).__name__} learned from a frame with categories; give a frame with the same columns"
            )
        try:
            if self._frame is None:
                self._frame = FrameFeatures(X)
            return self._frame.rows(X, self.unseen)
        except DataError as error:
            raise reworded(error, self) from None

    def _row_weights(self, sample_weight, X):
        return (
            None
            if sample_weight is None
            else np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        )

    # learners

    def _begin(self, options, cols, targets, coef=None, intercept=None):
        coefs, intercepts = _start("coef_init", coef, (targets, cols)), _start("intercept_init", intercept, (targets,))
        learners = []
        for k in range(targets):
            start = _core.OnlinePoint()
            if coefs is not None:
                start.weights = np.ascontiguousarray(coefs[k])
            if intercepts is not None:
                start.intercept = float(intercepts[k])
            learners.append(_core.Online.begin(cols, options, start))
        return learners

    def _resumed(self, options, cols):
        learners = []
        for state in self._states:
            start = _core.OnlinePoint()
            (
                start.weights,
                start.intercept,
                start.mean_weights,
                start.mean_intercept,
                start.presented,
                start.averaged,
            ) = state
            learners.append(_core.Online.begin(cols, options, start))
        return learners

    def _learned(self, points):
        self._states = [
            (p.weights, p.intercept, p.mean_weights, p.mean_intercept, p.presented, p.averaged) for p in points
        ]
        mean = bool(self.average) and points[0].averaged > 0
        coefs = np.array([p.mean_weights if mean else p.weights for p in points])
        intercepts = np.array([p.mean_intercept if mean else p.intercept for p in points])
        self.coef_, self.intercept_ = (
            self._shown(coefs.astype(self._coef_dtype)),
            one_in_double(intercepts.astype(self._coef_dtype)),
        )
        self.t_ = float(points[0].presented + 1)
        penalty = "" if self.penalty is None else f" + {self.alpha:g} {self.penalty}"
        self.objective_ = f"{self._cost()}{penalty}, by single rows"
        self.certificate_ = NoProof(self._provers)

    # passes

    def _pass(self, learners, x, targets, weights, seed, number):
        """The sum of the losses met; None, with a warning, where the weights grew beyond all bounds."""
        try:
            return sum(
                learner.learn(x, y, weights, seed if self.shuffle else None, number)
                for learner, y in zip(learners, targets)
            )
        except DataError as error:
            if "beyond all bounds" not in error.what:
                raise reworded(error, self) from None
        rate = "the first rate of learning_rate='optimal'" if self.learning_rate == "optimal" else f"eta0={self.eta0!r}"
        warnings.warn(
            f"the weights grew beyond all bounds in pass {number + 1}, and all is as it was before: {rate} is too large for "
            f"these rows. Up to {safe_rate(x):.3g} no step overshoots; or scale the columns "
            "(recta.preprocessing.StandardScaler).",
            ConvergenceWarning,
            stacklevel=4,
        )
        return None

    def _noted(self, number, loss, rate):
        self.n_iter_ = number + 1
        presented = self._states[0][4]
        self.trace_.append(Pass(number + 1, presented, loss, rate))
        if self.verbose:
            print(f"pass {number + 1}: {presented} rows presented, mean loss {loss:.6g}, rate {rate:.3g}")

    def _seed(self):
        return 0 if self.random_state is None else int(check_random_state(self.random_state).randint(2**31 - 1))

    def _fit_rows(self, X, y, weights, start):
        """``start``: weights and intercepts, or None. ``y`` as ``_targets_of`` reads it."""
        options, limit, seed = online_options(self), whole_number(self, "max_iter"), self._seed()
        whole_number(self, "n_iter_no_change")
        if self.warm_start and hasattr(self, "coef_") and start[0] is None:
            start = np.array([s[0] for s in self._states]), np.array([s[1] for s in self._states])
        learners, held_out = self._begin(options, X.shape[1], self._target_count(), *start), None
        if self.early_stopping:
            X, y, weights, held_out = self._set_aside(X, y, weights, seed)
        self.trace_, self.n_iter_ = [], 0
        begun = [learner.point() for learner in learners]
        ended = self._passes(
            learners, (array_or_parts(X), self._targets_of(y), weights, seed), options.rate, limit, held_out
        )
        if ended is None:
            self._learned(begun)
        if ended is False and self.tol is not None:
            warnings.warn(
                "Maximum number of iteration reached before convergence. Consider increasing max_iter to improve the fit.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def _set_aside(self, X, y, weights, seed):
        share = parameters.number(self, "validation_fraction")
        parts = [part for part in (X, y, weights) if part is not None]
        X, held_x, y, held_y, *rest = train_test_split(
            *parts, test_size=share, random_state=seed, stratify=self._strata(y)
        )
        weights = None if weights is None else np.ascontiguousarray(rest[0])
        held_x = held_x if self._frame is None else CodedRows(held_x)
        return X, np.ascontiguousarray(y), weights, (held_x, held_y, rest[1] if rest else None)

    def _passes(self, learners, rows, rate, limit, held_out):
        """Whether it ended by itself; None: it diverged."""
        targets, weights = rows[1], rows[2]
        size = (float(len(targets[0])) if weights is None else float(weights.sum())) * len(targets)
        best, waited = np.inf, 0
        for number in range(limit):
            loss = self._pass(learners, *rows, number)
            if loss is None:
                return None
            self._learned([learner.point() for learner in learners])
            loss = loss / max(size, 1e-300) if held_out is None else -self.score(*held_out)
            self._noted(number, loss, rate)
            if self.tol is not None:
                waited = waited + 1 if loss > best - self.tol else 0
            best = min(best, loss)
            if waited < self.n_iter_no_change:
                continue
            if self.learning_rate != "adaptive" or rate <= LEAST_RATE:
                return True
            rate, waited = rate / 5, 0
            for learner in learners:
                learner.set_rate(rate)
        return False

    def _refuse_rows_aside(self):
        if self.early_stopping:
            raise ValueError(
                "early_stopping should be False with partial_fit: it presents every row once, and sets none aside"
            )

    def _go_on(self, X, targets, weights):
        """Every row once, from where the learners are."""
        options, first = online_options(self), not hasattr(self, "coef_")
        learners = self._begin(options, X.shape[1], len(targets)) if first else self._resumed(options, X.shape[1])
        if first:
            self.trace_ = []
        number = len(self.trace_)
        begun = [learner.point() for learner in learners]
        loss = self._pass(learners, array_or_parts(X), targets, weights, self._seed(), number)
        self._learned(begun if loss is None else [learner.point() for learner in learners])
        if loss is not None:
            size = len(targets) * (len(targets[0]) if weights is None else weights.sum())
            self._noted(number, loss / max(size, 1e-300), options.rate)
        self.n_iter_ = 1
        return self

    # scores

    def _scores(self, X):
        """A column per target, with the same bits in every batch and layout."""
        if isinstance(X, CodedRows):
            X = X.rows
        elif self._reads_frames(X):
            X = check_array(self._coded(X), accept_sparse="csr", estimator=self)
        else:
            X = validate_data(self, X, accept_sparse="csr", dtype=(np.float64, np.float32), reset=False)
        return products(X, self)
