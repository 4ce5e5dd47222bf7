"""Kernel models as each library fits them, and kernels of strings and graphs in plain code: seconds, and the sum of what is computed."""

import json
from collections import Counter
from pathlib import Path

import numpy as np


def problem(job):
    return np.fromfile(job["x"]).reshape(-1, job["cols"]), np.fromfile(job["y"])


def words(job):
    return json.loads(Path(job["texts"]).read_text())


def recta_kernel_ridge(job, timed):
    import recta
    from recta.kernel_ridge import KernelRidge

    x, y = problem(job)
    seconds, model = timed(lambda: KernelRidge(job["alpha"], kernel="rbf", gamma=job["gamma"]).fit(x, y), job["repeat"])
    return seconds, recta.__version__, {"sum": float(np.abs(model.dual_coef_).sum())}


def sklearn_kernel_ridge(job, timed):
    import sklearn
    from sklearn.kernel_ridge import KernelRidge

    x, y = problem(job)
    seconds, model = timed(
        lambda: KernelRidge(alpha=job["alpha"], kernel="rbf", gamma=job["gamma"]).fit(x, y), job["repeat"]
    )
    return seconds, sklearn.__version__, {"sum": float(np.abs(model.dual_coef_).sum())}


def kernel_and_potrf(job, timed):
    """The kernel matrix and its Cholesky factor, which every exact answer needs."""
    import scipy
    from scipy.linalg import cho_factor, cho_solve
    from sklearn.metrics.pairwise import rbf_kernel

    x, y = problem(job)

    def work():
        k = rbf_kernel(x, gamma=job["gamma"])
        k[np.diag_indices(len(k))] += job["alpha"]
        return cho_solve(cho_factor(k, overwrite_a=True, check_finite=False), y)

    seconds, dual = timed(work, job["repeat"])
    return seconds, scipy.__version__, {"sum": float(np.abs(dual).sum())}


def recta_strings(job, timed):
    import recta
    from recta.kernels import StringKernel

    texts = words(job)
    kernel = StringKernel(job["kind"], length=job["length"], decay=job["decay"])
    seconds, k = timed(lambda: kernel.fit_transform(texts), job["repeat"])
    return seconds, recta.__version__, {"sum": float(k.sum())}


def normalised(k):
    root = np.sqrt(np.diag(k))
    return k / np.outer(root, root)


def sklearn_runs(job, timed):
    """Counts of runs as scikit-learn finds them, and their sparse products."""
    import sklearn
    from sklearn.feature_extraction.text import CountVectorizer

    texts = words(job)

    def work():
        counts = CountVectorizer(analyzer="char", ngram_range=(job["length"],) * 2, dtype=np.float64).fit_transform(
            texts
        )
        return normalised((counts @ counts.T).toarray())

    seconds, k = timed(work, job["repeat"])
    return seconds, sklearn.__version__, {"sum": float(k.sum())}


def subsequences(x, z, length, decay):
    """The same recurrence, a row of numpy at a time."""
    same = (x[:, None] == z[None, :]).astype(float)
    m = same * decay * decay
    for _ in range(length - 1):
        run = np.zeros_like(m)
        for j in range(len(z)):
            run[:, j] = m[:, j] + (decay * run[:, j - 1] if j else 0)
        s = run
        for i in range(1, len(x)):
            s[i] += decay * s[i - 1]
        shifted = np.zeros_like(m)
        shifted[1:, 1:] = s[:-1, :-1]
        m = same * decay * decay * shifted
    return m.sum()


def numpy_subsequences(job, timed):
    codes = [np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32) for text in words(job)]

    def work():
        k = np.empty((len(codes),) * 2)
        for i, x in enumerate(codes):
            for j, z in enumerate(codes[: i + 1]):
                k[i, j] = k[j, i] = subsequences(x, z, job["length"], job["decay"])
        return normalised(k)

    seconds, k = timed(work, job["repeat"])
    return seconds, np.__version__, {"sum": float(k.sum())}


def recta_graphs(job, timed):
    import recta
    from recta.kernels import GraphKernel

    texts = words(job)
    seconds, k = timed(lambda: GraphKernel("wl", rounds=job["rounds"]).fit_transform(texts), job["repeat"])
    return seconds, recta.__version__, {"sum": float(k.sum())}


def plain_relabelling(job, timed):
    """Dictionaries of Python and sparse products of SciPy."""
    import scipy.sparse

    def counts(text, table):
        labels, edges = {}, {}
        for part in text.split(";"):
            if ":" in part:
                node, label = part.split(":")
                labels[node] = label
            elif part:
                a, b = part.split("-")
                edges.setdefault(a, set()).add(b), edges.setdefault(b, set()).add(a)
        now = {node: table.setdefault((0, labels.get(node, "")), len(table)) for node in {*labels, *edges}}
        seen = Counter(now.values())
        for k in range(1, job["rounds"] + 1):
            now = {
                node: table.setdefault(
                    (k, now[node], tuple(sorted(now[other] for other in edges.get(node, ())))), len(table)
                )
                for node in now
            }
            seen.update(now.values())
        return seen

    texts = words(job)

    def work():
        table: dict = {}
        rows = [counts(text, table) for text in texts]
        start = np.cumsum([0, *(len(row) for row in rows)])
        index = np.concatenate([list(row) for row in rows])
        value = np.concatenate([list(row.values()) for row in rows]).astype(float)
        features = scipy.sparse.csr_array((value, index, start), shape=(len(rows), len(table)))
        return normalised((features @ features.T).toarray())

    seconds, k = timed(work, job["repeat"])
    return seconds, scipy.__version__, {"sum": float(k.sum())}


def grakel_wl(job, timed):
    import grakel

    def parsed(text):
        labels, edges = {}, set()
        for part in text.split(";"):
            if ":" in part:
                node, label = part.split(":")
                labels[int(node)] = label
            elif part:
                a, b = map(int, part.split("-"))
                edges |= {(a, b), (b, a)}
        return grakel.Graph(list(edges), node_labels=labels)

    texts = words(job)
    make = lambda: grakel.WeisfeilerLehman(n_iter=job["rounds"], normalize=True)
    seconds, k = timed(lambda: make().fit_transform([parsed(text) for text in texts]), job["repeat"])
    return seconds, grakel.__version__, {"sum": float(k.sum())}


def components(make, job, timed):
    x, _ = problem(job)
    seconds, model = timed(
        lambda: make(n_components=job["components"], kernel="rbf", gamma=job["gamma"]).fit(x), job["repeat"]
    )
    return seconds, {"eigenvalues": np.asarray(model.eigenvalues_)[: job["components"]].tolist()}


def recta_components(job, timed):
    import recta
    from recta.decomposition import KernelPCA

    seconds, more = components(KernelPCA, job, timed)
    return seconds, recta.__version__, more


def sklearn_components(solver):
    def fit(job, timed):
        import sklearn
        from sklearn.decomposition import KernelPCA

        seconds, more = components(lambda **given: KernelPCA(eigen_solver=solver, random_state=0, **given), job, timed)
        return seconds, sklearn.__version__, more

    return fit


def features(module, job, timed):
    """Seconds of learning and computing the features, and what their products lack to the kernel, on average over pairs of some rows."""
    from sklearn.metrics.pairwise import rbf_kernel

    x, _ = problem(job)
    make = lambda: getattr(module, job["map"])(gamma=job["gamma"], n_components=job["components"], random_state=0)
    seconds, z = timed(lambda: make().fit_transform(x), job["repeat"])
    some = slice(None, None, max(1, len(x) // 2_000))
    return seconds, {"off": float(np.abs(rbf_kernel(x[some], gamma=job["gamma"]) - z[some] @ z[some].T).mean())}


def recta_features(job, timed):
    import recta
    import recta.kernel_approximation

    seconds, more = features(recta.kernel_approximation, job, timed)
    return seconds, recta.__version__, more


def sklearn_features(job, timed):
    import sklearn
    import sklearn.kernel_approximation

    seconds, more = features(sklearn.kernel_approximation, job, timed)
    return seconds, sklearn.__version__, more


PEERS = {
    "recta kernel ridge": recta_kernel_ridge,
    "sklearn kernel ridge": sklearn_kernel_ridge,
    "kernel and potrf": kernel_and_potrf,
    "recta components": recta_components,
    "sklearn components": sklearn_components("auto"),
    "sklearn arpack": sklearn_components("arpack"),
    "sklearn randomized": sklearn_components("randomized"),
    "recta features": recta_features,
    "sklearn features": sklearn_features,
    "recta strings": recta_strings,
    "sklearn runs": sklearn_runs,
    "numpy subsequences": numpy_subsequences,
    "recta graphs": recta_graphs,
    "plain relabelling": plain_relabelling,
    "grakel": grakel_wl,
}
