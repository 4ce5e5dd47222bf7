"""recta fit naive-bayes: counts of rows whose weights are far apart, words that tell classes apart, missing values."""

import json
import math
import random
from fractions import Fraction

import numpy as np
import pytest

DOCUMENTS = (
    "text,class\nChinese Beijing Chinese,c\nChinese Chinese Shanghai,c\nChinese Macao,c\nTokyo Japan Chinese,j\n"
)


def posteriors(kind, x, y, weight, alpha):
    """Exact up to the logarithms: counts are fractions."""
    classes, columns = sorted(set(y)), range(len(x[0]))
    x, weight, alpha = [[Fraction(v) for v in row] for row in x], [Fraction(v) for v in weight], Fraction(alpha)
    total = {c: sum(v for v, k in zip(weight, y) if k == c) for c in classes}

    def count(c, j, of=lambda value: value):
        return sum(v * of(row[j]) for v, row, k in zip(weight, x, y) if k == c)

    scores = []
    for row in x:
        own = []
        for c in classes:
            if kind == "bernoulli":
                score = math.log(total[c] / sum(total.values()))
                for j in columns:
                    matches = count(c, j, lambda value, j=j, row=row: 1 if (value > 0) == (row[j] > 0) else 0)
                    part = (matches + alpha) / (total[c] + 2 * alpha)
                    score += math.log(part) if part > 0 else -math.inf
            else:
                others = [sum(count(d, j) for d in classes if d != c) + alpha for j in columns]
                score = -sum(float(value) * math.log(other / sum(others)) for value, other in zip(row, others))
            own.append(score)
        shares = [math.exp(one - max(own)) for one in own]
        scores.append([one / sum(shares) for one in shares])
    return scores


@pytest.mark.parametrize("kind, alpha", [("complement", 0.1), ("bernoulli", 0.0), ("bernoulli", 0.5)])
def test_posteriors_hold_where_weights_are_1e15_apart(run, tmp_path, kind, alpha):
    rng = random.Random(11)
    rows, labels, weight = [], [], []
    for i in range(20):
        rows.append([float(rng.randint(0, 3 if kind == "complement" else 1)) for _ in range(3)])
        labels.append("ab"[i % 2])
        weight.append(
            rng.choice([1e15, 3e14])
            if i % 2 == 0 and kind == "complement" or rows[-1][0]
            else rng.choice([0.3, 0.7, 1.0])
        )
    (tmp_path / "t.csv").write_text(
        "x0,x1,x2,w,y\n"
        + "".join(",".join(map(repr, row)) + f",{v!r},{k}\n" for row, v, k in zip(rows, weight, labels))
    )
    done = run(
        "fit",
        "naive-bayes",
        "t.csv",
        "--target",
        "y",
        "--weights",
        "w",
        "--likelihood",
        kind,
        "--alpha",
        repr(alpha),
        "-o",
        "m.recta",
        "-q",
    )
    assert "Proved" in done.stdout and "exact by construction" not in done.stdout, done.stdout
    found = np.loadtxt(run("predict", "m.recta", "t.csv", "--proba").stdout.splitlines()[1:], delimiter=",")
    np.testing.assert_allclose(found, posteriors(kind, rows, labels, weight, alpha), atol=1e-10)
    assert run("verify", "m.recta", "t.csv").returncode == 0


def test_sums_that_are_rounded_are_not_said_to_be_exact(run, tmp_path):
    (tmp_path / "small.csv").write_text("a,b,y\n1,2,u\n3,0,v\n")
    (tmp_path / "large.csv").write_text("a,b,y\n9007199254740992,2,u\n1,0,u\n3,0,v\n")  # 2^53 + 1 is no double
    for name, exact in (("small.csv", True), ("large.csv", False)):
        done = run("fit", "naive-bayes", name, "--target", "y", "--likelihood", "multinomial")
        assert ("exact by construction" in done.stdout) == exact and ("Proved" in done.stdout) == exact, done.stdout
    assert "a ratio of sums over the rows, each rounded by" in done.stdout
    assert (
        "counts as large as 9.01e+15 leave up to" in done.stdout
    )  # of a score, which is such a count times a logarithm


def test_levels_that_contain_an_equals_sign_keep_their_names(run, tmp_path):
    (tmp_path / "t.csv").write_text("status,y\n<0,bad\n0<=X<200,good\n>=200,good\n<0,bad\nno=yes=,good\n")
    done = run("fit", "naive-bayes", "t.csv", "--target", "y", "--json")
    assert done.returncode == 0, done.stderr
    levels = json.loads(done.stdout)["classes"]["bad"]["features"]["status"]
    assert set(levels) == {"<0", "0<=X<200", ">=200", "no=yes="}


def test_the_most_informative_words_are_those_that_explain_adds_up(run, tmp_path):
    (tmp_path / "t.csv").write_text(DOCUMENTS)
    done = run("fit", "naive-bayes", "t.csv", "--target", "class", "--text", "text", "-o", "m.recta", "--json")
    rows = json.loads(done.stdout)["tables"]["informative"]["rows"]
    of_c = [row for row in rows if row[0] == "c"]
    assert of_c[0][1] == "chinese" and of_c[0][2] == pytest.approx(math.log((6 / 14) / (2 / 9)))
    assert [row[1] for row in rows if row[0] == "j"] == ["japan", "tokyo"]


def test_missing_values_that_are_skipped_are_counted(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,g,y\n1.5,2,r,u\n,0,,v\n2.5,,s,u\n0.5,1,r,v\n")
    done = run("fit", "naive-bayes", "t.csv", "--target", "y", "-o", "m.recta")
    assert "3 missing values are left out, each with the factor of its column" in done.stdout, done.stdout
    assert "3 missing values are left out" in run("verify", "m.recta", "t.csv").stdout
