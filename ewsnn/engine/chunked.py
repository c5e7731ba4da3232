r"""The EWS by matrix products over the re-weighted path.

Over a fixed interval the EWS is the plain signature of :math:`Z_τ = \int_s^τ e^{-(θ_t-θ_u)A} B \, dX_u`, the path with
each step weighted to the end (Proposition 3). Its velocity is computed at Gauss–Legendre nodes, as many in each step as
the bound of :mod:`ewsnn.engine.bound` asks for; the rest is :func:`ewsnn.engine.nodes.signature_at_nodes`. Long paths
are cut into spans, joined by the modified Chen identity. Where a step turns too far for nodes, and where the states
after every step are asked for, spans go step by step, and the backward pass computes them again: memory never grows
like the number of steps times the size of a state.
"""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ewsnn.arrays import Levels
from ewsnn.engine.bound import ladder, rung
from ewsnn.engine.local import local_ews
from ewsnn.engine.nodes import signature_at_nodes
from ewsnn.engine.quadrature import gauss_legendre
from ewsnn.engine.scan import Segment, reduce_sequential, scan_sequential
from ewsnn.generators import AbstractGenerator, Zero
from ewsnn.propagators import AbstractPropagator
from ewsnn.tensor import group_product

# Steps that are weighted to their common end at once: over so many, round-off of the angles stays small.
_SPAN = 1024

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
        q = (depth + 1) // 2
        nodes = jnp.broadcast_to(v[..., None, :], (*v.shape[:-1], q, v.shape[-1]))
        return signature_at_nodes(nodes, depth)
    rungs = ladder(depth, dtheta.dtype)
    by_nodes = [functools.partial(_by_nodes, q, reach, depth) for q, reach in rungs]
    branches = [jax.checkpoint(branch) for branch in (*by_nodes, functools.partial(_step_by_step, depth))]
    return jax.lax.switch(rung(generator, dtheta, depth), branches, generator, dtheta, v)


def _by_nodes(q: int, reach: float, depth: int, generator: AbstractGenerator, dtheta: Array, v: Array) -> Levels:
    def span(dtheta: Array, v: Array) -> tuple[AbstractPropagator, Levels]:
        after, whole = _remaining(generator, dtheta, direct=reach <= 1)
        fractions = jnp.asarray(1 - gauss_legendre(q)[0], v.dtype)
        local = generator.transported(dtheta, v, fractions, reach)
        velocity = after.act(local[..., None])[..., 0]
        return whole, signature_at_nodes(velocity, depth)

    def advance(state: Levels, part: tuple[Array, Array]) -> Levels:
        propagator, levels = span(*part)
        return group_product(propagator.flow(state), levels)

    if dtheta.shape[-1] <= _SPAN:
        return span(dtheta, v)[1]
    return _over_spans(_SPAN, advance, dtheta, v, depth)


def _remaining(
    generator: AbstractGenerator, dtheta: Float[Array, "*batch steps"], *, direct: bool
) -> tuple[AbstractPropagator, AbstractPropagator]:
    """The propagators from the end of each step to the end of all, and the one over all steps."""
    if direct:
        # Steps that turn little: one rounding of the elapsed time instead of one for each step.
        left = jnp.flip(jnp.cumsum(jnp.flip(dtheta, axis=-1), axis=-1), axis=-1)
        after = jnp.concatenate([left[..., 1:], jnp.zeros_like(left[..., :1])], axis=-1)
        return generator.propagator(after), generator.propagator(left[..., 0])
    # Steps that turn far: products, as the angle of all steps together would lose the digits of its multiples of 2π.
    axis = dtheta.ndim - 1
    steps = jax.tree.map(lambda leaf: jnp.moveaxis(leaf, axis, 0), generator.propagator(dtheta))

    def back(later: AbstractPropagator, step: AbstractPropagator) -> tuple[AbstractPropagator, AbstractPropagator]:
        return step.then(later), later

    none = generator.propagator(jnp.zeros_like(dtheta[..., 0]))
    whole, after = jax.lax.scan(back, none, steps, reverse=True)
    return jax.tree.map(lambda leaf: jnp.moveaxis(leaf, 0, axis), after), whole


def _step_by_step(depth: int, generator: AbstractGenerator, dtheta: Array, v: Array) -> Levels:
    def advance(state: Levels, part: tuple[Array, Array]) -> Levels:
        return reduce_sequential(_segments(generator, *part, depth), state)

    return _over_spans(_STEPS, advance, dtheta, v, depth)


def _segments(generator: AbstractGenerator, dtheta: Array, v: Array, depth: int) -> Segment:
    return Segment(generator.propagator(dtheta), local_ews(generator, dtheta, v, depth))


def _over_spans(
    span: int, advance: Callable[[Levels, tuple[Array, Array]], Levels], dtheta: Array, v: Array, depth: int
) -> Levels:
    """The state after all spans; of each only the state at its start is kept for the backward pass."""
    parts = _cut(span, dtheta, axis=dtheta.ndim - 1), _cut(span, v, axis=dtheta.ndim - 1)
    advance = jax.checkpoint(advance)
    start = _start(v, depth)
    return jax.lax.scan(lambda state, part: (advance(state, part), None), start, parts)[0]


def _cut(span: int, x: Array, axis: int) -> Array:
    """The spans in front, the last filled up with zeros: steps that add nothing and take no clock time."""
    steps = x.shape[axis]
    spans = -(-steps // span)
    filled = jnp.pad(x, [(0, spans * span - steps if k == axis else 0) for k in range(x.ndim)])
    return jnp.moveaxis(filled.reshape(*x.shape[:axis], spans, span, *x.shape[axis + 1 :]), axis, 0)


def _start(v: Array, depth: int) -> Levels:
    return tuple(jnp.zeros((*v.shape[:-2], *n * v.shape[-1:]), v.dtype) for n in range(1, depth + 1))


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

    @jax.checkpoint
    def advance(state: Levels, part: tuple[Array, Array]) -> tuple[Levels, Levels]:
        states = scan_sequential(_segments(generator, *part, depth), state)
        return tuple(jax.lax.index_in_dim(level, -1, axis, keepdims=False) for level in states), states

    span = min(_STEPS, steps)
    parts = _cut(span, dtheta, axis), _cut(span, v, axis)
    found = jax.lax.scan(advance, _start(v, depth), parts)[1]

    def join(level: Array) -> Array:
        every = jnp.moveaxis(level, 0, axis)
        return every.reshape(*every.shape[:axis], -1, *every.shape[axis + 2 :])[(*axis * (slice(None),), slice(steps))]

    return tuple(join(level) for level in found)


def chunked_mean(
    generator: AbstractGenerator,
    dtheta: Float[Array, "*batch steps"],
    v: Float[Array, "*batch steps m"],
    valid: Bool[Array, "*batch steps"],
    depth: int,
) -> Levels:
    """The mean of the EWS after each valid step, without holding the states.

    Args:
        generator: The generator A.
        dtheta: The clock increments.
        v: The lifted increments, of at least one step.
        valid: Which steps count.
        depth: The truncation depth N.

    Returns:
        Levels 1 to N; zero where no step counts.

    Paper: Section 2.2.
    """
    axis = dtheta.ndim - 1
    weights = valid.astype(v.dtype) / jnp.maximum(jnp.sum(valid, axis=-1, keepdims=True), 1).astype(v.dtype)

    @jax.checkpoint
    def advance(carry: tuple[Levels, Levels], part: tuple[Array, Array, Array]) -> tuple[Levels, Levels]:
        dtheta, v, weights = part
        segments = _segments(generator, dtheta, v, depth)
        steps = jax.tree.map(lambda leaf: jnp.moveaxis(leaf, axis, 0), (segments, weights))

        def step(carry: tuple[Levels, Levels], now: tuple[Segment, Array]) -> tuple[tuple[Levels, Levels], None]:
            state, total = carry
            segment, weight = now
            state = group_product(segment.propagator.flow(state), segment.levels)
            added = (level * weight.reshape(*weight.shape, *n * (1,)) for n, level in enumerate(state, start=1))
            return (state, tuple(t + a for t, a in zip(total, added, strict=True))), None

        return jax.lax.scan(step, carry, steps)[0]

    span = min(_STEPS, dtheta.shape[-1])
    parts = tuple(_cut(span, x, axis) for x in (dtheta, v, weights))
    start = _start(v, depth)
    return jax.lax.scan(lambda carry, part: (advance(carry, part), None), (start, start), parts)[0][1]
