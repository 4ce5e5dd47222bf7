"""Support vector machines as each library fits them: seconds, and the objective that the answer has."""

import numpy as np


def problem(job):
    y = np.fromfile(job["y"])
    if "indices" in job:
        import scipy.sparse

        parts = [
            np.fromfile(job[name], dtype=dtype)
            for name, dtype in (("data", np.float64), ("indices", np.int32), ("indptr", np.int64))
        ]
        return scipy.sparse.csr_matrix(tuple(parts), shape=(len(y), job["cols"])), y
    x = np.fromfile(job["x"]).reshape(-1, job["cols"])
    rows = job.get("rows", len(y))
    return x[:rows], y[:rows]


def kernel_objective(model, x, y, c):
    """C sum of hinges + |w|^2 / 2, with w of the coefficients of the answer."""
    f = model.decision_function(x)
    squared = float((model.dual_coef_[0] * (f[model.support_] - model.intercept_[0])).sum())
    return c * float(np.maximum(0, 1 - y * f).sum()) + squared / 2


def linear_objective(model, x, y, job):
    """liblinear's: the intercept is penalised."""
    w, b = model.coef_[0], float(np.ravel(model.intercept_)[0])
    lack = np.maximum(0, 1 - y * (x @ w + b))
    penalty = np.abs(w).sum() + abs(b) if job["penalty"] == "l1" else (w @ w + b * b) / 2
    return float(penalty + job["C"] * (lack**2 if job["loss"] == "squared_hinge" else lack).sum())


def proved(model, objective):
    """The objective, and below which no answer's is by the certificate, if there is one."""
    certificate = getattr(model, "certificate_", None)
    return (
        {"objective": objective}
        if certificate is None
        else {"objective": objective, "least": objective * certificate.dual / certificate.primal}
    )


def fit_kernel(module, job, timed, **more):
    x, y = problem(job)
    seconds, model = timed(
        lambda: module.SVC(C=job["C"], gamma=job["gamma"], kernel=job.get("kernel", "rbf"), **more).fit(x, y),
        job["repeat"],
    )
    if job.get("several"):  # every class against every other: the share of rows predicted as they are is compared
        return seconds, {"right": float((model.predict(x[:2_000]) == y[:2_000]).mean())}
    return seconds, proved(model, kernel_objective(model, x, y, job["C"]))


def recta_machine(job, timed):
    import recta
    import recta.svm

    seconds, more = fit_kernel(recta.svm, job, timed, tolerance=job["tolerance"])
    return seconds, recta.__version__, more


def sklearn_svc(job, timed):
    import sklearn
    import sklearn.svm

    seconds, more = fit_kernel(sklearn.svm, job, timed, cache_size=1000)
    return seconds, sklearn.__version__, more


def intelex_svc(job, timed):
    import sklearnex
    import sklearnex.svm

    seconds, more = fit_kernel(sklearnex.svm, job, timed)
    return seconds, sklearnex.__version__, more


def predict_kernel(module, job, timed, **more):
    x, y = problem(job)
    model = module.SVC(C=job["C"], gamma=job["gamma"], **more).fit(x, y)
    seconds, f = timed(lambda: model.decision_function(x[: job["asked"]]), job["repeat"])
    return seconds, {"objective": float(np.abs(f).sum())}


def recta_scores(job, timed):
    import recta
    import recta.svm

    seconds, more = predict_kernel(recta.svm, job, timed)
    return seconds, recta.__version__, more


def sklearn_scores(job, timed):
    import sklearn
    import sklearn.svm

    seconds, more = predict_kernel(sklearn.svm, job, timed, tol=1e-6)
    return seconds, sklearn.__version__, more


def intelex_scores(job, timed):
    import sklearnex
    import sklearnex.svm

    seconds, more = predict_kernel(sklearnex.svm, job, timed, tol=1e-6)
    return seconds, sklearnex.__version__, more


def recta_linear_machine(job, timed):
    import recta
    from recta.svm import LinearSVC

    x, y = problem(job)
    machine = LinearSVC(
        penalty=job["penalty"], loss=job["loss"], C=job["C"], penalised_intercept=True, tolerance=job["tolerance"]
    )
    seconds, model = timed(lambda: machine.fit(x, y), job["repeat"])
    return seconds, recta.__version__, proved(model, linear_objective(model, x, y, job))


def liblinear(job, timed):
    import sklearn
    from sklearn.svm import LinearSVC

    x, y = problem(job)
    machine = LinearSVC(penalty=job["penalty"], loss=job["loss"], C=job["C"], dual=job["dual"], random_state=0)
    seconds, model = timed(lambda: machine.fit(x, y), job["repeat"])
    return seconds, sklearn.__version__, {"objective": linear_objective(model, x, y, job)}


def fit_nu(module, job, timed):
    x, y = problem(job)
    machine = (module.NuSVC if job["classes"] else module.NuSVR)(nu=job["nu"], gamma=job["gamma"])
    seconds, model = timed(lambda: machine.fit(x, y), job["repeat"])
    f = model.decision_function(x[:1000]) if job["classes"] else model.predict(x[:1000])
    return seconds, {"objective": float(np.abs(f).sum())}


def recta_nu(job, timed):
    import recta
    import recta.svm

    seconds, more = fit_nu(recta.svm, job, timed)
    return seconds, recta.__version__, more


def sklearn_nu(job, timed):
    import sklearn
    import sklearn.svm

    seconds, more = fit_nu(sklearn.svm, job, timed)
    return seconds, sklearn.__version__, more


def recta_grid(job, timed):
    import recta
    from recta.model_selection import grid_search

    x, y = problem(job)
    seconds, search = timed(
        lambda: grid_search(
            "svm",
            x,
            y,
            grid={"C": job["costs"]},
            kernel="rbf",
            gamma=job["gamma"],
            holdout=0.2,
            scores="accuracy",
            refit=False,
        ),
        job["repeat"],
    )
    return seconds, recta.__version__, {"objective": search.best_score_}


def sklearn_grid(job, timed):
    import sklearn
    from sklearn.model_selection import GridSearchCV, ShuffleSplit
    from sklearn.svm import SVC

    x, y = problem(job)
    search = GridSearchCV(
        SVC(gamma=job["gamma"], cache_size=1000),
        {"C": job["costs"]},
        cv=ShuffleSplit(1, test_size=0.2, random_state=0),
        refit=False,
    )
    seconds, search = timed(lambda: search.fit(x, y), job["repeat"])
    return seconds, sklearn.__version__, {"objective": search.best_score_}


PEERS = {
    "recta grid": recta_grid,
    "sklearn grid": sklearn_grid,
    "recta machine": recta_machine,
    "sklearn SVC": sklearn_svc,
    "sklearn-intelex SVC": intelex_svc,
    "recta scores": recta_scores,
    "sklearn scores": sklearn_scores,
    "sklearn-intelex scores": intelex_scores,
    "recta linear machine": recta_linear_machine,
    "liblinear": liblinear,
    "recta nu": recta_nu,
    "sklearn nu": sklearn_nu,
}
