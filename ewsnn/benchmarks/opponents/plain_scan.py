"""The paper's algorithm for damped rotations: the local EWS of each step, then one associative scan of ⋆."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from numpy.polynomial import legendre


def plain_scan(
    v: Float[Array, "steps *batch m"],
    dtheta: Float[Array, "steps *batch"],
    damping: Float[Array, " pairs"],
    frequency: Float[Array, " pairs"],
    depth: int,
    nodes: int = 8,
) -> list[Float[Array, "steps *batch _"]]:
    """The EWS after every step, each level flat; enough Gauss nodes make the local EWS exact to working precision."""
    c, b, a = (jnp.asarray(x, v.dtype) for x in _gauss(nodes))
    g = jnp.einsum("...qij,...j->...qi", _propagator(dtheta[..., None] * (1 - c), damping, frequency), v)
    at_nodes, levels = jnp.ones((*g.shape[:-1], 1), v.dtype), []
    for _ in range(depth):
        level = jnp.einsum("q,...qi,...qj->...ij", b, at_nodes, g)
        levels.append(level.reshape(*v.shape[:-1], -1))
        at_nodes = jnp.einsum("pq,...qi->...pi", a, _outer(at_nodes, g))
    return jax.lax.associative_scan(_chen, (_propagator(dtheta, damping, frequency), levels))[1]


def _chen(first: tuple[Array, list[Array]], second: tuple[Array, list[Array]]) -> tuple[Array, list[Array]]:
    (P1, S1), (P2, S2) = first, second
    S1 = [_flow(P2, level, n) for n, level in enumerate(S1, start=1)]
    joined = [S1[n] + sum((_outer(S1[k], S2[n - 1 - k]) for k in range(n)), S2[n]) for n in range(len(S1))]
    return P2 @ P1, joined


def _flow(P: Array, level: Array, n: int) -> Array:
    *batch, m = P.shape[:-1]
    for _ in range(n):  # The matrix acts on the first slot, which then goes last: after n times all are back in place.
        level = jnp.einsum("...ij,...jk->...ki", P, level.reshape(*batch, m, m ** (n - 1)))
    return level.reshape(*batch, m**n)


def _outer(x: Array, y: Array) -> Array:
    return (x[..., :, None] * y[..., None, :]).reshape(*x.shape[:-1], x.shape[-1] * y.shape[-1])


def _propagator(r: Array, damping: Array, frequency: Array) -> Array:
    C, S = jnp.cos(r[..., None] * frequency), jnp.sin(r[..., None] * frequency)
    blocks = jnp.stack([jnp.stack([C, S], -1), jnp.stack([-S, C], -1)], -2)
    blocks *= jnp.exp(-r[..., None] * damping)[..., None, None]
    m = 2 * frequency.size
    return jnp.einsum("...kij,kl->...kilj", blocks, jnp.eye(m // 2, dtype=r.dtype)).reshape(*r.shape, m, m)


def _gauss(q: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x, w = legendre.leggauss(q)
    coefficients = (np.arange(q) + 0.5)[:, None] * legendre.legvander(x, q - 1).T * w
    integrals = legendre.legval(x, legendre.legint(np.eye(q), lbnd=-1))
    return (x + 1) / 2, w / 2, integrals.T @ coefficients / 2
