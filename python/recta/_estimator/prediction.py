"""What a fitted estimator gives at rows: plain arrays go to the model as they are, all else by scikit-learn's checks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from recta._base.checks import FLOAT64, finite_entries, reworded
from recta._base.errors import DataError, UsageError
from recta._data.input import array_or_parts, checked_offset, frame_columns, is_sparse, table_of, with_offset

from . import parameters
from .attributes import as_wide_as


class Predictions:
    """Values of the model at rows."""

    def _values(self, X, offset=None):
        """One number per row and target; one dimension where there is one target."""
        state = self.__dict__
        if (
            offset is None
            and type(X) is np.ndarray
            and X.dtype is FLOAT64
            and "_model" in state
            and "feature_names_in_" not in state
        ):
            shape = X.shape
            if len(shape) == 2 and shape[1] == state.get("n_features_in_") and shape[0]:
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
            raise ValueError(
                f"{type(self).__name__} was fitted with an offset; give offset=, one number per row"
                if offset is None
                else f"{type(self).__name__} was fitted without an offset; leave it out, or fit with one"
            )
        threads = parameters.threads(self.n_jobs)
        if self._model.takes_arrays:
            table, x, names = self._arranged(X, reset=False)
            table = table or (names and names != self._model.columns)  # columns of other names, or in another order
        else:
            table, x = True, validate_data(self, X, reset=False, skip_check_array=True)
        X = X if table else x
        try:
            if table:
                data = with_offset(
                    table_of(frame_columns(X, categories=self._model.categories))[0], offset, self._model.offset
                )
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
        """A callable for serving, checked once: a row of numbers in, a number out; or rows in, a column per target out.

        It keeps its own copy of the model, knows nothing of names, and takes float64 or float32 arrays only.

        >>> import numpy as np
        >>> from recta.linear_model import LinearRegression
        >>> predict = LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0]).fast_predictor()
        >>> round(predict(np.array([10.0])), 9)
        21.0
        """
        check_is_fitted(self)
        return self._model.fast_predictor()
