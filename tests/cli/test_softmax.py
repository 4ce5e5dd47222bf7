"""Softmax regression: the worked examples digit for digit, laws, and answers beside scikit-learn's."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
import sklearn.linear_model

TWO = "x1,x2,c\n0,0,1\n1,1,2\n"  # spec W2: ((0,0), class 1), ((1,1), class 2)


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def table(tmp_path, n=120, seed=5):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3)) * [1, 5, 0.2] + [0, 3, 0]
    scores = X @ np.array([[1.0, -0.5, 0.0], [0.1, 0.0, -0.2], [0.0, 2.0, -3.0]]) + [0.3, 0.0, 0.2]
    labels = np.array(["a", "b", "c"])[(scores + rng.gumbel(size=scores.shape)).argmax(axis=1)]
    v = rng.integers(0, 4, n)
    (tmp_path / "t.csv").write_text(
        "x1,x2,x3,c,v\n"
        + "".join(f"{','.join(map(repr, row.tolist()))},{label},{weight}\n" for row, label, weight in zip(X, labels, v))
    )
    return X, labels, v


def weights(fit, labels):
    return np.array(
        [[c["value"] for c in fit["coefficients"][label]] + [fit["intercept"][label]["value"]] for label in labels]
    )


def test_gradient_descent_from_zero_is_that_of_the_course(run, tmp_path):  # spec W4
    (tmp_path / "two.csv").write_text(TWO)
    trace = document(
        run,
        "trace",
        "softmax",
        "two.csv",
        "--target",
        "c",
        "--solver",
        "gradient-descent",
        "--rate",
        "1",
        "--steps",
        "3",
    )
    assert trace["features"] == ["1: intercept", "1: x1", "1: x2", "2: intercept", "2: x1", "2: x2"]
    rows = [(0, 0, 0), (0, -0.25, -0.25), (0.115529, -0.384471, -0.384471), (0.230265, -0.490980, -0.490980)]
    costs = [0.693147181, 0.503204434, 0.411913728, 0.344978816]
    assert len(trace["steps"]) == 4
    for step, row, cost in zip(trace["steps"], rows, costs):
        assert [round(x, 6) for x in step["weights"]] == [*row, *(-x for x in row)]
        assert round(step["cost"], 9) == cost
        assert sum(step["weights"]) == pytest.approx(0, abs=1e-15)
    assert trace["steps"][1]["weights"] == [0, -0.25, -0.25, 0, 0.25, 0.25]
    assert trace["intercept"] is True and trace["answer"]["intercept"] is None  # one per class, among the weights
    assert all(
        step["intercept"] is None and step["intercept_move"] is None and "posteriors" not in step
        for step in trace["steps"]
    )
    told = document(run, "trace", "softmax", "two.csv", "--target", "c", "--rate", "1", "--steps", "3", "--posteriors")
    assert told["labels"] == ["1", "2"] and told["steps"][0]["posteriors"] == [[0.5, 0.5], [0.5, 0.5]]
    assert [[round(p, 6) for p in row] for row in told["steps"][3]["posteriors"]] == [
        [0.613140, 0.386860],
        [0.181921, 0.818079],
    ]
    assert [step["weights"] for step in told["steps"]] == [step["weights"] for step in trace["steps"]]
    without = document(
        run, "trace", "softmax", "two.csv", "--target", "c", "--rate", "1", "--steps", "3", "--no-intercept"
    )
    assert without["intercept"] is False
    fit = run(
        "fit",
        "softmax",
        "two.csv",
        "--target",
        "c",
        "--solver",
        "gradient-descent",
        "--rate",
        "1",
        "--steps",
        "3",
        "-o",
        "m.recta",
    )
    assert fit.returncode == 0 and "Stopped early (3 steps)" in fit.stdout
    lines = run("predict", "m.recta", "two.csv", "--proba").stdout.splitlines()
    found = [[round(float(x), 6) for x in line.split(",")] for line in lines[1:]]
    assert found == [[0.613140, 0.386860], [0.181921, 0.818079]]
    assert run("predict", "m.recta", "two.csv").stdout.splitlines()[1:] == ["1", "2"]


def test_posteriors_of_given_weights_are_those_of_the_course(run, tmp_path):  # spec W1
    (tmp_path / "three.csv").write_text("x1,x2,c\n0,0,1\n1,1,2\n0.5,0.5,2\n")
    flags = ("--target", "c", "--start=1,-1,-1,-1,1,1", "--rate", "1", "--steps", "1")
    first = document(run, "trace", "softmax", "three.csv", *flags, "--posteriors")["steps"][0]
    assert first["weights"] == [1, -1, -1, -1, 1, 1]
    found = [[f"{p:.12f}" for p in row] for row in first["posteriors"]]
    assert found == [["0.880797077978", "0.119202922022"], ["0.119202922022", "0.880797077978"], ["0.500000000000"] * 2]
    assert first["posteriors"][2] == [0.5, 0.5]  # a tie, which goes to class 2
    # by logistic regression: one score, the difference of the two
    logistic = document(
        run,
        "trace",
        "logistic",
        "three.csv",
        "--target",
        "c",
        "--start=2,2,-2",
        "--rate",
        "1",
        "--steps",
        "1",
        "--posteriors",
    )
    assert logistic["steps"][0]["posteriors"] == first["posteriors"] and logistic["labels"] == ["1", "2"]
    lines = [line.split() for line in run("trace", "softmax", "three.csv", *flags, "--posteriors").stdout.splitlines()]
    at = lines.index(["step", "row", "P(1)", "P(2)"])
    assert lines[at + 1 : at + 4] == [
        ["0", "1", "0.880797", "0.119203"],
        ["0", "2", "0.119203", "0.880797"],
        ["0", "3", "0.5", "0.5"],
    ]
    refused = run("trace", "linear", "three.csv", "--target", "c", "--posteriors")
    assert refused.returncode == 2 and "has no probabilities of classes" in refused.stderr


# The oracle: softmax of the weights on record, and what the model that is fitted predicts.
def test_posteriors_are_those_of_the_weights_on_record(run, tmp_path):
    X, labels, v = table(tmp_path)
    flags = ("--target", "c", "--weights", "v", "--solver", "gradient-descent", "--lambda", "0.1", "--steps", "9")
    for more in ((), ("--standardise",)):
        trace = document(run, "trace", "softmax", "t.csv", *flags, *more, "--posteriors", "--every", "3")
        Z = (
            (X - np.average(X, axis=0, weights=v))
            / np.sqrt(np.average((X - np.average(X, axis=0, weights=v)) ** 2, axis=0, weights=v))
            if more
            else X
        )
        assert [step["step"] for step in trace["steps"]] == [0, 3, 6, 9]
        for step in trace["steps"]:
            W = np.array(step["weights"]).reshape(3, 4)
            P = np.exp(Z @ W[:, 1:].T + W[:, 0])
            there = v > 0
            np.testing.assert_allclose(
                np.array(step["posteriors"], float)[there], (P / P.sum(axis=1, keepdims=True))[there], rtol=1e-9
            )
        fit = run("fit", "softmax", "t.csv", *flags, *more, "-o", "m.recta")
        assert fit.returncode == 0, fit.stderr
        lines = run("predict", "m.recta", "t.csv", "--proba").stdout.splitlines()[1:]
        np.testing.assert_allclose(
            np.array([line.split(",") for line in lines], float)[there],
            np.array(step["posteriors"], float)[there],
            rtol=1e-9,
        )


def test_the_likelihood_of_given_weights_is_that_of_the_course(run, tmp_path):  # spec W2
    (tmp_path / "two.csv").write_text(TWO)
    for start, nll in (("1,-1,-1,-1,1,1", math.log1p(math.exp(-2))), ("-1,1,1,1,-1,-1", math.log1p(math.exp(2)))):
        trace = document(
            run, "trace", "softmax", "two.csv", "--target", "c", f"--start={start}", "--rate", "1", "--steps", "1"
        )
        assert trace["steps"][0]["cost"] == pytest.approx(nll, rel=1e-15)
    assert (
        f"{math.log1p(math.exp(-2)):.12f}" == "0.126928011043" and f"{math.log1p(math.exp(2)):.12f}" == "2.126928011043"
    )
    wrong = run("trace", "softmax", "two.csv", "--target", "c", "--start=1,2")
    assert wrong.returncode == 2 and "it has 2 numbers, and the model 6" in wrong.stderr


def test_logistic_descent_is_the_rule_of_the_course(run, tmp_path):
    (tmp_path / "two.csv").write_text(TWO)
    trace = document(
        run, "trace", "logistic", "two.csv", "--target", "c", "--rate", "0.5", "--steps", "4", "--reduction", "sum"
    )
    X, y, w = np.array([[0, 0, 1.0], [1, 1, 1.0]]), np.array([0, 1]), np.zeros(3)
    for step in trace["steps"]:
        np.testing.assert_allclose([*step["weights"], step["intercept"]], w, rtol=1e-14, atol=1e-15)
        w = w + 0.5 * X.T @ (y - 1 / (1 + np.exp(-X @ w)))
    far = document(run, "trace", "logistic", "two.csv", "--target", "c", "--rate", "1e9", "--steps", "50")
    assert all(math.isfinite(step["cost"]) for step in far["steps"])
    zero = run("trace", "logistic", "two.csv", "--target", "c", "--rate", "0")
    assert zero.returncode == 2


@pytest.mark.parametrize(
    "flags",
    [
        ["--lambda", "0.01"],
        ["--tau", "3"],
        ["--lambda", "1e-5"],
        ["--lambda", "0.02", "--no-intercept"],
        ["--lambda", "0.02", "--standardise"],
    ],
)
def test_answers_obey_their_laws(run, tmp_path, flags):
    X, labels, v = table(tmp_path)
    fit = document(run, "fit", "softmax", "t.csv", "--target", "c", "--weights", "v", *flags, "-o", "m.recta")
    assert fit["certificate"]["verdict"] == "proved" and fit["certificate"]["claim"] == "duality_gap", fit[
        "certificate"
    ]["sentence"]
    W = weights(fit, "abc")
    np.testing.assert_allclose(W.sum(axis=0), 0, atol=1e-9)
    used = np.column_stack([X, np.ones(len(X))])
    scores = used @ W.T
    P = np.exp(scores - scores.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    gradient = (P - (labels[:, None] == np.array(["a", "b", "c"]))).T * v / v.sum() @ used
    sd = (
        np.sqrt(np.average((X - np.average(X, axis=0, weights=v)) ** 2, axis=0, weights=v))
        if "--standardise" in flags
        else np.ones(3)
    )
    strength = float(flags[1]) / (v.sum() if "--tau" in flags else 1)
    np.testing.assert_allclose(gradient[:, :3] + strength * sd**2 * W[:, :3], 0, atol=1e-10)
    if "--no-intercept" not in flags:
        np.testing.assert_allclose(gradient[:, 3], 0, atol=1e-10)
    assert run("verify", "m.recta", "t.csv").returncode == 0
    streamed = run(
        "fit",
        "softmax",
        "t.csv",
        "--target",
        "c",
        "--weights",
        "v",
        *flags,
        "--stream",
        "--threads",
        "1",
        "-o",
        "s.recta",
    )
    assert streamed.returncode == 0 and (tmp_path / "s.recta").read_bytes() == (tmp_path / "m.recta").read_bytes()
    lines = run("predict", "m.recta", "t.csv", "--proba").stdout.splitlines()
    np.testing.assert_allclose([list(map(float, line.split(","))) for line in lines[1:]], P, rtol=1e-9)
    assert run("predict", "m.recta", "t.csv").stdout.splitlines()[1:] == list(
        np.array(["a", "b", "c"])[P.argmax(axis=1)]
    )


def test_two_classes_are_logistic_regression_with_twice_the_penalty(run, tmp_path):
    (tmp_path / "t.csv").write_text(
        "x,c\n" + "".join(f"{x},{c}\n" for x, c in [(0, "n")] * 6 + [(0, "y")] * 2 + [(1, "n")] * 3 + [(1, "y")] * 5)
    )
    soft = weights(document(run, "fit", "softmax", "t.csv", "--target", "c", "--lambda", "0.2"), "ny")
    plain = document(run, "fit", "logistic", "t.csv", "--target", "c", "--lambda", "0.1")
    np.testing.assert_allclose(
        soft[1] - soft[0], [plain["coefficients"]["c"][0]["value"], plain["intercept"]["c"]["value"]], rtol=1e-10
    )
    none = document(run, "fit", "softmax", "t.csv", "--target", "c")
    np.testing.assert_allclose(np.diff(weights(none, "ny"), axis=0)[0], [math.log(5), -math.log(3)], rtol=1e-8)
    assert none["certificate"]["verdict"] == "proved"


def test_without_features_that_matter_intercepts_are_those_of_the_shares(run, tmp_path):
    (tmp_path / "t.csv").write_text("x,c\n" + "".join(f"1,{c}\n" for c in "aaabbbbbbc"))
    fit = document(run, "fit", "softmax", "t.csv", "--target", "c", "--lambda", "1")
    logs = np.log([0.3, 0.6, 0.1])
    np.testing.assert_allclose(weights(fit, "abc")[:, 1], logs - logs.mean(), rtol=1e-12)
    assert fit["certificate"]["verdict"] == "proved"


def test_iris_is_that_of_scikit_learn(run, tmp_path):
    assert run("data", "iris", "-o", "iris.csv", "-q").returncode == 0
    rows = [line.split(",") for line in (tmp_path / "iris.csv").read_text().splitlines()[1:]]
    X, y = np.array([row[:4] for row in rows], dtype=float), [row[4] for row in rows]
    theirs = sklearn.linear_model.LogisticRegression(C=1.0, tol=1e-12, max_iter=10**5).fit(X, y)
    fit = document(run, "fit", "softmax", "iris", "--tau", "1")
    ours = weights(fit, theirs.classes_)
    np.testing.assert_allclose(ours[:, :4], theirs.coef_, atol=1e-5)
    assert fit["certificate"]["verdict"] == "proved" and fit["metrics"]["species"]["accuracy"] == theirs.score(X, y)


def sides(rows, labels, direction):
    """<q_y - q_k, (x, 1)> of every row and every class but its own, in whole numbers, beside the size of their terms."""
    X = [[Fraction(float(x)) for x in row[:-1]] + [Fraction(1)] for row in rows]
    p, count = len(X[0]) - 1, len(labels)
    q = [
        [Fraction(x) for x in direction[k * p : (k + 1) * p]] + [Fraction(direction[count * p + k])]
        for k in range(count)
    ]
    for x, row in zip(X, rows):
        own = labels.index(row[-1])
        for k in range(count):
            if k != own:
                terms = [(a - b) * c for a, b, c in zip(q[own], q[k], x)]
                yield row[-1], labels[k], sum(terms), sum(map(abs, terms))


LINE = [(1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "c"), (6, "c")]
TOUCHING = [(1, "a"), (2, "a"), (2, "b"), (3, "b"), (3, "c"), (5, "c")]


@pytest.mark.parametrize(
    ("rows", "apart"),
    [
        (LINE, {"ab", "ac", "bc"}),
        ([(x * 1e8, c) for x, c in LINE], {"ab", "ac", "bc"}),
        (TOUCHING, {"ac"}),
        ([(1, "a"), (2, "a"), *[(x, c) for x in (4, 5, 6) for c in "bc"]], {"ab", "ac"}),  # a alone stands apart
        (
            [(0, "a")] * 3 + [(0, "b")] * 2 + [(1, "a"), (1, "b"), (1, "c")],
            set(),
        ),  # a table of counts with an empty cell
    ],
)
def test_classes_that_planes_separate_have_no_maximum_and_the_planes_prove_it(run, tmp_path, rows, apart):  # spec L8
    (tmp_path / "t.csv").write_text("x,c\n" + "".join(f"{x!r},{c}\n" for x, c in rows))
    certificate = document(run, "fit", "softmax", "t.csv", "--target", "c", "-o", "m.recta")["certificate"]
    assert certificate["verdict"] == "proved" and certificate["claim"] == "no_finite_maximum"
    found = list(sides(rows, ["a", "b", "c"], certificate["direction"]))
    assert min(value + size / 2**48 for *_, value, size in found) >= 0 < max(value for *_, value, _ in found)
    touching = {"".join(sorted(own + other)) for own, other, value, size in found if value <= size / 2**48}
    assert {"ab", "ac", "bc"} - touching == apart
    said = " ".join(certificate["conditions"])
    assert all(
        (f'"{pair[0]}" from "{pair[1]}"' in said) == (pair in apart and len(apart) < 3) for pair in ("ab", "ac", "bc")
    ), said
    verified = document(run, "verify", "m.recta", "t.csv")
    assert verified["holds"] and verified["certificate"]["claim"] == "no_finite_maximum"
    ridge = document(run, "fit", "softmax", "t.csv", "--target", "c", "--lambda", "0.01")
    assert ridge["certificate"]["claim"] == "duality_gap" and ridge["certificate"]["verdict"] == "proved"


def test_iris_and_digits_have_no_finite_maximum(run, tmp_path):
    for source, target, said in (
        ("iris", 4, 'completely "Iris-setosa" from "Iris-versicolor", "Iris-setosa" from "Iris-virginica"'),
        ("digits", 64, "every two classes completely: all 1797 rows lie beyond them"),
    ):
        certificate = document(run, "fit", "softmax", source)["certificate"]
        assert certificate["verdict"] == "proved" and certificate["claim"] == "no_finite_maximum"
        assert said in " ".join(certificate["conditions"])
        assert run("data", source, "-o", "t.csv", "-q").returncode == 0
        rows = [line.split(",") for line in (tmp_path / "t.csv").read_text().splitlines()[1:]]
        X, y = np.array([row[:target] for row in rows], dtype=float), np.array([row[target] for row in rows])
        labels, count = sorted(set(y)), len(set(y))
        q = np.array(certificate["direction"])
        scores = X @ q[: count * target].reshape(count, target).T + q[count * target :]
        least = scores[np.arange(len(y)), [labels.index(c) for c in y]][:, None] - scores
        assert least.min() > -1e-9 and least.max() > 0.1


def test_rows_that_overlap_have_a_maximum_however_far(run, tmp_path):
    overlap = "".join(f"{x},{c}\n" for x in (1, 2, 3) for c in "abc")
    (tmp_path / "t.csv").write_text("x,c\n" + overlap + "".join(f"{x},{c}\n" for x, c in LINE * 5))
    certificate = document(run, "fit", "softmax", "t.csv", "--target", "c")["certificate"]
    assert certificate["claim"] == "duality_gap" and certificate["verdict"] == "proved"


@pytest.mark.parametrize("strength", ["1e-9", "1e-6", "1e-4"])
def test_weak_penalties_of_classes_nearly_separated_are_proved(run, strength):
    certificate = document(run, "fit", "softmax", "digits", "--lambda", strength)["certificate"]
    assert certificate["verdict"] == "proved" and certificate["gap"] < 1e-10


@pytest.mark.parametrize(
    "flags", [["--lambda1", "1e-2"], ["--lambda1", "1e-4", "--standardise"], ["--lambda", "1e-3", "--l1-share", "0.5"]]
)
def test_absolute_values_are_proved_and_verified(run, flags):
    told = document(run, "fit", "softmax", "digits", *flags, "-o", "m.recta")
    assert told["certificate"]["verdict"] == "proved" and "lambda1 sum_jk" in told["objective"]
    zeros = (weights(told, [str(digit) for digit in range(10)])[:, :-1] == 0).mean()
    assert 0.2 < zeros < 0.9
    assert run("verify", "m.recta", "digits").returncode == 0


def test_refusals(run, tmp_path):
    table(tmp_path)
    for flags, text in (
        (["--positive", "a"], "treats all alike"),
        (["--offset", "v"], "the same for all classes"),
        (["--lambda1", "1", "--l1-share", "0.5"], "l1-share divides"),
        (["--firth"], "firth"),
        (["--lambda1", "1", "--solver", "sgd"], "a smooth cost"),
    ):
        done = run("fit", "softmax", "t.csv", "--target", "c", *flags)
        assert done.returncode == 2 and text in done.stderr, done.stderr
    (tmp_path / "two.csv").write_text(TWO)
    done = run("fit", "softmax", "two.csv", "--target", "c", "--positive", "1")
    assert done.returncode == 2 and "treats all alike" in done.stderr
    assert "treats all alike" in run("trace", "softmax", "t.csv", "--target", "c", "--positive", "a").stderr
    assert "fit softmax" in run("fit", "logistic", "t.csv", "--target", "c").stderr


IRIS_LEAST = 0.0396618226378628191419  # of versicolor and virginica alone, by 50 digits; setosa is apart from both


@pytest.mark.parametrize(
    "unit, flags",
    [
        (1e8, ["--lambda", "0.01"]),
        (1e8, ["--lambda", "1e-4"]),
        (1e8, ["--lambda", "1"]),
        (1e8, ["--lambda1", "0.01"]),
        (1, ["--lambda1", "1e-8"]),
        (1, ["--lambda1", "1e-10"]),
        (1, ["--lambda1", "1e-12"]),
        (1, ["--lambda", "1e-14"]),
        (1, ["--lambda", "1e-16", "--l1-share", "0.5"]),
    ],
)
def test_a_penalty_that_hardly_holds_separated_classes_is_proved(run, tmp_path, unit, flags):
    header, *rows = run("data", "iris").stdout.splitlines()
    scaled = [",".join([f"{float(x) * unit:.10g}" for x in row.split(",")[:4]] + row.split(",")[4:]) for row in rows]
    (tmp_path / "iris.csv").write_text("\n".join([header, *scaled]) + "\n")
    fit = document(run, "fit", "softmax", "iris.csv", "--target", "species", *flags, "-o", "m.recta")
    assert fit["certificate"]["verdict"] == "proved"
    assert -1e-15 < fit["certificate"]["objective"] - IRIS_LEAST < 1e-6
    assert run("verify", "m.recta", "iris.csv").returncode == 0


@pytest.mark.parametrize("flags", [["--lambda", "0.01"], ["--lambda1", "0.01"]])
def test_columns_a_million_away_have_the_same_answer(run, tmp_path, flags):
    header, *rows = run("data", "iris").stdout.splitlines()
    for name, away in (("near.csv", 0), ("far.csv", 2**20)):  # whole numbers: both are exact
        moved = [
            ",".join([f"{round(float(x) * 10) + away}" for x in row.split(",")[:4]] + row.split(",")[4:])
            for row in rows
        ]
        (tmp_path / name).write_text("\n".join([header, *moved]) + "\n")
    near, far = (
        document(run, "fit", "softmax", name, "--target", "species", *flags) for name in ("near.csv", "far.csv")
    )
    assert near["certificate"]["verdict"] == far["certificate"]["verdict"] == "proved"
    for label in near["coefficients"]:
        for a, b in zip(near["coefficients"][label], far["coefficients"][label]):
            assert b["value"] == pytest.approx(a["value"], rel=1e-9, abs=0)
    free = document(run, "fit", "softmax", "far.csv", "--target", "species")
    assert free["certificate"]["verdict"] == "proved"
    assert any("completely" in said and "Iris-setosa" in said for said in free["certificate"]["conditions"])
