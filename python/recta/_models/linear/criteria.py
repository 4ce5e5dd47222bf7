"""What speaks for a penalty besides the mean over rows left out: the one-standard-error rule, and the criteria of the whole fit
that the library has (docs/paths.md)."""

import numpy as np

CRITERIA = ("gcv", "aic", "bic", "cp")
CHOICES = ("best", "1se", *CRITERIA)


def checked_choice(estimator):
    word = estimator.choose
    if word not in CHOICES:
        raise ValueError(
            f"The 'choose' parameter of {type(estimator).__name__} must be one of {', '.join(map(repr, CHOICES))}. "
            f"Got {word!r} instead."
        )
    return word


def standard_error(errors, mean):
    """Of the mean of one number per fold; zero where there is one fold, which says nothing of the spread."""
    folds = len(errors)
    return float(np.sqrt(np.sum((errors - mean) ** 2) / (folds - 1) / folds)) if folds > 1 else 0.0


def strongest_near(strengths, values, least, error):
    """The place of the largest strength whose value, the lower the better, is within ``error`` of the least one."""
    near = np.flatnonzero(values <= values[least] + error)
    return int(near[np.argmax(strengths[near])])


def criterion(estimator, path):
    """One number per point of the path, the lower the better, as the library has them."""
    found = path.criterion(estimator.choose)
    if estimator.choose == "cp" and np.isnan(found).all():
        raise ValueError(
            "choose='cp' needs the variance that is left without a penalty, so more rows than features: there are "
            f"{path.rows} rows and {len(path.features)} features"
        )
    return found
