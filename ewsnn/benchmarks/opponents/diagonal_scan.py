"""The recurrence of diagonal state-space models (S4D, S5, LRU): complex numbers, zero-order hold, associative scan."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Complex, Float


def diagonal_scan(
    u: Float[Array, "steps batch d"],
    dt: Float[Array, "steps #batch"],
    eigenvalues: Complex[Array, " modes"],
    B: Complex[Array, "modes d"],
) -> Complex[Array, "steps batch modes"]:
    """The states of h' = -λh + Bu after every step, u constant over each: h ← e^{-λΔt} h + (1 - e^{-λΔt})/λ Bu."""
    decay = jnp.exp(-dt[..., None] * eigenvalues)
    inputs = (1 - decay) / eigenvalues * jnp.einsum("kd,...d->...k", B, u)
    return jax.lax.associative_scan(_after, (decay, inputs))[1]


def _after(first: tuple[Array, Array], second: tuple[Array, Array]) -> tuple[Array, Array]:
    return second[0] * first[0], second[0] * first[1] + second[1]
