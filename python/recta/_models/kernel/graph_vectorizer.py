"""Graphs as rows of counts, for linear models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize
from sklearn.utils.validation import check_is_fitted

from recta import _core
from recta._base.declared import estimator, parameter
from recta._base.scikit_learn import BaseEstimator, TransformerMixin

from .text_kernels import graph_text

_KINDS = ("wl", "shortest-path")


@estimator("recta.feature_extraction.graph")
class GraphVectorizer(TransformerMixin, BaseEstimator):
    """Graphs as counts of features whose inner products are the kernels of graphs (docs: kernel_models.md), for linear models.

    Graphs are texts, ``"a-b;b-c;a:C"``, the ``pathlib.Path`` of files of edges, or NetworkX graphs.

    Attributes
    ----------
    vocabulary_ : dict
        The column of every feature.

    Examples
    --------
    >>> from recta.feature_extraction.graph import GraphVectorizer
    >>> counts = GraphVectorizer(rounds=1)
    >>> counts.fit_transform(["a-b;b-c;c-a", "x-y;y-z"]).toarray().tolist()
    [[3.0, 0.0, 3.0], [3.0, 2.0, 1.0]]
    >>> counts.get_feature_names_out().tolist()
    ['0:', '1:(,)', '1:(,,)']
    """

    kind: str = parameter(
        default="wl",
        kw_only=False,
        type="{'wl', 'shortest-path'}",
        doc="Labels of nodes after every round of Weisfeiler and Lehman, or pairs of labels with the steps "
        "between them.",
    )
    rounds: int = parameter(default=3, doc="Of 'wl', rounds of relabelling.")
    label: str = parameter(default="label", doc="The attribute that labels the nodes of NetworkX graphs.")
    normalise: bool = parameter(default=False, doc="Divide each row by its length, as the kernels do.")

    def _options(self):
        if self.kind not in _KINDS:
            raise ValueError(
                f"The 'kind' parameter of GraphVectorizer must be one of {', '.join(map(repr, _KINDS))}. Got {self.kind!r} instead."
            )
        return _core.TextOptions("graph-" + self.kind, 1, 1, 1, False, [], int(self.rounds))

    def _texts(self, X):
        return [graph_text(graph, self.label) for graph in X]

    def _rows(self, rows):
        start, term, value = rows
        X = sparse.csr_array((value, term, start), shape=(len(start) - 1, len(self.vocabulary_)))
        return normalize(X) if self.normalise else X

    def fit(self, X: Iterable[Any], y: Any = None) -> Self:
        """Learns the features that the graphs have."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Iterable[Any], y: Any = None) -> sparse.csr_array:
        """The graphs as rows of counts, sparse."""
        terms, rows = _core.learn_terms(self._texts(X), self._options())
        self.vocabulary_ = {term: place for place, term in enumerate(terms)}
        return self._rows(rows)

    def transform(self, X: Iterable[Any]) -> sparse.csr_array:
        """Other graphs as rows of counts; features that no graph of ``fit`` has are left out."""
        check_is_fitted(self)
        return self._rows(_core.count_terms(self._texts(X), self._options(), list(self.vocabulary_)))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The features, by column."""
        check_is_fitted(self)
        return np.array(list(self.vocabulary_), dtype=object)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags
