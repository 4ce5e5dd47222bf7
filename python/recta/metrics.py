"""Measures of predictions with scikit-learn's names, signatures and conventions, several times as fast; their own: the gain and lift
curves, :func:`calibration_error` and weights of :func:`calibration_curve`, and the intervals :func:`roc_auc_interval` (DeLong) and
:func:`bootstrap_interval`. Weights below zero are refused.

>>> from recta.metrics import log_loss, roc_auc_score
>>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75
"""

from recta._base import scikit_learn  # noqa: F401  says so if scikit-learn is missing
from recta._metrics.classes import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    matthews_corrcoef,
    zero_one_loss,
)
from recta._metrics.curves import auc, cumulative_gain_curve, lift_curve, precision_recall_curve, roc_curve
from recta._metrics.intervals import Interval, bootstrap_interval, roc_auc_interval
from recta._metrics.labels import hamming_loss, label_ranking_loss
from recta._metrics.numbers import (
    d2_absolute_error_score,
    d2_pinball_score,
    explained_variance_score,
    max_error,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_pinball_loss,
    mean_squared_error,
    mean_squared_log_error,
    median_absolute_error,
    r2_score,
    root_mean_squared_error,
    root_mean_squared_log_error,
)
from recta._metrics.precision import (
    f1_score,
    fbeta_score,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
)
from recta._metrics.probabilities import (
    brier_score_loss,
    calibration_curve,
    calibration_error,
    d2_brier_score,
    d2_log_loss_score,
    log_loss,
)
from recta._metrics.rankings import (
    average_precision_score,
    roc_auc_score,
    top_k_accuracy_score,
)

__all__ = [
    "Interval",
    "accuracy_score",
    "auc",
    "average_precision_score",
    "balanced_accuracy_score",
    "bootstrap_interval",
    "brier_score_loss",
    "calibration_curve",
    "calibration_error",
    "cohen_kappa_score",
    "confusion_matrix",
    "cumulative_gain_curve",
    "d2_absolute_error_score",
    "d2_brier_score",
    "d2_log_loss_score",
    "d2_pinball_score",
    "explained_variance_score",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "label_ranking_loss",
    "lift_curve",
    "log_loss",
    "matthews_corrcoef",
    "max_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_pinball_loss",
    "mean_squared_error",
    "mean_squared_log_error",
    "median_absolute_error",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "precision_score",
    "r2_score",
    "recall_score",
    "roc_auc_interval",
    "roc_auc_score",
    "roc_curve",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
    "top_k_accuracy_score",
    "zero_one_loss",
]
