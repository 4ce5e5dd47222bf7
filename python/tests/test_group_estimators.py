"""Group lasso and multi-task lasso against scikit-learn, against the lasso, and against the conditions of an optimum."""

import numpy as np
import pandas
import pytest
import sklearn.linear_model
from scipy import sparse

import recta
from recta.linear_model import GroupLasso, Lasso, MultiTaskElasticNet, MultiTaskLasso


@pytest.fixture
def tasks():
    random = np.random.default_rng(5)
    X = random.standard_normal((60, 40)) * (1 + np.arange(40) % 4) + 2
    W = np.zeros((40, 3))
    W[:5] = random.standard_normal((5, 3))
    return X, X @ W + [1.0, 2.0, 3.0] + random.standard_normal((60, 3))


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("alpha", [0.01, 0.3, 3.0])
def test_multi_task_answers_are_those_of_scikit_learn(tasks, alpha, intercept):
    X, Y = tasks
    for ours, theirs in (
        (MultiTaskLasso, sklearn.linear_model.MultiTaskLasso),
        (MultiTaskElasticNet, sklearn.linear_model.MultiTaskElasticNet),
    ):
        model = ours(alpha=alpha, fit_intercept=intercept, tolerance=1e-14).fit(X, Y)
        peer = theirs(alpha=alpha, fit_intercept=intercept, tol=1e-14, max_iter=10**6).fit(X, Y)
        assert model.coef_ == pytest.approx(peer.coef_, abs=1e-6)
        assert model.intercept_ == pytest.approx(peer.intercept_, abs=1e-5)
        assert model.coef_.shape == peer.coef_.shape and np.shape(model.intercept_) == np.shape(peer.intercept_)
        assert model.predict(X) == pytest.approx(peer.predict(X), abs=1e-5)
        assert model.certificate_.verdict == "proved" and model.certificate_.verify(X, Y).verdict == "proved"


def test_rows_of_coefficients_stand_or_fall_together(tasks):
    X, Y = tasks
    model = MultiTaskLasso(alpha=0.5).fit(X, Y)
    used = model.coef_ != 0
    assert (used.all(axis=0) == used.any(axis=0)).all() and 0 < used[0].sum() < 40
    assert model.sparse_coef_.nnz == used.sum() and model.dual_gap_ >= 0


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array])
def test_sparse_rows_give_the_answer_of_dense_ones(tasks, form):
    X, Y = tasks
    X = np.where(np.abs(X) > 3, X, 0)
    for estimator in (MultiTaskLasso(alpha=0.2), GroupLasso(alpha=0.2, groups=4)):
        dense, thin = estimator.fit(X, Y).coef_, estimator.fit(form(X), Y).coef_
        assert thin == pytest.approx(dense, abs=1e-6)


def test_weights_are_repetitions(tasks):
    X, Y = tasks
    weight = np.arange(60) % 3
    for estimator in (MultiTaskLasso(alpha=0.2, tolerance=1e-13), GroupLasso(alpha=0.2, groups=5, tolerance=1e-13)):
        weighted = estimator.fit(X, Y, sample_weight=weight.astype(float)).coef_
        assert estimator.fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight, axis=0)).coef_ == pytest.approx(
            weighted, abs=1e-6
        )


def test_one_column_of_targets_is_the_lasso(tasks):
    X, Y = tasks
    lasso = Lasso(alpha=0.3, tolerance=1e-13).fit(X, Y[:, 0])
    assert MultiTaskLasso(alpha=0.3, tolerance=1e-13).fit(X, Y[:, :1]).coef_[0] == pytest.approx(lasso.coef_, abs=1e-8)
    assert GroupLasso(alpha=0.3, tolerance=1e-13).fit(X, Y[:, 0]).coef_ == pytest.approx(lasso.coef_, abs=1e-8)
    with pytest.raises(ValueError, match="For mono-task outputs, use Lasso"):
        MultiTaskLasso().fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="For mono-task outputs, use ElasticNet"):
        MultiTaskElasticNet().fit(X, Y[:, 0].tolist())


@pytest.mark.parametrize("share", [1.0, 0.6])
def test_every_group_meets_its_condition(tasks, share):
    X, Y = tasks
    groups = [[0, 7, 2], [1, 3], [4], list(range(10, 25))]
    model = GroupLasso(alpha=0.8, groups=groups, l1_ratio=share, tolerance=1e-15).fit(X, Y[:, 1])
    residual = Y[:, 1] - model.predict(X)
    assert abs(residual.mean()) < 1e-9
    gradient = (X - X.mean(axis=0)).T @ residual / 60
    rest = [[j] for j in range(40) if not any(j in group for group in groups)]
    for group in groups + rest:
        w, g = model.coef_[group], gradient[group]
        bound = 0.8 * share * np.sqrt(len(group))
        if w.any():
            assert g - 0.8 * (1 - share) * w == pytest.approx(bound * w / np.linalg.norm(w), abs=1e-5)
            assert (w != 0).all()
        else:
            assert np.linalg.norm(g) <= bound * (1 + 1e-7)
    assert model.coef_.any() and not model.coef_.all()


def test_orthonormal_columns_are_shrunk_by_groups():
    Q = np.linalg.qr(np.random.default_rng(1).standard_normal((64, 6)))[0] * 8  # Q'Q / 64 = I
    y = Q @ [3.0, 4.0, 0.1, 0.1, 2.0, 0.0]
    model = GroupLasso(alpha=0.5, groups=2, fit_intercept=False).fit(Q, y)
    shrunk = 1 - 0.5 * np.sqrt(2) / 5
    assert model.coef_ == pytest.approx([3 * shrunk, 4 * shrunk, 0, 0, 2 - 0.5 * np.sqrt(2), 0], abs=1e-9)


def test_groups_by_position_by_name_and_by_number_are_the_same(tasks):
    X, Y = tasks
    frame = pandas.DataFrame(X, columns=[f"c{j}" for j in range(40)])
    by_position = GroupLasso(alpha=0.5, groups=[[0, 1], [2, 3]]).fit(frame, Y[:, 0])
    by_name = GroupLasso(alpha=0.5, groups=[["c0", "c1"], ["c3", "c2"]]).fit(frame, Y[:, 0])
    assert (by_position.coef_ == by_name.coef_).all()
    consecutive = GroupLasso(alpha=0.5, groups=7).fit(X, Y[:, 0])
    written = GroupLasso(alpha=0.5, groups=[range(j, min(j + 7, 40)) for j in range(0, 40, 7)]).fit(X, Y[:, 0])
    assert (consecutive.coef_ == written.coef_).all()


def test_factors_take_the_place_of_the_root_of_the_size(tasks):
    X, Y = tasks
    groups = [list(range(j, j + 4)) for j in range(0, 40, 4)]
    usual = GroupLasso(alpha=0.5, groups=groups, tolerance=1e-13).fit(X, Y[:, 0])
    given = GroupLasso(alpha=1.0, groups=groups, group_factors=[1.0] * 10, tolerance=1e-13).fit(X, Y[:, 0])
    assert usual.coef_ == pytest.approx(given.coef_, abs=1e-7)


def test_levels_of_a_category_are_a_group():
    random = np.random.default_rng(2)
    colour = random.choice(["red", "green", "blue"], 90)
    frame = pandas.DataFrame(
        {"a": random.standard_normal(90), "colour": pandas.Categorical(colour), "b": random.standard_normal(90)}
    )
    y = 2 * frame["a"].to_numpy() + 0.05 * (colour == "red") + 0.1 * random.standard_normal(90)
    model = GroupLasso(alpha=0.2).fit(frame, y)
    assert model.coef_.shape == (5,) and model.coef_[0] != 0 and not model.coef_[1:4].any()
    joined = GroupLasso(alpha=0.2, groups=[["a", "colour"]]).fit(frame, y)
    assert joined.coef_[:4].all()


def test_files_and_the_way_back(tasks, tmp_path):
    X, Y = tasks
    for estimator in (
        GroupLasso(alpha=0.5, groups=[[0, 2, 3], [5]], group_factors=[1.5, 2.0], l1_ratio=0.75),
        MultiTaskLasso(alpha=0.5),
        MultiTaskElasticNet(alpha=0.5, l1_ratio=0.25),
    ):
        fitted = estimator.fit(X, Y)
        fitted.save(tmp_path / "m.recta")
        again = type(estimator).load(tmp_path / "m.recta")
        assert (again.coef_ == fitted.coef_).all() and again.coef_.shape == fitted.coef_.shape
        assert again.get_params() == fitted.get_params()
        assert (recta.load(tmp_path / "m.recta").predict(X) == fitted.predict(X)).all()
        assert again.certificate_.verify(X, Y).verdict == "proved"


@pytest.mark.parametrize(
    "parameters, words",
    [
        ({"groups": [[0, 1], [1]]}, "column 1 is in groups 0 and 1"),
        ({"groups": [[0, 99]]}, "there is no column 99; X has columns 0 to 39"),
        ({"groups": [["a"]]}, "there is no column 'a'; X has no names"),
        ({"groups": [[]]}, "a group is empty"),
        ({"groups": 0}, "must be a list of lists"),
        ({"groups": "ab"}, "must be a list of lists"),
        ({"groups": [0, 1]}, "must be a list of lists"),
        ({"groups": [[0]], "group_factors": [1.0, 2.0]}, "there are 2 factors and 1 groups"),
        ({"groups": [[0]], "group_factors": [0.0]}, "'group_factors' parameter of GroupLasso must be a float"),
        ({"alpha": -1.0}, "'alpha' parameter of GroupLasso"),
        ({"l1_ratio": 2.0}, "'l1_ratio' parameter of GroupLasso"),
    ],
)
def test_refusals_say_what_is_wrong(tasks, parameters, words):
    with pytest.raises(ValueError, match=words):
        GroupLasso(**parameters).fit(tasks[0], tasks[1][:, 0])


def test_from_lambda_max_on_all_are_zero(tasks):
    X, Y = tasks
    centred, about = X - X.mean(axis=0), Y - Y.mean(axis=0)
    most = np.linalg.norm(centred.T @ about, axis=1).max() / 60
    model = MultiTaskLasso(alpha=most * (1 + 1e-12)).fit(X, Y)
    assert not model.coef_.any() and model.dual_gap_ < 1e-20
    assert MultiTaskLasso(alpha=most * (1 - 1e-3)).fit(X, Y).coef_.any(axis=0).sum() == 1


def test_threads_leave_no_trace(tasks):
    X, Y = tasks
    wide = np.hstack([X, X[:, ::-1] + np.sin(X), np.cos(X)])
    one, two = (MultiTaskLasso(alpha=0.05, n_jobs=n).fit(wide, Y) for n in (1, 2))
    assert (one.coef_ == two.coef_).all()
