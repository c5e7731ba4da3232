"""What statements in floats share: paths and generators of binary numbers, the exact EWS of the same, the distance."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from flint import fmpq
from hypothesis import strategies as st

import ewsmath
from ewsmath import Tensor
from ewsmath.rings import Ball, Balls
from ewsnn import EWSLayer, Increments, oracle
from ewsnn.arrays import Levels
from ewsnn.clocks import AbstractClock, Blended, Gated, Given, Observation, Time, Variation
from ewsnn.generators import AbstractGenerator, Diagonal, Rotation
from proofs_checks.agreement import at_most

STEPS, LETTERS, DEPTH = 7, 2, 3
"""The one shape of nearly all checks: an odd number of steps, and the depth that everything is compiled for."""

RING = Balls(128)
"""Where the exact side computes."""

EPS = fmpq(1, 2**52)

ROUND_OFF = oracle.EPS_PER_STEP * STEPS * EPS
"""What a path of so many steps may lose, relative to the largest entry of a level along it: 50 eps a step cover the
local EWS, the rounding of the clock, of the flow in each slot and of the product (``ewsnn.oracle``)."""


def in_double_precision(check: Callable[[st.DataObject], None]) -> Callable[[st.DataObject], None]:
    """A check with JAX's x64 flag on while it runs, and only then."""

    @functools.wraps(check)
    def run(data: st.DataObject) -> None:
        with jax.enable_x64(True):
            check(data)

    return run


def tenths(least: int, most: int) -> st.SearchStrategy[float]:
    """The floats next to least/10, …, most/10: none is tiny, and most have all their digits. Shrinks to zero."""
    return st.integers(least, most).map(lambda k: k / 10)


def arrays(shape: tuple[int, ...], entries: st.SearchStrategy[float]) -> st.SearchStrategy[np.ndarray]:
    """Arrays of a shape. Shrinks to what the entries shrink to."""
    count = int(np.prod(shape))
    return st.lists(entries, min_size=count, max_size=count).map(lambda flat: np.reshape(flat, shape))


def diagonals() -> st.SearchStrategy[AbstractGenerator]:
    """Diagonal generators with rates of either sign, ‖A‖ ≤ 1. Shrinks to the zero matrix."""
    return arrays((LETTERS,), tenths(-3, 10)).map(Diagonal)


def rotations() -> st.SearchStrategy[AbstractGenerator]:
    """Damped rotations with ‖A‖ ≤ 1. Shrinks to the zero matrix."""
    pairs = arrays((LETTERS // 2,), tenths(0, 7))
    return st.builds(Rotation, pairs, pairs)


def generators() -> st.SearchStrategy[AbstractGenerator]:
    """Generators of both families. Shrinks to the zero matrix."""
    return st.one_of(diagonals(), rotations())


def clocks() -> st.SearchStrategy[AbstractClock]:
    """Clocks of every kind that is made of increments, learned ones too. Shrinks to the clock Given."""
    return st.one_of(
        st.builds(Given),
        st.builds(Time),
        st.builds(Observation),
        st.builds(Variation),
        tenths(1, 9).map(Blended),
        st.builds(Gated, arrays((LETTERS,), tenths(-5, 5)), arrays((), tenths(0, 5))),
    )


def path_of(dx: np.ndarray, dt: np.ndarray, elapsed: np.ndarray) -> Increments:
    """A path of floats without padding."""
    return Increments(jnp.asarray(dx), jnp.asarray(dt), jnp.ones(dt.shape, bool), jnp.asarray(elapsed))


def path(data: st.DataObject) -> Increments:
    """A drawn path whose time stamps repeat and whose own clock stops and runs back. Shrinks to one that rests."""
    entries = (
        arrays((STEPS, LETTERS), tenths(-10, 10)),
        arrays((STEPS,), tenths(0, 10)),
        arrays((STEPS,), tenths(-3, 10)),
    )
    # Made here and not where it is drawn: type checks of tuples use `random`, which Hypothesis forbids there.
    return path_of(*data.draw(st.tuples(*entries)))


def with_clock(path: Increments, clock: AbstractClock) -> Increments:
    """The path with the increments of a clock, which is read once; all engines are compiled for the clock Given."""
    return eqx.tree_at(lambda read: read.elapsed, path, clock(path))


def exact_states(generator: AbstractGenerator, path: Increments, clock: AbstractClock) -> list[Tensor[Ball]]:
    """The EWS after each step in balls, by ``ewsmath``, of the very binary numbers; it runs a clock of its own."""
    layer = EWSLayer(np.eye(LETTERS, dtype=path.dx.dtype), generator, clock, DEPTH)
    return oracle.exact_stream(layer, path, prec=RING.prec)[1:]


def distance(found: Any, exact: Sequence[Ball]) -> fmpq:
    """An upper bound of the largest error of an entry, as an exact number."""
    pairs = zip(ewsmath.exact(np.ravel(found)), exact, strict=True)
    return max(((x - y).abs_upper() for y, x in pairs), default=fmpq(0))


def largest(states: Sequence[Tensor[Ball]], n: int) -> fmpq:
    """A lower bound of the largest entry that a level takes in some of the states."""
    entries = (x for state in states for x in state.level(n))
    return max((x.abs_upper() - 2 * x.radius for x in entries), default=fmpq(0))


def close(
    levels: Levels,
    exact: Tensor[Ball],
    states: Sequence[Tensor[Ball]],
    depth: int,
    what: str,
    allowed: fmpq = ROUND_OFF,
) -> None:
    """Demand that levels 1 to depth are exact to round-off, relative to the largest entry of each along the path.

    Args:
        levels: What the engine found.
        exact: What it should have found.
        states: The exact states along the path.
        depth: How many levels are compared.
        what: What was found, in words.
        allowed: What counts as round-off.

    Raises:
        Refuted: Where the error is larger.
    """
    for n in range(1, depth + 1):
        size = max(largest(states, n), fmpq(0))
        at_most(
            distance(levels[n - 1], exact.level(n)), allowed * size, f"the error of level {n} {what}, and round-off"
        )
