"""Signatures of integer paths, a whole level at a time: its coefficients packed into one long integer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import comb

_BYTE = 8


def integer_signature(increments: Sequence[Sequence[int]], depth: int) -> list[list[int]]:
    r"""The levels of the signature of a path with integer increments, made whole by factorials.

    .. math:: T_n = n!\, S^{(n)} ∈ \mathbb{Z}^{m^n}, \qquad
        \exp(v) ⊗ S \;\mapsto\; \sum_{k=0}^n \binom{n}{k}\, v^{⊗(n-k)} ⊗ T_k

    The coefficients of a level are the digits, in base 2^B and of either sign, of one integer: the word with place p
    among those of its length stands at 2^{Bp}. So a vector times a level is m products of a long integer with a
    short one and m shifts, and no word is looked at before the end.

    Args:
        increments: J vectors of m integers, in the order of the path; J and m are at least 1.
        depth: Truncation depth N.

    Returns:
        Levels 0 to N, each a flat list of m^n integers in lexicographic order of the words.

    >>> integer_signature([[1, 2], [3, 0]], 2)
    [[1], [4, 2], [16, 2, 14, 4]]
    """
    m = len(increments[0])
    # |n! S^(n)| at any word is at most (Σ_j max_i |v_j^i|)^n; a bit for the sign, and whole bytes.
    length = sum(max(map(abs, v)) for v in increments).bit_length()
    width = (length * depth + 1) // _BYTE + 1
    places = [_BYTE * width * m**k for k in range(depth)]
    levels = [1] + [0] * depth
    # From the last increment to the first, so that the new letters come in front and shift whole levels.
    for v in reversed(increments):
        longer = [1]
        for n in range(1, depth + 1):
            # Horner's rule: v ⊗ (⋯ v ⊗ (v ⊗ T_0 + n T_1) + C(n,2) T_2 ⋯) + T_n.
            rest = 1
            for k in range(1, n + 1):
                rest = _joined([x * rest for x in v], places[k - 1]) + comb(n, k) * levels[k]
            longer.append(rest)
        levels = longer
    return [_digits(level, m**n, width) for n, level in enumerate(levels)]


def _joined(parts: list[int], places: int) -> int:
    """The sum Σ_i parts[i] 2^(i places), by halves, since a long integer is copied at each sum."""
    while len(parts) > 1:
        pairs = zip_longest(parts[::2], parts[1::2], fillvalue=0)
        parts = [first + (second << places) for first, second in pairs]
        places *= 2
    return parts[0]


def _digits(level: int, count: int, width: int) -> list[int]:
    """The digits between ±2^(B-1) of an integer in base 2^B, B = 8 width, lowest first."""
    # With 2^(B-1) added to each, all digits are bytes that stand for themselves.
    half = 1 << (_BYTE * width - 1)
    offset = int.from_bytes(half.to_bytes(width, "little") * count, "little")
    written = (level + offset).to_bytes(width * count, "little")
    return [int.from_bytes(written[i : i + width], "little") - half for i in range(0, width * count, width)]
