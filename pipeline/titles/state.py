"""What compiled rules share: states in one block of memory, points, faults, random numbers.

Everything here is the subset of Python that Numba compiles, and runs uncompiled too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

F = TypeVar("F", bound=Callable[..., Any])

# Faults that every title has; a title's own codes start at 20.
NO_FAULT = 0
FORM = 1
AFTER_END = 2
TRUNCATED = 3
WRONG_SEAT = 5
WRONG_PHASE = 6

COMMON_FAULTS: dict[int, tuple[str, str]] = {
    AFTER_END: ("after_end", "the game is already over"),
    TRUNCATED: ("truncated", "the record ends before the game is over"),
    WRONG_SEAT: ("wrong_seat", "it is the turn of seat {a}, not of seat {seat}"),
    WRONG_PHASE: ("wrong_phase", "{action} cannot stand here"),
}


def rule(function: F) -> F:
    """A function of the rules: called from Python it is itself, called from a loop it is compiled."""
    compilable: F = register_jitable(function)
    return compilable


def inlined(function: F) -> F:
    """A rule that is compiled into its caller, `apply` into the loop: spares a call for each event."""
    compilable: F = register_jitable(inline="always")(function)
    return compilable


def ints(*shape: int) -> Any:
    """In a Layout: a field of int32 with this shape; without shape a single number."""
    return np.dtype((np.int32, shape))


class Layout:
    """Named int32 fields in one block of memory; states, boards and the like derive from it.

    A field is written `name: Ints = ints(5, 4)` or `name: int = ints()`. Compiled code sees a pointer
    to a struct (no reference counts, unlike tuples of arrays), Python a NumPy record.
    """

    def __init_subclass__(cls) -> None:
        # A NumPy record has methods of its own, which would hide a field: `round`, `item`, `sort`.
        hidden = [name for name in cls.fields() if hasattr(np.record, name)]
        if hidden:
            raise TypeError(f"{cls.__name__} needs another name for {', '.join(hidden)}")

    @classmethod
    def fields(cls) -> dict[str, np.dtype[Any]]:
        return {name: kind for name, kind in vars(cls).items() if isinstance(kind, np.dtype)}

    @classmethod
    def new(cls) -> Self:
        """All zero."""
        return cast(Self, cls.block()[0])

    @classmethod
    def block(cls, count: int = 1, **more: np.dtype[Any]) -> Any:
        """An array of `count` of them, all zero, with `more` fields behind the class's own.

        `memory_of` gives the same memory as plain numbers.
        """
        fields = cls.fields() | more
        kinds = [(name, kind.base, kind.shape) if kind.shape else (name, kind) for name, kind in fields.items()]
        return np.zeros(count, np.dtype((np.record, np.dtype(kinds)))).view(np.recarray)


def memory_of(block: npt.NDArray[Any]) -> Ints:
    """A block's memory [numbers]: copying it copies a state."""
    memory: Ints = block.view(np.int32)
    return memory


MOST_EVENTS_A_PLY = 512
SINK_EVENTS = 1 << 16


class Sink(Layout):
    """The score events of a batch of games, `count` of them; those of the ply at hand begin at `first`.

    Events before `before` stand at the ply before: its event was the last of a turn, which nobody could
    know until another event came. The rules write an event once, where it stays; the loop adds the ply.
    """

    first: int = ints()
    before: int = ints()
    count: int = ints()
    ply: Ints = ints(SINK_EVENTS)
    seat: Ints = ints(SINK_EVENTS)
    source: Ints = ints(SINK_EVENTS)
    place: Ints = ints(SINK_EVENTS)
    points: Ints = ints(SINK_EVENTS)


@rule
def empty_sink(sink: Sink, count: int) -> None:
    """Keep the first `count` events, and begin a ply."""
    sink.first = count
    sink.before = count
    sink.count = count


@rule
def award(score: Ints, sink: Sink, seat: int, source: int, place: int, points: int) -> None:
    """Give a seat points (below 0: take them), and note the score event.

    Points of one ply, seat, source and place are one event: their sum.
    """
    if points == 0:
        return
    for i in range(sink.before, sink.count):
        if sink.seat[i] == seat and sink.source[i] == source and sink.place[i] == place:
            score[seat] += points
            sink.points[i] += points
            return
    note(score, sink, seat, source, place, points)


@rule
def note(score: Ints, sink: Sink, seat: int, source: int, place: int, points: int) -> None:
    """As `award`, for an event that is surely the only one of its ply, seat, source and place.

    One of no points is overwritten by the next: a store costs less than a branch that none can foresee.
    """
    score[seat] += points
    i = sink.count
    sink.seat[i] = seat
    sink.source[i] = source
    sink.place[i] = place
    sink.points[i] = points
    sink.count = i + (points != 0)


# Random numbers for simulation: xorshift128 of 32-bit words in int64, which neither NumPy nor Numba
# lets overflow, so that compiled and uncompiled games are the same (Marsaglia 2003).
MASK = 0xFFFFFFFF


@rule
def random_word(rng: Longs) -> int:
    """The next 32 random bits of `rng` (four words, not all zero)."""
    t = rng[3]
    t = (t ^ (t << 11)) & MASK
    t ^= t >> 8
    s = rng[0]
    rng[3] = rng[2]
    rng[2] = rng[1]
    rng[1] = s
    rng[0] = t ^ s ^ (s >> 19)
    return int(rng[0])


@rule
def random_below(rng: Longs, n: int) -> int:
    """A whole number from 0 to n-1, n < 2**31; the bias is below n / 2**32."""
    return (random_word(rng) * int(n)) >> 32


@rule
def random_weighted(rng: Longs, weights: Ints) -> int:
    """An index with a chance in proportion to its weight (a card out of a multiset)."""
    total = 0
    for i in range(weights.size):
        total += weights[i]
    left = random_below(rng, total)
    for i in range(weights.size):
        left -= weights[i]
        if left < 0:
            return i
    return weights.size - 1


def random_seeds(seed: int, first: int, count: int) -> npt.NDArray[np.int64]:
    """Four words for each of the games first..first+count-1 of a seed, by splitmix64 [count, 4]."""

    def u64(number: int) -> npt.NDArray[np.uint64]:
        return np.full((1, 1), number, np.uint64)

    words_before = np.arange(4 * first, 4 * (first + count), dtype=np.uint64).reshape(count, 4)
    x = words_before + u64(1) + u64(seed % 2**63) * u64(0x2545F4914F6CDD1D)
    x = x * u64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> u64(27))) * u64(0x94D049BB133111EB)
    x = x ^ (x >> u64(31))
    words: npt.NDArray[np.int64] = (x & np.uint64(MASK)).astype(np.int64)
    words[:, 0] |= 1
    return words
