"""What classifiers and regressors by neighbours share: a model that holds its rows, votes and means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.validation import validate_data

from . import _core, _parameters
from ._checks import reworded
from ._classifier import ProbabilityClassifier
from ._errors import DataError
from ._html import objective_line
from ._input import frame_columns, table_of
from ._labels import ClassLabels
from ._neighbor_search import GRAPH_DOC, INDEXES, METRICS, NeighborLists, choice, count, graph_params_of, pairwise_tags, search_params
from ._regressor import CertifiedRegressor

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike


class RememberedRows(NeighborLists):
    """What classifiers and regressors by neighbours share: a model that holds its rows, without coefficients."""

    # What a fit by minimising has, and this one does not need.
    fit_intercept, tolerance, time_limit, verbose, confidence, weights_are = True, 1e-10, None, 0, 0.95, "precision"
    _keeps_float32 = False
    _module = "recta.neighbors"

    def _set_shared(self, weights, algorithm, leaf_size, p, metric, metric_params, n_jobs, unseen):
        """The parameters that all of these classes take, for their constructors."""
        self.weights, self.algorithm, self.leaf_size, self.p = weights, algorithm, leaf_size, p
        self.metric, self.metric_params, self.n_jobs, self.unseen = metric, metric_params, n_jobs, unseen

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
        super().fit(X, y, sample_weight)
        self._fit_X = None
        if self._model.takes_arrays:
            rows = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
            self._fit_X = rows if sample_weight is None else rows[np.asarray(sample_weight, dtype=np.float64) > 0]
        return self

    def __sklearn_tags__(self):
        return pairwise_tags(self, super().__sklearn_tags__())

    def _learned(self, model, shape):
        self._take_classes(model)
        self._model, self._one_target = model, len(shape) == 1
        self.n_samples_fit_ = model.rows
        self.effective_metric_ = model.params["metric"]
        self.objective_ = objective_line(model)

    def _html_repr(self):
        return BaseEstimator._html_repr(self)

    def summary(self):
        """Refused: there are no coefficients to list."""
        raise AttributeError(f"{type(self).__name__} has no coefficients; certificate_ and kneighbors say what it rests on")

    def _at_rows(self, X, of_array, of_table, offset=None):
        try:
            if not self._model.takes_arrays:
                validate_data(self, X, reset=False, skip_check_array=True)
                table = table_of(frame_columns(X, categories=self._model.categories))[0]
                return self._flat(of_table(table, threads=_parameters.threads(self.n_jobs)))
            return self._flat(of_array(self._dense(X), threads=_parameters.threads(self.n_jobs)))
        except DataError as error:
            raise reworded(error, self) from None

    def _dense(self, X):
        rows = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
        return rows if isinstance(rows, np.ndarray) else rows.toarray()

    def _lists(self, X, k, radius):
        threads = _parameters.threads(self.n_jobs)
        if X is None and self._fit_X is not None:
            rows = self._fit_X if isinstance(self._fit_X, np.ndarray) else self._fit_X.toarray()
            return _core.nearest_rows(self._model, rows, k, radius, True, threads)
        if X is None:
            raise ValueError(f"{type(self).__name__} was fitted to a frame with categories; give the rows again as X")
        if self._model.takes_arrays:
            return _core.nearest_rows(self._model, self._dense(X), k, radius, False, threads)
        return _core.nearest_rows_table(self._model, table_of(frame_columns(X, categories=self._model.categories))[0], k, radius, threads)

    def _params(self):
        return search_params(self) | {"vote": choice(self, "weights", {"uniform": "uniform", "distance": "distance"})} | self._reach()

    @classmethod
    def _params_of(cls, model):
        metric = model.params["metric"]
        named = {"metric": "minkowski", "p": model.params["power"]} if metric == "minkowski" else {
            "metric": next(name for name, word in METRICS.items() if word == metric)}
        own = {"unseen": "zeros"} if model.unseen == _core.Unseen.zeros else {}
        if "feature-weights" in model.params:
            own["metric_params"] = {"w": [float(one) for one in model.params["feature-weights"].split("/")]}
        return own | named | {"weights": model.params["vote"]} | cls._index_of(model) | cls._reach_of(model)

    @classmethod
    def _index_of(cls, model):
        algorithm = next(name for name, word in INDEXES.items() if word == model.params["index"])
        return {"algorithm": algorithm} | ({"index_params": graph_params_of(model)} if algorithm == "hnsw" else {})


class ByCount(RememberedRows):
    """The k nearest."""

    n_neighbors_: int
    errors_by_k_: dict[str, np.ndarray] | None

    def _reach(self):
        if self.choose_k is not None:
            return {"choose-k": float(count(self, "choose_k", self.choose_k))}
        return {"k": float(count(self, "n_neighbors", self.n_neighbors))}

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
            raise ValueError(f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {self.n_neighbors}, n_samples_fit = {n}, n_samples = {n}: "
                             f"{error.what}") from None

    fit.__doc__ = RememberedRows.fit.__doc__


class ByRadius(RememberedRows):
    """All within a radius."""

    def _reach(self):
        return {"radius": _parameters._number(self, "radius", 0.0), "outside": self._outside()}

    @classmethod
    def _reach_of(cls, model):
        return {"radius": model.params["radius"]}


class Votes(ProbabilityClassifier):
    """A classifier whose probabilities are shares of votes."""

    def predict(self, X: Any) -> np.ndarray:
        """The class of most votes; of tied ones that of the smaller summed distance, then of the nearest neighbour, then the first.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return self._labelled(self._answers(X, _core.Answer.prediction))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Shares of the votes, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        shares : ndarray of shape (n_samples, n_classes)
        """
        return super().predict_proba(X)

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the shares, minus infinity for a class without votes."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            logs = np.log(shares)
        # The winner of a tie is ahead by the last digit of its share, which a logarithm may round away.
        rows, taken = np.arange(len(shares)), shares.argmax(axis=1)
        ahead = logs[rows, taken]
        logs[rows, taken] = -np.inf
        other = logs.max(axis=1)
        logs[rows, taken] = np.where(ahead <= other, np.nextafter(other, 1.0), ahead)
        return logs

    def decision_function(self, X: Any) -> np.ndarray:
        """Votes, with less than half a vote added that settles ties: those of the second class less those of the first; one column a class
        where there are more."""
        return self._values(X)

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """The share of the rows whose class is predicted."""
        return accuracy_score(y, self.predict(X), sample_weight=sample_weight)

    @property
    def signed_distance(self):
        """None: the border of the classes is no hyperplane."""
        raise AttributeError("the border of classes by neighbours is no hyperplane")

    def _take_classes(self, model):
        if self._labels is None:
            self._labels = ClassLabels.of_model(model)
        else:
            model.name_classes(*self._labels.words())


class Means(CertifiedRegressor):
    """A regressor by means of neighbours."""

    def _take_classes(self, model):
        """There are none."""

    def predict(self, X: Any) -> np.ndarray:
        """The mean target of the neighbours, one number a row, or one column a target.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        return self._values(X)

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """R squared, as in scikit-learn."""
        return r2_score(y, self.predict(X), sample_weight=sample_weight)


_SHARED = """weights : {'uniform', 'distance'}, default='uniform'
        All neighbours count alike, or by 1 / distance; at distance 0 those rows alone. Functions are refused.
    algorithm : {'auto', 'ball_tree', 'kd_tree', 'brute'}, default='auto'
        How neighbours are found; all find the same.
    leaf_size : int, default=30
        Without effect.
    p : float, default=2
        Power of 'minkowski', from 1 up.
    metric : str, default='minkowski'
        'euclidean', 'sqeuclidean', 'manhattan', 'chebyshev', 'minkowski', 'cosine', 'hamming', 'jaccard', 'canberra', 'braycurtis',
        'haversine', 'mahalanobis' (in units of the covariance of the training rows), 'gower' or 'precomputed' (X holds distances).
    metric_params : dict, default=None
        ``{'w': weights}``: of the features, in the distance.
    n_jobs : int, default=None
        None: all cores.
    unseen : {'refuse', 'zeros'}, default='refuse'
        What a category that training did not know does at prediction."""

_OF_K = f"""
    {GRAPH_DOC}
    choose_k : int, default=None
        Takes the k up to this one with the least leave-one-out error, the smallest of several; all are measured in one search."""


def documented(estimator):
    estimator.__doc__ = estimator.__doc__ % (_SHARED + (_OF_K if issubclass(estimator, ByCount) else ""))
    estimator.__module__ = "recta.neighbors"
    return estimator
