"""recta kernel: the matrix, and Mercer's condition with its witness."""

import json

import numpy as np


def test_the_matrix_is_that_of_the_formula(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n0,1,u\n3,5,v\n")
    done = run("kernel", "t.csv", "--target", "y", "--kernel", "polynomial", "--gamma", "1", "--coef", "2", "--degree", "2")
    assert done.stdout == "9,49\n49,1296\n"
    done = run("kernel", "t.csv", "--ignore", "y", "--kernel", "laplacian", "--gamma", "0.1")
    np.testing.assert_allclose(float(done.stdout.splitlines()[0].split(",")[1]), np.exp(-0.7), rtol=1e-15)


def test_a_matrix_of_no_kernel_comes_with_the_vector_that_shows_it(run):
    found = json.loads(run("kernel", "iris", "--target", "species", "--kernel", "sigmoid", "--coef", "-1", "--json").stdout)
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
    (tmp_path / "friends.txt").write_text("# who knows whom\nann bob\nann cat\nbob cat\ncat dan\ndan eve\ndan fay\neve fay")
    (tmp_path / "known.csv").write_text("name,group\nann,red\nfay,blue\n")
    (tmp_path / "others.csv").write_text("name\nbob\ncat\ndan\neve\n")
    diffusion = ("--graph", "name", "--kernel", "graph:diffusion")
    fitted = run("fit", "svm", "known.csv", "--target", "group", *diffusion, "--network", "@friends.txt", "-o", "m.recta")
    assert fitted.returncode == 0 and "network = # who knows whom... (73 bytes)" in fitted.stdout and "Proved" in fitted.stdout
    assert run("predict", "m.recta", "others.csv").stdout.split() == ["prediction", "red", "red", "blue", "blue"]
    assert run("verify", "m.recta", "known.csv").returncode == 0
    (tmp_path / "new.csv").write_text("name\nzed\n")
    assert 'row 1: the graph has no node "zed"' in run("predict", "m.recta", "new.csv").stderr
    edge = run("kernel", "known.csv", *diffusion, "--network", "ann-fay", "--beta", "0.5").stdout
    np.testing.assert_allclose(float(edge.split(",")[1].split()[0]), np.tanh(0.5), rtol=1e-14)
    assert "give it with --network @FILE" in run("kernel", "known.csv", *diffusion).stderr
    assert 'the file "none.txt" cannot be read' in run("kernel", "known.csv", *diffusion, "--network", "@none.txt").stderr


def test_a_folder_of_files_of_edges_is_a_set_of_graphs(run, tmp_path):
    edges = {"ring/3": "a b\nb c\nc a\n", "ring/4": "a,b\nb,c\nc,d\nd,a\n", "path/3": "# three\na-b\nb-c\n", "path/4": "a b\nb c\nc d\n"}
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
    assert "line 2 of the graph is no edge of two nodes" in run("predict", "m.recta", "bad").stderr
    matrix = run("kernel", "shapes", "--graph", "text", "--kernel", "graph:wl", "--rounds", "1", "--unnormalised", "--ignore", "label").stdout
    assert matrix.splitlines()[0].split(",")[2] == "12"  # path of three nodes with the triangle
