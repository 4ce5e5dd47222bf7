"""Model files of libsvm and liblinear, written from fitted estimators of scikit-learn (which has both programs inside) as the READMEs of the programs
document them, and their objectives by NumPy. Nothing here knows Recta."""

import numpy as np
from sklearn import svm
from sklearn.metrics import pairwise

TYPES = {
    svm.SVC: "c_svc",
    svm.NuSVC: "nu_svc",
    svm.SVR: "epsilon_svr",
    svm.NuSVR: "nu_svr",
    svm.OneClassSVM: "one_class",
}
KERNELS = {"poly": "polynomial"}


def pairs(row):
    return " ".join(f"{j + 1}:{x:.17g}" for j, x in enumerate(row) if x != 0)


def data_text(X, y, precomputed=False):
    """LIBSVM's format of rows; a precomputed kernel has the number of the row as feature 0."""
    return (
        "\n".join(
            f"{label:.17g} " + (f"0:{i + 1} " if precomputed else "") + pairs(row)
            for i, (row, label) in enumerate(zip(X, y))
        )
        + "\n"
    )


def libsvm_text(model, labels=None):
    """`labels`: those of the classes 0, 1, 2, ..., in that order."""
    kernel = KERNELS.get(model.kernel, model.kernel)
    lines = [f"svm_type {TYPES[type(model)]}", f"kernel_type {kernel}"]
    lines += [f"degree {model.degree}"] * (kernel == "polynomial")
    lines += [f"gamma {model._gamma:.17g}"] * (kernel in ("polynomial", "rbf", "sigmoid"))
    lines += [f"coef0 {model.coef0:.17g}"] * (kernel in ("polynomial", "sigmoid"))
    classes = 2 if labels is None else len(labels)
    lines += [
        f"nr_class {classes}",
        f"total_sv {len(model.support_)}",
        "rho " + " ".join(f"{-b:.17g}" for b in model._intercept_),
    ]
    if labels is not None:
        lines += [
            "label " + " ".join(str(label) for label in labels),
            "nr_sv " + " ".join(str(count) for count in model._n_support[:classes]),
        ]
    rows = (
        [f"0:{i + 1}" for i in model.support_]
        if kernel == "precomputed"
        else [pairs(row) for row in model.support_vectors_]
    )
    coefficients = np.atleast_2d(model._dual_coef_)
    return (
        "\n".join(
            [
                *lines,
                "SV",
                *(" ".join(f"{c:.17g}" for c in coefficients[:, k]) + " " + row for k, row in enumerate(rows)),
            ]
        )
        + "\n"
    )


def liblinear_text(solver, model, labels=None):
    """The first label of two is the one above zero."""
    w, bias = np.atleast_2d(model.coef_), model.intercept_scaling if model.fit_intercept else -1
    lines = [f"solver_type {solver}", f"nr_class {2 if labels is None else len(labels)}"]
    if labels is not None:
        lines += ["label " + " ".join(str(label) for label in (labels[::-1] if len(labels) == 2 else labels))]
    if bias >= 0:
        w = np.hstack([w, np.reshape(model.intercept_, (-1, 1)) / bias])
    return (
        "\n".join(
            [
                *lines,
                f"nr_feature {model.coef_.shape[-1]}",
                f"bias {bias:.17g}",
                "w",
                *(" ".join(f"{v:.17g}" for v in row) for row in w.T),
            ]
        )
        + "\n"
    )


def gram(model, X, Z):
    if model.kernel == "precomputed":
        return X
    numbers = {"linear": {}, "rbf": {"gamma": model._gamma}}.get(
        model.kernel, {"gamma": model._gamma, "coef0": model.coef0}
    )
    if model.kernel == "poly":
        numbers["degree"] = model.degree
    return pairwise.pairwise_kernels(X, Z, metric=model.kernel, **numbers)


def primal_and_dual(model, X, y):
    """The values of their problem and its dual at their own numbers; by pairs of classes, if there are several."""
    K, n = gram(model, X, X), len(X)
    coefficients, support = np.atleast_2d(model._dual_coef_), model.support_
    if isinstance(model, (svm.SVC, svm.NuSVC)):
        classes, firsts = np.unique(y), np.concatenate([[0], np.cumsum(model._n_support)])
        primal = dual = 0.0
        place = 0
        for i in range(len(classes)):
            for j in range(i + 1, len(classes)):
                beta = np.zeros(n)
                beta[support[firsts[i] : firsts[i + 1]]] = coefficients[j - 1, firsts[i] : firsts[i + 1]]
                beta[support[firsts[j] : firsts[j + 1]]] = coefficients[i, firsts[j] : firsts[j + 1]]
                rows = (y == classes[i]) | (y == classes[j])
                sign = np.where(y == classes[i], 1.0, -1.0)[rows]
                f = (K @ beta)[rows]
                norm, hinge = beta[rows] @ f, np.maximum(0, 1 - sign * (f + model._intercept_[place])).sum()
                if isinstance(
                    model, svm.NuSVC
                ):  # the best rho for this f; the dual of the same multipliers, each at most 1
                    primal += -(max(0.0, model.nu * rows.sum() - hinge) ** 2) / (2 * norm)
                    dual += -norm * (model.nu * rows.sum() / np.abs(beta).sum()) ** 2 / 2
                else:
                    primal, dual = primal + model.C * hinge + norm / 2, dual + np.abs(beta).sum() - norm / 2
                place += 1
        return primal, dual
    beta = np.zeros(n)
    beta[support] = coefficients[0]
    f = K @ beta
    norm, score = beta @ f, f + model._intercept_[0]
    if isinstance(model, svm.OneClassSVM):
        rho = -model._intercept_[0]
        return np.maximum(0, rho - f).sum() - model.nu * n * rho + norm / 2, -norm / 2
    if isinstance(model, svm.NuSVR):
        tubes = np.concatenate([[0.0], np.abs(y - score)])
        losses = [model.nu * n * e + np.maximum(0, np.abs(y - score) - e).sum() for e in tubes]
        return model.C * min(losses) + norm / 2, y @ beta - norm / 2
    epsilon = model.epsilon
    return model.C * np.maximum(0, np.abs(y - score) - epsilon).sum() + norm / 2, y @ beta - epsilon * np.abs(
        beta
    ).sum() - norm / 2


def linear_primal(solver, model, X, y, epsilon=0.0):
    """One class against the rest; the weight of the intercept counts in the penalty, divided by its scaling."""
    w = np.atleast_2d(model.coef_)
    b = np.reshape(model.intercept_, -1) if model.fit_intercept else np.zeros(len(w))
    penalised = np.hstack([w, b[:, None] / model.intercept_scaling]) if model.fit_intercept else w
    z = X @ w.T + b
    if "SVR" in solver:
        beyond = np.maximum(0, np.abs(y - z[:, 0]) - epsilon)
        return model.C * (beyond ** (2 if "L2LOSS" in solver else 1)).sum() + (penalised**2).sum() / 2
    classes = np.unique(y)
    sign = np.where(y[:, None] == (classes[None, 1:] if len(classes) == 2 else classes[None, :]), 1.0, -1.0)
    loss = (
        np.logaddexp(0, -sign * z)
        if solver.endswith(("LR", "LR_DUAL"))
        else np.maximum(0, 1 - sign * z) ** (2 if "L2LOSS" in solver else 1)
    )
    return model.C * loss.sum() + (np.abs(penalised).sum() if solver.startswith("L1R") else (penalised**2).sum() / 2)
