"""The estimators beside scikit-learn's, and what they add."""

import pickle

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model

from recta.linear_model import ElasticNet, Lasso, LinearRegression, Ridge

EXACT = {"tol": 1e-14, "max_iter": 10**6}
PAIRS = [
    (LinearRegression(), sklearn.linear_model.LinearRegression()),
    (LinearRegression(fit_intercept=False), sklearn.linear_model.LinearRegression(fit_intercept=False)),
    (Ridge(alpha=3.0), sklearn.linear_model.Ridge(alpha=3.0)),
    (Ridge(alpha=3.0, fit_intercept=False), sklearn.linear_model.Ridge(alpha=3.0, fit_intercept=False)),
]
SOLVERS = ["auto", "svd", "cholesky", "lsqr", "gram", "qr", "dual", "lsmr"]


def same(ours, theirs, accuracy=1e-9):
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=accuracy, atol=accuracy)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=accuracy, atol=accuracy)
    assert np.shape(ours.coef_) == np.shape(theirs.coef_)
    assert np.shape(ours.intercept_) == np.shape(theirs.intercept_)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("targets", [None, 1, 3])
@pytest.mark.parametrize("ours, theirs", PAIRS)
def test_answers_and_shapes_are_those_of_scikit_learn(ours, theirs, targets, weighted, problem):
    X, y, w = problem
    if targets:
        y = np.column_stack([y + k * X[:, 0] for k in range(targets)])
    weights = w if weighted else None
    same(ours.fit(X, y, weights), theirs.fit(X, y, weights))
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9, strict=True)
    assert ours.certificate_.verdict == "proved"
    assert ours.certificate_.verify(X, y, weights).verdict == "proved"


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_word_gives_the_same_ridge(solver, problem):
    X, y, _ = problem
    same(Ridge(alpha=2.0, solver=solver).fit(X, y), sklearn.linear_model.Ridge(alpha=2.0).fit(X, y), 1e-7)


def test_of_many_answers_the_one_of_least_norm_is_given(problem):
    X, y, _ = problem
    X = np.column_stack([X, X[:, 0] + X[:, 1], X[:, 2]])
    for estimator in (LinearRegression(), Ridge(alpha=0.0)):
        ours = estimator.fit(X, y)
        same(ours, sklearn.linear_model.LinearRegression().fit(X, y), 1e-8)
        assert ours.rank_ == 5
        assert any("5 independent columns of 7" in condition for condition in ours.certificate_.conditions)


def test_more_columns_than_rows(problem):
    X, y, _ = problem
    same(LinearRegression().fit(X[:3], y[:3]), sklearn.linear_model.LinearRegression().fit(X[:3], y[:3]), 1e-8)


def test_rank_and_singular_values_are_those_of_scikit_learn(problem):
    X, y, _ = problem
    ours, theirs = LinearRegression().fit(X, y), sklearn.linear_model.LinearRegression().fit(X, y)
    assert ours.rank_ == theirs.rank_
    np.testing.assert_allclose(ours.singular_, theirs.singular_, rtol=1e-10)


def test_weight_two_is_the_row_twice_and_weight_zero_the_row_absent(problem):
    X, y, w = problem
    rows = np.repeat(np.arange(len(y)), w.astype(int))
    for estimator in (LinearRegression, Ridge):
        weighted, repeated = estimator().fit(X, y, w), estimator().fit(X[rows], y[rows])
        np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-12)
        np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-12)


def test_the_answer_has_the_same_bits_with_any_number_of_threads():
    random = np.random.default_rng(1)
    X, y = random.standard_normal((20000, 7)), random.standard_normal(20000)
    bits = {LinearRegression(n_jobs=jobs).fit(X, y).coef_.tobytes() for jobs in (1, 2, 3, -1, None)}
    assert len(bits) == 1


def test_a_batch_of_one_equals_a_batch_of_many_bitwise(housing):
    X, y = housing
    model = Ridge().fit(X, y)
    many, fast = model.predict(X), model.fast_predictor()
    assert [model.predict(X[i : i + 1])[0] for i in range(50)] == many[:50].tolist()
    assert [fast(X[i]) for i in range(50)] == many[:50].tolist()
    assert fast(X)[:, 0].tolist() == many.tolist()


def test_the_fast_predictor_refuses_what_it_cannot_read(housing):
    fast = Ridge().fit(*housing).fast_predictor()
    with pytest.raises(ValueError, match="x has 12 columns and the model has 13 features"):
        fast(np.ones(12))
    with pytest.raises(ValueError, match="neither float64 nor float32"):
        fast(np.ones(13, dtype=int))
    with pytest.raises(TypeError):
        fast([1.0] * 13)
    with pytest.raises(ValueError, match="NaN"):
        fast(np.full(13, np.nan))


def test_a_fast_predictor_of_several_targets_gives_one_number_each(problem):
    X, y, _ = problem
    model = LinearRegression().fit(X, np.column_stack([y, 2 * y]))
    assert model.fast_predictor()(X[3]).tolist() == model.predict(X[3:4])[0].tolist()


def test_a_certificate_tells_the_truth(problem):
    X, y, _ = problem
    certificate = Ridge(alpha=2.0).fit(X, y).certificate_
    residual = y - y.mean() - (X - X.mean(0)) @ Ridge(alpha=2.0).fit(X, y).coef_
    primal = (residual @ residual + 2.0 * Ridge(alpha=2.0).fit(X, y).coef_ @ Ridge(alpha=2.0).fit(X, y).coef_) / (
        2 * len(y)
    )
    assert certificate.primal == pytest.approx(primal, rel=1e-12)
    assert certificate.claim == "exact_optimum"
    assert 0 <= certificate.gap <= 1e-10 * certificate.null_objective
    assert certificate.dual <= certificate.primal
    assert certificate.sentence.startswith("Proved: ")
    assert str(certificate) == certificate.sentence


def test_other_rows_are_not_the_training_data(problem):
    X, y, _ = problem
    model = LinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="not the training data"):
        model.certificate_.verify(X, y + 1)


def test_the_summary_has_standard_errors(problem):
    X, y, _ = problem
    model = LinearRegression().fit(X, y)
    rows = model.summary().rows()
    design = np.column_stack([np.ones(len(y)), X])
    residual = y - model.predict(X)
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * (residual @ residual) / (len(y) - 6))
    np.testing.assert_allclose([row[2] for row in rows], errors, rtol=1e-10)
    assert [row[0] for row in rows] == ["intercept", "x1", "x2", "x3", "x4", "x5"]
    text = str(model.summary())
    assert "std. error" in text and text.endswith(model.certificate_.sentence)
    assert "std. error" not in str(Ridge().fit(X, y).summary()) and "errors" not in str(Ridge().fit(X, y).summary())


def test_a_class_of_the_user_s_own_fits_as_the_one_it_derives_from(problem):
    class Mine(Ridge):
        pass

    X, y, _ = problem
    np.testing.assert_array_equal(Mine(alpha=2.0).fit(X, y).coef_, Ridge(alpha=2.0).fit(X, y).coef_)
    with pytest.raises(ValueError, match="Mine\\(positive=True\\) has no meaning"):
        Mine(positive=True).fit(X, y)


def test_the_objective_shows_the_penalty_beside_the_mean(problem):
    X, y, w = problem
    assert f"lambda = {2.0 / w.sum():.6g}" in Ridge(alpha=2.0).fit(X, y, w).objective_


NETS = [
    (ElasticNet(alpha=0.2, l1_ratio=0.4), sklearn.linear_model.ElasticNet(alpha=0.2, l1_ratio=0.4, **EXACT)),
    (Lasso(alpha=0.1), sklearn.linear_model.Lasso(alpha=0.1, **EXACT)),
    (
        Lasso(alpha=0.1, fit_intercept=False, precompute=True),
        sklearn.linear_model.Lasso(alpha=0.1, fit_intercept=False, **EXACT),
    ),
    (Lasso(alpha=0.05, positive=True), sklearn.linear_model.Lasso(alpha=0.05, positive=True, **EXACT)),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("targets", [None, 1, 3])
@pytest.mark.parametrize("ours, theirs", NETS)
def test_lasso_and_elastic_net_are_those_of_scikit_learn(ours, theirs, targets, weighted, problem):
    X, y, w = problem
    if targets:
        y = np.column_stack([y + k * X[:, 0] for k in range(targets)])
    weights = w if weighted else None
    same(ours.fit(X, y, weights), theirs.fit(X, y, weights), 1e-6)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-6, strict=True)
    np.testing.assert_array_equal(ours.coef_ == 0, theirs.coef_ == 0)
    assert ours.certificate_.verdict == "proved" and ours.certificate_.claim == "duality_gap"
    assert ours.certificate_.verify(X, y, weights).verdict == "proved"
    assert (
        np.min(ours.dual_gap_) >= 0
        and np.max(ours.dual_gap_) <= 1e-10 * ours.certificate_.null_objective
        and np.min(ours.n_iter_) >= 1
    )
    assert ours.sparse_coef_.shape == theirs.sparse_coef_.shape and ours.sparse_coef_.nnz == (ours.coef_ != 0).sum()
    assert not hasattr(ours, "rank_")


def test_a_lasso_finds_a_small_column_beside_a_huge_one():
    """The first column fits the first row at no cost, so that the rest is a lasso of the second alone: b = 10 - 3 alpha, w = -9 + 6 alpha."""
    for size in (1.0e3, 1.0e20, 1.0e30):
        model = Lasso(alpha=1e-4).fit([[size, 0.0], [0.0, 0.0], [1.0, 1.0]], [10.0, 10.0, 1.0])
        np.testing.assert_allclose([model.coef_[1], model.intercept_], [-9 + 6e-4, 10 - 3e-4], rtol=1e-6)
        assert model.certificate_.verdict == "proved"


def test_a_lasso_of_sparse_columns_is_that_of_dense_ones():
    random = np.random.default_rng(2)
    X = scipy.sparse.random(60, 200, 0.1, format="csc", random_state=random)
    y = random.standard_normal(60)
    dense = Lasso(alpha=0.01).fit(np.asfortranarray(X.toarray()), y)
    for layout in ("csc", "csr"):
        model = Lasso(alpha=0.01).fit(X.asformat(layout), y)
        np.testing.assert_allclose(model.coef_, dense.coef_, atol=1e-9)
        assert model.certificate_.verdict == "proved"


def test_a_lasso_that_is_read_from_a_file_has_its_parameters(problem, tmp_path):
    X, y, _ = problem
    for model in (Lasso(alpha=0.25, positive=True).fit(X, y), ElasticNet(alpha=0.5, l1_ratio=0.25).fit(X, y)):
        model.save(tmp_path / "m.recta")
        again = type(model).load(tmp_path / "m.recta")
        assert again.get_params() == model.get_params()
        np.testing.assert_array_equal(again.coef_, model.coef_)
        assert "lambda" in again.objective_ and again.dual_gap_ == model.dual_gap_


@pytest.mark.parametrize(
    "estimator, what",
    [
        (Lasso(alpha=-1.0), "alpha"),
        (Lasso(alpha=np.nan), "alpha"),
        (ElasticNet(l1_ratio=2.0), "l1_ratio"),
        (Lasso(precompute=np.eye(3)), "precompute"),
        (Lasso(selection="greedy"), "selection"),
    ],
)
def test_parameters_of_the_lasso_without_a_meaning_are_refused(estimator, what, problem):
    X, y, _ = problem
    with pytest.raises(ValueError, match=what):
        estimator.fit(X, y)


def test_the_trace_says_where_the_fit_was(problem):
    X, y, _ = problem
    steps = LinearRegression(n_jobs=1).fit(X, y).trace_
    stages = [step.stage for step in steps]
    assert (stages[0], stages[-1]) == ("reading rows", "certifying")
    assert all(step.seconds >= 0 for step in steps)


@pytest.mark.parametrize("alpha", [[0.5, 20.0, 0.5], np.array([3.0, 1.0, 2.0]), [4.0, 4.0, 4.0], [7.0]])
@pytest.mark.parametrize("weighted", [False, True])
def test_one_penalty_a_target(alpha, weighted, problem):
    X, y, w = problem
    targets, weights = np.column_stack([y, X[:, 0] * y, -2 * y + X[:, 1]]), w if weighted else None
    ours = Ridge(alpha=alpha).fit(X, targets, weights)
    theirs = sklearn.linear_model.Ridge(alpha=np.broadcast_to(np.asarray(alpha), 3)).fit(X, targets, weights)
    same(ours, theirs)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9, strict=True)
    assert ours.certificate_.verdict == "proved" and ours.certificate_.verify(X, targets, weights).verdict == "proved"
    assert ours.fast_predictor()(X[2]).tolist() == ours.predict(X[2:3])[0].tolist()
    again = pickle.loads(pickle.dumps(ours))
    assert (again.predict(X) == ours.predict(X)).all() and again.certificate_.verdict == "proved"
    for text in (str(ours.summary()), ours._repr_html_(), repr(ours.certificate_), ours.objective_):
        assert text


def test_one_penalty_a_target_is_one_proof_a_penalty(problem, tmp_path):
    X, y, _ = problem
    both = Ridge(alpha=[1.0, 100.0]).fit(X, np.column_stack([y, -y]))
    alone = [Ridge(alpha=1.0).fit(X, y), Ridge(alpha=100.0).fit(X, -y)]
    assert [row.tobytes() for row in both.coef_] == [one.coef_.tobytes() for one in alone]
    assert both.certificate_.primal == sum(one.certificate_.primal for one in alone)
    assert [line.split(": ", 1)[1] for line in both.certificate_.sentence.splitlines()] == [
        one.certificate_.sentence for one in alone
    ]
    assert both.objective_.endswith("lambda = 0.0166667, 1.66667")
    with pytest.raises(ValueError, match=r"a \.recta file holds one objective"):
        both.save(tmp_path / "m.recta")
    with pytest.raises(ValueError, match="not the training data"):
        both.certificate_.verify(X, np.column_stack([y, y]))


def test_one_penalty_a_target_with_categories(problem):
    import pandas

    X, y, w = problem
    frame = pandas.DataFrame(X, columns=list("abcde")).assign(c=pandas.Categorical(["p", "q", "r"] * 20))
    targets = np.column_stack([y, -y])
    both = Ridge(alpha=[1.0, 100.0]).fit(frame, targets, w)
    np.testing.assert_allclose(both.coef_[1], Ridge(alpha=100.0).fit(frame, -y, w).coef_, rtol=1e-11)
    assert both.predict(frame).shape == (60, 2) and both.certificate_.verify(frame, targets, w).verdict == "proved"


def test_iterations_end_at_max_iter_and_say_how_far_they_are():
    random = np.random.default_rng(3)
    X = random.standard_normal((200, 30)) @ np.diag(np.logspace(0, 3, 30)) @ random.standard_normal((30, 30))
    y = random.standard_normal(200)
    short, long = (Ridge(alpha=1e-6, solver="lsqr", max_iter=limit).fit(X, y) for limit in (4, 10_000))
    assert short.certificate_.verdict == "stopped_early" and short.certificate_.gap > 0
    assert long.certificate_.verdict != "stopped_early"
    assert short.certificate_.primal > long.certificate_.primal
    assert [step.passes for step in short.trace_ if step.stage == "iterating"] != []
    assert (Ridge(max_iter=1).fit(X, y).coef_ == Ridge().fit(X, y).coef_).all()  # no iteration
