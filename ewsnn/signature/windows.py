"""Sliding windows in linear time: each window is the end of one block joined with the start of the next."""

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array

from ewsnn.arrays import Levels
from ewsnn.engine import Segment, chen, reduce


def sliding(steps: Segment, unit: Segment, length: int, stride: int) -> Levels:
    r"""The EWS of windows of equal length.

    The path is cut into blocks as long as the window. A window that starts i steps into a block is

    .. math:: (g_i ⋆ ⋯ ⋆ g_{w-1}) ⋆ (g_w ⋆ ⋯ ⋆ g_{w+i-1}),

    the end of that block and the start of the next. The ends and starts of all blocks are running products, so there
    are about two joins for each step and one for each window, whatever the length.

    Args:
        steps: One segment for each step; steps are the axis behind the batch.
        unit: The unit of ⋆, one for each path.
        length: Steps in a window, at most as many as there are.
        stride: Steps from the start of one window to that of the next.

    Returns:
        The levels of every window that lies within the steps, with an axis of windows behind the batch.

    Paper: Theorem 1(ii).
    """
    axis = steps.levels[0].ndim - 2
    windows = (steps.levels[0].shape[axis] - length) // stride + 1
    # No window starts or stops elsewhere than at multiples of this many steps.
    group = math.gcd(length, stride)
    length, stride = length // group, stride // group
    groups = (windows - 1) * stride + length
    blocks = -(-groups // length)

    def cut(leaf: Array) -> Array:
        kept = jax.lax.slice_in_dim(leaf, 0, groups * group, axis=axis)
        return kept.reshape(*leaf.shape[:axis], groups, group, *leaf.shape[axis + 1 :])

    # From here on the steps stand in front of the batch.
    pieces = jax.tree.map(lambda leaf: jnp.moveaxis(leaf, axis, 0), reduce(jax.tree.map(cut, steps)))
    nothing = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (blocks, *leaf.shape)), unit)

    def fill(leaf: Array) -> Array:
        # The last block may be short. What stands in its gap reaches no window: its start alone is used.
        padded = jnp.pad(leaf, [(0, blocks * length - groups), *(leaf.ndim - 1) * [(0, 0)]])
        return jnp.swapaxes(padded.reshape(blocks, length, *leaf.shape[1:]), 0, 1)

    def append(before: Segment, piece: Segment) -> tuple[Segment, Segment]:
        joined = chen(before, piece)
        return joined, joined

    def prepend(after: Segment, piece: Segment) -> tuple[Segment, Segment]:
        joined = chen(piece, after)
        return joined, joined

    def every(running: Segment, first: int) -> Segment:
        def taken(leaf: Array) -> Array:
            row = jnp.swapaxes(leaf, 0, 1).reshape(blocks * length, *leaf.shape[2:])
            return row[first : first + (windows - 1) * stride + 1 : stride]

        return jax.tree.map(taken, running)

    filled = jax.tree.map(fill, pieces)
    # The window from group a on is the end of its block from there, and the start of the next up to a + length - 1.
    ends = every(jax.lax.scan(prepend, nothing, filled, reverse=True)[1], 0)
    starts = every(jax.lax.scan(append, nothing, filled)[1], length - 1)
    # Where a window is a block, that start is the block once more, and the end is all.
    whole = jnp.arange(windows) * stride % length == 0

    def chosen(alone: Array, both: Array) -> Array:
        mask = jnp.broadcast_to(whole.reshape(windows, *(both.ndim - 1) * (1,)), both.shape)
        return jnp.moveaxis(jnp.where(mask, alone, both), 0, axis)

    return jax.tree.map(chosen, ends.levels, chen(ends, starts).levels)
