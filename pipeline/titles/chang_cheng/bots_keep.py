"""Chang Cheng: how simple players keep the best of what they weigh."""

from __future__ import annotations

from pipeline.titles.state import Ints, Longs, random_word, rule

LOW = -(1 << 30)
NOISE = 30


@rule
def keep(options: Ints, count: int, seat: int, action: int, item: int, place: int, target: int, weight: int) -> int:
    """Add an option, in the place of the lightest one if there is no room; how many there are."""
    at = count
    if count == options.shape[0]:
        at = 0
        for i in range(1, count):
            if options[i, 5] < options[at, 5]:
                at = i
        if options[at, 5] >= weight:
            return count
    else:
        count += 1
    options[at, 0], options[at, 1], options[at, 2] = seat, action, item
    options[at, 3], options[at, 4], options[at, 5] = place, target, weight
    return count


@rule
def chance(rng: Longs) -> int:
    return random_word(rng) >> 2
