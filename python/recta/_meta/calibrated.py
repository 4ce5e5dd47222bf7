"""A fitted classifier and the maps from its scores to probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from recta import _core

_WORDS = {"sigmoid": "platt", "isotonic": "isotonic", "temperature": "temperature", "beta": "beta"}
_LEAST_SHARE = 2.0**-52  # of which the logarithm is evidence


def evidence_of(estimator: Any, X: Any, method: str) -> np.ndarray:
    """What maps are given: scores, or probabilities where there are none, one column for two classes."""
    if hasattr(estimator, "decision_function"):
        scores = np.asarray(estimator.decision_function(X), dtype=np.float64)
        return np.ascontiguousarray(scores.reshape(len(scores), -1))
    return of_shares(np.asarray(estimator.predict_proba(X), dtype=np.float64), method)


def of_shares(shares: np.ndarray, method: str) -> np.ndarray:
    """The same from probabilities of all classes."""
    two = shares.shape[1] == 2
    if method in ("sigmoid", "isotonic"):
        return np.ascontiguousarray(shares[:, 1:] if two else shares)
    logs = np.log(np.maximum(shares, _LEAST_SHARE))
    if two:
        return np.ascontiguousarray(logs[:, 1:] - logs[:, :1])
    if method == "temperature":
        return np.ascontiguousarray(logs)
    return np.ascontiguousarray(logs - np.log(np.maximum(1 - shares, _LEAST_SHARE)))


class CalibratedPart:
    """One fitted classifier with its maps: what :attr:`CalibratedClassifierCV.calibrated_classifiers_` lists.

    Attributes
    ----------
    estimator : object
        The classifier.
    classes : ndarray
        All classes, of which it may have seen some.
    method : str
        Of the calibration.
    odds : ndarray of shape (n_maps, 3)
        a, b and c of every map (docs/calibration.md).
    steps : list of (x, y)
        Of isotonic: where each map bends, and the probabilities there.
    verdict, sentence : str
        Of the proof that the maps are the best of their kind.
    """

    def __init__(self, estimator: Any, classes: np.ndarray, method: str) -> None:
        self.estimator, self.classes, self.method = estimator, classes, method

    def learn(self, evidence: np.ndarray, y: Any, sample_weight: Any = None) -> CalibratedPart:
        """Learns the maps from the evidence of rows that the estimator has not seen."""
        known = np.asarray(self.estimator.classes_)
        labels = np.asarray(y).ravel()
        place = np.searchsorted(known, labels).clip(max=len(known) - 1)
        truth = np.where(known[place] == labels, place, -1).astype(np.int32)
        weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
        if self.method == "temperature" and (truth < 0).any():
            evidence, weights = (
                np.ascontiguousarray(evidence[truth >= 0]),
                None if weights is None else weights[truth >= 0],
            )
            truth = truth[truth >= 0]
        maps, proof = _core.fit_calibration(_WORDS[self.method], len(known), evidence, truth, weights)
        self.odds, self.steps = maps["odds"], list(zip(maps["x"], maps["y"]))
        self.verdict, self.sentence, self.gap = proof.verdict, proof.sentence, proof.gap
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probabilities of all classes; zero for one that the estimator has not seen."""
        known = np.asarray(self.estimator.classes_)
        found = _core.calibrated_probabilities(
            _WORDS[self.method],
            len(known),
            self.odds,
            [x for x, _ in self.steps],
            [y for _, y in self.steps],
            evidence_of(self.estimator, X, self.method),
        )
        if len(known) == len(self.classes):
            return found
        shares = np.zeros((len(found), len(self.classes)))
        shares[:, np.searchsorted(self.classes, known)] = found
        return shares
