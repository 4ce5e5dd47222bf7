"""Fits and proofs of tables that stand in parts elsewhere: what every engine shares.

A question goes to every part and an answer comes back; what they hold is the library's business. An engine (:mod:`recta.spark`,
:mod:`recta.dask`) says how a function is run on every part, and how a part becomes an Arrow table.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from recta import _core
from recta._base.errors import UsageError

from .parts_of_tables import ROWS, Columns, Task, dataset_of, from_ipc, slices_of

_SOURCE = "the table"  # its name in messages


def of_parts():
    """The options that every part is told: not those that an engine does not take (cluster, columns that are dropped or joined), nor
    those of this machine: its threads and memory, and the time, which is looked at here."""
    return [one for one in _core.options() if one.of_parts]


def packed(options):
    """Options as plain values, which travel; :func:`recta._distributed.parts_of_tables.unpacked` is the way back."""
    return {one.name: getattr(options, one.name) for one in of_parts()}


class RoundsEngine:
    """What the library asks for. A kind of engine has ``run(task)``, which gives what the task yields for every part."""

    kept_as: str | None = None  # the name under which processes keep parts between rounds, if they do

    def __init__(self, columns: Columns):
        self.columns = columns
        self._begin(None)

    def _begin(self, job):
        """``job``: what every part is told of the work."""
        self.job, self.first_rows, self.sample, self._edges, self.rounds = job, None, b"", [], 0

    def run(self, task: Task) -> list[tuple[int, str, int, bytes]]:
        raise NotImplementedError

    def ask(self, question: bytes) -> list[bytes]:
        kind = "survey" if self.first_rows is None else "answer"
        self.rounds += kind == "answer"
        found = self.run(Task(kind, self.columns, self.job, question, self.sample, kept_as=self.kept_as))
        if kind == "survey":
            self._surveyed(
                *(
                    sorted((part, rows, from_ipc(data)) for part, what, rows, data in found if what == kind)
                    for kind in ("head", "tail")
                )
            )
        return [data for _, what, _, data in found if what == "answer"]

    def _surveyed(self, heads, tails):
        if [part for part, _, _ in heads] != list(range(len(heads))):
            raise UsageError(
                "an engine",
                "its parts are not numbered from 0 on",
                "see whether the table is cut anew each time it is read",
            )
        self.first_rows = np.concatenate([[0], np.cumsum([rows for _, rows, _ in heads])]).astype(np.int64)
        first = pa.concat_tables([rows for _, _, rows in heads] or [self.columns.empty()])
        self.sample = slices_of(first, [(0, min(first.num_rows, _core.sample_rows))])[0]
        ends = self.first_rows.tolist()
        self._edges = [(ends[part], rows) for part, _, rows in heads] + [
            (ends[part + 1] - rows.num_rows, rows) for part, _, rows in tails
        ]

    def fetch(self, ranges: list[tuple[int, int]]):
        """Rows by their numbers; the first ones are those of the survey."""
        head = from_ipc(self.sample)
        if list(ranges) == [(0, head.num_rows)]:
            return [dataset_of(head, self.columns, _SOURCE)]
        plan = self._plan(ranges)
        pieces = self._from_edges(plan)
        if pieces is None:
            pieces = [
                (part, place, from_ipc(data))
                for part, _, place, data in self.run(Task("rows", self.columns, plan=plan))
            ]
        found = [(place, table) for _, place, table in sorted(pieces, key=lambda piece: piece[:2])]
        tables = [
            pa.concat_tables([table for place, table in found if place == k] or [self.columns.empty()])
            for k in range(len(ranges))
        ]
        return [dataset_of(table, self.columns, ROWS) for table in tables]

    def _from_edges(self, plan):
        """The rows of a plan if all of them came with the survey."""
        pieces = []
        for part, wanted in plan.items():
            for place, low, high in wanted:
                first = int(self.first_rows[part])
                edge = next(
                    (
                        (begin, rows)
                        for begin, rows in self._edges
                        if begin <= first + low and first + high <= begin + rows.num_rows
                    ),
                    None,
                )
                if edge is None:
                    return None
                pieces.append((part, place, edge[1].slice(first + low - edge[0], high - low)))
        return pieces

    def _plan(self, ranges):
        """For every part the rows that the ranges take of it: the place of the range, the first row within the part, and the end."""
        plan = {}
        for place, (first, end) in enumerate(ranges):
            for part in range(int(np.searchsorted(self.first_rows, first, "right")) - 1, len(self.first_rows) - 1):
                begin, stop = (int(row) for row in self.first_rows[part : part + 2])
                low, high = max(first, begin), min(end, stop)
                if begin >= end:
                    break
                if low < high:
                    plan.setdefault(part, []).append((place, low - begin, high - begin))
        return plan

    # fits and proofs

    def fit(self, word, options, asked, report=None, max_iter=0):
        """``asked``: has the checkpoint, and whether the fit ends with it."""
        self.columns.texts = frozenset(one["column"] for one in options.text)
        self._begin((word, packed(options)))
        outcome = _core.fit_rounds(
            _core.RoundsJob(word, options),
            self.columns.header(),
            self,
            _SOURCE,
            asked.checkpoint or "",
            asked.best_so_far,
            report,
            max_iter,
        )
        if outcome.raised is not None:  # Ctrl-C, or a callback; what is kept is the checkpoint
            raise outcome.raised
        return outcome

    def verify(self, model):
        self.columns.texts = frozenset(model.texts)
        self._begin(model.to_bytes())
        return _core.verify_rounds(_core.RoundsJob.proof(model), self.columns.header(), self, _SOURCE)
