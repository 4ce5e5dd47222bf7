"""Measures that scikit-learn does not have: weights below zero refused, gain and lift, calibration errors, intervals."""

import inspect

import numpy as np
import pytest
import sklearn.metrics

import recta.metrics as metrics


def drawn(seed, rows=200):
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, rows)
    return y, np.round(random.standard_normal(rows) + y, 1)


WEIGHTED = [
    name
    for name in metrics.__all__
    if name not in ("Interval", "bootstrap_interval")
    and "sample_weight" in inspect.signature(getattr(metrics, name)).parameters
]


@pytest.mark.parametrize("name", WEIGHTED)
def test_a_weight_below_zero_is_refused_with_its_row(name):
    y, p = np.array([0, 1, 1, 0]), np.array([0.1, 0.9, 0.8, 0.4])
    scored = np.eye(3)[[0, 1, 2, 1]]
    arguments = {
        "top_k_accuracy_score": (np.array([0, 1, 2, 1]), scored),
        "hamming_loss": (scored.astype(int), scored[::-1].astype(int)),
        "label_ranking_loss": (scored.astype(int), scored),
    }.get(name)
    if arguments is None:
        classes = name in (
            "accuracy_score",
            "zero_one_loss",
            "confusion_matrix",
            "balanced_accuracy_score",
            "matthews_corrcoef",
            "cohen_kappa_score",
            "precision_score",
            "recall_score",
            "f1_score",
            "fbeta_score",
            "precision_recall_fscore_support",
        )
        arguments = (y, y[::-1]) if classes else (y, p)
    more = {"beta": 2} if name == "fbeta_score" else {}
    with pytest.raises(ValueError, match="row 3.*weight is -1"):
        getattr(metrics, name)(*arguments, sample_weight=np.array([1.0, 1.0, -1.0, 2.0]), **more)


@pytest.mark.parametrize("seed", range(50))
def test_gain_and_lift_are_counts_of_the_rows_that_score_highest(seed):
    y, score = drawn(seed)
    share, gain, threshold = metrics.cumulative_gain_curve(y, score)
    for s, g, t in zip(share[1:], gain[1:], threshold[1:]):
        assert s == pytest.approx((score >= t).mean(), abs=1e-15)
        assert g == pytest.approx(y[score >= t].sum() / y.sum(), abs=1e-15)
    shares, lift, _ = metrics.lift_curve(y, score)
    np.testing.assert_allclose(lift * shares, gain[1:], rtol=1e-15)


@pytest.mark.parametrize("seed", range(50))
def test_calibration_errors_are_those_of_the_curve(seed):
    random = np.random.default_rng(seed)
    p, w = random.random(300), random.integers(1, 4, 300)
    y = (random.random(300) < p**2).astype(int)
    share, mean = metrics.calibration_curve(y, p, n_bins=10, sample_weight=w)
    many_share, many_mean = metrics.calibration_curve(np.repeat(y, w), np.repeat(p, w), n_bins=10)
    np.testing.assert_allclose(share, many_share, rtol=1e-13)
    np.testing.assert_allclose(mean, many_mean, rtol=1e-13)
    weight = np.histogram(p, np.linspace(0, 1, 11), weights=w)[0]
    weight = weight[weight > 0]
    distance = np.abs(share - mean)
    assert metrics.calibration_error(y, p, sample_weight=w) == pytest.approx(
        np.average(distance, weights=weight), rel=1e-13
    )
    assert metrics.calibration_error(y, p, sample_weight=w, norm="l2") == pytest.approx(
        np.average(distance**2, weights=weight) ** 0.5, rel=1e-13
    )
    assert metrics.calibration_error(y, p, sample_weight=w, norm="max") == pytest.approx(distance.max(), rel=1e-13)


def placements(y, score):
    """DeLong's standard error from all pairs."""
    ahead = (score[y == 1][:, None] > score[y == 0]) + 0.5 * (score[y == 1][:, None] == score[y == 0])
    return np.sqrt(ahead.mean(axis=1).var(ddof=1) / ahead.shape[0] + ahead.mean(axis=0).var(ddof=1) / ahead.shape[1])


@pytest.mark.parametrize("seed", range(50))
def test_delongs_interval_is_that_of_all_pairs(seed):
    y, score = drawn(seed, 60)
    found = metrics.roc_auc_interval(y, score, confidence_level=0.9)
    assert found.value == pytest.approx(metrics.roc_auc_score(y, score), abs=1e-15)
    assert found.standard_error == pytest.approx(placements(y, score), rel=1e-12)
    assert found.lower == pytest.approx(max(0, found.value - 1.6448536269514722 * found.standard_error), rel=1e-12)


def test_delongs_interval_holds_the_true_area_as_often_as_it_says():
    """The area of normal scores, one deviation apart, is Phi(1 / sqrt 2)."""
    random, held = np.random.default_rng(1), 0
    for _ in range(1000):
        y = np.repeat([0, 1], 80)
        found = metrics.roc_auc_interval(y, random.standard_normal(160) + y)
        held += found.lower <= 0.7602499389065233 <= found.upper
    assert 0.93 <= held / 1000 <= 0.97


def test_the_bootstrap_is_that_of_drawn_rows_and_repeats_itself():
    from recta import _core

    y, score = drawn(3, 80)
    found = metrics.bootstrap_interval(metrics.roc_auc_score, y, score, n_resamples=100, random_state=5)
    assert found == metrics.bootstrap_interval(metrics.roc_auc_score, y, score, n_resamples=100, random_state=5)
    assert found != metrics.bootstrap_interval(metrics.roc_auc_score, y, score, n_resamples=100, random_state=6)
    areas = []
    for k in range(100):
        rows = np.repeat(np.arange(80), _core.bootstrap_counts(80, 5, k).astype(int))
        assert len(rows) == 80
        areas.append(metrics.roc_auc_score(y[rows], score[rows]))
    np.testing.assert_allclose([found.lower, found.upper], np.quantile(areas, [0.025, 0.975]), rtol=1e-12)
    assert found.standard_error == pytest.approx(np.std(areas, ddof=1), rel=1e-12)


def test_bad_requests_are_refused():
    y, score = drawn(1, 20)
    for call in (
        lambda: metrics.bootstrap_interval(metrics.roc_auc_score, y, score, n_resamples=1),
        lambda: metrics.bootstrap_interval(metrics.roc_auc_score, y, score, confidence_level=1),
        lambda: metrics.roc_auc_interval(y, score, confidence_level=0),
        lambda: metrics.calibration_error(y, score),
        lambda: metrics.calibration_error(y, y, norm="l3"),
        lambda: metrics.calibration_curve(y, y, strategy="even"),
        lambda: metrics.calibration_curve(y, y, n_bins=0),
    ):
        with pytest.raises(ValueError):
            call()
    one = metrics.roc_auc_interval([0, 1, 1], [0.1, 0.2, 0.3])
    assert one.value == 1 and np.isnan(one.standard_error)


def test_whole_weights_beyond_the_whole_numbers_of_a_double_are_summed_exactly():
    y, w = [0, 0, 1, 2], np.array([2**60 + 1, 2**60, 3, 5])
    assert metrics.confusion_matrix(y, y, sample_weight=w).tolist() == [[2**61 + 1, 0, 0], [0, 3, 0], [0, 0, 5]]
    assert metrics.confusion_matrix(y, y, sample_weight=w.tolist(), labels=[1, 0]).tolist() == [[3, 0], [0, 2**61 + 1]]
    beyond = metrics.confusion_matrix([0, 0, 1], [0, 0, 1], sample_weight=np.full(3, 2**63 - 1))
    assert beyond.dtype == np.float64 and beyond.tolist() == [[2.0**64, 0.0], [0.0, 2.0**63]]


@pytest.mark.filterwarnings("ignore:A single label")
def test_the_adjusted_accuracy_of_one_class_is_not_a_number():
    assert np.isnan(metrics.balanced_accuracy_score([1, 1], [1, 1], adjusted=True))


@pytest.mark.parametrize(
    "measure",
    [metrics.recall_score, metrics.precision_score, metrics.f1_score, metrics.precision_recall_fscore_support],
)
@pytest.mark.parametrize("labels", [[0, 3], [-1], [0, 1, 2, 3]])
def test_labels_of_sets_are_their_columns_and_others_are_refused(measure, labels):
    sets = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    with pytest.raises(
        ValueError, match=r"All labels must be in \[0, n labels\) for multilabel targets. Got (3|-1) of 3 labels"
    ):
        measure(sets, sets[::-1], labels=labels, average="macro")


@pytest.mark.parametrize("measure", ["log_loss", "d2_log_loss_score", "brier_score_loss", "d2_brier_score"])
def test_log_loss_takes_label_sets_as_scikit_learns(measure):
    random = np.random.default_rng(3)
    p = random.dirichlet(np.ones(4), 30)
    weights = random.random(30)
    for sets in (np.eye(4, dtype=int)[random.integers(0, 4, 30)], random.integers(0, 2, (30, 4))):
        for given in ({}, {"sample_weight": weights}):
            expected = getattr(sklearn.metrics, measure)(sets, p, **given)
            assert getattr(metrics, measure)(sets, p, **given) == pytest.approx(expected, rel=1e-14)
    total = metrics.log_loss(sets, p, sample_weight=weights, normalize=False)
    assert total == pytest.approx(-(weights @ (sets * np.log(p)).sum(axis=1)), rel=1e-14)
    with pytest.raises(ValueError, match="different number of classes: 4 vs 3"):
        metrics.log_loss(sets, p[:, :3])


@pytest.mark.parametrize("measure", ["d2_log_loss_score", "d2_brier_score"])
def test_explained_shares_refuse_truth_of_another_length_than_the_probabilities(measure):
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        getattr(metrics, measure)([0, 1, 1], [[0.2, 0.7, 0.6]])


def test_what_cannot_be_measured_is_named_as_scikit_learn_names_it():
    with pytest.raises(ValueError, match="can't handle a mix of binary and continuous targets"):
        metrics.accuracy_score([0, 1], [0.5, 0.7])
    with pytest.raises(ValueError, match="inconsistent numbers of samples: .3, 3, 2."):
        metrics.mean_squared_error([0, 1, 2], [0, 1, 2], sample_weight=[1, 1])
    with pytest.raises(ValueError, match="contains infinity"):
        metrics.log_loss([0, 1], [0.5, np.inf])
    with pytest.raises(ValueError, match="At least one label in `labels` must be present in `y1`"):
        metrics.cohen_kappa_score([0, 1], [0, 1], labels=[2])


def test_the_hamming_loss_of_classes_is_the_share_of_wrong_rows_to_the_last_digit():
    assert metrics.hamming_loss([0, 1, 1], [0, 0, 1]) == 1 / 3
