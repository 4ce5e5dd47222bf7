"""ROC area, PR area, log-loss and calibration of many predictions, beside scikit-learn's functions of the same names."""

import numpy as np
from harness import DATA, Bar, Case, Contender, same_coefficients

MEASURES = [
    ("ROC area", "roc_auc_score", {}),
    ("PR area", "average_precision_score", {}),
    ("log-loss", "log_loss", {}),
    ("calibration curve", "calibration_curve", {"n_bins": 10}),
]


def predictions(rows, seed):
    """Labels 0 and 1 with equal shares, and probabilities whose log-odds are normal."""
    y_path, score_path = DATA / f"predictions-{rows}-{seed}.y", DATA / f"predictions-{rows}-{seed}.score"
    if not (y_path.exists() and score_path.exists()):
        random = np.random.default_rng(seed)
        y = random.integers(0, 2, rows)
        (1 / (1 + np.exp(0.5 - y - random.standard_normal(rows)))).tofile(score_path)
        y.tofile(y_path)
    return {"y": str(y_path), "score": str(score_path)}


def metrics(quick):
    """Measures of 1e7 predictions."""
    rows = 100_000 if quick else 10_000_000
    data = predictions(rows, 21)
    for name, measure, keywords in MEASURES:
        job = {**data, "measure": measure, "keywords": keywords}
        ours = Contender(
            f"recta {measure}",
            {"peer": "recta metric", "repeat": 3, "answer": str(DATA / f"ours-{measure}.bin"), **job},
            True,
        )
        peer = Contender(
            f"sklearn {measure}",
            {"peer": "sklearn metric", "repeat": 1, "answer": str(DATA / f"theirs-{measure}.bin"), **job},
        )

        def bars(there, ours=ours, peer=peer):
            return (
                []
                if quick or peer.name not in there
                else [Bar("faster than scikit-learn", there[peer.name].best / there[ours.name].best, 5, True)]
            )

        yield Case(f"{name} of {rows} predictions", [ours, peer], same_coefficients(1e-12), bars, 1 if quick else 2)
