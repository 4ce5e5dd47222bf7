"""Choosing a parameter by rows left out, and many classes by models of two."""

import numpy as np
from harness import Case, Contender
from logistics import rows_for
from machines import faster as times_as_fast
from nets import faster
from softmaxes import drawn, topics


def same_losses(ours, theirs):
    """The log-losses of rows left out, at every strength."""
    gap = float(np.max(np.abs(np.array(ours.more["losses"]) - theirs.more["losses"])))
    return None if gap <= 1e-3 else f"the log-losses of rows left out differ by {gap:.1e}"


def same_objectives(ours, theirs):
    """The objectives of all parts, summed: a peer may end a little above."""
    above = (theirs.more["objective"] - ours.more["objective"]) / ours.more["objective"]
    return None if -1e-6 <= above <= 1e-3 else f"its objective is {above:.1e} above"


def search(name, word, data, solver, strengths, limits, quick):
    """Bars by the name of a peer: so many times its speed. A peer called glmnet has absolute values as penalty."""
    l1 = solver == "liblinear"
    job = {
        "lambdas": np.logspace(*strengths).tolist(),
        "folds": 3 if quick else 5,
        "l1": l1,
        "word": word,
        "repeat": 1,
        "threads": 2,
        **data,
    }
    first = f"sklearn CV, {solver}"
    contenders = [
        Contender("recta", {"peer": "recta cv", **job}, True),
        Contender(first, {"peer": "LogisticRegressionCV", "solver": solver, **job}),
    ]
    contenders += [Contender(peer, job) for peer in limits if peer != first]

    shape = f"{data['rows']} x {data['cols']}, {strengths[2]} strengths, {job['folds']} folds"
    return Case(f"{name}, {shape}", contenders, same_losses, times_as_fast(quick, "recta", limits), rounds=1)


def against_all(rows, cols, classes, limit):
    job = {"classes": classes, "lambda": 1e-4, "threads": 2, **topics(rows, cols, classes, 61)}
    contenders = [
        Contender("recta", {"peer": "recta ova", **job}, True),
        Contender("liblinear", {"peer": "liblinear ova", **job}),
    ]
    return Case(
        f"one class against all, {classes} classes, {rows} x {cols} sparse",
        contenders,
        same_objectives,
        faster("faster than liblinear", limit),
        rounds=1,
    )


def selection(quick):
    if quick:
        yield search("L2 logistic", "logistic", rows_for(2_000, 10, 11), "newton-cholesky", (-6, 0, 5), {}, True)
        yield search("L1 logistic", "logistic", rows_for(1_000, 20, 12), "liblinear", (-3, -1, 5), {}, True)
        yield search("softmax of 5 classes", "softmax", drawn(1_000, 8, 5, 53), "newton-cholesky", (-4, 0, 5), {}, True)
        yield against_all(600, 2_000, 5, None)
        return
    newton, loop = "sklearn CV, newton-cholesky", "sklearn-intelex loop"
    yield search(
        "L2 logistic",
        "logistic",
        rows_for(50_000, 100, 11),
        "newton-cholesky",
        (-6, 0, 20),
        {newton: 10, loop: 1},
        False,
    )
    yield search(
        "L1 logistic",
        "logistic",
        rows_for(20_000, 200, 12),
        "liblinear",
        (-3, -1, 20),
        {"sklearn CV, liblinear": 5, "glmnet search": 5},
        False,
    )
    yield search(
        "softmax of 5 classes",
        "softmax",
        drawn(20_000, 50, 5, 53),
        "newton-cholesky",
        (-4, 0, 20),
        {newton: 5, loop: 5},
        False,
    )
    yield against_all(20_000, 50_000, 100, 2)
