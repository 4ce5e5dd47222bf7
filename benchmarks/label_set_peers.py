"""Sets of labels, by recta.multioutput and by scikit-learn, from the same arrays. The answers are probabilities of all rows,
of chains their means: a row on the border may go either way, and with it all that its chain reads."""

import numpy as np


def rows(job):
    return (
        np.fromfile(job["x"]).reshape(job["rows"], job["cols"]),
        np.fromfile(job["members"], dtype=np.int64).reshape(job["rows"], job["labels"]),
    )


def recta_sets(order):
    def work(job, timed):
        import recta
        from recta.linear_model import LogisticRegression
        from recta.multioutput import LabelSetClassifier

        x, members = rows(job)
        chain = list(range(job["labels"])) if order else None
        seconds, model = timed(
            lambda: LabelSetClassifier(LogisticRegression(), order=chain).fit(x, members), job["repeat"]
        )
        found = model.predict_proba(x)
        (found.mean(axis=0) if order else found).tofile(job["answer"])
        return seconds, recta.__version__, {}

    return work


def sklearn_sets(order):
    def work(job, timed):
        import sklearn
        from sklearn.linear_model import LogisticRegression
        from sklearn.multioutput import ClassifierChain, MultiOutputClassifier

        x, members = rows(job)
        one = LogisticRegression(tol=1e-6, max_iter=1000)
        seconds, model = timed(
            lambda: (ClassifierChain(one) if order else MultiOutputClassifier(one)).fit(x, members), job["repeat"]
        )
        found = model.predict_proba(x) if order else np.column_stack([each[:, 1] for each in model.predict_proba(x)])
        (found.mean(axis=0) if order else found).tofile(job["answer"])
        return seconds, sklearn.__version__, {}

    return work


def ranking_loss(package):
    def work(job, timed):
        import importlib

        x, members = rows(job)
        score = np.round(x, 2)
        module = importlib.import_module(f"{package}.metrics")
        seconds, loss = timed(lambda: module.label_ranking_loss(members, score), job["repeat"])
        np.array([loss]).tofile(job["answer"])
        return seconds, importlib.import_module(package).__version__, {}

    return work


PEERS = {
    "recta label models": recta_sets(False),
    "sklearn label models": sklearn_sets(False),
    "recta label chain": recta_sets(True),
    "sklearn label chain": sklearn_sets(True),
    "recta ranking loss": ranking_loss("recta"),
    "sklearn ranking loss": ranking_loss("sklearn"),
}
