"""recta trace --solver newton: the steps of Newton's method, beside NumPy's and on paper."""

import json

import numpy as np
import pytest

MODELS = {
    "logistic": [],
    "softmax": [],
    "huber": ["--delta", "1.5"],
    "poisson": [],
    "gamma": [],
}


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def data(tmp_path):
    """60 rows of three columns, the last of them as far out as the others are wide; a target for every model."""
    random = np.random.default_rng(11)
    x = random.normal(size=(60, 3)) * [1, 2, 0.5] + [0, 0, 3]
    z = x @ [0.4, -0.2, 0.3]
    columns = {
        "logistic": (random.uniform(size=60) < 1 / (1 + np.exp(-z))).astype(int),
        "softmax": np.argmax(np.column_stack([z, -z, 0 * z]) + random.gumbel(size=(60, 3)), axis=1),
        "huber": z + random.standard_t(2, size=60),
        "poisson": random.poisson(np.exp(z)),
        "gamma": random.gamma(2, np.exp(z) / 2),
    }
    rows = np.column_stack([x, *columns.values()])
    np.savetxt(
        tmp_path / "d.csv", rows, delimiter=",", header=",".join(["a", "b", "c", *columns]), comments="", fmt="%.17g"
    )
    return x, columns


def of(word):
    return ["d.csv", "--target", word, "--ignore", ",".join(w for w in MODELS if w != word), *MODELS[word]]


def test_three_of_four_rows_on_paper(run, tmp_path):
    """F'(0) = -1/4 and F''(0) = 1/4: the first step ends at 1, the next at 1 + (3/4 - s) / (s (1 - s)), s = 1 / (1 + e^-1)."""
    (tmp_path / "t.csv").write_text("x,y\n1,1\n1,1\n1,1\n1,0\n")
    steps = document(run, "trace", "logistic", "t.csv", "--target", "y", "--no-intercept", "--solver", "newton")[
        "steps"
    ]
    s = 1 / (1 + np.exp(-1))
    assert [step["weights"][0] for step in steps[:3]] == pytest.approx(
        [0, 1, 1 + (0.75 - s) / (s * (1 - s))], rel=1e-15
    )
    assert [step["rate"] for step in steps[1:3]] == [1, 1]
    assert steps[-1]["weights"][0] == pytest.approx(np.log(3), rel=1e-15)
    assert len(steps) < 9  # every step doubles the digits


@pytest.mark.parametrize("intercept", [True, False])
def test_every_step_of_logistic_regression_is_that_of_numpy(run, data, intercept):
    x, columns = data
    y, n = columns["logistic"], 60
    a = np.column_stack([x, np.ones(n)]) if intercept else x
    penalty = 0.05 * np.diag([1.0, 1, 1, 0][: a.shape[1]])
    flags = [] if intercept else ["--no-intercept"]
    found = document(
        run, "trace", "logistic", *of("logistic"), "--lambda", "0.05", "--solver", "newton", "--steps", "4", *flags
    )
    w = np.zeros(a.shape[1])
    assert len(found["steps"]) == 5
    for step in found["steps"]:
        shown = step["weights"] + ([step["intercept"]] if intercept else [])
        assert shown == pytest.approx(w.tolist(), rel=1e-9, abs=1e-12)
        p = 1 / (1 + np.exp(-a @ w))
        gradient = a.T @ (p - y) / n + penalty @ w
        assert step["gradient_norm"] == pytest.approx(np.linalg.norm(gradient), rel=1e-6, abs=1e-13)
        w = w - np.linalg.solve((a.T * (p * (1 - p))) @ a / n + penalty, gradient)


@pytest.mark.parametrize("flags", [[], ["--lambda", "0.01"], ["--standardise"], ["--no-intercept", "--lambda", "0.1"]])
@pytest.mark.parametrize("word", MODELS)
def test_the_end_is_the_optimum_that_a_fit_proves(run, data, word, flags):
    fit = document(run, "fit", word, *of(word), *flags)
    assert fit["certificate"]["verdict"] == "proved"
    found = document(run, "trace", word, *of(word), *flags, "--solver", "newton", "--steps", "40")
    costs = [step["cost"] for step in found["steps"]]
    assert all(after < before for before, after in zip(costs, costs[1:]))
    assert costs[-1] == pytest.approx(fit["certificate"]["objective"], rel=1e-12)
    assert found["stop"] == "the cost falls no further"


def test_a_step_that_overshoots_is_halved(run, tmp_path):
    """Poisson, one row x = 1, y = 1, from -3: the whole step is e^3 - 1, far beyond 0."""
    (tmp_path / "t.csv").write_text("x,y\n1,1\n")
    found = document(
        run, "trace", "poisson", "t.csv", "--target", "y", "--no-intercept", "--start", "-3", "--solver", "newton"
    )
    first = found["steps"][1]
    assert first["rate"] < 1 and np.log2(first["rate"]) == int(np.log2(first["rate"]))
    assert first["weights"][0] == pytest.approx(-3 + first["rate"] * (np.exp(3) - 1), rel=1e-14)
    assert found["steps"][-1]["weights"][0] == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize(
    "flag", [["--rate", "0.1"], ["--batch", "2"], ["--average"], ["--schedule", "1/t"], ["--order", "shuffled"]]
)
def test_there_is_nothing_to_choose_about_a_step(run, data, flag):
    done = run("trace", "logistic", *of("logistic"), "--solver", "newton", *flag)
    assert done.returncode == 2
    assert "a step of Newton's method is as long as the curvature says" in done.stderr


def test_what_has_a_kink_or_a_scale_is_refused(run, data):
    done = run("trace", "logistic", *of("logistic"), "--solver", "newton", "--lambda1", "0.1")
    assert done.returncode == 2 and "a smooth cost" in done.stderr
    done = run(
        "trace",
        "huber",
        "d.csv",
        "--target",
        "huber",
        "--ignore",
        "logistic,softmax,poisson,gamma",
        "--solver",
        "newton",
    )
    assert done.returncode == 2 and "--delta" in done.stderr


def test_a_fit_is_solved_by_the_solver_of_that_name(run, data):
    done = run("fit", "logistic", *of("logistic"), "--solver", "newton", "--steps", "3")
    assert done.returncode == 2 and "not apply to the solver newton" in done.stderr


@pytest.mark.parametrize(
    ("word", "flags"),
    [
        ("logistic", ["--solver", "newton"]),
        ("logistic", ["--solver", "newton", "--stop-gradient", "1e-6"]),
        ("logistic", ["--rate", "1", "--stop-gradient", "0.02"]),
    ],
)
@pytest.mark.parametrize("every", [2, 3, 5, 7])
def test_the_last_step_is_on_record_whatever_is_left_out_before(run, data, word, flags, every):
    whole = document(run, "trace", word, *of(word), *flags)["steps"]
    some = document(run, "trace", word, *of(word), *flags, "--every", str(every))["steps"]
    assert [step["step"] for step in some] == sorted({*range(0, len(whole), every), len(whole) - 1})
    for step in some:
        same = whole[step["step"]]
        for key in ("rows", "rate", "cost", "weights", "intercept"):
            assert step.get(key) == same.get(key)
    assert np.sum([step["move"] for step in some[1:]], axis=0) == pytest.approx(whole[-1]["weights"], rel=1e-12)
