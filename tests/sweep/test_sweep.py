"""P2 at the edges of arithmetic: no claim is false on thousands of tables whose numbers are far from the origin, alike, tiny or huge."""

import os
import random

import claims
import pytest
import tables
import words

FITS = int(os.environ.get("RECTA_SWEEP_FITS", "200"))  # per word


def fit_one(word, seed, run, folder):
    """What is wrong with one fit, and how it ended."""
    rng = random.Random(f"{word} {seed}")
    n, p = tables.shape(rng)
    n = max(n, 2)
    x, v = tables.rows(rng, n, p), tables.weights(rng, n)
    case = words.WORDS[word](rng, x, v)
    data, file = folder / "t.csv", folder / "m.recta"
    tables.write(data, case.x, case.y, case.v)
    file.unlink(missing_ok=True)
    target = ["--target", "y"] if case.y is not None else []
    flags = target + (["--weights", "v"] if case.v is not None else []) + case.flags
    done = run("fit", words.CALLED.get(word, word), data, "-q", "-o", file, "--time-limit", "20", *flags)
    if done.returncode < 0 or "internal error" in done.stderr:
        return [f"ended by {done.returncode}: {done.stderr}"], "crashed", flags
    if not file.exists():
        return [], f"refused: {done.stderr.splitlines()[0] if done.stderr else done.returncode}", flags
    model = claims.ModelFile(file)
    return case.judge(model, lambda *how: run("predict", file, data, *how).stdout), model.verdict, flags


@pytest.mark.slow
@pytest.mark.parametrize("word", words.WORDS)
def test_no_claim_is_false(word, run, tmp_path):
    endings = {}
    for seed in range(FITS):
        wrong, ending, flags = fit_one(word, seed, run, tmp_path)
        assert not wrong, (word, seed, flags, wrong, (tmp_path / "t.csv").read_text())
        endings[ending] = endings.get(ending, 0) + 1
    assert endings.get("proved", 0) >= FITS / 4, endings
