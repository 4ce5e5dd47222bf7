"""Losses other than squares by scikit-learn, each with the solver and the tolerance that reach what Recta proves."""

import warnings

import numpy as np


def fit(make):
    def run(job, timed):
        import sklearn

        warnings.simplefilter("ignore")
        x, y = np.fromfile(job["x"]).reshape((job["rows"], job["cols"])), np.fromfile(job["y"])
        make(job).fit(x[:200], y[:200])  # what is loaded at first use
        model = make(job)
        seconds, model = timed(lambda: model.fit(x, y), job["repeat"])
        np.concatenate([np.ravel(model.intercept_), np.ravel(model.coef_)]).tofile(job["answer"])
        return seconds, sklearn.__version__, {}

    return run


def huber(job):
    from sklearn.linear_model import HuberRegressor

    return HuberRegressor(epsilon=job["epsilon"], alpha=job["tau"], tol=1e-6, max_iter=10_000)


def poisson(job):
    from sklearn.linear_model import PoissonRegressor

    return PoissonRegressor(alpha=job["lambda"], solver="newton-cholesky", tol=1e-8)


def gamma(job):
    from sklearn.linear_model import GammaRegressor

    return GammaRegressor(alpha=job["lambda"], solver="newton-cholesky", tol=1e-8)


def quantile(job):
    from sklearn.linear_model import QuantileRegressor

    return QuantileRegressor(quantile=job["quantile"], alpha=0)


def tube(job):
    """LinearSVR penalises the intercept; this one does not."""
    from sklearn.svm import SVR

    return SVR(kernel="linear", epsilon=job["epsilon"], C=1 / job["tau"], tol=1e-6)


PEERS = {
    f"{name} loss": fit(make)
    for name, make in (
        ("HuberRegressor", huber),
        ("PoissonRegressor", poisson),
        ("GammaRegressor", gamma),
        ("QuantileRegressor", quantile),
        ("SVR", tube),
    )
}
