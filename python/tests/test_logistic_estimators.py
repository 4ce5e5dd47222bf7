"""LogisticRegression beside scikit-learn's, and what only Recta's has."""

import pickle
import subprocess

import numpy as np
import pandas
import pytest
import scipy.optimize
import scipy.sparse
import sklearn.linear_model
from sklearn.exceptions import ConvergenceWarning

import recta
from recta.linear_model import LogisticRegression


def problem(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 5))
    p = 1 / (1 + np.exp(-X @ [1.0, -2.0, 0.5, 0.0, 0.3] - 0.4))
    return X, (rng.random(n) < p).astype(int), rng.integers(0, 4, n).astype(float)


LABELS = {
    "numbers": [3, 7],
    "floats": [-1.0, 2.0],
    "words": ["no", "yes"],
    "script": ["ä", "я"],
    "truth": [False, True],
    "numbers in words": ["9", "10"],
}


@pytest.mark.parametrize(
    "setting",
    [
        {},
        {"C": 0.1, "fit_intercept": False},
        {"C": np.inf},
        {"class_weight": "balanced"},
        {"class_weight": {0: 1.0, 1: 3.0}},
    ],
    ids=str,
)
def test_answers_are_those_of_scikit_learn(setting):
    X, y, w = problem()
    for weights in (None, w):
        ours = LogisticRegression(**setting).fit(X, y, weights)
        if weights is not None and setting.get("class_weight") == "balanced":
            continue  # scikit-learn counts rows there, not weights
        theirs = sklearn.linear_model.LogisticRegression(solver="newton-cholesky", tol=1e-12, **setting).fit(
            X, y, weights
        )
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-9, strict=True)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-7, atol=1e-9, strict=True)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-7, strict=True)
        np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-7, strict=True)
        np.testing.assert_allclose(
            ours.decision_function(X), theirs.decision_function(X), rtol=1e-6, atol=1e-9, strict=True
        )
        assert ours.predict(X).tolist() == theirs.predict(X).tolist() and ours.score(X, y, weights) == theirs.score(
            X, y, weights
        )
        assert ours.certificate_.verdict == "proved" and ours.certificate_.verify(X, y, weights).verdict == "proved"


@pytest.mark.parametrize(
    "setting", [{"l1_ratio": 1.0, "C": 0.05}, {"l1_ratio": 0.4, "C": 0.02}, {"penalty": "l1", "C": 0.03}], ids=str
)
def test_sparse_answers_meet_their_conditions(setting):
    X, y, _ = problem()
    model = LogisticRegression(**setting).fit(X, y)
    share, tau = {"l1": 1.0}.get(setting.get("penalty"), setting.get("l1_ratio")), 1 / setting["C"]
    gradient = X.T @ (model.predict_proba(X)[:, 1] - y) + tau * (1 - share) * model.coef_[0]
    used = model.coef_[0] != 0
    assert 0 < used.sum() < 5
    np.testing.assert_allclose(gradient[used], -tau * share * np.sign(model.coef_[0][used]), atol=1e-9)
    assert (np.abs(gradient[~used]) < tau * share).all()
    assert abs((model.predict_proba(X)[:, 1] - y).sum()) < 1e-9
    assert model.certificate_.verdict == "proved"


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_labels_survive_files_and_pickles(labels, tmp_path):
    X, y, _ = problem()
    y = np.array(labels)[y]
    model = LogisticRegression().fit(X, y)
    assert model.classes_.tolist() == np.unique(y).tolist() and model.classes_.dtype == np.unique(y).dtype
    model.save(tmp_path / "m.recta")
    read, restored = LogisticRegression.load(tmp_path / "m.recta"), pickle.loads(pickle.dumps(model))
    for other in (read, restored):
        assert other.classes_.tolist() == model.classes_.tolist()
        assert (other.predict(X) == model.predict(X)).all() and (other.predict_proba(X) == model.predict_proba(X)).all()
    assert pytest.approx(1.0, rel=1e-15) == read.C
    assert read.certificate_.verify(X, y).verdict == "proved"
    plain = recta.load(tmp_path / "m.recta")
    assert plain.predict(X).tolist() == model.predict(X).tolist() or labels == [False, True]
    assert (plain.predict_proba(X) == model.predict_proba(X)).all()


def test_the_positive_class_of_a_file_is_the_second_here(program, tmp_path):
    X, y, _ = problem()
    np.savetxt(
        tmp_path / "t.csv", np.column_stack([X, y]), delimiter=",", header="a,b,c,d,e,y", comments="", fmt="%.17g"
    )
    subprocess.run(
        [
            program,
            "fit",
            "logistic",
            tmp_path / "t.csv",
            "--target",
            "y",
            "--positive",
            "0",
            "-o",
            tmp_path / "m.recta",
        ],
        check=True,
        capture_output=True,
    )
    read = LogisticRegression.load(tmp_path / "m.recta")
    frame = pandas.DataFrame(X, columns=list("abcde"))
    ours = LogisticRegression(C=np.inf).fit(X, y)
    assert read.classes_.tolist() == [1, 0]
    assert read.predict(frame).tolist() == ours.predict(X).tolist()
    np.testing.assert_allclose(read.predict_proba(frame), ours.predict_proba(X)[:, ::-1], rtol=1e-9)
    assert read.certificate_.verify(frame, y).verdict == "proved"


@pytest.mark.parametrize("labels", [["a", "b", "c"], [1, 2, 3]], ids=["words", "numbers"])
def test_a_file_of_one_class_against_the_rest(program, tmp_path, labels):
    X, _, noise = problem()
    y = np.array(labels)[np.digitize(X[:, 0] + noise, [1, 2])]
    frame = pandas.DataFrame(X, columns=list("abcde"))
    frame.assign(y=y).to_csv(tmp_path / "t.csv", index=False, float_format="%.17g")
    subprocess.run(
        [
            program,
            "fit",
            "logistic",
            tmp_path / "t.csv",
            "--target",
            "y",
            "--positive",
            str(labels[0]),
            "--lambda",
            "0.1",
            "-o",
            tmp_path / "m.recta",
        ],
        check=True,
        capture_output=True,
    )
    read, plain = LogisticRegression.load(tmp_path / "m.recta"), recta.load(tmp_path / "m.recta")
    ours = LogisticRegression(C=10 / len(X)).fit(frame, y == labels[0])
    assert read.classes_.tolist() == plain.classes.tolist() == [f"not {labels[0]}", str(labels[0])]
    np.testing.assert_allclose(read.coef_, ours.coef_, rtol=1e-9)
    assert (read.predict(frame) == str(labels[0])).tolist() == ours.predict(frame).tolist()
    assert plain.predict(frame).tolist() == read.predict(frame).tolist()
    assert read.certificate_.verify(frame, y).verdict == "proved"
    assert (
        read.certificate_.verify(frame, np.where(y == labels[0], str(labels[0]), f"not {labels[0]}")).verdict
        == "proved"
    )
    with pytest.raises(ValueError, match="row 1 has the label"):
        read.certificate_.verify(frame, ["x", *y[1:].astype(str)])
    read.save(tmp_path / "again.recta")
    assert (tmp_path / "again.recta").read_bytes() == (tmp_path / "m.recta").read_bytes()


def test_frames_sparse_rows_and_single_floats_give_the_same():
    X, y, _ = problem()
    words = np.array(["no", "yes"])[y]
    ours = LogisticRegression().fit(X, words)
    frame = pandas.DataFrame(X, columns=list("abcde")).assign(group=pandas.Categorical(np.where(X[:, 0] > 0, "p", "q")))
    labelled = LogisticRegression().fit(frame, words)
    assert labelled.predict(frame).tolist() != [] and labelled.certificate_.verify(frame, words).verdict == "proved"
    sparse = LogisticRegression().fit(scipy.sparse.csr_array(X), words)
    np.testing.assert_allclose(sparse.coef_, ours.coef_, rtol=1e-12)
    single = LogisticRegression().fit(X.astype(np.float32), words)
    np.testing.assert_allclose(single.coef_, ours.coef_, rtol=1e-4)


def test_the_prediction_is_the_class_of_the_largest_probability():
    X, y, _ = problem()
    model = LogisticRegression().fit(X, y)
    near = np.linspace(-1e-15, 1e-15, 41)[:, None] * model.coef_ / (
        model.coef_ @ model.coef_.T
    ) - model.intercept_ * model.coef_ / (model.coef_ @ model.coef_.T)
    for rows in (X, near):
        z, proba = model.decision_function(rows), model.predict_proba(rows)
        assert (model.predict(rows) == (z >= 0)).all()
        assert (proba.argmax(axis=1)[z != 0] == model.predict(rows)[z != 0]).all()
    fast = model.fast_predictor()
    assert fast(X[0]) == model.decision_function(X[:1])[0]


def test_separated_classes_are_named_and_proved():
    X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), ["a", "a", "b", "b"]
    with pytest.warns(ConvergenceWarning, match="no finite maximum"):
        model = LogisticRegression(C=np.inf).fit(X, y)
    assert model.certificate_.claim == "no_finite_maximum" and model.certificate_.verdict == "no_optimum"
    assert model.certificate_.verify(X, y).verdict == "no_optimum"
    assert (
        "no_optimum" in model._repr_html_() and pickle.loads(pickle.dumps(model.certificate_)).verdict == "no_optimum"
    )
    assert model.predict(X).tolist() == y


def test_the_summary_has_odds_ratios_and_the_likelihood_ratio():
    X, y = [[0.0]] * 8 + [[1.0]] * 8, ["no"] * 6 + ["yes"] * 2 + ["no"] * 3 + ["yes"] * 5
    summary = LogisticRegression(C=np.inf).fit(X, y).summary()
    name, ratio, lower, upper = summary.odds_ratios()[1]
    assert name == "x1" and ratio == pytest.approx(5, rel=1e-12)
    assert np.log(upper / ratio) == pytest.approx(1.959963984540054 * np.sqrt(1 / 6 + 1 / 2 + 1 / 3 + 1 / 5), rel=1e-12)
    assert "odds ratio" in str(summary) and "all slopes zero: likelihood ratio" in str(summary)


def test_refusals():
    X, y, _ = problem(30)
    with pytest.raises(ValueError, match="'C' parameter"):
        LogisticRegression(C=0.0).fit(X, y)
    with pytest.raises(ValueError, match="'penalty' parameter"):
        LogisticRegression(penalty="l3").fit(X, y)
    with pytest.raises(ValueError, match="at least 2 classes"):
        LogisticRegression().fit(X, np.ones(30))
    with pytest.raises(ValueError, match="Unknown label type"):
        LogisticRegression().fit(X, X[:, 0])


@pytest.mark.parametrize("labels", [[1, 2, 5], ["ä", "b", "c"]], ids=str)
def test_three_classes_are_those_of_scikit_learn(labels, tmp_path):
    X, _, w = problem()
    y = np.array(labels)[np.digitize(X @ [1.0, 0.3, 0, 0, 0] + 0.5 * X[:, 2] ** 2, [-0.2, 0.8])]
    ours = LogisticRegression().fit(X, y, w)
    theirs = sklearn.linear_model.LogisticRegression(tol=1e-12, max_iter=10**5).fit(X, y, w)
    assert ours.classes_.tolist() == sorted(labels)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-5, strict=True)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5, strict=True)
    np.testing.assert_allclose(np.exp(ours.predict_log_proba(X)), ours.predict_proba(X), rtol=1e-12)
    assert (ours.predict(X) == ours.classes_[ours.predict_proba(X).argmax(axis=1)]).all()
    assert ours.decision_function(X).shape == (len(X), 3)
    assert ours.certificate_.verdict == "proved" and ours.certificate_.verify(X, y, w).verdict == "proved"
    assert f"target {labels[0]}\n" in str(ours.summary())
    ours.save(tmp_path / "m.recta")
    read = LogisticRegression.load(tmp_path / "m.recta")
    assert (read.predict(X) == ours.predict(X)).all() and recta.load(tmp_path / "m.recta").word == "softmax"
    with pytest.raises(ValueError, match="Only binary"):
        LogisticRegression(penalty="firth").fit(X, y)


def expect_conditions(model, X, y, strength, share, weight):
    """What holds at the optimum of several classes and nowhere else, in units of the summed loss."""
    d = ((y[:, None] == model.classes_) - model.predict_proba(X)) * weight[:, None]
    slope, w = d.T @ X, model.coef_
    rest, l1 = slope - strength * (1 - share) * w, strength * share
    near = 1e-9 * weight.sum() * max(1, abs(X).max())
    np.testing.assert_allclose(d.sum(axis=0), 0, atol=near)
    np.testing.assert_allclose(rest[w != 0], l1 * np.sign(w[w != 0]), atol=near)
    assert (abs(rest[w == 0]) <= l1 + near).all()


@pytest.mark.parametrize("seed", range(60))
def test_several_classes_under_absolute_values_are_proved(seed):
    rng = np.random.default_rng(seed)
    n, p, k = rng.integers(20, 200), rng.integers(1, 12), rng.integers(3, 6)
    X = rng.standard_normal((n, p))
    if seed % 5 == 0:
        X[:, -1] = X[:, 0]
    if seed % 7 == 0:
        X = np.round(X)
    y = (X @ (3 * rng.standard_normal((p, k))) + rng.gumbel(size=(n, k))).argmax(axis=1)
    weight = rng.random(n) + 0.1 if seed % 4 == 0 else np.ones(n)
    if len(np.unique(y)) < 3:
        y[:3] = [0, 1, 2]
    C, share = 10.0 ** rng.uniform(-2, 3), [1.0, 0.5, 0.9][seed % 3]
    model = LogisticRegression(l1_ratio=share, C=C).fit(X, y, weight)
    assert model.certificate_.verdict == "proved" and model.certificate_.verify(X, y, weight).verdict == "proved"
    expect_conditions(model, X, y, 1 / C, share, weight)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("seed", range(0, 440, 11))
def test_absolute_values_of_columns_in_units_far_apart_are_proved(seed, classes):
    rng = np.random.default_rng(seed)
    n, p = rng.integers(5, 200), rng.integers(1, 12)
    X = rng.standard_normal((n, p))
    X *= 10.0 ** rng.integers(-4, 5, p)
    weights = rng.standard_normal((p, classes)) * 3 * (rng.random((p, classes)) < 0.5)
    y = (X / abs(X).max(axis=0) @ weights + rng.gumbel(size=(n, classes))).argmax(axis=1)
    y[:classes] = range(classes)
    C, intercept = 10.0 ** rng.uniform(-3, 4), seed % 2 == 1
    model = LogisticRegression(l1_ratio=1, C=C, fit_intercept=intercept).fit(X, y)
    assert model.certificate_.verdict == "proved", model.certificate_


@pytest.mark.parametrize("share", [1.0, 0.9])
def test_a_weak_penalty_of_separable_classes_is_proved(share):
    rng = np.random.RandomState(42)
    X, y = rng.rand(15, 30), np.repeat([0, 1, 2], 5)
    for C in (1e2, 1e4, 1e6):
        model = LogisticRegression(l1_ratio=share, C=C).fit(np.repeat(X, 3, axis=0), np.repeat(y, 3))
        assert model.certificate_.verdict == "proved", (C, model.certificate_)


@pytest.mark.parametrize("seed", range(30))
def test_several_classes_without_a_penalty_are_proved(seed):
    rng = np.random.default_rng(seed)
    n, p, k = rng.integers(100, 300), rng.integers(1, 8), rng.integers(3, 6)
    X = rng.standard_normal((n, p)) * 10.0 ** rng.integers(-3, 4, p)
    y = (X / abs(X).max(axis=0) @ rng.standard_normal((p, k)) + rng.gumbel(size=(n, k))).argmax(axis=1)
    model = LogisticRegression(C=np.inf, fit_intercept=seed % 3 > 0).fit(X, y)
    assert model.certificate_.verdict == "proved", model.certificate_
    d = (y[:, None] == model.classes_) - model.predict_proba(X)
    np.testing.assert_allclose(d.T @ X / abs(X).max(axis=0), 0, atol=1e-9 * n)


def test_several_classes_under_absolute_values_are_those_of_scikit_learn(tmp_path):
    X, _, _ = problem()
    y = np.digitize(X @ [1.0, 0.3, 0, 0, 0] + 0.5 * X[:, 2] ** 2, [-0.2, 0.8])
    ours = LogisticRegression(l1_ratio=1, C=0.1).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(l1_ratio=1, C=0.1, solver="saga", tol=1e-10, max_iter=10**5).fit(
        X, y
    )
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    assert (ours.coef_ == 0).any() and (ours.coef_ != 0).any()
    ours.save(tmp_path / "m.recta")
    read = LogisticRegression.load(tmp_path / "m.recta")
    assert read.get_params()["l1_ratio"] == 1 and (read.coef_ == ours.coef_).all()


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_several_classes_of_more_columns_than_p_by_p_sums_take(share):
    rng = np.random.default_rng(5)
    n, p = 400, 9000
    X = scipy.sparse.random_array((n, p), density=20 / p, format="csr", rng=rng)
    X.data[:] = np.round(4 * X.data) + 1
    X = scipy.sparse.hstack([X, rng.integers(0, 3, (n, 3))]).tocsr()
    y = np.asarray(X[:, -3:].argmax(axis=1)).ravel() + rng.integers(0, 2, n)
    model = LogisticRegression(l1_ratio=share, C=1).fit(X, y)
    assert model.certificate_.verdict == "proved" and model.certificate_.verify(X, y).verdict == "proved"
    expect_conditions(model, X.toarray(), y, 1, share, np.ones(n))
    with pytest.raises(ValueError, match="too many for the p x p sums"):
        LogisticRegression(C=np.inf).fit(X, y)


def counts(cells):
    """Rows of a table of counts: (x, label) -> count."""
    X = np.repeat([[x] for x, _ in cells], list(cells.values()), axis=0).astype(float)
    return X, np.repeat([label for _, label in cells], list(cells.values()))


@pytest.mark.parametrize(
    "cells",
    [
        {(0, "no"): 6, (0, "yes"): 2, (1, "no"): 3, (1, "yes"): 5},
        {(0, "a"): 6, (0, "b"): 2, (0, "c"): 2, (1, "a"): 2, (1, "b"): 5, (1, "c"): 3},
    ],
    ids=["two", "three"],
)
@pytest.mark.parametrize("weight", ["balanced", "dict"])
def test_corrected_probabilities_are_shares(cells, weight):
    X, y = counts(cells)
    labels = np.unique(y)
    shares = [[cells[x, label] / sum(cells[x, other] for other in labels) for label in labels] for x in (0, 1)]
    model = LogisticRegression(
        C=np.inf, class_weight=weight if weight == "balanced" else dict(zip(labels, (1.0, 4.0, 0.5)))
    ).fit(X, y)
    np.testing.assert_allclose(model.predict_proba([[0.0], [1.0]], corrected=True), shares, rtol=1e-7)
    assert abs(model.predict_proba([[0.0]])[0] - shares[0]).max() > 0.05
    assert model.certificate_.verify(X, y).verdict == model.certificate_.verdict
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X, corrected=True), model.predict_proba(X, corrected=True))


def test_decisions_weigh_costs():
    X, y = counts({(0, "no"): 6, (0, "yes"): 2, (1, "no"): 3, (1, "yes"): 5})
    model = LogisticRegression(C=np.inf).fit(X, y)
    rows = [[0.0], [1.0]]
    assert model.decide(rows, {"yes": 2.9}).tolist() == ["no", "yes"] == model.predict(rows).tolist()
    assert model.decide(rows, {"yes": 3.1}).tolist() == ["yes", "yes"]
    assert model.decide(rows, [[0, 1], [3.1, 0]]).tolist() == ["yes", "yes"]
    assert model.decide(rows, [[0, 4], [1, -1]]).tolist() == ["no", "no"]
    with pytest.raises(ValueError, match="there is no class 'maybe'"):
        model.decide(rows, {"maybe": 1})
    with pytest.raises(ValueError, match="give 2 x 2"):
        model.decide(rows, [[0, 1, 1]])
    with pytest.raises(ValueError, match="class_weight of 'yes' is 0"):
        LogisticRegression(class_weight={"no": 1.0, "yes": 0.0}).fit(X, y)


@pytest.mark.parametrize("tolerance", [1e-10, 1e-5])
def test_several_classes_of_many_columns_are_proved(tolerance):
    """More than eight rows a column: factors of the classes come from some of the rows."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((2000, 100)) * np.geomspace(1, 0.01, 100)
    y = (X @ rng.standard_normal((100, 4)) * 3 + rng.gumbel(size=(2000, 4))).argmax(axis=1)
    model = LogisticRegression(C=10.0, tolerance=tolerance).fit(X, y)
    assert model.certificate_.verdict == "proved" and model.certificate_.gap <= tolerance * np.log(4)
    assert model.certificate_.verify(X, y).verdict == "proved"
    theirs = sklearn.linear_model.LogisticRegression(C=10.0, solver="newton-cg", tol=1e-10, max_iter=1000).fit(X, y)
    np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-6 if tolerance < 1e-9 else 0.1)


@pytest.mark.parametrize("separable", [False, True])
def test_firth_is_the_maximum_of_the_corrected_likelihood(separable):
    rng = np.random.default_rng(11)
    X = rng.standard_normal((40, 3)) * [1.0, 10.0, 0.1] + [0.0, 100.0, 0.0]
    y = np.where(X[:, 0] + (0 if separable else 1) * rng.standard_normal(40) > 0, "b", "a")
    w = rng.integers(1, 4, 40).astype(float)
    model = LogisticRegression(penalty="firth").fit(X, y, w)
    assert model.certificate_.verdict == "within_tolerance" and "stationary" in model.certificate_.sentence

    centre, spread = X.mean(axis=0), X.std(axis=0)
    A = np.column_stack([np.ones(40), (X - centre) / spread])
    sign = np.where(y == "b", 1.0, -1.0)

    def cost(beta):
        z = A @ beta
        p = 1 / (1 + np.exp(-z))
        return (w * np.logaddexp(0, -sign * z)).sum() - np.linalg.slogdet(A.T @ (A * (w * p * (1 - p))[:, None]))[1] / 2

    best = scipy.optimize.minimize(cost, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x
    ours = np.concatenate([model.intercept_ + model.coef_[0] @ centre, model.coef_[0] * spread])
    np.testing.assert_allclose(ours, best, rtol=1e-5, atol=1e-6)
    assert cost(ours) <= cost(best) + 1e-12
    with pytest.raises(ValueError, match="Only binary classification"):
        LogisticRegression(penalty="firth").fit(X, np.arange(40) % 3)
    again = pickle.loads(pickle.dumps(model))
    assert again.certificate_.verify(X, y, w).verdict == "within_tolerance"


# In those above 1000 the plane is one of many, or its numbers are no doubles.
@pytest.mark.parametrize("seed", [*range(40), 1637, 1958, 2119, 2188, 2349, 2412, 2457])
def test_no_finite_maximum_is_said_where_a_plane_separates(seed):
    rng = np.random.default_rng(seed)
    n, p = rng.integers(10, 40), rng.integers(3, 9)
    X = rng.integers(-2, 3, (n, p)) * rng.choice([1, 0.1, 0.3, 7])
    w = rng.integers(-2, 3, p)
    score = X @ w + rng.integers(-1, 2)
    y = np.where(score > 0, 1, np.where(score < 0, 0, rng.integers(0, 2, n)))
    if len(np.unique(y)) < 2:
        y[0] = 1 - y[0]
    model = LogisticRegression(C=np.inf).fit(X, y)
    separated = recta.separability(X, y).verdict.startswith("separable")
    assert ("no finite maximum" in model.certificate_.sentence) == separated
    assert (model.certificate_.verdict == "no_optimum") == separated
    assert model.certificate_.verify(X, y).verdict == model.certificate_.verdict
