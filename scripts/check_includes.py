#!/usr/bin/env python3
"""Which file may know about which: checks every #include line against the order of the folders.

    include/recta <- base <- data <- {design, loss, penalty, kernel, metric, text} <- stats <- feature <- objective
                  <- {certificate, solver} <- model <- {select, evaluate, model_file, plot, report} <- params <- option <- driver
                  <- {classes, held, summary} <- family <- combine
                  <- rows <- rounds <- dispatch <- {search, foreign}

A file may include its own folder and the folders to the left of it; folders in one pair of braces do not know each
other: a solver does not know how it will be judged, nor a judge how the answer was found. Their tests do, to have one
judged by the other. Public headers include the standard library and themselves; front ends include only public headers.
There are no exceptions.
"""

import re
import sys
from pathlib import Path

ORDER = [
    ["base"],
    ["data"],
    ["design", "loss", "penalty", "kernel", "metric", "text"],
    ["stats"],
    ["feature"],
    ["objective"],
    ["certificate", "solver"],
    ["model"],
    ["select", "evaluate", "model_file", "plot", "report"],
    ["params"],
    ["option"],
    ["driver"],
    ["classes", "held", "summary"],
    ["family"],
    ["combine"],
    ["rows"],
    ["rounds"],
    ["dispatch"],
    ["search", "foreign"],
]
RANK = {folder: rank for rank, folders in enumerate(ORDER) for folder in folders}
FRONT_ENDS = ("cli", "python")
LEAVES_HIDDEN_FROM_SOLVERS = ("loss", "penalty")  # solvers know the concepts, dispatch brings the leaves
SLOW_HEADERS = ("nlohmann/", "CLI/")  # 4 to 9 seconds of compile time for every file that sees them
PUBLIC_LINES = 150  # of code in a public header: one subject that is read at a sitting

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
GENERATED = re.compile(r"^(\w+)/all_\w+\.hpp$")  # lists of a folder's leaves, made by the build for that folder
STANDARD = re.compile(r"^[a-z_0-9]+$")  # no slash and no .h: the C++ standard library


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1], match[2]


def public_header_fault(quote, name):
    if quote == '"':
        return "public headers are included as <recta/...>"
    if not (name.startswith("recta/") or STANDARD.match(name)):
        return "public headers include only the standard library and <recta/...>"
    return None


def source_fault(root, path, quote, name):
    parts = path.relative_to(root / "src").parts
    folder, is_test = parts[0], path.stem.endswith(("_test", "_fuzz"))
    if quote == "<":
        if (root / "src" / name).exists():
            return 'internal headers are included as "folder/..."'
        if path.suffix == ".hpp" and name.startswith(SLOW_HEADERS):
            return "this header is slow to compile and belongs into .cpp files"
        return None
    if not (root / "src" / name).exists() and not GENERATED.match(name):
        return "no such file under src/ (internal includes are relative to src/)"
    target = name.split("/")
    judged = is_test or path.stem.startswith("test_")
    if target[0] == folder or (judged and {folder, target[0]} == {"certificate", "solver"}):
        return None
    if RANK.get(target[0], len(ORDER)) >= RANK[folder]:
        return f"{folder} may not know about {target[0]}"
    if folder == "solver" and not is_test and target[0] in LEAVES_HIDDEN_FROM_SOLVERS and len(target) > 2:
        return f"a solver may not know about a single {target[0]}"
    return None


def front_end_fault(root, path, quote, name):
    if (root / "src" / name).exists():
        return "front ends include only <recta/...>"
    if quote == '"' and not ((path.parent / name).exists() or (root / path.relative_to(root).parts[0] / name).exists()):
        return "no such file in the front end"
    return None


def lines_of_code(path):
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("//")]


def family_circles(root):
    """A family may be built on another one, and what all share knows none of them."""
    knows = {}
    for path in sorted((root / "src/family").rglob("*.[hc]pp")):
        own = path.relative_to(root / "src").parts[1:-1]
        for _, _, name in includes(path):
            parts = name.split("/")
            if parts[0] == "family" and len(parts) == 3 and own != (parts[1],):
                knows.setdefault(own[0] if own else "", {})[parts[1]] = f"{path.relative_to(root)}: {name}"
    faults = [f"{line}: what families share may not know about one of them" for line in knows.pop("", {}).values()]

    def reaches(start, end, seen=()):
        return start == end or any(reaches(one, end, (*seen, start)) for one in knows.get(start, {}) if one not in seen)

    for family, others in knows.items():
        faults += [
            f"{line}: these two families know each other" for one, line in others.items() if reaches(one, family)
        ]
    return faults


def check(root):
    """All faults, as lines `file:line: include: reason`."""
    root = Path(root)
    faults = []

    def scan(folder, fault_of):
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            for number, quote, name in includes(path):
                if ".." in name.split("/"):
                    fault = "includes do not climb with .."
                else:
                    fault = fault_of(path, quote, name)
                if fault:
                    faults.append(f"{path.relative_to(root)}:{number}: {name}: {fault}")

    scan("include", lambda path, quote, name: public_header_fault(quote, name))
    for folder in sorted(p.name for p in (root / "src").iterdir() if p.is_dir()):
        if folder not in RANK:
            faults.append(f"src/{folder}: this folder has no place in the order")
            continue
        scan(f"src/{folder}", lambda path, quote, name: source_fault(root, path, quote, name))
    for folder in FRONT_ENDS:
        scan(folder, lambda path, quote, name: front_end_fault(root, path, quote, name))
    faults += family_circles(root)
    for header in sorted((root / "include").rglob("*.hpp")):
        if (lines := len(lines_of_code(header))) >= PUBLIC_LINES:
            faults.append(f"{header.relative_to(root)}: {lines} lines of code, {PUBLIC_LINES} or more")
    return faults


if __name__ == "__main__":
    found = check(Path(__file__).resolve().parent.parent)
    print("\n".join(found) if found else "every include points the right way")
    sys.exit(bool(found))
