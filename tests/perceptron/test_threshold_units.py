"""Perceptrons and the delta rule from the command line: spec H1 to H4, H6, H7, L2 and W9."""

import json
import math
import random
from fractions import Fraction
from xml.etree import ElementTree

import pytest

FOUR = "x,y\n1,no\n2,no\n3,yes\n4,yes\n"


@pytest.fixture
def four(tmp_path):
    (tmp_path / "four.csv").write_text(FOUR)
    return "four.csv"


def fit(run, *arguments, **options):
    done = run("fit", *arguments, "--json", **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def hyperplane(found):
    return found["intercept"]["y"]["value"], [c["value"] for c in found["coefficients"]["y"]]


# W9
@pytest.mark.parametrize(
    "flags, mistakes, plane",
    [
        (["--variant", "batch", "--order", "cyclic"], 25, (-7, [3])),
        (["--variant", "batch"], 23, (-7, [3])),
        (["--variant", "rosenblatt"], 9, (-3, [1])),
        (["--variant", "criterion", "--order", "cyclic"], 25, (-7, [3])),
    ],
)
def test_four_points_take_the_mistakes_of_the_paper(run, four, flags, mistakes, plane):
    found = fit(run, "perceptron", four, "--target", "y", *flags)
    assert hyperplane(found) == plane
    assert found["conditions"][0].startswith(f"{mistakes} mistakes in ")
    assert "of at most 493 = (R B)^2 mistakes with R = 4.12311 and B = 5.38516" in found["conditions"][0]
    certificate = found["certificate"]
    if flags[1] == "rosenblatt":
        assert certificate["verdict"] == "within_tolerance" and certificate["margin"] == 0
        assert "proves no strict separation" in certificate["sentence"]
    else:
        assert certificate["verdict"] == "proved" and certificate["claim"] == "separating_hyperplane"
        assert certificate["margin"] == pytest.approx(1 / 3, rel=1e-15)


# From zero a rate only multiplies the weights; a score below rounding is a tie where it learns, counts and predicts.
@pytest.mark.parametrize("order, mistakes", [("cyclic", 25), ("first-mistake", 23)])
@pytest.mark.parametrize("rate", [1, 0.3, 0.7, 0.1, 7])
def test_what_is_proved_is_predicted_at_every_rate(run, four, rate, order, mistakes):
    found = fit(run, "perceptron", four, "--target", "y", "--rate", rate, "--order", order, "-o", "m.recta")
    assert found["metrics"]["y"]["mistakes"] == mistakes and found["metrics"]["y"]["accuracy"] == 1
    assert hyperplane(found) == (pytest.approx(-7 * rate, rel=1e-15), [pytest.approx(3 * rate, rel=1e-15)])
    assert found["certificate"]["verdict"] == "proved" and found["certificate"]["margin"] == pytest.approx(
        1 / 3, rel=1e-14
    )
    assert run("predict", "m.recta", four).stdout.split()[1:] == ["no", "no", "yes", "yes"]
    assert json.loads(run("eval", "m.recta", four, "--json").stdout)["metrics"]["y"]["accuracy"] == 1
    assert json.loads(run("verify", "m.recta", four, "--json").stdout)["holds"]


# The oracle: rows of tenths, pulled at falling rates, in exact fractions of the doubles that the model holds.
def test_a_proof_holds_in_fractions_and_in_prediction(run, tmp_path):
    rng = random.Random(9)
    proofs = 0
    for trial in range(40):
        w, rows = [rng.randint(-3, 3) for _ in range(2)], []
        for i in range(8):
            x = [rng.randint(-5, 5) for _ in range(2)]
            rows.append([v / 10 for v in x] + ["ab"[w[0] * x[0] + w[1] * x[1] > 0 if i > 1 else i]])
        (tmp_path / "t.csv").write_text("x,u,y\n" + "".join(f"{x!r},{u!r},{y}\n" for x, u, y in rows))
        flags = ["--variant", ("batch", "criterion", "pocket", "averaged", "rosenblatt")[trial % 5], "--passes", 200]
        if trial % 2:
            flags += ["--schedule", "c/(c+t)"]
        found = fit(
            run, "perceptron", "t.csv", "--target", "y", "--rate", (0.3, 0.1, 0.7)[trial % 3], *flags, "-o", "m.recta"
        )
        scored = json.loads(run("eval", "m.recta", "t.csv", "--json").stdout)["metrics"]["y"]["accuracy"]
        assert found["metrics"]["y"]["accuracy"] == scored
        if found["certificate"]["claim"] != "separating_hyperplane" or found["certificate"]["verdict"] != "proved":
            continue
        proofs += 1
        b, plane = hyperplane(found)
        exact = [sum(Fraction(v) * Fraction(x) for v, x in zip(plane, row)) + Fraction(b) for row in rows]
        assert scored == 1 and all((z > 0) == (row[2] == "b") and z != 0 for z, row in zip(exact, rows))
    assert proofs > 10


# H6
def test_the_bound_is_that_of_the_intercept_in_the_norm(run, tmp_path):
    (tmp_path / "two.csv").write_text("x,y\n10,a\n12,b\n")
    found = fit(run, "perceptron", "two.csv", "--target", "y", "--order", "cyclic")
    assert found["conditions"][0].startswith("233 mistakes in ") and "of at most 17690" in found["conditions"][0]
    for flags in (["--start", "random"], ["--schedule", "c/(c+t)"], ["--start", "1,2"]):
        claimed = fit(run, "perceptron", "two.csv", "--target", "y", *flags)
        assert claimed["certificate"]["verdict"] == "proved" and "at most" not in claimed["conditions"][0]


def test_what_cannot_be_separated_is_proved_to_be_so(run, tmp_path):
    (tmp_path / "xor.csv").write_text("a,b,y\n1,1,1\n1,-1,0\n-1,1,0\n-1,-1,1\n")
    for variant in ("rosenblatt", "batch", "criterion", "pocket", "averaged"):
        found = fit(run, "perceptron", "xor.csv", "--target", "y", "--variant", variant, "--passes", 50)
        certificate = found["certificate"]
        assert (certificate["verdict"], certificate["claim"]) == ("proved", "not_separable")
        assert certificate["multipliers"] == [0.25] * 4 and certificate["residual"] == 0
    mapped = fit(run, "perceptron", "xor.csv", "--target", "y", "--variant", "criterion", "--feature", "a*b")  # H3
    assert mapped["certificate"]["claim"] == "separating_hyperplane" and mapped["certificate"]["verdict"] == "proved"


def test_a_model_is_saved_verified_and_used(run, four, tmp_path):
    assert run("fit", "perceptron", four, "--target", "y", "-o", "m.recta").returncode == 0
    assert run("predict", "m.recta", four).stdout.split() == ["prediction", "no", "no", "yes", "yes"]
    decision = run("predict", "m.recta", four, "--decision").stdout.split()[1:]
    assert [float(value) for value in decision] == [-4, -1, 2, 5]
    assert "every row lies at least 0.333333 on its side" in run("verify", "m.recta", four).stdout
    assert "accuracy" in run("eval", "m.recta", four).stdout
    refused = run("predict", "m.recta", four, "--proba")
    assert refused.returncode == 2 and "no probabilities" in refused.stderr
    (tmp_path / "other.csv").write_text(FOUR.replace("4,", "5,"))
    assert run("verify", "m.recta", "other.csv").returncode == 3


# H7: every change is on record, with the rows that were right after it
@pytest.mark.parametrize("variant", ["rosenblatt", "batch"])
def test_the_trace_is_the_rule_itself(run, four, variant):
    done = run("trace", "perceptron", four, "--target", "y", "--variant", variant, "--order", "cyclic", "--json")
    steps = json.loads(done.stdout)["steps"]
    x, y = [1, 2, 3, 4], [-1, -1, 1, 1]
    w = b = presented = changes = 0
    expected = [(0, 0, 0, 0, 0)]
    right = 0
    while right < 4:
        i = presented % 4
        presented += 1
        f = w * x[i] + b
        wrong = (f >= 0) != (y[i] > 0) if variant == "rosenblatt" else y[i] * f <= 0
        right = 0 if wrong else right + 1
        if wrong:
            w, b, changes = w + y[i] * x[i], b + y[i], changes + 1
            expected.append((changes, presented, i + 1, w, b))
    assert [(s["step"], s["rows"], s["row"], s["weights"][0], s["intercept"]) for s in steps] == expected
    for s in steps:
        assert s["correct"] == sum((s["weights"][0] * v + s["intercept"] >= 0) == (t > 0) for v, t in zip(x, y))


# H4
def test_decaying_rates_follow_the_rows_presented(run, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1,1\n2,0\n3,1\n")
    done = run(
        "trace",
        "perceptron",
        "t.csv",
        "--target",
        "y",
        "--order",
        "cyclic",
        "--schedule",
        "c/(c+t)",
        "--steps",
        30,
        "--json",
    )
    steps = json.loads(done.stdout)["steps"]
    assert len(steps) == 31
    assert all(s["rate"] == 1000 / (1000 + s["rows"] - 1) for s in steps[1:])


def test_curves_are_drawn(run, four, tmp_path):
    for word in ("perceptron", "delta"):
        done = run("trace", word, four, "--target", "y", "--plot", f"{word}.svg")
        assert done.returncode == 0, done.stderr
        picture = (tmp_path / f"{word}.svg").read_text()
        assert picture.startswith("<svg") and "rows presented" in picture
        right = 4 * fit(run, word, four, "--target", "y", "--plot", "fit.svg", "-q")["metrics"]["y"]["accuracy"]
        assert f"{right:g} of 4 rows right" in (tmp_path / "fit.svg").read_text()


# H7
@pytest.mark.parametrize("word", ["perceptron", "delta"])
def test_three_settings_stand_side_by_side(run, four, tmp_path, word):
    (tmp_path / "mixed.csv").write_text("x,y\n1,no\n2,yes\n3,no\n4,yes\n5,yes\n")
    flags = ("--target", "y", "--order", "cyclic", "--passes", 30)
    done = run("trace", word, "mixed.csv", *flags, "--beside", four, "--plot", "three.svg", "-q")
    assert done.returncode == 0, done.stderr
    root = ElementTree.parse(tmp_path / "three.svg").getroot()
    panels = [child for child in root if child.get("class") == "recta"]
    assert [panel.get("x") for panel in panels] == ["0", "520", "1040"] and root.get("width") == "1560"
    titles = [panel[0].text for panel in panels]
    assert titles == ["four.csv, constant rate", "mixed.csv, constant rate", "mixed.csv, c/(c+t) rate"]
    rights = ["".join(panel.itertext()) for panel in panels]
    for said, data, schedule in zip(rights, (four, "mixed.csv", "mixed.csv"), ("constant", "constant", "c/(c+t)")):
        done = run("trace", word, data, *flags, "--schedule", schedule, "--c", 1000, "--json")
        found = json.loads(done.stdout)
        assert f"{found['steps'][-1]['correct']} of {found['rows']} rows right" in said
    refused = run("trace", "logistic", "mixed.csv", "--target", "y", "--beside", four, "--plot", "p.svg")
    assert refused.returncode == 2 and "training curves" in refused.stderr


# H7: the curves are data too. Each is the trace of its setting by itself, digit for digit.
@pytest.mark.parametrize("word", ["perceptron", "delta"])
def test_three_settings_side_by_side_are_data(run, four, tmp_path, word):
    (tmp_path / "mixed.csv").write_text("x,y\n1,no\n2,yes\n3,no\n4,yes\n5,yes\n")
    flags = ("--target", "y", "--order", "cyclic", "--passes", 12)
    found = trace(run, word, "mixed.csv", *flags, "--beside", four)
    assert list(found) == ["schema", "settings"] and found["schema"] == "recta/trace/1"
    asked = [(four, "constant"), ("mixed.csv", "constant"), ("mixed.csv", "c/(c+t)")]
    assert [(one["source"], one["schedule"]) for one in found["settings"]] == asked
    assert [one["setting"] for one in found["settings"]] == [f"{data}, {schedule} rate" for data, schedule in asked]
    for one, (data, schedule) in zip(found["settings"], asked):
        alone = trace(run, word, data, *flags, "--schedule", schedule, "--c", 1000)
        assert len(alone["steps"]) > 5 and alone.pop("schema") == "recta/trace/1"
        assert {**alone, "setting": one["setting"], "schedule": schedule} == one
    assert found["settings"][0]["steps"][-1]["correct"] == 4 or word == "delta"
    assert trace(run, word, "mixed.csv", *flags, "--beside", four, "--plot", "t.svg") == found  # drawn or not
    text = run("trace", word, "mixed.csv", *flags, "--beside", four).stdout
    parts = text.split(" rate\n")
    assert len(parts) == 4 and text.count("objective  ") == 1
    for part, one in zip(parts[1:], found["settings"]):
        last = [line for line in part.splitlines() if line.strip()[:1].isdigit()][-1].split()
        assert [int(last[0]), int(last[1])] == [one["steps"][-1]["step"], one["steps"][-1]["rows"]]
        assert f"Ended: {one['stop']}; cost" in part and f"{one['steps'][-1]['correct']}" in last
    short = trace(run, word, "mixed.csv", *flags, "--beside", four, "--every", 7)["settings"]
    assert [len(one["steps"]) < len(whole["steps"]) for one, whole in zip(short, found["settings"])] == [True] * 3
    refused = run("trace", "logistic", "mixed.csv", "--target", "y", "--beside", four)
    assert refused.returncode == 2 and "training curves" in refused.stderr


@pytest.mark.parametrize(
    "word, flags",
    [
        ("perceptron", ["--variant", "criterion", "--order", "cyclic"]),
        ("perceptron", ["--variant", "averaged"]),
        ("delta", ["--rate", 2, "--order", "cyclic"]),
        ("delta", ["--solver", "gradient-descent"]),
    ],
)
def test_what_is_learned_from_standardised_columns_is_told_in_their_own_units(run, tmp_path, word, flags):
    rng = random.Random(4)
    rows = [(rng.gauss(5e6 + 2e6 * (i % 2), 4e5), rng.gauss(0.01 * (i % 2), 2e-3), "ab"[i % 2]) for i in range(40)]
    mean = [math.fsum(row[j] for row in rows) / 40 for j in (0, 1)]
    sd = [math.sqrt(math.fsum((row[j] - mean[j]) ** 2 for row in rows) / 40) for j in (0, 1)]
    (tmp_path / "raw.csv").write_text("x,u,y\n" + "".join(f"{x!r},{u!r},{y}\n" for x, u, y in rows))
    (tmp_path / "scaled.csv").write_text(
        "x,u,y\n" + "".join(f"{(x - mean[0]) / sd[0]!r},{(u - mean[1]) / sd[1]!r},{y}\n" for x, u, y in rows)
    )
    found = fit(run, word, "raw.csv", "--target", "y", *flags, "--passes", 50, "--standardise", "-o", "m.recta")
    by_hand = fit(run, word, "scaled.csv", "--target", "y", *flags, "--passes", 50)
    b, w = hyperplane(by_hand)
    plane = hyperplane(found)
    assert plane[1] == pytest.approx([w[j] / sd[j] for j in (0, 1)], rel=1e-9)
    assert plane[0] == pytest.approx(b - w[0] / sd[0] * mean[0] - w[1] / sd[1] * mean[1], rel=1e-9)
    for name in ("accuracy", "mistakes", "presented", "mistake_bound"):
        assert found["metrics"]["y"].get(name) == by_hand["metrics"]["y"].get(name)
    if word == "perceptron":
        assert found["certificate"]["claim"] == "separating_hyperplane" and found["certificate"]["verdict"] == "proved"
    else:
        assert found["certificate"]["gradient_norm"] == pytest.approx(by_hand["certificate"]["gradient_norm"], rel=1e-6)
    assert json.loads(run("verify", "m.recta", "raw.csv", "--json").stdout)["holds"]
    done = run("trace", word, "raw.csv", "--target", "y", "--standardise", "--passes", 2)
    assert "units      weights are those of (x - mean) / sd" in done.stdout


def test_sparse_columns_are_divided_and_not_centred(run, tmp_path):
    rows = [([0, 3.0], -1), ([2.0, 0], 1), ([4.0, 0], 1), ([0, 1.0], -1), ([6.0, 1.0], 1), ([1.0, 5.0], -1)]
    sd = [math.sqrt(sum(x[j] ** 2 for x, _ in rows) / 6 - (sum(x[j] for x, _ in rows) / 6) ** 2) for j in (0, 1)]
    for name, scale in (("raw.svm", [1, 1]), ("scaled.svm", sd)):
        (tmp_path / name).write_text(
            "".join(f"{y} " + " ".join(f"{j + 1}:{x[j] / scale[j]!r}" for j in (0, 1) if x[j]) + "\n" for x, y in rows)
        )
    for word in ("perceptron", "delta"):
        found = fit(run, word, "raw.svm", "--order", "cyclic", "--passes", 20, "--standardise")
        by_hand = fit(run, word, "scaled.svm", "--order", "cyclic", "--passes", 20)
        (w,), (v,) = [[[c["value"] for c in own] for own in each["coefficients"].values()] for each in (found, by_hand)]
        assert w == pytest.approx([v[0] / sd[0], v[1] / sd[1]], rel=1e-12)
        assert [i["value"] for i in found["intercept"].values()] == pytest.approx(
            [i["value"] for i in by_hand["intercept"].values()], rel=1e-12
        )


@pytest.mark.parametrize(
    "word, flags",
    [
        ("perceptron", ["--variant", "criterion", "--order", "cyclic"]),
        ("perceptron", ["--standardise"]),
        ("delta", ["--standardise", "--rate", 1]),
    ],
)
def test_of_more_classes_each_learns_against_the_rest(run, tmp_path, word, flags):
    found = fit(run, word, "iris", "--passes", 60, *flags, "-o", "m.recta")
    run("data", "iris", "-o", "iris.csv")
    head, *rows = (tmp_path / "iris.csv").read_text().splitlines()
    labels = sorted({row.split(",")[4] for row in rows})
    scores = []
    for label in labels:
        (tmp_path / "own.csv").write_text(
            "\n".join([head] + [row if row.endswith(label) else row[: row.rindex(",")] + ",0" for row in rows]) + "\n"
        )
        alone = fit(run, word, "own.csv", "--target", "species", "--positive", label, "--passes", 60, *flags)
        assert (
            found["coefficients"][label] == alone["coefficients"]["species"]
            and found["intercept"][label] == alone["intercept"]["species"]
        )
        w, b = [c["value"] for c in alone["coefficients"]["species"]], alone["intercept"]["species"]["value"]
        scores.append([sum(v * float(x) for v, x in zip(w, row.split(","))) + b for row in rows])
    right = sum(labels[max(range(3), key=lambda k: scores[k][i])] == row.split(",")[4] for i, row in enumerate(rows))
    assert found["metrics"]["species"]["accuracy"] == pytest.approx(right / 150)
    predicted = run("predict", "m.recta", "iris").stdout.split()[1:]
    assert sum(p == row.split(",")[4] for p, row in zip(predicted, rows)) == right
    said = found["certificate"]["conditions"][0]
    assert said.startswith('3 classes, each against the rest: "Iris-setosa" ') and all(
        label in said for label in labels
    )
    assert json.loads(run("verify", "m.recta", "iris", "--json").stdout)["holds"]


# The oracle is the table with two labels.
def relabelled(run, tmp_path, label, name="own.csv"):
    run("data", "iris", "-o", "iris.csv")
    head, *rows = (tmp_path / "iris.csv").read_text().splitlines()
    own = [row if row.endswith(label) else row[: row.rindex(",")] + ",0" for row in rows]
    (tmp_path / name).write_text("\n".join([head, *own]) + "\n")
    return name


IRIS = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]


def trace(run, *arguments):
    done = run("trace", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# H7
@pytest.mark.parametrize(
    "word, flags",
    [
        ("perceptron", ["--passes", 5, "--order", "cyclic"]),
        ("perceptron", ["--steps", 40, "--variant", "pocket", "--seed", 3]),
        ("delta", ["--standardise", "--rate", 1]),
        ("delta", ["--solver", "gradient-descent", "--every", 4]),
    ],
)
def test_of_more_classes_each_has_its_trace(run, tmp_path, word, flags):
    found = trace(run, word, "iris", *flags)
    assert list(found) == ["schema", "classes"] and found["schema"] == "recta/trace/1"
    assert [one["class"] for one in found["classes"]] == IRIS
    for one, label in zip(found["classes"], IRIS):
        named = trace(run, word, "iris", *flags, "--positive", label)
        assert named == {"schema": "recta/trace/1", **one}
        alone = trace(run, word, relabelled(run, tmp_path, label), "--target", "species", "--positive", label, *flags)
        assert "class" not in alone and len(alone["steps"]) > 3
        assert {**named, "source": "own.csv"} == {**alone, "class": label}  # bit for bit
    text = run("trace", word, "iris", *flags).stdout
    assert text.startswith(f"{word} of species on iris by ") and text.splitlines()[0].endswith(
        ", each class against the rest"
    )
    blocks = text.split(" against the rest\n")[2:]
    assert len(blocks) == 3 and text.count("objective  ") == 1
    for block, label, one in zip(blocks, IRIS, found["classes"]):
        assert f"\n{label} against the rest\nstep " in text and f"Ended: {one['stop']}; cost" in block
        last = [line for line in block.splitlines() if line.strip()[:1].isdigit()][-1].split()
        assert [int(last[0]), int(last[1])] == [one["steps"][-1]["step"], one["steps"][-1]["rows"]]
    alone = run("trace", word, "own.csv", "--target", "species", "--positive", IRIS[2], *flags).stdout
    named = run("trace", word, "iris", *flags, "--positive", IRIS[2]).stdout
    assert (
        named.splitlines()[0] == alone.splitlines()[0].replace("own.csv", "iris") + ", Iris-virginica against the rest"
    )
    assert named.splitlines()[1:] == alone.splitlines()[1:]


def panels_of(path):
    root = ElementTree.parse(path).getroot()
    return root, [child for child in root if child.get("class") == "recta"]


@pytest.mark.parametrize("word", ["perceptron", "delta"])
def test_of_more_classes_each_has_its_picture(run, tmp_path, word):
    flags = ["--passes", 4, "--order", "cyclic"]
    found = trace(run, word, "iris", *flags, "--plot", "t.svg")
    root, panels = panels_of(tmp_path / "t.svg")
    assert [panel[0].text for panel in panels] == [f"{label} against the rest" for label in IRIS] and root.get(
        "width"
    ) == "1560"
    for panel, one in zip(panels, found["classes"]):
        assert f"{one['steps'][-1]['correct']} of 150 rows right at the last point" in "".join(panel.itertext())
    done = run("fit", word, "iris", *flags, "--plot", "f.svg", "-q")
    assert done.returncode == 0, done.stderr
    drawn = panels_of(tmp_path / "f.svg")[1]
    assert [panel[0].text for panel in drawn] == [panel[0].text for panel in panels]
    for panel, one in zip(drawn, found["classes"]):
        alone = fit(run, word, "iris", *flags, "--positive", one["class"], "--plot", "one.svg")
        assert f"{alone['metrics']['species']['accuracy'] * 150:.0f} of 150 rows right" in "".join(panel.itertext())
        assert f"Rows right while {word} learned {one['class']} against the rest" in (tmp_path / "one.svg").read_text()
    assert run("fit", word, "digits", "--passes", 1, "--plot", "ten.svg").returncode == 0
    root, ten = panels_of(tmp_path / "ten.svg")
    assert len(ten) == 10 and ten[9].get("x") == "0" and ten[9].get("y") == "1350" and root.get("height") == "1800"
    # the cost and the way over it
    run("data", "iris", "-o", "iris.csv")
    two = "\n".join(",".join(line.split(",")[2:]) for line in (tmp_path / "iris.csv").read_text().splitlines()) + "\n"
    (tmp_path / "two.csv").write_text(two)
    for kind in ("cost", "contours"):
        done = run(
            "trace", word, "two.csv", "--target", "species", *flags, "--plot", "w.svg", "--plot-kind", kind, "-q"
        )
        assert done.returncode == 0, done.stderr
        assert [panel[0].text for panel in panels_of(tmp_path / "w.svg")[1]] == [
            f"{label} against the rest" for label in IRIS
        ]
    weighed = run(
        "trace",
        word,
        "two.csv",
        "--target",
        "species",
        *flags,
        "--plot",
        "w.svg",
        "--plot-kind",
        "contours",
        "--class-weights",
        "balanced",
    )
    assert weighed.returncode == 2 and "draw one class, with --positive LABEL" in weighed.stderr


def test_settings_of_more_classes_are_rows_of_pictures(run, tmp_path):
    (tmp_path / "apart.csv").write_text(
        "x,u,y\n"
        + "".join(
            f"{x},{u},{y}\n"
            for x, u, y in ((0, 0, "a"), (1, 0, "a"), (9, 0, "b"), (8, 0, "b"), (0, 9, "c"), (0, 8, "c"))
        )
    )
    (tmp_path / "mixed.csv").write_text(
        "x,u,y\n" + "".join(f"{i % 4},{i % 3},{'abc'[i * i % 7 % 3]}\n" for i in range(24))
    )
    flags = ("--target", "y", "--order", "cyclic", "--passes", 10)
    done = run("trace", "perceptron", "mixed.csv", *flags, "--beside", "apart.csv", "--plot", "nine.svg", "-q")
    assert done.returncode == 0, done.stderr
    panels = panels_of(tmp_path / "nine.svg")[1]
    settings = ("apart.csv, constant rate", "mixed.csv, constant rate", "mixed.csv, c/(c+t) rate")
    assert [panel[0].text for panel in panels] == [f"{label}: {setting}" for label in "abc" for setting in settings]
    data = trace(run, "perceptron", "mixed.csv", *flags, "--beside", "apart.csv")["settings"]
    assert [one["setting"] for one in data] == list(settings)
    assert all([curve["class"] for curve in one["classes"]] == list("abc") for one in data)
    assert data[1]["classes"] == trace(run, "perceptron", "mixed.csv", *flags)["classes"]
    (tmp_path / "four.csv").write_text("x,u,y\n1,0,a\n2,0,a\n3,0,b\n4,0,b\n")
    refused = run("trace", "perceptron", "mixed.csv", *flags, "--beside", "four.csv", "--plot", "no.svg", "-q")
    assert refused.returncode == 2 and "four.csv and mixed.csv have different classes" in refused.stderr


@pytest.mark.parametrize(
    "word, flags",
    [
        ("perceptron", ["--passes", 20]),
        ("delta", ["--passes", 20]),
        ("logistic", ["--lambda", 0.01]),
        ("logistic", ["--class-weights", "balanced", "--lambda1", 0.01]),
    ],
)
def test_one_class_is_set_against_the_rest(run, tmp_path, word, flags):
    for label in IRIS[:2]:
        found = fit(run, word, "iris", *flags, "--positive", label, "-o", "m.recta")
        alone = fit(
            run,
            word,
            relabelled(run, tmp_path, label),
            "--target",
            "species",
            *flags,
            "--positive",
            label,
            "-o",
            "own.recta",
        )
        for key in ("coefficients", "intercept", "metrics", "conditions", "certificate", "objective"):
            if key == "metrics":
                assert (
                    found[key]["species"].pop("majority")["accuracy"]
                    == alone[key]["species"].pop("majority")["accuracy"]
                )
            assert found[key] == alone[key]
        assert found["classes"]["labels"] == [f"not {label}", label] and found["classes"]["positive"] == label
        assert (
            found["classes"]["rest"] == [other for other in IRIS if other != label] and "rest" not in alone["classes"]
        )
        assert f"{label} (1) and not {label} (-1: " in run("inspect", "m.recta").stdout.replace(" x 0.75", "").replace(
            " x 1.5", ""
        )
        predicted = run("predict", "m.recta", "iris").stdout
        assert predicted == run("predict", "own.recta", "own.csv").stdout.replace("\n0\n", f"\nnot {label}\n").replace(
            "\n0\n", f"\nnot {label}\n"
        )
        assert (
            run("verify", "m.recta", "iris").returncode == 0
            and run("verify", "m.recta", "iris", "--stream").returncode == 0
        )
        scored, own = (
            json.loads(run("eval", name, data, "--json").stdout)
            for name, data in (("m.recta", "iris"), ("own.recta", "own.csv"))
        )
        assert scored["classes"] == [f"not {label}", label]
        first, (scored, figures) = own["classes"][0], (document["metrics"]["species"] for document in (scored, own))
        assert scored["accuracy"] == figures["accuracy"]
        assert scored["confusion"] == (
            [row[::-1] for row in figures["confusion"]][::-1] if first != "0" else figures["confusion"]
        )
        # what is predicted can be evaluated on, and so can the labels that training saw
        (tmp_path / "new.csv").write_text((tmp_path / "iris.csv").read_text().replace(IRIS[2], f"not {label}"))
        assert (
            json.loads(run("eval", "m.recta", "new.csv", "--json").stdout)["metrics"]["species"]["accuracy"]
            == figures["accuracy"]
        )
    (tmp_path / "new.csv").write_text((tmp_path / "iris.csv").read_text().replace(IRIS[2], "Iris-virginia", 1))
    refused = run("eval", "m.recta", "new.csv")
    assert refused.returncode == 3 and 'the class "Iris-virginia" was not seen in training' in refused.stderr
    assert 'is it "Iris-virginica"?' in refused.stderr
    refused = run("fit", word, "iris", "--positive", "Iris-setsa")
    assert refused.returncode == 2 and 'did you mean "Iris-setosa"?' in refused.stderr
    assert run("trace", word, "iris", "--positive", "Iris-setsa").returncode == 2


def test_one_class_of_numbers_is_set_against_the_rest(run, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1,1\n2,2\n3,3\n4,3\n")
    found = fit(run, "perceptron", "t.csv", "--target", "y", "--positive", "3", "-o", "m.recta")
    assert found["classes"]["labels"] == ["not 3", "3"] and found["classes"]["rest"] == ["1", "2"]
    assert hyperplane(found) == hyperplane(fit(run, "perceptron", "-", "--format", "csv", "--target", "y", stdin=FOUR))
    assert run("predict", "m.recta", "t.csv").stdout.split("\n")[1:5] == ["not 3", "not 3", "3", "3"]
    assert run("verify", "m.recta", "t.csv").returncode == 0
    (tmp_path / "floats.csv").write_text("x,y\n1,1.0\n2,2.0\n3,3.0\n4,3.0\n")
    assert json.loads(run("eval", "m.recta", "floats.csv", "--json").stdout)["metrics"]["y"]["accuracy"] == 1


# H8
def test_distances_are_those_from_the_hyperplane(run, four, tmp_path):
    (tmp_path / "t.csv").write_text("x,u,y\n0,0,no\n1,0,no\n3,4,yes\n4,3,yes\n")
    found = fit(run, "perceptron", "t.csv", "--target", "y", "-o", "m.recta")
    b, w = hyperplane(found)
    (tmp_path / "new.csv").write_text("x,u\n3,4\n0,0\n-1,7\n")
    lines = run("predict", "m.recta", "new.csv", "--distance").stdout.split()
    assert lines[0] == "distance"
    for line, (x, u) in zip(lines[1:], ((3, 4), (0, 0), (-1, 7))):
        distance = float(line)
        foot = [x - distance * w[0] / math.hypot(*w), u - distance * w[1] / math.hypot(*w)]  # at right angles
        assert w[0] * foot[0] + w[1] * foot[1] + b == pytest.approx(0, abs=1e-12)
        assert (distance >= 0) == (w[0] * x + w[1] * u + b >= 0)
    assert abs(float(lines[2])) == pytest.approx(abs(b) / math.hypot(*w))
    run("fit", "perceptron", "iris", "--passes", 50, "-o", "k.recta")
    each = json.loads(run("predict", "k.recta", "iris", "--distance", "--json").stdout)["distances"]
    scores = json.loads(run("predict", "k.recta", "iris", "--decision", "--json").stdout)["decisions"]
    for label in each:
        ratio = [z / d for z, d in zip(scores[label], each[label])]
        assert max(ratio) == pytest.approx(min(ratio)) and min(ratio) > 0
    run("fit", "softmax", "iris", "--lambda", 0.1, "-o", "s.recta")
    refused = run("predict", "s.recta", "iris", "--distance")
    assert refused.returncode == 2 and "lies between two scores" in refused.stderr
    assert run("predict", "m.recta", "new.csv", "--distance", "--decision").returncode == 2
    run("fit", "logistic", four, "--target", "y", "--lambda1", 10, "-o", "z.recta")
    refused = run("predict", "z.recta", four, "--distance")
    assert refused.returncode == 2 and "no hyperplane" in refused.stderr


# L2
def test_the_delta_rule_is_the_formula(run, four):
    done = run("trace", "delta", four, "--target", "y", "--rate", 0.5, "--schedule", "constant", "--steps", 8, "--json")
    steps = json.loads(done.stdout)["steps"]
    w = b = 0.0
    for k in range(8):
        x, t = [1, 2, 3, 4][k % 4], [0, 0, 1, 1][k % 4]
        o = 1 / (1 + math.exp(-(w * x + b)))
        w, b = w + 0.5 * (t - o) * o * (1 - o) * x, b + 0.5 * (t - o) * o * (1 - o)
        assert steps[k + 1]["weights"] == [pytest.approx(w, rel=1e-12)] and steps[k + 1]["intercept"] == pytest.approx(
            b, rel=1e-12
        )
    done = run(
        "trace",
        "delta",
        four,
        "--target",
        "y",
        "--solver",
        "gradient-descent",
        "--reduction",
        "sum",
        "--rate",
        0.5,
        "--steps",
        1,
        "--json",
    )
    assert json.loads(done.stdout)["steps"][1]["weights"] == [pytest.approx(0.5 * 0.125 * (-1 - 2 + 3 + 4))]


def test_the_delta_rule_claims_no_optimum(run, tmp_path):
    rng = random.Random(1)
    rows = [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(200)]
    (tmp_path / "t.csv").write_text(
        "a,b,y\n" + "".join(f"{p!r},{q!r},{int(p + q + rng.gauss(0, 1) > 0)}\n" for p, q in rows)
    )
    found = fit(
        run,
        "delta",
        "t.csv",
        "--target",
        "y",
        "--solver",
        "gradient-descent",
        "--rate",
        20,
        "--passes",
        3000,
        "--tolerance",
        1e-8,
    )
    certificate = found["certificate"]
    assert (certificate["verdict"], certificate["claim"]) == ("within_tolerance", "stationary")
    assert (
        certificate["gradient_norm"] <= 1e-8
        and "stationary point of a cost that is not convex" in certificate["sentence"]
    )
    early = fit(run, "delta", "t.csv", "--target", "y", "--solver", "gradient-descent", "--rate", 1, "--steps", 3)[
        "certificate"
    ]
    assert early["verdict"] == "stopped_early" and "not yet a stationary point" in early["sentence"]


@pytest.mark.parametrize(
    "flags, said",
    [
        (["--rate", "0"], "outside its range"),
        (["--variant", "voted"], "is not one of"),
        (["--start", "1,2,3"], "it has 3 numbers"),
        (["--passes", "2.5"], "not a whole number"),
        (["--lambda", "1"], "no such parameter"),
    ],
)
def test_what_has_no_meaning_is_refused(run, four, flags, said):
    done = run("fit", "perceptron", four, "--target", "y", *flags)
    assert done.returncode == 2 and said in done.stderr, done.stderr


def test_large_rates_and_large_columns_end(run, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1e8,0\n2e8,0\n3e8,1\n4e8,1\n")
    found = fit(run, "perceptron", "t.csv", "--target", "y", "--rate", 1e9, "--passes", 100)
    assert found["certificate"]["verdict"] in ("proved", "stopped_early")
    assert "at most" in found["conditions"][0] or "does separate them" in found["certificate"]["sentence"]
