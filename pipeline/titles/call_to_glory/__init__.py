"""Call to Glory (Michael Schacht, 2012), with the variants of tasks and ninjas."""

from __future__ import annotations

from pipeline.titles.call_to_glory import codes, measures, options
from pipeline.titles.contract import Book, Choice, Fact, Title

FACTS = (
    Fact("start_player", "1 if the seat is the round's start player"),
    Fact("round_turn", "turns of all seats in this round before this one", "turns"),
    Fact("hand", "cards in hand before the turn", "cards"),
    Fact("draw1_cards", "cards in the first draw pile before the turn", "cards"),
    Fact("draw2_cards", "cards in the second draw pile before the turn", "cards"),
    Fact("discard1_cards", "cards on the first discard pile before the turn", "cards"),
    Fact("discard2_cards", "cards on the second discard pile before the turn", "cards"),
    Fact("own_sets", "sets in front of the seat before the turn", "sets"),
    Fact("own_worth", "points that these sets would score", "points"),
    Fact("best_other_worth", "points that the sets of the best other seat would score", "points"),
    Fact("minis_ready", "miniatures that the seat can use in the turn", "miniatures"),
    Fact("drew_draw1", "1 if the seat drew from the first draw pile"),
    Fact("drew_draw2", "1 if the seat drew from the second draw pile"),
    Fact("drew_discard1", "1 if the seat drew from the first discard pile"),
    Fact("drew_discard2", "1 if the seat drew from the second discard pile"),
    Fact("can_discard", "1 if the turn came to its second action, where a discard is always open"),
    Fact("can_lay", "1 if a set could be laid then, 0 if not, -1 if unknown cards leave it open"),
    Fact("layable_sets", "characters that could be laid then; -1 with unknown cards in hand", "characters"),
    Fact("layable_most", "cards of the largest set that could be laid then; -1 if unknown", "cards"),
    Fact("choices", "legal second actions then, by character, size and pile; -1 if unknown", "choices"),
    Fact("discarded", "1 if the seat discarded a card instead of laying a set"),
    Fact("discarded_value", "value of the card discarded; -1 if none was", "value"),
    Fact("laid_value", "value of the character laid; -1 if none was", "value"),
    Fact("laid_cards", "cards of the set laid; -1 if none was", "cards"),
    Fact("beaten_seat", "owner of the set that was beaten, maybe the seat itself; -1 if none was", "seat"),
    Fact("beaten_cards", "cards of the set that was beaten; -1 if none was", "cards"),
    Fact("ninjas_used", "miniatures given back in the turn", "miniatures"),
    Fact("round_end", "what ended the round with this turn: 0 nothing, 1 sets, 2 all nine, 3 draw piles"),
)


def book(board: str) -> Book:
    return codes.BOOK


TITLE = Title(
    name="call_to_glory",
    label="Call to Glory",
    module="pipeline.titles.call_to_glory",
    seats=(2, 3, 4),
    options=options.OPTIONS,
    facts=FACTS,
    encode_options=options.encode_options,
    board_id=options.board_id,
    book=book,
    load_board=options.load_board,
    choice=Choice("discarding a card", "laying a set", "can_discard", "can_lay", "discarded"),
    measures=measures.MEASURES,
)
