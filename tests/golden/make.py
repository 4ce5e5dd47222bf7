"""Fits every golden case with one program: tests/golden/make.py PROGRAM FOLDER

Writes NAME.recta and NAME.csv (what the model predicts for its rows) for every case. Two builds that agree bit for bit
on one machine write folders that `diff -r` finds equal. A new generation of files in models/ is made the same way.
"""

import subprocess
import sys
from pathlib import Path

from cases import CASES


def fit(program, name, path):
    word, (rows, flags) = CASES[name]
    return subprocess.run([program, "fit", word, rows, *flags, "-q", "-o", path], capture_output=True, text=True)


def predict(program, model, name):
    rows = CASES[name][1][0]
    return subprocess.run([program, "predict", model, rows], capture_output=True, text=True)


def make(program, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in CASES:
        done = fit(program, name, folder / f"{name}.recta")
        if done.returncode == 0:
            done = predict(program, folder / f"{name}.recta", name)
            (folder / f"{name}.csv").write_text(done.stdout, encoding="utf-8")
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stderr}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    make(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
