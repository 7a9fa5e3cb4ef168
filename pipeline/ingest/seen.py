"""Which games are in the lake already: duplicates and conflicts among millions, in little memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from pipeline.lake import Lake

Longs = npt.NDArray[np.int64]
COLUMNS = ("ids", "digests", "files", "lines")
MOST_RUNS = 8
PARTS = 16
"""Runs are kept by the last bits of the id, so that merging needs little memory beside what is kept."""


@dataclass
class _Run:
    """Sorted ids of games with their digests and where they stand."""

    ids: Longs
    digests: Longs
    files: npt.NDArray[np.int32]
    lines: Longs

    def take(self, rows: Longs) -> _Run:
        return _Run(*(getattr(self, name)[rows] for name in COLUMNS))


class Seen:
    """All games so far. 28 bytes a game."""

    def __init__(self, lake: Lake) -> None:
        self.file_names: list[str] = []
        self.file_numbers: dict[str, int] = {}
        self.parts: list[list[_Run]] = [[] for _ in range(PARTS)]
        for batch in lake.batches():
            table = pq.read_table(
                lake.batches_folder / batch / "games.parquet",
                columns=["game_id", "digest", "file", "line"],
            )
            files = table["file"].combine_chunks().dictionary_encode()
            numbers = np.array([self._number(name) for name in files.dictionary.to_pylist()], np.int32)
            where = numbers[files.indices.to_numpy()] if len(files) else np.zeros(0, np.int32)
            self._append(_Run(table["game_id"].to_numpy(), table["digest"].to_numpy(), where, table["line"].to_numpy()))

    def _number(self, file: str) -> int:
        if file not in self.file_numbers:
            self.file_numbers[file] = len(self.file_names)
            self.file_names.append(file)
        return self.file_numbers[file]

    def _append(self, games: _Run) -> None:
        """Add games, in any order."""
        parts = games.ids % PARTS
        order = np.lexsort((games.ids, parts))
        ends = np.searchsorted(parts[order], np.arange(PARTS + 1))
        for runs, begin, end in zip(self.parts, ends[:-1], ends[1:], strict=True):
            if begin < end:
                runs.append(games.take(order[begin:end]))
            if len(runs) > MOST_RUNS:
                whole = _Run(*(np.concatenate([getattr(run, name) for run in runs]) for name in COLUMNS))
                runs[:] = [whole.take(np.argsort(whole.ids, kind="stable"))]

    def sift(
        self, ids: Longs, digests: Longs, file: str, lines: Longs
    ) -> tuple[Longs, list[tuple[int, bool, str, int]]]:
        """Which of these games are new (indices, in their order), and what the others are.

        The others: index, whether the content is the same, file and line of the first record.
        New ones are remembered.
        """
        others: dict[int, tuple[int, bool, str, int]] = {}
        for part, runs in enumerate(self.parts):
            mine = np.flatnonzero(ids % PARTS == part)
            for run in runs if mine.size else ():
                at = np.searchsorted(run.ids, ids[mine])
                at[at == run.ids.size] = 0
                for here in np.flatnonzero(run.ids[at] == ids[mine]).tolist():
                    i, j = int(mine[here]), int(at[here])
                    same = bool(run.digests[j] == digests[i])
                    others[i] = (i, same, self.file_names[run.files[j]], int(run.lines[j]))
        order = np.argsort(ids, kind="stable")
        twins = np.flatnonzero(ids[order][1:] == ids[order][:-1]) + 1
        for position in twins.tolist():
            i = int(order[position])
            first = int(order[np.searchsorted(ids[order], ids[i])])
            if i not in others:
                same = bool(digests[first] == digests[i])
                others[i] = (i, same, file, int(lines[first]))
        new = np.setdiff1d(np.arange(ids.size), np.fromiter(others, np.int64, len(others)))
        number = self._number(file)
        self._append(_Run(ids[new], digests[new], np.full(new.size, number, np.int32), lines[new]))
        return new, [others[i] for i in sorted(others)]
