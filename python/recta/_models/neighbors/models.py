"""What classifiers and regressors by neighbours share: a model that holds its rows, votes and means."""

from __future__ import annotations

import os
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import validate_data

from recta import _core
from recta._base.checks import reworded
from recta._base.declared import declared, learned, left_out, parameter
from recta._base.errors import DataError
from recta._base.scikit_learn import BaseEstimator
from recta._data.full_rows import blocks, check_size, full_rows
from recta._data.input import frame_columns, table_of
from recta._estimator import parameters
from recta._estimator.shared import THREADS

from .distance_graph import check_neighbors, check_square, checked_graph, is_graph, kept_in_full, lists, written_out
from .listed_votes import ListedVotes
from .search import (
    INDEXES,
    METRICS,
    NeighborLists,
    count,
    distances,
    function_of,
    graph_params_of,
    joined,
    pairwise_tags,
    search_params,
)


@declared
class RememberedRows(ListedVotes, NeighborLists):
    """What classifiers and regressors by neighbours share: a model that holds its rows, without coefficients."""

    weights: Any = parameter(
        default="uniform",
        word="vote",
        type="{'uniform', 'distance'} or callable",
        doc="All neighbours count alike, or by 1 / distance; at distance 0 those rows alone. A function is given "
        "the distances, nearest first, and gives as many weights, as in scikit-learn; it takes rows of equal "
        "weight and cannot be saved as a file.",
    )
    algorithm: str = parameter(
        default="auto",
        word="index",
        type="{'auto', 'ball_tree', 'kd_tree', 'brute'}",
        doc="How neighbours are found; all find the same.",
    )
    leaf_size: int = parameter(default=30, free="the answer does not depend on it")
    p: float = parameter(default=2, low=1.0, word="power", doc="Power of 'minkowski', from 1 up.")
    metric: Any = parameter(
        default="minkowski",
        word="metric",
        type="str",
        doc="'euclidean', 'sqeuclidean', 'manhattan', 'chebyshev', 'minkowski', 'cosine', 'hamming', 'jaccard', "
        "'canberra', 'braycurtis', 'haversine', 'mahalanobis' (in units of the covariance of the training "
        "rows), 'gower' or 'precomputed' (X holds distances), or a function of two rows, by which all rows "
        "are compared; a saved model of a function reads distances, as 'precomputed' does.",
    )
    metric_params: Any = parameter(
        default=None,
        word="feature-weights",
        type="dict",
        doc="``{'w': weights}``: of the features, in the distance. Of 'mahalanobis' ``{'V': covariance}`` or its "
        "inverse ``{'VI': inverse}``. For a function: its further arguments.",
    )
    n_jobs: int | None = THREADS
    unseen: str = parameter(default="refuse", doc="What a category that training did not know does at prediction.")

    # What a fit by minimising has, and this one does not need.
    fit_intercept, tolerance, time_limit, verbose, confidence, weights_are = True, 1e-10, None, 0, 0.95, "precision"
    feature_map: Any = left_out()
    coef_: Any = left_out()
    intercept_: Any = left_out()
    rank_: Any = left_out()
    singular_: Any = left_out()

    _keeps_float32 = False

    @property
    def _model(self):
        state = self.__dict__
        if "_model" not in state:
            raise AttributeError(f"{type(self).__name__!r} object has no model before it is fitted")
        return state["_model"]

    @_model.setter
    def _model(self, model):
        self.__dict__["_model"] = model

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Remembers the rows, builds the index and checks it.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), or (n_samples, n_targets) for numbers
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight 2 is the row twice, and takes two of the places of ``n_neighbors``; a row of weight 0 is absent.

        Returns
        -------
        self
        """
        self._function_rows = self._ties = None
        self._fit_rows(X, y, sample_weight)
        alike = sample_weight is None and getattr(self, "class_weight", None) is None
        self._remembered_y = self._targets_of(y) if alike else None
        return self

    def _fit_rows(self, X, y, sample_weight):
        if function_of(self) is not None:
            return self._fit_distances(X, y, sample_weight)
        if is_graph(self, X):
            return self._fit_graph(X, y, sample_weight)
        check_size(X, type(self).__name__)
        super().fit(X, y, sample_weight)
        self._fit_X = None
        if self._model.takes_arrays:
            rows = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
            self._fit_X = rows if sample_weight is None else rows[np.asarray(sample_weight, dtype=np.float64) > 0]
        return self

    def _fit_graph(self, X, y, sample_weight):
        """Given distances of some rows only."""
        graph = checked_graph(X)
        check_square(graph)
        most = self.choose_k if getattr(self, "choose_k", None) is not None else 0
        check_neighbors(graph, most, own_rows=True)
        super().fit(kept_in_full(graph, type(self).__name__), y, sample_weight)
        present = slice(None) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64) > 0
        self._fit_X = graph[present]
        self._ties = np.unique(np.asarray(y).reshape(graph.shape[0], -1), axis=0, return_inverse=True)[1].ravel()
        return self

    def _fit_distances(self, X, y, sample_weight):
        """Distances by the user's function, and a model of them."""
        names = getattr(X, "columns", None)
        rows = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=1)
        width, features = self.n_features_in_, getattr(self, "feature_names_in_", None)
        if sample_weight is not None:  # rows of weight zero are absent, and no column is theirs
            present = np.asarray(sample_weight, dtype=np.float64) > 0
            rows, y, sample_weight = rows[present], np.asarray(y)[present], np.asarray(sample_weight)[present]
        between = distances(function_of(self), rows, rows)
        super().fit(between, y, sample_weight)
        self._function_rows, self._fit_X, self.n_features_in_ = rows, between, width
        self.effective_metric_ = self.metric
        if names is not None and features is not None:
            self.feature_names_in_ = features
        return self

    def __sklearn_tags__(self):
        return pairwise_tags(self, super().__sklearn_tags__())

    def _learned(self, model, shape):
        self._take_classes(model)
        self._model, self._one_target = model, len(shape) == 1
        self.n_samples_fit_ = model.rows
        self.effective_metric_ = model.params["metric"]
        self.objective_ = model.objective_with_strengths

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a .recta file, which the command line reads; not what is counted by a function or an outlier label of one's own."""
        if self._counts_lists(()):
            raise ValueError(
                f"{type(self).__name__}: a .recta file holds no function of weights and no label of outliers; pickle the estimator."
            )
        super().save(path)

    def _html_repr(self):
        return BaseEstimator._html_repr(self)

    def summary(self):
        """Refused: there are no coefficients to list."""
        raise AttributeError(
            f"{type(self).__name__} has no coefficients; certificate_ and kneighbors say what it rests on"
        )

    def _at_rows(self, X, of_array, of_table, offset=None):
        try:
            if not self._model.takes_arrays:
                validate_data(self, X, reset=False, skip_check_array=True)
                table = table_of(frame_columns(X, categories=self._model.categories))[0]
                return self._flat(of_table(table, threads=parameters.threads(self.n_jobs)))
            threads = parameters.threads(self.n_jobs)
            parts = [of_array(part, threads=threads) for part in self._full_parts(X)]
            return self._flat(parts[0] if len(parts) == 1 else np.concatenate(parts))
        except DataError as error:
            raise reworded(error, self) from None

    def _rows_asked(self, X):
        if is_graph(self, X):
            X = checked_graph(X)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)

    def _full_parts(self, X):
        """Full rows as the model reads them, a part after the other."""
        rows, known = self._rows_asked(X), getattr(self, "_function_rows", None)
        if known is not None:
            return [distances(function_of(self), part, known) for part in blocks(rows)]
        if not is_graph(self, rows):
            return blocks(rows)
        self._check_graph(rows)
        return blocks(rows, written_out)

    def _check_graph(self, graph):
        """Refuses a graph of too few neighbours."""

    def _lists(self, X, k, radius):
        threads = parameters.threads(self.n_jobs)
        if X is None and self._fit_X is None:
            raise ValueError(f"{type(self).__name__} was fitted to a frame with categories; give the rows again as X")
        if is_graph(self, self._fit_X if X is None else X):
            return lists(
                self._fit_X if X is None else self._rows_asked(X), k, radius, X is None, getattr(self, "_ties", None)
            )
        if X is None:
            return _core.nearest_rows(
                self._model, full_rows(self._fit_X, type(self).__name__), k, radius, True, threads
            )
        if self._model.takes_arrays:
            return joined(
                _core.nearest_rows(self._model, part, k, radius, False, threads) for part in self._full_parts(X)
            )
        return _core.nearest_rows_table(
            self._model, table_of(frame_columns(X, categories=self._model.categories))[0], k, radius, threads
        )

    def _params(self):
        search = search_params(self) if function_of(self) is None else {"metric": "precomputed", "index": "auto"}
        plain = self.weights is None or callable(self.weights)
        return (
            search
            | {
                "vote": "uniform"
                if plain
                else parameters.choice(self, "weights", {"uniform": "uniform", "distance": "distance"})
            }
            | self._reach()
        )

    @classmethod
    def _params_of(cls, model):
        metric = model.params["metric"]
        named = (
            {"metric": "minkowski", "p": model.params["power"]}
            if metric == "minkowski"
            else {"metric": next(name for name, word in METRICS.items() if word == metric)}
        )
        own = {"unseen": "zeros"} if model.unseen == "zeros" else {}
        if "covariance" in model.params:
            numbers = np.array([float(one) for one in model.params["covariance"].split("/")])
            own["metric_params"] = {"V": numbers.reshape(round(len(numbers) ** 0.5), -1)}
        if "feature-weights" in model.params:
            own["metric_params"] = {"w": [float(one) for one in model.params["feature-weights"].split("/")]}
        return own | named | {"weights": model.params["vote"]} | cls._index_of(model) | cls._reach_of(model)

    @classmethod
    def _index_of(cls, model):
        algorithm = next(name for name, word in INDEXES.items() if word == model.params["index"])
        return {"algorithm": algorithm} | ({"index_params": graph_params_of(model)} if algorithm == "hnsw" else {})


@declared
class ByCount(RememberedRows):
    """The k nearest."""

    choose_k: int | None = parameter(
        default=None,
        word="choose-k",
        doc="Takes the k up to this one with the least leave-one-out error, the smallest of several; all are "
        "measured in one search.",
    )
    index_params: dict[str, int] | None = parameter(
        default=None,
        type="dict",
        doc="For ``algorithm='hnsw'``: ``links`` (16) of a row per layer, ``ef_construction`` (200) and "
        "``ef_search`` (64), the rows kept while the graph is built and while a query walks, and the ``seed`` "
        "(0).",
    )

    n_neighbors_: int = learned()
    errors_by_k_: dict[str, np.ndarray] | None = learned()

    def _reach(self):
        if self.choose_k is not None:
            return {"choose-k": float(count(self, "choose_k", self.choose_k))}
        return {"k": float(count(self, "n_neighbors", self.n_neighbors))}

    def _check_graph(self, graph):
        check_neighbors(graph, self.n_neighbors_)

    @classmethod
    def _reach_of(cls, model):
        most = int(model.params["choose-k"])
        return {"n_neighbors": int(model.params["k"]), "choose_k": most if most > 0 else None}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.n_neighbors_ = int(model.params["k"])
        self.errors_by_k_ = None
        table = model.report["tables"].get("errors_by_k")
        if table is not None:
            _, left_out, training = zip(*table["rows"], strict=True)
            self.errors_by_k_ = {"left_out": np.array(left_out), "training": np.array(training)}

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        try:
            return super().fit(X, y, sample_weight)
        except DataError as error:
            if "places" not in error.what:
                raise
            n = np.shape(X)[0]
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {self.n_neighbors}, n_samples_fit = {n}, n_samples = {n}: "
                f"{error.what}"
            ) from None

    fit.__doc__ = RememberedRows.fit.__doc__


class ByRadius(RememberedRows):
    """All within a radius."""

    def _reach(self):
        return {"radius": parameters.number(self, "radius"), "outside": self._outside()}

    @classmethod
    def _reach_of(cls, model):
        return {"radius": model.params["radius"]}
