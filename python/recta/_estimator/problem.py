"""From the data that fit was given to a problem of the library: plain arrays as they are, all else by scikit-learn's checks."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_array, validate_data

from recta import _core
from recta._base.checks import CHECKS, FLOAT32, FLOAT64, is_plain
from recta._base.errors import DataError
from recta._data.input import (
    arranged,
    array_or_parts,
    checked_offset,
    free_name,
    place_of_text,
    plain_names,
    table_of,
    training_columns,
    with_offset,
)

from . import parameters


class Problems:
    """What an estimator needs to make a problem of data. A family says in ``_targets`` what is fitted."""

    _word = ""
    _offset = None  # of the rows, while they are fitted
    _keeps_float32 = True  # coefficients and predictions of float32 rows are float32, as scikit-learn's
    _dtype = FLOAT64  # of the rows, while they are fitted

    def _targets(self, X, y, sample_weight):
        """Checked: numbers to be fitted, weights of rows, and names of the targets, which are empty where they have none."""
        raise NotImplementedError

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

    def _are_plain(self, y, sample_weight, rows):
        if not (is_plain(y) and y.dtype is FLOAT64 and 1 <= y.ndim <= 2 and len(y) == rows and y.size):
            return False
        w = sample_weight
        return w is None or (
            is_plain(w) and w.dtype is FLOAT64 and w.shape == (rows,) and w.flags.c_contiguous and w.flags.aligned
        )

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
                    raise ValueError(
                        "splits that overlap need X as an array: the rows of a frame are weighed by a column"
                    )
                return _core.path_table(word, data, options, how, report)
            part = y if some is None else y.reshape(len(y), -1)[:, some]
            return _core.fit_table(word, data, options, report, parameters.max_iter(self, self._target_count(part)))

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
            raise ValueError(
                f"{error}\n{place} is not a number; a column of categories becomes 0/1 features when a frame says "
                "that it is one, or by OneHotEncoder."
            ) from None

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
                return _core.path(
                    word, x, part, sample_weight if weights is None else weights, names, options, how, report, offset
                )
            limit = parameters.max_iter(self, self._target_count(part))
            return _core.fit(word, x, part, sample_weight, names, options, report, limit, offset=offset)

        fit.columns = lambda: names or plain_names(x, self.n_features_in_)
        return fit
