"""SGDRegressor: every step against the same step written out, and the ends against the optimum and scikit-learn."""

import pickle
import re

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model
from sklearn.exceptions import ConvergenceWarning

from recta.linear_model import Ridge, SGDClassifier, SGDRegressor
from written_steps import Owed

RNG = np.random.default_rng(3)
X = RNG.normal(size=(60, 4))
X[RNG.random(X.shape) < 0.4] = 0.0
Y = X @ [1.0, -2.0, 0.5, 0.0] + 0.3 + 0.1 * RNG.normal(size=60)


def written_out(passes, rate, l1=0.0, l2=0.0, rows=None, average_from=None):
    w, b, t, sums, count = np.zeros(4), 0.0, 0, np.zeros(5), 0
    for _ in range(passes):
        owed = Owed(4)  # anew in every partial_fit
        for i in range(len(X)) if rows is None else rows:
            eta, slope = rate(t), X[i] @ w + b - Y[i]
            w = owed.taken((1 - eta * l2) * w - eta * slope * X[i], eta * l1, 1 - eta * l2)
            b -= eta * slope
            t += 1
            if average_from is not None and t >= average_from:
                sums += [*w, b]
                count += 1
    return np.append(w, b) if average_from is None else sums / count


def point(model):
    return np.append(model.coef_, model.intercept_)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("penalty, share", [("l2", 0.0), ("l1", 1.0), ("elasticnet", 0.3), (None, 0.0)])
def test_partial_fit_takes_the_steps_written_out(penalty, share, sparse):
    alpha = 0.0 if penalty is None else 0.05
    model = SGDRegressor(penalty=penalty, alpha=0.05, l1_ratio=0.3, eta0=0.05, shuffle=False)
    x = scipy.sparse.csr_array(X) if sparse else X
    for _ in range(3):
        model.partial_fit(x, Y)
    sought = written_out(3, lambda t: 0.05 / (t + 1) ** 0.25, alpha * share, alpha * (1 - share))
    np.testing.assert_allclose(point(model), sought, rtol=1e-10, atol=1e-12)
    assert model.t_ == 181.0


def test_a_mean_of_points_goes_on_over_partial_fits():
    model = SGDRegressor(penalty=None, learning_rate="constant", eta0=0.05, shuffle=False, average=10)
    for half in (slice(0, 25), slice(25, 60)):
        model.partial_fit(X[half], Y[half])
    np.testing.assert_allclose(point(model), written_out(1, lambda t: 0.05, average_from=10), rtol=1e-10)


def test_whole_weights_are_repetitions_of_the_row():
    weights = RNG.integers(0, 4, size=60).astype(float)
    rows = np.repeat(np.arange(60), weights.astype(int))
    model = SGDRegressor(penalty=None, learning_rate="constant", eta0=0.05, shuffle=False).partial_fit(X, Y, weights)
    np.testing.assert_allclose(point(model), written_out(1, lambda t: 0.05, rows=rows), rtol=1e-10)


def test_weights_mean_repetition_at_convergence():
    weights = RNG.integers(0, 4, size=60).astype(float)
    options = {
        "alpha": 0.01,
        "learning_rate": "adaptive",
        "eta0": 0.05,
        "tol": 1e-9,
        "max_iter": 5000,
        "random_state": 0,
    }
    weighted = SGDRegressor(**options).fit(X, Y, sample_weight=weights)
    rows = np.repeat(np.arange(60), weights.astype(int))
    repeated = SGDRegressor(**options).fit(X[rows], Y[rows])
    optimum = Ridge(alpha=0.01 * weights.sum()).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(point(weighted), np.append(optimum.coef_, optimum.intercept_), atol=2e-3)
    np.testing.assert_allclose(point(repeated), np.append(optimum.coef_, optimum.intercept_), atol=2e-3)


def test_fit_comes_where_scikit_learn_comes():
    options = {"alpha": 0.001, "max_iter": 200, "tol": 1e-5, "random_state": 0}
    theirs = sklearn.linear_model.SGDRegressor(**options).fit(X, Y)
    for learning_rate in ("invscaling", "constant", "adaptive"):
        ours = SGDRegressor(**options, learning_rate=learning_rate).fit(X, Y)
        np.testing.assert_allclose(point(ours), point(theirs), atol=0.05)
        assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y), abs=0.01)


def test_early_stopping_sets_rows_aside_and_ends():
    model = SGDRegressor(early_stopping=True, validation_fraction=0.2, n_iter_no_change=3, random_state=0).fit(X, Y)
    assert model.n_iter_ < 1000
    assert model.t_ == 1 + model.n_iter_ * 48


def test_a_warm_start_goes_on_and_a_cold_one_does_not():
    model = SGDRegressor(max_iter=1, tol=None, warm_start=True, shuffle=False).fit(X, Y)
    once = point(model)
    assert not np.array_equal(point(model.fit(X, Y)), once)
    np.testing.assert_array_equal(point(model.set_params(warm_start=False).fit(X, Y)), once)


@pytest.mark.parametrize("given", [np.asarray, scipy.sparse.csr_array])
def test_a_rate_that_is_too_large_is_said_with_a_safe_one(given):
    with pytest.warns(ConvergenceWarning, match="beyond all bounds in pass [12],.*eta0=100.0 is too large") as said:
        model = SGDRegressor(learning_rate="constant", eta0=100.0).fit(given(X), Y)
    assert not point(model).any() and len(model.trace_) < 2
    safe = float(re.search("Up to ([0-9.e-]+) no step", str(said[0].message))[1])
    assert safe == pytest.approx(1 / (1 + (X**2).sum(axis=1).max()), rel=1e-2)
    calm = SGDRegressor(learning_rate="constant", eta0=safe, penalty=None, tol=1e-6).fit(given(X), Y)
    assert calm.score(X, Y) > 0.95
    before = point(calm)
    with pytest.warns(ConvergenceWarning, match="beyond all bounds"):
        calm.set_params(eta0=1e6).partial_fit(given(X), Y)
    np.testing.assert_array_equal(point(calm), before)


@pytest.mark.parametrize("value, said", [(np.nan, "NaN"), (np.inf, "infinity")])
@pytest.mark.parametrize("given", [np.asarray, scipy.sparse.csr_array])
def test_a_number_that_is_none_is_named_and_nothing_is_forgotten(given, value, said):
    model = SGDRegressor(shuffle=False).partial_fit(given(X), Y)
    before, bad = point(model), X.copy()
    bad[40, 2] = value
    with pytest.raises(ValueError, match=f"Input X contains {said}") as error:
        model.partial_fit(given(bad), Y)
    assert "row 41, column 3" in str(error.value)
    np.testing.assert_array_equal(point(model), before)
    with pytest.raises(ValueError, match=f"Input y contains {said}"):
        model.partial_fit(given(X), np.append(Y[:-1], value))


def test_a_row_has_the_same_bits_in_every_batch_and_layout():
    model = SGDRegressor(max_iter=3, tol=None).fit(X, Y)
    whole = model.predict(X)
    np.testing.assert_array_equal([model.predict(X[i : i + 1])[0] for i in range(60)], whole)
    for given in (
        scipy.sparse.csr_array,
        scipy.sparse.csc_array,
        np.asfortranarray,
        lambda x: np.hstack([x, x])[:, :4],
    ):
        np.testing.assert_array_equal(model.predict(given(X)), whole)


def test_every_pass_leaves_a_line_and_there_is_no_proof():
    model = SGDRegressor(max_iter=4, tol=None, learning_rate="constant").fit(X, Y)
    assert [(line.number, line.presented, line.rate) for line in model.trace_] == [
        (k, 60 * k, 0.01) for k in (1, 2, 3, 4)
    ]
    assert model.trace_[3].loss < model.trace_[0].loss
    assert model.certificate_.verdict == "none" and "No proof" in model.certificate_.sentence
    again = pickle.loads(pickle.dumps(model)).partial_fit(X, Y)
    np.testing.assert_array_equal(point(again), point(model.partial_fit(X, Y)))


@pytest.mark.parametrize("loss", ["squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive"])
@pytest.mark.parametrize("sparse", [False, True])
def test_every_loss_takes_the_steps_of_scikit_learn(loss, sparse):
    options = {"loss": loss, "epsilon": 0.2, "alpha": 0.01, "learning_rate": "constant", "eta0": 0.03, "shuffle": False}
    ours, theirs = SGDRegressor(**options), sklearn.linear_model.SGDRegressor(**options)
    for half in (slice(0, 25), slice(25, 60), slice(0, 60)):
        ours.partial_fit(scipy.sparse.csr_array(X[half]) if sparse else X[half], Y[half])
        theirs.partial_fit(X[half], Y[half])
    np.testing.assert_allclose(point(ours), point(theirs), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("given", [np.asarray, scipy.sparse.csr_array])
@pytest.mark.parametrize("fit", [True, False])
def test_the_l1_penalty_is_that_of_scikit_learn_on_dense_rows(given, fit):
    options = {
        "penalty": "l1",
        "alpha": 0.2,
        "learning_rate": "constant",
        "eta0": 0.03,
        "shuffle": False,
        "max_iter": 7,
        "tol": None,
    }
    ours, theirs = SGDRegressor(**options), sklearn.linear_model.SGDRegressor(**options)
    if fit:
        ours.fit(given(X), Y), theirs.fit(X, Y)
    else:
        for half in (slice(0, 25), slice(25, 60), slice(0, 60)):
            ours.partial_fit(given(X)[half], Y[half])
            theirs.partial_fit(X[half], Y[half])
    np.testing.assert_allclose(point(ours), point(theirs), rtol=1e-10, atol=1e-13)
    assert (ours.coef_ == 0).sum() == (theirs.coef_ == 0).sum()


@pytest.mark.parametrize(
    "model",
    [
        SGDClassifier(penalty="l1", alpha=0.05, random_state=0),
        SGDClassifier("log_loss", penalty="elasticnet", l1_ratio=0.9, alpha=0.05, random_state=0),
        SGDRegressor(penalty="l1", alpha=0.1, random_state=0),
        SGDRegressor(penalty="l1", alpha=0.1, average=True, random_state=0),
    ],
    ids=repr,
)
def test_weights_that_nothing_speaks_for_are_zero(model):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 30))
    y = np.where(x[:, 0] - x[:, 1] + 0.3 * rng.normal(size=300) > 0, 1.0, -1.0)
    theirs = getattr(sklearn.linear_model, type(model).__name__)(
        **{k: v for k, v in model.get_params().items() if k != "unseen"}
    )
    zeros, peer = ((fitted.coef_[..., 2:] == 0).sum() for fitted in (model.fit(x, y), theirs.fit(x, y)))
    assert model.average or zeros >= max(20, peer - 3)
    assert np.abs(np.ravel(model.coef_)[:2]).min() > 0.05
    sparse = type(model)(**model.get_params()).fit(scipy.sparse.csr_array(x), y)
    np.testing.assert_allclose(sparse.coef_, model.coef_, rtol=1e-9, atol=1e-12)
    expected = model.predict(x)
    assert scipy.sparse.issparse(model.sparsify().coef_)
    np.testing.assert_array_equal(model.predict(x), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(x), expected)
    np.testing.assert_array_equal(model.densify().predict(x), expected)


def test_a_share_without_a_meaning_may_be_anything():
    for model in (SGDRegressor, SGDClassifier):
        y = Y if model is SGDRegressor else Y > 0
        given = [model(penalty="l1", l1_ratio=share, random_state=0).fit(X, y).coef_ for share in (None, 0.0, 0.7)]
        np.testing.assert_array_equal(given[0], given[1])
        np.testing.assert_array_equal(given[0], given[2])
        with pytest.raises(ValueError, match="'l1_ratio' parameter"):
            model(penalty="elasticnet", l1_ratio=None).fit(X, y)


def test_a_start_of_another_shape_and_rows_set_aside_from_those_that_arrive_are_refused():
    for model in (SGDRegressor, SGDClassifier):
        y = Y if model is SGDRegressor else Y > 0
        with pytest.raises(ValueError, match="Provided coef_init does not match dataset"):
            model().fit(X, y, coef_init=np.zeros(3))
        with pytest.raises(ValueError, match="Provided intercept_init does not match dataset"):
            model().fit(X, y, intercept_init=np.zeros(3))
        with pytest.raises(ValueError, match="early_stopping should be False with partial_fit"):
            model(early_stopping=True).partial_fit(X, y)


@pytest.mark.parametrize(
    "loss, words, provers",
    [
        ("squared_error", "mean squared error / 2 + 0.01 l2, by single rows", "Ridge"),
        ("huber", "mean of r^2 / 2, a straight line beyond |r| = 0.2 + 0.01 l2, by single rows", ""),
        ("epsilon_insensitive", "mean of |r| - 0.2, zero below + 0.01 l2, by single rows", "LinearSVR solves"),
    ],
)
def test_what_was_gone_down_on_is_said_and_who_proves_it(loss, words, provers):
    model = SGDRegressor(loss, epsilon=0.2, alpha=0.01, random_state=1).fit(X, Y)
    assert model.objective_ == words
    assert provers in model.certificate_.sentence and (provers or "proves" not in model.certificate_.sentence)


def test_rows_far_away_pull_huber_no_harder():
    wild = Y.copy()
    wild[::10] += 100
    robust = SGDRegressor(
        "huber", epsilon=0.5, penalty=None, max_iter=300, tol=None, learning_rate="invscaling", eta0=0.1
    ).fit(X, wild)
    squares = SGDRegressor(penalty=None, max_iter=300, tol=None, eta0=0.1).fit(X, wild)
    off = lambda model: np.abs(model.coef_ - [1.0, -2.0, 0.5, 0.0]).max()
    assert off(robust) < 0.2 < 1 < off(squares)


@pytest.mark.parametrize(
    "options",
    [
        {"loss": "hinge"},
        {"epsilon": -1.0},
        {"loss": "other"},
        {"penalty": "l3"},
        {"alpha": -1.0},
        {"eta0": 0.0},
        {"max_iter": 0},
        {"learning_rate": "optimal", "alpha": 0.0},
    ],
)
def test_what_has_no_meaning_is_refused(options):
    with pytest.raises(ValueError):
        SGDRegressor(**options).fit(X, Y)
