"""Searches of any model of the library over a grid of any of its parameters, the splits they are made on, and scikit-learn's ``cross_validate``.

Estimators of :mod:`recta.linear_model` work in scikit-learn's own ``GridSearchCV`` and ``cross_validate``, which is here too, as it is there.
:func:`grid_search` runs inside the library: strengths of a penalty are solved along one path, levels, knots, means and fill-in values are
learned inside every split, and a search that was interrupted goes on.

>>> import recta
>>> from recta.model_selection import grid_search
>>> search = grid_search("ridge", recta.read("housing"), grid={"lambda": "1e-4..1e2:log:7", "degree": [1, 2]})
>>> search.best_params_
{'degree': 2.0, 'lambda': 0.0001}
>>> search.model.certificate.verdict
'proved'
"""

from typing import TYPE_CHECKING, Any

from recta._select.bias_variance import BiasVariance, bias_variance
from recta._select.cross_validation import CrossValidation
from recta._select.decision import DecisionThreshold, decision_threshold
from recta._select.search import grid_search, splits

if TYPE_CHECKING:
    from sklearn.model_selection import cross_validate

__all__ = [
    "BiasVariance",
    "CrossValidation",
    "DecisionThreshold",
    "bias_variance",
    "cross_validate",
    "decision_threshold",
    "grid_search",
    "splits",
]


def __getattr__(name: str) -> Any:
    """scikit-learn's function, which all but this one do without."""
    if name != "cross_validate":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from recta._base import scikit_learn  # noqa: F401, I001  first: it says so if scikit-learn is missing
    from sklearn.model_selection import cross_validate

    return cross_validate
