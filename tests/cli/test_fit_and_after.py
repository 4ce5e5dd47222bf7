"""From data to a proven model and on: fit, predict, eval, verify, inspect, check, convert, data, doctor."""

import csv
import gzip
import io
import json
import math
import subprocess

import pytest


@pytest.fixture
def train(tmp_path):
    """y = 2 a - b + 3 and a little more, with a name for each row and a category."""
    path = tmp_path / "train.csv"
    lines = ["name,a,b,colour,y"]
    for i in range(40):
        a, b = math.sin(i), math.cos(1.7 * i)
        lines.append(f"r{i},{a!r},{b!r},{['red', 'green', 'blue'][i % 3]},{2 * a - b + 3 + 0.01 * (i % 5)!r}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def model(run, train, tmp_path):
    done = run("fit", "linear", train, "--target", "y", "--id", "name", "-o", "m.recta", "-q")
    assert done.returncode == 0, done.stderr
    return tmp_path / "m.recta"


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def test_fit_prints_a_table_and_ends_with_the_certificate(run):
    done = run("fit", "linear", "housing", "--target", "price")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    document = json.loads(run("fit", "linear", "housing", "--json").stdout)
    assert done.stdout.rstrip("\n").split("\n")[-1] == document["certificate"]["sentence"]
    assert done.stdout.count("\n(intercept)") == 1
    for word in ["coefficient", "std. error", "r2", "objective", "condition number"]:
        assert word in done.stdout


def test_fit_as_json_has_the_promised_keys(run):
    document = json.loads(run("fit", "ridge", "housing", "--lambda", "0.1", "--json").stdout)
    assert document["schema"] == "recta/fit/2"
    promised = {"model", "objective", "certificate", "coefficients", "intercept", "metrics", "seconds"}
    assert promised <= document.keys()
    assert document["model"] == "ridge" and document["params"]["lambda"] == 0.1
    assert document["certificate"]["verdict"] == "proved"
    assert len(document["coefficients"]["price"]) == 13
    assert document["metrics"]["price"]["r2"] == pytest.approx(0.7245, abs=1e-4)
    assert document["file"] is None


def test_numbers_in_json_read_back_as_the_saved_ones(run, tmp_path):
    from safetensors import safe_open

    document = json.loads(run("fit", "linear", "housing", "-o", "m.recta", "--json").stdout)
    with safe_open(tmp_path / "m.recta", "numpy") as f:
        saved = f.get_tensor("coefficients")[:, 0]
    assert [c["value"] for c in document["coefficients"]["price"]] == list(saved)


def test_predict_gives_one_row_a_row_in_order(run, train, model):
    done = run("predict", model, train)
    assert done.returncode == 0, done.stderr
    predicted = rows_of(done.stdout)
    assert predicted[0] == ["prediction"] and len(predicted) == 41
    actual = [float(r["y"]) for r in csv.DictReader(train.read_text().splitlines())]
    assert max(abs(float(p[0]) - y) for p, y in zip(predicted[1:], actual)) < 0.1


def test_predict_does_not_care_for_the_order_of_columns(run, train, model, tmp_path):
    with open(train, newline="") as f, open(tmp_path / "other.csv", "w", newline="") as g:
        writer = csv.DictWriter(g, ["colour", "b", "a"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(csv.DictReader(f))
    assert run("predict", model, "other.csv").stdout == run("predict", model, train).stdout


def test_predict_repeats_the_names_of_the_rows_and_writes_a_file(run, train, model, tmp_path):
    done = run("predict", model, train, "--id", "name", "-o", "out.csv")
    assert done.returncode == 0 and done.stdout == ""
    rows = rows_of((tmp_path / "out.csv").read_text())
    assert rows[0] == ["name", "prediction"] and rows[1][0] == "r0" and rows[40][0] == "r39"
    document = json.loads(run("predict", model, train, "--json").stdout)
    assert document["schema"] == "recta/predict/1"
    assert document["predictions"]["y"] == [float(r[1]) for r in rows[1:]]


def test_a_stream_predicts_the_same(run, train, model):
    whole = run("predict", model, train).stdout
    assert run("predict", model, train, "--stream").stdout == whole
    assert run("predict", model, "-", stdin=train.read_text()).stdout == whole
    assert run("predict", model, "-", "--stream", stdin=train.read_text()).stdout == whole


def test_several_targets_give_several_columns(run, train):
    assert run("fit", "linear", train, "--target", "y,a", "--ignore", "name,colour", "-o", "m.recta").returncode == 0
    rows = rows_of(run("predict", "m.recta", train).stdout)
    assert rows[0] == ["y", "a"] and len(rows) == 41 and all(len(r) == 2 for r in rows)


def test_a_row_that_drop_leaves_out_is_an_empty_cell(run, train, tmp_path):
    assert (
        run(
            "fit", "linear", train, "--target", "y", "--ignore", "name,colour", "--missing", "drop", "-o", "m.recta"
        ).returncode
        == 0
    )
    (tmp_path / "new.csv").write_text("a,b\n1,2\n,3\n4,5\n")
    lines = run("predict", "m.recta", "new.csv").stdout.splitlines()
    assert len(lines) == 4 and lines[2] in ("", '""') and lines[1] and lines[3]


def test_eval_scores(run, train, model):
    document = json.loads(run("eval", model, train, "--json").stdout)
    assert document["schema"] == "recta/eval/2" and document["rows"] == 40
    assert document["metrics"]["y"]["r2"] > 0.99
    assert "r2" in run("eval", model, train).stdout


def test_holdout_is_the_same_at_every_run_and_verify_and_eval_find_it_again(run):
    split = ["--holdout", "0.2", "--seed", "1"]
    first = run("fit", "linear", "housing", *split, "-o", "m.recta", "--json")
    document = json.loads(first.stdout)
    assert document["holdout"]["rows"] == 101 and document["design"]["rows"] == 405
    again = json.loads(run("fit", "linear", "housing", *split, "--json").stdout)
    assert again["coefficients"] == document["coefficients"]
    assert run("verify", "m.recta", "housing", *split).returncode == 0
    assert run("verify", "m.recta", "housing").returncode == 0
    assert run("verify", "m.recta", "housing", "--holdout", "0").returncode == 3
    assert run("diagnose", "m.recta", "housing").returncode == 0
    scores = json.loads(run("eval", "m.recta", "housing", *split, "--json").stdout)
    assert scores["metrics"] == document["holdout"]["metrics"]


def test_the_model_file_knows_which_rows_were_held_out(run, tmp_path):
    assert run("data", "housing", "-o", "train.csv").returncode == 0
    fit = ["fit", "linear", "train.csv", "--target", "price"]
    assert run(*fit, "--holdout", ".2", "--seed", "3", "-o", "ho.recta").returncode == 0
    assert run("verify", "ho.recta", "train.csv").returncode == 0
    assert run("verify", "ho.recta", "train.csv", "--holdout", "0.2").returncode == 0
    done = run("verify", "ho.recta", "train.csv", "--stream")
    assert done.returncode == 3 and "--holdout 0.2 --seed 3" in done.stderr and "leave out --stream" in done.stderr
    assert "held out: --holdout 0.2 --seed 3" in run("inspect", "ho.recta").stdout
    fingerprint = json.loads(run("inspect", "ho.recta", "--json").stdout)["fingerprint"]
    assert (fingerprint["rows"], fingerprint["holdout"], fingerprint["seed"]) == (405, 0.2, 3)
    assert run("eval", "ho.recta", "train.csv").returncode == 0
    assert run(*fit, "-o", "all.recta").returncode == 0
    assert b"holdout" not in (tmp_path / "all.recta").read_bytes()


def test_eval_scores_the_rows_that_the_fit_set_aside_and_no_others(run, tmp_path):
    fit = ["fit", "linear", "housing", "--holdout", "0.2", "--seed", "3", "-o", "m.recta", "--json"]
    expected = json.loads(run(*fit).stdout)["holdout"]
    scores = json.loads(run("eval", "m.recta", "housing", "--holdout", "0.2", "--json").stdout)
    assert (scores["rows"], scores["metrics"]) == (expected["rows"], expected["metrics"])
    for flags in (["--holdout", "0.2", "--seed", "0"], ["--holdout", "0.3"], ["--holdout", "0.3", "--seed", "3"]):
        done = run("eval", "m.recta", "housing", *flags)
        assert done.returncode == 2 and done.stdout == ""
        assert "rows that the model was trained on" in done.stderr and "--holdout 0.2 --seed 3" in done.stderr
    assert json.loads(run("eval", "m.recta", "housing", "--holdout", "0", "--json").stdout)["rows"] == 506
    # The same rows in another order: other rows would be set aside.
    lines = run("data", "housing").stdout.splitlines(keepends=True)
    (tmp_path / "turned.csv").write_text("".join(lines[:1] + lines[:0:-1]))
    done = run("eval", "m.recta", "turned.csv", "--holdout", "0.2")
    assert done.returncode == 3 and "not those the model was trained on" in done.stderr


def test_eval_sets_no_rows_aside_that_the_fit_did_not(run):
    assert run("fit", "linear", "housing", "-o", "m.recta").returncode == 0
    done = run("eval", "m.recta", "housing", "--holdout", "0.2")
    assert done.returncode == 2 and done.stdout == ""
    assert "fitted without --holdout" in done.stderr and "fit with --holdout 0.2" in done.stderr


def test_the_training_rows_in_a_file_of_their_own_need_no_flag(run, tmp_path):
    """As many rows as were trained on are taken to be those."""
    lines = [f"{i},{i * i % 13}\n" for i in range(6)]
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(lines))
    assert run("fit", "linear", "t.csv", "--target", "y", "--holdout", "0.3", "-o", "m.recta").returncode == 0
    codes = []
    for drop in [(a, b) for a in range(6) for b in range(a)]:
        (tmp_path / "part.csv").write_text("x,y\n" + "".join(line for i, line in enumerate(lines) if i not in drop))
        codes.append(run("verify", "m.recta", "part.csv").returncode)
    assert codes.count(0) == 1 and set(codes) == {0, 3}


def test_verify_ends_with_0_for_the_training_data_and_3_for_others(run, train, model, tmp_path):
    done = run("verify", model, train)
    assert done.returncode == 0 and done.stdout.strip()
    document = json.loads(run("verify", model, train, "--json").stdout)
    assert document["schema"] == "recta/verify/1" and document["holds"] is True
    other = tmp_path / "other.csv"
    other.write_text(train.read_text().replace("r39", "r39").replace("red", "green", 1))
    done = run("verify", model, other)
    assert done.returncode == 3
    assert "training data" in done.stderr


def test_inspect_shows_what_the_file_holds(run, train, model):
    text = run("inspect", model).stdout
    for word in ["colour", "blue", "red", "reference", "singular", "sha-256"]:
        assert word in text
    document = json.loads(run("inspect", model, "--json").stdout)
    assert document["schema"] == "recta/inspect/2"
    assert [c["name"] for c in document["columns"]["columns"]] == ["a", "b", "colour"]
    assert text.rstrip("\n").split("\n")[-1] == document["certificate"]["sentence"]


def test_a_word_among_numbers_is_named_with_its_line_whatever_the_sample_looks_like(run, tmp_path):
    (tmp_path / "s.csv").write_text("size,y\n1,2\n2,4\n3,5\n")
    assert run("fit", "linear", "s.csv", "--target", "y", "-o", "s.recta").returncode == 0
    for flags in ([], ["--stream"]):
        done = run("predict", "s.recta", "-", *flags, stdin="size\n4\nx\n")
        assert done.returncode == 3
        assert done.stderr == (
            'recta: standard input:3:1, column size: "x" is not a number\n  the model was trained on numbers '
            "in size: correct it, or pass --missing-tokens if it stands for a missing value\n"
        )
    (tmp_path / "e.csv").write_text("size,y\n4,1\nz,2\n")
    for command in ("eval", "verify", "diagnose"):
        done = run(command, "s.recta", "e.csv")
        assert done.returncode == 3 and 'e.csv:3:1, column size: "z" is not a number' in done.stderr, command
    assert run("predict", "s.recta", "-", stdin="size,y\n4,unknown\n5,?\n").returncode == 0  # no target is needed


def test_categories_that_look_like_numbers_need_no_flag_when_predicting(run, tmp_path):
    (tmp_path / "t.csv").write_text("zip,y\n" + "".join(f"0{i % 3}1,{i % 3 + 0.1 * i}\n" for i in range(12)))
    assert run("fit", "linear", "t.csv", "--target", "y", "--types", "zip=category", "-o", "m.recta").returncode == 0
    assert run("verify", "m.recta", "t.csv").returncode == 0
    assert run("predict", "m.recta", "-", stdin="zip\n011\n").returncode == 0


def test_a_missing_value_gets_advice_that_can_be_followed(run, tmp_path):
    (tmp_path / "s.csv").write_text("size,kind,y\n1,a,2\n2,b,4\n3,a,5\n4,b,7\n")
    assert run("fit", "linear", "s.csv", "--target", "y", "-o", "s.recta").returncode == 0
    for line in (",a,1", "5,,1"):
        (tmp_path / "new.csv").write_text(f"size,kind,y\n1,a,2\n{line}\n")
        done = run("eval", "s.recta", "new.csv")
        assert done.returncode == 3 and "row 2" in done.stderr
        assert "or fit with --missing drop" in done.stderr and "pass --missing" not in done.stderr
    (tmp_path / "gap.csv").write_text("size,y\n1,2\n2,\n")
    done = run("fit", "linear", "gap.csv", "--target", "y")
    assert done.returncode == 3 and "remove the row, or fit with --missing drop" in done.stderr


def test_the_reference_level_is_stated(run, tmp_path):
    (tmp_path / "r.csv").write_text("h,y\ngas,1\noil,2\ngas,3\nwood,4\noil,1\n")
    fit = ["fit", "linear", "r.csv", "--target", "y"]
    assert "\nreference  h=gas\n" in run(*fit).stdout
    assert json.loads(run(*fit, "--json").stdout)["references"] == {"h": "gas"}
    ridge = ["fit", "ridge", "r.csv", "--target", "y", "--lambda", "1"]
    assert "reference" not in run(*ridge).stdout and json.loads(run(*ridge, "--json").stdout)["references"] == {}


def test_strict_is_4_where_the_tolerance_was_not_reached(run):
    fit = ["fit", "linear", "housing", "--tolerance", "1e-40", "-o", "m.recta"]
    done = run(*fit, "--strict")
    assert done.returncode == 4 and "Within what rounding can cost" in done.stdout
    assert "m.recta.partial" in done.stderr
    assert run(*fit).returncode == 0
    assert run("verify", "m.recta", "housing", "--strict").returncode == 4
    assert run("verify", "m.recta", "housing").returncode == 0
    assert run("fit", "linear", "housing", "--strict").returncode == 0


def test_the_condition_number_says_what_it_is_of(run):
    assert run("fit", "ridge", "housing", "--lambda", ".1", "-o", "m.recta").returncode == 0
    for text in (run("inspect", "m.recta").stdout, run("check", "housing").stdout):
        assert "condition number 9.82 of the scaled columns" in text


def test_sparse_numbers_mean_what_they_meant_in_training(run, tmp_path):
    (tmp_path / "one.libsvm").write_text("1 1:1 2:2\n2 1:3 2:1\n3 2:5\n2 1:1\n")
    (tmp_path / "zero.libsvm").write_text("1 0:1 1:2\n2 0:3 1:1\n3 1:5\n2 0:1\n")
    (tmp_path / "new.libsvm").write_text("0 1:2\n0 1:4\n")
    for base in ("one", "zero"):
        assert run("fit", "linear", f"{base}.libsvm", "-o", f"{base}.recta").returncode == 0
    for flags in ([], ["--stream"], ["--index-base", "0"]):
        done = run("predict", "one.recta", "zero.libsvm", *flags)
        assert done.returncode == 3, flags
        assert "row 1: it has an index below 1, where the columns of training begin" in done.stderr
    done = run("predict", "zero.recta", "new.libsvm", "-v")
    assert done.returncode == 0 and "indices start at 0, as in training" in done.stderr


def test_check_names_what_is_wrong(run, tmp_path):
    lines = ["a,b,c,same,fixed,y"] + [f"{i},{i * i % 7},{2 * i + 3 * (i * i % 7)},{i},5,{i % 4}" for i in range(30)]
    lines[5] = lines[5].replace(",5,", ",,")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    done = run("check", "t.csv", "--target", "y")
    assert done.returncode == 0, done.stderr
    assert "same values as a" in done.stdout
    document = json.loads(run("check", "t.csv", "--target", "y", "--json").stdout)
    assert document["schema"] == "recta/check/1" and document["rows"] == 30
    assert {c["name"]: c["missing"] for c in document["columns"]}["fixed"] == 1
    assert document["dependencies"]


def test_convert_there_and_back(run, train, tmp_path):
    assert run("convert", "housing", "h.csv").returncode == 0
    assert run("convert", "h.csv", "h.libsvm", "--target", "price").returncode == 0
    direct = json.loads(run("fit", "linear", "h.csv", "--target", "price", "--json").stdout)
    sparse = json.loads(run("fit", "linear", "h.libsvm", "--json").stdout)
    values = [[c["value"] for c in d["coefficients"][d["targets"][0]]] for d in (direct, sparse)]
    assert values[0] == pytest.approx(values[1], rel=1e-9)
    assert run("convert", "h.csv", "-").stdout == (tmp_path / "h.csv").read_text()


def test_data_lists_and_prints_the_built_in_sets(run):
    sets = {s["name"]: s for s in json.loads(run("data", "--json").stdout)["sets"]}
    assert sets["housing"]["rows"] == 506 and sets["iris"]["target"] == "species"
    rows = rows_of(run("data", "iris").stdout)
    assert len(rows) == 151 and rows[0][-1] == "species"
    assert len(rows_of(run("data", "iris", "--head", "3").stdout)) == 4
    assert "housing" in run("data").stdout


def test_a_built_in_set_as_a_document(run):
    document = json.loads(run("data", "iris", "--head", "3", "--json").stdout)
    assert document["schema"] == "recta/table/1" and document["target"] == "species" and document["rows"] == 3
    columns = {column["name"]: column["values"] for column in document["columns"]}
    assert columns["species"] == ["Iris-setosa"] * 3 and columns["petal_length"] == [1.4, 1.4, 1.3]


def test_doctor_tries_the_whole_way(run):
    done = run("doctor", "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 0 and document["ok"] is True
    assert {f["what"]: f["state"] for f in document["findings"]}["trial fit"] == "ok"
    assert "trial fit" in run("doctor").stdout


def test_from_a_pipe_the_claim_says_how_it_was_proved(run, train):
    done = run("fit", "linear", "-", "--target", "y", "--ignore", "name,colour", "--json", stdin=train.read_text())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["certificate"]["from_merged_statistics"] is True


PIPED = {
    "categories": ("a,c,y\n1,x,2\n2,y,3\n3,x,5\n4,z,4\n5,y,6\n", ["--target", "y"]),
    "missing values": ("a,b,y\n1,,2\n2,3,3\n3,1,5\n4,2,4\n", ["--target", "y", "--missing", "indicator"]),
    "knots": ("a,y\n1,2\n2,3\n3,5\n4,4\n5,6\n6,6\n", ["--target", "y", "--basis", "spline(a, 3)"]),
    "sparse columns": ("1 1:1 3:2\n2 2:1\n0 1:2\n3 7:1\n", ["--format", "libsvm"]),
    "sparse columns, compressed": (gzip.compress(b"1 1:1 3:2\n2 2:1\n0 1:2\n3 7:1\n"), ["--format", "libsvm"]),
}


@pytest.mark.parametrize("word", ["linear", "ridge", "lasso"])
@pytest.mark.parametrize("what", PIPED)
def test_what_needs_a_pass_before_the_fit_is_held_in_memory_from_a_pipe(recta, run, tmp_path, word, what):
    text, flags = PIPED[what]
    text = text if isinstance(text, bytes) else text.encode()
    flags = [*flags, *([] if word == "linear" else ["--lambda", "0.1"])]
    (tmp_path / "t.dat").write_bytes(text)
    piped = subprocess.run(
        [recta, "fit", word, "-", *flags, "-o", "p.recta"], input=text, capture_output=True, cwd=tmp_path, timeout=120
    )
    assert piped.returncode == 0, piped.stderr
    assert piped.stderr.startswith(b"standard input was held in memory: ")
    assert run("fit", word, "t.dat", "--stream", *flags, "-o", "f.recta").returncode == 0
    assert (tmp_path / "p.recta").read_bytes() == (tmp_path / "f.recta").read_bytes()
    if word == "lasso" and what == "categories":
        assert run("path", word, "-", "--target", "y", stdin=text.decode()).returncode == 0


def test_rows_of_numbers_stream_past_below_any_limit_of_memory(run, train):
    lines = "a,y\n" + "".join(f"{i},{i % 7}\n" for i in range(300_000))
    done = run("fit", "linear", "-", "--target", "y", "--max-memory", "500K", stdin=lines)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    done = run("fit", "linear", "-", "--target", "y", "--missing", "mean", "--max-memory", "500K", stdin=lines)
    assert done.returncode == 3 and "raise --max-memory, or save it to a file first" in done.stderr


@pytest.mark.parametrize("word", ["linear", "ridge", "lasso"])
def test_a_constant_target_is_said_and_not_tested(run, tmp_path, word):
    (tmp_path / "t.csv").write_text("a,y,z\n1,2,0.1\n2,2,0.1\n3,2,0.1\n5,2,0.1\n")
    flags = [] if word == "linear" else ["--lambda", "1"]
    for more in ([], ["--errors", "hc3"]) if word == "linear" else ([],):
        done = run("fit", word, "t.csv", "--target", "y", "--ignore", "z", *flags, *more)
        assert "the target is constant: there is nothing to explain" in done.stdout.splitlines()[-1]
        assert "inf" not in done.stdout and "AIC" not in done.stdout
        assert run("fit", word, "t.csv", "--target", "z", "--ignore", "y", *flags).stdout.count("constant") == 1
    document = json.loads(run("fit", word, "t.csv", "--target", "y,z", *flags, "--json", "-o", "m.recta").stdout)
    said = document["certificate"]["conditions"]
    assert [s for s in said if "constant" in s] == [
        f"the target {name} is constant: there is nothing to explain, and nothing is tested" for name in "yz"
    ]
    assert document["metrics"]["y"]["aic"] is None and document["metrics"]["y"]["log_likelihood"] is None
    assert run("inspect", "m.recta").returncode == 0 and run("verify", "m.recta", "t.csv").returncode == 0
    (tmp_path / "zero.csv").write_text("a,y\n1,0\n2,0\n3,0\n")
    assert (
        "the target is zero in every row"
        in run("fit", word, "zero.csv", "--target", "y", "--no-intercept", *flags).stdout
    )


def test_an_offset_counts_the_same_in_fit_and_eval(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,o,y\n1,2,.5,3\n2,1,.1,5\n3,5,0,2\n4,4,1,7\n5,7,0,8\n6,1,0,2\n")
    for word in (["linear"], ["ridge", "--lambda", "0.1"], ["lasso", "--lambda", "0.1"], ["huber"]):
        done = run("fit", *word[:1], "t.csv", "--target", "y", "--offset", "o", *word[1:], "-o", "m.recta", "--json")
        fitted = json.loads(done.stdout)["metrics"]["y"]["r2"]
        scored = json.loads(run("eval", "m.recta", "t.csv", "--json").stdout)["metrics"]["y"]["r2"]
        assert scored == pytest.approx(fitted, rel=1e-12), word


def test_aliased_columns_are_listed_as_far_as_coefficients_are(run, tmp_path):
    names = [f"c{j}" for j in range(70)]
    rows = [f"{i},{i * i % 5}," + ",".join(["1"] * 70) for i in range(100)]
    (tmp_path / "t.csv").write_text("\n".join(["a,y," + ",".join(names), *rows]) + "\n")
    flags = ["t.csv", "--target", "y", "-q"]
    lines = [s for s in run("fit", "linear", *flags).stdout.splitlines() if s.startswith("aliased")]
    assert len(lines) == 21 and lines[-1] == "aliased    ... and 50 more; --all shows all"
    for whole in (["--top", "0"], ["--all"]):
        lines = [s for s in run("fit", "linear", *flags, *whole).stdout.splitlines() if s.startswith("aliased")]
        assert len(lines) == 70


def test_support_vectors_of_a_large_machine_are_counted_by_part_and_side(run):
    text = run("fit", "svm", "iris", "--kernel", "rbf", "--C", "0.1", "-q").stdout
    parts = json.loads(run("fit", "svm", "iris", "--kernel", "rbf", "--C", "0.1", "-q", "--json").stdout)["tables"][
        "support"
    ]["rows"]
    counted = text.split("support vectors\npart")[1].split("rows in all; --all lists them")[0].splitlines()
    assert counted[-1] == f"{len(parts)} " and sum(int(line.split()[-1]) for line in counted[1:-1]) == len(parts)
    assert "rows in all" not in run("fit", "svm", "iris", "--kernel", "rbf", "--C", "0.1", "-q", "--all").stdout


def test_with_fewer_rows_than_columns_the_aliased_ones_are_named(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,c,d,y\n1,2,0,4,1\n2,4,1,1,3\n3,6,5,2,2\n")
    by = {}
    for solver in ("auto", "qr"):
        fit = json.loads(run("fit", "linear", "t.csv", "--target", "y", "--solver", solver, "--json").stdout)
        by[fit["solver"]["name"]] = fit["design"]["aliased"]
    assert by.keys() == {"dual", "qr"}
    assert by["dual"]["b"] == {"a": pytest.approx(2)} and by["dual"].keys() == {"b", "d"}
    for name, factors in by["qr"].items():
        assert by["dual"][name] == pytest.approx(factors)


def test_a_long_combination_is_shortened_unless_all_is_asked_for(run, tmp_path):
    rows = [",".join(str((i * i * 7 + j * j * i * 13 + j) % 31) for j in range(25)) for i in range(20)]
    (tmp_path / "t.csv").write_text("\n".join([",".join(f"c{j}" for j in range(25)), *rows]) + "\n")
    done = run("fit", "linear", "t.csv", "--target", "c24", "-q").stdout
    line = next(s for s in done.splitlines() if s.startswith("aliased"))
    assert line.endswith("terms more") and len(line) < 200
    done = run("fit", "linear", "t.csv", "--target", "c24", "-q", "--top", "0").stdout
    assert "terms more" not in done and "aliased" in done


@pytest.mark.parametrize(
    "flags, text",
    [
        (["--missing-tokens", "none,-999", "--missing", "mean"], "a,b,y\n1,none,3\n2,5,6\n-999,1,2\n4,4,7\n5,2,1\n"),
        (["--separator", "|", "--decimal", ","], "a;1|b|y\n1,5|2|3\n2,5|5|6\n3|1|2\n4|4|7\n5|2|1\n"),
        (["--no-header", "--separator", "tab"], "1\t2\t3\n2\t5\t6\n3\t1\t2\n4\t4\t7\n5\t2\t1\n"),
    ],
    ids=str,
)
def test_a_model_remembers_how_its_file_was_said_to_be_written(run, tmp_path, flags, text):
    (tmp_path / "t.csv").write_text(text)
    target = "x3" if "--no-header" in flags else "y"
    for stream in ([], ["--stream"]):
        assert run("fit", "ridge", "t.csv", "--target", target, *flags, *stream, "-o", "m.recta").returncode == 0
        assert run("verify", "m.recta", "t.csv").stdout.startswith("Proved: ")
        assert run("verify", "m.recta", "t.csv", "--stream").stdout.startswith("Proved: ")
        with_flags = [f for f in flags if f not in ("--missing", "mean")]
        assert run("predict", "m.recta", "t.csv").stdout == run("predict", "m.recta", "t.csv", *with_flags).stdout
        assert json.loads(run("eval", "m.recta", "t.csv", "--json").stdout)["rows"] == 5
    inspected = run("inspect", "m.recta").stdout
    assert "read with  --" in inspected
    assert "reading" in json.loads(run("inspect", "m.recta", "--json").stdout)


def test_a_file_that_is_written_otherwise_is_still_read(run, tmp_path):
    (tmp_path / "t.csv").write_text("a;b;y\n1,5;2;3\n2,5;5;6\n3;1;2\n4;4;7\n")
    (tmp_path / "p.csv").write_text("a,b\n1.5,2\n2.5,5\n3,1\n4,4\n")
    flags = ["--separator", ";", "--decimal", ","]
    assert run("fit", "linear", "t.csv", "--target", "y", *flags, "-o", "m.recta").returncode == 0
    assert run("predict", "m.recta", "p.csv").stdout == run("predict", "m.recta", "t.csv").stdout
    assert (
        run("predict", "m.recta", "-", stdin=(tmp_path / "p.csv").read_text()).stdout
        == run("predict", "m.recta", "t.csv").stdout
    )


def test_a_sparse_column_is_ignored_by_its_number(run, tmp_path):
    (tmp_path / "t.libsvm").write_text("1 1:2 2:3 3:1\n2 1:1 3:4\n3 2:2 3:1\n4 1:1 2:1\n7 1:3 2:1 3:2\n")
    (tmp_path / "without.libsvm").write_text("1 1:2 3:1\n2 1:1 3:4\n3 3:1\n4 1:1\n7 1:3 3:2\n")
    for word in (["linear"], ["lasso", "--lambda", "0.1"]):
        done = run("fit", *word, "t.libsvm", "--ignore", "2", "-o", "m.recta")
        assert done.returncode == 0, done.stderr
        assert run("fit", *word, "t.libsvm", "--ignore", "2", "--stream", "-o", "s.recta").returncode == 0
        assert run("fit", *word, "without.libsvm", "-o", "w.recta").returncode == 0
        answers = [
            [float(v) for v in run("predict", m, "t.libsvm").stdout.splitlines()[1:]]
            for m in ("m.recta", "s.recta", "w.recta")
        ]
        assert answers[0] == pytest.approx(answers[2], rel=1e-12) and answers[1] == pytest.approx(answers[2], rel=1e-12)
        assert run("verify", "m.recta", "t.libsvm").stdout.startswith("Proved: ")
    assert "aliased    2 is ignored" in run("fit", "linear", "t.libsvm", "--ignore", "2").stdout
    assert run("convert", "t.libsvm", "c.libsvm", "--ignore", "2").returncode == 0
    assert (tmp_path / "c.libsvm").read_text().split() == (tmp_path / "without.libsvm").read_text().split()
    done = run("fit", "linear", "t.libsvm", "--weights", "2")
    assert done.returncode == 3 and "recta convert DATA data.csv" in done.stderr
    assert "the columns are label and 1 to 3" in run("fit", "linear", "t.libsvm", "--ignore", "9").stderr


@pytest.mark.parametrize("stream", [[], ["--stream"]], ids=str)
def test_a_column_of_words_that_is_empty_for_long_is_a_category(run, tmp_path, stream):
    rows = [f"{i % 7},,{i % 5}" for i in range(15000)] + [
        f"{i % 7},{'red' if i % 2 else 'blue'},{i % 5}" for i in range(1000)
    ]
    (tmp_path / "t.csv").write_text("a,c,y\n" + "\n".join(rows) + "\n")
    flags = ["--target", "y", "--missing", "drop", "--json"]
    fit = json.loads(run("fit", "linear", "t.csv", *flags, *stream).stdout)
    assert [c["feature"] for c in fit["coefficients"]["y"]] == ["a", "c=red"]
    piped = run("fit", "linear", "-", *flags[:-1], stdin=(tmp_path / "t.csv").read_text())
    assert piped.returncode == 3 and "standard input:15002:2, column c" in piped.stderr
    assert "--types c=category" in piped.stderr


def test_a_streamed_fit_agrees_with_one_in_memory(run, train):
    flags = ["--target", "y", "--ignore", "name", "--json"]
    whole = json.loads(run("fit", "linear", train, *flags).stdout)
    streamed = json.loads(run("fit", "linear", train, *flags, "--stream", "-o", "s.recta").stdout)
    assert streamed["certificate"]["verdict"] == "proved"
    a, b = ([c["value"] for c in d["coefficients"]["y"]] for d in (whole, streamed))
    assert a == pytest.approx(b, rel=1e-12)
    assert run("verify", "s.recta", train).returncode == 0
    assert run("verify", "s.recta", train, "--stream").returncode == 0


def test_digits_and_messages(run, train):
    flags = [train, "--target", "y", "--ignore", "name,colour"]
    full = run("fit", "linear", *flags, "--digits", "17").stdout
    exact = json.loads(run("fit", "linear", *flags, "--json").stdout)
    assert repr(exact["coefficients"]["y"][0]["value"]) in full
    assert "separator" in run("fit", "linear", *flags, "-v").stderr
    assert run("fit", "linear", *flags, "-o", "m.recta").stderr == "saved m.recta\n"
    assert run("fit", "linear", *flags, "-o", "m.recta", "-q").stderr == ""
    assert "\x1b" not in full


def test_a_time_limit_that_is_over_at_once_is_said_and_strict_makes_it_4(run, train):
    flags = ["fit", "linear", train, "--target", "y", "--ignore", "name", "--time-limit", "1e-9", "-o", "m.recta"]
    done = run(*flags)
    assert done.returncode == 1 and "--time-limit" in done.stderr
    assert run(*flags, "--strict").returncode == 4


def of_sizes(tmp_path, rows, cols, most):
    """Columns from 10^-most to 10^most in size."""
    lines = [",".join([f"x{j}" for j in range(cols)] + ["y"])]
    for i in range(rows):
        z = [math.sin(1 + 37.3 * i + 91.7 * j + 0.31 * i * j) for j in range(cols)]
        size = [10 ** (most - 2 * most * ((7 * j) % cols) / (cols - 1)) for j in range(cols)]
        lines.append(",".join([repr(a * s) for a, s in zip(z, size)] + [repr(sum(z[:3]) + math.cos(5.1 * i))]))
    path = tmp_path / "sizes.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("model", [["linear"], ["ridge", "--tau", "1"]])
def test_a_solver_that_the_check_refutes_gives_way_to_another(run, tmp_path, model):
    path = of_sizes(tmp_path, 30, 39, 12)
    by_choice = json.loads(run("fit", *model, path, "--target", "y", "--json").stdout)
    by_qr = json.loads(run("fit", *model, path, "--target", "y", "--solver", "qr", "--json").stdout)
    for document in (by_choice, by_qr):
        assert document["certificate"]["verdict"] == "proved"
    assert by_choice["certificate"]["objective"] == pytest.approx(
        by_qr["certificate"]["objective"], rel=1e-9, abs=1e-20
    )
    assert any("by dual was refuted; this one is by qr" in c for c in by_choice["certificate"]["conditions"])


def test_a_polynomial_of_high_degree_is_no_worse_than_one_of_lower_degree(run):
    """Each degree has all the columns of the one before. Degree 50 was worse than the mean of y, degree 40 than degree 10."""
    before = math.inf
    for degree in (10, 20, 30, 40, 50, 80):
        done = run("fit", "linear", "filip", "--poly", str(degree), "--json")
        certificate = json.loads(done.stdout)["certificate"]
        assert certificate["objective"] <= before * (1 + 1e-3)
        before = certificate["objective"]
    assert before < 3.3e-6 < certificate["null_objective"]
