"""LogisticRegressionCV: scores and choices beside scikit-learn's, and what its folds may not do."""

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import KFold, StratifiedKFold

import recta
from recta.linear_model import LogisticRegression, LogisticRegressionCV

X, Y = make_classification(150, 6, n_informative=3, flip_y=0.15, random_state=4)
CS = [0.003, 0.03, 0.3, 3.0]


def theirs(x, y, weights=None, **options):
    options = {
        "Cs": CS,
        "l1_ratios": (0.0,),
        "cv": 4,
        "scoring": "neg_log_loss",
        "tol": 1e-9,
        "max_iter": 10000,
        "solver": "newton-cg",
    } | options
    return sklearn.linear_model.LogisticRegressionCV(use_legacy_attributes=False, **options).fit(
        x, y, sample_weight=weights
    )


@pytest.mark.parametrize(
    "options", [{}, {"scoring": "accuracy"}, {"fit_intercept": False}, {"class_weight": "balanced"}, {"cv": KFold(3)}]
)
@pytest.mark.parametrize("data", [(X, Y), load_iris(return_X_y=True)], ids=["two", "three"])
def test_scores_and_choice_are_those_of_scikit_learn(data, options):
    if "cv" in options and len(np.unique(data[1])) == 3:
        options = {"cv": KFold(3, shuffle=True, random_state=0)}
    ours, peer = LogisticRegressionCV(**({"Cs": CS, "cv": 4} | options)).fit(*data), theirs(*data, **options)
    np.testing.assert_allclose(ours.scores_, peer.scores_, rtol=1e-5, atol=1e-12)
    np.testing.assert_allclose(ours.coefs_paths_, peer.coefs_paths_, rtol=1e-3, atol=1e-4)
    assert pytest.approx(peer.C_) == ours.C_ and ours.certificate_.verdict == "proved"
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(ours.predict(data[0]), peer.predict(data[0]))


def test_shares_of_absolute_values_are_chosen_too():
    shares = [0.0, 0.5, 1.0]
    ours = LogisticRegressionCV(Cs=CS, l1_ratios=shares, cv=3).fit(X, Y)
    folds = list(StratifiedKFold(3).split(X, Y))
    for s, share in enumerate(shares):
        for c, C in enumerate(CS):
            for k, (train, test) in enumerate(folds):
                model = LogisticRegression(C=C, l1_ratio=share).fit(X[train], Y[train])
                own = model.predict_proba(X[test])[np.arange(len(test)), Y[test]]
                assert ours.scores_[k, s, c] == pytest.approx(np.log(own).mean(), rel=1e-6)
    mean = ours.scores_.mean(axis=0)
    assert mean[shares.index(ours.l1_ratio_), CS.index(ours.C_)] == mean.max()
    chosen = LogisticRegression(C=ours.C_, l1_ratio=ours.l1_ratio_).fit(X, Y)
    np.testing.assert_array_equal(ours.coef_, chosen.coef_)


def several():
    x, y = make_classification(150, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=5)
    return x, np.array(["yes", "no", "perhaps"])[y]


@pytest.mark.parametrize("given", [np.asarray, scipy.sparse.csr_array, scipy.sparse.csc_array])
@pytest.mark.parametrize(
    "options", [{}, {"fit_intercept": False, "class_weight": {"no": 3.0, "yes": 0.5}}, {"l1_ratios": [0.0, 0.7, 1.0]}]
)
@pytest.mark.parametrize("classes", [2, 3])
def test_folds_of_one_path_are_those_of_single_fits(given, options, classes):
    X, names = (globals()["X"], np.where(Y == 1, "yes", "no")) if classes == 2 else several()
    weights = np.arange(150) % 3 + 0.5
    Cs = [3.0, 0.003, 0.3]  # in no order
    one = LogisticRegressionCV(Cs=Cs, cv=3, **options).fit(given(X), names, sample_weight=weights)
    # a scorer of one's own has a model for every C
    single = LogisticRegressionCV(
        Cs=Cs,
        cv=3,
        scoring=lambda model, x, y, sample_weight: np.average(
            model.predict_log_proba(x)[np.arange(len(y)), np.searchsorted(model.classes_, y)], weights=sample_weight
        ),
        **options,
    )
    single.fit(given(X), names, sample_weight=weights)
    np.testing.assert_allclose(one.scores_, single.scores_, rtol=1e-7 if classes == 2 else 1e-6)
    np.testing.assert_allclose(one.coefs_paths_, single.coefs_paths_, rtol=1e-4, atol=1e-6 if classes == 2 else 1e-5)
    assert one.C_ == single.C_ and np.array_equal(one.coef_, single.coef_)


def test_folds_of_several_classes_are_paths_and_not_single_fits(monkeypatch):
    x, y = several()
    monkeypatch.setattr(LogisticRegressionCV, "_model_at", None)
    model, words = LogisticRegressionCV(Cs=CS, l1_ratios=[0.0, 1.0], cv=3), []
    path = recta._core.path
    monkeypatch.setattr(recta._core, "path", lambda word, *args: words.append(word) or path(word, *args))
    model.fit(x, y)
    assert words == ["softmax"] * 6  # one for every fold and share
    assert model.scores_.shape == (3, 2, 4) and model.coefs_paths_.shape == (3, 2, 4, 3, 7)


@pytest.mark.parametrize("classes", [2, 3])
def test_more_columns_than_products_are_held_of(classes):
    rng = np.random.default_rng(1)
    x = scipy.sparse.random_array((90, 8200), density=0.01, random_state=rng, format="csr")
    y = np.arange(90) % classes
    model = LogisticRegressionCV(Cs=[0.1, 10.0], cv=3).fit(x, y)
    train, test = next(StratifiedKFold(3).split(x, y))
    own = LogisticRegression(C=10.0).fit(x[train], y[train]).predict_log_proba(x[test])[np.arange(30), y[test]]
    assert model.scores_[0, 0, 1] == pytest.approx(own.mean(), rel=1e-6) and model.certificate_.verdict == "proved"


def test_one_standard_error_takes_the_strongest_penalty_that_is_as_good():
    best, near = (LogisticRegressionCV(Cs=12, cv=5, choose=choose).fit(X, Y) for choose in ("best", "1se"))
    scores = best.scores_[:, 0]
    mean, top = scores.mean(axis=0), scores.mean(axis=0).argmax()
    error = scores[:, top].std(ddof=1) / np.sqrt(5)
    assert min(C for C, score in zip(best.Cs_, mean) if score >= mean[top] - error) == near.C_
    assert near.C_ < best.C_ and np.abs(near.coef_).sum() < np.abs(best.coef_).sum()


def test_weights_are_repetition_in_fits_and_scores():
    weights = np.random.default_rng(0).integers(0, 3, len(Y))
    groups = np.arange(len(Y)) % 3
    rows = np.repeat(np.arange(len(Y)), weights)
    splits = [(np.flatnonzero(groups != k), np.flatnonzero(groups == k)) for k in range(3)]
    again = [(np.flatnonzero(groups[rows] != k), np.flatnonzero(groups[rows] == k)) for k in range(3)]
    weighted = LogisticRegressionCV(Cs=CS, cv=splits).fit(X, Y, sample_weight=weights)
    repeated = LogisticRegressionCV(Cs=CS, cv=again).fit(X[rows], Y[rows])
    np.testing.assert_allclose(weighted.scores_, repeated.scores_, rtol=1e-8)
    assert weighted.C_ == repeated.C_
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-6, atol=1e-9)


def test_words_sparse_rows_files_and_other_scores(tmp_path):
    words = np.where(Y == 1, "yes", "no")
    model = LogisticRegressionCV(Cs=CS, cv=3).fit(X, words)
    np.testing.assert_array_equal(model.scores_, LogisticRegressionCV(Cs=CS, cv=3).fit(X, Y).scores_)
    sparse = LogisticRegressionCV(Cs=CS, cv=3).fit(scipy.sparse.csc_array(X), words)
    np.testing.assert_allclose(sparse.scores_, model.scores_, rtol=1e-6)
    model.save(tmp_path / "m.recta")
    again = LogisticRegressionCV.load(tmp_path / "m.recta")
    assert again.Cs == [pytest.approx(model.C_)] and recta.load(tmp_path / "m.recta").word == "logistic"
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    mine = LogisticRegressionCV(Cs=CS, cv=3, scoring=lambda fitted, x, y: -np.abs(fitted.coef_).sum()).fit(X, words)
    assert min(CS) == mine.C_
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abcdef")).assign(kind=pandas.Categorical(np.where(X[:, 0] > 0, "u", "v")))
    coded = LogisticRegressionCV(Cs=CS, cv=3).fit(np.column_stack([X, X[:, 0] > 0, X[:, 0] <= 0]), words)
    np.testing.assert_allclose(LogisticRegressionCV(Cs=CS, cv=3).fit(frame, words).scores_, coded.scores_, rtol=1e-6)


@pytest.mark.parametrize(
    "options, said",
    [
        ({"Cs": 0}, "'Cs' parameter"),
        ({"Cs": [1.0, -1.0]}, "Cs"),
        ({"l1_ratios": [2.0]}, "l1_ratios"),
        ({"choose": "worst"}, "'choose' parameter"),
        ({"refit": False}, "refit"),
        ({"use_legacy_attributes": True}, "use_legacy_attributes"),
        ({"penalty": None}, "'penalty' parameter"),
    ],
)
def test_what_has_no_meaning_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        LogisticRegressionCV(**options).fit(X, Y)


def test_a_fold_without_a_class_is_named():
    order = np.argsort(load_iris().target, kind="stable")
    x, y = load_iris().data[order], np.array(["a", "b", "c"])[load_iris().target[order]]
    with pytest.raises(ValueError, match="fold 0 trains on have no row of the class 'a'"):
        LogisticRegressionCV(Cs=CS, cv=KFold(3)).fit(x, y)
