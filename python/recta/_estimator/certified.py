"""What every estimator does alike: checks as scikit-learn's users know them, fit, certificate, prediction, file, pickle.

A family adds a class with its parameters, the model's word and ``_params()``; all else is here, in ``_estimator/problem.py`` (from data to a problem), in ``_estimator/prediction.py``, and in
``_estimator/regressor.py`` or ``_estimator/classifier.py``.
"""

from __future__ import annotations

import time
import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from recta import _core
from recta._base.callbacks import CallbackSupportMixin, as_task, reporting
from recta._base.checks import reworded
from recta._base.errors import DataError
from recta._base.progress import reporter
from recta._base.scikit_learn import BaseEstimator
from recta._base.words import in_python
from recta._fitted.certificate import UNFINISHED, Certificate
from recta._fitted.explain import ExplainsTables
from recta._fitted.summary import Summary

from . import parameters
from .attributes import at_attributes, copies_of, keeps_what_was_learned
from .joined import solved
from .prediction import Predictions
from .problem import Problems
from .saved import Saved
from .shared import Proved


class CertifiedEstimator(Proved, Problems, Predictions, ExplainsTables, Saved, CallbackSupportMixin, BaseEstimator):
    """Base of all estimators. ``_word`` is the model's word in the library.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        One per feature; categories have one per level.
    intercept_ : float or ndarray of shape (n_targets,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where X has names that are all strings.
    n_iter_ : int, ndarray or list
        Passes over the rows, the proof included, in the shape that scikit-learn's class has.
    rank_ : int
        Of the centred columns.
    singular_ : ndarray
        Singular values of the centred columns, rows weighted; empty where the solver has none.
    objective_ : str
        What was minimised, in Recta's words.
    certificate_ : recta.Certificate
        The proof: ``verdict``, ``gap``, ``sentence``, ``verify(X, y)``.
    trace_ : list
        The course of the fit in time.
    """

    coef_: np.ndarray
    intercept_: float | np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    n_iter_: int | np.ndarray | list[int]
    rank_: int
    singular_: np.ndarray
    objective_: str
    trace_: list[_core.Step]

    _labels: Any = None  # what a classifier learned of its classes
    _task = None  # of scikit-learn's callbacks, while the fit runs
    _keeps_passes = False  # where Ctrl-C comes between passes
    _deadline = None  # of a fit under way
    _one_column_is_flat = (
        False  # a target of one column: predictions of one dimension, as scikit-learn's Ridge has them
    )

    def _params(self):
        """The library's parameters of this model. A penalty may be an array, one number per target."""
        return {}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # fit

    @as_task
    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None) -> Self:
        """Fits the model and proves the answer.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            float64, float32, CSR and CSC are read where they lie. Columns of categories become 0/1 features.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent.
        offset : array-like of shape (n_samples,), default=None
            A part of ``X w + b`` with factor 1: the logarithm of the exposure of counts, say.

        Returns
        -------
        self

        Notes
        -----
        Ctrl-C raises KeyboardInterrupt. Where there is an answer by then the estimator is fitted with it, and
        ``certificate_`` says how far from the optimum it is.
        """
        outcome = self._fitted(X, y, sample_weight, offset)
        if self.certificate_.verdict in UNFINISHED:
            warnings.warn(self.certificate_.sentence, ConvergenceWarning, stacklevel=2)
        if outcome.raised is not None:
            raise outcome.raised
        return self

    @keeps_what_was_learned
    def _fitted(self, X, y, sample_weight, offset):
        """Fits, and learns from the outcome."""
        options = parameters.fit_options(self)
        params = self._params()
        report = reporter(self.verbose)
        self._offset = offset
        self._deadline = time.monotonic() + options.time_limit if options.time_limit else None
        try:
            outcome, shape = self._outcome(X, y, sample_weight, options, params, reporting(self, report))
            self._learned(outcome.model, shape)
        except DataError as error:
            raise reworded(error, self) from None
        finally:
            for of_this_fit in ("_offset", "_dtype", "_deadline"):
                self.__dict__.pop(of_this_fit, None)
            if hasattr(report, "close") and not callable(self.verbose):
                report.close()
        self.trace_ = outcome.trace
        return outcome

    def _time_left(self):
        """Seconds that the fit under way may still take; 0: as many as it needs."""
        return 0.0 if self._deadline is None else max(self._deadline - time.monotonic(), 1e-9)

    def _solved(self, fit, options, params, shape):
        """The answer to one problem; those who choose a penalty do so here."""
        return solved(fit, options, params, shape)

    def _learned(self, model, shape):
        one_target = len(shape) == 1 or (self._one_column_is_flat and shape[1] == 1)
        self._model, self._one_target = model, one_target
        coefficients, intercepts = (
            numbers.astype(self._dtype, copy=False) for numbers in (model.coefficients, model.intercepts)
        )
        self.coef_ = coefficients[0] if one_target else coefficients
        self.intercept_ = intercepts[0] if len(shape) == 1 else intercepts
        if not model.has_intercept:
            self.intercept_ = 0.0
        self.n_iter_ = model.certificate.passes
        self.rank_ = model.rank
        self.singular_ = model.singular.astype(self._dtype, copy=False)
        self.objective_ = model.objective_with_strengths

    @property
    def _model(self):
        """What was fitted, at the coefficients that ``coef_`` and ``intercept_`` hold now."""
        state = self.__dict__
        if "_model" not in state:
            raise AttributeError(f"{type(self).__name__!r} object has no model before it is fitted")
        coef, intercept = state["coef_"], state["intercept_"]
        kept = state.get("_kept")
        if kept is None or not _core.same_bits(coef, intercept, *kept):
            state["_model"], state["_kept"] = (
                at_attributes(state["_model"], coef, intercept),
                copies_of(coef, intercept),
            )
        return state["_model"]

    @_model.setter
    def _model(self, model):
        self.__dict__["_model"] = model
        self.__dict__.pop("_kept", None)

    def __getstate__(self):
        return {key: value for key, value in super().__getstate__().items() if key != "_kept"}

    @property
    def certificate_(self) -> Certificate:
        """The proof of the answer; of coefficients that were changed by hand there is none, and ``stop`` says so."""
        model = self._model
        return Certificate(model.certificate, model, self._labels)

    # what was learned

    def summary(self) -> Summary:
        """Coefficients with standard errors, t, p and intervals, and how well they fit; prints as a table.

        >>> from recta.linear_model import LinearRegression
        >>> summary = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.1, 4.9, 7.0]).summary()
        >>> [(name, round(value, 6), round(error, 6)) for name, value, error, *_ in summary.rows()]
        [('intercept', 1.03, 0.079373), ('x1', 1.98, 0.042426)]
        """
        check_is_fitted(self)
        return Summary(self._model)

    def _html_repr(self):
        plain = super()._html_repr()
        if "_model" not in self.__dict__:
            return plain
        return in_python(self._model.document(repr(self)).html()) + plain
