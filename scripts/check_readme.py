#!/usr/bin/env python3
"""Runs every code block of a Markdown page and compares what it prints with what the page shows.

    scripts/check_readme.py [FILE...]          default: README.md

    ```bash      run by bash; a ```text block right below it is what it prints
    ```console   lines `$ command` and below each what it prints; messages on stderr included
    ```cpp       compiled against the installed library and run; without main() it is the body of one
    ```python    run by this Python
    ```text, ```json and others are not run

All blocks of a page run one after the other in one scratch folder, and as many pages at once as there are cores. The lines that get and build Recta itself (git
clone, cd, ./run, ./test, ./bench, scripts/...) are not run again: they must name a program that is there.
How outputs are compared: outputs.py.
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from check_examples import ROOT, environment
from outputs import difference

FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
OWN_PROGRAM = re.compile(r"^(\./(?:run|test|bench)|scripts/\S+)(?:\s|$)")
GETTING_IT = re.compile(r"^(git clone|cd |cmake --(preset|build|install))")
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(page LANGUAGES CXX)
find_package(recta REQUIRED)
add_executable(page page.cpp)
target_link_libraries(page recta::recta)
"""


class Page:
    def __init__(self, path, scratch):
        self.path, self.scratch, self.faults, self.runs = path, Path(scratch), [], 0
        text = path.read_text(encoding="utf-8")
        self.blocks = []
        for match in FENCE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            between = text[self.blocks[-1][3] : match.start()] if self.blocks else "x"
            self.blocks.append((line, match[1], match[2], match.end(), not between.strip()))

    def execute(self, command):
        self.runs += 1
        return subprocess.run(
            command,
            cwd=self.scratch,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )

    def compare(self, line, expected, done, must_succeed=True):
        where = f"{self.path.name}:{line}"
        if must_succeed and done.returncode:
            self.faults.append(f"{where}: exit {done.returncode}\n{done.stdout}")
        elif expected is not None and (text := difference(expected, done.stdout)):
            self.faults.append(f"{where}: the output is another\n{text}")

    def own_program(self, line, command):
        """Whether this command gets or builds Recta itself, and so is not run again."""
        command = command.split("#")[0].strip()
        if match := OWN_PROGRAM.match(command):
            if not os.access(ROOT / match[1], os.X_OK):
                self.faults.append(f"{self.path.name}:{line}: there is no program {match[1]}")
            return True
        return bool(GETTING_IT.match(command))

    def bash(self, line, code, expected):
        lines = [text for text in code.splitlines() if not self.own_program(line, text)]
        if any(text.strip() and not text.lstrip().startswith("#") for text in lines):
            self.compare(line, expected, self.execute(["bash", "-euo", "pipefail", "-c", "\n".join(lines)]))

    def console(self, line, code, _):
        """A session: a command may go on over lines that end in a backslash."""
        session = []
        for offset, text in enumerate(code.splitlines(), 1):
            if text.startswith("$ "):
                session.append([line + offset, text[2:], []])
            elif session and not session[-1][2] and session[-1][1].endswith("\\"):
                session[-1][1] += "\n" + text.removeprefix("> ")
            elif session:
                session[-1][2].append(text)
        for at, command, output in session:
            if not self.own_program(at, command):
                done = self.execute(["bash", "-c", command])
                self.compare(at, "\n".join(output), done, must_succeed=not output)

    def cpp(self, line, code, expected):
        if not re.search(r"\bint\s+main\s*\(", code):
            lines = code.splitlines()
            head = [text for text in lines if text.startswith("#")]
            body = [text for text in lines if not text.startswith("#")]
            code = "\n".join([*head, "int main() {", *body, "}", ""])
        folder = self.scratch / f"cpp_{line}"
        folder.mkdir()
        (folder / "page.cpp").write_text(code, encoding="utf-8")
        (folder / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")
        built = self.execute(
            [
                "bash",
                "-c",
                f"cmake -S {folder.name} -B {folder.name}/build -G Ninja "
                f"-DCMAKE_BUILD_TYPE=Release && cmake --build {folder.name}/build",
            ]
        )
        if built.returncode:
            self.faults.append(f"{self.path.name}:{line}: does not build\n{built.stdout}")
        else:
            self.compare(line, expected, self.execute([str(folder / "build/page")]))

    def python(self, line, code, expected):
        self.compare(line, expected, self.execute([sys.executable, "-c", code]))

    def check(self):
        kinds = {"bash": self.bash, "sh": self.bash, "console": self.console, "cpp": self.cpp, "python": self.python}
        for k, (line, language, code, _, _) in enumerate(self.blocks):
            if language not in kinds:
                continue
            following = self.blocks[k + 1] if k + 1 < len(self.blocks) else None
            shown = following is not None and following[1] in ("text", "json") and following[4]
            kinds[language](line, code, following[2] if shown else None)
        return self.faults


def checked(name):
    with tempfile.TemporaryDirectory() as scratch:
        for shared in ("examples", "tests", "docs", "benchmarks"):
            if (ROOT / shared).exists():
                os.symlink(ROOT / shared, Path(scratch) / shared)
        page = Page(ROOT / name, scratch)
        page.check()
        return page


def main(names):
    faults = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for page in pool.map(checked, names or ["README.md"]):
            for fault in page.faults:
                print(fault)
            faults += len(page.faults)
            print(f"{page.path.relative_to(ROOT)}: {len(page.blocks)} blocks, {page.runs} commands run")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
