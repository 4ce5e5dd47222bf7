"""recta.separability: verdicts and their proofs from Python."""

import json
import subprocess
from fractions import Fraction

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.svm import SVC

import recta

FOUR = np.array([[1.0], [2.0], [3.0], [4.0]])


@pytest.mark.parametrize("y", [[0, 0, 1, 1], [False, False, True, True], ["a", "a", "b", "b"], [-1.5, -1.5, 2.5, 2.5]])
def test_four_points_are_separable_halfway(y):
    found = recta.separability(FOUR, y)
    assert found and found.verdict == "separable" and found.exact and found.proved
    assert found.classes.tolist() == [y[0], y[-1]]
    assert found.coef.tolist() == [2] and found.intercept == -5 and found.unit_normal.tolist() == [1]
    assert found.margin == (0.5, 0.5) and found.margin_squared == "1/4"
    assert (
        found.support.tolist() == [1, 2]
        and found.multipliers.tolist() == [0.5, 0.5]
        and found.fractions == ["1/2", "1/2"]
    )
    assert found.signed_distance([[7.0], [2.5]]).tolist() == [4.5, 0]
    assert (found.radius**2, found.mistakes) == (pytest.approx(17), 493) and found.norm**2 == pytest.approx(29)


def test_every_kind_of_rows_gives_the_same_answer():
    x, y = load_iris(return_X_y=True)
    x, y = x[:100], y[:100]
    found = recta.separability(x, y)
    frame = pandas.DataFrame(x, columns=list("abcd"))
    for rows in (np.asfortranarray(x), scipy.sparse.csr_array(x), scipy.sparse.csc_array(x), frame, x.tolist()):
        other = recta.separability(rows, y)
        assert other.coef.tolist() == found.coef.tolist() and other.margin == found.margin
    assert recta.separability(frame, y).features == list("abcd")
    assert found.exact and (y * 2 - 1) @ np.sign(found.signed_distance(x)) == 100


def test_setosa_stands_apart_and_the_others_do_not():
    x, y = load_iris(return_X_y=True)
    assert recta.separability(x, y == 0).verdict == "separable"
    found = recta.separability(x[50:], y[50:])
    assert found.verdict == "not separable" and found.exact and found.coef is None and found.mistakes is None
    # what anybody can do: the sum of a y x, exactly
    a = [Fraction(value) for value in found.multipliers.tolist()]
    signs = np.where(y[50:] == 2, 1, -1)
    total = [sum(a[k] * int(signs[i]) * Fraction(x[50 + i, j]) for k, i in enumerate(found.support)) for j in range(4)]
    assert max(abs(float(s)) for s in total) < 1e-15 and abs(float(sum(a)) - 1) < 1e-15
    with pytest.raises(recta.UsageError, match="no hyperplane"):
        found.signed_distance(x)


def test_the_widest_margin_is_that_of_a_hard_machine():
    x, y = load_iris(return_X_y=True)
    x, y = x[:100], y[:100]
    machine = SVC(kernel="linear", C=1e10, tol=1e-10).fit(x, y)
    found = recta.separability(x, y)
    np.testing.assert_allclose(found.coef, machine.coef_[0], rtol=1e-5)  # as far as libsvm goes
    assert found.exact and found.margin[0] == pytest.approx(1 / np.linalg.norm(machine.coef_), rel=1e-5)
    assert set(found.support) == set(machine.support_)


def test_columns_of_other_units_are_decided_too():
    x, y = load_breast_cancer(return_X_y=True)  # from 1e-3 to 4e3
    found = recta.separability(x, y)
    assert found.verdict == "separable" and found.proved
    assert ((2 * y - 1) * (x @ found.coef + found.intercept) > 0).all()


def test_weights_of_zero_take_rows_away():
    found = recta.separability([[1.0], [2.0], [3.0], [9.0]], ["a", "a", "b", "a"], sample_weight=[1, 2, 1, 0])
    assert found.margin_squared == "1/4"


def test_a_table_names_its_classes(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1,no\n3,yes\n")
    found = recta.separability(recta.read(tmp_path / "t.csv"), target="y")
    assert found.classes.tolist() == ["no", "yes"] and found.margin == (1, 1)


def test_through_the_origin_less_is_separable():
    assert recta.separability(FOUR, [0, 0, 1, 1], fit_intercept=False).verdict == "not separable"


def test_of_more_classes_each_is_asked_against_the_rest(tmp_path):
    X, y = recta.datasets.load("iris", return_X_y=True)
    found = recta.separability(X, y)
    assert [bool(one) for one in found.values()] == [True, False, False] and list(found) == sorted(set(y))
    alone = recta.separability(X, np.asarray(y) == "Iris-setosa")
    assert found["Iris-setosa"].margin == alone.margin and np.array_equal(found["Iris-setosa"].coef, alone.coef)
    (tmp_path / "t.csv").write_text("x,y\n1,a\n2,b\n3,c\n")
    of_table = recta.separability(recta.read(tmp_path / "t.csv"), target="y")
    assert {label: one.verdict for label, one in of_table.items()} == {
        "a": "separable",
        "b": "not separable",
        "c": "separable",
    }


def test_what_has_no_classes_is_refused():
    with pytest.raises(ValueError, match="only one class: 1"):
        recta.separability([[1.0], [2.0]], [1, 1])
    with pytest.raises(ValueError, match="only one class: 'a'"):
        recta.separability([[1.0], [2.0]], np.array(["a", "a"], dtype=object))
    with pytest.raises(recta.UsageError, match="no classes"):
        recta.separability([[1.0]])


def test_what_is_no_number_is_named():
    with pytest.raises(recta.DataError, match="row 2"):
        recta.separability([[1.0], [np.nan]], [0, 1])


def test_overlap_and_rounding_are_those_of_the_command_line(program, tmp_path):
    cases = {
        "apart": ([1.0, 2.0, 3.0, 4.0], "aabb"),
        "touching": ([1.0, 2.0, 2.0, 3.0], "aabb"),
        "mixed": ([1.0, 2.0, 3.0, 4.0], "abab"),
    }
    for name, (x, labels) in cases.items():
        found = recta.separability(np.array(x)[:, None], list(labels))
        lines = "".join(f"{value},{label}\n" for value, label in zip(x, labels))
        (tmp_path / "t.csv").write_text("x,y\n" + lines)
        said = subprocess.run(
            [program, "check", tmp_path / "t.csv", "--target", "y", "--separable", "--json"],
            capture_output=True,
            text=True,
        )
        theirs = json.loads(said.stdout)
        theirs = theirs.get("separability", theirs)
        assert found.overlap == theirs["overlap"] == (name == "mixed")
        assert found.rounded == bool(theirs["hyperplane"] and theirs["hyperplane"]["rounded"])
