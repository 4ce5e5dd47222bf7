"""Parts of a table that a process keeps between rounds."""

import time

from recta._distributed.kept_parts import KeptParts, spare_memory


class Reader:
    """Counts how often parts are read."""

    def __init__(self):
        self.parts = []

    def __call__(self, kept, table, part):
        def read():
            self.parts.append((table, part))
            return f"rows of part {part} of {table}"

        return kept.rows(table, part, read)


def test_a_part_is_read_once():
    kept, reader = KeptParts(spare=lambda: 1), Reader()
    assert [reader(kept, "one", part) for part in (0, 3, 0, 3)] == [
        "rows of part 0 of one",
        "rows of part 3 of one",
    ] * 2
    assert reader.parts == [("one", 0), ("one", 3)]


def test_another_table_takes_the_place():
    kept, reader = KeptParts(spare=lambda: 1), Reader()
    assert [reader(kept, table, 0) for table in ("one", "other", "one")] == [
        "rows of part 0 of one",
        "rows of part 0 of other",
        "rows of part 0 of one",
    ]
    assert len(kept) == 1
    assert len(reader.parts) == 3


def test_without_memory_to_spare_nothing_is_kept():
    kept, reader = KeptParts(spare=lambda: 0), Reader()
    assert reader(kept, "one", 0) == reader(kept, "one", 0)
    assert len(reader.parts) == 2
    assert len(kept) == 0


def test_memory_is_given_back_after_a_while():
    kept, reader = KeptParts(patience=0.05, spare=lambda: 1), Reader()
    reader(kept, "one", 0)
    assert len(kept) == 1
    for _ in range(200):
        if len(kept) == 0:
            break
        time.sleep(0.05)
    assert len(kept) == 0


def machine(root, available, limit=None):
    """The files of a machine with a thousand pages of a kilobyte, and of its container, if there is one."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/meminfo").write_text(f"MemTotal:    1000 kB\nMemFree:  1 kB\nMemAvailable:   {available} kB\n")
    (root / "proc/self/statm").write_text("10 5 3 1 0 2 0\n")
    group = root / "sys/fs/cgroup"
    group.mkdir(parents=True)
    if limit is not None:
        (group / "memory.max").write_text(f"{limit}\n")
        (group / "memory.current").write_text("200000\n")
        (group / "memory.stat").write_text("anon 100000\ninactive_file 50000\n")
    return root


def test_half_of_the_memory_stays_free(tmp_path):
    assert spare_memory(machine(tmp_path / "free", 700)) == 200 * 1024
    assert spare_memory(machine(tmp_path / "full", 400)) == 0
    assert spare_memory(machine(tmp_path / "container", 700, 600000)) == 600000 - (200000 - 50000) - 300000
    assert spare_memory(machine(tmp_path / "no limit", 700, "max")) == 200 * 1024
    assert spare_memory(tmp_path / "a machine that does not tell") == 0
