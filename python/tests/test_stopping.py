"""Ctrl-C, callbacks, time limits, forks and threads."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import recta
from recta.linear_model import (
    DeltaRule,
    ElasticNetCV,
    Lasso,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
    RidgeClassifier,
)
from recta.neighbors import KNeighborsClassifier

LONG = """
import os, signal, sys, threading, time
import numpy as np
from recta.linear_model import LinearRegression, Ridge
random = np.random.default_rng(0)
X = random.standard_normal(({rows}, {cols}))
y = X @ np.ones({cols}) + random.standard_normal({rows})
"""


def run(code, rows=40_000, cols=600, **options):
    return subprocess.run(
        [sys.executable, "-c", LONG.format(rows=rows, cols=cols) + code],
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )


def test_a_prediction_hears_a_signal_before_it_is_done():
    random = np.random.default_rng(0)
    model = KNeighborsClassifier(algorithm="brute").fit(random.normal(size=(3000, 40)), random.integers(0, 2, 3000))
    rows = random.normal(size=(30_000, 40))

    def interrupted(*_):
        raise KeyboardInterrupt

    begun = time.process_time()
    model.predict(rows)
    whole = time.process_time() - begun
    before = signal.signal(signal.SIGPROF, interrupted)
    try:
        begun = time.process_time()
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(
                signal.ITIMER_PROF, whole / 10
            )  # of work, not of time, so that a busy machine does not matter
            model.predict(rows)
        assert time.process_time() - begun < 0.7 * whole
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def test_ctrl_c_between_passes_keeps_what_was_learned():
    done = run(
        """
from recta.linear_model import SGDRegressor
model = SGDRegressor(max_iter=10**9, tol=None, eta0=1e-4)
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print("stopped", model.n_iter_ == len(model.trace_) > 0, model.coef_.any())
""",
        rows=2_000,
        cols=20,
    )
    assert done.stdout == "stopped True True\n", done.stderr


def test_ctrl_c_stops_a_fit():
    done = run("""
model = LinearRegression()
threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.perf_counter()
try:
    while True:
        model.fit(X, y)
except KeyboardInterrupt:
    print("stopped")
""")
    assert done.stdout == "stopped\n", done.stderr


ILL = """
X = X @ np.diag(np.logspace(0, 5, X.shape[1])) @ random.standard_normal((X.shape[1], X.shape[1]))
"""


def test_a_signal_from_outside_stops_an_iteration_and_the_best_so_far_is_kept():
    code = (
        LONG.format(rows=20_000, cols=300)
        + ILL
        + """
def begun(step):
    if step.stage == "iterating": print("iterating", flush=True)
model = Ridge(alpha=1e-9, solver="lsqr", verbose=begun)
try:
    model.fit(X, y)
    print("not stopped")
except KeyboardInterrupt:
    print(model.certificate_.verdict, model.certificate_.stop, np.isfinite(model.coef_).all(), model.predict(X[:2]).shape)
"""
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "iterating\n"
        os.kill(child.pid, signal.SIGINT)
        said, complaint = child.communicate(timeout=120)
    finally:
        child.kill()
    assert said.splitlines()[-1] == "stopped_early interrupted True (2,)", complaint


@pytest.mark.parametrize("stage, kept", [("reading rows", "nothing"), ("certifying", "interrupted")])
def test_what_ctrl_c_leaves_depends_on_whether_there_is_an_answer(stage, kept):
    done = run(
        """
def interrupt(step):
    if step.stage == STAGE: os.kill(os.getpid(), signal.SIGINT)
model = LinearRegression(verbose=interrupt)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print(model.certificate_.stop if hasattr(model, "certificate_") else "nothing")
    assert not hasattr(model, "certificate_") or model.certificate_.verdict != "proved"
model.set_params(verbose=0).fit(X, y)
print(model.certificate_.verdict)
""".replace("STAGE", repr(stage)),
        rows=20_000,
        cols=100,
    )
    assert done.stdout == f"{kept}\nproved\n", done.stderr


def test_ctrl_c_between_two_penalties_keeps_nothing():
    done = run(
        """
model = Ridge(alpha=[1.0, 2.0], verbose=lambda step: step.stage != "certifying" or os.kill(os.getpid(), signal.SIGINT))
try:
    model.fit(X, np.column_stack([y, y]))
except KeyboardInterrupt:
    print(hasattr(model, "coef_"))
""",
        rows=2000,
        cols=20,
    )
    assert done.stdout == "False\n", done.stderr


def test_ctrl_c_stops_a_verification():
    done = run("""
model = LinearRegression().fit(X, y)
threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    while True:
        model.certificate_.verify(X, y)
except KeyboardInterrupt:
    print("stopped")
""")
    assert done.stdout == "stopped\n", done.stderr


def test_an_exception_of_a_callback_comes_through_and_the_best_so_far_is_kept():
    done = run(
        """
def stop(step):
    if step.stage == "certifying": raise ZeroDivisionError("enough")
model = LinearRegression(verbose=stop, n_jobs=1)
try:
    model.fit(X, y)
except ZeroDivisionError as error:
    print(error, model.certificate_.verdict != "proved", model.coef_.shape)
""",
        rows=4000,
        cols=50,
    )
    assert done.stdout == "enough True (50,)\n", done.stderr


def test_a_callback_that_says_no_stops_the_fit_quietly():
    done = run(
        """
model = LinearRegression(verbose=lambda step: step.stage != "certifying", n_jobs=1).fit(X, y)
print(model.certificate_.verdict != "proved", "not proved" in model.certificate_.sentence)
""",
        rows=4000,
        cols=50,
    )
    assert done.stdout == "True True\n", done.stderr


def test_a_time_limit_ends_a_fit():
    done = run("""
import recta
model = LinearRegression(time_limit=0.02)
try:
    print(model.fit(X, y).certificate_.verdict)
except recta.Stopped as stopped:
    print("stopped", stopped)
""")
    assert done.stdout.startswith(("stopped_early", "stopped")), done.stderr


@pytest.mark.parametrize(
    "estimator, reason",
    [
        (Ridge(alpha=1e-9, solver="lsqr", max_iter=1), "iteration limit"),
        (RidgeClassifier(alpha=1e-9, solver="lsqr", max_iter=1), "iteration limit"),
        (Ridge(solver="gradient-descent", max_iter=1), "1 pass"),
        (DeltaRule(max_iter=1), "1 pass"),
    ],
)
def test_an_early_stop_warns_and_says_what_ended_it(estimator, reason):
    random = np.random.default_rng(0)
    X = random.standard_normal((300, 20)) * np.logspace(0, 3, 20)
    y = (X[:, 0] + 3 * random.standard_normal(300) > 0).astype(float)
    with pytest.warns(ConvergenceWarning, match=r"Stopped early \(.*" + reason + r".*\), not proved"):
        model = estimator.fit(X, y)
    assert model.certificate_.verdict == "stopped_early"


def test_a_fit_that_is_proved_warns_of_nothing(problem, recwarn):
    X, y, _ = problem
    for estimator in (LinearRegression(), Ridge(solver="lsqr", max_iter=1000), LogisticRegression(), RidgeClassifier()):
        assert estimator.fit(X, y > np.median(y)).certificate_.verdict == "proved"
    assert not [warning for warning in recwarn if warning.category is ConvergenceWarning]


def fold_problem(rows=3000, cols=120):
    random = np.random.default_rng(5)
    X = random.standard_normal((rows, cols))
    return X, X @ random.standard_normal(cols) / 5 + random.standard_normal(rows)


def seconds(work):
    """Of this process's time, in the best of three runs: other work on the machine, and Python's collection of garbage, are not the fit's."""
    taken, stopped = [], False
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            start = time.process_time()
            try:
                work()
            except recta.Stopped:
                stopped = True
            taken.append(time.process_time() - start)
    finally:
        gc.enable()
    return min(taken), stopped


def seconds_after_a_stop(model, X, y, is_time):
    """From the first step that is_time(step) on, where the fit is told to stop, to its end; the best of three."""
    taken = []

    def stop(step):
        if is_time(step):
            told.append(time.process_time())
            return False

    for _ in range(3):
        told = []
        model.set_params(verbose=stop).fit(X, y)
        taken.append(time.process_time() - told[0])
        assert model.certificate_.verdict != "proved" and np.isfinite(model.certificate_.objective)
    return min(taken)


@pytest.mark.parametrize(
    "estimator, classes",
    [
        (LogisticRegressionCV(n_jobs=1), 2),
        pytest.param(LogisticRegressionCV(n_jobs=1, Cs=5), 4, marks=pytest.mark.slow),
        (LogisticRegressionCV(n_jobs=1, Cs=5, scoring="accuracy"), 2),
        (ElasticNetCV(n_jobs=1, l1_ratio=[0.1, 0.5, 0.9, 1.0], alphas=200, cv=10), 0),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_one_time_limit_holds_for_all_folds_together(estimator, classes):
    X, y = fold_problem()
    y = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes)) if classes else y
    whole, _ = seconds(lambda: estimator.fit(X, y))
    limit = whole / 10
    taken, stopped = seconds(lambda: estimator.set_params(time_limit=limit).fit(X, y))
    estimator.set_params(time_limit=None)
    assert stopped and taken < 1.1 * limit + whole / 20, (whole, limit, taken)  # a twentieth: one pass and more


@pytest.mark.parametrize("C", [1.0, np.inf])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_stopped_fit_of_many_classes_is_not_checked_at_length(C):
    random = np.random.default_rng(1)
    X = random.standard_normal((4000, 80))
    y = (X @ random.standard_normal((80, 10)) / 3 + random.gumbel(size=(4000, 10))).argmax(axis=1)
    model = LogisticRegression(C=C, n_jobs=1)
    whole, _ = seconds(lambda: model.fit(X, y))
    after = seconds_after_a_stop(model, X, y, lambda step: step.stage == "Newton's method" and step.passes > 8)
    assert after < whole / 5 + 0.1, (whole, after)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_stopped_lasso_of_many_columns_is_not_checked_at_length():
    random = np.random.default_rng(0)
    X = random.standard_normal((500, 1500))
    y = X @ random.standard_normal(1500) + random.standard_normal(500)
    model = Lasso(alpha=1e-4, n_jobs=1)
    whole, _ = seconds(lambda: model.fit(X, y))
    after = seconds_after_a_stop(model, X, y, lambda step: step.stage == "solving" and step.seconds > 0.1)
    assert after < whole / 4 + 0.05, (whole, after)


def test_other_python_threads_run_while_a_fit_does():
    random = np.random.default_rng(0)
    X, y = random.standard_normal((60_000, 200)), random.standard_normal(60_000)
    ticks, over = [], threading.Event()

    def tick():
        while not over.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    LinearRegression(n_jobs=1).fit(X, y)
    end = time.perf_counter()
    over.set()
    thread.join()
    inside = [t for t in ticks if start < t < end]
    assert len(inside) > 3 or end - start < 0.02


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_child_of_a_fork_fits_as_its_parent_does(problem):
    X, y, _ = problem
    big = np.random.default_rng(0).standard_normal((20_000, 10))
    parent = LinearRegression(n_jobs=2).fit(big, big[:, 0])  # threads have been used before the fork
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        same = (LinearRegression(n_jobs=2).fit(big, big[:, 0]).coef_ == parent.coef_).all() and (
            parent.predict(big) == parent.predict(big)
        ).all()
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_threads_may_share_a_fitted_model(problem):
    X, y, _ = problem
    model = Ridge().fit(X, y)
    expected, wrong = model.predict(X).tobytes(), []

    def work():
        for _ in range(200):
            if model.predict(X).tobytes() != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_worker_process_uses_the_cores_it_is_left(monkeypatch):
    from recta._estimator.parameters import threads

    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert threads(None) == 1
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert threads(None) == 0 and threads(3) == 3 and threads(-1) >= 1


def test_ctrl_c_stops_reading():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            """
import os, signal, tempfile, threading
import recta
path = os.path.join(tempfile.mkdtemp(), "pipe.csv")
os.mkfifo(path)
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    recta.read(path)
except KeyboardInterrupt:
    print("stopped")
""",
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "stopped\n", done.stderr


def test_a_callback_hears_of_reading_and_stops_it(tmp_path):
    import recta

    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 100_000)
    stages = []
    table = recta.read(path, verbose=lambda step: stages.append(step.stage))
    assert len(table) == 100_000
    assert stages[0] == "reading" and stages[-1] == "parsing"
    with pytest.raises(recta.Stopped):
        recta.read(path, verbose=lambda step: step.stage != "parsing")
    with pytest.raises(ZeroDivisionError):
        recta.read(path, verbose=lambda step: 1 / 0)
