"""Numbers as people write them: thousands separators, decimal commas, money, percentages and dates."""

import json

import pytest

INCOMES = [4069, 616, 2318, 4280, 671, 1205, 9999, 87, 3500, 1001]


def table(incomes, separator="\t"):
    rows = [f"{income}{separator}{2 * value}" for income, value in zip(incomes, INCOMES)]
    return "\n".join([f"income{separator}y", *rows]) + "\n"


@pytest.fixture
def grouped(tmp_path):
    (tmp_path / "t.tsv").write_text(table([f"{value:,}" for value in INCOMES]))


def slope(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["coefficients"]["y"][0]["value"]


@pytest.mark.parametrize("flags", [[], ["--stream"]], ids=str)
def test_commas_before_three_digits_are_refused_with_both_cures(run, grouped, flags):
    done = run("fit", "linear", "t.tsv", "--target", "y", *flags)
    assert done.returncode == 3 and done.stdout == ""
    for word in ("t.tsv:2:1, column income", '"4,069"', "--thousands ','", "4069", "--decimal ','", "4.069"):
        assert word in done.stderr
    assert slope(run("fit", "linear", "t.tsv", "--target", "y", "--json", "--thousands", ",", *flags)) == pytest.approx(
        2
    )
    assert slope(run("fit", "linear", "t.tsv", "--target", "y", "--json", "--decimal", ",", *flags)) < 0


def test_standard_input_is_refused_too(run, grouped, tmp_path):
    done = run("fit", "linear", "-", "--target", "y", stdin=(tmp_path / "t.tsv").read_text())
    assert done.returncode == 3 and "--thousands ','" in done.stderr


def test_a_model_remembers_the_thousands_separator(run, grouped):
    assert run("fit", "linear", "t.tsv", "--target", "y", "--thousands", ",", "-o", "m.recta").returncode == 0
    for flags in ([], ["--stream"]):
        assert run("verify", "m.recta", "t.tsv", *flags).stdout.startswith("Proved: ")
    assert run("predict", "m.recta", "t.tsv").stdout == run("predict", "m.recta", "t.tsv", "--thousands", ",").stdout
    assert "--thousands" in run("inspect", "m.recta").stdout
    assert json.loads(run("inspect", "m.recta", "--json").stdout)["reading"]["thousands"] == ","


def test_numbers_in_millions_need_no_flag(run, tmp_path):
    (tmp_path / "t.tsv").write_text("income\ty\n1,234,567\t2469134\n616\t1232\n4,069\t8138\n")
    done = run("fit", "linear", "t.tsv", "--target", "y", "--json")
    assert slope(done) == pytest.approx(2)
    assert 'look at column income: "1,234,567" is read as 1234567' in done.stderr


def test_a_quoted_number_of_a_csv_file_gets_the_right_cure(run, tmp_path):
    (tmp_path / "t.csv").write_text(table([f'"{value + 1000:,}"' for value in INCOMES], ","))
    done = run("fit", "linear", "t.csv", "--target", "y", "--types", "income=real")
    assert done.returncode == 3 and "--thousands ',' if it is 5069" in done.stderr
    assert slope(run("fit", "linear", "t.csv", "--target", "y", "--json", "--thousands", ",")) == pytest.approx(2)


COLUMNS = {
    "income": ('"{},200"', "--thousands ','"),
    "price": ("${}", "currency sign"),
    "share": ("{}%", "percent sign"),
    "day": ("2020-01-{:02}", "--ignore day"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_what_a_category_looks_like_is_said_once(run, tmp_path, name):
    form, cure = COLUMNS[name]
    rows = [f"{form.format(1 + i % 4)},{i % 5}" for i in range(40)]
    (tmp_path / "t.csv").write_text("\n".join([f"{name},y", *rows]) + "\n")
    for command in (["fit", "linear"], ["check"]):
        done = run(*command, "t.csv", "--target", "y", "-v")
        assert done.returncode == 0, done.stderr
        everything = done.stdout + done.stderr
        assert everything.count(f"look at column {name}: values such as") == 1 and cure in everything
        assert form.format(1).strip('"') in everything
    assert "look at" in json.loads(run("check", "t.csv", "--target", "y", "--json").stdout)["advice"][0]
    for flags in (["--types", f"{name}=category"], ["--ignore", name]):
        done = run("fit", "linear", "t.csv", "--target", "y", *flags)
        assert done.returncode == 0 and "look at" not in done.stderr


def test_a_streamed_file_says_it_too(run, tmp_path):
    (tmp_path / "t.csv").write_text("v,y\n" + "".join(f"${i % 3},{i % 5}\n" for i in range(30)))
    assert "look at column v" in run("fit", "linear", "t.csv", "--target", "y", "--stream").stderr
