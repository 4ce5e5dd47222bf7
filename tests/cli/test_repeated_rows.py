"""Learners that take one row after the other: a row of whole weight k is presented k times, one of weight 0 never."""

import json
import random

import pytest

ROWS, REPEATED = "weighted.csv", "repeated.csv"


@pytest.fixture
def tables(tmp_path):
    """The same rows with weights of 0 to 3, and each as often as it weighs."""
    rng = random.Random(5)
    lines, repeated = ["a,b,y,c,v"], ["a,b,y,c"]
    for i in range(40):
        a, b, weight = rng.gauss(0, 1), rng.gauss(0, 1), i % 4
        row = f"{a},{b},{a - 2 * b + rng.gauss(0, 0.5)},{'yes' if a + b + rng.gauss(0, 0.5) > 0 else 'no'}"
        lines.append(f"{row},{weight}")
        repeated += [row] * weight
    (tmp_path / ROWS).write_text("\n".join(lines) + "\n")
    (tmp_path / REPEATED).write_text("\n".join(repeated) + "\n")


def document(run, *arguments):
    done = run(*arguments, "--json")
    assert done.returncode in (0, 4), done.stderr
    return json.loads(done.stdout)


PERCEPTRONS = [
    ["perceptron", "--passes", "7", *flags]
    for flags in (
        ["--variant", "rosenblatt"],
        ["--variant", "batch"],
        ["--variant", "criterion", "--schedule", "1/t"],
        ["--variant", "pocket"],
        ["--variant", "averaged", "--order", "random"],
    )
]
DELTAS = [
    ["delta", "--passes", "7", *flags]
    for flags in ([], ["--order", "shuffled", "--average"], ["--order", "random", "--rate", "0.5"], ["--batch", "3"])
]
DESCENTS = [
    [word, "--solver", "sgd", "--passes", "7", *flags]
    for word in ("adaline", "linear", "logistic")
    for flags in ([], ["--order", "shuffled"], ["--batch", "3"], ["--schedule", "1/t"])
]


def of(flags, table):
    target = "y" if flags[0] in ("adaline", "linear") else "c"
    return [
        table,
        "--target",
        target,
        "--ignore",
        "c" if target == "y" else "y",
        *(["--weights", "v"] if table == ROWS else []),
        *flags[1:],
    ]


def same_as(numbers, flags):
    """To the bit, but where the rate comes from second moments, whose sums round otherwise."""
    return pytest.approx(numbers, rel=1e-12) if "--batch" in flags else numbers


@pytest.mark.parametrize("flags", PERCEPTRONS + DELTAS + DESCENTS, ids=" ".join)
def test_a_fit_visits_a_row_as_often_as_it_weighs(run, tables, flags):
    weighted, repeated = (
        next(iter(document(run, "fit", flags[0], *of(flags, table))["coefficients"].values()))
        for table in (ROWS, REPEATED)
    )
    assert [c["value"] for c in weighted] == same_as([c["value"] for c in repeated], flags)


@pytest.mark.parametrize("flags", PERCEPTRONS + DELTAS + DESCENTS, ids=" ".join)
def test_a_trace_visits_a_row_as_often_as_it_weighs(run, tables, flags):
    weighted, repeated = (document(run, "trace", flags[0], *of(flags, table))["steps"] for table in (ROWS, REPEATED))
    assert len(weighted) > 5
    assert [step["rows"] for step in weighted] == [step["rows"] for step in repeated]
    for a, b in zip(weighted, repeated):
        assert a["weights"] == same_as(b["weights"], flags)


@pytest.mark.parametrize("word", ["perceptron", "delta", "adaline"])
def test_weights_that_are_not_whole_scale_the_steps_of_their_rows(run, tmp_path, word):
    """Half the weight at twice the rate is the same step, and as many rows are presented."""
    half = "x,y,v\n1,0,0.5\n2,0,0.5\n3,1,0.5\n4,1,0.5\n"
    (tmp_path / "half.csv").write_text(half)
    (tmp_path / "one.csv").write_text(half.replace("0.5", "1"))
    flags = ["--target", "y", "--weights", "v", "--order", "cyclic", "--passes", "3"]
    halves = document(
        run,
        "trace",
        word,
        "half.csv",
        *flags,
        "--rate",
        "0.02",
        "--schedule",
        "constant",
        *(["--batch", "1"] if word == "adaline" else []),
    )
    ones = document(
        run,
        "trace",
        word,
        "one.csv",
        *flags,
        "--rate",
        "0.01",
        "--schedule",
        "constant",
        *(["--batch", "1"] if word == "adaline" else []),
    )
    assert [step["rows"] for step in halves["steps"]] == [step["rows"] for step in ones["steps"]]
    for a, b in zip(halves["steps"], ones["steps"]):
        assert a["weights"] == pytest.approx(b["weights"], rel=1e-12)
