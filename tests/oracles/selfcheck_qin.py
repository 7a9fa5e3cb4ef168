"""Checks of the Qin oracle against itself: python -m tests.oracles.selfcheck_qin [games] [seed]

* generated games of all player counts, options and policies replay to their result, also blind,
  and no piece is lost or made at any ply;
* Hall's condition agrees with a maximum flow;
* on small random boards with few tiles, where passes and full boards abound, records with some
  unknown tiles, spoilt or not, have their first fault exactly where the best of all completions,
  tried one by one, has it.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from unittest.mock import patch

import networkx as nx  # type: ignore[import-untyped]

from tests.oracles import qin
from tests.oracles.common import Event, Fault, Record, Verdict

POLICIES = ("random", "greedy", "slow")


def check_conservation(record: Record, verdict: Verdict) -> None:
    """Tiles, squares and pagodas add up after each event."""
    players = len(record["seats"])
    start = qin.new_game(players, record["options"])
    running = [0] * players
    for ply, state in enumerate(verdict.states):
        tiles = [event for event in record["events"][: ply + 1] if event["action"] == "tile"]
        held = sum(len(hand) for hand in state["hands"])
        unknown = sum(hand.count(None) for hand in state["hands"])
        assert held + len(tiles) + state["supply"] == 6 * qin.COPIES
        assert sum(state["unseen"].values()) == state["supply"] + unknown
        seen = Counter(event["item"] for event in tiles)
        for hand in state["hands"]:
            seen.update(kind for kind in hand if kind)
        assert all(seen[kind] + state["unseen"][kind] == qin.COPIES for kind in qin.KINDS)
        assert len(state["colours"]) == len(start.colours) + 2 * len(tiles)
        on_board = Counter[int]()
        squares: list[str] = []
        for province in state["provinces"]:
            squares += province["squares"]
            assert all(state["colours"][s] == province["colour"] for s in province["squares"])
            if province["owner"] is not None:
                on_board[province["owner"]] += province["pagodas"]
            if state["phase"] != "over":
                assert province["pagodas"] == 1 + (len(province["squares"]) >= qin.MAJOR)
        assert len(squares) == len(set(squares))
        on_board.update(seat for seat in state["villages"].values() if seat is not None)
        for points in (event for event in verdict.score_events if event[0] == ply):
            running[points[1]] += points[4]
        for seat in range(players):
            assert state["scores"][seat] == on_board[seat] == running[seat]
            assert on_board[seat] + state["pagodas"][seat] == qin.PAGODAS[players]
            assert len(state["hands"][seat]) <= qin.HAND


def check_games(games: int, rng: random.Random) -> None:
    """Generated games on the true boards."""
    endings: Counter[str] = Counter()
    for number in range(games):
        policy, players = POLICIES[number % 3], 2 + number // 3 % 3
        options = {name: rng.choice(words) for name, words in qin.OPTIONS.items()}
        if number < 9:  # the defaults, absent
            options = {}
        record = qin.generate(rng, players, options, policy, f"g{number}")
        for shown in (record, qin.blind(record)):
            verdict = qin.replay(shown)
            assert verdict.ok, (verdict.ply, verdict.message)
            assert verdict.scores == record["result"]["scores"]
            check_conservation(shown, verdict)
        at_once = max(record["result"]["scores"]) == qin.PAGODAS[players]
        endings[f"{policy}: {'last pagoda' if at_once else 'board full'}"] += 1
    print("games:", dict(sorted(endings.items())))


def check_hall(rounds: int, rng: random.Random) -> None:
    """`assignable` against a maximum flow."""
    answers: Counter[bool] = Counter()
    for _ in range(rounds):
        slots = [
            frozenset(rng.sample(qin.KINDS, rng.choice((0, 1, 1, 2, 2, 3, 4, 6)))) for _ in range(rng.randint(1, 8))
        ]
        left = {kind: rng.randint(0, 3) for kind in qin.KINDS}
        graph = nx.DiGraph()
        graph.add_nodes_from(("from", "to"))
        for index, slot in enumerate(slots):
            graph.add_edge("from", index, capacity=1)
            graph.add_edges_from(((index, kind) for kind in slot), capacity=1)
        for kind, copies in left.items():
            graph.add_edge(kind, "to", capacity=copies)
        flows = nx.maximum_flow_value(graph, "from", "to") == len(slots)
        assert qin.assignable(slots, left) is flows, (slots, left)
        answers[flows] += 1
    print("Hall:", dict(answers))


def small_game(rng: random.Random, players: int, options: dict[str, str]) -> qin.Game | None:
    """A late board of corridors between provinces; None unless some kinds fit and some not."""
    grid = [["~"] * 13 for _ in range(13)]
    rows, columns = rng.randint(4, 7), 8
    colours = rng.choice(("RYB", "RRYB", "RRRYB", "RRRYY", "BBBBR"))
    for column in range(columns):
        colour = "~"
        for row in range(rows):
            if column % 3 == 2:
                grid[row][column] = rng.choice("......~")
            elif column % 3 == 1:
                grid[row][column] = grid[row][column - 1]
            else:
                colour = rng.choice(colours + ".") if rng.random() < 0.4 or not row else colour
                grid[row][column] = colour
    for village in "ab":
        grid[rng.randrange(rows)][rng.randrange(columns)] = village
    board = tuple("".join(row) for row in grid)
    with patch.dict(qin.BOARDS, bird=board):
        game = qin.new_game(players, options)
    areas = {game.area(square, game.colours) for square in game.colours}
    for squares in sorted(areas, key=sorted):
        if len(squares) > 1:
            owner, pagodas = rng.randrange(players), 1 + (len(squares) >= qin.MAJOR)
            colour = game.colours[qin.first(squares)]
            game.provinces.append(qin.Province(colour, squares, owner, pagodas))
            game.pagodas[owner] -= pagodas
    return game if 0 < len(game.fits(0)) < 6 else None


def fork(game: qin.Game) -> qin.Game:
    """A copy to go on with; the kinds that fit are shared as long as the board is the same."""
    return replace(
        game,
        colours=dict(game.colours),
        grass=set(game.grass),
        holders=dict(game.holders),
        known=[Counter(hand) for hand in game.known],
        unknown=[list(hand) for hand in game.unknown],
        dealt=list(game.dealt),
        pagodas=list(game.pagodas),
        left=dict(game.left),
    )


def completions(game: qin.Game, events: list[Event], ply: int, finished: bool) -> float:
    """The furthest first fault that any completion of the unknown items has."""
    if ply == len(events):
        return float("inf") if game.phase == "over" or not finished else ply
    event = events[ply]
    unknown = event["action"] in ("deal", "draw") and event.get("item") is None
    furthest = float(ply)
    for kind in qin.KINDS if unknown else (event.get("item"),):
        after = fork(game)
        try:
            qin.step(after, event | ({"item": kind} if kind else {}))
        except Fault:
            continue
        furthest = max(furthest, completions(after, events, ply + 1, finished))
        if furthest == float("inf"):
            break
    return furthest


def spoilt(record: Record, rng: random.Random) -> Iterator[Record]:
    """The record with some tiles hidden, whole and with one change near its end."""
    hidden = deepcopy(record)
    items = [event for event in hidden["events"] if event["action"] in ("deal", "draw")]
    if rng.random() < 0.7:  # what was drawn last decides passes and the end
        items = items[-5:]
    for event in rng.sample(items, rng.randint(2, min(5, len(items)))):
        event["item"] = None
    yield hidden
    for _ in range(6):
        other = deepcopy(hidden)
        events = other["events"]
        ply = rng.randrange(max(0, len(events) - 12), len(events))
        change = rng.choice(("item", "pass", "drop", "stop", "to_pass", "append"))
        if change == "item" and events[ply].get("item"):
            events[ply]["item"] = rng.choice(qin.KINDS)
        elif change == "pass":
            events.insert(ply, {"seat": events[ply]["seat"], "action": "pass"})
        elif change == "to_pass":
            events[ply] = {"seat": events[ply]["seat"], "action": "pass"}
        elif change == "drop":
            del events[ply]
        elif change == "append":
            events.append({"seat": rng.randrange(len(other["seats"])), "action": "pass"})
        else:
            del events[ply:]
        if rng.random() < 0.3:
            other["ended"] = "abandoned"
        yield other


def check_unknowns(games: int, rng: random.Random) -> None:
    """Records with unknown items against all their completions."""
    answers: Counter[str] = Counter()
    while games:
        copies = rng.choice((2, 3, 4))
        players = rng.randint(2, min(4, 2 * copies - 1))
        options = {"absorb_tie": rng.choice(qin.OPTIONS["absorb_tie"])}
        with patch.object(qin, "COPIES", copies):
            start = small_game(rng, players, options)
            if start is None:
                continue
            with patch.object(qin, "new_game", lambda *_, start=start: deepcopy(start)):
                try:
                    record = qin.generate(rng, players, options, rng.choice(("random", "mean")))
                except Fault:  # the very first hands fit nowhere: no game
                    continue
                games -= 1
                check_spoilt(record, start, rng, answers)
    print("unknowns:", dict(sorted(answers.items())))


def check_spoilt(record: Record, start: qin.Game, rng: random.Random, answers: Counter[str]) -> None:
    """One game, hidden in part and spoilt in several ways."""
    del record["result"]
    for case in spoilt(record, rng):
        events = case["events"]
        verdict = qin.replay(case)
        mine = float("inf") if verdict.ok else verdict.ply
        best = completions(deepcopy(start), events, 0, case["ended"] == "finished")
        assert mine == best, (start, case, mine, best, verdict.message)
        answers[verdict.fault or "ok"] += 1
        answers["passes"] += any(event["action"] == "pass" for event in events[: verdict.ply])


def main() -> None:
    """Run all checks."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 240
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 20120)
    check_hall(3000, rng)
    check_unknowns(games, rng)
    check_games(games, rng)


if __name__ == "__main__":
    main()
