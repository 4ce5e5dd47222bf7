"""LogisticRegression of sparse and wide designs beside scikit-learn's."""

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model

from recta.linear_model import LogisticRegression


def problem(n, p, each, seed=0):
    rng = np.random.default_rng(seed)
    X = scipy.sparse.random(n, p, each / p, "csr", random_state=rng, data_rvs=rng.standard_normal)
    w = np.zeros(p)
    w[::10] = rng.standard_normal(len(w[::10]))
    y = (rng.random(n) < 1 / (1 + np.exp(-(X @ w) - 0.3))).astype(int)
    return X, y, rng.integers(0, 3, n).astype(float)


@pytest.mark.parametrize("shape", [(600, 10_000, 30), (3_000, 1_000, 40)], ids=str)
@pytest.mark.parametrize(
    "setting", [{}, {"C": 0.1, "fit_intercept": False}, {"class_weight": {0: 1.0, 1: 3.0}}], ids=str
)
def test_answers_are_those_of_scikit_learn(shape, setting):
    X, y, weights = problem(*shape)
    for w in (None, weights):
        ours = LogisticRegression(**setting).fit(X, y, w)
        theirs = sklearn.linear_model.LogisticRegression(solver="newton-cg", tol=1e-12, **setting).fit(X, y, w)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-7, strict=True)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-7, strict=True)
        assert ours.certificate_.verdict == "proved"


@pytest.mark.parametrize("layout", ["csr", "csc", "dense", "fortran"])
@pytest.mark.parametrize("setting", [{}, {"l1_ratio": 1.0}, {"l1_ratio": 0.5}], ids=str)
def test_layouts_have_one_answer_and_a_proof(layout, setting):
    X, y, _ = problem(400, 9_000, 30, 1)
    take = {
        "csr": lambda x: x,
        "csc": lambda x: x.tocsc(),
        "dense": lambda x: x.toarray(),
        "fortran": lambda x: np.asfortranarray(x.toarray()),
    }
    model = LogisticRegression(C=2.0, **setting).fit(take[layout](X), y)
    first = LogisticRegression(C=2.0, **setting).fit(X, y)
    np.testing.assert_allclose(model.coef_, first.coef_, atol=1e-6)
    assert model.certificate_.verdict == "proved" and model.certificate_.verify(take[layout](X), y).verdict == "proved"
    assert (model.predict(X) == first.predict(X)).all()


@pytest.mark.parametrize("setting", [{"l1_ratio": 1.0}, {"l1_ratio": 0.4}], ids=str)
@pytest.mark.parametrize("C", [0.3, 3.0])
def test_sparse_answers_meet_their_conditions(setting, C):
    X, y, _ = problem(2_000, 12_000, 40, 2)
    model = LogisticRegression(C=C, **setting).fit(X, y)
    share, tau = setting["l1_ratio"], 1 / C
    gradient = X.T @ (model.predict_proba(X)[:, 1] - y) + tau * (1 - share) * model.coef_[0]
    used = model.coef_[0] != 0
    assert 0 < used.sum() < 6_000
    np.testing.assert_allclose(gradient[used], -tau * share * np.sign(model.coef_[0][used]), atol=1e-6)
    assert (np.abs(gradient[~used]) < tau * share * (1 + 1e-7)).all()
    assert abs((model.predict_proba(X)[:, 1] - y).sum()) < 1e-6
    assert model.certificate_.verdict == "proved"


def test_lasso_answers_are_those_of_liblinear():
    X, y, _ = problem(300, 9_000, 30, 3)
    ours = LogisticRegression(C=1.0, l1_ratio=1.0, fit_intercept=False).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(
        C=1.0, l1_ratio=1.0, solver="liblinear", fit_intercept=False, tol=1e-8, max_iter=10_000
    ).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)


def test_columns_beyond_p_x_p_sums_ask_for_a_penalty():
    X, y, _ = problem(100, 9_000, 30, 4)
    with pytest.raises(Exception, match="too many for the p x p sums that logistic works on without a penalty"):
        LogisticRegression(C=np.inf).fit(X, y)
