"""Cross-validation of any model of the library over a grid of any of its parameters, and the splits it is made on.

Estimators of :mod:`recta.linear_model` work in scikit-learn's own ``GridSearchCV``. Here the search runs inside the library: strengths of
a penalty are solved along one path, levels, knots, means and fill-in values are learned inside every split, and a search that was
interrupted goes on.

>>> import recta
>>> from recta.model_selection import cross_validate
>>> search = cross_validate("ridge", recta.read("housing"), grid={"lambda": "1e-4..1e2:log:7", "degree": [1, 2]})
>>> search.best_params_
{'degree': 2.0, 'lambda': 0.0001}
>>> search.model.certificate.verdict
'proved'
"""

from ._bias_variance import BiasVariance, bias_variance
from ._decision import DecisionThreshold, decision_threshold
from ._model_selection import CrossValidation, cross_validate, splits

__all__ = ["BiasVariance", "CrossValidation", "DecisionThreshold", "bias_variance", "cross_validate", "decision_threshold", "splits"]
