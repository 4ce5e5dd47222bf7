"""Lasso and elastic net: single fits to a certified gap, whole paths, cross-validation, ridge with leave-one-out."""

import json

import net_peers
import numpy as np
from harness import DATA, SHARED, Bar, Case, Contender


def design(rows, cols, rho, seed):
    """Rows of AR(1) columns, 100 of which matter, noise a third of the signal. By column."""
    stem = f"ar1-{rows}x{cols}-{rho}-{seed}"
    x_path, y_path, about = (DATA / f"{stem}.{end}" for end in ("x", "y", "json"))
    if not about.exists():
        random = np.random.default_rng(seed)
        x = np.empty((rows, cols), order="F")
        x[:, 0] = random.standard_normal(rows)
        for j in range(1, cols):
            x[:, j] = rho * x[:, j - 1] + np.sqrt(1 - rho * rho) * random.standard_normal(rows)
        true = np.zeros(cols)
        true[random.choice(cols, min(100, cols), replace=False)] = random.choice((-1.0, 1.0), min(100, cols))
        signal = x @ true
        y = signal + signal.std() / 3 * random.standard_normal(rows)
        x.ravel(order="F").tofile(x_path)
        y.tofile(y_path)
        largest = np.abs(x.T @ (y - y.mean())).max() / rows
        about.write_text(json.dumps({"lambda_max": float(largest)}))
    found = json.loads(about.read_text())
    return {"x": str(x_path), "y": str(y_path), "rows": rows, "cols": cols, "order": "F"}, found["lambda_max"]


def text_like(rows, cols, density, seed):
    """Columns of few positive numbers, as counts of words are."""
    stem = f"text-{rows}x{cols}-{seed}"
    paths = {end: DATA / f"{stem}.{end}" for end in ("value", "index", "start", "y", "json")}
    if not paths["json"].exists():
        import scipy.sparse

        random = np.random.default_rng(seed)
        x = scipy.sparse.random(
            rows, cols, density, "csc", random_state=random, data_rvs=lambda n: random.lognormal(size=n)
        )
        x.sort_indices()
        true = np.zeros(cols)
        true[random.choice(cols, 100, replace=False)] = random.choice((-1.0, 1.0), 100)
        signal = x @ true
        y = signal + signal.std() / 3 * random.standard_normal(rows) + 1
        x.data.tofile(paths["value"])
        x.indices.astype(np.int32).tofile(paths["index"])
        x.indptr.astype(np.int32).tofile(paths["start"])
        y.tofile(paths["y"])
        paths["json"].write_text(json.dumps({"lambda_max": float(np.abs(x.T @ (y - y.mean())).max() / rows)}))
    found = json.loads(paths["json"].read_text())
    names = {"value": "x", "index": "index", "start": "start", "y": "y"}
    return {job: str(paths[end]) for end, job in names.items()} | {"rows": rows, "cols": cols}, found["lambda_max"]


def samples(file):
    """A public set of few samples and many genes, the target in its first column. By column."""
    stem = file.removesuffix(".csv.gz")
    x_path, y_path, about = (DATA / f"{stem}.{end}" for end in ("x", "y", "json"))
    if not about.exists():
        table = np.loadtxt(SHARED / "highdim" / file, delimiter=",", skiprows=1)
        x, y = table[:, 1:], table[:, 0]
        x.ravel(order="F").tofile(x_path)
        y.tofile(y_path)
        largest = np.abs((x - x.mean(axis=0)).T @ (y - y.mean())).max() / len(y)
        about.write_text(json.dumps({"lambda_max": float(largest), "rows": len(y), "cols": x.shape[1]}))
    found = json.loads(about.read_text())
    return {"x": str(x_path), "y": str(y_path), "rows": found["rows"], "cols": found["cols"], "order": "F"}, found[
        "lambda_max"
    ]


def reached(limit):
    """Gaps relative to the objective of the constant model, of all sides by the same lines where Recta's answer is kept; it is
    proved besides."""

    def agree(ours, theirs):
        if ours.more["verdict"] != "proved":
            return f"Recta's own answer is not proved: {ours.more['sentence']}"
        if "gap" not in ours.more and "answer" in ours.job:
            x, y = net_peers.problem(ours.job)
            ours.more["gap"] = net_peers.gap_of(x, y, np.fromfile(ours.job["answer"])[1:], ours.job["lambda"])
        if ours.more.get("gap", 0) > limit:
            return f"Recta's own gap is {ours.more['gap']:.1e}, above {limit:.0e}"
        gap = theirs.more["gap"]
        return None if gap <= limit else f"its gap is {gap:.1e}, above {limit:.0e}"

    return agree


def best_of(there):
    return min((c.best for name, c in there.items() if name != "recta"), default=None)


def faster(what, limit):
    def bars(there):
        best = best_of(there)
        return [] if limit is None or best is None else [Bar(what, best / there["recta"].best, limit, True)]

    return bars


def lasso_case(name, data, peers, penalty, gap, bars, quick):
    job = {"lambda": penalty, "tolerance": gap, "repeat": 1 if quick else 3, **data}
    answer = str(DATA / "answer-lasso.bin")
    contenders = [Contender("recta", {"task": "fit", "word": "lasso", "dsyrk": "no", "answer": answer, **job}, True)]
    contenders += [Contender(p, {"peer": p + " lasso", **job}) for p in peers]
    return Case(name, contenders, reached(gap), bars, 1 if quick else 2)


def lasso(quick):
    sizes = [(200, 1_000, 0.5)] if quick else [(1_000, 20_000, 0.5), (1_000, 20_000, 0.95)]
    peers = ["Lasso"] if quick else ["Lasso", "celer", "skglm", "glmnet"]
    for rows, cols, rho in sizes:
        data, largest = design(rows, cols, rho, 11)
        for divisor in (10,) if quick else (10, 100):
            for gap in (1e-6,) if quick else (1e-6, 1e-10):
                name = f"lasso, {rows} x {cols}, rho {rho}, lambda_max/{divisor}, gap {gap:.0e}"
                bars = faster("faster than the best peer, proof included", None if quick else 2)
                yield lasso_case(name, data, peers, largest / divisor, gap, bars, quick)
    if quick:
        return
    data, largest = text_like(20_000, 100_000, 1e-3, 12)
    bars = faster("faster than the best peer that reaches the gap, proof included", 3)
    for divisor in (10, 100):
        for gap in (1e-6, 1e-10):
            name = f"lasso, sparse 20000 x 100000, lambda_max/{divisor}, gap {gap:.0e}"
            yield lasso_case(name, data, peers, largest / divisor, gap, bars, quick)


def path_case(name, found, quick, limit, rounds=1):
    data, largest = found
    job = {
        "count": 10 if quick else 100,
        "ratio": 0.01,
        "lambda_max": largest,
        "tolerance": 1e-6,
        "repeat": rounds,
        **data,
    }
    contenders = [Contender("recta", {"task": "path", "word": "lasso", **job}, True)]
    contenders += [
        Contender(p, {"peer": p + " path", **job})
        for p in (["Lasso"] if quick else ["Lasso", "celer", "skglm", "glmnet"])
    ]

    def agree(ours, theirs):
        gap = theirs.more["gap"]
        return None if gap <= 1e-5 else f"its worst gap is {gap:.1e}, above 1e-05"

    name = f"lasso path of {job['count']}, {name}{data['rows']} x {data['cols']}"
    return Case(name, contenders, agree, faster("faster than the best peer", limit), rounds)


def paths(quick):
    rows, cols = (200, 1_000) if quick else (1_000, 20_000)
    yield path_case("", design(rows, cols, 0.5, 11), quick, None if quick else 3)
    for file in ("colon_alon.csv.gz", "leukemia_golub_plsgenomics.csv.gz", "riboflavin.csv.gz"):
        if not quick and (SHARED / "highdim" / file).is_file():
            yield path_case(file.split("_")[0].split(".")[0] + ", ", samples(file), quick, 2, 3)

    rows, cols = (5_000, 20) if quick else (1_000_000, 100)
    data, _ = design(rows, cols, 0.5, 13)
    job = {"repeat": 3, **data}
    folds = Contender("recta", {"task": "path", "word": "elastic-net", "folds": 10, **job}, True)
    once = Contender("recta, one least-squares fit", {"task": "fit", "word": "linear", "dsyrk": "no", **job}, True)

    def against_one_fit(there):
        ratio = there["recta"].best / there[once.name].best
        return (
            []
            if quick
            else [
                Bar("time to one least-squares fit", ratio, 2, False),
                Bar("passes over the rows", there["recta"].more["passes"], 1, False),
            ]
        )

    yield Case(
        f"elastic net path, 10 folds, {rows} x {cols}",
        [folds, once],
        lambda a, b: None,
        against_one_fit,
        1 if quick else 2,
    )

    rows, cols = (1_000, 20) if quick else (20_000, 500)
    data, _ = design(rows, cols, 0.5, 14)
    job = {"repeat": 1, "count": 10 if quick else 100, **data}
    ours = Contender("recta", {"task": "path", "word": "ridge", "leave-one-out": "yes", **job}, True)
    theirs = Contender("RidgeCV", {"peer": "RidgeCV", **job})
    yield Case(
        f"ridge path of {job['count']} with leave-one-out, {rows} x {cols}",
        [ours, theirs],
        lambda a, b: None,
        faster("faster than RidgeCV", None if quick else 4),
        1,
    )
