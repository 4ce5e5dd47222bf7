#!/usr/bin/env python3
"""No more files, functions and lists of parameters of src, include, cli and python may be too long than there are. Tests are left
out, and so are the parameters of Python, which are named where they are passed. --list prints those that are too long."""

import ast
import re
import sys
from pathlib import Path

from check_judge import is_test

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("src", "include", "cli", "python")
LIMIT = {"files": 400, "functions": 60, "parameters": 6}
ALLOWED = {"files": 0, "functions": 0, "parameters": 10}  # that are beyond; these numbers may only become smaller

HIDDEN = re.compile(
    r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*',
    re.S | re.M,
)
# Between the parameters and the body.
TAIL = re.compile(
    r"\s*(?:(?:const|noexcept|override|final|mutable|&&?|try)\b\s*|&&?\s*|->[^{};=]*|requires\b[^{;]*|:(?!:)[^;]*?)*\Z"
)
NAME = re.compile(r"([~\w]+|operator\s*\S+)\s*\Z")
NOT_FUNCTION = re.compile(r"if|for|while|switch|catch|return|constexpr|alignas|requires|decltype|noexcept")


def blank(match):
    """A string or comment as spaces, with its line ends."""
    return re.sub(r"[^\n]", " ", match[0])


def closing(text, begin):
    """The place of the bracket that belongs to that at `begin`."""
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at
    return -1


def parameters_in(text):
    depth, commas = 0, 0
    for letter in text:
        depth += (letter in "([{<") - (letter in ")]}>")
        commas += letter == "," and depth == 0
    return commas + 1 if text.strip() not in ("", "void") else 0


def signature(head):
    """Name and parameters of the function whose body begins after `head`, the text since the statement before; else None."""
    for match in re.finditer(r"\(", head):
        end = closing(head, match.start())
        name = NAME.search(head[: match.start()])
        if end < 0 or not name or NOT_FUNCTION.fullmatch(name[1]):
            continue
        if TAIL.match(head, end + 1):
            return name[1], parameters_in(head[match.start() + 1 : end]), match.start()
    return None


def functions_of_cpp(path):
    """Name, first line, lines, parameters."""
    text = HIDDEN.sub(blank, path.read_text(encoding="utf-8"))
    skip_to = 0
    for match in re.finditer(r"\{", text):
        at = match.start()
        if at < skip_to:
            continue
        begin = max(text.rfind(letter, skip_to, at) for letter in ";{}") + 1
        begin = max(begin, skip_to)
        head = text[begin:at]
        if "=" in re.sub(r"\([^()]*\)|operator\s*\S+|[=!<>]=", "", head) or not (found := signature(head)):
            continue
        end = closing(text, at)
        first = text.count("\n", 0, begin + len(head) - len(head.lstrip())) + 1
        yield found[0], first, text.count("\n", 0, end) + 2 - first, found[1]
        skip_to = end + 1


def functions_of_python(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            said = ast.get_docstring(node, clean=False)
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1 - (said.count("\n") + 1 if said else 0), 0


def measured():
    """Sizes and places: lines of files and functions, numbers of parameters."""
    out = {kind: [] for kind in LIMIT}
    for path in sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.[hcp][py]*")):
        where = path.relative_to(ROOT)
        if (
            path.suffix not in (".cpp", ".hpp", ".py")
            or is_test(where)
            or {"tests", "cluster_tests"} & set(where.parts)
        ):
            continue
        out["files"].append((path.read_text(encoding="utf-8").count("\n"), str(where)))
        functions = functions_of_python if path.suffix == ".py" else functions_of_cpp
        for name, line, lines, parameters in functions(path):
            out["functions"].append((lines, f"{where}:{line} {name}"))
            out["parameters"].append((parameters, f"{where}:{line} {name}"))
    return out


def main():
    beyond_allowed = False
    for kind, sizes in measured().items():
        beyond = sorted((each for each in sizes if each[0] > LIMIT[kind]), reverse=True)
        print(f"{len(beyond):4} of {len(sizes)} {kind} beyond {LIMIT[kind]}, {ALLOWED[kind]} allowed")
        if len(beyond) > ALLOWED[kind] or "--list" in sys.argv[1:]:
            print("\n".join(f"     {size:5} {where}" for size, where in beyond))
        beyond_allowed |= len(beyond) > ALLOWED[kind]
    sys.exit(beyond_allowed)


if __name__ == "__main__":
    main()
