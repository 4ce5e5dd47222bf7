"""Pictures: recta plot, and --plot of the commands that draw beside their work."""

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

SVG = "{http://www.w3.org/2000/svg}"
DOCS = Path(__file__).resolve().parents[2] / "docs"


def picture(path):
    root = ET.fromstring(Path(path).read_bytes())
    assert root.tag == SVG + "svg"
    return root


def circles(root):
    return [(float(c.get("cx")), float(c.get("cy"))) for c in root.iter(SVG + "circle") if c.get("r") in ("2.6", "3.4")]


def words(root):
    return [text.text for text in root.iter(SVG + "text")]


def plane(root):
    inner = next(root.iter(SVG + "svg")).find(SVG + "svg")
    return float(inner.get("width")), float(inner.get("height"))


@pytest.fixture
def line(tmp_path):
    path = tmp_path / "line.csv"
    path.write_text("x,y\n0,0\n1,2\n2,1\n3,3\n")
    return path


@pytest.fixture
def two(tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("a,b,y\n1,2,3\n2,1,1\n3,4,6\n4,3,5\n5,6,8\n7,2,9\n")
    return path


def test_a_fit_of_one_feature_draws_its_curve_with_every_row_in_its_place(run, line, tmp_path):
    done = run("fit", "linear", line, "--target", "y", "--plot", "curve.svg")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "drew curve.svg\n"
    root = picture(tmp_path / "curve.svg")
    assert {"y against x", "rows", "fit", "95 % band of the mean", "95 % band of a new row"} <= set(words(root))
    width, _ = plane(root)
    found = circles(root)
    assert len(found) == 4
    step = width / 1.08 / 3  # the range of x with a twenty-fifth of it to each side
    for i, (x, _) in enumerate(found):
        assert x == pytest.approx(0.04 / 1.08 * width + i * step, abs=0.011)
    assert found[1][1] - found[2][1] == pytest.approx(found[2][1] - found[0][1], abs=0.02)  # y = 2, 1, 0


def test_a_fit_of_several_features_draws_residuals(run, tmp_path):
    done = run("fit", "linear", "housing", "--plot", "r.svg", "-q")
    assert done.returncode == 0 and done.stderr == ""
    root = picture(tmp_path / "r.svg")
    assert {"Residuals of price", "fitted value", "residual", "2 sigma"} <= set(words(root))
    assert len(circles(root)) == 506


def test_the_kind_of_picture_can_be_chosen(run, two, tmp_path):
    done = run(
        "fit", "ridge", two, "--target", "y", "--lambda", "0.5", "--plot", "c.svg", "--plot-kind", "contours", "-q"
    )
    assert done.returncode == 0, done.stderr
    assert {"least cost", "least cost with the penalty", "weight of a", "weight of b"} <= set(
        words(picture(tmp_path / "c.svg"))
    )


def test_classes_are_drawn_as_curve_regions_and_probabilities(run, tmp_path):
    (tmp_path / "c.csv").write_text("x,class\n0,no\n0,no\n0,no\n0,yes\n1,no\n1,yes\n1,yes\n1,yes\n")
    done = run("fit", "logistic", "c.csv", "--target", "class", "--plot", "c.svg", "-o", "c.recta", "-q")
    assert done.returncode == 0, done.stderr
    root = picture(tmp_path / "c.svg")
    assert {"class yes against x", "logistic", "least squares on 0 and 1", "probability"} <= set(words(root))
    assert len(circles(root)) == 8
    assert run("plot", "probabilities", "c.recta", "c.csv", "-o", "p.svg", "-q").returncode == 0
    assert {"class no", "class yes", "share of the rows"} <= set(words(picture(tmp_path / "p.svg")))
    done = run("fit", "logistic", "rings", "--poly", "2", "--lambda", "0.01", "--plot", "r.svg", "-q")
    assert done.returncode == 0, done.stderr
    assert {"Regions of class", "probabilities 0.1 and 0.9"} <= set(words(picture(tmp_path / "r.svg")))


def test_a_descent_is_drawn_over_its_cost(run, two, tmp_path):
    done = run("trace", "linear", two, "--target", "y", "--steps", "7", "--plot", "way.svg", "-q")
    assert done.returncode == 0, done.stderr
    root = picture(tmp_path / "way.svg")
    assert {"The way of a descent", "start", "least cost", "weight of a", "weight of b"} <= set(words(root))
    done = run(
        "trace", "linear", two, "--target", "y", "--steps", "7", "--plot", "cost.svg", "--plot-kind", "cost", "-q"
    )
    assert done.returncode == 0, done.stderr
    assert {"The cost, step by step", "optimum", "step"} <= set(words(picture(tmp_path / "cost.svg")))
    run("trace", "linear", "housing", "--standardise", "--steps", "3", "--plot", "many.svg", "-q")
    assert "The cost, step by step" in words(picture(tmp_path / "many.svg"))
    done = run("trace", "linear", "housing", "--steps", "3", "--plot", "many.svg", "--plot-kind", "contours")
    assert done.returncode == 2 and "a plane shows the cost of two weights" in done.stderr


@pytest.mark.parametrize("flags", [["huber", "--delta", "1"], ["poisson", "--standardise", "--rate", "1e-4"]])
def test_of_other_losses_the_cost_is_drawn_and_has_no_contours(run, tmp_path, flags):
    done = run("trace", *flags, "norris", "--steps", "3", "--plot", "cost.svg", "-q")
    assert done.returncode == 0, done.stderr
    assert {"The cost, step by step", "optimum", "step"} <= set(words(picture(tmp_path / "cost.svg")))
    done = run("trace", *flags, "norris", "--steps", "3", "--plot", "cost.svg", "--plot-kind", "contours")
    assert done.returncode == 2 and f"the cost of {flags[0]} is another than these pictures show" in done.stderr


def test_the_ways_of_solvers_are_drawn_over_the_cost_of_classes(run, tmp_path):
    (tmp_path / "c.csv").write_text("a,b,y\n0,0,n\n1,0,n\n0,1,n\n1,2,j\n2,1,n\n3,0,j\n2,2,j\n3,3,j\n0.5,2,j\n")
    done = run(
        "trace",
        "logistic",
        "c.csv",
        "--target",
        "y",
        "--steps",
        "9",
        "--rate",
        "1",
        "--solvers",
        "sgd,accelerated,newton",
        "--plot",
        "w.svg",
        "-q",
    )
    assert done.returncode == 0, done.stderr
    said = set(words(picture(tmp_path / "w.svg")))
    assert {
        "The ways of descents",
        "gradient-descent",
        "sgd",
        "accelerated",
        "newton",
        "least cost",
        "weight of a",
        "weight of b",
        "logistic, 9 rows, the intercept at its best",
    } <= said
    for word, flags in (("delta", ()), ("perceptron", ("--passes", "3"))):
        done = run("trace", word, "c.csv", "--target", "y", *flags, "--plot", "u.svg", "--plot-kind", "contours", "-q")
        assert done.returncode == 0, done.stderr
        assert "The way of a descent" in words(picture(tmp_path / "u.svg"))
        assert "least cost" not in words(picture(tmp_path / "u.svg"))  # nothing proves one
    done = run("trace", "softmax", "iris", "--steps", "3", "--plot", "s.svg", "-q")
    assert done.returncode == 0 and "The cost, step by step" in words(picture(tmp_path / "s.svg"))
    done = run("trace", "perceptron", "c.csv", "--target", "y", "--solvers", "sgd", "--plot", "w.svg")
    assert done.returncode == 2 and "--solvers" in done.stderr


def test_a_saved_model_is_drawn_on_any_rows(run, line, tmp_path):
    run("fit", "linear", line, "--target", "y", "-o", "m.recta", "-q", "--plot", "fit.svg")
    done = run("plot", "curve", "m.recta", line, "-o", "curve.svg", "-q")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "curve.svg").read_bytes() == (tmp_path / "fit.svg").read_bytes()
    assert run("plot", "curve", "m.recta", line).stdout.encode() == (tmp_path / "fit.svg").read_bytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_data_give_the_same_bytes(run, tmp_path, threads):
    run("fit", "linear", "norris", "--plot", "a.svg", "-q")
    run("fit", "linear", "norris", "--plot", "b.svg", "-q", "--threads", threads)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_losses_are_drawn_by_their_words(run):
    root = ET.fromstring(run("plot", "losses").stdout)
    assert {"0/1", "squared", "logistic", "hinge", "margin y z"} <= set(words(root))
    root = ET.fromstring(run("plot", "losses", "--loss", "hinge").stdout)
    assert "squared" not in words(root)


def test_hostile_names_are_text(run, tmp_path):
    name = '</text><script>alert(1)</script>&"'
    (tmp_path / "evil.csv").write_text('"</text><script>alert(1)</script>&""",ÿ\u202e🎈\n0,1\n1,3\n2,4\n')
    done = run("fit", "linear", "evil.csv", "--target", "ÿ\u202e🎈", "--plot", "e.svg", "-q")
    assert done.returncode == 0, done.stderr
    root = picture(tmp_path / "e.svg")
    assert name in words(root) and not list(root.iter(SVG + "script"))


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--plot-kind", "curve"], "--plot-kind: there is no picture without --plot"),
        (["--plot", "-"], "standard output carries the report"),
        (["--plot", "line.csv"], "--plot line.csv: this file is what the command reads"),
        (["--plot", "m", "-o", "m"], "--output names the same file"),
        (["--plot", "p.svg", "--stream"], "rows that stream past cannot be drawn"),
        (["--plot", "p.png"], "pictures are SVG, and .png names another kind\n  name it p.svg"),
        (["--plot", "p.svg", "--plot-kind", "pie"], '"pie" is not one of curve, residuals, contours'),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_the_fit(run, line, arguments, said):
    done = run("fit", "linear", "line.csv", "--target", "y", *arguments)
    assert done.returncode == 2 and said in done.stderr
    assert done.stdout == ""


def test_a_place_that_cannot_be_written_names_the_flag_that_chose_it(run, line):
    fit = run("fit", "linear", "line.csv", "--target", "y", "--plot", "none/p.svg")
    assert fit.returncode == 1 and "choose another place with --plot" in fit.stderr
    alone = run("plot", "losses", "-o", "none/p.svg")
    assert alone.returncode == 1 and "choose another place with -o" in alone.stderr


def test_the_help_lists_the_losses_that_can_be_drawn(run):
    text = " ".join(run("plot", "--help").stdout.split())
    listed = re.search(r"losses to draw, of ((?:[\w-]+, )*[\w-]+)", text).group(1).split(", ")
    assert run("plot", "losses", "--loss", ",".join(listed)).returncode == 0


def test_a_picture_that_does_not_suit_the_model_leaves_the_model_saved(run, two, tmp_path):
    done = run("fit", "linear", two, "--target", "y", "--plot", "p.svg", "--plot-kind", "curve", "-o", "m.recta")
    assert done.returncode == 2 and "a curve is that of one column" in done.stderr
    assert (tmp_path / "m.recta").is_file() and not (tmp_path / "p.svg").exists()


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["pie"], "there is no such picture"),
        (["residual"], "did you mean residuals?"),
        (["curve"], "curve needs a model file and data"),
        (["losses", "m.recta"], "a picture of losses needs no data"),
        (["losses", "--loss", "hing"], 'did you mean "hinge"?'),
        (["losses", "--loss", "poisson"], "choose of epsilon-insensitive, hinge, huber, logistic, quantile, squared"),
        (["losses", "-o", "p.PDF"], "pictures are SVG, and .PDF names another kind"),
        (["curve", "a", "b", "--loss", "hinge"], "belongs to recta plot losses"),
    ],
)
def test_mistakes_are_named(run, arguments, said):
    done = run("plot", *arguments)
    assert done.returncode == 2 and said in done.stderr


def test_the_pictures_of_the_page_are_what_its_commands_draw(recta, tmp_path):
    commands = re.findall(r"^\$ (.*)$", (DOCS / "plots.md").read_text(), re.MULTILINE)
    path = f"{recta.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-ec", "\n".join(commands)],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    shown = sorted((DOCS / "plots").glob("*.svg"))
    assert len(shown) >= 4
    for picture in shown:
        assert (tmp_path / picture.name).read_bytes() == picture.read_bytes(), (
            f"{picture.name} is drawn another way now"
        )


def test_what_was_drawn_as_a_document(run, tmp_path):
    document = json.loads(run("plot", "losses", "-o", "l.svg", "--json").stdout)
    assert document["schema"] == "recta/plot/1" and document["picture"] == "losses" and document["file"] == "l.svg"
    assert document["model_file"] is None and (tmp_path / "l.svg").read_text().startswith("<svg")
    done = run("plot", "losses", "--json")
    assert done.returncode == 2 and "add -o FILE.svg" in done.stderr


def test_a_standardised_path_draws_weights_that_do_not_depend_on_units(run, tmp_path):
    """The picture names model, target and the lambda chosen; a column in another unit changes no byte of it."""
    rows = [(i % 7 + i / 9, (i * i) % 11 / 4) for i in range(40)]
    for name, unit in (("metres", 1), ("millimetres", 1024)):  # a power of two: the same bits
        text = "".join(f"{a * unit!r},{b!r},{2 * a - b + (i * 37 % 10) / 5!r}\n" for i, (a, b) in enumerate(rows))
        (tmp_path / f"{name}.csv").write_text("a,b,y\n" + text)
        flags = ["--standardise", "--folds", "4", "--count", "9", "--plot", f"{name}.svg"]
        done = run("path", "lasso", f"{name}.csv", "--target", "y", *flags, "--json")
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "metres.svg").read_bytes() == (tmp_path / "millimetres.svg").read_bytes()
    said = words(picture(tmp_path / "metres.svg"))
    assert "Weights of lasso for y against the penalty" in said and "weight of the standardised column" in said
    chosen = json.loads(done.stdout)
    assert f"lambda = {chosen['points'][chosen['best']['cv']]['lambda']:.3g} by cv" in said
    run("path", "lasso", "metres.csv", "--target", "y", "--folds", "4", "--choose", "1se", "--plot", "plain.svg", "-q")
    said = words(picture(tmp_path / "plain.svg"))
    assert "weight, in the units of the data" in said and any(w.endswith(" by 1se") for w in said)


def test_many_classes_are_named_inside_their_pictures(run, tmp_path):
    labels = [chr(ord("A") + k) for k in range(26)]
    rows = [
        (k % 6 * 3 + (i * 7 % 5 - 2) / 4, k // 6 * 3 + (i * 3 % 5 - 2) / 4, c)
        for k, c in enumerate(labels)
        for i in range(5)
    ]
    (tmp_path / "l.csv").write_text("u,v,letter\n" + "".join(f"{u},{v},{c}\n" for u, v, c in rows))
    assert (
        run("fit", "softmax", "l.csv", "--target", "letter", "--lambda", "1e-4", "-o", "m.recta", "-q").returncode == 0
    )
    for kind in ("regions", "probabilities"):
        assert run("plot", kind, "m.recta", "l.csv", "-o", f"{kind}.svg", "-q").returncode == 0
        root = picture(tmp_path / f"{kind}.svg")
        for label in labels:  # its outline and itself, once each, and no legend
            assert words(root).count(label) == 2, (kind, label)
            assert f"letter {label}" not in words(root)
