"""Regressions with a loss of their own on the command line: fit, what is printed, and everything after."""

import json
import math

import numpy as np
import pytest
import sklearn.linear_model
from sklearn.metrics import d2_tweedie_score, mean_gamma_deviance, mean_poisson_deviance

WORDS = ["huber", "poisson", "gamma"]


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def table(tmp_path, word, n=300, p=4):
    rng = np.random.default_rng(len(word))
    X = rng.standard_normal((n, p)) + 1
    z = X @ np.linspace(-0.4, 0.5, p) + 0.3
    y = {
        "poisson": lambda: rng.poisson(np.exp(z)).astype(float),
        "gamma": lambda: rng.gamma(3, np.exp(z) / 3),
        "huber": lambda: z + rng.standard_t(2, n),
    }[word]()
    v = rng.integers(0, 4, n).astype(float)
    names = ",".join([f"x{j}" for j in range(p)] + ["y", "v"])
    np.savetxt(tmp_path / "t.csv", np.column_stack([X, y, v]), delimiter=",", header=names, comments="", fmt="%.17g")
    return X, y, v


def numbers(fit):
    return np.array([c["value"] for c in fit["coefficients"]["y"]] + [fit["intercept"]["y"]["value"]])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.3])
@pytest.mark.parametrize(
    "word, peer", [("poisson", sklearn.linear_model.PoissonRegressor), ("gamma", sklearn.linear_model.GammaRegressor)]
)
def test_the_answer_is_that_of_scikit_learn(run, tmp_path, word, peer, alpha, weighted):
    X, y, v = table(tmp_path, word)
    fit = document(
        run,
        "fit",
        word,
        "t.csv",
        "--target",
        "y",
        "--lambda",
        str(alpha),
        *(["--weights", "v"] if weighted else ["--ignore", "v"]),
    )
    theirs = peer(alpha=alpha, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(X, y, v if weighted else None)
    np.testing.assert_allclose(numbers(fit), np.r_[theirs.coef_, theirs.intercept_], rtol=1e-9, atol=1e-10)
    assert fit["certificate"]["verdict"] == "proved" and fit["certificate"]["claim"] == "duality_gap"
    assert fit["metrics"]["y"]["d2"] == pytest.approx(theirs.score(X, y, v if weighted else None), rel=1e-9)


@pytest.mark.parametrize("tau", [0.0, 5.0])
def test_huber_s_answer_is_better_than_scikit_learn_s_and_near_it(run, tmp_path, tau):
    X, y, _ = table(tmp_path, "huber")
    fit = document(run, "fit", "huber", "t.csv", "--target", "y", "--ignore", "v", "--tau", str(tau))
    theirs = sklearn.linear_model.HuberRegressor(alpha=tau, tol=1e-10, max_iter=10**5).fit(X, y)

    def objective(w, b, s):
        t = np.abs(y - X @ w - b) / s
        return s / 2 + s * np.where(t <= 1.35, t * t / 2, 1.35 * (t - 0.675)).mean() + tau / (2 * len(y)) * w @ w

    ours = numbers(fit)
    assert fit["certificate"]["objective"] == pytest.approx(
        objective(ours[:-1], ours[-1], fit["metrics"]["y"]["scale"]), rel=1e-13
    )
    assert fit["certificate"]["objective"] <= objective(theirs.coef_, theirs.intercept_, theirs.scale_)
    np.testing.assert_allclose(ours, np.r_[theirs.coef_, theirs.intercept_], atol=1e-4)
    assert fit["metrics"]["y"]["scale"] == pytest.approx(theirs.scale_, rel=1e-4)
    assert fit["certificate"]["verdict"] == "proved"


def test_a_given_bend_is_the_huber_t_of_statsmodels(run, tmp_path):
    statsmodels = pytest.importorskip("statsmodels.api")
    X, y, _ = table(tmp_path, "huber")
    fit = document(run, "fit", "huber", "t.csv", "--target", "y", "--ignore", "v", "--delta", "1.345")
    weights = np.ones(len(y))
    for _ in range(500):  # statsmodels' own weights at a scale of 1
        line = statsmodels.WLS(y, statsmodels.add_constant(X), weights=weights).fit()
        weights = statsmodels.robust.norms.HuberT(t=1.345).weights(y - line.fittedvalues)
    np.testing.assert_allclose(numbers(fit), np.r_[line.params[1:], line.params[0]], atol=1e-9)
    assert fit["metrics"]["y"]["scale"] is None


@pytest.mark.parametrize("word", WORDS)
def test_a_model_is_printed_saved_inspected_verified_evaluated_and_used(run, tmp_path, word):
    X, y, _ = table(tmp_path, word)
    done = run("fit", word, "t.csv", "--target", "y", "--ignore", "v", "-o", "m.recta")
    assert done.returncode == 0 and done.stdout.splitlines()[-1].startswith("Proved: ")
    assert ("scale" if word == "huber" else "D2") in done.stdout
    assert run("verify", "m.recta", "t.csv").stdout.startswith("Proved: ")
    assert run("verify", "m.recta", "t.csv", "--stream").stdout.startswith("Proved: ")
    fit = numbers(document(run, "inspect", "m.recta"))
    z = X @ fit[:-1] + fit[-1]
    predicted = np.array([float(line) for line in run("predict", "m.recta", "t.csv").stdout.splitlines()[1:]])
    np.testing.assert_allclose(predicted, z if word == "huber" else np.exp(z), rtol=1e-12)
    score = document(run, "eval", "m.recta", "t.csv")
    assert score["loss"] == word
    if word != "huber":
        deviance, power = {"poisson": (mean_poisson_deviance, 1), "gamma": (mean_gamma_deviance, 2)}[word]
        assert score["metrics"]["y"]["deviance"] == pytest.approx(deviance(y, predicted), rel=1e-12)
        assert score["metrics"]["y"]["mean_loss"] == pytest.approx(deviance(y, predicted) / 2, rel=1e-12)
        assert score["metrics"]["y"]["d2"] == pytest.approx(d2_tweedie_score(y, predicted, power=power), rel=1e-12)


@pytest.mark.parametrize("word", WORDS)
def test_a_streamed_fit_has_the_same_bytes(run, tmp_path, word):
    table(tmp_path, word, n=9000)
    for name, flags in (("a", []), ("b", ["--stream"]), ("c", ["--threads", "1"])):
        assert run("fit", word, "t.csv", "--target", "y", "--weights", "v", "-o", name, *flags).returncode == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()


def test_standard_input_is_held_and_refused_as_a_stream(run, tmp_path):
    table(tmp_path, "gamma")
    text = (tmp_path / "t.csv").read_text()
    piped = run("fit", "gamma", "-", "--target", "y", "-o", "a", stdin=text)
    assert piped.returncode == 0 and run("fit", "gamma", "t.csv", "--target", "y", "-o", "b").returncode == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    done = run("fit", "gamma", "-", "--target", "y", "--stream", stdin=text)
    assert done.returncode == 2
    assert "gamma reads the rows several times, and these can be read only once" in done.stderr
    assert "save the data to a file first" in done.stderr


def test_one_binary_column_gives_the_logarithms_of_the_means(run, tmp_path):
    (tmp_path / "t.csv").write_text("g,y\na,1\na,3\nb,7\nb,10\nb,4\n")
    for word in ("poisson", "gamma"):
        fit = document(run, "fit", word, "t.csv", "--target", "y", "--types", "g=category")
        assert fit["intercept"]["y"]["value"] == pytest.approx(math.log(2), abs=1e-14)
        assert fit["coefficients"]["y"][0]["value"] == pytest.approx(math.log(3.5), abs=1e-14)


def test_feature_maps_and_categories_work_as_for_linear(run, tmp_path):
    rng = np.random.default_rng(3)
    lines = [
        f"{x:.3f},{k},{rng.poisson(np.exp(0.5 + 0.2 * x * x + 0.3 * (k == 'b')))}"
        for x, k in zip(rng.uniform(-1, 1, 200), rng.choice(["a", "b"], 200))
    ]
    (tmp_path / "t.csv").write_text("x,k,y\n" + "\n".join(lines) + "\n")
    fit = document(run, "fit", "poisson", "t.csv", "--target", "y", "--feature", "x*x")
    assert [c["feature"] for c in fit["coefficients"]["y"]] == ["x", "k=b", "x*x"]
    assert fit["certificate"]["verdict"] == "proved"


@pytest.mark.parametrize("penalty", ["0", "0.05"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_quantiles_are_those_of_scikit_learn_to_the_last_digits(run, tmp_path, share, penalty):
    X, y, _ = table(tmp_path, "huber", n=401)
    fit = document(
        run,
        "fit",
        "quantile",
        "t.csv",
        "--target",
        "y",
        "--ignore",
        "v",
        "--quantile",
        str(share),
        "--lambda1",
        penalty,
    )
    theirs = sklearn.linear_model.QuantileRegressor(quantile=share, alpha=float(penalty)).fit(X, y)
    np.testing.assert_allclose(numbers(fit), np.r_[theirs.coef_, theirs.intercept_], rtol=1e-10, atol=1e-12)
    assert fit["certificate"]["verdict"] == "proved"
    r = y - X @ numbers(fit)[:-1] - numbers(fit)[-1]
    assert fit["certificate"]["objective"] == pytest.approx(
        np.maximum(share * r, (share - 1) * r).mean() + float(penalty) * np.abs(numbers(fit)[:-1]).sum(), rel=1e-13
    )
    if penalty == "0":  # a vertex: as many rows as coefficients are met exactly
        assert np.sum(np.abs(r) < 1e-12) == 5


def test_the_median_of_numbers_is_a_number_of_them(run, tmp_path):
    (tmp_path / "t.csv").write_text(
        "x,y\n" + "".join(f"{k % 2},{y}\n" for k, y in enumerate([3, 8, 1, 8, 100, 9, 2, 7, 5, 8]))
    )
    fit = document(run, "fit", "quantile", "t.csv", "--target", "y")  # medians of 3 1 100 2 5 and of 8 8 9 7 8
    assert fit["intercept"]["y"]["value"] == 3 and fit["coefficients"]["y"][0]["value"] == 5
    assert fit["certificate"]["verdict"] == "proved"


@pytest.mark.parametrize("epsilon", ["0", "0.4"])
def test_a_tube_is_optimal_beside_a_linear_program(run, tmp_path, epsilon):
    from scipy.optimize import linprog

    X, y, _ = table(tmp_path, "huber", n=150)
    fit = document(run, "fit", "epsilon-insensitive", "t.csv", "--target", "y", "--ignore", "v", "--epsilon", epsilon)
    n, p = X.shape
    A = np.column_stack([X, np.ones(n)])
    best = linprog(
        np.r_[np.zeros(p + 1), np.full(n, 1 / n)],
        A_ub=np.block([[-A, -np.eye(n)], [A, -np.eye(n)]]),
        b_ub=np.r_[-y + float(epsilon), y + float(epsilon)],
        bounds=[(None, None)] * (p + 1) + [(0, None)] * n,
    )
    assert fit["certificate"]["objective"] == pytest.approx(best.fun, rel=1e-9)
    assert fit["certificate"]["verdict"] == "proved"


@pytest.mark.parametrize("word", ["quantile", "epsilon-insensitive"])
def test_losses_of_straight_lines_are_saved_verified_evaluated_and_streamed(run, tmp_path, word):
    X, y, _ = table(tmp_path, "huber", n=9000)
    for name, flags in (("a", []), ("b", ["--stream"]), ("c", ["--threads", "1"])):
        assert run("fit", word, "t.csv", "--target", "y", "--weights", "v", "-o", name, *flags).returncode == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()
    assert run("verify", "a", "t.csv").stdout.startswith("Proved: ")
    assert document(run, "eval", "a", "t.csv")["loss"] == word
    done = run("fit", word, "-", "--target", "y", "--stream", stdin=(tmp_path / "t.csv").read_text())
    assert done.returncode == 2 and "reads the rows several times" in done.stderr


def test_huber_meets_most_rows_exactly_where_the_rest_are_outliers(run, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2)).round(3)
    y = (1 + 2 * X[:, 0] - X[:, 1]).round(3)
    y[:10] += (rng.normal(size=10) * 50).round(2)
    np.savetxt(tmp_path / "t.csv", np.c_[X, y], delimiter=",", header="a,b,y", comments="", fmt="%.17g")
    fit = document(run, "fit", "huber", "t.csv", "--target", "y", "-o", "m.recta")
    assert fit["certificate"]["verdict"] == "proved" and fit["metrics"]["y"]["scale"] == 0
    np.testing.assert_allclose(numbers(fit), [2, -1, 1], atol=1e-12)
    # The absolute error, in units of epsilon, as a linear program has it.
    median = document(run, "fit", "quantile", "t.csv", "--target", "y")["certificate"]["objective"]
    assert fit["certificate"]["objective"] == pytest.approx(2 * 1.35 * median, rel=1e-12)
    assert run("verify", "m.recta", "t.csv").returncode == 0


def test_a_model_without_a_descent_is_not_refused_for_its_flags(run):
    done = run("trace", "quantile", "housing", "--steps", "5")
    assert done.returncode == 2 and "quantile is not solved by a descent" in done.stderr
