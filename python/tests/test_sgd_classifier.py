"""SGDClassifier: every step against the same step written out, and scikit-learn, which makes the same ones."""

import pickle

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model
from sklearn.exceptions import ConvergenceWarning

from recta.linear_model import LogisticRegression, SGDClassifier, SGDRegressor
from written_steps import Owed

RNG = np.random.default_rng(8)
X = RNG.normal(size=(60, 4))
X[RNG.random(X.shape) < 0.4] = 0.0
SCORES = X @ RNG.normal(size=(4, 3)) + 0.7 * RNG.normal(size=(60, 3))
TWO, THREE = np.where(SCORES[:, 0] > 0, "yes", "no"), np.array(["a", "b", "c"])[SCORES.argmax(axis=1)]
SLOPES = {
    "hinge": lambda y, z: -y * (y * z <= 1),
    "log_loss": lambda y, z: -y / (1 + np.exp(y * z)),
    "perceptron": lambda y, z: -y * (y * z <= 0),
    "squared_hinge": lambda y, z: -2 * y * max(0.0, 1 - y * z),
    "squared_error": lambda y, z: z - y,
}


def written_out(loss, signs, rates, l1=0.0, l2=0.0, factors=None, calls=(0,)):
    """``calls``: the rows presented before each partial_fit."""
    w, b, owed = np.zeros(4), 0.0, None
    for t, eta in enumerate(rates):
        i, owed = t % len(signs), Owed(4) if t in calls else owed
        slope = SLOPES[loss](signs[i], X[i] @ w + b) * (1.0 if factors is None else factors[i])
        w = owed.taken((1 - eta * l2) * w - eta * slope * X[i], eta * l1, 1 - eta * l2)
        b -= eta * slope
    return np.append(w, b)


def points(model):
    return np.column_stack([model.coef_, model.intercept_])


@pytest.mark.parametrize("given", [np.asarray, scipy.sparse.csr_array])
@pytest.mark.parametrize("loss", SLOPES)
def test_partial_fit_takes_the_steps_written_out(loss, given):
    model = SGDClassifier(
        loss, penalty="elasticnet", alpha=0.05, l1_ratio=0.3, learning_rate="invscaling", eta0=0.05, shuffle=False
    )
    for part in (slice(0, 20), slice(20, 60), slice(0, 60)):
        model.partial_fit(given(X)[part], THREE[part], classes=["a", "b", "c"])
    for k, label in enumerate("abc"):
        sought = written_out(
            loss,
            np.where(label == THREE, 1.0, -1.0),
            [0.05 / (t + 1) ** 0.5 for t in range(120)],
            0.015,
            0.035,
            calls=(0, 20, 60),
        )
        np.testing.assert_allclose(points(model)[k], sought, rtol=1e-10, atol=1e-13)
    assert model.t_ == 121.0 and len(model.trace_) == 3


@pytest.mark.parametrize("labels", [TWO, THREE])
@pytest.mark.parametrize("loss", SLOPES)
@pytest.mark.parametrize(
    "options",
    [
        {"learning_rate": "constant", "eta0": 0.02},
        {"alpha": 0.1},
        {"learning_rate": "invscaling", "eta0": 0.1},
        {"learning_rate": "constant", "eta0": 0.05, "penalty": None, "fit_intercept": False},
    ],
)
def test_steps_in_order_are_those_of_scikit_learn(loss, labels, options):
    options = {"loss": loss, "shuffle": False, "max_iter": 4, "tol": None} | options
    ours, theirs = SGDClassifier(**options).fit(X, labels), sklearn.linear_model.SGDClassifier(**options).fit(X, labels)
    if loss == "squared_error" and options.get("learning_rate") is None and np.abs(theirs.coef_).max() > 1e6:
        return  # both leave, each in its way
    np.testing.assert_allclose(points(ours), points(theirs), rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_class_weights_and_parts_of_weights_scale_the_steps():
    weights = RNG.random(60) + 0.1
    options = {
        "penalty": None,
        "learning_rate": "constant",
        "eta0": 0.05,
        "shuffle": False,
        "class_weight": {"no": 0.3, "yes": 1.7},
    }
    model = SGDClassifier("log_loss", **options).partial_fit(X, TWO, classes=["no", "yes"], sample_weight=weights)
    factors = weights * np.where(TWO == "yes", 1.7, 0.3)
    sought = written_out("log_loss", np.where(TWO == "yes", 1.0, -1.0), [0.05] * 60, factors=factors)
    np.testing.assert_allclose(points(model)[0], sought, rtol=1e-10)
    many = SGDClassifier("log_loss", max_iter=3, tol=None, class_weight="balanced").fit(X, THREE)
    counts = {label: 60 / (3 * (label == THREE).sum()) for label in "abc"}
    np.testing.assert_array_equal(
        points(many), points(SGDClassifier("log_loss", max_iter=3, tol=None, class_weight=counts).fit(X, THREE))
    )
    with pytest.raises(ValueError, match="not supported for partial_fit"):
        SGDClassifier(class_weight="balanced").partial_fit(X, TWO, classes=["no", "yes"])


def test_it_comes_to_the_optimum_that_logistic_regression_proves():
    sought = LogisticRegression(C=1 / (0.05 * 60)).fit(X, TWO)
    model = SGDClassifier("log_loss", alpha=0.05, tol=None, max_iter=3000).fit(X, TWO)
    np.testing.assert_allclose(points(model)[0], np.append(sought.coef_, sought.intercept_), atol=2e-3)
    assert (
        model.certificate_.verdict == "none"
        and "LogisticRegression solves the same objective and proves" in model.certificate_.sentence
    )
    np.testing.assert_allclose(model.predict_proba(X), sought.predict_proba(X), atol=2e-3)


@pytest.mark.parametrize("labels", [TWO, THREE])
def test_predictions_are_those_of_the_largest_probability(labels):
    model = SGDClassifier("log_loss", alpha=0.01).fit(X, labels)
    P, scores = model.predict_proba(X), model.decision_function(X)
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(np.log(P), model.predict_log_proba(X), rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(model.classes_[P.argmax(axis=1)], model.predict(X))
    own = 1 / (1 + np.exp(-scores))
    np.testing.assert_allclose(
        P, np.column_stack([1 - own, own]) if labels is TWO else own / own.sum(axis=1, keepdims=True), rtol=1e-12
    )
    far = model.predict_proba(-1e4 * np.ones((1, 4)))
    assert np.isfinite(far).all() and far.sum() == pytest.approx(1)
    assert not hasattr(SGDClassifier("hinge").fit(X, labels), "predict_proba")


def test_rows_of_one_class_may_arrive_alone_and_others_are_refused():
    model = SGDClassifier("perceptron", penalty=None, learning_rate="constant", eta0=1.0)
    with pytest.raises(ValueError, match="classes must be passed"):
        model.partial_fit(X[:1], TWO[:1])
    model.partial_fit(X[:1], TWO[:1], classes=["yes", "no"])
    assert model.classes_.tolist() == ["no", "yes"]
    model.partial_fit(X[1:2], TWO[1:2])
    with pytest.raises(ValueError, match=r"row 2 has the label 'other', and the classes are \['no', 'yes'\]"):
        model.partial_fit(X[:2], ["no", "other"])
    with pytest.raises(ValueError, match="not the same as on last call"):
        model.partial_fit(X[:2], TWO[:2], classes=["no", "other"])
    with pytest.raises(ValueError, match="greater than one"):
        SGDClassifier().partial_fit(X[:2], ["no", "no"], classes=["no"])
    with pytest.raises(ValueError, match="at least 2 classes"):
        SGDClassifier().fit(X[:2], ["no", "no"])


def test_a_class_of_weight_zero_is_absent():
    weights = (THREE != "b").astype(float)
    model = SGDClassifier("log_loss").fit(X, THREE, sample_weight=weights)
    assert model.classes_.tolist() == ["a", "c"]
    alone = SGDClassifier("log_loss").fit(X[weights > 0], THREE[weights > 0])
    np.testing.assert_array_equal(points(model), points(alone))


def test_warm_starts_given_starts_and_pickles_go_on():
    model = SGDClassifier(max_iter=1, tol=None, warm_start=True, shuffle=False, learning_rate="constant").fit(X, THREE)
    once = points(model)
    given = SGDClassifier(max_iter=1, tol=None, shuffle=False, learning_rate="constant").fit(
        X, THREE, model.coef_, model.intercept_
    )
    np.testing.assert_array_equal(points(model.fit(X, THREE)), points(given))
    assert not np.array_equal(points(model), once)
    with pytest.raises(ValueError, match="warm_start goes on with the classes"):
        model.fit(X, TWO)
    again = pickle.loads(pickle.dumps(model)).partial_fit(X, THREE)
    np.testing.assert_array_equal(points(again), points(model.partial_fit(X, THREE)))


def test_early_stopping_sets_rows_of_every_class_aside():
    model = SGDClassifier("log_loss", early_stopping=True, validation_fraction=0.2, random_state=0).fit(X, THREE)
    assert model.n_iter_ < 1000 and model.t_ == 1 + model.n_iter_ * 48
    assert all(-1 <= line.loss <= 0 for line in model.trace_)


def test_squares_may_grow_beyond_all_bounds_and_nothing_is_forgotten():
    model = SGDClassifier("squared_error", learning_rate="constant", eta0=0.01, shuffle=False).partial_fit(
        X, TWO, classes=["no", "yes"]
    )
    before = points(model)
    same = SGDRegressor(learning_rate="constant", eta0=0.01, shuffle=False).partial_fit(
        X, np.where(TWO == "yes", 1.0, -1.0)
    )
    np.testing.assert_array_equal(before[0, :4], same.coef_)
    with pytest.warns(ConvergenceWarning, match="beyond all bounds in pass 2"):
        model.set_params(eta0=1e6).partial_fit(X, TWO)
    np.testing.assert_array_equal(points(model), before)
    with pytest.warns(ConvergenceWarning, match="the first rate of learning_rate='optimal' is too large"):
        SGDClassifier("squared_error").fit(1e3 * X, TWO)


@pytest.mark.parametrize("loss", ["modified_huber", "huber", "epsilon_insensitive", "squared_epsilon_insensitive"])
def test_further_losses_take_the_steps_of_scikit_learn(loss):
    options = {"loss": loss, "epsilon": 0.2, "alpha": 0.01, "learning_rate": "constant", "eta0": 0.03, "shuffle": False}
    ours, theirs = SGDClassifier(**options), sklearn.linear_model.SGDClassifier(**options)
    for _ in range(3):
        ours.partial_fit(X, TWO, classes=["no", "yes"])
        theirs.partial_fit(X, TWO, classes=["no", "yes"])
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-11, atol=1e-13)


def test_modified_huber_has_probabilities_that_agree_with_predict():
    model = SGDClassifier("modified_huber", random_state=0).fit(X, TWO)
    P, scores = model.predict_proba(X), model.decision_function(X)
    np.testing.assert_allclose(P[:, 1], np.clip((scores + 1) / 2, 0, 1))
    np.testing.assert_allclose(P.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(X), np.where(P[:, 1] >= 0.5, "yes", "no"))
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(model.predict_log_proba(X), np.log(P))
    many = SGDClassifier("modified_huber", random_state=0).fit(X, np.arange(len(X)) % 3)
    with pytest.raises(AttributeError) as refused:
        many.predict_proba(X)
    assert "more than two classes" in str(refused.value.__cause__)


@pytest.mark.parametrize("options", [{"epsilon": -1.0}, {"loss": "other"}, {"penalty": "l3"}, {"alpha": 0.0}])
def test_what_has_no_meaning_is_refused(options):
    with pytest.raises(ValueError):
        SGDClassifier(**options).fit(X, TWO)
