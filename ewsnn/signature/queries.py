"""What is computed when intervals are asked for: each function is compiled once for each shape."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ewsnn.arrays import Levels
from ewsnn.engine import Segment, chen, local_segments
from ewsnn.generators import AbstractGenerator
from ewsnn.signature.tree import grow, join, pick
from ewsnn.signature.windows import sliding
from ewsnn.tensor import unit


class Steps(NamedTuple):
    """The steps of paths: the generator, and the clock and lifted increment of each."""

    generator: AbstractGenerator
    dtheta: Float[Array, "*batch steps"]
    v: Float[Array, "*batch steps m"]


class Place(NamedTuple):
    """Places on a path: a knot, and the fraction of the step behind it that has passed."""

    knot: Int[Array, "*batch queries"]
    fraction: Float[Array, "*batch queries"]


@eqx.filter_jit
def tree(steps: Steps, depth: int) -> Segment:
    """The tree over all steps."""
    return grow(local_segments(*steps, depth), _unit(steps, depth))


@eqx.filter_jit
def between(
    tree: Segment, start: Int[Array, "*batch queries"], stop: Int[Array, "*batch queries"], steps: int, longest: int
) -> Levels:
    """The EWS between knots."""
    return join(tree, start, stop, steps, longest).levels


@eqx.filter_jit
def between_parts(tree: Segment, steps: Steps, start: Place, stop: Place) -> Levels:
    """The EWS between places: the rest of one step, whole steps, and the beginning of another."""
    count, depth = steps.v.shape[-2], len(tree.levels)
    if count == 0:
        return join(tree, start.knot, stop.knot, count).levels
    cut, same, nothing = start.fraction > 0, start.knot == stop.knot, jnp.zeros_like(start.fraction)
    # Where both ends are in one step, all that there is counts as the rest of it.
    rest = jnp.where(cut, jnp.where(same, stop.fraction - start.fraction, 1 - start.fraction), nothing)
    beginning = jnp.where(cut & same, nothing, stop.fraction)
    # Both at once, side by side: the local EWS is the larger part of the program.
    fraction = jnp.concatenate([rest, beginning], axis=-1)
    dtheta, v = pick((steps.dtheta, steps.v), jnp.concatenate([start.knot, stop.knot], axis=-1))
    parts = local_segments(steps.generator, dtheta * fraction, v * fraction[..., None], depth)
    head, tail = (
        jax.tree.map(lambda leaf, half=half: jnp.split(leaf, 2, axis=fraction.ndim - 1)[half], parts) for half in (0, 1)
    )
    first = start.knot + cut.astype(start.knot.dtype)
    return chen(chen(head, join(tree, first, stop.knot, count)), tail).levels


@eqx.filter_jit
def windows(tree: Segment, steps: Steps, length: int, stride: int) -> Levels:
    """The EWS of sliding windows."""
    axis, count = steps.dtheta.ndim - 1, steps.dtheta.shape[-1]
    leaves = jax.tree.map(lambda leaf: jax.lax.slice_in_dim(leaf, 0, count, axis=axis), tree)
    return sliding(leaves, _unit(steps, len(tree.levels)), length, stride)


@eqx.filter_jit
def nan_where(wrong: Bool[Array, "*batch queries"], levels: Levels) -> Levels:
    """The levels, with NaN where something is wrong."""

    def one(level: Array) -> Array:
        mask = wrong.reshape(*wrong.shape, *(level.ndim - wrong.ndim) * (1,))
        return jnp.where(jnp.broadcast_to(mask, level.shape), jnp.full_like(level, jnp.nan), level)

    return tuple(map(one, levels))


def _unit(steps: Steps, depth: int) -> Segment:
    *batch, _, m = steps.v.shape
    still = steps.generator.propagator(jnp.zeros(batch, steps.v.dtype))
    return Segment(still, unit(tuple(batch), m, depth, steps.v.dtype))
