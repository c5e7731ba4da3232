r"""The signature of a curve that is known by its velocity at Gauss–Legendre nodes, by matrix products.

The EWS over a fixed interval is the plain signature of the re-weighted path (Proposition 3), so this is the whole of
the work of a deep EWS. Level n splits at its k-th letter, which sits at time u:

.. math:: S^{(n)} = \int S^{(k-1)}_{s,u} ⊗ \dot Z_u ⊗ S^{(n-k)}_{u,t} \, du

With nodes in every step this is one product of matrices, :math:`m^k` by nodes times nodes by :math:`m^{n-k}`, and no
level above the middle one is ever held at a node. A prefix at the nodes follows from cumulative sums over the steps and
the integration matrix of collocation inside them; a suffix is summed backwards, as the total minus the prefix would
cancel. Gauss collocation is symplectic: every k gives the same numbers.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn.arrays import PRECISION, Levels
from ewsnn.engine.quadrature import gauss_legendre

# Numbers of one array that the innermost products work on: they stay in cache, and the loops around them stay short.
# Measured from 2^14 to 2^18 at 3 to 16 letters.
_HELD = 1 << 16

# A block of a cumulative sum: a product with a triangle of ones.
_TRIANGLE = 32

# Up to this many nodes are summed one by one.
_FEW_NODES = 4

# Above this many slices a stack is too long to compile quickly.
_UNROLLED = 64


def signature_at_nodes(velocity: Float[Array, "*batch steps nodes m"], depth: int) -> Levels:
    r"""The plain signature of a curve from its velocity.

    Args:
        velocity: :math:`\dot Z` at the Gauss–Legendre nodes of each step, where a step takes one unit of time.
        depth: The truncation depth N.

    Returns:
        Levels 1 to N. They are exact where the velocity is constant on each step and there are at least ⌈N/2⌉ nodes.

    Paper: Proposition 3.
    """
    *batch, steps, q, m = velocity.shape
    rows = _by_groups(velocity.reshape(-1, steps, q, m), depth)
    return tuple(level.reshape(*batch, *n * (m,)) for n, level in enumerate(rows, start=1))


def _by_groups(x: Float[Array, "rows steps nodes m"], depth: int) -> Levels:
    """The levels of every row, for so many rows at a time that they stay in cache."""
    rows, steps, q, m = x.shape
    together = max(1, min(rows, _HELD // (m ** ((depth + 1) // 2) * min(steps * q, 128))))
    groups = -(-rows // together)
    if groups == 1:
        return _levels(x, depth)
    filled = jnp.pad(x, ((0, groups * together - rows), (0, 0), (0, 0), (0, 0)))

    def work(part: Float[Array, "rows steps nodes m"]) -> Levels:
        return _levels(part, depth)

    # Up to depth three only level one is held at the nodes, which costs less to keep than to compute again.
    kept = work if depth <= 3 else jax.checkpoint(work)
    found = jax.lax.map(kept, filled.reshape(groups, together, steps, q, m))
    return tuple(level.reshape(groups * together, -1)[:rows] for level in found)


def _levels(x: Float[Array, "rows steps nodes m"], depth: int) -> Levels:
    """Levels 1 to N, flat; at every node, the prefix up to level k - 1 and the suffix up to level N - k."""
    rows, steps, q, m = x.shape
    k = (depth + 1) // 2
    _, weights, integration = gauss_legendre(q)
    # One array for each node, letters before steps: sums over nodes are then sums of arrays, and the products below
    # run along contiguous steps.
    velocity = [jnp.moveaxis(x[:, :, j], -1, 1) for j in range(q)]
    ones = q * [jnp.ones((rows, 1, steps), x.dtype)]
    levels: list[Array] = []
    prefix = ones
    for _ in range(1, k):
        integrand = velocity if prefix is ones else [outer_each(p, v) for p, v in zip(prefix, velocity, strict=True)]
        (sums,) = _along(weights[None], integrand)
        levels.append(jnp.sum(sums, axis=-1))
        earlier = running(sums)
        prefix = [earlier + inside for inside in _along(integration, integrand)]
    suffixes = [ones]
    for _ in range(depth - k):
        suffix = suffixes[-1]
        integrand = velocity if suffix is ones else [outer_each(v, s) for v, s in zip(velocity, suffix, strict=True)]
        (sums,) = _along(weights[None], integrand)
        later = running(sums, backwards=True)
        suffixes.append([later + inside for inside in _along(weights - integration, integrand)])
    weighted = [b * v for b, v in zip(weights.tolist(), velocity, strict=True)]
    right = [jnp.concatenate(parts, axis=1) for parts in zip(*suffixes, strict=True)]
    top = _split(*(jnp.concatenate(nodes, axis=-1) for nodes in (prefix, weighted, right)))
    ends = np.cumsum([m**n for n in range(depth - k)])
    return (*levels, *(part.reshape(rows, -1) for part in jnp.split(top, ends, axis=-1)))


def _along(coefficients: Float[np.ndarray, "out nodes"], arrays: list[Array]) -> list[Array]:
    """Sums over the nodes, one for each row of coefficients."""
    if len(arrays) > _FEW_NODES:
        stacked = jnp.stack(arrays)
        return list(jnp.tensordot(jnp.asarray(coefficients, stacked.dtype), stacked, 1, precision=PRECISION))
    # A product of matrices would cost more than it does.
    products = ((c * x for c, x in zip(row.tolist(), arrays, strict=True)) for row in coefficients)
    return [functools.reduce(jnp.add, row) for row in products]


def running(
    x: Float[Array, "rows f steps"], own: float = 0.0, *, backwards: bool = False
) -> Float[Array, "rows f steps"]:
    """What the earlier steps add up to: in blocks by a triangle of ones, and so on for the blocks.

    Args:
        x: What each step adds, letters before steps.
        own: The part of a step's own that counts.
        backwards: The later steps instead.
    """
    rows, f, steps = x.shape
    size = min(steps, _TRIANGLE)
    blocks = -(-steps // size)
    cut = jnp.pad(x, ((0, 0), (0, 0), (0, blocks * size - steps))).reshape(rows, f, blocks, size)
    triangle = np.tril(np.ones((size, size)), -1) if backwards else np.triu(np.ones((size, size)), 1)
    found = jnp.matmul(cut, jnp.asarray(triangle + own * np.eye(size), x.dtype), precision=PRECISION)
    if blocks > 1:
        found = found + running(jnp.sum(cut, axis=-1), backwards=backwards)[..., None]
    return found.reshape(rows, f, blocks * size)[..., :steps]


def _split(
    left: Float[Array, "rows f nodes"], middle: Float[Array, "rows m nodes"], right: Float[Array, "rows h nodes"]
) -> Float[Array, "rows fm h"]:
    """The sum over all nodes of left ⊗ middle ⊗ right, block by block."""
    rows, f, nodes = left.shape
    m = middle.shape[1]
    block = max(128, _HELD // (rows * f * m))
    if nodes <= block:
        return _product(left, middle, right)
    blocks = -(-nodes // block)

    def cut(y: Array) -> Array:
        filled = jnp.pad(y, ((0, 0), (0, 0), (0, blocks * block - nodes)))
        return jnp.moveaxis(filled.reshape(*y.shape[:2], blocks, block), 2, 0)

    product = jax.checkpoint(_product)
    start = jnp.zeros((rows, f * m, right.shape[1]), left.dtype)
    return jax.lax.scan(
        lambda total, part: (total + product(*part), None), start, (cut(left), cut(middle), cut(right))
    )[0]


def _product(left: Array, middle: Array, right: Array) -> Array:
    return jnp.einsum("rfn,rhn->rfh", outer_each(left, middle), right, precision=PRECISION)


@jax.custom_jvp
def outer_each(p: Float[Array, "rows f n"], x: Float[Array, "rows g n"]) -> Float[Array, "rows fg n"]:
    """The tensor product at every node."""
    rows, f, n = p.shape
    return (p[:, :, None] * x[:, None]).reshape(rows, f * x.shape[1], n)


@outer_each.defjvp
def _tangent(primals: tuple[Array, Array], tangents: tuple[Array, Array]) -> tuple[Array, Array]:
    # The product rule, stacked slice by slice: what it becomes in the backward pass is then a sum of arrays, which
    # runs at full speed, and not a reduction along an outer axis.
    (p, x), (dp, dx) = primals, tangents
    value = outer_each(p, x)
    f, g = p.shape[1], x.shape[1]
    if max(f, g) > _UNROLLED:
        return value, outer_each(p, dx) + outer_each(dp, x)
    by_x = jnp.stack([jnp.broadcast_to(p[:, i, None], dx.shape) * dx for i in range(f)], axis=1)
    by_p = jnp.stack([dp * jnp.broadcast_to(x[:, j, None], dp.shape) for j in range(g)], axis=2)
    return value, (by_x + by_p).reshape(value.shape)
