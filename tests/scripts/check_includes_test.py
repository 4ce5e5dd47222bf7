"""The include-direction check finds each kind of wrong include, and nothing in a right one."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from check_includes import check


@pytest.fixture
def project(tmp_path):
    def write(name, text=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    for header in (
        "base/sum.hpp",
        "loss/loss.hpp",
        "loss/huber/huber.hpp",
        "penalty/penalty.hpp",
        "solver/newton.hpp",
        "certificate/gap.hpp",
        "family/family.hpp",
        "family/loss/loss.hpp",
    ):
        write(f"src/{header}")
    write("include/recta/error.hpp", "#include <string>\n#include <recta/error.hpp>\n")
    return tmp_path, write


ALLOWED = {
    "src/loss/a.cpp": '#include "base/sum.hpp"',
    "src/loss/b.cpp": '#include "loss/huber/huber.hpp"',
    "src/solver/a.cpp": '#include "loss/loss.hpp"',
    "src/solver/newton_test.cpp": '#include "loss/huber/huber.hpp"',
    "src/dispatch/a.cpp": '#include "solver/newton.hpp"',
    "src/solver/gap_test.cpp": '#include "certificate/gap.hpp"',
    "src/family/softmax/a.cpp": '#include "family/loss/loss.hpp"',
    "src/family/loss/a.cpp": '#include "family/family.hpp"',
    "src/base/a.cpp": "#include <nlohmann/json.hpp>",
    "cli/main.cpp": "#include <recta/error.hpp>",
}

REFUSED = {
    "src/base/a.cpp": ('#include "loss/loss.hpp"', "base may not know about loss"),
    "src/loss/a.cpp": ('#include "penalty/penalty.hpp"', "loss may not know about penalty"),
    "src/solver/a.cpp": ('#include "loss/huber/huber.hpp"', "a solver may not know about a single loss"),
    "src/solver/b.cpp": ('#include "certificate/gap.hpp"', "solver may not know about certificate"),
    "src/certificate/b.cpp": ('#include "solver/newton.hpp"', "certificate may not know about solver"),
    "src/loss/b.cpp": ('#include "huber.hpp"', "relative to src/"),
    "src/loss/c.cpp": ('#include "../base/sum.hpp"', "do not climb"),
    "src/loss/d.cpp": ("#include <base/sum.hpp>", "internal headers"),
    "src/loss/e.hpp": ("#include <nlohmann/json.hpp>", "slow to compile"),
    "src/misc/a.cpp": ("#include <string>", "no place in the order"),
    "include/recta/a.hpp": ("#include <fmt/format.h>", "only the standard library"),
    "include/recta/b.hpp": ('#include "recta/error.hpp"', "included as <recta/...>"),
    "cli/main.cpp": ('#include "base/sum.hpp"', "front ends include only"),
    "python/module.cpp": ("#include <base/sum.hpp>", "front ends include only"),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_a_right_include_passes(project, name):
    root, write = project
    write(name, ALLOWED[name] + "\n")
    assert check(root) == []


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_include_is_named_with_its_line(project, name):
    root, write = project
    line, reason = REFUSED[name]
    write(name, f"// head\n{line}\n")
    (fault,) = check(root)
    assert reason in fault
    assert fault.startswith(f"{name}:2:") or "no place" in fault


def test_families_do_not_know_each_other_both_ways(project):
    root, write = project
    write("src/family/softmax/softmax.hpp", '#include "family/loss/loss.hpp"\n')
    assert check(root) == []
    write("src/family/loss/loss.hpp", '#include "family/softmax/softmax.hpp"\n')
    faults = check(root)
    assert faults and all("these two families know each other" in fault for fault in faults)


def test_what_families_share_knows_none_of_them(project):
    root, write = project
    write("src/family/family.hpp", '#include "family/loss/loss.hpp"\n')
    (fault,) = check(root)
    assert "may not know about one of them" in fault


def test_public_headers_stay_short(project):
    root, write = project
    write("include/recta/long.hpp", "// Comments and empty lines are not counted.\n\n" * 1000)
    assert check(root) == []
    write("include/recta/long.hpp", "struct A;\n" * 150)
    (fault,) = check(root)
    assert "include/recta/long.hpp: 150 lines of code" in fault
