"""Proofs for models that Recta did not fit: how far a fitted scikit-learn estimator, or a model file of libsvm or liblinear, is from the optimum of its own
objective."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from recta import _core
from recta._data.input import array_or_parts, is_sparse, plain_array
from recta._fitted.model import Model


class ForeignProof(NamedTuple):
    """What is proved of a model that another program fitted.

    ``objective`` is its objective at the numbers that it holds, in its own scaling; the optimum is proved to lie between
    ``optimum_lower`` and ``optimum_upper``, so that the model is at most ``gap = objective - optimum_lower`` above it. It is ``proved`` if the gap is within
    the tolerance, in units of the objective of w = 0. ``conditions`` says what was assumed.

    Examples
    --------
    >>> import recta
    >>> from sklearn.linear_model import Ridge
    >>> proof = recta.verify(Ridge(alpha=1.0).fit([[0.0], [1.0], [3.0]], [1.0, 2.0, 3.0]), [[0.0], [1.0], [3.0]], [1.0, 2.0, 3.0])
    >>> proof.relative_gap < 1e-12, proof.optimum_proved
    (True, True)
    """

    objective: float
    optimum_lower: float
    optimum_upper: float
    gap: float
    relative_gap: float
    optimum_proved: bool
    sentence: str
    proved: bool = False
    conditions: tuple[str, ...] = ()


def _weights(estimator, y, sample_weight):
    weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    classes = getattr(estimator, "classes_", None)
    if classes is not None and getattr(estimator, "class_weight", None) is not None:
        from sklearn.utils.class_weight import compute_sample_weight

        weights = weights * compute_sample_weight(estimator.class_weight, y)
    return weights


def _as_python(found):
    return ForeignProof(
        found.objective,
        found.optimum_lower,
        found.optimum_upper,
        found.gap,
        found.relative_gap,
        found.optimum_proved,
        found.sentence,
        found.proved,
        tuple(found.conditions),
    )


def _proof(name, objective, ours, scale):
    """`ours`: Recta's certificate of the same objective, whose numbers times `scale` are theirs."""
    return _as_python(_core.foreign_proof(name, float(objective), ours._core, float(scale), 1e-6))


def _file_proof(model, X, y, sample_weight, numbers):
    X = X if is_sparse(X) else plain_array(X)
    y = None if y is None else np.ascontiguousarray(y, dtype=np.float64)
    weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
    return _as_python(_core.verify_foreign(model, array_or_parts(X), y, weights, **numbers))


def _squares(estimator, X, y, weights):
    from sklearn import linear_model as theirs

    from recta.linear_model import Lasso, Ridge

    if np.ndim(y) != 1:
        raise ValueError("several targets are not offered here: verify one estimator for each")
    r = np.asarray(y, dtype=np.float64) - estimator.predict(X)
    w = np.ravel(estimator.coef_)
    if isinstance(estimator, theirs.Lasso):
        if estimator.positive:
            raise ValueError("positive=True is not offered here")
        total = weights.sum()
        objective = weights @ (r * r) / (2 * total) + estimator.alpha * np.abs(w).sum()
        ours = Lasso(estimator.alpha, fit_intercept=estimator.fit_intercept).fit(X, y, weights)
        return _proof("Lasso", objective, ours.certificate_, 1.0)
    alpha = float(np.ravel(estimator.alpha)[0])
    objective = weights @ (r * r) + alpha * (w @ w)
    ours = Ridge(alpha, fit_intercept=estimator.fit_intercept).fit(X, y, weights)
    return _proof("Ridge", objective, ours.certificate_, 2 * weights.sum())


def _signs(estimator, y):
    if len(estimator.classes_) != 2:
        raise ValueError("more than two classes are not offered here: verify one estimator against the rest for each")
    return np.where(np.asarray(y) == estimator.classes_[1], 1.0, -1.0)


def _logistic(estimator, X, y, weights):
    from recta.linear_model import LogisticRegression

    sign = _signs(estimator, y)
    ratio = getattr(estimator, "l1_ratio", None)
    ratio = {"l1": 1.0, "l2": 0.0, "elasticnet": ratio or 0.0}.get(getattr(estimator, "penalty", "l2"), ratio or 0.0)
    w, z = np.ravel(estimator.coef_), estimator.decision_function(X)
    loss = np.logaddexp(0.0, -sign * z)
    objective = estimator.C * (weights @ loss) + ratio * np.abs(w).sum() + (1 - ratio) / 2 * (w @ w)
    ours = LogisticRegression(C=estimator.C, l1_ratio=ratio, fit_intercept=estimator.fit_intercept).fit(X, y, weights)
    return _proof("LogisticRegression", objective, ours.certificate_, estimator.C * weights.sum())


def _linear_machine(estimator, X, y, weights):
    """scikit-learn's LinearSVC penalises the intercept as one more column of ``intercept_scaling``."""
    import scipy.sparse

    from recta.svm import LinearSVC

    if estimator.penalty != "l2":
        raise ValueError("penalty='l1' is not offered here")
    sign, w = _signs(estimator, y), np.ravel(estimator.coef_)
    m = 1 - sign * estimator.decision_function(X)
    loss = np.maximum(0.0, m) ** (2 if estimator.loss == "squared_hinge" else 1)
    norm = w @ w
    if estimator.fit_intercept:
        norm += (float(np.ravel(estimator.intercept_)[0]) / estimator.intercept_scaling) ** 2
        column = np.full((len(sign), 1), float(estimator.intercept_scaling))
        X = (
            scipy.sparse.hstack([X, column], format="csr")
            if scipy.sparse.issparse(X)
            else np.hstack([np.asarray(X, dtype=np.float64), column])
        )
    objective = estimator.C * (weights @ loss) + norm / 2
    ours = LinearSVC(loss=estimator.loss, C=estimator.C, fit_intercept=False).fit(X, y, weights)
    factor = 2 if estimator.loss == "squared_hinge" else 1  # lambda = 1 / (2 C W) beside half the squares
    return _proof("LinearSVC", objective, ours.certificate_, factor * estimator.C * weights.sum())


def _machine(estimator, X, y, weights):
    from recta.svm import SVC

    if callable(estimator.kernel):
        raise ValueError("a kernel that is a function is not offered here")
    sign = _signs(estimator, y)
    f = estimator.decision_function(X)
    dual = np.ravel(
        estimator.dual_coef_.toarray() if hasattr(estimator.dual_coef_, "toarray") else estimator.dual_coef_
    )
    norm = dual @ (f[estimator.support_] - estimator.intercept_[0])  # |w|^2 = sum beta (f - b)
    objective = estimator.C * (weights @ np.maximum(0.0, 1 - sign * f)) + norm / 2
    gamma = estimator._gamma if estimator.kernel not in ("linear", "precomputed") else "scale"
    ours = SVC(
        C=estimator.C,
        kernel=estimator.kernel,
        degree=estimator.degree,
        gamma=gamma,
        coef0=estimator.coef0,
        tolerance=1e-10,
    ).fit(X, y, weights)
    return _proof("SVC", objective, ours.certificate_, estimator.C * weights.sum())


def save_as(model: Any, path: str | os.PathLike[str], program: str = "libsvm") -> None:
    """Writes a fitted machine or linear model of Recta as a model file of libsvm or liblinear.

    Features are numbered from 1; labels that are not whole numbers become 1, 2, 3, ... in the order of ``classes_``. What the program has no model for is
    refused. :func:`recta.load` reads such files.

    Parameters
    ----------
    model : a fitted estimator of Recta, or what :func:`recta.load` gives
    path : str or path
    program : {"libsvm", "liblinear"}, default="libsvm"

    Examples
    --------
    >>> import recta, tempfile, pathlib
    >>> from recta.svm import SVC
    >>> X, y = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [0, 0, 1, 1]
    >>> path = pathlib.Path(tempfile.mkdtemp(), "their.model")
    >>> recta.save_as(SVC(gamma=1.0).fit(X, y), path)
    >>> recta.load(path).predict(X)
    array([0, 0, 1, 1])
    """
    core = model._core if isinstance(model, Model) else getattr(model, "_model", None)
    if core is None:
        raise TypeError(f"{type(model).__name__} is not a fitted model of Recta")
    _core.from_recta(core, program).save(os.fspath(path))


def verify(
    estimator: Any,
    X: Any,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    *,
    C: float | None = None,
    epsilon: float | None = None,
    nu: float | None = None,
    tolerance: float = 1e-6,
) -> ForeignProof:
    """How far a fitted scikit-learn estimator, or a model of libsvm or liblinear, is from the optimum of its own objective, on the rows it was fitted to.

    The objective is computed at the numbers that the estimator holds. Recta then solves the same problem, with a proof: the optimum lies
    between two numbers, and so does the distance of the estimator's answer from it. Nothing that the estimator says of its own
    convergence is believed.

    Parameters
    ----------
    estimator : a fitted sklearn SVC, LinearSVC, LogisticRegression (two classes), Ridge or Lasso (one target); or the path of a model file of libsvm or
        liblinear, or what :func:`recta.load` read from one
    X, y, sample_weight : the rows it was fitted to; column j of X is feature j + 1 of the file, y its labels as numbers
    C, epsilon, nu : float, default=None
        Of a file, which does not say them. None: as its coefficients show it, else the program's own default; ``conditions`` says which.
    tolerance : float, default=1e-6
        A gap within this share of the objective of w = 0 is ``proved`` (of a file).

    Returns
    -------
    ForeignProof

    Examples
    --------
    >>> import recta
    >>> from sklearn.svm import SVC
    >>> X, y = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.2, 0.1]], [0, 0, 1, 1, 0]
    >>> loose = recta.verify(SVC(C=10.0, tol=0.5).fit(X, y), X, y)
    >>> tight = recta.verify(SVC(C=10.0, tol=1e-9).fit(X, y), X, y)
    >>> tight.relative_gap < 1e-6 < loose.relative_gap
    True
    """
    numbers = {"c": C, "epsilon": epsilon, "nu": nu}
    if isinstance(estimator, (str, os.PathLike)):
        return _file_proof(
            _core.read_foreign(os.fspath(estimator)), X, y, sample_weight, numbers | {"tolerance": tolerance}
        )
    if isinstance(estimator, Model):
        if estimator._foreign is None:
            raise TypeError("this model is Recta's own: certificate.verify(X, y) proves it again")
        return _file_proof(estimator._foreign, X, y, sample_weight, numbers | {"tolerance": tolerance})
    if any(value is not None for value in numbers.values()):
        raise ValueError("C, epsilon and nu belong to model files: an estimator says them itself")
    from sklearn import linear_model, svm
    from sklearn.utils.validation import check_is_fitted

    from recta._base import scikit_learn  # noqa: F401

    check_is_fitted(estimator)
    weights = _weights(estimator, y, sample_weight)
    for kind, of in (
        (linear_model.Lasso, _squares),
        (linear_model.Ridge, _squares),
        (linear_model.LogisticRegression, _logistic),
        (svm.LinearSVC, _linear_machine),
        (svm.SVC, _machine),
    ):
        if type(estimator) is kind:
            return of(estimator, X, np.asarray(y), weights)
    raise TypeError(
        f"{type(estimator).__name__} is not one of the estimators that are verified: SVC, LinearSVC, LogisticRegression, Ridge and Lasso of scikit-learn; "
        "a model of Recta has certificate_.verify(X, y)"
    )
