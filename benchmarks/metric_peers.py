"""Measures of predictions, by recta.metrics and by scikit-learn: the same call on the same arrays."""

import numpy as np


def rows(job):
    return np.fromfile(job["y"], dtype=np.int64), np.fromfile(job["score"])


def recta_metric(job, timed):
    import recta
    import recta.metrics

    y, p = rows(job)
    seconds, answer = timed(lambda: getattr(recta.metrics, job["measure"])(y, p, **job["keywords"]), job["repeat"])
    np.ravel(answer).tofile(job["answer"])
    return seconds, recta.__version__, {}


def sklearn_metric(job, timed):
    import sklearn.calibration
    import sklearn.metrics

    y, p = rows(job)
    module = sklearn.calibration if job["measure"] == "calibration_curve" else sklearn.metrics
    seconds, answer = timed(lambda: getattr(module, job["measure"])(y, p, **job["keywords"]), job["repeat"])
    np.ravel(answer).tofile(job["answer"])
    return seconds, sklearn.__version__, {}


PEERS = {"recta metric": recta_metric, "sklearn metric": sklearn_metric}
