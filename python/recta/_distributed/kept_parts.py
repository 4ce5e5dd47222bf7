"""Parts of a table that a process of an engine keeps between two rounds, so that files are read once per fit.

Nothing depends on them: a process that is new, or has no memory to spare, reads the part again, to the same bytes.
"""

from __future__ import annotations

import resource
import threading
from pathlib import Path

_PATIENCE = 60.0  # seconds without a question after which the memory is given back, as that of a fit that waits


def _numbers_of(file):
    """The first number of every line that has one, by the word before it."""
    words = (line.split() for line in file.read_text().splitlines())
    return {word[0].rstrip(":"): int(word[1]) for word in words if len(word) > 1 and word[1].isdigit()}


def _of_machine(root):
    memory = _numbers_of(root / "proc/meminfo")
    return memory["MemTotal"] * 1024, memory["MemAvailable"] * 1024


def _of_container(root):
    """The limit of a control group and what is free of it; its files in memory can be let go of."""
    group = root / "sys/fs/cgroup"
    limit = (group / "memory.max").read_text().strip()
    used = int((group / "memory.current").read_text()) - _numbers_of(group / "memory.stat")["inactive_file"]
    return (int(limit), int(limit) - used) if limit != "max" else None


def _of_process(root):
    """The same for a process whose memory is limited, as ``spark.executor.pyspark.memory`` does."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    used = int((root / "proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return (limit, limit - used) if limit != resource.RLIM_INFINITY else None


def spare_memory(root=Path("/")):
    """Bytes that can be kept so that half of the memory of the machine, of its container and of this process stays free."""
    spare = []
    for look in (_of_machine, _of_container, _of_process):
        try:
            found = look(root)
        except (OSError, KeyError, ValueError):  # this machine does not tell
            found = (0, 0) if look is _of_machine else None
        if found is not None:
            spare.append(found[1] - found[0] // 2)
    return max(0, min(spare))


class KeptParts:
    """The parts of one table at a time: those of another one take their place."""

    def __init__(self, patience=_PATIENCE, spare=spare_memory):
        self._patience, self._spare, self._lock = patience, spare, threading.Lock()
        self._table, self._parts, self._timer = None, {}, None

    def __len__(self):
        return len(self._parts)

    def rows(self, table, part, read):
        """The rows of a part: those that are kept, or what ``read()`` gives, which are kept if memory can be spared. ``table`` is a name that no other has."""
        with self._lock:
            if self._table != table:
                self._table, self._parts = table, {}
            found = self._parts.get(part)
            self._wait()
        if found is not None:
            return found
        found = read()
        with self._lock:
            if self._table == table and self._spare() > 0:
                self._parts[part] = found
        return found

    def forget(self):
        with self._lock:
            self._table, self._parts, self._timer = None, {}, None

    def _wait(self):
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._patience, self.forget)
        self._timer.daemon = True
        self._timer.start()


kept_parts = KeptParts()
