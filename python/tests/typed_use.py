"""How a user who checks types writes with Recta: every line passes mypy --strict (test_typing.py), and the whole runs."""

from typing import Any, assert_type

import numpy as np

import recta
from recta.feature_selection import VarianceInflationThreshold
from recta.linear_model import (
    DeltaRule,
    ElasticNet,
    ElasticNetCV,
    GammaRegressor,
    GroupLasso,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskElasticNet,
    MultiTaskLasso,
    Perceptron,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    RidgeCV,
    SGDClassifier,
    SGDRegressor,
    lasso_path,
)
from recta.preprocessing import FeatureMap
from recta.svm import LinearSVR

Array = np.ndarray[tuple[Any, ...], np.dtype[Any]]

random = np.random.default_rng(0)
X = random.standard_normal((40, 3))
y = np.exp(X @ np.array([0.5, -0.25, 0.0]) + 0.1 * random.standard_normal(40))
two, three, both = y > 1, np.digitize(y, [0.8, 1.2]), np.column_stack([y, -y])

# fit gives the estimator itself, of its own class
assert_type(LinearRegression().fit(X, y), LinearRegression)
assert_type(Ridge(alpha=2.0).fit(X, y), Ridge)
assert_type(RidgeCV(alphas=[0.1, 1.0]).fit(X, y), RidgeCV)
assert_type(Lasso(alpha=0.1).fit(X, y), Lasso)
assert_type(LassoCV(cv=3, alphas=5).fit(X, y), LassoCV)
assert_type(ElasticNet(alpha=0.1, l1_ratio=0.5).fit(X, y), ElasticNet)
assert_type(ElasticNetCV(cv=3, alphas=5).fit(X, y), ElasticNetCV)
assert_type(MultiTaskLasso(alpha=0.1).fit(X, both), MultiTaskLasso)
assert_type(MultiTaskElasticNet(alpha=0.1).fit(X, both), MultiTaskElasticNet)
assert_type(GroupLasso(alpha=0.1, groups=[[0, 1]]).fit(X, y), GroupLasso)
assert_type(HuberRegressor().fit(X, y), HuberRegressor)
assert_type(QuantileRegressor(alpha=0.0).fit(X, y), QuantileRegressor)
assert_type(PoissonRegressor().fit(X, y), PoissonRegressor)
assert_type(GammaRegressor().fit(X, y), GammaRegressor)
assert_type(LinearSVR(C=10.0).fit(X, y), LinearSVR)
assert_type(LogisticRegression(C=0.5).fit(X, three), LogisticRegression)
assert_type(LogisticRegressionCV(Cs=3, cv=3).fit(X, two), LogisticRegressionCV)
assert_type(RidgeClassifier().fit(X, three), RidgeClassifier)
assert_type(Perceptron(max_iter=5).fit(X, two), Perceptron)
assert_type(DeltaRule(max_iter=5).fit(X, two), DeltaRule)
assert_type(SGDRegressor(tol=None, max_iter=5).fit(X, y), SGDRegressor)
assert_type(SGDClassifier(tol=None, max_iter=5).fit(X, two), SGDClassifier)
assert_type(FeatureMap(poly=2).fit(X), FeatureMap)
assert_type(VarianceInflationThreshold().fit(X), VarianceInflationThreshold)

# what was learned
ridge = Ridge().fit(X, y)
assert_type(ridge.coef_, Array)
assert_type(ridge.predict(X), Array)
assert_type(ridge.score(X, y), float)
assert_type(ridge.certificate_, recta.Certificate)
assert_type(ridge.certificate_.verdict, str)
assert_type(ridge.objective_, str)
logistic = LogisticRegression().fit(X, two)
assert_type(logistic.predict_proba(X), Array)
assert_type(logistic.classes_, Array)
assert_type(logistic.score(X, two), float)
assert_type(LassoCV(cv=3, alphas=5).fit(X, y).alpha_, float)
assert_type(HuberRegressor().fit(X, y).outliers_, Array)
assert_type(LogisticRegressionCV(Cs=3, cv=3).fit(X, two).C_, float)
assert_type(SGDRegressor(tol=None, max_iter=5).fit(X, y).coef_, Array)
assert_type(lasso_path(X, y), tuple[Array, Array, Array])

# beside the estimators
assert_type(recta.datasets.load("iris"), recta.Table)
features, target = recta.datasets.load("housing", return_X_y=True)
assert_type(target, Array)
assert_type(recta.check(X, y), recta.Checkup)
assert_type(recta.diagnose(X, y), recta.Diagnosis)

# a mistake is seen before it runs
try:
    Ridge(alhpa=2.0)  # type: ignore[call-arg]
except TypeError:
    print("good")
