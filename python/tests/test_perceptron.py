"""Perceptron with scikit-learn's names, and the training curves of perceptrons and the delta rule."""

import pickle

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification

import recta
from recta.linear_model import DeltaRule, LogisticRegression, Perceptron, SGDClassifier, SGDRegressor

FOUR, LABELS = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array(["no", "no", "yes", "yes"])


def test_four_points_take_25_mistakes():
    model = Perceptron(variant="batch", order="cyclic").fit(FOUR, LABELS)
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[3]], [-7])
    assert (model.mistakes_, model.presented_, model.mistake_bound_) == (25, 44, 493)
    assert (model.radius_, model.norm_) == (pytest.approx(np.sqrt(17)), pytest.approx(np.sqrt(29)))
    assert model.certificate_.verdict == "proved" and model.certificate_.verify(FOUR, LABELS).verdict == "proved"
    assert model.predict(FOUR).tolist() == LABELS.tolist() and model.decision_function(FOUR).tolist() == [-4, -1, 2, 5]


def test_in_its_order_it_is_scikit_learns():
    x, y = make_classification(200, 5, n_informative=3, n_redundant=1, flip_y=0.2, random_state=1)
    theirs = sklearn.linear_model.Perceptron(shuffle=False, max_iter=7, tol=None).fit(x, y)
    ours = Perceptron(shuffle=False, max_iter=7).fit(x, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-12)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-12)
    assert ours.certificate_.claim == "not_separable" and ours.mistake_bound_ is None


def test_several_classes_in_their_order_are_scikit_learns():
    x, y = make_classification(240, 6, n_informative=4, n_classes=3, flip_y=0.1, random_state=4)
    names = np.array(["ash", "beech", "oak"])[y]
    theirs = sklearn.linear_model.Perceptron(shuffle=False, max_iter=6, tol=None).fit(x, names)
    ours = Perceptron(shuffle=False, max_iter=6).fit(x, names)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-12)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-12)
    np.testing.assert_array_equal(ours.predict(x), theirs.predict(x))
    assert ours.decision_function(x).shape == (240, 3) and ours.mistakes_ > 0
    assert all(name in ours.certificate_.sentence for name in theirs.classes_)
    ours, theirs = Perceptron(shuffle=False), sklearn.linear_model.Perceptron(shuffle=False)
    for part in (slice(0, 1), slice(1, 150), slice(150, 240)):
        ours.partial_fit(x[part], names[part], classes=["ash", "beech", "oak"])
        theirs.partial_fit(x[part], names[part], classes=["ash", "beech", "oak"])
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-12)
    np.testing.assert_array_equal(ours.predict(x), theirs.predict(x))
    assert ours.presented_ == 3 * 240


def test_distances_are_scores_at_length_one():
    x, y = make_classification(90, 4, n_informative=3, n_redundant=0, n_classes=3, random_state=6)
    for labels, model in ((y, Perceptron(max_iter=9)), (y > 0, Perceptron(max_iter=9)), (y > 0, LogisticRegression())):
        model.fit(x, labels)
        lengths = np.linalg.norm(model.coef_, axis=1)
        expected = model.decision_function(x) / (lengths if len(lengths) > 1 else lengths[0])
        np.testing.assert_allclose(model.signed_distance(x), expected, rtol=1e-12)
    arrived = Perceptron().partial_fit(x, y, classes=[0, 1, 2])
    np.testing.assert_allclose(
        arrived.signed_distance(x), arrived.decision_function(x) / np.linalg.norm(arrived.coef_, axis=1), rtol=1e-12
    )
    with pytest.raises(recta.UsageError, match="lies between two scores"):
        LogisticRegression().fit(x, y).signed_distance(x)


def test_sparse_rows_are_the_same_rows():
    x, y = make_classification(100, 6, random_state=2)
    x[np.abs(x) < 0.7] = 0
    dense, sparse = Perceptron(max_iter=5).fit(x, y), Perceptron(max_iter=5).fit(scipy.sparse.csr_array(x), y)
    np.testing.assert_allclose(dense.coef_, sparse.coef_, rtol=1e-12)
    assert dense.mistakes_ == sparse.mistakes_


def test_the_pocket_is_the_best_of_many():
    x, y = make_classification(300, 4, flip_y=0.3, random_state=3)
    plain = Perceptron(max_iter=20).fit(x, y).score(x, y)
    pocket = Perceptron(variant="pocket", max_iter=20).fit(x, y).score(x, y)
    assert pocket >= plain and pocket > 0.65


def test_whole_weights_are_repetitions_where_it_ends():
    x, y = load_iris(return_X_y=True)
    x, y = x[:100], y[:100]
    weights = np.random.default_rng(0).integers(0, 3, 100)
    weights[[0, 99]] = 1
    weighted = Perceptron(shuffle=False).fit(x, y, sample_weight=weights)
    repeated = Perceptron(shuffle=False).fit(np.repeat(x, weights, axis=0), np.repeat(y, weights))
    assert weighted.coef_.tolist() == repeated.coef_.tolist() and weighted.mistakes_ == repeated.mistakes_


ORDER_DRIVEN = [
    Perceptron(),
    Perceptron(variant="averaged", shuffle=False, max_iter=20),
    Perceptron(variant="pocket", order="random", max_iter=20),
    DeltaRule(),
    DeltaRule(order="shuffled", average=True),
    DeltaRule(order="random", start="random", schedule="constant"),
    SGDClassifier(random_state=0),
    SGDClassifier("log_loss", shuffle=False, average=True),
    SGDRegressor(random_state=0),
    SGDRegressor(penalty="l1", shuffle=False),
]


def weighted_and_repeated(classes, noise=0.5):
    rng = np.random.default_rng(3)
    x, weights = rng.normal(size=(60, 3)), rng.integers(0, 4, 60)
    y = np.digitize(x @ [1.0, -1.0, 0.5] + noise * rng.normal(size=60), [0.0] if classes == 2 else [-0.5, 0.5])
    rows = np.repeat(np.arange(60), weights)
    return (x, y, weights.astype(float)), (x[rows], y[rows])


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", ORDER_DRIVEN, ids=repr)
def test_a_row_of_whole_weight_is_visited_as_often_in_every_learner_by_single_rows(model, classes):
    (x, y, weights), (rows, labels) = weighted_and_repeated(classes)
    weighted, repeated = clone(model).fit(x, y, sample_weight=weights), clone(model).fit(rows, labels)
    np.testing.assert_array_equal(weighted.coef_, repeated.coef_)
    np.testing.assert_array_equal(weighted.intercept_, repeated.intercept_)
    if hasattr(model, "partial_fit"):
        known = {} if isinstance(model, SGDRegressor) else {"classes": np.unique(y)}
        for _ in range(2):
            weighted.partial_fit(x, y, sample_weight=weights, **known)
            repeated.partial_fit(rows, labels, **known)
        np.testing.assert_array_equal(weighted.coef_, repeated.coef_)


@pytest.mark.parametrize(
    "word, params",
    [
        ("perceptron", {"variant": "rosenblatt"}),
        ("delta", {"rate": 0.5, "steps": 30}),
        ("adaline", {"batch": 1, "steps": 30}),
        ("logistic", {"solver": "sgd", "steps": 30}),
    ],
)
def test_a_trace_visits_rows_as_often_as_they_weigh(word, params):
    (x, y, weights), (rows, labels) = weighted_and_repeated(2)
    y, labels = (y.astype(float), labels.astype(float)) if word == "adaline" else (y, labels)
    weighted, repeated = (
        recta.trace(word, x, y, weights, passes=2, **params),
        recta.trace(word, rows, labels, passes=2, **params),
    )
    np.testing.assert_array_equal(weighted.coef, repeated.coef)
    np.testing.assert_array_equal(weighted.rows, repeated.rows)


def test_weights_mean_repetition_where_the_delta_rule_ends():
    """At a stationary point of the weighted cost, which does not ask in which order rows came."""
    (x, y, weights), (rows, labels) = weighted_and_repeated(2, noise=3.0)
    found = [
        DeltaRule(solver=solver, eta0=rate, max_iter=3000, tol=1e-6, schedule=schedule).fit(*data)
        for solver, rate, schedule, data in (
            ("gradient-descent", 8.0, "constant", (x, y, weights)),
            ("gradient-descent", 8.0, "constant", (rows, labels)),
            ("sgd", 8.0, "c/(c+t)", (x, y, weights)),
        )
    ]
    np.testing.assert_allclose(found[0].coef_, found[1].coef_, rtol=1e-5)
    np.testing.assert_allclose(found[2].coef_, found[0].coef_, rtol=0.02)


def test_it_is_saved_and_pickled(tmp_path):
    model = Perceptron(variant="pocket", schedule="c/(c+t)", random_state=4).fit(FOUR, LABELS)
    model.save(tmp_path / "m.recta")
    again = Perceptron.load(tmp_path / "m.recta")
    assert (
        again.predict(FOUR).tolist() == LABELS.tolist()
        and again.variant == "pocket"
        and again.mistakes_ == model.mistakes_
    )
    assert pickle.loads(pickle.dumps(model)).predict(FOUR).tolist() == LABELS.tolist()


@pytest.mark.parametrize(
    "wrong", [{"penalty": "l2"}, {"early_stopping": True}, {"warm_start": True}, {"eta0": 0.0}, {"max_iter": 0}]
)
def test_what_has_no_meaning_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Perceptron(**wrong).fit(FOUR, LABELS)


def test_the_training_curve_counts_what_is_right():
    found = recta.trace("perceptron", FOUR, LABELS, order="cyclic")
    assert found.step[-1] == 25 and found.correct[-1] == 4 and found.row[1] == 1 and found.total == 4
    for w, b, right in zip(found.coef[:, 0], found.intercept, found.correct):
        assert right == ((w * FOUR[:, 0] + b >= 0) == (LABELS == "yes")).sum()
    assert "right" in str(found).splitlines()[2]
    delta = recta.trace("delta", FOUR, LABELS, rate=0.5, steps=4)
    assert len(delta.correct) == 5 and "correct" in delta.frame()
    assert recta.trace("linear", FOUR, [1.0, 2.0, 3.0, 4.0], steps=2).correct is None


@pytest.mark.parametrize(
    "word, params", [("perceptron", {"passes": 4.0}), ("delta", {"rate": 1.0, "standardise": True})]
)
def test_of_more_classes_there_is_a_trace_a_class(word, params):
    X, y = recta.datasets.load("iris", return_X_y=True)
    found = recta.trace(word, X, y, **params)
    assert list(found) == sorted(set(y))
    for label, one in found.items():
        alone = recta.trace(word, X, np.asarray(y) == label, **params)
        assert one.label == label and alone.label is None
        for name in ("step", "rows", "row", "correct", "rate", "cost", "gradient_norm", "coef", "intercept"):
            np.testing.assert_array_equal(getattr(one, name), getattr(alone, name))
        assert str(one).splitlines()[0] == str(alone).splitlines()[0] + f", {label} against the rest"
        assert str(one).splitlines()[1:] == str(alone).splitlines()[1:]
    weights = (np.asarray(y) != "Iris-setosa").astype(float)  # two classes are left
    two = recta.trace(word, X, y, weights, **params)
    assert two.label is None and two.total == 100
    np.testing.assert_array_equal(
        two.coef, recta.trace(word, X, np.asarray(y) == "Iris-virginica", weights, **params).coef
    )


@pytest.mark.parametrize("given", [np.asarray, scipy.sparse.csr_array])
def test_rows_that_arrive_are_scikit_learns_steps(given):
    x, y = make_classification(200, 5, n_informative=3, n_redundant=1, flip_y=0.2, random_state=1)
    ours, theirs = Perceptron(shuffle=False, eta0=0.5), sklearn.linear_model.Perceptron(shuffle=False, eta0=0.5)
    for part in (slice(0, 1), slice(1, 120), slice(120, 200)):
        ours.partial_fit(given(x)[part], y[part], classes=[0, 1])
        theirs.partial_fit(x[part], y[part], classes=[0, 1])
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-12)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-12)
    np.testing.assert_array_equal(ours.predict(given(x)), theirs.predict(x))
    np.testing.assert_allclose(ours.decision_function(x), theirs.decision_function(x), rtol=1e-12, atol=1e-13)
    assert ours.presented_ == 200 and ours.certificate_.verdict == "none"
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.partial_fit(x, y).coef_, ours.partial_fit(x, y).coef_)


def test_arriving_rows_go_on_from_a_fit_and_a_fit_forgets_them(tmp_path):
    x, y = make_classification(60, 4, flip_y=0.3, random_state=5)
    once = Perceptron(shuffle=False, max_iter=1).fit(x, y)
    twice = Perceptron(shuffle=False, max_iter=2).fit(x, y)
    once.partial_fit(x, y)
    np.testing.assert_allclose(once.coef_, twice.coef_, rtol=1e-12)
    assert once.presented_ == twice.presented_ == 120 and not hasattr(once, "mistakes_")
    with pytest.raises(ValueError, match="no proof and no file"):
        once.save(tmp_path / "m.recta")
    np.testing.assert_array_equal(once.fit(x, y).coef_, Perceptron(shuffle=False, max_iter=1).fit(x, y).coef_)
    once.save(tmp_path / "m.recta")
    mean = (
        Perceptron(shuffle=False, variant="averaged")
        .partial_fit(x[:25], y[:25], classes=[0, 1])
        .partial_fit(x[25:], y[25:])
    )
    np.testing.assert_allclose(
        mean.coef_, Perceptron(shuffle=False, variant="averaged", max_iter=1).fit(x, y).coef_, rtol=1e-12
    )
    with pytest.raises(ValueError, match="classes must be passed"):
        Perceptron().partial_fit(x, y)
    with pytest.raises(AttributeError):
        Perceptron(variant="pocket").partial_fit(x, y, classes=[0, 1])
    assert not hasattr(Perceptron(class_weight="balanced"), "partial_fit")
    with pytest.raises(ValueError, match="row 3 has the label 7"):
        once.partial_fit(x[:3], [0, 1, 7])


@pytest.mark.parametrize("given", [np.asarray, scipy.sparse.csr_array])
@pytest.mark.parametrize(
    "options, rate",
    [
        ({"schedule": "constant"}, lambda t: 0.7),
        ({"schedule": "1/t"}, lambda t: 0.7 / (t + 1)),
        ({"schedule": "c/(c+t)", "c": 9.0}, lambda t: 0.7 * 9 / (9 + t)),
    ],
)
def test_the_delta_rule_takes_the_steps_written_out(given, options, rate):
    x, y = make_classification(40, 4, flip_y=0.2, random_state=7)
    x[np.abs(x) < 0.3] = 0
    w, b = np.zeros(4), 0.0
    for t in range(120):
        i, eta = t % 40, rate(t)
        o = 1 / (1 + np.exp(-(x[i] @ w + b)))
        step = eta * (y[i] - o) * o * (1 - o)
        w, b = w + step * x[i], b + step
    model = DeltaRule(eta0=0.7, max_iter=3, **options).fit(given(x), y)
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), np.append(w, b), rtol=1e-10)
    o = 1 / (1 + np.exp(-(x @ w + b)))
    slope = (o - y) * o * (1 - o) / 40
    norm = np.linalg.norm(np.append(x.T @ slope, slope.sum()))
    assert model.certificate_.claim == "stationary" and f"the gradient is {norm:.2g}" in model.certificate_.sentence
    np.testing.assert_array_equal(model.predict(x), (x @ w + b >= 0).astype(int))


def test_the_delta_rule_is_saved_and_ends_at_a_gradient(tmp_path):
    x, y = make_classification(60, 3, n_informative=2, n_redundant=0, flip_y=0.3, random_state=8)
    model = DeltaRule(solver="gradient-descent", max_iter=10000, tol=1e-4).fit(x, np.where(y, "b", "a"))
    assert "the norm of the gradient is at most 0.0001" in model.certificate_.sentence
    model.save(tmp_path / "m.recta")
    again = DeltaRule.load(tmp_path / "m.recta")
    assert again.get_params()["tol"] == 1e-4 and again.eta0 is None and again.max_iter == 10000
    np.testing.assert_array_equal(again.predict(x), model.predict(x))
    three = np.arange(60) % 3
    several = DeltaRule(max_iter=5).fit(x, three)
    for k in range(3):  # each against the rest
        own = DeltaRule(max_iter=5).fit(x, three == k)
        np.testing.assert_array_equal(several.coef_[k], own.coef_[0])
    assert not hasattr(model, "predict_proba")
