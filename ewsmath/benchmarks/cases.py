"""The cases: what the exact side has to be fast at."""

from __future__ import annotations

from math import comb
from random import Random
from typing import Any

from flint import fmpq

from ewsmath.benchmarks.opponents import signature_opponents
from ewsmath.benchmarks.timing import Case
from ewsmath.ews import EWS, Segment, chen
from ewsmath.generators import Jordan
from ewsmath.lie import bch
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.rings import EE, QQ
from ewsmath.signature import signature
from ewsmath.tensor import TensorAlgebra
from ewsmath.words import shuffle

_LARGEST = 9
_BCH_TWO_LETTERS = {1: 1, 2: fmpq(1, 2), 3: fmpq(1, 12), 4: 0, 5: fmpq(-1, 720)}
"""The coefficient of 1…12 in log(e^1 e^2), by the number of its letters: the Bernoulli numbers over factorials."""


def cases(*, small: bool = False) -> tuple[Case, ...]:
    """All cases.

    Args:
        small: Whether sizes are small, so that all is done in a second: a check, no measurement.

    Returns:
        The cases; the bars are for the full sizes.

    >>> [case.run() for case in cases(small=True)][1:3]
    [True, True]
    """
    return (
        rational_signature(dim=2, depth=3, pieces=3) if small else rational_signature(dim=3, depth=6, pieces=20),
        jordan_group(size=2, depth=2) if small else jordan_group(size=3, depth=4),
        shuffle_of_two_words(length=3 if small else 8),
        bch_of_two_letters(depth=4 if small else 10),
    )


def rational_signature(dim: int, depth: int, pieces: int) -> Case:
    """The signature of a path with small rational increments, drawn with a fixed seed.

    Args:
        dim: Number of channels d.
        depth: Truncation depth N.
        pieces: The number of increments.

    Returns:
        The case.

    >>> rational_signature(dim=2, depth=3, pieces=3).name
    'rational signature, d=2, depth 3, 3 increments'
    """
    draw = Random(dim * depth)
    increments: list[list[fmpq]] = []
    while len(increments) < pieces:
        increments.append([fmpq(draw.randint(-_LARGEST, _LARGEST), draw.randint(1, _LARGEST)) for _ in range(dim)])
    path = PiecewiseLinearPath.from_increments(increments)
    return Case(
        f"rational signature, d={dim}, depth {depth}, {pieces} increments",
        lambda: signature(path, depth).coefficients,
        opponents=signature_opponents(increments, depth),
    )


def jordan_group(size: int, depth: int) -> Case:
    """Modified Chen at a split piece, associativity of ⋆ and all shuffles, decided in EE for a Jordan block.

    Args:
        size: The size m of the block.
        depth: Truncation depth N.

    Returns:
        The case.

    >>> jordan_group(size=2, depth=2).run()
    True
    """
    generator = Jordan(1, size)
    v, w, x = ([QQ.ratio(i + j, 2 if i % 2 else 1) for j in range(size)] for i in range(1, 4))
    third = QQ.ratio(1, 3)

    def run() -> tuple[bool, bool, bool]:
        ews = EWS(generator, depth=depth)
        # The clock stands still on the second piece.
        a, b, c = (segment(ews, r, dx) for r, dx in ((QQ.one, v), (QQ.zero, w), (QQ.ratio(1, 2), x)))
        first = segment(ews, third, [third * y for y in v])
        second = segment(ews, 1 - third, [(1 - third) * y for y in v])
        whole = chen(chen(a, b), c)
        return chen(first, second) == a, whole == chen(a, chen(b, c)), whole.ews.is_group_like()

    name = f"Jordan(1), m={size}, depth {depth}, in EE: Chen, associativity, all shuffles"
    return Case(name, lambda: _checked(name, all(run())), bar=0.4)


def segment(ews: EWS, elapsed: fmpq, dx: list[fmpq]) -> Segment:
    """The segment of one linear piece.

    Args:
        ews: The EWS.
        elapsed: The clock time that elapses.
        dx: The increment of the path.

    Returns:
        The segment.

    >>> segment(EWS(Jordan(0, 1), depth=1), QQ.one, [QQ.ratio(1, 2)]).ews
    1 + 1/2*e1
    """
    return Segment(ews.generator, EE.coerce(elapsed), ews.local(elapsed, dx))


def shuffle_of_two_words(length: int) -> Case:
    """The shuffle of two words without a letter in common, with an empty cache.

    Args:
        length: The number of letters of each.

    Returns:
        The case.

    >>> shuffle_of_two_words(length=3).run()
    True
    """
    u, w = tuple(range(1, length + 1)), tuple(range(length + 1, 2 * length + 1))
    name = f"shuffle of two words of length {length}"

    def run() -> Any:
        shuffle.cache_clear()
        return _checked(name, len(shuffle(u, w)) == comb(2 * length, length))

    return Case(name, run, bar=0.02)


def bch_of_two_letters(depth: int) -> Case:
    """The Baker-Campbell-Hausdorff series of two letters, in the Lyndon basis.

    Args:
        depth: Truncation depth N.

    Returns:
        The case.

    >>> bch_of_two_letters(depth=4).run()
    True
    """
    T = TensorAlgebra(QQ, dim=2, depth=depth)
    name = f"BCH of two letters to depth {depth}"

    def run() -> Any:
        series = bch(T.letter(1), T.letter(2), basis="lyndon words")
        return _checked(name, all(series[(*(1,) * (n - 1), 2)] == c for n, c in _BCH_TWO_LETTERS.items() if n <= depth))

    return Case(name, run, bar=3.0)


def _checked(name: str, is_right: bool) -> bool:
    if not is_right:
        raise ArithmeticError(f"{name}: the result is wrong")
    return is_right
