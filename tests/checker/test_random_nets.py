"""P2 for lasso and elastic net: what is called proved is true, on random problems checked in exact arithmetic by code that
Recta does not share."""

import random

import net_checker
import pytest
from test_random_problems import table, write

KINDS = {
    "lasso": "linear",
    "lasso-standardised": "linear",
    "tiny": "linear",
    "chosen": "linear",
    "net": "linear",
    "net-standardised": "linear",
    "non-negative": "linear",
    "bounds": "linear",
    "factors": "linear",
    "psi": "linear",
    "psi-standardised": "linear",
    "weighted": "weighted",
    "through-zero": "linear",
    "category": "category",
    "deficient": "deficient",
    "wide": "wide",
    "columns": "linear",
    "scales": "scales",
    "offset": "offset",
    "two-targets": "two-targets",
    "exact-line": "exact-line",
    "ridge-end": "linear",
    "everything": "weighted",
}


def flags(kind, rng):
    lam = repr(10.0 ** rng.uniform(-3, 0.5))
    return {
        "lasso-standardised": ["lasso", "--lambda", lam, "--standardise"],
        "tiny": ["lasso", "--lambda", repr(10.0 ** rng.randint(-12, -6))],
        "chosen": ["lasso"],
        "net": ["elastic-net", "--lambda", lam, "--l1-share", repr(rng.random())],
        "net-standardised": ["elastic-net", "--lambda1", lam, "--lambda2", "0.1", "--standardise"],
        "non-negative": ["lasso", "--lambda", lam, "--non-negative"],
        "bounds": ["elastic-net", "--lambda", lam, "--lower", "x0=-0.1", "--upper", "x0=0.5"],
        "factors": ["lasso", "--lambda", lam, "--penalty-factors", "x0=0"],
        "psi": ["lasso", "--psi", lam],
        "psi-standardised": ["elastic-net", "--psi", lam, "--lambda2", "0.05", "--standardise"],
        "weighted": ["lasso", "--lambda", lam, "--weights", "w"],
        "through-zero": ["lasso", "--lambda", lam, "--no-intercept"],
        "columns": ["lasso", "--lambda", lam, "--solver", "columns"],
        "offset": ["elastic-net", "--lambda", lam, "--offset", "o"],
        "ridge-end": ["elastic-net", "--lambda", lam, "--l1-share", "0"],
        "everything": [
            "elastic-net",
            "--lambda1",
            lam,
            "--lambda2",
            "0.01",
            "--weights",
            "w",
            "--standardise",
            "--penalty-factors",
            "x0=2",
            "--upper",
            "x0=1",
        ],
    }.get(kind, ["lasso", "--lambda", lam])


@pytest.mark.parametrize("kind", KINDS)
def test_no_claim_is_false(kind, run, tmp_path):
    rng = random.Random(kind)
    proved = 0
    for _ in range(6):
        data, model = tmp_path / "t.csv", tmp_path / "m.recta"
        write(table(KINDS[kind], rng), data)
        word, *rest = flags(kind, rng)
        target = "y,z" if kind == "two-targets" else "y"
        done = run("fit", word, data, "--target", target, "-o", model, *rest)
        assert done.returncode == 0, (done.stderr, done.stdout, rest, data.read_text())
        claim, exact, wrong = net_checker.check(model, data)
        assert not wrong, (wrong, exact, claim, word, rest, data.read_text())
        proved += claim["verdict"] == "proved"
        again = run("verify", model, data)
        assert again.returncode == 0, (again.stdout, again.stderr)
    assert proved >= 5


def test_the_checker_sees_a_wrong_answer(run, tmp_path):
    data = tmp_path / "t.csv"
    data.write_text("x,y\n1,1\n2,2\n3,4\n4,3\n")
    assert run("fit", "lasso", data, "--target", "y", "--lambda", "0.1", "-o", "m.recta").returncode == 0
    assert not net_checker.check(tmp_path / "m.recta", data)[2]
    data.write_text("x,y\n1,1\n2,2\n3,4\n4,4\n")
    assert any("proved" in w for w in net_checker.check(tmp_path / "m.recta", data)[2])
