"""What scikit-learn's signatures have, Recta's have too: it does what scikit-learn's does, has no effect, or is refused with a cure."""

import importlib
import inspect

import numpy as np
import pytest
import sklearn.decomposition
import sklearn.dummy
import sklearn.impute
import sklearn.linear_model
import sklearn.neighbors
from sklearn.exceptions import NotFittedError

from recta.decomposition import KernelPCA
from recta.dummy import DummyRegressor
from recta.kernel_approximation import Nystroem
from recta.kernel_ridge import KernelRidge
from recta.linear_model import (
    ElasticNet,
    ElasticNetCV,
    GroupLasso,
    Lasso,
    LassoCV,
    MultiTaskLasso,
    enet_path,
    lasso_path,
)
from recta.neighbors import KernelDensity, KNeighborsRegressor, KNNImputer, LocalOutlierFactor

MODULES = [
    "linear_model",
    "svm",
    "feature_extraction.text",
    "naive_bayes",
    "neighbors",
    "discriminant_analysis",
    "kernel_ridge",
    "decomposition",
    "kernel_approximation",
    "dummy",
    "multiclass",
    "multioutput",
    "calibration",
    "metrics",
    "preprocessing",
    "impute",
]
# What Recta's lack, each with a word in docs/python.md.
LACKING = {"Perceptron.fit": {"coef_init", "intercept_init"}}

RNG = np.random.default_rng(3)
X, Q = RNG.normal(size=(60, 3)), RNG.normal(size=(7, 3))
Y = X @ [1.0, 0.0, -2.0] + RNG.normal(size=60)


def parameters(thing):
    try:
        found = inspect.signature(thing).parameters.values()
    except (ValueError, TypeError):
        return set()
    return {each.name for each in found if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)}


def shared():
    for place in MODULES:
        theirs, ours = (
            importlib.import_module(f"sklearn.{place}"),
            importlib.import_module(f"recta.{'neighbors' if place == 'impute' else place}"),
        )
        for name in ours.__all__:
            if hasattr(theirs, name) and getattr(theirs, name) is not getattr(ours, name):
                yield name, getattr(theirs, name), getattr(ours, name)


@pytest.mark.parametrize("name, theirs, ours", list(shared()), ids=lambda each: each if isinstance(each, str) else "")
def test_no_parameter_of_scikit_learn_is_missing(name, theirs, ours):
    assert parameters(theirs) <= parameters(ours)
    if inspect.isclass(theirs):
        for method in {each for each in dir(theirs) if not each.startswith(("_", "set_"))} & set(dir(ours)):
            if callable(getattr(theirs, method)) and callable(getattr(ours, method)):
                missing = parameters(getattr(theirs, method)) - parameters(getattr(ours, method))
                assert missing == LACKING.get(f"{name}.{method}", set()), method


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"kernel": "rbf"},
        {"kernel": "poly", "degree": 2, "alpha": 0.1},
        {"kernel": "sigmoid", "gamma": 0.1},
        {"kernel": "rbf", "gamma": 0.5, "alpha": 0.01},
    ],
    ids=str,
)
def test_inverse_transform_is_scikit_learns(settings):
    ours, theirs = (
        make(3, fit_inverse_transform=True, **settings).fit(X) for make in (KernelPCA, sklearn.decomposition.KernelPCA)
    )
    np.testing.assert_allclose(
        ours.inverse_transform(ours.transform(Q)), theirs.inverse_transform(theirs.transform(Q)), rtol=1e-9, atol=1e-10
    )
    np.testing.assert_allclose(np.abs(ours.eigenvectors_), np.abs(theirs.eigenvectors_), atol=1e-10)
    assert ours.gamma_ == theirs.gamma_


def test_inverse_transform_takes_weights_as_repetition():
    weight = RNG.integers(0, 3, len(X)).astype(float)
    ours = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(X, sample_weight=weight)
    twice = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(np.repeat(X, weight.astype(int), axis=0))
    np.testing.assert_allclose(
        ours.inverse_transform(ours.transform(Q)), twice.inverse_transform(twice.transform(Q)), atol=1e-9
    )


def test_components_of_a_function_are_scikit_learns():
    def kernel(x, z, share):
        return np.exp(-share * ((x - z) ** 2).sum())

    settings = {"kernel": kernel, "kernel_params": {"share": 0.4}, "fit_inverse_transform": True}
    ours, theirs = (make(3, **settings).fit(X) for make in (KernelPCA, sklearn.decomposition.KernelPCA))
    np.testing.assert_allclose(np.abs(ours.transform(Q)), np.abs(theirs.transform(Q)), atol=1e-10)
    np.testing.assert_allclose(
        ours.inverse_transform(ours.transform(Q)), theirs.inverse_transform(theirs.transform(Q)), atol=1e-9
    )
    assert ours.certificate_.verdict == "proved"


def test_components_without_variance_are_zeros_unless_they_are_removed():
    ours, theirs = KernelPCA(5).fit(X), sklearn.decomposition.KernelPCA(5).fit(X)
    np.testing.assert_allclose(np.abs(ours.transform(Q)), np.abs(theirs.transform(Q)), atol=1e-10)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, atol=1e-10)
    assert ours.n_components_ == len(ours.get_feature_names_out()) == 5 and not ours.eigenvalues_[3:].any()
    assert (
        KernelPCA(5, remove_zero_eig=True).fit(X).transform(Q).shape == (7, 3) == KernelPCA().fit(X).transform(Q).shape
    )


def test_what_has_no_effect_on_components_is_taken_and_the_rest_refused():
    plain = KernelPCA(2, kernel="rbf").fit(X).transform(Q)
    free = KernelPCA(
        2,
        kernel="rbf",
        eigen_solver="randomized",
        tol=1e-3,
        max_iter=5,
        iterated_power=3,
        copy_X=False,
        kernel_params={"no": 1},
    ).fit(X)
    np.testing.assert_array_equal(free.transform(Q), plain)
    with pytest.raises(ValueError, match="Cannot fit_inverse_transform with a precomputed kernel"):
        KernelPCA(kernel="precomputed", fit_inverse_transform=True).fit(X @ X.T)
    with pytest.raises(NotFittedError, match="fit_inverse_transform parameter was not set to True"):
        free.inverse_transform(plain)
    assert not hasattr(free, "inverse_transform")
    with pytest.raises(ValueError, match="'eigen_solver' parameter of KernelPCA must be one of"):
        KernelPCA(eigen_solver="qr").fit(X)
    with pytest.raises(ValueError, match="'alpha' parameter of KernelPCA"):
        KernelPCA(alpha=-1.0).fit(X)


def test_densities_are_the_same_however_scikit_learn_would_find_them():
    plain = KernelDensity().fit(X).score_samples(Q)
    for given in (
        {"algorithm": "kd_tree", "leaf_size": 2, "breadth_first": False},
        {"atol": 0.1, "rtol": 0.1, "metric_params": {}},
    ):
        np.testing.assert_array_equal(KernelDensity(**given).fit(X).score_samples(Q), plain)
    with pytest.raises(ValueError, match="scale the columns before"):
        KernelDensity(metric_params={"p": 3}).fit(X)
    with pytest.raises(ValueError, match="'algorithm' parameter of KernelDensity"):
        KernelDensity(algorithm="brute").fit(X)


def test_parameters_of_nothing_are_none():
    np.testing.assert_array_equal(
        KernelRidge(kernel="rbf", kernel_params={}).fit(X, Y).predict(Q), KernelRidge(kernel="rbf").fit(X, Y).predict(Q)
    )
    np.testing.assert_array_equal(
        KNeighborsRegressor(metric_params={}, weights=None).fit(X, Y).predict(Q),
        KNeighborsRegressor().fit(X, Y).predict(Q),
    )
    with pytest.raises(ValueError, match="kernel='precomputed'"):
        KernelRidge(kernel_params={"share": 1}).fit(X, Y)


def test_kernel_params_of_nystroem_are_its_kernels():
    plain = Nystroem("poly", gamma=0.5, coef0=2.0, degree=2, n_components=6, random_state=0, n_jobs=1).fit_transform(X)
    given = Nystroem(
        "poly",
        degree=2,
        kernel_params={"gamma": 0.5, "coef0": 2.0, "degree": 5},
        n_components=6,
        random_state=0,
        n_jobs=2,
    )
    np.testing.assert_array_equal(given.fit_transform(X), plain)
    with pytest.raises(ValueError, match="the kernels have 'gamma', 'coef0' and 'degree'. Got 'share'"):
        given.set_params(kernel_params={"share": 1}).fit(X)


def test_paths_take_all_that_scikit_learns_take():
    plain = enet_path(X, Y, alphas=4)
    given = enet_path(
        X,
        Y,
        n_alphas=4,
        precompute=X.T @ X,
        Xy=X.T @ Y,
        copy_X=False,
        coef_init=np.ones(3),
        verbose=False,
        check_input=False,
    )
    for ours, other in zip(plain, given, strict=True):
        np.testing.assert_array_equal(ours, other)
    assert len(lasso_path(X, Y, n_alphas=5)[0]) == 5 and len(lasso_path(X, Y)[0]) == 100
    with pytest.raises(ValueError, match="return_n_iter=True has no meaning"):
        lasso_path(X, Y, return_n_iter=True)


def test_estimators_have_their_path():
    for ours in (Lasso, ElasticNet, LassoCV, ElasticNetCV, MultiTaskLasso):
        theirs = getattr(sklearn.linear_model, ours.__name__)
        given = (
            {"alphas": [0.5, 0.1]} if "lasso_path" in theirs.path.__name__ else {"alphas": [0.5, 0.1], "l1_ratio": 0.7}
        )
        np.testing.assert_allclose(ours.path(X, Y, **given)[1], theirs.path(X, Y, tol=1e-12, **given)[1], atol=1e-8)
    assert not hasattr(GroupLasso(), "path")


def test_a_filled_in_table_may_have_indicators():
    gaps = np.where(RNG.random(X.shape) < 0.3, np.nan, X)
    gaps[:, 1] = X[:, 1]
    ours, theirs = (
        make(add_indicator=True, copy=False).fit(gaps.copy()) for make in (KNNImputer, sklearn.impute.KNNImputer)
    )
    np.testing.assert_allclose(ours.transform(gaps), theirs.transform(gaps.copy()), rtol=1e-12)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    marked = np.where(np.isnan(gaps), -1.0, gaps)
    np.testing.assert_array_equal(
        KNNImputer(missing_values=-1, add_indicator=True).fit_transform(marked), ours.transform(gaps)
    )
    with pytest.raises(ValueError, match="contains NaN"):
        KNNImputer(missing_values=-1).fit(gaps)
    with pytest.raises(ValueError, match="'missing_values' parameter of KNNImputer must be a number or NaN"):
        KNNImputer(missing_values="?").fit(gaps)
    np.testing.assert_array_equal(KNNImputer(weights=None).fit_transform(gaps), KNNImputer().fit_transform(gaps))


def test_outliers_among_the_training_rows_and_deviations_of_a_constant():
    rows = np.vstack([X, [[40.0, 0.0, 0.0]]])
    ours, theirs = (make(novelty=True).fit(rows) for make in (LocalOutlierFactor, sklearn.neighbors.LocalOutlierFactor))
    assert ours.predict().tolist() == theirs._predict().tolist() and ours.predict()[-1] == -1
    ours, theirs = (make().fit(X, Y) for make in (DummyRegressor, sklearn.dummy.DummyRegressor))
    for one, other in zip(ours.predict(Q, return_std=True), theirs.predict(Q, return_std=True), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
