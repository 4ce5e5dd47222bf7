#!/usr/bin/env python3
"""Pages speak of files that are there: every link to a file, its heading too, and every path in backticks that begins with a
folder of the project. What is to be written by the reader (NAME, *) is not looked for; nor is what stands in blocks of code,
which scripts/check_readme.py runs."""

import re
import sys
from pathlib import Path

from check_names import tracked

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```.*?^```\s*$", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`(?:\./)?((?:src|include|cli|python|scripts|tests|docs|cmake|examples|benchmarks|\.ci)/[^`\s]*)`")
TO_BE_WRITTEN = re.compile(r"[A-Z]{4,}|[*{<]")


def anchors(page):
    """The names that a page's headings have in links."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def faults(page):
    text = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        name, _, anchor = link.partition("#")
        target = ROOT / page.parent / name if name else ROOT / page
        if "://" in link:
            continue
        if not target.exists():
            yield f"{page}: there is no {link}"
        elif anchor and anchor not in anchors(target):
            yield f"{page}: {link} has no such heading"
    for path in PATH.findall(text):
        if not TO_BE_WRITTEN.search(path) and not (ROOT / path).exists():
            yield f"{page}: there is no {path}"


def main():
    found = [fault for page in tracked("*.md") for fault in faults(page)]
    print("\n".join(found) if found else "every page speaks of files that are there")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
