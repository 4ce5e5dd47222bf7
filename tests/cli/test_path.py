"""recta path: many strengths of a penalty, the errors of folds and rows left out, and the point that is chosen."""

import json

import numpy as np
import pytest
from sklearn.linear_model import Lasso, Ridge


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((60, 5)) * [1, 2, 3, 1, 1] + 4
    y = x[:, 0] - 0.5 * x[:, 1] + rng.standard_normal(60)
    path = tmp_path / "d.csv"
    header = ",".join([f"x{j}" for j in range(5)] + ["y"])
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header=header, comments="", fmt="%.17g")
    return path, x, y


def document(run, *args):
    done = run("path", *args, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_point_is_the_lasso_of_scikit_learn(run, data):
    path, x, y = data
    made = document(run, "lasso", path, "--target", "y", "--count", "7", "--ratio", "0.01")
    assert made["schema"] == "recta/path/2"
    assert len(made["points"]) == 7
    assert made["points"][0]["nonzero"] == 0
    assert made["lambda_max"] == pytest.approx(np.abs((x - x.mean(0)).T @ (y - y.mean())).max() / 60, rel=1e-12)
    for point in made["points"]:
        peer = Lasso(alpha=point["lambda"], tol=1e-12, max_iter=100000).fit(x, y)
        assert point["coefficients"] == pytest.approx(peer.coef_, abs=1e-8)
        assert point["intercept"] == pytest.approx(peer.intercept_, abs=1e-7)
        assert point["mse"] == pytest.approx(np.mean((y - peer.predict(x)) ** 2), rel=1e-8)
        objective = point["mse"] / 2 + point["lambda"] * np.abs(point["coefficients"]).sum()
        assert point["objective"] == pytest.approx(objective, rel=1e-12)


def test_contiguous_folds_are_those_of_scikit_learn(run, data):
    from sklearn.model_selection import KFold

    path, x, y = data
    made = document(
        run, "lasso", path, "--target", "y", "--lambdas", "0.5,0.05", "--folds", "4", "--folds-are", "contiguous"
    )
    for point in made["points"]:
        errors = [
            np.mean(
                (
                    y[test]
                    - Lasso(alpha=point["lambda"], tol=1e-12, max_iter=100000).fit(x[train], y[train]).predict(x[test])
                )
                ** 2
            )
            for train, test in KFold(4).split(x)
        ]
        assert point["fold_mse"] == pytest.approx(errors, rel=1e-7)
        assert point["cv_mse"] == pytest.approx(np.mean(errors), rel=1e-7)
        assert point["cv_standard_error"] == pytest.approx(np.std(errors, ddof=1) / 2, rel=1e-6)


def test_leaving_one_row_out_is_the_fit_without_it(run, data):
    path, x, y = data
    made = document(run, "ridge", path, "--target", "y", "--lambdas", "2,0.1", "--leave-one-out")
    for point in made["points"]:
        errors = []
        for i in range(60):
            rest = np.arange(60) != i
            peer = Ridge(alpha=point["lambda"] * 60).fit(x[rest], y[rest])  # the strength beside the sum stays
            errors.append((y[i] - peer.predict(x[[i]])[0]) ** 2)
        assert point["loo_mse"] == pytest.approx(np.mean(errors), rel=1e-9)


def test_streamed_and_in_memory_have_the_same_bits_at_any_number_of_threads(run, data):
    path = data[0]
    flags = ["elastic-net", path, "--target", "y", "--l1-share", "0.5", "--folds", "5", "--count", "4", "--seed", "7"]
    one = document(run, *flags, "--threads", "1")
    assert one["passes"] == 1
    assert document(run, *flags, "--threads", "3") == one
    assert document(run, *flags, "--stream")["points"] == one["points"]


def test_both_solvers_follow_the_same_path_and_maps_are_features(run, data):
    flags = ["lasso", data[0], "--target", "y", "--count", "4", "--ratio", "0.01", "--poly", "2", "--folds", "3"]
    gram, columns = (document(run, *flags, "--solver", solver) for solver in ("gram", "columns"))
    assert len(gram["features"]) == 20 and "x0*x1" in gram["features"]
    assert (gram["passes"], columns["passes"]) == (1, 2)
    for a, b in zip(gram["points"], columns["points"]):
        assert a["lambda"] == pytest.approx(b["lambda"], rel=1e-12)
        assert a["coefficients"] == pytest.approx(b["coefficients"], abs=1e-6)
        assert a["cv_mse"] == pytest.approx(b["cv_mse"], rel=1e-6)


def test_more_columns_than_rows(run, tmp_path):
    rng = np.random.default_rng(4)
    x = rng.standard_normal((20, 50))
    y = x[:, 0] + 0.1 * rng.standard_normal(20)
    np.savetxt(
        tmp_path / "w.csv",
        np.column_stack([x, y]),
        delimiter=",",
        comments="",
        fmt="%.17g",
        header=",".join([f"x{j}" for j in range(50)] + ["y"]),
    )
    made = document(run, "lasso", "w.csv", "--target", "y", "--folds", "3", "--count", "5")
    for point in made["points"]:
        peer = Lasso(alpha=point["lambda"], tol=1e-12, max_iter=100000).fit(x, y)
        assert point["coefficients"] == pytest.approx(peer.coef_, abs=1e-7)
    ridge = document(run, "ridge", "w.csv", "--target", "y", "--lambdas", "1,0.01", "--leave-one-out")
    for point in ridge["points"]:
        peer = Ridge(alpha=20 * point["lambda"], solver="svd").fit(x, y)
        assert point["coefficients"] == pytest.approx(peer.coef_, abs=1e-9)


def test_the_chosen_point_is_fitted_proved_and_saved(run, data, tmp_path):
    path = data[0]
    done = run("path", "lasso", path, "--target", "y", "--folds", "5", "--choose", "1se", "-o", "m.recta")
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().split("\n")[-1].split(": ", 1)[1].startswith("Proved")
    assert "1se" in done.stdout
    verified = run("verify", "m.recta", path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    made = document(run, "lasso", path, "--target", "y", "--folds", "5", "--choose", "1se")
    assert made["chosen"]["params"]["lambda"] == made["points"][made["best"]["1se"]]["lambda"]


def test_the_picture_has_a_line_for_every_feature(run, data, tmp_path):
    import xml.etree.ElementTree

    done = run("path", "lasso", data[0], "--target", "y", "--count", "20", "--plot", "p.svg")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "p.svg").read_text()
    xml.etree.ElementTree.fromstring(text)
    assert all(f">x{j}<" in text for j in range(5))


@pytest.mark.parametrize(
    ("flags", "what"),
    [
        (["linear", "housing"], "no penalty, so no path"),
        (["lasso", "housing", "--lambda", "0.1"], "did you mean --lambdas?"),
        (["ridge", "housing", "--solver", "qr"], "one decomposition"),
        (["lasso", "housing", "--stream", "--solver", "columns"], "needs all rows in memory"),
        (["lasso", "housing", "--lambdas", "1,two"], '"two" is not a number'),
        (["lasso", "housing", "--lambdas", "1,-2"], "-2 is not a lambda"),
        (["lasso", "housing", "--leave-one-out"], "for ridge and kernel ridge only"),
        (["lasso", "housing", "--choose", "cv"], "without it"),
        (["lasso", "housing", "--folds", "600"], "no row is in fold"),
        (["laso", "housing"], "lasso"),
        (["lasso", "housing", "--target", "price,crim"], "2 targets"),
    ],
)
def test_what_cannot_be_done_is_refused(run, flags, what):
    done = run("path", *flags)
    assert done.returncode in (2, 3), done.stdout
    assert what in done.stderr


def test_a_constant_target_has_a_path_of_zeros(run, tmp_path):
    (tmp_path / "c.csv").write_text("a,b,y\n" + "".join(f"{i},{i * i % 7},3\n" for i in range(20)))
    made = document(run, "lasso", "c.csv", "--target", "y", "--count", "3", "--folds", "2")
    assert all(point["nonzero"] == 0 and point["intercept"] == 3 for point in made["points"])


@pytest.fixture
def labelled(tmp_path):
    rng = np.random.default_rng(6)
    x = rng.standard_normal((80, 4)) * [1, 2, 0.5, 1] + [0, 3, 0, -1]
    z = x @ [1.0, -0.5, 0.0, 0.3] + 1.5 + rng.logistic(size=80)
    y = (z > np.median(z)).astype(int)  # 40 of each
    path = tmp_path / "c.csv"
    lines = [",".join([*map(repr, row.tolist()), ["no", "yes"][label]]) for row, label in zip(x, y)]
    path.write_text("\n".join(["a,b,c,d,y", *lines]) + "\n")
    return path, x, y


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_every_point_of_a_logistic_path_meets_its_conditions(run, labelled, share):
    path, x, y = labelled
    made = document(run, "logistic", path, "--target", "y", "--l1-share", str(share), "--count", "9")
    assert len(made["points"]) == 9 and made["features"] == list("abcd")
    null = np.abs((x - x.mean(0)).T @ (y - 0.5)).max() / 80
    if share:
        assert made["lambda_max"] == pytest.approx(null / share, rel=1e-12) and made["points"][0]["nonzero"] == 0
    for point in made["points"]:
        w, lam = np.array(point["coefficients"]), point["lambda"]
        z = x @ w + point["intercept"]
        p = 1 / (1 + np.exp(-z))
        g = x.T @ (p - y) / 80 + (1 - share) * lam * w
        assert np.sum(p - y) == pytest.approx(0, abs=1e-6)
        np.testing.assert_allclose(g[w != 0], -share * lam * np.sign(w[w != 0]), atol=1e-6)
        assert (np.abs(g[w == 0]) <= share * lam * (1 + 1e-9)).all()
        loss = np.mean(np.logaddexp(0, -np.where(y, z, -z)))
        assert point["log_loss"] == pytest.approx(loss, rel=1e-12) and point["d2"] == pytest.approx(
            1 - loss / np.log(2), abs=1e-12
        )
        assert point["objective"] == pytest.approx(
            loss + share * lam * np.abs(w).sum() + (1 - share) * lam / 2 * w @ w, rel=1e-12
        )
        assert point["gap"] < 1e-10
        if share:
            assert point["aic"] == pytest.approx(160 * loss + 2 * (point["nonzero"] + 1))
            assert point["bic"] == pytest.approx(160 * loss + np.log(80) * (point["nonzero"] + 1))


def assert_folds_are_those_of_scikit_learn(made, x, y):  # five, contiguous
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold

    for point in made["points"]:
        errors = []
        for train, test in StratifiedKFold(5).split(x, y):
            peer = LogisticRegression(
                C=1 / (point["lambda"] * len(train)), tol=1e-10, max_iter=10000, solver="newton-cg"
            ).fit(x[train], y[train])
            errors.append(-np.mean(peer.predict_log_proba(x[test])[np.arange(len(test)), y[test]]))
        assert point["fold_log_loss"] == pytest.approx(errors, rel=1e-5)
        assert point["cv_log_loss"] == pytest.approx(np.mean(errors), rel=1e-5)


def test_stratified_folds_of_a_logistic_path_are_those_of_scikit_learn(run, labelled):
    path, x, y = labelled
    made = document(
        run, "logistic", path, "--target", "y", "--lambdas", "1,0.1,0.01", "--folds", "5", "--folds-are", "contiguous"
    )
    assert_folds_are_those_of_scikit_learn(made, x, y)


def test_dealt_folds_have_rows_of_both_classes_and_the_choice_is_fitted(run, labelled, tmp_path):
    path, x, y = labelled
    made = document(
        run,
        "logistic",
        path,
        "--target",
        "y",
        "--l1-share",
        "1",
        "--folds",
        "8",
        "--count",
        "12",
        "--choose",
        "1se",
        "-o",
        "m.recta",
    )
    cv = np.array([point["cv_log_loss"] for point in made["points"]])
    error = made["points"][int(cv.argmin())]["cv_standard_error"]
    assert made["best"]["cv"] == cv.argmin() and made["best"]["1se"] == np.flatnonzero(cv <= cv.min() + error)[0]
    point = made["points"][made["best"]["1se"]]
    values = [c["value"] for c in made["chosen"]["coefficients"]["y"]]
    assert (
        values == pytest.approx(point["coefficients"], abs=1e-7)
        and made["chosen"]["certificate"]["verdict"] == "proved"
    )
    assert run("verify", "m.recta", path).returncode == 0
    again = document(
        run, "logistic", path, "--target", "y", "--l1-share", "1", "--folds", "8", "--count", "12", "--threads", "1"
    )
    assert again["points"] == made["points"]
    weighted = tmp_path / "v.csv"
    lines = path.read_text().splitlines()
    weighted.write_text(
        "\n".join([lines[0] + ",v", *(line + ",1" for line in lines[1:]), *(f"{line},0" for line in lines[1:])]) + "\n"
    )
    same = document(
        run, "logistic", weighted, "--target", "y", "--weights", "v", "--l1-share", "1", "--folds", "8", "--count", "12"
    )
    assert [p["fold_log_loss"] for p in same["points"]] == [
        pytest.approx(p["fold_log_loss"], rel=1e-9) for p in made["points"]
    ]


@pytest.mark.parametrize(
    "flags, said",
    [
        (["--stream"], "leave out --stream"),
        (["--solver", "sgd"], "leave out the solver"),
        (["--folds", "200"], "no row is in fold"),
        (["--leave-one-out"], "ridge only"),
    ],
)
def test_what_a_logistic_path_has_not(run, labelled, flags, said):
    done = run("path", "logistic", labelled[0], "--target", "y", *flags)
    assert done.returncode != 0 and said in done.stderr, done.stderr


@pytest.fixture
def three(tmp_path):
    rng = np.random.default_rng(8)
    x = rng.standard_normal((90, 4)) * [1, 2, 0.5, 1] + [0, 3, 0, -1]
    z = x @ rng.standard_normal((4, 3)) + rng.gumbel(size=(90, 3))
    z -= np.median(z, axis=0)
    y = z.argmax(axis=1)
    path = tmp_path / "three.csv"
    lines = [",".join([*map(repr, row.tolist()), ["red", "green", "blue"][label]]) for row, label in zip(x, y)]
    path.write_text("\n".join(["a,b,c,d,y", *lines]) + "\n")
    return path, x, np.array([2, 1, 0])[y]  # sorted: blue, green, red


def probabilities(x, point):
    z = x @ np.array(point["coefficients"]).T + point["intercept"]
    p = np.exp(z - z.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_every_point_of_a_softmax_path_meets_its_conditions(run, three, share):
    path, x, y = three
    made = document(run, "softmax", path, "--target", "y", "--l1-share", str(share), "--count", "9")
    assert (
        made["model"] == "softmax" and made["classes"] == ["blue", "green", "red"] and made["features"] == list("abcd")
    )
    own = np.eye(3)[y]
    null = np.abs((x - x.mean(0)).T @ (own - own.mean(0))).max() / 90
    if share:
        assert made["lambda_max"] == pytest.approx(null / share, rel=1e-12) and made["points"][0]["nonzero"] == 0
    assert len(made["points"]) == 9
    for point in made["points"]:
        w, lam, p = np.array(point["coefficients"]), point["lambda"], probabilities(x, point)
        assert w.shape == (3, 4)
        np.testing.assert_allclose((p - own).sum(axis=0), 0, atol=1e-6)
        g = (p - own).T @ x / 90 + (1 - share) * lam * w
        np.testing.assert_allclose(g[w != 0], -share * lam * np.sign(w[w != 0]), atol=1e-6)
        assert (np.abs(g[w == 0]) <= share * lam * (1 + 1e-9)).all()
        loss = -np.log((p * own).sum(axis=1)).mean()
        assert point["log_loss"] == pytest.approx(loss, rel=1e-12)
        assert point["objective"] == pytest.approx(
            loss + share * lam * np.abs(w).sum() + (1 - share) * lam / 2 * (w * w).sum(), rel=1e-12
        )
        assert point["proved"] is True and point["gap"] < 1e-9 and point["nonzero"] == (w != 0).any(axis=0).sum()


def test_stratified_folds_of_a_softmax_path_are_those_of_scikit_learn(run):
    rows = [line.split(",") for line in run("data", "iris").stdout.splitlines()[1:]]  # 50 of each
    x, y = np.array([row[:4] for row in rows], dtype=float), np.array([row[4] for row in rows])
    names, y = np.unique(y, return_inverse=True)
    made = document(run, "softmax", "iris", "--lambdas", "1,0.1,0.01", "--folds", "5", "--folds-are", "contiguous")
    assert made["classes"] == names.tolist()
    assert_folds_are_those_of_scikit_learn(made, x, y)


def test_the_choice_of_a_softmax_path_is_fitted_and_its_picture_names_classes(run, three, tmp_path):
    path = three[0]
    flags = ["softmax", path, "--target", "y", "--l1-share", "1", "--folds", "6", "--count", "10"]
    made = document(run, *flags, "--choose", "1se", "-o", "m.recta", "--plot", "p.svg")
    cv = np.array([point["cv_log_loss"] for point in made["points"]])
    error = made["points"][int(cv.argmin())]["cv_standard_error"]
    assert made["best"]["cv"] == cv.argmin() and made["best"]["1se"] == np.flatnonzero(cv <= cv.min() + error)[0]
    point = made["points"][made["best"]["1se"]]
    assert (
        made["chosen"]["params"]["lambda"] == point["lambda"] and made["chosen"]["certificate"]["verdict"] == "proved"
    )
    for label, row in zip(made["classes"], point["coefficients"]):
        assert [c["value"] for c in made["chosen"]["coefficients"][label]] == pytest.approx(row, abs=1e-7)
    assert run("verify", "m.recta", path).returncode == 0
    assert document(run, *flags, "--threads", "1")["points"] == made["points"]
    picture = (tmp_path / "p.svg").read_text()
    assert all(f">{label}: {feature}<" in picture for label in made["classes"] for feature in "abcd")
    text = run("path", *flags).stdout
    assert "each proved in a fresh pass" in text and "cv log-loss" in text and "lambda1 sum_jk |w_jk|" in text


def test_a_point_that_is_not_proved_is_counted(run):
    done = run(
        "path", "softmax", "iris", "--lambdas", "0.1,0"
    )  # planes separate setosa: without a penalty there is no maximum
    assert done.returncode == 0, done.stderr
    assert "proved to the tolerance at 1 of 2 points" in done.stdout


@pytest.mark.parametrize(
    "flags, said",
    [
        (["--stream"], "leave out --stream"),
        (["--solver", "sgd"], "leave out the solver"),
        (["--folds", "80"], "no row is in fold"),
        (["--leave-one-out"], "ridge only"),
        (["--positive", "red"], "positive"),
        (["--offset", "a"], "same for all classes"),
    ],
)
def test_what_a_softmax_path_has_not(run, three, flags, said):
    done = run("path", "softmax", three[0], "--target", "y", *flags)
    assert done.returncode != 0 and said in done.stderr, done.stderr


def test_more_classes_than_two_are_sent_to_softmax_and_firth_is_refused(run, three, labelled):
    done = run("path", "logistic", three[0], "--target", "y")
    assert done.returncode != 0 and "the path of softmax" in done.stderr
    done = run("path", "logistic", labelled[0], "--target", "y", "--firth")
    assert done.returncode != 0 and "leave out firth" in done.stderr


def test_a_ridge_path_of_nearly_equal_powers_is_the_fits_that_are_proved_one_by_one(run):
    """The certified values of NIST's Filip end the path; eigenvalues in double gave r2 = -6e14 and 8 degrees of freedom."""
    made = document(run, "ridge", "filip", "--poly", "10", "--lambdas", "1e-3,1e-12,0")
    for point in made["points"]:
        name = ["linear"] if point["lambda"] == 0 else ["ridge", "--lambda", repr(point["lambda"])]
        alone = json.loads(run("fit", name[0], "filip", "--poly", "10", *name[1:], "--json").stdout)
        assert alone["certificate"]["verdict"] == "proved" and point["proved"]
        assert point["objective"] == pytest.approx(alone["certificate"]["objective"], rel=1e-9)
        assert point["gap"] <= 1e-10 * alone["certificate"]["null_objective"]
    last = made["points"][-1]
    assert last["degrees_of_freedom"] == pytest.approx(10, abs=1e-9)
    assert last["r2"] == pytest.approx(0.996727416185620, rel=1e-12)
    assert last["coefficients"][0] == pytest.approx(-2772.17959193342, rel=1e-9)
    text = run("path", "ridge", "filip", "--poly", "10", "--lambdas", "1e-3,1e-12,0").stdout
    assert "3 points under a small penalty solved alone, 3 proved in a fresh pass over the rows" in text


@pytest.mark.parametrize("model", ["logistic", "softmax"])
def test_a_strength_of_zero_says_where_classes_are_apart(run, tmp_path, model):
    rows = [(i, "a") for i in range(4)] + [(i + 10, "b") for i in range(4)]
    (tmp_path / "apart.csv").write_text("x,c\n" + "".join(f"{x},{c}\n" for x, c in rows))
    made = document(run, model, "apart.csv", "--target", "c", "--lambdas", "1,0.1,0")
    assert ["conditions" in point for point in made["points"]] == [False, False, True]
    assert made["points"][2]["conditions"][0] == "the likelihood has no finite maximum"
    assert "completely" in made["points"][2]["conditions"][1]
    said = run("path", model, "apart.csv", "--target", "c", "--lambdas", "1,0.1,0").stdout
    assert "at lambda 0: the likelihood has no finite maximum" in said


@pytest.mark.parametrize(("word", "flags"), [("lasso", []), ("lasso", ["--solver", "columns"]), ("ridge", [])])
def test_targets_of_1e150_are_those_of_1_in_other_units(run, data, tmp_path, word, flags):
    path, x, y = data
    header = ",".join([f"x{j}" for j in range(5)] + ["y"])
    np.savetxt(
        tmp_path / "large.csv",
        np.column_stack([x, y * 2.0**500]),
        delimiter=",",
        header=header,
        comments="",
        fmt="%.17g",
    )
    args = ["--target", "y", "--count", "5", "--folds", "4", *flags]
    plain, large = document(run, word, path, *args), document(run, word, tmp_path / "large.csv", *args)
    assert large["best"] == plain["best"]
    units = 2.0**500 if word == "lasso" else 1
    for one, other in zip(plain["points"], large["points"], strict=True):
        assert other["lambda"] / units == pytest.approx(one["lambda"], rel=1e-12)
        for key in ("mse", "cv_mse", "cv_standard_error"):
            assert other[key] / 2.0**1000 == pytest.approx(one[key], rel=1e-9)


def test_targets_whose_squares_are_no_doubles_are_refused_by_columns_too(run, data, tmp_path):
    path, x, y = data
    header = ",".join([f"x{j}" for j in range(5)] + ["y"])
    np.savetxt(
        tmp_path / "huge.csv", np.column_stack([x, y * 1e160]), delimiter=",", header=header, comments="", fmt="%.17g"
    )
    made = run("path", "lasso", "huge.csv", "--target", "y", "--solver", "columns")
    assert made.returncode == 3
    assert "are not doubles" in made.stderr
    assert "by a power of ten" in made.stderr
