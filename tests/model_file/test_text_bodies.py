"""Models by kernels of texts and graphs: fitted, predicted and verified from their files."""

import json

import pytest

NAMES = [
    ("Schmidt", "de"),
    ("Müller", "de"),
    ("Schneider", "de"),
    ("Fischer", "de"),
    ("Schröder", "de"),
    ("Schulz", "de"),
    ("Rossi", "it"),
    ("Bianchi", "it"),
    ("Ricci", "it"),
    ("Marino", "it"),
    ("Conti", "it"),
    ("Esposito", "it"),
    ("Иванов", "ru"),
    ("Смирнов", "ru"),
    ("Петров", "ru"),
    ("Попов", "ru"),
    ("Волков", "ru"),
    ("Соколов", "ru"),
]
GRAPHS = [
    ("a-b;b-c;c-a", "ring"),
    ("a-b;b-c;c-d;d-a", "ring"),
    ("p-q;q-r;r-s;s-t;t-p", "ring"),
    ("a-b;b-c", "path"),
    ("a-b;b-c;c-d", "path"),
    ("p-q;q-r;r-s;s-t", "path"),
]


@pytest.fixture
def names(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text(
        "name,origin,length\n" + "".join(f"{name},{origin},{len(name)}\n" for name, origin in NAMES), encoding="utf-8"
    )
    return path


@pytest.fixture
def graphs(tmp_path):
    path = tmp_path / "graphs.csv"
    path.write_text("graph,kind\n" + "".join(f"{graph},{kind}\n" for graph, kind in GRAPHS), encoding="utf-8")
    return path


STRINGS = [
    ("svm", ["--kernel", "string:subsequence", "--length", "2", "--decay", "0.6"]),
    ("svm", ["--kernel", "string:spectrum", "--length", "2"]),
    ("svm", ["--kernel", "string:blended", "--text-unit", "bytes", "--C", "10"]),
    ("kernel-perceptron", ["--kernel", "string:mismatch", "--length", "2", "--alphabet", "60"]),
    ("svm", ["--kernel", "string:subsequence", "--length", "1", "--unnormalised"]),
]


@pytest.mark.parametrize(
    "word, flags", STRINGS, ids=lambda value: "-".join(value) if isinstance(value, list) else value
)
def test_names_by_kernels_of_strings(run, names, tmp_path, word, flags):
    done = run(
        "fit",
        word,
        names,
        "--target",
        "origin",
        "--text",
        "name",
        "--ignore",
        "length",
        *flags,
        "-o",
        "m.recta",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    certificate = json.loads(done.stdout)["certificate"]
    assert certificate["verdict"] == "proved", certificate
    verified = run("verify", "m.recta", names)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    (tmp_path / "new.csv").write_text("name\nSchmitz\nRossini\nСмирновский\n\n", encoding="utf-8")
    said = run("predict", "m.recta", "new.csv")
    assert said.returncode == 0, said.stderr
    assert said.stdout.split()[1:4] == ["de", "it", "ru"]


def test_numbers_by_kernels_of_strings(run, names):
    done = run(
        "fit",
        "kernel-ridge",
        names,
        "--target",
        "length",
        "--text",
        "name",
        "--ignore",
        "origin",
        "--kernel",
        "string:subsequence",
        "--length",
        "1",
        "--lambda",
        "0.001",
        "--loo",
        "-o",
        "m.recta",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["certificate"]["verdict"] == "proved"
    assert run("verify", "m.recta", names).returncode == 0


@pytest.mark.parametrize(
    "kernel",
    [["graph:wl"], ["graph:shortest-path"], ["graph:random-walk", "--decay", "0.2"]],
    ids=lambda value: value[0],
)
def test_graphs(run, graphs, kernel):
    done = run(
        "fit",
        "svm",
        graphs,
        "--target",
        "kind",
        "--graph",
        "graph",
        "--kernel",
        *kernel,
        "--C",
        "1000",
        "-o",
        "m.recta",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["certificate"]["verdict"] == "proved"
    assert run("verify", "m.recta", graphs).returncode == 0


@pytest.mark.parametrize(
    "flags, said",
    [
        (["svm", "--text", "name", "--kernel", "string:subsequence"], "--ignore"),
        (["svm", "--kernel", "string:subsequence", "--ignore", "length"], "--text"),
        (["svm", "--text", "name", "--kernel", "string:edit", "--ignore", "length"], "string:"),
        (
            ["svm", "--text", "name", "--kernel", "string:mismatch", "--mismatches", "3", "--ignore", "length"],
            "mismatches",
        ),
        (
            ["svm", "--text", "name", "--kernel", "string:spectrum", "--decay", "0.3", "--ignore", "length"],
            "the kernel string:spectrum has none",
        ),
        (
            ["svm", "--text", "name", "--kernel", "rbf", "--length", "2", "--ignore", "length"],
            "the kernel rbf has none",
        ),
        (["logistic", "--text", "name", "--text-unit", "sequence", "--ignore", "length"], "kernels of texts"),
        (
            ["svm", "--text", "name", "--kernel", "string:spectrum", "--tfidf", "--ignore", "length"],
            "sequence of characters has no terms",
        ),
    ],
    ids=str,
)
def test_what_is_refused(run, names, flags, said):
    done = run("fit", flags[0], names, "--target", "origin", *flags[1:])
    assert done.returncode == 2 and said in done.stderr, done.stderr


def test_graphs_that_cannot_be_read_or_do_not_converge(run, graphs, tmp_path):
    far = run(
        "fit", "svm", graphs, "--target", "kind", "--graph", "graph", "--kernel", "graph:random-walk", "--decay", "0.3"
    )
    assert far.returncode != 0 and "0.25" in far.stderr and "row 1" in far.stderr
    (tmp_path / "bad.csv").write_text("graph,kind\na-b,x\na-b-c,y\n", encoding="utf-8")
    bad = run("fit", "svm", "bad.csv", "--target", "kind", "--graph", "graph", "--kernel", "graph:wl")
    assert bad.returncode != 0 and "row 2, column graph" in bad.stderr and "a-b;b-c" in bad.stderr


def test_the_matrix_of_a_kernel_of_texts(run, tmp_path):
    (tmp_path / "cats.csv").write_text("name\ncat\ncar\n", encoding="utf-8")
    done = run(
        "kernel",
        "cats.csv",
        "--kernel",
        "string:subsequence",
        "--text",
        "name",
        "--length",
        "2",
        "--decay",
        "0.5",
        "--unnormalised",
    )
    assert done.stdout == "0.140625,0.0625\n0.0625,0.140625\n", done.stderr
    assert (
        "Positive semidefinite"
        in run("kernel", "cats.csv", "--kernel", "string:spectrum", "--text", "name", "--length", "2", "--check").stdout
    )
