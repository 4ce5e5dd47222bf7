"""P2 for losses other than squares: what is called proved is true, on random problems solved to 60 digits by code that Recta
does not share."""

import random

import loss_checker
import pytest

WORDS = ["huber", "poisson", "gamma"]
KINDS = {
    "plain": [],
    "penalised": ["--lambda", "0.1"],
    "standardised": ["--lambda", "0.3", "--standardise"],
    "weighted": ["--weights", "v"],
    "offset": ["--offset", "o"],
    "through-zero": ["--no-intercept"],
    "far": [],
    "everything": ["--lambda", "0.01", "--weights", "v", "--offset", "o", "--standardise"],
}


def write(path, word, kind, rng):
    n, p = rng.randint(8, 25), rng.randint(1, 3)
    shift = 1000 if kind == "far" else 0
    lines = [",".join([f"x{j}" for j in range(p)] + ["y", "v", "o"])]
    for _ in range(n):
        x = [round(rng.uniform(-1, 1), rng.choice([1, 8])) for _ in range(p)]
        z = 0.5 + 0.7 * sum(x)
        y = {
            "huber": z + rng.gauss(0, 0.3) + (rng.random() < 0.2) * rng.uniform(-20, 20),
            "poisson": rng.choice([0, 1, 1, 2, 3, 5]) if rng.random() < 0.8 else round(rng.random() * 4, 2),
            "gamma": 2.7**z * rng.gammavariate(2, 0.5) + 1e-3,
        }[word]
        numbers = [each + shift for each in x] + [y, rng.choice([0, 1, 1, 2, 0.5]), round(rng.uniform(-1, 1), 2)]
        lines.append(",".join(map(repr, numbers)))
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", WORDS + ["huber-delta"])
def test_no_claim_is_false(word, kind, run, tmp_path):
    rng = random.Random(word + kind)
    proved = 0
    for _ in range(5):
        data, model = tmp_path / "t.csv", tmp_path / "m.recta"
        write(data, word.partition("-")[0], kind, rng)
        flags = KINDS[kind] + (["--delta", repr(10.0 ** rng.uniform(-1, 1))] if word == "huber-delta" else [])
        spare = [name for name, flag in (("v", "--weights"), ("o", "--offset")) if flag not in flags]
        flags = flags + (["--ignore", ",".join(spare)] if spare else [])
        done = run("fit", word.partition("-")[0], data, "--target", "y", "-o", model, *flags)
        assert done.returncode == 0, (done.stderr, done.stdout, flags, data.read_text())
        claim, lacks, wrong = loss_checker.check(model, data)
        assert not wrong, (wrong, lacks, claim, flags, data.read_text())
        proved += claim["verdict"] == "proved"
        again = run("verify", model, data)
        assert again.returncode == 0, (again.stdout, again.stderr)
    assert proved >= 4


def test_the_checker_sees_a_wrong_answer(run, tmp_path):
    data = tmp_path / "t.csv"
    data.write_text("x,y\n1,1\n2,2\n3,4\n4,3\n")
    assert run("fit", "poisson", data, "--target", "y", "-o", "m.recta").returncode == 0
    assert not loss_checker.check(tmp_path / "m.recta", data)[2]
    data.write_text("x,y\n1,1\n2,2\n3,4\n4,4\n")
    assert any("proved" in w for w in loss_checker.check(tmp_path / "m.recta", data)[2])
