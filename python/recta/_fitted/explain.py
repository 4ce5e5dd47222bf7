"""Why a model gives the answer it does for one row."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from recta import _core
from recta._base.page import Page
from recta._data.input import array_or_parts, frame_columns, table_of


class Explanation(Page):
    """What ``explain`` gives: prints as a table, and has its numbers.

    Attributes
    ----------
    columns : list of str
    rows : list of lists
        What each feature adds to the scores, the largest first, between the intercept or prior and the sum; of nearest
        neighbours, the training rows that voted, counted from 1.
    remarks : list of str
    """

    def __init__(self, document):
        self._core, report = document, document.data
        (table,) = report["tables"].values()
        self.title, self.columns, self.rows, self.remarks = (
            table["title"],
            table["columns"],
            table["rows"],
            report["remarks"],
        )

    def _document(self):
        return self._core


class Explains:
    """Explains single rows."""

    def _explained(self, X, row):
        X = self._checked(X, reset=False)
        return _core.explain(self._model, array_or_parts(X), row)

    def explain(self, X: Any, row: int = 0) -> Explanation:
        """What each feature adds to the scores of one row, or which training rows decided.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        row : int, default=0
            Which row of X, counted from 0.

        Returns
        -------
        explanation : Explanation
        """
        check_is_fitted(self)
        if self._model is None:
            raise AttributeError(f"{type(self).__name__!r} object explains no row after partial_fit; fit it instead")
        return Explanation(self._explained(X, int(row)))


class ExplainsTables(Explains):
    """The same for estimators that also take tables with columns of text."""

    def _explained(self, X, row):
        table, x, names = True, X, None
        if self._model.takes_arrays:
            table, x, names = self._arranged(X, reset=False)
            table = table or (names and names != self._model.columns)
        if table:
            return _core.explain_table(
                self._model, table_of(frame_columns(X, categories=self._model.categories))[0], row
            )
        return _core.explain(self._model, array_or_parts(x), row)
