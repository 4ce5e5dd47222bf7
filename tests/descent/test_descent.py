"""Gradient descent as taught, through the program: every step against the same step in rational arithmetic."""

import json
import math
from fractions import Fraction

import pytest

X = [
    (Fraction(1, 2), Fraction(-1)),
    (Fraction(2), Fraction(1, 4)),
    (Fraction(-3, 4), Fraction(1)),
    (Fraction(1), Fraction(2)),
    (Fraction(0), Fraction(-3, 2)),
]
Y = [Fraction(1), Fraction(-2), Fraction(3, 4), Fraction(5, 2), Fraction(-1, 4)]
WEIGHTS = [1, 2, 0, 1, 3]


def table(path, x=X, y=Y, weights=None):
    lines = ["a,b,y" + (",v" if weights else "")]
    for i, row in enumerate(x):
        lines.append(",".join(str(float(v)) for v in (*row, y[i])) + (f",{weights[i]}" if weights else ""))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def data(tmp_path):
    return table(tmp_path / "data.csv")


def trace(run, *arguments, **options):
    done = run("trace", *arguments, "--json", **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def exact_steps(rates, rows, lam=Fraction(0), reduction="mean", start=(0, 0, 0), x=X, y=Y):
    """One step for each list of row numbers in `rows`, with its rate; a point is (w_a, w_b, intercept)."""
    point = [Fraction(v) for v in start]
    points = [list(point)]
    for rate, batch in zip(rates, rows):
        gradient = [Fraction(0)] * 3
        for i in batch:
            slope = point[0] * x[i][0] + point[1] * x[i][1] + point[2] - y[i]
            for k, value in enumerate((*x[i], 1)):
                gradient[k] += slope * value
        scale = Fraction(1, len(batch)) if reduction == "mean" else Fraction(1)
        count = 1 if reduction == "mean" else len(batch)
        for k in range(3):
            point[k] -= rate * (scale * gradient[k] + (count * lam * point[k] if k < 2 else 0))
        points.append(list(point))
    return points


def cost(point, lam=Fraction(0), x=X, y=Y):
    total = sum((point[0] * r[0] + point[1] * r[1] + point[2] - t) ** 2 for r, t in zip(x, y))
    return total / (2 * len(y)) + lam / 2 * (point[0] ** 2 + point[1] ** 2)


def assert_same(document, points, lam=Fraction(0)):
    assert len(document["steps"]) == len(points)
    for step, point in zip(document["steps"], points):
        found = [*step["weights"], step["intercept"]]
        assert found == pytest.approx([float(v) for v in point], rel=1e-12, abs=1e-13)
        assert step["cost"] == pytest.approx(float(cost(point, lam)), rel=1e-12)


def test_w3_comes_out_exactly(run, tmp_path):
    (tmp_path / "one.csv").write_text("x,y\n1,0\n")
    document = trace(
        run,
        "linear",
        "one.csv",
        "--target",
        "y",
        "--no-intercept",
        "--header",
        "--solver",
        "gradient-descent",
        "--rate",
        "0.4",
        "--start",
        "10",
        "--stop-move",
        "0.01",
    )
    steps = document["steps"][1:]
    assert document["steps"][0]["weights"] == [10]
    assert len(steps) == 13
    assert (steps[0]["move"], steps[0]["weights"]) == ([-4], [6])
    assert steps[-1]["move"] == pytest.approx([-0.008707129344], rel=1e-12)
    assert steps[-1]["weights"] == pytest.approx([0.013060694016], rel=1e-12)
    for k, step in enumerate(steps, 1):
        assert step["weights"][0] == pytest.approx(float(10 * Fraction(6, 10) ** k), rel=1e-14)
    assert document["stop"] == "the step is shorter than 0.01"
    assert document["safe_rate"] == 2


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_batch_descent_takes_the_steps_of_rational_arithmetic(run, data, reduction):
    rate = Fraction(1, 16)
    document = trace(
        run, "linear", data, "--target", "y", "--rate", float(rate), "--steps", 12, "--reduction", reduction
    )
    assert_same(document, exact_steps([rate] * 12, [range(5)] * 12, reduction=reduction))


def test_stochastic_descent_presents_one_row_after_the_other(run, data):
    rate = Fraction(1, 8)
    document = trace(
        run, "adaline", data, "--target", "y", "--rate", float(rate), "--schedule", "constant", "--passes", 2
    )
    assert_same(document, exact_steps([rate] * 10, [[i % 5] for i in range(10)]))


def test_mini_batches_end_with_the_pass(run, data):
    rate, lam = Fraction(1, 8), Fraction(1, 4)
    rows = [[0, 1], [2, 3], [4]] * 2
    for reduction in ("mean", "sum"):
        document = trace(
            run,
            "ridge",
            data,
            "--target",
            "y",
            "--lambda",
            float(lam),
            "--solver",
            "gradient-descent",
            "--batch",
            2,
            "--rate",
            float(rate),
            "--schedule",
            "constant",
            "--passes",
            2,
            "--reduction",
            reduction,
        )
        assert_same(document, exact_steps([rate] * 6, rows, lam, reduction), lam)


def test_the_clock_of_decaying_rates_counts_rows_presented(run, data):
    rows = [[i % 5] for i in range(7)]
    document = trace(run, "adaline", data, "--target", "y", "--rate", 0.5, "--schedule", "1/t", "--steps", 7)
    assert_same(document, exact_steps([Fraction(1, 2) / (t + 1) for t in range(7)], rows))
    document = trace(
        run, "adaline", data, "--target", "y", "--rate", 0.25, "--schedule", "c/(c+t)", "--c", 4, "--steps", 7
    )
    assert_same(document, exact_steps([Fraction(1, 4) * Fraction(4, 4 + t) for t in range(7)], rows))
    document = trace(
        run, "linear", data, "--target", "y", "--rate", 0.25, "--schedule", "c/(c+t)", "--c", 10, "--steps", 3
    )
    assert_same(document, exact_steps([Fraction(1, 4) * Fraction(10, 10 + 5 * t) for t in range(3)], [range(5)] * 3))


def test_a_row_of_whole_weight_k_is_presented_k_times_and_weight_zero_never(run, tmp_path):
    weighted = table(tmp_path / "weighted.csv", weights=WEIGHTS)
    repeated = [i for i, k in enumerate(WEIGHTS) for _ in range(k)]
    rate = Fraction(1, 8)
    document = trace(
        run,
        "adaline",
        weighted,
        "--target",
        "y",
        "--weights",
        "v",
        "--rate",
        float(rate),
        "--schedule",
        "constant",
        "--passes",
        2,
    )
    points = exact_steps([rate] * 14, [[i] for i in repeated * 2])
    assert [step["weights"] for step in document["steps"]] == [
        pytest.approx([float(v) for v in p[:2]], rel=1e-12) for p in points
    ]
    # Weights that are not whole scale the step of their row.
    halves = table(tmp_path / "halves.csv", weights=[1, 2, 0, 0.5, 1])
    document = trace(
        run,
        "adaline",
        halves,
        "--target",
        "y",
        "--weights",
        "v",
        "--rate",
        float(rate),
        "--schedule",
        "constant",
        "--passes",
        1,
    )
    points = exact_steps([rate, rate, rate, rate / 2, rate], [[0], [1], [1], [3], [4]])
    assert document["steps"][-1]["weights"] == pytest.approx([float(v) for v in points[-1][:2]], rel=1e-12)


def largest_eigenvalue():
    numpy = pytest.importorskip("numpy")
    x = numpy.array([[float(v) for v in row] + [1.0] for row in X])
    return float(numpy.linalg.eigvalsh(x.T @ x)[-1])


def test_the_sum_form_converges_below_two_over_lambda_max_and_not_above(run, data):
    threshold = 2 / largest_eigenvalue()
    below = trace(
        run,
        "linear",
        data,
        "--target",
        "y",
        "--reduction",
        "sum",
        "--rate",
        0.999 * threshold,
        "--steps",
        20000,
        "--every",
        20000,
    )
    assert below["safe_rate"] == pytest.approx(threshold, rel=1e-12)
    assert not below["diverged"]
    assert below["steps"][-1]["gradient_norm"] < 1e-6 * below["steps"][0]["gradient_norm"]
    above = trace(
        run, "linear", data, "--target", "y", "--reduction", "sum", "--rate", 1.2 * threshold, "--steps", 20000
    )
    assert above["diverged"]
    assert len(above["steps"]) < 40
    assert f"{threshold:.6g}" in above["stop"]
    assert above["answer"]["cost"] == min(step["cost"] for step in above["steps"])


def test_a_rate_that_is_far_too_large_is_noticed_within_a_few_steps(run, data):
    for solver in ("gradient-descent", "sgd"):
        document = trace(
            run,
            "linear",
            data,
            "--target",
            "y",
            "--solver",
            solver,
            "--rate",
            100,
            "--schedule",
            "constant",
            "--steps",
            500,
        )
        assert document["diverged"], solver
        assert len(document["steps"]) <= 6, solver
        assert "is safe" in document["stop"]
    text = run("trace", "linear", data, "--target", "y", "--rate", 100).stdout
    assert text.rstrip().split("\n")[-1].startswith("It diverged at the rate 100; a constant rate below")


def test_the_same_seed_gives_the_same_bits_and_another_seed_another_descent(run, data):
    def once(seed, threads):
        return run(
            "trace",
            "linear",
            data,
            "--target",
            "y",
            "--solver",
            "sgd",
            "--start",
            "random",
            "--order",
            "random",
            "--seed",
            seed,
            "--threads",
            threads,
            "--steps",
            30,
            "--json",
        ).stdout

    assert once(7, 1) == once(7, 2)
    assert once(7, 1) != once(8, 1)
    start = json.loads(once(7, 1))["steps"][0]
    assert all(-0.5 <= w < 0.5 and w != 0 for w in [*start["weights"], start["intercept"]])


def test_a_descent_is_a_fit_with_an_honest_certificate(run, data):
    arguments = ("--target", "y", "--json")
    closed = json.loads(run("fit", "linear", data, *arguments).stdout)
    sought = [c["value"] for c in closed["coefficients"]["y"]]
    for solver in ("gradient-descent", "accelerated", "svrg", "saga"):
        done = json.loads(
            run("fit", "linear", data, "--solver", solver, "--passes", 20000, "--tolerance", "1e-14", *arguments).stdout
        )
        assert done["certificate"]["verdict"] == "proved", (solver, done["certificate"]["sentence"])
        assert done["certificate"]["claim"] == "exact_optimum"
        assert [c["value"] for c in done["coefficients"]["y"]] == pytest.approx(sought, rel=1e-5), solver
    early = json.loads(run("fit", "linear", data, "--solver", "gradient-descent", "--steps", 3, *arguments).stdout)
    assert early["certificate"]["verdict"] == "stopped_early"
    assert early["certificate"]["stop"] == "3 steps"
    assert early["certificate"]["suboptimality"] == pytest.approx(
        early["certificate"]["objective"] - closed["certificate"]["objective"], rel=1e-9
    )
    assert (
        run("fit", "linear", data, "--target", "y", "--solver", "gradient-descent", "--steps", 3, "--strict").returncode
        == 4
    )


@pytest.mark.parametrize("solver", ["gradient-descent", "accelerated", "svrg", "saga"])
@pytest.mark.parametrize("model", [("linear",), ("ridge", "--lambda", "0.1")])
def test_solvers_for_work_reach_the_closed_form_on_housing(run, model, solver):
    closed = json.loads(run("fit", model[0], "housing", *model[1:], "--standardise", "--json").stdout)
    done = json.loads(run("fit", model[0], "housing", *model[1:], "--standardise", "--solver", solver, "--json").stdout)
    assert done["certificate"]["verdict"] == "proved", done["certificate"]["sentence"]
    for ours, theirs in zip(done["coefficients"]["price"], closed["coefficients"]["price"]):
        assert ours["standardised"] == pytest.approx(theirs["standardised"], abs=1e-3)


@pytest.mark.parametrize("word", ["lasso", "elastic-net", "quantile", "group-lasso"])
def test_a_model_without_descents_is_not_traced(run, data, word):
    done = run("trace", word, data, "--target", "y")
    assert done.returncode == 2 and f"{word} is not solved by a descent" in done.stderr
    assert (
        "trace linear, ridge, adaline, huber, poisson, gamma, logistic, softmax, svm, perceptron or delta"
        in done.stderr
    )


def test_a_descent_fit_can_be_verified_and_predicts(run, data, tmp_path):
    assert run("fit", "adaline", data, "--target", "y", "--passes", 50, "-o", "m.recta").returncode == 0
    verified = json.loads(run("verify", "m.recta", data, "--json").stdout)
    assert verified["stored"]["verdict"] == verified["certificate"]["verdict"] == "stopped_early"
    assert verified["certificate"]["stop"] == "50 passes"
    assert verified["certificate"]["suboptimality"] == pytest.approx(verified["stored"]["suboptimality"], rel=1e-9)
    assert len(run("predict", "m.recta", data).stdout.split()) == 6


def test_adaline_learns_from_standard_input_as_rows_arrive(run, data):
    text = data.read_text()
    streamed = run(
        "fit",
        "adaline",
        "-",
        "--target",
        "y",
        "--rate",
        "0.125",
        "--schedule",
        "constant",
        "--format",
        "csv",
        "--json",
        stdin=text,
    )
    assert streamed.returncode == 0, streamed.stderr
    document = json.loads(streamed.stdout)
    last = exact_steps([Fraction(1, 8)] * 5, [[i] for i in range(5)])[-1]
    assert [c["value"] for c in document["coefficients"]["y"]] == pytest.approx([float(v) for v in last[:2]], rel=1e-12)
    assert document["certificate"]["from_merged_statistics"]
    file = json.loads(
        run(
            "fit",
            "adaline",
            data,
            "--target",
            "y",
            "--rate",
            "0.125",
            "--schedule",
            "constant",
            "--passes",
            1,
            "--stream",
            "--json",
        ).stdout
    )
    assert [c["value"] for c in file["coefficients"]["y"]] == [c["value"] for c in document["coefficients"]["y"]]
    refused = run("fit", "adaline", "-", "--target", "y", "--format", "csv", stdin=text)
    assert refused.returncode == 2
    assert "--rate" in refused.stderr


def test_averaging_answers_with_the_mean_of_the_points_after_the_first_pass(run, data):
    rate = Fraction(1, 8)
    points = exact_steps([rate] * 15, [[i % 5] for i in range(15)])[6:]
    mean = [float(sum(p[k] for p in points) / len(points)) for k in range(3)]
    document = trace(
        run,
        "adaline",
        data,
        "--target",
        "y",
        "--rate",
        float(rate),
        "--schedule",
        "constant",
        "--passes",
        3,
        "--average",
    )
    assert [*document["answer"]["weights"], document["answer"]["intercept"]] == pytest.approx(mean, rel=1e-12)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("linear", "--solver", "gram", "--rate", "0.1"), "not apply to the solver gram"),
        (("linear", "--rate", "0.1", "--start", "1,2,3,4"), "the start has 4 numbers"),
        (("linear", "--start", "one"), '"one" is not a number'),
        (("linear", "--batch", "2.5"), "not a whole number"),
        (("linear", "--solver", "saga", "--batch", "5"), "chooses its rows itself"),
        (("linear", "--solver", "svrg", "--schedule", "1/t"), "needs a constant rate"),
        (("linear", "--rate", "-1"), "outside its range"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(run, data, arguments, words):
    done = run("trace", arguments[0], data, "--target", "y", *arguments[1:])
    assert done.returncode == 2
    assert words in done.stderr


def test_trace_shows_a_table(run, data):
    done = run("trace", "linear", data, "--target", "y", "--rate", "0.1", "--steps", 2)
    lines = done.stdout.split("\n")
    assert lines[0] == f"linear of y on {data} by gradient-descent"
    assert lines[2].split() == ["step", "rate", "|move|", "cost", "|gradient|", "(intercept)", "a", "b"]
    assert [line.split()[0] for line in lines[3:6]] == ["0", "1", "2"]
    assert math.isclose(float(lines[4].split()[1]), 0.1)
