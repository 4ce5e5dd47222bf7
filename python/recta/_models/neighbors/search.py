"""How neighbours are asked for and listed: metrics, indexes, and the lists of each row."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from recta._estimator import parameters

METRICS = {
    "minkowski": "minkowski",
    "euclidean": "euclidean",
    "l2": "euclidean",
    "sqeuclidean": "squared-euclidean",
    "manhattan": "manhattan",
    "l1": "manhattan",
    "cityblock": "manhattan",
    "chebyshev": "chebyshev",
    "infinity": "chebyshev",
    "cosine": "cosine",
    "hamming": "hamming",
    "jaccard": "jaccard",
    "canberra": "canberra",
    "braycurtis": "bray-curtis",
    "haversine": "haversine",
    "mahalanobis": "mahalanobis",
    "gower": "gower",
    "precomputed": "precomputed",
}
INDEXES = {"auto": "auto", "brute": "brute", "kd_tree": "kd-tree", "ball_tree": "ball-tree", "hnsw": "hnsw"}
BOXES = (
    "euclidean",
    "squared-euclidean",
    "manhattan",
    "chebyshev",
    "minkowski",
    "cosine",
    "mahalanobis",
)  # metrics of a kd-tree
NO_TRIANGLE = ("bray-curtis", "gower", "precomputed")
WEIGHED = (
    "euclidean",
    "squared-euclidean",
    "manhattan",
    "chebyshev",
    "minkowski",
    "cosine",
    "hamming",
    "canberra",
    "gower",
)
GRAPH = ("links", "ef_construction", "ef_search", "seed")
GRAPH_DOC = """index_params : dict, default=None
        For ``algorithm='hnsw'``: ``links`` (16) of a row per layer, ``ef_construction`` (200) and ``ef_search`` (64), the rows kept while the
        graph is built and while a query walks, and the ``seed`` (0)."""


def _metric(estimator):
    """Recta's word and the power of the metric; Minkowski distances that have a name are called by it."""
    word = parameters.choice(estimator, "metric", METRICS)
    if word != "minkowski":
        return word, 2.0
    if estimator.p == np.inf:
        return "chebyshev", 2.0
    power = parameters.number(estimator, "p")
    return {1.0: "manhattan", 2.0: "euclidean"}.get(power, "minkowski"), power


def search_params(estimator):
    metric, power = _metric(estimator)
    index = parameters.choice(estimator, "algorithm", INDEXES)
    refused = f"{type(estimator).__name__}(algorithm={estimator.algorithm!r}): "
    if index == "kd-tree" and metric not in BOXES:
        raise ValueError(
            refused
            + f"no box of a kd-tree bounds the metric {estimator.metric!r} from below; algorithm='auto' takes an index that can."
        )
    if index == "ball-tree" and metric in NO_TRIANGLE:
        raise ValueError(
            refused
            + f"the metric {estimator.metric!r} breaks the triangle inequality, on which a ball tree rests; algorithm='auto' "
            "compares all rows."
        )
    own = {"power": power} if metric == "minkowski" else {}
    return {"metric": metric, "index": index} | own | metric_numbers(estimator, metric) | graph_params(estimator, index)


def metric_numbers(estimator, metric):
    """``metric_params``, the weights of features or a covariance, as Recta's parameters."""
    given = estimator.metric_params
    if given is None or given == {}:
        return {}
    refused = f"{type(estimator).__name__}(metric_params={given!r}): "
    if metric == "mahalanobis" and isinstance(given, dict) and set(given) in ({"V"}, {"VI"}):
        return {"covariance": _covariance(given, refused)}
    if not isinstance(given, dict) or set(given) != {"w"}:
        raise ValueError(
            refused
            + "a dict with the weights of the features, {'w': weights}, or of 'mahalanobis' with the covariance, {'V': "
            "covariance}, or its inverse, {'VI': inverse}; p= is the power of 'minkowski'."
        )
    if metric not in WEIGHED:
        raise ValueError(refused + f"the metric {estimator.metric!r} has no weights of features.")
    weights = np.asarray(given["w"], dtype=np.float64)
    if weights.ndim != 1 or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError(refused + "one number from zero up per feature.")
    return {"feature-weights": _listed(weights)}


def _listed(numbers):
    return "/".join(map(repr, numbers.ravel().tolist()))


def _covariance(given, refused):
    ((name, matrix),) = given.items()
    matrix = np.asarray(matrix, dtype=np.float64)
    if (
        matrix.ndim != 2
        or matrix.shape[0] != matrix.shape[1]
        or not np.isfinite(matrix).all()
        or not np.allclose(matrix, matrix.T)
    ):
        raise ValueError(
            refused + f"{name} must be a symmetric matrix of finite numbers, a row and a column per feature."
        )
    if name == "VI":
        try:
            matrix = np.linalg.inv(matrix)
        except np.linalg.LinAlgError:
            raise ValueError(refused + "VI has no inverse, so that it is the inverse of no covariance.") from None
    return _listed((matrix + matrix.T) / 2)


def function_of(estimator):
    """The user's distance of two rows with its ``metric_params``; None where the metric has a name."""
    if not callable(estimator.metric):
        return None
    if (
        parameters.choice(estimator, "algorithm", INDEXES) not in ("auto", "brute")
        or getattr(estimator, "index_params", None) is not None
    ):
        raise ValueError(
            f"{type(estimator).__name__}(metric=function): nothing is known of it, so all rows are compared; algorithm='brute' or 'auto', "
            "without index_params."
        )
    return partial(estimator.metric, **(estimator.metric_params or {}))


def distances(function, rows, others):
    """What the function says of every pair, one row for each of ``rows``."""
    out = np.empty((len(rows), len(others)))
    for i, row in enumerate(rows):
        for j, other in enumerate(others):
            out[i, j] = function(row, other)
            if not 0 <= out[i, j] < np.inf:
                raise ValueError(
                    f"row {i} and training row {j}: the metric says {out[i, j]}; a distance is a number from zero up."
                )
    return out


def pairwise_tags(estimator, tags):
    """scikit-learn's tags of an estimator whose X may be distances."""
    tags.input_tags.pairwise = estimator.metric == "precomputed"
    return tags


def graph_params(estimator, index):
    """The parameters of an approximate search, by Recta's names, the seed aside."""
    given = getattr(estimator, "index_params", None)
    if given is None:
        return {}
    name = type(estimator).__name__
    if index != "hnsw":
        raise ValueError(
            f"{name}(index_params=...): they belong to algorithm='hnsw'. Got algorithm={estimator.algorithm!r}."
        )
    if not isinstance(given, dict) or not set(given) <= set(GRAPH):
        raise ValueError(f"{name}(index_params={given!r}): a dict with some of {', '.join(map(repr, GRAPH))}.")
    checked = {key: count(estimator, key, value, 0 if key == "seed" else 1) for key, value in given.items()}
    return {key.replace("_", "-"): float(value) for key, value in checked.items() if key != "seed"}


def graph_params_of(model):
    """``index_params`` of a model that was read."""
    return {key: int(model.params[key.replace("_", "-")]) for key in GRAPH if key != "seed"}


def count(estimator, name, value, least=1):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} does not take {type(value)} value, enter integer value")
    if value < least:
        raise ValueError(f"Expected {name} > 0. Got {value}")
    return int(value)


class NeighborLists:
    """kneighbors and radius_neighbors over ``_lists(X, k, radius)``, which gives starts, rows and distances."""

    n_neighbors: int = 5
    radius: float = 1.0
    n_samples_fit_: int

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True):
        """The nearest training rows of each row, nearest first; equal distances in the order of labels or targets, then of row numbers.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_queries, n_features), default=None
            None: the training rows, none of which is its own neighbour.
        n_neighbors : int, default=None
            None: that of the estimator.
        return_distance : bool, default=True

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors), if asked for
        rows : ndarray of shape (n_queries, n_neighbors)
        """
        check_is_fitted(self)
        k = count(
            self, "n_neighbors", getattr(self, "n_neighbors_", self.n_neighbors) if n_neighbors is None else n_neighbors
        )
        most = self.n_samples_fit_ - (X is None)
        if k > most:
            raise ValueError(
                f"Expected n_neighbors {'<' if X is None else '<='} n_samples_fit, but n_neighbors = {k}, "
                f"n_samples_fit = {self.n_samples_fit_}, n_samples = {X.shape[0] if hasattr(X, 'shape') and X.shape else self.n_samples_fit_ if X is None else len(X)}"
            )
        _, rows, distances = self._lists(X, float(k), np.inf)
        rows, distances = rows.reshape(-1, k), distances.reshape(-1, k)
        return (distances, rows) if return_distance else rows

    def radius_neighbors(
        self, X: Any = None, radius: float | None = None, return_distance: bool = True, sort_results: bool = True
    ):
        """All training rows within a radius of each row, nearest first.

        Parameters
        ----------
        X : array-like or sparse array of shape (n_queries, n_features), default=None
            None: the training rows, none of which is its own neighbour.
        radius : float, default=None
            None: that of the estimator.
        return_distance : bool, default=True
        sort_results : bool, default=True
            Without effect: results are always sorted.

        Returns
        -------
        distances : ndarray of shape (n_queries,) of arrays, if asked for
        rows : ndarray of shape (n_queries,) of arrays
        """
        check_is_fitted(self)
        start, rows, distances = self._lists(X, 0.0, float(self.radius if radius is None else radius))
        if not return_distance:
            return _parts(rows, start)
        return _parts(distances, start), _parts(rows, start)

    def kneighbors_graph(self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity") -> csr_matrix:
        """The k nearest training rows of each row as a sparse matrix of ones (``mode='connectivity'``) or of distances (``'distance'``)."""
        distances, rows = self.kneighbors(X, n_neighbors)
        return self._graph(mode, np.arange(0, rows.size + 1, rows.shape[1]), rows.ravel(), distances.ravel())

    def radius_neighbors_graph(
        self, X: Any = None, radius: float | None = None, mode: str = "connectivity", sort_results: bool = True
    ) -> csr_matrix:
        """All training rows within a radius of each row, as a sparse matrix of ones or of distances."""
        check_is_fitted(self)
        start, rows, distances = self._lists(X, 0.0, float(self.radius if radius is None else radius))
        return self._graph(mode, start, rows, distances)

    def _graph(self, mode, start, rows, distances):
        if mode not in ("connectivity", "distance"):
            raise ValueError(f'Unsupported mode, must be one of "connectivity", or "distance" but got "{mode}" instead')
        values = np.ones(len(rows)) if mode == "connectivity" else distances
        return csr_matrix((values, rows, start), shape=(len(start) - 1, self.n_samples_fit_))


def joined(found):
    """Lists of one part of the queries after the other, as one."""
    starts, rows, distances = zip(*found, strict=True)
    if len(starts) == 1:
        return starts[0], rows[0], distances[0]
    before = np.cumsum([0, *(len(part) for part in rows)])
    return (
        np.concatenate([[0], *(start[1:] + first for start, first in zip(starts, before))]),
        np.concatenate(rows),
        np.concatenate(distances),
    )


def _parts(values, start):
    out = np.empty(len(start) - 1, dtype=object)
    for i in range(len(out)):
        out[i] = values[start[i] : start[i + 1]]
    return out
