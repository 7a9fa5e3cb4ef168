"""Which games are in the lake already: duplicates and conflicts among millions, in little memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from pipeline.lake import Lake

Longs = npt.NDArray[np.int64]
MOST_RUNS = 8


@dataclass
class _Run:
    """Sorted ids of games with their digests and where they stand."""

    ids: Longs
    digests: Longs
    files: Longs
    lines: Longs


class Seen:
    """All games so far. 32 bytes a game."""

    def __init__(self, lake: Lake) -> None:
        self.file_names: list[str] = []
        self.file_numbers: dict[str, int] = {}
        self.runs: list[_Run] = []
        for batch in lake.batches():
            table = pq.read_table(
                lake.batches_folder / batch / "games.parquet",
                columns=["game_id", "digest", "file", "line"],
            )
            files = table["file"].combine_chunks().dictionary_encode()
            numbers = np.array([self._number(name) for name in files.dictionary.to_pylist()], np.int64)
            where = numbers[files.indices.to_numpy()] if len(files) else np.zeros(0, np.int64)
            self._append(table["game_id"].to_numpy(), table["digest"].to_numpy(), where, table["line"].to_numpy())

    def _number(self, file: str) -> int:
        if file not in self.file_numbers:
            self.file_numbers[file] = len(self.file_names)
            self.file_names.append(file)
        return self.file_numbers[file]

    def _append(self, ids: Longs, digests: Longs, files: Longs, lines: Longs) -> None:
        order = np.argsort(ids, kind="stable")
        self.runs.append(_Run(ids[order], digests[order], files[order], lines[order]))
        if len(self.runs) > MOST_RUNS:
            whole = [
                np.concatenate([getattr(run, name) for run in self.runs])
                for name in ("ids", "digests", "files", "lines")
            ]
            self.runs = []
            self._append(*whole)

    def sift(
        self, ids: Longs, digests: Longs, file: str, lines: Longs
    ) -> tuple[Longs, list[tuple[int, bool, str, int]]]:
        """Which of these games are new (indices, in their order), and what the others are.

        The others: index, whether the content is the same, file and line of the first record.
        New ones are remembered.
        """
        others: dict[int, tuple[int, bool, str, int]] = {}
        for run in self.runs:
            at = np.searchsorted(run.ids, ids)
            hit = np.zeros(ids.size, np.bool_)
            inside = at < run.ids.size
            hit[inside] = run.ids[at[inside]] == ids[inside]
            for i in np.flatnonzero(hit).tolist():
                j = int(at[i])
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
        self._append(ids[new], digests[new], np.full(new.size, number), lines[new])
        return new, [others[i] for i in sorted(others)]
