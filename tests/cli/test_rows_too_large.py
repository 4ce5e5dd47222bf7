"""Rows whose scores overflow are refused by their number; rows without an answer because a value is missing are not."""

import json

import pytest

TRAINING = "a,b,y\n0,0,n\n1,1,p\n0.5,0,n\n1,0.8,p\n"


@pytest.mark.parametrize("flags", [(), ("--decision",), ("--normalised",), ("--stream",)])
def test_a_row_whose_score_overflows_is_named(run, tmp_path, flags):
    (tmp_path / "t.csv").write_text(TRAINING)
    (tmp_path / "new.csv").write_text("a,b\n0,0\n,1\n1e150,-1e150\n1,1\n")
    assert (
        run(
            "fit", "svm", "t.csv", "--target", "y", "--kernel", "polynomial", "--missing", "drop", "-o", "m.recta"
        ).returncode
        == 0
    )
    done = run("predict", "m.recta", "new.csv", *flags)
    assert done.returncode == 3
    assert "new.csv, row 3: its score is not a number" in done.stderr and "correct the row or remove it" in done.stderr


def test_a_row_that_lacks_a_value_is_still_left_empty(run, tmp_path):
    (tmp_path / "t.csv").write_text(TRAINING)
    (tmp_path / "new.csv").write_text("a,b\n0,0\n,1\n1,1\n")
    assert (
        run(
            "fit", "svm", "t.csv", "--target", "y", "--kernel", "polynomial", "--missing", "drop", "-o", "m.recta"
        ).returncode
        == 0
    )
    assert run("predict", "m.recta", "new.csv").stdout.splitlines() == ["prediction", "n", "", "p"]
    assert json.loads(run("predict", "m.recta", "new.csv", "--json").stdout)["predictions"] == {"y": ["n", None, "p"]}
