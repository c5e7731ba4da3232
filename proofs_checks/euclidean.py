"""What checks of bounds need: vectors of rational length, and an order of sums of exponentials that is decided."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from flint import fmpq
from hypothesis import strategies as st

from ewsmath import EE
from proofs_checks.agreement import agree

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
