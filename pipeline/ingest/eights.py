"""Text read eight bytes at a time in compiled code.

Eight bytes are one uint64, the first byte the lowest (the order of every machine that Numba runs on). Text is
given by its address, since Numba counts references of an array at each call, which would cost more than reading.

Numba keeps the machine code of `scan`, which holds this module's, until scan.py itself is changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

EACH = np.uint64(0x0101010101010101)
HIGHEST = np.uint64(0x8080808080808080)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def _eight_at(context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(builder.inttoptr(values[0], ir.IntType(64).as_pointer()), align=1)

    return types.uint64(types.intp), generate


def _zeros_below(context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


eight_at: Any = intrinsic(_eight_at)
"""eight_at(address): the eight bytes there. Nothing is checked: they must be a text's or its padding."""
zeros_below: Any = intrinsic(_zeros_below)
"""zeros_below(value): how many zero bits there are below the lowest one bit; the value must not be 0."""


@njit(cache=True, nogil=True)
def marked(eight: np.uint64, wanted: np.uint64) -> np.uint64:
    """0 if none of eight bytes is the wanted one (given eight times); else its lowest one bit is in the first."""
    other = eight ^ wanted
    return (other - EACH) & ~other & HIGHEST


@njit(cache=True, nogil=True)
def bytes_to(mark: np.uint64) -> int:
    """How many bytes there are up to the first one that `marked` found, itself included."""
    return int(zeros_below(mark) >> np.uint64(3)) + 1


@njit(cache=True, nogil=True)
def first_bytes(eight: np.uint64, count: int) -> np.uint64:
    """The first 1 to 8 of eight bytes, the others 0."""
    return eight & (ALL >> np.uint64(64 - 8 * count))
