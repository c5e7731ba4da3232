r"""A weighted sum of the EWS after every step, by matrix products over blocks of steps.

Let a block begin at s with the state P. Weighted to its beginning, by :math:`Y_τ = \int_s^τ e^{(θ_u-θ_s)A} B \, dX_u`,
the path has nothing that depends on where it is read out, but for one flow:

.. math:: S_{0,t_j} = D_A^{δ_j} \left(P ⊗ S(Y)_{s,t_j}\right), \qquad δ_j = θ_{t_j} - θ_s

Where the clock moves little in a block, :math:`D^δ` is to working precision a polynomial in δ, known by its values at
a few points :math:`δ_p`, with Lagrange's :math:`ℓ_p`:

.. math:: \sum_j w_j S_{0,t_j} = \sum_p D_A^{δ_p} \sum_{\text{blocks}} P ⊗ \sum_j w_j ℓ_p(δ_j) \, S(Y)_{s,t_j}

The points are the same in all blocks, so the flow is taken once for each, at the end; the inner sums are those of
:mod:`ewsnn.engine.weighted`. A block in which the clock moves further goes step by step, and no other one.
"""

import functools
import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn.arrays import PRECISION, Levels
from ewsnn.engine.bound import DEEPEST, fewest_nodes, infinity_norm
from ewsnn.engine.local import dense_segments
from ewsnn.engine.quadrature import gauss_legendre
from ewsnn.engine.scan import Segment, extend
from ewsnn.engine.spans import in_spans
from ewsnn.engine.weighted import weighted_sums
from ewsnn.generators import AbstractGenerator, Zero
from ewsnn.linalg import largest
from ewsnn.tensor import unit

# Steps of a block. Their states are never held at once, and only what a block starts from is kept for the gradient.
_STEPS = 32

# For each precision the number P of points, and the largest y = N‖A‖ times half the interval of δ. With Bessel's I_k
# the interpolation errs by 4 e^{2y} Σ_{k≥P} I_k(y) at most, relative to the largest state: a third of eps.
_POINTS = {4: (6, 0.25), 8: (12, 0.4)}

# How many times its share of a block one step may take before the block goes step by step.
_UNEVEN = 4


class _Block(NamedTuple):
    """Steps in a row; with one axis more in front, all blocks."""

    dtheta: Float[Array, "rows steps"]
    v: Float[Array, "rows steps m"]
    weights: Float[Array, "rows steps"]


class _Points(NamedTuple):
    """Where the flow is taken: Chebyshev's points of an interval of elapsed times."""

    middle: Float[Array, ""]
    half: Float[Array, ""]
    number: int

    def elapsed(self) -> Float[Array, " points"]:
        """The points."""
        return self.middle + self.half * jnp.asarray(_chebyshev(self.number)[0], self.half.dtype)

    def lagrange(self, elapsed: Float[Array, "rows steps"]) -> Float[Array, "rows points steps"]:
        """Lagrange's polynomials, by way of Chebyshev's, so that no digits are lost."""
        x = (elapsed - self.middle) / self.half
        polynomials = [jnp.ones_like(x), x]
        for _ in range(2, self.number):
            polynomials.append(2 * x * polynomials[-1] - polynomials[-2])
        matrix = jnp.asarray(_chebyshev(self.number)[1], x.dtype)
        return jnp.einsum("pc,rcj->rpj", matrix, jnp.stack(polynomials[: self.number], axis=1), precision=PRECISION)


def chunked_mean(
    generator: AbstractGenerator,
    dtheta: Float[Array, "*batch steps"],
    v: Float[Array, "*batch steps m"],
    weights: Float[Array, "*batch steps"],
    depth: int,
    start: Levels | None = None,
) -> Levels:
    """A weighted sum of the EWS after each step, without holding the states.

    Args:
        generator: The generator A.
        dtheta: The clock increments.
        v: The lifted increments, of at least one step.
        weights: What each step counts for, as of :func:`ewsnn.engine.states.mean_weights`.
        depth: The truncation depth N.
        start: The state before the first step; None for the unit.

    Returns:
        Levels 1 to N.

    Paper: Section 2.2.
    """
    batch, m = v.shape[:-2], v.shape[-1]
    rows = math.prod(batch)
    blocks = _Block(*(_cut(x.reshape(rows, *x.shape[len(batch) :])) for x in (dtheta, v, weights)))
    before = unit(batch, m, depth, v.dtype) if start is None else start
    before = tuple(level.reshape(rows, -1) for level in before)
    points, q, far = _plan(generator, blocks, depth)

    def by_products(state: Levels, block: _Block) -> tuple[Levels, Levels, Levels]:
        after, sums = _by_products(generator, points, q, depth, state, block)
        return after, sums, nowhere

    def by_steps(state: Levels, block: _Block) -> tuple[Levels, Levels, Levels]:
        after, total = _step_by_step(generator, depth, state, block)
        return after, at_points, total

    @jax.checkpoint
    def work(state: Levels, part: tuple[_Block, Array]) -> tuple[Levels, Levels, Levels]:
        block, far = part
        if isinstance(generator, Zero):
            return by_products(state, block)
        if depth > DEEPEST:
            return by_steps(state, block)
        # Not whether one is too large: a clock that is no number goes step by step.
        return jax.lax.cond(largest(far) <= 1, by_products, by_steps, state, block)

    def advance(
        carry: tuple[Levels, Levels, Levels], part: tuple[_Block, Array]
    ) -> tuple[tuple[Levels, Levels, Levels], None]:
        # Sums outside of what is computed again: of them nothing is kept for the backward pass.
        state, *sums = carry
        state, *added = work(state, part)
        at_points, total = (
            tuple(x + y for x, y in zip(old, new, strict=True)) for old, new in zip(sums, added, strict=True)
        )
        return (state, at_points, total), None

    nowhere = tuple(jnp.zeros_like(level) for level in before)
    at_points = _at_points(nowhere, m, points.number)
    (_, sums, total), _ = jax.lax.scan(advance, (before, at_points, nowhere), (blocks, far))
    everywhere = jnp.broadcast_to(points.elapsed(), (rows, points.number))
    flow = generator.propagator_within(everywhere, _reach(v.dtype, depth))
    moved = flow.dense((rows, points.number), m, v.dtype).flow(
        tuple(jnp.moveaxis(x, 2, 1).reshape(rows, points.number, *n * (m,)) for n, x in enumerate(sums, start=1))
    )
    return tuple(
        (jnp.sum(x, axis=1) + y.reshape(x[:, 0].shape)).reshape(*batch, *x.shape[2:])
        for x, y in zip(moved, total, strict=True)
    )


def _cut(x: Float[Array, "rows steps ..."]) -> Float[Array, "blocks rows length ..."]:
    """The blocks in front, of about equal length."""
    blocks = -(-x.shape[1] // _STEPS)
    return jnp.moveaxis(in_spans(x, -(-x.shape[1] // blocks), 1), 1, 0)


def _plan(generator: AbstractGenerator, blocks: _Block, depth: int) -> tuple[_Points, int, Float[Array, "blocks rows"]]:
    """The points of the flow, the number of nodes in a step, and what is above 1 for a block that they do not serve."""
    dtheta = jax.lax.stop_gradient(blocks.dtheta)
    if isinstance(generator, Zero) or depth > DEEPEST:
        zero = jnp.zeros((), dtheta.dtype)
        return _Points(zero, zero + 1, 1), (depth + 1) // 2, jnp.zeros(dtheta.shape[:2], dtheta.dtype)
    count, most = _POINTS[dtheta.dtype.itemsize]
    q, reach = fewest_nodes(depth, dtheta.dtype, _reach(dtheta.dtype, depth) * _UNEVEN / _STEPS)
    norm = jax.lax.stop_gradient(infinity_norm(generator)).astype(dtheta.dtype)
    elapsed = jnp.cumsum(dtheta, axis=-1)
    known = jnp.where(jnp.isfinite(elapsed), elapsed, 0)
    # A clock that only goes forward has the whole interval on one side.
    low, high = jnp.min(known), jnp.max(known)
    farthest = jnp.where((low < 0) & (high > 0), 1, 2).astype(norm.dtype) * most / (depth * norm)
    low, high = jnp.maximum(low, -farthest), jnp.minimum(high, farthest)
    # Where no clock moves, any interval does that is short enough.
    half = jnp.maximum((high - low) / 2, most / (16 * depth * jnp.maximum(norm, 1)))
    far = jnp.maximum(jnp.max(jnp.abs(elapsed), axis=-1) / farthest, jnp.max(jnp.abs(dtheta), axis=-1) * norm / reach)
    return _Points((low + high) / 2, half, count), q, far


def _reach(dtype: np.dtype, depth: int) -> float:
    """How far a block that goes by products may turn."""
    return 2 * _POINTS[dtype.itemsize][1] / depth


def _by_products(
    generator: AbstractGenerator, points: _Points, q: int, depth: int, state: Levels, block: _Block
) -> tuple[Levels, Levels]:
    """The state behind a block, and what its steps add at each point."""
    dtheta, v, weights = block
    rows, length, m = v.shape
    nodes = jnp.asarray(gauss_legendre(q)[0], v.dtype)
    elapsed = jnp.cumsum(dtheta, axis=-1)
    at_nodes = (elapsed - dtheta)[..., None] + dtheta[..., None] * jnp.broadcast_to(nodes, (rows, length, q))
    # To the beginning of the block, against the flow.
    each = jnp.broadcast_to(v[..., None, :], (rows, length, q, m))
    reach = _reach(v.dtype, depth)
    velocity = generator.transported(at_nodes, each, -jnp.ones(1, v.dtype), reach).reshape(rows, length * q, m)
    # One set of weights for each point, and one for the last state alone.
    at_end = jnp.broadcast_to(jnp.asarray(np.eye(1, length, length - 1), v.dtype), (rows, 1, length))
    sets = jnp.concatenate([points.lagrange(elapsed) * weights[:, None], at_end], axis=1)
    sums = weighted_sums(jnp.moveaxis(velocity, -1, 1), sets, state, depth)
    over = generator.propagator_within(elapsed[:, -1], reach).dense((rows,), m, v.dtype)
    after = over.flow(tuple(x[:, :, -1].reshape(rows, *n * (m,)) for n, x in enumerate(sums, start=1)))
    return tuple(x.reshape(rows, -1) for x in after), tuple(x[:, :, :-1] for x in sums)


def _at_points(levels: Levels, m: int, count: int) -> Levels:
    # As the weighted sums come: up to so many letters stand before the axis of points.
    middle = m ** ((len(levels) + 1) // 2)
    return tuple(
        jnp.zeros((rows, min(middle, size), count, max(1, size // middle)), level.dtype)
        for level in levels
        for rows, size in [level.shape]
    )


def _step_by_step(generator: AbstractGenerator, depth: int, state: Levels, block: _Block) -> tuple[Levels, Levels]:
    """The state behind a block, and the weighted sum of those after each of its steps."""
    dtheta, v, weights = block
    rows, _, m = v.shape
    segments = dense_segments(generator, dtheta, v, depth)
    steps = jax.tree.map(lambda leaf: jnp.moveaxis(leaf, 1, 0), (segments, weights))
    start = tuple(level.reshape(rows, *n * (m,)) for n, level in enumerate(state, start=1))

    def step(carry: tuple[Levels, Levels], now: tuple[Segment, Array]) -> tuple[tuple[Levels, Levels], None]:
        state, total = carry
        segment, weight = now
        state = extend(state, segment.propagator, segment.levels)
        added = (level * weight.reshape(rows, *n * (1,)) for n, level in enumerate(state, start=1))
        return (state, tuple(t + a for t, a in zip(total, added, strict=True))), None

    found = jax.lax.scan(step, (start, tuple(jnp.zeros_like(level) for level in start)), steps)[0]
    after, total = (tuple(level.reshape(rows, -1) for level in levels) for levels in found)
    return after, total


@functools.cache
def _chebyshev(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Chebyshev's points, and the matrix from his polynomials to Lagrange's at these points."""
    points = np.cos((np.arange(count) + 0.5) * np.pi / count)
    return points, np.linalg.inv(np.polynomial.chebyshev.chebvander(points, count - 1)).T
