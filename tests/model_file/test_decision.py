"""The rule of decision that `recta threshold` puts into a file is verified by the rows that it was chosen on, and by no others."""

import json

import numpy as np
import pytest
from forging import changed_tensors, read, write


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("decision"), np.random.default_rng(4)
    for name in ("train", "other"):
        rows = ["a,b,y"]
        for _ in range(60):
            a, b = rng.normal(size=2)
            rows.append(f"{a:.5f},{b:.5f},{'yes' if a + b + rng.normal() > 0 else 'no'}")
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n")
    return folder


def doubled(header, body):
    about = json.loads(header["__metadata__"]["recta"])
    for name, value in about["decision"].items():
        other = value + "x" if isinstance(value, str) else value * 2 if value else 0.25
        text = json.dumps({**about, "decision": {**about["decision"], name: other}})
        yield name, {**header, "__metadata__": {**header["__metadata__"], "recta": text}}, body
    yield from changed_tensors(header, body, lambda name: name == "decision.costs")


@pytest.mark.parametrize("asked", [["--for", "f1"], ["--for", "precision>=0.7"], ["--costs", "yes=5"]])
def test_a_rule_of_decision_is_proved_by_the_rows_it_was_chosen_on(run, tables, tmp_path, asked):
    train, other = tables / "train.csv", tables / "other.csv"
    assert run("fit", "logistic", train, "--target", "y", "--lambda", "0.1", "-o", "m.recta", "-q").returncode == 0
    done = run("threshold", "m.recta", other, *asked, "-o", "rule.recta")
    assert done.returncode == 0, done.stderr
    unproved = run("verify", "rule.recta", train)
    assert unproved.returncode == 3 and "--decided-on" in unproved.stderr
    proved = run("verify", "rule.recta", train, "--decided-on", other)
    assert proved.returncode == 0 and proved.stdout.startswith("Proved"), proved.stderr
    count = 0
    for name, header, body in doubled(*read(tmp_path / "rule.recta")):
        write(tmp_path / "forged.recta", header, body)
        done = run("verify", "forged.recta", train, "--decided-on", other)
        assert done.returncode in (2, 3, 4, 5), (name, done.stdout)
        count += 1
    assert count > 7


def test_rows_set_aside_by_the_fit_prove_the_rule_chosen_on_them(run, tables):
    train = tables / "train.csv"
    fitted = run(
        "fit", "logistic", train, "--target", "y", "--lambda", "0.1", "--holdout", "0.4", "-o", "m.recta", "-q"
    )
    assert fitted.returncode == 0, fitted.stderr
    assert run("threshold", "m.recta", train, "--for", "accuracy", "-o", "rule.recta").returncode == 0
    proved = run("verify", "rule.recta", train)
    assert proved.returncode == 0, proved.stderr
