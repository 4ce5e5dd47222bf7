"""recta kernel: the matrix, and Mercer's condition with its witness."""

import json

import numpy as np


def test_the_matrix_is_that_of_the_formula(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n0,1,u\n3,5,v\n")
    done = run(
        "kernel", "t.csv", "--target", "y", "--kernel", "polynomial", "--gamma", "1", "--coef", "2", "--degree", "2"
    )
    assert done.stdout == "9,49\n49,1296\n"
    done = run("kernel", "t.csv", "--ignore", "y", "--kernel", "laplacian", "--gamma", "0.1")
    np.testing.assert_allclose(float(done.stdout.splitlines()[0].split(",")[1]), np.exp(-0.7), rtol=1e-15)


def test_a_matrix_of_no_kernel_comes_with_the_vector_that_shows_it(run):
    found = json.loads(
        run("kernel", "iris", "--target", "species", "--kernel", "sigmoid", "--coef", "-1", "--json").stdout
    )
    assert found["positive_semidefinite"] is False and found["negative_eigenvalues"] > 0
    assert abs(np.linalg.norm(found["witness"]) - 1) < 1e-12 and found["quadratic_form"] < 0
    assert "claims a stationary point only" in found["sentence"]
    good = run("kernel", "iris", "--target", "species", "--kernel", "rbf", "--check")
    assert "Positive semidefinite, as every matrix of this kernel is" in good.stdout


def test_what_is_no_number_or_not_taken_is_named(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n0,1,u\n3,-5,v\n")
    assert "column y: it does not hold numbers" in run("kernel", "t.csv").stderr
    assert "-5 is below zero" in run("kernel", "t.csv", "--target", "y", "--kernel", "chi2").stderr
    assert 'did you mean "rbf"?' in run("kernel", "t.csv", "--target", "y", "--kernel", "rfb").stderr
    assert "give one of them" in run("kernel", "t.csv", "--target", "y", "--gamma", "1", "--sigma", "1").stderr


def test_the_nodes_of_one_graph_are_classified_from_two(run, tmp_path):
    (tmp_path / "friends.txt").write_text(
        "# who knows whom\nann bob\nann cat\nbob cat\ncat dan\ndan eve\ndan fay\neve fay"
    )
    (tmp_path / "known.csv").write_text("name,group\nann,red\nfay,blue\n")
    (tmp_path / "others.csv").write_text("name\nbob\ncat\ndan\neve\n")
    diffusion = ("--graph", "name", "--kernel", "graph:diffusion")
    fitted = run(
        "fit", "svm", "known.csv", "--target", "group", *diffusion, "--network", "@friends.txt", "-o", "m.recta"
    )
    assert (
        fitted.returncode == 0
        and "network = # who knows whom... (73 bytes)" in fitted.stdout
        and "Proved" in fitted.stdout
    )
    assert run("predict", "m.recta", "others.csv").stdout.split() == ["prediction", "red", "red", "blue", "blue"]
    assert run("verify", "m.recta", "known.csv").returncode == 0
    (tmp_path / "new.csv").write_text("name\nzed\n")
    assert 'row 1: the graph has no node "zed"' in run("predict", "m.recta", "new.csv").stderr
    edge = run("kernel", "known.csv", *diffusion, "--network", "ann-fay", "--beta", "0.5").stdout
    np.testing.assert_allclose(float(edge.split(",")[1].split()[0]), np.tanh(0.5), rtol=1e-14)
    assert "give it with --network @FILE" in run("kernel", "known.csv", *diffusion).stderr
    assert (
        'the file "none.txt" cannot be read' in run("kernel", "known.csv", *diffusion, "--network", "@none.txt").stderr
    )


def test_a_folder_of_files_of_edges_is_a_set_of_graphs(run, tmp_path):
    edges = {
        "ring/3": "a b\nb c\nc a\n",
        "ring/4": "a,b\nb,c\nc,d\nd,a\n",
        "path/3": "# three\na-b\nb-c\n",
        "path/4": "a b\nb c\nc d\n",
    }
    for name, text in edges.items():
        (tmp_path / "shapes" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shapes" / name).write_text(text)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "5").write_text("a b\nb c\nc d\nd e\ne a\n")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "1").write_text("a b\na b 0.5\n")
    fitted = run("fit", "svm", "shapes", "--text-dir", "--kernel", "graph:wl", "--C", "100", "-o", "m.recta")
    assert fitted.returncode == 0 and "Proved" in fitted.stdout
    assert run("predict", "m.recta", "new").stdout.split() == ["prediction", "ring"]
    assert "line 2 of the graph is not an edge between two nodes" in run("predict", "m.recta", "bad").stderr
    matrix = run(
        "kernel",
        "shapes",
        "--graph",
        "text",
        "--kernel",
        "graph:wl",
        "--rounds",
        "1",
        "--unnormalised",
        "--ignore",
        "label",
    ).stdout
    assert matrix.splitlines()[0].split(",")[2] == "12"  # path of three nodes with the triangle


def test_graphs_are_features_of_linear_models(run, tmp_path):
    rows = ["a-b;b-c;c-a,ring", "a-b;b-c;c-d;d-a,ring", "a-b;b-c,path", "a-b;b-c;c-d,path"]
    (tmp_path / "graphs.csv").write_text("graph,kind\n" + "\n".join(rows) + "\n")
    (tmp_path / "new.csv").write_text("graph\n1-2;2-3;3-4;4-5;5-1\n")
    fitted = run(
        "fit",
        "logistic",
        "graphs.csv",
        "--target",
        "kind",
        "--graph",
        "graph",
        "--graph-rounds",
        "2",
        "--lambda",
        "0.01",
        "-o",
        "m.recta",
    )
    assert fitted.returncode == 0 and "Proved" in fitted.stdout and "1:(,,)" in fitted.stdout
    assert run("predict", "m.recta", "new.csv").stdout.split() == ["prediction", "ring"]
    assert run("verify", "m.recta", "graphs.csv").returncode == 0
    scores = []  # the machine of the features is the machine of the kernel
    for words in (
        ("--kernel", "graph:shortest-path", "--unnormalised"),
        ("--kernel", "linear", "--graph-terms", "shortest-path"),
    ):
        fitted = run("fit", "svm", "graphs.csv", "--target", "kind", "--graph", "graph", *words, "-o", "s.recta")
        assert fitted.returncode == 0, fitted.stderr
        scores.append(
            [
                float(line.split(",")[-1])
                for line in run("predict", "s.recta", "graphs.csv", "--decision").stdout.split()[1:]
            ]
        )
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-4)
    fit = ("fit", "logistic", "graphs.csv", "--target", "kind", "--graph", "graph")
    assert "shortest paths have no rounds" in run(*fit, "--graph-terms", "shortest-path", "--graph-rounds", "2").stderr
    assert "graphs have no words" in run(*fit, "--text-folding", "none").stderr
    assert "not made of words" in run(*fit, "--stem", "english").stderr
    (tmp_path / "bad.csv").write_text("graph\na-b\na-b-c\n")
    assert "row 2, column graph: part 1 of the graph is not an edge" in run("predict", "m.recta", "bad.csv").stderr


def test_components_of_texts_are_eigenvectors_of_their_kernel(run, tmp_path):
    (tmp_path / "names.csv").write_text("name\nSchmidt\nSchneider\nFischer\nSchulz\nRossi\nBianchi\nRicci\nMarino\n")
    kernel = ("--text", "name", "--kernel", "string:subsequence", "--length", "2")
    fitted = run("fit", "kernel-pca", "names.csv", *kernel, "--components", "3", "-o", "p.recta")
    assert fitted.returncode == 0 and "Proved" in fitted.stdout, fitted.stderr
    K = np.array([line.split(",") for line in run("kernel", "names.csv", *kernel).stdout.split()], dtype=float)
    centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    rows = np.array(
        [line.split(",")[-3:] for line in run("transform", "p.recta", "names.csv").stdout.splitlines()[1:]], dtype=float
    )
    np.testing.assert_allclose(rows.T @ rows, np.diag(np.linalg.eigvalsh(centred)[::-1][:3]), atol=1e-9)
    assert run("verify", "p.recta", "names.csv").returncode == 0
    (tmp_path / "other.csv").write_text((tmp_path / "names.csv").read_text().replace("Ricci", "Riccj"))
    assert run("verify", "p.recta", "other.csv").returncode != 0


def test_the_machine_of_runs_of_characters_is_that_of_the_spectrum_kernel(run, tmp_path):
    names = ["Schmidt", "Schneider", "Fischer", "Schulz", "Rossi", "Bianchi", "Ricci", "Marino"]
    (tmp_path / "names.csv").write_text(
        "name,origin\n" + "".join(f"{name},{'de' if k < 4 else 'it'}\n" for k, name in enumerate(names))
    )
    for kernel, ngrams in (("string:spectrum", "2"), ("string:blended", "1:2")):
        scores = []
        for words in (
            ("--kernel", kernel, "--length", "2"),
            (
                "--kernel",
                "linear",
                "--text-unit",
                "characters",
                "--text-folding",
                "none",
                "--text-ngrams",
                ngrams,
                "--text-norm",
                "l2",
            ),
        ):
            fitted = run("fit", "svm", "names.csv", "--target", "origin", "--text", "name", *words, "-o", "m.recta")
            assert fitted.returncode == 0 and "Proved" in fitted.stdout, fitted.stderr
            scores.append(
                [
                    float(line.split(",")[-1])
                    for line in run("predict", "m.recta", "names.csv", "--decision").stdout.split()[1:]
                ]
            )
        np.testing.assert_allclose(scores[0], scores[1], atol=1e-4)
