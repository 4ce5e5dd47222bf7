#!/usr/bin/env python3
"""Who makes proofs: nothing that a solver computed reaches the code that sets a verdict or a figure of a proof.

- What src/certificate includes, each header with the source beside it, holds no file of src/solver.
- Only src/certificate includes "certificate/verdict.hpp", which makes verdicts of proofs, and only the reader of model files
  and tests include "certificate/stated_verdict.hpp".
- Outside src/certificate a certificate is taken whole: nobody writes its claim, its objectives, its slack or its verdict.
"""

import re
import sys
from pathlib import Path

from check_includes import GENERATED, includes

FIGURES = "claim|objective|null_objective|slack|verdict"
READER = "src/model_file"
COMMENT = re.compile(r"//.*")
# Names of certificates: variables, parameters and results of that type, and what is bound to one.
NAMED = re.compile(r"\bCertificate\s*[&*>]?\s*>?\s*(\w+)\s*[;=,(){]|\bauto\s*&\s*(\w+)\s*=[^;]*\bcertificate;")
DESIGNATED = re.compile(r"[{(,]\s*\.claim\s*=")
WITHIN_CLAIM = re.compile(r"\bget(?:_if)?<[^<>]*>\([^()]*\bclaim\)\s*(?:\.|->)\s*\w+\s*[-+*/]?=(?!=)")


def is_test(path):
    return path.stem.endswith(("_test", "_fuzz")) or path.stem.startswith("test_")


def resolved(root, name):
    """The files that an include brings in: a generated list stands for all headers of its folder."""
    if match := GENERATED.match(name):
        return sorted((root / "src" / match[1]).rglob("*.hpp"))
    return [path for path in (root / "src" / name, root / "include" / name) if path.is_file()]


def closure(root, start):
    """Every file that is reached, with the one it was reached from."""
    came_from = dict.fromkeys(start)
    waiting = list(came_from)
    while waiting:
        path = waiting.pop()
        reached = [file for _, _, name in includes(path) for file in resolved(root, name)]
        if path.suffix == ".hpp" and path.with_suffix(".cpp").is_file():
            reached.append(path.with_suffix(".cpp"))
        for file in reached:
            if file not in came_from:
                came_from[file] = path
                waiting.append(file)
    return came_from


def solver_faults(root):
    judge = sorted(path for path in (root / "src/certificate").rglob("*.[hc]pp") if not is_test(path))
    came_from = closure(root, judge)
    for path in sorted(came_from):
        if path.is_relative_to(root / "src/solver"):
            chain = [path]
            while chain[-1] is not None:
                chain.append(came_from[chain[-1]])
            yield "the judge reaches a solver: " + " <- ".join(str(step.relative_to(root)) for step in chain if step)


def include_faults(root, path):
    name = str(path.relative_to(root))
    for number, _, included in includes(path):
        if included == "certificate/verdict.hpp":
            yield f"{name}:{number}: only src/certificate makes verdicts: state a claim, and have it judged there"
        if included == "certificate/stated_verdict.hpp" and not name.startswith(READER) and not is_test(path):
            yield f"{name}:{number}: only the reader of model files takes a verdict as it is stated"


def written_figures(root, path):
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    names = {name for match in NAMED.finditer(text) for name in match.groups() if name} | {"certificate"}
    written = re.compile(rf"\b(?:{'|'.join(sorted(names))})\s*(?:\.|->)\s*(?:{FIGURES})\s*[-+*/]?=(?!=)")
    for number, line in enumerate(text.splitlines(), 1):
        if written.search(line) or DESIGNATED.search(line) or WITHIN_CLAIM.search(line):
            yield f"{path.relative_to(root)}:{number}: only src/certificate writes a certificate: {line.strip()}"


def check(root):
    """All faults, one a line."""
    root = Path(root)
    faults = list(solver_faults(root))
    for folder in ("src", "include", "cli", "python"):
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            if path.is_relative_to(root / "src/certificate"):
                continue
            faults += include_faults(root, path)
            if not is_test(path) and not path.is_relative_to(root / READER):
                faults += written_figures(root, path)
    return faults


if __name__ == "__main__":
    found = check(Path(__file__).resolve().parent.parent)
    print("\n".join(found) if found else "verdicts are the judge's, and no solver reaches it")
    sys.exit(bool(found))
