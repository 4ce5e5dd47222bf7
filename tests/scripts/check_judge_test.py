"""The check of who makes proofs finds a solver that the judge reaches, and whoever writes a certificate himself."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from check_judge import check


@pytest.fixture
def project(tmp_path):
    def write(name, text=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    write("src/certificate/verdict.hpp")
    write("src/certificate/stated_verdict.hpp")
    write("src/certificate/gap.cpp", '#include "stats/sums.hpp"\n#include <recta/certificate.hpp>\n')
    write("src/stats/sums.hpp")
    write("src/solver/newton.hpp")
    write("include/recta/certificate.hpp", "struct Certificate { double slack = 0; };\n")
    return tmp_path, write


ALLOWED = {
    "src/certificate/lasso.cpp": '#include "certificate/verdict.hpp"\nvoid f(Certificate& c) { c.verdict = verdict_of(p); }',
    "src/certificate/gap_test.cpp": '#include "solver/newton.hpp"',
    "src/model_file/read.cpp": '#include "certificate/stated_verdict.hpp"\nvoid f(Certificate& c) { c.slack = 1; }',
    "src/family/a_test.cpp": '#include "certificate/stated_verdict.hpp"\nvoid f(Certificate& c) { c.slack = 1; }',
    "src/family/b.cpp": "void f(Model& model, Certificate proof) { model.certificate = proof; }",
    "src/family/c.cpp": "bool f(const Certificate& c) { return c.verdict == Verdict::proved || c.slack >= 1; }",
    "src/family/d.cpp": "void f(Certificate& c, Solution& s) { s.slack = c.slack; } // c.slack = 2",
    "src/family/e.cpp": "void f(Model& model) { model.certificate.conditions.push_back(model.objective = text); }",
}

WRITTEN = [
    "void f(Certificate& c) { c.verdict = Verdict::proved; }",
    "void f(Certificate* c) { c->slack += 1; }",
    "void f(Model& model) { model.certificate.claim = Counted{}; }",
    "Result<Certificate> out = g();\nvoid f() { out->objective -= 1; }",
    "void f(Model& model) { auto& c = model.certificate;\nc.null_objective = 0; }",
    "Certificate f() { return {.claim = Counted{}}; }",
    "void f(Certificate& c) { std::get<DualityGap>(c.claim).gap = 0; }",
]


@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_allowed_passes(project, name):
    root, write = project
    write(name, ALLOWED[name] + "\n")
    assert check(root) == []


@pytest.mark.parametrize("text", WRITTEN)
def test_a_figure_written_outside_is_named_with_its_line(project, text):
    root, write = project
    write("src/family/a.cpp", "// head\n" + text + "\n")
    (fault,) = check(root)
    assert fault.startswith(f"src/family/a.cpp:{2 + text.count(chr(10))}: only src/certificate writes a certificate")


@pytest.mark.parametrize(
    ("header", "reason"),
    [("verdict", "only src/certificate makes verdicts"), ("stated_verdict", "only the reader of model files")],
)
def test_verdicts_are_made_in_their_places(project, header, reason):
    root, write = project
    write("src/family/a.cpp", f'#include "certificate/{header}.hpp"\n')
    (fault,) = check(root)
    assert fault.startswith("src/family/a.cpp:1: ") and reason in fault


def test_a_solver_is_reached_through_the_source_beside_a_header(project):
    root, write = project
    write("src/stats/sums.cpp", '#include "solver/newton.hpp"\n')
    (fault,) = check(root)
    assert fault.endswith(
        "src/solver/newton.hpp <- src/stats/sums.cpp <- src/stats/sums.hpp <- src/certificate/gap.cpp"
    )


def test_a_solver_is_reached_through_a_generated_list(project):
    root, write = project
    write("src/certificate/gap.hpp", '#include "loss/all_losses.hpp"\n')
    write("src/loss/huber/huber.hpp", '#include "solver/newton.hpp"\n')
    (fault,) = check(root)
    assert "src/loss/huber/huber.hpp <- src/certificate/gap.hpp" in fault
