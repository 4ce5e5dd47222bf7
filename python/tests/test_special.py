"""Sigma, its derivative and inverse, and odds, beside scipy's."""

import numpy as np
import scipy.special

from recta.special import log_odds, odds, sigmoid, sigmoid_derivative

Z = np.concatenate([np.linspace(-40, 40, 401), [-700.0, -1e4, 1e4, 1e-12]])


def test_they_are_scipys():
    np.testing.assert_allclose(sigmoid(Z), scipy.special.expit(Z), rtol=1e-14)
    P = np.concatenate([np.linspace(0, 1, 101), [1e-300, 0.5 + 1e-14]])
    np.testing.assert_allclose(log_odds(P), scipy.special.logit(P), rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(sigmoid_derivative(Z), scipy.special.expit(Z) * scipy.special.expit(-Z), rtol=1e-14)


def test_odds_multiply_by_the_ratio():
    assert odds([0.0, 0.5, 0.75, 1.0]).tolist() == [0.0, 1.0, 3.0, np.inf]
    w, b = 0.7, -0.2
    np.testing.assert_allclose(odds(sigmoid(w * 3 + b)) / odds(sigmoid(w * 2 + b)), np.exp(w), rtol=1e-13)
