"""glmnet, which is R's: a process of its own that is asked for fits. Where R or glmnet is not there, it is absent.

It is run as its manual advises, at a decreasing sequence of strengths that ends with the one asked for, and at that one
alone; the faster of the two counts."""

import contextlib
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from net_peers import gap_of, problem

THRESHOLDS = [10.0**-k for k in range(5, 25)]
SEQUENCES = (1, 5, 20)


class Glmnet:
    """A process of R with the data in it."""

    def __init__(self, job, folder):
        self.cols, self.answer = job["cols"], Path(folder) / "slopes"
        words = [
            f"{key}={value}"
            for key, value in job.items()
            if key in ("x", "y", "index", "start", "rows", "cols", "order")
        ]
        script = Path(__file__).parent / "glmnet.R"
        self.process = subprocess.Popen(
            ["Rscript", str(script), *words, f"answer={self.answer}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version = self.process.stdout.readline().strip()

    def fit(self, thresh, lambdas):
        """Seconds, and the slopes: a column a strength."""
        self.answer.unlink(missing_ok=True)
        self.process.stdin.write(f"{thresh!r} {','.join(repr(float(s)) for s in lambdas)}\n")
        self.process.stdin.flush()
        seconds = float(self.process.stdout.readline())
        return seconds, np.fromfile(self.answer).reshape((self.cols, -1), order="F")


def needs_glmnet():
    there = (
        shutil.which("Rscript")
        and subprocess.run(["Rscript", "-e", "library(glmnet)"], capture_output=True).returncode == 0
    )
    if not there:
        raise ModuleNotFoundError("no R with glmnet; apt install r-cran-glmnet")


@contextlib.contextmanager
def glmnet(job):
    needs_glmnet()
    with tempfile.TemporaryDirectory() as folder:
        asked = Glmnet(job, folder)
        yield asked
        asked.process.stdin.close()
        asked.process.wait()


def peak():
    return {"peak_bytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024}


def lasso(job, timed):
    """The loosest threshold that reaches the gap, for each way of asking."""
    x, y = problem(job)
    largest = np.abs(x.T @ (y - y.mean())).max() / len(y)
    best, reached = [], float("inf")
    with glmnet(job) as peer:
        for length in SEQUENCES:
            lambdas = np.geomspace(largest, job["lambda"], length + 1)[1:]
            for thresh in THRESHOLDS:
                seconds, w = peer.fit(thresh, lambdas)
                gap = gap_of(x, y, w[:, -1], job["lambda"])
                if gap <= job["tolerance"] or seconds > 60 or (best and seconds > 3 * min(best)):
                    break
            if gap <= job["tolerance"]:
                again = job["repeat"] if seconds < 3 else 0
                best += [seconds] + [peer.fit(thresh, lambdas)[0] for _ in range(again)]
                reached = gap
            elif not best:
                reached = min(reached, gap)
    return best or [seconds], peer.version, {"gap": reached, **peak()}


def path(job, timed):
    x, y = problem(job)
    lambdas = job["lambda_max"] * np.logspace(0, np.log10(job["ratio"]), job["count"])
    looked_at = range(0, len(lambdas), max(1, len(lambdas) // 5))
    with glmnet(job) as peer:
        for thresh in THRESHOLDS:
            seconds, w = peer.fit(thresh, lambdas)
            gap = max(gap_of(x, y, w[:, k], lambdas[k]) for k in looked_at)
            if gap <= 1e-5 or seconds > 120:
                break
        best = [seconds] + [peer.fit(thresh, lambdas)[0] for _ in range(job["repeat"] if seconds < 3 else 0)]
    return best, peer.version, {"gap": gap, **peak()}


PEERS = {"glmnet lasso": lasso, "glmnet path": path}
