"""Proofs for models that Recta did not fit: how far a fitted scikit-learn estimator is from the optimum of its own objective."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class ForeignProof(NamedTuple):
    """What is proved of a model that another program fitted.

    ``objective`` is its objective at the numbers that it holds, in its own scaling; the optimum is proved to lie between
    ``optimum_lower`` and ``optimum_upper``, so that the model is at most ``gap = objective - optimum_lower`` above it.

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


def _weights(estimator, y, sample_weight):
    weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    classes = getattr(estimator, "classes_", None)
    if classes is not None and getattr(estimator, "class_weight", None) is not None:
        from sklearn.utils.class_weight import compute_sample_weight
        weights = weights * compute_sample_weight(estimator.class_weight, y)
    return weights


def _proof(name, objective, ours, scale):
    """`ours`: Recta's certificate of the same objective, whose numbers times `scale` are theirs."""
    upper, lower = float(scale * ours.objective), float(scale * (ours.objective - ours.gap - ours.slack))
    proved = ours.verdict == "proved"
    gap = max(0.0, float(objective) - lower)
    relative = gap / abs(upper) if upper else float(gap > 0)
    sure = "" if proved else " (the optimum itself is not proved: " + ours.verdict.replace("_", " ") + ")"
    sentence = (f"{name}: the objective {objective:.10g} is at most {gap:.3g} above the optimum, which is proved to lie between {lower:.10g} and {upper:.10g}; "
                f"{relative:.3g} of it{sure}.")
    return ForeignProof(float(objective), lower, upper, gap, relative, proved, sentence)


def _squares(estimator, X, y, weights):
    from sklearn import linear_model as theirs

    from .linear_model import Lasso, Ridge

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
    from .linear_model import LogisticRegression

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

    from .svm import LinearSVC

    if estimator.penalty != "l2":
        raise ValueError("penalty='l1' is not offered here")
    sign, w = _signs(estimator, y), np.ravel(estimator.coef_)
    m = 1 - sign * estimator.decision_function(X)
    loss = np.maximum(0.0, m) ** (2 if estimator.loss == "squared_hinge" else 1)
    norm = w @ w
    if estimator.fit_intercept:
        norm += (float(np.ravel(estimator.intercept_)[0]) / estimator.intercept_scaling) ** 2
        column = np.full((len(sign), 1), float(estimator.intercept_scaling))
        X = scipy.sparse.hstack([X, column], format="csr") if scipy.sparse.issparse(X) else np.hstack([np.asarray(X, dtype=np.float64), column])
    objective = estimator.C * (weights @ loss) + norm / 2
    ours = LinearSVC(loss=estimator.loss, C=estimator.C, fit_intercept=False).fit(X, y, weights)
    factor = 2 if estimator.loss == "squared_hinge" else 1  # lambda = 1 / (2 C W) beside half the squares
    return _proof("LinearSVC", objective, ours.certificate_, factor * estimator.C * weights.sum())


def _machine(estimator, X, y, weights):
    from .svm import SVC

    if callable(estimator.kernel):
        raise ValueError("a kernel that is a function is not offered here")
    sign = _signs(estimator, y)
    f = estimator.decision_function(X)
    dual = np.ravel(estimator.dual_coef_.toarray() if hasattr(estimator.dual_coef_, "toarray") else estimator.dual_coef_)
    norm = dual @ (f[estimator.support_] - estimator.intercept_[0])  # |w|^2 = sum beta (f - b)
    objective = estimator.C * (weights @ np.maximum(0.0, 1 - sign * f)) + norm / 2
    gamma = estimator._gamma if estimator.kernel not in ("linear", "precomputed") else "scale"
    ours = SVC(C=estimator.C, kernel=estimator.kernel, degree=estimator.degree, gamma=gamma, coef0=estimator.coef0, tolerance=1e-10).fit(X, y, weights)
    return _proof("SVC", objective, ours.certificate_, estimator.C * weights.sum())


def verify(estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> ForeignProof:
    """How far a fitted scikit-learn estimator is from the optimum of its own objective, on the rows it was fitted to.

    The objective is computed at the numbers that the estimator holds. Recta then solves the same problem, with a proof: the optimum lies
    between two numbers, and so does the distance of the estimator's answer from it. Nothing that the estimator says of its own
    convergence is believed.

    Parameters
    ----------
    estimator : a fitted sklearn SVC, LinearSVC, LogisticRegression (two classes), Ridge or Lasso (one target)
    X, y, sample_weight : the rows it was fitted to

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
    from . import _sklearn  # noqa: F401
    from sklearn import linear_model, svm
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)
    weights = _weights(estimator, y, sample_weight)
    for kind, of in ((linear_model.Lasso, _squares), (linear_model.Ridge, _squares), (linear_model.LogisticRegression, _logistic), (svm.LinearSVC, _linear_machine),
                     (svm.SVC, _machine)):
        if type(estimator) is kind:
            return of(estimator, X, np.asarray(y), weights)
    raise TypeError(f"{type(estimator).__name__} is none of the estimators that are verified: SVC, LinearSVC, LogisticRegression, Ridge and Lasso of scikit-learn; "
                    "a model of Recta has certificate_.verify(X, y)")
