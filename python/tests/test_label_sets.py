"""Rows with several labels: measures beside scikit-learn's, and the estimator beside one fit per label."""

import pickle
import warnings

import numpy as np
import pytest
import sklearn.metrics
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsRestClassifier as PeerRest
from sklearn.multioutput import ClassifierChain as PeerChain

import recta
import recta.metrics
from recta.linear_model import LogisticRegression, Perceptron, Ridge, RidgeClassifier
from recta.multiclass import OneVsRestClassifier
from recta.multioutput import ClassifierChain, LabelSetClassifier, MultiOutputClassifier
from recta.neighbors import KNeighborsClassifier
from recta.svm import SVC


def rows(seed, n=120, labels=4):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 5))
    Y = (X @ draw.normal(size=(5, labels)) + draw.normal(size=(n, labels)) > 0.3).astype(int)
    return X, Y, draw.uniform(0.1, 3, n)


@pytest.mark.parametrize("seed, cases", [(8, 100), pytest.param(9, 400, marks=pytest.mark.slow)])
def test_measures_are_scikit_learns_with_ties_and_weights(seed, cases):
    draw = np.random.default_rng(seed)
    for _ in range(cases):
        n, labels = draw.integers(1, 12), draw.integers(2, 7)
        truth, said = draw.integers(0, 2, (2, n, labels))
        score = draw.integers(0, 5, (n, labels)) / 4
        for weights in (None, draw.uniform(0.1, 3, n)):
            for name in ("hamming_loss", "accuracy_score"):
                mine, peer = (
                    getattr(module, name)(truth, said, sample_weight=weights)
                    for module in (recta.metrics, sklearn.metrics)
                )
                assert mine == pytest.approx(peer, rel=1e-12, abs=1e-12), name
            for average in ("micro", "macro", "weighted", "samples"):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    mine, peer = (
                        module.f1_score(truth, said, average=average, sample_weight=weights)
                        for module in (recta.metrics, sklearn.metrics)
                    )
                assert mine == pytest.approx(peer, rel=1e-12, abs=1e-12), average
            mine = recta.metrics.label_ranking_loss(truth, score, sample_weight=weights)
            assert mine == pytest.approx(
                sklearn.metrics.label_ranking_loss(truth, score, sample_weight=weights), rel=1e-12, abs=1e-12
            )
    assert recta.metrics.hamming_loss(["a", "b", "b"], ["a", "a", "b"]) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="format is not supported"):
        recta.metrics.label_ranking_loss([0, 1, 2], [0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    "estimator",
    [
        LabelSetClassifier(LogisticRegression()),
        LabelSetClassifier(Perceptron(random_state=1)),
        LabelSetClassifier(LogisticRegression(), order="random", random_state=3),
    ],
)
def test_scikit_learns_conventions(estimator):
    X, Y, weights = rows(9)
    model = clone(estimator).fit(X, Y)
    assert estimator.get_params().keys() == model.get_params().keys() and model.n_features_in_ == 5
    np.testing.assert_array_equal(model.decision_function(sparse.csr_array(X)), model.decision_function(X))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(
        clone(estimator).fit(np.asfortranarray(X), Y.astype(bool)).predict(X), model.predict(X)
    )
    assert hasattr(model, "predict_proba") == hasattr(estimator.estimator, "predict_proba")
    assert 0 <= model.score(X, Y, sample_weight=weights) <= 1
    with pytest.raises(ValueError, match="X has 4 features, but LabelSetClassifier is expecting 5"):
        model.predict(X[:, :4])
    with pytest.raises(NotFittedError):
        clone(estimator).predict(X)
    with pytest.raises(ValueError, match="NaN"):
        clone(estimator).fit(np.where(X[3, 2] == X, np.nan, X), Y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        clone(estimator).fit(X, Y[:-1])
    with pytest.raises(ValueError, match="at least two dimensions"):
        clone(estimator).fit(X, Y[:, 0])
    assert len(cross_val_score(clone(estimator), X, Y, cv=3)) == 3


def test_columns_of_frames_have_names():
    pandas = pytest.importorskip("pandas")
    X, Y, _ = rows(10)
    frame = pandas.DataFrame(X, columns=list("abcde"))
    model = LabelSetClassifier(LogisticRegression()).fit(frame, Y)
    assert model.feature_names_in_.tolist() == list("abcde")
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c", "d", "e"]])


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(C=0.5),
        KNeighborsClassifier(7),
        SVC(kernel="rbf"),
        Perceptron(random_state=4),
        RidgeClassifier(),
    ],
)
def test_labels_are_fitted_as_if_each_were_alone(estimator):
    X, Y, weights = rows(1)
    model = LabelSetClassifier(estimator).fit(X, Y, sample_weight=weights)
    assert len(model.certificates_) == 4
    assert model.certificate_.verdict == "proved" or isinstance(estimator, Perceptron)
    for k in range(4):
        alone = estimator.fit(X, Y[:, k], sample_weight=weights)
        if hasattr(estimator, "predict_proba"):
            np.testing.assert_allclose(
                model.predict_proba(X)[:, k], alone.predict_proba(X)[:, 1], rtol=1e-9, atol=1e-12
            )
        else:
            np.testing.assert_allclose(
                model.decision_function(X)[:, k], alone.decision_function(X), rtol=1e-9, atol=1e-9
            )
        np.testing.assert_array_equal(model.predict(X)[:, k], alone.predict(X))


def test_a_chain_is_scikit_learns():
    X, Y, _ = rows(2)
    order = [2, 0, 3, 1]
    mine = LabelSetClassifier(LogisticRegression(), order=order).fit(X, Y)
    peer = PeerChain(LogisticRegression(), order=order).fit(X, Y)
    np.testing.assert_array_equal(mine.predict(X), peer.predict(X))
    np.testing.assert_allclose(mine.predict_proba(X), peer.predict_proba(X), rtol=1e-8, atol=1e-10)


def test_chains_average_and_the_seed_draws_them():
    X, Y, _ = rows(3)
    model = LabelSetClassifier(LogisticRegression(), chains=5, random_state=7).fit(X, Y)
    again = LabelSetClassifier(LogisticRegression(), chains=5, random_state=7).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))
    assert model.report_["figures"]["chains"] == 5 and len(model.certificates_) == 20
    np.testing.assert_array_equal(model.predict(X), model.predict_proba(X) >= 0.5)


def test_thresholds():
    X, Y, _ = rows(4)
    plain = LabelSetClassifier(LogisticRegression()).fit(X, Y)
    each = LabelSetClassifier(LogisticRegression(), threshold=[0.2, 0.5, 0.9, 0.5]).fit(X, Y)
    np.testing.assert_array_equal(each.predict(X), plain.predict_proba(X) >= [0.2, 0.5, 0.9, 0.5])
    chosen = LabelSetClassifier(LogisticRegression(), threshold="held-out", random_state=0).fit(X, Y)
    table = chosen.report_["tables"]["parts"]
    assert all(0 < row[table["columns"].index("threshold")] < 1 for row in table["rows"])


def test_a_file_is_read_by_any_front_end(tmp_path):
    X, Y, _ = rows(5)
    model = LabelSetClassifier(LogisticRegression(), order=[1, 0, 2, 3]).fit(X, Y)
    model.save(tmp_path / "m.recta")
    loaded = recta.load(tmp_path / "m.recta")
    assert loaded.labels == ["y1", "y2", "y3", "y4"]
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_a_constant_label_is_a_constant():
    X, Y, _ = rows(6)
    Y[:, 1] = 1
    model = LabelSetClassifier(LogisticRegression()).fit(X, Y)
    assert (model.predict(X)[:, 1] == 1).all() and (model.predict_proba(X)[:, 1] == 1).all()
    assert len(model.certificates_) == 3
    assert any("constant" in text for text in model.certificate_.conditions)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"estimator": Ridge()}, "classifier of Recta's"),
        ({"order": [0, 1]}, "every column of y once"),
        ({"order": "sorted"}, "'order' parameter"),
        ({"chains": 0}, "from 1 up"),
        ({"threshold": [0.5]}, "1 thresholds and 4 labels"),
        ({"threshold": "best"}, "'threshold' parameter"),
        ({"estimator": LogisticRegression(class_weight="balanced")}, "classifier of Recta's"),
    ],
)
def test_refusals(change, words):
    X, Y, _ = rows(7)
    with pytest.raises(ValueError, match=words):
        LabelSetClassifier(**({"estimator": LogisticRegression()} | change)).fit(X, Y)
    with pytest.raises(ValueError, match="other than 0 and 1"):
        LabelSetClassifier(LogisticRegression()).fit(X, Y + 1)


@pytest.mark.parametrize("estimator", [LogisticRegression(C=0.7), Perceptron(random_state=2)])
def test_scikit_learns_classes_run_in_the_library_where_they_can(estimator, tmp_path):
    X, Y, weights = rows(11)
    for given in (None, weights):
        mine = MultiOutputClassifier(estimator).fit(X, Y, sample_weight=given)
        plain = MultiOutputClassifier(estimator).fit(
            X.tolist(), Y, sample_weight=given
        )  # a list goes scikit-learn's way
        assert hasattr(mine, "_sets") and not hasattr(plain, "_sets")
        np.testing.assert_array_equal(mine.predict(X), plain.predict(X))
        for one, other in zip(mine.estimators_, plain.estimators_, strict=True):
            np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-9, atol=1e-12)
            assert one.certificate_.verdict == other.certificate_.verdict
            assert one.classes_.tolist() == other.classes_.tolist()
    for order in (None, [3, 1, 0, 2], "random"):
        mine = ClassifierChain(estimator, order=order, random_state=5).fit(X, Y)
        peer = PeerChain(estimator, order=order, random_state=5).fit(X, Y)
        assert hasattr(mine, "_sets") and list(mine.order_) == list(peer.order_)
        np.testing.assert_array_equal(mine.predict(X), peer.predict(X))
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(mine)).predict(X), mine.predict(X))
    mine.save(tmp_path / "chain.recta")
    np.testing.assert_array_equal(recta.load(tmp_path / "chain.recta").predict(X), mine.predict(X))
    with pytest.raises(ValueError, match="was not written"):
        plain.save(tmp_path / "plain.recta")


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("sets", [np.asarray, sparse.csr_array])
def test_one_class_against_the_rest_of_sets_runs_in_the_library(layout, sets, tmp_path):
    X, Y, _ = rows(14)
    mine = OneVsRestClassifier(LogisticRegression(C=0.7)).fit(layout(X), sets(Y))
    peer = PeerRest(LogisticRegression(C=0.7)).fit(layout(X), sets(Y))  # one fit of Recta's per label
    assert hasattr(mine, "_sets") and mine.multilabel_ and mine.classes_.tolist() == peer.classes_.tolist()
    assert type(mine.predict(layout(X))) is type(peer.predict(layout(X)))
    dense = [
        getattr(said, "toarray", lambda said=said: said)()
        for said in (mine.predict(layout(X)), peer.predict(layout(X)))
    ]
    np.testing.assert_array_equal(*dense)
    np.testing.assert_allclose(mine.predict_proba(layout(X)), peer.predict_proba(layout(X)), rtol=1e-9)
    for one, other in zip(mine.estimators_, peer.estimators_, strict=True):
        np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-9, atol=1e-12)
        assert one.certificate_.verdict == other.certificate_.verdict == "proved"
    mine.save(tmp_path / "rest.recta")
    np.testing.assert_array_equal(recta.load(tmp_path / "rest.recta").predict(X), dense[0])


def test_labels_of_all_rows_or_none_are_constants_as_in_scikit_learn():
    X, Y, _ = rows(15)
    Y = np.column_stack([np.zeros(len(Y), dtype=int), Y, np.ones(len(Y), dtype=int)])
    with pytest.warns(UserWarning) as mine_said:
        mine = OneVsRestClassifier(LogisticRegression()).fit(X, Y)
    with pytest.warns(UserWarning) as peer_said:
        peer = PeerRest(LogisticRegression()).fit(X, Y)
    assert hasattr(mine, "_sets")
    assert [str(one.message) for one in mine_said] == [str(one.message) for one in peer_said]
    np.testing.assert_array_equal(mine.predict(X), peer.predict(X))
    np.testing.assert_allclose(mine.predict_proba(X), peer.predict_proba(X), rtol=1e-9)
    assert mine.proved_ == "4 of 6 parts proved; 2 without a proof"


@pytest.mark.parametrize(
    "model", [MultiOutputClassifier(LogisticRegression()), ClassifierChain(LogisticRegression(), order=[2, 0, 3, 1])]
)
def test_sparse_rows_give_what_dense_ones_do(model):
    X, Y, _ = rows(16)
    of_sparse, dense = clone(model).fit(sparse.csr_array(X), Y), clone(model).fit(X, Y)
    assert hasattr(of_sparse, "_sets") == isinstance(model, MultiOutputClassifier)
    np.testing.assert_array_equal(of_sparse.predict(sparse.csr_array(X)), dense.predict(X))
    for one, other in zip(of_sparse.estimators_, dense.estimators_, strict=True):
        np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array])
def test_one_class_against_the_rest_is_fitted_in_one_call(layout):
    X, Y, _ = rows(17)
    y = np.array(["p", "q", "r", "s"])[Y[:, 0] + 2 * Y[:, 1]]
    model = OneVsRestClassifier(LogisticRegression(C=0.3)).fit(X, Y)
    assert hasattr(model, "_sets") and not hasattr(model.fit(layout(X), y), "_sets")
    peer = PeerRest(LogisticRegression(C=0.3)).fit(layout(X), y)  # one fit of Recta's per class
    assert model.classes_.tolist() == peer.classes_.tolist() and not model.multilabel_
    np.testing.assert_array_equal(model.predict(layout(X)), peer.predict(layout(X)))
    np.testing.assert_allclose(model.predict_proba(layout(X)), peer.predict_proba(layout(X)), rtol=1e-9)
    for one, other in zip(model.estimators_, peer.estimators_, strict=True):
        np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-9, atol=1e-12)
        assert one.certificate_.verdict == "proved" and one.classes_.tolist() == other.classes_.tolist()
    with pytest.raises(ValueError, match="was not written"):
        model.save("no.recta")


def test_other_columns_go_scikit_learns_way():
    X, Y, _ = rows(12)
    three = np.column_stack([Y[:, 0], Y[:, 1] + 2 * Y[:, 2]])
    for model in (MultiOutputClassifier(LogisticRegression()), ClassifierChain(LogisticRegression(), cv=3)):
        columns = three if isinstance(model, MultiOutputClassifier) else Y
        assert not hasattr(model.fit(X, columns), "_sets")
        assert model.predict(X).shape == columns.shape
    model = MultiOutputClassifier(LogisticRegression()).fit(X, Y)
    assert hasattr(model, "_sets") and not hasattr(model.fit(X, three), "_sets")


def test_a_partial_proof_verifies_by_itself():
    X, Y, _ = rows(13)
    model = MultiOutputClassifier(LogisticRegression()).fit(X, Y)
    for k, certificate in enumerate(model.certificates_):
        assert certificate.verify(X, Y[:, k]).verdict == "proved"
