"""Real clusters: two workers of Dask, two executors of Spark, each a process of its own."""

import os
import sys

import numpy as np
import pandas as pd
import pytest

os.environ["PYSPARK_PYTHON"] = sys.executable


@pytest.fixture(scope="session")
def frame():
    """Numbers, a category, a number to predict, a class, a count, a weight and an id, of rows in a known order."""
    random = np.random.default_rng(0)
    n = 20000
    x = random.normal(size=(n, 4))
    out = pd.DataFrame(x, columns=["a", "b", "c", "d"])
    out["kind"] = random.choice(["p", "q", "r"], n)
    out["t"] = x @ [1.0, 2.0, 0.0, -1.0] + (out["kind"] == "q") + random.normal(size=n)
    out["y"] = (x[:, 0] + random.normal(size=n) > 0).astype(np.int64)
    out["word"] = np.where(x[:, 1] + random.normal(size=n) > 0, "high", "low")
    out["count"] = random.poisson(np.exp(0.3 * x[:, 0]))
    out["weight"] = random.integers(0, 3, n).astype(float)
    out["id"] = np.arange(n)
    return out


@pytest.fixture
def stopped_fit(monkeypatch):
    """A fit by Dask whose cluster is gone in the middle: what is left is its checkpoint."""
    import recta.dask
    from recta._distributed import dask_tables

    def fit(round, *arguments, **named):
        run, tasks = dask_tables._DaskEngine.run, []

        def failing(self, task):
            tasks.append(task)
            if len(tasks) == round:
                raise RuntimeError("the cluster is gone")
            return run(self, task)

        with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="the cluster is gone"):
            patch.setattr(dask_tables._DaskEngine, "run", failing)
            recta.dask.fit(*arguments, **named)

    return fit


@pytest.fixture(scope="session")
def letters():
    """Documents of a few words, two classes that differ in some of them, and an id, of rows in a known order."""
    random = np.random.default_rng(1)
    n = 6000
    word = random.choice(["ham", "spam"], n)
    picks = np.where(random.random((n, 8)) < 0.3, np.where(word == "spam", 40, 0)[:, None], 0) + random.integers(
        0, 40, (n, 8)
    )
    bodies = [" ".join(f"w{k}" for k in row) for row in picks]
    bodies[17] = None  # no document
    return pd.DataFrame(
        {"body": bodies, "word": word, "age": random.integers(10, 80, n).astype(float), "id": np.arange(n)}
    )


@pytest.fixture(scope="session")
def spark():
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local-cluster[2,1,768]")
        .appName("recta")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executor.memory", "700m")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.speculation", "true")
        .config("spark.speculation.interval", "50ms")
        .config("spark.log.level", "FATAL")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(scope="session")
def dask_client():
    import dask
    from distributed import Client, LocalCluster

    # A local cluster looks 15 s after a worker was lost whether one of its name is there, and gives it up for good if not. It may have been killed once more
    # by then, and be on its way up again.
    patient = dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"})
    with (
        patient,
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client
