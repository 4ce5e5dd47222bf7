"""Standard errors, intervals, diagnosis and comparisons, beside statsmodels."""

import numpy as np
import pandas
import polars
import pytest
import scipy.sparse
import statsmodels.api as sm
from scipy.stats import chi2
from statsmodels.stats.diagnostic import het_breuschpagan
from statsmodels.stats.outliers_influence import OLSInfluence, variance_inflation_factor
from statsmodels.stats.stattools import durbin_watson, jarque_bera, omni_normtest

import recta
from recta.linear_model import ElasticNet, LinearRegression, Ridge

RNG = np.random.default_rng(11)
N = 80
X = RNG.normal(size=(N, 4)) * [1.0, 10.0, 0.1, 1.0] + [0.0, 3.0, 0.0, -5.0]
X[:, 3] += 0.97 * X[:, 0]
Y = X @ [1.0, -0.2, 3.0, 0.5] + 2.0 + RNG.normal(size=N) * (1 + np.abs(X[:, 0]))
WEIGHTS = RNG.uniform(0.5, 2.0, size=N)
GROUPS = RNG.integers(0, 9, size=N)


def theirs(weights=None, constant=True, **options):
    design = sm.add_constant(X) if constant else X
    return sm.WLS(Y, design, weights=1.0 if weights is None else weights).fit(**options)


def close(found, sought, digits=1e-9):
    np.testing.assert_allclose(np.asarray(found, dtype=float), np.asarray(sought, dtype=float), rtol=digits, atol=1e-12)


def columns(summary, target=0):
    return np.array([row[1:] for row in summary.rows(target)])


def same_table(summary, results):
    close(
        columns(summary),
        np.column_stack([results.params, results.bse, results.tvalues, results.pvalues, results.conf_int()]),
    )


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_the_summary_is_that_of_statsmodels(weights, constant):
    model = LinearRegression(fit_intercept=constant).fit(X, Y, weights)
    results = theirs(weights, constant)
    same_table(model.summary(), results)
    quality, likelihood = model.summary().quality(), results.llf
    if weights is not None:  # they state the variances here; statsmodels estimates a scale beside them
        likelihood = -0.5 * (np.log(2 * np.pi / weights) + weights * results.resid**2).sum()
    sought = {
        "r2": results.rsquared,
        "adjusted_r2": results.rsquared_adj,
        "f": results.fvalue,
        "f_p_value": results.f_pvalue,
        "log_likelihood": likelihood,
        "aic": results.aic + 2 * (results.llf - likelihood),
        "bic": results.bic + 2 * (results.llf - likelihood),
        "parameters": 4 + constant,
    }
    close([quality[name] for name in sought], list(sought.values()))
    words = str(model.summary())
    for word in (
        "coefficient",
        "std. error",
        "  t  ",
        "  p  ",
        "95 % from",
        "r2",
        "adjusted r2",
        "p of F",
        "log-likelihood",
        "AIC",
        "BIC",
        "80 rows",
        f"{76 - constant} degrees of freedom",
    ):
        assert word in words, word
    assert ("of the variances 1/weight that the weights state" in words) == (weights is not None)


@pytest.mark.parametrize("errors", ["HC0", "HC1", "HC2", "HC3"])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_errors_without_equal_variances_are_those_of_statsmodels(errors, weights):
    model = LinearRegression().fit(X, Y, weights)
    before = columns(model.summary())
    summary = model.summary(X, Y, weights, errors=errors)
    same_table(summary, theirs(weights, cov_type=errors, use_t=True))
    assert summary.errors == errors and f"{errors.lower()}, a variance of its own for each row" in str(summary)
    np.testing.assert_array_equal(columns(model.summary()), before)
    np.testing.assert_array_equal(columns(model.summary(X, Y, weights, errors=errors.lower())), columns(summary))


@pytest.mark.parametrize("cluster", [GROUPS, [f"group {k}" for k in GROUPS], GROUPS * 0.5])
def test_errors_by_cluster_are_those_of_statsmodels(cluster):
    summary = LinearRegression().fit(X, Y).summary(X, Y, cluster=cluster)
    same_table(summary, theirs(cov_type="cluster", cov_kwds={"groups": GROUPS}, use_t=True))
    assert summary.errors == "cluster" and "9 clusters" in str(summary)


def test_errors_of_frames_with_categories_are_those_of_their_levels():
    frame = pandas.DataFrame(X, columns=list("abcd")).assign(g=pandas.Categorical(np.where(GROUPS < 4, "low", "high")))
    model = LinearRegression().fit(frame, Y, WEIGHTS)
    level = (GROUPS < 4).astype(float) if "low" in model.summary().rows()[-1][0] else (GROUPS >= 4).astype(float)
    design = sm.add_constant(np.column_stack([X, level]))
    for given, asked in (
        ({"cov_type": "HC3"}, {"errors": "HC3"}),
        ({"cov_type": "cluster", "cov_kwds": {"groups": GROUPS}}, {"cluster": GROUPS}),
    ):
        results = sm.WLS(Y, design, weights=WEIGHTS).fit(use_t=True, **given)
        found = columns(model.summary(frame, Y, WEIGHTS, **asked))
        close(
            found[1:, 1] if len(found) == 6 else found[:, 1], results.bse[1:] if len(found) == 6 else results.bse, 1e-8
        )


def test_with_the_rows_the_summary_has_the_tests_of_the_residuals():
    summary, results = LinearRegression().fit(X, Y).summary(X, Y), theirs()
    tests = summary.tests()
    close(tests["jarque-bera"], jarque_bera(results.resid)[:2])
    close(tests["omnibus"], omni_normtest(results.resid))
    close(tests["breusch-pagan"], het_breuschpagan(results.resid, sm.add_constant(X))[:2])
    close(tests["durbin-watson"][0], durbin_watson(results.resid))
    for word in ("durbin-watson", "omnibus", "jarque-bera", "skewness", "kurtosis"):
        assert word in str(summary) and word not in str(LinearRegression().fit(X, Y).summary())


def test_a_summary_of_several_targets_has_each():
    both = np.column_stack([Y, X[:, 1] - Y])
    summary = LinearRegression().fit(X, both).summary(X, both, errors="HC1")
    for k in range(2):
        sought = sm.OLS(both[:, k], sm.add_constant(X)).fit(cov_type="HC1", use_t=True)
        close(columns(summary, k)[:, 1], sought.bse)
    assert str(summary).count("target y1\n") == str(summary).count("target y2\n") == 1


@pytest.mark.parametrize(
    "given, said",
    [
        ({"errors": "HC3"}, "summary\\(X, y, errors='HC3'\\)"),
        ({"errors": "HC9"}, "errors must be one of"),
        ({"errors": 3}, "errors must be"),
        ({"cluster": GROUPS}, "summary\\(X, y, cluster"),
        ({"X": X, "y": Y, "errors": "HC0", "cluster": GROUPS}, "exclude one another"),
        ({"X": X, "y": Y, "cluster": GROUPS[1:]}, "one value per row"),
        ({"X": X, "y": Y, "cluster": [None, *GROUPS[1:]]}, "missing at row 1"),
        ({"X": X, "y": Y, "cluster": [*GROUPS[1:], np.nan]}, "missing at row 80"),
        ({"X": X}, "X and y as fit had them"),
        ({"X": X, "y": Y[::-1], "errors": "HC0"}, "not the training data"),
        ({"X": X[:50], "y": Y[:50], "cluster": GROUPS[:50]}, "not the training data"),
    ],
)
def test_what_a_summary_cannot_do_is_refused(given, said):
    with pytest.raises(ValueError, match=said):
        LinearRegression().fit(X, Y).summary(**given)


@pytest.mark.parametrize(
    "given",
    [
        np.asarray,
        scipy.sparse.csr_array,
        scipy.sparse.csc_array,
        lambda x: pandas.DataFrame(x, columns=list("abcd")),
        lambda x: polars.DataFrame(x, schema=list("abcd")),
    ],
)
def test_intervals_are_those_of_statsmodels(given):
    model = LinearRegression().fit(given(X), Y)
    new = RNG.normal(size=(7, 4))
    for level in (0.8, 0.95):
        frame = theirs().get_prediction(sm.add_constant(new, has_constant="add")).summary_frame(alpha=1 - level)
        close(np.array(model.prediction_interval(given(new), level)).T, frame[["obs_ci_lower", "obs_ci_upper"]])
        close(
            np.array(model.prediction_interval(given(new), level, of="mean")).T,
            frame[["mean_ci_lower", "mean_ci_upper"]],
        )


def test_intervals_of_several_targets_and_of_a_file(tmp_path):
    both = np.column_stack([Y, 2 * Y])
    lower, upper = LinearRegression().fit(X, both).prediction_interval(X[:5])
    assert lower.shape == upper.shape == (5, 2)
    close(upper[:, 1] - lower[:, 1], 2 * (upper[:, 0] - lower[:, 0]))
    LinearRegression().fit(X, Y).save(tmp_path / "m.recta")
    close(recta.load(tmp_path / "m.recta").prediction_interval(X[:5]), (lower[:, 0], upper[:, 0]))


def test_intervals_of_many_features_are_kept_when_asked_for():
    wide = RNG.normal(size=(300, 120))
    y = wide[:, 0] + RNG.normal(size=300)
    with pytest.raises(ValueError, match="intervals=True"):
        LinearRegression().fit(wide, y).prediction_interval(wide)
    lower, upper = LinearRegression(intervals=True).fit(wide, y).prediction_interval(wide[:3])
    frame = sm.OLS(y, sm.add_constant(wide)).fit().get_prediction(sm.add_constant(wide)[:3]).summary_frame(alpha=0.05)
    close(np.array([lower, upper]).T, frame[["obs_ci_lower", "obs_ci_upper"]])


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda m: m.prediction_interval(X, 1.5), "between 0 and 1"),
        (lambda m: m.prediction_interval(X, of="all"), "'observation' or 'mean'"),
        (lambda m: m.prediction_interval(X[:, :2]), "2 features"),
        (lambda m: m.prediction_interval(np.full((1, 4), np.nan)), "NaN"),
    ],
)
def test_intervals_refuse_what_predict_refuses(call, said):
    with pytest.raises(ValueError, match=said):
        call(LinearRegression().fit(X, Y))


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_figures_of_rows_are_those_of_statsmodels(weights):
    found = recta.diagnose(X, Y, weights)
    rooted = np.sqrt(np.ones(N) if weights is None else weights)
    influence = OLSInfluence(sm.OLS(rooted * Y, rooted[:, None] * sm.add_constant(X)).fit())
    close(found.leverage, influence.hat_matrix_diag)
    close(found.cooks_distance, influence.cooks_distance[0], 1e-8)
    close(found.standardised, influence.resid_studentized_internal)
    close(found.studentised, influence.resid_studentized_external)
    close(found.dffits, influence.dffits[0], 1e-8)
    close(found.deleted * rooted, influence.resid_press)
    close(found.press, (influence.resid_press**2).sum())
    np.testing.assert_array_equal(found.most_influential[:5], np.argsort(-found.cooks_distance)[:5])
    frame = found.frame()
    assert list(frame.index) == list(range(N)) and frame.leverage.to_numpy().tolist() == found.leverage.tolist()


def test_figures_of_columns_are_those_written_out():
    found = recta.diagnose(X, Y)
    design = sm.add_constant(X)
    close(found.vif, [variance_inflation_factor(design, j) for j in range(1, 5)])
    scaled = design / np.linalg.norm(design, axis=0)
    _, singular, right = np.linalg.svd(scaled)
    close(found.condition_indices, singular[0] / singular, 1e-8)
    parts = (right / singular[:, None]) ** 2
    close(found.variance_proportions, parts / parts.sum(axis=0), 1e-7)
    assert found.columns[1:] == ["x1", "x2", "x3", "x4"]
    close(found.variance_proportions.sum(axis=0), np.ones(5))


def test_near_dependencies_are_named_and_cured():
    mixed = np.column_stack([X, X[:, 0] - X[:, 1] + 1e-4 * RNG.normal(size=N)])
    found = recta.diagnose(mixed, Y)
    text = str(found)
    assert any("x1, x2, x5 nearly depend on one another" in line for line in found.findings)
    assert (
        "Ridge(condition=(10, 1000))" in text and "VarianceInflationThreshold(max_vif=10)" in text and "--" not in text
    )
    assert found.dependencies and "x1" in found.dependencies[0]


def test_rows_of_no_weight_are_left_out_and_numbered_as_given():
    weights = np.ones(N)
    weights[[0, 7]] = 0
    found = recta.diagnose(X, Y, weights)
    kept = np.flatnonzero(weights)
    np.testing.assert_array_equal(found.index, kept)
    close(found.leverage, recta.diagnose(X[kept], Y[kept]).leverage)


def test_a_fitted_model_is_diagnosed_on_its_own_rows(tmp_path):
    model = Ridge(alpha=3.0).fit(X, Y)
    found = recta.diagnose(X, Y, model=model)
    centred = X - X.mean(axis=0)
    hat = centred @ np.linalg.solve(centred.T @ centred + 3 * np.eye(4), centred.T) + 1 / N
    close(found.leverage, np.diag(hat))
    model.save(tmp_path / "m.recta")
    assert str(recta.diagnose(X, Y, model=recta.load(tmp_path / "m.recta"))) == str(found)
    with pytest.raises(recta.DataError):
        recta.diagnose(X, Y[::-1], model=model)
    with pytest.raises(recta.UsageError, match="score\\(X, y\\) measures"):
        recta.diagnose(X, Y, model=ElasticNet().fit(X, Y))
    with pytest.raises(recta.UsageError, match="not a fitted model"):
        recta.diagnose(X, Y, model=Ridge())


def test_several_targets_have_a_diagnosis_each():
    found = recta.diagnose(X, np.column_stack([Y, X[:, 0] ** 2]))
    close(found.targets[0].cooks_distance, recta.diagnose(X, Y).cooks_distance)
    with pytest.raises(AttributeError, match="there are 2 targets"):
        found.leverage
    with pytest.raises(recta.UsageError, match="2 targets"):
        found.frame()
    assert "most influential rows for y2" in str(found)


def test_frames_are_diagnosed_with_their_names():
    frame = pandas.DataFrame(X, columns=list("abcd"))
    assert recta.diagnose(frame, Y).columns[1:] == list("abcd")
    with_levels = frame.assign(g=pandas.Categorical(GROUPS.astype(str)))
    assert len(recta.diagnose(with_levels, Y).vif) == 12


@pytest.mark.parametrize("kept", [[0, 1], [0, 2, 3], [3, 1]])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_comparisons_are_those_of_statsmodels(kept, weights):
    small, large = LinearRegression().fit(X[:, kept], Y, weights), LinearRegression().fit(X, Y, weights)
    found = recta.compare(small, large, X, Y, weights, columns=kept)
    few = sm.WLS(Y, sm.add_constant(X[:, kept]), weights=1.0 if weights is None else weights).fit()
    many = theirs(weights)
    close([found.f, found.f_p_value, found.added], many.compare_f_test(few), 1e-8)
    if weights is None:
        close([found.likelihood_ratio, found.likelihood_ratio_p_value], many.compare_lr_test(few)[:2], 1e-8)
        close([found.small.aic, found.small.bic, found.large.aic], [few.aic, few.bic, many.aic])
    else:  # of variances that are known
        ratio = (weights * (few.resid**2 - many.resid**2)).sum()
        close([found.likelihood_ratio, found.likelihood_ratio_p_value], [ratio, chi2.sf(ratio, 4 - len(kept))], 1e-8)
    assert found.features == [f"x{j + 1}" for j in range(4) if j not in kept]


def test_frames_are_compared_by_their_names():
    frame = pandas.DataFrame(X, columns=list("abcd"))
    small, large = LinearRegression().fit(frame[["d", "b"]], Y), LinearRegression().fit(frame, Y)
    found = recta.compare(small, large, frame, Y)
    assert found.features == ["a", "c"]
    close(found.f, recta.compare(small, large).f)
    close(found.f, theirs().compare_f_test(sm.OLS(Y, sm.add_constant(X[:, [3, 1]])).fit())[0])
    levels = frame.assign(g=pandas.Categorical(np.where(GROUPS < 4, "low", "high")))
    assert len(recta.compare(large, LinearRegression().fit(levels, Y), levels, Y).features) == 1
    assert "x1" not in str(found) and "Mallows' Cp" in str(found)


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda s, m: recta.compare(s, m), "without names"),
        (lambda s, m: recta.compare(s, m, X, Y, columns=[2, 3]), "trained on"),
        (lambda s, m: recta.compare(s, m, X, Y[::-1]), "trained on"),
        (lambda s, m: recta.compare(m, m, X, Y), "adds nothing"),
        (lambda s, m: recta.compare(s, Ridge().fit(X, Y), X, Y), "model ridge"),
        (lambda s, m: recta.compare(s, "m", X, Y), "not a fitted model"),
    ],
)
def test_what_cannot_be_compared_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call(LinearRegression().fit(X[:, :2], Y), LinearRegression().fit(X, Y))
