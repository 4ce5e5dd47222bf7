"""One peer doing one piece of work, in a process of its own so that its peak memory is its own.

Called by the harness as: python peer.py PEER '{"task": ..., ...}'. Prints one JSON document. Only the work is timed:
imports, loading arrays and warming up are not.
"""

import functools
import json
import os
import resource
import sys
import time

import class_peers
import descent_peers
import glmnet_peer
import group_peers
import kernel_model_peers
import label_set_peers
import logistic_peers
import loss_peers
import machine_peers
import metric_peers
import neighbour_peers
import net_peers
import selection_peers
import separation_peers
import softmax_peers
import text_peers


def arrays(job):
    import numpy as np

    x = np.fromfile(job["x"], dtype=np.float64).reshape((job["rows"], job["cols"]), order=job.get("order", "C"))
    return x, np.fromfile(job["y"], dtype=np.float64)


def timed(work, repeat):
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return seconds, result


def sklearn_fit(job, make):
    import numpy as np
    import sklearn

    x, y = arrays(job)
    seconds, model = timed(lambda: make().fit(x, y), job["repeat"])
    np.concatenate([[model.intercept_], model.coef_]).tofile(job["answer"])
    return seconds, sklearn.__version__, {}


def linear_regression(job):
    from sklearn.linear_model import LinearRegression

    return sklearn_fit(job, LinearRegression)


def ridge(job):
    from sklearn.linear_model import Ridge

    return sklearn_fit(job, lambda: Ridge(alpha=job["lambda"] * job["rows"], solver=job["solver"], tol=1e-12))


def statsmodels_ols(job):
    import numpy as np
    import statsmodels
    import statsmodels.api as sm

    x, y = arrays(job)
    seconds, fit = timed(lambda: sm.OLS(y, sm.add_constant(x)).fit(), job["repeat"])
    np.asarray(fit.params).tofile(job["answer"])
    return seconds, statsmodels.__version__, {}


def pandas_read(job):
    import pandas

    seconds, table = timed(lambda: pandas.read_csv(job["file"], engine="c"), job["repeat"])
    return seconds, pandas.__version__, {"rows": len(table), "checksum": float(table.to_numpy().sum())}


def polars_read(job):
    os.environ["POLARS_MAX_THREADS"] = str(job["threads"])
    import polars

    seconds, table = timed(lambda: polars.read_csv(job["file"]), job["repeat"])
    return seconds, polars.__version__, {"rows": table.height, "checksum": float(table.to_numpy().sum())}


def pyarrow_read(job):
    import pyarrow
    import pyarrow.csv

    pyarrow.set_cpu_count(job["threads"])
    options = pyarrow.csv.ReadOptions(use_threads=job["threads"] > 1)
    seconds, table = timed(lambda: pyarrow.csv.read_csv(job["file"], read_options=options), job["repeat"])
    total = sum(float(c.to_numpy().sum()) for c in table.columns)
    return seconds, pyarrow.__version__, {"rows": table.num_rows, "checksum": total}


def numpy_read(job):
    import numpy as np

    seconds, table = timed(lambda: np.loadtxt(job["file"], delimiter=",", skiprows=1), job["repeat"])
    return seconds, np.__version__, {"rows": len(table), "checksum": float(table.sum())}


def sklearn_libsvm(job):
    import sklearn
    from sklearn.datasets import load_svmlight_file

    seconds, (x, y) = timed(lambda: load_svmlight_file(job["file"]), job["repeat"])
    return seconds, sklearn.__version__, {"rows": x.shape[0], "checksum": float(x.sum() + y.sum())}


def recta_fit(job):
    import numpy as np

    import recta
    from recta.linear_model import LinearRegression, Ridge

    x, y = arrays(job)
    model = Ridge(alpha=job["lambda"] * job["rows"]) if job["word"] == "ridge" else LinearRegression()
    seconds, model = timed(lambda: model.fit(x, y), job["repeat"])
    np.concatenate([[model.intercept_], model.coef_]).tofile(job["answer"])
    return seconds, recta.__version__, {}


def single_rows(job, make):
    """`calls` predictions of one row each; `make` gives the version and what is called with a row of two dimensions."""
    import numpy as np

    x, y = arrays(job)
    version, predict = make(x, y)
    rows = [np.ascontiguousarray(x[i : i + 1]) for i in range(100)]
    sum(float(predict(row)) for row in rows)
    seconds, total = timed(lambda: sum(float(predict(rows[i % 100])) for i in range(job["calls"])), job["repeat"])
    return seconds, version, {"rows": job["calls"], "checksum": total}


def sklearn_single_rows(job):
    def make(x, y):
        import sklearn
        from sklearn.linear_model import LinearRegression

        model = LinearRegression().fit(x, y)
        return sklearn.__version__, lambda row: model.predict(row)[0]

    return single_rows(job, make)


def recta_single_rows(job):
    def make(x, y):
        import recta
        from recta.linear_model import LinearRegression

        model = LinearRegression().fit(x, y)
        return recta.__version__, lambda row: model.predict(row)[0]

    return single_rows(job, make)


def recta_fast_predictor(job):
    def make(x, y):
        import recta
        from recta.linear_model import LinearRegression

        fast = LinearRegression().fit(x, y).fast_predictor()
        return recta.__version__, lambda row: fast(row[0])

    return single_rows(job, make)


def import_recta(job):
    import numpy  # noqa: F401

    start = time.perf_counter()
    import recta

    seconds = time.perf_counter() - start
    assert "sklearn" not in sys.modules
    return [seconds], recta.__version__, {}


PEERS = {
    "recta fit": recta_fit,
    "recta single rows": recta_single_rows,
    "recta fast predictor": recta_fast_predictor,
    "import recta": import_recta,
    "LinearRegression single rows": sklearn_single_rows,
    "LinearRegression": linear_regression,
    "Ridge": ridge,
    "statsmodels OLS": statsmodels_ols,
    "pandas": pandas_read,
    "polars": polars_read,
    "pyarrow": pyarrow_read,
    "numpy.loadtxt": numpy_read,
    "load_svmlight_file": sklearn_libsvm,
} | {
    name: functools.partial(work, timed=timed)
    for name, work in (
        net_peers.PEERS
        | glmnet_peer.PEERS
        | group_peers.PEERS
        | loss_peers.PEERS
        | logistic_peers.PEERS
        | descent_peers.PEERS
        | separation_peers.PEERS
        | softmax_peers.PEERS
        | selection_peers.PEERS
        | metric_peers.PEERS
        | neighbour_peers.PEERS
        | kernel_model_peers.PEERS
        | machine_peers.PEERS
        | text_peers.PEERS
        | label_set_peers.PEERS
        | class_peers.PEERS
    ).items()
}


def answer(name, job):
    seconds, version, more = PEERS[name](job)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": seconds, "version": version, "peak_bytes": peak, **more}


if __name__ == "__main__":
    print(json.dumps(answer(sys.argv[1], json.loads(sys.argv[2]))))
