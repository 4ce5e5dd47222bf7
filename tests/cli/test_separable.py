"""recta check --separable from the command line."""

import json
from fractions import Fraction

import pytest


def check(run, *more, stdin=""):
    done = run("check", "-", "--format", "csv", "--target", "y", "--separable", "--json", *more, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# algorithms 15.10 and 15.11, with labels of every kind
@pytest.mark.parametrize(
    "no, yes", [("0", "1"), ("-1", "1"), ("no", "yes"), ("false", "true"), ("0.5", "1.5"), ("día", "noche")]
)
def test_labels_of_any_kind_have_two_sides(run, no, yes):
    found = check(run, stdin=f"x,y\n1,{no}\n2,{no}\n3,{yes}\n4,{yes}\n")
    assert (found["verdict"], found["exact"], found["negative"], found["positive"]) == ("separable", True, no, yes)
    assert found["hyperplane"]["weights"] == {"x": 2} and found["hyperplane"]["intercept"] == -5
    assert found["margin"] == {"lower": 0.5, "upper": 0.5, "squared": "1/4"}
    assert found["perceptron"]["mistakes"] == 493  # spec W9
    other = check(run, "--positive", no, stdin=f"x,y\n1,{no}\n2,{no}\n3,{yes}\n4,{yes}\n")
    assert (
        other["positive"] == no
        and other["hyperplane"]["weights"] == {"x": -2}
        and other["hyperplane"]["intercept"] == 5
    )


def test_one_class_is_asked_against_the_rest(run):
    rows = "x,y\n1,a\n2,b\n3,b\n4,c\n"
    each = check(run, stdin=rows)["classes"]
    for one in each:
        assert check(run, "--positive", one["positive"], stdin=rows) == {"schema": "recta/separability/1", **one}
    assert [one["verdict"] for one in each] == ["separable", "not separable", "separable"]
    text = run("check", "-", "--format", "csv", "--target", "y", "--separable", "--positive", "c", stdin=rows).stdout
    assert "; y c (1 row) against the rest (3 rows)" in text and "widest margin 0.5" in text
    refused = run("check", "-", "--format", "csv", "--target", "y", "--separable", "--positive", "d", stdin=rows)
    assert refused.returncode == 2 and 'there is no class "d"' in refused.stderr


def test_the_bound_counts_the_intercept(run):
    assert check(run, stdin="x,y\n10,a\n12,b\n")["perceptron"]["mistakes"] == 17690  # spec H6


def test_xor_needs_a_product(run):
    xor = "a,b,y\n1,1,1\n1,-1,-1\n-1,1,-1\n-1,-1,1\n"
    found = check(run, stdin=xor)
    assert found["verdict"] == "not separable" and found["hyperplane"] is None and found["perceptron"] is None
    assert [m["fraction"] for m in found["multipliers"]] == ["1/4"] * 4
    mapped = check(run, "--feature", "a*b", stdin=xor)
    assert mapped["verdict"] == "separable" and mapped["hyperplane"]["weights"] == {"a": 0, "b": 0, "a*b": 1}


# spec W7
def test_rings_are_separated_by_their_squares(run):
    points = [
        (1, 0, "a"),
        (-1, 0, "a"),
        (0, 1, "a"),
        (0, -1, "a"),
        (2, 0, "b"),
        (-2, 0, "b"),
        (0, 2, "b"),
        (0, -2, "b"),
    ]
    rings = "x1,x2,y\n" + "".join(f"{p},{q},{label}\n" for p, q, label in points)
    assert check(run, stdin=rings)["verdict"] == "not separable"
    found = check(run, "--basis", "ring(x1, x2)", stdin=rings)
    assert found["verdict"] == "separable"
    w = list(found["hyperplane"]["weights"].values())
    assert w == pytest.approx([2 / 3, 2 / 3, 0], abs=1e-15) and found["hyperplane"]["intercept"] == pytest.approx(
        -5 / 3
    )
    assert 2 * found["margin"]["lower"] == pytest.approx(3 / 2**0.5)


def test_rows_on_the_hyperplane_are_listed(run):
    found = check(run, stdin="x,y\n1,a\n2,a\n2,b\n3,b\n")
    assert found["verdict"] == "separable except for some rows" and found["on_hyperplane"] == [2, 3]


def test_weights_of_zero_and_missing_values_take_rows_away(run):
    rows = "x,v,y\n1,1,a\n2,1,a\n5,0,a\n3,2,b\n,1,b\n"
    found = check(run, "--weights", "v", "--missing", "drop", stdin=rows)
    assert found["verdict"] == "separable" and found["rows"] == 3 and found["margin"]["squared"] == "1/4"
    assert [m["row"] for m in found["multipliers"]] == [2, 4]


def test_categories_are_features(run):
    found = check(run, stdin="c,y\nred,1\nblue,0\nred,1\ngreen,1\n")
    assert found["verdict"] == "separable"
    mixed = check(run, stdin="c,y\nred,1\nblue,0\nred,0\n")
    assert mixed["verdict"] == "separable except for some rows" and mixed["on_hyperplane"] == [1, 3]


def test_every_class_is_asked_against_the_rest(run):
    rows = [(1, "a"), (2, "b"), (2.5, "b"), (3, "c"), (4, "c"), (2.5, "d")]
    found = check(run, stdin="x,y\n" + "".join(f"{x},{c}\n" for x, c in rows))["classes"]
    assert [one["positive"] for one in found] == ["a", "b", "c", "d"] and {one["negative"] for one in found} == {
        "the rest"
    }
    assert [one["verdict"] for one in found] == ["separable", "not separable", "separable", "not separable"]
    for one in found:  # as it is of two classes
        alone = check(run, stdin="x,y\n" + "".join(f"{x},{1 if c == one['positive'] else 0}\n" for x, c in rows))
        for name in (
            "verdict",
            "exact",
            "proved",
            "hyperplane",
            "margin",
            "perceptron",
            "multipliers",
            "on_hyperplane",
        ):
            assert one[name] == alone[name]
    done = run("check", "iris", "--target", "species", "--separable")
    assert done.returncode == 0 and "1 of 3 classes can be separated from the rest" in done.stdout
    assert "Iris-setosa      separable, exact" in done.stdout


def solved(equations):
    """Fractions by Gauss and Jordan, from rows of [coefficients..., right side] that have one solution."""
    n = len(equations)
    for c in range(n):
        pivot = next(r for r in range(c, n) if equations[r][c] != 0)
        equations[c], equations[pivot] = equations[pivot], equations[c]
        equations[c] = [x / equations[c][c] for x in equations[c]]
        for r in range(n):
            if r != c:
                equations[r] = [x - equations[r][c] * y for x, y in zip(equations[r], equations[c])]
    return [row[n] for row in equations]


# Rows of one decimal may cancel on paper and not as doubles: the witness is one of doubles.
def test_iris_is_answered_exactly(run, tmp_path):
    run("convert", "iris", "iris.csv")
    lines = [line.split(",") for line in (tmp_path / "iris.csv").read_text().split()[1:]]
    done = run("check", "iris", "--target", "species", "--separable", "--json")
    for one in json.loads(done.stdout)["classes"]:
        assert one["exact"] and one["proved"], one["positive"]
        if one["verdict"] == "separable":
            continue
        rows = [lines[m["row"] - 1] for m in one["multipliers"]]
        positive = [row[4] == one["positive"] for row in rows]
        assert len(rows) == 6  # four columns, and the multipliers of each side add up to a half
        equations = [
            [Fraction(float(row[j])) * (1 if side else -1) for row, side in zip(rows, positive)] + [0] for j in range(4)
        ]
        equations += [[Fraction(side == wanted) for side in positive] + [Fraction(1, 2)] for wanted in (True, False)]
        a = solved(equations)
        assert min(a) >= 0 and [float(x) for x in a] == pytest.approx(
            [m["value"] for m in one["multipliers"]], rel=1e-12
        )


# x = -1 has a row of either class and others beside it: no finite maximum, whatever multipliers say of strict sides.
def test_no_finite_maximum_is_claimed_beside_a_plane_through_rows(run):
    x = [
        "1e-14",
        "-0.9999999999",
        "2.00000000000001",
        "1e-10",
        "-1.99999999999999",
        "1.00000000000001",
        "-1",
        "-1",
        "-1e-10",
        "1.00000000000001",
    ]
    rows = "x,y\n" + "".join(f"{value},{label}\n" for value, label in zip(x, "aaaababaaa"))
    found = check(run, stdin=rows)
    assert (
        found["verdict"] == "separable except for some rows"
        and found["on_hyperplane"] == [7, 8]
        and not found["overlap"]
    )
    assert found["hyperplane"]["weights"] == {"x": -1} and found["hyperplane"]["intercept"] == -1
    for model in ("logistic", "softmax"):
        said = run("fit", model, "-", "--format", "csv", "--target", "y", "-o", "m.recta", stdin=rows).stdout
        assert "there is a finite maximum" not in said and "no finite maximum" in said, said


def test_a_margin_below_the_rounding_of_decimals_is_found(run):
    rows = (
        "a,b,c,d,y\n0.3,0.1,0.2,0.0,n\n0.2,0.1,-0.1,0.0,n\n0.2,0.1,0.2,0.0,p\n0.0,0.3,0.1,-0.2,p\n-0.2,-0.2,-0.3,0.1,p\n"
        "0.3,0.0,0.0,0.1,p\n0.2,-0.2,0.3,0.0,n\n0.1,-0.3,0.2,-0.1,p\n"
    )
    found = check(run, stdin=rows)
    assert (found["verdict"], found["exact"]) == ("separable", True) and 0 < found["margin"]["lower"] < 1e-16


def test_a_hyperplane_through_rows_is_shown_as_it_was_proved(run):
    found = check(run, stdin="x,y\n100000001,a\n100000000,a\n100000001,b\n")
    assert found["exact"] and found["on_hyperplane"] == [1, 3] and not found["hyperplane"]["rounded"]
    assert found["hyperplane"]["weights"] == {"x": 1} and found["hyperplane"]["intercept"] == -100000001


# Numbers from the ends of the doubles: a verdict as of any others, and every figure a number.
@pytest.mark.parametrize(
    "no, yes",
    [
        (["5e-324"], ["1e-323"]),
        (["1e-308"], ["2e-308"]),
        (["3e-308"], ["5e-308"]),
        (["1e-200", "2"], ["3e200", "4e200"]),
        (["1e200", "2e200"], ["3e200", "4e200"]),
        (["-1.7e308"], ["1.7e308", "1.6e308", "1.65e308"]),
    ],
)
def test_numbers_from_the_ends_of_the_doubles_have_sides(run, no, yes):
    rows = "x,y\n" + "".join(f"{x},no\n" for x in no) + "".join(f"{x},yes\n" for x in yes)
    found = check(run, stdin=rows)
    assert (found["verdict"], found["proved"]) == ("separable", True)
    w, b = Fraction(found["hyperplane"]["weights"]["x"]), Fraction(found["hyperplane"]["intercept"])
    assert all(w * Fraction(float(x)) + b < 0 for x in no) and all(w * Fraction(float(x)) + b > 0 for x in yes)
    half = (min(Fraction(float(x)) for x in yes) - max(Fraction(float(x)) for x in no)) / 2
    assert found["margin"]["lower"] <= half <= found["margin"]["upper"]
    text = run("check", "-", "--format", "csv", "--target", "y", "--separable", stdin=rows).stdout
    assert "nan" not in text and "at most inf" not in text
    fitted = run("fit", "perceptron", "-", "--format", "csv", "--target", "y", "-o", "m.recta", stdin=rows)
    assert fitted.returncode in (0, 3), fitted.stderr


@pytest.mark.parametrize(
    "rows, said",
    [
        ("x,y\n1,a\n2,a\n", 'every row is "a"'),
        ("x,y\n1,a\n2,b\n1e999,b\n", "too large for a double"),
        ("x,y\n1,a\n,b\n", "--missing drop"),
    ],
)
def test_what_has_no_two_sides_is_refused(run, rows, said):
    done = run("check", "-", "--format", "csv", "--target", "y", "--separable", stdin=rows)
    assert done.returncode == 3 and said in done.stderr, done.stderr


def test_flags_of_the_question_alone_are_refused_without_it(run):
    done = run("check", "iris", "--no-intercept")
    assert done.returncode == 2 and "--separable" in done.stderr


def test_threads_leave_no_trace(run, tmp_path):
    import random

    rng = random.Random(3)
    rows = [[rng.gauss(0, 1) for _ in range(5)] for _ in range(9000)]
    (tmp_path / "t.csv").write_text(
        "a,b,c,d,e,y\n" + "".join(",".join(map(repr, row)) + (",p\n" if sum(row) > 0.1 else ",q\n") for row in rows)
    )
    answers = {
        run("check", "t.csv", "--target", "y", "--separable", "--json", "--threads", n).stdout for n in (1, 2, 3)
    }
    assert len(answers) == 1 and '"proved": true' in answers.pop()


def test_every_pair_of_classes_is_asked_too(run):
    rows = [(0, "a"), (1, "a"), (2, "b"), (3, "c"), (4, "b"), (6, "c")]  # only b and c lie among one another
    found = check(run, stdin="x,y\n" + "".join(f"{x},{c}\n" for x, c in rows))["pairs"]
    assert [(one["positive"], one["negative"], one["verdict"]) for one in found] == [
        ("a", "b", "separable"),
        ("a", "c", "separable"),
        ("b", "c", "not separable"),
    ]
    sign = {"b": 1, "c": -1}
    witness = [
        (m["value"] * sign[rows[m["row"] - 1][1]], rows[m["row"] - 1][0]) for m in found[2]["multipliers"]
    ]  # numbered as in the file
    assert sum(a for a, _ in witness) == pytest.approx(0, abs=1e-15) and sum(
        a * x for a, x in witness
    ) == pytest.approx(0, abs=1e-15)
    assert found[0]["margin"]["lower"] == 0.5 and found[1]["margin"]["lower"] == 1
