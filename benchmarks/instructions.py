"""Instructions of a fixed list of fits, predictions and readings, counted by callgrind: the same number on a busy
machine as on a quiet one.

    .venv/bin/python benchmarks/instructions.py PROGRAM            # a line per case: NAME COUNT
    .venv/bin/python benchmarks/instructions.py PROGRAM BEFORE.txt # with the ratio to counts that were kept

Counts are comparable between two builds on one machine: what valgrind offers of the processor decides which kernels run.
`instructions.txt` holds those of the last build that they were taken of.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np


def write_tables(folder):
    random = np.random.default_rng(7)
    x = random.standard_normal((4000, 20))
    y = x @ random.standard_normal(20) + random.standard_normal(4000)
    label = (y + random.standard_normal(4000) > 0).astype(int)
    kind = random.integers(0, 5, 4000)
    table = np.column_stack([x, y, np.exp(y / 10), label, kind])
    names = [*(f"x{j}" for j in range(20)), "y", "size", "label", "kind"]
    np.savetxt(folder / "dense.csv", table, delimiter=",", fmt="%.6g", header=",".join(names), comments="")
    wide = np.column_stack([random.standard_normal((60, 600)), random.standard_normal(60)])
    wide_names = [*(f"x{j}" for j in range(600)), "y"]
    np.savetxt(folder / "wide.csv", wide, delimiter=",", fmt="%.6g", header=",".join(wide_names), comments="")
    with open(folder / "sparse.libsvm", "w", encoding="utf-8") as file:
        for _ in range(3000):
            columns = np.sort(random.choice(2000, 15, replace=False)) + 1
            cells = " ".join(f"{c}:{v:.4g}" for c, v in zip(columns, random.standard_normal(15)))
            file.write(f"{1 if random.random() < 0.5 else -1} {cells}\n")


def fit(word, target, *flags, rows="dense.csv"):
    unused = ",".join(name for name in ("y", "size", "label", "kind") if name != target)
    columns = (
        ["--target", target, "--ignore", unused] if rows == "dense.csv" else ["--target", target] if target else []
    )
    return ["fit", word, rows, *columns, *flags]


CASES = {
    "read a table": ["convert", "dense.csv", "copy.npy"],
    "read sparse rows": ["convert", "sparse.libsvm", "copy.csv"],
    "linear": fit("linear", "y", "-o", "linear.recta"),
    "ridge, wide": fit("ridge", "y", rows="wide.csv"),
    "lasso": fit("lasso", "y", "--lambda", "0.1"),
    "lasso, wide": fit("lasso", "y", rows="wide.csv"),
    "elastic net, sparse": fit("elastic-net", "", "--lambda", "0.02", rows="sparse.libsvm"),
    "group lasso": fit("group-lasso", "y", "--lambda", "0.1"),
    "huber": fit("huber", "y"),
    "quantile": fit("quantile", "y"),
    "gamma": fit("gamma", "size"),
    "logistic": fit("logistic", "label", "-o", "logistic.recta"),
    "logistic, sparse": fit("logistic", "", "--lambda", "0.01", rows="sparse.libsvm"),
    "softmax": fit("softmax", "kind", "--lambda", "0.01"),
    "perceptron": fit("perceptron", "label", "--passes", "5"),
    "ridge classifier": fit("ridge-classifier", "kind"),
    "predict numbers": ["predict", "linear.recta", "dense.csv", "-o", "numbers.csv"],
    "predict probabilities": ["predict", "logistic.recta", "dense.csv", "--proba", "-o", "probabilities.csv"],
    "verify": ["verify", "linear.recta", "dense.csv"],
}


def count(program, arguments, folder):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, *arguments, "--threads", "1"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    refs = re.search(r"refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not refs:
        sys.exit(f"{' '.join(arguments)}: {done.stderr[-800:]}")
    return int(refs.group(1).replace(",", ""))


def kept(path):
    lines = (line.rsplit(maxsplit=1) for line in Path(path).read_text(encoding="utf-8").splitlines() if line)
    return {name.strip(): int(number) for name, number in lines}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    before = kept(sys.argv[2]) if len(sys.argv) == 3 else {}
    with tempfile.TemporaryDirectory() as name:
        write_tables(Path(name))
        for case, arguments in CASES.items():
            number = count(Path(sys.argv[1]).resolve(), arguments, name)
            ratio = f"  {number / before[case]:.3f}" if case in before else ""
            print(f"{case:24} {number:14}{ratio}", flush=True)


if __name__ == "__main__":
    main()
