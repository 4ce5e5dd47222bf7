"""What the docstrings of all estimators say alike: Recta's own parameters, and what a fit leaves behind."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Estimator = TypeVar("Estimator", bound=type)

SHARED = """
    tolerance : float, default=1e-10
        What the certificate must reach, in units of the objective of the best constant.
    time_limit : float, default=None
        Seconds after which the best answer so far is returned; its certificate says how far it is.
    verbose : int or callable, default=0
        1 shows a bar. A function is called with each step (``stage``, ``fraction``, ``seconds``, ``gap``); False stops.
    confidence : float, default=0.95
        Of the intervals in ``summary()``.
    weights_are : {'precision', 'frequency'}, default='precision'
        What weights mean for standard errors; coefficients are the same.
    unseen : {'refuse', 'zeros'}, default='refuse'
        What a category that training did not know does at prediction: it is an error, or its row has no level, 0 in all of the
        column's features. Levels that the dtype of the training column declares are known.
    feature_map : recta.preprocessing.FeatureMap, default=None
        Features made from the columns inside the fit: with all their digits, and kept in the model's file.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        One a feature; categories have one a level.
    intercept_ : float or ndarray of shape (n_targets,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where X has names that are all strings.
    n_iter_ : int, ndarray or list
        Passes over the rows, the proof included, in the shape that scikit-learn's class has.
    rank_ : int
        Of the centred columns.
    singular_ : ndarray
        Singular values of the centred columns, rows weighted; empty where the solver has none.
    objective_ : str
        What was minimised, in Recta's words.
    certificate_ : recta.Certificate
        The proof: ``verdict``, ``gap``, ``sentence``, ``verify(X, y)``.
    trace_ : list
        Where the fit was when.
"""

_MAP = SHARED[SHARED.index("    feature_map :"):SHARED.index("\n    Attributes")]
_RANK = SHARED[SHARED.index("    rank_ : int"):SHARED.index("    objective_ : str")]
NET = SHARED.replace(_RANK, """    dual_gap_ : float or ndarray of shape (n_targets,)
        Of the certificate, over all targets together; none has a larger one.
    sparse_coef_ : sparse matrix
""")


def with_passages(passages: dict[str, str]) -> Callable[[Estimator], Estimator]:
    """A decorator that fills the passages that several docstrings share in at their names."""

    def filled(estimator: Estimator) -> Estimator:
        for name, passage in passages.items():
            estimator.__doc__ = (estimator.__doc__ or "").replace(name, passage)
        return estimator

    return filled


def placed(estimator: Estimator) -> Estimator:
    """Names the module where users find the class."""
    estimator.__module__ = vars(estimator).get("_module", "recta.linear_model")
    return estimator


def documented(estimator: Estimator) -> Estimator:
    """Fills the shared words in at the %s of a docstring, and names the module where users find the class."""
    shared = NET if hasattr(estimator, "sparse_coef_") else SHARED
    takes_map = "feature_map" in signature(estimator).parameters
    estimator.__doc__ = estimator.__doc__ % (shared if takes_map else shared.replace(_MAP, ""))
    return placed(estimator)
