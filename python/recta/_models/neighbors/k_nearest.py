"""Classes and means of the k nearest rows."""

from __future__ import annotations

from typing import Any

from recta._base.declared import estimator, parameter

from .answers import Means, Votes
from .models import ByCount


@estimator("recta.neighbors")
class KNeighborsClassifier(ByCount, Votes):
    """Classes by the k nearest training rows, as ``sklearn.neighbors.KNeighborsClassifier``, with the true neighbours in a stated order.

    Neighbours are ordered by distance, then label, then row number; tied votes go to the smaller summed distance, then to the nearest
    neighbour, then to the first class. So answers depend neither on the order of the training rows nor on the index nor on threads.

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

    n_neighbors: int = parameter(
        default=5, kw_only=False, word="k", doc="Neighbours that answer, unless ``choose_k`` is given."
    )
    class_weight: Any = parameter(
        default=None,
        word="weights",
        type="dict or 'balanced'",
        doc="Multiplies the weights of a class's rows, and so the places they take.",
    )

    _word = "knn"


@estimator("recta.neighbors")
class KNeighborsRegressor(ByCount, Means):
    """The mean target of the k nearest training rows, as ``sklearn.neighbors.KNeighborsRegressor``.

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

    n_neighbors: int = parameter(
        default=5, kw_only=False, word="k", doc="Neighbours that answer, unless ``choose_k`` is given."
    )

    _word = "knn-regression"
