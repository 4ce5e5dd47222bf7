"""What scikit-learn's users write, and what they would trip over: arguments and values that mean the same here or have no effect."""

import inspect
import subprocess
import sys

import numpy as np
import pytest
from sklearn import config_context
from sklearn.utils.metadata_routing import get_routing_for_object

import recta.linear_model
import recta.svm
from recta.linear_model import (
    ElasticNet,
    Lasso,
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    Ridge,
    RidgeClassifier,
)


def test_check_input_is_taken_and_changes_nothing(problem):
    X, y, weights = problem
    for model in (ElasticNet(alpha=0.1), Lasso(alpha=0.1)):
        plain = model.fit(X, y, weights).coef_.copy()
        for order, check_input in (("F", False), ("C", False), ("F", True)):
            held = np.array(X, order=order)
            assert (model.fit(held, y, sample_weight=weights, check_input=check_input).coef_ == plain).all()
            assert (held == X).all()
        with pytest.raises(ValueError, match="NaN"):
            model.fit(np.full_like(X, np.nan), y, check_input=False)


def test_no_one_routes_check_input():
    with config_context(enable_metadata_routing=True):
        assert "check_input" not in get_routing_for_object(Lasso()).fit.requests
        assert (
            not hasattr(Lasso(), "set_fit_request")
            or "check_input" not in inspect.signature(Lasso().set_fit_request).parameters
        )


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(penalty="elasticnet", l1_ratio=None),
        LogisticRegressionCV(penalty="elasticnet", l1_ratios=None),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_elastic_net_needs_its_share(model):
    with pytest.raises(ValueError, match="l1_ratio.* must be specified when penalty is 'elasticnet'"):
        model.fit([[1.0, 2.0], [3.0, 4.0]], [0, 1])


@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), RidgeClassifier(), RidgeClassifier(alpha=[1.0, 2.0, 3.0]), Perceptron(max_iter=5)],
    ids=["logistic", "ridge", "ridge with penalties", "perceptron"],
)
@pytest.mark.parametrize("others", [{}, {"bar": 1, "baz": 2}])
def test_a_class_of_weight_zero_is_absent(model, others):
    random = np.random.default_rng(1)
    X, y = random.standard_normal((60, 3)), np.array(["bar", "baz", "foo", "qux"])[random.integers(0, 4, 60)]
    present = y != "foo"
    dropped = model.set_params(class_weight=others | {"foo": 0}).fit(X, y)
    scores, classes = dropped.decision_function(X), dropped.classes_.tolist()
    rest = model.set_params(class_weight=others or None).fit(X[present], y[present])
    assert classes == rest.classes_.tolist() and "foo" not in classes
    assert np.allclose(scores, rest.decision_function(X), rtol=1e-9, atol=1e-9)


def test_folds_do_not_take_a_class_of_weight_zero():
    with pytest.raises(ValueError, match="class_weight of 'foo' is 0: leave out the rows of this class"):
        LogisticRegressionCV(Cs=2, cv=2, class_weight={"foo": 0}).fit(
            [[0.0], [1.0], [2.0]] * 4, ["foo", "bar", "baz"] * 4
        )


def test_ridge_says_which_solver_it_took(problem):
    X, y, _ = problem
    for solver in ("svd", "cholesky", "lsqr", "saga"):
        assert Ridge(solver=solver).fit(X, y).solver_ == solver
    assert Ridge().fit(X, y).solver_ in ("gram", "qr", "svd")
    both = np.column_stack([y, -y])
    assert Ridge(alpha=[1.0, 2.0]).fit(X, both).solver_ == Ridge().fit(X, both).solver_
    assert RidgeClassifier(solver="svd").fit(X, y > np.median(y)).solver_ == "svd"


def test_a_negative_weight_of_a_class_is_refused():
    with pytest.raises(ValueError, match="class_weight of 1 is -1: it must be above 0, or 0 to leave the class out"):
        LogisticRegression(class_weight={0: 1, 1: -1}).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("module", ["linear_model", "svm", "preprocessing", "feature_selection"])
def test_a_missing_scikit_learn_is_said_in_a_sentence(module):
    code = f"import sys; sys.modules['sklearn'] = None\nimport recta; recta.read('iris')\nimport recta.{module}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert said.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: Recta's estimators and transformers need scikit-learn, which is not installed: "
        "pip install scikit-learn"
    )


@pytest.mark.parametrize(
    "estimator",
    [
        getattr(module, name)
        for module in (recta.linear_model, recta.svm)
        for name in module.__all__
        if inspect.isclass(getattr(module, name))
    ],
    ids=lambda estimator: estimator.__name__,
)
def test_docstrings_state_the_objective(estimator):
    before_parameters = inspect.getdoc(estimator).partition("\nParameters\n")[0]
    assert "::\n\n    " in before_parameters and "sum_i" in before_parameters, before_parameters
