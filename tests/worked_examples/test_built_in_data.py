"""W8 on the command line: the built-in sets begin as the courses print them. And R8's example, as a user types it."""

import json

import pytest

HOUSING = """\
0.00632	18.00	2.310	0	0.5380	6.5750	65.20	4.0900	1	296.0	15.30	396.90	4.98	24.00
0.02731	0.00	7.070	0	0.4690	6.4210	78.90	4.9671	2	242.0	17.80	396.90	9.14	21.60
0.02729	0.00	7.070	0	0.4690	7.1850	61.10	4.9671	2	242.0	17.80	392.83	4.03	34.70
0.03237	0.00	2.180	0	0.4580	6.9980	45.80	6.0622	3	222.0	18.70	394.63	2.94	33.40
0.06905	0.00	2.180	0	0.4580	7.1470	54.20	6.0622	3	222.0	18.70	396.90	5.33	36.20
0.02985	0.00	2.180	0	0.4580	6.4300	58.70	6.0622	3	222.0	18.70	394.12	5.21	28.70
0.08829	12.50	7.870	0	0.5240	6.0120	66.60	5.5605	5	311.0	15.20	395.60	12.43	22.90
0.14455	12.50	7.870	0	0.5240	6.1720	96.10	5.9505	5	311.0	15.20	396.90	19.15	27.10
0.21124	12.50	7.870	0	0.5240	5.6310	100.00	6.0821	5	311.0	15.20	386.63	29.93	16.50
"""

IRIS = {
    1: "5.1 3.5 1.4 0.2 Iris-setosa",
    2: "4.9 3.0 1.4 0.2 Iris-setosa",
    3: "4.7 3.2 1.3 0.2 Iris-setosa",
    51: "7.0 3.2 4.7 1.4 Iris-versicolor",
    52: "6.4 3.2 4.5 1.5 Iris-versicolor",
    53: "6.9 3.1 4.9 1.5 Iris-versicolor",
    101: "6.3 3.3 6.0 2.5 Iris-virginica",
    102: "5.8 2.7 5.1 1.9 Iris-virginica",
    103: "7.1 3.0 5.9 2.1 Iris-virginica",
}


@pytest.fixture
def rows_of(run):
    def call(name):
        done = run("data", name)
        assert done.returncode == 0, done.stderr
        header, *rows = done.stdout.splitlines()
        return header.split(","), [row.split(",") for row in rows]

    return call


def test_housing_begins_with_the_nine_rows_of_the_course(rows_of):
    header, rows = rows_of("housing")
    assert header == [
        "crim",
        "zn",
        "indus",
        "chas",
        "nox",
        "rm",
        "age",
        "dis",
        "rad",
        "tax",
        "ptratio",
        "b",
        "lstat",
        "price",
    ]
    assert len(rows) == 506
    printed = [[float(x) for x in line.split("\t")] for line in HOUSING.splitlines()]
    assert [[float(x) for x in row] for row in rows[:9]] == printed


def test_iris_has_the_rows_of_the_course(rows_of):
    header, rows = rows_of("iris")
    assert header == ["sepal_length", "sepal_width", "petal_length", "petal_width", "species"]
    assert len(rows) == 150
    for number, line in IRIS.items():
        *measures, species = line.split()
        assert [float(x) for x in rows[number - 1][:4]] == [float(x) for x in measures]
        assert rows[number - 1][4] == species


def test_digits_are_grids_of_eight_by_eight(rows_of):
    header, rows = rows_of("digits")
    assert header == [f"x{j}" for j in range(1, 65)] + ["digit"]
    assert len(rows) == 1797
    assert {row[64] for row in rows} == set("0123456789")
    assert all(0 <= float(x) <= 16 for row in rows for x in row[:64])


def test_the_ridge_of_the_course_as_a_user_types_it(run):
    """X = (1, 2), y = (1, 1), tau = 1: ||w||^2 = 1/4; lambda = tau / N."""
    done = run("fit", "ridge", "two-ones", "--no-intercept", "--tau", "1", "--json")
    fit = json.loads(done.stdout)
    assert fit["coefficients"]["y"][0]["value"] ** 2 == pytest.approx(0.25, rel=1e-12)
    assert fit["design"]["lambda2"] == 0.5
