"""The cases, a function a family. `quick` shrinks the data and keeps scikit-learn as the only peer."""

import class_models
import descents
import groups
import kernel_models
import label_sets
import logistic_tolerances
import logistics
import losses
import machines
import metrics
import neighbours
import nets
import numpy as np
import selections
import separations
import softmax_tolerances
import softmaxes
import texts
from harness import DATA, SHARED, Bar, Case, Contender, same_coefficients, same_table, stored


def matrix(rows, cols, seed, order="C"):
    """A dense regression problem: correlated normal columns, noise, an offset mean."""

    def make():
        random = np.random.default_rng(seed)
        x = random.standard_normal((rows, cols))
        for j in range(1, cols):
            x[:, j] = 0.5 * x[:, j - 1] + np.sqrt(0.75) * x[:, j]
        y = x @ random.standard_normal(cols) + 3 + random.standard_normal(rows)
        x += 0.5
        return x.ravel(order=order), y

    return stored(f"dense-{rows}x{cols}-{seed}-{order}", make) | {"rows": rows, "cols": cols, "order": order}


def csv_file(rows, cols, seed, form):
    path = DATA / f"floats-{rows}x{cols}-{seed}-{form}.csv"
    if not path.exists():
        x = np.random.default_rng(seed).standard_normal((rows, cols))
        names = ",".join([f"x{j + 1}" for j in range(cols - 1)] + ["y"])
        with open(path, "w") as out:
            out.write(names + "\n")
            for row in x:
                out.write(",".join(map(repr, row.tolist())) if form == "repr" else ",".join(f"{v:.6f}" for v in row))
                out.write("\n")
    return path


def libsvm_file(rows, cols, per_row, seed):
    path = DATA / f"sparse-{rows}x{cols}-{per_row}-{seed}.libsvm"
    if not path.exists():
        random = np.random.default_rng(seed)
        with open(path, "w") as out:
            for _ in range(rows):
                index = np.unique(random.integers(1, cols + 1, per_row))
                value = random.standard_normal(len(index))
                cells = " ".join(f"{j}:{v:.6g}" for j, v in zip(index, value))
                out.write(f"{random.choice((-1, 1))} {cells}\n")
    return path


def answer(name):
    return str(DATA / f"answer-{name}.bin")


def least_squares(quick):
    sizes = [("tall, C order", 1_000_000, 100, "C", 1.2, 10), ("tall, Fortran order", 1_000_000, 100, "F", 1.4, 10)]
    if quick:
        sizes = [("tall, C order", 20_000, 20, "C", None, None)]
    for name, rows, cols, order, limit, faster in sizes:
        data = matrix(rows, cols, 1, order)
        peers = ["LinearRegression"] if quick else ["LinearRegression", "statsmodels OLS"]
        contenders = [
            Contender("recta", {"task": "fit", "word": "linear", "repeat": 5, "answer": answer("ols"), **data}, True)
        ]
        contenders += [Contender(p, {"repeat": 1, "answer": answer(p), **data}) for p in peers]

        def bars(there, limit=limit, faster=faster):
            ours = there["recta"]
            if limit is None:
                return []
            made = [Bar("time to one dsyrk, proof included", ours.best / min(ours.more["dsyrk_seconds"]), limit, False)]
            made.append(Bar("peak memory to the data", ours.peak / ours.more["data_bytes"], 1.2, False))
            if "LinearRegression" in there:
                made.append(
                    Bar("faster than LinearRegression", there["LinearRegression"].best / ours.best, faster, True)
                )
            return made

        yield Case(
            f"least squares, {name}, {rows} x {cols}", contenders, same_coefficients(1e-9), bars, 1 if quick else 2
        )


def ridge(quick):
    rows, cols = (5_000, 50) if quick else (20_000, 2_000)
    data = matrix(rows, cols, 2) | {"lambda": 0.01}
    solvers = ["cholesky"] if quick else ["cholesky", "svd", "lsqr", "sparse_cg"]
    contenders = [
        Contender("recta", {"task": "fit", "word": "ridge", "repeat": 3, "answer": answer("ridge"), **data}, True)
    ]
    contenders += [
        Contender(f"Ridge {s}", {"peer": "Ridge", "solver": s, "repeat": 1, "answer": answer(f"ridge-{s}"), **data})
        for s in solvers
    ]

    def bars(there):
        ours = there["recta"]
        if quick:
            return []
        made = [Bar("time to one dsyrk, proof included", ours.best / min(ours.more["dsyrk_seconds"]), 1.3, False)]
        rivals = [c.best for name, c in there.items() if name != "recta"]
        if rivals:
            made.append(Bar("faster than every Ridge solver that reaches 1e-9", min(rivals) / ours.best, 1, True))
        return made

    yield Case(f"ridge, {rows} x {cols}", contenders, same_coefficients(1e-9), bars, 1 if quick else 2)


def stream(quick):
    rows, cols = (5_000, 20) if quick else (260_000, 101)
    path = csv_file(rows, cols, 3, "repr")
    job = {"file": str(path), "threads": 2}
    streamed = Contender("recta", {"task": "stream", "repeat": 2, "answer": answer("stream"), **job}, True)
    once = Contender(
        "recta, one pass", {"task": "stream", "repeat": 2, "passes": 1, "answer": answer("once"), **job}, True
    )
    read = Contender("recta, only reading the file", {"task": "read", "repeat": 2, **job}, True)

    def bars(there):
        ours, reading = there["recta"], there["recta, only reading the file"]
        if quick:
            return []
        return [
            Bar("one pass to one reading in memory", there["recta, one pass"].best / reading.best, 1.3, False),
            Bar("two passes to one reading in memory", ours.best / reading.best, 2.3, False),
            Bar("peak memory in 200 MB", ours.peak / 200e6, 1, False),
        ]

    size = path.stat().st_size / 1e6
    yield Case(
        f"least squares streamed from a CSV of {size:.0f} MB",
        [streamed, once, read],
        lambda a, b: None,
        bars,
        1 if quick else 3,
    )


def read_csv(quick):
    rows, cols = (5_000, 20) if quick else (200_000, 50)
    for form in ["repr"] if quick else ["repr", "six digits"]:
        path = csv_file(rows, cols, 4, form)
        for threads in [1] if quick else [1, 2]:
            job = {"file": str(path), "threads": threads, "repeat": 3}
            peers = (
                ["numpy.loadtxt"]
                if quick
                else ["pandas", "polars", "pyarrow"] + (["numpy.loadtxt"] if threads == 1 else [])
            )
            contenders = [Contender("recta", {"task": "read", **job}, True, threads)]
            contenders += [Contender(p, job, False, threads) for p in peers]

            def bars(there, form=form, threads=threads):
                ours = there["recta"]
                made = []
                if quick:
                    return made
                if threads == 1 and "pandas" in there:
                    made.append(Bar("faster than pandas, one thread", there["pandas"].best / ours.best, 4, True))
                for rival in ("polars", "pyarrow"):
                    if rival in there:
                        made.append(Bar(f"ahead of {rival}", there[rival].best / ours.best, 1, True))
                one = read_csv.one_thread.get(form)
                if threads == 1:
                    read_csv.one_thread[form] = ours.best
                elif one:
                    made.append(Bar("two threads to one", one / ours.best, 1.7, True))
                return made

            size = path.stat().st_size / 1e6
            yield Case(f"CSV of floats ({form}), {size:.0f} MB, {threads} thread(s)", contenders, same_table, bars)


read_csv.one_thread = {}


def read_libsvm(quick):
    rows = 1_000 if quick else 50_000
    path = libsvm_file(rows, 100_000, 80, 5)
    job = {"file": str(path), "threads": 1, "repeat": 3}
    contenders = [Contender("recta", {"task": "read", **job}, True, 1), Contender("load_svmlight_file", job, False, 1)]

    def bars(there):
        if quick or "load_svmlight_file" not in there:
            return []
        ratio = there["load_svmlight_file"].best / there["recta"].best
        return [Bar("faster than load_svmlight_file, one thread", ratio, 10, True)]

    yield Case(f"LIBSVM, {path.stat().st_size / 1e6:.0f} MB", contenders, same_table, bars)


def predict(quick):
    rows, cols = (20_000, 20) if quick else (1_000_000, 100)
    cases = [
        (f"prediction, {rows} x {cols}, {order} order", matrix(rows, cols, 1, order))
        for order in ("C" if quick else "CF")
    ]
    cases.append(
        (f"probabilities, {rows} x {cols}", logistics.rows_for(rows, cols, 41) | {"word": "logistic", "lambda": 1e-4})
    )
    for name, data in cases:
        contender = Contender("recta", {"task": "predict", "repeat": 5, **data}, True)

        def bars(there):
            ours = there["recta"]
            made = [Bar("largest difference to the product, in 1e-9", ours.more["largest_difference"] / 1e-9, 1, False)]
            if not quick:
                made.append(Bar("time to one dgemv", ours.best / min(ours.more["dgemv_seconds"]), 1.5, False))
            return made

        yield Case(name, [contender], lambda a, b: None, bars)


def python(quick):
    """What Python adds: to one row, to a fit, to an import."""
    calls = 2_000 if quick else 20_000
    job = {"calls": calls, "repeat": 3, **matrix(1_000, 30, 6)}
    estimator = Contender("recta predict", {"peer": "recta single rows", **job}, True, 1)
    fast = Contender("recta fast_predictor", {"peer": "recta fast predictor", **job}, True, 1)
    theirs = Contender("LinearRegression", {"peer": "LinearRegression single rows", **job}, False, 1)

    def latency(there):
        made = [Bar("fast_predictor, microseconds a row", there[fast.name].best / calls * 1e6, 2, False)]
        if theirs.name in there:
            made.append(
                Bar("predict faster than scikit-learn's", there[theirs.name].best / there[estimator.name].best, 5, True)
            )
            made.append(Bar("fast_predictor faster than it", there[theirs.name].best / there[fast.name].best, 12, True))
        return [] if quick else made

    yield Case(f"{calls} single rows of 30 features", [estimator, fast, theirs], same_table, latency)

    sizes = [(20_000, 20, "linear"), (20_000, 20, "ridge"), (1_000_000, 100, "linear")]
    for rows, cols, word in sizes[:1] if quick else sizes:
        repeat = 5 if rows == 1_000_000 else 200
        data = matrix(rows, cols, 1) | {"word": word, "repeat": repeat} | ({"lambda": 0.01} if word == "ridge" else {})
        # One fit after the other, as Python makes them: a pause would cool the caches of one side only. And the numbers
        # begin where NumPy's do, two after the start of a cache line.
        direct = Contender(
            "recta", {"task": "fit", "answer": answer("cpp"), "dsyrk": "no", "pause": "no", "shift": 2, **data}, True
        )
        called = Contender("recta from Python", {"peer": "recta fit", "answer": answer("python"), **data}, True)

        def overhead(there, direct=direct, called=called):
            return (
                []
                if quick
                else [Bar("time from Python to C++", there[called.name].best / there[direct.name].best, 1.05, False)]
            )

        yield Case(
            f"{word} from NumPy, {rows} x {cols}",
            [direct, called],
            same_coefficients(1e-14),
            overhead,
            1 if quick else 3,
        )

    light = Contender("import recta", {"peer": "import recta"}, True)
    yield Case(
        "import recta, beyond NumPy's",
        [light],
        lambda a, b: None,
        lambda there: [] if quick else [Bar("in 0.15 s", there[light.name].best / 0.15, 1, False)],
        1 if quick else 5,
    )


def real_data(quick):
    """Public sets, where a folder of them lies beside the project."""
    if quick or not SHARED.is_dir():
        return
    tables = [
        ("california_housing/cal_housing.data", ["pandas", "polars", "pyarrow"]),
        ("libsvm_a9a/a9a", ["load_svmlight_file"]),
    ]
    for name, peers in tables:
        path = SHARED / name
        if not path.is_file():
            continue
        job = {"file": str(path), "threads": 1, "repeat": 5}
        contenders = [Contender("recta", {"task": "read", **job}, True, 1)]
        contenders += [Contender(p, job, False, 1) for p in peers]

        def bars(there):
            return [
                Bar(f"ahead of {n}", c.best / there["recta"].best, 1, True) for n, c in there.items() if n != "recta"
            ]

        yield Case(f"reading {name}, {path.stat().st_size / 1e6:.1f} MB, 1 thread", contenders, same_table, bars)


FAMILIES = {
    f.__name__.replace("_", "-"): f
    for f in (
        least_squares,
        ridge,
        nets.lasso,
        nets.paths,
        groups.groups,
        losses.losses,
        logistics.logistic,
        logistic_tolerances.loose_logistic,
        softmaxes.softmax,
        softmax_tolerances.loose_softmax,
        descents.sgd,
        separations.separability,
        separations.perceptron,
        selections.selection,
        metrics.metrics,
        neighbours.neighbours,
        kernel_models.kernels,
        machines.svm,
        texts.text,
        label_sets.label_sets,
        class_models.bayes,
        class_models.discriminant,
        stream,
        read_csv,
        read_libsvm,
        predict,
        python,
        real_data,
    )
}
