"""Who assigns to coef_ or intercept_, or writes into them, changes what is predicted, saved and said of the proof."""

import copy
import pickle
import subprocess

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, log_softmax, softmax

import recta
from recta.linear_model import (
    DeltaRule,
    ElasticNet,
    ElasticNetCV,
    GammaRegressor,
    GroupLasso,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskElasticNet,
    MultiTaskLasso,
    Perceptron,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    RidgeCV,
    SGDClassifier,
    SGDRegressor,
)
from recta.svm import LinearSVR

random = np.random.default_rng(16)
X = random.standard_normal((60, 4))
Y = np.column_stack([X @ [1.0, 2.0, 0.0, 0.0], X @ [0.0, -1.0, 1.0, 0.5]]) + random.standard_normal((60, 2))
NUMBER, COUNT, POSITIVE = Y[:, 0], np.floor(np.exp(Y[:, 0] / 2)), np.exp(Y[:, 0])
TWO, THREE = np.where(Y[:, 0] > 0, "yes", "no"), np.digitize(Y[:, 0], [-1.0, 1.0])

REGRESSORS = [
    (LinearRegression(), NUMBER),
    (LinearRegression(), Y),
    (LinearRegression(fit_intercept=False), NUMBER),
    (Ridge(), NUMBER),
    (Ridge(), Y),
    (Ridge(alpha=[1.0, 5.0]), Y),
    (Ridge(alpha=2.0), NUMBER[:, None]),
    (RidgeCV(), NUMBER),
    (RidgeCV(), Y),
    (Lasso(alpha=0.1), NUMBER),
    (Lasso(alpha=0.1), Y),
    (ElasticNet(alpha=0.1), NUMBER),
    (LassoCV(alphas=5), NUMBER),
    (ElasticNetCV(alphas=5), NUMBER),
    (GroupLasso(alpha=0.1, groups=2), NUMBER),
    (MultiTaskLasso(alpha=0.1), Y),
    (MultiTaskElasticNet(alpha=0.1), Y),
    (HuberRegressor(), NUMBER),
    (QuantileRegressor(alpha=0.01), NUMBER),
    (LinearSVR(), NUMBER),
    (PoissonRegressor(), COUNT),
    (GammaRegressor(), POSITIVE),
]
CLASSIFIERS = [
    (RidgeClassifier(), TWO),
    (RidgeClassifier(), THREE),
    (RidgeClassifier(alpha=[1.0, 2.0, 3.0]), THREE),
    (RidgeClassifier(), np.column_stack([THREE == 0, THREE == 1]).astype(int)),
    (RidgeClassifier(fit_intercept=False), THREE),
    (LogisticRegression(), TWO),
    (LogisticRegression(), THREE),
    (LogisticRegression(fit_intercept=False), TWO),
    (LogisticRegressionCV(Cs=2, cv=2), TWO),
    (LogisticRegressionCV(Cs=2, cv=2), THREE),
    (Perceptron(max_iter=20), TWO),
    (Perceptron(max_iter=20), THREE),
    (DeltaRule(max_iter=20), TWO),
    (DeltaRule(max_iter=20), THREE),
]
ALL = REGRESSORS + CLASSIFIERS
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def name(value):
    return type(value).__name__ if hasattr(value, "fit") else "x".join(map(str, np.shape(value)))


def changed(estimator, y):
    """Fitted, then thresholded where it lies and moved by assignment."""
    model = copy.deepcopy(estimator).fit(X, y)
    model.coef_[np.abs(model.coef_) < 0.6] = 0.0
    model.intercept_ = model.intercept_ + 0.75
    return model


def scores(model, X=X):
    z = X @ np.atleast_2d(model.coef_).T + model.intercept_
    return z[:, 0] if z.shape[1] == 1 and np.ndim(model.coef_) <= 1 else z


@pytest.mark.parametrize("estimator, y", REGRESSORS, ids=name)
def test_a_regressor_predicts_from_its_attributes(estimator, y):
    model = changed(estimator, y)
    z = scores(model)
    expected = np.exp(z) if isinstance(model, (PoissonRegressor, GammaRegressor)) else z
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(model.predict(sparse.csr_array(X)), expected, rtol=1e-12, atol=1e-12)
    rows = model.fast_predictor()(X)
    np.testing.assert_allclose(rows.reshape(expected.shape), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("estimator, y", CLASSIFIERS, ids=name)
def test_a_classifier_predicts_from_its_attributes(estimator, y):
    model = changed(estimator, y)
    z = scores(model)
    flat = z[:, 0] if z.ndim == 2 and z.shape[1] == 1 else z
    np.testing.assert_allclose(model.decision_function(X), flat, rtol=1e-12, atol=1e-12)
    if y.ndim == 2:
        expected = (flat >= 0).astype(int)
    else:
        expected = model.classes_[(flat >= 0).astype(int) if flat.ndim == 1 else flat.argmax(axis=1)]
    assert (model.predict(X) == expected).all()
    if hasattr(model, "predict_proba"):
        both = flat if flat.ndim == 2 else np.column_stack([np.zeros(len(flat)), flat])
        np.testing.assert_allclose(model.predict_proba(X), softmax(both, axis=1), rtol=1e-12)
        np.testing.assert_allclose(model.predict_log_proba(X), log_softmax(both, axis=1), rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("estimator, y", ALL, ids=name)
def test_the_certificate_says_so_and_verify_measures_it(estimator, y):
    model = changed(estimator, y)
    certificate = model.certificate_
    assert certificate.stop == "changed by hand" and certificate.verdict == "stopped_early"
    assert certificate.sentence.startswith(
        ("Changed by hand, not proved: the coefficients are not those of the fit", "y1: Changed by hand")
    )
    again = certificate.verify(X, y)
    if isinstance(model, Perceptron):  # it proves what is true of the rows, whatever the weights
        assert again.claim == "not_separable"
        return
    assert (
        again.verdict == "stopped_early"
        and "Changed by hand, not proved: " in again.sentence
        and "not those" not in again.sentence
    )


def test_the_distance_to_the_optimum_is_the_true_one():
    model = LinearRegression().fit(X, NUMBER)
    best = np.mean((NUMBER - model.predict(X)) ** 2) / 2
    model.intercept_ += 3.0
    assert model.certificate_.verify(X, NUMBER).gap == pytest.approx(
        np.mean((NUMBER - scores(model)) ** 2) / 2 - best, rel=1e-9
    )


@pytest.mark.parametrize("estimator, y", ALL, ids=name)
def test_nothing_changes_where_nothing_was_changed(estimator, y):
    model = copy.deepcopy(estimator).fit(X, y)
    before, sentence, held = model.predict(X), model.certificate_.sentence, model.__dict__["_model"]
    model.coef_, model.intercept_ = copy.copy(model.coef_), copy.copy(model.intercept_)
    assert model.predict(X).tobytes() == before.tobytes() and model.certificate_.sentence == sentence
    assert model.__dict__["_model"] is held


@pytest.mark.parametrize("estimator, y", ALL, ids=name)
def test_pickles_copies_and_files_hold_what_was_changed(estimator, y, tmp_path):
    model = changed(estimator, y)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # before any prediction
        assert again.predict(X).tobytes() == model.predict(X).tobytes()
        assert again.certificate_.stop == "changed by hand"
    if np.ndim(getattr(model, "alpha", 1.0)):
        return  # one objective a penalty is no file
    model.save(tmp_path / "m.recta")
    light = recta.load(tmp_path / "m.recta")
    assert light.certificate.sentence == model.certificate_.sentence
    full = type(model).load(tmp_path / "m.recta")
    assert full.certificate_.stop == "changed by hand"
    assert np.ravel(full.predict(X)).tolist() == np.ravel(model.predict(X)).tolist()


def test_the_command_line_verifies_and_predicts_a_changed_model(program, tmp_path):
    model = Ridge().fit(X, NUMBER)
    model.coef_[1] = 0.0
    model.save(tmp_path / "m.recta")
    rows = "\n".join(",".join(map(repr, map(float, [*x, y]))) for x, y in zip(X, NUMBER))
    (tmp_path / "train.csv").write_text("x1,x2,x3,x4,y\n" + rows + "\n")

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, cwd=tmp_path)

    plain, strict = run("verify", "m.recta", "train.csv"), run("verify", "m.recta", "train.csv", "--strict")
    assert plain.returncode == 0 and plain.stdout.splitlines()[-1].startswith(
        "Changed by hand, not proved: the objective "
    )
    assert strict.returncode == 4
    said = run("predict", "m.recta", "train.csv").stdout.splitlines()[1:]
    assert [float(line.split(",")[-1]) for line in said] == model.predict(X).tolist()
    assert "Changed by hand" in run("inspect", "m.recta").stdout


def test_what_the_fit_said_of_its_answer_is_gone():
    model = LinearRegression().fit(X, NUMBER)
    model.coef_ = np.array([1.0, 2.0, 0.0, 0.0])
    rows = model.summary().rows()
    assert [value for _, value, *_ in rows[1:]] == [1.0, 2.0, 0.0, 0.0] and all(
        np.isnan(error) for _, _, error, *_ in rows
    )
    assert np.isnan(model.summary().quality()["r2"])
    with pytest.raises(ValueError, match="changed by hand"):
        model.prediction_interval(X)


def test_lists_numbers_and_sparse_matrices_may_be_assigned():
    model = Ridge().fit(X, NUMBER)
    model.coef_, model.intercept_ = [1, 0, 0, 2], 3
    assert (model.predict(X) == Ridge().fit(X, NUMBER).predict(X)).sum() == 0
    np.testing.assert_allclose(model.predict(X), X @ [1, 0, 0, 2] + 3, rtol=1e-13)
    held = model.__dict__["_model"]
    model.predict(X)
    assert model.__dict__["_model"] is held  # made once
    classifier = LogisticRegression().fit(X, TWO)
    expected = classifier.decision_function(X)
    classifier.coef_ = sparse.csr_matrix(classifier.coef_)
    assert (classifier.decision_function(X) == expected).all() and classifier.certificate_.verdict == "proved"


@pytest.mark.parametrize(
    "coef, intercept, words",
    [
        (np.ones(3), 1.0, r"coef_ has shape \(3,\), and the model has 4 coefficients"),
        (np.ones(4), np.ones(2), r"intercept_ has shape \(2,\), and the model has 1"),
        (["a"] * 4, 1.0, "coef_"),
    ],
)
def test_what_does_not_fit_is_refused(coef, intercept, words):
    model = Ridge().fit(X, NUMBER)
    model.coef_, model.intercept_ = coef, intercept
    with pytest.raises(ValueError, match=words):
        model.predict(X)


def test_a_refit_is_a_fit():
    model = changed(LogisticRegression(), TWO)
    assert model.fit(X, TWO).certificate_.verdict == "proved"
    assert (model.predict_proba(X) == LogisticRegression().fit(X, TWO).predict_proba(X)).all()


def test_an_intercept_where_the_fit_had_none_counts():
    model = LogisticRegression(fit_intercept=False).fit(X, TWO)
    model.intercept_[:] = 2.0
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(X @ model.coef_[0] + 2.0), rtol=1e-12)


@pytest.mark.parametrize(
    "estimator, y", [(SGDRegressor(), NUMBER), (SGDClassifier(), TWO), (SGDClassifier(), THREE)], ids=name
)
def test_learners_by_single_rows_predict_from_their_attributes_too(estimator, y):
    model = changed(estimator, y)
    found = model.predict(X) if y is NUMBER else model.decision_function(X)
    np.testing.assert_allclose(found, np.squeeze(scores(model)), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("offset", [None, np.linspace(-1, 1, 60)])
def test_frames_and_offsets_go_the_same_way(offset):
    import pandas

    frame = pandas.DataFrame(X, columns=list("abcd")).assign(kind=pandas.Categorical(np.where(THREE > 1, "u", "v")))
    model = LinearRegression().fit(frame, NUMBER, offset=offset)
    model.coef_[:] = np.arange(len(model.coef_))
    made = np.column_stack([X, THREE > 1, THREE <= 1])[:, : len(model.coef_)]
    if len(model.coef_) == 5:
        made = np.column_stack([X, THREE <= 1])
    expected = made @ model.coef_ + model.intercept_ + (0 if offset is None else offset)
    np.testing.assert_allclose(model.predict(frame, offset=offset), expected, rtol=1e-12, atol=1e-12)
