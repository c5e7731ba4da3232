r"""Weighted sums of the signatures of all beginnings of a curve, by matrix products.

A sum over the ends of steps can be taken under the integral: of level n, split at its k-th letter at time u,

.. math:: \sum_j ω_j S^{(n)}_{s,t_j} = \int S^{(k-1)}_{s,u} ⊗ \dot Z_u ⊗ W^{(n-k)}_u \, du, \qquad
    W^{(l)}_u = \sum_{t_j ≥ u} ω_j S^{(l)}_{u,t_j},

and W follows from its level 0, the sums of the later weights, as a suffix does from 1. So the sums for several sets of
weights at once cost one product, :math:`m^k` by nodes times nodes by :math:`m^{n-k}` for each set.
"""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn.arrays import PRECISION, Levels
from ewsnn.engine.quadrature import gauss_legendre


def weighted_sums(
    velocity: Float[Array, "rows m nodes"],
    weights: Float[Array, "rows sets steps"],
    start: Levels,
    depth: int,
) -> tuple[Float[Array, "rows a sets b"], ...]:
    r"""For every set of weights, the sum of :math:`P ⊗ S(Z)_{s,t_j}` over the ends of the steps.

    Args:
        velocity: :math:`\dot Z` at the Gauss–Legendre nodes, step after step, where a step takes one unit of time.
        weights: What each step counts for, in each set.
        start: Levels 1 to N of P, flat, (rows, m^n).
        depth: The truncation depth N.

    Returns:
        Levels 1 to N. The letters stand on both sides of the sets: up to k = ⌈N/2⌉ of them before.

    Paper: Proposition 3.
    """
    rows, m, nodes = velocity.shape
    sets, steps = weights.shape[1:]
    k = (depth + 1) // 2
    to_node, to_end, over_step, from_node = (jnp.asarray(x, velocity.dtype) for x in _integrals(steps, nodes // steps))
    later = [_times(weights, from_node)]
    in_all = [jnp.sum(weights, axis=-1)]
    for _ in range(depth - k):
        # A suffix grows at its front, behind the axis of sets.
        behind = later[-1].reshape(rows, sets, 1, -1, nodes)
        integrand = (velocity[:, None, :, None] * behind).reshape(rows, -1, nodes)
        in_all.append(_times(integrand, over_step[:, None])[..., 0])
        later.append(_times(integrand, to_end))
    weighted = velocity * jnp.broadcast_to(over_step, velocity.shape)
    levels: list[Array] = []
    left, integrand = weighted, velocity
    for n in range(1, k):
        sums = jnp.einsum("rfn,rgn->rfg", left, later[0], precision=PRECISION)
        levels.append((sums + start[n - 1][:, :, None] * in_all[0][:, None])[..., None])
        prefix = start[n - 1][:, :, None] + _times(integrand, to_node)
        left, integrand = _outer(prefix, weighted), _outer(prefix, velocity)
    # The start is one more node, in front of all: its letters up to the k-th are those of P.
    left = jnp.concatenate([left, start[k - 1][..., None]], axis=-1)
    right = jnp.concatenate([jnp.concatenate(later, axis=1), jnp.concatenate(in_all, axis=1)[..., None]], axis=-1)
    top = jnp.einsum("rfn,rhn->rfh", left, right, precision=PRECISION)
    ends = np.cumsum([sets * m**n for n in range(depth - k)])
    for n, part in enumerate(jnp.split(top, ends, axis=-1), start=k):
        level = part.reshape(rows, m**k, sets, m ** (n - k))
        for j in range(k + 1, n):
            product = start[j - 1].reshape(rows, m**k, 1, -1, 1) * in_all[n - j].reshape(rows, 1, sets, 1, -1)
            level = level + product.reshape(level.shape)
        if n > k:
            level = level + start[n - 1].reshape(rows, m**k, 1, -1) * in_all[0][:, None, :, None]
        levels.append(level)
    return tuple(levels)


def _integrals(steps: int, q: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Matrices from values at all nodes to integrals up to, from and over them, and from steps to the nodes before."""
    _, weights, integration = gauss_legendre(q)
    over = np.tile(weights, steps)
    up_to = np.kron(np.tri(steps, k=-1), np.tile(weights, (q, 1))) + np.kron(np.eye(steps), integration)
    return up_to.T, (over - up_to).T, over, np.repeat(np.tri(steps), q, axis=1)


def _times(x: Float[Array, "rows f nodes"], matrix: Float[Array, "nodes others"]) -> Float[Array, "rows f others"]:
    return jnp.einsum("rfn,no->rfo", x, matrix, precision=PRECISION)


def _outer(p: Float[Array, "rows f nodes"], x: Float[Array, "rows g nodes"]) -> Float[Array, "rows fg nodes"]:
    rows, f, nodes = p.shape
    return (p[:, :, None] * x[:, None]).reshape(rows, f * x.shape[1], nodes)
