"""A page whose blocks print what it shows passes; one that shows something else is named with its line."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from check_readme import Page


def faults(tmp_path, text):
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return Page(page, scratch).check()


@pytest.mark.parametrize(
    "text",
    [
        "```console\n$ echo one; echo two\none\ntwo\n$ echo \\\n  three\nthree\n```\n",
        "```bash\necho one > file\n```\nand then\n\n```bash\ncat file\n```\n\n```text\none\n```\n",
        "```bash\n./test   # runs everything\n```\n",
        "```python\nprint(1 + 1)\n```\n```text\n2\n```\n",
        "```text\nnot run\n```\n",
    ],
)
def test_a_true_page_passes(tmp_path, text):
    assert faults(tmp_path, text) == []


@pytest.mark.parametrize(
    "text, where",
    [
        ("```console\n$ echo one\ntwo\n```\n", "page.md:2"),
        ("```console\n$ false\n```\n", "page.md:2"),
        ("\n```bash\necho one\n```\n\n```text\ntwo\n```\n", "page.md:2"),
        ("```bash\nfalse\ntrue\n```\n", "page.md:1"),
        ("```bash\nscripts/no_such_script\n```\n", "no program scripts/no_such_script"),
        ("```python\nraise SystemExit(3)\n```\n", "exit 3"),
    ],
)
def test_a_false_page_is_named_with_its_line(tmp_path, text, where):
    (fault,) = faults(tmp_path, text)
    assert where in fault
