"""China: options and switches as numbers, and boards as data, checked when they are read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Any

from pipeline.titles.boards import read_board
from pipeline.titles.china.codes import COLOURS, PILE, SLOTS
from pipeline.titles.contract import Option, TitleError
from pipeline.titles.state import Ints, Layout, ints

REGIONS = 9
BORDERS = 15
MOST_SITES = 62
MOST_ROADS_A_SITE = 6
WORD = 31
"""A set of sites is a number with a bit a site; as int32 it is two words of this many bits."""

DEFAULT_MAP = "china-reconstructed-1"
SIDES = ("3-4", "4-5")
SIDES_OF = {3: ("3-4",), 4: SIDES, 5: ("4-5",)}


def _sides(players: int) -> tuple[str, ...]:
    return SIDES_OF[players]


OPTIONS = (
    Option(
        "side",
        "side of the board; the sides differ in their roads",
        SIDES,
        lambda n: SIDES_OF[n][0],
        _sides,
    ),
    Option("fortresses", "each player has a fortress", (False, True), lambda n: False),
    Option("map", "id of the board's file", (DEFAULT_MAP,), lambda n: DEFAULT_MAP, files=True),
    Option(
        "joker",
        "which two equal cards pay for one piece anywhere: of another colour than the region's, or of any",
        ("other_colour", "any_colour"),
        lambda n: "other_colour",
    ),
    Option(
        "payment",
        "whether cards beyond those that pay may be played with them",
        ("exact", "at_least"),
        lambda n: "exact",
    ),
    Option(
        "fort_opens_region",
        "whether a fortress alone makes a region take two pieces a turn",
        (True, False),
        lambda n: True,
    ),
    Option(
        "fort_stack",
        "whether points are doubled once, or once for each fortified house",
        ("once", "each"),
        lambda n: "once",
    ),
    Option(
        "after_second_empty",
        "whether cards can be drawn in the turns after the second emptying of the draw pile",
        ("display_only", "no_draw"),
        lambda n: "display_only",
    ),
)

SWITCHES = ("side", "fortresses", "joker", "payment", "fort_opens_region", "fort_stack", "after_second_empty")
"""The options that `encode_options` gives the rules, in this order: the index of each value."""


class Board(Layout):
    """A board. Site and region numbers are the board's order; roads are sets of neighbours."""

    number: int = ints()  # in MAPS
    sites: int = ints()
    deck: Ints = ints(len(COLOURS))  # cards of each colour
    colour: Ints = ints(REGIONS)
    first_site: Ints = ints(REGIONS)
    site_count: Ints = ints(REGIONS)  # sites of each region
    region_of: Ints = ints(MOST_SITES)
    border: Ints = ints(BORDERS, 2)  # the two regions
    near_low: Ints = ints(len(SIDES), MOST_SITES)  # sites one road away, the first WORD sites
    near_high: Ints = ints(len(SIDES), MOST_SITES)  # and the others


def encode_options(options: Mapping[str, Any], players: int) -> tuple[int, ...]:
    values = {option.name: option.values for option in OPTIONS}
    return tuple(values[name].index(options[name]) for name in SWITCHES)


def board_id(options: Mapping[str, Any]) -> str:
    return str(options["map"])


MAPS: list[str] = []
"""The ids of the boards loaded so far; a Board knows its `number` here."""


@cache
def load_board(name: str) -> Board:
    """The board of that id. Raises TitleError when it is not there or not whole."""
    facts = read_map(name)
    regions, sites = region_words(facts), site_words(facts)
    board = Board.new()
    board.number = len(MAPS)
    board.sites = len(sites)
    board.deck[:] = [facts["deck"][colour] for colour in COLOURS]
    at = 0
    for number, region in enumerate(facts["regions"]):
        size = len(region["sites"])
        board.colour[number] = COLOURS.index(region["colour"])
        board.first_site[number], board.site_count[number] = at, size
        board.region_of[at : at + size] = number
        at += size
    for number in range(BORDERS):
        board.border[number] = [regions.index(word) for word in facts["alliances"][str(number + 1)]]
    for side, name_of_side in enumerate(SIDES):
        for road in facts["roads"][name_of_side]:
            one, other = (sites.index(word) for word in road)
            for a, b in ((one, other), (other, one)):
                words = board.near_low if b < WORD else board.near_high
                words[side, a] |= 1 << (b % WORD)
    MAPS.append(name)
    return board


def region_words(facts: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(region["id"] for region in facts["regions"])


def site_words(facts: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(site["id"] for region in facts["regions"] for site in region["sites"])


@cache
def read_map(name: str) -> dict[str, Any]:
    """A board's facts as its file has them, checked. Raises TitleError with one sentence."""
    facts = read_board("china", name)
    try:
        problem = _problem(facts)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        problem = f"something is missing or of the wrong kind ({type(error).__name__}: {error})"
    if problem:
        raise TitleError(f"board {name!r} of china: {problem}")
    return facts


def _problem(facts: Mapping[str, Any]) -> str | None:
    """What is wrong with a board, or None."""
    regions, sites = region_words(facts), site_words(facts)
    return (
        _problem_of_deck(facts["deck"])
        or _problem_of_words(regions, sites)
        or _problem_of_regions(facts["regions"])
        or _problem_of_alliances(facts["alliances"], regions)
        or _problem_of_roads(facts["roads"], sites)
    )


def _problem_of_deck(deck: Mapping[str, Any]) -> str | None:
    if sorted(deck) != sorted(COLOURS):
        return f"the deck must give the number of cards of {', '.join(COLOURS)}"
    for colour, count in deck.items():
        if type(count) is not int or not 3 <= count <= 100:
            return f"the deck has {count!r} {colour} cards, wanted 3 to 100"
    # With five players hands and display take 19 cards, with three two of each colour are left out.
    return None if sum(deck.values()) >= 24 else "the deck has too few cards"


def _problem_of_words(regions: tuple[str, ...], sites: tuple[str, ...]) -> str | None:
    if len(regions) != REGIONS:
        return f"it has {len(regions)} regions, wanted {REGIONS}"
    if len(sites) > MOST_SITES:
        return f"it has {len(sites)} sites, at most {MOST_SITES} are possible"
    words = [PILE, *SLOTS, *map(str, range(1, BORDERS + 1)), *regions, *sites]
    for word in chain(regions, sites):
        if not isinstance(word, str) or not word:
            return f"{word!r} is no name for a region or a site"
        if words.count(word) > 1:
            return f"the name {word!r} stands for more than one thing; each site is in one region"
    return None


def _problem_of_regions(regions: list[Mapping[str, Any]]) -> str | None:
    for region in regions:
        if region["colour"] not in COLOURS:
            return f"region {region['id']!r} has the unknown colour {region['colour']!r}"
        if not region["sites"]:
            return f"region {region['id']!r} has no site"
        for site in region["sites"]:
            x, y = site["at"]
            if type(x) not in (int, float) or type(y) not in (int, float):
                return f"site {site['id']!r} needs two coordinates"
    return None


def _problem_of_alliances(alliances: Mapping[str, Any], regions: tuple[str, ...]) -> str | None:
    if set(alliances) != {str(number + 1) for number in range(BORDERS)}:
        return f"the alliances must be numbered 1 to {BORDERS}"
    seen = set()
    for number, pair in alliances.items():
        if len(pair) != 2 or pair[0] == pair[1] or not set(pair) <= set(regions):
            return f"alliance {number} must join two regions of the board, not {pair!r}"
        if frozenset(pair) in seen:
            return f"alliance {number} joins two regions that have another one already"
        seen.add(frozenset(pair))
    return None


def _problem_of_roads(roads: Mapping[str, Any], sites: tuple[str, ...]) -> str | None:
    if sorted(roads) != sorted(SIDES):
        return f"it must have the roads of the sides {' and '.join(SIDES)}"
    for side in SIDES:
        pairs = [tuple(road) for road in roads[side]]
        for pair in pairs:
            if len(pair) != 2 or pair[0] == pair[1] or not set(pair) <= set(sites):
                return f"side {side}: a road must join two sites of the board, not {list(pair)!r}"
        if len({frozenset(pair) for pair in pairs}) < len(pairs):
            return f"side {side}: a road stands twice"
        ends = [site for pair in pairs for site in pair]
        for site in sites:
            if ends.count(site) > MOST_ROADS_A_SITE:
                return f"side {side}: more than {MOST_ROADS_A_SITE} roads meet at {site!r}"
    return None
