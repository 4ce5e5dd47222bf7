"""Runs Recta and its peers turn by turn, checks that they agree, and only then compares their times.

A case is one piece of work. Its contenders run in processes of their own, Recta first, then each peer, then Recta again,
for `rounds` rounds; the best time of each counts. A contender's answer is compared with Recta's before a ratio is shown;
a peer that cannot be had is shown as absent.
"""

import json
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "build" / "bench-data"
SHARED = ROOT.parent / "shared" / "data"
PROGRAM = Path(os.environ.get("RECTA_BENCH", ROOT / "build" / "release" / "recta_bench"))


def stored(stem, make, names=("x", "y")):
    """The paths of the arrays that `make` gives, by name. They are written once and used by all."""
    paths = {name: DATA / f"{stem}.{name}" for name in names}
    if not all(path.exists() for path in paths.values()):
        for path, array in zip(paths.values(), make(), strict=True):
            array.tofile(path)
    return {name: str(path) for name, path in paths.items()}


@dataclass
class Contender:
    name: str
    job: dict
    recta: bool = False
    threads: int = 2
    most_seconds: float | None = None  # a peer that takes longer is stopped, and shown as absent
    best: float = float("inf")
    peak: int = 0
    version: str = ""
    more: dict = field(default_factory=dict)
    absent: str = ""

    def is_python(self):
        return not self.recta or "peer" in self.job  # Recta from Python runs as its peers do

    def command(self):
        if self.is_python():
            return [
                sys.executable,
                str(ROOT / "benchmarks" / "peer.py"),
                self.job.get("peer", self.name),
                json.dumps(self.job),
            ]
        words = [str(PROGRAM), self.job["task"]]
        for key, value in self.job.items():
            if key != "task":
                words += [f"--{key}", str(value)]
        return words

    def keep_to_cores(self):
        """As many cores as threads: pandas reads with all it finds and takes no number."""
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-self.threads :])

    def run(self):
        environment = os.environ | {
            name: str(self.threads)
            for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
        }
        try:
            ran = subprocess.run(
                self.command(),
                capture_output=True,
                text=True,
                env=environment,
                preexec_fn=self.keep_to_cores,
                timeout=None if self.recta else self.most_seconds,
            )
        except subprocess.TimeoutExpired:
            self.absent = f"stopped after {self.most_seconds:g} s"
            return
        if ran.returncode == 0:
            self.keep(json.loads(ran.stdout))
        else:
            self.failed((ran.stderr.strip().splitlines() or ["no message"])[-1])

    def failed(self, last):
        if self.recta or "ModuleNotFoundError" not in last:
            raise SystemExit(f"{self.name} failed: {last}")
        self.absent = last

    def keep(self, said):
        self.best = min(self.best, *said.pop("seconds"))
        self.peak = max(self.peak, said.pop("peak_bytes"))
        self.version = said.pop("version")
        for key, value in said.items():
            if key.endswith("_seconds") and key in self.more:
                value = [min(self.more[key] + value)]
            self.more[key] = value


@dataclass
class Bar:
    """What the ratio of two times, or of memory, should be."""

    what: str
    value: float
    limit: float
    at_least: bool

    @property
    def stands(self):
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def line(self):
        sign, state = (">=" if self.at_least else "<="), ("stands" if self.stands else "MISSED")
        return f"  {state:>6}  {self.what}: {self.value:.2f} (bar {sign} {self.limit:g})"


@dataclass
class Case:
    name: str
    contenders: list
    agree: object  # (recta, peer) -> None, or a sentence saying how they differ
    bars: object  # (dict of contenders by name) -> list of Bar
    rounds: int = 2


def run_together(cases):
    """The contenders of each case once, as many at a time as there are cores: it matters that they run and agree, and not how long they
    take. Recta's come first, for peers may read its answer. What runs in Python is forked from a process that has read scikit-learn already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        [
            "peer",
            "sklearn.linear_model",
            "sklearn.svm",
            "sklearn.neighbors",
            "sklearn.model_selection",
            "recta.linear_model",
        ]
    )
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case in cases:
            for recta in (True, False):
                some = [contender for contender in case.contenders if contender.recta == recta]
                list(
                    pool.map(
                        lambda contender: _run_forked(contender, context) if contender.is_python() else contender.run(),
                        some,
                    )
                )
            yield report_case(case)


def _run_forked(contender, context):
    if contender.job.get("peer") == "import recta":  # what it measures is a process that has read nothing
        contender.run()
        return
    here, there = context.Pipe(duplex=False)
    process = context.Process(
        target=_answer_through, args=(there, contender.job.get("peer", contender.name), contender.job)
    )
    process.start()
    there.close()
    try:
        said, error = here.recv()
    except EOFError:
        said, error = None, "it died"
    process.join()
    contender.failed(error) if error else contender.keep(said)


def _answer_through(pipe, name, job):
    import peer

    try:
        pipe.send((json.loads(json.dumps(peer.answer(name, job))), None))
    except Exception as error:  # whatever it is, the line says so
        pipe.send((None, f"{type(error).__name__}: {error}"))


def run_case(case):
    for _ in range(case.rounds):
        for contender in case.contenders:
            if not contender.absent:
                contender.run()
    return report_case(case)


def report_case(case):
    """Compares the answers, and then the times."""
    ours = next(c for c in case.contenders if c.recta)
    print(f"\n{case.name}")
    print(f"  {'':<34}{'version':<12}{'seconds':>10}{'ratio':>9}{'peak MB':>10}")
    for c in case.contenders:
        if c.absent:
            print(f"  {c.name:<34}absent ({c.absent})")
            continue
        differs = None if c is ours else case.agree(ours, c)
        if differs:
            print(f"  {c.name:<34}{c.version:<12}no ratio: {differs}")
            c.more["disagrees"] = differs
            continue
        print(f"  {c.name:<34}{c.version:<12}{c.best:>10.4f}{c.best / ours.best:>8.2f}x{c.peak / 1e6:>10.0f}")
        for key, value in c.more.items():
            if key.endswith("_seconds"):
                label = "  the same matrix, " + key.removesuffix("_seconds")
                print(f"  {label:<34}{'':<12}{min(value):>10.4f}{min(value) / ours.best:>8.2f}x")
    there = {c.name: c for c in case.contenders if not c.absent and "disagrees" not in c.more}
    bars = case.bars(there)
    for bar in bars:
        print(bar.line())
    return {
        "case": case.name,
        "contenders": [
            {
                "name": c.name,
                "version": c.version,
                "seconds": None if c.absent else c.best,
                "peak_bytes": c.peak,
                "absent": c.absent,
                **c.more,
            }
            for c in case.contenders
        ],
        "bars": [{"what": b.what, "value": b.value, "limit": b.limit, "stands": bool(b.stands)} for b in bars],
    }


def same_coefficients(accuracy):
    def agree(ours, theirs):
        a = np.fromfile(ours.job["answer"])
        b = np.fromfile(theirs.job["answer"])
        gap = float(np.max(np.abs(a - b)) / np.max(np.abs(a)))
        return None if gap <= accuracy else f"coefficients differ by {gap:.1e}, more than {accuracy:.0e}"

    return agree


def same_table(ours, theirs):
    a, b = ours.more, theirs.more
    if a["rows"] != b["rows"]:
        return f"{b['rows']} rows instead of {a['rows']}"
    gap = abs(a["checksum"] - b["checksum"]) / max(1.0, abs(a["checksum"]))
    return None if gap <= 1e-9 else f"the sum of all values differs by {gap:.1e}"
