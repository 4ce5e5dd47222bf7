"""Penalty factors, bounds of single coefficients and the bound on their sum, against problems whose answer is known."""

import numpy as np
import pandas
import pytest
from scipy import sparse
from scipy.optimize import lsq_linear, minimize

import recta
from recta._models.linear.columns import column_texts
from recta.linear_model import ElasticNet, ElasticNetCV, GroupLasso, Lasso, LassoCV, lasso_path

FACTORS = np.array([0.5, 2.0, 1.0, 3.0, 0.25])
FINE = {"tolerance": 1e-14}


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_factors_are_columns_divided_by_them(problem, intercept, weighted):
    X, y, weights = problem
    how = FINE | {"alpha": 0.3, "fit_intercept": intercept}
    weights = weights if weighted else None
    ours = Lasso(penalty_factors=FACTORS, **how).fit(X, y, weights)
    scaled = Lasso(**how).fit(X / FACTORS, y, weights)
    assert ours.coef_ == pytest.approx(scaled.coef_ / FACTORS, abs=1e-8)
    assert ours.certificate_.verdict == "proved" and ours.certificate_.verify(X, y, weights).verdict == "proved"
    assert (ours.coef_ != Lasso(**how).fit(X, y, weights).coef_).any()


def test_a_factor_of_zero_is_no_penalty(problem):
    X, y, _ = problem
    ours = Lasso(alpha=1e3, penalty_factors={0: 0.0}).fit(X, y)
    slope, intercept = np.polyfit(X[:, 0], y, 1)
    assert ours.coef_ == pytest.approx([slope, 0, 0, 0, 0], rel=1e-9) and ours.intercept_ == pytest.approx(
        intercept, rel=1e-9
    )


def test_both_penalties_of_the_elastic_net_have_the_factor(problem):
    X, y, _ = problem
    model = ElasticNet(alpha=0.8, l1_ratio=0.4, penalty_factors=FACTORS, **FINE).fit(X, y)
    gradient = (X - X.mean(axis=0)).T @ (y - model.predict(X)) / len(y) - 0.48 * FACTORS * model.coef_
    used = model.coef_ != 0
    assert gradient[used] == pytest.approx(0.32 * FACTORS[used] * np.sign(model.coef_[used]), abs=1e-7)
    assert (np.abs(gradient[~used]) <= 0.32 * FACTORS[~used] + 1e-9).all()


def test_bounds_without_a_penalty_are_bounded_least_squares(problem):
    X, y, _ = problem
    lower, upper = np.array([-1.0, -0.125, -np.inf, 0.0, 0.0]), np.array([0.5, np.inf, 0.25, np.inf, 2.0])
    ours = Lasso(alpha=0.0, lower=lower, upper=upper, fit_intercept=False, **FINE).fit(X, y)
    theirs = lsq_linear(X, y, (lower, upper), method="bvls", tol=1e-15)
    assert ours.coef_ == pytest.approx(theirs.x, abs=1e-8)
    assert (lower <= ours.coef_).all() and (ours.coef_ <= upper).all()
    assert set(ours.coef_) & set(lower) and set(ours.coef_) & set(upper)  # met exactly
    assert ours.certificate_.verdict == "proved" and ours.certificate_.verify(X, y).verdict == "proved"


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_bounds_with_a_penalty_are_scipy_s_answer(problem, share):
    X, y, _ = problem
    lower, upper, alpha = -0.75, np.array([0.5, 1.0, 0.25, 1.0, 2.0]), 0.2
    ours = ElasticNet(alpha=alpha, l1_ratio=share, lower=lower, upper=upper, **FINE).fit(X, y)
    A, b = X - X.mean(axis=0), y - y.mean()

    def cost(parts):  # w = u - v with u, v >= 0, so that absolute values are smooth
        u, v = parts.reshape(2, 5)
        w = u - v
        residual = A @ w - b
        slope = A.T @ residual / len(b) + alpha * (1 - share) * w
        value = residual @ residual / (2 * len(b)) + alpha * share * (u + v).sum() + alpha * (1 - share) / 2 * w @ w
        return value, np.concatenate([slope + alpha * share, -slope + alpha * share])

    limits = [(0, high) for high in upper] + [(0, -lower)] * 5
    theirs = minimize(
        cost, np.zeros(10), jac=True, bounds=limits, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-12}
    )
    assert ours.coef_ == pytest.approx(theirs.x[:5] - theirs.x[5:], abs=1e-5)
    assert ours.certificate_.primal <= theirs.fun + 1e-12


@pytest.mark.parametrize("alpha", [0.05, 0.5, 1.5])
@pytest.mark.parametrize("positive", [False, True])
def test_the_constrained_form_is_the_lasso_of_the_matching_penalty(problem, alpha, positive):
    X, y, weights = problem
    penalised = Lasso(alpha=alpha, positive=positive, **FINE).fit(X, y, weights)
    psi = np.abs(penalised.coef_).sum()
    ours = Lasso(psi=psi, positive=positive, **FINE).fit(X, y, weights)
    assert ours.coef_ == pytest.approx(penalised.coef_, abs=1e-6) and ours.intercept_ == pytest.approx(
        penalised.intercept_, abs=1e-5
    )
    assert np.abs(ours.coef_).sum() <= psi * (1 + 1e-12)
    assert ours.certificate_.verdict == "proved" and ours.certificate_.verify(X, y, weights).verdict == "proved"
    assert ours.objective_.endswith(f"psi = {psi:.6g}") and r"\sum_j |w_j| \le \psi" in ours._repr_html_()


def test_the_constrained_form_keeps_the_penalty_on_squares(problem):
    X, y, _ = problem
    penalised = ElasticNet(alpha=0.5, l1_ratio=0.6, **FINE).fit(X, y)
    ours = ElasticNet(alpha=0.5, l1_ratio=0.6, psi=np.abs(penalised.coef_).sum(), **FINE).fit(X, y)
    assert ours.coef_ == pytest.approx(penalised.coef_, abs=1e-6)
    assert "lambda2 = 0.2,  psi = " in ours.objective_


def test_a_wide_bound_is_least_squares_and_none_is_the_mean(problem):
    X, y, _ = problem
    wide, none = Lasso(psi=1e6).fit(X, y), Lasso(psi=0.0).fit(X, y)
    assert wide.coef_ == pytest.approx(Lasso(alpha=0.0).fit(X, y).coef_, abs=1e-6)
    assert not none.coef_.any() and none.intercept_ == pytest.approx(y.mean(), rel=1e-14)


def test_columns_are_meant_by_place_by_name_and_in_order(problem):
    X, y, _ = problem
    frame = pandas.DataFrame(X, columns=["a", "b,c", "d=e", "x1", "5"])
    ways = [
        Lasso(alpha=0.3, penalty_factors=given, upper=top).fit(data, y).coef_
        for data, given, top in (
            (X, FACTORS, [np.inf, np.inf, np.inf, np.inf, 1.5]),
            (X, dict(enumerate(FACTORS)), {4: 1.5}),
            (frame, FACTORS.tolist(), {-1 + 5: 1.5}),
            (frame, dict(zip(frame.columns, FACTORS)), {"5": 1.5}),
            (X, dict(zip(["x1", "x2", "x3", "x4", "x5"], FACTORS)), {"x5": 1.5}),
            (sparse.csr_array(X), FACTORS, {4: 1.5}),
            (sparse.csc_array(X), FACTORS, {"5": 1.5}),
        )
    ]
    for way in ways[1:5]:
        assert (way == ways[0]).all()
    for way in ways[5:]:
        assert way == pytest.approx(ways[0], abs=1e-7)


def test_levels_have_the_number_of_their_column_or_their_own(problem):
    X, y, _ = problem
    frame = pandas.DataFrame(
        {"a": X[:, 0], "colour": pandas.Categorical(np.where(X[:, 4] > 2, "red", "blue")), "b": X[:, 1]}
    )
    model = Lasso(alpha=0.01, lower=[-np.inf, -0.5, -np.inf], upper=[np.inf, 0.5, np.inf]).fit(frame, y)
    assert np.abs(model.coef_[1:3]).max() == 0.5
    one = Lasso(alpha=0.01, lower={"colour=blue": -0.125}, upper={"colour=red": 0.25}).fit(frame, y)
    assert one.coef_[1:3].tolist() == [-0.125, 0.25]


def test_paths_and_folds_have_them_too(problem):
    X, y, _ = problem
    ours, scaled = (
        LassoCV(penalty_factors=FACTORS, alphas=12, cv=4).fit(X, y),
        LassoCV(alphas=12, cv=4).fit(X / FACTORS, y),
    )
    assert ours.alphas_ == pytest.approx(scaled.alphas_, rel=1e-12) and ours.mse_path_ == pytest.approx(
        scaled.mse_path_, rel=1e-8
    )
    assert ours.alpha_ == pytest.approx(scaled.alpha_) and ours.coef_ == pytest.approx(scaled.coef_ / FACTORS, abs=1e-6)
    bounded = ElasticNetCV(upper={4: 1.0}, alphas=12, cv=4).fit(X, y)
    assert bounded.coef_[4] == 1.0 and bounded.certificate_.verify(X, y).verdict == "proved"
    assert bounded.coef_ == pytest.approx(ElasticNet(alpha=bounded.alpha_, upper={4: 1.0}).fit(X, y).coef_, abs=1e-9)
    alphas, coefs, _ = lasso_path(X, y, alphas=8, penalty_factors=FACTORS, upper=1.0)
    at = Lasso(alpha=alphas[-1], penalty_factors=FACTORS, upper=1.0, fit_intercept=False).fit(X, y)
    assert coefs[:, -1] == pytest.approx(at.coef_, abs=1e-6) and coefs.max() == 1.0


def test_several_targets_have_the_same_limits(problem):
    X, y, _ = problem
    Y = np.column_stack([y, X[:, 0] - y])
    for estimator in (Lasso(psi=2.0), Lasso(alpha=0.1, lower=-1.0, penalty_factors=FACTORS)):
        together = estimator.fit(X, Y).coef_
        assert together == pytest.approx(np.vstack([estimator.fit(X, target).coef_ for target in Y.T]), abs=1e-7)


def test_files_keep_them(problem, tmp_path):
    X, y, _ = problem
    for estimator in (
        Lasso(psi=2.0),
        ElasticNet(alpha=0.5, l1_ratio=0.0, psi=2.0),
        ElasticNet(l1_ratio=1.0, psi=2.0, positive=True),
        Lasso(alpha=0.5, penalty_factors={"x2": 2.5, "x5": 0.0}, lower={"x1": -0.5}, upper={"x3": 1e-3}),
    ):
        fitted = estimator.fit(X, y)
        fitted.save(tmp_path / "m.recta")
        again = type(estimator).load(tmp_path / "m.recta")
        assert (again.coef_ == fitted.coef_).all() and again.get_params() == fitted.get_params()
        assert again.certificate_.verify(X, y).verdict == "proved"
        assert (recta.load(tmp_path / "m.recta").predict(X) == fitted.predict(X)).all()
    Lasso(psi=2.0).fit(X, y).save(tmp_path / "psi.recta")
    with pytest.raises(ValueError, match=r"constrained form \(psi\).*Lasso.load reads it"):
        LassoCV.load(tmp_path / "psi.recta")


@pytest.mark.parametrize(
    "estimator, words",
    [
        (Lasso(alpha=2.0, psi=3.0), "so alpha is not used; leave it out, or give alpha alone"),
        (ElasticNet(alpha=2.0, l1_ratio=1.0, psi=3.0), "so alpha is not used"),
        (Lasso(psi=-1.0), "'psi' parameter of Lasso must be a float"),
        (Lasso(psi=float("nan")), "'psi' parameter of Lasso must be a float"),
        (Lasso(psi=1.0, upper=1.0), "bounds on single coefficients is not offered; positive=True is"),
        (Lasso(penalty_factors=[1.0, 2.0]), "there are 2 numbers and 5 columns"),
        (Lasso(penalty_factors={7: 1.0}), "there is no column 7; X has columns 0 to 4"),
        (Lasso(penalty_factors={"area": 1.0}), 'there is no feature "area"'),
        (Lasso(penalty_factors=[-1.0] * 5), "takes numbers from 0 to 1e.100. Got -1.0 of column 'x1'"),
        (Lasso(penalty_factors=np.full(5, np.nan)), "Got nan of column 'x1'"),
        (Lasso(lower=0.5), "takes numbers from -inf to 0. Got 0.5"),
        (Lasso(upper={2: -0.5}), "takes numbers from 0 to inf. Got -0.5 of column 'x3'"),
        (Lasso(upper="1"), "takes a number per column, or a dict"),
        (Lasso(upper=[[1.0] * 5]), "takes a number per column, or a dict"),
        (LassoCV(lower={"x1": "low"}), "Got 'low' of column 'x1'"),
    ],
    ids=repr,
)
def test_refusals_say_what_is_wrong(problem, estimator, words):
    with pytest.raises(ValueError, match=words):
        estimator.fit(*problem[:2])


def test_names_that_cannot_be_told_apart_are_refused(problem):
    X, y, _ = problem
    with pytest.raises(ValueError, match="2 columns have the name 'a', and numbers are given by name"):
        column_texts("Lasso", {"penalty_factors": [1.0, 2.0]}, ["a", "a"])
    with pytest.raises(ValueError, match="has a double quote in it"):
        Lasso(penalty_factors=FACTORS).fit(pandas.DataFrame(X, columns=['12"', "a", "b", "c", "d"]), y)


def test_kin_without_them_are_as_they_were(problem):
    assert "psi" not in GroupLasso().get_params() and "lower" not in GroupLasso().get_params()
    GroupLasso().fit(*problem[:2])
