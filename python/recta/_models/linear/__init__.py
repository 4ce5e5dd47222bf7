"""Linear models: least squares, penalties, losses, logistic regression, perceptrons, steps by single rows."""
