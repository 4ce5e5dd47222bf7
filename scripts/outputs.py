"""Compares what a program printed with what a page says it prints.

Numbers agree when they differ by 1e-6 of their size, or are both below 1e-9, where only rounding speaks: another
processor adds in another order. Times and speeds always agree. A line `...` in the expected text stands for any lines.
"""

import difflib
import re

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TIME = re.compile(r'(?:[\d.]+(?:e[-+]?\d+)? ?(?:ns|us|µs|ms|s|seconds?)\b|"seconds": ?[-+\d.e]+)')


def same_line(expected, actual):
    expected, actual = (TIME.sub("<time>", line.rstrip()) for line in (expected, actual))
    # Alignment follows the width of the numbers, so runs of blanks count as one.
    shape = [re.sub(r"\s+", " ", NUMBER.sub("<number>", line)) for line in (expected, actual)]
    if shape[0] != shape[1]:
        return False
    return all(same_number(float(a), float(b)) for a, b in zip(NUMBER.findall(expected), NUMBER.findall(actual)))


def same_number(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b)) or max(abs(a), abs(b)) < 1e-9


def same(expected, actual):
    """Whether the lines of `actual` are those of `expected`, where `...` matches any number of lines."""
    for k, line in enumerate(expected):
        if line.strip() == "...":
            return any(same(expected[k + 1 :], actual[start:]) for start in range(k, len(actual) + 1))
        if k >= len(actual) or not same_line(line, actual[k]):
            return False
    return len(expected) == len(actual)


def difference(expected, actual):
    """None when the two texts agree, otherwise a readable difference."""
    expected, actual = expected.strip("\n").splitlines(), actual.strip("\n").splitlines()
    if same(expected, actual):
        return None
    return "\n".join(difflib.unified_diff(expected, actual, "expected", "printed", lineterm=""))
