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
