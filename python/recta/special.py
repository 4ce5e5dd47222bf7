"""The functions of the log-odds model: P = sigma(z), z = <w, x> + b, so that exp(w_j) is the factor by which the odds grow with x_j.

>>> from recta.special import log_odds, odds, sigmoid, sigmoid_derivative
>>> sigmoid([0.0, -800.0, 800.0]).tolist(), odds(0.75).item()
([0.5, 0.0, 1.0], 3.0)
>>> log_odds(sigmoid(0.25)).round(15).item(), sigmoid_derivative(0.0).item()
(0.25, 0.25)
"""

from recta._models.linear.log_odds import log_odds, odds, sigmoid, sigmoid_derivative

__all__ = ["log_odds", "odds", "sigmoid", "sigmoid_derivative"]
