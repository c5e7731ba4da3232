"""Joining pieces by the modified Chen identity: in parallel, and one after the other."""

from collections.abc import Callable
from typing import TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp

from ewsnn.arrays import Levels
from ewsnn.propagators import AbstractPropagator
from ewsnn.tensor import group_product

Items = TypeVar("Items")


class Segment(eqx.Module):
    r"""What an interval contributes: its propagator :math:`e^{-rA}` and its EWS.

    The paper carries r itself; the propagator has the same group law and costs no exponential when two
    intervals are joined.
    """

    propagator: AbstractPropagator
    levels: Levels


def chen(first: Segment, second: Segment) -> Segment:
    r"""Two adjacent intervals as one.

    .. math:: (r_1, S_1) ⋆ (r_2, S_2) = (r_1 + r_2, D_A^{r_2}(S_1) ⊗ S_2)

    Args:
        first: The earlier interval.
        second: The later one.

    Returns:
        The segment of both together.

    Paper: Theorem 1(ii).
    """
    return Segment(
        first.propagator.then(second.propagator),
        extend(first.levels, second.propagator, second.levels),
    )


def extend(before: Levels, propagator: AbstractPropagator, levels: Levels) -> Levels:
    r"""The state after an interval: the modified Chen identity where only the EWS is wanted.

    .. math:: S_{0,t} = D_A^{θ_t-θ_s}(S_{0,s}) ⊗ S_{s,t}

    Args:
        before: The state at the start s of the interval.
        propagator: That of the interval.
        levels: The EWS of the interval.

    Paper: Theorem 1(ii).
    """
    return group_product(propagator.flow(before), levels)


def _axis(segments: Segment) -> int:
    # Level 1 is (*batch, steps, m), and all leaves have their steps at the same place.
    return segments.levels[0].ndim - 2


def scan(segments: Segment) -> Segment:
    """The segments of all prefixes, by a parallel scan of depth log(steps).

    Args:
        segments: One segment for each step, in the order of the path; steps are the axis behind the batch.

    Returns:
        As many segments; number j is that of steps 1 to j together.

    Paper: Theorem 1(ii).
    """
    if segments.levels[0].shape[-2] == 0:
        return segments
    return jax.lax.associative_scan(chen, segments, axis=_axis(segments))


def reduce(segments: Segment) -> Segment:
    """The segment of all steps together, by joining neighbours until one is left.

    Args:
        segments: At least one segment for each step, as for :func:`scan`.

    Returns:
        One segment, without the axis of steps.

    Paper: Theorem 1(ii).
    """
    return halve(chen, segments, axis=_axis(segments))


def halve(combine: Callable[[Items, Items], Items], items: Items, axis: int) -> Items:
    """Joins neighbours until one item is left.

    Args:
        combine: An associative operation on two runs of items, element by element.
        items: Arrays with the items, at least one, along the axis.
        axis: Which axis that is.

    Returns:
        One item, without the axis.
    """

    def take(start: int, stop: int, stride: int = 1) -> Items:
        return jax.tree.map(lambda leaf: jax.lax.slice_in_dim(leaf, start, stop, stride, axis), items)

    while (count := jax.tree.leaves(items)[0].shape[axis]) > 1:
        even = count - count % 2
        joined = combine(take(0, even, 2), take(1, even, 2))
        if count % 2:
            joined = jax.tree.map(lambda a, b: jnp.concatenate([a, b], axis=axis), joined, take(even, count))
        items = joined
    return jax.tree.map(lambda leaf: jnp.squeeze(leaf, axis), items)


def scan_sequential(segments: Segment, start: Levels | None = None) -> Levels:
    """The states after each step, one after the other; of the propagators only those of single steps are used.

    Args:
        segments: One segment for each step, as for :func:`scan`.
        start: The state before the first step; None for the unit.

    Returns:
        The levels of all prefixes, with the axis of steps.

    Paper: Theorem 1(ii).
    """

    def advance(state: Levels, step: Segment) -> tuple[Levels, Levels]:
        state = extend(state, step.propagator, step.levels)
        return state, state

    state, steps = _from_the_start(segments, start)
    axis = _axis(segments)
    return tuple(jnp.moveaxis(level, 0, axis) for level in jax.lax.scan(advance, state, steps)[1])


def reduce_sequential(segments: Segment, start: Levels | None = None) -> Levels:
    """The state after the last step, one step after the other.

    Args:
        segments: One segment for each step, as for :func:`scan`.
        start: The state before the first step; None for the unit.

    Returns:
        The levels, without the axis of steps.
    """
    first, steps = _from_the_start(segments, start)
    return jax.lax.scan(lambda state, step: (extend(state, step.propagator, step.levels), None), first, steps)[0]


def prefixes(steps: AbstractPropagator, axis: int) -> AbstractPropagator:
    """The propagators from the start to the end of each step.

    They are composed step by step: that of the whole elapsed time at once would lose the digits of its angles.

    Args:
        steps: The propagators of single steps.
        axis: Where the steps are.
    """
    if not jax.tree.leaves(steps):
        return steps
    return jax.lax.associative_scan(lambda first, second: first.then(second), steps, axis=axis)


@jax.checkpoint
def continued(start: Levels, propagators: AbstractPropagator, own: Levels) -> Levels:
    """The states along a span, continued from the state at its start.

    Args:
        start: The state at the start of the span.
        propagators: From there to the end of each step, see :func:`prefixes`.
        own: The states after each step as if the path began at the start of the span.

    Paper: Theorem 1(ii).
    """
    steps = start[0].ndim - 1
    everywhere = tuple(
        jnp.broadcast_to(jnp.expand_dims(level, steps), like.shape) for level, like in zip(start, own, strict=True)
    )
    return extend(everywhere, propagators, own)


def last(tree: Items, axis: int) -> Items:
    """What stands last along an axis, without the axis."""
    return jax.tree.map(lambda leaf: jax.lax.index_in_dim(leaf, -1, axis, keepdims=False), tree)


def _from_the_start(segments: Segment, start: Levels | None) -> tuple[Levels, Segment]:
    axis = _axis(segments)
    steps = jax.tree.map(lambda leaf: jnp.moveaxis(leaf, axis, 0), segments)
    unit = tuple(jnp.zeros(level.shape[1:], level.dtype) for level in steps.levels)
    return unit if start is None else start, steps
