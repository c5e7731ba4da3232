r"""The EWS by matrix products over the re-weighted path.

Over a fixed interval the EWS is the plain signature of :math:`Z_τ = \int_s^τ e^{-(θ_t-θ_u)A} B \, dX_u`, the path with
each step weighted to the end (Proposition 3). Its velocity is computed at Gauss–Legendre nodes, as many in each step as
the bound of :mod:`ewsnn.engine.bound` asks for; the rest is :func:`ewsnn.engine.nodes.signature_at_nodes`. Long paths
are cut into spans, joined by the modified Chen identity. Where a step turns too far for nodes, and where the states
after every step are asked for, spans go step by step, and the backward pass computes them again: memory never grows
like the number of steps times the size of a state.
"""

import functools
import math
from collections.abc import Callable
from typing import TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.arrays import Levels
from ewsnn.engine.bound import ladder, rung
from ewsnn.engine.local import dense_segments, local_segments
from ewsnn.engine.nodes import signature_at_nodes
from ewsnn.engine.quadrature import gauss_legendre
from ewsnn.engine.scan import Segment, extend, last, reduce_sequential, scan_sequential
from ewsnn.engine.spans import in_spans, later, out_of_spans
from ewsnn.engine.straight import signature_of_steps
from ewsnn.generators import AbstractGenerator, Zero
from ewsnn.propagators import AbstractPropagator
from ewsnn.tensor import unit

Carry = TypeVar("Carry")
Out = TypeVar("Out")

# Steps that are weighted to their common end at once: over so many, round-off of the angles stays small.
_SPAN = 1024

# Fewer where a span's velocity would be more numbers than this, but not fewer than these.
_HELD = 1 << 19
_FEWEST = 64

# Steps of a block that are weighted to its end vector by vector, and how far they may turn together, where one step
# does not turn further: as far as the Taylor series of a dense generator keeps its digits.
_BLOCK = 64
_TURN = 4.0

# How far all steps of a span may turn to be weighted to the end by their elapsed time.
_ALL_TURN = 8.0

# Steps whose states are computed again together in the backward pass.
_STEPS = 32


def chunked_terminal(
    generator: AbstractGenerator, dtheta: Float[Array, "*batch steps"], v: Float[Array, "*batch steps m"], depth: int
) -> Levels:
    """The EWS over all steps.

    Args:
        generator: The generator A.
        dtheta: The clock increments.
        v: The lifted increments, of at least one step.
        depth: The truncation depth N.

    Returns:
        Levels 1 to N.

    Paper: Proposition 3; Theorem 1(ii).
    """
    if isinstance(generator, Zero):
        return signature_of_steps(v, depth)
    rungs = ladder(depth, dtheta.dtype)
    # What a branch keeps for the backward pass, every other has to fill with zeros: of many steps only what spans start
    # from, else nothing.
    by_nodes = [functools.partial(_by_nodes, q, reach, depth) for q, reach in rungs]
    by_steps = jax.checkpoint(functools.partial(_step_by_step, depth))
    return jax.lax.switch(rung(generator, dtheta, depth), [*by_nodes, by_steps], generator, dtheta, v)


def _by_nodes(q: int, reach: float, depth: int, generator: AbstractGenerator, dtheta: Array, v: Array) -> Levels:
    def span(generator: AbstractGenerator, dtheta: Array, v: Array) -> Segment:
        velocity, whole = _velocity(generator, dtheta, v, q, reach)
        return Segment(whole, signature_at_nodes(velocity, depth))

    def advance(state: Levels, part: tuple[Array, ...]) -> tuple[Levels, None]:
        found = span(generator, *part)
        return extend(state, found.propagator, found.levels), None

    steps = max(_FEWEST, min(_SPAN, _HELD // (q * (v.size // v.shape[-2]))))
    if dtheta.shape[-1] <= steps:
        return jax.checkpoint(span)(generator, dtheta, v).levels
    return _over_spans(steps, advance, _start(v, depth), (dtheta, v))[0]


def _velocity(
    generator: AbstractGenerator,
    dtheta: Float[Array, "*batch steps"],
    v: Float[Array, "*batch steps m"],
    q: int,
    reach: float,
) -> tuple[Float[Array, "*batch steps nodes m"], AbstractPropagator]:
    """The velocity of the re-weighted path at the nodes, and the propagator of all steps.

    First to the end of a block of steps, vector by vector, and then with all of the block to the end.
    """
    axis, m = dtheta.ndim - 1, v.shape[-1]
    steps = dtheta.shape[-1]
    length = max(1, min(steps, _BLOCK, int(_TURN / reach)))
    dtheta, v = (in_spans(x, length, axis) for x in (dtheta, v))
    left = jnp.asarray(1 - gauss_legendre(q)[0], v.dtype)
    to_end = later(dtheta)[..., None] + dtheta[..., None] * jnp.broadcast_to(left, (*dtheta.shape, *left.shape))
    each = jnp.broadcast_to(v[..., None, :], (*to_end.shape, m))
    local = generator.transported(to_end, each, jnp.ones(1, v.dtype), length * reach)
    whole, after = _after_blocks(generator, jnp.sum(dtheta, axis=-1), length * reach)
    velocity = after.act(local.reshape(*dtheta.shape[:-1], -1, m, 1))
    return out_of_spans(velocity.reshape(*local.shape[:-2], m), steps, axis), whole


def _after_blocks(
    generator: AbstractGenerator, elapsed: Float[Array, "*batch blocks"], reach: float
) -> tuple[AbstractPropagator, AbstractPropagator]:
    """The propagator of all blocks together, and those from the end of each to the end of all.

    Where all together turn little, by their elapsed times, so that round-off does not add up. Else by products, as the
    angle of all together would lose the digits of its multiples of 2π: inside of groups first, all groups at once, and
    then from group to group.
    """
    axis, blocks = elapsed.ndim - 1, elapsed.shape[-1]
    if blocks * reach <= _ALL_TURN:
        ends = jnp.concatenate([jnp.sum(elapsed, axis=-1, keepdims=True), later(elapsed)], axis=-1)
        every = generator.propagator_within(ends, blocks * reach)
        whole = jax.tree.map(lambda leaf: jax.lax.index_in_dim(leaf, 0, axis, keepdims=False), every)
        return whole, jax.tree.map(lambda leaf: jax.lax.slice_in_dim(leaf, 1, None, axis=axis), every)
    groups = generator.propagator_within(in_spans(elapsed, math.isqrt(blocks - 1) + 1, axis), reach)
    whole_groups, inside = _suffixes(groups, axis + 1)
    whole, behind = _suffixes(whole_groups, axis)
    after_group = jax.tree.map(
        lambda late, leaf: jnp.broadcast_to(jnp.expand_dims(late, axis + 1), leaf.shape), behind, inside
    )
    return whole, jax.tree.map(lambda leaf: out_of_spans(leaf, blocks, axis), inside.then(after_group))


def _suffixes(steps: AbstractPropagator, axis: int) -> tuple[AbstractPropagator, AbstractPropagator]:
    """The propagator of all steps along an axis, and those from the end of each step to the end of all."""

    def back(later: AbstractPropagator, step: AbstractPropagator) -> tuple[AbstractPropagator, AbstractPropagator]:
        return step.then(later), later

    stacked = jax.tree.map(lambda leaf: jnp.moveaxis(leaf, axis, 0), steps)
    none = jax.tree.map(lambda leaf: leaf[0], stacked).idle()
    whole, after = jax.lax.scan(back, none, stacked, reverse=True)
    return whole, jax.tree.map(lambda leaf: jnp.moveaxis(leaf, 0, axis), after)


def _step_by_step(depth: int, generator: AbstractGenerator, dtheta: Array, v: Array) -> Levels:
    def advance(state: Levels, part: tuple[Array, ...]) -> tuple[Levels, None]:
        dtheta, v = part
        return reduce_sequential(dense_segments(generator, dtheta, v, depth), state), None

    return _over_spans(_STEPS, advance, _start(v, depth), (dtheta, v))[0]


def _over_spans(
    span: int,
    advance: Callable[[Carry, tuple[Array, ...]], tuple[Carry, Out]],
    start: Carry,
    arrays: tuple[Array, ...],
) -> tuple[Carry, Out]:
    """A scan over spans of the steps; of each only what it starts from is kept for the backward pass.

    Args:
        span: How many steps a span has at most.
        advance: What a span does to the carry, and what it puts out.
        start: The carry before the first span.
        arrays: Arrays whose axis of steps is the last of the first one.
    """
    axis = arrays[0].ndim - 1
    length = min(span, arrays[0].shape[-1])
    parts = tuple(jnp.moveaxis(in_spans(x, length, axis), axis, 0) for x in arrays)
    return jax.lax.scan(jax.checkpoint(advance), start, parts)


def _start(v: Float[Array, "*batch steps m"], depth: int) -> Levels:
    return unit(v.shape[:-2], v.shape[-1], depth, v.dtype)


def chunked_all(
    generator: AbstractGenerator, dtheta: Float[Array, "*batch steps"], v: Float[Array, "*batch steps m"], depth: int
) -> Levels:
    """The EWS after every step.

    Args:
        generator: The generator A.
        dtheta: The clock increments.
        v: The lifted increments, of at least one step.
        depth: The truncation depth N.

    Returns:
        Levels 1 to N, with the axis of steps.

    Paper: Theorem 1(ii).
    """
    axis, steps = dtheta.ndim - 1, dtheta.shape[-1]

    def advance(state: Levels, part: tuple[Array, ...]) -> tuple[Levels, Levels]:
        dtheta, v = part
        states = scan_sequential(local_segments(generator, dtheta, v, depth), state)
        return last(states, axis), states

    found = _over_spans(_STEPS, advance, _start(v, depth), (dtheta, v))[1]

    return tuple(out_of_spans(jnp.moveaxis(level, 0, axis), steps, axis) for level in found)
