"""Logistic regression: single fits, dense ones to the same objective, sparse ones and those with zeros to the same gap. The
latter have no intercept: liblinear penalises it, celer has none."""

import csv
import json

import logistic_peers
import numpy as np
from harness import DATA, SHARED, Case, Contender
from nets import faster


def rows_for(rows, cols, seed):
    """Columns that correlate by 0.5 with their neighbours, and labels -1 and 1 by their log-odds."""
    stem = f"logistic-{rows}x{cols}-{seed}"
    x_path, y_path = DATA / f"{stem}.x", DATA / f"{stem}.y"
    if not y_path.exists():
        random = np.random.default_rng(seed)
        x = random.standard_normal((rows, cols))
        for j in range(1, cols):
            x[:, j] = 0.5 * x[:, j - 1] + np.sqrt(0.75) * x[:, j]
        z = x @ (2 * random.standard_normal(cols) / np.sqrt(cols))
        y = np.where(random.random(rows) < 1 / (1 + np.exp(-z)), 1.0, -1.0)
        x.tofile(x_path)
        y.tofile(y_path)
    return {"x": str(x_path), "y": str(y_path), "rows": rows, "cols": cols, "order": "C"}


def objective(job, path):
    """At an answer of [b, w], in units of the mean loss."""
    x, y = np.fromfile(job["x"]).reshape((job["rows"], job["cols"])), np.fromfile(job["y"])
    answer = np.fromfile(path)
    return np.mean(np.logaddexp(0, -y * (x @ answer[1:] + answer[0]))) + job["lambda"] * answer[1:] @ answer[1:] / 2


def as_good(job, near):
    """A peer may end anywhere up to `near` above; below Recta's answer, which is proved, there is nothing."""

    def agree(ours, theirs):
        mine, other = (objective(job, contender.job["answer"]) for contender in (ours, theirs))
        above = (other - mine) / mine
        if above < -1e-12:
            raise SystemExit(f"{theirs.name} found a better answer than Recta, by {-above:.1e}")
        return None if above < near else f"its objective is {above:.1e} above"

    return agree


def kept_sparse(stem, make):
    """Compressed rows and columns of what `make` gives, x and labels, and the least lambda1 of w = 0."""
    about = DATA / f"{stem}.json"
    if not about.exists():
        x, y = make()
        for layout in ("csr", "csc"):
            found = x.asformat(layout)
            found.sort_indices()
            found.data.astype(np.float64).tofile(DATA / f"{stem}.{layout}.value")
            found.indices.astype(np.int32).tofile(DATA / f"{stem}.{layout}.index")
            found.indptr.astype(np.int32).tofile(DATA / f"{stem}.{layout}.start")
        y.astype(np.float64).tofile(DATA / f"{stem}.y")
        largest = float(np.abs(x.T @ y).max() / 2 / len(y))
        about.write_text(json.dumps({"lambda_max": largest, "rows": x.shape[0], "cols": x.shape[1]}))
    found = json.loads(about.read_text())
    shape = {"rows": found["rows"], "cols": found["cols"], "y": str(DATA / f"{stem}.y")}
    by = {
        layout: shape
        | {
            "x": str(DATA / f"{stem}.{layout}.value"),
            "index": str(DATA / f"{stem}.{layout}.index"),
            "start": str(DATA / f"{stem}.{layout}.start"),
            "compressed": "rows" if layout == "csr" else "columns",
        }
        for layout in ("csr", "csc")
    }
    return by, found["lambda_max"]


def words(rows, cols, each, seed):
    """Rows of words, of which the k-th is met 1 / k times as often as the first; 100 of the 1,000 first ones matter."""

    def make():
        import scipy.sparse

        random = np.random.default_rng(seed)
        drawn = each + each // 4  # some of them twice
        place = np.minimum((cols ** random.random((rows, drawn))).astype(np.int64) - 1, cols - 1)
        x = scipy.sparse.csr_matrix(
            (np.ones(place.size), place.ravel(), np.arange(0, place.size + 1, drawn)), shape=(rows, cols)
        )
        x.sum_duplicates()
        x.data = np.log1p(x.data)
        x = x.multiply(1 / np.sqrt(x.multiply(x).sum(axis=1))).tocsr()
        true = np.zeros(cols)
        true[random.choice(min(1_000, cols), 100, replace=False)] = random.choice((-1.0, 1.0), 100)
        z = x @ true
        z = 2 * (z - z.mean()) / z.std()
        return x, np.where(random.random(rows) < 1 / (1 + np.exp(-z)), 1.0, -1.0)

    return kept_sparse(f"words-{rows}x{cols}-{each}-{seed}", make)


def a9a():
    def make():
        from sklearn.datasets import load_svmlight_file

        x, y = load_svmlight_file(str(SHARED / "libsvm_a9a" / "a9a"))
        return x.tocsr(), y

    return kept_sparse("a9a", make)


def adult():
    """One column a level of a category, numbers in units of their spread."""

    def make():
        import scipy.sparse

        with open(SHARED / "adult" / "adult-train.csv", newline="") as file:
            lines = [[cell.strip() for cell in line] for line in csv.reader(file) if len(line) > 10]
        columns = list(zip(*lines))
        parts = []
        for cells in columns[:-1]:
            try:
                numbers = np.array([float(cell) for cell in cells])
                parts.append(scipy.sparse.csr_matrix((numbers / numbers.std())[:, None]))
            except ValueError:
                levels, place = np.unique(cells, return_inverse=True)
                parts.append(
                    scipy.sparse.csr_matrix(
                        (np.ones(len(cells)), (np.arange(len(cells)), place)), shape=(len(cells), len(levels))
                    )
                )
        labels = np.unique(columns[-1], return_inverse=True)[1]
        return scipy.sparse.hstack(parts).tocsr(), np.where(labels == 1, 1.0, -1.0)

    return kept_sparse("adult", make)


def reached(job):
    def agree(ours, theirs):
        if ours.more["verdict"] != "proved":
            return f"Recta's own answer is not proved: {ours.more['sentence']}"
        if "gap" not in ours.more:
            w = np.fromfile(ours.job["answer"])[1:]
            ours.more["gap"] = logistic_peers.gap_of(
                logistic_peers.matrix(job, "csr"), np.fromfile(job["y"]), w, job.get("lambda1", 0), job.get("lambda", 0)
            )
        limit = job["tolerance"]
        if ours.more["gap"] > limit:
            return f"Recta's own gap is {ours.more['gap']:.1e}, above {limit:.0e}"
        gap = theirs.more["gap"]
        return None if gap <= limit else f"its gap is {gap:.1e}, above {limit:.0e}"

    return agree


def gap_case(name, data, penalty, peers, quick):
    job = data | penalty | {"tolerance": 1e-8, "repeat": 3}
    answer = str(DATA / "answer-logistic-gap.bin")
    contenders = [
        Contender(
            "recta", job | {"task": "fit", "word": "logistic", "dsyrk": "no", "intercept": "no", "answer": answer}, True
        )
    ]
    for peer in peers:
        task = {"celer": "celer logistic", "skglm": "skglm logistic"}.get(peer, "LogisticRegression to a gap")
        contenders.append(Contender(peer, job | {"peer": task, "solver": peer}))
    return Case(
        f"{name}, gap 1e-08",
        contenders,
        reached(job),
        faster("faster than the best peer that reaches the gap, proof included", None if quick else 2),
        1 if quick else 2,
    )


def to_a_gap(quick):
    squares = ["liblinear"] if quick else ["liblinear", "liblinear dual", "newton-cg", "lbfgs"]
    absolute = ["liblinear"] if quick else ["liblinear", "celer", "skglm"]
    rows, cols, each = (2_000, 1_000, 20) if quick else (100_000, 100_000, 80)
    by, largest = words(rows, cols, each, 51)
    for title, strength in (("C = 1", 1 / rows), ("lambda2 = 1e-4", 1e-4)):
        yield gap_case(f"logistic, sparse {rows} x {cols}, {title}", by["csr"], {"lambda": strength}, squares, quick)
    for divisor in (10,) if quick else (10, 100):
        yield gap_case(
            f"logistic lasso, sparse {rows} x {cols}, lambda_max/{divisor}",
            by["csc"],
            {"lambda1": largest / divisor},
            absolute,
            quick,
        )
    rows, cols = (2_000, 10) if quick else (200_000, 100)
    data = rows_for(rows, cols, 41)
    x, y = np.fromfile(data["x"]).reshape((rows, cols)), np.fromfile(data["y"])
    largest = float(np.abs(x.T @ y).max() / 2 / rows)
    for divisor in (10,) if quick else (10, 100):
        yield gap_case(
            f"logistic lasso, {rows} x {cols}, lambda_max/{divisor}",
            data,
            {"lambda1": largest / divisor},
            absolute,
            quick,
        )
    if quick:
        return
    for name, make, file in (("a9a", a9a, "libsvm_a9a/a9a"), ("adult, one-hot", adult, "adult/adult-train.csv")):
        if not (SHARED / file).is_file():
            continue
        by, largest = make()
        yield gap_case(
            f"logistic, {name}, C = 1",
            by["csr"],
            {"lambda": 1 / by["csr"]["rows"]},
            [*squares, "newton-cholesky"],
            quick,
        )
        yield gap_case(
            f"logistic lasso, {name}, lambda_max/100", by["csr"], {"lambda1": largest / 100}, absolute, quick
        )


def logistic(quick):
    rows, cols = (2_000, 10) if quick else (200_000, 100)
    peers = ["newton-cholesky"] if quick else ["newton-cholesky", "lbfgs"]
    for title, strength in (("C = 1", 1 / rows), ("lambda2 = 1e-4", 1e-4)):
        job = rows_for(rows, cols, 41) | {"lambda": strength}

        def contender(name, more, ours=False, job=job, title=title):
            return Contender(
                name, job | more | {"answer": str(DATA / f"answer-logistic-{title}-{name}.bin".replace(" ", ""))}, ours
            )

        contenders = [contender("recta", {"task": "fit", "word": "logistic", "dsyrk": "no", "repeat": 3}, True)]
        contenders += [contender(p, {"peer": "LogisticRegression", "solver": p, "repeat": 1}) for p in peers]
        yield Case(
            f"logistic, {rows} x {cols}, {title}",
            contenders,
            as_good(job, 1e-8),
            faster("faster than scikit-learn, proof included", None if quick else 2),
            1 if quick else 2,
        )
    yield from to_a_gap(quick)
