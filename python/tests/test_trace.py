"""recta.trace: every step against the same step in NumPy, and against the command line's words."""

import numpy as np
import pytest

import recta

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 3))
Y = X @ [1.0, -2.0, 0.5] + 0.3 + 0.1 * RNG.normal(size=40)


def steps(rate, count, lam=0.0, weights=None):
    s = np.full(len(Y), 1 / len(Y)) if weights is None else weights / weights.sum()
    w, b, seen = np.zeros(3), 0.0, []
    for _ in range(count + 1):
        r = X @ w + b - Y
        seen.append((w, b, s @ r**2 / 2 + lam / 2 * w @ w))
        w, b = w - rate * (X.T @ (s * r) + lam * w), b - rate * (s @ r)
    return seen


@pytest.mark.parametrize(
    "word, params, slope",
    [
        ("huber", {"delta": 0.5}, lambda y, z: -np.clip(y - z, -0.5, 0.5)),
        ("poisson", {}, lambda y, z: np.exp(z) - y),
        ("gamma", {}, lambda y, z: 1 - y * np.exp(-z)),
    ],
)
def test_every_step_on_another_loss_is_the_step_of_its_slope(word, params, slope):
    y = np.abs(Y) + 0.1
    found = recta.trace(word, X, y, rate=0.05, steps=7, lambda2=0.2, **params)
    w, b = np.zeros(X.shape[1]), 0.0
    for k in range(8):
        np.testing.assert_allclose(found.coef[k], w, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(found.intercept[k], b, rtol=1e-11, atol=1e-13)
        d = slope(y, X @ w + b)
        w, b = w - 0.05 * (X.T @ d / len(y) + 0.2 * w), b - 0.05 * d.mean()
    assert np.isnan(found.safe_rate) == (word != "huber")


@pytest.mark.parametrize("word, params, lam", [("linear", {}, 0.0), ("ridge", {"lambda2": 0.3}, 0.3)])
def test_every_step_is_the_step_of_the_formula(word, params, lam):
    found = recta.trace(word, X, Y, rate=0.2, steps=7, **params)
    expected = steps(0.2, 7, lam)
    assert found.step.tolist() == list(range(8)) and found.stop == "7 steps" and not found.diverged
    for k, (w, b, cost) in enumerate(expected):
        assert found.coef[k] == pytest.approx(w, rel=1e-12, abs=1e-14)
        assert found.intercept[k] == pytest.approx(b, rel=1e-12, abs=1e-14)
        assert found.cost[k] == pytest.approx(cost, rel=1e-12)
    assert np.array_equal(found.answer[0], found.coef[-1])


def test_weights_frames_and_every():
    pandas = pytest.importorskip("pandas")
    weights = np.array([1.0, 2.0] * 20)
    found = recta.trace("linear", pandas.DataFrame(X, columns=["a", "b", "c"]), Y, weights, rate=0.2, steps=6, every=3)
    assert found.feature_names == ["a", "b", "c"] and found.step.tolist() == [0, 3, 6]
    w, b, cost = steps(0.2, 6, weights=weights)[-1]
    assert found.coef[-1] == pytest.approx(w, rel=1e-12) and found.cost[-1] == pytest.approx(cost, rel=1e-12)
    frame = found.frame()
    assert frame.index.tolist() == [0, 3, 6] and frame["a"].tolist() == found.coef[:, 0].tolist()
    mixed = pandas.DataFrame({"a": X[:, 0], "kind": pandas.Categorical(["u", "v"] * 20)})
    assert recta.trace("linear", mixed, Y, rate=0.1, steps=2).feature_names == ["a", "kind=v"]


def test_a_start_may_be_numbers_and_a_seed_gives_the_same_steps():
    found = recta.trace("linear", X, Y, start=[1.0, 2.0, 3.0, 4.0], rate=0.1, steps=1)
    assert found.coef[0].tolist() == [1, 2, 3] and found.intercept[0] == 4
    one, two = (recta.trace("linear", X, Y, solver="sgd", start="random", seed=7, steps=20) for _ in range(2))
    assert np.array_equal(one.coef, two.coef)
    assert not np.array_equal(
        one.coef, recta.trace("linear", X, Y, solver="sgd", start="random", seed=8, steps=20).coef
    )


def test_divergence_and_mistakes_are_said():
    found = recta.trace("linear", X, Y, rate=50, steps=1000)
    assert found.diverged and "diverged at the rate 50" in found.stop and len(found.step) < 50
    assert found.safe_rate == pytest.approx(
        2
        / np.linalg.eigvalsh(
            np.cov(np.column_stack([X, np.ones(40)]).T, bias=True) + np.outer(*[np.append(X.mean(0), 1)] * 2)
        )[-1],
        rel=1e-9,
    )
    with pytest.raises(recta.UsageError, match="did you mean"):
        recta.trace("linear", X, Y, rat=0.1)
    with pytest.raises(recta.UsageError, match="2 targets"):
        recta.trace("linear", X, np.column_stack([Y, Y]), steps=1)
    assert "by gradient-descent" in str(found) and "<table>" in found._repr_html_()


@pytest.mark.parametrize("solver", ["gradient-descent", "sgd"])
def test_classes_may_be_words_and_name_the_columns(solver):
    X, y = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]]), np.array(["b", "a", "c"])
    found = recta.trace("softmax", X, y, solver=solver, order="cyclic", schedule="constant", rate=1, steps=1)
    assert found.feature_names == [f"{label}: {name}" for label in "abc" for name in ("intercept", "x1", "x2")]
    assert list(found.frame().columns[3:]) == found.feature_names
    seen = slice(0, 1) if solver == "sgd" else slice(0, 3)
    truth = y[seen, None] == np.array(["a", "b", "c"])
    step = -((1 / 3 - truth).T @ np.column_stack([np.ones(3), X])[seen]).ravel() / truth.shape[0]
    np.testing.assert_allclose(found.coef[1], step, rtol=1e-14, atol=1e-16)
    two = recta.trace("logistic", X, np.array([True, False, True]), solver=solver, order="cyclic", rate=1, steps=1)
    assert two.feature_names == ["x1", "x2"] and two.intercept[1] != 0
