"""Rows that machines are tried on, and their kernels in plain NumPy."""

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_iris,
    load_wine,
    make_classification,
    make_moons,
    make_regression,
)
from sklearn.preprocessing import StandardScaler


def scaled(X):
    return StandardScaler().fit_transform(X)


CLASSES = {
    "moons": make_moons(200, noise=0.3, random_state=0),
    "made": make_classification(300, 12, n_informative=5, random_state=1),
    "wide": make_classification(60, 200, n_informative=10, random_state=2),
    "cancer": (scaled(load_breast_cancer().data), load_breast_cancer().target),
}
SEVERAL = {"iris": load_iris(return_X_y=True), "wine": (scaled(load_wine().data), load_wine().target)}
NUMBERS = {
    "diabetes": (load_diabetes().data * 20, load_diabetes().target / 50),
    "made": make_regression(150, 6, noise=5.0, random_state=3),
}


def kernel_matrix(model, X):
    gamma = 1 / (X.shape[1] * X.var()) if model.gamma == "scale" else model.gamma
    if model.kernel == "linear":
        return X @ X.T
    if model.kernel == "poly":
        return (gamma * X @ X.T + model.coef0) ** model.degree
    return np.exp(-gamma * ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))


def product_plus_gaussian(X, Z):
    return X @ Z.T + np.exp(-30.0 * ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2))
