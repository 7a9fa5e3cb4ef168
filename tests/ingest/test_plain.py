"""The fast way of reading against the slow way: on whatever lines, both give the same games and sentences."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import titles
from pipeline.ingest import jsonl, memo, plain
from pipeline.ingest.jsonl import read_jsonl
from pipeline.ingest.lines import PADDING
from tests.agreement import simulated
from tests.bad_inputs import BAD_INPUTS, whole_game

TITLES = titles.TITLES
Game = tuple[dict[str, Any], list[dict[str, Any]], list[list[int]]]


@contextmanager
def slow_way_only() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "_take", lambda *given: False)
        yield


@contextmanager
def fast_way_only() -> Iterator[None]:
    """Reading one record the slow way raises TypeError."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "read_record", None)
        yield


def read(path: Path) -> tuple[dict[int, Game], list[Any]]:
    """The file's games by line (row of games, rows of seats, codes) and its rejects."""
    games: dict[int, Game] = {}
    rejects: list[Any] = []
    for chunks, bad, _ in read_jsonl(path, "a.jsonl", "club"):
        rejects += bad
        for chunk in chunks:
            rows, seats = chunk.games.to_pylist(), iter(chunk.seats.to_pylist())
            for i, row in enumerate(rows):
                codes = chunk.codes[:, chunk.offsets[i] : chunk.offsets[i + 1]].tolist()
                games[row["line"]] = row, [next(seats) for _ in range(row["players"])], codes
    return games, rejects


def assert_both_ways_agree(path: Path, lines: list[bytes]) -> int:
    """The number of games."""
    path.write_bytes(b"\n".join(lines))
    games, rejects = read(path)
    with slow_way_only():
        slow_games, slow_rejects = read(path)
    assert rejects == slow_rejects
    assert games == slow_games
    return len(games)


def whole_games(title: str) -> list[dict[str, Any]]:
    """Short records of a title: beginnings of games, with all that a header may have."""
    found = titles.load(title)
    records = []
    for players in found.seats:
        for record in simulated(title, players, 2, players, ("random",), {}):
            record["events"] = record["events"][: 12 + 5 * players]
            record["ended"] = "abandoned"
            record["played_at"] = "2026-03-14T19:02:00Z"
            record["result"] = {"scores": list(range(players)), "ranks": [1] * players}
            records.append(record)
    return records


SHORT = {title: whole_games(title) for title in TITLES}


class Writer:
    """Writes JSON as nobody does: white space, key order, escapes, keys twice, odd numbers, nulls."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.odds = {
            name: rng.choice((0, 0, 0, 0.02, 0.3)) for name in ("space", "order", "escape", "twice", "number", "null")
        }

    def happens(self, what: str) -> bool:
        return self.rng.random() < self.odds[what]

    def space(self) -> str:
        return self.rng.choice((" ", "  ", "\t", "\r", " \t ")) if self.happens("space") else ""

    def value(self, value: Any) -> str:
        if self.happens("null") and self.rng.random() < 0.1:
            value = self.rng.choice((None, True, "", [], {}, "castle1", "A1", 0, [0]))
        if isinstance(value, dict):
            pairs = list(value.items())
            if self.happens("order"):
                self.rng.shuffle(pairs)
            if pairs and self.happens("twice"):
                key = self.rng.choice(pairs)[0]
                pairs.insert(self.rng.randrange(len(pairs) + 1), (key, self.rng.choice(list(value.values()))))
            texts = [f"{self.text(key)}{self.space()}:{self.space()}{self.value(inner)}" for key, inner in pairs]
            return self.joined("{", texts, "}")
        if isinstance(value, list):
            return self.joined("[", [self.value(inner) for inner in value], "]")
        if isinstance(value, str):
            return self.text(value)
        if type(value) is int and self.happens("number"):
            return self.rng.choice(("-0", "0{}", "{}.0", "{}e0", "{}E1", "+{}", "-{}", "{}00000", '"{}"')).format(value)
        return json.dumps(value)

    def joined(self, begin: str, texts: list[str], end: str) -> str:
        middle = ",".join(self.space() + text + self.space() for text in texts)
        return self.space() + begin + middle + end + self.space()

    def text(self, text: str) -> str:
        return '"' + "".join(self.letter(letter) for letter in text) + '"'

    def letter(self, letter: str) -> str:
        return f"\\u{ord(letter):04x}" if self.happens("escape") else json.dumps(letter)[1:-1]


def damaged(line: bytes, rng: random.Random) -> bytes:
    """A byte changed, put in, taken out or doubled, or the end cut off."""
    at = rng.randrange(len(line))
    other = at + rng.randrange(1, 40)
    return rng.choice((
        line[:at] + bytes([rng.choice(b'"\\{}[],: 0123456789aAB\t\x00\xff')]) + line[at + 1 :],
        line[:at] + bytes([rng.choice(b'"\\{}[],: 0123456789aAB\t\x00\xff')]) + line[at:],
        line[:at] + line[at + 1 :],
        line[:at] + line[other:],
        line[:other] + line[at:],
        line[:at],
    ))  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_both_ways_agree_on_records_written_oddly_or_damaged(
    tmp_path_factory: pytest.TempPathFactory, title: str, seed: int
) -> None:
    """Plain lines stand among them, so that the memo knows their events when damaged ones come."""
    rng = random.Random(seed)
    lines = []
    for number in range(30):
        record = rng.choice(SHORT[title]) | {"id": rng.choice((str(number), 'x":y', "é:", "[{"))}
        line = json.dumps(record, separators=rng.choice(((",", ":"), (", ", ": ")))).encode()
        if number % 3 == 1:
            line = Writer(rng).value(record).encode()
        elif number % 3 == 2:
            line = damaged(line, rng)
        lines.append(line)
    assert assert_both_ways_agree(tmp_path_factory.mktemp("odd") / "a.jsonl", lines) >= 10


@pytest.mark.parametrize("title", TITLES)
def test_records_in_which_any_one_byte_is_missing_or_another_read_alike_both_ways(tmp_path: Path, title: str) -> None:
    line = json.dumps(SHORT[title][0], separators=(",", ":")).encode()
    lines = [line]
    for at in range(0, len(line), 3):
        lines += [line[:at] + line[at + 1 :], line[:at] + b"}" + line[at + 1 :], line[:at] + b'"' + line[at:]]
    assert_both_ways_agree(tmp_path / "a.jsonl", lines)


EVENTS = json.dumps(whole_game()["events"])
GOOD = json.dumps(whole_game())
CHANG_CHENG = json.dumps(SHORT["chang_cheng"][0] | {"options": {"events": []}})
WALLS = json.dumps(SHORT["chang_cheng"][0]["events"])


def changed(old: str, new: str, text: str = GOOD) -> bytes:
    assert old in text
    return text.replace(old, new, 1).encode()


ATTACKS = {
    "events in the options": changed('"options": {"events": []}', f'"options": {{"events": {WALLS}}}', CHANG_CHENG),
    "events in the options alone": changed(
        f'"events": {WALLS}', '"events": []', CHANG_CHENG.replace('{"events": []}', f'{{"events": {WALLS}}}')
    ),
    "the stand-in in the options": changed('{"events": []}', '{"events": [0]}', CHANG_CHENG),
    "the stand-in as events behind": changed(EVENTS, f'{EVENTS}, "events": [0]'),
    "the stand-in as events before": changed('"events"', '"events": [0], "events"'),
    "events as text": changed('"source": "club"', '"source": "\\"events\\": [{"'),
    "events in an id": changed('"id": "g1"', '"id": "\\"events\\":[{}]"'),
    "a bracket in an id": changed('"id": "g1"', '"id": "]}]"'),
    "a bracket in a place": changed('"B3"', '"B]3"'),
    "a brace in a place": changed('"B3"', '"B}3"'),
    "a list in an event": changed('"B3"', '["B3"]'),
    "an object in an event": changed('"B3"', '{"place": "B3"}'),
    "an event in an event": changed('"B3"', '{"seat": 0, "action": "castle", "item": "castle2", "place": "B3"}'),
    "nothing behind the events": GOOD[:-1].encode(),
    "two objects behind": GOOD.encode() + b"}",
    "another record behind": GOOD.encode() + GOOD.encode(),
    "a comma behind the last event": changed('"A2"}]', '"A2"},]'),
    "two commas": changed("}, {", "},, {"),
    "no comma": changed("}, {", "} {"),
    "a bracket missing": changed("}]", "}"),
    "a bracket too many": changed("}]", "}]]"),
    "a key twice, its name in escapes": changed('"id": "g1"', '"id": "g1", "\\u0069d": "g2"'),
    "a key twice, a colon in escapes": changed('"id": "g1"', '"id": "g\\u003A1", "id": "g\\u003a1"'),
    "options twice": changed('"options": {}', '"options": {}, "options": {}'),
    "no options, and a key twice": changed('"options": {}', '"source": "hall"'),
    "options null": changed('"options": {}', '"options": null'),
    "no options, a source like them": changed('"source": "club", "options": {}', '"source": "\\"options\\":"'),
    "a time that is empty": changed('"id"', '"played_at": "", "id"'),
    "a time of null": changed('"id"', '"played_at": null, "id"'),
    "a time in another zone": changed('"id"', '"played_at": "2026-03-14T19:02:00+05:30", "id"'),
    "a time without a zone": changed('"id"', '"played_at": "2026-03-14T19:02:00", "id"'),
    "a source that is empty": changed('"club"', '""'),
    "a source of null": changed('"club"', "null"),
    "a player that is empty": changed('"anna"', '""'),
    "a player of null": changed('"anna"', "null"),
    "a kind that is empty": changed('"player": "anna"', '"kind": ""'),
    "a kind of null": changed('"player": "anna"', '"kind": null'),
    "a kind that is true": changed('"player": "anna"', '"kind": true'),
    "ended null": changed('"abandoned"', "null"),
    "ended empty": changed('"abandoned"', '""'),
    "result null": changed('"id"', '"result": null, "id"'),
    "result empty": changed('"id"', '"result": {}, "id"'),
    "result of nulls": changed('"id"', '"result": {"scores": null, "ranks": null}, "id"'),
    "result of empty lists": changed('"id"', '"result": {"scores": [], "ranks": []}, "id"'),
    "scores at the edge": changed('"id"', '"result": {"scores": [2147483647, -2147483647]}, "id"'),
    "scores beyond": changed('"id"', '"result": {"scores": [0, -2147483648]}, "id"'),
    "scores with a point": changed('"id"', '"result": {"scores": [61.0, 48]}, "id"'),
    "ranks beyond": changed('"id"', '"result": {"ranks": [1, 3]}, "id"'),
    "ranks true": changed('"id"', '"result": {"ranks": [true, 2]}, "id"'),
    "half a surrogate": changed('"anna"', '"\\ud800"'),
    "broken UTF-8 in a name": GOOD.encode().replace(b"anna", b"an\xffa"),
    "broken UTF-8 in an event": GOOD.encode().replace(b"castle2", b"castle\xff"),
    "a NUL in an event": GOOD.encode().replace(b"castle2", b"castle2\x00"),
    "vertical tab between events": changed("}, {", "},\v{"),
    "tabs and returns": changed("}, {", "}\t,\r\t{"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_both_ways_agree_on_attacks(tmp_path: Path, name: str) -> None:
    """Once alone, once among records whose events the memo knows, once where the file ends with it."""
    other = CHANG_CHENG if b"chang_cheng" in ATTACKS[name] else GOOD
    assert_both_ways_agree(tmp_path / "a.jsonl", [ATTACKS[name]])
    assert_both_ways_agree(tmp_path / "a.jsonl", [other.encode(), ATTACKS[name], other.encode(), ATTACKS[name]])


def test_both_ways_agree_on_all_bad_inputs(tmp_path: Path) -> None:
    lines = [line for bad in BAD_INPUTS for line in (GOOD.encode(), bad.line)]
    assert assert_both_ways_agree(tmp_path / "a.jsonl", lines) >= len(BAD_INPUTS)


def test_a_record_cut_off_anywhere_at_the_end_of_the_file_is_one_reject(tmp_path: Path) -> None:
    """Eight bytes are read at once, but nothing behind the last line may count."""
    line = GOOD.encode()
    path = tmp_path / "a.jsonl"
    for cut in range(len(line) - 120, len(line)):
        path.write_bytes(line + b"\n" + line[:cut])
        games, rejects = read(path)
        assert (len(games), len(rejects)) == (1, 1)


def test_a_seat_that_one_record_has_is_unknown_in_another(tmp_path: Path) -> None:
    three = whole_game() | {"seats": [{}, {}, {}]}
    three["events"] = [{"seat": 2, "action": "deal", "item": "+3"}]
    two = three | {"seats": [{}, {}]}
    lines = [json.dumps(record).encode() for record in (three, two, three, two)]
    assert assert_both_ways_agree(tmp_path / "a.jsonl", lines) == 2


def test_a_word_of_one_board_is_unknown_on_another(tmp_path: Path) -> None:
    """Each board has a memo of its own."""
    lines = []
    for record in SHORT["qin"]:
        for board in ("bird", "lion"):
            lines.append(json.dumps(record | {"id": record["id"] + board, "options": {"board": board}}).encode())
    assert assert_both_ways_agree(tmp_path / "a.jsonl", lines) >= len(lines) // 2


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
@pytest.mark.parametrize("title", TITLES)
def test_usual_records_go_the_fast_way(tmp_path: Path, title: str, separators: tuple[str, str]) -> None:
    """With a time, with names in any script, with nulls for what is not known, by our writer or json.dumps."""
    path = tmp_path / "a.jsonl"
    lines = []
    for record in SHORT[title]:
        seats = [{"player": name} for name in ("Zoë", None, '北京: "a"', "d")[: len(record["seats"])]]
        seats += record["seats"][len(seats) :]
        named = record | {"seats": seats, "source": None}
        bare = {name: record[name] for name in ("format", "title", "id", "seats", "ended", "events")}
        lines += [
            json.dumps(one, separators=separators, ensure_ascii=escapes)
            for one in (record, named, bare)
            for escapes in (False, True)
        ]
    path.write_text("\n".join(lines))
    with fast_way_only():
        games, rejects = read(path)
    assert (len(games), rejects) == (len(lines), [])


def test_more_texts_than_the_memo_holds_are_read_rightly(tmp_path: Path) -> None:
    """One record of 60,000 events that mean four things, no two of them written alike, twice over."""
    rng = random.Random(1)
    texts, codes = [], []
    for number in range(60_000):
        gaps = [" " * (number >> 3 * i & 7) for i in range(6)]
        seat, place = rng.randrange(2), rng.randrange(2)
        texts.append(
            f'{{{gaps[0]}"seat":{gaps[1]}{seat},{gaps[2]}"action":{gaps[3]}"tile",{gaps[4]}"item":"-1"'
            f',"place":{gaps[5]}"{"AB"[place]}1"{" " * (rng.random() < 0.02) * 100}}}'
        )
        codes.append((seat, place))
    texts, codes = texts * 2, codes * 2
    record = whole_game() | {"events": ["..."]}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(record).replace('["..."]', "[" + ",".join(texts) + "]"))
    with fast_way_only():
        ((_, _, found),) = read(path)[0].values()
    book = titles.load("kingdoms").book("kingdoms-22")
    places = [book.place_code["A1"], book.place_code["B1"]]
    assert found[0] == [seat for seat, _ in codes]
    assert found[3] == [places[place] for _, place in codes]
    assert set(found[1]) == {book.action_code["tile"]}
    assert set(found[2]) == {book.item_code["-1"]}


def text_at(text: bytes) -> tuple[Any, int]:
    """A text in memory (kept by the array) and its address."""
    array = np.frombuffer(text + PADDING, np.uint8)
    return array, int(array.ctypes.data)


@given(inside=st.binary(max_size=130).filter(lambda text: b"}" not in text), at=st.integers(0, 129), behind=st.binary())
@settings(max_examples=200, deadline=None)
def test_the_memo_knows_a_text_by_all_its_bytes(inside: bytes, at: int, behind: bytes) -> None:
    text = b"{" + inside + b"}"
    known = memo.new_memo()
    array, address = text_at(text + behind)
    slot, length = memo.recall(known, address, array.size - len(PADDING))
    assert length == 0
    assert (slot == -1) == (len(text) > memo.MOST_TEXT)
    if slot < 0:
        return
    memo.keep(known, slot, address, len(text))
    assert memo.recall(known, address, array.size - len(PADDING)) == (slot, len(text))
    assert memo.recall(known, address, len(text) - 1) == (-1, 0)
    at %= len(text)
    other = bytearray(text)
    other[at] ^= 0x01
    altered, address = text_at(bytes(other) + behind)
    assert memo.recall(known, address, altered.size - len(PADDING))[1] == 0
    # Whatever the hash: an equal slot does not make an equal text, nor do equal bytes of another length.
    assert not memo.is_kept(known, slot, address, len(text))
    shorter, address = text_at(text[:-1])
    assert not memo.is_kept(known, slot, address, shorter.size - len(PADDING))
