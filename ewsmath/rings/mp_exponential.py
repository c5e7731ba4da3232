"""The exponential of a matrix in the numbers of mpmath, at rising precision until two runs agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mpmath

_LARGEST_PRECISION = 2**16
"""Bits at which the exponential of a matrix gives up."""


def exponential(context: Any, values: Sequence[Any], size: int) -> list[Any] | None:
    """The exponential of a flat square matrix, to the precision of a context relative to its largest entry.

    Args:
        context: An mpmath context, which is left as it is.
        values: The size x size entries.
        size: Number of rows.

    Returns:
        The entries, with more digits than asked for; None when no two runs agree below 65536 bits.

    Raises:
        ValueError: An entry is not finite.

    >>> context = mpmath.MPContext()
    >>> exponential(context, [context.mpf(x) for x in (0, 3, 0, 0)], 2) == [1, 3, 0, 1]
    True
    """
    wider = mpmath.MPContext()
    wider.prec = context.prec + 32
    before = _taylor(wider, values, size)
    while wider.prec < _LARGEST_PRECISION:
        wider.prec *= 2
        found = _taylor(wider, values, size)
        difference = max(abs(x - y) for x, y in zip(before, found, strict=True))
        if difference <= max(map(abs, found)) * context.eps:
            return found
        before = found
    return None


def _taylor(context: Any, values: Sequence[Any], size: int) -> list[Any]:
    """The exponential at the precision of a context: Taylor's series on A/2^s, then s squarings."""
    real = not any(x.imag for x in values)
    make = context.make_mpf
    A = [make(x.real._mpf_) if real else context.mpc(make(x.real._mpf_), make(x.imag._mpf_)) for x in values]
    if not all(map(context.isfinite, A)):
        raise ValueError("the exponential of a matrix needs finite entries")
    norm = max(context.fsum(map(abs, A[k : k + size])) for k in range(0, size * size, size))
    squarings = max(0, int(context.mag(norm)) + 4) if norm else 0  # then the norm is at most 1/16
    A = [x * context.mpf(2) ** -squarings for x in A]
    total = term = [context.mpf(int(k % (size + 1) == 0)) for k in range(size * size)]
    k = 0
    while max(map(abs, term)) > context.eps:
        k += 1
        term = [x / k for x in _product(context, term, A, size)]
        total = [x + y for x, y in zip(total, term, strict=True)]
    for _ in range(squarings):
        total = _product(context, total, total, size)
    return total


def _product(context: Any, a: Sequence[Any], b: Sequence[Any], size: int) -> list[Any]:
    """The product of two flat square matrices; zeros are skipped, since Opitz's matrices are triangular."""
    below = [[(j, y) for j, y in enumerate(b[k : k + size]) if y] for k in range(0, size * size, size)]
    result = []
    for k in range(0, size * size, size):
        row = [context.zero] * size
        for x, entries in zip(a[k : k + size], below, strict=True):
            if x:
                for j, y in entries:
                    row[j] += x * y
        result += row
    return result
