"""One pass by single rows, as each library makes it: a constant rate, no penalty."""

from pathlib import Path

import numpy as np

RATE = 0.002


def problem(job):
    import scipy.sparse

    parts = np.fromfile(job["value"]), np.fromfile(job["index"], np.int32), np.fromfile(job["start"], np.int32)
    return scipy.sparse.csr_matrix(parts, shape=(job["rows"], job["cols"])), np.fromfile(job["y"])


def mse(x, y, w, b):
    return {"mse": float(np.mean((x @ w + b - y) ** 2))}


def one_pass(job, timed, kind, version):
    x, y = problem(job)
    make = kind(max_iter=1, tol=None, penalty=None, learning_rate="constant", eta0=RATE, random_state=0)
    seconds, model = timed(lambda: make.fit(x, y), job["repeat"])
    return seconds, version, mse(x, y, model.coef_, model.intercept_[0])


def recta_sgd(job, timed):
    import recta
    from recta.linear_model import SGDRegressor

    return one_pass(job, timed, SGDRegressor, recta.__version__)


def sklearn_sgd(job, timed):
    import sklearn
    from sklearn.linear_model import SGDRegressor

    return one_pass(job, timed, SGDRegressor, sklearn.__version__)


def vowpal_wabbit(job, timed):
    """From its own cache of the rows, which is written before and not timed; rows in their order. Its squared error is twice
    that of the others."""
    import vowpalwabbit

    text, cache = Path(job["stem"] + ".vw"), Path(job["stem"] + ".vw.cache")
    x, y = problem(job)
    if not cache.exists():
        with text.open("w") as out:
            for i in range(job["rows"]):
                part = slice(x.indptr[i], x.indptr[i + 1])
                numbers = " ".join(
                    f"{j}:{value!r}" for j, value in zip(x.indices[part].tolist(), x.data[part].tolist())
                )
                out.write(f"{float(y[i])!r} | {numbers}\n")
    bits = max(10, int(np.ceil(np.log2(job["cols"] + 1))))
    options = ["--sgd", "-l", repr(RATE / 2), "--power_t", "0", "-b", str(bits), "--quiet"]

    def run(*source):
        workspace = vowpalwabbit.Workspace(arg_list=[*options, *source])
        workspace.run_parser()
        return workspace

    if not cache.exists():
        run("-d", str(text), "--cache_file", str(cache), "-k").finish()
    seconds, workspace = timed(lambda: run("--cache_file", str(cache)), job["repeat"])
    w = np.array([workspace.get_weight(j) for j in range(job["cols"])])
    constant = workspace.get_weight(11650396 % (1 << bits))
    return seconds, vowpalwabbit.__version__, mse(x, y, w, constant)


PEERS = {"recta sgd": recta_sgd, "SGDRegressor": sklearn_sgd, "vowpal wabbit": vowpal_wabbit}
