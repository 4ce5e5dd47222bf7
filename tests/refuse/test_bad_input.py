"""Bad input gets a clear error and nothing is lost: the list, line by line."""

import gzip
import resource

import pytest


@pytest.fixture
def refused(run, tmp_path):
    """Fits `text` and expects a refusal with that exit status that says all of `words`."""

    def call(text, *words, code=3, flags=("--target", "y")):
        (tmp_path / "t.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
        done = run("fit", "linear", "t.csv", "-o", "m.recta", *flags)
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert done.stdout == ""
        assert done.stderr.startswith("recta: ")
        for word in words:
            assert word in done.stderr, done.stderr
        assert not (tmp_path / "m.recta").exists()

    return call


@pytest.fixture
def accepted(run, tmp_path):
    def call(text, *flags):
        (tmp_path / "t.csv").write_text(text)
        done = run("fit", "linear", "t.csv", "--target", "y", *flags)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def test_no_file(run):
    done = run("fit", "linear", "nosuch.csv", "--target", "y")
    assert done.returncode in (1, 3) and done.stdout == ""
    assert "nosuch.csv" in done.stderr


def test_a_name_near_a_built_in_set(run):
    done = run("fit", "linear", "housng")
    assert done.returncode in (1, 2, 3)
    assert "housing" in done.stderr


def test_a_folder_is_not_a_file(run, tmp_path):
    (tmp_path / "folder.csv").mkdir()
    done = run("fit", "linear", "folder.csv", "--target", "y")
    assert done.returncode in (1, 3) and "folder.csv" in done.stderr


def test_an_empty_file(refused):
    refused("", "t.csv", "empty")


def test_a_header_only(refused):
    refused("a,y\n", "t.csv", "row")


def test_one_row(accepted, refused):
    """One row has an answer, the least one of many, and the certificate says so."""
    assert "(intercept)" in accepted("a,y\n1,2\n")


@pytest.mark.parametrize("row", ["1,2,3", "1"])
def test_ragged_rows(refused, row):
    refused(f"a,y\n1,2\n{row}\n3,4\n", "t.csv:3")


def test_nul_bytes(refused):
    refused(b"a,y\n1,2\n\x003,4\n5,6\n", "t.csv:3", "\\x00")


def test_invalid_utf8(refused):
    refused(b"a,c,y\n1,x,2\n2,\xff\xfe,3\n3,z,4\n", "t.csv:3", "UTF-8")


def test_a_very_long_line(run, tmp_path):
    """Four megabytes in one field and in one line of many fields: an answer or a refusal, never a crash."""
    (tmp_path / "t.csv").write_text("a,y\n1,2\n" + "9" * (4 << 20) + ",3\n4,5\n")
    done = run("fit", "linear", "t.csv", "--target", "y")
    assert done.returncode == 3 and "t.csv:3" in done.stderr
    (tmp_path / "t.csv").write_text("a,y\n" + "1," * (1 << 21) + "2\n")
    done = run("fit", "linear", "t.csv", "--target", "y")
    assert done.returncode == 3


@pytest.mark.parametrize("text", ["1e999", "-1e999", "inf", "-inf"])
def test_numbers_that_are_not_finite(refused, text):
    refused(f"a,y\n1,2\n{text},3\n4,5\n", "t.csv:3", text, "a")


@pytest.mark.parametrize("text", ["nan", "NA", ""])
def test_missing_values(refused, accepted, text):
    table = f"a,b,y\n1,1,2\n{text},2,3\n4,4,5\n6,1,7\n"
    refused(table, "a", "--missing")
    for policy in ["drop", "mean", "indicator"]:
        accepted(table, "--missing", policy)


def test_a_decimal_comma(refused, accepted):
    refused('a,y\n1,2\n"1,5",3\n4,5\n', "t.csv:3", "1,5", "decimal")
    assert "2.2" in accepted("a;y\n1,5;3,3\n2;4,4\n3;6,6\n", "--no-intercept")


def test_text_in_a_numeric_column(refused):
    refused("a,y\n" + "".join(f"{i},{i}\n" for i in range(200)) + "much,3\n", "t.csv:202", "much", "a")


def test_a_target_that_does_not_exist(refused):
    refused("size,price\n1,2\n2,3\n", "prise", "price", flags=("--target", "prise"))


def test_no_target_lists_the_columns(run, tmp_path):
    (tmp_path / "t.csv").write_text("size,price\n1,2\n2,3\n")
    done = run("fit", "linear", "t.csv")
    assert done.returncode in (2, 3)
    assert "size" in done.stderr and "price" in done.stderr and "--target" in done.stderr


def test_a_constant_target(accepted):
    """Has an exact answer: the constant."""
    assert "(intercept)" in accepted("a,y\n1,5\n2,5\n4,5\n")


def test_more_columns_than_rows(accepted):
    """Has an answer, and the certificate says over which columns."""
    assert "1 independent column of 4" in accepted("a,b,c,d,y\n1,2,3,5,1\n2,1,5,4,2\n").splitlines()[-1]


def test_weights_that_are_all_zero(refused):
    refused("a,w,y\n1,0,2\n2,0,3\n", "w", "zero", flags=("--target", "y", "--weights", "w"))


def test_negative_weights(refused):
    refused("a,w,y\n1,1,2\n2,-1,3\n", "w", "-1", flags=("--target", "y", "--weights", "w"))


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))


def test_a_full_disk_leaves_the_old_model(run, tmp_path):
    assert run("fit", "linear", "housing", "-o", "m.recta").returncode == 0
    old = (tmp_path / "m.recta").read_bytes()
    done = run("fit", "ridge", "housing", "--lambda", "1", "-o", "m.recta", preexec_fn=limit_file_size)
    assert done.returncode == 1
    assert "m.recta" in done.stderr
    assert (tmp_path / "m.recta").read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["m.recta"]


def test_a_full_disk_leaves_the_old_predictions(run, tmp_path):
    assert run("fit", "linear", "housing", "-o", "m.recta").returncode == 0
    (tmp_path / "out.csv").write_text("old")
    done = run("predict", "m.recta", "housing", "-o", "out.csv", preexec_fn=limit_file_size)
    assert done.returncode == 1
    assert (tmp_path / "out.csv").read_text() == "old"
    assert {p.name for p in tmp_path.iterdir()} == {"m.recta", "out.csv"}


def test_a_place_that_cannot_be_written(run, tmp_path):
    """A file in place of a folder refuses everybody, the administrator too."""
    (tmp_path / "file").write_text("")
    done = run("fit", "linear", "housing", "-o", "file/m.recta")
    assert done.returncode == 1 and "file/m.recta" in done.stderr
    done = run("data", "iris", "-o", "file/iris.csv")
    assert done.returncode == 1 and "file/iris.csv" in done.stderr
    done = run("convert", "iris", "file/iris.csv")
    assert done.returncode == 1 and "file/iris.csv" in done.stderr


@pytest.mark.parametrize("damage", ["truncated", "flipped", "other", "empty"])
def test_a_damaged_model_file(run, tmp_path, damage):
    assert run("fit", "linear", "housing", "-o", "m.recta").returncode == 0
    good = (tmp_path / "m.recta").read_bytes()
    middle = len(good) // 2
    bad = {
        "truncated": good[:middle],
        "flipped": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :],
        "other": b"a,b\n1,2\n",
        "empty": b"",
    }[damage]
    (tmp_path / "m.recta").write_bytes(bad)
    for command in [["predict", "m.recta", "housing"], ["inspect", "m.recta"], ["verify", "m.recta", "housing"]]:
        done = run(*command)
        assert done.returncode == 5, done.stderr
        assert "m.recta" in done.stderr and done.stdout == ""


def test_sparse_rows_for_a_model_may_have_any_index(run, tmp_path):
    (tmp_path / "t.libsvm").write_text("1 1:1 300000:2\n2 1:3\n-1 2:1\n")
    assert run("fit", "ridge", "t.libsvm", "--max-memory", "1G", "-o", "m.recta").returncode == 0
    (tmp_path / "new.libsvm").write_text("1 1:1 300000:2 9999999999:7\n")
    plain = run("predict", "m.recta", "t.libsvm").stdout.splitlines()
    for flags in ([], ["--stream"], ["--json"]):
        assert run("predict", "m.recta", "new.libsvm", *flags).returncode == 0
    assert run("predict", "m.recta", "new.libsvm").stdout.splitlines() == plain[:2]
    assert run("eval", "m.recta", "new.libsvm").returncode == 0
    assert run("verify", "m.recta", "t.libsvm").returncode == 0
    done = run("predict", "m.recta", "new.libsvm", "--max-columns", "1000")
    assert done.returncode == 3 and "--max-columns" in done.stderr


def test_limits_against_hostile_files(run, tmp_path):
    (tmp_path / "wide.csv").write_text(",".join(f"c{j}" for j in range(500)) + "\n" + ",".join(["1"] * 500) + "\n")
    done = run("check", "wide.csv", "--max-columns", "100")
    assert done.returncode == 3 and "--max-columns" in done.stderr
    (tmp_path / "long.csv").write_text("a,y\n" + "1,2\n" * 100000)
    done = run("check", "long.csv", "--max-memory", "100K")
    assert done.returncode == 3 and "--max-memory" in done.stderr
    (tmp_path / "hi.libsvm").write_text("1 5:1 9999999:2\n2 1:3\n-1 7:1\n")
    for command in (["check"], ["fit", "linear"], ["fit", "linear", "--stream"], ["path", "lasso"]):
        for limit in ([], ["--max-memory", "100M"]):
            done = run(*command[:2], "hi.libsvm", *command[2:], *limit)
            assert done.returncode == 3 and "makes 9999999 columns" in done.stderr and "--max-memory" in done.stderr
    with gzip.open(tmp_path / "long.csv.gz", "wt") as f:
        f.write("a,y\n" + "1,2\n" * 1000000)
    done = run("check", "long.csv.gz", "--max-expansion", "10")
    assert done.returncode == 3 and "--max-expansion" in done.stderr


def test_new_columns_and_categories_at_prediction(run, tmp_path):
    (tmp_path / "t.csv").write_text("colour,a,y\nred,1,2\nblue,2,3\nred,3,5\nblue,5,5\n")
    for policy in [[], ["--unseen", "zeros"]]:
        assert run("fit", "linear", "t.csv", "--target", "y", "-o", "m.recta", *policy).returncode == 0
        (tmp_path / "new.csv").write_text("colour,a\nred,1\ngreen,2\n")
        done = run("predict", "m.recta", "new.csv")
        if policy:
            assert done.returncode == 0 and len(done.stdout.splitlines()) == 3
        else:
            assert done.returncode == 3 and "green" in done.stderr and "colour" in done.stderr and done.stdout == ""
    (tmp_path / "new.csv").write_text("a\n1\n")
    done = run("predict", "m.recta", "new.csv")
    assert done.returncode == 3 and "colour" in done.stderr


def test_the_output_is_never_what_is_read(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,2\n2,3\n4,4\n")
    done = run("fit", "linear", "t.csv", "--target", "y", "-o", "./t.csv")
    assert done.returncode == 2 and "t.csv" in done.stderr
    assert run("fit", "linear", "t.csv", "--target", "y", "-o", "m.recta").returncode == 0
    assert run("fit", "linear", "t.csv", "--target", "y", "-o", "m.recta").returncode == 0  # an older model may go
    for output in ["t.csv", "m.recta"]:
        assert run("predict", "m.recta", "t.csv", "-o", output).returncode == 2
    assert (tmp_path / "t.csv").read_text().startswith("a,y")
