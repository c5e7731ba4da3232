r"""The EWS of one linear piece, exact to working precision at every depth and for every generator.

On a piece the path moves by v and the clock by r, both linearly. The piece is cut into :math:`2^s` equal parts, so
that :math:`‖A‖ r/2^s ≤ 4`; Gauss–Legendre collocation gives the EWS of one part to working precision, and s
squarings by the modified Chen identity give that of the whole. At depth one the families with a formula for their
propagator have one for this, too.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn import tensor
from ewsnn.arrays import PRECISION, Levels
from ewsnn.engine.quadrature import gauss_legendre
from ewsnn.engine.scan import Segment
from ewsnn.generators import AbstractClosedForm, AbstractGenerator, DirectSum, Zero
from ewsnn.linalg import halved, halvings, largest, repeat
from ewsnn.propagators import AbstractPropagator

# How far a part may turn, to base two: a few nodes more cost less than two squarings.
_LOG2_REACH = 2

# Nodes beyond the depth, for float32 and float64. The truncation where ‖rA‖ is 4, in extended precision on growing,
# decaying, rotating and mixed letters, is below eps/10 of what a level takes over the part, up to depth 7.
_NODES = {4: 7, 8: 13}


def local_segments(
    generator: AbstractGenerator,
    dtheta: Float[Array, "*batch"],
    v: Float[Array, "*batch m"],
    depth: int,
) -> Segment:
    """Linear pieces as segments: their propagators and their EWS.

    Args:
        generator: The generator A.
        dtheta: As for :func:`local_ews`.
        v: As for :func:`local_ews`.
        depth: The truncation depth N.

    Paper: Definition 2.
    """
    return Segment(generator.propagator(dtheta), local_ews(generator, dtheta, v, depth))


def dense_segments(
    generator: AbstractGenerator,
    dtheta: Float[Array, "*batch"],
    v: Float[Array, "*batch m"],
    depth: int,
) -> Segment:
    """The same with propagators by their matrices, whose flow compiles in two thirds of the time: where few steps go.

    Args:
        generator: The generator A.
        dtheta: As for :func:`local_ews`.
        v: As for :func:`local_ews`.
        depth: The truncation depth N.

    Paper: Definition 2.
    """
    segments = local_segments(generator, dtheta, v, depth)
    return Segment(segments.propagator.dense(dtheta.shape, v.shape[-1], v.dtype), segments.levels)


def local_ews(
    generator: AbstractGenerator,
    dtheta: Float[Array, "*batch"],
    v: Float[Array, "*batch m"],
    depth: int,
) -> Levels:
    r"""The EWS over linear pieces.

    .. math:: σ_n(r, v) = \int_{0<u_1<⋯<u_n<1} \bigotimes_k e^{-r(1-u_k)A} v \, du

    Each piece is cut into as many parts as its own :math:`|r|` asks for: more would only lose digits. The backward
    pass keeps only the arguments.

    Args:
        generator: The generator A.
        dtheta: The clock increment r of each piece, of any sign.
        v: The lifted increment of each piece.
        depth: The truncation depth N.

    Returns:
        Levels 1 to N for each piece. Error relative to the largest entry of the level, measured over all families,
        depths 1 to 4, both signs of r: float64 at most 2e-15 for ‖rA‖ ≤ 1 and 3e-14 up to 50 (the largest where a
        dense matrix grows); float32 at most 5e-7 and 2e-5.

    Paper: Definition 2; Theorem 1(ii).
    """
    if isinstance(generator, Zero):
        # The signature of a straight line.
        return tensor.exp(v, depth)
    if depth == 1 and isinstance(generator, AbstractClosedForm):
        return (generator.phi1(dtheta, v),)
    if depth == 1 and isinstance(generator, DirectSum):
        parts = zip(generator.parts, generator.split(v), strict=True)
        return (jnp.concatenate([local_ews(part, dtheta, piece, 1)[0] for part, piece in parts], axis=-1),)
    return _checkpointed(generator, dtheta, v, depth)


@functools.partial(jax.checkpoint, static_argnums=3)
def _checkpointed(generator: AbstractGenerator, r: Array, v: Array, depth: int) -> Levels:
    log2_norm = jnp.log2(jax.lax.stop_gradient(generator.norm())).astype(r.dtype) - _LOG2_REACH
    counts = halvings(jnp.log2(jnp.abs(jax.lax.stop_gradient(r))) + log2_norm)
    part = halved(r, counts)

    def square(state: tuple[Array, AbstractPropagator, Levels]) -> tuple[Array, AbstractPropagator, Levels]:
        # Twice the elapsed time with the same v: σ_n(2r, v) = 2^{-n} (D^r σ(r, v) ⊗ σ(r, v))_n. As v is not
        # halved at the start, no level underflows however often a piece is cut.
        r, propagator, levels = state
        # By matrices: their products compile in a third of the time of the closed forms.
        flow = propagator.dense(r.shape, v.shape[-1], v.dtype).flow
        product = tensor.group_product(flow(levels), levels)
        return 2 * r, generator.doubled(propagator, 2 * r), tensor.dilate(product, 0.5)

    @jax.checkpoint
    def squared(levels: Levels) -> Levels:
        start = (part, generator.propagator_within(part, 2.0**_LOG2_REACH), levels)
        return repeat(counts, square, start, double=r.dtype == np.float64)[2]

    # Where no piece is cut, no propagator of a part is needed.
    return jax.lax.cond(largest(counts) > 0, squared, lambda levels: levels, _collocation(generator, part, v, depth))


def _collocation(generator: AbstractGenerator, r: Array, v: Array, depth: int) -> Levels:
    r"""The local EWS where ‖rA‖ ≤ 4, by Gauss–Legendre collocation.

    The levels are triangular, so the equations are explicit: with :math:`g(u) = e^{-r(1-u)A}v`,

    .. math:: Y^{(n)}(c_i) = \sum_j a_{ij} Y^{(n-1)}(c_j) ⊗ g(c_j), \quad σ_n = \sum_j b_j Y^{(n-1)}(c_j) ⊗ g(c_j)
    """
    nodes, weights, integration = gauss_legendre(depth + _NODES[v.dtype.itemsize])
    b, a = jnp.asarray(weights, v.dtype), jnp.asarray(integration, v.dtype)
    g = generator.transported(r, v, jnp.asarray(1 - nodes, v.dtype), 2.0**_LOG2_REACH)
    batch, q = v.shape[:-1], len(nodes)
    levels = [jnp.einsum("j,...jm->...m", b, g, precision=PRECISION)]
    states = g
    for n in range(2, depth + 1):
        # States of level n-1 at the nodes, flat.
        states = jnp.einsum("ij,...jp->...ip", a, states, precision=PRECISION)
        weighted = states * jnp.broadcast_to(b[:, None], states.shape)
        top = jnp.einsum("...jp,...jm->...pm", weighted, g, precision=PRECISION)
        levels.append(top.reshape(*batch, *n * (v.shape[-1],)))
        if n < depth:
            states = (states[..., :, None] * g[..., None, :]).reshape(*batch, q, -1)
    return tuple(levels)
