"""A fit that is refused or stopped leaves the estimator as it was before, all of it."""

import copy

import numpy as np
import pandas
import pytest

import recta
from recta.linear_model import (
    ElasticNetCV,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    PoissonRegressor,
    Ridge,
    RidgeClassifier,
    RidgeCV,
    SGDClassifier,
    SGDRegressor,
)

random = np.random.default_rng(14)
X = random.standard_normal((80, 3))
NUMBER = X @ [1.0, -2.0, 0.5] + random.standard_normal(80)
COUNT, TWO = np.floor(np.exp(NUMBER / 3)), np.where(NUMBER > 0, "yes", "no")
FRAME = pandas.DataFrame(X, columns=["a", "b", "c"])
ALL = [
    (LinearRegression(), NUMBER),
    (Ridge(), NUMBER),
    (Ridge(alpha=[1.0, 2.0]), np.column_stack([NUMBER, -NUMBER])),
    (RidgeCV(), NUMBER),
    (Lasso(alpha=0.1), NUMBER),
    (LassoCV(alphas=4), NUMBER),
    (ElasticNetCV(alphas=4), NUMBER),
    (HuberRegressor(), NUMBER),
    (PoissonRegressor(), COUNT),
    (RidgeClassifier(), TWO),
    (LogisticRegression(), TWO),
    (LogisticRegressionCV(Cs=2, cv=2), TWO),
    (Perceptron(max_iter=30), TWO),
    (SGDRegressor(), NUMBER),
    (SGDClassifier(), TWO),
]
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def name(value):
    return type(value).__name__ if hasattr(value, "fit") else "y"


def state_of(model):
    """What a caller sees, as far as it can be compared."""
    kept = {key: value for key, value in vars(model).items() if key.endswith("_")}
    return {
        key: value.tobytes() if isinstance(value, np.ndarray) and value.dtype != object else repr(value)
        for key, value in kept.items()
    }


def refusals(y):
    bad = np.column_stack([X, X])
    bad[7, 1] = np.nan
    short = np.asarray(y)[:-1]
    return [
        (bad, y),
        (np.column_stack([X, X]), short),
        (np.column_stack([X, X]), None),
        (np.empty((0, 6)), y),
        ([["a", "b"]] * 80, y),
    ]


@pytest.mark.parametrize(
    "case", range(5), ids=["a number that is missing", "rows too few", "no target", "no rows", "text"]
)
@pytest.mark.parametrize("estimator, y", ALL, ids=name)
def test_a_refused_refit_leaves_the_old_model_whole(estimator, y, case):
    model = copy.deepcopy(estimator).fit(FRAME, y)
    before, predicted = state_of(model), model.predict(FRAME)
    with pytest.raises((ValueError, TypeError)):
        model.fit(*refusals(y)[case])
    assert state_of(model) == before
    assert model.predict(FRAME).tolist() == predicted.tolist()
    assert model.n_features_in_ == 3 and model.feature_names_in_.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    "estimator, y", [(estimator, y) for estimator, y in ALL if hasattr(estimator, "time_limit")], ids=name
)
def test_a_stopped_refit_with_nothing_to_keep_leaves_the_old_model_whole(estimator, y):
    model = copy.deepcopy(estimator).fit(FRAME, y)
    before, predicted = state_of(model), model.predict(FRAME)
    wide = random.standard_normal((80, 5))
    model.set_params(time_limit=1e-9)
    try:
        model.fit(wide, y)
    except recta.Stopped:
        assert state_of(model) == before and model.predict(FRAME).tolist() == predicted.tolist()
    else:  # an answer was there: it is the new one, whole
        assert model.n_features_in_ == 5 and not hasattr(model, "feature_names_in_") and len(model.predict(wide)) == 80


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_a_callback_that_raises_before_there_is_an_answer_leaves_the_old_model_whole(error):
    def stop(step):
        raise error

    big = random.standard_normal((3000, 60))
    model = Ridge().fit(FRAME, NUMBER)
    before = state_of(model)
    with pytest.raises(error):
        model.set_params(verbose=stop, solver="qr").fit(big, big[:, 0])
    assert state_of(model) == before


@pytest.mark.parametrize("estimator", [SGDClassifier(), Perceptron()], ids=name)
def test_refused_rows_leave_a_learner_of_arriving_rows_whole(estimator):
    model = copy.deepcopy(estimator).partial_fit(X, TWO, classes=["no", "yes"])
    before = state_of(model)
    for rows, y in ((X[:, :2], TWO), (X, ["maybe"] * 80), (np.full((80, 3), np.nan), TWO)):
        with pytest.raises(ValueError):
            model.partial_fit(rows, y)
        assert state_of(model) == before
    fresh = copy.deepcopy(estimator)
    with pytest.raises(ValueError):
        fresh.partial_fit(np.full((80, 3), np.nan), TWO, classes=["no", "yes"])
    assert vars(fresh) == vars(estimator)


def test_a_refused_first_fit_leaves_nothing_behind():
    model = LogisticRegression()
    with pytest.raises(ValueError):
        model.fit(X, NUMBER)
    assert vars(model) == vars(LogisticRegression())
