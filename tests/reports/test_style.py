"""Texts from the data, and numbers, as figures and tables show them."""

from __future__ import annotations

import colorsys
import itertools

import pytest

from reports import style
from reports.numbers import shown


def test_texts_are_one_short_line() -> None:
    assert style.plain("two\nlines\tand  tabs") == "two lines and tabs"
    long = style.plain("x" * 300)
    assert len(long) == style.LONGEST and long.endswith("\u2026")


def test_letters_without_a_font_become_a_box() -> None:
    assert style.plain("a\U0001f9ff\ue000b").startswith("a")
    assert style.MISSING in style.plain("\ue000")
    assert "\u202e" not in style.plain("\u202eabc")


def test_wide_letters_count_twice() -> None:
    assert style.columns_of("ab\u738b") == 4


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, "number", ""), (float("nan"), "points", ""), (float("inf"), "number", "\u221e"),
        (1234567, "whole", "1,234,567"),
        (0.1234, "share", "12.3%"), (-0.04, "points", "0.0"), (-1.25, "points", "\u22121.2"), (3.0, "points", "+3.0"),
        (0.0004, "p", "< 0.001"), (0.25, "p", "0.250"), ("<b>", "text", "<b>"), (12345.6, "number", "12,346"),
    ],
)  # fmt: skip
def test_numbers(value: object, kind: str, text: str) -> None:
    assert shown(value, kind) == text  # type: ignore[arg-type]


def test_seat_colours_differ_in_grey() -> None:
    def grey(colour: str) -> float:
        r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return colorsys.rgb_to_yiq(r, g, b)[0]

    steps = [grey(colour) for colour in style.SEATS]
    assert steps == sorted(steps)
    assert min(b - a for a, b in itertools.pairwise(steps)) > 0.08


def test_seats_beyond_the_palette_have_another_marker() -> None:
    looks = [tuple(style.seat_look(seat).values()) for seat in range(12)]
    assert len(set(looks)) == 12


@pytest.mark.parametrize(("seat", "name"), [(0, "1st"), (1, "2nd"), (2, "3rd"), (3, "4th"), (10, "11th")])
def test_seat_names(seat: int, name: str) -> None:
    assert style.seat_name(seat) == name
