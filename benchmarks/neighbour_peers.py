"""Nearest neighbours as each library finds them: build and search, in seconds, and the sum of all distances."""

import os

import numpy as np


def problem(job):
    return np.fromfile(job["x"]).reshape(-1, job["cols"]), np.fromfile(job["q"]).reshape(-1, job["cols"])


def recta_neighbours(job, timed):
    import recta
    from recta.neighbors import NearestNeighbors

    x, q = problem(job)
    seconds, found = timed(
        lambda: NearestNeighbors(n_neighbors=job["k"], algorithm=job["search"]).fit(x).kneighbors(q), job["repeat"]
    )
    return seconds, recta.__version__, {"sum": float(found[0].sum())}


def nearest(module, job, timed):
    x, q = problem(job)
    threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    make = lambda: module.NearestNeighbors(n_neighbors=job["k"], algorithm=job["search"], n_jobs=threads)
    seconds, found = timed(lambda: make().fit(x).kneighbors(q), job["repeat"])
    return seconds, {"sum": float(found[0].sum())}


def sklearn_neighbours(job, timed):
    import sklearn
    import sklearn.neighbors

    seconds, more = nearest(sklearn.neighbors, job, timed)
    return seconds, sklearn.__version__, more


def intelex_neighbours(job, timed):
    import sklearnex
    import sklearnex.neighbors

    seconds, more = nearest(sklearnex.neighbors, job, timed)
    return seconds, sklearnex.__version__, more


def faiss_flat(job, timed):
    import faiss

    x, q = (part.astype(np.float32) for part in problem(job))

    def work():
        index = faiss.IndexFlatL2(job["cols"])
        index.add(x)
        return index.search(q, job["k"])

    seconds, found = timed(work, job["repeat"])
    return seconds, faiss.__version__, {"sum": float(np.sqrt(np.maximum(found[0], 0)).sum(dtype=np.float64))}


def ckdtree(job, timed):
    import scipy
    from scipy.spatial import cKDTree

    x, q = problem(job)
    threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    seconds, found = timed(lambda: cKDTree(x).query(q, job["k"], workers=threads), job["repeat"])
    return seconds, scipy.__version__, {"sum": float(found[0].sum())}


def nanoflann(job, timed):
    import pynanoflann

    x, q = problem(job)
    threads = int(os.environ.get("OMP_NUM_THREADS", "1"))

    def work():
        tree = pynanoflann.KDTree(n_neighbors=job["k"], metric="l2", leaf_size=10)
        tree.fit(x)
        return tree.kneighbors(q, n_jobs=threads)

    seconds, found = timed(work, job["repeat"])
    return seconds, "pynanoflann", {"sum": float(found[0].sum(dtype=np.float64))}


def recall(found, x, q, k):
    """The share of the true neighbours among those found, on the first 500 queries."""
    from recta.neighbors import NearestNeighbors

    true = NearestNeighbors(n_neighbors=k).fit(x).kneighbors(q[:500])[1]
    return float(np.mean([len(set(a) & set(b)) / k for a, b in zip(found, true)]))


def recta_graph(job, timed):
    import recta
    from recta.neighbors import NearestNeighbors

    x, q = problem(job)
    make = lambda: NearestNeighbors(
        n_neighbors=job["k"], algorithm="hnsw", index_params={"links": 16, "ef_construction": 200, "ef_search": 64}
    ).fit(x)
    built, search = timed(make, 1)
    seconds, found = timed(lambda: search.kneighbors(q), job["repeat"])
    return seconds if job["part"] == "query" else built, recta.__version__, {"recall": recall(found[1], x, q, job["k"])}


def hnswlib_graph(job, timed):
    import hnswlib

    x, q = problem(job)
    threads = int(os.environ.get("OMP_NUM_THREADS", "1"))

    def make():
        index = hnswlib.Index("l2", job["cols"])
        index.init_index(len(x), M=16, ef_construction=200)
        index.set_num_threads(threads)
        index.add_items(x.astype(np.float32))
        index.set_ef(64)
        return index

    built, index = timed(make, 1)
    seconds, found = timed(lambda: index.knn_query(q.astype(np.float32), job["k"]), job["repeat"])
    return seconds if job["part"] == "query" else built, "hnswlib", {"recall": recall(found[0], x, q, job["k"])}


def recta_errors(job, timed):
    import recta
    from recta.neighbors import KNeighborsClassifier

    x, _ = problem(job)
    y = (x[:, 0] + x[:, 1] > 0).astype(int)
    seconds, model = timed(
        lambda: KNeighborsClassifier(choose_k=job["k"] - 1, algorithm=job["search"]).fit(x, y), job["repeat"]
    )
    return seconds, recta.__version__, {"least": float(model.errors_by_k_["left_out"].min())}


def recta_loading(job, timed):
    """Every load begins anew: no piece of the file has been checked before its first answer."""
    import recta
    from recta.neighbors import KNeighborsRegressor

    if not os.path.exists(job["file"]):
        x = np.random.default_rng(35).standard_normal((job["rows"], job["cols"]))
        KNeighborsRegressor(algorithm=job["search"], index_params=job["params"]).fit(x, x[:, 0]).save(job["file"])
    with open(job["file"], "rb") as file:  # into the system's cache
        size = sum(len(part) for part in iter(lambda: file.read(1 << 24), b""))
    query = np.random.default_rng(36).standard_normal((1, job["cols"]))
    seconds, answer = timed(lambda: recta.load(job["file"]).predict(query), job["repeat"])
    return seconds, recta.__version__, {"answer": float(answer[0]), "megabytes": size / 1e6}


def search_of_itself(peer):
    """One search of the rows among themselves, by another library."""

    def search(job, timed):
        return peer(job | {"q": job["x"]}, timed)

    return search


def recta_far(job, timed):
    import recta
    from recta.neighbors import NearestNeighbors

    x, q = problem(job)
    far, asked = x + job["offset"], q + job["offset"]
    seconds, found = timed(
        lambda: NearestNeighbors(n_neighbors=job["k"], algorithm=job["search"]).fit(far).kneighbors(asked),
        job["repeat"],
    )
    true = [
        np.argsort(((far - one) ** 2).sum(axis=1), kind="stable")[: job["k"]] for one in asked[:200]
    ]  # differences lose nothing
    return (
        seconds,
        recta.__version__,
        {"recall": float(np.mean([len(set(a) & set(b)) / job["k"] for a, b in zip(found[1], true)]))},
    )


def product(job, timed):
    """The product of queries and rows in single precision, block by block: what any search through products must pay."""
    x, q = (part.astype(np.float32) for part in problem(job))
    products = np.empty((512, len(x)), np.float32)

    def work():
        for i in range(0, len(q), 512):
            some = q[i : i + 512]
            np.matmul(some, x.T, out=products[: len(some)])

    seconds, _ = timed(work, job["repeat"])
    return seconds, np.__version__, {}


PEERS = {
    "recta neighbours": recta_neighbours,
    "sklearn brute": sklearn_neighbours,
    "sklearn tree": sklearn_neighbours,
    "sklearn-intelex brute": intelex_neighbours,
    "faiss flat": faiss_flat,
    "cKDTree": ckdtree,
    "nanoflann": nanoflann,
    "float32 product": product,
    "recta graph": recta_graph,
    "hnswlib": hnswlib_graph,
    "recta errors": recta_errors,
    "recta far": recta_far,
    "recta loading": recta_loading,
    "sklearn search": search_of_itself(sklearn_neighbours),
    "faiss search": search_of_itself(faiss_flat),
    "sklearn-intelex search": search_of_itself(intelex_neighbours),
}
