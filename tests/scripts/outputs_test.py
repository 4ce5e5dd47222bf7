"""Which differences between shown and printed output count, and which do not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from outputs import difference


@pytest.mark.parametrize(
    "expected, printed",
    [
        ("a\nb\n", "a\nb"),
        ("rss 11078.78457", "rss 11078.784571"),
        ("gap 1e-17", "gap  3.2e-16"),
        ("fitted in 0.3 ms", "fitted in 12 s"),
        ('"seconds": 0.1', '"seconds": 12'),
        ("a\n...\nz", "a\nb\nc\nz"),
        ("a\n...", "a"),
    ],
)
def test_these_agree(expected, printed):
    assert difference(expected, printed) is None


@pytest.mark.parametrize(
    "expected, printed",
    [
        ("a\nb", "a"),
        ("a", "a\nb"),
        ("rss 1.001", "rss 1.002"),
        ("gap 1e-17", "gap 1e-3"),
        ("proved", "refuted"),
        ("a\n...\nz", "a\nb"),
        ("-1", "1"),
    ],
)
def test_these_differ(expected, printed):
    assert difference(expected, printed)
