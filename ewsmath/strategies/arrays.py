"""Strategies for NumPy arrays of floats: paths and levels for libraries that compute in floating point.

Every number is a finite number of the dtype, with no rounding on the way. A path, or a tensor, is one draw of bytes, so
that hundreds of numbers cost hardly more than one; the bits of a byte are placed so that dropping the high ones leaves
a small whole number, which is how Hypothesis shrinks.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from ewsmath.floats import FloatFormat, float_format
from ewsmath.interop import to_array
from ewsmath.rings.door import whole
from ewsmath.strategies.built import built
from ewsmath.strategies.sizes import check_drawable, limits
from ewsmath.words import size

_REPEATED = 2**48 + 2**32 + 2**16 + 1  # times 16 bits: the same bits four times
_AXES = 64
"""The most axes of an array of NumPy 2."""

_DIGITS = 4
"""Bytes that say what the digits behind the point are; ahead of the numbers, so that they shrink away first."""


def path_arrays(
    dim: int,
    *,
    dtype: Any = "float64",
    min_points: int = 2,
    max_points: int = 8,
    max_value: float = 8.0,
    subnormals: bool = False,
) -> st.SearchStrategy[Any]:
    """The points of paths in R^dim, as arrays of shape (points, dim).

    A path goes from place to place, may rest at one or come back to it, and is now and then at 0; it has no more than
    255 other places. With many points, or in half precision, choose ``max_value`` so that the deepest level stays
    finite: its entries reach V^n/n!, where V is the length of the path.

    Args:
        dim: Number of channels d.
        dtype: The dtype: ``"float16"``, ``"float32"``, ``"float64"``, or NumPy's own objects for them.
        min_points: The smallest number of points; give 1 to functions that take a single point.
        max_points: The largest number of points.
        max_value: The largest absolute value; the largest number of the dtype where that is less.
        subnormals: Whether numbers below the smallest normal one are drawn, which some devices flush to zero.

    Returns:
        The strategy. Shrinks to a short path that rests at 0, then to one of small whole numbers.

    Raises:
        ValueError: The dtype is unknown, a number is out of range, or a path takes more than 4000 numbers.
        TypeError: A number of points or channels is no whole number.

    >>> from hypothesis import find
    >>> find(path_arrays(2), lambda x: x[-1, 0] > 1).tolist()
    [[0.0, 0.0], [2.0, 0.0]]
    """
    dim = whole(dim, "path_arrays: dim")
    min_points, max_points = limits("path_arrays", "points", min_points, max_points, at_least=1)
    format = float_format(dtype)
    places = min(max_points, 255)
    check_drawable("path_arrays", dim * places + min_points)
    read = _reader(format, max_value, subnormals)

    def build(drawn: bytes) -> Any:
        values = read(drawn[: _DIGITS + dim * places])
        rows = [[0.0] * dim, *(values[k : k + dim] for k in range(0, len(values), dim))]
        return to_array([rows[byte % len(rows)] for byte in drawn[_DIGITS + dim * places :]], format.name)

    # The places, then the way through them, on which one byte is one point, so that any of them can be left out. A
    # point that does not matter shrinks to 0, which is there before all places.
    return built(build, _bytes(dim * places + min_points, dim * places + max_points))


def level_arrays(
    dim: int, depth: int, *, dtype: Any = "float64", max_value: float = 8.0, subnormals: bool = False
) -> st.SearchStrategy[list[Any]]:
    """Tensors as lists of arrays, level n = 0, …, depth with n axes of size dim.

    Levels have at most 4000 entries together, such as two letters to depth 10, or three to depth 7; one letter has at
    most 64 levels above level 0, for arrays have no more axes.

    Args:
        dim: Number of letters m.
        depth: Truncation depth N.
        dtype: The dtype, as in :func:`path_arrays`.
        max_value: The largest absolute value, as in :func:`path_arrays`.
        subnormals: Whether numbers below the smallest normal one are drawn.

    Returns:
        The strategy. Shrinks to 0, then to small whole numbers.

    Raises:
        ValueError: The dtype is unknown, a number is out of range, or the levels have more than 4000 entries or
            64 axes.
        TypeError: ``dim`` or ``depth`` is no whole number.

    >>> from hypothesis import find
    >>> [level.tolist() for level in find(level_arrays(2, 2), lambda a: a[2][0, 1] > 3)]
    [0.0, [0.0, 0.0], [[0.0, 4.0], [0.0, 0.0]]]
    """
    dim, depth = whole(dim, "level_arrays: dim"), whole(depth, "level_arrays: depth")
    format = float_format(dtype)
    read = _reader(format, max_value, subnormals)
    check_drawable("level_arrays", size(dim, depth))
    if depth > _AXES:
        raise ValueError(f"level_arrays: depth is at most {_AXES}, the most axes of an array, got {depth}")
    ends = [0, *(size(dim, n) for n in range(depth + 1))]

    def build(numbers: bytes) -> list[Any]:
        values = read(numbers)
        return [to_array(values[ends[n] : ends[n + 1]], format.name, (dim,) * n) for n in range(depth + 1)]

    return built(build, _bytes(ends[-1], ends[-1]))


def _bytes(least: int, most: int) -> st.SearchStrategy[bytes]:
    """The digits and so many bytes more, as one draw: a second one would cost as much as all that is made of it."""
    return st.binary(min_size=_DIGITS + least, max_size=_DIGITS + most)


def _reader(format: FloatFormat, max_value: float, subnormals: bool) -> Callable[[bytes], list[float]]:
    """The function that makes numbers of the format from bytes."""
    _bound(format, max_value)  # refused when the strategy is made, not when it draws

    def read(numbers: bytes) -> list[float]:
        tables = [_table(format, max_value, subnormals, digits) for digits in numbers[:_DIGITS]]
        return [tables[j % _DIGITS][byte] for j, byte in enumerate(numbers[_DIGITS:])]

    return read


def _bound(format: FloatFormat, max_value: float) -> float:
    """The largest number of the format that is at most ``max_value``."""
    if not max_value >= 2.0**format.least:
        raise ValueError(f"max_value must be a normal number of {format.name}, got {max_value}")
    mantissa, exponent = math.frexp(min(float(max_value), float(int(format.largest))))
    return math.ldexp(math.floor(math.ldexp(mantissa, format.bits)), exponent - format.bits)


@lru_cache(maxsize=1024)
def _table(format: FloatFormat, max_value: float, subnormals: bool, pattern: int) -> list[float]:
    """The numbers that the 256 bytes stand for.

    The low five bits are a number k, the next is the sign, and the high two say what k means: 0 for k itself, 1 for k
    less some eighths, 3 for k less a fraction with all digits (made from the pattern, none for 0), 2 for a power of
    two, from the smallest normal number, or below it, to the bound. Hypothesis tries a byte without its highest bit,
    and so on: a fraction is rounded up.
    """
    bound = _bound(format, max_value)
    top = math.frexp(bound)[1] - 1
    unit = min(0, top - 3)  # numbers below 1 are counted in eighths of the largest power of two
    most = min(31, math.floor(math.ldexp(bound, -unit)))
    tail = format.bits - (most - 1).bit_length()  # binary digits behind the point, as many as are left by k
    fraction = math.ldexp((pattern * 257 * _REPEATED) >> 64 - tail, -tail)

    def power(k: int) -> float:
        if k % 4 == 3 and subnormals:
            return 2.0 ** (format.least - k * (format.bits - 1) // 31)
        return 2.0 ** (top * (k + 1) // 32 if k % 2 else format.least * k // 32)

    found = []
    for byte in range(256):
        kind, k = byte >> 6, byte & 31
        less = (0.0, (2 * (k % 4) + 1) / 8, 0.0, fraction)[kind]
        x = power(k) if kind == 2 else math.ldexp(abs(k % (most + 1) - less), unit)
        x = min(x, bound) if x >= 2.0**format.least or subnormals else 0.0
        found.append(-x if byte & 32 else x)
    return found
