"""China's boards as data, and chains along roads against a search of all sets of paths."""

from __future__ import annotations

import itertools
import random
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.records import RecordFault, read_record
from pipeline.replay import check_record
from pipeline.resources import data_path
from pipeline.titles.boards import is_reconstructed
from pipeline.titles.china import options
from pipeline.titles.china.rules_roads import score_roads
from pipeline.titles.contract import TitleError
from tests.titles.china_tables import BOARD, SITES, Table, record

FILE = data_path("boards") / f"{options.DEFAULT_MAP}.toml"


def test_the_board_says_that_it_is_reconstructed() -> None:
    assert is_reconstructed("china", options.DEFAULT_MAP)
    assert (BOARD.sites, BOARD.deck.sum(), list(BOARD.site_count)) == (48, 57, [4, 6, 5, 4, 5, 5, 7, 4, 8])


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('id = "qi2"', 'id = "qi1"', "'qi1' stands for more than one thing"),
        ('id = "qi2"', 'id = "deck"', "'deck' stands for more than one thing"),
        ('["qi1", "qi2"]', '["qi1", "qi9"]', "a road must join two sites"),
        ('["qi1", "qi2"]', '["qi1", "qi1"]', "a road must join two sites"),
        ('["qi1", "qi2"]', '["qi2", "qi3"]', "a road stands twice"),
        ('15 = ["shu", "chu"]', "", "numbered 1 to 15"),
        ('15 = ["shu", "chu"]', '15 = ["shu", "nowhere"]', "alliance 15 must join two regions"),
        ('15 = ["shu", "chu"]', '15 = ["chu", "lu"]', "alliance 15 joins two regions that have another"),
        ("yellow = 11", "yellow = 2", "wanted 3 to 100"),
        ("yellow = 11", "blue = 11", "the deck must give"),
        ('colour = "purple"', 'colour = "blue"', "unknown colour 'blue'"),
        ('"4-5" = [', '"5-6" = [', "roads of the sides"),
        ("at = [62, 25]", 'at = ["a", 25]', "needs two coordinates"),
        ("at = [62, 25]", "at = [62]", "of the wrong kind"),
        ('id = "zhao"', 'id = "zhou"', "alliance 1 must join"),
    ],
)
def test_a_board_that_is_not_in_order_is_refused(
    old: str, new: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"broken-{abs(hash((old, new)))}"
    text = FILE.read_text(encoding="utf-8").replace(f'id = "{options.DEFAULT_MAP}"', f'id = "{name}"')
    assert old in text
    (tmp_path / f"{name}.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setenv("PLYBOOK_BOARDS", str(tmp_path))
    with pytest.raises(TitleError, match=sentence):
        options.load_board(name)


def test_another_board_file_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = FILE.read_text(encoding="utf-8").replace(f'id = "{options.DEFAULT_MAP}"', 'id = "renamed"')
    (tmp_path / "renamed.toml").write_text(text.replace('"wei1"', '"luoyang"'), encoding="utf-8")
    monkeypatch.setenv("PLYBOOK_BOARDS", str(tmp_path))
    events: list[dict[str, Any]] = [{"seat": i % 3, "action": "deal", "item": None} for i in range(9)]
    events += [{"action": "reveal", "item": "red", "place": slot} for slot in "1234"]
    events += [{"seat": 0, "action": "play", "item": "red"}]
    events += [{"seat": 0, "action": "place", "item": "house", "place": "luoyang"}]
    data = record(3, events, {"map": "renamed"}) | {"ended": "abandoned"}
    assert check_record(read_record(data)).ok
    check = check_record(read_record(data | {"options": {}}))
    assert (check.fault, check.ply) == ("unknown_place", len(events) - 1)
    with pytest.raises(RecordFault, match="no board 'nowhere'"):
        read_record(data | {"options": {"map": "nowhere"}})


# -- chains ------------------------------------------------------------------------------------

Chain = tuple[str, ...]


def all_chains(roads: dict[str, set[str]], own: set[str]) -> list[Chain]:
    """Every simple path of four houses or more, from its first end in board order."""
    found: list[Chain] = []

    def extend(path: Chain) -> None:
        if len(path) >= 4 and SITES.index(path[0]) < SITES.index(path[-1]):
            found.append(path)
        for site in roads[path[-1]] & own - set(path):
            extend((*path, site))

    for site in own:
        extend((site,))
    return found


def sets_of(chains: list[Chain]) -> Iterator[tuple[Chain, ...]]:
    """All sets of chains without a common house."""
    for number in range(6):
        any_set = False
        for chosen in itertools.combinations(chains, number):
            if len(set().union(*chosen)) == sum(map(len, chosen)):
                any_set = True
                yield chosen
        if not any_set:
            return


def best_points(roads: dict[str, set[str]], own: set[str], worth: Callable[[Chain], int]) -> list[tuple[str, int, int]]:
    """By the page's order: most points, fewest chains, most houses, then first in board order."""

    def order(chosen: tuple[Chain, ...]) -> Any:
        paths = sorted(tuple(SITES.index(site) for site in chain) for chain in chosen)
        houses = sum(map(len, chosen))
        return -sum(map(worth, chosen)), len(chosen), -houses, [path[0] for path in paths], paths

    best = min(sets_of(all_chains(roads, own)), key=order)
    return sorted((chain[0], len(chain), worth(chain) - len(chain)) for chain in best)


@pytest.mark.parametrize("stack", ["once", "each"])
@pytest.mark.parametrize("side", ["3-4", "4-5"])
def test_chains_against_all_sets_of_paths(side: str, stack: str) -> None:
    facts = tomllib.loads(FILE.read_text(encoding="utf-8"))
    roads: dict[str, set[str]] = {site: set() for site in SITES}
    for one, other in facts["roads"][side]:
        roads[one].add(other)
        roads[other].add(one)
    rng = random.Random(f"{side} {stack}")
    branched = 0
    for _ in range(150):
        # Houses that grow along roads, so that groups are large and have branches.
        own = {rng.choice(SITES)}
        while len(own) < rng.choice((6, 9, 12)):
            reach = sorted({site for house in own for site in roads[house]} - own)
            own.add(rng.choice(reach if rng.random() < 0.85 else SITES))
        forts = set(rng.sample(sorted(own), rng.randrange(3)))

        def worth(chain: Chain, forts: set[str] = forts) -> int:
            fortified = len(forts & set(chain))
            return len(chain) * (1 if fortified == 0 else 2**fortified if stack == "each" else 2)

        if len(all_chains(roads, own)) > 60:
            continue
        branched += 1
        table = Table(side=side, fortresses=True, fort_stack=stack)
        table.forts(1, " ".join(forts))
        table.houses(0, " ".join(sorted(own)))
        table.sink.count = 0
        score_roads(table.state, BOARD, table.sink)
        found: dict[str, list[int]] = {}
        for _, source, place, points in table.events():
            found.setdefault(place, [0, 0])[source == "road_fort"] = points
        assert sorted((place, *points) for place, points in found.items()) == best_points(roads, own, worth)
    assert branched > 60
