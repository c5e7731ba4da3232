"""Joining pieces by the modified Chen identity: in parallel, and one after the other."""

import equinox as eqx
import jax
import jax.numpy as jnp

from ewsnn.arrays import Levels
from ewsnn.propagators import AbstractPropagator
from ewsnn.tensor import group_product


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
        group_product(second.propagator.flow(first.levels), second.levels),
    )


def _axis(segments: Segment) -> int:
    # Level 1 is (*batch, steps, m), and all leaves have their steps at the same place.
    return segments.levels[0].ndim - 2


def _take(segments: Segment, start: int, stop: int | None, stride: int = 1) -> Segment:
    axis = _axis(segments)
    index = (*axis * (slice(None),), slice(start, stop, stride))
    return jax.tree.map(lambda leaf: leaf[index], segments)


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
    axis = _axis(segments)
    while (steps := segments.levels[0].shape[-2]) > 1:
        even = steps - steps % 2
        joined = chen(_take(segments, 0, even, 2), _take(segments, 1, even, 2))
        if steps % 2:
            last = _take(segments, steps - 1, None)
            joined = jax.tree.map(lambda a, b: jnp.concatenate([a, b], axis=axis), joined, last)
        segments = joined
    return jax.tree.map(lambda leaf: leaf[(*axis * (slice(None),), 0)], segments)


def scan_sequential(segments: Segment) -> Levels:
    """The states after each step, one after the other; of the propagators only those of single steps are used.

    Args:
        segments: One segment for each step, as for :func:`scan`.

    Returns:
        The levels of all prefixes, with the axis of steps.

    Paper: Theorem 1(ii).
    """

    def advance(state: Levels, step: Segment) -> tuple[Levels, Levels]:
        state = _append(state, step)
        return state, state

    start, steps = _from_the_start(segments)
    axis = _axis(segments)
    return tuple(jnp.moveaxis(level, 0, axis) for level in jax.lax.scan(advance, start, steps)[1])


def reduce_sequential(segments: Segment) -> Levels:
    """The state after the last step, one step after the other.

    Args:
        segments: One segment for each step, as for :func:`scan`.

    Returns:
        The levels, without the axis of steps.
    """
    start, steps = _from_the_start(segments)
    return jax.lax.scan(lambda state, step: (_append(state, step), None), start, steps)[0]


def _append(state: Levels, step: Segment) -> Levels:
    # Modified Chen where only the EWS is wanted.
    return group_product(step.propagator.flow(state), step.levels)


def _from_the_start(segments: Segment) -> tuple[Levels, Segment]:
    axis = _axis(segments)
    steps = jax.tree.map(lambda leaf: jnp.moveaxis(leaf, axis, 0), segments)
    return tuple(jnp.zeros(level.shape[1:], level.dtype) for level in steps.levels), steps
