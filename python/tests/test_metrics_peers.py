"""Every measure against scikit-learn's of the same name, to 1e-12, on random rows with ties, weights, rare classes and odd labels."""

import inspect
import warnings

import numpy as np
import pytest
import sklearn.calibration
import sklearn.metrics as theirs

import recta.metrics as ours

OWN = {
    "Interval",
    "bootstrap_interval",
    "calibration_curve",
    "calibration_error",
    "cumulative_gain_curve",
    "lift_curve",
    "roc_auc_interval",
}


def seeds(count):
    """A quarter of them in every run, all in ./test --full."""
    return [*range(count // 4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(count // 4, count))]


def same(mine, other):
    if isinstance(mine, tuple):
        assert len(mine) == len(other)
        for one, two in zip(mine, other):
            same(one, two)
    elif mine is None or other is None:
        assert mine is other
    else:
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-12)


def compare(name, *arguments, **keywords):
    """Both answer alike, or both refuse or warn with the same class."""
    said = []
    for module in (theirs, ours):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                answer = getattr(module, name)(*arguments, **keywords)
            except ValueError as error:
                answer = error
        said.append((answer, {warning.category for warning in caught if warning.category is not RuntimeWarning}))
    (other, other_warned), (mine, warned) = said
    if isinstance(other, ValueError) or isinstance(mine, ValueError):
        assert isinstance(other, ValueError) and isinstance(mine, ValueError), (name, keywords, other, mine)
        return
    same(mine, other)
    assert warned == other_warned, (name, keywords)


def labels_of(random, classes):
    """Names of classes: numbers from 0, other numbers, text, bools."""
    kind = random.integers(0, 5 if classes == 2 else 4)
    return (
        np.arange(classes),
        np.arange(classes) * 7 - 3,
        np.array([f"c{k}" for k in range(classes)]),
        np.arange(classes) * 1.0,
        np.array([False, True]),
    )[kind]


def weights_of(random, rows):
    return (None, random.integers(0, 4, rows) + (np.arange(rows) == 0), random.random(rows), None)[
        random.integers(0, 4)
    ]


@pytest.mark.parametrize("name", sorted(set(ours.__all__) - OWN))
def test_signatures_are_those_of_scikit_learn(name):
    mine, other = (list(inspect.signature(getattr(module, name)).parameters.values()) for module in (ours, theirs))
    assert [(p.name, p.kind) for p in mine] == [(p.name, p.kind) for p in other]
    assert [p.default for p in mine if p.default == p.default] == [p.default for p in other if p.default == p.default]


@pytest.mark.parametrize("seed", seeds(150))
def test_predicted_classes(seed):
    random = np.random.default_rng(seed)
    rows, classes = int(random.integers(2, 60)), int(random.integers(2, 6))
    labels = labels_of(random, classes)
    y, z = (labels[np.minimum(random.integers(0, classes, rows), random.integers(0, classes, rows))] for _ in range(2))
    w = weights_of(random, rows)
    for normalize in (True, False):
        compare("accuracy_score", y, z, normalize=normalize, sample_weight=w)
        compare("zero_one_loss", y, z, normalize=normalize, sample_weight=w)
    for normalize in (None, "true", "pred", "all"):
        compare("confusion_matrix", y, z, normalize=normalize, sample_weight=w)
    compare("confusion_matrix", y, z, labels=labels[::-1][:3], sample_weight=w)
    compare("balanced_accuracy_score", y, z, sample_weight=w)
    compare("matthews_corrcoef", y, z, sample_weight=w)
    for weights in (None, "linear", "quadratic"):
        compare("cohen_kappa_score", y, z, weights=weights, sample_weight=w)
    for average in ("binary", "micro", "macro", "weighted", None):
        for zero in ("warn", 0.0, 1.0, np.nan):
            more = {
                "average": average,
                "sample_weight": w,
                "zero_division": zero,
                "pos_label": labels[1] if average == "binary" else 1,
            }
            for name in ("precision_score", "recall_score", "f1_score"):
                compare(name, y, z, **more)
            compare("fbeta_score", y, z, beta=float(random.choice([0, 0.5, 2, np.inf])), **more)
    compare("precision_recall_fscore_support", y, z, sample_weight=w)
    compare("f1_score", y, z, labels=labels[:2], average="macro", sample_weight=w)


@pytest.mark.parametrize("seed", seeds(150))
def test_label_sets(seed):
    random = np.random.default_rng(seed)
    shape = int(random.integers(2, 40)), int(random.integers(2, 5))
    y, z = (random.integers(0, 2, shape) for _ in range(2))
    y[0], w = np.arange(shape[1]) % 2, weights_of(random, shape[0])
    compare("accuracy_score", y, z, sample_weight=w)
    for average in ("micro", "macro", "weighted", "samples", None):
        compare("f1_score", y, z, average=average, sample_weight=w)
        compare("precision_recall_fscore_support", y, z, average=average, sample_weight=w)
    score = np.round(random.standard_normal(shape), 1)
    for average in ("micro", "macro", "weighted", None):
        compare("roc_auc_score", y, score, average=average, sample_weight=w)
        compare("average_precision_score", y, score, average=average, sample_weight=w)


@pytest.mark.parametrize("seed", seeds(300))
def test_rankings_of_two_classes(seed):
    random = np.random.default_rng(seed)
    rows = int(random.integers(2, 80))
    y = (random.random(rows) < random.choice([0.1, 0.5, 0.9])).astype(int)
    score = random.standard_normal(rows) + y
    score = (score, np.round(score, 1), np.round(score), np.zeros(rows))[random.integers(0, 4)]
    w = weights_of(random, rows)
    both = (
        len(set(y.tolist() if w is None else y[w > 0].tolist())) == 2
    )  # or scikit-learn fails over a curve of one point
    for max_fpr in (None, 0.3, 1.0) if both else (None,):
        compare("roc_auc_score", y, score, sample_weight=w, max_fpr=max_fpr)
    compare("average_precision_score", y, score, sample_weight=w)
    for drop in (True, False):
        compare("precision_recall_curve", y, score, sample_weight=w, drop_intermediate=drop)
    compare("roc_curve", y, score, sample_weight=w, drop_intermediate=False)
    if w is None or w.dtype.kind == "i":  # with other weights rounding decides which points are on a line
        compare("roc_curve", y, score, sample_weight=w)
    names = np.array(["no", "yes"])[y]
    compare("roc_auc_score", names, score, sample_weight=w)
    compare("roc_curve", names, score, pos_label="yes", sample_weight=w, drop_intermediate=False)
    compare("roc_curve", names, score)  # which one is positive?
    compare("top_k_accuracy_score", y, score, k=1, sample_weight=w)


@pytest.mark.parametrize("seed", seeds(150))
def test_rankings_and_probabilities_of_several_classes(seed):
    random = np.random.default_rng(seed)
    classes, rows = int(random.integers(3, 6)), int(random.integers(8, 80))
    labels = labels_of(random, classes)
    place = np.append(np.arange(classes), random.integers(0, classes, rows - classes))
    p = np.round(random.dirichlet(np.ones(classes), rows), 2) + 0.01
    p /= p.sum(axis=1, keepdims=True)
    y, w = labels[place], weights_of(random, rows)
    for average in ("macro", "weighted", "micro", None):
        compare("roc_auc_score", y, p, multi_class="ovr", average=average, sample_weight=w)
        compare("average_precision_score", y, p, average=average, sample_weight=w)
    for average in ("macro", "weighted"):
        compare("roc_auc_score", y, p, multi_class="ovo", average=average)
        compare("roc_auc_score", y[place < 2], p[place < 2], multi_class="ovo", average=average, labels=labels)
    for k in (1, 2, classes - 1):
        compare("top_k_accuracy_score", y, p, k=k, sample_weight=w)
        compare("top_k_accuracy_score", y, p, k=k, sample_weight=w, normalize=False)
    compare("log_loss", y, p, sample_weight=w)
    compare("log_loss", y, p, sample_weight=w, normalize=False)
    compare("log_loss", y[place > 0], p[place > 0], labels=labels)
    compare("brier_score_loss", y, p, sample_weight=w)
    compare("brier_score_loss", y, p, sample_weight=w, scale_by_half=True)
    compare("d2_log_loss_score", y, p, sample_weight=w)
    compare("d2_brier_score", y, p, sample_weight=w)
    compare("log_loss", y, p * 0.9)  # warns


@pytest.mark.parametrize("seed", seeds(300))
def test_probabilities_of_two_classes(seed):
    random = np.random.default_rng(seed)
    rows = int(random.integers(2, 100))
    y = random.integers(0, 2, rows)
    p = random.random(rows)
    p = (p, np.round(p, 1), np.round(p), p.astype(np.float32))[random.integers(0, 4)]
    w = weights_of(random, rows) if p.dtype == np.float64 else None
    tolerant = p.dtype == np.float32  # scikit-learn sums float32 in float32
    if not tolerant:
        compare("log_loss", y, p, sample_weight=w, labels=[0, 1])
        compare("log_loss", y, np.column_stack([1 - p, p]), sample_weight=w, labels=[0, 1])
        compare("brier_score_loss", y, p, sample_weight=w)
        compare("brier_score_loss", 1 - 2 * y, p, sample_weight=w, scale_by_half=False)
        compare("brier_score_loss", np.array(["a", "b"])[y], p, sample_weight=w, pos_label="a")
        compare("d2_brier_score", y, p, sample_weight=w)
        compare("d2_log_loss_score", y, p, sample_weight=w, labels=[0, 1])
    else:
        np.testing.assert_allclose(ours.log_loss(y, p, labels=[0, 1]), theirs.log_loss(y, p, labels=[0, 1]), rtol=1e-5)
    for bins in (1, 5, 10, 17):
        for strategy in ("uniform", "quantile"):
            mine = ours.calibration_curve(y, p, n_bins=bins, strategy=strategy)
            other = sklearn.calibration.calibration_curve(y, p.astype(np.float64), n_bins=bins, strategy=strategy)
            same(mine, other)


@pytest.mark.parametrize("seed", seeds(150))
def test_numbers(seed):
    random = np.random.default_rng(seed)
    rows = int(random.integers(2, 80))
    shape = rows if seed % 3 else (rows, 3)
    y = np.round(random.standard_normal(shape) + 1, int(random.integers(0, 5)))
    z = np.round(y + random.standard_normal(shape), 1)
    w = weights_of(random, rows)
    multioutputs = ("uniform_average", "raw_values") + (([0.2, 0.3, 0.5],) if y.ndim == 2 else ())
    for multioutput in multioutputs:
        for name in (
            "mean_squared_error",
            "root_mean_squared_error",
            "mean_absolute_error",
            "mean_absolute_percentage_error",
            "median_absolute_error",
            "r2_score",
            "explained_variance_score",
            "d2_absolute_error_score",
            "mean_pinball_loss",
        ):
            compare(name, y, z, sample_weight=w, multioutput=multioutput)
        for name in ("mean_squared_log_error", "root_mean_squared_log_error"):
            compare(name, np.abs(y), np.abs(z), sample_weight=w, multioutput=multioutput)
        for alpha in (0.0, 0.1, 0.9, 1.0):
            compare("mean_pinball_loss", y, z, alpha=alpha, sample_weight=w, multioutput=multioutput)
            compare("d2_pinball_score", y, z, alpha=alpha, sample_weight=w, multioutput=multioutput)
    for name in ("r2_score", "explained_variance_score"):
        compare(name, y, z, sample_weight=w, multioutput="variance_weighted")
        for force in (True, False):
            compare(name, np.ones(rows), np.ones(rows), force_finite=force)
            compare(name, np.ones(rows), z if z.ndim == 1 else z[:, 0], force_finite=force)
    compare("max_error", y, z)
    compare("auc", np.sort(y.ravel()), z.ravel())
    compare("auc", np.sort(y.ravel())[::-1], z.ravel())
    compare("auc", y.ravel(), z.ravel())


BAD = [
    ("accuracy_score", ([1, 2, 3], [1, 2]), {}),
    ("accuracy_score", ([], []), {}),
    ("accuracy_score", (["a", "b"], [0, 1]), {}),
    ("accuracy_score", ([0.5, 1.5], [0, 1]), {}),
    ("accuracy_score", ([0, 1], [0, 1]), {"sample_weight": [1, 2, 3]}),
    ("accuracy_score", ([0, 1], [0, 1]), {"sample_weight": [1, np.nan]}),
    ("accuracy_score", ([0, 1], [0, 1]), {"sample_weight": [0, 0]}),
    ("confusion_matrix", ([0, 1], [0, 1]), {"labels": [5, 6]}),
    ("confusion_matrix", ([0, 1], [0, 1]), {"labels": []}),
    ("f1_score", ([0, 1, 2], [0, 1, 2]), {}),
    ("f1_score", ([0, 2], [0, 2]), {}),
    ("f1_score", ([0, 1], [0, 1]), {"average": "mean"}),
    ("f1_score", ([0, 1], [0, 1]), {"average": "samples"}),
    ("fbeta_score", ([0, 1], [0, 1]), {"beta": -1}),
    ("roc_auc_score", ([0, 1, np.nan], [0, 1, 1]), {}),
    ("roc_auc_score", ([0, 1], [0, np.nan]), {}),
    ("roc_auc_score", ([0, 1], [0, np.inf]), {}),
    ("roc_auc_score", ([0, 1, 1], [0, 1]), {}),
    ("roc_auc_score", ([0, 1, 2], [0, 1, 1]), {}),
    ("roc_auc_score", ([0, 1, 2], np.eye(3) * 2), {"multi_class": "ovr"}),
    ("roc_auc_score", ([0, 1, 2], np.eye(3)), {"multi_class": "ovr", "average": "samples"}),
    ("roc_auc_score", ([0, 1, 2], np.eye(3)), {"multi_class": "ovo", "sample_weight": [1, 1, 1]}),
    ("roc_auc_score", ([0, 1, 2], np.eye(3)), {"multi_class": "ovr", "labels": [0, 2, 1]}),
    ("roc_auc_score", ([0, 1], [0, 1]), {"max_fpr": 1.5}),
    ("roc_curve", ([0, 1, 2], [0, 1, 1]), {}),
    ("roc_curve", ([3, 4], [0, 1]), {}),
    ("average_precision_score", ([3, 4], [0, 1]), {}),
    ("log_loss", ([0, 0], [0.5, 0.5]), {}),
    ("log_loss", ([0, 1], [0.5, 1.5]), {}),
    ("log_loss", ([0, 1], [0.5, -0.5]), {}),
    ("log_loss", ([0, 1], [0.5, np.nan]), {}),
    ("log_loss", ([0, 1, 2], [[0.5, 0.5]] * 3), {}),
    ("log_loss", ([0, 1, 5], [0.5] * 3), {"labels": [0, 1]}),
    ("brier_score_loss", (["a", "b"], [0.5, 0.5]), {}),
    ("brier_score_loss", ([0, 1, 2], [0.5, 0.5, 0.5]), {}),
    ("mean_squared_error", ([1, 2], [1, 2, 3]), {}),
    ("mean_squared_error", ([1, np.nan], [1, 2]), {}),
    ("mean_squared_error", ([1, 2], [1, np.inf]), {}),
    ("mean_squared_error", ([[1, 2]], [[1, 2, 3]]), {}),
    ("mean_squared_error", ([1, 2], [1, 2]), {"multioutput": "mean"}),
    ("mean_squared_error", ([1, 2], [1, 2]), {"multioutput": [1.0]}),
    ("mean_squared_log_error", ([1, 2], [1, -2]), {}),
    ("max_error", ([[1, 2]], [[1, 2]]), {}),
    ("top_k_accuracy_score", ([0, 1, 2], [[0.5, 0.5]] * 3), {}),
    ("auc", ([1.0], [1.0]), {}),
]


@pytest.mark.parametrize("name, arguments, keywords", BAD)
def test_what_scikit_learn_refuses_is_refused(name, arguments, keywords):
    with pytest.raises(ValueError):
        getattr(theirs, name)(*arguments, **keywords)
    with pytest.raises(ValueError):
        getattr(ours, name)(*arguments, **keywords)


def test_one_row_and_one_class_are_as_scikit_learn_has_them():
    for name in ("r2_score", "d2_absolute_error_score", "explained_variance_score"):
        compare(name, [1.0], [2.0])
    compare("roc_auc_score", [1, 1, 1], [0.1, 0.2, 0.3])
    compare("average_precision_score", [0, 0], [0.1, 0.2])
    compare("roc_curve", [1, 1], [0.1, 0.2])
    compare("precision_recall_curve", [0, 0], [0.1, 0.2])
    compare("confusion_matrix", [1, 1], [1, 1])
    compare("cohen_kappa_score", [1, 1], [1, 1])
    compare("d2_log_loss_score", [1], [0.5])


def test_many_labels_and_other_containers():
    random = np.random.default_rng(0)
    y, z = (random.integers(0, 5000, 3000) * 10**9 for _ in range(2))
    compare("accuracy_score", y, z)
    compare("f1_score", y, z, average="macro")
    compare("f1_score", y.astype(str), z.astype(str), average="macro")
    pandas = pytest.importorskip("pandas")
    y, score = random.integers(0, 2, 50), random.random(50)
    compare("roc_auc_score", pandas.Series(y), pandas.Series(score))
    compare("log_loss", pandas.Series(y), pandas.Series(score))
    compare("accuracy_score", pandas.Series(y), y.tolist())
    compare("roc_auc_score", list(y), tuple(score))
    for kind in (bool, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.uint64, np.float32, object):
        compare("roc_auc_score", y.astype(kind), score)
    compare("roc_auc_score", y[::2], score[::2])
    compare("mean_squared_error", y.reshape(-1, 1), score)
