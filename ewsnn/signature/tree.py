"""Segments of sub-intervals, from a tree of joined steps: no inverse, so nothing cancels."""

from typing import TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from ewsnn.engine import Segment, chen

T = TypeVar("T")


def grow(steps: Segment, unit: Segment) -> Segment:
    """The tree over the steps of paths, row after row along the axis of steps.

    Row k holds the segments of 2^k steps each, side by side from the first step on; those that would reach beyond the
    last step are left out, since no interval needs them. Behind the last row stands the unit.

    Args:
        steps: One segment for each step, in the order of the path; steps are the axis behind the batch.
        unit: The unit of ⋆, for each path.

    Returns:
        Fewer than two segments a step, and one more.

    Paper: Theorem 1(ii).
    """
    axis = steps.levels[0].ndim - 2
    rows = [steps]
    while count := rows[-1].levels[0].shape[axis] // 2:

        def half(start: int, count: int = count) -> Segment:
            stop = start + 2 * count - 1
            return jax.tree.map(lambda leaf: jax.lax.slice_in_dim(leaf, start, stop, 2, axis), rows[-1])

        rows.append(chen(half(0), half(1)))
    end = jax.tree.map(lambda leaf: jnp.expand_dims(leaf, axis), unit)
    return jax.tree.map(lambda *leaves: jnp.concatenate(leaves, axis=axis), *rows, end)


def join(
    tree: Segment,
    start: Int[Array, "*batch queries"],
    stop: Int[Array, "*batch queries"],
    steps: int,
    longest: int | None = None,
) -> Segment:
    """The segments of steps start, …, stop − 1, each from at most two nodes of each row.

    Args:
        tree: The tree over the steps.
        start: The first step of each query.
        stop: The step after the last one.
        steps: The number of steps.
        longest: The largest stop − start, where it is known: rows of longer segments are not looked at.

    Returns:
        One segment for each query, the unit where stop is not after start.

    Paper: Theorem 1(ii).
    """
    rows = (steps if longest is None else longest).bit_length()
    width = np.left_shift(1, np.arange(rows), dtype=np.int32)
    counts = np.array([steps >> k for k in range(steps.bit_length())], np.int32)
    before, unit = (np.cumsum(counts, dtype=np.int32) - counts)[:rows], int(counts.sum())
    start, stop = start.astype(np.int32), stop.astype(np.int32)
    # Whole nodes of each row, from the first to the one after the last. Where the first has an odd number, or the last
    # an even one, its parent reaches beyond the interval, so it counts alone.
    shape = (*start.shape, rows)
    across = jnp.broadcast_to(width, shape)
    first = (jnp.broadcast_to(start[..., None], shape) + across - 1) // across
    after = jnp.broadcast_to(stop[..., None], shape) // across
    offset, none = jnp.broadcast_to(before, shape), jnp.full(shape, unit, np.int32)
    ends = jnp.where((first < after) & (first % 2 == 1), offset + first, none)
    starts = jnp.where((first < after) & (after % 2 == 1), offset + after - 1, none)
    nodes = jnp.concatenate([ends, starts[..., ::-1]], axis=-1)
    # In the order of the path, one after the other: the loop is compiled once for all rows.
    batch, queries = start.shape[:-1], start.shape[-1]
    found = pick(tree, jnp.swapaxes(nodes, -1, -2).reshape(*batch, 2 * rows * queries))
    axis = len(batch)

    def apart(leaf: Array) -> Array:
        return jnp.moveaxis(leaf.reshape(*leaf.shape[:axis], 2 * rows, queries, *leaf.shape[axis + 1 :]), axis, 0)

    nothing = pick(tree, jnp.full(start.shape, unit, np.int32))
    return jax.lax.scan(lambda so_far, node: (chen(so_far, node), None), nothing, jax.tree.map(apart, found))[0]


def pick(segments: T, places: Int[Array, "*batch queries"]) -> T:
    """The segments, or other arrays, at these places of the axis of steps; a place beyond an end is that end."""
    batch = places.ndim - 1

    def at(leaf: Array) -> Array:
        index = places.reshape(*places.shape, *(leaf.ndim - places.ndim) * (1,))
        return jnp.take_along_axis(leaf, index, axis=batch, mode="clip")

    return jax.tree.map(at, segments)
