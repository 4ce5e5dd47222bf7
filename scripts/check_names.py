#!/usr/bin/env python3
"""Names that must be one's own: a type in its namespace over all headers (two of one name link, and then break where both
are seen), and a file of Python tests (pytest imports them by their names alone)."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{|^\} // namespace")
TYPE = re.compile(r"^(?:struct|class|enum class)(?: alignas\([^)]*\))? (\w+)\b(?!\s*;)")


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]


def types(header):
    inside = []
    for line in (ROOT / header).read_text(encoding="utf-8").splitlines():
        if found := NAMESPACE.match(line):
            inside = [*inside, found[1]] if found[1] else inside[:-1]
        elif found := TYPE.match(line):
            yield "::".join([*inside, found[1]])


def main():
    places = defaultdict(set)
    for header in tracked("src/*.hpp", "include/*.hpp", "cli/*.hpp"):
        for name in types(header):
            places[name].add(header)
    for test in tracked("tests/*test_*.py", "python/tests/test_*.py"):
        places[test.name].add(test)
    twice = {name: where for name, where in places.items() if len(where) > 1}
    for name, where in sorted(twice.items()):
        print(f"{name} is in {' and in '.join(map(str, sorted(where)))}")
    if twice:
        sys.exit(1)
    print("every name is one's own")


if __name__ == "__main__":
    main()
