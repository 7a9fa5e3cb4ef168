"""Engine against oracle: the same verdict, states, score events and scores on every record."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline import titles
from pipeline.records import Record, RecordFault, decode_event, read_record
from pipeline.replay import check_record, states_of
from pipeline.simulate import Plan, play, players_of
from pipeline.titles.state import memory_of
from tests.mutate import mutate
from tests.oracles.common import Verdict


def oracle_of(title: str) -> Any:
    return importlib.import_module(f"tests.oracles.{title}")


def simulated(
    title: str, players: int, games: int, seed: int, bots: tuple[str, ...], options: Mapping[str, Any],
    budget: int = 8, compiled: bool = True,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Finished records of games that the bots played, without result."""
    plan = Plan(title, players, games, seed, bots, options, budget).checked()
    found = titles.load(title)
    book = found.book(found.board_id(plan.options))
    for first, log in play(plan, compiled=compiled):
        for i, names in enumerate(players_of(plan, first, log.players.size)):
            rows = range(log.offsets[i], log.offsets[i + 1])
            columns = (log.seat, log.action, log.item, log.place, log.target, log.amount)
            yield {
                "format": "game-record/1",
                "title": title,
                "id": f"{seed}-{first + i}",
                "source": "simulation",
                "options": plan.options,
                "ended": "finished",
                "seats": [{"player": name, "kind": "bot"} for name in names],
                "events": [decode_event([column[j] for column in columns], book) for j in rows],
            }


def engine_states(record: Record) -> list[dict[str, Any]]:
    """The engine's states after each event, as `show.view` gives them."""
    title = titles.load(record.title)
    board = title.load_board(record.board)
    block, rows = states_of(record, compiled=True)
    views = []
    for row in rows[1:]:
        memory_of(block)[:] = row
        views.append(title.show.view(block[0], board))
    return views


def last_board_left_standing(state: dict[str, Any]) -> dict[str, Any]:
    """Kingdoms' oracle sweeps the board after the last epoch; the engine leaves it to be looked at."""
    if state.get("phase") != "over" or "scored_board" not in state:
        return state
    kept = {key: value for key, value in state.items() if key not in ("unseen", "supply", "bonus")}
    return kept | {"board": state["scored_board"], "owners": state["scored_owners"]}


def assert_agreement(data: dict[str, Any], states: bool = True) -> Verdict:
    """Raise AssertionError, naming the difference, unless both say the same of a record.

    State views are compared on the keys that both have; each title's own test says which those are.
    """
    verdict: Verdict = oracle_of(data["title"]).replay(data)
    name = f"{data['title']} {data['id']} {data.get('_change', '')}"
    try:
        record = read_record(data)
    except RecordFault as fault:
        if verdict.ok or verdict.ply is not None:
            raise AssertionError(f"{name}: header {fault}, oracle {verdict.ok}") from fault
        return verdict
    check = check_record(record)
    found = (check.ok, check.ply, check.scores, check.ranks)
    wanted = (verdict.ok, verdict.ply, verdict.scores, verdict.ranks)
    assert found == wanted, f"{name}: {check.fault}: {check.message} {found}; oracle {verdict.fault} {wanted}"
    before = [event for event in verdict.score_events if verdict.ply is None or event[0] < verdict.ply]
    events = [event for event in check.score_events if check.ply is None or event[0] < check.ply]
    assert events == before, f"{name}: score events {set(events) ^ set(before)}"
    if states:
        for ply, (mine, seen) in enumerate(zip(engine_states(record), verdict.states, strict=False)):
            theirs = last_board_left_standing(seen)
            for key in mine.keys() & theirs.keys():
                assert mine[key] == theirs[key], f"{name}: ply {ply} {key}: {mine[key]} {theirs[key]}"
    return verdict


def compare_games(
    title: str, players: int, games: int, seed: int, bots: tuple[str, ...], options: Mapping[str, Any],
    mutations: int = 3, states: bool = True,
) -> dict[str, int]:  # fmt: skip
    """Simulate games and compare each, its blind form and some mutations; counts by kind of verdict."""
    rng = random.Random(f"{title} {players} {seed} {options}")
    found = titles.load(title)
    complete = found.complete_options(options, players)
    book = found.book(found.board_id(complete))
    blind = oracle_of(title).blind
    counts = {"whole": 0, "faulty": 0, "legal mutations": 0}
    for record in simulated(title, players, games, seed, bots, options):
        assert assert_agreement(record, states).ok
        assert assert_agreement(blind(record), states=False).ok
        counts["whole"] += 2
        for i in range(mutations):
            changed = mutate(record if i % 2 == 0 else blind(record), book, rng)
            ok = assert_agreement(changed, states=False).ok
            counts["legal mutations" if ok else "faulty"] += 1
    return counts
