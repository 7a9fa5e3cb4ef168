"""Events by their text: a file repeats a few thousand events over and over, and each is understood once.

What is kept for a text is what `scan.scan_event` made of exactly these bytes, and a text is known only when all
its bytes are equal; so a memo changes how fast an event is read, never how.

Numba keeps the machine code of `scan`, which holds this module's, until scan.py itself is changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from pipeline.ingest.eights import EACH, bytes_to, eight_at, first_bytes, marked

SLOTS = 1 << 15
PROBES = 4
EIGHTS = 14
MOST_TEXT = 8 * EIGHTS
"""Bytes of the longest event that is kept; the longest in records of all titles have some 90."""

BRACES = EACH * np.uint64(ord("}"))
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)

Memo = Any
"""One block of memory: each slot's `length` in bytes (0: empty), its `text` filled up with zeros, its `codes`."""


def new_memo() -> Memo:
    """An empty memo, for the events of one title on one board. 4 MB, used as far as it fills."""
    kinds = [("text", np.uint64, (SLOTS, EIGHTS)), ("length", np.int32, (SLOTS,)), ("codes", np.int16, (SLOTS, 6))]
    return np.zeros(1, np.dtype((np.record, np.dtype(kinds))))[0]


@njit(cache=True, nogil=True)
def is_kept(memo: Memo, slot: int, address: int, length: int) -> bool:
    """Whether a slot holds exactly these bytes."""
    if memo.length[slot] != length:
        return False
    last = (length - 1) >> 3
    for k in range(last):
        if memo.text[slot, k] != eight_at(address + 8 * k):
            return False
    return bool(memo.text[slot, last] == first_bytes(eight_at(address + 8 * last), length - 8 * last))


@njit(cache=True, nogil=True)
def recall(memo: Memo, address: int, most: int) -> tuple[int, int]:
    """Look up the event whose opening brace is at an address: its slot and how many bytes it has, at most `most`.

    For an unknown event it is 0 bytes and the slot to `keep` it in: -1 if it has no end or is too long.
    """
    most = min(most, MOST_TEXT)
    hashed = np.uint64(0)
    length = 0
    eight = eight_at(address)
    mark = marked(eight, BRACES)
    while mark == 0:
        hashed = (hashed ^ eight) * MULTIPLIER
        hashed ^= hashed >> np.uint64(32)
        length += 8
        if length >= most:
            return -1, 0
        eight = eight_at(address + length)
        mark = marked(eight, BRACES)
    rest = bytes_to(mark)
    length += rest
    if length > most:
        return -1, 0
    first = int(((hashed ^ first_bytes(eight, rest)) * MULTIPLIER) >> np.uint64(32))
    for probe in range(PROBES):
        slot = (first + probe) & (SLOTS - 1)
        if is_kept(memo, slot, address, length):
            return slot, length
        if memo.length[slot] == 0:
            return slot, 0
    return first & (SLOTS - 1), 0


@njit(cache=True, nogil=True)
def keep(memo: Memo, slot: int, address: int, length: int) -> None:
    """Keep an event's text in a slot, whatever was there before; its codes are for the caller to put there."""
    memo.length[slot] = length
    last = (length - 1) >> 3
    for k in range(last):
        memo.text[slot, k] = eight_at(address + 8 * k)
    memo.text[slot, last] = first_bytes(eight_at(address + 8 * last), length - 8 * last)
