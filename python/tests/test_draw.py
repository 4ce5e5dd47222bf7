"""recta.plot.draw gives the pictures of `recta plot`."""

import re
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import recta
from recta.kernels import StringKernel
from recta.linear_model import LinearRegression, LogisticRegression
from recta.plot import draw, heat_map, picture_kinds
from recta.svm import SVC


@pytest.fixture
def iris():
    X, y = load_iris(return_X_y=True)
    return pd.DataFrame(X[:, :2], columns=["length", "width"]), np.array(["setosa", "versicolor", "virginica"])[y]


@pytest.mark.parametrize("kind", ["regions", "probabilities"])
def test_the_command_line_draws_the_same(iris, kind, program, tmp_path):
    X, y = iris
    estimator = LogisticRegression().fit(X, y)
    drawing = draw(estimator, X, y, kind=kind)
    X.assign(y=y).to_csv(tmp_path / "iris.csv", index=False)
    estimator._model.save(str(tmp_path / "m.recta"))
    subprocess.run(
        [program, "plot", kind, tmp_path / "m.recta", tmp_path / "iris.csv", "-o", tmp_path / "p.svg"], check=True
    )
    assert drawing.svg == (tmp_path / "p.svg").read_text(encoding="utf-8")
    drawing.save(tmp_path / "same.svg")
    assert (tmp_path / "same.svg").read_text(encoding="utf-8") == drawing.svg == drawing._repr_svg_()


def test_arrays_are_drawn_as_tables_are(iris):
    X, y = iris
    named = draw(LogisticRegression().fit(X, y), X, y).svg
    plain = draw(LogisticRegression().fit(X.to_numpy(), y), X.to_numpy(), y).svg
    assert named.replace("length", "x1").replace("width", "x2").count("<path") == plain.count("<path")
    line = draw(LinearRegression().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0]), [[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0])
    assert repr(line) == "<Drawing: y against x1>"


def test_a_picture_that_is_not_there_is_refused_by_name(iris):
    X, y = iris
    with pytest.raises(recta.UsageError, match="nothing: logistic has no such picture; draw curve"):
        draw(LogisticRegression().fit(X, y == "setosa"), X, y == "setosa", kind="nothing")
    with pytest.raises(recta.DataError, match="no column"):
        draw(LogisticRegression().fit(X, y), X)
    assert "regions" in picture_kinds()


def test_a_heat_map_is_that_of_the_command_line(program, tmp_path):
    words, kinds = ["cat", "dog", "cart", "dig"], ["pet", "other", "pet", "other"]
    (tmp_path / "words.csv").write_text("word,kind\n" + "".join(f"{word},{kind}\n" for word, kind in zip(words, kinds)))
    kernel = StringKernel("subsequence", length=2)
    for names, flags in ((words, ["--ignore", "kind"]), (kinds, ["--target", "kind"])):
        subprocess.run(
            [
                program,
                "kernel",
                "words.csv",
                "--kernel",
                "string:subsequence",
                "--length",
                "2",
                "--text",
                "word",
                *flags,
                "--plot",
                "k.svg",
                "-q",
            ],
            cwd=tmp_path,
            check=True,
        )
        theirs = (tmp_path / "k.svg").read_text(encoding="utf-8")
        drawing = heat_map(
            kernel.fit_transform(words),
            names,
            title="Similarity of rows of words.csv",
            subtitle="subsequences of 2 characters in common, decay 0.5 / sqrt(k(x, x) k(z, z))",
        )
        assert re.findall("<rect[^>]*>", drawing.svg) == re.findall("<rect[^>]*>", theirs)
        assert all(f">{name}<" in drawing.svg for name in names)
    assert heat_map([[1.0, 0.5], [0.5, 1.0]])._repr_svg_().startswith("<svg")
    for bad, names, word in (
        ([[1.0, 2.0]], None, "square"),
        ([[1.0]], ["a", "b"], "one per row"),
        ([[float("nan")]], None, "finite"),
    ):
        with pytest.raises(ValueError, match=word):
            heat_map(bad, names)


def test_a_linear_machine_is_drawn_in_the_space_of_its_three_features():
    x = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1], [2, 0], [-2, 0], [0, 2], [0, -2]])
    lifted = np.column_stack([x[:, 0] ** 2, x[:, 1] ** 2, np.sqrt(2) * x[:, 0] * x[:, 1]])
    y = np.repeat(["inner", "outer"], 4)
    drawing = draw(SVC(kernel="linear", C=100.0).fit(lifted, y), lifted, y, kind="space")
    assert repr(drawing) == "<Drawing: y over three features>"
    assert all(text in drawing.svg for text in ("f = 0", "margins, f = -1 and 1", "support vectors", "x3 from"))
    with pytest.raises(recta.UsageError, match="has 2 features"):
        draw(SVC(kernel="linear").fit(x, y), x, y, kind="space")
