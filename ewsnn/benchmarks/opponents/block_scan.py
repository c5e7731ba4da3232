"""The first-order recurrence of a block-diagonal linear CDE, written by hand: one ``lax.scan`` over the steps."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def block_scan(
    blocks: Float[Array, "channels k b b"], dx: Float[Array, "batch steps channels"], start: Float[Array, "batch h"]
) -> Float[Array, "batch steps h"]:
    r"""The states of :math:`h_j = (I + \sum_i A^i ΔX^i_j) h_{j-1}` after every step."""

    def step(h: Array, moved: Array) -> tuple[Array, Array]:
        flow = jnp.einsum("nc,ckij->nkij", moved, blocks)
        parts = h.reshape(h.shape[0], blocks.shape[1], blocks.shape[2])
        h = h + jnp.einsum("nkij,nkj->nki", flow, parts).reshape(h.shape)
        return h, h

    return jnp.moveaxis(jax.lax.scan(step, start, jnp.moveaxis(dx, 1, 0))[1], 0, 1)
