"""Affine maps of the last axis: read-outs, encoders, and the dense layers of a feed-forward network."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn.arrays import PRECISION, Numbers, as_float, default_float


class Affine(eqx.Module):
    r"""An affine map of the last axis, :math:`y = Wx + c`, the same at every place of the axes before it.

    Args:
        weight: W, (outputs, inputs).
        bias: c, (outputs,).

    Raises:
        ValueError: If the shapes are others.

    >>> Affine([[1.0, 2.0]], [0.5])(jnp.array([[1.0, 1.0], [0.0, 1.0]])).tolist()
    [[3.5], [2.5]]
    """

    weight: Float[Array, "outputs inputs"]
    bias: Float[Array, " outputs"]

    def __init__(self, weight: Numbers, bias: Numbers) -> None:
        self.weight = as_float("weight", weight)
        self.bias = as_float("bias", bias)
        if self.weight.ndim != 2 or self.bias.shape != self.weight.shape[:1]:
            raise ValueError(
                "an affine map has a weight (outputs, inputs) and a bias (outputs,), got shapes "
                f"{self.weight.shape} and {self.bias.shape}."
            )

    @classmethod
    def init(cls, key: Key[Array, ""], inputs: int, outputs: int) -> "Affine":
        """Weights and biases drawn evenly from ±1/√inputs.

        Args:
            key: A JAX random key.
            inputs: Size of the last axis that goes in.
            outputs: Size of the last axis that comes out.
        """
        end = 1 / np.sqrt(inputs).item()
        for_weight, for_bias = jax.random.split(key)
        return cls(
            jax.random.uniform(for_weight, (outputs, inputs), default_float(), -end, end),
            jax.random.uniform(for_bias, (outputs,), default_float(), -end, end),
        )

    def __call__(self, x: Float[Array, "*batch inputs"]) -> Float[Array, "*batch outputs"]:
        """The images of the vectors.

        Raises:
            ValueError: If the vectors have another size.
        """
        if x.shape[-1] != self.weight.shape[1]:
            raise ValueError(f"the map takes {self.weight.shape[1]} inputs, got {x.shape[-1]} on the last axis.")
        y = jnp.einsum("...i,oi->...o", x, self.weight, precision=PRECISION)
        return y + jnp.broadcast_to(self.bias, y.shape)
