"""recta fit --components: principal components in place of columns that nearly determine one another."""

import json

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(4)
    base = rng.standard_normal((80, 2))
    x = np.column_stack(
        [base, base @ [1, 2] + 1e-3 * rng.standard_normal(80), base @ [3, -1] + 0.1 * rng.standard_normal(80)]
    )
    x = x * [1, 1e4, 1e-5, 3] + [1e6, 0, 1, 2]
    y = x[:, 0] + x[:, 3] + rng.standard_normal(80)
    group = np.array(["a", "b"])[rng.integers(0, 2, 80)]
    with open(tmp_path / "d.csv", "w", encoding="utf-8") as f:
        f.write("p,q,r s,t,group,y\n")
        f.writelines(
            ",".join([*(repr(float(v)) for v in row), g, repr(float(v))]) + "\n"
            for row, g, v in zip(x, group, y, strict=True)
        )
    return x, y


def document(run, *args):
    done = run(*args, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("asked, count", [("3", 3), ("0.9999", None), ("1", 1)])
@pytest.mark.parametrize("flags", [[], ["--stream"]])
def test_predictions_are_those_of_scikit_learn(run, data, tmp_path, asked, count, flags):
    x, y = data
    fit = document(
        run,
        "fit",
        "linear",
        "d.csv",
        "--target",
        "y",
        "--ignore",
        "group",
        "--components",
        asked,
        "-o",
        "m.recta",
        *flags,
    )
    pca = PCA(int(asked) if count else float(asked), svd_solver="full")
    peer = make_pipeline(StandardScaler(), pca, LinearRegression()).fit(x, y)
    names = [row["feature"] for row in fit["coefficients"]["y"]]
    assert names == [f"component {k + 1}" for k in range(pca.n_components_)]
    assert fit["certificate"]["verdict"] == "proved"
    share = 100 * pca.explained_variance_ratio_.sum()
    assert any("principal component" in text and f"{share:.4g} %" in text for text in fit["certificate"]["conditions"])
    predicted = run("predict", "m.recta", "d.csv")
    assert predicted.returncode == 0, predicted.stderr
    ours = [float(line.split(",")[-1]) for line in predicted.stdout.splitlines()[1:]]
    assert ours == pytest.approx(peer.predict(x), rel=1e-9)
    assert run("verify", "m.recta", "d.csv").returncode == 0
    assert run("inspect", "m.recta").returncode == 0


def test_components_are_uncorrelated_and_categories_stay(run, data):
    fit = document(run, "fit", "linear", "d.csv", "--target", "y", "--components", "4")
    assert [row["feature"] for row in fit["coefficients"]["y"]][0] == "group=b"
    before = run("fit", "linear", "d.csv", "--target", "y", "--ignore", "group").stdout
    after = run("fit", "linear", "d.csv", "--target", "y", "--ignore", "group", "--components", "3").stdout
    assert "or transform (--components 0.99)" in before
    assert "or transform" not in after


def test_any_model_takes_them(run, data):
    for word in ["ridge", "lasso", "huber", "quantile"]:
        assert (
            document(run, "fit", word, "d.csv", "--target", "y", "--components", "0.9")["certificate"]["verdict"]
            == "proved"
        )


def test_advice_names_the_three_flags(run, data):
    said = run("check", "d.csv").stdout
    assert "regularise: recta fit ridge --condition 10:1000" in said
    assert "transform: pass --components 0.99" in said
    assert "select: pass --max-vif 10" in said


@pytest.mark.parametrize(
    "flags, what",
    [
        (["--components", "1.5"], "is not a number of components"),
        (["--components", "2", "--poly", "2"], "leave out one of the two"),
        (["--basis", "components(p, q, 1)"], "pass --components NUMBER"),
    ],
)
def test_what_is_refused_says_why(run, data, flags, what):
    done = run("fit", "linear", "d.csv", "--target", "y", "--ignore", "group", *flags)
    assert done.returncode == 2
    assert what in done.stderr
