"""Linear models with scikit-learn's names and meanings, and a proof of every answer."""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._models.kernel.perceptron import KernelPerceptron
from recta._models.linear.chosen import ElasticNetCV, LassoCV, RidgeCV
from recta._models.linear.delta import DeltaRule
from recta._models.linear.groups import GroupLasso, MultiTaskElasticNet, MultiTaskLasso
from recta._models.linear.least_squares import LinearRegression, Ridge, RidgeClassifier
from recta._models.linear.logistic import LogisticRegression
from recta._models.linear.logistic_cv import LogisticRegressionCV
from recta._models.linear.losses import GammaRegressor, HuberRegressor, PoissonRegressor, QuantileRegressor
from recta._models.linear.net import ElasticNet, Lasso
from recta._models.linear.paths import enet_path, lasso_path, ridge_path
from recta._models.linear.penalized import PenalizedClassifier, PenalizedRegressor
from recta._models.linear.perceptron import Perceptron
from recta._models.linear.sgd_classifier import SGDClassifier
from recta._models.linear.sgd_regressor import SGDRegressor

__all__ = [
    "DeltaRule",
    "ElasticNet",
    "ElasticNetCV",
    "GammaRegressor",
    "GroupLasso",
    "HuberRegressor",
    "KernelPerceptron",
    "Lasso",
    "LassoCV",
    "LinearRegression",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MultiTaskElasticNet",
    "MultiTaskLasso",
    "PenalizedClassifier",
    "PenalizedRegressor",
    "Perceptron",
    "PoissonRegressor",
    "QuantileRegressor",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "SGDClassifier",
    "SGDRegressor",
    "enet_path",
    "lasso_path",
    "ridge_path",
]
