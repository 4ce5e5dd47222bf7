"""The gap of libsvm's own models on ten real sets: what `recta verify` says, and what tests/checker/libsvm_gap_checker.py, which shares no code, computes.

    python benchmarks/foreign_gaps.py DATA_FOLDER [RECTA]

DATA_FOLDER holds the sets by name (libsvm_heart/heart_scale, ...). The models are fitted by libsvm itself (the package libsvm-official, at its
default tolerance 0.001). "width" is that of the interval in which Recta proves the optimum to lie: its gap counts from the lower end. Both agree if the
intervals overlap and Recta's gap is not below the recomputed one, and not more than 1 % above it. The objectives themselves need not be equal to the last digits:
Recta adds a bound on its roundings to its own, 3e-5 of it on fourclass.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from libsvm.svmutil import svm_save_model, svm_train
from sklearn.preprocessing import StandardScaler

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "checker"))
from libsvm_gap_checker import gap, read_rows


def table(path, target=-1, rows=None, **options):
    X = np.genfromtxt(path, **options)[:rows]
    y = X[:, target]
    return y, StandardScaler().fit_transform(np.delete(X, target, axis=1))


def iris(folder):
    X = np.genfromtxt(folder / "iris/iris_uci_noheader.data", delimiter=",", usecols=range(4))
    return np.repeat([1.0, 2.0, 3.0], 50), X


def diabetes(folder):
    return np.genfromtxt(folder / "diabetes/diabetes_target.csv.gz"), StandardScaler().fit_transform(
        np.genfromtxt(folder / "diabetes/diabetes_data_raw.csv.gz")
    )


def madelon(folder):
    X = np.genfromtxt(folder / "madelon/madelon_train.data")[:1000]
    return np.genfromtxt(folder / "madelon/madelon_train.labels")[:1000], StandardScaler().fit_transform(X)


def first(rows, found):
    return found[0][:rows], found[1][:rows]


SETS = [
    ("heart", "-t 0", 1.0, lambda folder: read_rows(folder / "libsvm_heart/heart_scale")),
    ("heart, rbf", "-t 2 -g 0.1", 10.0, lambda folder: read_rows(folder / "libsvm_heart/heart_scale")),
    (
        "breast-cancer",
        "-t 2 -g 0.1",
        1.0,
        lambda folder: read_rows(folder / "libsvm_breast_cancer/breast-cancer_scale"),
    ),
    ("fourclass", "-t 2 -g 8", 10.0, lambda folder: read_rows(folder / "libsvm_fourclass/fourclass.binary")),
    ("a9a, 1,500 rows", "-t 2 -g 0.05", 1.0, lambda folder: first(1500, read_rows(folder / "libsvm_a9a/a9a"))),
    ("iris", "-t 2 -g 0.5", 10.0, iris),
    (
        "digits, 1,000 rows",
        "-t 1 -d 2 -g 0.02 -r 1",
        1.0,
        lambda folder: table(folder / "digits/digits.csv.gz", rows=1000, delimiter=","),
    ),
    ("madelon, 1,000 rows", "-t 2 -g 0.002", 1.0, madelon),
    ("boston", "-s 3 -t 2 -g 0.05 -p 0.5", 10.0, lambda folder: table(folder / "boston/housing.data")),
    ("diabetes", "-s 3 -t 2 -g 0.02 -p 10", 10.0, diabetes),
    (
        "wine quality, 800 rows",
        "-s 3 -t 2 -g 0.1 -p 0.1",
        1.0,
        lambda folder: table(folder / "wine_quality/winequality-red.csv", rows=800, delimiter=","),
    ),
]


def main(folder, recta):
    agree = True
    print(
        f"{'set':24}{'rows':>6}{'objective':>14}{'gap by recta':>14}{'recomputed':>14}{'of optimum':>12}{'width':>12}  agree"
    )
    with tempfile.TemporaryDirectory() as room:
        model, rows = Path(room, "their.model"), Path(room, "rows.libsvm")
        for name, words, C, read in SETS:
            y, X = read(folder)
            X = np.array([[float(f"{x:.8g}") for x in row] for row in X])  # what libsvm's files keep of a number
            rows.write_text(
                "".join(
                    f"{label:.17g} " + " ".join(f"{j + 1}:{x:.17g}" for j, x in enumerate(row) if x != 0) + "\n"
                    for label, row in zip(y, X)
                )
            )
            svm_save_model(str(model), svm_train(y, X, f"-q -c {C} {words}"))
            epsilon = float(words.split("-p ")[1]) if "-p" in words else 0.1
            flags = ["--C", str(C), *(["--epsilon", str(epsilon)] if "-p" in words else [])]
            found = json.loads(
                subprocess.run(
                    [recta, "verify", model, rows, "--json", *flags], check=False, capture_output=True, text=True
                ).stdout
            )["foreign"]
            objective, lower, upper = gap(model, rows, C, epsilon)
            same = found["optimum_lower"] <= upper * (1 + 1e-9) and lower <= found["optimum_upper"] * (
                1 + 1e-9
            )  # both intervals hold the optimum
            same = (
                same
                and -1e-9 * objective
                <= found["gap"] - (objective - lower)
                <= 0.01 * (objective - lower) + 1e-9 * objective
            )
            agree = agree and same
            print(
                f"{name:24}{len(y):>6}{objective:>14.8g}{found['objective'] - found['optimum_lower']:>14.4g}{objective - lower:>14.4g}"
                f"{(objective - lower) / lower:>12.2e}  {found['optimum_upper'] - found['optimum_lower']:>10.1e}  {'yes' if same else 'NO'}",
                flush=True,
            )
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "recta"))
