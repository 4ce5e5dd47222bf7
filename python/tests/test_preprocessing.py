"""StandardScaler beside scikit-learn's."""

import inspect

import numpy as np
import pytest
import scipy.sparse
import sklearn.preprocessing
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import recta.preprocessing
from recta.linear_model import Ridge
from recta.preprocessing import StandardScaler

SETTINGS = [StandardScaler(), StandardScaler(with_mean=False), StandardScaler(with_std=False),
            StandardScaler(with_mean=False, with_std=False)]  # copy=False writes into X, which the checks forbid


@parametrize_with_checks(SETTINGS, expected_failed_checks=lambda estimator: {})
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    check(estimator)


def test_everything_public_is_in_the_battery():
    assert recta.preprocessing.__all__ == ["StandardScaler"]
    assert inspect.signature(StandardScaler.__init__) == inspect.signature(sklearn.preprocessing.StandardScaler.__init__)


def same(ours, theirs, X, accuracy=1e-12):
    for name in ("mean_", "var_", "scale_", "n_samples_seen_"):
        a, b = getattr(ours, name), getattr(theirs, name)
        assert (a is None) == (b is None), name
        if a is not None:
            np.testing.assert_allclose(a, b, rtol=accuracy, err_msg=name)
            assert np.shape(a) == np.shape(b), name
    a, b = ours.transform(X), theirs.transform(X)
    if scipy.sparse.issparse(a):
        a, b = a.toarray(), b.toarray()
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_the_numbers_are_scikit_learns(setting, weighted, problem):
    X, _, w = problem
    X = X.copy()
    X[3, 1] = X[10, 1] = X[4, 2] = np.nan
    weights = w if weighted else None
    theirs = sklearn.preprocessing.StandardScaler(**setting.get_params()).fit(X, sample_weight=weights)
    ours = StandardScaler(**setting.get_params()).fit(X, sample_weight=weights)
    if weighted and theirs.mean_ is None:
        theirs.n_samples_seen_ = ours.n_samples_seen_  # scikit-learn forgets the weights where it learns nothing else
    same(ours, theirs, X)


@pytest.mark.parametrize("form", [scipy.sparse.csr_array, scipy.sparse.csc_matrix])
def test_sparse_columns_are_scaled_without_being_centred(form, problem):
    X = problem[0] * (problem[0] > 2)
    ours, theirs = (kind.StandardScaler(with_mean=False).fit(form(X)) for kind in (recta.preprocessing, sklearn.preprocessing))
    same(ours, theirs, form(X))
    with pytest.raises(ValueError, match="Cannot center sparse matrices"):
        StandardScaler().fit(form(X))


def test_rows_may_come_in_parts(problem):
    X, _, w = problem
    parts = StandardScaler().partial_fit(X[:20], sample_weight=w[:20]).partial_fit(X[20:], sample_weight=w[20:])
    same(parts, StandardScaler().fit(X, sample_weight=w), X)


def test_a_constant_far_from_zero_has_no_variance():
    scaler = StandardScaler().fit(np.full((100_000, 1), 1e8 + 0.1))
    assert scaler.var_[0] == 0 and scaler.scale_[0] == 1 and scaler.mean_[0] == 1e8 + 0.1


def test_an_infinity_is_named():
    with pytest.raises(ValueError, match="infinity(.|\n)*column 2 has 1 such"):
        StandardScaler().fit([[1.0, 2.0], [1.0, np.inf]])


def test_without_copy_x_is_scaled_in_place(problem):
    X = problem[0].copy()
    assert StandardScaler(copy=False).fit_transform(X) is X and abs(X.mean()) < 1e-12


def test_it_stands_before_a_model(problem):
    X, y, _ = problem
    assert make_pipeline(StandardScaler(), Ridge()).set_output(transform="pandas").fit(X, y).score(X, y) > 0.9
