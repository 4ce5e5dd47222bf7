#!/usr/bin/env python3
"""clang-tidy over the sources of the library and the command line, as the release build compiles them (joined into batches, so
that headers are read once for several files). Checks: .clang-tidy.

    scripts/check_tidy.py [--minutes N] [PATH ...]    PATH: folders or files; all if omitted

What was without findings is not looked at again until it changes: the cache knows the sum of the sources, of all headers of the
project they include, of the checks and of the compiler's options. After N minutes nothing more is begun, and the last line
says how many files are left; what the last commit changed comes first, then an order that differs from commit to commit, so
that runs without a cache look at other files each time."""

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/release"
TIDY = "clang-tidy-19"
INCLUDE = re.compile(rb'^\s*#\s*include\s*["<]([\w./]+)[">]', re.M)
FOLDERS = (ROOT / "include", ROOT / "src", ROOT / "cli", BUILD / "generated")
CACHED_DAYS = 60


def cache_folder():
    home = os.environ.get("HOME", "/")
    folder = Path(home) / ".cache/recta/tidy" if os.access(home, os.W_OK) else ROOT / ".cache/tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@cache
def content(path):
    """The sum of a file, and the files of the project it includes."""
    text = path.read_bytes()
    names = [name.decode() for name in INCLUDE.findall(text)]
    places = ([path.parent / name, *(folder / name for folder in FOLDERS)] for name in names)
    return hashlib.sha256(text).hexdigest(), [next((p for p in each if p.is_file()), None) for each in places]


def closure(path):
    files, open_ends = set(), [path]
    while open_ends:
        if (file := open_ends.pop()) and file not in files:
            files.add(file)
            open_ends += content(file)[1]
    return sorted(files)


class Unit:
    """What is compiled at once: a file, or a batch of them."""

    def __init__(self, entry):
        self.path = Path(entry["file"])
        self.sources = [self.path] if BUILD not in self.path.parents else list(filter(None, content(self.path)[1]))
        words = iter(shlex.split(entry["command"])[1:])
        self.options = []
        for word in words:
            if word in ("-Xclang", "-o"):  # those of precompiled headers
                next(words)
            elif word not in ("-c", "-Winvalid-pch", str(self.path)):
                self.options.append(word)

    def key(self, common):
        sums = [f"{os.path.relpath(file, ROOT)} {content(file)[0]}" for file in closure(self.path)]
        options = " ".join(self.options).replace(str(ROOT), "")
        return hashlib.sha256("\n".join([common, options, *sums]).encode()).hexdigest()

    def findings(self):
        command = [TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", str(self.path), "--", *self.options]
        done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True)
        text = done.stdout.replace(f"{ROOT}/", "")
        return text if text.strip() or done.returncode == 0 else done.stderr


def units(paths):
    entries = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    all_units = [Unit(entry) for entry in entries]
    wanted = [Path(path).resolve() for path in paths]
    for unit in all_units:
        parts = [source for source in unit.sources if any(source.is_relative_to(folder) for folder in FOLDERS[1:3])]
        if parts and (not wanted or any(source.is_relative_to(path) for source in parts for path in wanted)):
            yield unit


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def order_of(todo):
    changed = {ROOT / name for name in git("diff", "--name-only", "HEAD~1").split()}
    commit = git("rev-parse", "HEAD")
    return sorted(
        todo,
        key=lambda unit: (changed.isdisjoint(unit.sources), hashlib.sha256(f"{commit}{unit.path}".encode()).digest()),
    )


def check(unit, entry, deadline):
    """None where there is no time left, else the findings."""
    if time.monotonic() > deadline:
        return None
    text = unit.findings()
    if not text.strip():
        entry.touch()
    return text


def entries_of(text):
    """Findings with the lines that explain them: a header's are found in every file that includes it."""
    return [part for part in re.split(r"^(?=\S+:\d+:\d+: (?:warning|error):)", text, flags=re.M) if part.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    deadline = time.monotonic() + 60 * options.minutes
    folder = cache_folder()
    for old in folder.iterdir():
        if time.time() - old.stat().st_mtime > 86400 * CACHED_DAYS:
            old.unlink(missing_ok=True)
    version = subprocess.run([TIDY, "--version"], capture_output=True, text=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_text(encoding="utf-8")
    entry_of, cached = {}, 0  # what is to be checked
    for unit in units(options.paths):
        entry = folder / unit.key(common)
        if entry.exists():
            entry.touch()
            cached += len(unit.sources)
        else:
            entry_of[unit] = entry
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        work = {unit: pool.submit(check, unit, entry_of[unit], deadline) for unit in order_of(entry_of)}
        found = set()
        for job in work.values():
            for part in entries_of(job.result() or ""):
                if part not in found:
                    print(part, end="", flush=True)
                found.add(part)
    left = sum(len(unit.sources) for unit, job in work.items() if job.result() is None)
    checked = sum(len(unit.sources) for unit in work) - left
    print(f"{len(found)} findings; files: {checked} checked, {cached} known to be without findings, {left} left")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
