"""The fast way from a record's `events` text to codes.

It takes only what is certainly in order and written plainly; whatever else it meets (an escape, an
unknown word, a number with a point) it leaves to the slow way, `records.encode_event`, which finds the
words for what is wrong. So it can be fast without ever deciding that a record is bad.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from pipeline.ingest.memo import MOST_TEXT, Memo, keep, recall
from pipeline.ingest.vocabulary import (
    ABSENT,
    ACTION,
    INTS,
    ITEM,
    KEY,
    MOST_WORDS,
    PLACE,
    REQUIRED,
    SEAT,
    SLOTS,
    TARGET,
    Vocabulary,
)
from pipeline.titles.contract import NONE

Bytes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.int16]

UNSURE = -3
"""A value that the fast way does not understand."""

QUOTE, COLON, COMMA, OPEN, CLOSE, LIST, END, ESCAPE, MINUS = (ord(c) for c in '":,{}[]\\-')
ZERO, NINE = ord("0"), ord("9")
FIELD_KIND = (-1, ACTION, ITEM, PLACE, TARGET, -1)
F_SEAT, F_ACTION, F_ITEM, F_PLACE, F_TARGET, F_AMOUNT = range(6)


@njit(cache=True, nogil=True)
def blank(buffer: Bytes, i: int, end: int) -> int:
    """The first position from i on that is not white space."""
    while i < end and (buffer[i] == 32 or buffer[i] == 9 or buffer[i] == 13 or buffer[i] == 10):
        i += 1
    return i


@njit(cache=True, nogil=True)
def find_word(words: Vocabulary, kind: int, buffer: Bytes, begin: int, end: int) -> int:
    """The code of a word, or UNSURE."""
    value = 0x811C9DC5
    for i in range(begin, end):
        value = ((value ^ buffer[i]) * 0x01000193) & 0xFFFFFFFF
    slot = value % SLOTS
    while words.begin[kind, slot] >= 0:
        if words.length[kind, slot] == end - begin:
            at = words.begin[kind, slot]
            same = True
            for i in range(end - begin):
                if words.text[at + i] != buffer[begin + i]:
                    same = False
                    break
            if same:
                return int(words.code[kind, slot])
        slot = (slot + 1) % SLOTS
    return UNSURE


@njit(cache=True, nogil=True)
def read_word(words: Vocabulary, kind: int, buffer: Bytes, i: int, end: int) -> tuple[int, int]:
    """The code of the text that begins at the quote i, and the position behind it."""
    begin = i + 1
    i = begin
    while i < end and buffer[i] != QUOTE:
        if buffer[i] == ESCAPE or buffer[i] < 32:
            return UNSURE, i
        i += 1
    if i == end or kind < 0:
        return UNSURE, i
    return find_word(words, kind, buffer, begin, i), i + 1


@njit(cache=True, nogil=True)
def read_value(words: Vocabulary, field: int, buffer: Bytes, i: int, end: int) -> tuple[int, int]:
    """One value of an event's field as its code, and the position behind it; a number is itself."""
    byte = buffer[i]
    if byte == QUOTE:
        return read_word(words, FIELD_KIND[field], buffer, i, end)
    if ZERO <= byte <= NINE:
        value = 0
        begin = i
        while i < end and ZERO <= buffer[i] <= NINE and i < begin + 4:
            value = value * 10 + buffer[i] - ZERO
            i += 1
        if i == end or (byte == ZERO and i > begin + 1):
            return UNSURE, i
        # A number goes on behind four digits, or with a point or an exponent: not for us.
        if buffer[i] != COMMA and buffer[i] != CLOSE and buffer[i] > 32:
            return UNSURE, i
        if field == F_ITEM:
            code = int(words.numbers[value]) if value < INTS else UNSURE
            return (code if code >= 0 else UNSURE), i
        if field == F_ACTION or field == F_PLACE:
            return UNSURE, i
        return value, i
    if i + 4 <= end and byte == 110 and buffer[i + 1] == 117 and buffer[i + 2] == 108 and buffer[i + 3] == 108:
        return NONE, i + 4
    return UNSURE, i


@njit(cache=True, nogil=True)
def event_fits(
    words: Vocabulary, players: int, seat: int, action: int, item: int, place: int, target: int, amount: int
) -> bool:
    """Whether an encoded event has the fields that its action takes, and words of its vocabulary."""
    if action < 0 or action >= words.actions:
        return False
    values = (seat, action, item, place, target, amount)
    for field in (F_SEAT, F_ITEM, F_PLACE, F_TARGET, F_AMOUNT):
        takes = words.takes[action, field]
        value = values[field]
        if value < NONE or (value == NONE and (takes == REQUIRED or takes == SEAT)):
            return False
        if value >= 0 and takes == ABSENT:
            return False
    if seat >= players or (words.takes[action, F_TARGET] == SEAT and target > 32767):
        return False
    if item >= 0 and (item >= MOST_WORDS or words.items[action, item] == 0):
        return False
    if place >= 0 and (place >= MOST_WORDS or words.places[action, place] == 0):
        return False
    if target >= 0 and words.takes[action, F_TARGET] != SEAT:
        return bool(target < MOST_WORDS and words.targets[action, target] != 0)
    return True


@njit(cache=True, nogil=True)
def scan_event(words: Vocabulary, players: int, buffer: Bytes, i: int, end: int, codes: Codes, at: int) -> int:
    """One event from its brace on into codes[:, at]; the position behind it, or UNSURE."""
    for field in range(6):
        codes[field, at] = NONE
    seen = 0
    text_target = False
    i = blank(buffer, i + 1, end)
    while True:
        if i >= end or buffer[i] != QUOTE:
            return UNSURE
        field, i = read_word(words, KEY, buffer, i, end)
        if field < 0 or (seen >> field) & 1:
            return UNSURE
        seen |= 1 << field
        i = blank(buffer, i, end)
        if i >= end or buffer[i] != COLON:
            return UNSURE
        i = blank(buffer, i + 1, end)
        if i >= end:
            return UNSURE
        if field == F_TARGET:
            text_target = buffer[i] == QUOTE
        value, i = read_value(words, field, buffer, i, end)
        if value == UNSURE:
            return UNSURE
        codes[field, at] = value
        i = blank(buffer, i, end)
        if i >= end:
            return UNSURE
        if buffer[i] == CLOSE:
            break
        if buffer[i] != COMMA:
            return UNSURE
        i = blank(buffer, i + 1, end)
    action, target = codes[F_ACTION, at], codes[F_TARGET, at]
    if not event_fits(
        words, players, codes[F_SEAT, at], action, codes[F_ITEM, at], codes[F_PLACE, at], target,
        codes[F_AMOUNT, at],
    ):  # fmt: skip
        return UNSURE
    # A target's code would read the same for seat 3 and for the word of code 3.
    if target >= 0 and text_target == (words.takes[action, F_TARGET] == SEAT):
        return UNSURE
    return i + 1


@njit(cache=True, nogil=True)
def scan_list(
    words: Vocabulary, memo: Memo, players: int, buffer: Bytes, i: int, end: int, codes: Codes, at: int
) -> int:
    """A list of events buffer[i:end] into codes from column `at` on; the column behind them, or UNSURE."""
    address = buffer.ctypes.data
    i = blank(buffer, i, end)
    if i >= end or buffer[i] != LIST:
        return UNSURE
    while True:
        i = blank(buffer, i + 1, end)
        if i >= end or buffer[i] != OPEN or at >= codes.shape[1]:
            return UNSURE
        slot, length = recall(memo, address + i, end - i)
        if length > 0:
            for field in range(6):
                codes[field, at] = memo.codes[slot, field]
            # Whether there is such a seat is the one thing that an event's text does not tell.
            if codes[F_SEAT, at] >= players:
                return UNSURE
            i += length
        else:
            behind = scan_event(words, players, buffer, i, end, codes, at)
            if behind == UNSURE:
                return UNSURE
            if slot >= 0 and behind - i <= MOST_TEXT:
                keep(memo, slot, address + i, behind - i)
                for field in range(6):
                    memo.codes[slot, field] = codes[field, at]
            i = behind
        at += 1
        i = blank(buffer, i, end)
        if i < end and buffer[i] == END:
            return at if blank(buffer, i + 1, end) == end else UNSURE
        if i >= end or buffer[i] != COMMA:
            return UNSURE


@njit(cache=True, nogil=True)
def scan_events(
    words: Vocabulary,
    memo: Memo,
    players: npt.NDArray[np.int8],
    buffer: Bytes,
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    codes: Codes,
    offsets: npt.NDArray[np.int64],
    sure: npt.NDArray[np.bool_],
) -> None:
    """The events of many records: `begins`, `ends` [records] are their `events` lists in the buffer.

    The buffer goes on for eight bytes behind them. Fills codes [6, events], offsets [records + 1],
    and sure [records]: False goes the slow way.
    """
    at = 0
    for g in range(players.size):
        offsets[g] = at
        behind = scan_list(words, memo, players[g], buffer, begins[g], ends[g], codes, at)
        sure[g] = behind != UNSURE
        if sure[g]:
            at = behind
    offsets[players.size] = at


@njit(cache=True, nogil=True)
def hash_events(codes: Codes, offsets: npt.NDArray[np.int64], hashes: npt.NDArray[np.int64]) -> None:
    """A 62-bit hash of each game's events, for telling duplicates from conflicts."""
    for g in range(hashes.size):
        low, high = 1469598103, 1099511627
        for i in range(offsets[g], offsets[g + 1]):
            for field in range(6):
                value = codes[field, i] + 3
                low = ((low ^ value) * 16777619) & 0x7FFFFFFF
                high = ((high + value) * 48271 + (high >> 7)) & 0x7FFFFFFF
        hashes[g] = (high << 31) | low


@njit(cache=True, nogil=True)
def first_misfit(
    words: Vocabulary,
    players: npt.NDArray[np.int8],
    codes: Codes,
    offsets: npt.NDArray[np.int64],
    plies: npt.NDArray[np.int32],
) -> None:
    """Per game the first event that its title does not know, or -1 (for canonical tables)."""
    for g in range(players.size):
        plies[g] = -1
        for i in range(offsets[g], offsets[g + 1]):
            row = codes[:, i]
            if not event_fits(words, players[g], row[0], row[1], row[2], row[3], row[4], row[5]):
                plies[g] = i - offsets[g]
                break
