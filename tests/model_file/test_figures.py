"""`recta verify` recomputes every figure that a model file states: one that was changed, its checksum redone, is refuted."""

import json
import os

import numpy as np
import pytest

from forging import changed_tensors, read, write

# Figures of the file that are tensors of doubles; coefficients themselves are proved, not compared.
TENSORS = ("coefficients.", "intercept.", "fit.", "classes.", "means", "deviations", "inverse_root", "singular.",
           "aliased.factors")
LEFT_OUT = ("classes.factor",)  # the rows are not those of training with another one
SUMMARY = ("rows", "weight_sum", "degrees_of_freedom", "rank", "condition", "clusters")
# Distances to the optimum are bounds, and proved anew.
CERTIFICATE = ("objective", "null_objective")


def is_figure(name):
    return name.startswith(TENSORS) and name not in LEFT_OUT


def doubled_numbers(header, body):
    about = json.loads(header["__metadata__"]["recta"])
    for part, names in (("summary", SUMMARY), ("certificate", CERTIFICATE)):
        for name in names:
            if not about[part].get(name):
                continue
            changed = {**about, part: {**about[part], name: about[part][name] * 2}}
            text = {**header["__metadata__"], "recta": json.dumps(changed)}
            yield f"{part}.{name}", {**header, "__metadata__": text}, body


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Rows with every kind of target; c is a + b, so that a column is aliased."""
    rng = np.random.default_rng(17)
    n, lines = 60, ["a,b,c,g,v,y,count,size,two,three"]
    for i in range(n):
        a, b = rng.normal(1, 1), rng.normal(-2, 1)
        z = 0.5 * a + 0.4 * b + rng.normal()
        two = "yes" if z > 0.2 * rng.normal() else "no"
        three = "xyz"[int(np.clip(z + rng.normal() + 1.5, 0, 2.9))]
        lines.append(f"{a!r},{b!r},{a + b!r},g{i % 7},{rng.integers(1, 4)},{z!r},{rng.poisson(np.exp(z / 2))},"
                     f"{rng.gamma(2, np.exp(z / 2))!r},{two},{three}")
    path = tmp_path_factory.mktemp("figures") / "t.csv"
    path.write_text("\n".join(lines).replace("np.float64(", "").replace(")", "") + "\n")
    return path


COLUMNS = ["a", "b", "c", "g", "v", "y", "count", "size", "two", "three"]
CASES = [
    ("linear", "y", ["a", "b"], []),
    ("linear", "y", ["a", "b", "c"], []),
    ("linear", "y", ["a", "b"], ["--errors", "hc1"]),
    ("linear", "y", ["a", "b"], ["--cluster", "g"]),
    ("linear", "y", ["a", "b"], ["--weights", "v"]),
    ("linear", "y", ["a", "b"], ["--weights", "v", "--weights-are", "frequency"]),
    ("linear", "y,size", ["a", "b"], ["--solver", "qr"]),
    ("linear", "y", ["a", "b"], ["--solver", "svd"]),
    ("linear", "y", ["a", "b"], ["--solver", "lsmr"]),
    ("linear", "y", ["a", "b"], ["--solver", "gradient-descent"]),
    ("linear", "y", ["a", "b"], ["--no-intercept"]),
    ("ridge", "y", ["a", "b"], ["--lambda", "0.1"]),
    ("ridge", "y", ["a", "b"], ["--lambda", "0.1", "--standardise"]),
    ("lasso", "y", ["a", "b"], ["--lambda", "0.05"]),
    ("lasso", "y", ["a", "b"], ["--psi", "0.3"]),
    ("elastic-net", "y", ["a", "b"], ["--lambda", "0.05", "--solver", "columns"]),
    ("group-lasso", "y", ["a", "b"], ["--lambda", "0.05", "--groups", "a,b"]),
    ("multi-task-lasso", "y,size", ["a", "b"], ["--lambda", "0.05"]),
    ("multi-task-elastic-net", "y,size", ["a", "b"], ["--lambda", "0.05"]),
    ("huber", "y", ["a", "b"], []),
    ("huber", "y", ["a", "b"], ["--delta", "0.5"]),
    ("quantile", "y", ["a", "b"], []),
    ("epsilon-insensitive", "y", ["a", "b"], []),
    ("poisson", "count", ["a", "b"], []),
    ("gamma", "size", ["a", "b"], []),
    ("logistic", "two", ["a", "b"], []),
    ("logistic", "two", ["a", "b"], ["--lambda", "0.01", "--l1-share", "1"]),
    ("logistic", "two", ["a", "b"], ["--firth"]),
    ("softmax", "three", ["a", "b"], []),
    ("softmax", "three", ["a", "b"], ["--lambda", "0.01", "--l1-share", "1"]),
    ("ridge-classifier", "three", ["a", "b"], ["--lambda", "0.1"]),
    ("perceptron", "two", ["a", "b"], ["--passes", "5"]),
    ("perceptron", "three", ["a", "b"], ["--passes", "5", "--standardise"]),
    ("delta", "two", ["a", "b"], []),
]


@pytest.mark.parametrize("word, target, features, flags", CASES, ids=[" ".join([c[0], *c[2], *c[3]]) for c in CASES])
def test_every_figure_that_is_doubled_is_refuted_by_name(run, table, tmp_path, word, target, features, flags):
    used = {*target.split(","), *features, *flags}
    ignored = ",".join(c for c in COLUMNS if c not in used)
    done = run("fit", word, table, "--target", target, "--ignore", ignored, *flags, "-o", "m.recta", "-q")
    assert done.returncode == 0, done.stderr
    honest = run("verify", "m.recta", table)
    assert honest.returncode == 0, honest.stdout + honest.stderr
    header, body = read(tmp_path / "m.recta")
    passed, count = [], 0
    for name, other_header, other_body in [*changed_tensors(header, body, is_figure, ["F64"]), *doubled_numbers(header, body)]:
        write(tmp_path / "forged.recta", other_header, other_body)
        forged = run("verify", "forged.recta", table)
        count += 1
        refuted = forged.returncode == 4 and "the rows give other figures than the file: " in forged.stdout
        if not refuted and forged.returncode != 5:  # 5: parts that do not fit one another are no model file
            passed.append((name, forged.returncode, (forged.stdout + forged.stderr)[-300:]))
    assert count > 5 and not passed, passed


def test_the_verdict_names_the_figure_its_coefficient_and_both_values(run, tmp_path):
    run("fit", "linear", "housing", "-o", "m.recta", "-q")
    header, body = read(tmp_path / "m.recta")
    begin, end = header["coefficients.standard_error"]["data_offsets"]
    values = np.frombuffer(bytes(body[begin:end]), dtype="<f8").copy()
    values[5] *= 2
    write(tmp_path / "forged.recta", header, body[:begin] + bytearray(values.tobytes()) + body[end:])
    document = json.loads(run("verify", "forged.recta", "housing", "--json").stdout)
    assert document["holds"] is False and document["certificate"]["verdict"] == "refuted"
    said = f"the standard error of rm {float(values[5])!r} in the file, {float(values[5] / 2)!r} by the rows"
    assert document["certificate"]["sentence"].startswith("Refuted: the rows give other figures than the file: " + said)


@pytest.mark.parametrize("word, flags", [("linear", []), ("linear", ["--errors", "hc3"]), ("ridge", ["--lambda", "1"]),
                                         ("lasso", ["--lambda", "0.1"]), ("huber", []), ("poisson", [])])
def test_a_file_made_on_another_instruction_set_verifies(run, word, flags):
    found = {f["what"]: f["found"] for f in json.loads(run("doctor", "--json").stdout)["findings"]}
    levels = found["instruction sets"].split(" of ")[1].split(", ")
    for level in levels:
        done = run("fit", word, "housing", *flags, "-o", "m.recta", "-q", env={**os.environ, "RECTA_SIMD": level})
        assert done.returncode == 0, done.stderr
        for other in levels:
            checked = run("verify", "m.recta", "housing", env={**os.environ, "RECTA_SIMD": other})
            assert checked.returncode == 0, (level, other, checked.stdout)
