"""Descents of logistic and softmax regression, against the same steps written out."""

import itertools
import json

import numpy as np
import pytest

RNG = np.random.default_rng(11)
N, P = 14, 3
X = np.round(RNG.normal(size=(N, P)), 3)
LABELS = {"logistic": RNG.integers(0, 2, N), "softmax": RNG.integers(0, 3, N)}


def write(tmp_path, word, weights=None, rows=None):
    rows = range(N) if rows is None else rows
    lines = [
        ",".join(
            [
                *map(repr, X[i].tolist()),
                "abc"[LABELS[word][i]],
                *([repr(float(weights[i]))] if weights is not None else []),
            ]
        )
        for i in rows
    ]
    head = "x1,x2,x3,c" + (",v" if weights is not None else "")
    (tmp_path / "t.csv").write_text("\n".join([head, *lines]) + "\n")


def trace(run, word, *flags):
    done = run("trace", word, "t.csv", "--target", "c", *flags, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def point(step, word):
    if word == "softmax":
        return np.array(step["weights"])
    return np.array([*step["weights"], step["intercept"]])


def slopes(word, at, i):
    """The gradient of one row's loss, by the formulas of the course."""
    if word == "logistic":
        x = np.append(X[i], 1.0)
        return (1 / (1 + np.exp(-(x @ at))) - LABELS[word][i]) * x
    x, w = np.append(1.0, X[i]), at.reshape(3, P + 1)
    e = np.exp(w @ x)
    return np.outer(e / e.sum() - (np.arange(3) == LABELS[word][i]), x).ravel()


def cost(word, at, lam):
    scores = (
        np.column_stack([X @ at[:P] + at[P], np.zeros(N)])[:, ::-1]
        if word == "logistic"
        else np.column_stack([np.ones(N), X]) @ at.reshape(3, P + 1).T
    )
    return (
        np.mean(np.log(np.exp(scores).sum(axis=1)) - scores[range(N), LABELS[word]])
        + lam / 2 * (penalised(word) * at**2).sum()
    )


def penalised(word):
    if word == "logistic":
        return np.array([1.0] * P + [0.0])
    return np.tile([0.0] + [1.0] * P, 3)


def written_out(word, steps, rate, batch=1, lam=0.0, total=False, rows=None, factors=None):
    """All points, the start first."""
    rows = list(range(N)) if rows is None else rows
    at = np.zeros(4 if word == "logistic" else 12)
    points, t = [at], 0
    while len(points) <= steps:
        for begin in range(0, len(rows), batch):
            chosen = rows[begin : begin + batch]
            g = sum((1.0 if factors is None else factors[i]) * slopes(word, at, i) for i in chosen)
            size = len(chosen) if total else 1
            at = at - rate(t) * (g / (1 if total else len(chosen)) + size * lam * penalised(word) * at)
            t += len(chosen)
            points.append(at)
    return points[: steps + 1]


@pytest.mark.parametrize("word", ["logistic", "softmax"])
@pytest.mark.parametrize(
    "flags, rate",
    [
        (["--schedule", "constant"], lambda t: 0.3),
        (["--schedule", "1/t"], lambda t: 0.3 / (t + 1)),
        (["--schedule", "c/(c+t)", "--c", "5"], lambda t: 0.3 * 5 / (5 + t)),
        ([], lambda t: 0.3 * N / (N + t)),
    ],
)
def test_single_rows_take_the_steps_written_out(run, tmp_path, word, flags, rate):
    write(tmp_path, word)
    found = trace(
        run, word, "--solver", "sgd", "--order", "cyclic", "--rate", "0.3", "--steps", "40", "--lambda", "0.1", *flags
    )
    sought = written_out(word, 40, rate, lam=0.1)
    assert len(found["steps"]) == 41
    for k, step in enumerate(found["steps"]):
        np.testing.assert_allclose(point(step, word), sought[k], rtol=1e-11, atol=1e-14)
        g = np.mean([slopes(word, sought[k], i) for i in range(N)], axis=0) + 0.1 * penalised(word) * sought[k]
        assert step["gradient_norm"] == pytest.approx(np.linalg.norm(g), rel=1e-11)
        assert step["cost"] == pytest.approx(cost(word, sought[k], 0.1), rel=1e-12)
        assert step["rows"] == k and step["rate"] == pytest.approx(rate(k - 1) if k else 0, rel=1e-15)


@pytest.mark.parametrize("word", ["logistic", "softmax"])
@pytest.mark.parametrize("total", [False, True])
def test_a_few_rows_a_step_and_their_sum(run, tmp_path, word, total):
    write(tmp_path, word)
    found = trace(
        run,
        word,
        "--batch",
        "4",
        "--order",
        "cyclic",
        "--schedule",
        "constant",
        "--rate",
        "0.1",
        "--steps",
        "9",
        "--lambda",
        "0.05",
        *(["--reduction", "sum"] if total else []),
    )
    for step, sought in zip(found["steps"], written_out(word, 9, lambda t: 0.1, batch=4, lam=0.05, total=total)):
        np.testing.assert_allclose(point(step, word), sought, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("word", ["logistic", "softmax"])
def test_the_mean_of_points_is_taken_after_the_first_pass(run, tmp_path, word):
    write(tmp_path, word)
    found = trace(
        run,
        word,
        "--solver",
        "sgd",
        "--order",
        "cyclic",
        "--schedule",
        "constant",
        "--rate",
        "0.2",
        "--steps",
        str(3 * N),
        "--average",
        "--lambda",
        "0.1",
    )
    sought = np.mean(written_out(word, 3 * N, lambda t: 0.2, lam=0.1)[N + 1 :], axis=0)
    np.testing.assert_allclose(point(found["answer"], word), sought, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("word", ["logistic", "softmax"])
def test_whole_weights_repeat_their_row_and_others_scale_it(run, tmp_path, word):
    flags = [
        "--weights",
        "v",
        "--solver",
        "sgd",
        "--order",
        "cyclic",
        "--schedule",
        "constant",
        "--rate",
        "0.2",
        "--passes",
        "2",
    ]
    whole = RNG.integers(0, 3, N)
    for k in range(3):
        whole[np.flatnonzero(LABELS[word] == k)[:1]] = 2
    write(tmp_path, word, whole)
    rows = np.repeat(np.arange(N), whole).tolist()
    sought = written_out(word, 2 * len(rows), lambda t: 0.2, rows=rows)[-1]
    np.testing.assert_allclose(point(trace(run, word, *flags)["answer"], word), sought, rtol=1e-11)
    parts = np.round(RNG.random(N) + 0.05, 3)
    write(tmp_path, word, parts)
    sought = written_out(word, 2 * N, lambda t: 0.2, factors=parts)[-1]
    np.testing.assert_allclose(point(trace(run, word, *flags)["answer"], word), sought, rtol=1e-11)


@pytest.mark.parametrize("word", ["logistic", "softmax"])
def test_shuffled_rows_come_in_one_of_their_orders(run, tmp_path, word):
    kept = [int(np.flatnonzero(LABELS[word] == k)[0]) for k in range(LABELS[word].max() + 1)]
    kept += [i for i in range(N) if i not in kept][: 4 - len(kept)]
    write(tmp_path, word, rows=kept)
    flags = ["--solver", "sgd", "--schedule", "constant", "--rate", "1", "--passes", "1"]
    orders = {
        tuple(order): written_out(word, 4, lambda t: 1.0, rows=list(order))[-1]
        for order in itertools.permutations(kept)
    }
    met = set()
    for seed in range(8):
        found = point(trace(run, word, *flags, "--seed", str(seed))["answer"], word)
        (order,) = [order for order, sought in orders.items() if np.allclose(found, sought, rtol=1e-11, atol=0)]
        met.add(order)
    assert len(met) > 3


@pytest.mark.parametrize(
    "word, solvers", [("logistic", ["gradient-descent", "accelerated", "svrg", "saga"]), ("softmax", ["accelerated"])]
)
def test_descents_come_to_the_optimum_and_it_is_proved(run, tmp_path, word, solvers):
    write(tmp_path, word)
    fit = lambda *flags: json.loads(
        run("fit", word, "t.csv", "--target", "c", "--lambda", "0.1", *flags, "--json").stdout
    )
    sought = fit()
    for solver in solvers:
        found = fit("--solver", solver)
        assert found["certificate"]["verdict"] == "proved", (solver, found["certificate"]["sentence"])
        for label, coefficients in sought["coefficients"].items():
            np.testing.assert_allclose(
                [c["value"] for c in found["coefficients"][label]], [c["value"] for c in coefficients], atol=1e-4
            )


@pytest.mark.parametrize("word", ["logistic", "softmax"])
def test_a_fit_by_rows_says_how_far_it_is_and_streams_the_same(run, tmp_path, word):
    write(tmp_path, word)
    flags = ["--solver", "sgd", "--order", "cyclic", "--rate", "0.3", "--passes", "20", "--lambda", "0.1"]
    held = run("fit", word, "t.csv", "--target", "c", *flags, "-o", "m.recta")
    assert "Stopped early (20 passes), not proved: the objective" in held.stdout and "by its duality gap" in held.stdout
    streamed = run("fit", word, "t.csv", "--target", "c", *flags, "--stream", "-o", "s.recta")
    assert streamed.returncode == 0, streamed.stderr
    assert (tmp_path / "m.recta").read_bytes() == (tmp_path / "s.recta").read_bytes()
    assert "Stopped early" in run("verify", "m.recta", "t.csv").stdout
    refused = run("fit", word, "t.csv", "--target", "c", "--solver", "sgd", "--order", "shuffled", "--stream")
    assert refused.returncode == 2 and "leave out --stream" in refused.stderr


@pytest.mark.parametrize("word", ["logistic", "softmax"])
def test_a_large_rate_is_no_explosion_and_without_intercepts_none_moves(run, tmp_path, word):
    write(tmp_path, word)
    far = trace(run, word, "--solver", "sgd", "--rate", "1000", "--schedule", "constant", "--passes", "5")
    assert not far["diverged"] and all(np.isfinite(step["cost"]) for step in far["steps"])
    none = trace(run, word, "--solver", "sgd", "--no-intercept", "--start", "random", "--steps", "5")
    for step in none["steps"]:
        intercepts = step["weights"][:: P + 1] if word == "softmax" else [step["intercept"]]
        assert intercepts == [0.0] * len(intercepts)
    wrong = run("trace", "softmax", "t.csv", "--target", "c", "--solver", "saga")
    assert wrong.returncode == 2


@pytest.mark.parametrize("streamed", [[], ["--stream"]])
@pytest.mark.parametrize("word", ["logistic", "softmax"])
def test_a_pass_of_whole_weights_is_that_of_the_rows_written_as_often(run, tmp_path, word, streamed):
    whole = np.array([3, 1, 2, 0, 1, 1, 4, 1, 1, 2, 1, 1, 1, 1])
    flags = [
        "--solver",
        "sgd",
        "--order",
        "cyclic",
        "--rate",
        "0.2",
        "--passes",
        "3",
        "--average",
    ]  # c and the mean go by the pass

    def answer(*more):
        done = run("fit", word, "t.csv", "--target", "c", *flags, *more, *streamed, "--json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)["coefficients"]
        return [c["value"] for label in sorted(found) for c in found[label]]

    write(tmp_path, word, whole)
    weighted = answer("--weights", "v")
    write(tmp_path, word, rows=np.repeat(np.arange(N), whole))
    assert weighted == pytest.approx(answer(), rel=1e-10)


@pytest.mark.parametrize("word", ["logistic", "softmax"])
@pytest.mark.parametrize(
    "flags",
    [
        ["--solver", "gradient-descent", "--rate", "0.7", "--lambda", "0.1"],
        ["--solver", "sgd", "--order", "cyclic", "--rate", "0.5"],
        ["--solver", "accelerated", "--lambda", "0.02"],
    ],
)
def test_a_standardised_descent_is_that_of_standardised_columns(run, tmp_path, word, flags):
    wide = X * [1.0, 1e6, 1e-3] + [0, 3e6, 5e-3]
    mean, sd = wide.mean(axis=0), wide.std(axis=0)
    for name, x in (("t.csv", wide), ("s.csv", (wide - mean) / sd)):
        (tmp_path / name).write_text(
            "x1,x2,x3,c\n"
            + "".join(f"{','.join(map(repr, x[i].tolist()))},{'abc'[LABELS[word][i]]}\n" for i in range(N))
        )
    found, by_hand = [
        json.loads(run("trace", word, name, "--target", "c", *flags, "--steps", 30, *more, "--json").stdout)
        for name, more in (("t.csv", ["--standardise"]), ("s.csv", []))
    ]
    assert found["standardised"] and not by_hand["standardised"]
    np.testing.assert_allclose(
        [point(s, word) for s in found["steps"]], [point(s, word) for s in by_hand["steps"]], rtol=1e-7, atol=1e-9
    )
    np.testing.assert_allclose([s["cost"] for s in found["steps"]], [s["cost"] for s in by_hand["steps"]], rtol=1e-9)
    fit, scaled = [
        json.loads(run("fit", word, name, "--target", "c", *flags, "--steps", 30, *more, "--json").stdout)
        for name, more in (("t.csv", ["--standardise", "-o", "m.recta"]), ("s.csv", []))
    ]
    for label in ["c"] if word == "logistic" else ["a", "b", "c"]:
        end, b = np.array([c["value"] for c in scaled["coefficients"][label]]), scaled["intercept"][label]["value"]
        np.testing.assert_allclose([c["value"] for c in fit["coefficients"][label]], end / sd, rtol=1e-7)
        np.testing.assert_allclose([c["standardised"] for c in fit["coefficients"][label]], end, rtol=1e-7)
        np.testing.assert_allclose(fit["intercept"][label]["value"], b - (mean / sd) @ end, rtol=1e-6)
    assert json.loads(run("verify", "m.recta", "t.csv", "--json").stdout)["holds"]


@pytest.mark.parametrize("word", ["logistic", "softmax", "delta"])
def test_a_rate_that_is_far_too_large_is_said_to_be_so(run, tmp_path, word):
    (tmp_path / "t.csv").write_text("x,c\n1,a\n2,b\n3,a\n4,b\n5,a\n")
    fit = json.loads(run("fit", word, "t.csv", "--target", "c", "--solver", "sgd", "--rate", 1e9, "--json").stdout)
    assert "a smaller rate" in " ".join(fit["certificate"]["conditions"])
    assert fit["certificate"]["verdict"] != "proved"
    fit = json.loads(run("fit", word, "t.csv", "--target", "c", "--solver", "sgd", "--rate", 0.01, "--json").stdout)
    assert "a smaller rate" not in " ".join(fit["certificate"]["conditions"])


def test_standardised_steps_stream_and_ask_for_an_intercept(run, tmp_path):
    write(tmp_path, "logistic")
    flags = ("--target", "c", "--solver", "sgd", "--order", "cyclic", "--standardise", "--passes", 3)
    run("fit", "logistic", "t.csv", *flags, "-o", "a.recta")
    run("fit", "logistic", "t.csv", *flags, "--stream", "-o", "b.recta")
    assert (tmp_path / "a.recta").read_bytes() == (tmp_path / "b.recta").read_bytes()
    for word in ("logistic", "perceptron", "delta"):
        done = run("fit", word, "t.csv", "--target", "c", "--standardise", "--no-intercept")
        assert done.returncode == 2 and "needs an intercept" in done.stderr
