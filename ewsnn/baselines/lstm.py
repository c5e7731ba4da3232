"""LSTM: the non-linear recurrent network that state-space models are compared with."""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

from ewsnn.arrays import PRECISION, Numbers, default_float
from ewsnn.baselines.layer import AbstractLayer, arrays, check_width


class LSTM(AbstractLayer):
    r"""A layer of long short-term memory (Hochreiter and Schmidhuber, 1997), with forget gates.

    .. math::
        (i, f, g, o) = W u_j + V h_{j-1} + c, \qquad
        s_j = σ(f) ∘ s_{j-1} + σ(i) ∘ \tanh g, \qquad h_j = σ(o) ∘ \tanh s_j

    It runs step by step, and it is no EWS: ``convert`` does not know its kind.

    Args:
        weight_ih: W, (4H, H), in the order of the gates above.
        weight_hh: V, (4H, H).
        bias: c, (4H,).

    Raises:
        ValueError: If shapes do not fit.

    >>> LSTM.init(jax.random.key(0), 4)(jnp.ones((5, 4))).shape
    (5, 4)
    """

    kind: ClassVar[str] = "lstm"
    weight_ih: Float[Array, "gates width"]
    weight_hh: Float[Array, "gates width"]
    bias: Float[Array, " gates"]

    def __init__(self, weight_ih: Numbers, weight_hh: Numbers, bias: Numbers) -> None:
        found = arrays(bias=(bias, "4H"), weight_ih=(weight_ih, "4H H"), weight_hh=(weight_hh, "4H H"))
        self.weight_ih, self.weight_hh, self.bias = found["weight_ih"], found["weight_hh"], found["bias"]
        if self.bias.shape[0] != 4 * self.width:
            raise ValueError(f"bias must have 4H = {4 * self.width} entries, got {self.bias.shape[0]}.")

    @classmethod
    def init(cls, key: Key[Array, ""], width: int) -> "LSTM":
        """A layer to be trained, all of it drawn evenly from ±1/√H.

        Args:
            key: A JAX random key.
            width: The width H of inputs and outputs, which is the number of cells.
        """
        end, dtype = width**-0.5, default_float()
        shapes = [(4 * width, width), (4 * width, width), (4 * width,)]
        keys = jax.random.split(key, 3)
        drawn = [jax.random.uniform(own, shape, dtype, -end, end) for own, shape in zip(keys, shapes, strict=True)]
        return cls(*drawn)

    @property
    def width(self) -> int:
        """The width H of inputs and outputs."""
        return self.weight_ih.shape[1]

    def states(self, inputs: Float[Array, "*batch steps width"]) -> Float[Array, "*batch steps 2*width"]:
        """Outputs h and cells s after every step, (…, steps, 2H)."""
        check_width(inputs, self.width)
        driven = jnp.einsum("...h,gh->...g", inputs, self.weight_ih, precision=PRECISION)
        driven = driven + jnp.broadcast_to(self.bias, driven.shape)

        def advance(
            state: tuple[jax.Array, jax.Array], drive: jax.Array
        ) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
            h, cell = state
            gates = drive + jnp.einsum("...h,gh->...g", h, self.weight_hh, precision=PRECISION)
            i, f, g, o = jnp.split(gates, 4, axis=-1)
            cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(cell)
            return (h, cell), jnp.concatenate([h, cell], axis=-1)

        blank = jnp.zeros_like(inputs[..., 0, :])
        _, found = jax.lax.scan(advance, (blank, blank), jnp.moveaxis(driven, -2, 0))
        return jnp.moveaxis(found, 0, -2)

    def __call__(self, inputs: Float[Array, "*batch steps width"]) -> Float[Array, "*batch steps width"]:
        """The outputs h at every step."""
        return self.states(inputs)[..., : self.width]
