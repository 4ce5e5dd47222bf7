"""Help, mistakes on the command line, and what goes where."""

import json

import pytest

COMMANDS = [
    "fit",
    "predict",
    "eval",
    "verify",
    "inspect",
    "check",
    "diagnose",
    "compare",
    "plot",
    "convert",
    "data",
    "doctor",
    "completion",
    "version",
]


def test_without_arguments_it_shows_examples_first(run):
    done = run()
    assert done.returncode == 0
    assert done.stdout.index("recta fit linear housing") < done.stdout.index("Commands")
    assert run("help").stdout == run("--help").stdout == done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_that_leads_with_examples(run, command):
    done = run(command, "--help")
    assert done.returncode == 0
    assert done.stdout.index(f"recta {command}") < done.stdout.index("Usage:")
    assert done.stdout == run("help", command).stdout
    assert done.stderr == ""


def test_help_of_a_model_lists_its_parameters(run):
    text = run("fit", "ridge", "--help").stdout
    assert "--lambda" in text and "Minimises" in text
    assert text == run("help", "fit", "ridge").stdout
    assert "--lambda" not in run("fit", "linear", "--help").stdout


@pytest.mark.parametrize(
    "arguments, advice",
    [
        (["fti", "linear", "housing"], "did you mean fit?"),
        (["fit", "rigde", "housing"], "did you mean ridge?"),
        (["fit", "ridge", "housing", "--lamda", "1"], "did you mean --lambda?"),
        (["fit", "ridge", "housing", "--lamda=1"], "did you mean --lambda?"),
        (["fit", "linear", "housing", "--missing", "men"], "did you mean mean?"),
        (["data", "irs"], "did you mean iris?"),
        (["completion", "bsh"], "did you mean bash?"),
        (["forecast", "lasso", "housing"], "recta help lists the commands"),
        (["fit", "nb", "iris"], "did you mean naive-bayes?"),
        (["fit", "svm", "iris", "--kernel", "gaussian"], "did you mean rbf?"),
        (["kernel", "iris", "--ignore", "species", "--kernel", "poly"], 'did you mean "polynomial"?'),
        (["cv", "knn", "iris", "--score", "roc_auc"], "did you mean roc_area?"),
        (
            ["fit", "naive-bayes", "iris", "--text", "species", "--stop-words", "german"],
            "name english, spanish or russian, or give a file",
        ),
        (["curve", "linear", "housing", "--bias-variance", "--score", "mae"], "leave it out"),
        (["curve", "linear", "housing", "--bias-variance", "--shares", "0.5"], "leave it out"),
    ],
)
def test_a_near_miss_gets_a_hint(run, arguments, advice):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert advice in done.stderr


@pytest.mark.parametrize(
    "arguments, what",
    [
        (["fit"], "MODEL is missing"),
        (["fit", "linear"], "DATA is missing"),
        (["fit", "linear", "housing", "extra"], 'unexpected argument "extra"'),
        (["fit", "ridge", "housing", "--lambda"], "it needs a value"),
        (["fit", "ridge", "housing", "--lambda", "strong"], '"strong" is not a number'),
        (["fit", "ridge", "housing", "--lambda", "-1"], "outside its range"),
        (["fit", "ridge", "housing", "--lambda", "nan"], "not a number"),
        (["fit", "linear", "housing", "--lambda", "1"], "linear has no such parameter"),
        (["fit", "linear", "housing", "--threads", "1.5"], "not a whole number"),
        (["fit", "linear", "housing", "--confidence", "2"], "outside its range"),
        (["fit", "linear", "housing", "--max-memory", "much"], "not a size"),
        (["fit", "linear", "housing", "--separator", "ab"], "not one character"),
        (["fit", "linear", "housing", "--types", "rm=number"], "type"),
        (["fit", "linear", "housing", "--header", "--no-header"], "exclude each other"),
        (["fit", "linear", "-", "--holdout", "0.5"], "cannot be set aside"),
    ],
)
def test_a_mistake_is_named_and_exits_with_2(run, arguments, what):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert what in done.stderr
    assert done.stderr.startswith("recta: ")


BINARY = [
    (b"\x89PNG\r\n\x1a\n", "is a PNG picture"),
    (b"\xff\xd8\xff\xe0", "is a JPEG picture"),
    (b"%PDF-1.7\n", "is a PDF document"),
    (b"PK\x03\x04\x14\x00", "is a ZIP archive, as spreadsheets are"),
    (b"PAR1\x15\x04", "is a Parquet file"),
]


@pytest.mark.parametrize(
    "name, beginning, what",
    [("t.csv", *case) for case in BINARY] + [("t", *case) for case in BINARY if b"PK" not in case[0]],
)  # which without a name may be arrays
def test_a_file_that_is_no_table_is_called_what_it_is(run, tmp_path, name, beginning, what):
    (tmp_path / name).write_bytes(beginning + bytes(range(256)) * 4)
    done = run("fit", "linear", name, "--target", "y")
    assert done.returncode == 3 and what in done.stderr and "iconv" not in done.stderr
    assert run("fit", "linear", name, "--target", "y", "--stream").stderr == done.stderr


def test_a_model_in_the_place_of_data_is_called_so(run):
    assert run("fit", "linear", "housing", "-o", "m.recta").returncode == 0
    done = run("predict", "m.recta", "m.recta")
    assert done.returncode == 3 and "is a model file, not a table" in done.stderr


def test_under_json_an_error_is_a_document_too(run):
    done = run("fit", "linear", "nosuch.csv", "--json")
    error = json.loads(done.stdout)
    assert error["schema"] == "recta/error/1"
    assert error["exit"] == done.returncode != 0
    assert "nosuch.csv" in error["where"] + error["what"]
    assert "nosuch.csv" in done.stderr


def test_help_of_help_is_help(run):
    assert run("help", "--help").stdout == run("help", "-h").stdout == run("help").stdout != ""
    document = json.loads(run("help", "--json").stdout)
    assert document["schema"] == "recta/help/1" and [c["name"] for c in document["commands"]][:2] == ["fit", "trace"]
    (fit,) = json.loads(run("help", "fit", "--json").stdout)["commands"]
    assert {"--target", "--json"} <= {flag["name"] for flag in fit["flags"]}


def test_every_command_takes_json(run):
    for command in COMMANDS:
        (described,) = json.loads(run(command, "--help", "--json").stdout)["commands"]
        assert "--json" in [flag["name"] for flag in described["flags"]], command
    document = json.loads(run("completion", "bash", "--json").stdout)
    assert document["schema"] == "recta/completion/1" and document["script"] == run("completion", "bash").stdout


def test_names_in_lists_stand_apart_from_what_they_are(run):
    shown = run("help", "fit").stdout.split("\nModels\n")[1].split("\n  recta fit MODEL --help")[0].splitlines()
    words = [line.split()[0] for line in shown]
    assert {"linear", "perceptron", "multi-task-elastic-net", "epsilon-insensitive"} <= set(words)
    for line, word in zip(shown, words):
        page = run("fit", word, "--help").stdout  # every name is that of a model, whose page has the same text
        assert page.startswith(f"recta fit {word}: ") and line.startswith(f"  {word}  ")
        assert page.splitlines()[0] == f"recta fit {word}: {line[2 + len(word) :].strip()}"
    assert len({len(line) - len(line[2:].split(None, 1)[1]) for line in shown}) == 1  # in one column
    for line in run("help").stdout.split("\nCommands\n")[1].split("\n\n")[0].splitlines():
        assert line[2:].split()[0] == line[2:14].strip()


def test_version(run):
    assert run("version").stdout.startswith("recta ")
    assert run("--version").stdout == run("version").stdout
    assert json.loads(run("version", "--json").stdout)["schema"] == "recta/version/1"


def test_a_closed_pipe_is_no_error(recta, tmp_path):
    import subprocess

    line = f"set -o pipefail; '{recta}' data digits | head -n 1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stderr == ""


def test_a_full_disk_behind_standard_output_is_an_error(recta):
    import subprocess

    with open("/dev/full", "w") as full:
        done = subprocess.run([recta, "data", "digits"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1
    assert "No space left" in done.stderr
