"""Nearest neighbours: classifiers, regressors and plain searches that find the true neighbours, in a stated order."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core, _parameters
from ._checks import reworded
from ._classifier import ProbabilityClassifier
from ._docstrings import placed
from ._errors import DataError
from ._html import objective_line
from ._input import frame_columns, table_of
from ._labels import ClassLabels
from ._regressor import CertifiedRegressor

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike

METRICS = {"minkowski": "minkowski", "euclidean": "euclidean", "l2": "euclidean", "sqeuclidean": "squared-euclidean",
           "manhattan": "manhattan", "l1": "manhattan", "cityblock": "manhattan", "chebyshev": "chebyshev", "infinity": "chebyshev",
           "cosine": "cosine", "hamming": "hamming", "jaccard": "jaccard", "canberra": "canberra", "braycurtis": "bray-curtis",
           "haversine": "haversine"}
INDEXES = {"auto": "auto", "brute": "brute", "kd_tree": "kd-tree", "ball_tree": "auto"}  # all find the same


def _choice(estimator, name, known):
    value = getattr(estimator, name)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"The {name!r} parameter of {type(estimator).__name__} must be one of {', '.join(map(repr, known))}. Got {value!r} instead.")
    return known[value]


def _metric(estimator):
    """Recta's word and the power of the metric; Minkowski distances that have a name are called by it."""
    word = _choice(estimator, "metric", METRICS)
    if estimator.metric_params is not None:
        raise ValueError(f"{type(estimator).__name__}(metric_params=...): no metric here has any; p= is the power of 'minkowski'.")
    if word != "minkowski":
        return word, 2.0
    if estimator.p == np.inf:
        return "chebyshev", 2.0
    power = _parameters._number(estimator, "p", 1.0)
    return {1.0: "manhattan", 2.0: "euclidean"}.get(power, "minkowski"), power


def _search_params(estimator):
    metric, power = _metric(estimator)
    index = _choice(estimator, "algorithm", INDEXES)
    if index == "kd-tree" and metric not in ("euclidean", "squared-euclidean", "manhattan", "chebyshev", "minkowski", "cosine"):
        raise ValueError(f"{type(estimator).__name__}(algorithm='kd_tree'): no box of a tree bounds the metric {estimator.metric!r} from below; "
                         "algorithm='auto' compares all rows.")
    return {"metric": metric, "index": index} | ({"power": power} if metric == "minkowski" else {})


def _count(estimator, name, value, least=1):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} does not take {type(value)} value, enter integer value")
    if value < least:
        raise ValueError(f"Expected {name} > 0. Got {value}")
    return int(value)


class _Lists:
    """kneighbors and radius_neighbors over ``_lists(X, k, radius)``, which gives starts, rows and distances."""

    n_neighbors: int = 5
    radius: float = 1.0
    n_samples_fit_: int

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True):
        """The nearest training rows of each row, nearest first; equal distances in the order of labels or targets, then of row numbers.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), default=None
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
        k = _count(self, "n_neighbors", getattr(self, "n_neighbors_", self.n_neighbors) if n_neighbors is None else n_neighbors)
        most = self.n_samples_fit_ - (X is None)
        if k > most:
            raise ValueError(f"Expected n_neighbors {'<' if X is None else '<='} n_samples_fit, but n_neighbors = {k}, "
                             f"n_samples_fit = {self.n_samples_fit_}, n_samples = {np.shape(X)[0] if X is not None and np.ndim(X) else self.n_samples_fit_}")
        _, rows, distances = self._lists(X, float(k), np.inf)
        rows, distances = rows.reshape(-1, k), distances.reshape(-1, k)
        return (distances, rows) if return_distance else rows

    def radius_neighbors(self, X: Any = None, radius: float | None = None, return_distance: bool = True, sort_results: bool = True):
        """All training rows within a radius of each row, nearest first.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), default=None
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

    def radius_neighbors_graph(self, X: Any = None, radius: float | None = None, mode: str = "connectivity", sort_results: bool = True) -> csr_matrix:
        """All training rows within a radius of each row, as a sparse matrix of ones or of distances."""
        check_is_fitted(self)
        start, rows, distances = self._lists(X, 0.0, float(self.radius if radius is None else radius))
        return self._graph(mode, start, rows, distances)

    def _graph(self, mode, start, rows, distances):
        if mode not in ("connectivity", "distance"):
            raise ValueError(f'Unsupported mode, must be one of "connectivity", or "distance" but got "{mode}" instead')
        values = np.ones(len(rows)) if mode == "connectivity" else distances
        return csr_matrix((values, rows, start), shape=(len(start) - 1, self.n_samples_fit_))


def _parts(values, start):
    out = np.empty(len(start) - 1, dtype=object)
    for i in range(len(out)):
        out[i] = values[start[i]:start[i + 1]]
    return out


@placed
class NearestNeighbors(_Lists, BaseEstimator):
    """Nearest rows without a model, as ``sklearn.neighbors.NearestNeighbors``: exact, also far from the origin.

    Euclidean searches multiply matrices in single precision, rule out by a proven bound on the rounding, and compare what is left by
    differences in double precision. So the neighbours are the true ones, and equal distances are in the order of the rows.

    Parameters
    ----------
    n_neighbors : int, default=5
    radius : float, default=1.0
    algorithm : {'auto', 'ball_tree', 'kd_tree', 'brute'}, default='auto'
        How neighbours are found; all find the same. 'ball_tree' is 'auto'.
    leaf_size : int, default=30
        Without effect.
    metric : str, default='minkowski'
        'euclidean', 'sqeuclidean', 'manhattan', 'chebyshev', 'minkowski', 'cosine', 'hamming', 'jaccard', 'canberra', 'braycurtis' or
        'haversine'.
    p : float, default=2
        Power of 'minkowski', from 1 up.
    metric_params
        Refused.
    n_jobs : int, default=None
        None: all cores.

    Examples
    --------
    >>> from recta.neighbors import NearestNeighbors
    >>> search = NearestNeighbors(n_neighbors=2).fit([[1e8, 1e8], [1e8 + 3, 1e8 + 4], [1e8 + 100, 1e8 + 97]])
    >>> search.kneighbors([[1e8, 1e8]])[0].tolist()
    [[0.0, 5.0]]
    """

    _module = "recta.neighbors"

    def __init__(self, *, n_neighbors: int = 5, radius: float = 1.0, algorithm: str = "auto", leaf_size: int = 30, metric: str = "minkowski",
                 p: float = 2, metric_params: Any = None, n_jobs: int | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Builds the index over the rows of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y
            Ignored.

        Returns
        -------
        self
        """
        _count(self, "n_neighbors", self.n_neighbors)
        params = _search_params(self)
        rows = validate_data(self, X, dtype=np.float64, order="C")
        self._memory = _core.remember(rows, params["metric"], params.get("power", 2.0), params["index"], _parameters.threads(self.n_jobs))
        self._fit_X = rows
        self.n_samples_fit_ = len(rows)
        self.effective_metric_ = params["metric"]
        return self

    def _lists(self, X, k, radius):
        if "_memory" not in self.__dict__:  # read from a pickle
            params = _search_params(self)
            self._memory = _core.remember(self._fit_X, params["metric"], params.get("power", 2.0), params["index"], _parameters.threads(self.n_jobs))
        rows = self._fit_X if X is None else validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return self._memory.nearest(rows, k, radius, X is None, _parameters.threads(self.n_jobs))

    def __getstate__(self):
        return {key: value for key, value in super().__getstate__().items() if key != "_memory"}


class _Remembered(_Lists):
    """What classifiers and regressors by neighbours share: a model that holds its rows, without coefficients."""

    # What a fit by minimising has, and this one does not need.
    fit_intercept, tolerance, time_limit, verbose, confidence, weights_are = True, 1e-10, None, 0, 0.95, "precision"
    _keeps_float32 = False
    _module = "recta.neighbors"

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
        return _search_params(self) | {"vote": _choice(self, "weights", {"uniform": "uniform", "distance": "distance"})} | self._reach()

    @classmethod
    def _params_of(cls, model):
        metric = model.params["metric"]
        named = {"metric": "minkowski", "p": model.params["power"]} if metric == "minkowski" else {
            "metric": next(name for name, word in METRICS.items() if word == metric)}
        own = {"unseen": "zeros"} if model.unseen == _core.Unseen.zeros else {}
        return own | named | {"weights": model.params["vote"]} | cls._reach_of(model)


class _ByCount(_Remembered):
    """The k nearest."""

    n_neighbors_: int
    errors_by_k_: dict[str, np.ndarray] | None

    def _reach(self):
        if self.choose_k is not None:
            return {"choose-k": float(_count(self, "choose_k", self.choose_k))}
        return {"k": float(_count(self, "n_neighbors", self.n_neighbors))}

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

    fit.__doc__ = _Remembered.fit.__doc__


class _ByRadius(_Remembered):
    """All within a radius."""

    def _reach(self):
        return {"radius": _parameters._number(self, "radius", 0.0), "outside": self._outside()}

    @classmethod
    def _reach_of(cls, model):
        return {"radius": model.params["radius"]}


class _Votes(ProbabilityClassifier):
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


class _Means(CertifiedRegressor):
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
        How neighbours are found; all find the same. 'ball_tree' is 'auto'.
    leaf_size : int, default=30
        Without effect.
    p : float, default=2
        Power of 'minkowski', from 1 up.
    metric : str, default='minkowski'
        'euclidean', 'sqeuclidean', 'manhattan', 'chebyshev', 'minkowski', 'cosine', 'hamming', 'jaccard', 'canberra', 'braycurtis' or
        'haversine'.
    metric_params
        Refused.
    n_jobs : int, default=None
        None: all cores.
    unseen : {'refuse', 'zeros'}, default='refuse'
        What a category that training did not know does at prediction."""


def _documented(estimator):
    estimator.__doc__ = estimator.__doc__ % _SHARED
    estimator.__module__ = "recta.neighbors"
    return estimator


@_documented
class KNeighborsClassifier(_ByCount, _Votes):
    """Classes by the k nearest training rows, as ``sklearn.neighbors.KNeighborsClassifier``, with the true neighbours in a stated order.

    Neighbours are ordered by distance, then label, then row number; tied votes go to the smaller summed distance, then to the nearest
    neighbour, then to the first class. So answers depend neither on the order of the training rows nor on the index nor on threads.

    Parameters
    ----------
    n_neighbors : int, default=5
        Neighbours that answer, unless ``choose_k`` is given.
    %s
    choose_k : int, default=None
        Takes the k up to this one with the least leave-one-out error, the smallest of several; all are measured in one search.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows, and so the places they take.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.
    n_neighbors_ : int
        The k that answers.
    errors_by_k_ : dict or None
        With ``choose_k``: the error rates ``left_out`` and ``training`` of k = 1, 2, ...
    effective_metric_ : str
    n_samples_fit_ : int
        Rows of positive weight.
    certificate_ : recta.Certificate
        The rows are the training rows, and the index finds on a sample of queries what comparing all rows finds.

    Examples
    --------
    >>> from recta.neighbors import KNeighborsClassifier
    >>> model = KNeighborsClassifier(n_neighbors=3).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> model.predict([[1.1]]).tolist(), model.predict_proba([[0.9]]).round(3).tolist(), model.certificate_.verdict
    ([0], [[0.667, 0.333]], 'proved')
    """

    _word = "knn"

    def __init__(self, n_neighbors: int = 5, *, weights: str = "uniform", algorithm: str = "auto", leaf_size: int = 30, p: float = 2,
                 metric: str = "minkowski", metric_params: Any = None, n_jobs: int | None = None, class_weight: Any = None,
                 unseen: str = "refuse", choose_k: int | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.unseen = unseen
        self.choose_k = choose_k


@_documented
class KNeighborsRegressor(_ByCount, _Means):
    """The mean target of the k nearest training rows, as ``sklearn.neighbors.KNeighborsRegressor``.

    Parameters
    ----------
    n_neighbors : int, default=5
        Neighbours that answer, unless ``choose_k`` is given.
    %s
    choose_k : int, default=None
        Takes the k up to this one with the least leave-one-out error, the smallest of several; all are measured in one search.

    Attributes
    ----------
    n_neighbors_ : int
        The k that answers.
    errors_by_k_ : dict or None
        With ``choose_k``: the mean squared errors ``left_out`` and ``training`` of k = 1, 2, ...
    effective_metric_ : str
    n_samples_fit_ : int
        Rows of positive weight.
    certificate_ : recta.Certificate

    Examples
    --------
    >>> from recta.neighbors import KNeighborsRegressor
    >>> KNeighborsRegressor(n_neighbors=2).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[1.5]]).tolist()
    [0.5]
    """

    _word = "knn-regression"

    def __init__(self, n_neighbors: int = 5, *, weights: str = "uniform", algorithm: str = "auto", leaf_size: int = 30, p: float = 2,
                 metric: str = "minkowski", metric_params: Any = None, n_jobs: int | None = None, unseen: str = "refuse", choose_k: int | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.unseen = unseen
        self.choose_k = choose_k


@_documented
class RadiusNeighborsClassifier(_ByRadius, _Votes):
    """Classes by all training rows within a radius, as ``sklearn.neighbors.RadiusNeighborsClassifier``.

    Parameters
    ----------
    radius : float, default=1.0
    %s
    outlier_label : {None, 'most_frequent'}, default=None
        What a row without neighbours gets: an error, or the shares of all training rows and the class of most weight. Other labels are
        refused.
    class_weight : dict or 'balanced', default=None
        Multiplies the weights of a class's rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.
    effective_metric_ : str
    n_samples_fit_ : int
        Rows of positive weight.
    certificate_ : recta.Certificate

    Examples
    --------
    >>> from recta.neighbors import RadiusNeighborsClassifier
    >>> RadiusNeighborsClassifier(radius=1.0).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[2.5]]).tolist()
    [1]
    """

    _word = "knn"

    def __init__(self, radius: float = 1.0, *, weights: str = "uniform", algorithm: str = "auto", leaf_size: int = 30, p: float = 2,
                 metric: str = "minkowski", outlier_label: Any = None, metric_params: Any = None, n_jobs: int | None = None,
                 class_weight: Any = None, unseen: str = "refuse") -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.outlier_label = outlier_label
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.unseen = unseen

    def _outside(self):
        if self.outlier_label is None:
            return "refuse"
        if isinstance(self.outlier_label, str) and self.outlier_label == "most_frequent":
            return "prior"
        raise ValueError(f"RadiusNeighborsClassifier(outlier_label={self.outlier_label!r}): a label of its own for rows without neighbours is "
                         "not given here; None refuses them, 'most_frequent' takes the heaviest class.")

    @classmethod
    def _reach_of(cls, model):
        return super()._reach_of(model) | {"outlier_label": "most_frequent" if model.params["outside"] == "prior" else None}


@_documented
class RadiusNeighborsRegressor(_ByRadius, _Means):
    """The mean target of all training rows within a radius, as ``sklearn.neighbors.RadiusNeighborsRegressor``; NaN where there is none.

    Parameters
    ----------
    radius : float, default=1.0
    %s

    Attributes
    ----------
    effective_metric_ : str
    n_samples_fit_ : int
        Rows of positive weight.
    certificate_ : recta.Certificate

    Examples
    --------
    >>> from recta.neighbors import RadiusNeighborsRegressor
    >>> RadiusNeighborsRegressor(radius=1.0).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[1.5]]).tolist()
    [0.5]
    """

    _word = "knn-regression"

    def __init__(self, radius: float = 1.0, *, weights: str = "uniform", algorithm: str = "auto", leaf_size: int = 30, p: float = 2,
                 metric: str = "minkowski", metric_params: Any = None, n_jobs: int | None = None, unseen: str = "refuse") -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.unseen = unseen

    def _outside(self):
        return "missing"

    def predict(self, X: Any) -> np.ndarray:
        found = super().predict(X)
        if np.isnan(found).any():
            warnings.warn("One or more samples have no neighbors within specified radius; predicting NaN.", stacklevel=2)
        return found

    predict.__doc__ = _Means.predict.__doc__
