"""How far a model of libsvm is from its optimum, from the model file and the rows alone: NumPy, and nothing of Recta.

    python tests/checker/libsvm_gap_checker.py THEIR.model ROWS.libsvm C [EPSILON]

c_svc (every pair of classes, figures are sums) and epsilon_svr, kernels linear, polynomial and rbf. The problem in libsvm's own words is

    min 1/2 a'Qa + p'a    with 0 <= a <= C and s'a = 0,    Q_ij = s_i s_j k(x_i, x_j)

and its optimum is minus that of the primal, C sum of losses + |w|^2 / 2. From the coefficients of the file two variables at a time are moved, those that
violate most (Keerthi et al. 2001), until the objective of the primal and minus that of the dual enclose the optimum to 1e-9.
"""

import sys

import numpy as np


def read_rows(path, features=0):
    """Labels and rows of LIBSVM's format, written out."""
    labels, rows = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words:
                labels.append(float(words[0]))
                rows.append({int(j): float(x) for j, x in (word.split(":") for word in words[1:])})
    X = np.zeros((len(rows), max([features, *(max(row, default=0) for row in rows)])))
    for i, row in enumerate(rows):
        for j, x in row.items():
            X[i, j - 1] = x
    return np.array(labels), X


def read_model(path):
    """The head of a model file, coefficients by vector, and vectors."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    start = lines.index("SV")
    head = {line.split()[0]: line.split()[1:] for line in lines[:start]}
    count = max(1, int(head["nr_class"][0]) - 1)
    coefficients, vectors = [], []
    for line in lines[start + 1 :]:
        words = line.split()
        coefficients.append([float(word) for word in words[:count]])
        vectors.append({int(j): float(x) for j, x in (word.split(":") for word in words[count:])})
    width = max((max(row, default=0) for row in vectors), default=0)
    V = np.zeros((len(vectors), width))
    for i, row in enumerate(vectors):
        for j, x in row.items():
            V[i, j - 1] = x
    return head, np.array(coefficients), V


def kernel(head, A, B):
    products = A @ B.T
    kind = head["kernel_type"][0]
    if kind == "linear":
        return products
    gamma = float(head["gamma"][0])
    if kind == "polynomial":
        return (gamma * products + float(head["coef0"][0])) ** int(head["degree"][0])
    assert kind == "rbf", kind
    return np.exp(-gamma * np.maximum(0.0, (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2 * products))


def improved(Q, p, s, a, C, primal, wanted, steps=400_000):
    """The best primal value and dual bound found from `a`; `primal(a, gradient)` is that of the best intercept for it."""
    gradient = Q @ a + p
    diagonal = np.diag(Q)
    best = np.inf
    for step in range(steps):
        up = np.where(s > 0, a < C, a > 0)
        down = np.where(s > 0, a > 0, a < C)
        value = -s * gradient
        i = int(np.argmax(np.where(up, value, -np.inf)))
        j = int(np.argmin(np.where(down, value, np.inf)))
        if step % 50 == 0 or value[i] - value[j] <= 0:
            best = min(best, primal(a, gradient))
            lower = -(a @ gradient + p @ a) / 2
            if best - lower <= wanted * max(1.0, abs(best)) or value[i] - value[j] <= 0:
                return best, lower
        curve = max(diagonal[i] + diagonal[j] - 2 * s[i] * s[j] * Q[i, j], 1e-12)
        move = (value[i] - value[j]) / curve
        move = min(move, C - a[i] if s[i] > 0 else a[i], a[j] if s[j] > 0 else C - a[j])
        a[i] += s[i] * move
        a[j] -= s[j] * move
        gradient += Q[:, i] * (s[i] * move) - Q[:, j] * (s[j] * move)
    return best, -(a @ gradient + p @ a) / 2


def best_sum(loss, breaks):
    """The least of a convex function of b with kinks at `breaks` alone: by ternary search over them."""
    breaks = np.unique(breaks)
    low, high = 0, len(breaks) - 1
    while high - low > 3:
        third = (high - low) // 3
        if loss(breaks[low + third]) < loss(breaks[high - third]):
            high -= third
        else:
            low += third
    return min(loss(b) for b in breaks[low : high + 1])


def pair_gap(K, s, f, norm, a, C):
    """Objective of two classes, and the optimum between two numbers. K of the rows, s their signs, f the scores of the model."""
    objective = C * np.maximum(0.0, 1 - s * f).sum() + norm / 2
    Q = s[:, None] * K * s

    def primal(a, gradient):
        scores = s * (gradient + 1)  # Q a = s f without its intercept
        return a @ (gradient + 1) / 2 + C * best_sum(lambda b: np.maximum(0.0, 1 - s * (scores + b)).sum(), s - scores)

    best, lower = improved(Q, np.full(len(s), -1.0), s, a, C, primal, 1e-9)
    return objective, lower, min(best, objective)


def tube_gap(K, y, f, norm, beta, C, epsilon):
    objective = C * np.maximum(0.0, np.abs(y - f) - epsilon).sum() + norm / 2
    n = len(y)
    s = np.concatenate([np.ones(n), -np.ones(n)])
    Q = s[:, None] * np.tile(K, (2, 2)) * s
    p = np.concatenate([epsilon - y, epsilon + y])
    a = np.concatenate([np.maximum(beta, 0.0), np.maximum(-beta, 0.0)])

    def primal(a, gradient):
        scores = (gradient - p)[:n]
        loss = lambda b: np.maximum(0.0, np.abs(y - scores - b) - epsilon).sum()
        return a @ (gradient - p) / 2 + C * best_sum(loss, np.concatenate([y - scores - epsilon, y - scores + epsilon]))

    best, lower = improved(Q, p, s, a, C, primal, 1e-9)
    return objective, lower, min(best, objective)


def coefficients_by_row(X, V, coefficients):
    """The vectors' coefficients at the rows that they are; equal rows share them in the order of the file."""
    places = {}
    for i, row in enumerate(X):
        places.setdefault(row.tobytes(), []).append(i)
    out = np.zeros(len(X))
    for vector, value in zip(V, coefficients):
        out[places[vector.tobytes()].pop(0)] += value
    return out


def gap(model_path, rows_path, C, epsilon=0.1):
    """The objective at the model's own numbers, and the two numbers that enclose the optimum."""
    head, coefficients, V = read_model(model_path)
    y, X = read_rows(rows_path, V.shape[1])
    V = np.hstack([V, np.zeros((len(V), X.shape[1] - V.shape[1]))])
    rho = np.array([float(word) for word in head["rho"]])
    if head["svm_type"] == ["epsilon_svr"]:
        beta = coefficients[:, 0]
        f = kernel(head, X, V) @ beta - rho[0]
        return tube_gap(
            kernel(head, X, X), y, f, beta @ kernel(head, V, V) @ beta, coefficients_by_row(X, V, beta), C, epsilon
        )
    assert head["svm_type"] == ["c_svc"], head["svm_type"]
    labels = [float(word) for word in head["label"]]
    ends = np.cumsum([0, *(int(word) for word in head["nr_sv"])])
    sums, pair = np.zeros(3), 0
    for u in range(len(labels)):
        for v in range(u + 1, len(labels)):
            of_u, of_v = slice(ends[u], ends[u + 1]), slice(ends[v], ends[v + 1])
            W = np.vstack([V[of_u], V[of_v]])
            beta = np.concatenate([coefficients[of_u, v - 1], coefficients[of_v, u]])
            own = (y == labels[u]) | (y == labels[v])
            Z, s = X[own], np.where(y[own] == labels[u], 1.0, -1.0)
            f = kernel(head, Z, W) @ beta - rho[pair]
            a = np.zeros(len(s))  # equal rows of both classes are told apart by their side
            for side in (1.0, -1.0):
                vectors = np.sign(beta) == side
                a[s == side] = side * coefficients_by_row(Z[s == side], W[vectors], beta[vectors])
            sums += pair_gap(kernel(head, Z, Z), s, f, beta @ kernel(head, W, W) @ beta, a, C)
            pair += 1
    return tuple(sums)


if __name__ == "__main__":
    found = gap(sys.argv[1], sys.argv[2], *(float(word) for word in sys.argv[3:]))
    print(
        f"objective {found[0]:.12g}, optimum between {found[1]:.12g} and {found[2]:.12g}, gap {found[0] - found[1]:.3g}"
    )
