"""Numbers that are not finite, in the words of scikit-learn's checks and with their place."""

import re

import numpy as np

from .errors import DataError

FLOAT64, FLOAT32 = np.dtype(np.float64), np.dtype(np.float32)
# The library finds numbers that are not finite while it reads them, and says where.
CHECKS = {"accept_sparse": ("csr", "csc"), "dtype": (np.float64, np.float32), "ensure_all_finite": False}


def reworded(error, estimator):
    """A number that is not finite, in the words of scikit-learn's checks and with its place."""
    if re.search(r"\bnan\b|value is missing", error.what, re.IGNORECASE):
        found = "NaN"
    elif re.search(r"\binf", error.what):
        found = "infinity or a value too large for dtype('float64')"
    else:
        return error
    return ValueError(
        f"Input X contains {found}.\n{error.where}: {error.what}. {type(estimator).__name__} does not accept "
        f"such values; recta.check(X, y) lists them, sklearn.impute fills them in."
    )


def finite_entries(x, estimator):
    """The library looks at dense rows while it predicts; entries of sparse rows are looked at here."""
    good = np.isfinite(x.data)
    if good.all():
        return
    at = int(np.argmin(good))
    line, other = int(np.searchsorted(x.indptr, at, side="right")) - 1, int(x.indices[at])
    row, column = (line, other) if x.format == "csr" else (other, line)
    what = "the value is missing (NaN)" if np.isnan(x.data[at]) else "the value is infinite"
    raise reworded(DataError(f"row {row + 1}, column {column + 1}", what), estimator)


def is_plain(x):
    """An array that needs no check except those the library makes while it reads: the shortest way into a fit."""
    return type(x) is np.ndarray and (x.dtype is FLOAT64 or x.dtype is FLOAT32)
