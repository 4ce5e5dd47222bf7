"""Kernel models beside scikit-learn's, and beside what they equal."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.kernel_ridge import KernelRidge as PeerRidge
from sklearn.metrics.pairwise import pairwise_kernels

from recta.kernel_ridge import KernelRidge
from recta.linear_model import KernelPerceptron, Ridge

RNG = np.random.default_rng(3)
X = RNG.standard_normal((60, 4))
Y = np.column_stack([np.sin(X[:, 0]) + X[:, 1], X[:, 2] ** 2])


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"kernel": "rbf"},
        {"kernel": "rbf", "gamma": 0.5},
        {"kernel": "poly", "degree": 2},
        {"kernel": "polynomial", "coef0": 0.0},
        {"kernel": "laplacian"},
        {"kernel": "sigmoid", "gamma": 0.01},
    ],
    ids=str,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_kernel_ridge_is_that_of_scikit_learn(settings, weighted):
    weights = RNG.uniform(0.5, 2.0, len(X)) if weighted else None
    ours, theirs = KernelRidge(0.7, **settings).fit(X, Y, weights), PeerRidge(0.7, **settings).fit(X, Y, weights)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.predict(X[:7] + 0.1), theirs.predict(X[:7] + 0.1), rtol=1e-8)
    assert ours.certificate_.verdict == ("within_tolerance" if settings.get("kernel") == "sigmoid" else "proved"), (
        ours.certificate_.sentence
    )
    np.testing.assert_array_equal(ours.X_fit_, X)


def test_one_target_chi2_and_precomputed():
    x, y = np.abs(X), Y[:, 0]
    ours, theirs = KernelRidge(kernel="chi2").fit(x, y), PeerRidge(kernel="chi2", gamma=1.0).fit(x, y)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-9)
    K = pairwise_kernels(X, metric="rbf", gamma=0.3)
    given = KernelRidge(kernel="precomputed").fit(K, y)
    np.testing.assert_allclose(
        given.predict(K[:5]), KernelRidge(kernel="rbf", gamma=0.3).fit(X, y).predict(X[:5]), rtol=1e-10
    )
    assert given.certificate_.verdict == "proved"


def test_with_an_intercept_it_is_ridge():
    ours, plain = KernelRidge(2.0, fit_intercept=True).fit(X, Y), Ridge(2.0).fit(X, Y)
    np.testing.assert_allclose(ours.predict(X), plain.predict(X), rtol=1e-10)
    np.testing.assert_allclose(ours.intercept_, plain.intercept_, rtol=1e-10)


def test_rows_left_out():
    model = KernelRidge(0.3, kernel="rbf", gamma=0.2, leave_one_out=True).fit(X, Y)
    errors = [
        Y[i]
        - PeerRidge(0.3, kernel="rbf", gamma=0.2).fit(np.delete(X, i, 0), np.delete(Y, i, 0)).predict(X[i : i + 1])[0]
        for i in range(len(X))
    ]
    np.testing.assert_allclose(model.loo_mse_, np.mean(np.square(errors), axis=0), rtol=1e-9)


def test_sparse_rows_files_and_refusals(tmp_path):
    dense = KernelRidge(kernel="rbf", gamma=0.5, fit_intercept=True).fit(X, Y[:, 0])
    sparse = KernelRidge(kernel="rbf", gamma=0.5, fit_intercept=True).fit(scipy.sparse.csr_array(X), Y[:, 0])
    np.testing.assert_allclose(sparse.predict(X), dense.predict(X), rtol=1e-11)
    dense.save(tmp_path / "m.recta")
    back = KernelRidge.load(tmp_path / "m.recta")
    np.testing.assert_array_equal(back.predict(X), dense.predict(X))
    np.testing.assert_array_equal(back.dual_coef_, dense.dual_coef_)
    assert back.get_params() == dense.get_params() | {"coef0": 1, "degree": 3}
    assert back.certificate_.verify(X, Y[:, 0]).verdict == "proved"
    for bad, word in (
        ({"alpha": 0.0}, "alpha"),
        ({"kernel": "cosine"}, "kernel"),
        ({"kernel_params": {"gamma": 1.0}}, "kernel_params"),
        ({"kernel": "poly", "degree": 0}, "degree"),
    ):
        with pytest.raises(ValueError, match=word):
            KernelRidge(**bad).fit(X, Y)


def plain_perceptron(K, y, passes):
    """Rosenblatt's rule in a plain loop: coefficients and the number of mistakes."""
    beta, mistakes = np.zeros(len(y)), 0
    for _ in range(passes):
        before = mistakes
        for i in range(len(y)):
            if y[i] * ((K[i] + 1.0) @ beta) <= 1e-12:
                beta[i] += y[i]
                mistakes += 1
        if mistakes == before:
            break
    return beta, mistakes


@pytest.mark.parametrize(
    "settings", [{"metric": "rbf", "gamma": 0.7}, {"metric": "laplacian", "gamma": 0.3}, {"metric": "linear"}]
)
def test_kernel_perceptron_is_a_plain_loop(settings):
    y = np.where(np.sin(2 * X[:, 0]) + X[:, 1] > 0.2, 1, -1)
    beta, mistakes = plain_perceptron(pairwise_kernels(X, **settings), y, 300)
    model = KernelPerceptron(kernel=settings["metric"], gamma=settings.get("gamma"), max_iter=300).fit(X, y)
    ours = np.zeros(len(y))
    ours[model.support_] = model.dual_coef_[0]
    np.testing.assert_array_equal(ours, beta)
    assert model.mistakes_.tolist() == [mistakes] and model.intercept_[0] == beta.sum()
    if model.certificate_.verdict == "proved":
        assert (model.predict(X) == y).all() and mistakes <= model.mistake_bound_[0]
    assert settings["metric"] == "linear" or model.certificate_.verdict == "proved", model.certificate_.sentence


def test_kernel_perceptron_of_several_classes_and_its_file(tmp_path):
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    model = KernelPerceptron(gamma=1.0).fit(X, y)
    assert model.dual_coef_.shape[0] == 3 and model.decision_function(X).shape == (60, 3) and model.score(X, y) == 1.0
    model.save(tmp_path / "m.recta")
    back = KernelPerceptron.load(tmp_path / "m.recta")
    np.testing.assert_array_equal(back.decision_function(X), model.decision_function(X))
    assert back.certificate_.verify(X, y).verdict == "proved"
