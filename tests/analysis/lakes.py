"""Small lakes whose counts are known: games given by hand, and games that bots played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.identity import content_digest, game_number
from pipeline.ingest import ingest
from pipeline.lake import Batch, Lake
from pipeline.replay_lake import replay_lake
from schemas import GAMES, MOVES, REJECTS, SEATS
from tests.agreement import simulated


@dataclass(frozen=True)
class Game:
    """One game by its result: scores by seat; ranks by score unless given."""

    scores: Sequence[int | None]
    ranks: Sequence[int | None] | None = None
    players: Sequence[str | None] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    ended: str = "finished"
    played_at: datetime | None = None
    id: str | None = None
    """Its number unless given."""

    def all_ranks(self) -> list[int | None]:
        if self.ranks is not None:
            return list(self.ranks)
        known = [score for score in self.scores if score is not None]
        return [None if s is None else 1 + sum(other > s for other in known) for s in self.scores]


def winners(seats: int, *wins: int, **more: Any) -> list[Game]:
    """Games of `seats` players: as many won by each seat as `wins` says, with 10 points against 5."""
    return [
        Game([10 if seat == winner else 5 for seat in range(seats)], **more)
        for winner, count in enumerate(wins)
        for _ in range(count)
    ]


def results_lake(
    folder: Path, games: Sequence[Game], title: str = "lanterns", source: str = "club", file: str = "club.csv",
    replay: bool = True, factor: int = 1,
) -> Path:  # fmt: skip
    """A lake with these results; `factor`: what their scores are multiplied by."""
    names = [str(i) if game.id is None else game.id for i, game in enumerate(games)]
    ids = [game_number(title, source, name) for name in names]
    rows = [
        {
            "game_id": ids[i], "title": title, "source": source, "id": names[i], "played_at": game.played_at,
            "options": json.dumps(game.options, sort_keys=True, separators=(",", ":")), "board": "",
            "ended": game.ended, "players": len(game.scores), "plies": 0,
            "digest": content_digest(repr((i, game)).encode()), "file": file, "line": i + 1,
        }
        for i, game in enumerate(games)
    ]  # fmt: skip
    seats = [
        {
            "game_id": ids[i], "seat": seat, "player": None if game.players is None else game.players[seat],
            "kind": "human", "source_seat": None, "stated_score": score, "stated_rank": game.all_ranks()[seat],
        }
        for i, game in enumerate(games)
        for seat, score in enumerate(game.scores)
    ]  # fmt: skip
    lake = Lake(folder)
    tables = (pa.Table.from_pylist(rows, GAMES.schema), pa.Table.from_pylist(seats, SEATS.schema))
    entry = {"file": file, "digest": "0", "until": len(games), "last": True, "score_factor": factor}
    with lake.lock():
        lake.commit(Batch(title, *tables, MOVES.empty(), REJECTS.empty(), len(games), (entry,)))
    if replay:
        replay_lake(lake)
    return folder


def played_lake(
    folder: Path, games: int = 60, title: str = "kingdoms", players: Sequence[int] = (3,), seed: int = 5, **options: Any
) -> Path:
    """A lake of games that bots played, replayed."""
    log = folder.parent / f"{folder.name}-{title}-{seed}.jsonl"
    with open(log, "w", encoding="utf-8") as out:
        for count in players:
            for record in simulated(title, count, games, seed + count, ("random", "greedy"), options):
                out.write(json.dumps(record) + "\n")
    lake = Lake(folder)
    ingest(lake, [log])
    replay_lake(lake)
    return folder
