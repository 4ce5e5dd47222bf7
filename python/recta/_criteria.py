"""What speaks for a penalty besides the mean over rows left out: the one-standard-error rule, and criteria of the whole fit.

With n rows, d degrees of freedom (coefficients in use, or the trace of the ridge smoother; one more for an intercept) and
the mean squared error mse of the fit, as the command line has them (docs/paths.md):

    GCV = mse / (1 - d/n)^2,  AIC = n ln mse + 2 d,  BIC = n ln mse + d ln n,  Cp = n mse / sigma^2 + 2 d - n,

with sigma^2 = mse n / (n - d) of the fit without a penalty.
"""

import numpy as np
from scipy import sparse

CRITERIA = ("gcv", "aic", "bic", "cp")
CHOICES = ("best", "1se", *CRITERIA)
BLOCK = 1 << 20  # numbers held at a time


def checked_choice(estimator):
    word = estimator.choose
    if word not in CHOICES:
        raise ValueError(f"The 'choose' parameter of {type(estimator).__name__} must be one of {', '.join(map(repr, CHOICES))}. "
                         f"Got {word!r} instead.")
    return word


def standard_error(errors, mean):
    """Of the mean of one number a fold; zero where there is one fold, which says nothing of the spread."""
    folds = len(errors)
    return float(np.sqrt(np.sum((errors - mean) ** 2) / (folds - 1) / folds)) if folds > 1 else 0.0


def strongest_near(strengths, values, least, error):
    """The place of the largest strength whose value, the lower the better, is within ``error`` of the least one."""
    near = np.flatnonzero(values <= values[least] + error)
    return int(near[np.argmax(strengths[near])])


def mean_squares(x, y, weights, path):
    """One number a point of the path, and how many rows have weight. ``x`` is what the extension reads."""
    if isinstance(x, tuple):
        form, indptr, indices, data, shape = x
        x = (sparse.csr_array if form == "csr" else sparse.csc_array)((data, indices, indptr), shape=shape).tocsr()
    W, b, rows = np.asarray(path.coefficients).T, np.asarray(path.intercepts), x.shape[0]
    used = np.flatnonzero(W.any(axis=1))
    weights = np.ones(rows) if weights is None else weights
    total, step = np.zeros(len(b)), max(1, BLOCK // max(len(b), len(used)))
    for first in range(0, rows, step):
        some = slice(first, first + step)
        total += weights[some] @ (y[some, None] - x[some][:, used] @ W[used] - b) ** 2
    return total / weights.sum(), np.count_nonzero(weights)


def criterion(word, mse, n, d, variance):
    """One number a point, the lower the better; ``variance`` gives sigma^2, which Cp alone asks for."""
    with np.errstate(divide="ignore"):
        if word == "gcv":
            return np.where(d < n, mse / np.where(d < n, 1 - d / n, 1.0) ** 2, np.inf)
        if word == "cp":
            return n * mse / variance() + 2 * d - n
        return n * np.log(mse) + d * (2 if word == "aic" else np.log(n))


def variance_left(plain, intercept):
    """Of the model without a penalty."""
    left = plain.rows - plain.rank - intercept
    if left <= 0:
        raise ValueError(f"choose='cp' needs the variance that is left without a penalty, so more rows than features: there are "
                         f"{plain.rows} rows and {plain.rank} independent columns")
    return plain.quality(0)["mse"] * plain.rows / left


def plain_model(fit, options, target=0, solver="auto"):
    """Least squares of the same rows."""
    kept, options.params = options.params, {"solver": solver}
    try:
        return fit([target], word="linear").model
    finally:
        options.params = kept


def net_criterion(estimator, path, fit, options):
    """Of a path of the lasso or the elastic net: as many degrees of freedom as coefficients in use."""
    mse, n = fit.mean_squares(path)
    intercept = bool(estimator.fit_intercept)
    d = np.count_nonzero(path.coefficients, axis=1) + intercept
    return criterion(estimator.choose, mse, n, d, lambda: variance_left(plain_model(fit, options), intercept))


def ridge_criterion(estimator, path, fit, options, target):
    """Of a path of ridge, in its order: the trace of the smoother is sum s^2 / (s^2 + alpha) over singular values s."""
    mse, n = fit.mean_squares(path, target)
    intercept, plain = bool(estimator.fit_intercept), plain_model(fit, options, target)
    if not len(plain.singular):
        plain = plain_model(fit, options, target, "svd")
    squares, alphas = plain.singular[:plain.rank] ** 2, path.lambdas * plain.weight_sum
    d = (squares / (squares + alphas[:, None])).sum(axis=1) + intercept
    return criterion(estimator.choose, mse, n, d, lambda: variance_left(plain, intercept))
