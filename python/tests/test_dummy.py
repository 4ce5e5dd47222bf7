"""Baselines beside scikit-learn's, whose answers they share where both have one."""

import numpy as np
import pytest
import sklearn.dummy

from recta.dummy import DummyClassifier, DummyRegressor

random = np.random.default_rng(5)
X = random.standard_normal((31, 3))
Y = random.standard_normal((31, 2)) * 5 + 1
WEIGHTS = random.integers(0, 5, 31)
LABELS = random.choice(["a", "b", "c"], 31, p=[0.2, 0.5, 0.3])


@pytest.mark.parametrize("strategy", ["mean", "median"])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_numbers_agree_with_scikit_learn(strategy, weights):
    ours = DummyRegressor(strategy=strategy).fit(X, Y, sample_weight=weights)
    times = np.ones(len(X), dtype=int) if weights is None else weights  # a whole weight is a row that often
    theirs = sklearn.dummy.DummyRegressor(strategy=strategy).fit(X.repeat(times, axis=0), Y.repeat(times, axis=0))
    assert np.allclose(ours.constant_, theirs.constant_, rtol=1e-14, atol=0)
    assert np.allclose(ours.predict(X), theirs.predict(X), rtol=1e-14, atol=0)
    assert ours.certificate_.verdict == "proved" and (ours.coef_ == 0).all()
    assert ours.certificate_.verify(X, Y, sample_weight=weights).verdict == "proved"


@pytest.mark.parametrize("q", [0.03, 0.25, 0.5, 0.9])
def test_a_quantile_has_the_least_loss_of_all_values(q):
    y = Y[:, 0]
    b = DummyRegressor(strategy="quantile", quantile=q).fit(X, y).constant_[0, 0]
    loss = lambda at: np.maximum(q * (y - at), (q - 1) * (y - at)).sum()
    assert loss(b) <= min(map(loss, y)) * (1 + 1e-12)


@pytest.mark.parametrize("strategy", ["prior", "most_frequent"])
@pytest.mark.parametrize("labels", [LABELS, LABELS == "b"], ids=["three", "two"])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_classes_agree_with_scikit_learn(strategy, labels, weights):
    ours = DummyClassifier(strategy=strategy).fit(X, labels, sample_weight=weights)
    theirs = sklearn.dummy.DummyClassifier(strategy=strategy).fit(X, labels, sample_weight=weights)
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert np.allclose(ours.class_prior_, theirs.class_prior_, rtol=1e-14)
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-14)
    assert ours.certificate_.verdict == "proved"
    assert ours.certificate_.verify(X, labels, sample_weight=weights).verdict == "proved"


def test_what_draws_at_random_or_learns_nothing_is_refused():
    with pytest.raises(ValueError, match="drawn at random"):
        DummyClassifier(strategy="stratified").fit(X, LABELS)
    with pytest.raises(ValueError, match="nothing to learn"):
        DummyRegressor(strategy="constant").fit(X, Y)
    with pytest.raises(ValueError, match="constant"):
        DummyRegressor(constant=3.0).fit(X, Y)
    with pytest.raises(ValueError, match="needs quantile="):
        DummyRegressor(strategy="quantile").fit(X, Y)
    with pytest.raises(ValueError, match="'mean', 'median', 'quantile'"):
        DummyRegressor(strategy="middle").fit(X, Y)


ODD = [
    ["foo", None, "baz"],
    [None] * 3,
    np.array([[np.nan], [1.0], [np.inf]]),
    np.array([[["a"]], [["b"]], [["c"]]]),
    ["one", "two", "three"],
]


@pytest.mark.parametrize("rows", ODD, ids=repr)
@pytest.mark.parametrize("model", [DummyRegressor(), DummyClassifier()], ids=repr)
def test_rows_are_counted_and_never_read(model, rows):
    found = model.fit(rows, [1, 2, 2])
    assert (
        found.predict(rows).tolist()
        == found.predict([[0.0]] * 3).tolist()
        == found.fit([[0.0]] * 3, [1, 2, 2]).predict(rows).tolist()
    )
    assert found.predict(np.zeros((2, 7))).shape == (2,)  # of another width
    assert found.score(None, [2, 1]) == found.score([[0.0]] * 2, [2, 1])
