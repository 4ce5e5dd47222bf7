"""Displays: what they draw is what was computed."""

import subprocess
import sys

import numpy as np
import pytest

import recta
from recta.linear_model import (
    ElasticNet,
    ElasticNetCV,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeCV,
)

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot  # noqa: E402

from recta.plot import CostDisplay, FittedCurveDisplay, LossDisplay, PathDisplay, PredictionErrorDisplay, TraceDisplay  # noqa: E402

X = np.array([[0.0], [1.0], [2.0], [3.0]])
y = np.array([0.0, 2.0, 1.0, 3.0])


@pytest.fixture(autouse=True)
def _closed():
    yield
    matplotlib.pyplot.close("all")


def test_residuals_stand_against_predictions(housing):
    X, y = housing
    model = LinearRegression().fit(X, y)
    display = PredictionErrorDisplay.from_estimator(model, X, y)
    drawn = np.asarray(display.scatter_.get_offsets())
    assert np.array_equal(drawn[:, 0], model.predict(X)) and np.array_equal(drawn[:, 1], y - model.predict(X))
    assert display.line_.get_ydata().tolist() == [0, 0]
    other = PredictionErrorDisplay.from_predictions(y, model.predict(X), kind="actual_vs_predicted", ax=display.ax_)
    assert other.ax_ is display.ax_
    assert np.array_equal(np.asarray(other.scatter_.get_offsets())[:, 1], y)


def test_the_display_takes_scikit_learn_s_arguments_and_estimators(housing):
    sklearn_display = pytest.importorskip("sklearn.metrics").PredictionErrorDisplay
    X, y = housing
    model = pytest.importorskip("sklearn.linear_model").LinearRegression().fit(X, y)
    ours = PredictionErrorDisplay.from_estimator(model, X, y, kind="residual_vs_predicted")
    theirs = sklearn_display.from_estimator(model, X, y, kind="residual_vs_predicted", subsample=None)
    assert np.array_equal(ours.scatter_.get_offsets(), theirs.scatter_.get_offsets())


def test_bands_are_those_of_the_textbook():
    display = FittedCurveDisplay.from_estimator(LinearRegression().fit(X, y), X, y)
    t, at = 4.302652729911275, display.curve_x
    v = 1 / 4 + (at - 1.5) ** 2 / 5
    assert np.allclose(display.curve_y, 0.3 + 0.8 * at, rtol=1e-13)
    assert np.allclose(display.mean_width, t * np.sqrt(0.9 * v), rtol=1e-10)
    assert np.allclose(display.row_width, t * np.sqrt(0.9 * (1 + v)), rtol=1e-10)
    assert len(display.bands_) == 2


def test_weights_without_an_intercept_and_a_penalty_change_the_bands():
    weights = np.array([1.0, 2.0, 1.0, 3.0])
    model = LinearRegression().fit(X, y, sample_weight=weights)
    display = FittedCurveDisplay.from_estimator(model, X, y, sample_weight=weights)
    # The intercept's own standard error is the band's width at x = 0.
    name, value, *_, upper = model.summary().rows()[0]
    assert name == "intercept" and display.mean_width[0] == pytest.approx(upper - value, rel=1e-10)
    through = FittedCurveDisplay.from_estimator(LinearRegression(fit_intercept=False).fit(X, y), X, y)
    assert through.mean_width[0] == 0
    assert FittedCurveDisplay.from_estimator(Ridge().fit(X, y), X, y).bands_ == []


def test_the_curve_of_a_frame_keeps_its_name():
    frame = pytest.importorskip("pandas").DataFrame({"rooms": X[:, 0]})
    display = FittedCurveDisplay.from_estimator(LinearRegression().fit(frame, y), frame, y)
    assert len(display.curve_x) == 201


def test_a_path_has_one_line_a_feature_and_names_the_largest():
    alphas, coefs = [1.0, 0.1, 0.01], np.array([[0.0, 0.0, 0.5], [0.0, -1.0, -3.0], [0.0, 1.0, 2.0]])
    display = PathDisplay(alphas, coefs, feature_names=["a", "b", "c"]).plot(named=2)
    assert [line.get_ydata().tolist() for line in display.lines_] == coefs.tolist()
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["b", "c"]
    assert display.ax_.get_xscale() == "log" and display.ax_.xaxis_inverted()


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: PredictionErrorDisplay(y_true=[], y_pred=[]), "y_true is empty"),
        (lambda: PredictionErrorDisplay(y_true=[1.0], y_pred=[1.0, 2.0]), "y_true has 1 values and y_pred has 2"),
        (lambda: PredictionErrorDisplay(y_true=np.ones((3, 2)), y_pred=np.ones(3)), "one target"),
        (lambda: PredictionErrorDisplay.from_predictions([1.0], [1.0], kind="pie"), "kind='pie'"),
        (
            lambda: FittedCurveDisplay.from_estimator(None, np.ones((3, 2)), np.ones(3)),
            "a curve is that of one feature",
        ),
        (lambda: PathDisplay([1.0, 2.0], np.ones((3, 3))), "a row per feature and 2 columns"),
        (lambda: PathDisplay([1.0], np.ones((3, 1)), feature_names=["a"]), "1 names were given for 3 features"),
    ],
)
def test_mistakes_are_named(make, said):
    with pytest.raises(ValueError, match=said):
        make()


def test_without_matplotlib_the_cure_is_named():
    code = (
        "import sys; sys.modules['matplotlib'] = None; import recta.plot as p\n"
        "try: p.PathDisplay([1.0], [[2.0]]).plot()\nexcept ImportError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "recta.plot draws with matplotlib, which is not installed: pip install matplotlib\n"


@pytest.mark.parametrize(
    "model", [LinearRegression(), Ridge(alpha=40.0), Lasso(alpha=2.0), ElasticNet(alpha=1.0, l1_ratio=0.3)]
)
def test_the_cost_touches_its_ball_at_the_weights(housing, model):
    X, y = housing
    X = X[:, [5, 12]]
    model.fit(X, y)
    display = CostDisplay.from_estimator(model, X, y)
    if display.ball is None:
        assert np.allclose(display.centre, model.coef_, rtol=1e-9)
        return
    # On the edge of the ball no point costs less than the model's own.
    angle = np.linspace(0, 2 * np.pi, 100001)
    edge = np.column_stack([np.cos(angle), np.sin(angle)])
    edge *= display.radius / np.linalg.norm(edge, ord=1 if display.ball == "diamond" else 2, axis=1)[:, None]

    def cost(w):
        away = w - display.centre
        return display.least + np.einsum("...i,ij,...j", away, display.hessian, away) / 2

    assert cost(model.coef_) <= cost(edge).min() * (1 + 1e-9)
    residual = y - X @ model.coef_ - model.intercept_
    squares = 0.7 * model.coef_ @ model.coef_ / 2 if type(model) is ElasticNet else 0
    assert cost(model.coef_) == pytest.approx(residual @ residual / (2 * len(y)) + squares, rel=1e-9)
    assert display.ball_ is not None and display.path_ is None


def test_a_trace_is_drawn_step_by_step_and_over_its_cost(housing):
    X, y = housing
    X = (X[:, [5, 12]] - X[:, [5, 12]].mean(axis=0)) / X[:, [5, 12]].std(axis=0)
    found = recta.trace("linear", X, y, rate=1.0, steps=30, every=10)
    display = TraceDisplay.from_trace(found, optimum=0.0)
    assert display.line_.get_xdata().tolist() == [0, 10, 20, 30]
    assert np.array_equal(display.line_.get_ydata(), found.cost)
    over = CostDisplay.from_estimator(LinearRegression().fit(X, y), X, y, path=found.coef)
    assert np.array_equal(np.column_stack(over.path_.get_data()), found.coef)


def test_displays_of_costs_refuse_what_is_no_plane():
    three = np.hstack([X, X**2, X**3])
    with pytest.raises(ValueError, match="two columns, or one with fit_intercept=True"):
        CostDisplay.from_estimator(LinearRegression().fit(three, y), three, y)
    with pytest.raises(ValueError, match="two columns, or one with fit_intercept=True"):
        CostDisplay.from_estimator(LinearRegression(fit_intercept=False).fit(X, y), X, y)
    with pytest.raises(ValueError, match="cost of HuberRegressor is not made of squares"):
        CostDisplay.from_estimator(HuberRegressor().fit(np.hstack([X, X**2]), y), np.hstack([X, X**2]), y)
    with pytest.raises(ValueError, match="'disc' or 'diamond'"):
        CostDisplay(hessian=np.eye(2), centre=[0, 0], ball="cube")
    with pytest.raises(ValueError, match="3 steps were given for 2 costs"):
        TraceDisplay([2.0, 1.0], step=[0, 1, 2])


def test_a_curve_of_probabilities_has_both_fits():
    from recta.linear_model import LogisticRegression
    from recta.plot import ProbabilityCurveDisplay

    X, y = np.array([[0.0]] * 4 + [[2.0]] * 4), np.array(["no", "no", "no", "yes", "no", "yes", "yes", "yes"])
    model = LogisticRegression(C=np.inf).fit(X, y)
    display = ProbabilityCurveDisplay.from_estimator(model, X, y, points=3)
    np.testing.assert_allclose(display.probability, [0.25, 0.5, 0.75], atol=1e-9)
    np.testing.assert_allclose(display.line, [0.25, 0.5, 0.75], atol=1e-12)
    assert display.ax_.get_ylabel() == "probability of yes" and len(display.scatter_.get_offsets()) == 8
    weighted = ProbabilityCurveDisplay.from_estimator(model, X, y, sample_weight=[1, 1, 1, 9, 1, 1, 1, 1], points=2)
    np.testing.assert_allclose(weighted.line, [0.75, 0.75], atol=1e-12)
    with pytest.raises(ValueError, match="one feature"):
        ProbabilityCurveDisplay.from_estimator(model, np.hstack([X, X]), y)


def test_the_cost_of_classes_has_the_ways_of_solvers():
    import matplotlib.pyplot as pyplot

    from recta.linear_model import LogisticRegression

    pyplot.close("all")
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 2))
    y = np.where(X[:, 0] - X[:, 1] + rng.logistic(size=60) > 0, "yes", "no")
    for intercept in (True, False):
        model = LogisticRegression(C=2.0, fit_intercept=intercept).fit(X, y)
        paths = {
            solver: recta.trace("logistic", X, y, solver=solver, steps=9, fit_intercept=intercept).coef
            for solver in ("sgd", "accelerated", "newton")
        }
        display = CostDisplay.from_estimator(model, X, y, path=paths)
        assert [line.get_label() for line in display.paths_] == ["sgd", "accelerated", "newton"]
        assert np.array_equal(np.column_stack(display.paths_[1].get_data()), paths["accelerated"])
        at = np.array(model.coef_[0])
        assert display.cost(*at) == pytest.approx(model.certificate_.objective, abs=1e-12)  # least at the answer
        for step in ([0.1, 0.0], [0.0, -0.1], [-0.2, 0.3]):
            assert display.cost(*(at + step)) > model.certificate_.objective
    with pytest.raises(ValueError, match="hessian or cost"):
        CostDisplay(centre=[0, 0])


def test_training_curves_and_histograms_have_the_shares():
    from recta.linear_model import LogisticRegression
    from recta.plot import ProbabilityHistogramDisplay, TrainingCurveDisplay

    rows, labels = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]
    for word in ("perceptron", "delta"):
        found = recta.trace(word, rows, labels, order="cyclic", passes=5)
        display = TrainingCurveDisplay.from_trace(found)
        assert np.array_equal(display.right_.get_xdata(), found.rows) and np.array_equal(
            display.right_.get_ydata(), found.correct / 4
        )
        assert (display.mistakes_ is None) == (word == "delta")
    with pytest.raises(ValueError, match="not a classifier's"):
        TrainingCurveDisplay.from_trace(recta.trace("linear", rows, labels, steps=2))
    each = recta.trace("perceptron", rows, ["a", "b", "b", "c"], passes=5)
    assert TrainingCurveDisplay.from_trace(each["b"]).ax_.get_title() == "b against the rest"
    with pytest.raises(ValueError, match="draw one, of \\['a', 'b', 'c'\\]"):
        TrainingCurveDisplay.from_trace(each)
    data, species = recta.datasets.load("iris", return_X_y=True)
    model = LogisticRegression().fit(data, species)
    display = ProbabilityHistogramDisplay.from_estimator(model, data, species, bins=10)
    np.testing.assert_allclose(display.heights_.sum(axis=1), 1)
    own = model.predict_proba(data)[np.arange(150), np.searchsorted(model.classes_, species)]
    assert display.heights_[0][9] == np.mean(own[np.asarray(species) == model.classes_[0]] >= 0.9)
    with pytest.raises(ValueError, match="no row of y"):
        ProbabilityHistogramDisplay.from_estimator(model, data, np.full(150, "other"))


@pytest.mark.parametrize("weights", [None, np.array([1.0, 2.0, 1.0, 3.0])])
def test_the_cost_of_one_feature_is_over_its_intercept_and_weight(weights):
    way = np.array([[0.0, 0.0], [0.2, 0.5]])
    display = CostDisplay.from_estimator(LinearRegression().fit(X, y, weights), X, y, sample_weight=weights, path=way)
    slope, intercept = np.polyfit(X[:, 0], y, 1, w=None if weights is None else np.sqrt(weights))
    assert display.centre == pytest.approx([intercept, slope], rel=1e-10) and display.ball is None
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("intercept", "weight of w1")
    assert np.array_equal(np.column_stack(display.path_.get_data()), way)

    def half(b, w):
        return np.average((y - b - w * X[:, 0]) ** 2, weights=weights) / 2

    for b, w in ((0.0, 0.0), (1.0, -2.0), (intercept, slope)):
        away = np.array([b, w]) - display.centre
        assert display.least + away @ display.hessian @ away / 2 == pytest.approx(half(b, w), rel=1e-12)
    plain = CostDisplay.from_estimator(Ridge(alpha=5.0).fit(X, y, weights), X, y, sample_weight=weights)
    assert (
        plain.centre == pytest.approx(display.centre, rel=1e-10) and plain.ball is None
    )  # no disc is around an intercept


def test_the_logistic_cost_of_one_feature_is_least_at_the_model():
    frame = pytest.importorskip("pandas").DataFrame({"hours": np.arange(8.0)})
    model = LogisticRegression(C=2.0).fit(frame, [0, 0, 1, 0, 1, 0, 1, 1])
    display = CostDisplay.from_estimator(model, frame, [0, 0, 1, 0, 1, 0, 1, 1])
    assert display.centre.tolist() == [*model.intercept_, *model.coef_[0]]
    assert float(display.cost(*display.centre)) == pytest.approx(model.certificate_.objective, rel=1e-12)
    around = display.centre[:, None] + 1e-3 * np.array([np.cos(np.arange(6)), np.sin(np.arange(6))])
    assert (display.cost(*around) > model.certificate_.objective).all()
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("intercept", "weight of hours")


@pytest.mark.parametrize("limits", [{"positive": True}, {"penalty_factors": [1.0, 2.0]}, {"upper": 0.1}])
def test_limits_that_make_no_diamond_draw_none(housing, limits):
    X, y = housing[0][:, [5, 12]], housing[1]
    display = CostDisplay.from_estimator(Lasso(**limits).fit(X, y), X, y)
    assert display.ball is None and display.centre == pytest.approx(LinearRegression().fit(X, y).coef_, rel=1e-9)
    assert CostDisplay.from_estimator(Lasso(psi=2.0).fit(X, y), X, y).radius == pytest.approx(2.0, rel=1e-9)


@pytest.mark.parametrize(
    "model",
    [
        LassoCV(alphas=15),
        LassoCV(alphas=15, choose="1se", upper={5: 2.0}),
        ElasticNetCV(l1_ratio=[0.2, 0.9], alphas=9, choose="bic"),
        RidgeCV([1.0, 100.0, 10.0]),
        RidgeCV([10.0, 1e3], fit_intercept=False),
    ],
    ids=repr,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_path_of_an_estimator_passes_through_its_weights(housing, model, weighted):
    X, y = housing
    weights = 1.0 + np.arange(len(y)) % 3 if weighted else None
    model.fit(X, y, weights)
    display = PathDisplay.from_estimator(model, X, y, sample_weight=weights)
    assert (np.diff(display.alphas) < 0).all() and len(display.lines_) == 13 and display.feature_names[0] == "x0"
    assert display.coefs[:, display.alphas == model.alpha_][:, 0] == pytest.approx(model.coef_, rel=1e-6, abs=1e-9)
    assert display.chosen == model.alpha_ and display.chosen_.get_xdata() == [model.alpha_] * 2
    assert "chosen" in [text.get_text() for text in display.ax_.get_legend().get_texts()]


@pytest.mark.parametrize("class_weight", [None, "balanced", {"Iris-setosa": 3.0}])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_path_of_classes_passes_through_their_weights(class_weight, classes):
    X, y = recta.datasets.load("iris", return_X_y=True)
    X, y = X[: 50 * classes], y[: 50 * classes]
    weights = 1.0 + np.arange(len(y)) % 2
    model = LogisticRegressionCV(Cs=[0.01, 1.0], l1_ratios=[0.5], cv=3, class_weight=class_weight).fit(X, y, weights)
    display = PathDisplay.from_estimator(model, X, y, sample_weight=weights)
    assert display.alphas.tolist() == [100.0, 1.0] and display.chosen == 1 / model.C_
    assert display.coefs[:, display.alphas == display.chosen][:, 0] == pytest.approx(model.coef_.ravel(), abs=1e-6)
    assert display.feature_names[-1] == ("x3" if classes == 2 else "Iris-virginica: x3")
    assert display.ax_.get_xlabel() == "1 / C, weaker to the right"


def test_levels_have_lines_of_their_own_and_the_estimator_stays_as_it_was():
    frame = (
        pytest.importorskip("pandas")
        .DataFrame({"a": np.arange(12.0) % 5, "c": ["red", "blue", "green"] * 4})
        .astype({"c": "category"})
    )
    target = np.arange(12.0)
    model = LassoCV(alphas=6, cv=3).fit(frame, target)
    before = dict(vars(model))
    assert PathDisplay.from_estimator(model, frame, target).feature_names == ["a", "c=blue", "c=green", "c=red"]
    assert vars(model) == before


def test_paths_that_are_not_there_are_refused(housing, tmp_path):
    X, y = housing
    with pytest.raises(ValueError, match="Lasso has chosen from no path: this display is of LassoCV"):
        PathDisplay.from_estimator(Lasso().fit(X, y), X, y)
    LassoCV(alphas=5).fit(X, y).save(tmp_path / "m.recta")
    with pytest.raises(ValueError, match="read from a file"):
        PathDisplay.from_estimator(LassoCV.load(tmp_path / "m.recta"), X, y)
    Y = np.column_stack([y, -y])
    with pytest.raises(ValueError, match="y has 2 columns; a picture shows the path of one target"):
        PathDisplay.from_estimator(RidgeCV().fit(X, Y), X, Y)


def test_losses_of_labels_are_one_at_the_boundary_and_above_mistakes():
    display = LossDisplay.from_names(["squared", "logistic", "hinge", "squared-hinge", "absolute"])
    m, boundary = display.x, np.flatnonzero(display.x == 0)[0]
    assert np.array_equal(display.losses["0/1"], (m < 0).astype(float))
    for name, values in display.losses.items():
        assert name == "0/1" or (values[boundary] == 1 and (values >= display.losses["0/1"]).all())
    assert display.losses["squared"] == pytest.approx((1 - m) ** 2) and display.losses["hinge"] == pytest.approx(
        np.maximum(0, 1 - m)
    )
    assert display.losses["logistic"] == pytest.approx(np.log2(1 + np.exp(-m)))
    assert LossDisplay.from_names("perceptron").losses["perceptron"] == pytest.approx(np.maximum(0, -m))
    assert np.array_equal(display.lines_[1].get_ydata(), display.losses["squared"])


def test_losses_of_numbers_are_in_their_own_units():
    display = LossDisplay.from_names(
        ["squared", "absolute", "huber", "quantile", "epsilon-insensitive"],
        of="residual",
        huber=1.5,
        quantile=0.9,
        epsilon=0.25,
    )
    at = {
        r: {name: values[np.argmin(np.abs(display.x - r))] for name, values in display.losses.items()}
        for r in (-2.0, 1.0)
    }
    assert at[1.0] == pytest.approx(
        {"squared": 0.5, "absolute": 1.0, "huber": 0.5, "quantile": 0.9, "epsilon-insensitive": 0.75}
    )
    assert at[-2.0] == pytest.approx(
        {"squared": 2.0, "absolute": 2.0, "huber": 1.875, "quantile": 0.2, "epsilon-insensitive": 1.75}
    )


def test_an_estimator_s_loss_has_its_parameters(housing):
    X, y = housing
    huber = LossDisplay.from_estimator(HuberRegressor(epsilon=2.0).fit(X, y))
    assert huber.losses["huber"][0] == pytest.approx(2 * (3 - 1)) and huber.ax_.get_xlabel() == "residual y - z"
    quantile = LossDisplay.from_estimator(QuantileRegressor(quantile=0.8).fit(X, y))
    assert quantile.losses["quantile"][[0, -1]] == pytest.approx([0.6, 2.4])
    classes = LossDisplay.from_estimator(LogisticRegression().fit(X, y > 20), ax=huber.ax_)
    assert list(classes.losses) == ["0/1", "logistic"] and classes.ax_ is huber.ax_
    assert list(LossDisplay.from_estimator(Ridge().fit(X, y)).losses) == ["squared"]
    with pytest.raises(ValueError, match="the loss of poisson is not a function of a margin or a residual alone"):
        LossDisplay.from_estimator(PoissonRegressor().fit(X, y))


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: LossDisplay.from_names(["hinges"]), "no loss 'hinges' of the margin; choose among squared, absolute"),
        (lambda: LossDisplay.from_names(["hinge"], of="residual"), "no loss 'hinge' of the residual"),
        (lambda: LossDisplay.from_names(of="sign"), "of='sign' is not one of 'margin', 'residual'"),
        (lambda: LossDisplay([0.0, 1.0], {"own": [1.0]}), "own has 1 values at 2 points"),
        (lambda: LossDisplay([0.0, 1.0], {}), "there is no loss to draw"),
    ],
)
def test_mistakes_about_losses_are_named(make, said):
    with pytest.raises(ValueError, match=said):
        make()
