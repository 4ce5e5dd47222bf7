"""P2 for losses of straight lines: what is claimed of quantiles and tubes is true, on random problems whose optimum is found in
fractions, by trying every vertex."""

import itertools
import json
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

KINDS = {
    "plain": [],
    "penalised": ["--lambda1", "0.125"],
    "weighted": ["--weights", "v"],
    "offset": ["--offset", "o"],
    "through-zero": ["--no-intercept"],
    "everything": ["--lambda1", "0.03125", "--weights", "v", "--offset", "o"],
}


def write(path, rng, n, p, ties):
    def number():
        return repr(float(rng.randint(-2, 2)) if ties else round(rng.uniform(-1, 1), rng.choice([1, 8])))

    lines = [",".join([f"x{j}" for j in range(p)] + ["y", "v", "o"])]
    lines += [
        ",".join([number() for _ in range(p + 1)] + [rng.choice(["0", "1", "2", "0.5"]), number()]) for _ in range(n)
    ]
    path.write_text("\n".join(lines) + "\n")


class Problem:
    """The objective in fractions of the doubles in the file."""

    def __init__(self, path, p, word, parameter, flags):
        rows = [[Fraction(float(cell)) for cell in line.split(",")] for line in path.read_text().split("\n")[1:-1]]
        self.p, self.word, self.parameter = p, word, Fraction(parameter)
        self.intercept = "--no-intercept" not in flags
        self.lambda1 = Fraction(float(flags[flags.index("--lambda1") + 1])) if "--lambda1" in flags else Fraction(0)
        self.x = [row[:p] for row in rows]
        self.y = [row[p] - (row[p + 2] if "--offset" in flags else 0) for row in rows]
        self.v = [row[p + 1] if "--weights" in flags else Fraction(1) for row in rows]

    def value(self, w, b):
        total = Fraction(0)
        for x, y, v in zip(self.x, self.y, self.v):
            r = y - b - sum(a * c for a, c in zip(x, w))
            if self.word == "quantile":
                total += v * max(self.parameter * r, (self.parameter - 1) * r)
            else:
                total += v * max(Fraction(0), abs(r) - self.parameter)
        return total / sum(self.v) + self.lambda1 * sum(map(abs, w))

    def least(self):
        """Over all points where as many kinks meet as there are numbers to find; None where no vertex exists."""
        shifts = [0] if self.word == "quantile" else [self.parameter, -self.parameter]
        kinks = [
            ([*x] + [Fraction(1)] * self.intercept, y + s)
            for x, y, v in zip(self.x, self.y, self.v)
            if v
            for s in shifts
        ]
        if self.lambda1:
            kinks += [
                ([Fraction(int(i == j)) for i in range(self.p)] + [Fraction(0)] * self.intercept, Fraction(0))
                for j in range(self.p)
            ]
        found = [
            self.value(z[: self.p], z[self.p] if self.intercept else Fraction(0))
            for some in itertools.combinations(kinks, self.p + self.intercept)
            if (z := solved(some)) is not None
        ]
        return min(found, default=None)

    def least_with_squares(self, lambda2):
        """One column: the best b is at a kink, and what is left is convex in w. To about 30 digits, by thirds."""
        with localcontext() as context:
            context.prec = 60

            def exact(x):
                return Decimal(x.numerator) / Decimal(x.denominator)

            rows = [(exact(x[0]), exact(y), exact(v)) for x, y, v in zip(self.x, self.y, self.v) if v]
            q, total, lambda1 = exact(self.parameter), exact(sum(self.v)), exact(self.lambda1)

            def value(w):
                r = [y - w * x for x, y, v in rows]
                centres = (
                    [0] if not self.intercept else r if self.word == "quantile" else [t + s for t in r for s in (q, -q)]
                )
                if self.word == "quantile":
                    loss = min(
                        sum(v * max(q * (t - b), (q - 1) * (t - b)) for t, (_, _, v) in zip(r, rows)) for b in centres
                    )
                else:
                    loss = min(
                        sum(v * max(Decimal(0), abs(t - b) - q) for t, (_, _, v) in zip(r, rows)) for b in centres
                    )
                return loss / total + lambda1 * abs(w) + exact(lambda2) / 2 * w * w

            low, high = Decimal(-4096), Decimal(4096)
            for _ in range(250):
                a, b = (2 * low + high) / 3, (low + 2 * high) / 3
                low, high = (low, b) if value(a) < value(b) else (a, high)
            return Fraction(min(value(Decimal(0)), value((low + high) / 2)))


def solved(equations):
    m = len(equations)
    a = [[*row, right] for row, right in equations]
    for k in range(m):
        pivot = next((i for i in range(k, m) if a[i][k] != 0), None)
        if pivot is None:
            return None
        a[k], a[pivot] = a[pivot], a[k]
        for i in range(m):
            if i != k and a[i][k] != 0:
                factor = a[i][k] / a[k][k]
                a[i] = [s - factor * t for s, t in zip(a[i], a[k])]
    return [a[k][m] / a[k][k] for k in range(m)]


def fitted(run, data, word, parameter, flags):
    name = "--quantile" if word == "quantile" else "--epsilon"
    spare = [column for column, flag in (("v", "--weights"), ("o", "--offset")) if flag not in flags]
    done = run(
        "fit",
        word,
        data,
        "--target",
        "y",
        name,
        repr(parameter),
        "--json",
        *flags,
        *(["--ignore", ",".join(spare)] if spare else []),
    )
    assert done.returncode == 0, (done.stdout, done.stderr, flags, data.read_text())
    return json.loads(done.stdout)


@pytest.mark.parametrize("ties", [False, True], ids=["apart", "ties"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", ["quantile", "epsilon-insensitive"])
def test_no_claim_is_false(word, kind, ties, run, tmp_path):
    rng = random.Random(word + kind + str(ties))
    flags, proved, seen = KINDS[kind], 0, 0
    while seen < 8:
        p = rng.choice([1, 1, 2])
        data = tmp_path / "t.csv"
        write(data, rng, rng.randint(p + 3, 7), p, ties)
        parameter = rng.choice([0.1, 0.25, 0.5, 0.9])
        problem = Problem(data, p, word, parameter, flags)
        if not sum(problem.v) or (least := problem.least()) is None:
            continue
        seen += 1
        fit = fitted(run, data, word, parameter, flags)
        claim = fit["certificate"]
        w = [Fraction(c["value"]) for c in fit["coefficients"]["y"]]
        value = problem.value(w, Fraction(fit["intercept"]["y"]["value"]) if problem.intercept else Fraction(0))
        told = (claim, flags, data.read_text())
        assert abs(value - Fraction(claim["objective"])) <= Fraction(claim["objective"]) / 10**12 + Fraction(
            1, 10**14
        ), told
        if claim["verdict"] == "proved":
            proved += 1
            assert value - least <= Fraction(claim["gap"]) + Fraction(claim["slack"]), told
        assert value - least <= Fraction(1, 10**10) * max(1, Fraction(claim["null_objective"])), told
    assert proved >= 7


@pytest.mark.parametrize("ties", [False, True], ids=["apart", "ties"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", ["quantile", "epsilon-insensitive"])
def test_no_claim_is_false_with_squares(word, kind, ties, run, tmp_path):
    rng = random.Random("squares" + word + kind + str(ties))
    for _ in range(6):
        data = tmp_path / "t.csv"
        write(data, rng, rng.randint(2, 7), 1, ties)
        parameter, lambda2 = rng.choice([0.1, 0.25, 0.5, 0.9]), rng.choice(["0.001", "0.125", "2", "1000"])
        problem = Problem(data, 1, word, parameter, KINDS[kind])
        if not sum(problem.v):
            continue
        fit = fitted(run, data, word, parameter, [*KINDS[kind], "--lambda2", lambda2])
        claim, w = fit["certificate"], Fraction(fit["coefficients"]["y"][0]["value"])
        b = Fraction(fit["intercept"]["y"]["value"]) if problem.intercept else Fraction(0)
        strength = Fraction(float(lambda2))
        above = problem.value([w], b) + strength / 2 * w * w - problem.least_with_squares(strength)
        only_rounding = claim["objective"] <= 1e-15  # all rows met: what is left is that of b
        assert claim["verdict"] == "proved" or only_rounding, (claim, data.read_text())
        assert above <= Fraction(claim["gap"]) + Fraction(claim["slack"]) + Fraction(1, 10**28), (
            claim,
            data.read_text(),
        )


@pytest.mark.parametrize("word", ["quantile", "epsilon-insensitive"])
def test_rows_that_can_all_be_met_are(word, run, tmp_path):
    rng = random.Random(word)
    for _ in range(25):
        p = rng.randint(2, 4)
        data = tmp_path / "t.csv"
        write(data, rng, rng.randint(1, p), p, False)
        claim = fitted(run, data, word, 0.25, [])["certificate"]
        assert claim["verdict"] in ("proved", "within_tolerance"), (claim["sentence"], data.read_text())
        assert claim["objective"] <= 1e-10 * claim["null_objective"], (claim["sentence"], data.read_text())
