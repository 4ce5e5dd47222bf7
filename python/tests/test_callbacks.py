"""scikit-learn's callbacks: a fit is a task, and so is each of its stages and each pass in them."""

import numpy as np
import pytest
from sklearn.callback import ScoringMonitor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import recta.preprocessing
from recta.linear_model import (
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    PoissonRegressor,
    Ridge,
)


class Recorder:
    """Keeps the hooks in the order of their calls; ends the fit at the end of the task of this name."""

    def __init__(self, stop_at=None):
        self.hooks, self.fitted, self.stop_at = [], None, stop_at

    def setup(self, estimator, context):
        self.hooks.append(("setup", context.task_name))

    def on_fit_task_begin(self, estimator, context):
        self.hooks.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context, *, X=None, y=None, metadata=None, fitted_estimator=None):
        self.hooks.append(("end", context.task_name))
        self.fitted, self.metadata = fitted_estimator, metadata
        return context.task_name == self.stop_at

    def teardown(self, estimator, context):
        self.hooks.append(("teardown", context.task_name))


class PropagatedRecorder(Recorder):
    max_propagation_depth = None

    def on_fit_task_begin(self, estimator, context):
        self.hooks.append(("begin", type(estimator).__name__))


@pytest.fixture
def rows():
    random = np.random.default_rng(3)
    X = random.standard_normal((200, 4))
    return X, np.exp(X @ [0.5, -0.3, 0.0, 0.2]) + 0.1 * random.random(200)


MODELS = [LinearRegression(), Ridge(), Lasso(alpha=0.1), LassoCV(cv=3, alphas=5), HuberRegressor(), PoissonRegressor()]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_the_fit_is_a_task_and_its_stages_are_tasks_within_it(model, rows):
    recorder = Recorder()
    model.set_callbacks(recorder).fit(*rows)
    hooks = recorder.hooks
    assert hooks[:2] == [("setup", "fit"), ("begin", "fit")] and hooks[-2:] == [("end", "fit"), ("teardown", "fit")]
    inner = hooks[2:-2]
    assert len(inner) >= 4
    for begin, end in zip(inner[::2], inner[1::2], strict=True):  # one after the other
        assert begin[0] == "begin" and end == ("end", begin[1])


@pytest.mark.parametrize("classes", [2, 3])
def test_every_pass_of_an_iteration_is_a_task(rows, classes):
    X, y = rows
    recorder = Recorder()
    model = (
        LogisticRegression()
        .set_callbacks(recorder)
        .fit(X, np.digitize(y, np.quantile(y, np.arange(1, classes) / classes)))
    )
    passes = recorder.hooks.count(("begin", "Newton's method"))
    assert 3 <= passes < np.max(model.n_iter_)  # reading and certifying are passes too


def test_callbacks_change_no_bit(rows):
    for model in (Ridge(), Lasso(alpha=0.1), PoissonRegressor()):
        plain = model.fit(*rows).coef_.copy()
        assert (model.set_callbacks(Recorder()).fit(*rows).coef_ == plain).all()


def test_the_last_task_has_the_fitted_estimator_and_the_weights(rows):
    recorder, weights = Recorder(), np.arange(200.0)
    model = Ridge().set_callbacks(recorder).fit(*rows, sample_weight=weights)
    assert (recorder.fitted.predict(rows[0]) == model.predict(rows[0])).all()
    assert recorder.metadata["sample_weight"] is weights


def test_scikit_learn_s_monitor_scores_the_fit(rows):
    monitor = ScoringMonitor(scoring="r2")
    model = Ridge().set_callbacks(monitor).fit(*rows)
    assert monitor.get_logs().data[-1]["r2"] == model.score(*rows)


def test_a_callback_that_says_so_ends_the_fit(rows):
    X, y = rows
    model = LogisticRegression(warm_start=False).set_callbacks(Recorder(stop_at="Newton's method"))
    model.fit(X, y > 1)
    assert model.certificate_.stop == "interrupted" and model.certificate_.verdict != "proved"
    assert model.set_callbacks().fit(X, y > 1).certificate_.verdict == "proved"


def test_callbacks_are_told_of_the_end_of_a_fit_that_fails(rows):
    recorder = Recorder()
    with pytest.raises(ValueError, match="NaN"):
        Ridge().set_callbacks(recorder).fit(np.full((3, 1), np.nan), [1.0, 2.0, 3.0])
    assert recorder.hooks[-1] == ("teardown", "fit")
    assert Ridge().set_callbacks(recorder).fit(*rows).set_callbacks()._task is None


def test_callbacks_reach_estimators_inside_of_others(rows):
    recorder = PropagatedRecorder()
    GridSearchCV(make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [0.1, 1.0]}, cv=2).set_callbacks(
        recorder
    ).fit(*rows)
    assert recorder.hooks.count(("begin", "Ridge")) > 5 * 2  # 2 x 2 fits, and the last


def test_what_is_no_callback_is_refused():
    with pytest.raises(TypeError, match="FitCallback"):
        Ridge().set_callbacks(print)


def test_one_that_fits_others_inside_has_one_task(rows):
    X, y = rows
    recorder = Recorder()
    LogisticRegressionCV(Cs=2, cv=2).set_callbacks(recorder).fit(X, y > 1)
    assert recorder.hooks.count(("begin", "fit")) == recorder.hooks.count(("end", "fit")) == 1


def test_a_scaler_is_one_task(rows):
    scaler = recta.preprocessing.StandardScaler()
    for fit in ("fit", "partial_fit"):
        recorder = Recorder()
        getattr(scaler.set_callbacks(recorder), fit)(rows[0])
        assert [hook for hook, _ in recorder.hooks] == [
            "setup",
            "begin",
            "end",
            "teardown",
        ] and recorder.fitted is not None
    np.testing.assert_array_equal(scaler.fit(rows[0]).mean_, recta.preprocessing.StandardScaler().fit(rows[0]).mean_)
    with pytest.raises(ValueError, match="'with_mean' parameter of StandardScaler must be"):
        recta.preprocessing.StandardScaler(with_mean="no").fit(rows[0])
