"""What checks of bounds need: lengths and norms that are known, and an order of sums of exponentials, decided."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from flint import fmpq
from hypothesis import strategies as st

from ewsmath import EE, Matrix
from ewsmath.generators import AbstractGenerator, Diagonal, Rotation
from ewsmath.strategies import rationals
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece

_DIRECTIONS = ((1, 0), (0, 1), (fmpq(3, 5), fmpq(4, 5)), (fmpq(-4, 5), fmpq(3, 5)), (0, -1))
"""Unit vectors of the plane with rational entries."""


class Move(NamedTuple):
    """A linear piece whose Euclidean length is known.

    Attributes:
        elapsed: The clock increment.
        v: The increment of the path, in R^2.
        length: ‖v‖, a rational.
    """

    elapsed: fmpq
    v: list[fmpq]
    length: fmpq


def moves(elapsed: st.SearchStrategy[fmpq], *, min_size: int = 1, max_size: int = 2) -> st.SearchStrategy[list[Move]]:
    """Pieces of a path in R^2, in directions of rational slope. Shrinks to one piece that rests."""
    lengths = st.builds(fmpq, st.integers(0, 3), st.integers(1, 2))
    directions = st.sampled_from(_DIRECTIONS)
    piece = st.builds(lambda r, e, c: Move(r, [c * x for x in e], c), elapsed, directions, lengths)
    return st.lists(piece, min_size=min_size, max_size=max_size)


CLOCK = rationals(max_numerator=3, max_denominator=2)
"""Clock increments of any sign."""

LIFTS = (([[1, 0], [0, 1]], fmpq(1)), ([[3, 4], [-4, 3]], fmpq(5)), ([[0, fmpq(1, 2)], [2, 0]], fmpq(2)))
"""Lifts with their operator norms."""


def normal_generators() -> st.SearchStrategy[tuple[AbstractGenerator, list[fmpq]]]:
    """Generators of R^2 with ‖e^{-rA}‖ = max e^{-λr}, and these real parts λ of the spectrum."""
    pairs = st.lists(CLOCK, min_size=2, max_size=2)
    diagonal = pairs.map(lambda rates: (Diagonal(rates), rates))
    return st.one_of(diagonal, pairs.map(lambda pair: (Rotation(*pair), pair[:1])))


def extremes(elapsed: Sequence[fmpq]) -> list[fmpq]:
    """The least and the largest value of θ_t − θ_u for u in [s, t]; it is 0 at u = t."""
    values = list(accumulate(reversed(elapsed), initial=fmpq(0)))
    return [min(values), max(values)]


def largest_propagator(rates: Sequence[fmpq], elapsed: Sequence[fmpq]) -> Any:
    """C = sup ‖e^{-(θ_t−θ_u)A}‖ of a normal generator: e^{-λR} is monotone in R."""
    return largest(EE.exp(EE.coerce(-rate * R)) for rate in rates for R in extremes(elapsed))


def lifted(rows: Sequence[Sequence[Any]], path: Sequence[Move]) -> list[Piece]:
    """The pieces of BX."""
    B = Matrix(EE, rows)
    return [Piece(move.elapsed, B.apply([EE.coerce(x) for x in move.v])) for move in path]


def square(entries: Iterable[Any]) -> Any:
    """‖x‖², the sum of the squares of real numbers, in EE."""
    total = EE.zero
    for x in entries:
        total = total + EE.coerce(x) * EE.coerce(x)
    return total


def largest(numbers: Iterable[Any]) -> Any:
    """The largest of real numbers of EE."""
    first, *rest = map(EE.coerce, numbers)
    for x in rest:
        first = EE.maximum(first, x)
    return first


def not_above(left: Any, right: Any, what: str) -> None:
    """Demand left ≤ right of two real numbers of EE: the order is decided, equality included.

    Args:
        left: The smaller one.
        right: The larger one.
        what: The comparison in words.

    Raises:
        Refuted: Where left > right.
    """
    right = EE.coerce(right)
    agree(largest([left, right]), right, f"{what}: the larger of the two and the second")


def above(left: Any, right: Any, what: str) -> None:
    """Demand left > right of two real numbers of EE: how a bound fails without one of its hypotheses.

    Raises:
        Refuted: Where left ≤ right.
    """
    larger = EE.coerce(left) - EE.coerce(right)
    agree(bool(larger) and largest([larger, 0]) == larger, True, f"{what}: that {left} is more than {right}")
