"""Models of classes as each library fits them and predicts."""

import importlib

import numpy as np

MODULES = {
    "GaussianNB": "naive_bayes",
    "CategoricalNB": "naive_bayes",
    "LinearDiscriminantAnalysis": "discriminant_analysis",
    "QuadraticDiscriminantAnalysis": "discriminant_analysis",
}


def work_with(package, job, timed):
    make = getattr(importlib.import_module(f"{package}.{MODULES[job['model']]}"), job["model"])
    x, y = np.fromfile(job["x"]).reshape(-1, job["cols"]), np.fromfile(job["y"])
    some = x[: len(x) // 10].copy()
    if job["task"] == "fit":
        seconds, model = timed(lambda: make().fit(x, y), job["repeat"])
    else:
        model = make().fit(x, y)
        seconds, _ = timed(lambda: model.predict(some), job["repeat"])
    shares = model.predict_proba(some[:2000])
    return (
        seconds,
        importlib.import_module(package).__version__,
        {"certainty": float(shares.max(axis=1).sum()), "predicted": float(model.predict(some[:2000]).sum())},
    )


PEERS = {
    "recta classes": lambda job, timed: work_with("recta", job, timed),
    "sklearn classes": lambda job, timed: work_with("sklearn", job, timed),
}
