"""What every estimator does alike: checks as scikit-learn's users know them, fit, certificate, prediction, file, pickle.

A family adds a class with its scikit-learn signature, the model's word, its row in ``_parameters.TABLE`` and
``_params()``; all else is here, and in ``_classifier.py`` for classes.
"""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score
from sklearn.utils.validation import _check_sample_weight, check_array, check_consistent_length, check_is_fitted, validate_data

from . import _core, _parameters
from ._attributes import as_wide_as, at_attributes, copies_of, keeps_what_was_learned
from ._callbacks import CallbackSupportMixin, as_task, reporting
from ._certificate import Certificate
from ._checks import CHECKS, FLOAT32, FLOAT64, finite_entries, is_plain, reworded
from ._errors import DataError, UsageError
from ._html import model_html, objective_line
from ._input import (arranged, array_or_parts, checked_offset, frame_columns, free_name, is_sparse, less_offset, place_of_text, plain_names, table_of,
                     training_columns, with_offset)
from ._joined import solved
from ._progress import reporter
from ._saved import Saved
from ._summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from numpy.typing import ArrayLike


class CertifiedEstimator(Saved, CallbackSupportMixin, BaseEstimator):
    """Base of all estimators. ``_word`` is the model's word in the library."""

    coef_: np.ndarray
    intercept_: float | np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    n_iter_: int | np.ndarray | list[int]
    rank_: int
    singular_: np.ndarray
    objective_: str
    trace_: list[_core.Step]

    _word = ""
    _labels = None  # what a classifier learned of its classes
    _offset = None  # of the rows, while they are fitted
    _task = None  # of scikit-learn's callbacks, while the fit runs
    _keeps_passes = False  # where Ctrl-C comes between passes
    _keeps_float32 = True  # coefficients and predictions of float32 rows are float32, as scikit-learn's
    _dtype = FLOAT64  # of the rows, while they are fitted
    _deadline = None  # of a fit under way
    _one_column_is_flat = False  # a target of one column: predictions of one dimension, as scikit-learn's Ridge has them

    def _params(self):
        """The library's parameters of this model. A penalty may be an array, one number a target."""
        return {}

    @classmethod
    def _table_name(cls):
        """Under which name its parameters stand in the table; a user's class is what it derives from."""
        return next(base.__name__ for base in cls.__mro__ if base.__name__ in _parameters.TABLE)

    @classmethod
    def _words(cls):
        return _parameters.TABLE[cls._table_name()]

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
        if self.certificate_.verdict == "stopped_early":
            warnings.warn(self.certificate_.sentence, ConvergenceWarning, stacklevel=2)
        if outcome.raised is not None:
            raise outcome.raised
        return self

    @keeps_what_was_learned
    def _fitted(self, X, y, sample_weight, offset):
        """Fits, and learns from the outcome."""
        options = _parameters.fit_options(self)
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

    def _kept_dtype(self, x):
        """Of the coefficients that rows give."""
        return FLOAT32 if self._keeps_float32 and x.dtype == FLOAT32 else FLOAT64

    def _outcome(self, X, y, sample_weight, options, params, report):
        """The library's answer and the shape of y. Plain arrays go to it as they are; where it finds fault with them,
        and for all else, scikit-learn's checks come first, as they say in their words what is wrong."""
        if is_plain(X) and X.ndim == 2 and X.size and self._are_plain(y, sample_weight, len(X)):
            self.__dict__.pop("feature_names_in_", None)
            self.n_features_in_, self._dtype = X.shape[1], self._kept_dtype(X)
            fit = self._array_fit(array_or_parts(X), array_or_parts(y), sample_weight, options, report)
            try:
                return self._solved(fit, options, params, y.shape), y.shape
            except DataError:
                pass
        fit, shape = self._problem(X, y, sample_weight, options, report)
        return self._solved(fit, options, params, shape), shape

    def _solved(self, fit, options, params, shape):
        """The answer to one problem; those who choose a penalty do so here."""
        return solved(fit, options, params, shape)

    def _are_plain(self, y, sample_weight, rows):
        if not (is_plain(y) and y.dtype is FLOAT64 and 1 <= y.ndim <= 2 and len(y) == rows and y.size):
            return False
        w = sample_weight
        return w is None or (is_plain(w) and w.dtype is FLOAT64 and w.shape == (rows,) and w.flags.c_contiguous and w.flags.aligned)

    def _problem(self, X, y, sample_weight, options, report):
        """From data to a function of some of the targets that fits them, and the shape of y. ``fit.columns()`` are the names that
        the library knows the columns of X by."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        table, X, names = self._arranged(X, reset=True)
        self._dtype = FLOAT64 if table else self._kept_dtype(X)
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, y, dtype=np.float64))
        y, sample_weight, targets = self._targets(X, y, sample_weight)
        if not table:
            options.target = targets
            return self._array_fit(array_or_parts(X), y, sample_weight, options, report, names), y.shape
        read = training_columns(X, sample_weight)
        columns = read.names if isinstance(read, _core.Dataset) else [column[0] for column in read]
        data, targets, options.weights = table_of(read, y, sample_weight, targets)
        if self._offset is not None:
            options.offset = free_name("offset", {*data.names})
            with_offset(data, self._offset, options.offset)

        def fit(some=None, how=None, weights=None, word=self._word):
            options.time_limit = self._time_left()
            options.target = targets if some is None else [targets[k] for k in some]
            options.ignore = [name for name in targets if name not in options.target]
            if how is not None:
                if weights is not None:
                    raise ValueError("splits that overlap need X as an array: the rows of a frame are weighed by a column")
                return _core.path_table(word, data, options, how, report)
            part = y if some is None else y.reshape(len(y), -1)[:, some]
            return _core.fit_table(word, data, options, report, _parameters.max_iter(self, self._target_count(part)))

        fit.columns = lambda: columns
        return fit, y.shape

    def _target_count(self, y):
        """How many targets are solved for."""
        return 1 if y.ndim == 1 else y.shape[1]

    def _arranged(self, X, reset):
        """As :func:`arranged`, checked in scikit-learn's words."""
        table, x, names = arranged(X)
        if x is not X or table:
            validate_data(self, X, reset=reset, skip_check_array=True)
            return table, x if table else check_array(x, estimator=self, input_name="X", **CHECKS), names
        try:
            return False, validate_data(self, X, reset=reset, **CHECKS), names
        except ValueError as error:
            place = place_of_text(X) if "could not convert string to float" in str(error) else None
            if place is None:
                raise
            raise ValueError(f"{error}\n{place} is not a number; a column of categories becomes 0/1 features when a frame says "
                             "that it is one, or by OneHotEncoder.") from None

    def _array_fit(self, x, y, sample_weight, options, report, names=()):
        names = [str(name) for name in getattr(self, "feature_names_in_", names)]
        offset = checked_offset(self._offset, len(y))
        options.offset = "" if offset is None else free_name("offset", names)
        targets = list(options.target)

        def fit(some=None, how=None, weights=None, word=self._word):
            options.time_limit = self._time_left()
            options.target = targets if some is None or not targets else [targets[k] for k in some]
            part = y if some is None else np.ascontiguousarray(y.reshape(len(y), -1)[:, some])
            if how is not None:
                return _core.path(word, x, part, sample_weight if weights is None else weights, names, options, how, report, offset)
            limit = _parameters.max_iter(self, self._target_count(part))
            return _core.fit(word, x, part, sample_weight, names, options, report, limit, offset=offset)

        fit.columns = lambda: names or plain_names(x, self.n_features_in_)
        return fit

    def _targets(self, X, y, sample_weight):
        """Checked: numbers to be fitted, weights of rows, and names of the targets, which are empty where they have none."""
        raise NotImplementedError

    def _learned(self, model, shape):
        one_target = len(shape) == 1 or (self._one_column_is_flat and shape[1] == 1)
        self._model, self._one_target = model, one_target
        coefficients, intercepts = (numbers.astype(self._dtype, copy=False) for numbers in (model.coefficients, model.intercepts))
        self.coef_ = coefficients[0] if one_target else coefficients
        self.intercept_ = intercepts[0] if len(shape) == 1 else intercepts
        if not model.has_intercept:
            self.intercept_ = 0.0
        self.n_iter_ = model.certificate.passes
        self.rank_ = model.rank
        self.singular_ = model.singular.astype(self._dtype, copy=False)
        self.objective_ = objective_line(model)

    @property
    def _model(self):
        """What was fitted, at the coefficients that ``coef_`` and ``intercept_`` hold now."""
        state = self.__dict__
        if "_model" not in state:
            raise AttributeError(f"{type(self).__name__!r} object has no model before it is fitted")
        coef, intercept = state["coef_"], state["intercept_"]
        kept = state.get("_kept")
        if kept is None or not _core.same_bits(coef, intercept, *kept):
            state["_model"], state["_kept"] = at_attributes(state["_model"], coef, intercept), copies_of(coef, intercept)
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

    # prediction

    def _values(self, X, offset=None):
        """One number a row and target; one dimension where there is one target."""
        state = self.__dict__
        if offset is None and type(X) is np.ndarray and X.dtype is FLOAT64 and "_model" in state and "feature_names_in_" not in state:
            shape = X.shape
            if len(shape) == 2 and shape[1] == state["n_features_in_"] and shape[0]:
                try:
                    values = self._model.predict(X)
                    return values[:, 0] if state["_one_target"] else values
                except (UsageError, DataError):
                    pass  # found and worded below
        return self._checked_values(X, offset)

    def _checked_values(self, X, offset=None):
        return self._at_rows(X, self._model_or_refusal().predict, self._model.predict_table, offset)

    def _model_or_refusal(self):
        check_is_fitted(self)
        return self._model

    def _at_rows(self, X, of_array, of_table, offset=None):
        """What a function of the model gives at rows, with scikit-learn's checks; one dimension where there is one target."""
        if (offset is None) != (not self._model.offset):
            raise ValueError(f"{type(self).__name__} was fitted with an offset; give offset=, one number a row" if offset is None else
                             f"{type(self).__name__} was fitted without an offset; leave it out, or fit with one")
        threads = _parameters.threads(self.n_jobs)
        if self._model.takes_arrays:
            table, x, names = self._arranged(X, reset=False)
            table = table or (names and names != self._model.columns)  # columns of other names, or in another order
        else:
            table, x = True, validate_data(self, X, reset=False, skip_check_array=True)
        X = X if table else x
        try:
            if table:
                data = with_offset(table_of(frame_columns(X, categories=self._model.categories))[0], offset, self._model.offset)
                return self._flat(of_table(data, threads=threads))
            if is_sparse(X):
                finite_entries(X, self)
            given = {} if offset is None else {"offset": checked_offset(offset, X.shape[0])}
            return self._flat(as_wide_as(of_array(array_or_parts(X), threads=threads, **given), X, self))
        except DataError as error:
            raise reworded(error, self) from None

    def _flat(self, values):
        if isinstance(values, tuple):
            return tuple(map(self._flat, values))
        return values[:, 0] if self._one_target else values

    def fast_predictor(self) -> Callable[[np.ndarray], float | np.ndarray]:
        """A callable for serving, checked once: a row of numbers in, a number out; or rows in, a column a target out.

        It keeps its own copy of the model, knows nothing of names, and takes float64 or float32 arrays only.

        >>> import numpy as np
        >>> from recta.linear_model import LinearRegression
        >>> predict = LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0]).fast_predictor()
        >>> round(predict(np.array([10.0])), 9)
        21.0
        """
        check_is_fitted(self)
        return self._model.fast_predictor()

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
        return model_html(self._model, repr(self)) + plain


class CertifiedRegressor(MultiOutputMixin, RegressorMixin, CertifiedEstimator):
    """Base of all regressors."""

    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """Predicts one number a row, or one column a target.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        offset : array-like of shape (n_samples,), default=None
            Of these rows, where the fit had one.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        return self._values(X, offset)

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None) -> float:
        """R squared, as in scikit-learn: 1 is the best, and the mean of y has 0. With an offset y is the target less it, as in
        ``recta eval``.
        """
        if offset is None:
            return super().score(X, y, sample_weight)
        return r2_score(less_offset(y, offset), less_offset(self.predict(X, offset), offset), sample_weight=sample_weight)

    def _targets(self, X, y, sample_weight):
        y = check_array(y, ensure_2d=False, ensure_all_finite=False, input_name="y", estimator=self)
        check_consistent_length(X, y)
        y = y if y.dtype == FLOAT64 else y.astype(FLOAT64)
        good = np.isfinite(y)
        if not good.all():
            place = np.unravel_index(int(np.argmin(good)), y.shape)
            found = "NaN" if np.isnan(y[place]) else "infinity or a value too large for dtype('float64')"
            target = f", target {place[1] + 1}" if y.ndim == 2 else ""
            raise ValueError(f"Input y contains {found}.\nrow {place[0] + 1}{target}: the value is {y[place]}.")
        return array_or_parts(y), sample_weight, []
