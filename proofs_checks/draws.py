"""What checks draw: depths, which the runner can hold at one, exact generators, and the pieces of a path."""

import contextlib
import contextvars
from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import strategies as st

from ewsmath import EE, QQ, generators
from ewsmath.generators import AbstractGenerator
from ewsmath.rings import Ring
from ewsmath.strategies import generators as any_generators
from ewsmath.strategies import rationals

_ONLY: contextvars.ContextVar[int | None] = contextvars.ContextVar("only depth", default=None)


def depths(max_depth: int = 3) -> st.SearchStrategy[int]:
    """Depths 1 … max_depth. Shrinks to depth one."""
    only = _ONLY.get()
    return st.integers(1, max_depth) if only is None else st.just(only)


def each_depth(max_depth: int = 3) -> range:
    """Depths 1 … max_depth one after the other, for checks that draw nothing."""
    only = _ONLY.get()
    return range(1, max_depth + 1) if only is None else range(only, only + 1)


@contextlib.contextmanager
def only_depth(depth: int) -> Iterator[None]:
    """Within the block, every check draws this depth."""
    token = _ONLY.set(depth)
    try:
        yield
    finally:
        _ONLY.reset(token)


class Piece(NamedTuple):
    """A linear piece of a lifted path.

    Attributes:
        elapsed: The clock increment r, of any sign, or zero.
        v: The increment BΔX.
    """

    elapsed: Any
    v: list[Any]


def exact_generators(ring: Ring[Any], *, max_dim: int = 2) -> st.SearchStrategy[AbstractGenerator]:
    """Generators whose EWS lies in a ring: nilpotent ones in QQ, any with spectrum in Q(i) in EE.

    Shrinks to the zero generator, or to the first family with small rates.
    """
    if ring == QQ:
        sizes = st.integers(1, max_dim)
        return st.one_of(sizes.map(generators.Zero), sizes.map(lambda size: generators.Jordan(0, size)))
    return any_generators(max_dim=max_dim).filter(lambda generator: generator.ring == EE)


def pieces(dim: int, *, min_size: int = 1, max_size: int = 3) -> st.SearchStrategy[list[Piece]]:
    """Pieces of a path in R^dim; clocks stop, and run back, in some. Shrinks to one piece that rests."""
    small = rationals(max_numerator=2, max_denominator=2)
    vectors = st.lists(small, min_size=dim, max_size=dim)
    return st.lists(st.builds(Piece, small, vectors), min_size=min_size, max_size=max_size)
