"""Linear models with scikit-learn's names and meanings, and a proof of every answer."""

from . import _sklearn  # first: it says so where scikit-learn is missing
from ._chosen import ElasticNetCV, LassoCV, RidgeCV
from ._delta import DeltaRule
from ._kernel_perceptron import KernelPerceptron
from ._groups import GroupLasso, MultiTaskElasticNet, MultiTaskLasso
from ._losses import GammaRegressor, HuberRegressor, PoissonRegressor, QuantileRegressor
from ._logistic import LogisticRegression
from ._logistic_cv import LogisticRegressionCV
from ._net import ElasticNet, Lasso
from ._penalized import PenalizedClassifier, PenalizedRegressor
from ._perceptron import Perceptron
from ._paths import enet_path, lasso_path, ridge_path
from ._sgd import SGDRegressor
from ._sgd_classifier import SGDClassifier
from ._squares import LinearRegression, Ridge, RidgeClassifier

__all__ = ["DeltaRule", "ElasticNet", "ElasticNetCV", "GammaRegressor", "GroupLasso", "HuberRegressor", "KernelPerceptron", "Lasso", "LassoCV", "LinearRegression", "LogisticRegression", "LogisticRegressionCV",
           "MultiTaskElasticNet", "MultiTaskLasso", "PenalizedClassifier", "PenalizedRegressor", "Perceptron", "PoissonRegressor", "QuantileRegressor", "Ridge", "RidgeCV", "RidgeClassifier", "SGDClassifier", "SGDRegressor", "enet_path",
           "lasso_path", "ridge_path"]
