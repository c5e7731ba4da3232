"""A converted model as one trainable layer: inputs to paths, heads, and a read-out of all levels."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.convert.readout import AbstractReadout
from ewsnn.multi_head import MultiHead
from ewsnn.paths import Increments


class ReadLayer(eqx.Module):
    """Heads of an EWS whose states are read after every input; the inputs are the increments of their paths.

    Args:
        heads: The heads.
        readout: What leads from inputs to heads, and reads level one.
        higher: Maps that read levels 2 to N, (copies or outputs, heads, m^n).
    """

    heads: MultiHead
    readout: AbstractReadout
    higher: tuple[Float[Array, "lead heads _"], ...]

    def __call__(
        self, inputs: Float[Array, "*batch steps width"], *, engine: str = "auto"
    ) -> Float[Array, "*batch steps outputs"]:
        """The outputs at every step.

        Args:
            inputs: The inputs of the model that was converted.
            engine: As for :class:`ewsnn.EWSLayer`.
        """
        if inputs.shape[-1] != self.readout.width:
            raise ValueError(f"the layer reads {self.readout.width} inputs at each step, got {inputs.shape[-1]}.")
        dx = jnp.moveaxis(self.readout.enter(inputs), -2, -3)
        path = Increments(dx, jnp.ones_like(dx[..., 0]), jnp.ones(dx.shape[:-1], bool))
        first, *higher = self.heads(path, output="all", engine=engine)
        outputs = self.readout(first, inputs)
        for weight, level in zip(self.higher, higher, strict=True):
            flat = level.reshape(*first.shape[:-1], -1)
            outputs = outputs + self.readout.read(weight, flat)
        return outputs
