#!/usr/bin/env python3
"""Runs each folder of examples/ and compares what it prints with its expected_output.txt.

    scripts/check_examples.py [--overwrite] [NAME...]

An example is a folder with `run` or `run.sh`. It runs in a copy of its folder, with `recta` on the PATH and the
installed library where CMake finds it; as many run at once as there are cores, and one more. --overwrite writes expected_output.txt anew; read the change before committing.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from outputs import difference

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 900


def environment():
    paths = [str(ROOT / "build/release"), str(ROOT / ".venv/bin"), os.environ["PATH"]]
    prefix = ROOT / "build/prefix"
    return os.environ | {"PATH": os.pathsep.join(paths), "CMAKE_PREFIX_PATH": str(prefix), "RECTA_ROOT": str(ROOT)}


def run_example(folder, overwrite):
    """None when the output is as expected, otherwise the reason."""
    program = next((name for name in ("run", "run.sh") if (folder / name).is_file()), None)
    if program is None:
        return "no `run` or `run.sh` in this folder"
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        shutil.copytree(folder, copy)
        try:
            done = subprocess.run(
                ["bash", program],
                cwd=copy,
                env=environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired as late:
            return f"not done after {SECONDS} s\n{late.stdout or b''}{late.stderr or b''}"
    if done.returncode:
        return f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    expected = folder / "expected_output.txt"
    if overwrite:
        expected.write_text(done.stdout, encoding="utf-8")
    if not expected.is_file():
        return "no expected_output.txt; --overwrite makes it"
    return difference(expected.read_text(encoding="utf-8"), done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overwrite", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    folders = [
        p for p in sorted((ROOT / "examples").glob("*")) if p.is_dir() and p.name in (arguments.names or [p.name])
    ]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count() + 1) as pool:  # that of the cluster mostly waits
        for folder, reason in zip(folders, pool.map(lambda folder: run_example(folder, arguments.overwrite), folders)):
            print(f"{folder.name}: {'as expected' if reason is None else reason}")
            failed += reason is not None
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
