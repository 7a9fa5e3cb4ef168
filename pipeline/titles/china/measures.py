"""China: what the report measures beyond the common figures."""

from __future__ import annotations

from pipeline.titles.measure import Bars, By, Line, Measure, Places, When, known

MEASURES: tuple[Measure, ...] = (
    Bars(
        "acts", "How often does each seat exchange, take jokers, close regions?", "times a game",
        (
            Line("exchanges", where=(When("exchanged"),)),
            Line("jokers", add=("jokers",)),
            Line("regions closed", where=(known("closed_region"),)),
        ),
        note="A joker is a pair of cards that pays for a piece elsewhere; who fills a region's last site closes it.",
    ),
    Bars(
        "card_shares", "Where do cards come from, and how many go into jokers?", "percent of cards",
        (
            Line("drawn from the deck", add=("deck_draws",), over=("deck_draws", "slot_draws")),
            Line("played in jokers", add=("jokers", "jokers"), over=("cards_played",)),
        ),
        per="turn", percent=True, note="Of the cards drawn, the rest from the display; of the cards played.",
    ),
    Bars(
        "pieces_left", "How many pieces are left over?", "pieces a game",
        tuple(
            Line(pieces, most=(f"{pieces}_left",), less=(f"{pieces}_placed",))
            for pieces in ("houses", "emissaries", "fortresses")
        ),
    ),
    Bars(
        "regions_closed", "Who closes which region?", "times a game", (Line(""),),
        by=By("closed_region", kind="score_place"),
    ),
    Places(
        "points_by_region", "Which regions pay?", "points a game, all seats together", ("houses", "houses_fort"),
        note="Houses fort: what fortresses add to it.",
    ),
    Places("points_by_border", "Which alliances pay?", "points a game, all seats together", ("alliance",)),
)  # fmt: skip
