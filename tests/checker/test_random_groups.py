"""P2 for group lasso and multi-task lasso: what is called proved is true, on random problems checked in numbers of 80 digits
by code that Recta does not share."""

import random

import group_checker
import pytest
from test_random_problems import table, write

KINDS = {
    "groups": "wide",
    "groups-standardised": "linear",
    "single": "linear",
    "squares": "wide",
    "factors": "wide",
    "category": "category",
    "columns": "wide",
    "tiny": "linear",
    "weighted": "weighted",
    "offset": "offset",
    "through-zero": "linear",
    "through-means": "linear",
    "scales": "scales",
    "deficient": "deficient",
    "chosen": "wide",
    "two-targets": "two-targets",
    "multi": "two-targets",
    "multi-net": "two-targets",
    "multi-standardised": "two-targets",
    "multi-columns": "two-targets",
    "exact-line": "exact-line",
}


def flags(kind, rng, features):
    lam = repr(10.0 ** rng.uniform(-3, 0))
    names = rng.sample(features, len(features))
    cut = rng.randint(1, len(names))
    groups = ["--groups", ";".join(",".join(part) for part in (names[:cut], names[cut:]) if part)]
    lasso = ["group-lasso", "--lambda", lam, *groups]
    multi = ["multi-task-lasso", "--lambda", lam]
    return {
        "single": ["group-lasso", "--lambda", lam],
        "groups-standardised": [*lasso, "--standardise"],
        "squares": [*lasso, "--lambda2", "0.1"],
        "factors": [*lasso, "--group-factors", ",".join(repr(rng.uniform(0.5, 3)) for _ in groups[1].split(";"))],
        "columns": [*lasso, "--solver", "columns"],
        "tiny": ["group-lasso", "--lambda", "1e-7", *groups],
        "weighted": [*lasso, "--weights", "w"],
        "offset": [*lasso, "--offset", "o"],
        "through-zero": [*lasso, "--no-intercept"],
        "through-means": [*lasso, "--no-intercept", "--standardise"],
        "chosen": ["group-lasso", *groups],
        "multi": multi,
        "multi-net": ["multi-task-elastic-net", "--lambda", lam, "--l1-share", "0.4"],
        "multi-standardised": [*multi, "--standardise"],
        "multi-columns": [*multi, "--solver", "columns"],
    }.get(kind, lasso)


@pytest.mark.parametrize("kind", KINDS)
def test_no_claim_is_false(kind, run, tmp_path):
    rng = random.Random(kind)
    proved = 0
    for _ in range(6):
        data, model = tmp_path / "t.csv", tmp_path / "m.recta"
        rows = table(KINDS[kind], rng)
        write(rows, data)
        word, *rest = flags(kind, rng, [name for name in rows[0] if name not in ("y", "z", "w", "o")])
        target = "y,z" if KINDS[kind] == "two-targets" else "y"
        done = run("fit", word, data, "--target", target, "-o", model, *rest)
        assert done.returncode == 0, (done.stderr, done.stdout, rest, data.read_text())
        claim, found, wrong = group_checker.check(model, data)
        assert not wrong, (wrong, found, claim, word, rest, data.read_text())
        assert claim["verdict"] != "proved" or kind == "tiny" or found["violation"] < 1e-2
        proved += claim["verdict"] == "proved"
        again = run("verify", model, data)
        assert again.returncode == 0, (again.stdout, again.stderr)
    assert proved >= 5


def test_the_checker_sees_a_wrong_answer(run, tmp_path):
    data = tmp_path / "t.csv"
    data.write_text("x,u,y\n1,2,1\n2,1,2\n3,5,4\n4,2,3\n")
    fit = run("fit", "group-lasso", data, "--target", "y", "--lambda", "0.1", "--groups", "x,u", "-o", "m.recta")
    assert fit.returncode == 0, fit.stderr
    assert not group_checker.check(tmp_path / "m.recta", data)[2]
    data.write_text("x,u,y\n1,2,1\n2,1,2\n3,5,4\n4,2,4\n")
    assert any("proved" in w for w in group_checker.check(tmp_path / "m.recta", data)[2])
