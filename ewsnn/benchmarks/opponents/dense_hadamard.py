"""The first-order recurrence of a Walsh–Hadamard linear CDE with the Hadamard matrix in full."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def dense_hadamard(
    diagonals: Float[Array, "channels h"], dx: Float[Array, "batch steps channels"], start: Float[Array, "batch h"]
) -> Float[Array, "batch steps h"]:
    r"""The states of :math:`h_j = h_{j-1} + H (\sum_i a_i ΔX^i_j ∘ h_{j-1})` after every step, H orthogonal."""
    h = start.shape[-1]
    H = jnp.ones((1, 1), start.dtype)
    while H.shape[0] < h:
        H = jnp.block([[H, H], [H, -H]])
    H = H / jnp.sqrt(jnp.asarray(h, start.dtype))

    def step(state: Array, moved: Array) -> tuple[Array, Array]:
        state = state + (moved @ diagonals * state) @ H
        return state, state

    return jnp.moveaxis(jax.lax.scan(step, start, jnp.moveaxis(dx, 1, 0))[1], 0, 1)
